#!/usr/bin/env bash
# lines.sh [COMMIT]: counts lines of Go without tests and generated code, by package and for the program (packages that were in experiments
# and reports at commit 0f2d142). Default: the working tree.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
commit=${1:-}
files() { if [ -n "$commit" ]; then git ls-tree -r --name-only "$commit"; else git ls-files -co --exclude-standard; fi; }
show() { if [ -n "$commit" ]; then git show "$commit:$1"; else cat "$1"; fi; }
files | grep '\.go$' | grep -v -e '_test\.go$' -e '/testdata/' | while IFS= read -r file; do
  [ -n "$commit" ] || [ -e "$file" ] || continue
  show "$file" | awk -v file="$file" '
    NR == 1 && /^\/\/ Code generated .* DO NOT EDIT\.$/ { generated = 1 }
    END { if (!generated) { n = split(file, part, "/"); dir = n > 1 ? substr(file, 1, length(file) - length(part[n]) - 1) : "."; print dir, NR } }'
done | awk '
  { lines[$1] += $2; files[$1]++; all += $2
    if ($1 ~ /^(experiments|reports)(\/|$)/ && $1 !~ /test$/ || $1 ~ /^internal\/(artifact|guard|memo|usage)$/) { program += $2 } }
  END {
    for (dir in lines) printf "%7d %4d files  %s\n", lines[dir], files[dir], dir | "sort -k4"
    close("sort -k4")
    printf "%7d             the program: experiments, reports, internal/artifact, guard, memo, usage\n%7d             all\n", program, all
  }'

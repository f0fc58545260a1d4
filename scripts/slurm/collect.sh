#!/usr/bin/env bash
# Writes the tables and the page of a grid from the result folder, computing nothing, and says
# what is missing. Runs anywhere, at any time, while tasks run too.
#
#   scripts/slurm/collect.sh -config NAME [-out DIR] [-data DIR] [-filter TERMS] [-binary FILE]
#
# Exit code: 0 everything is there, 1 error, 3 some cells failed, 4 cells are missing.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

while [ $# -gt 0 ]; do
  case $1 in -h | -help | --help) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;; esac
  [ $# -ge 2 ] || fail "$1 needs a value, or is no option"
  common_option "$1" "$2" || fail "unknown option $1"
  shift 2
done
prepare

"$binary" report -config "$config" -out "$out" -data "$data"
count
printf '\n%d cells: %d done, %d missing, %d failed\n' "$cells" "$finished" "$pending" "$failed"
if [ "$finished" != "$cells" ]; then
  "$binary" list "${of_grid[@]}" 2>/dev/null | awk '
    $2 == "pending" || $2 == "failed" { if (++n <= 20) print "  " $0 }
    END { if (n > 20) print "  and " n - 20 " more" }'
fi
[ "$pending" = 0 ] || exit 4
[ "$failed" = 0 ] || exit 3

#!/usr/bin/env bash
# Gives the module another path, as one on a host of yours: `bash scripts/dev/rename_module.sh example.org/you/ogdl` from
# anywhere. It changes the module's line in go.mod, the imports of all packages, and where else these are named; nothing is
# committed. Names of arrays, stores and results do not change; the digest of the sources in records does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [ $# != 1 ] || ! [[ $1 =~ ^[A-Za-z0-9][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$ ]]; then
  echo "rename_module: expected one module path, such as example.org/you/ogdl" >&2
  exit 2
fi
old=$(go list -m)
new=$1
# A package's path is in quotes or stands alone; the root's alone is an import, or the name of the module in a test.
grep -rlIE --include=*.go --include=*.md "(^|[^[:alnum:]_./-])$old(/|\")" . | while read -r file; do
  sed -E -e "s#(^|[^[:alnum:]_./-])$old/([a-z.])#\1$new/\2#g" -e "s#^(import |const module = |[[:space:]]+)\"$old\"\$#\1\"$new\"#" "$file" >"$file.renamed"
  cat "$file.renamed" >"$file" # so that its permissions stay
  rm "$file.renamed"
done
go mod edit -module "$new"
(cd tools && go mod edit -module "$new/tools")
gofmt -w . # imports stand in order
echo "rename_module: $old is $new"

#!/usr/bin/env bash
# The kernels of internal/vec: the generator gives the files that are committed, and the same cells come out with
# the kernels in assembly, with those in Go chosen at start (GODEBUG=cpu.avx2=off), and in a build without any (-tags purego):
# ids, arrays and records are the same byte for byte. `bash scripts/dev/check_vec.sh [CONFIGURATION...]`, default smoke and rivals.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ $# -gt 0 ] || set -- smoke rivals
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd tools && go run ./vecgen -out "$work/kernels_amd64.s" -stubs "$work/kernels_amd64.go" -pkg vec)
for file in kernels_amd64.s kernels_amd64.go kernels_other.go; do
  # The first line names the command, with its paths.
  diff <(tail -n +2 "internal/vec/$file") <(tail -n +2 "$work/$file") || { echo "internal/vec/$file is not what tools/vecgen writes: cd tools && go generate ./vecgen"; exit 1; }
done

GODEBUG=cpu.avx2=off go test ./internal/vec ./ot ./eval/svm
go test -tags purego ./internal/vec ./ot ./eval/svm

go build -o "$work/default" ./experiments
go build -tags purego -o "$work/purego" ./experiments
"$work/default" version | grep -i kernels
run() { # run FOLDER BINARY CONFIGURATION...
  local folder=$1 binary=$2 config
  shift 2
  for config; do
    (mkdir -p "$folder" && cd "$folder" && "$binary" -config "$config" >log 2>&1) || { cat "$folder/log"; return 1; }
  done
}
run "$work/a" "$work/default" "$@"
GODEBUG=cpu.avx2=off run "$work/b" "$work/default" "$@"
run "$work/c" "$work/purego" "$@"
for other in b c; do
  diff -rq -x '*.timing.json' -x lock "$work/a/results/store" "$work/$other/results/store"
done
echo "$(find "$work/a/results/store" -name '*.json' ! -name '*.timing.json' | wc -l) records and their arrays are the same with every set of kernels"

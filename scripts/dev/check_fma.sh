#!/usr/bin/env bash
# Lists the places of the numerical packages and the program where a compiler fuses a product with a sum, and
# ends with status 1 if there are any: on such a processor results would be other bits, and
# decisions near a tie might differ. `bash scripts/dev/check_fma.sh [PACKAGE...]` from anywhere.
#
# It reads the machine code for arm64, where Go fuses whatever it may; the cure is to round the
# product first, float64(x*y) + z. Allowed are math.FMA called by name, and gonum's own kernels
# inlined into ours, which differ between processors in other ways too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ $# -gt 0 ] || set -- ./ot ./ot/gw ./gdl ./eval ./eval/svm ./eval/nested ./internal/vec ./internal/optim ./internal/initial ./baselines/gin ./baselines/pscn ./internal/nn ./datasets ./datasets/spaces ./baselines/gwf ./baselines/gwkmeans ./baselines/spectral ./baselines/kernels ./experiments ./experiments/internal/{spec,grid,source,product,method,classify,protocol,run,plan,fit,embed}

export GOARCH=arm64 CGO_ENABLED=0
go build -o /dev/null "$@"
code=$(go build -o /dev/null -gcflags=-S "$@" 2>&1)
if ! grep -q FMULD <<<"$code"; then
  echo "check_fma: no arithmetic in the listing of $*: it is not what this script reads" >&2
  exit 1
fi
fused=$(grep -P '\tFN?M(ADD|SUB)[DS]\t' <<<"$code" | grep -oP '\(\K[^()\s]+\.go:[0-9]+(?=\))' | sort -u) || true
found=0
for place in $fused; do
  file=${place%:*} line=${place##*:}
  text=$(sed -n "${line}{s/^[[:space:]]*//;p}" "$file")
  [[ $file == */gonum.org/* || $text == *'math.FMA('* ]] && continue
  echo "${file#"$PWD"/}:$line: $text"
  found=1
done
exit $found

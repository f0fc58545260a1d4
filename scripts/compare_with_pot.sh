#!/usr/bin/env bash
# Runs the same problems through POT (Python Optimal Transport) and through ogdl, in turn, one thread
# each, and prints how many times faster ogdl is, in CPU time, with the mean objectives beside it. The
# rows "embedding" are the time to embed one graph in a learned dictionary (-only embedding: these alone). The
# rows "growing" are two families of orders 10 to 1000; the exponent of either side's cost follows them. The
# rows "learning" are the time to learn a dictionary, from the same atoms (-only learning: these alone).
#
#   scripts/compare_with_pot.sh [-data DIR] [-rounds N] [-quick] [-only TEXT] [-json FILE]
#
# POT 0.8 and 0.9 do; the version is printed. PYTHON names the interpreter (default: python3, else Debian's).
# Graphs come from the TU data sets in DIR (default: $OGDL_DATA, else ./data) and are generated
# where there are none. Linux only (CPU clocks). Exits 1 if values disagree, and without -quick, on
# data sets, also if an embedding takes longer than it may.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { printf 'compare_with_pot: %s\n' "$*" >&2; exit 1; }

# Debian's package serves Debian's interpreter, which need not be the first one on the path.
candidates=(python3 /usr/bin/python3)
[ -z "${PYTHON:-}" ] || candidates=("$PYTHON")
python=
for candidate in "${candidates[@]}"; do
  # (a bare "import ot" would find the folder ot/ of this project)
  if "$candidate" -c 'from ot.lp.emd_wrap import emd_c' >/dev/null 2>&1; then python=$candidate; break; fi
done
[ -n "$python" ] || fail "${candidates[*]}: no POT 0.8 or 0.9; apt-get install python3-pot, or PYTHON=/path/of/an/interpreter with it"
command -v go >/dev/null || fail "Go is missing"

data=()
given=0
for argument in "$@"; do
  case $argument in -data | -data=* | --data | --data=*) given=1 ;; esac
done
if [ $given = 0 ]; then
  default=${OGDL_DATA:-data}
  for folder in "$default"/*/; do
    name=$(basename "$folder")
    if [ -f "$folder/${name}_A.txt" ]; then data=(-data "$default"); break; fi
  done
fi

export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 BLIS_NUM_THREADS=1 \
  NUMEXPR_NUM_THREADS=1 VECLIB_MAXIMUM_THREADS=1 GOMAXPROCS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/potcompare" ./scripts/dev/potcompare
"$python" scripts/compare_with_pot.py -driver "$work/potcompare" ${data[@]+"${data[@]}"} "$@"

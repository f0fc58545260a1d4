#!/usr/bin/env bash
# Runs one nested search for C and gamma of an SVM (15 x 21 settings, 10 inner folds: 3150 fits) through scikit-learn and through
# ogdl, in turn, one thread each, and prints how many times faster ogdl is in CPU time. Every fit must take as many iterations,
# and every accuracy, choice and prediction be the same.
#
#   scripts/compare_with_sklearn.sh [-data DIR] [-set NAME] [-rounds N] [-quick]
#
# Kernels are exp(-gamma D), D the fused Gromov-Wasserstein values of the TU data set NAME (default MUTAG) in DIR (default: $OGDL_DATA, else
# ./data), or distances of generated points where there is none. PYTHON names the interpreter (default: python3, else Debian's).
# Linux only (CPU clocks). Exits 1 if answers disagree, and without -quick if ogdl is less than 3 times faster.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { printf 'compare_with_sklearn: %s\n' "$*" >&2; exit 1; }

# Debian's package serves Debian's interpreter, which need not be the first one on the path.
candidates=(python3 /usr/bin/python3)
[ -z "${PYTHON:-}" ] || candidates=("$PYTHON")
python=
for candidate in "${candidates[@]}"; do
  if "$candidate" -c 'import sklearn.svm' >/dev/null 2>&1; then python=$candidate; break; fi
done
[ -n "$python" ] || fail "${candidates[*]}: no scikit-learn; apt-get install python3-sklearn, or PYTHON=/path/of/an/interpreter with it"
command -v go >/dev/null || fail "Go is missing"

data=${OGDL_DATA:-data} given='' set=MUTAG rounds=3 quick=()
while [ $# -gt 0 ]; do
  case $1 in
    -data) [ $# -gt 1 ] || fail "-data needs a folder"; data=$2 given=1; shift 2 ;;
    -set) [ $# -gt 1 ] || fail "-set needs a name"; set=$2; shift 2 ;;
    -rounds) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || fail "-rounds needs a positive number"; rounds=$2; shift 2 ;;
    -quick) quick=(-quick); shift ;;
    *) fail "unknown argument $1" ;;
  esac
done
problem=()
if [ -f "$data/$set/${set}_A.txt" ]; then
  problem=(-data "$data" -set "$set")
elif [ -n "$given" ] && [ -n "$data" ]; then
  fail "no data set $set in $data (expected $data/$set/${set}_A.txt)"
fi

export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 BLIS_NUM_THREADS=1 GOMAXPROCS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/sklearncompare" ./scripts/dev/sklearncompare
"$work/sklearncompare" write ${problem[@]+"${problem[@]}"} ${quick[@]+"${quick[@]}"} -out "$work/problem.npz"
printf '%s\n' "${problem[3]:-generated points}"
"$python" scripts/compare_with_sklearn.py -driver "$work/sklearncompare" -problem "$work/problem.npz" -rounds "$rounds" ${quick[@]+"${quick[@]}"}

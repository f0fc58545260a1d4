#!/usr/bin/env bash
# Runs the code that the paper's authors released, unmodified, on the TU data sets, then ogdl at the same settings, and prints
# the Rand Index of both next to the paper's value.
#
#   scripts/compare_with_released.sh CHECKOUT [-data DIR] [-seeds N] [-budget HOURS] [-only TEXT] [-out FILE]
#
# CHECKOUT is a clone of github.com/cedricvincentcuaz/GDL, which you provide; its commit and the hashes of its Python files are
# checked. FILE (default docs/reproduction/released.csv) gets one line for each run as soon as it ends: the script goes on where it
# was stopped. HOURS (default 12) bounds the CPU time of this call. Needs Go, and Python 3 with numpy, scipy, networkx,
# scikit-learn and POT (Debian: python3-pot python3-sklearn python3-networkx). PYTHON names the interpreter.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
fail() { printf 'compare_with_released: %s\n' "$*" >&2; exit 1; }
[ $# -ge 1 ] && [ "${1#-}" = "$1" ] || fail "usage: compare_with_released.sh CHECKOUT [-data DIR] [-seeds N] [-budget HOURS] [-only TEXT] [-out FILE]"

candidates=(python3 /usr/bin/python3)
[ -z "${PYTHON:-}" ] || candidates=("$PYTHON")
python=
for candidate in "${candidates[@]}"; do
  # (a bare "import ot" would find the folder ot/ of this project)
  if "$candidate" -c 'import networkx, scipy, sklearn; from ot.lp.emd_wrap import emd_c' >/dev/null 2>&1; then python=$candidate; break; fi
done
[ -n "$python" ] || fail "${candidates[*]}: needs numpy, scipy, networkx, scikit-learn and POT (apt-get install python3-pot python3-sklearn python3-networkx)"
command -v go >/dev/null || fail "Go is missing"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 BLIS_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && go build -o "$work/ogdl" ./experiments)
"$python" "$root/scripts/compare_with_released.py" -ogdl "$work/ogdl" -work "$work" -root "$root" "$@"

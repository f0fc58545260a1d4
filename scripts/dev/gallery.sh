#!/usr/bin/env bash
# Draws the pictures of docs/gallery/README.md anew, a minute: scripts/dev/gallery.sh [-data DIR]
#
# All but one come from the configurations in docs/gallery, on simulated data; that of MUTAG's atoms is left as it is where DIR ($OGDL_DATA, else data)
# has no MUTAG. Figures of durations differ from run to run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=${OGDL_DATA:-data}
[ "${1:-}" != -data ] || data=${2:?"-data wants a folder"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/experiments" ./experiments
for config in docs/gallery/*.toml; do
  "$work/experiments" -config "$config" -out "$work/out" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
done
cp "$work"/out/*/figures/*.svg "$work"/out/*/timings/figures/*.svg docs/gallery/
if [ -d "$data/MUTAG" ]; then
  "$work/experiments" -config figure_atoms -filter dataset=MUTAG -data "$data" -out "$work/out" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  "$work/experiments" report -config figure_atoms -data "$data" -out "$work/out" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  cp "$work/out/figure_atoms/figures/atoms-mutag.svg" docs/gallery/
fi
ls docs/gallery/*.svg

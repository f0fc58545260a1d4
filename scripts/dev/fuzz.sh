#!/usr/bin/env bash
# Runs every fuzz target of the module, each for an equal share of a total time, and says how
# many inputs each has run. `scripts/dev/fuzz.sh [-total TIME] [-only REGEXP] [-fresh] [PACKAGE...]`
# from anywhere, with a total as in 90s, 10m or 8h (default 60s; building comes on top), targets whose
# names match, and packages as `go list` takes them (default: all).
#
# Ends with status 1 if an input fails, after the other targets have had their time, and says where
# the engine left the input: under the package's testdata/fuzz, where `go test` runs it from then on.
# What the engine finds on its way stays in Go's build cache, so a later run goes on from there;
# -fresh begins with the committed seeds alone, since a short run would spend its time on going
# through what was found before.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
total=60s only=. fresh=
while [ $# -gt 0 ]; do
  case $1 in
    -total) total=${2:-} ;;
    -only) only=${2:-} ;;
    -fresh) fresh=1 && shift && continue ;;
    -*) echo "fuzz: unknown option $1" >&2; exit 2 ;;
    *) break ;;
  esac
  [ $# -ge 2 ] || { echo "fuzz: $1 wants a value" >&2; exit 2; }
  shift 2
done
[ $# -gt 0 ] || set -- ./...
[[ $total =~ ^([0-9]{1,6})([smh])$ ]] || { echo "fuzz: -total $total: want a time as in 90s, 10m or 8h" >&2; exit 2; }
unit=1
case ${BASH_REMATCH[2]} in m) unit=60 ;; h) unit=3600 ;; esac
milliseconds=$((10#${BASH_REMATCH[1]} * unit * 1000))
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
log=$work/log
cache=()
[ -z "$fresh" ] || cache=(-args "-test.fuzzcachedir=$work/cache")

targets=()
packages=$(go list "$@") || exit 2
for package in $packages; do
  names=$(go test -list '^Fuzz' "$package") || { echo "$names" >&2; exit 2; }
  for name in $(grep '^Fuzz' <<<"$names" | grep -E -- "$only"); do targets+=("$package $name"); done
done
[ ${#targets[@]} -gt 0 ] || { echo "fuzz: no targets" >&2; exit 2; }
share=$((milliseconds / ${#targets[@]}))
[ "$share" -gt 0 ] || { echo "fuzz: -total $total is no time for ${#targets[@]} targets" >&2; exit 2; }

# run PACKAGE TARGET: one target for its share. Inputs that only find new code are not minimised:
# that takes up to a minute each, and the engine then reports its own deadline as a failure. Such
# a report ("context deadline exceeded", no failing input) says nothing: it is tried once more.
run() {
  local try
  for try in 1 2; do
    go test -run '^$' -fuzz "^$2\$" -fuzztime "${share}ms" -fuzzminimizetime 1x "$1" ${cache[@]+"${cache[@]}"} >"$log" 2>&1 && return 0
    grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log" || return 1
  done
  return 1
}

sum=0
failed=()
for target in "${targets[@]}"; do
  read -r package name <<<"$target"
  run "$package" "$name" && good=1 || good=0
  count=$(sed -n 's/.*execs: \([0-9][0-9]*\).*/\1/p' "$log" | tail -n 1)
  sum=$((sum + ${count:-0}))
  printf '%12d  %s %s\n' "${count:-0}" "$package" "$name"
  [ "$good" = 1 ] && continue
  failed+=("$target")
  cat "$log"
  input=$(sed -n 's/.*Failing input written to \(.*\)$/\1/p' "$log" | head -n 1)
  [ -z "$input" ] || printf 'fuzz: the input that fails %s: %s/%s\n' "$name" "$(go list -f '{{.Dir}}' "$package")" "$input"
done
printf '%12d  executions of %d targets, %d.%03d s each\n' "$sum" "${#targets[@]}" $((share / 1000)) $((share % 1000))
for target in ${failed[@]+"${failed[@]}"}; do echo "fuzz: failed: $target" >&2; done
[ ${#failed[@]} = 0 ]

#!/usr/bin/env bash
# Runs the steps of the nightly workflow on one machine.
#
#   scripts/nightly.sh [option...] [fetch|grids|merge|scores|compare|kills|fuzz|tests|bench|all]...
#
#   fetch   the data sets, into the -data folder
#   grids   the quick grids: every shard into a folder of its own, OUT/shard-I
#   merge   one folder from those of the shards, OUT/merged, and its tables and pages; the one of the night before is kept as OUT/before, the shards are removed
#   scores  holds the tables to scripts/dev/nightlycheck/bands.toml
#   compare names what moved since OUT/before, where there is one
#   kills   crash points, corrupt bytes, and kills at random instants
#   fuzz    every fuzz target
#   tests   tests that run in full only at night; checks that the page on the paper matches the ledger
#   bench   benchmarks against the commit before, in turns; fails if one is over 10 % slower at p < 0.01
#   all     all of these, in this order
#
#   -out DIR          results (nightly)
#   -data DIR         data sets ($OGDL_DATA, else data)
#   -from SRC         fetch from this folder or URL, not from the public host
#   -configs NAMES    configurations, by commas (clustering-quick,clustering_enzymes-quick,clustering_gw_kmeans-quick,mutag-check,rivals,smoke)
#   -shards N         parts of each grid (4)
#   -shard I          only this part, 0 to N-1; for machines that share the work
#   -workers N        cells side by side (all cores)
#   -kills N          kills of the program (1000)
#   -fuzz-time TIME   of all targets together (2h)
#   -base COMMIT      what benchmarks are compared with (HEAD~1)
#   -packages LIST    whose benchmarks, by commas (all that have some)
#   -bench REGEXP     which benchmarks (all)
#   -rounds N         runs of each side, at least 5 (10)
#   -bench-time TIME  of one run of one benchmark, as go test -benchtime takes it (100ms)
#
# Needs Go and git, for fetch the network. Exit code: 0 all is well, 1 a step found something or failed,
# 2 wrong command line.
set -uo pipefail
here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
root=$PWD
# Benchmarks read data there on both sides.
if [ -z "${OGDL_SHARED:-}" ] && [ -d "$root/../shared" ]; then
  OGDL_SHARED=$(cd "$root/../shared" && pwd)
  export OGDL_SHARED
fi

wrong() { printf 'nightly: %s\n' "$*" >&2; exit 2; }

out=nightly data=${OGDL_DATA:-data} from='' configs=clustering-quick,clustering_enzymes-quick,clustering_gw_kmeans-quick,mutag-check,rivals,smoke
shards=4 shard='' workers='' kills=1000 fuzz_time=2h base=HEAD~1 packages='' benchmarks=. rounds=10 bench_time=100ms
steps=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | -help | --help) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' scripts/nightly.sh; exit 0 ;;
    fetch | grids | merge | scores | compare | kills | fuzz | tests | bench) steps+=("$1"); shift; continue ;;
    all) steps+=(fetch grids merge scores compare kills fuzz tests bench); shift; continue ;;
    -*) [ $# -ge 2 ] || wrong "$1 needs a value, or is no option" ;;
    *) wrong "$1: no such step" ;;
  esac
  case $1 in
    -out) out=$2 ;;
    -data) data=$2 ;;
    -from) from=$2 ;;
    -configs) configs=$2 ;;
    -shards) shards=$2 ;;
    -shard) shard=$2 ;;
    -workers) workers=$2 ;;
    -kills) kills=$2 ;;
    -fuzz-time) fuzz_time=$2 ;;
    -base) base=$2 ;;
    -packages) packages=$2 ;;
    -bench) benchmarks=$2 ;;
    -rounds) rounds=$2 ;;
    -bench-time) bench_time=$2 ;;
    *) wrong "unknown option $1" ;;
  esac
  shift 2
done
[ ${#steps[@]} -gt 0 ] || wrong "which step? One or more of fetch, grids, merge, scores, compare, kills, fuzz, tests, bench, or all"
for number in "$shards" "${workers:-1}" "$kills" "$rounds"; do
  [[ $number =~ ^[1-9][0-9]{0,4}$ ]] || wrong "$number: want a whole number above 0"
done
[ -z "$shard" ] || { [[ $shard =~ ^[0-9]+$ ]] && [ "$shard" -lt "$shards" ]; } || wrong "-shard $shard: want 0 to $((shards - 1))"
[ "$rounds" -ge 5 ] || wrong "-rounds $rounds: fewer than 5 runs of each side say nothing at p < 0.01"
# Folders are meant as the caller sees them.
[[ $out = /* ]] || out=$here/$out
[[ $data = /* ]] || data=$here/$data
[ -z "$from" ] || [ ! -d "$here/$from" ] || from=$here/$from
IFS=, read -r -a configs <<<"$configs"
mkdir -p "$out" && work=$(mktemp -d) || exit 2
clean() {
  git worktree remove --force "$work/base" >/dev/null 2>&1
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# sets NAME: the data sets that a configuration names, in the fetch script's words; the drawn ones need no fetching.
sets() {
  experiments list -config "$1.toml" -out "$work/none" 2>/dev/null | grep -oE '\b(IMDB-[BM]|MUTAG|PTC-MR|BZR|COX2|ENZYMES|PROTEIN)\b' | sort -u
}

# experiments ARGUMENT...: the program, built once.
experiments() {
  [ -x "$work/experiments" ] || go build -o "$work/experiments" ./experiments || return 1
  "$work/experiments" "$@"
}

# judge ARGUMENT...: nightlycheck, built once.
judge() {
  [ -x "$work/nightlycheck" ] || go build -o "$work/nightlycheck" ./scripts/dev/nightlycheck || return 1
  "$work/nightlycheck" "$@"
}

fetch() {
  local config names
  names=$(for config in "${configs[@]}"; do sets "$config"; done | sort -u)
  [ -n "$names" ] || { echo "nothing to fetch"; return 0; }
  # shellcheck disable=SC2086 # names of data sets, one word each
  scripts/fetch_tudatasets.sh -data "$data" ${from:+--from "$from"} $names
}

grids() {
  local config i first=0 last=$((shards - 1)) status=0
  [ -z "$shard" ] || first=$shard last=$shard
  for config in "${configs[@]}"; do
    for ((i = first; i <= last; i++)); do
      experiments -config "$config.toml" -data "$data" -out "$out/shard-$i" -shard "$i/$shards" -verify \
        ${workers:+-workers "$workers"} || status=1
    done
  done
  return $status
}

# Folders merge by copying: a file of the store is named by its content, or by the cell it is the record of. The shards go at the end,
# so that the next night computes its own.
merge() {
  local folder config found='' new=$out/merging
  rm -rf "$new" && mkdir -p "$new" || return 1
  for folder in "$out"/shard-*/; do
    [ -d "$folder/store" ] || continue
    cp -R "$folder/store" "$new/" || return 1
    found=1
  done
  [ -n "$found" ] || { echo "no shards in $out"; return 1; }
  for config in "${configs[@]}"; do
    experiments report -config "$config.toml" -data "$data" -out "$new" >"$out/$config.txt" || { cat "$out/$config.txt"; return 1; }
    echo "$config: $(experiments list -config "$config.toml" -out "$new" -verify 2>/dev/null | tail -n 1)"
  done
  if [ -d "$out/merged" ]; then
    rm -rf "$out/before" && mv "$out/merged" "$out/before" || return 1
  fi
  mv "$new" "$out/merged" && rm -rf "$out"/shard-*/
}

scores() {
  local config table status=0
  for config in "${configs[@]}"; do
    # The first table is named after its kind, as in clustering_enzymes-quick; the others start with that.
    for table in clustering_enzymes clustering_gw_kmeans clustering; do
      [ ! -f "$out/merged/$config/$table.csv" ] || break
    done
    judge -config "$config" "$out/merged/$config/$table.csv" || status=1
  done
  return $status
}

compare() {
  [ -d "$out/before/store" ] || { echo "$out/before: no night before, nothing to compare with"; return 0; }
  experiments compare "$out/before" "$out/merged"
}

kills() { scripts/dev/kills.sh -kills "$kills"; }
fuzz() { scripts/dev/fuzz.sh -total "$fuzz_time"; }

tests() {
  # Whole rows are computed on what was fetched; without it on ../shared, or not at all.
  [ ! -d "$data/MUTAG" ] || export OGDL_DATA=$data
  go test -count 1 -timeout 2h -v -run 'TestTheSameBytes|TestWholeRows' ./experiments -full | grep -vE '^=== ' &&
    go test -count 1 -timeout 2h -v -run 'TestLedgerIsReproduced' ./experiments -recompute | grep -vE '^=== ' &&
    go test -count 1 -v -run 'TestRaceOnLedger' ./experiments/internal/run -full | grep -vE '^=== ' &&
    go test -count 1 -timeout 2h -v -run 'TestMUTAG' ./eval/nested -full | grep -vE '^=== ' &&
    published
}

# published makes the page on the paper of the committed ledger, which must come out as it is committed, with its tables and figures.
published() {
  rm -rf "$work/docs" && cp -R docs "$work/" && experiments version &&
    (cd "$work" && ./experiments verdicts -out none -data none) >"$work/published.txt" 2>&1 || { cat "$work/published.txt"; return 1; }
  diff -r docs "$work/docs"
}

# compiled FOLDER PACKAGE FILE: the test binary of a package of the tree in FOLDER.
compiled() { (cd "$1" && go test -c -o "$3" "./$2"); }

bench() {
  local package before after round name status=0 files=() list
  git worktree prune
  git worktree add --quiet --detach "$work/base" "$base" || return 1
  echo "$(git log -1 --format='%h %s' "$base") (before)"
  echo "$(git log -1 --format='%h %s')$(git diff --quiet HEAD || echo ', with changes') (after)"
  if [ -n "$packages" ]; then
    list=${packages//,/ }
  else
    list=$(grep -rl --include='*_test.go' '^func Benchmark' . | sed 's|^\./||; s|/[^/]*$||' | sort -u)
  fi
  mkdir -p "$out/bench"
  for package in $list; do
    name=${package//\//_} before=$work/$name.before after=$work/$name.after
    compiled "$root" "$package" "$after" || { echo "$package does not build"; status=1; continue; }
    # What was not there has nothing to be compared with.
    if [ ! -d "$work/base/$package" ] || ! compiled "$work/base" "$package" "$before" || [ ! -x "$before" ]; then
      echo "$package: not to be compared"
      continue
    fi
    : >"$out/bench/$name.before.txt"
    : >"$out/bench/$name.after.txt"
    for ((round = 0; round < rounds; round++)); do
      # In turns, so that what else the machine does falls on both; each goes first as often.
      for side in $([ $((round % 2)) = 0 ] && echo before after || echo after before); do
        local folder=$root/$package
        [ "$side" = after ] || folder=$work/base/$package
        (cd "$folder" && "$work/$name.$side" -test.run '^$' -test.bench "$benchmarks" -test.benchtime "$bench_time") \
          >>"$out/bench/$name.$side.txt" 2>"$work/err" || { cat "$work/err"; echo "$package: $side fails"; status=1; break 2; }
      done
    done
    grep -q '^Benchmark' "$out/bench/$name.after.txt" || { echo "$package: no benchmark matches"; continue; }
    go tool -modfile=tools/go.mod benchstat -alpha 0.01 -format csv "before=$out/bench/$name.before.txt" "after=$out/bench/$name.after.txt" \
      >"$out/bench/$name.csv" 2>"$work/err" || { cat "$work/err"; status=1; continue; }
    files+=("$out/bench/$name.csv")
  done
  [ ${#files[@]} -gt 0 ] || { echo "nothing was compared"; return 1; }
  awk -f scripts/dev/slower.awk "${files[@]}" || status=1
  return $status
}

failed=()
for step in "${steps[@]}"; do
  printf '\n=== %s\n' "$step"
  begin=$SECONDS
  if "$step"; then
    printf -- '--- ok: %s (%d s)\n' "$step" $((SECONDS - begin))
  else
    printf -- '--- FAILED: %s (%d s)\n' "$step" $((SECONDS - begin))
    failed+=("$step")
  fi
done
printf '\n%d steps, %d failed%s\n' ${#steps[@]} ${#failed[@]} "${failed[*]:+: ${failed[*]}}"
[ ${#failed[@]} = 0 ]

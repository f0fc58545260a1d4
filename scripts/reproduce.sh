#!/usr/bin/env bash
# Runs the paper's grids in pieces of at most an hour, those first that give the most printed numbers per hour, and adds what is finished to
# the ledger after each piece.
#
#   scripts/reproduce.sh [option...]
#
#   -out DIR       the store (results)
#   -data DIR      data sets ($OGDL_DATA, else data)
#   -ledger DIR    the ledger (docs/reproduction/ledger)
#   -workers N     cells side by side (1)
#   -piece TIME    of one piece, as timeout takes it (55m)
#   -pieces N      stop after so many (no limit)
#   -steps FILE    other steps than those below: a line for each, a configuration and, behind a blank, a filter
#   -only REGEXP   steps whose line matches
#   -commit        commit the ledger after each piece in which it has changed
#   -report        at the end write docs/reproduction.md, or reproduction.md two folders above the ledger
#
# It runs at nice 19, and may be stopped or killed at any time: the same command goes on. Runtimes are not among the steps, since they are measured
# alone: -config runtimes. Needs Go, git and coreutils. Exit code: 0 all steps are done or the pieces are over, 1 some cells failed or did not end, 2 wrong
# command line, 130 stopped.
set -uo pipefail
here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
root=$PWD

steps() {
  cat <<'STEPS'
datasets
figure_atoms
figure_simplex
figure_interpolation
figure_distances
clustering_enzymes-quick
clustering_gw_kmeans-quick
clustering-quick
clustering method=GW-k,SC dataset=IMDB-B,IMDB-M,MUTAG,PTC-MR
clustering method=GW-k,SC dataset=BZR,COX2
clustering method=GDL dataset=IMDB-B,IMDB-M,MUTAG,PTC-MR repetition=0
clustering method=GDL dataset=IMDB-B,IMDB-M,MUTAG,PTC-MR
classification-quick
classification method=RWK,WLK,HOPPERK,PROPAK dataset!=PROTEIN
classification method=GK,SPK,S-GWK dataset=MUTAG,PTC-MR,BZR,COX2
classification dataset=MUTAG
classification method=FGWK dataset=IMDB-B,IMDB-M,BZR,COX2
clustering method=GW-k,SC
clustering_gw_kmeans
clustering method=GDL dataset=BZR,COX2 repetition=0
clustering method=GDL dataset=BZR,COX2
classification_gin
classification_alpha_choices
classification_gin_choices
classification_pscn_choices
classification_gwf_choices
figure_weights
figure_sweeps
figure_online
clustering_choices
clustering_attributes_choices
clustering_enzymes_choices
clustering_batches
clustering_batches_text
clustering_enzymes_batches
clustering_paths_choices
clustering_rivals_choices
clustering_gw_kmeans_choices
clustering_released
clustering method=GWF-r,GWF-f dataset=IMDB-B,IMDB-M
clustering method=GDL dataset=ENZYMES lambda=0
clustering_enzymes lambda=0
clustering method=GWF-r,GWF-f dataset=BZR,COX2 atoms_per_class=2 gamma=0.1 alpha=0.000001,0.0000138,0.0001904,0.002627,0.03624,0.96376,0.997373,0.9998096,0.9999862,0.999999
clustering method=GWF-r,GWF-f dataset=ENZYMES,PROTEIN atoms_per_class=2 gamma=0.1 alpha=0.000001,0.0001904,0.96376,0.9998096,0.999999
classification method=GK,SPK dataset=IMDB-B
classification method=GDL-w,GDL-g,FGWK dataset=BZR
clustering method=GWF-r,GWF-f dataset=MUTAG
classification method=GDL-g dataset=PTC-MR
classification method=HOPPERK dataset=PROTEIN
classification method=FGWK dataset=COX2
classification method=SPK,GDL-w dataset=PTC-MR
classification method=S-GWK dataset=IMDB-B,ENZYMES
clustering_enzymes
clustering method=GWF-r,GWF-f dataset=PTC-MR
clustering method=GDL dataset=ENZYMES
clustering method=GDL dataset=PROTEIN lambda=0
clustering method=GDL dataset=PROTEIN
classification method=GDL-w,GDL-g,FGWK dataset=PTC-MR,COX2,IMDB-B
classification dataset!=PROTEIN
classification
clustering
STEPS
}

wrong() { printf 'reproduce: %s\n' "$*" >&2; exit 2; }

out=results data=${OGDL_DATA:-data} ledger=$root/docs/reproduction/ledger workers=1 piece=55m pieces='' list='' only=. commit='' report=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | -help | --help) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' scripts/reproduce.sh; exit 0 ;;
    -commit) commit=1; shift; continue ;;
    -report) report=1; shift; continue ;;
    -out | -data | -ledger | -workers | -piece | -pieces | -steps | -only) [ $# -ge 2 ] || wrong "$1 needs a value" ;;
    *) wrong "$1: no such option" ;;
  esac
  case $1 in
    -out) out=$2 ;;
    -data) data=$2 ;;
    -ledger) ledger=$2 ;;
    -workers) workers=$2 ;;
    -piece) piece=$2 ;;
    -pieces) pieces=$2 ;;
    -steps) list=$2 ;;
    -only) only=$2 ;;
  esac
  shift 2
done
for number in "$workers" "${pieces:-1}"; do
  [[ $number =~ ^[1-9][0-9]{0,5}$ ]] || wrong "$number: want a whole number above 0"
done
[[ $piece =~ ^[1-9][0-9]{0,5}[smh]?$ ]] || wrong "-piece $piece: want a time as in 55m"
absolute() { case $1 in /*) printf '%s\n' "$1" ;; *) printf '%s\n' "$here/$1" ;; esac; }
out=$(absolute "$out") data=$(absolute "$data") ledger=$(absolute "$ledger")
[ -z "$list" ] || list=$(absolute "$list")
[ -z "$list" ] || [ -r "$list" ] || wrong "-steps $list: no file that can be read"
todo=$({ if [ -n "$list" ]; then cat "$list"; else steps; fi; } | grep -E -e "$only") ||
  case $? in 1) wrong "-only $only: no step matches" ;; *) wrong "-only $only: no regular expression" ;; esac
mkdir -p "$out" || exit 1

# One build for all pieces, named by its commit; the next start builds anew.
program=$out/.reproduce
go build -buildvcs=auto -o "$program" ./experiments || exit 1
"$program" version

child=
stop() {
  trap '' INT TERM
  if [ -n "$child" ]; then
    kill -INT "$child" 2>/dev/null
    wait "$child"
    grep -a '^ledger:' "$out/.reproduce.log"
    keep "$step"
  fi
  echo "reproduce: stopped; the same command goes on"
  exit 130
}
trap stop INT TERM

# keep commits the ledger, and nothing else.
keep() {
  [ -n "$commit" ] && [ -d "$ledger" ] || return 0
  git -C "$ledger" add -A . && { git -C "$ledger" diff --cached --quiet -- . || git -C "$ledger" commit -q -m "docs: the ledger after $1" -- .; }
}

n=0 failed=''
while IFS= read -r step; do
  config=${step%% *} filter=
  [ "$config" = "$step" ] || filter=${step#* }
  idle=0
  while :; do
    [ -z "$pieces" ] || [ "$n" -lt "$pieces" ] || break 2
    n=$((n + 1))
    printf '=== %s piece %d: %s\n' "$(date -u +%FT%TZ)" "$n" "$step"
    timeout --foreground -s INT -k 10m "$piece" nice -n 19 "$program" run -config "$config" ${filter:+-filter "$filter"} -out "$out" -data "$data" \
      -ledger "$ledger" -workers "$workers" </dev/null >"$out/.reproduce.log" 2>&1 &
    child=$!
    wait "$child"
    code=$?
    child=
    grep -aE '^(ledger:|[0-9]+ cells?:|to confirm|computed|interrupted|skipped)' "$out/.reproduce.log"
    sed -n '/^ogdl:/,$p' "$out/.reproduce.log"
    keep "$step" || { echo "reproduce: the ledger could not be committed"; exit 1; }
    case $code in
      0) break ;;
      3) failed=1; break ;; # some cells failed
      124 | 137) # the piece is over
        # A matrix of distances may take a piece; a cell that takes longer than one would never end.
        if grep -aq '^ledger: [1-9][0-9]* cells\{0,1\} added' "$out/.reproduce.log"; then idle=0; else idle=$((idle + 1)); fi
        [ "$idle" -lt 3 ] || { echo "reproduce: $step: no cell has ended in three pieces: left as it is; a longer -piece goes on"; failed=1; break; } ;;
      130) stop ;;
      *) echo "reproduce: $step: exit code $code"; exit 1 ;;
    esac
  done
done <<<"$todo"
if [ -n "$report" ]; then
  "$program" verdicts -docs "$(dirname "$(dirname "$ledger")")" -out "$out" -data "$data" -ledger "$ledger" || exit 1
fi
[ -z "$failed" ] # is the exit code

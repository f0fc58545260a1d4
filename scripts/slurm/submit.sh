#!/usr/bin/env bash
# Computes a grid on a Slurm cluster: submits job arrays until no cell is missing, then writes the tables.
#
#   scripts/slurm/submit.sh -config NAME [option...] [-- SBATCH-OPTION...]
#
#   -config NAME     configuration: a path, or a name the program knows
#   -out DIR         result folder, on a file system that all nodes share (results)
#   -data DIR        data sets, likewise ($OGDL_DATA, else data)
#   -filter TERMS    only the cells that match
#   -binary FILE     the program (built into DIR/slurm if not given)
#   -time MINUTES    time limit of a task (60); must exceed the time that one cell may take
#   -cpus N          cores of a task, each computes a cell (2)
#   -parallel N      tasks that run at a time (16)
#   -tasks N         tasks of an array (sized by plan if not given; needed where plan knows no times)
#   -poll SECONDS    how often to look (30)
#   -once            submit one array and end, without waiting
#   -dry-run         print what would be submitted
#
# What is missing is read from the result folder alone; the scheduler is asked only whether it is
# worth looking again. Run it as often as you like, after anything that went wrong. What follows
# -- goes to sbatch (partition, account, memory). Two minutes before the time limit a task gets a
# TERM and ends cleanly. Logs of tasks are in DIR/slurm.
#
# Exit code: 0 everything is there, 1 error, 3 some cells failed, 4 cells are missing that three
# arrays in succession did not bring (with -once: 0 if the array was submitted, or nothing is missing).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"

limit=60 cpus=2 parallel=16 tasks='' poll=30 once='' dry='' extra=()
readonly most=1000 # Slurm's default MaxArraySize is 1001

while [ $# -gt 0 ]; do
  case $1 in
    -h | -help | --help) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    -once) once=1; shift; continue ;;
    -dry-run) dry=1; shift; continue ;;
    --) shift; extra=("$@"); break ;;
  esac
  [ $# -ge 2 ] || fail "$1 needs a value, or is no option"
  case $1 in
    -time | -cpus | -parallel | -tasks | -poll)
      [[ $2 =~ ^[1-9][0-9]{0,5}$ ]] || fail "$1 $2: must be a whole number above 0" ;;
  esac
  case $1 in
    -time) limit=$2 ;;
    -cpus) cpus=$2 ;;
    -parallel) parallel=$2 ;;
    -tasks) tasks=$2 ;;
    -poll) poll=$2 ;;
    *) common_option "$1" "$2" || fail "unknown option $1" ;;
  esac
  shift 2
done
# The signal may come up to a minute late, and the program takes up to 2 s to end.
[ "$limit" -ge 5 ] || fail "-time $limit: must be at least 5 minutes, for the signal before the limit"
[ -z "$tasks" ] || [ "$tasks" -le $most ] || fail "-tasks $tasks: must be at most $most"
prepare

say() { printf '%s %s\n' "$(date -u +%T)" "$*" >&2; }

# sized: the number of shards that each should take half the time limit, by the times that plan has measured; at least as many as may run
# at a time. Where nothing was measured nobody knows: -tasks says.
sized() {
  local n
  n=$("$binary" plan "${of_grid[@]}" -json -limit "$((limit / 2))m" -workers "$cpus" 2>/dev/null |
    sed -n 's/^ *"shards_for_limit": *\([0-9]*\).*/\1/p')
  [ "${n:-0}" -gt 0 ] || return 1
  [ "$n" -ge "$parallel" ] || n=$parallel
  [ "$n" -le "$((pending + failed))" ] || n=$((pending + failed))
  [ "$n" -le $most ] || n=$most
  echo "$n"
}

# of_shards N: those of N shards that have something missing, as a list with commas.
of_shards() {
  "$binary" plan "${of_grid[@]}" -json -shards "$1" 2>/dev/null | awk '
    $1 == "\"shard\":" { i = $2 + 0; within = 1 }
    $1 == "\"pending\":" && within { if ($2 + 0 > 0) { printf "%s%d", comma, i; comma = "," } within = 0 }'
}

# submit: one array over the shards that have something missing; sets name to the job's. False if sbatch
# does not take it.
submit() {
  local job shards list command all=$cells done=$finished missing=$((pending + failed))
  shards=$tasks
  [ -n "$shards" ] || shards=$(sized) || fail "no cell like these was measured: give -tasks N, about four times -parallel"
  # A grid may have fewer cells than shards.
  list=$(of_shards "$shards") || fail "$binary plan -shards $shards does not say what is missing"
  [ -n "$list" ] || fail "$missing cells are missing, but no shard of $shards has them"
  name=ogdl-$(basename "$config" .toml)-$$-$RANDOM
  command=(sbatch --parsable --job-name="$name" --array="$list%$parallel" --cpus-per-task="$cpus" --ntasks=1
    --time="$limit" --signal=B:TERM@120 --requeue --open-mode=append --output="$out/slurm/%x-%a.log"
    ${extra[@]+"${extra[@]}"} "$here/worker.sh" "$binary" "$shards" "${of_grid[@]}" -data "$data")
  if [ -n "$dry" ]; then
    printf '%q ' "${command[@]}"
    echo
    return
  fi
  job=$("${command[@]}") || { say "sbatch refuses the array"; return 1; }
  say "$all cells: $done done, $missing missing; array $list of $shards shards: job $job"
}

# queue: whether it is worth waiting for the array: "over", "alive", "late" (every task left waits for a
# time: Slurm starts a task again two minutes after its node is lost), "held" (every task left waits for
# that, or for someone's hand), or "unknown": squeue prints nothing when it fails, too.
queue() {
  local states
  states=$(squeue --noheader --array --name="$name" --format='%T/%r' 2>/dev/null) || { echo unknown; return; }
  if [ -z "$states" ]; then
    echo over
  elif grep -qivE '^PENDING/(BeginTime|.*held.*)$' <<<"$states"; then
    echo alive
  elif grep -qi held <<<"$states"; then
    echo held
  else
    echo late
  fi
}

# await: until the array is over, or a new one would be quicker, or nothing is missing.
await() {
  local state last='' looked started=''
  while :; do
    sleep "$poll"
    state=$(queue)
    if [ "$state" = unknown ] && [ "$last" != unknown ]; then
      say "squeue fails; the array may well be running: waiting"
    fi
    last=$state
    looked=$SECONDS
    count
    [ "$pending" != 0 ] || [ "$failed" != 0 ] || break
    case $state in
      over) break ;;
      alive) started=1 ;;
      held) say "the tasks left are held"; break ;;
      # Before anything has run, the time is the user's own (sbatch --begin).
      late) [ -z "$started" ] || { say "the tasks left would start later"; break; } ;;
    esac
    # Looking through a large folder must not become the load itself.
    sleep $(((SECONDS - looked) * 10))
  done
  # What is left of it is not waited for.
  scancel --name="$name" >/dev/null 2>&1 || true
}

stalled=0 submitted=''
count -shard 0/2 # an error for a race
count
while [ "$finished" != "$cells" ]; do
  before=$finished
  if submit; then
    [ -z "$dry$once" ] || exit 0
    submitted=1
    await
  else
    # Later ones may meet a controller that is down for a while.
    [ -n "$submitted" ] || exit 1
    sleep "$poll"
  fi
  count
  if [ "$finished" -gt "$before" ]; then
    stalled=0
  else
    stalled=$((stalled + 1))
    say "the array brought no cell"
    # Cells that failed have been tried again; what crashes a task may have had bad luck.
    [ "$pending" != 0 ] || break
    [ $stalled -lt 3 ] || { say "given up after $stalled arrays without a new cell; logs: $out/slurm"; break; }
  fi
done
[ -z "$dry$once" ] || { say "nothing is missing"; exit 0; }
status=0
"$here/collect.sh" "${of_grid[@]}" -data "$data" -binary "$binary" || status=$?
exit $status

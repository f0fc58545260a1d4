#!/usr/bin/env bash
# A real Slurm on this machine computes a small grid while it is maltreated, and must end with the
# same bytes as a local run: a worker is killed, a task is told to stop as before its time limit, and a
# node crashes with its steps. Takes a minute or two.
#
#   scripts/slurm/test.sh [-keep DIR]
#
# Needs root and Debian's slurmctld, slurmd, slurm-client and munge; no systemd. Three nodes on
# loopback, everything in a temporary folder (with -keep, which must not exist, left there). What it
# starts it ends, by process id. Exit code: 0 passed, 1 failed, 2 cannot run here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

say() { printf '%s %s\n' "$(date -u +%T)" "$*"; }
fail() { say "FAILED: $*"; exit 1; }

keep=''
if [ "${1:-}" = -keep ] && [ -n "${2:-}" ] && mkdir "$2"; then keep=$(cd "$2" && pwd); elif [ $# != 0 ]; then
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
for tool in munged slurmctld slurmd sbatch squeue scontrol sinfo; do
  command -v $tool >/dev/null || { echo "$tool is missing (Debian: slurmctld slurmd slurm-client munge)"; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "slurmd needs root"; exit 2; }

R=${keep:-$(mktemp -d)}
mkdir -p "$R/run" "$R/state" "$R/spool"
chmod 755 "$R" # munge looks at who may reach its socket
export SLURM_CONF=$R/slurm.conf
host=$(hostname -s)
nodes=(n1 n2 n3)

# ended PID: ends a process, and kills it if it takes longer than 5 s.
ended() {
  local i
  kill "$1" 2>/dev/null || return 0
  for ((i = 0; i < 50; i++)); do kill -0 "$1" 2>/dev/null || return 0; sleep 0.1; done
  kill -9 "$1" 2>/dev/null || true
}

# workers [NODE]: the tasks that run now, "pid parent" of each: no other process runs this test's program
# with a node's name in its environment.
workers() {
  local d
  for d in /proc/[0-9]*; do
    [ "$d/exe" -ef "$R/experiments" ] || continue
    tr '\0' '\n' 2>/dev/null <"$d/environ" | grep -q "^SLURMD_NODENAME=${1:-n[123]}\$" || continue
    echo "${d#/proc/} $(awk '{ print $4 }' "$d/stat" 2>/dev/null)"
  done
}

# stop NAME: ends the daemon whose pid file has this name.
stop() { [ ! -s "$R/run/$1.pid" ] || ended "$(cat "$R/run/$1.pid")"; }

submitter=''
clean() {
  local status=$? pid parent node
  trap - EXIT
  [ -z "$submitter" ] || ended "$submitter"
  scancel --user "$(id -un)" >/dev/null 2>&1 || true
  while read -r pid parent; do kill -9 "$pid" "$parent" 2>/dev/null || true; done < <(workers)
  for node in "${nodes[@]}"; do stop "slurmd.$node"; done
  stop slurmctld
  stop munged
  [ $status = 0 ] || tail -n 20 "$R"/run/*.log "$R"/slurm-out/slurm/*.log 2>/dev/null || true
  [ -n "$keep" ] || rm -rf "$R"
  exit $status
}
trap clean EXIT
trap 'exit 1' INT TERM HUP

# --- Slurm ------------------------------------------------------------------------------------

cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17000
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$R/run/munge.sock
StateSaveLocation=$R/state
SlurmdSpoolDir=$R/spool/%n
SlurmctldPidFile=$R/run/slurmctld.pid
SlurmdPidFile=$R/run/slurmd.%n.pid
SlurmctldLogFile=$R/run/slurmctld.log
SlurmdLogFile=$R/run/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
SlurmdTimeout=10
MinJobAge=600
JobRequeue=1
$(for i in 1 2 3; do echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=1700$i CPUs=2 RealMemory=1000 State=UNKNOWN"; done)
PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
END

controller() { slurmctld -f "$SLURM_CONF" "$@" >>"$R/run/slurmctld.log" 2>&1 || fail "slurmctld does not start"; }
head -c 1024 /dev/urandom >"$R/munge.key"
chmod 600 "$R/munge.key"
munged --force --key-file "$R/munge.key" --socket "$R/run/munge.sock" --pid-file "$R/run/munged.pid" \
  --log-file "$R/run/munged.log" --seed-file "$R/run/munged.seed" >>"$R/run/munged.log" 2>&1 || fail "munged does not start"
controller -c
for node in "${nodes[@]}"; do
  slurmd -f "$SLURM_CONF" -N "$node" >>"$R/run/slurmd.$node.log" 2>&1 || fail "slurmd of $node does not start"
done
for ((i = 0; ; i++)); do
  [ "$(sinfo -h -N -o '%T' 2>/dev/null | grep -c '^idle')" = 3 ] && break
  [ $i -lt 100 ] || fail "the nodes do not come up: $(sinfo -N 2>&1)"
  sleep 0.2
done
say "$(slurmctld -V): $(sinfo -h -o '%D nodes %N %T')"

# --- the grid, first without Slurm --------------------------------------------------------------

# Cells of about a second each: fewer than six are done when the last node is hit.
cat >"$R/grid.toml" <<'END'
table = "clustering"
seed = 1
repetitions = 5
timeout = "5m"

[[grid]]
dataset = "D1"
sbm_graphs = 240
method = "GDL"
lambda = [0, 0.001, 0.01, 0.1]
atoms = 3
order = 6
init = "random"
step_structure = 0.01
END
(cd "$here/../.." && CGO_ENABLED=0 go build -trimpath -o "$R/experiments" ./experiments) || fail "the program does not build"
experiments=$R/experiments
begin=$SECONDS
"$experiments" -config "$R/grid.toml" -out "$R/local" >"$R/local.log" 2>&1 || { cat "$R/local.log"; fail "the local run"; }
say "local run: $(grep '^computed' "$R/local.log") ($((SECONDS - begin)) s)"

# --- the same through Slurm -------------------------------------------------------------------

done_cells() { find "$R/slurm-out/store" -name '*.timing.json' 2>/dev/null | wc -l; }
# reach N: waits until N cells are done.
reach() {
  local deadline=$((SECONDS + 90))
  until [ "$(done_cells)" -ge "$1" ]; do
    kill -0 "$submitter" 2>/dev/null || fail "submit.sh ended before $1 cells were done"
    [ $SECONDS -lt $deadline ] || fail "$1 cells are not done after 90 s"
    sleep 0.1
  done
}
# victim [NODE]: sets pid, parent (its step) and task (of the array) to a task's that runs now, waiting for one.
victim() {
  local deadline=$((SECONDS + 60)) variables
  while :; do
    kill -0 "$submitter" 2>/dev/null || fail "submit.sh ended, and no task was left to maltreat"
    [ $SECONDS -lt $deadline ] || fail "no task runs on ${1:-any node}"
    read -r pid parent < <(workers "$@") || { sleep 0.1; continue; }
    variables=$(tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ") || continue
    task=$(sed -n 's/^SLURM_ARRAY_JOB_ID=//p' <<<"$variables")_$(sed -n 's/^SLURM_ARRAY_TASK_ID=//p' <<<"$variables")
    return
  done
}

begin=$SECONDS
"$here/submit.sh" -config "$R/grid.toml" -out "$R/slurm-out" -binary "$experiments" \
  -time 5 -cpus 1 -parallel 6 -tasks 8 -poll 1 >"$R/submit.log" 2>&1 &
submitter=$!

reach 2
# A task may end before the blow.
until victim n1 && kill -9 "$pid" 2>/dev/null; do :; done
say "kill -9 of the worker $pid (array task $task) on n1; $(done_cells) cells done"

# A task that is about to finish takes no notice.
until grep -qs '^interrupted' "$R"/slurm-out/slurm/*.log; do
  victim
  say "TERM to array task $task, as before its time limit; $(done_cells) cells done"
  # It waits for the task, for seconds in which the others may finish, and then finds it gone: its exit
  # code says nothing.
  scancel --batch --signal=TERM "$task" >/dev/null 2>&1 &
  for ((i = 0; i < 25; i++)); do
    grep -qs '^interrupted' "$R"/slurm-out/slurm/*.log && break
    sleep 0.1
  done
done

victim n2
say "n2 crashes: slurmd $(cat "$R/run/slurmd.n2.pid"), its steps and workers are killed (array task $task among them); $(done_cells) cells done"
kill -9 "$(cat "$R/run/slurmd.n2.pid")"
rm -f "$R/run/slurmd.n2.pid"
while read -r pid parent; do kill -9 "$parent" "$pid" 2>/dev/null || true; done < <(workers n2)

code=0
deadline=$((SECONDS + 150))
while kill -0 "$submitter" 2>/dev/null; do
  [ $SECONDS -lt $deadline ] || { cat "$R/submit.log"; fail "submit.sh is not done"; }
  sleep 0.2
done
wait "$submitter" || code=$?
submitter=''
grep -E '^[0-9:]{8} |^[0-9]+ cells:' "$R/submit.log"
[ $code = 0 ] || fail "submit.sh ended with $code"
say "done through Slurm in $((SECONDS - begin)) s"

# --- what must hold ---------------------------------------------------------------------------

cat "$R"/slurm-out/slurm/*.log | sed -n -E 's/^(20.*Z: shard .*|shard .*|interrupted: [0-9]+ cells).*/  \1/p'
[ "$(grep -c ': job ' "$R/submit.log")" -ge 2 ] || fail "nothing had to be submitted again: the test tested nothing"
grep -q interrupted "$R"/slurm-out/slurm/*.log || fail "no task said that it was interrupted"
files=$(cd "$R/local" && find . -type f ! -name '*.timing.json' ! -name lock ! -path '*/timings/*' | sort)
[ "$files" = "$(cd "$R/slurm-out" && find . -type f ! -name '*.timing.json' ! -name lock ! -path '*/timings/*' ! -path './slurm/*' | sort)" ] ||
  fail "not the same files as of the local run: $(diff -rq "$R/local" "$R/slurm-out" | grep '^Only')"
for file in $files; do cmp "$R/local/$file" "$R/slurm-out/$file" || fail "$file differs from the local run's"; done
say "passed: $(wc -w <<<"$files") files (records, arrays, tables) are byte for byte those of the local run"

#!/usr/bin/env bash
# One task of the array that submit.sh submits: computes what is missing of one shard.
#
#   worker.sh PROGRAM SHARDS FLAG...
#
# The program takes the place of this shell (exec), so that every signal of Slurm reaches it: on
# TERM it ends within 2 s with exit code 130, and what it has finished is kept. A task that starts
# again, here or on another node, goes on from the result folder; two at once do no harm.
set -euo pipefail
program=$1 shards=$2
shift 2
cpus=${SLURM_CPUS_PER_TASK:-1}
export GOMAXPROCS=$cpus
printf '%s: shard %s/%s on %s, %s workers, attempt %s\n' "$(date -u +%FT%TZ)" "$SLURM_ARRAY_TASK_ID" "$shards" \
  "${SLURMD_NODENAME:-$HOSTNAME}" "$cpus" "$((${SLURM_RESTART_COUNT:-0} + 1))" >&2
exec "$program" run "$@" -shard "$SLURM_ARRAY_TASK_ID/$shards" -workers "$cpus"

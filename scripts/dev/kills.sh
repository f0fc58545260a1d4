#!/usr/bin/env bash
# Maltreats the store and the program, and prints what was tried: crash points at every step of
# writing, every byte of stored files, full disks, processes side by side, kills at random instants.
#
#   scripts/dev/kills.sh [-kills N]     N kills of the program (default 100)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
kills=100
if [ "${1:-}" = -kills ] && [[ ${2:-} =~ ^[1-9][0-9]{0,5}$ ]]; then
  kills=$2
elif [ $# != 0 ]; then
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

# counted PACKAGE TESTS FLAG...: these tests, which say how much they tried; all they say if one fails.
counted() {
  local package=$1 tests=$2
  shift 2
  # Beyond a thousand kills the default limit of ten minutes is short.
  go test -count 1 -v -timeout 6h -run "$tests" "$package" "$@" >"$log" 2>&1 || { cat "$log"; return 1; }
  grep -E 'kills of|crash points|cuts, all found|computed again|^--- SKIP' "$log"
}

counted ./internal/record 'TestCrashPoints|TestEveryByteIsGuarded' &&
  counted ./reports 'TestCrashPoints' &&
  counted ./experiments 'TestCorrupt|TestDiskFull|TestReadOnly|TestFileLimit|TestEightProcesses|TestKilled$|TestFitKilled' -kills "$kills"

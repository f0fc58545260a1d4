#!/usr/bin/env bash
# Runs the program built for arm64 under QEMU on small grids of every method and on a part of
# smoke.toml, and compares its tables and records with this processor's: numbers to 1e-9,
# clusterings and counts exactly. `bash scripts/dev/check_arm64.sh` from anywhere; a minute or two.
# Status 0 and a line that begins with "skipped:" where there is no QEMU (Debian: qemu-user-static).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [ "$(go env GOARCH)" = arm64 ]; then
  echo "skipped: this is arm64; run it on amd64"
  exit 0
fi
if ! command -v qemu-aarch64-static >/dev/null && ! command -v qemu-aarch64 >/dev/null; then
  echo "skipped: no qemu-aarch64-static (Debian: qemu-user-static)"
  exit 0
fi
go test ./experiments -run '^TestNumbersOfArm64$' -arm64 -v -timeout 30m

#!/usr/bin/env bash
# Builds and vets all packages, tests included, for other systems and processors than this one.
# `bash scripts/dev/check_cross.sh [GOOS/GOARCH...]` from anywhere; no C compiler is needed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ $# -gt 0 ] || set -- linux/arm64 darwin/arm64 windows/amd64

export CGO_ENABLED=0
status=0
for target in "$@"; do
  if GOOS=${target%/*} GOARCH=${target#*/} go vet ./...; then
    echo "$target: builds"
  else
    echo "$target: does not build" >&2
    status=1
  fi
done
exit $status

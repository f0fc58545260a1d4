#!/usr/bin/env bash
# Writes THIRD_PARTY.txt: the licences of Go and of every module that is built into the program.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
{
  echo "The program contains code of these projects, under these licences."
  printf '\n=== Go standard library\n\n'
  cat "$(go env GOROOT)/LICENSE"
  go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./experiments | LC_ALL=C sort -u |
    while read -r path version dir; do
      printf '\n=== %s %s\n' "$path" "$version"
      for file in "$dir"/LICEN[CS]E* "$dir"/UNLICENSE* "$dir"/COPYING* "$dir"/NOTICE* "$dir"/licenses/*; do
        [ ! -f "$file" ] || { echo; cat "$file"; }
      done
    done
} >THIRD_PARTY.txt

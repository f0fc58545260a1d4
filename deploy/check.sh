#!/usr/bin/env bash
# Builds the program exactly as the recipe of the image does and runs it as the image would: alone in
# an empty folder as its root, as a user without rights or name. Needs Linux, Go and root (chroot); no
# engine for containers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

recipe=deploy/Containerfile
build=$(sed -n 's/^RUN \(CGO_ENABLED=0 go build .*\)/\1/p' $recipe)
target=$(sed -n 's/^RUN CGO_ENABLED=0 go build .* -o \([^ ]*\) .*/\1/p' $recipe)
user=$(sed -n 's/^USER //p' $recipe)
entry=$(sed -n 's/^ENTRYPOINT \["\([^"]*\)"\]$/\1/p' $recipe)
copied=$(sed -n 's/^COPY --from=build [^ ]* //p' $recipe | tr '\n' ' ')
last=$(sed -n 's/^FROM //p' $recipe | tail -n 1)
fail() { echo "$recipe: $*"; exit 1; }
[ -n "$target" ] || fail "no line RUN CGO_ENABLED=0 go build ... -o FILE ..."
grep -qE '^FROM [^ ]+:[0-9.]+@sha256:[0-9a-f]{64} AS build$' $recipe || fail "the stage that builds has no image with a version and a digest"
[ "$last" = scratch ] || fail "the image is built on $last, not on scratch"
[ "$copied" = "$entry /THIRD_PARTY.txt /tmp " ] || fail "copied are $copied, not the program $entry, its licences and /tmp"
[[ $user =~ ^[1-9][0-9]*:[1-9][0-9]*$ ]] || fail "USER $user: must be numbers, and not root's"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir "$root/results"
mkdir -m 1777 "$root/tmp"
chown "$user" "$root/results"
bash -c "${build/ -o $target/ -o $root$entry}" || fail "does not build: $build"

# In an empty root a program that is not static finds no loader.
inside() { env -i /usr/sbin/chroot --userspec="$user" "$root" "$entry" "$@"; }
inside version | tee "$root/version"
go run ./experiments version | grep -qxF "$(grep '^sources ' "$root/version")" || fail "its sources are not those of go run"
inside -out /results -workers 2 >"$root/log" 2>&1 || { cat "$root/log"; fail "the default run fails"; }
grep '^computed' "$root/log"
[ -s "$root/results/smoke/clustering.csv" ] || fail "no table was written"
if inside -out /elsewhere >"$root/log" 2>&1; then fail "it could write where nothing is mounted"; fi
printf '%s: %s bytes, static, runs as %s\n' "$recipe" "$(wc -c <"$root$entry")" "$user"

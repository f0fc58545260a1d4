#!/usr/bin/env bash
# Opens the HTML page of a run in a real browser, from its file:
#   scripts/dev/check_page.sh [-shots DIR] [-screens N] PAGE...
#
# Fails where the browser's console has an error, where the page is wider than a phone's screen, where
# a label is missing or an id comes twice, or where text has too little contrast, in light or dark; where neither a number nor a picture is on the
# first screen of 1280 x 800, where names do not stay beside their numbers, where a table does not show that it scrolls, where a caption is
# narrower than its figure; and, with -screens, where a page with all folded takes more screens than N at 1280 px. With -shots, pictures of every page at
# 390 and 1280 pixels, light and dark, are left in DIR.
#
# Needs Chromium (Debian: chromium). Without one it says so and succeeds. CHROMIUM names another.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
shots= screens=0
while :; do
  case ${1:-} in
    -shots) shots=${2:?"-shots wants a folder"}; shift 2 ;;
    -screens) screens=${2:?"-screens wants a number"}; shift 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { echo "usage: scripts/dev/check_page.sh [-shots DIR] [-screens N] PAGE..." >&2; exit 2; }
browser=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
  [ -n "$browser" ] || browser=$(command -v "$name" || true)
done
[ -n "$browser" ] || { echo "skipped: no Chromium is installed"; exit 0; }
[ -z "$shots" ] || mkdir -p "$shots" || exit 1

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# browse OUT ARGUMENT...: one headless run; what it prints and logs goes to OUT and OUT.log.
browse() {
  local out=$1
  shift
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run \
    --disable-extensions --disable-background-networking --disable-sync --user-data-dir="$work/profile" \
    --enable-logging=stderr --virtual-time-budget=20000 "$@" >"$out" 2>"$out.log"
}

# console LOG: the messages of the page's console that are errors.
console() { grep -E 'CONSOLE' "$1" | grep -Eiv '"(ok|passed)' ; }

# frame PAGE WIDTH HEIGHT: a file that shows the page in a frame as wide as a phone.
frame() {
  local file=$work/frame-$2-$3.html
  printf '<!DOCTYPE html><html><head><meta name="color-scheme" content="light dark"></head><body style="margin:0"><iframe id="page" title="page" style="border:0;width:%spx;height:%spx" src="file://%s"></iframe>%s</body></html>' \
    "$2" "$3" "$1" "${4:-}" >"$file"
  printf '%s' "$file"
}

checks="<pre id=\"result\" data-screens=\"SCREENS\">not finished</pre><script>$(cat "$here/check_page.js")</script>"

for page in "$@"; do
  [ -s "$page" ] || { echo "FAILED: $page is not there"; failed=1; continue; }
  page=$(cd "$(dirname "$page")" && pwd)/$(basename "$page")
  # As a reader opens it: the file itself, nothing allowed beyond it.
  browse "$work/dom" --dump-dom "file://$page"
  if ! grep -q '</html>' "$work/dom"; then
    echo "FAILED: $page: the browser showed nothing"
    tail -5 "$work/dom.log"
    failed=1
    continue
  fi
  if console "$work/dom.log"; then
    echo "FAILED: $page: messages in the console"
    failed=1
  fi
  for scheme in light dark; do
    dark=()
    [ "$scheme" = light ] || dark=(--force-dark-mode --blink-settings=preferredColorScheme=0)
    for width in 390 1280; do
      # The frame may be looked into.
      browse "$work/checked" --window-size=1400,1000 --allow-file-access-from-files ${dark[@]+"${dark[@]}"} \
        --dump-dom "file://$(frame "$page" "$width" 900 "${checks/SCREENS/$([ "$width" = 390 ] && echo 0 || echo "$screens")}")"
      verdict=$(sed -n 's/.*<pre id="result"[^>]*>\([^<]*\)<\/pre>.*/\1/p' "$work/checked")
      if [ "${verdict%%:*}" != "passed, $scheme" ]; then
        echo "FAILED: $page, $width px, $scheme: ${verdict:-no result}"
        failed=1
      else
        echo "$page, $width px: $verdict"
      fi
      if [ -n "$shots" ]; then
        shot=$shots/$(basename "$(dirname "$page")")-$width-$scheme.png
        height=$([ "$width" = 390 ] && echo 5000 || echo 4000)
        browse "$work/shot" --window-size=$((width < 500 ? 500 : width)),"$height" ${dark[@]+"${dark[@]}"} \
          --screenshot="$shot" "file://$(frame "$page" "$width" "$height")"
        [ -s "$shot" ] || { echo "FAILED: $page: no picture"; failed=1; }
      fi
    done
  done
done
exit "$failed"

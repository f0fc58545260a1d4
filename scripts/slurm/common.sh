# What submit.sh and collect.sh share: the options that say which grid and where, and what the
# result folder says is missing. Sourced, not run.

config='' out=${OGDL_OUT:-results} data=${OGDL_DATA:-data} filter='' binary=''

fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# common_option NAME VALUE: takes one of the shared options; false if it is none of them.
common_option() {
  case $1 in
    -config) config=$2 ;;
    -out) out=$2 ;;
    -data) data=$2 ;;
    -filter) filter=$2 ;;
    -binary) binary=$2 ;;
    *) return 1 ;;
  esac
}

# prepare: absolute paths, for a task may start in another folder, and the program. It is built
# only where none is given, into the result folder: nodes need not have Go, and all tasks run the
# same one.
prepare() {
  [ -n "$config" ] || fail "which configuration? Give -config"
  mkdir -p "$out/slurm"
  out=$(cd "$out" && pwd)
  [ ! -d "$data" ] || data=$(cd "$data" && pwd)
  [ ! -f "$config" ] || config=$(cd "$(dirname "$config")" && pwd)/$(basename "$config")
  if [ -z "$binary" ]; then
    binary=$out/slurm/experiments
    (cd "$(dirname "${BASH_SOURCE[0]}")/../.." && CGO_ENABLED=0 go build -trimpath -o "$binary.$$" ./experiments) ||
      fail "cannot build the program; build it elsewhere and give it with -binary"
    # Renamed into place: a task that runs keeps the file it has.
    mv -f "$binary.$$" "$binary"
  fi
  [ -x "$binary" ] || fail "-binary $binary: no such program"
  binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
  of_grid=(-config "$config" -out "$out")
  [ -z "$filter" ] || of_grid+=(-filter "$filter")
}

# count [FLAG...]: asks the result folder; sets cells, finished, pending and failed.
count() {
  local last
  last=$("$binary" list "${of_grid[@]}" "$@" 2>/dev/null | tail -n 1) || last=
  [[ $last =~ ^([0-9]+)\ cells?:\ ([0-9]+)\ done,\ ([0-9]+)\ pending,\ ([0-9]+)\ failed(,\ ([0-9]+)\ ruled\ out\ by\ a\ race)?(,\ .*\ to\ be\ chosen)?$ ]] ||
    fail "$binary list does not say what is done: ${last:-$("$binary" list "${of_grid[@]}" "$@" 2>&1 | tail -n 1)}"
  cells=$((BASH_REMATCH[1] - ${BASH_REMATCH[6]:-0})) finished=${BASH_REMATCH[2]} pending=${BASH_REMATCH[3]} failed=${BASH_REMATCH[4]}
}

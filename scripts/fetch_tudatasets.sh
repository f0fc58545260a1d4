#!/usr/bin/env bash
# Fetches the paper's data sets of the TU collection, checks them and unpacks
# them into DIR/NAME/NAME_A.txt and so on. The only part of the project that
# uses the network.
#
# Needs bash; curl or wget (not for --from DIR); unzip, python3 or bsdtar;
# sha256sum, shasum or openssl.

set -u -o pipefail

usage() {
	cat <<'EOF'
usage: fetch_tudatasets.sh [-data DIR] [--from DIR-or-URL] NAME... | all

  NAME         MUTAG PTC_MR BZR COX2 ENZYMES PROTEINS_full IMDB-BINARY IMDB-MULTI
               (the paper's names IMDB-B, IMDB-M, PTC-MR and PROTEIN too),
               TRIANGLES, twitch_egos, twitch_egos_partial (with --from only)
  all          the paper's eight sets and TRIANGLES
  -data DIR    where to put them; default $OGDL_DATA, else data
  --from SRC   a folder or an http(s) URL that holds NAME.zip, in place of the
               public host

What is there already and unchanged is left alone. Exit status: 0 if every set
is there, 1 if one is not, 2 for a wrong command line.
EOF
}

readonly host=https://www.chrsmrrs.com/graphkerneldatasets
readonly mebibyte=1048576

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
readonly here
# SHA-256 of every unpacked file; a set is unpacked to exactly these.
readonly sums=$here/SHA256SUMS

# archive_sum NAME: SHA-256 of the public host's archive. A mirror may pack the
# same files differently, so only the host's own archives are held to it.
archive_sum() {
	case $1 in
	MUTAG) echo c419bdc853c367d2d83da4973c45100954ae15e10f5ae2cddde6ca431f8207f6 ;;
	PTC_MR) echo 5699a6d9f1bc5b3d71495f09ef50de53fa3e6bb24ead1150da678500229f5237 ;;
	BZR) echo 584cb76f63cf5d0459cabfa254603b4e89823de0c03c96d60ab338f2d71a8b55 ;;
	COX2) echo aad0f932851a9ee308b3b65bb23d9eb94d4072de9593e988090ae837fa17c430 ;;
	ENZYMES) echo 13d832eb6ffa084192daf6e5750250028a18437ee692c38d29a10cd60e18aaf4 ;;
	PROTEINS_full) echo 3b7782403ce98754df3330a67e9b2aff32e69520aa1245bf515c48cc0119c562 ;;
	IMDB-BINARY) echo b291ec8b26d85c70faa2ba0a2433e1f407ed2ef5d0fc072d36b9a95e49a1bb27 ;;
	IMDB-MULTI) echo a4a302149ebf4c76fa1f0fb108baff89fcbf9d35de306b18f27a8419b9a1a690 ;;
	TRIANGLES) echo d14094eecf75fd60cf08b9d18d33a7e8c7657ff07e554956f0230fba9bf63b60 ;;
	twitch_egos) echo b691bae434805f69c730c632e39ecde515c53fadfe1a9486741438bae9aa3160 ;;
	esac
}

say() { printf '%s\n' "$*"; }
fail() {
	printf 'fetch_tudatasets.sh: %s\n' "$*" >&2
	return 1
}
wrong() {
	fail "$*"
	usage >&2
	exit 2
}
have() { command -v "$1" >/dev/null 2>&1; }

sha256() { # FILE
	if have sha256sum; then
		sha256sum <"$1"
	elif have shasum; then
		shasum -a 256 <"$1"
	else
		openssl dgst -sha256 -r <"$1"
	fi | cut -c 1-64
}

bytes() { wc -c <"$1" | tr -d ' '; }

# listed NAME: the sums and base names that SHA256SUMS has for the set.
listed() { sed -n "s|^\([0-9a-f]\{64\}\)  $1/\([A-Za-z0-9_.-]*\)\$|\1 \2|p" "$sums"; }

# verified DIR NAME: every listed file is in DIR with its sum.
verified() {
	local sum file
	while read -r sum file; do
		if [ ! -f "$1/$file" ] || [ -L "$1/$file" ]; then
			fail "$2: $file is not there"
			return 1
		fi
		[ "$(sha256 "$1/$file")" = "$sum" ] || { fail "$2: $file has not the SHA-256 that $sums lists"; return 1; }
	done < <(listed "$2")
}

# Each lists the members of archive $1, or writes member $2 of it to standard
# output: nothing is ever written under a name, or as a link, of the archive's
# choice. Members that are asked for hold no character that is special to
# unzip.
choose_unpacker() {
	local unzip=
	! have unzip || unzip=$(unzip -v 2>/dev/null) # busybox has one too, without -Z
	if [ "$unzip" != "${unzip#*Info-ZIP}" ]; then
		members() { unzip -Z1 "$1"; }
		member() { unzip -p "$1" "$2"; }
	elif have python3; then
		members() { python3 -c 'import sys,zipfile; print("\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))' "$1"; }
		member() {
			python3 -c 'import shutil,sys,zipfile
with zipfile.ZipFile(sys.argv[1]).open(sys.argv[2]) as f: shutil.copyfileobj(f, sys.stdout.buffer)' "$1" "$2"
		}
	elif have bsdtar; then
		members() { bsdtar -tf "$1"; }
		member() { bsdtar -xOf "$1" "$2"; }
	else
		fail "no unzip, python3 or bsdtar to unpack archives with"
		exit 1
	fi
}

download() { # URL: to standard output
	if have curl; then
		curl --fail --silent --show-error --location --max-redirs 5 \
			--proto "$protocols" --proto-redir "$protocols" \
			--connect-timeout 30 --speed-limit 1 --speed-time 60 "$1"
	elif have wget; then
		wget --quiet --tries=1 --timeout=60 --max-redirect=5 -O - "$1"
	else
		fail "no curl or wget to download with"
	fi
}

# obtain NAME FILE CAP: puts the archive into FILE, from the start at every try.
obtain() {
	local name=$1 file=$2 cap=$3 try status
	if [ "$kind" = folder ]; then
		[ -f "$from/$name.zip" ] || { fail "$name: there is no file $from/$name.zip"; return 1; }
		head -c $((cap + 1)) <"$from/$name.zip" >"$file" || { fail "$name: cannot copy $from/$name.zip"; return 1; }
	else
		for try in 1 2 3; do
			download "$from/$name.zip" | head -c $((cap + 1)) >"$file"
			status=$?
			# Past the cap the download fails too, for head has gone.
			[ "$status" -eq 0 ] || [ "$(bytes "$file")" -gt "$cap" ] && break
			[ "$try" -lt 3 ] && sleep "$try"
		done
		if [ "$status" -ne 0 ] && [ "$(bytes "$file")" -le "$cap" ]; then
			fail "$name: cannot download $from/$name.zip"
			return 1
		fi
	fi
	[ "$(bytes "$file")" -le "$cap" ] || { fail "$name: the archive has more than the $cap bytes allowed"; return 1; }
}

# unpack NAME ARCHIVE DIR CAP: writes the expected members, CAP bytes at most
# altogether.
unpack() {
	local name=$1 archive=$2 dir=$3 left=$4 all wanted path status
	# Archives may list anything: look at a megabyte of names.
	all=$(members "$archive" 2>/dev/null | head -c $mebibyte | LC_ALL=C tr -d '\000\r') || {
		fail "$name: the archive is damaged, or not a zip file"
		return 1
	}
	wanted=$(listed "$name" | sed "s|^[0-9a-f]* |$name/|")
	if [ -z "$wanted" ]; then
		wanted=$(printf '%s\n' "$all" | LC_ALL=C grep -E "^$name/(${name}_[A-Za-z0-9_]+\.txt|README(\.[A-Za-z]+)?)\$")
	fi
	[ -n "$wanted" ] || { fail "$name: the archive holds no $name/${name}_*.txt"; return 1; }
	for path in $wanted; do
		case $(printf '%s\n' "$all" | grep -c -x -F -- "$path") in
		1) ;;
		0) fail "$name: the archive does not hold $path"; return 1 ;;
		*) fail "$name: the archive holds $path more than once"; return 1 ;;
		esac
		member "$archive" "$path" 2>/dev/null | head -c $((left + 1)) >"$dir/${path##*/}"
		status=$?
		left=$((left - $(bytes "$dir/${path##*/}")))
		[ "$left" -ge 0 ] || { fail "$name: the archive unpacks to more than the $4 bytes allowed"; return 1; }
		[ "$status" -eq 0 ] || { fail "$name: the archive is damaged at $path"; return 1; }
	done
}

# complete NAME DIR: what an unpacked set must be.
complete() {
	local suffix
	if [ -n "$(listed "$1")" ]; then
		verified "$2" "$1"
		return
	fi
	for suffix in A graph_indicator graph_labels; do
		[ -s "$2/$1_$suffix.txt" ] || { fail "$1: $1_$suffix.txt is missing or empty"; return 1; }
	done
}

fetch() { # NAME
	local name=$1 target=$data/$1 archive_cap=$((32 * mebibyte)) unpacked_cap=$((128 * mebibyte)) sum
	if [ "$name" = twitch_egos ]; then
		archive_cap=$((512 * mebibyte)) unpacked_cap=$((2048 * mebibyte))
	fi
	if [ -e "$target" ] || [ -L "$target" ]; then
		if complete "$name" "$target"; then
			say "$name: already in $target"
			return 0
		fi
		fail "$name: $target is not what would be fetched; move it away, then fetch again"
		return 1
	fi
	if [ "$kind" = host ] && [ -z "$(archive_sum "$name")" ]; then
		fail "$name: not on the public host; give --from"
		return 1
	fi
	temporary=$(mktemp -d "$data/.fetch-XXXXXXXX") || return 1
	mkdir "$temporary/$name" && obtain "$name" "$temporary/archive.zip" "$archive_cap" || return 1
	# Sets without sums of their files are checked by their archive wherever
	# it comes from.
	if [ "$kind" = host ] || [ -z "$(listed "$name")" ]; then
		sum=$(sha256 "$temporary/archive.zip")
		if [ "$sum" != "$(archive_sum "$name")" ]; then
			fail "$name: the archive has SHA-256 $sum, want $(archive_sum "$name")"
			return 1
		fi
	fi
	unpack "$name" "$temporary/archive.zip" "$temporary/$name" "$unpacked_cap" &&
		complete "$name" "$temporary/$name" || return 1
	# Of several runs at once the slower ones find the target there: mv then puts
	# their folder into it, or fails; what the first one put there stands.
	mv "$temporary/$name" "$target" 2>/dev/null
	[ ! -d "$target/$name" ] || rm -rf "${target:?}/$name"
	[ -f "$target/${name}_A.txt" ] || { fail "$name: cannot move it to $target"; return 1; }
	say "$name: fetched into $target"
}

temporary=
clean() {
	[ -z "$temporary" ] || rm -rf "$temporary"
	temporary=
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

data=${OGDL_DATA:-data}
from=$host
kind=host
names=
while [ $# -gt 0 ]; do
	case $1 in
	-h | -help | --help) usage; exit 0 ;;
	-data | --data | -from | --from)
		if [ $# -lt 2 ] || [ -z "$2" ]; then
			wrong "$1 needs a value"
		fi
		case $1 in
		*data) data=$2 ;;
		*) from=${2%/} kind=given ;;
		esac
		shift
		;;
	-data=?* | --data=?*) data=${1#*=} ;;
	-from=?* | --from=?*) from=${1#*=} from=${from%/} kind=given ;;
	-*) wrong "unknown option $1" ;;
	all) names="$names IMDB-BINARY IMDB-MULTI MUTAG PTC_MR BZR COX2 ENZYMES PROTEINS_full TRIANGLES" ;;
	IMDB-B) names="$names IMDB-BINARY" ;;
	IMDB-M) names="$names IMDB-MULTI" ;;
	PTC-MR) names="$names PTC_MR" ;;
	PROTEIN) names="$names PROTEINS_full" ;;
	twitch_egos_partial) names="$names $1" ;;
	*)
		[ -n "$(archive_sum "$1")" ] || wrong "unknown data set $1"
		names="$names $1"
		;;
	esac
	shift
done
[ -n "$names" ] || wrong "no data set named"

protocols='=https'
if [ "$kind" = given ]; then
	case $from in
	https://*) kind=url ;;
	http://*) kind=url protocols='=http,https' ;;
	*://*) wrong "--from $from: want a folder, or a URL of http or https" ;;
	*) kind=folder ;;
	esac
	[ "$kind" = url ] || [ -d "$from" ] || { fail "--from $from: no such folder"; exit 1; }
fi
case $data in -*) data=./$data ;; esac
[ -r "$sums" ] || { fail "cannot read $sums"; exit 1; }
have sha256sum || have shasum || have openssl || { fail "no sha256sum, shasum or openssl to check with"; exit 1; }
choose_unpacker
mkdir -p "$data" || exit 1
# Left by runs that were killed, more than a day ago.
find "$data" -maxdepth 1 -type d -name '.fetch-????????' -mtime +1 -exec rm -rf {} +

missing=
for name in $names; do
	fetch "$name" || missing="$missing $name"
	clean
done
[ -z "$missing" ] || { fail "not fetched:$missing"; exit 1; }

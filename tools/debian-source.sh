#!/bin/sh
# The upstream part of one of Debian's source packages, unpacked: tools/debian-source.sh PACKAGE SUITE FOLDER
#
# It comes through apt, which checks its signature, with sources and lists of its own: the system's stay as they are.
set -eu

package=${1:?usage: tools/debian-source.sh PACKAGE SUITE FOLDER}
suite=${2:?usage: tools/debian-source.sh PACKAGE SUITE FOLDER}
to=${3:?usage: tools/debian-source.sh PACKAGE SUITE FOLDER}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
keys=/usr/share/keyrings/debian-archive-keyring.gpg

work=$(mktemp -d "${TMPDIR:-/tmp}/pas2p-source.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source" "$to"
echo "deb-src [signed-by=$keys] $mirror $suite main" >"$work/sources.list"
apt() {
	command=$1
	shift
	"$command" -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
		-o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}

echo "Fetching the source package $package of $suite"
apt apt-get update -qq
# Only the upstream part is needed. A mirror that is just being updated may lack the packaging part beside it.
(cd "$work/source" && apt apt-get source -qq --only-source --tar-only "$package/$suite" >/dev/null)
tarball=$(find "$work/source" -maxdepth 1 -name "${package}_*.orig.tar.*" ! -name '*.asc' | head -n 1)
[ -n "$tarball" ] || { echo "the source package of $package has no upstream part" >&2; exit 1; }
tar -xf "$tarball" -C "$to" --strip-components=1

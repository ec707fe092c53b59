#!/bin/sh
# Build a CRIU that works on kernels of today: tools/criu-build.sh FILE
#
# Debian 12's own CRIU does not start on kernels from 6.13 on, and none before 4.2 can dump TCP connections on
# kernels from 6.16 on. So the source package of Debian's newest suite is fetched (through apt, which checks its
# signature, with sources and lists of its own: the system's stay as they are) and built without installing it.
set -eu

to=${1:?usage: tools/criu-build.sh FILE}
suite=${CRIU_SUITE:-sid}
mirror=${CRIU_MIRROR:-http://deb.debian.org/debian}
keys=/usr/share/keyrings/debian-archive-keyring.gpg
# The packages that the build needs, from the system's own suite.
needs='gcc make pkg-config dpkg-dev libbsd-dev libcap-dev libnet1-dev libnftables-dev libgnutls28-dev libnl-3-dev
	libprotobuf-dev libprotobuf-c-dev protobuf-compiler protobuf-c-compiler uuid-dev'

if ! command -v apt-get >/dev/null 2>&1; then
	echo "There is no apt-get here: build CRIU 4.2 or later from your own system's sources and name it by PAS2P_CRIU." >&2
	exit 1
fi
missing=
for package in $needs; do
	dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
done
if [ -n "$missing" ]; then
	if [ "$(id -u)" -eq 0 ]; then
		sudo=
	elif command -v sudo >/dev/null 2>&1; then
		sudo=sudo
	else
		echo "Missing, and there is neither root nor sudo; please run: apt-get install$missing" >&2
		exit 1
	fi
	echo "Installing:$missing"
	export DEBIAN_FRONTEND=noninteractive
	# shellcheck disable=SC2086  # one word per package
	$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
		{ $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null; }
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/pas2p-criu.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
echo "deb-src [signed-by=$keys] $mirror $suite main" >"$work/sources.list"
apt() {
	command=$1
	shift
	"$command" -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
		-o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}

echo "Fetching the source package criu of $suite"
apt apt-get update -qq
# Only the upstream part is needed. A mirror that is just being updated may lack the packaging part beside it.
(cd "$work/source" && apt apt-get source -qq --only-source --tar-only criu/"$suite" >/dev/null)
tarball=$(find "$work/source" -maxdepth 1 -name 'criu_*.orig.tar.*' ! -name '*.asc' | head -n 1)
[ -n "$tarball" ] || { echo 'the source package of criu has no upstream part' >&2; exit 1; }
tar -xf "$tarball" -C "$work/source" --strip-components=1
echo "Building $(basename "$tarball")"
if ! make -C "$work/source" -j"$(nproc)" criu >"$work/log" 2>&1; then
	tail -n 20 "$work/log" >&2
	exit 1
fi
mkdir -p "$(dirname "$to")"
cp "$work/source/criu/criu" "$to.new"
mv "$to.new" "$to"
"$to" --version

#!/bin/sh
# Build a CRIU that works on kernels of today: tools/criu-build.sh FILE
#
# Debian 12's own CRIU does not start on kernels from 6.13 on, and none before 4.2 can dump TCP connections on
# kernels from 6.16 on. So the source package of Debian's newest suite is fetched and built without installing it.
set -eu

to=${1:?usage: tools/criu-build.sh FILE}
suite=${CRIU_SUITE:-sid}
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
"$(dirname "$0")/debian-source.sh" criu "$suite" "$work/source"
echo "Building criu"
if ! make -C "$work/source" -j"$(nproc)" criu >"$work/log" 2>&1; then
	tail -n 20 "$work/log" >&2
	exit 1
fi
mkdir -p "$(dirname "$to")"
cp "$work/source/criu/criu" "$to.new"
mv "$to.new" "$to"
"$to" --version

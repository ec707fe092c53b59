#!/bin/sh
# Debian packages: packaging/deb.sh TARBALL VERSION FOLDER (make deb)
#
# The tarball of make dist becomes the source package's upstream part, and packaging/debian from within it the rest, so that the packages are of what is
# committed. They are built in FOLDER/work, and lie in FOLDER afterwards. The tests of make test run if DEB_BUILD_OPTIONS does not say nocheck.
set -eu

tarball=$(realpath "${1:?usage: packaging/deb.sh TARBALL VERSION FOLDER}")
version=${2:?usage: packaging/deb.sh TARBALL VERSION FOLDER}
folder=${3:?usage: packaging/deb.sh TARBALL VERSION FOLDER}
source=pas2p-$version

for command in dpkg-buildpackage dh; do
	command -v $command >/dev/null 2>&1 && continue
	echo "make deb needs $command: apt-get install dpkg-dev debhelper" >&2
	exit 1
done
rm -rf "$folder"
mkdir -p "$folder/work"
cp "$tarball" "$folder/work/pas2p_$version.orig.tar.xz"
tar -xf "$tarball" -C "$folder/work"
cp -R "$folder/work/$source/packaging/debian" "$folder/work/$source/debian"
# What was given to the make above is not meant for the one below.
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD
: "${DEB_BUILD_OPTIONS=nocheck}"
export DEB_BUILD_OPTIONS
if ! (cd "$folder/work/$source" && dpkg-buildpackage --unsigned-source --unsigned-changes) >"$folder/log" 2>&1; then
	tail -n 40 "$folder/log" >&2
	echo "the whole of it: $folder/log" >&2
	exit 1
fi
find "$folder/work" -maxdepth 1 -type f -exec mv -t "$folder" '{}' +
rm -rf "$folder/work"
ls "$folder"/*.deb

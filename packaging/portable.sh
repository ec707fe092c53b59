#!/bin/sh
# A tarball that runs from any folder: packaging/portable.sh TARBALL VERSION FOLDER (make portable)
#
# The tarball of make dist is built with every library linked in but the C library, of which it asks for the functions that systems since 2012 have
# (packaging/old_glibc.c, on x86-64). What is loaded into MPI programs, and the programs that measure, go along for each MPI that is here; the
# latter are linked with that MPI's library. Debian has no static libotf2: it is built from Debian's source package, and kept in FOLDER.
set -eu

tarball=$(realpath "${1:?usage: packaging/portable.sh TARBALL VERSION FOLDER}")
version=${2:?usage: packaging/portable.sh TARBALL VERSION FOLDER}
folder=$(realpath -m "${3:?usage: packaging/portable.sh TARBALL VERSION FOLDER}")
name=pas2p-$version-$(uname -m)-linux
# What the make above was given is not meant for the one below.
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD

fail() {
	[ ! -e "$folder/log" ] || tail -n 20 "$folder/log" >&2
	echo "$1" >&2
	exit 1
}

rm -rf "$folder/work" "$folder/log"
mkdir -p "$folder/work"
tar -xf "$tarball" -C "$folder/work"
source=$folder/work/pas2p-$version

# Reading and writing OTF2.
otf2=
if [ ! -e "$folder/libotf2.a" ]; then
	if "$source/tools/debian-source.sh" otf2 bookworm "$folder/work/otf2" >"$folder/log" 2>&1; then
		echo 'Building libotf2'
		mkdir "$folder/work/otf2-build"
		(cd "$folder/work/otf2-build" && ../otf2/configure --disable-shared --enable-static --with-pic CFLAGS=-O2 &&
			make -C build-backend -j"$(nproc)" libotf2.la) >"$folder/log" 2>&1 || fail 'libotf2 was not built'
		cp "$folder/work/otf2-build/build-backend/.libs/libotf2.a" "$folder"
	else
		echo 'note: the source package of libotf2 is out of reach: OTF2 is left out' >&2
		otf2='OTF2=no'
	fi
fi
static="-Wl,-Bstatic ${otf2:--L$folder -lotf2} -lyaml -lpcre2-8 -lnettle -lz -llzma -lzstd -lncursesw -ltinfo -Wl,-Bdynamic"
static=$(echo "$static" | sed 's/OTF2=no//')

# The functions of packaging/old_glibc.c instead of the C library's own. On older systems those for threads and for loading lie in libraries of their own, and it
# must be there that they are asked for: so what is linked with are two that have nothing but their names.
stub() { # SONAME NAMES
	nm "$old/old_glibc.o" | sed -n "s/.* U \($2\)@\(GLIBC_.*\)/\1 \2/p" >"$old/names"
	sed 's/\(.*\) .*/void \1(void) {}/' "$old/names" >"$old/stub.c"
	cut -d' ' -f2 "$old/names" | sort -uV | while read -r symbols; do
		echo "$symbols { $(sed -n "s/ $symbols\$/;/p" "$old/names" | tr '\n' ' ') };"
	done >"$old/stub.map"
	${CC:-cc} -shared -nostdlib -fPIC -w -Wl,-soname="$1" -Wl,--version-script="$old/stub.map" -o "$old/$1" "$old/stub.c"
}
instead=
if [ "$(uname -m)" = x86_64 ]; then
	old=$folder/work/old
	mkdir "$old"
	${CC:-cc} -D_GNU_SOURCE -std=gnu11 -O2 -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -Wall -Wextra -Werror \
		-c -o "$old/old_glibc.o" "$source/packaging/old_glibc.c"
	stub libpthread.so.0 'pthread_[a-z_]*'
	stub libdl.so.2 'dl[a-z0-9]*'
	instead="$old/old_glibc.o -Wl,--gc-sections -Wl,--no-as-needed $old/libpthread.so.0 $old/libdl.so.2 -Wl,--as-needed
		$(nm "$old/old_glibc.o" | sed -n 's/.* [TB] __wrap_\(.*\)/-Wl,--wrap=\1/p')"
	instead=$(echo "$instead" | tr -s '\n\t' ' ')
fi

echo "Building $name"
# shellcheck disable=SC2086  # words
make -C "$source" -j"$(nproc)" install DESTDIR="$folder/work/stage" PREFIX="/$name" NO_WERROR=1 CFLAGS=-O2 LDFLAGS="$instead" $otf2 \
	CORE_LIBS="$static -lm -pthread" TUI_LIBS= >"$folder/log" 2>&1 || fail 'it was not built'
stage=$folder/work/stage/$name
find "$stage/bin" "$stage/lib" -type f -exec strip --strip-unneeded '{}' +
# All times are the commit's.
epoch=$(stat -c %Y "$source/Makefile")
tar -C "$folder/work/stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" --format=gnu -cf "$folder/work/$name.tar" "$name"
XZ_DEFAULTS='' XZ_OPT='' xz -6 --threads=1 --stdout "$folder/work/$name.tar" >"$folder/$name.tar.xz.new"
mv "$folder/$name.tar.xz.new" "$folder/$name.tar.xz"

# What it asks of the system that it is to run on.
needs=$(find "$stage/bin" "$stage/lib" -type f -exec objdump -T '{}' + 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
echo "$folder/$name.tar.xz: needs the C library $(echo "$needs" | sed 's/GLIBC_//') or later"
rm -rf "$folder/work"

#!/bin/sh
# make install: what it puts where, that the program finds what comes with it from wherever the folder is moved to, that other folders than
# the usual ones are known to the program, and that make uninstall leaves nothing behind.
. t/lib/lib.sh

unset MAKEFLAGS MAKELEVEL MFLAGS
build=$(dirname "$PAS2P")
top=$TMP/a\ folder
# Of what is built already, for the folders that it was built for: nothing is to be built anew under the other tests.
built_for() {
	sed -n "s,.*$1 \([^ ]*\)/pas2p .*,\1,p" "$build/places"
}
bin=/opt/pas2p/bin
libdir=$(realpath -m "$bin/$(built_for LIB)")
make_it() { # TARGET
	make -s --old-file="$build/pas2p" BUILD="$build" DESTDIR="$top" PREFIX=/opt/pas2p LIBDIR="$libdir" DATADIR="$(realpath -m "$bin/$(built_for DATA)")" "$@"
}
run_ok 'make install' make_it install
lib=$TMP/moved/${libdir#/opt/pas2p/}/pas2p
mv "$top/opt/pas2p" "$TMP/moved"
run_ok 'the program runs' "$TMP/moved/bin/pas2p" --version
version=$(sed -n 's/^pas2p \([^ ]*\).*/\1/p' "$OUT")
printf ':screen %s\n' "$TMP/screen" >"$TMP/script"
run_ok 'and finds its sample trace, though the folder was moved' \
	"$TMP/moved/bin/pas2p" --no-config --tutorial --script "$TMP/script"
for file in share/man/man1/pas2p.1 share/man/man1/pas2p-phases.1 share/man/man1/pas2p-workbench.1 share/man/man5/pas2p-config.5 share/man/man7/pas2p-settings.7 share/bash-completion/completions/pas2p share/zsh/site-functions/_pas2p \
	share/fish/vendor_completions.d/pas2p.fish share/doc/pas2p/pas2p.yaml \
	"share/modulefiles/pas2p/$version" "share/modulefiles/pas2p/$version.lua"; do
	ok "$file is there" test -s "$TMP/moved/$file"
done
is "$(ls "$TMP/moved/share/doc/pas2p/docs")" "$(ls docs)" 'and every page'
is "$(cd sample-traces && find . -type f | sort)" "$(cd "$TMP/moved/share/pas2p/sample-traces" && find . -type f | sort)" 'and every sample trace'

# What is of an MPI: all that was built, and found by the program.
parts=$(cd "$build/preload" 2>/dev/null && find . -maxdepth 1 -type f | sort)
is "$(cd "$lib" 2>/dev/null && find . -type f ! -name criu | sort)" "$parts" 'what was built for each MPI is there'
is "$(echo "$parts" | grep . | grep -vE -- '-(openmpi|mpich)(\.so)?$')" '' 'by names that put each into the package of that MPI'
for mpi in openmpi mpich; do
	if [ -n "$parts" ] && [ -e "$lib/libpas2p-$mpi.so" ]; then
		mv "$lib/libpas2p-$mpi.so" "$TMP/away"
		run_fails 3 "$mpi: without its library" "$TMP/moved/bin/pas2p" trace --mpi $mpi -o "$TMP/x.clog2" -- true
		like "$(cat "$ERR")" "install the package pas2p-mpi-$mpi, or" "$mpi: it says what to install"
		mv "$TMP/away" "$lib/libpas2p-$mpi.so"
		# true records nothing, but it was started.
		"$TMP/moved/bin/pas2p" trace --mpi $mpi -o "$TMP/x.clog2" -- true >"$OUT" 2>"$ERR"
		unlike "$(cat "$ERR")" 'not found' "$mpi: the library is found"
	else
		skip 3 "nothing was built for $mpi"
	fi
done

mkdir -p "$top/opt"
mv "$TMP/moved" "$top/opt/pas2p"
run_ok 'make uninstall' make_it uninstall
is "$(find "$top" -type f)" '' 'it leaves no file'
ok 'and no folder of its own' test ! -e "$top/opt/pas2p/lib/pas2p" -a ! -e "$top/opt/pas2p/share/pas2p" -a ! -e "$top/opt/pas2p/share/doc/pas2p"

# Other folders: the object that knows where things lie is made again, whatever was given before.
object=$TMP/build/src/core/io/beside.o
knows() { # NAME LIBRARIES DATA VARIABLE=VALUE...
	knows_name=$1 knows_libraries=$2 knows_data=$3
	shift 3
	make -s BUILD="$TMP/build" "$@" "$object" >"$OUT" 2>&1 || diag "$(cat "$OUT")"
	ok "$knows_name: libraries" grep -aqF "$knows_libraries" "$object"
	ok "$knows_name: data" grep -aqF "$knows_data" "$object"
}
knows 'as usual' ../lib/pas2p ../share/pas2p
knows 'on Debian' ../lib/x86_64-linux-gnu/pas2p ../share/pas2p PREFIX=/usr LIBDIR=/usr/lib/x86_64-linux-gnu
knows 'apart' ../../../lib/pas2p ../../../big/data/pas2p PREFIX=/usr BINDIR=/usr/libexec/some/bin DATADIR=/usr/big/data
knows 'as usual again' ../lib/pas2p ../share/pas2p
before=$(stat -c %.9Y "$object")
make -s BUILD="$TMP/build" "$object" >"$OUT" 2>&1
is "$(stat -c %.9Y "$object")" "$before" 'and it is left alone if nothing changed'
done_testing

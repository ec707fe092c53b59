#!/bin/sh
# Debian packages as docs/install.md has them built, installed and used, in a Debian 12 where nothing else is. lintian finds nothing to object to, and a second
# build gives the same bytes.
. t/lib/lib.sh
. t/packaging/system.sh

make_root
commands 'Debian packages' >"$TMP/commands"
ok 'the page has commands' test "$(wc -l <"$TMP/commands")" -ge 5
while read -r line <&3; do
	case $line in
	tools/* | make*) run_ok "here: $line" sh -c "$line" || diag "$(tail -n 20 "$OUT")" ;;
	sudo\ apt-get*)
		mkdir -p "$ROOT/home/someone/source/build/deb"
		cp "$BUILD"/deb/*.deb "$ROOT/home/someone/source/build/deb"
		in_root root 'apt-get -qq update && apt-get -qq install man-db' >"$OUT" 2>&1 || diag "$(tail -n 5 "$OUT")"
		run_ok "there: $line" in_root root "yes | $line" || diag "$(tail -n 20 "$OUT")"
		;;
	*) run_ok "there: $line" in_root someone "$line" || diag "$(tail -n 20 "$ERR")" ;;
	esac
	case $line in
	pas2p\ phases*) like "$(cat "$OUT")" '^phases +16, ' 'it has found the phases' ;;
	man\ pas2p) like "$(cat "$OUT")" '^SYNOPSIS' 'it is the page' ;;
	esac
done 3<"$TMP/commands"

run_ok 'pas2p --version' in_root someone 'pas2p --version'
like "$(cat "$OUT")" '^reads +CLOG2, OTF2 .*, PRV$' 'all formats are there'
run_ok 'the tutorial' in_root someone "printf ':screen /tmp/screen\n' >/tmp/script && pas2p --tutorial --script /tmp/script"
ok 'has its trace' grep -q 'step 1 of 10' "$ROOT/tmp/screen"
run_fails 3 'without what is of MPICH' in_root someone 'pas2p trace --mpi mpich -- true'
like "$(cat "$ERR")" 'install the package pas2p-mpi-mpich' 'it says which package has that'
# A chroot's tests of programs for both.
run_ok 'the other MPI beside it' in_root root 'apt-get -qq install ./build/deb/pas2p-mpi-mpich_*.deb openmpi-bin mpich' || diag "$(tail -n 5 "$ERR")"
put_programs
for mpi in openmpi mpich; do
	traces someone pas2p $mpi
	shares someone pas2p $mpi
done
run_ok 'pas2p doctor' in_root someone 'pas2p doctor --format csv'
is "$(grep -c '^mpi,ok,\|^job,ok,' "$OUT")" 4 'finds both MPIs, and what is there for them'
run_ok 'clocks are measured inside a job' in_root someone 'pas2p clocks --measure --seconds 1 -- mpiexec.mpich -n 2'
run_ok 'it goes away again' in_root root 'apt-get -qq purge pas2p'
is "$(find "$ROOT/usr" "$ROOT/etc" -name '*pas2p*')" '' 'with all that it brought'

lintian --allow-root --fail-on error,warning "$BUILD"/deb/*.changes >"$OUT" 2>&1
is $? 0 'lintian has no errors and no warnings' || diag "$(cat "$OUT")"
is "$(grep -c '^[EW]:' "$OUT")" 0 'none at all'

# Another two minutes of work.
if [ "$PACKAGE_CHECK" = once ]; then
	skip 1 'a second build was not asked for'
else
	version=$("$PAS2P" --version | sed -n 's/^pas2p \([^ ]*\).*/\1/p')
	run_ok 'a second build, elsewhere' packaging/deb.sh "$BUILD/pas2p-$version.tar.xz" "$version" "$TMP/again"
	for file in "$BUILD"/deb/*.deb; do
		ok "${file##*/} is the same" cmp "$file" "$TMP/again/${file##*/}"
	done
fi
done_testing

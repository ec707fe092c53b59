#!/bin/sh
# The tarball of make portable as docs/install.md has it made and unpacked, by somebody who is not root, in a Debian 12 where none of its libraries are: it
# runs, traces programs of both MPIs, and asks the C library for nothing new.
. t/lib/lib.sh
. t/packaging/system.sh

make_root
commands 'A folder that runs anywhere' >"$TMP/commands"
ok 'the page has commands' test "$(wc -l <"$TMP/commands")" -ge 5
while read -r line <&3; do
	case $line in
	tools/* | make*) run_ok "here: $line" sh -c "$line" || diag "$(tail -n 20 "$ERR")" ;;
	tar*)
		like "$(cat "$OUT")" 'needs the C library [0-9.]+ or later$' 'it says what it needs'
		mkdir -p "$ROOT/home/someone/source/build/portable"
		cp "$BUILD"/portable/*.tar.xz "$ROOT/home/someone/source/build/portable"
		in_root root 'apt-get -qq update && apt-get -qq install xz-utils' >"$OUT" 2>&1 || diag "$(tail -n 5 "$OUT")"
		run_ok "there: $line" in_root someone "$line"
		;;
	*) run_ok "there: $line" in_root someone "$line" || diag "$(tail -n 20 "$ERR")" ;;
	esac
done 3<"$TMP/commands"
like "$(cat "$OUT")" '^reads +CLOG2, OTF2 .*, PRV$' 'all formats are there'

folder=$(cd "$ROOT/home/someone" && echo pas2p-*-linux)
there=$ROOT/home/someone/$folder
for trace in lu.S.4.clog2 thesis-cg.4.otf2; do
	run_ok "$trace: phases" in_root someone "/home/someone/$folder/bin/pas2p phases -q /home/someone/$folder/share/pas2p/sample-traces/$trace"
	cp "$OUT" "$TMP/phases"
	"$PAS2P" phases -q "sample-traces/$trace" >"$TMP/here" 2>/dev/null
	ok "$trace: they are those that are found here" cmp "$TMP/phases" "$TMP/here"
done
run_ok 'the tutorial' in_root someone "printf ':screen /tmp/screen\n' >/tmp/script && /home/someone/$folder/bin/pas2p --tutorial --script /tmp/script"
ok 'has its trace' grep -q 'step 1 of 10' "$ROOT/tmp/screen"
run_ok 'the MPIs' in_root root 'apt-get -qq install openmpi-bin mpich' || diag "$(tail -n 5 "$ERR")"
put_programs
for mpi in openmpi mpich; do
	traces someone "/home/someone/$folder/bin/pas2p" $mpi
	shares someone "/home/someone/$folder/bin/pas2p" $mpi
done
run_ok 'pas2p doctor' in_root someone "/home/someone/$folder/bin/pas2p doctor --format csv"
is "$(grep -c '^mpi,ok,\|^job,ok,' "$OUT")" 4 'finds both MPIs, and what is there for them'
# Moved to where nothing can be written, and whose name has a blank.
mkdir "$ROOT/srv/a share"
cp -R "$there" "$ROOT/srv/a share"
traces someone "'/srv/a share/$folder/bin/pas2p'" mpich
run_ok 'with a home that cannot be written' in_root someone "HOME=/nonexistent '/srv/a share/$folder/bin/pas2p' --plain /tmp/someone.mpich.clog2 </dev/null"
run_ok 'clocks are measured inside a job' in_root someone "/home/someone/$folder/bin/pas2p clocks --measure --seconds 1 -- mpiexec.mpich -n 2"

# What each part asks of the system, but for the MPI's own library.
if [ "$(uname -m)" = x86_64 ]; then
	for file in "$there"/bin/* "$there"/lib/pas2p/*; do
		is "$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -uV | sed 's/GLIBC_//' | awk -F. '$1 > 2 || $2 > 17' | xargs)" '' \
			"${file##*/} asks for nothing newer than the C library 2.17"
		# A loader that has found a library which has not the function that is asked for there looks no further.
		readelf -VW "$file" | awk '/File: / { file = $0; sub(/.*File: /, "", file); sub(/ .*/, "", file) } /Name: GLIBC_/ { print $NF, file }' >"$TMP/files"
		readelf --dyn-syms -W "$file" | sed -n 's/.* UND \(pthread_create\|pthread_join\|pthread_sigmask\|dl[a-z0-9]*\)@GLIBC_[0-9.]* (\([0-9]*\))$/\2 \1/p' >"$TMP/asked"
		is "$(awk 'NR == FNR { file[$1] = $2; next } { want = $2 ~ /^dl/ ? "libdl.so.2" : "libpthread.so.0"; if (file[$1] != want) print $2, file[$1] }' \
			"$TMP/files" "$TMP/asked")" '' "${file##*/} asks for threads and loading where they lay until 2.34"
		ok "${file##*/} does ask" test -s "$TMP/asked"
		is "$(objdump -p "$file" | sed -n 's/^ *NEEDED *//p' | grep -Ev '^lib(c|m|dl|pthread)\.so\.[0-9]$|^libmpi(ch)?\.so')" '' "${file##*/} asks for no other library"
	done
else
	skip 1 'what it asks for is known for x86-64'
fi
done_testing

#!/bin/sh
# A signature is taken to another machine by copying: it has another path there, belongs to another user, its work directory may
# be missing, and all of that must either work or be said. What counts is who could have written it: root's and one's own are
# run, others' and what others may change are not, until that is put right or trusted. docs/how-to/predict-machine.md says the same to people.
. t/lib/lib.sh
. t/lib/run_table.sh

mpi=
for kind in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$kind.so" ] && command -v "mpicc.$kind" >/dev/null && mpi=$kind
done
[ -n "$mpi" ] || skip_all 'there is no MPI here that pas2p was built for'
launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# Made here, with a program that is named from its directory.
base=$TMP/base
mkdir "$base"
steps_table 2 400 20 >"$base/steps.yaml"
"mpicc.$mpi" -w -O1 -o "$base/run_steps" t/preload/mpi/run_steps.c || bail_out "mpicc.$mpi does not work"
run_ok 'sign' sh -c 'cd "$1" && shift && exec "$@"' sh "$base" "$PAS2P" sign steps.yaml --mechanism replay -o run.sig -- "$launcher" -n 2 ./run_steps 400 50

# Another path, while the old one is there: it is where the program starts, and names on the command line stay the caller's.
target=$TMP/target
mkdir -p "$target/shared"
cp -r "$base/run.sig" "$target/moved.sig"
at() { # COMMAND...: in the target directory
	(cd "$target" && "$@")
}
run_ok 'under another path' at "$PAS2P" run moved.sig --control shared --timeout 20 -o result.yaml
like "$(cat "$ERR")" "^pas2p: directory  $base\$" 'it starts where it was signed'
ok 'the result is where the caller is' test -s "$target/result.yaml"
is "$(ls "$target/shared")$(ls -d "$base/shared" 2>/dev/null)" '' 'so was the control directory'

# The old place is gone, as on another machine.
mv "$base/run_steps" "$target/run_steps"
rm -r "$base"
rm "$target/result.yaml"
run_ok 'without its work directory' at "$PAS2P" run moved.sig --timeout 20
like "$(cat "$ERR")" "work directory does not exist here; the program runs in the current directory" 'which is said'
ok 'there is a result' test -s "$target/result.yaml"
run_fails 8 'without its program' "$PAS2P" run "$target/moved.sig" --timeout 20 -o "$target/none.yaml"

if [ "$(id -u)" -ne 0 ] || ! setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	skip 15 'only root can become another user'
	done_testing
fi
# Another user, with a pas2p where that one can reach it.
chmod 711 "$TMP"
mkdir "$TMP/pas2p"
cp -r "$PAS2P" "$(dirname "$PAS2P")/preload" "$TMP/pas2p"
mkdir "$TMP/theirs" "$TMP/theirs/control"
cp "$target/run_steps" "$TMP/theirs"
chown -R 65534:65534 "$TMP/theirs"
them() { # COMMAND...: as the other user, in a folder of theirs
	(cd "$TMP/theirs" && HOME=$TMP/theirs TMPDIR=$TMP/theirs exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@")
}
measure() { # ARGUMENT...
	them "$TMP/pas2p/pas2p" run --timeout 20 --control control "$@"
}
if ! them "$TMP/pas2p/pas2p" --version >/dev/null 2>&1; then
	skip 15 'the other user cannot run programs from here'
	done_testing
fi
chmod 711 "$target"
run_fails 3 "root's signature, which is private" measure "$target/moved.sig"
like "$(cat "$ERR")" 'cannot (read|open).*moved.sig.*Permission denied' 'says why'
chmod -R a+rX "$target/moved.sig"
run_ok "root's signature, to be read by all" measure "$target/moved.sig"
ok 'there is a result' test -s "$TMP/theirs/result.yaml"
chown -R 12345 "$target/moved.sig"
run_fails 2 "a third user's" measure "$target/moved.sig"
like "$(cat "$ERR")" 'moved.sig belongs to the user 12345: ' 'says whose'
like "$(cat "$ERR")" '^hint: .*--trust' 'and what to do'
run_ok 'trusted' measure --trust "$target/moved.sig"
them sh -c 'umask 077 && cp -r "$1" copy.sig' sh "$target/moved.sig"
run_ok 'copied: it is their own' measure copy.sig
unlike "$(cat "$ERR")" 'trust' 'there is nothing to say'
them sh -c 'umask 000 && cp -r "$1" open.sig && chmod -R a+w open.sig' sh "$target/moved.sig"
run_fails 2 'copied so that others may write to it' measure open.sig
like "$(cat "$ERR")" 'is writable by other users' 'says so'
them chmod -R go-w open.sig
run_ok 'put right by chmod' measure open.sig
is "$(ls "$TMP/theirs/control")" '' 'no control directory is left'
run_ok 'a job script, by the other user' measure --script slurm copy.sig
like "$(cat "$OUT")" "^cd $TMP/theirs " 'is for their directory'
done_testing

#!/bin/sh
# A signature says what is executed, and may come from anyone. So what it will execute is said before any of it is, also on
# demand alone (--dry-run); what others own, or may write to, needs --trust; and a signature, which holds the memory of
# processes, is its maker's alone. The launcher is a program like any other: asked for its version it may hang, or start what
# outlives it; nothing of it is left.
. t/lib/lib.sh
. t/lib/run_table.sh

mpi=
for kind in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$kind.so" ] && mpi=$kind
done
[ -n "$mpi" ] || skip_all 'there is no MPI here that pas2p was built for'
case $mpi in openmpi) says='mpirun (Open MPI) 4' ;; mpich) says='HYDRA build details:' ;; esac
steps_table 2 400 20 >"$TMP/steps.yaml"
mkdir "$TMP/work"
export TMPDIR="$TMP/work"

# A launcher that tells that it was called.
launcher() { # NAME COMMANDS...: what it does when asked
	launcher_name=$TMP/$1
	shift
	{
		echo '#!/bin/sh'
		echo "echo called >>'$TMP/called'"
		printf '%s\n' "$@"
		echo "echo '$says'"
	} >"$launcher_name"
	chmod +x "$launcher_name"
}

called() {
	[ -e "$TMP/called" ] && rm "$TMP/called"
}

# No process with this number that is not a zombie.
gone() {
	[ -n "$1" ] && ! grep -q '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null
}

launcher mpi ''
(umask 000 && "$PAS2P" sign "$TMP/steps.yaml" --mechanism replay -o "$TMP/own.sig" -- "$TMP/mpi" "it's" 'a b' run_steps "$(printf 'x\n\033[31m5')") \
	>"$OUT" 2>"$ERR" </dev/null
called
is "$(find "$TMP/own.sig" -printf '%m %f\n' | sort | xargs)" '600 command 600 signature.yaml 600 table.yaml 700 own.sig' \
	"a signature is its maker's alone, whatever the umask"

run_ok 'run --dry-run' "$PAS2P" run --dry-run "$TMP/own.sig"
ok 'calls nothing' test ! -e "$TMP/called"
like "$(cat "$ERR")" "^pas2p: command    $TMP/mpi 'it'\\\\''s' 'a b' run_steps \\\$'x\\\\n\\\\033\[31m5'\$" 'but says the words, each for itself, and safe'
like "$(cat "$ERR")" "^pas2p: directory  $PWD\$" 'and where'
like "$(cat "$ERR")" '^pas2p: mechanism  rerun, ' 'and how'
is "$(sh -c "set -- $(sed -n 's/^pas2p: command    //p' "$ERR" | sed "s/ run_steps.*//"); printf '%s|' \"\$@\"")" "$TMP/mpi|it's|a b|" \
	'a shell reads the same words'
is "$(cat "$OUT")" '' 'nothing of it goes to stdout'
ok 'no result is written' test ! -e result.yaml
run_ok 'run --dry-run of a table' "$PAS2P" run --dry-run "$TMP/steps.yaml" -- "$TMP/mpi" -n 2 'run steps'
like "$(cat "$ERR")" "^pas2p: command    $TMP/mpi -n 2 'run steps'\$" 'says its command'
ok 'and calls nothing' test ! -e "$TMP/called"
run_fails 2 'only run has it' "$PAS2P" sign --dry-run "$TMP/steps.yaml" -o "$TMP/y.sig" -- "$TMP/mpi" run_steps
run_fails 8 'run' "$PAS2P" run "$TMP/own.sig" -o "$TMP/result.yaml"
like "$(head -n 1 "$ERR")" '^pas2p: command ' 'says it too, first of all'
ok 'and calls the launcher' called
"$PAS2P" run -q "$TMP/own.sig" -o "$TMP/result.yaml" >"$OUT" 2>"$ERR" </dev/null
unlike "$(cat "$ERR")" '^pas2p: command' 'but not with -q'
called

refused() { # WHAT SENTENCE
	run_fails 2 "$1" "$PAS2P" run "$TMP/theirs.sig" -o "$TMP/result.yaml"
	like "$(cat "$ERR")" "$2" "$1: says why"
	like "$(cat "$ERR")" '^hint: .*--trust' "$1: and how to insist"
	ok "$1: nothing is called" test ! -e "$TMP/called"
	run_ok "$1: --dry-run" "$PAS2P" run --dry-run "$TMP/theirs.sig"
	like "$(cat "$ERR")" "$2" "$1: --dry-run says so too"
	run_fails 8 "$1: --trust" "$PAS2P" run --trust "$TMP/theirs.sig" -o "$TMP/result.yaml"
	ok "$1: with it, it is run" called
	rm -rf "$TMP/theirs.sig"
}

cp -r "$TMP/own.sig" "$TMP/theirs.sig"
chmod 770 "$TMP/theirs.sig"
refused 'others may write to the folder' 'theirs.sig is writable by other users'
for part in command signature.yaml table.yaml; do
	cp -r "$TMP/own.sig" "$TMP/theirs.sig"
	chmod 666 "$TMP/theirs.sig/$part"
	refused "others may write to $part" "$part of .*theirs.sig is writable by other users"
done
cp -r "$TMP/own.sig" "$TMP/theirs.sig"
mkdir -p "$TMP/theirs.sig/cut-0/images"
touch "$TMP/theirs.sig/cut-0/images/core-1.img"
chmod 622 "$TMP/theirs.sig/cut-0/images/core-1.img"
refused 'others may write to an image' 'core-1.img of .*theirs.sig is writable by other users'
if [ "$(id -u)" -eq 0 ]; then
	cp -r "$TMP/own.sig" "$TMP/theirs.sig"
	chown 12345 "$TMP/theirs.sig"
	refused "another user's folder" 'theirs.sig belongs to the user 12345'
	cp -r "$TMP/own.sig" "$TMP/theirs.sig"
	chown 12345 "$TMP/theirs.sig/command"
	refused "another user's command in one's own folder" 'command of .*theirs.sig belongs to the user 12345'
	# Copies of the job's files keep their owners. Nobody else can come near them.
	cp -r "$TMP/own.sig" "$TMP/mine.sig"
	mkdir -p "$TMP/mine.sig/cut-0/files/work"
	chown 12345 "$TMP/mine.sig/cut-0/files/work"
	run_ok "what the job's files were is no matter in a private signature" "$PAS2P" run --dry-run "$TMP/mine.sig"
	unlike "$(cat "$ERR")" '12345' 'it is trusted'
	chmod 755 "$TMP/mine.sig"
	run_fails 2 'but in an open one it is' "$PAS2P" run "$TMP/mine.sig" -o "$TMP/result.yaml"
else
	skip 17 'only root can give files away'
fi
cp -r "$TMP/own.sig" "$TMP/theirs.sig"
mv "$TMP/theirs.sig/command" "$TMP/elsewhere"
ln -s "$TMP/elsewhere" "$TMP/theirs.sig/command"
run_fails 3 'a command behind a link' "$PAS2P" run "$TMP/theirs.sig"
like "$(cat "$ERR")" 'command is a link, not a regular file' 'says so'
ok 'and is not followed' test ! -e "$TMP/called"

# What the launcher starts when it is only asked.
sign() {
	"$PAS2P" sign "$TMP/steps.yaml" --mechanism replay -o "$TMP/z.sig" -- "$@" run_steps
}
stray='setsid sh -c "trap \"\" TERM HUP; echo \$\$ >'"'$TMP/stray'"'; while :; do sleep 1; done"'
launcher strays "($stray) </dev/null >/dev/null 2>&1 &" "until [ -s '$TMP/stray' ]; do sleep 0.1; done"
run_ok 'a launcher that leaves something behind' sign "$TMP/strays"
ok 'it was asked' called
ok 'nothing of it is left' gone "$(cat "$TMP/stray")"
rm -rf "$TMP/stray" "$TMP/z.sig"
launcher holds "($stray) </dev/null &" "until [ -s '$TMP/stray' ]; do sleep 0.1; done"
run_ok 'one whose child holds on to its output' sign "$TMP/holds"
ok 'nothing is left of that' gone "$(cat "$TMP/stray")"
rm -rf "$TMP/stray" "$TMP/z.sig"
launcher floods 'yes' ''
run_fails 2 'one that does not stop talking' sign "$TMP/floods"
like "$(cat "$ERR")" 'cannot determine whether .* belongs to' 'is none'

launcher hangs "$stray"
for signal in INT TERM KILL; do
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV or die' "$PAS2P" sign "$TMP/steps.yaml" --mechanism replay -o "$TMP/z.sig" -- \
		"$TMP/hangs" run_steps >"$OUT" 2>"$ERR" </dev/null &
	runner=$!
	wait_until test -s "$TMP/stray"
	kill -s "$signal" "$runner"
	wait "$runner" 2>/dev/null
	is $? "$(case $signal in INT) echo 130 ;; TERM) echo 143 ;; KILL) echo 137 ;; esac)" "$signal while a launcher hangs ends it"
	[ "$signal" != KILL ] || wait_until gone "$(cat "$TMP/stray")"
	ok "nothing of the launcher is left after $signal" gone "$(cat "$TMP/stray")"
	rm -rf "$TMP/stray" "$TMP"/z.sig.partial-*
done

done_testing

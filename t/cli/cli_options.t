#!/bin/sh
# The command line says what is wrong with it instead of guessing: exit 2 with the reason and the usage on
# stderr, nothing on stdout, and the nearest right word for a wrong one. Help fits a screen, comes from the same
# tables, and its examples work as printed. All this must hold, since scripts rely on it and people learn from it.
. t/lib/lib.sh

trace=sample-traces/ep.S.4.clog2
XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

refused() { # NAME WHAT-IT-SAYS ARGUMENT...
	name=$1
	says=$2
	shift 2
	run_fails 2 "$name: usage error" "$PAS2P" "$@"
	is "$(cat "$OUT")" '' "$name: nothing on stdout"
	like "$(head -n 1 "$ERR")" "^pas2p: .*$says" "$name: says why"
	like "$(cat "$ERR")" '^usage: pas2p' "$name: shows the usage"
}

refused 'no argument' 'no trace'
refused 'no file' 'no trace' info
refused 'unknown option' 'no option --nonsense$' info --nonsense "$trace"
refused 'misspelt option' 'did you mean --relevance' phases --relevence 5% "$trace"
refused 'swapped letters' 'did you mean --format' phases --fromat csv "$trace"
refused 'unknown letter' 'no option -x' info -x "$trace"
refused 'no abbreviation' 'no option --relev' phases --relev 5% "$trace"
refused 'value missing' 'needs a value' phases "$trace" --volume
refused 'value missing after a letter' 'needs a value' phases "$trace" -o
refused 'value not wanted' 'takes no value' bbps --leaders=yes "$trace"
refused 'unknown format' 'did you mean yaml' info --format ymal "$trace"
refused 'empty output name' 'empty' info --output= "$trace"
refused 'empty file name' "a file's name is empty" info ''
refused 'empty name of one of several files' "a file's name is empty" compare "$trace" ''
refused 'empty name of a table' "a file's name is empty" run '' -- mpirun true
refused 'empty name of a trace for the workbench' "a file's name is empty" ''
refused 'empty name of what is to be started' 'after -- is empty' trace -- ''
refused 'an option of another command' 'cannot be used with info' info --match x "$trace"
refused 'a format for what has no listing' 'cannot be used with sign' sign --format json table.yaml -o signature -- true
refused 'an option of the commands only' 'cannot be used with the workbench' --match x "$trace"
refused 'share out of range' 'volume' phases --volume 101% "$trace"
refused 'share that is none' 'volume' phases --volume 5k "$trace"
refused 'choice that is none' 'lamport' phases --order linear "$trace"
refused 'count that is none' 'warmup' phases --warmup-sends -1 "$trace"
refused 'threads that are none' 'threads' info --threads many "$trace"
refused 'pattern that is none' 'match' events --match '(' "$trace"
refused 'misspelt command' "did you mean 'phases'" phase "$trace"
refused 'escape bytes in an option' 'no option' info "--$(printf 'a\033[31mb')" "$trace"
ok 'escape bytes are not passed on' sh -c '! grep -q "$(printf "\033")" "$1"' sh "$ERR"
refused 'the trace as output' 'is what is read: give the output another name' info -o "$trace" "$trace"
refused 'one phase table cannot be matched' 'match' phases --format yaml --match x "$trace"

run_ok 'plain' "$PAS2P" events --format csv --order lamport "$trace"
cp "$OUT" "$TMP/plain"
for form in "events --format=csv --order=lamport $trace" "$trace" "events -fcsv --order lamport $trace" \
	"events -f csv $trace --order lamport" "--format csv events --order lamport -- $trace" \
	"events -qfcsv --order lamport $trace" "--order lamport --format csv events $trace"; do
	case $form in "$trace") continue ;; esac
	# shellcheck disable=SC2086
	run_ok "as good: pas2p $form" "$PAS2P" $form
	ok "  and the same" cmp "$OUT" "$TMP/plain"
done
cp "$trace" "$TMP/info"
run_ok 'a file with the name of a command, as a path' "$PAS2P" info "$TMP/info"
cp "$trace" "$TMP/--help"
run_ok 'a file with the name of an option' sh -c 'cd "$1" && "$PAS2P" info -q -- --help' sh "$TMP"

run_ok 'help' "$PAS2P" --help
is "$(cat "$ERR")" '' 'help goes to stdout'
ok 'help and a prompt below it are at most 24 lines' test "$(wc -l <"$OUT")" -le 23
like "$(cat "$OUT")" '^Options and exit codes: see pas2p COMMAND --help and pas2p' 'which say where options and exit codes are'
is "$(awk 'length > 80' "$OUT")" '' 'of at most 80 columns'
for command in info events bbps phases check; do
	like "$(cat "$OUT")" "^  (.*  )?$command  " "help names $command"
done
grep '^Example: ' "$OUT" >"$TMP/examples"
for command in info events bbps phases check; do
	run_ok "help of $command" "$PAS2P" "$command" --help
	is "$(awk 'length > 80' "$OUT")" '' "help of $command: at most 80 columns"
	like "$(cat "$OUT")" '^  --warmup-seconds SECONDS' "help of $command: analysis settings"
	example=$(sed -n 's/^Example: pas2p //p' "$OUT")
	run_fails "$([ "$command" = check ] && echo 1 || echo 0)" "example of $command: pas2p $example" \
		sh -c "\"\$PAS2P\" $example"
	ok "example of $command: has output" test -s "$OUT"
done
run_ok 'version' "$PAS2P" --version
like "$(cat "$OUT")" '^pas2p [0-9]+\.[0-9]+' 'version is one'
like "$(cat "$OUT")" '^reads +CLOG2' 'and says which formats are read'
like "$(cat "$OUT")" '^writes +[a-z].*prv' 'and written'
for library in otf2:OTF2 zlib:gzip liblzma:xz libzstd:zstd; do
	name=${library#*:}
	is "$(grep -cw "$name" "$OUT")" 1 "and once, whether $name is there"
done
run_fails 6 'help to a full disk' sh -c '"$PAS2P" --help >/dev/full'

# As commands, too.
for command in phases help ''; do
	run_ok "help $command" "$PAS2P" help $command
	cp "$OUT" "$TMP/help"
	"$PAS2P" $command --help >"$TMP/option"
	ok "is what --help prints: $command" cmp "$TMP/help" "$TMP/option"
done
run_ok 'version' "$PAS2P" version
is "$(cat "$OUT")" "$("$PAS2P" --version)" 'is what --version prints'
refused 'help of no command' "there is no command phse; did you mean 'phases'" help phse
refused 'help of two' 'help takes one command' help phases plan
refused 'a misspelt version' "did you mean 'version'" verion

# A launch command without "--" in front of it: the command as it should be, ready to be pasted.
refused 'trace: no --' "trace: -- belongs before the program: $PAS2P trace -- mpirun -np 2 './my app'$" trace mpirun -np 2 './my app'
refused 'trace: no --, with options' "$PAS2P trace -o x\.clog2 -- mpirun -np 2 \./app$" trace -o x.clog2 mpirun -np 2 ./app
refused 'run: no --' "run: -- belongs before the program: $PAS2P run t\.yaml -- mpirun -np 2 \./app$" run t.yaml mpirun -np 2 ./app
refused 'sign: no --' "$PAS2P sign t\.yaml -o t\.sig -- mpirun \./app$" sign t.yaml -o t.sig mpirun ./app
refused 'run: no table either' "run: a table and -- belong before the program: $PAS2P run TABLE -- ls -np 2 \./app$" run ls -np 2 ./app
refused 'sign: no table either' "$PAS2P sign -o s TABLE -- ls -np 2 \./app$" sign -o s ls -np 2 ./app
refused 'run: a table that is not there' "$PAS2P run no\.yaml -- ls -np 2 \./app$" run no.yaml ls -np 2 ./app
refused 'trace: a program that takes -- itself' "$PAS2P trace -- mpirun -np 2 \./app -- x$" trace mpirun -np 2 ./app -- x
refused 'trace: no launcher either' 'trace: the launch command goes after --, as in: pas2p trace -- mpirun -np 2 program$' trace -np 2 ./app
refused 'run: no launcher either' 'the launch command goes after --, as in: pas2p run TABLE -- mpirun -np 2 program$' run t.yaml -np 2 ./app
refused 'clocks: no --' "clocks: -- belongs before the program" clocks --measure mpirun -np 2
refused 'too long to be shown whole' 'trace: -- belongs before the program$' trace mpirun "$(printf '%600s' x)"

# A file of another kind than is expected: what it is, and what would do.
says() { # NAME FIRST-LINE HINT ARGUMENT...
	name=$1
	first=$2
	hint=$3
	shift 3
	run_fails 2 "$name" "$PAS2P" "$@"
	is "$(head -n 1 "$ERR")" "pas2p: $first" "$name: says what it is"
	[ -z "$hint" ] || is "$(sed -n 2p "$ERR")" "hint: $hint" "$name: and what would do"
}
result=t/runner/results/lu.S.4.laptop.yaml
says 'run of a trace' "run: $trace is a trace; expected a phase table or a signature" "$PAS2P phases --format yaml -o table.yaml $trace" run "$trace"
says 'run of a trace with a command' "run: $trace is a trace; expected a phase table or a signature" '' run "$trace" -- mpirun -np 4 ./ep.S.4
says 'run of a result' "run: $result is a result; expected a phase table or a signature" '' run "$result"
says 'run of an archive' 'run: sample-traces/nonblock.4.otf2 is a trace; expected a phase table or a signature' '' run sample-traces/nonblock.4.otf2 -- x
says 'sign of a trace' "sign: $trace is a trace; expected a phase table" "$PAS2P phases --plan 5% --format yaml -o table.yaml $trace" sign "$trace" -o s -- x
says 'compare of a result and a trace' "compare: $trace is a trace; expected results of 'pas2p run'" "$PAS2P report -o report.html $trace" compare "$result" "$trace"
says 'a trace as a machine' "--machine: $trace is a trace; expected a machine" '' predict sample-models/matmul.yaml --machine "$trace"
says 'compare of a trace' "compare: $trace is a trace; expected results of 'pas2p run'" "$PAS2P report -o report.html $trace" compare "$trace"
says 'compare of traces' "compare: $trace is a trace; expected results of 'pas2p run'" "$PAS2P metrics $trace $trace" compare "$trace" "$trace"
says 'predict of a trace' "predict: $trace is a trace; expected a model" '' predict "$trace"
says 'predict of a machine' 'predict: sample-models/celeron-16.yaml is a machine; expected a model' '' predict sample-models/celeron-16.yaml
refused 'predict without a machine' 'expected a function send\(bytes\) in the model, or a machine, and no machine is given \(--machine FILE\)' predict sample-models/matmul.yaml
refused 'predict without a machine for operations' "operation 'mpy_double': expected a machine that has it, and none is given" predict sample-models/pi.yaml

done_testing

#!/bin/sh
# The command line says what is wrong with it instead of guessing: exit 2 with the reason and the usage on
# stderr, nothing on stdout, and the nearest right word for a wrong one. Help fits a screen, help of a command 40 lines;
# both come from the same tables, and their examples work as printed. Older spellings are understood and not shown. All
# this must hold, since scripts rely on it and people learn from it.
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
	like "$(grep -v '^usage: \|^       ' "$ERR" | paste -sd '|')" "^pas2p: .*$says" "$name: says why"
	like "$(cat "$ERR")" '^usage: pas2p' "$name: shows the usage"
}

refused 'no argument' 'no trace given'
refused 'no file' 'no trace given' info
refused 'unknown option' '--nonsense: unknown option$' info --nonsense "$trace"
refused 'misspelt option' '--relevence: unknown option\|hint: did you mean --relevance\?$' phases --relevence 5% "$trace"
refused 'swapped letters' 'did you mean --format' phases --fromat csv "$trace"
refused 'unknown letter' '-x: unknown option$' info -x "$trace"
refused 'no abbreviation' '--relev: unknown option' phases --relev 5% "$trace"
refused 'value missing' '--volume: the value is missing: expected --volume SHARE$' phases "$trace" --volume
refused 'value missing after a letter' '-o: the value is missing: expected -o FILE$' phases "$trace" -o
refused 'value not wanted' "--leaders takes no value, found 'yes'" blocks --leaders=yes "$trace"
refused 'unknown format' 'expected table, csv, json or yaml\|hint: did you mean yaml\?$' info --format ymal "$trace"
refused 'empty output name' 'empty' info --output= "$trace"
refused 'empty file name' 'expected a file name, found an empty argument' info ''
refused 'empty name of one of several files' 'expected a file name, found an empty argument' compare "$trace" ''
refused 'empty name of a table' 'expected a file name, found an empty argument' run '' -- mpirun true
refused 'empty name of a trace for the workbench' 'expected a file name, found an empty argument' ''
refused 'empty name of what is to be started' 'expected a launch command after --, found an empty argument' trace -- ''
refused 'an option of another command' '--match: not an option of pas2p info\|hint: commands with --match: phases, events, blocks$' info --match x "$trace"
refused 'a format for what has no listing' '--format: not an option of pas2p sign\|hint: commands with --format: ' sign --format json table.yaml -o signature -- true
refused 'an option of the commands only' '--match needs a command in front of the trace\|hint: commands with --match: phases, events, blocks$' --match x "$trace"
refused 'share out of range' 'volume' phases --volume 101% "$trace"
refused 'share that is none' 'volume' phases --volume 5k "$trace"
refused 'choice that is none' 'lamport' phases --order linear "$trace"
refused 'count that is none' 'warmup' phases --warmup-sends -1 "$trace"
refused 'threads that are none' 'threads' info --threads many "$trace"
refused 'pattern that is none' 'match' events --match '(' "$trace"
refused 'misspelt command' "did you mean 'phases'" phase "$trace"
refused 'escape bytes in an option' 'unknown option' info "--$(printf 'a\033[31mb')" "$trace"
ok 'escape bytes are not passed on' sh -c '! grep -q "$(printf "\033")" "$1"' sh "$ERR"
refused 'the trace as output' 'is an input: give the output another name' info -o "$trace" "$trace"
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

# Help of the program is a screen of 80x24, and help of a command 40 lines; what is not on them is in the man pages.
names=$(sed -n 's/^COMMAND([A-Z_]*, "\([a-z][a-z-]*\)".*/\1/p' src/cli/commands.def)
run_ok 'help' "$PAS2P" --help
is "$(cat "$ERR")" '' 'help goes to stdout'
ok 'help and a prompt below it are at most 24 lines' test "$(wc -l <"$OUT")" -le 23
is "$(awk 'length > 80' "$OUT")" '' 'of at most 80 columns'
for command in $names; do
	like "$(cat "$OUT")" "(^|[ ,])$command([, ]|$)" "help names $command"
done
like "$(cat "$OUT")" '^  pas2p sample-traces/lu.S.4.clog2 +look at a run$' 'help has examples'
like "$(cat "$OUT")" '^Analyse    metrics   efficiency, waiting, scaling$' 'commands stand in groups'
cp "$OUT" "$TMP/top"
for topic in settings options keys exit-status glossary; do
	run_ok "help $topic" "$PAS2P" help "$topic"
	is "$(awk 'length > 80' "$OUT")" '' "help $topic: at most 80 columns"
	ok "help $topic: is a page" test "$(wc -l <"$OUT")" -gt 20
done
for command in $names; do
	run_ok "help of $command" "$PAS2P" "$command" --help
	ok "$command: at most 40 lines" test "$(wc -l <"$OUT")" -le 40
	is "$(awk 'length > 80' "$OUT")" '' "$command: at most 80 columns"
	like "$(head -n 1 "$OUT")" "^Usage: pas2p $command \[OPTION" "$command: its usage"
	like "$(cat "$OUT")" '^Common options \(pas2p help options\):$' "$command: the common options in a line"
	like "$(cat "$OUT")" '^See also: pas2p ' "$command: where to look next"
	cp "$OUT" "$TMP/short"
	run_ok "the page of $command" "$PAS2P" help "$command"
	is "$(awk 'length > 80' "$OUT")" '' "  at most 80 columns"
	is "$(grep -oE -e '^ +(-[a-zA-Z], )?--[a-z-]+' "$TMP/short" | grep -oE -e '--[a-z-]+' | while read -r option; do
		grep -qE -e "^    (-[a-zA-Z], )?$option\b" "$OUT" || echo "$option"
	done)" '' '  with all options of the help'
	sed -n '/^Examples:/,/^See also/s/^  pas2p //p' "$TMP/short" >"$TMP/examples"
	ok "  with examples" test -s "$TMP/examples"
done

# Examples of the tables work in a folder of their own, but for those that launch a job.
cp -R sample-traces sample-models sample-studies "$TMP"
sed -n 's/^EXAMPLE("[^"]*", "\(.*\)")$/\1/p' src/cli/pages/[!w]*.def >"$TMP/examples"
ok 'there are examples' test "$(wc -l <"$TMP/examples")" -gt 40
while read -r example <&3; do
	case $example in
	*' -- '* | 'run '* | 'machine '*) continue ;; # launches
	--tutorial) continue ;;
	*'--to otf2'*) "$PAS2P" --version | grep -q '^writes.*otf2' || continue ;;
	esac
	(cd "$TMP" && eval "\"\$PAS2P\" $example") >"$OUT" 2>"$ERR" 3<&-
	status=$?
	case $example in check\ * | clocks\ * | diff\ * | doctor*) [ $status -eq 1 ] && status=0 ;; esac
	is "$status" 0 "example: pas2p $example"
	case $example in *' -o '*) continue ;; esac
	ok '  has output' test -s "$OUT"
done 3<"$TMP/examples"

# Older spellings.
same() { # NAME, then words up to --, then those that mean the same
	name=$1 old=
	shift
	while [ "$1" != -- ]; do old="$old $1" && shift; done
	shift
	# shellcheck disable=SC2086  # words
	"$PAS2P" $old >"$TMP/old" 2>&1
	"$PAS2P" "$@" >"$TMP/new" 2>&1
	ok "$name: the same" cmp "$TMP/old" "$TMP/new"
}
same '--bar' metrics --bar 90% "$trace" -- metrics --goal 90% "$trace"
same '--by program' metrics --by program "$trace" -- metrics --by run "$trace"
same '--by process' metrics --by process "$trace" -- metrics --by rank "$trace"
same '--by state' metrics --by state "$trace" -- metrics --by callpath "$trace"
same 'clocks --by process' clocks --by process sample-traces/coll.6.clog2 -- clocks --by rank sample-traces/coll.6.clog2
same 'bbps' bbps "$trace" -- blocks "$trace"
same 'phases --plan' phases --plan=90% --restore 1e-4 sample-traces/cg.S.4.clog2 -- phases --budget=90% --restore 1e-4 sample-traces/cg.S.4.clog2
same '--mechanism replay' run --mechanism replay no.yaml -- run --mechanism rerun no.yaml
cat "$TMP/top" >"$TMP/shown"
for command in $names; do
	"$PAS2P" "$command" --help
	"$PAS2P" help "$command"
done >>"$TMP/shown"
is "$(grep -E -e '--(bar|plan)\b|\bbbps\b|[a-z] or replay|program, process' "$TMP/shown" | head -n 3)" '' 'help does not show them'
refused 'a word like an older one' 'expected run, rank, callpath, phase, pattern or cause\|hint: did you mean phase\?$' metrics --by phas "$trace"
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
run_ok 'help without a command' "$PAS2P" help
ok 'is what --help prints' cmp "$OUT" "$TMP/top"
run_ok 'help of a command by its older name' "$PAS2P" help bbps
like "$(cat "$OUT")" '^    pas2p-blocks - ' 'is that of today'
run_ok 'help of metrics' "$PAS2P" help metrics
for key in runtime parallel_efficiency load_balance transfer_efficiency; do
	like "$(cat "$OUT")" "^    ([a-z_, ]*, )?$key(,| |$)" "lists $key"
done
run_ok 'version' "$PAS2P" version
is "$(cat "$OUT")" "$("$PAS2P" --version)" 'is what --version prints'
refused 'help of no command' "unknown command or topic 'phse'\|hint: did you mean 'phases'\?$" help phse
refused 'help of no topic' "unknown command or topic 'setings'\|hint: did you mean 'settings'\?$" help setings
refused 'help of nothing near' "unknown command or topic 'bogus'\|hint: topics: settings, options, keys, exit-status, glossary$" help bogus
refused 'help of two' 'help: expected one command or topic, found several' help phases plan
refused 'a misspelt version' "did you mean 'version'" verion

# On a terminal the page is opened by man, which is one of ours here: it says what it was given.
mkdir "$TMP/bin"
printf '#!/bin/sh\necho "man $*"\n' >"$TMP/bin/man"
chmod +x "$TMP/bin/man"
if command -v script >/dev/null; then
	on_terminal() { # ARGUMENT...
		PATH=$TMP/bin:$PATH script -qec "$PAS2P $*" /dev/null </dev/null | tr -d '\r'
	}
	like "$(on_terminal help phases)" '^man .*man/pas2p-phases\.1$' 'on a terminal man opens the page'
	like "$(on_terminal help settings | head -n 1)" '^    Settings determine' 'topics are text there, too'
	rm "$TMP/bin/man"
	mkdir "$TMP/bin/man"
else
	skip 2 'no script'
fi

# A launch command without "--" in front of it: the command as it should be, ready to be pasted.
refused 'trace: no --' "trace: expected -- in front of the launch command\|hint: $PAS2P trace -- mpirun -np 2 './my app'$" trace mpirun -np 2 './my app'
refused 'trace: no --, with options' "$PAS2P trace -o x\.clog2 -- mpirun -np 2 \./app$" trace -o x.clog2 mpirun -np 2 ./app
refused 'run: no --' "run: expected -- in front of the launch command\|hint: $PAS2P run t\.yaml -- mpirun -np 2 \./app$" run t.yaml mpirun -np 2 ./app
refused 'sign: no --' "$PAS2P sign t\.yaml -o t\.sig -- mpirun \./app$" sign t.yaml -o t.sig mpirun ./app
refused 'run: no table either' "run: expected a table and -- in front of the launch command\|hint: $PAS2P run TABLE -- ls -np 2 \./app$" run ls -np 2 ./app
refused 'sign: no table either' "$PAS2P sign -o s TABLE -- ls -np 2 \./app$" sign -o s ls -np 2 ./app
refused 'run: a table that is not there' "$PAS2P run no\.yaml -- ls -np 2 \./app$" run no.yaml ls -np 2 ./app
refused 'trace: a program that takes -- itself' "$PAS2P trace -- mpirun -np 2 \./app -- x$" trace mpirun -np 2 ./app -- x
refused 'trace: no launcher either' "trace: expected -- in front of the launch command, found '2'\|hint: pas2p trace -- mpirun -np 2 program$" trace -np 2 ./app
refused 'run: no launcher either' 'hint: pas2p run TABLE -- mpirun -np 2 program$' run t.yaml -np 2 ./app
refused 'clocks: no --' "clocks: expected -- in front of the launch command" clocks --measure mpirun -np 2
refused 'too long to be shown whole' 'trace: expected -- in front of the launch command$' trace mpirun "$(printf '%600s' x)"

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
says 'sign of a trace' "sign: $trace is a trace; expected a phase table" "$PAS2P phases --budget 5% --format yaml -o table.yaml $trace" sign "$trace" -o s -- x
says 'compare of a result and a trace' "compare: $trace is a trace; expected results of 'pas2p run'" "$PAS2P report -o report.html $trace" compare "$result" "$trace"
says 'a trace as a machine' "--machine: $trace is a trace; expected a machine" '' predict sample-models/matmul.yaml --machine "$trace"
says 'compare of a trace' "compare: $trace is a trace; expected results of 'pas2p run'" "$PAS2P report -o report.html $trace" compare "$trace"
says 'compare of traces' "compare: $trace is a trace; expected results of 'pas2p run'" "$PAS2P metrics $trace $trace" compare "$trace" "$trace"
says 'predict of a trace' "predict: $trace is a trace; expected a model" '' predict "$trace"
says 'predict of a machine' 'predict: sample-models/celeron-16.yaml is a machine; expected a model' '' predict sample-models/celeron-16.yaml
refused 'predict without a machine' 'the model has no function send\(bytes\), and no machine is given' predict sample-models/matmul.yaml
refused 'predict without a machine for operations' "operation 'mpy_double': no machine is given" predict sample-models/pi.yaml

done_testing

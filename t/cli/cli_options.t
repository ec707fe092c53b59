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
refused 'an option of the commands only' 'cannot be used with the workbench' --format csv "$trace"
refused 'share out of range' 'volume' phases --volume 101% "$trace"
refused 'share that is none' 'volume' phases --volume 5k "$trace"
refused 'choice that is none' 'lamport' phases --order linear "$trace"
refused 'count that is none' 'warmup' phases --warmup-sends -1 "$trace"
refused 'threads that are none' 'threads' info --threads many "$trace"
refused 'pattern that is none' 'match' events --match '(' "$trace"
refused 'misspelt command' "did you mean 'phases'" phase "$trace"
refused 'escape bytes in an option' 'no option' info "--$(printf 'a\033[31mb')" "$trace"
ok 'escape bytes are not passed on' sh -c '! grep -q "$(printf "\033")" "$1"' sh "$ERR"
refused 'the trace as output' 'the trace itself' info -o "$trace" "$trace"
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

done_testing

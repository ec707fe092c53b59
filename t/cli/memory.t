#!/bin/sh
# --memory and --scratch: what is printed is the same with a limit and without; a folder that is full, or none, ends with a sentence;
# nothing stays in it, however the program ends.
. t/lib/lib.sh

scratch=$TMP/scratch
mkdir "$scratch"
traces=sample-traces/lu.S.4.clog2
large=t/traces/large
# Compressed ones need liblzma.
"$PAS2P" info $large/cg.W.8.clog2.xz >/dev/null 2>&1 && packed=yes || packed=
[ -z "$packed" ] || traces="$traces $large/cg.W.8.clog2.xz"
for trace in $traces; do
	for command in 'phases --format yaml' 'phases --similarity bbp --format json' 'check' 'info' 'metrics'; do
		run_ok "$command ${trace##*/}" "$PAS2P" $command "$trace"
		cp "$OUT" "$TMP/whole"
		run_ok 'with a limit' "$PAS2P" $command --memory 16M --scratch "$scratch" "$trace"
		ok 'the same bytes' cmp -s "$OUT" "$TMP/whole"
	done
done
is "$(ls -A "$scratch")" '' 'nothing stays in the folder'

run_ok 'by a config file' sh -c "printf 'memory: 16M\nscratch: %s\n' '$scratch' >'$TMP/c.yaml'; '$PAS2P' info --config '$TMP/c.yaml' $trace"
printf 'memory: much\n' >"$TMP/c.yaml"
run_fails 2 'a config file that says nonsense' "$PAS2P" info --config "$TMP/c.yaml" "$trace"
like "$(cat "$ERR")" "memory in the config file is 'much': expected bytes" 'says what is expected'
for wrong in 1M -5 1X G ''; do
	run_fails 2 "--memory '$wrong'" "$PAS2P" info --memory "$wrong" "$trace"
done
run_fails 2 'a folder that is not there' "$PAS2P" info --memory 64M --scratch "$TMP/none" "$trace"
like "$(cat "$ERR")" 'cannot use the scratch folder .*/none: No such file' 'is said'

# A full disk, played by the largest file that the shell allows: no block that spills fits.
if [ -n "$packed" ]; then
	run_fails 7 'a full folder' sh -c "ulimit -f 100; trap '' XFSZ; exec '$PAS2P' phases -q --memory 16M --scratch '$scratch' $large/lu.W.8.clog2.xz"
	like "$(cat "$ERR")" 'not enough space for .* in the scratch folder .*: File too large' 'is said'
	is "$(ls -A "$scratch")" '' 'and nothing stays'
	"$PAS2P" phases --memory 16M --scratch "$scratch" $large/lu.W.8.clog2.xz >/dev/null 2>&1 &
	kill -9 $!
	wait $! 2>/dev/null
	is "$(ls -A "$scratch")" '' 'nor when it is killed'
fi
done_testing

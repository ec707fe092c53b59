#!/bin/sh
# Runs each batch command that reads traces under valgrind, over the sample traces: tools/valgrind-commands.sh PROGRAM
# tools/sanitized.sh looks at what valgrind reports; what a command prints, and that some cannot read a cut trace, is for the tests.
set -u

program=$1
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
run=0
failed=0
look() {
	run=$((run + 1))
	valgrind "$program" "$@" </dev/null >/dev/null 2>&1
	status=$?
	# 126 and more: it was not started, or died of a signal.
	[ "$status" -lt 99 ] || { failed=$((failed + 1)); echo "exit status $status: pas2p $*" >&2; }
}

for trace in sample-traces/*.clog2 sample-traces/*.otf2 sample-traces/*.prv; do
	look --no-config "$trace"
	for command in info events bbps phases plan check clocks report \
		'metrics' 'metrics --by process' 'metrics --by cause' 'metrics --by state' 'metrics --by phase' 'metrics --by pattern' \
		'phases --format yaml' 'metrics --format json' 'convert --to clog2' 'convert --to prv' 'convert --to otf2'; do
		case $command in
		convert*) to="-o $out/${command##* }" ;;
		report) to="-o $out/page.html" ;;
		*) to= ;;
		esac
		rm -rf "${out:?}"/*
		# shellcheck disable=SC2086  # its words
		look $command -q --no-config $to "$trace"
	done
done
for pair in 'sample-traces/cg.S.4.clog2 sample-traces/lu.S.4.clog2' 'sample-traces/nonblock.4.clog2 sample-traces/nonblock.4.prv'; do
	# shellcheck disable=SC2086
	look diff -q --no-config $pair
	# shellcheck disable=SC2086
	look study -q --no-config $pair
done
echo "valgrind: $run commands over the sample traces"
[ "$failed" -eq 0 ]

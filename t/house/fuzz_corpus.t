#!/bin/sh
# What fuzzing reached and once broke stays unbroken: each fuzz target reads its whole committed corpus, with the checks that it
# makes when it is fuzzed. They are built by the ordinary compiler, so this needs neither clang nor libFuzzer.
. t/lib/lib.sh

: "${FUZZ_REPLAY:=$PWD/build/fuzz-replay}"
total=0
for corpus in fuzz/corpus/*/; do
	target=$(basename "$corpus")
	set -- "$corpus"*
	ok "$target has a corpus" test -e "$1"
	run_ok "$target survives its corpus" "$FUZZ_REPLAY/$target" "$@"
	is "$(cat "$OUT")" "$#" "$target has read all $# files"
	total=$((total + $#))
done
is "$(find fuzz/corpus -mindepth 1 -maxdepth 1 | wc -l)" "$(sed -n 's/^FUZZ *:= //p' fuzz/fuzz.mk | wc -w)" \
	'each target has a corpus'
size=$(du -sk --apparent-size fuzz/corpus | cut -f1)
ok "the corpus is small ($size KiB)" test "$size" -lt 1024
done_testing

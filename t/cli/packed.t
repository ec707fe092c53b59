#!/bin/sh
# Compressed traces are given as they are: what they hold is read, whatever they are called, and what is wrong with them is said in one
# sentence, with the exit code that says whether there is a result. Where no trace is inside, that is said at once, however much
# there would be to decompress. What is foreign is told with what to give instead.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
trace=$PWD/sample-traces/cg.S.4.clog2
huge=$PWD/fuzz/corpus/unpack/long_zst
cd "$TMP" || exit 1

refused() { # STATUS NAME ERE FILE
	run_fails "$1" "$2" "$PAS2P" info "$4"
	like "$(cat "$ERR")" "$3" "$2: says so"
	is "$(grep -vc '^hint: ' "$ERR")" 1 "$2: in one line"
	like "$(cat "$ERR")" "^pas2p: .*$4" "$2: names the file"
	is "$(wc -c <"$OUT")" 0 "$2: nothing on stdout"
}

damaged() { # NAME KIND ERE FILE
	run_fails 4 "$1" "$PAS2P" check "$4"
	like "$(cat "$ERR")" "$3" "$1: says so"
	like "$(cat "$OUT")" "$2" "$1: as a note"
}

# What the trace itself gives, once. Names of one length: text is broken into lines by it.
mkdir pack bare
cp "$trace" cg.clog2
cp "$trace" bare/cg.clog2
run_ok 'phases of the trace itself' "$PAS2P" phases --format yaml cg.clog2
sed '/sha256/d' "$OUT" >plain.yaml
for command in events bbps metrics; do
	run_ok "$command of the trace itself" "$PAS2P" $command bare/cg.clog2
	cp "$OUT" "plain.$command"
done
run_ok 'its times are corrected' "$PAS2P" clocks --correct -o plain.clog2 cg.clog2

packed() { # PROGRAM ENDING: of cg.clog2ENDING
	run_ok "$1: phases are found" "$PAS2P" phases --format yaml "cg.clog2$2"
	sed '/sha256/d; s/cg\.clog2\.[a-z]*/cg.clog2/' "$OUT" >packed.yaml
	is "$(cat packed.yaml)" "$(cat plain.yaml)" "$1: the phase table is that of the trace itself but for the hash"
	like "$(grep sha256 "$OUT")" "$(sha256sum <"cg.clog2$2" | cut -d' ' -f1)" "$1: its hash is that of the file as it is"
	cp "cg.clog2$2" pack/cg.clog2
	for command in events bbps metrics; do
		run_ok "$1: $command" "$PAS2P" $command pack/cg.clog2
		is "$(sed 's/pack/bare/' "$OUT")" "$(cat "plain.$command")" "$1: $command is the same"
	done
	run_ok "$1: times are corrected" "$PAS2P" clocks --correct -o "corrected$2.clog2" "cg.clog2$2"
	ok "$1: to the same trace" cmp -s "corrected$2.clog2" plain.clog2
	run_ok "$1: info" "$PAS2P" info "cg.clog2$2"
	like "$(tr -d ' ' <"$OUT")" "$(wc -c <"cg.clog2$2")bytesof$1," "$1: says how it is compressed"
	cp "cg.clog2$2" 'any name'
	run_ok "$1: its name does not matter" "$PAS2P" info 'any name'
	for threads in 1 8; do
		run_ok "$1: with $threads threads" "$PAS2P" events --threads "$threads" "cg.clog2$2"
		cp "$OUT" "threads.$threads"
	done
	ok "$1: it is the same" cmp -s threads.1 threads.8

	head -c $(($(wc -c <"cg.clog2$2") / 2)) "cg.clog2$2" >"cut$2"
	damaged "$1: cut" truncated 'data are cut off' "cut$2"
	{ cat "cg.clog2$2"; printf 'a tail'; } >"tail$2"
	damaged "$1: with a tail" cut-tail 'ignores the rest' "tail$2"
	{ head -c 100000 "$trace" | $1 -c; tail -c +100001 "$trace" | $1 -1 -c; } >"two$2"
	run_ok "$1: two members" "$PAS2P" events "two$2"
	ok "$1: are one trace" cmp -s "$OUT" threads.1
	head -c 9 "cg.clog2$2" >"nothing$2"
	refused 3 "$1: cut at its beginning" 'ends before the first byte' "nothing$2"
	: | $1 -c >"empty$2"
	refused 3 "$1: of nothing" 'is empty inside' "empty$2"
	$1 -c <"cg.clog2$2" >"double$2"
	refused 3 "$1: twice" 'compressed twice' "double$2"
	echo 'no trace' | $1 -c >"text$2"
	refused 3 "$1: of text" 'decompressed, is a text file' "text$2"
	tar -cf - cg.clog2 2>/dev/null | $1 -c >"x.tar$2"
	refused 3 "$1: of an archive" 'decompressed, is a tar archive' "x.tar$2"
	head -c 300000000 /dev/zero | $1 -1 -c >"zeros$2"
	refused 3 "$1: of 300 MB of zeros" 'decompressed, is filled with zeros' "zeros$2"
}

for kind in gzip:.gz xz:.xz zstd:.zst; do
	program=${kind%%:*}
	command -v "$program" >/dev/null || continue
	here=cg.clog2${kind##*:}
	$program -c <"$trace" >"$here"
	"$PAS2P" info "$here" >"$OUT" 2>"$ERR"
	if grep -q 'was built without' "$ERR"; then
		refused 3 "$program is not in this build" "Debian's .*-dev" "$here"
	else
		packed "$program" "${kind##*:}"
		[ "$program" != zstd ] || cp "$huge" huge.zst
	fi
done

if [ -f huge.zst ]; then
	refused 7 'what takes too much memory to decompress' 'more than 256 MiB of memory' huge.zst
fi
printf '\0\12SLOG 2.0.6' >a.slog2
refused 3 'SLOG2' 'hint: give the .clog2 file' a.slog2
printf '0 init\n0 compute 100\n' >rank-0.txt
refused 3 'TIT' 'which has no times' rank-0.txt
printf '{"displayTimeUnit": "ns", "traceEvents": []}' >a.json
refused 3 'Perfetto' 'Perfetto' a.json
echo '1=1' >a.otf
refused 3 'OTF 1' 'OTF 1 trace' a.otf
printf 'EPILOG' >a.elg
refused 3 'EPILOG' 'EPILOG trace' a.elg
echo '-1 0 0' >a.alog
refused 3 'ALOG' 'ALOG trace' a.alog
echo 'names' >a.pcf
refused 3 'a companion of a PRV' 'give the .prv' a.pcf
done_testing

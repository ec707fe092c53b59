#!/bin/sh
# Archives that pas2p writes, and the sample one, mean to a plain second implementation what they mean to pas2p: it knows the page alone, and reads
# what otf2-print prints (t/lib/naive_otf2.py). (docs/reference/formats.md, "OTF2 records")
. t/lib/lib.sh

command -v otf2-print >/dev/null || skip_all 'otf2-print is not installed'
command -v python3 >/dev/null || skip_all 'python3 is not installed'
"$PAS2P" info sample-traces/thesis-cg.4.otf2 >/dev/null 2>&1 || skip_all 'this pas2p was built without OTF2'

same() { # NAME ANCHOR
	run_ok "$1: events" "$PAS2P" events -q --format csv "$2"
	awk -F, 'NR > 1 { printf "%s,%s,%s,%s,%s,%s,%.9f,%s\n", $1, $2, $4, $6, $7, $8 + 0, $9, $10 == "" ? "nan" : sprintf("%.9f", $10) }' "$OUT" >"$TMP/here"
	run_ok "$1: events by the second implementation" python3 t/lib/naive_otf2.py "$2"
	ok "$1: there are events" test -s "$TMP/here"
	ok "$1: the same" cmp "$OUT" "$TMP/here"
}

same 'the sample archive' sample-traces/nonblock.4.otf2/traces.otf2
for f in sample-traces/*.clog2; do
	case $f in
	*.rank*) continue ;;
	esac
	"$PAS2P" convert --to otf2 -q --force -o "$TMP/out" "$f" >"$OUT" 2>&1
	same "${f#sample-traces/}" "$TMP/out/traces.otf2"
done
done_testing

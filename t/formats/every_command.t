#!/bin/sh
# Every command that takes traces, and each view of the workbench, on every format that is read: a run in another format and the same run as
# CLOG2 under the same name must give the same, but for what is said of the files themselves. So nothing behind the formats asks which it is.
# The run in CLOG2 is made of the other one, so that both have the same times. Formats that this build lacks are left out.
. t/lib/lib.sh

both=$(dirname "$PAS2P")/pas2p-formats
from=sample-traces/nonblock.4.clog2
reads=$("$both" --version | sed -n 's/^reads *//p')
mkdir "$TMP/one" "$TMP/two"

# What is of the files: their sizes, records (definitions count in some), formats, digests; communicators of one process, and their numbers; solo
# events, which go with no other format, and how wide columns are because of them.
masked() {
	awk '/^    \{$/ { inside = 1; object = "" }
		!inside { print; next }
		{ object = object $0 "\n" }
		/^    \},?$/ { inside = 0; sub(/,\n$/, "\n", object); if (object !~ /"kind": "(self|event)"/) printf "%s", object }' "$1" |
	sed -E -e "s#$TMP/(one|two)/##g" -e '/^ {15}.*; [0-9 ]+ bytes( of gzip)?, [0-9 ]+ records/d' -e '/^(Format|Records) /d' \
		-e '/^rank +records/,/^$/d' -e '/^communicator/,/^$/d' \
		-e '/"(version|format|compressed|bytes|records|byte_order|blocks|block_size|comm)": /d' -e '/^ *(- )?(sha256|format): /d' \
		-e '/^\| `[^`]*` \| [^|]* \| [^|]* \| `[0-9a-f]{64}` \|$/d' -e '/^[^ ]+ +event +[0-9]+$/d' \
		-e 's/  +/  /g'
}

# same NAME OPTION...: of both runs; @ is the trace.
same() {
	name=$1
	shift
	for which in one two; do
		trace=$TMP/$which/$file
		status=0
		# shellcheck disable=SC2046  # one word each
		"$both" --no-config $(printf '%s\n' "$@" | sed "s#^@\$#$trace#; s#^@@#$trace@#; s#^+#$TMP/$which/out#") >"$TMP/$which.out" 2>&1 || status=$?
		[ ! -f "$TMP/$which/out" ] || cat "$TMP/$which/out" >>"$TMP/$which.out"
		rm -f "$TMP/$which/out"
		echo "exit status $status" >>"$TMP/$which.out"
		masked "$TMP/$which.out" >"$TMP/$which.masked"
	done
	ok "$name of $format: there is an answer" test "$(wc -l <"$TMP/two.masked")" -gt 1
	ok "$name of $format: the same" diff "$TMP/two.masked" "$TMP/one.masked"
}

commands() {
	for which in one two; do
		"$both" events --format csv "$TMP/$which/$file" | cut -d, -f1-6,8- >"$TMP/$which.out"
	done
	ok "events of $format: there are some" test "$(wc -l <"$TMP/two.out")" -gt 400
	ok "events of $format: the same" cmp "$TMP/two.out" "$TMP/one.out"
	same info info @
	same 'info as JSON' info --format json @
	same 'info with corrected clocks' info --clocks corrected @
	same check check @
	same blocks blocks --format csv @
	same phases phases @
	same 'the phase table' phases --format yaml --content @
	same 'phases otherwise' phases --similarity bbp --order lamport --format csv @
	same tune tune -f csv @
	same plan plan --budget 90% --restore 1e-3 --warmup-seconds 1ms @
	same metrics metrics --format json @
	same 'metrics by process' metrics --by process --format csv @
	same 'metrics by state' metrics --by state --format csv @
	same 'metrics by phase' metrics --by phase @
	same 'the report' report --format md @
	same clocks clocks --format json @
	same 'clocks by pair' clocks --by pair @
	same 'corrected clocks' clocks --correct -o + @
	same fit fit @
	same 'a run beside another' diff @ $from
	same 'another beside it' diff --format json $from @
	same study study @@n=1
	same overview @
}

# The views one after the other, with what they show written as text. Communicators have other numbers in other formats.
views() {
	for which in one two; do
		mkdir -p "$TMP/$which/screens"
		for view in 0 1 2 3 4 6 7 8 ^ @ $; do
			echo "$view"
			echo ":screen $TMP/$which/screens/$view"
		done >"$TMP/script"
		run_ok "the workbench on $format ($which)" sh -c 'cd "$1" && "$2" --no-config --script ../script --size 140x40 "$3"' sh "$TMP/$which" "$both" "$file"
		sed -i '/^ *records  /d; s/^▸ trace .*//; s/^ *\(▸ \)\?trace  .*records *│/│/; s/ on world [0-9]*$/ on world/' "$TMP/$which/screens"/*
	done
	for view in 0 1 2 3 4 6 7 8 ^ @ $; do
		ok "view $view of $format: the same" diff "$TMP/two/screens/$view" "$TMP/one/screens/$view"
	done
}

# run FORMAT FILE: $TMP/one/FILE is there.
run() {
	format=$1 file=$2
	run_ok "$format as CLOG2" "$both" convert --to clog2 -o "$TMP/two.clog2" --force "$TMP/one/$file"
	mkdir -p "$(dirname "$TMP/two/$file")"
	mv "$TMP/two.clog2" "$TMP/two/$file"
	commands
	views
}

run_ok 'as text' "$(dirname "$PAS2P")/as-text" $from
mv "$OUT" "$TMP/one/run.text"
run text run.text

case $reads in
*OTF2*)
	run_ok 'as OTF2' "$both" convert --to otf2 -o "$TMP/one/otf2" $from
	run OTF2 otf2/traces.otf2
	;;
*) skip 1 'no OTF2 in this build' ;;
esac
case $reads in
*PRV*)
	run_ok 'as PRV' "$both" convert --to prv -o "$TMP/one/run.prv" $from
	run PRV run.prv
	;;
*) skip 1 'no PRV in this build' ;;
esac
case $("$both" --version | sed -n 's/^compressed *//p') in
*gzip*)
	gzip -c $from >"$TMP/one/run.gz"
	run gzip run.gz
	;;
*) skip 1 'no gzip in this build' ;;
esac

# A command that is new is one more above.
for command in $(sed -n 's/^COMMAND([A-Z]*, "\([a-z]*\)".*/\1/p' src/cli/commands.def); do
	"$PAS2P" "$command" --help >"$OUT"
	[ "$command" != convert ] && grep -q '^  pas2p .* sample-traces/' "$OUT" || continue
	ok "$command is among the commands that are compared" grep -Eq "^	(same .*[ ']?$command .*@|	\"\\\$both\" $command )" "$0"
done

done_testing

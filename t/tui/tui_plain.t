#!/bin/sh
# --plain: the workbench by lines, for who has the screen read out and where only text can be shown. Every line that is typed is answered by
# what it changed and by nothing else; nothing is drawn: no escape sequence, no block, no line. And it says what the screen would show:
# the figures are those of the other faces.
. t/lib/lib.sh
unset NO_COLOR
trace=sample-traces/cg.S.4.clog2

# plain NAME [OPTION...] < lines: it runs to its end; what it said is in $OUT.
plain() {
	name=$1
	shift
	if "$PAS2P" --no-config --plain "$@" "$trace" >"$OUT" 2>"$ERR"; then
		pass "$name"
	else
		diag "$(cat "$ERR")"
		fail "$name"
	fi
}

# said LINE NAME, unsaid LINE NAME: a whole line of the answer.
said() {
	ok "$2" grep -qxF -e "$1" "$OUT"
}

unsaid() {
	ok "$2" sh -c "! grep -qxF -e \"\$1\" \"\$2\"" - "$1" "$OUT"
}

LC_ALL=C.UTF-8
export LC_ALL
unset TERM
plain 'without a terminal and without TERM it runs' </dev/null
said 'view Overview (0) of cg.S.4.clog2' 'it says which view of which trace'
said '6 phases, 3 relevant, coverage 98.2 %' 'and the figures'
TERM=dumb
export TERM

plain 'moving in a list' <<'LINES'
3
j

k
LINES
row2=$(grep '^row 2 of 6: phase 3, ' "$OUT" | head -n 1)
like "$row2" ', weight 416, ticks 2, time 33\.1 µs, .*share 36\.1 %' 'a row is a sentence with its columns'
is "$(grep -c '^row 2 of 6' "$OUT")" 2 'a key tells the row, an empty line tells it again'
is "$(grep -c '^view Phases (3)' "$OUT")" 2 'what is the same is told again only then'
is "$(grep -c '^row 1 of 6: phase 2, ' "$OUT")" 2 'and back'
like "$(cat "$OUT")" ' relevant yes, ' 'a mark is a word'

plain 'knobs' <<'LINES'
3
=50%
)
u
Tab
Esc
LINES
said 'volume 50.0 %, was 5.0 %' 'a setting that changed, with what it was'
like "$(cat "$OUT")" '^5 phases \(was 6\), 3 relevant, coverage 98\.6 % \(was 98\.2 %\)' 'and the figures that follow'
is "$(grep -cx 'setting compute 5.0 %, without effect now' "$OUT")" 2 'the knob that is selected, once more with the keys on the panel'
said 'volume 5.0 %, was 50.0 %' 'undo'
said 'view Phases (3) of cg.S.4.clog2, keys change the settings' 'who has the keys'

plain 'a command, a search, a filter, a mistake' <<LINES
:set volume 3%
:export $TMP/x.csv
:no-such-command
3
/^ *4 
&share>50%
=
60
=
Esc
nonsense
LINES
said 'volume 3.0 %, was 5.0 %' 'a command'
like "$(cat "$OUT")" '^error: .*no-such-command' 'one that there is not'
said "error: 'nonsense' is not a key" 'a word that is no key changes nothing'
like "$(cat "$OUT")" '^filter: 1 of 6 rows; phase 2, ' 'a filter says how many are left'
said 'asks: volume = (an empty line sends: 3%)' 'a question, and what an empty line answers'
said 'volume 60.0 %, was 3.0 %' 'the next line is its answer'
is "$(grep -c '^volume' "$OUT")" 2 'or Esc, and nothing is changed'

plain 'the view as lines' <<'LINES'
3
show
j
show 2
G
show all
show nothing
0
show
keys
help
LINES
is "$(grep -c '^selected, [126]: phase ' "$OUT")" 3 'the selected row is said to be that'
is "$(grep -c '^4: phase 5, ' "$OUT")" 2 'show begins with the selected row, show all with the first'
said '3 more; "show all" prints all rows' 'what is left out is counted'
said "error: 'show' is not a key" 'an argument that is none is no key either'
like "$(cat "$OUT")" '^most computation, rank 2, 3\.4 % above the mean computation time$' 'a view without rows is told by its lines'
said '3: view Phases' 'the keys of the views'
said '7: view Metrics' 'all of them'
like "$(cat "$OUT")" '^Type one line and press Enter' 'and how to type'

# Every view, tab and overlay, with keys in it: never a drawing.
for view in 0 1 2 3 4 5 6 7 8 9 '`' @ '$' '^' Y U '?'; do
	printf '%s\nshow\nj\nl\nEnter\nshow\nEsc\nEsc\n' "$view"
done >"$TMP/all"
printf 'e\nshow\nj\nl\nEnter\nEsc\nshow\nEsc\n' >>"$TMP/all" # Enter asks where to write
plain 'all views' <"$TMP/all"
is "$(LC_ALL=C tr -d '\11\12\40-\176\200-\377' <"$OUT" | wc -c)" 0 'no escape sequence, no control'
# drawn FILE: its characters U+2190 to 21FF (arrows), 2300 to 25FF (lines, blocks) and 2800 to 28FF (dots), and middle dots.
drawn() {
	LC_ALL=C grep -aob -e "$(printf '\342[\206-\207\214-\227\240-\243][\200-\277]')" -e "$(printf '\302\267')" "$1"
}
is "$(drawn "$OUT")" '' 'nothing is drawn'
printf 'a\nb \342\224\200\n\302\267\n\342\206\222 \342\226\210 \342\243\277 \342\200\246 \302\265\n' >"$TMP/drawing"
is "$(drawn "$TMP/drawing" | wc -l)" 5 'and what is would be found'
plain 'ASCII' --ascii <"$TMP/all"
ok 'is ASCII' sh -c "! LC_ALL=C grep -q '[^[:print:][:space:]]' '$OUT'"
LC_ALL=C
plain 'a C locale' <"$TMP/all"
ok 'is ASCII, too' sh -c "! LC_ALL=C grep -q '[^[:print:][:space:]]' '$OUT'"
LC_ALL=C.UTF-8

plain 'Q' <<'LINES'
3
Q
j
LINES
ok 'leaves' sh -c "! grep -q '^row 2' '$OUT'"
run_fails 3 'a trace that is not there' "$PAS2P" --no-config --plain "$TMP/none.clog2"
head -c 4096 /dev/zero >"$TMP/bad.clog2"
run_fails 3 'one that is none' "$PAS2P" --no-config --plain "$TMP/bad.clog2"
is "$(cat "$OUT")" '' 'says nothing of it'

# A name is data here, too.
evil=$TMP/$(printf 'a\033]0;evil\007b.clog2')
cp "$trace" "$evil"
trace=$evil plain 'a name with escapes' </dev/null
ok 'is made harmless' sh -c "! LC_ALL=C grep -q '[[:cntrl:]]' '$OUT'"
plain 'an answer that is refused' <<'LINES'
3
#500
2
3
E
/nonexistent/x.csv
Esc
1
E
x.csv
E
Esc
Q
LINES
said 'asks: iteration (1-15): (Esc cancels)' 'what to do is said'
ok 'and the next line stands in its place' grep -q 'iteration 2 of 15' "$OUT"
like "$(cat "$OUT")" '^error: cannot write /nonexistent/x.csv' 'what has begun is gone on with'
said 'error: This view has no rows to export; :screen saves the screen.' 'a view without rows says so when it asks for a name'
is "$(grep -c '^error: This view has no rows to export' "$OUT")" 3 'and refuses the name, which is no line of keys'

# What was remembered of a trace is for the screen: lines begin as the options say, so that a script's answers are the same each time.
printf ':set relevance 0.3\n:quit\n' >"$TMP/script"
XDG_STATE_HOME=$TMP/state XDG_CONFIG_HOME=$TMP/none "$PAS2P" --script "$TMP/script" "$trace" >"$OUT" 2>"$ERR"
ok 'the workbench has remembered something' sh -c 'grep -rq "relevance: 0.3" "$1"' - "$TMP/state"
cp -r "$TMP/state" "$TMP/before"
printf ':set relevance\nQ\n' | XDG_STATE_HOME=$TMP/state XDG_CONFIG_HOME=$TMP/none "$PAS2P" --plain "$trace" >"$OUT" 2>"$ERR"
unlike "$(cat "$OUT")" '30 %|0\.3' 'lines do not take it up'
ok 'nor is anything remembered of them' diff -r "$TMP/before" "$TMP/state"

plain 'the overview by lines' <<'LINES'
0
g
j
j
j
Q
LINES
ok 'the run is told in words' grep -q '^reading, .*pair exchange' "$OUT"
ok 'a bar is what it is of' grep -q '^time breakdown: computation 19.1 %, waiting' "$OUT"
ok 'and no letters' sh -c '! grep -q cwm "$1"' - "$OUT"
ok 'each line is told when it is selected' grep -q '^parallel eff., 19.1 % = load balance 9' "$OUT"

trace=sample-traces/coll.6.clog2
plain 'a trace of one phase' </dev/null
said '1 phase, 1 relevant, coverage 97.4 %' 'which is no plural'

done_testing

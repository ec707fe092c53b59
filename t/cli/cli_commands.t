#!/bin/sh
# Each command shows what it promises, in each of its formats: columns by their names and in their places, empty cells
# where there is nothing to say, rows picked by --match as they are read, exit codes that tell clean from odd from
# damaged from unreadable. Scripts hang on all of it.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
cg=sample-traces/cg.S.4.clog2

# events
run_ok 'events as CSV' "$PAS2P" events -q --format csv "$cg"
cp "$OUT" "$TMP/events.csv"
is "$(head -n 1 "$OUT")" 'rank,number,kind,type,peer,size,comm,tag,time,compute,lt,tick,sends,match_rank,match_number' \
	'columns in their order'
is "$(awk -F, 'NR > 1 && !($1 == rank && $2 == number + 1 || $1 == rank + 1 && $2 == 1) { n++ }
	NR == 2 { n = !($1 == 0 && $2 == 1) } { rank = $1; number = $2 } END { print n + 0 }' "$OUT")" 0 \
	'rows by rank from 0 and number from 1, without gaps'
is "$(awk -F, 'NF != 15 { n++ } END { print n + 0 }' "$OUT")" 0 'as many cells in each row'
is "$(awk -F, '$3 == "collective" && ($5 $8 $14 $15 != "" || $4 !~ /^C[A-Z]/) { n++ } END { print n + 0 }' "$OUT")" 0 \
	'a collective has no peer, tag or match'
is "$(awk -F, '$3 == "receive" && $13 != "" { n++ } END { print n + 0 }' "$OUT")" 0 'a receive has no number among sends'
is "$(awk -F, 'NR > 1 && $3 != "receive" { if ($1 != rank) sends = 0; rank = $1; if ($13 != ++sends) n++ } END { print n + 0 }' \
	"$OUT")" 0 'sends and collectives are numbered from 1'
is "$(awk -F, 'NR == FNR { time[$1, $2] = $3 " " $14 " " $15 " " $11; next }
	$3 == "send" { split(time[$14, $15], r, " "); if (r[1] != "receive" || r[2] != $1 || r[3] != $2 || r[4] != $11 + 1) n++ }
	END { print n + 0 }' "$OUT" "$OUT")" 0 'ends of a message name each other; the receive is at LT of its send + 1'
is "$(awk -F, '$3 == "send" && $4 != "+" ($5 + 1) || $3 == "receive" && $4 != "-" ($5 + 1) { n++ } END { print n + 0 }' "$OUT")" 0 \
	'files write types with ranks from 1, peers from 0'
run_ok 'events without collectives' "$PAS2P" events -q --format csv --collectives ignore "$cg"
is "$(awk -F, '$3 == "collective" { c++ } $3 == "send" { s++ } END { print c + 0, s }' "$OUT")" '0 6720' 'has none'
run_ok 'lost messages' "$PAS2P" events -q --format csv sample-traces/pcontrol.4.clog2
is "$(awk -F, 'NR > 1 && $14 == "" && $15 == "" { n[$3]++ } END { print n["send"], n["receive"] }' "$OUT")" '5 5' \
	'have empty matches'

# --match
run_ok 'events of rank 2 by pattern' "$PAS2P" events -q --format csv --match '^2 ' "$cg"
is "$(cut -d, -f1 "$OUT" | sort | uniq -c | xargs)" "$(awk -F, '$1 == 2' "$TMP/events.csv" | wc -l) 2 1 rank" 'all of them and no other'
run_ok 'the same rows in a table' "$PAS2P" events -q --match '^2 \d+ send >3 3 ' "$cg"
is "$(sed 1d "$OUT" | awk '$1 == 2 && $3 == "send" && $4 == ">3" && $5 == 3' | wc -l)" "$(sed 1d "$OUT" | wc -l)" 'cells joined by one blank'
run_ok 'the same rows in a file' "$PAS2P" events -q --format csv --match '^2 \d+ send >3 3 ' "$cg"
is "$(sed 1d "$OUT" | awk -F, '$1 == 2 && $3 == "send" && $4 == "+4" && $5 == 3' | wc -l)" "$(sed 1d "$OUT" | wc -l)" 'the pattern is of what is shown, the file keeps its numbers'
ok 'there are some' test "$(wc -l <"$OUT")" -gt 1
run_fails 1 'no match is 1' "$PAS2P" events -q --format csv --match 'no such text' "$cg"
is "$(cat "$OUT")" "$(head -n 1 "$TMP/events.csv")" 'and only the header'
run_ok 'phases by pattern' "$PAS2P" phases -q --format csv --match ' 832 ' "$cg"
is "$(sed 1d "$OUT" | cut -d, -f1-3)" '2,true,832' 'the one of weight 832'
run_fails 1 'no phase matches' "$PAS2P" phases -q --match 'no such text' "$cg"

# bbps
run_ok 'bbps as CSV' "$PAS2P" bbps -q --format csv "$cg"
is "$(sed 1d "$OUT" | wc -l)" 3362 'one less than ticks'
is "$(awk -F, 'NR > 1 { weight[$2] = $3; seen[$2]++; if ($2 > $1 || $4 != $1 - 1 || $5 != $1) n++ }
	END { for (l in seen) if (seen[l] != weight[l]) n++; print n + 0 }' "$OUT")" 0 'weights count labels, labels are first appearances'
awk -F, 'NR > 1 && $1 == $2' "$OUT" | cut -d, -f1-10 >"$TMP/leaders"
run_ok 'leaders' "$PAS2P" bbps -q --leaders --format csv "$cg"
is "$(sed 1d "$OUT" | cut -d, -f1-10)" "$(cat "$TMP/leaders")" 'are the blocks that lead'
run_ok 'blocks by pattern' "$PAS2P" bbps -q --match '^7 ' "$cg"
is "$(sed 1d "$OUT" | awk '{ print $1 }')" 7 'the one of that number'

# bbps --processes: each row is what the events say of that tick and the one before.
run_ok 'bbps by process' "$PAS2P" bbps -q --processes --format csv "$cg"
cp "$OUT" "$TMP/processes.csv"
is "$(head -n 1 "$OUT")" 'bbp,label,rank,entry_type,entry_size,compute,exit_type,exit_size' 'columns in their order'
is "$(sed 1d "$OUT" | wc -l)" $((3362 * 4)) 'a row for each block and process'
"$PAS2P" bbps -q --format csv "$cg" >"$TMP/bbps.csv"
is "$(awk -F, 'FILENAME ~ /events/ { at[$12, $1] = $4 "," $6; compute[$12, $1] = $10; next }
	FILENAME ~ /bbps/ { label[$1] = $2; next }
	FNR > 1 { none = "0,"; a = ($1 - 1) SUBSEP $3; b = $1 SUBSEP $3
		if ($4 "," $5 != (a in at ? at[a] : none) || $6 != compute[a] || $7 "," $8 != (b in at ? at[b] : none) || $2 != label[$1]) n++ }
	END { print n + 0 }' "$TMP/events.csv" "$TMP/bbps.csv" "$TMP/processes.csv")" 0 'as the events have it'
run_ok 'as YAML' "$PAS2P" bbps -q --processes --format yaml "$cg"
is "$(sed 's/^- {//; s/}$//; s/[a-z_]*: //g; s/, /,/g; s/null//g; s/"//g' "$OUT")" "$(sed 1d "$TMP/processes.csv")" 'the same rows'
run_ok 'as JSON' "$PAS2P" bbps -q --processes --format json "$cg"
is "$(sed -n 's/^  {\(.*\)}.*/\1/p' "$OUT" | sed 's/"[a-z_]*": //g; s/, /,/g; s/null//g; s/"//g')" "$(sed 1d "$TMP/processes.csv")" 'the same rows'
run_ok 'of leaders' "$PAS2P" bbps -q --processes --leaders --format csv "$cg"
is "$(sed 1d "$OUT")" "$(awk -F, 'NR > 1 && $1 == $2' "$TMP/processes.csv")" 'are the blocks that lead'
run_ok 'where processes have no event' "$PAS2P" bbps -q --processes --format csv sample-traces/thesis-smg.4.clog2
is "$(grep '^2,2,2,' "$OUT")" '2,2,2,0,,,0,' 'no size and no compute time'
run_ok 'as a table' "$PAS2P" bbps -q --processes --match '^3 3 0 ' sample-traces/thesis-smg.4.clog2
like "$(sed 1d "$OUT")" '^ *3 +3 +0 +<2 +8 +1000\.000 +<3 +8$' 'people see ranks from 0'
run_ok 'as a table' "$PAS2P" bbps -q --processes --match '^2 2 2 ' sample-traces/thesis-smg.4.clog2
like "$(sed 1d "$OUT")" '^ *2 +2 +2 +- +- +- +- +-$' 'and a dash where there is no event'

# phases
run_ok 'labels of blocks' "$PAS2P" phases -q --content --similarity bbp --format csv sample-traces/thesis-cg.4.clog2
is "$(cut -d, -f1,18 "$OUT" | xargs)" 'id,labels 1,1 2 3 4 5 6 7 2,8' 'of each phase'
for format in yaml json; do
	run_ok "labels as $format" "$PAS2P" phases -q --content --similarity bbp --format "$format" sample-traces/thesis-cg.4.clog2
	is "$(grep -o 'labels"*: .*\]' "$OUT" | tr -d '"' | xargs)" 'labels: [1, 2, 3, 4, 5, 6, 7] labels: [8]' 'the same'
done
run_ok 'no labels' "$PAS2P" phases -q --content --format yaml sample-traces/thesis-cg.4.clog2
unlike "$(cat "$OUT")" 'labels' 'without blocks'
run_ok 'labels that find no room' env COLUMNS=57 "$PAS2P" phases -q --content --similarity bbp sample-traces/thesis-cg.4.clog2
is "$(sed -n '/^phase  /,/^(/p' "$OUT" | sed '1d;$d' | sed 's/.*%  //')" '1 2 3 4 ...
8' 'are cut'
run_fails 2 'labels of what has none' "$PAS2P" phases -q --content sample-traces/thesis-cg.4.clog2
like "$(cat "$ERR")" 'add --similarity bbp' 'says what has'
run_fails 2 'labels of loops' "$PAS2P" phases -q --content --structure sample-traces/thesis-cg.4.clog2
like "$(cat "$ERR")" 'needs --format yaml or json' 'says what to do'
run_ok 'phases as YAML' "$PAS2P" phases -q --format yaml --application 'my cg' "$cg"
like "$(cat "$OUT")" '^application: "my cg"$' 'under the name given'
cp "$OUT" "$TMP/given.yaml"
keys() { grep -o '[a-z0-9_]*"*:' "$1" | tr -d '":' | sort | uniq -c; }
run_ok 'phases as JSON' "$PAS2P" phases -q --format json --application 'my cg' "$cg"
is "$(keys "$OUT")" "$(keys "$TMP/given.yaml")" 'the same keys as YAML'
run_ok 'the table' "$PAS2P" phases -q "$cg"
like "$(cat "$OUT")" '^coverage +98\.2 % of the run time' 'has the coverage'

# info
run_ok 'info' "$PAS2P" info -q "$cg"
like "$(cat "$OUT")" '^Events +13 452: 6 720 sends, 6 720 receives, 12 collectives' 'counts events'
run_ok 'info as JSON' "$PAS2P" info -q --format json "$cg"
like "$(cat "$OUT")" '"aet": 0\.038188' 'run time as JSON'
run_ok 'info as YAML' "$PAS2P" info -q --format yaml "$cg"
like "$(cat "$OUT")" '^aet: 0\.038188' 'run time as YAML'

# One of a thing is not some.
run_ok 'phases of one process' "$PAS2P" phases -q sample-traces/one_rank.1.clog2
is "$(head -n 1 "$OUT")" 'one_rank.1: 1 process, 50 sends, 50 receives, 0 collectives' 'one process is no processes'
run_ok 'phases of several' "$PAS2P" phases -q "$cg"
like "$(head -n 1 "$OUT")" '^cg\.S\.4: 4 processes, [0-9]+ sends, ' 'four are'
run_ok 'info of one block' "$PAS2P" info -q sample-traces/one_rank.1.clog2
like "$(cat "$OUT")" ' 1 block of 65 536 bytes$' 'one block is no blocks'
run_ok 'compare of one result' "$PAS2P" compare t/runner/results/lu.S.4.laptop.yaml
like "$(head -n 1 "$OUT")" '^1 result of lu' 'one result is no results'

# check
run_ok 'a clean trace is 0, notes or not' "$PAS2P" check "$cg"
like "$(cat "$OUT")" '^0 warnings, 0 errors, 317 notes$' 'says so'
run_fails 1 'warnings are 1' "$PAS2P" check sample-traces/pcontrol.4.clog2
like "$(cat "$OUT")" '^warning: lost-send \(5\): a send is unmatched' 'names kind, count and meaning'
run_fails 1 'as CSV' "$PAS2P" check --format csv sample-traces/pcontrol.4.clog2
is "$(awk -F, '$2 == "lost-send" { n += $3 } END { print n }' "$OUT")" 5 'counts add up'
head -c 4000 sample-traces/ep.S.4.clog2 >"$TMP/cut.clog2"
run_fails 4 'a damaged trace is 4' "$PAS2P" check "$TMP/cut.clog2"
like "$(cat "$OUT")" '^error: ' 'lists damage'
for command in info events bbps phases; do
	run_fails 4 "$command of a damaged trace is 4" "$PAS2P" "$command" "$TMP/cut.clog2"
	ok "$command: shows what was readable" test -s "$OUT"
	like "$(cat "$ERR")" '^pas2p: .*cut.clog2.*damaged' "$command: says that it is a part"
done
for file in README.md "$TMP" "$TMP/missing" /dev/null; do
	run_fails 3 "check of $file is 3" "$PAS2P" check "$file"
	is "$(cat "$OUT")" '' 'no result'
	like "$(cat "$ERR")" "^pas2p: .*$file" 'a sentence with its name'
done

# Several local files of one run.
run_ok 'local files together' "$PAS2P" info -q sample-traces/unfinalized.m240.abortme.rank000?.clog2
like "$(cat "$OUT")" '^Processes +4$' 'are one run'

done_testing

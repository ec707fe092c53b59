#!/bin/sh
# Nothing that a command reads is written over: not its operands, nor a part of one that was not named (a trace's .pcf and .row, an archive's files, a
# model's includes, a study's runs), nor what an option names or a config file, under whatever name or link it is given as output. That is misuse: exit
# status 2, a sentence, and every file as it was. Files that are not read can be written over, also those that lie beside an input.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/config
export XDG_CONFIG_HOME
d=$TMP/d
mkdir -p "$d" "$XDG_CONFIG_HOME/pas2p"
echo 'theme: mono' >"$XDG_CONFIG_HOME/pas2p/config.yaml"
for ending in clog2 prv pcf row; do
	cp "sample-traces/nonblock.4.$ending" "$d/x.$ending"
done
cp sample-models/matmul.yaml sample-models/celeron-16.yaml sample-models/pingpong-table1.csv "$d"
cp sample-traces/cg.S.4.clog2 "$d/before.clog2"
"$PAS2P" phases --format yaml --no-config "$d/x.clog2" >"$d/table.yaml"
printf 'pas2p_model: 1\ninclude: [used.yaml]\nprogram:\n  - compute: t(3)\n' >"$d/model.yaml"
printf 'pas2p_functions: 1\nfunctions:\n  t(x): 2 * x\n' >"$d/used.yaml"
otf2=
"$PAS2P" --version | grep -q '^reads .*OTF2' && otf2=yes
[ -z "$otf2" ] || "$PAS2P" convert -q --to otf2 -o "$d/a" sample-traces/nonblock.4.clog2 >"$OUT" 2>&1
ln -s x.pcf "$d/link"
ln "$d/x.row" "$d/hard"
snapshot() {
	(cd "$TMP" && find d config -type f -exec sha256sum {} + | sort)
}
snapshot >"$TMP/before"

# kept NAME OUTPUT COMMAND...: misuse, with a sentence that names the file, and nothing has changed.
kept() {
	kept_name=$1 kept_output=$2 kept_first=$3
	shift 3
	run_fails 2 "$kept_name" "$PAS2P" "$kept_first" -o "$kept_output" "$@"
	like "$(head -n 1 "$ERR")" "^pas2p: .*$(basename "$kept_output").* input.*: give the output another name|is part of the signature" '  says so'
	is "$(snapshot)" "$(cat "$TMP/before")" '  and nothing has changed'
}

# Parts of a trace, by every command that reads one.
for command in info events bbps phases tune plan metrics report clocks check; do
	kept "$command: a part of the trace" "$d/x.pcf" "$command" "$d/x.prv"
done
kept 'the other part' "$d/x.row" report "$d/x.prv"
kept 'the overview' "$d/x.row" "$d/x.prv"
kept 'by a symbolic link' "$d/link" info "$d/x.prv"
kept 'by a hard link' "$d/hard" info "$d/x.prv"
kept 'by another path' "$d/../d/x.pcf" info "$d/x.prv"
kept 'of the second run' "$d/x.pcf" diff "$d/before.clog2" "$d/x.prv"
kept 'a corrected trace' "$d/x.clog2" clocks --correct "$d/x.clog2"
gzip -c "$d/x.prv" >"$TMP/x.prv.gz" 2>"$ERR"
cp "$d/x.pcf" "$d/x.row" "$TMP"
kept 'of a compressed trace' "$TMP/x.pcf" info "$TMP/x.prv.gz"
if [ -n "$otf2" ]; then
	for part in traces.otf2 traces.def traces/0.evt traces/3.def; do
		kept "an archive's $part" "$d/a/$part" info "$d/a"
		kept "an archive's $part, by its anchor" "$d/a/$part" phases "$d/a/traces.otf2"
	done
	kept 'an archive, as a folder' "$d/a" convert --to otf2 --force "$d/a"
	ln -s a/traces.otf2 "$d/b.otf2"
	ln -s a/traces "$d/b"
	snapshot >"$TMP/before"
	kept 'an archive by links' "$d/a" convert --to otf2 --force "$d/b.otf2"
	run_ok 'a file in its folder that is no part of it' "$PAS2P" info -o "$d/a/traces/info.txt" "$d/a"
	run_ok 'also when it is there' "$PAS2P" info -o "$d/a/traces/info.txt" "$d/a"
	rm "$d/a/traces/info.txt"
else
	skip 1 'this build has no OTF2'
fi

# Conversions, whose output is several files.
kept 'a conversion onto a part' "$d/x.pcf" convert --to clog2 --force "$d/x.prv"
cp "$d/x.pcf" "$d/y.pcf"
cp "$d/x.row" "$d/y.row"
cp "$d/x.clog2" "$d/y.prv"
gzip -c "$d/x.prv" >"$d/y.prv.gz"
snapshot >"$TMP/before"
run_fails 2 'onto a trace that shares its parts' "$PAS2P" convert --to prv --force -o "$d/y.prv" "$d/y.prv.gz"
like "$(cat "$ERR")" 'y.pcf is a part of the input .*/y.prv.gz' '  says so'
is "$(snapshot)" "$(cat "$TMP/before")" '  and nothing has changed'

# What options name.
kept 'a trace before a change' "$d/before.clog2" metrics --before "$d/before.clog2" "$d/x.clog2"
kept 'and its part' "$d/x.row" report --before "$d/x.prv" "$d/before.clog2"
kept 'a config file' "$d/celeron-16.yaml" info --config "$d/celeron-16.yaml" "$d/x.clog2"
kept 'the usual config file' "$XDG_CONFIG_HOME/pas2p/config.yaml" info "$d/x.clog2"
run_ok 'which is not read' "$PAS2P" info --no-config -o "$XDG_CONFIG_HOME/pas2p/saved.yaml" "$d/x.clog2"
rm "$XDG_CONFIG_HOME/pas2p/saved.yaml"

# Models and measurements.
kept 'a model' "$d/matmul.yaml" predict -D n=100 "$d/matmul.yaml"
kept 'a machine' "$d/celeron-16.yaml" predict --machine "$d/celeron-16.yaml" -D n=100 "$d/matmul.yaml"
kept 'the machine of its times' "$d/celeron-16.yaml" predict --machine sample-models/celeron-16.yaml --base "$d/celeron-16.yaml" "$d/matmul.yaml"
kept 'what was measured' "$d/pingpong-table1.csv" predict --measured "$d/pingpong-table1.csv" "$d/matmul.yaml"
run_ok 'a model with includes' "$PAS2P" predict "$d/model.yaml"
kept 'a file that a model includes' "$d/used.yaml" predict "$d/model.yaml"
kept 'measurements' "$d/pingpong-table1.csv" fit "$d/pingpong-table1.csv"
kept 'a trace whose calls are fitted' "$d/x.pcf" fit "$d/x.prv"

# Studies.
printf 'study: 1\nname: s\nruns:\n- {file: x.prv, parameters: {n: 1}}\n- {file: before.clog2, parameters: {n: 2}}\n' >"$d/s.yaml"
snapshot >"$TMP/before"
kept 'a study' "$d/s.yaml" study "$d/s.yaml"
kept 'a run of it' "$d/before.clog2" study "$d/s.yaml"
kept 'a part of a run' "$d/x.row" study "$d/s.yaml"
kept 'a part of a run that is named' "$d/x.row" study "$d/x.prv@n=1" "$d/before.clog2@n=2"
run_fails 2 'by the model that it writes' "$PAS2P" study --model "$d/x.row" "$d/x.prv@n=1" "$d/before.clog2@n=2"
is "$(snapshot)" "$(cat "$TMP/before")" '  and nothing has changed'

# What starts programs: the table, the trace that it is of, and the words of the launcher.
echo 'localhost slots=4' >"$d/hosts"
snapshot >"$TMP/before"
for command in run sign; do
	kept "$command: the table" "$d/table.yaml" "$command" "$d/table.yaml" -- true
	kept "$command: the trace that it is of" "$d/x.clog2" "$command" --trace-file "$d/x.clog2" "$d/table.yaml" -- true
done
for command in trace machine pingpong run; do
	table=
	[ $command != run ] || table=$d/table.yaml
	kept "$command: what the launcher reads" "$d/hosts" "$command" ${table:+"$table"} -- mpirun --hostfile "$d/hosts" true
done
kept 'measured clocks' "$d/hosts" clocks --measure -- mpirun --hostfile "$d/hosts"
cp "$d/table.yaml" "$TMP/result.yaml"
run_fails 2 'the usual name of a result, of a table' sh -c 'cd "$1" && exec "$PAS2P" run result.yaml -- true' - "$TMP"
ok '  stays' cmp "$d/table.yaml" "$TMP/result.yaml"

# The workbench. `write` is the phase table, `export` a list.
refused() {
	refused_file=$1
	printf ':%s\n' "$2" >"$TMP/script"
	shift 2
	run_fails 2 "the workbench, $refused_file" "$PAS2P" --no-config --script "$TMP/script" "$@"
	like "$(cat "$ERR")" "$refused_file is (a part of the input .*|an input): give the output another name" '  says so'
	is "$(snapshot)" "$(cat "$TMP/before")" '  and nothing has changed'
}
cp "$d/table.yaml" "$d/list.csv"
ln -s x.row "$d/row.csv"
snapshot >"$TMP/before"
refused x.pcf "write $d/x.pcf" "$d/x.prv"
refused x.row "screen $d/x.row" "$d/x.prv"
refused row.csv "export --force $d/row.csv" "$d/x.prv"
refused x.pcf "save-config $d/x.pcf" "$d/x.prv"
refused x.pcf "write-corrected --force $d/x.pcf" "$d/x.prv"
refused used.yaml "export --force $d/used.yaml" "$d/model.yaml"
refused celeron-16.yaml "write --force $d/celeron-16.yaml" --machine "$d/celeron-16.yaml" "$d/matmul.yaml"
refused s.yaml "export --force $d/s.yaml" "$d/s.yaml"
printf 'analysis:\n  events: 0.7\n' >"$d/own.yaml"
snapshot >"$TMP/before"
printf ':screen %s\n' "$d/own.yaml" >"$TMP/script"
run_fails 2 'the workbench, its config file' "$PAS2P" --config "$d/own.yaml" --script "$TMP/script" "$d/x.prv"
is "$(snapshot)" "$(cat "$TMP/before")" '  and nothing has changed'
done_testing

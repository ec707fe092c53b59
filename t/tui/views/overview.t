#!/bin/sh
# The overview in the workbench: it is the first that is seen of a trace, unless the config file names another view or the trace was left in
# one; its figures are those of `pas2p metrics` and `pas2p phases`, to the last digit; a damaged trace has the page of what is left.
. t/lib/lib.sh

# script NAME TRACE [OPTION...] < lines: it runs to its end.
script() {
	name=$1 trace=$2
	shift 2
	cat >"$TMP/script"
	run_ok "$name" "$PAS2P" --script "$TMP/script" --size 160x40 "$@" "$trace"
}

fact() { # NAME: its value in the file that was exported
	tr -d '\r' <"$TMP/facts.csv" | sed -n "s/^$1,//p"
}

for run in lu.S.4 cg.S.4 userstates.3 latesender.4 one_rank.1; do
	trace=sample-traces/$run.clog2
	script "$run: the facts as a file" "$trace" --no-config <<LINES
:export $TMP/facts.csv --force
LINES
	"$PAS2P" --no-config metrics -f json "$trace" 2>/dev/null >"$TMP/metrics.json"
	for name in runtime parallel_efficiency load_balance communication_efficiency serialisation_efficiency transfer_efficiency; do
		value=$(fact $name)
		ok "$run: $name is that of the metrics, ${value:-null}" grep -q "\"$name\": ${value:-null}[,}]*\$" "$TMP/metrics.json"
	done
	"$PAS2P" --no-config phases -f csv "$trace" 2>/dev/null >"$TMP/phases.csv"
	is "$(fact phases)" "$(sed 1d "$TMP/phases.csv" | wc -l | tr -d ' ')" "$run: so many phases"
	is "$(awk -F, '$1 ~ /^(compute|waiting|moving_data|other)$/ { s += $2 } END { printf "%.9f", s }' "$TMP/facts.csv")" 1.000000000 \
		"$run: the account adds up"
done
is "$(fact longest_wait)" '' 'what nobody did is empty, not 0'

# As numbers and as JSON.
script 'the facts as JSON' sample-traces/ep.S.4.clog2 --no-config <<LINES
:export $TMP/facts.json --force
LINES
if command -v python3 >/dev/null; then
	is "$(python3 -c 'import json,sys; d={r["fact"]: r["value"] for r in json.load(open(sys.argv[1]))}; print(d["heaviest_bytes"], d["phases"])' "$TMP/facts.json")" \
		'None 2' 'no message: null'
else
	skip 1 'no python3'
fi

script 'it is the first view' sample-traces/lu.S.4.clog2 --no-config <<'LINES'
:expect parallel eff.     29.8 % = load balance
3
:overview
:expect parallel eff.     29.8 % = load balance
LINES

printf 'ui:\n  view: phases\n' >"$TMP/view.yaml"
script 'the config file chooses another' sample-traces/lu.S.4.clog2 --no-config --config "$TMP/view.yaml" <<LINES
:expect covered
4
Esc
:expect covered
Esc
:expect Q quits pas2p.
:save-config $TMP/saved.yaml
LINES
like "$(cat "$TMP/saved.yaml")" '^  view: phases$' 'and save-config keeps it'
printf 'ui:\n  view: nowhere\n' >"$TMP/view.yaml"
run_fails 2 'a view that there is not' "$PAS2P" --no-config --config "$TMP/view.yaml" --script /dev/null sample-traces/lu.S.4.clog2
like "$(cat "$ERR")" "ui\.view: unknown view 'nowhere': expected overview, grid, .* or " 'is refused, with those that there are'

# A trace that was left in a view begins there again, whatever the config file says.
printf 'ui:\n  view: metrics\n' >"$TMP/view.yaml"
mkdir -p "$TMP/state"
export XDG_STATE_HOME="$TMP/state" XDG_CONFIG_HOME="$TMP/none"
script 'a visit' sample-traces/lu.S.4.clog2 --config "$TMP/view.yaml" <<'LINES'
:expect parallel efficiency
3
Q
LINES
script 'begins where the last one ended' sample-traces/lu.S.4.clog2 --config "$TMP/view.yaml" <<'LINES'
:expect covered
LINES

# The end of the trace is missing.
head -c 400000 sample-traces/lu.S.4.clog2 >"$TMP/cut.clog2"
script 'a damaged trace' "$TMP/cut.clog2" --no-config <<'LINES'
:expect the trace is damaged, so all values are of its readable part
:expect check the warnings
:expect parallel eff.
j j j j j j j j
Enter
:expect error 1 × truncated
LINES

# Fit has a key of its own.
script 'Z shows the whole run, 0 the overview' sample-traces/lu.S.4.clog2 --no-config <<'LINES'
1 Z
:expect ticks 0
0
:expect load balance
1
:fit
:fit
:expect ticks 0
LINES

# Every column of the palette and every glyph has its stand-in.
printf ':screen %s\n' "$TMP/ascii" >"$TMP/script"
run_ok 'in ASCII' "$PAS2P" --no-config --ascii --script "$TMP/script" --size 200x60 sample-traces/lu.S.4.clog2
is "$(LC_ALL=C grep -c '[^ -~]' "$TMP/ascii")" 0 'there is nothing else'
done_testing

#!/bin/sh
# Settings come from the user's config file, from --config, from a preset and from the command line, and the later wins,
# key by key, so that a person's habits, a project's file and a single trial go together. A config file that is
# wrong is named with its line and nothing is done.
. t/lib/lib.sh

trace=sample-traces/ep.S.4.clog2
XDG_CONFIG_HOME=$TMP/xdg
export XDG_CONFIG_HOME
mkdir -p "$XDG_CONFIG_HOME/pas2p"

setting() { # KEY ARGUMENT...
	key=$1
	shift
	"$PAS2P" phases --quiet --format yaml "$@" "$trace" | sed -n "/^analysis:/,/^prediction:/s/.*[ {]$key: \([^,}]*\).*/\1/p"
}

is "$(setting volume)" 0.05 'the default'
cat >"$XDG_CONFIG_HOME/pas2p/config.yaml" <<'END'
analysis:
  order: lamport
  thresholds: {volume: 10%, compute: 20%, events: 0.7}
presets:
  coarse:
    thresholds: {compute: 40%}
END
cat >"$TMP/mine.yaml" <<'END'
analysis:
  thresholds: {volume: 0.11, compute: 0.21}
END
is "$(setting volume)" 0.1 "the user's file"
is "$(setting order)" lamport "the user's file, a choice"
is "$(setting volume --config "$TMP/mine.yaml")" 0.11 '--config wins over it'
is "$(setting events --config "$TMP/mine.yaml")" 0.7 'and leaves what it does not name'
is "$(setting compute --preset coarse --config "$TMP/mine.yaml")" 0.4 'a preset wins over both'
is "$(setting compute --preset coarse --config "$TMP/mine.yaml" --compute 1%)" 0.01 'the command line wins over all'
is "$(setting compute --compute 1% --compute 2%)" 0.02 'and of the same option the last'
is "$(setting volume --no-config)" 0.05 '--no-config leaves it unread'
is "$(setting volume --no-config --config "$TMP/mine.yaml")" 0.11 'but reads --config'
is "$(XDG_CONFIG_HOME='' HOME=$TMP/home setting volume)" 0.05 'no file at all'

printf 'analysis: {thresholds: {compute: 0.3, volume: 0.13}}\n' >"$XDG_CONFIG_HOME/pas2p/saved.yaml"
is "$(setting volume)" 0.13 'what the workbench has saved wins over what was written before'
is "$(setting events)" 0.7 'and leaves the rest'
is "$(setting volume --config "$TMP/mine.yaml")" 0.11 '--config wins over that'
is "$(setting volume --no-config)" 0.05 '--no-config leaves both unread'
rm "$XDG_CONFIG_HOME/pas2p/saved.yaml"

run_fails 2 'a preset that is not there' "$PAS2P" phases --preset fine "$trace"
is "$(cat "$ERR" | head -1)" "pas2p: preset is 'fine': expected coarse or thesis" 'names those that are'
run_fails 2 'without a config file' "$PAS2P" phases --no-config --preset fine "$trace"
is "$(head -1 "$ERR")" "pas2p: preset is 'fine': expected thesis" 'that is the one of pas2p'

# The command line is read from left to right: a preset wins over what stands before it, and loses to what stands after it.
is "$(setting similarity --preset thesis)" bbp 'the preset of pas2p'
is "$(setting order --preset thesis)" pas2p "wins over the user's file"
is "$(setting phase_time --preset thesis --phase-time mean)" mean 'an option after a preset wins'
is "$(setting similarity --preset thesis --phase-time mean)" bbp 'and leaves the rest'
is "$(setting phase_time --phase-time mean --preset thesis)" slowest 'an option before it loses'
is "$(setting sample.seconds --sample-seconds 2 --preset thesis)$(setting seconds --sample-seconds 2 --preset thesis)" "$(setting seconds --preset thesis --sample-seconds 2)" 'but keeps what the preset does not set'
is "$(setting compute --preset thesis --preset coarse)" 0.4 'of two presets the later wins'
is "$(setting similarity --preset thesis --preset coarse)" bbp 'and leaves the rest of the earlier'
is "$(setting compute -p coarse --preset=thesis)" 0.05 'the other way round'
is "$(setting compute -p coarse --compute 1% --preset thesis --compute 2%)" 0.02 'and so on'
cat >"$TMP/thesis.yaml" <<'END'
preset: thesis
analysis:
  phase_time: mean
END
is "$(setting similarity --config "$TMP/thesis.yaml")" bbp 'a config file begins with a preset'
is "$(setting phase_time --config "$TMP/thesis.yaml")" mean 'what stands after it wins'
is "$(setting similarity --config "$TMP/thesis.yaml" --similarity phase)" phase 'the command line wins over the file'
is "$(setting phase_time --config "$TMP/thesis.yaml" --preset thesis)" slowest 'with a preset, too'
printf 'preset: fine\n' >"$TMP/fine.yaml"
run_fails 2 'a file with a preset that is not there' "$PAS2P" phases --config "$TMP/fine.yaml" "$trace"
like "$(cat "$ERR")" "fine.yaml: line 1: preset is 'fine': expected coarse or thesis" 'names the line, and those that are'

# All commands that have the settings have the presets, and take them as the same settings one by one.
each='--order pas2p --similarity bbp --collectives ignore --compute-of max --absent similar --phase-time slowest --representative first
	--volume 5% --compute 5% --events 80% --relevance 1% --warmup-sends 10 --warmup-seconds 0'
for command in info events bbps phases plan metrics check diff study; do
	case $command in
	diff) files="sample-traces/cg.S.4.clog2 sample-traces/thesis-smg.4.clog2" ;;
	study) files="sample-traces/latesender.4.clog2@n=1 sample-traces/latesender.4.clog2@n=2 --at n=3" ;;
	*) files=sample-traces/nonblock.4.clog2 ;;
	esac
	"$PAS2P" "$command" -q --no-config --preset thesis -f csv $files >"$TMP/preset" 2>&1
	by_preset=$?
	"$PAS2P" "$command" -q --no-config $each -f csv $files >"$TMP/each" 2>&1
	is "$by_preset $(cat "$TMP/preset")" "$? $(cat "$TMP/each")" "$command: the preset is its settings"
	run_fails 2 "$command: a preset that is not there" "$PAS2P" "$command" --no-config --preset fine $files
	like "$(cat "$ERR")" "^pas2p: preset is 'fine': expected thesis" "$command says so"
done
for to in report.html convert.json; do
	"$PAS2P" "${to%.*}" -q --no-config --preset thesis -o "$TMP/preset-$to" "$trace"
	"$PAS2P" "${to%.*}" -q --no-config $each -o "$TMP/each-$to" "$trace"
	run_ok "${to%.*}: the preset is its settings" cmp "$TMP/preset-$to" "$TMP/each-$to"
	run_fails 2 "${to%.*}: a preset that is not there" "$PAS2P" "${to%.*}" --no-config --preset fine -o "$TMP/none-$to" "$trace"
done
is "$("$PAS2P" --no-config --preset thesis "$trace" 2>&1)" "$("$PAS2P" --no-config $each "$trace" 2>&1)" 'the overview: the preset is its settings'
is "$("$PAS2P" --no-config "$trace" --preset thesis | grep ^phases)" "$("$PAS2P" --no-config $each "$trace" | grep ^phases)" 'wherever it stands'
like "$("$PAS2P" help settings | tr '\n' ' ' | tr -s ' ')" ' Presets: thesis Settings of the thesis that defines the method. It sets order pas2p, similarity bbp,' 'help settings lists it'
for command in phases report; do
	like "$("$PAS2P" "$command" --help)" '^  -c FILE, --no-config, -p NAME, ' "$command --help has the option"
done
run_fails 3 'a --config that is not there' "$PAS2P" phases --config "$TMP/none.yaml" "$trace"
like "$(cat "$ERR")" 'none.yaml' 'names it'
printf 'analysis:\n  thresholds: {volume: 7}\n' >"$TMP/wrong.yaml"
run_fails 2 'a value out of range' "$PAS2P" phases --config "$TMP/wrong.yaml" "$trace"
like "$(cat "$ERR")" 'wrong.yaml.*line 2.*volume' 'names file, line and key'
is "$(cat "$OUT")" '' 'and nothing is done'

done_testing

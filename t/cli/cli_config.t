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
like "$(cat "$ERR")" 'no config file has a preset named fine' 'says so'
run_fails 3 'a --config that is not there' "$PAS2P" phases --config "$TMP/none.yaml" "$trace"
like "$(cat "$ERR")" 'none.yaml' 'names it'
printf 'analysis:\n  thresholds: {volume: 7}\n' >"$TMP/wrong.yaml"
run_fails 2 'a value out of range' "$PAS2P" phases --config "$TMP/wrong.yaml" "$trace"
like "$(cat "$ERR")" 'wrong.yaml.*line 2.*volume' 'names file, line and key'
is "$(cat "$OUT")" '' 'and nothing is done'

done_testing

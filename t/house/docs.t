#!/bin/sh
# Man page, completions and pictures are made from the program's tables and by the program, and are committed for those
# who only read. They must be those of this program: make update-docs makes them anew. The completions must be
# understood by their shells, and offer what the tables say.
. t/lib/lib.sh

: "${DOC_GEN:=$(dirname "$PAS2P")/tools/doc-gen}"
run_ok 'the documents can be made' tools/update-docs.sh "$DOC_GEN" "$PAS2P" "$TMP"
for file in man/pas2p.1 man/pas2p-config.5 config/pas2p.yaml completions/pas2p.bash completions/_pas2p completions/pas2p.fish \
	docs/tour-overview.svg docs/tour-grid.svg docs/tour-whole.svg docs/tour-phases.svg docs/tour-bbps.svg docs/tour-compare.svg docs/tour-timeline.svg docs/tour-summary.svg docs/tour-tune.svg \
	docs/tour-table.svg docs/knob.svg docs/clocks-hulls.svg docs/method-order.svg; do
	ok "$file is current (make update-docs)" cmp "$TMP/$file" "$file"
done

# Every word of the tables is in the page.
"$PAS2P" --help >"$TMP/help"
for command in info events bbps phases metrics report check; do
	"$PAS2P" "$command" --help | grep -o -e '--[a-z-]*' | sort -u |
		sed 's/^--//' >"$TMP/names"
	missing=
	while read -r name; do
		grep -q "^\.It .*Fl Fl $name\b" man/pas2p.1 || missing="$missing $name"
	done <"$TMP/names"
	is "$missing" '' "the man page has all options of $command"
done
is "$(sed -n '/^\.Sh EXIT STATUS/,/^\.El/s/^\.It //p' man/pas2p.1 | xargs)" '0 1 2 3 4 5 6 7 8 130' 'and all exit codes'

# Each command's output has an entry in the page; so has each variable that the program asks for, but those of the tests' own.
names() { # of the commands, by their table
	sed -n 's/^COMMAND([A-Z_]*, "\([a-z][a-z-]*\)".*/\1/p' src/cli/commands.def
}
ok 'commands have names' test "$(names | wc -l)" -gt 20
sed -n '/^\.Sh OUTPUT/,/^\.Sh WARN/p' man/pas2p.1 >"$TMP/output"
is "$(names | while read -r name; do
	grep -q "^\.It Cm $name\$" "$TMP/output" || echo "$name"
done)" '' 'the man page says what each command puts out'
is "$(grep -rhoE 'getenv\("[A-Z_0-9]+"' src/core src/cli src/doctor src/report src/runner src/tui | cut -d'"' -f2 | sort -u | while read -r name; do
	case $name in LMOD_CMD | MODULESHOME) continue ;; esac # which only tell doctor whether there are modules
	grep -qE "^\.It Ev .*\b$name\b" man/pas2p.1 || echo "$name"
done)" '' 'and has each variable of the environment'
is "$(sed -n 's/^CHECK([a-z]*, "\([a-z]*\)".*/\1/p' src/doctor/checks.def | while read -r name; do
	grep -q "^| \`$name\` |" docs/doctor.md || echo "docs/doctor.md lacks $name"
	grep -q "^\.It $name\$" man/pas2p.1 || echo "man/pas2p.1 lacks $name"
done)" '' 'each check of doctor is in its pages'

# The config file as it is handed out changes nothing: it holds the defaults.
for options in '' '--config config/pas2p.yaml'; do
	printf '?\n:screen %s\n' "$TMP/help$(printf '%s' "$options" | tr -dc a-z).txt" >"$TMP/script"
	# shellcheck disable=SC2086  # options are words
	run_ok "the help with ${options:-the defaults}" "$PAS2P" --no-config $options --script "$TMP/script" --size 140x200 \
		sample-traces/cg.S.4.clog2
done
run_ok 'the config file holds the keys of the tables' cmp "$TMP/help.txt" "$TMP/helpconfigconfigpaspyaml.txt"

if command -v mandoc >/dev/null; then
	is "$(mandoc -Tlint -W warning man/pas2p.1 man/pas2p-config.5 2>&1)" '' 'the man pages are good mdoc'
else
	skip 1 'no mandoc'
fi

# Bash completion, as bash would call it.
offers() { # WORD...: what the last one could become
	bash -c '
		compopt() { :; }
		. completions/pas2p.bash
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_pas2p
		printf "%s\n" "${COMPREPLY[@]}"' sh "$@" | sort | xargs
}
is "$(offers pas2p ph)" phases 'bash: a command'
is "$(offers pas2p phases --vol)" --volume 'bash: a setting'
is "$(offers pas2p phases --order '')" 'lamport pas2p' 'bash: a choice'
is "$(offers pas2p phases --format = y)" yaml 'bash: a format after an equals sign'
is "$(offers pas2p phases --structure = rel)" relevant 'bash: a value that may be left out'
is "$(offers pas2p phases --structure sample-traces/ep)" sample-traces/ep.S.4.clog2 'bash: or a file in its place'
is "$(offers pas2p info --match)" '' 'bash: no option of another command'
is "$(offers pas2p info sample-traces/ep)" sample-traces/ep.S.4.clog2 'bash: a file'
if command -v zsh >/dev/null; then ok 'zsh understands its completion' zsh -n completions/_pas2p; else skip 1 'no zsh'; fi
if command -v fish >/dev/null; then ok 'fish understands its completion' fish -n completions/pas2p.fish; else skip 1 'no fish'; fi

done_testing

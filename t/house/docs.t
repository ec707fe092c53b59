#!/bin/sh
# Man pages, reference, completions and pictures are made from the program's tables and by the program, and are committed for those
# who only read. They must be those of this program: make update-docs makes them anew. The completions must be
# understood by their shells, and offer what the tables say.
. t/lib/lib.sh

: "${DOC_GEN:=$(dirname "$PAS2P")/tools/doc-gen}"
run_ok 'the documents can be made' tools/update-docs.sh "$DOC_GEN" "$PAS2P" "$TMP"
made=$(cd "$TMP" && find man completions config docs -type f | LC_ALL=C sort)
is "$(echo "$made" | wc -l)" 42 'all of them are made'
for file in $made; do
	ok "$file is current (make update-docs)" cmp "$TMP/$file" "$file"
done
is "$(grep -l 'Made by tools/doc-gen' man/*.[157] docs/reference/*.md | while read -r file; do [ -e "$TMP/$file" ] || echo "$file"; done)" '' 'no page of what is no more is there'

# Each command has a page with all of its options, what it puts out, its exit status and examples; the settings have theirs.
names() { # of the commands, by their table
	sed -n 's/^COMMAND([A-Z_]*, "\([a-z][a-z-]*\)".*/\1/p' src/cli/commands.def
}
ok 'commands have names' test "$(names | wc -l)" -gt 20
for command in $(names); do
	page=man/pas2p-$command.1
	"$PAS2P" "$command" --help | sed '1,/^Common options/!d; s/^Common.*//' | grep -oE -e '^ +(-[a-zA-Z], )?--[a-z-]+' |
		grep -oE -e '--[a-z-]+' | sed 's/^--//' >"$TMP/names"
	is "$(while read -r name; do
		grep -qE "^\.It .*Fl Fl $name\b" "$page" || echo "$name"
	done <"$TMP/names")" '' "$page has the options of the help"
	is "$(for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
		grep -q "^\.Sh $section$" "$page" || echo "$section"
	done)" '' "  and all sections"
	ok "  and it is in the reference" grep -q "^## $command$" docs/reference/commands.md
done
is "$(sed -n 's/^[A-Z]*([a-z_]*, "\([a-z-]*\)".*/\1/p' src/core/settings/settings.def | while read -r name; do
	grep -qE "^\.It Fl Fl $name\b" man/pas2p-settings.7 && grep -q "^| \`--$name" docs/reference/settings.md || echo "$name"
done)" '' 'the pages of settings have all of them'
is "$(sed -n 's/^TERM("\([^"]*\)".*/\1/p' src/core/table/terms.def | while read -r word; do
	grep -qF "| $word |" docs/reference/glossary.md || echo "$word"
done)" '' 'the glossary has all terms'
is "$(sed -n 's/^TERM("\([^"]*\)".*/\1/p' src/core/table/terms.def | LC_ALL=C sort -fc 2>&1)" '' 'in alphabetical order'
is "$(sed -n 's/^TERM("[^"]*", "\(.*\)")$/\1/p' src/core/table/terms.def | awk 'NF > 30')" '' 'each in a sentence of at most 30 words'
is "$(sed -n '/^\.Sh EXIT STATUS/,/^\.El/s/^\.It //p' man/pas2p.1 | xargs)" '0 1 2 3 4 5 6 7 8 130' 'the main page has all exit codes'
is "$(sed -n 's/^| `\([0-9]*\)` .*/\1/p' docs/reference/exit-status.md | xargs)" '0 1 2 3 4 5 6 7 8 130' 'and so has the reference'

# So has each variable that the program asks for, but those of the tests' own.
is "$(grep -rhoE 'getenv\("[A-Z_0-9]+"' src/core src/cli src/doctor src/report src/runner src/tui | cut -d'"' -f2 | sort -u | while read -r name; do
	case $name in LMOD_CMD | MODULESHOME) continue ;; esac # which only tell doctor whether there are modules
	grep -qE "^\.It Ev .*\b$name\b" man/pas2p.1 || echo "$name"
done)" '' 'the main page has each variable of the environment'
is "$(sed -n 's/^CHECK([a-z]*, "\([a-z]*\)".*/\1/p' src/doctor/checks.def | while read -r name; do
	grep -q "^| \`$name\` |" docs/doctor.md || echo "docs/doctor.md lacks $name"
	grep -q "^\.Va $name\$" man/pas2p-doctor.1 || echo "man/pas2p-doctor.1 lacks $name"
done)" '' 'each check of doctor is in its pages'
is "$(sed -n 's/.*NOTE([A-Z_]*, "\([a-z-]*\)".*/\1/p' src/core/trace/notes.h | while read -r name; do
	sed 's/\\-/-/g' man/pas2p-check.1 | grep -q "^\.Va $name\$" || echo "$name"
done)" '' 'each kind of issue is in the page of check'

# The config file as it is handed out changes nothing: it holds the defaults.
for options in '' '--config config/pas2p.yaml'; do
	printf '?\n:screen %s\n' "$TMP/help$(printf '%s' "$options" | tr -dc a-z).txt" >"$TMP/script"
	# shellcheck disable=SC2086  # options are words
	run_ok "the help with ${options:-the defaults}" "$PAS2P" --no-config $options --script "$TMP/script" --size 140x200 \
		sample-traces/cg.S.4.clog2
done
run_ok 'the config file holds the keys of the tables' cmp "$TMP/help.txt" "$TMP/helpconfigconfigpaspyaml.txt"

if command -v mandoc >/dev/null; then
	is "$(mandoc -Tlint -W warning man/*.[157] 2>&1)" '' 'the man pages are good mdoc'
	ok 'the main page is short' test "$(mandoc -O width=78 man/pas2p.1 | wc -l)" -le 200
else
	skip 2 'no mandoc'
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
is "$(offers pas2p help se)" settings 'bash: a topic'
is "$(offers pas2p help ph)" phases 'bash: the page of a command'
is "$(offers pas2p bl)" blocks 'bash: a command by its name of today'
is "$(offers pas2p bb)" '' 'bash: not by an older one'
is "$(offers pas2p metrics --by '')" 'callpath cause pattern phase rank run' 'bash: words of today'
is "$(offers pas2p metrics --go)" --goal 'bash: an option by its name of today'
is "$(offers pas2p metrics --ba)" '' 'bash: not by an older one'
is "$(offers pas2p run --mechanism '')" 'criu rerun' 'bash: mechanisms'
is "$(grep -cE "pas2p -f -n '__fish_seen_subcommand_from help' -a 'settings options" completions/pas2p.fish)" 1 'fish: topics'
is "$(grep -cE "topic:\(settings options" completions/_pas2p)" 1 'zsh: topics'
is "$(offers pas2p info --match)" '' 'bash: no option of another command'
is "$(offers pas2p info sample-traces/ep)" sample-traces/ep.S.4.clog2 'bash: a file'
if command -v zsh >/dev/null; then ok 'zsh understands its completion' zsh -n completions/_pas2p; else skip 1 'no zsh'; fi
if command -v fish >/dev/null; then ok 'fish understands its completion' fish -n completions/pas2p.fish; else skip 1 'no fish'; fi

done_testing

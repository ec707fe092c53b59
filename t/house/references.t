#!/bin/sh
# A comment that says docs/explain/method.md, "Logical time" saves the reader a search only if there is such a page with such a heading, and
# a link only if it leads somewhere. So every page that sources, tests, tools and pages name must be in the project, under
# the name by which it is called; every cited heading and every linked heading must be in it. The page of the settings must
# name each of them.
. t/lib/lib.sh

# FILE:PAGE<tab>HEADING for each mention of a page, and for each heading cited of it (docs/x.md, "One" and "Two", or docs/x.md 2 and 3).
mentions() { # FILE...: examples of pages do not count
	LC_ALL=C awk -v name='[A-Za-z0-9_./-]*[A-Za-z0-9_-][.]md' -v headings='^, "[^"]+"((,| and) "[^"]+")*' -v numbers='^ [0-9]+((,| and| to) [0-9]+)*' '
		FNR == 1 { example = 0 }
		FILENAME ~ /[.]md$/ && /^```/ { example = !example }
		example { next }
		{
			while (match($0, name)) {
				page = FILENAME ":" substr($0, RSTART, RLENGTH)
				$0 = substr($0, RSTART + RLENGTH)
				print page
				if (match($0, headings)) {
					n = split(substr($0, 1, RLENGTH), part, "\"")
					for (i = 2; i <= n; i += 2)
						print page "\t" part[i]
				} else if (match($0, numbers)) {
					n = split(substr($0, 1, RLENGTH), part, /[^0-9]+/)
					for (i = 1; i <= n; i++)
						if (part[i] != "")
							print page "\t" part[i] "."
				}
			}
		}' "$@" | sort -u
}

# Those that lead nowhere. A page of the project is called by its path; in docs and the samples also as its neighbours call it.
dangling() { # FILE...
	mentions "$@" | while IFS='	' read -r page heading; do
		file=${page%%:*}
		page=${page#*:}
		found=$page
		case $file in docs/* | */docs/* | sample-*/*) [ -f "$found" ] || found=${file%/*}/$page ;; esac
		if [ ! -f "$found" ]; then
			echo "$file names $page"
		elif [ -n "$heading" ] && ! sed -n 's/^##* //p' "$found" | awk -v want="$heading" '$0 == want || (want ~ /^[0-9]+\.$/ && index($0, want) == 1) { ok = 1 } END { exit !ok }'; then
			echo "$file cites $page, $heading"
		fi
	done
}

# Headings as links name them: lower case, words joined by hyphens, no punctuation.
anchors() { # PAGE
	sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# Links of a page to files that are not there, or to headings that these do not have.
broken_links() { # PAGE...
	for page in "$@"; do
		grep -oE '\]\([^) ]+\)' "$page" | sed 's/^](//; s/)$//' | sort -u | while read -r link; do
			case $link in http:* | https:*) continue ;; esac
			to=${link%%#*}
			to=${to:+$(dirname "$page")/$to}
			to=${to:-$page}
			if [ ! -e "$to" ]; then
				echo "$page links to $link"
			elif [ "$link" != "${link#*#}" ] && ! anchors "$to" | grep -qxF -e "${link#*#}"; then
				echo "$page links to $link"
			fi
		done
	done
}

# shellcheck disable=SC2046  # names without blanks
pages=$(ls ./*.md sample-*/*.md $(find docs -name '*.md') | sed 's,^\./,,')
# shellcheck disable=SC2046,SC2086
files=$(ls $(find src t tools bench fuzz packaging -type f \( -name '*.[ch]' -o -name '*.t' -o -name '*.sh' -o -name '*.def' -o -name '*.inc' -o -name '*.py' \
	-o -name '*.mk' -o -name '*.script' \) ! -name references.t) Makefile man/*.in config/*.in $pages)

# shellcheck disable=SC2086
mentions $files >"$TMP/mentions"
ok 'comments cite headings of the method' test "$(grep -c 'docs/explain/method\.md	' "$TMP/mentions")" -ge 20
# shellcheck disable=SC2086
is "$(dangling $files)" '' 'every page that is named is there, and has the headings that are cited'
# shellcheck disable=SC2086
is "$(broken_links $pages)" '' 'every link of a page leads somewhere'
is "$(find docs -name '*.md' ! -path 'docs/internals/*' ! -name index.md | while read -r page; do
	grep -qF "](${page#docs/})" docs/index.md || echo "$page"
done)" '' 'docs/index.md leads to every page for users'
is "$(sed -n 's/^[A-Z]*([a-z_]*, "\([a-z-]*\)".*/\1/p' src/core/settings/settings.def | while read -r key; do
	grep -Eq "\`(--)?$key\b" docs/explain/method.md docs/explain/windows.md docs/explain/clocks-bounds.md || echo "$key"
done)" '' 'the pages that explain the method name every setting'

# The checks can fail.
mkdir "$TMP/docs"
cat >"$TMP/docs/some.c" <<'END'
/* docs/explain/method.md, "Logical time", "Ticks" and "Tocks": the last one is not there; method.md and docs/nowhere.md 3 are not either. */
END
is "$(dangling "$TMP/docs/some.c" | sed "s,$TMP/docs/,," | sort -u | paste -sd ' ')" \
	'some.c cites docs/explain/method.md, Tocks some.c names docs/nowhere.md some.c names method.md' 'a heading and pages that are not there are found'
printf '%s\n' '# One' 'See [this](#one), [that](#two), [a file](some.c) and [none](none.md#one).' >"$TMP/docs/page.md"
is "$(broken_links "$TMP/docs/page.md" | sed 's,.* to ,,' | xargs)" '#two none.md#one' 'so are links'

done_testing

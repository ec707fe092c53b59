#!/bin/sh
# A comment that says "docs/method.md 6.4" saves the reader a search only if there is such a page with such a section, and
# a link only if it leads somewhere. So every page that sources, tests, tools and pages name must be in the project, under
# the name by which it is called; every cited section and every linked heading must be in it. The page of the method must
# say what each setting does.
. t/lib/lib.sh

# FILE:PAGE for each mention of a page, and FILE:PAGE NUMBER for each section cited of it ("docs/x.md 1, 2.3 and 4").
mentions() { # FILE...
	grep -HoE '[A-Za-z0-9_./-]*[A-Za-z0-9_-]\.md( [0-9]+(\.[0-9]+)*((,| and| to) [0-9]+(\.[0-9]+)*)*)?' "$@" |
		awk '{
			page = $1
			print page
			for (i = 2; i <= NF; i++) {
				sub(/,$/, "", $i)
				if ($i ~ /^[0-9]/)
					print page, $i
			}
		}' | sort -u
}

# Those that lead nowhere. A page of the project is called by its path; in docs and sample-traces also as its neighbours call it.
dangling() { # FILE...
	mentions "$@" | while read -r page number; do
		file=${page%%:*}
		page=${page#*:}
		found=$page
		case $file in docs/* | sample-traces/*) [ -f "$found" ] || found=${file%/*}/$page ;; esac
		if [ ! -f "$found" ]; then
			echo "$file names $page"
		elif [ -n "$number" ] && ! grep -Eq "^#+ $(echo "$number" | sed 's/\./\\./g')\.? " "$found"; then
			echo "$file cites $page $number"
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

pages=$(ls ./*.md docs/*.md sample-traces/*.md | sed 's,^\./,,')
# shellcheck disable=SC2046,SC2086  # names without blanks
files=$(ls $(find src t tools bench fuzz -type f \( -name '*.[ch]' -o -name '*.t' -o -name '*.sh' -o -name '*.def' -o -name '*.inc' \
	-o -name '*.mk' -o -name '*.script' \) ! -name references.t) Makefile man/*.in config/*.in $pages)

# shellcheck disable=SC2086
mentions $files >"$TMP/mentions"
ok 'comments cite sections of the method' test "$(grep -c 'docs/method\.md [0-9]' "$TMP/mentions")" -ge 20
# shellcheck disable=SC2086
is "$(dangling $files)" '' 'every page that is named is there, and has the sections that are cited'
# shellcheck disable=SC2086
is "$(broken_links $pages)" '' 'every link of a page leads somewhere'
is "$(sed -n 's/^[A-Z]*([a-z_]*, "\([a-z-]*\)".*/\1/p' src/core/settings/settings.def | while read -r key; do
	grep -Eq "\`(--)?$key\b" docs/method.md || echo "$key"
done)" '' 'the page of the method names every setting'

# The checks can fail.
mkdir "$TMP/docs"
cat >"$TMP/docs/some.c" <<'END'
/* docs/method.md 1, 4 and 9.9: the last one is not there; method.md and docs/nowhere.md 3 are not either. */
END
is "$(dangling "$TMP/docs/some.c" | sed "s,$TMP/docs/,," | sort -u | paste -sd ' ')" \
	'some.c cites docs/method.md 9.9 some.c names docs/nowhere.md some.c names method.md' 'a section and pages that are not there are found'
printf '%s\n' '# One' 'See [this](#one), [that](#two), [a file](some.c) and [none](none.md#one).' >"$TMP/docs/page.md"
is "$(broken_links "$TMP/docs/page.md" | sed 's,.* to ,,' | xargs)" '#two none.md#one' 'so are links'

done_testing

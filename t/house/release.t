#!/bin/sh
# Who cites pas2p, packages it or asks what is new reads a file, not the source: the version in CITATION.cff and the newest release in
# CHANGELOG.md must be the program's, dates must be dates, and both files must have the forms that other programs read (Citation File
# Format 1.2.0; Keep a Changelog). What the version is stands in one place of the source.
. t/lib/lib.sh

version=$(sed -n 's/^#define PAS2P_VERSION "\(.*\)"$/\1/p' src/cli/version.h)
like "$version" '^[0-9]+\.[0-9]+\.[0-9]+$' 'there is a version'
is "$(grep -rlE '#[[:space:]]*define[[:space:]]+PAS2P_VERSION[[:space:]]' src)" src/cli/version.h 'in one place'
like "$("$PAS2P" --version | head -n 1)" "^pas2p $version( |\$)" 'and the program says it'

# The newest release is the first one behind what is not released.
is "$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)" '[Unreleased]' 'the changelog begins with what is not released'
newest=$(sed -n 's/^## \[\([0-9].*\)\] - .*/\1/p' CHANGELOG.md | head -n 1)
is "$newest" "$version" 'its newest release is this version'
is "$(sed -n 's/^## //p' CHANGELOG.md | grep -vEx '\[Unreleased\]|\[[0-9]+\.[0-9]+\.[0-9]+\] - [0-9]{4}-[01][0-9]-[0-3][0-9]')" '' \
	'releases are called as in Keep a Changelog'
is "$(sed -n 's/^### //p' CHANGELOG.md | grep -vEx 'Added|Changed|Deprecated|Removed|Fixed|Security')" '' 'and so are kinds of changes'

# CITATION.cff
if ! command -v python3 >/dev/null || ! python3 -c 'import yaml' 2>/dev/null; then
	skip 3 'no python3 with YAML'
	done_testing
fi
cat >"$TMP/cff.py" <<'END'
import datetime, re, sys, yaml

KEYS = {"abstract", "authors", "cff-version", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license", "license-url",
        "message", "preferred-citation", "references", "repository", "repository-artifact", "repository-code", "title", "type", "url", "version"}
TYPES = {"article", "book", "conference-paper", "manual", "proceedings", "report", "software", "thesis"}
REFERENCE = {"abstract", "authors", "collection-title", "conference", "date-published", "doi", "end", "institution", "isbn", "issn", "issue", "journal",
             "month", "notes", "number", "pages", "publisher", "start", "thesis-type", "title", "type", "url", "volume", "year"}
PERSON = {"family-names", "given-names", "name-particle", "name-suffix", "orcid", "affiliation", "email", "website", "alias"}
wrong = []

def check(holds, what):
    if not holds:
        wrong.append(what)

def authors(list_, of):
    check(isinstance(list_, list) and list_, of + ": no authors")
    for a in list_ or []:
        check(isinstance(a, dict) and (isinstance(a.get("name"), str) or "family-names" in a and set(a) <= PERSON), of + ": author " + str(a))

c = yaml.safe_load(open(sys.argv[1]))
for key in ("cff-version", "message", "title", "authors"):
    check(key in c, "required: " + key)
check(not set(c) - KEYS, "no keys of the format: " + str(set(c) - KEYS))
check(c.get("cff-version") == "1.2.0", "cff-version")
check(c.get("type") in ("software", "dataset"), "type")
check(str(c.get("version")) == sys.argv[2], "version is " + str(c.get("version")))
check(isinstance(c.get("date-released"), datetime.date), "date-released")
check(all(isinstance(k, str) for k in c.get("keywords", [])), "keywords")
authors(c.get("authors"), "the program")
for r in c.get("references", []):
    of = str(r.get("title"))
    check(r.get("type") in TYPES, of + ": type")
    check(isinstance(r.get("title"), str), of + ": title")
    check(not set(r) - REFERENCE, of + ": keys " + str(set(r) - REFERENCE))
    authors(r.get("authors"), of)
    check("doi" not in r or re.fullmatch(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-\.\(\)\[\]\\]+", str(r["doi"])), of + ": doi")
    check("year" not in r or isinstance(r["year"], int), of + ": year")
    check("month" not in r or r["month"] in range(1, 13), of + ": month")
    for entity in ("conference", "publisher", "institution"):
        check(entity not in r or isinstance(r[entity], dict) and isinstance(r[entity].get("name"), str), of + ": " + entity)
print("; ".join(wrong))
END
is "$(python3 "$TMP/cff.py" CITATION.cff "$version")" '' 'the citation is of Citation File Format 1.2.0, and of this version'
released=$(sed -n 's/^date-released: //p' CITATION.cff)
is "$(sed -n "s/^## \[$version\] - //p" CHANGELOG.md)" "$released" 'both files have one date'
# The check can fail.
sed 's/^title: .*//; s/2015/"2015"/' CITATION.cff >"$TMP/bad.cff"
like "$(python3 "$TMP/cff.py" "$TMP/bad.cff" 9.9.9)" '^required: title; version is 0.*: year$' 'what is wrong with one is found'
done_testing

#!/bin/sh
# Make the generated documents anew: tools/update-docs.sh DOC-GEN PAS2P DIRECTORY
# DIRECTORY gets man/, completions/, config/ and docs/; "." is the project itself, another one serves to compare.
set -eu
gen=$1
pas2p=$2
to=$3

mkdir -p "$to/man" "$to/completions" "$to/docs/reference" "$to/config"
for page in man/*.in; do
	"$gen" man "$page" >"$to/${page%.in}"
done
for command in $("$gen" commands); do
	"$gen" command "$command" >"$to/man/pas2p-$command.1"
done
for topic in settings glossary; do
	"$gen" topic "$topic" >"$to/man/pas2p-$topic.7"
done
for page in commands settings exit-status keys glossary; do
	"$gen" reference "$page" >"$to/docs/reference/$page".md
done
"$gen" config config/pas2p.yaml.in >"$to/config/pas2p.yaml"
"$gen" bash >"$to/completions/pas2p.bash"
"$gen" zsh >"$to/completions/_pas2p"
"$gen" fish >"$to/completions/pas2p.fish"
# The workbench draws the pictures itself, driven by a script on a screen in memory; the frames become one moving picture.
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
sed "s|@DIR@|$frames|; s|@DOCS@|$to/docs|" tools/tour.script |
	LC_ALL=C.UTF-8 "$pas2p" --no-config --script - --size 100x28 sample-traces/lu.S.4.clog2
LC_ALL=C awk -f tools/moving-picture.awk "$frames"/[1-9].svg >"$to/docs/tour.svg"
# The hulls of two clocks, by the plot of the workbench.
"${gen%/*}/hull-picture" sample-traces/cg.S.4.clog2 0 1 >"$to/docs/clocks-hulls.svg"
# Arrival in both orders of logical time, by runs that are made for it.
"${gen%/*}/order-picture" >"$to/docs/method-order.svg"

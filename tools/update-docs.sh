#!/bin/sh
# Make the generated documents anew: tools/update-docs.sh DOC-GEN PAS2P DIRECTORY
# DIRECTORY gets man/, completions/ and docs/; "." is the project itself, another one serves to compare.
set -eu
gen=$1
pas2p=$2
to=$3

mkdir -p "$to/man" "$to/completions" "$to/docs"
"$gen" man man/pas2p.1.in >"$to/man/pas2p.1"
"$gen" bash >"$to/completions/pas2p.bash"
"$gen" zsh >"$to/completions/_pas2p"
"$gen" fish >"$to/completions/pas2p.fish"
"$pas2p" --no-config --script tools/workbench.script --size 100x30 sample-traces/cg.S.4.clog2 >"$to/docs/workbench.svg"

#!/bin/sh
# From the file to the phases, pas2p says what a reference says that was written from the method's definitions alone, by somebody who had seen
# nothing of pas2p (t/lib/reference_method.py): events, logical times, ticks, labels, phases, times, entries and checkpoints.
. t/lib/lib.sh

command -v python3 >/dev/null || skip_all 'python3 is not installed'

# agree TRACE OPTION...
agree() {
	trace=$1
	shift
	run_ok "${trace##*/} $*: compared" python3 -B t/lib/reference_compare.py "$PAS2P" "$trace" "$@"
	like "$(cat "$OUT")" '^compared [1-9][0-9]*$' "${trace##*/} $*: something was compared"
	is "$(grep -vc '^compared' "$OUT")" 0 "${trace##*/} $*: nothing differs"
	grep -v '^compared' "$OUT" | while read -r line; do diag "$line"; done
}

thesis='--order pas2p --similarity bbp --collectives ignore --compute-of max --absent similar --phase-time slowest --representative first --warmup-seconds 0'
for name in anysrc.5 coll.6.m246 comms.6 ft.S.4 is.S.4 nonblock.4 pcontrol.4 persist.4.m246 sendrecv.4 syncclk.4 userstates.3 thesis-cg.4 thesis-smg.4; do
	agree "sample-traces/$name.clog2" --warmup-sends 3 --warmup-seconds 0.001
	# shellcheck disable=SC2086 # options
	agree "sample-traces/$name.clog2" $thesis
done
agree sample-traces/anysrc.5.clog2 --order lamport --similarity bbp --compute-of each
agree sample-traces/sendrecv.4.clog2 --similarity bbp --compute-of sum --representative last
agree sample-traces/anysrc.5.clog2 --absent different --volume 50% --events 50%
done_testing

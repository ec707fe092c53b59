#!/bin/sh
# Who works with Vampir or Paraver can trace with pas2p: trace --to writes their format when the job is over, and nothing else. Where it cannot be
# written is said before the job runs; a trace that could not be converted stays.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export SAID="$TMP/said"

# What is refused is so before anything runs.
run_fails 2 'a format that needs more than a trace' "$PAS2P" trace --to tit -o "$TMP/x" -- touch "$TMP/ran"
for wrong in '-o x.json' '--to clog2 -o x.prv' '--to prv -o x.clog2' '-o x.otf2.gz' '--to prv -o x.json.gz'; do
	run_fails 2 "a name of another format: $wrong" sh -c 'cd "$1" && exec "$PAS2P" trace $2 -- touch "$1/ran"' - "$TMP" "$wrong"
done
like "$(cat "$ERR")" 'x.json.gz is a name for perfetto, but --to is prv' 'says so'
mkdir "$TMP/other"
echo mine >"$TMP/other/file"
"$PAS2P" convert --to otf2 -q -o "$TMP/try" sample-traces/thesis-cg.4.clog2 >/dev/null 2>&1 && otf2=1 || otf2=
if [ "$otf2" ]; then
	run_fails 6 'a folder that is no archive' "$PAS2P" trace --to otf2 -o "$TMP/other" -- touch "$TMP/ran"
	run_fails 6 'a folder that is not there' "$PAS2P" trace --to otf2 -o "$TMP/none/x" -- touch "$TMP/ran"
fi
ok 'nothing was run' test ! -e "$TMP/ran"
is "$(cat "$TMP/other/file")" mine 'and nothing was touched'

for mpi in $built; do
	launcher=mpirun.openmpi
	[ "$mpi" = openmpi ] || launcher=mpiexec.mpich
	run_ok "$mpi: the program is compiled" "mpicc.$mpi" -O1 -It/preload/mpi -o "$TMP/halo.$mpi" t/preload/mpi/halo.c
	for to in otf2 prv; do
		[ "$to" = prv ] || [ "$otf2" ] || continue
		rm -rf "$SAID" "$TMP"/traced*
		mkdir "$SAID"
		run_ok "$mpi: it is traced as $to" "$PAS2P" trace --to "$to" -o "$TMP/traced.$to" -- "$launcher" -n 4 "$TMP/halo.$mpi"
		like "$(cat "$ERR")" "traced\.$to: [0-9.]+ ([KMG]i)?B" "$mpi: $to: that is said"
		is "$(cd "$TMP" && echo traced*)" "$([ "$to" = otf2 ] && echo traced.otf2 || echo traced.pcf traced.prv traced.row)" \
			"$mpi: $to: nothing else is left"
		if [ "$to" = prv ]; then
			is "$(grep -c '^3:' "$TMP/traced.prv")" "$(cat "$SAID"/* | grep -c ,send,)" "$mpi: $to: its messages"
		elif command -v otf2-print >/dev/null; then
			otf2-print "$TMP/traced.otf2/traces.otf2" >"$TMP/printed" 2>"$TMP/warned"
			is "$? $(cat "$TMP/warned")" '0 ' "$mpi: $to: otf2-print has nothing to warn of"
			is "$(grep -cE '^MPI_I?SEND ' "$TMP/printed") $(grep -cE '^MPI_I?RECV ' "$TMP/printed")" \
				"$(cat "$SAID"/* | grep -c ,send,) $(cat "$SAID"/* | grep -c ,receive,)" "$mpi: $to: its sends and receives"
		fi
	done
	# The name alone says it, too.
	rm -rf "$TMP"/traced*
	run_ok "$mpi: by its name" "$PAS2P" trace -q -o "$TMP/traced.prv" -- "$launcher" -n 4 "$TMP/halo.$mpi"
	is "$(cd "$TMP" && echo traced*) $(head -c 8 "$TMP/traced.prv")" 'traced.pcf traced.prv traced.row #Paraver' "$mpi: it is PRV"
	if "$PAS2P" --version | grep -q '^compressed .*gzip' && command -v gzip >"$OUT"; then
		rm -rf "$TMP"/traced*
		run_ok "$mpi: compressed" "$PAS2P" trace -o "$TMP/traced.clog2.gz" -- "$launcher" -n 4 "$TMP/halo.$mpi"
		like "$(cat "$ERR")" 'traced.clog2.gz: [0-9.]+ ([KMG]i)?B' "$mpi: that is said"
		is "$(cd "$TMP" && echo traced*) $(gzip -dc <"$TMP/traced.clog2.gz" | head -c 8)" 'traced.clog2.gz CLOG-02.' "$mpi: it is CLOG2, compressed"
		run_ok "$mpi: and it is whole" "$PAS2P" info "$TMP/traced.clog2.gz"
	else
		skip 4 'no gzip'
	fi
done

done_testing

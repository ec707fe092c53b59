#!/bin/sh
# Ranks that were asked for different things, or have different files before them, or do not come at all: the job ends, with one sentence on all ranks and
# the documented exit status, before anything is read together.
. t/lib/lib.sh
. t/lib/job.sh
jobs
trace=sample-traces/lu.S.4.clog2

# ranks N COMMAND... : OTHER...: rank N - 1 of N does the other thing; without OTHER all are alike.
apart() {
	ranks=$1
	shift
	timeout 100 "$LAUNCH" -np $((ranks - 1)) "$@"
}

# said STATUS SENTENCE NAME: exit status and the only sentence of the last job.
said() {
	like "$(grep '^pas2p: ' "$ERR")" "^pas2p: $2" "$mpi: $3: says so" || diag "$(head -n 5 "$ERR")"
	is "$(grep -c '^pas2p: ' "$ERR")" 1 "$mpi: $3: once"
	is "$1" "$(cat "$TMP/status")" "$mpi: $3: exit status"
}

job_of() {
	"$@" </dev/null >"$OUT" 2>"$ERR"
	echo $? >"$TMP/status"
}

mkdir -p "$TMP/config/pas2p" "$TMP/bad/pas2p" "$TMP/empty"
printf 'analysis:\n  collectives: ignore\n' >"$TMP/config/pas2p/config.yaml"
printf 'analysis:\n  nonsense: 1\n' >"$TMP/bad/pas2p/config.yaml"
cp "$trace" "$TMP/copy.clog2"
head -c 40000 "$trace" >"$TMP/cut.clog2"
# As long, with other bytes near its end.
size=$(($(wc -c <"$trace")))
{ head -c $((size - 3000)) "$trace"; printf 'other'; tail -c 2995 "$trace"; } >"$TMP/other.clog2"
cp sample-traces/nonblock.4.prv "$TMP"
cp sample-studies/cg.study.yaml "$TMP/cg.study.yaml"
echo 'study: 1
runs: [{file: a.clog2}]' >"$TMP/other.study.yaml"
mkdir "$TMP/program"
cp "$PAS2P" "$TMP/program/pas2p"
export XDG_CONFIG_HOME="$TMP/empty"

for mpi in $MPIS; do
	launcher "$mpi"
	for n in 2 4 7; do
		[ $n = 2 ] || [ "$mpi" = "${MPIS##* }" ] || continue
		job_of apart $n "$PAS2P" phases "$trace" : -np 1 env "XDG_CONFIG_HOME=$TMP/config" "$PAS2P" phases "$trace"
		said 2 "rank $((n - 1)): collectives is ignore, but events on rank 0: the analysis ranks have different settings: check for different config files on the nodes" "$n ranks, a config file on one node"
		job_of apart $n "$PAS2P" check "$trace" : -np 1 "$PAS2P" check --no-such "$trace"
		said 2 "rank $((n - 1)): --no-such: unknown option" "$n ranks, one refuses its options"
	done
	job_of apart 2 "$PAS2P" phases --no-such "$trace" : -np 1 "$PAS2P" phases "$trace"
	said 2 '--no-such: unknown option' 'rank 0 refuses its options'
	like "$(cat "$ERR")" '^usage: pas2p phases' "$mpi: with how to use it"
	job_of apart 2 "$PAS2P" phases "$trace" : -np 1 env "XDG_CONFIG_HOME=$TMP/bad" "$PAS2P" phases "$trace"
	said 2 "rank 1: .*config.yaml: line 2: 'nonsense' is not a setting of analysis" 'a config file with an error'
	job_of apart 2 "$PAS2P" phases "$trace" : -np 1 "$PAS2P" phases --order lamport "$trace"
	said 2 'rank 1: --order is lamport, but not given on rank 0: all ranks of a parallel analysis need the same command' 'another option'
	job_of apart 2 "$PAS2P" diff --min-share 0 "$trace" "$trace" : -np 1 "$PAS2P" diff --min-share 0.1 "$trace" "$trace"
	said 2 'rank 1: --min-share is 0.1, but 0 on rank 0' 'an option that is 0'
	job_of apart 2 "$PAS2P" metrics --by state --what-if network=0 "$trace" : -np 1 "$PAS2P" metrics --by process "$trace"
	said 2 'rank 1: --by is rank, but callpath on rank 0' 'other values of an option'
	job_of apart 2 "$PAS2P" phases "$trace" : -np 1 "$PAS2P" check "$trace"
	said 2 'rank 1: the command is check, but phases on rank 0' 'another command'
	job_of apart 2 "$PAS2P" phases "$trace" : -np 1 "$PAS2P" phaess "$trace"
	said 2 'rank 1: ' 'a command that is none'
	job_of apart 2 "$PAS2P" metrics "$trace" : -np 1 "$PAS2P" metrics "$trace" "$trace"
	said 2 'rank 1: the number of files is 2, but 1 on rank 0' 'more operands'
	job_of apart 2 "$PAS2P" phases "$trace" : -np 1 env PAS2P_JOB=lam "$PAS2P" phases "$trace"
	said 2 "rank 1: PAS2P_JOB is 'lam': expected" 'a rank with a wrong PAS2P_JOB'
	job_of apart 2 "$PAS2P" phases "$trace" : -np 1 "$TMP/program/pas2p" phases "$trace"
	said 3 "rank 1: this is a rank of an MPI job, but libpas2p-job-$mpi.so was not found" 'no plug-in on one node'

	# Files.
	job_of apart 2 "$PAS2P" phases "$trace" : -np 1 "$PAS2P" phases "$TMP/cut.clog2"
	said 2 "rank 1: .*/cut.clog2 is 40000 bytes .*, but $size bytes .* on rank 0: all ranks of a parallel analysis must read the same files" 'a shorter file'
	job_of apart 3 "$PAS2P" phases "$trace" : -np 1 "$PAS2P" phases "$TMP/other.clog2"
	said 2 "rank 2: .*/other.clog2 is $size bytes .*, but $size bytes .* on rank 0" 'a file with other bytes'
	job_of apart 2 "$PAS2P" phases "$trace" : -np 1 "$PAS2P" phases sample-traces/nonblock.4.prv
	said 2 'rank 1: sample-traces/nonblock.4.prv is [0-9]+ bytes' 'a file of another format'
	job_of apart 2 "$PAS2P" metrics --before "$trace" "$trace" : -np 1 "$PAS2P" metrics --before "$TMP/cut.clog2" "$trace"
	said 2 'rank 1: .*/cut.clog2 is 40000 bytes' 'another file to compare with'
	job_of apart 2 "$PAS2P" metrics --by state sample-traces/nonblock.4.prv : -np 1 "$PAS2P" metrics --by state "$TMP/nonblock.4.prv"
	said 2 'rank 1: the .pcf file next to the trace is not there, but [0-9]+ bytes' 'names of a trace on one node only'
	job_of apart 2 "$PAS2P" study sample-studies/cg.study.yaml : -np 1 "$PAS2P" study "$TMP/other.study.yaml"
	said 2 'rank 1: .*/other.study.yaml is [0-9]+ bytes' 'another study'

	# What nodes may have of their own.
	"$PAS2P" phases "$trace" >"$TMP/alone"
	job_of apart 3 "$PAS2P" phases "$trace" : -np 1 env LC_ALL=C COLUMNS=40 "$PAS2P" phases -q --memory 16M --scratch "$TMP" --no-config -o "$TMP/none" \
		"$TMP/copy.clog2"
	is "$(cat "$TMP/status")" 0 "$mpi: a copy under another name, other memory and output: the job goes on"
	ok "$mpi: and says the same" cmp -s "$OUT" "$TMP/alone"

	# A rank that never comes; alarm() is shortened.
	if command -v "mpicc.$mpi" >/dev/null; then
		"mpicc.$mpi" -O1 -shared -fPIC -o "$TMP/soon.so" t/mpi/shim/soon.c || bail_out "mpicc.$mpi does not work"
		# Open MPI ends a job itself if one rank begins and another, later, ends without having begun. So the first waits until its
		# launcher has taken note of the other's end.
		rm -f "$TMP/gone"
		job_of apart 2 sh -c 'until read -r pid <"$1" && ! kill -0 "$pid"; do sleep 0.1; done 2>/dev/null; LD_PRELOAD=$2 exec "$3" phases "$4"' sh \
			"$TMP/gone" "$TMP/soon.so" "$PAS2P" "$trace" : -np 1 sh -c 'echo $$ >"$1"' sh "$TMP/gone"
		said 8 'a rank has waited 120 s for the other ranks to join the analysis' 'one ends before it'
		[ "$mpi" = openmpi ] || job_of apart 2 env "LD_PRELOAD=$TMP/soon.so" "$PAS2P" phases "$trace" : -np 1 env PAS2P_JOB=none "$PAS2P" phases "$trace"
		said 8 'a rank has waited 120 s for the other ranks to join the analysis' 'one runs alone'
	else
		skip 6 "there is no mpicc.$mpi"
	fi
done
done_testing

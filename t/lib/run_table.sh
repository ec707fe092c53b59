# Phase tables for run_steps and run_rendezvous, for the runner's tests. Source it after lib.sh.
#
#     steps_table RANKS STEPS OCCURRENCE [APPLICATION] > FILE
#
# run_steps makes, in four steps, four sends and one collective: phase 1 is the first three sends, phase 2 the rest; their
# checkpoints are two occurrences earlier. Together they are the whole run.

list() { # RANKS VALUE: "V, V, V"
	list_i=1
	printf '%s' "$2"
	while [ "$list_i" -lt "$1" ]; do
		printf ', %s' "$2"
		list_i=$((list_i + 1))
	done
}

table_head() { # RANKS APPLICATION SENDS COLLECTIVES
	cat <<EOF
pas2p: 1
application: $2
trace:
  file: $2.clog2
  sha256: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
  format: CLOG-02.44
  processes: $1
  events: {send: $3, receive: $3, collective: $4}
  compute: events
  aet: 1.0
  warnings: 0
analysis:
  order: pas2p
  similarity: phase
  collectives: ${COLLECTIVES:-events}
  absent: similar
  compute_of: max
  phase_time: mean
  representative: median
  thresholds: {volume: 0.05, compute: 0.05, events: 0.8, relevance: 0.01}
  warmup: {sends: 10, seconds: 0}
prediction:
  coverage: 0.9
  set: 0.01
  pet: 0.9
  pet_scaled: 1.0
  pete: 0.1
phases:
EOF
}

table_phase() { # ID RELEVANT WEIGHT TICK ENTRIES EXITS CUTS STOPS   (the last four: lists)
	cat <<EOF
- id: $1
  relevant: $2
  weight: $3
  ticks: 5
  time: 0.01
  time_min: 0.01
  time_max: 0.01
  share: 0.5
  occurrence: 1
  tick: {first: $(($4 + 10)), last: $(($4 + 14))}
  checkpoint: {tick: $4, sends: [$7], stop: [$8]}
  entry: {sends: [$5]}
  exit: {sends: [$6]}
EOF
}

steps_table() {
	table_head "$1" "${4:-run_steps.test}" $(($1 * $2)) $(($1 * $2 / 4))
	table_phase 1 true $(($2 / 4)) $(($3 * 5 - 15)) "$(list "$1" $(($3 * 5 - 5)))" "$(list "$1" $(($3 * 5 - 2)))" \
		"$(list "$1" $(($3 * 5 - 15)))" "$(list "$1" before)"
	table_phase 2 true $(($2 / 4)) $(($3 * 5 - 12)) "$(list "$1" $(($3 * 5 - 2)))" "$(list "$1" $(($3 * 5)))" \
		"$(list "$1" $(($3 * 5 - 12)))" "$(list "$1" after)"
	table_phase 3 false 1 0 "$(list "$1" 0)" "$(list "$1" 1)" "$(list "$1" 0)" "$(list "$1" before)"
}

# run_rendezvous: 3 ranks, the checkpoint in step 8 (from 0), the phase in steps 10 and 11. Rank 0 is to stop before its
# small send, but cannot come there: it is inside its large one.
rendezvous_table() { # STEPS
	table_head 3 run_rendezvous.test $(($1 * 3)) 0
	table_phase 1 true $(($1 / 2)) 24 '20, 10, 0' '24, 12, 0' '17, 8, 0' 'before, before, after'
}

/* A trace that says which nonblocking receive and which collective it is that completes (docs/internals/tracer.md,
 * "Request numbers") must be believed: the Wait of a collective waits for its members, or its root, as the blocking
 * one does; what is pending is known from call to call; and overlap is known where nothing else is nonblocking. Without
 * numbers all is as it was. Shown on a run made by hand, and what holds of every run on random ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/metrics/waits/waits.h"
#include "gen_script.h"
#include "metric_run.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* The calls of each process, three of them, in order. */
enum { BCAST, REDUCE, WAIT_BCAST, WAIT_REDUCE, CALLS };

/* A broadcast of process 1 and a reduction to process 2 under way together; process 0 comes first to each, 2 last to
 * the broadcast. */
static struct gen_bytes together(bool told, bool completed)
{
	static const double begin[3] = {1, 4, 4.75}, reduce[3] = {6, 9, 7}, wait[3] = {2, 4.25, 4.875};
	struct gen_script *g = gen_script_new(3, &(struct gen_script_options){0});

	for (int32_t p = 0; p < 3; p++) {
		script_solo(g, p, 0);
		if (told)
			script_enter_told(g, p, begin[p], "MPI_Ibcast", 1, 7);
		else
			script_enter(g, p, begin[p], "MPI_Ibcast");
		script_leave(g, p, begin[p], "MPI_Ibcast");
		script_enter(g, p, wait[p], "MPI_Wait");
		if (completed)
			script_solo_told(g, p, 5, "PAS2P_completed", 7, 0);
		script_leave(g, p, 5, "MPI_Wait");
		if (told)
			script_enter_told(g, p, reduce[p], "MPI_Ireduce", 2, 8);
		else
			script_enter(g, p, reduce[p], "MPI_Ireduce");
		script_leave(g, p, reduce[p], "MPI_Ireduce");
		script_enter(g, p, 9.5 - p, "MPI_Wait");
		if (completed)
			script_solo_told(g, p, 10, "PAS2P_completed", 8, 0);
		script_leave(g, p, 10, "MPI_Wait");
		script_solo(g, p, 12);
	}
	return gen_script_bytes(g);
}

/* In order of time the calls are begin, wait, begin, wait. */
static uint32_t number_of(uint32_t process, uint32_t call)
{
	static const uint32_t order[CALLS] = {0, 2, 1, 3};

	return process * CALLS + order[call];
}

static double sync_of(const struct metric_run *r, uint32_t process, uint32_t call)
{
	return r->metrics->waits->sync[number_of(process, call)];
}

static void roots(void)
{
	struct metric_run r = metric_run_bytes(together(true, true));
	const struct waits *w = r.metrics->waits;

	is_int(r.log->call_count, 3 * CALLS, "twelve calls");
	is_int(r.log->completed_count, 6, "of six it is known that they complete");
	is_double(sync_of(&r, 0, WAIT_BCAST), 2, 0, "the Wait of a broadcast waits for the root, not for who comes later");
	is_int(w->reason[number_of(0, WAIT_BCAST)], WAIT_COLLECTIVE, "... as in a collective");
	is_int(waits_for(w, number_of(0, WAIT_BCAST)), number_of(1, BCAST), "... for the call that began it there");
	is_double(sync_of(&r, 1, WAIT_BCAST), 0, 0, "the root does not wait");
	is_double(sync_of(&r, 2, WAIT_BCAST), 0, 0, "nor does who comes after it");
	is_double(sync_of(&r, 0, WAIT_REDUCE), 0, 0, "who gives to the root of a reduction does not wait");
	is_double(sync_of(&r, 2, WAIT_REDUCE), 1.5, 0, "the root does, for the last");
	is_int(waits_for(w, number_of(2, WAIT_REDUCE)), number_of(1, REDUCE), "... whose call that is");
	is_double(r.metrics->ideal->exit[number_of(0, WAIT_BCAST)], 4, 1e-12, "the ideal run: a broadcast is there when the root begins it");
	is_double(r.metrics->account.hidden, (2 - 1) + (4.25 - 4) + (4.875 - 4.75) + (9.5 - 6) + 0 + (7.5 - 7), 1e-12,
		  "computing between beginning and completing is hidden");
	is_double(account_overlap(&r.metrics->account, r.metrics->known),
		  r.metrics->account.hidden / (r.metrics->account.hidden + account_communication(&r.metrics->account)), 1e-12,
		  "and overlap is known");
	metric_run_close(&r);
}

static void not_told(bool told, const char *name)
{
	struct metric_run r = metric_run_bytes(together(told, false));

	is_double(account_sync(&r.metrics->account), 0, 0, "%s: nothing waits", name);
	is_double(r.metrics->account.hidden, 0, 0, "%s: nothing is hidden", name);
	ok(isnan(account_overlap(&r.metrics->account, r.metrics->known)) == !told, "%s: overlap is known if ends would be told", name);
	metric_run_close(&r);
}

/* Receives in another order than posted, one cancelled, one of which nothing is told. */
static void pending(void)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	struct metric_run r;

	script_solo(g, 0, 0);
	script_enter_told(g, 0, 1, "MPI_Irecv", -1, 1); /* is cancelled */
	script_leave(g, 0, 1, "MPI_Irecv");
	script_enter_told(g, 0, 3, "MPI_Irecv", -1, 2);
	script_leave(g, 0, 3, "MPI_Irecv");
	script_enter_told(g, 0, 7, "MPI_Irecv", -1, 0); /* from nobody */
	script_leave(g, 0, 7, "MPI_Irecv");
	script_enter(g, 0, 10, "MPI_Wait");
	script_enter_told(g, 0, 10, "MPE_Irecv_waited", -1, 2);
	script_received(g, 0, 10, 1, 5, 8);
	script_leave(g, 0, 10, "MPE_Irecv_waited");
	script_leave(g, 0, 10, "MPI_Wait");
	script_enter(g, 0, 15, "MPI_Wait");
	script_solo_told(g, 0, 15, "PAS2P_completed", 1, 0);
	script_leave(g, 0, 15, "MPI_Wait");
	script_enter(g, 0, 20, "MPI_Startall"); /* numbers 3 to 5, of which the last completes */
	script_solo_told(g, 0, 20, "PAS2P_posted", 3, 3);
	script_leave(g, 0, 20, "MPI_Startall");
	script_enter(g, 0, 21, "MPI_Waitany");
	script_enter_told(g, 0, 21, "MPE_Irecv_waited", -1, 5);
	script_received(g, 0, 21, 1, 6, 8);
	script_leave(g, 0, 21, "MPE_Irecv_waited");
	script_leave(g, 0, 21, "MPI_Waitany");
	script_solo(g, 0, 30);
	script_during(g, 1, 0, 0, "MPI_Comm_rank");
	script_enter(g, 1, 4, "MPI_Send");
	script_sent(g, 1, 4, 0, 5, 8);
	script_sent(g, 1, 4, 0, 6, 8);
	script_leave(g, 1, 4, "MPI_Send");
	r = metric_run_bytes(gen_script_bytes(g));
	is_double(r.metrics->account.hidden, 7 + 1, 1e-12, "a receive is pending from its own post to its own completion");
	metric_run_close(&r);
}

/* Calls of a second each, one after the other, of a process; + behind a name: it receives a message, or has a numbered
 * completion (#). Which of them may have waited for what nobody analyses: 1. */
static void may_wait(const char *calls, const char *expected, const char *why)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	char names[512], got[64] = "", *rest = names;
	double time = 0;
	struct metric_run r;
	int n = 0;

	snprintf(names, sizeof names, "%s", calls);
	script_solo(g, 1, 0);
	script_enter(g, 1, 0, "MPI_Send");
	for (int i = 0; i < 4; i++)
		script_sent(g, 1, 0, 0, i, 8);
	script_leave(g, 1, 0, "MPI_Send");
	for (const char *name; (name = strsep(&rest, " ")) != NULL; time += 2) {
		char *mark = strpbrk(name, "+#");
		char kind = mark ? *mark : 0;

		if (mark)
			*mark = 0;
		if (kind == '#' && !strcmp(name, "MPI_Ineighbor_alltoall"))
			script_enter_told(g, 0, time, name, -1, 7);
		else
			script_enter(g, 0, time, name);
		if (kind == '+')
			script_received(g, 0, time, 1, n++, 8);
		if (kind == '#' && !strcmp(name, "MPI_Wait"))
			script_solo_told(g, 0, time + 1, "PAS2P_completed", 7, 0);
		script_leave(g, 0, time + 1, name);
	}
	r = metric_run_bytes(gen_script_bytes(g));
	for (uint32_t c = r.log->lists[0].first, i = 0; c < r.log->lists[0].end && i < sizeof got - 1; c++)
		got[i++] = call_is_not_analysed(r.log, c) ? '1' : '0';
	is_str(got, expected, "%s: %s", calls, why);
	is_double(r.metrics->account.not_analysed, (double)(strlen(expected) - strcspn(expected, "1") ? r.metrics->not_analysed.calls : 0), 1e-12,
		  "... as many seconds");
	metric_run_close(&r);
}

static void unseen(void)
{
	struct metric_run r = metric_run_bytes(together(false, false));

	is_double(r.metrics->account.not_analysed, 3 + .75 + .125 + .5 + 1 + 2.5, 1e-12, "without numbers each Wait may have waited for a collective");
	is_double(account_moving(&r.metrics->account), 0, 1e-12, "and moved nothing that is known");
	is_str(r.metrics->not_analysed.most[0].name, "MPI_Wait", "it is what has the time");
	metric_run_close(&r);
	r = metric_run_bytes(together(true, true));
	is_double(r.metrics->account.not_analysed, 0, 0, "with numbers it is known");
	metric_run_close(&r);

	may_wait("MPI_Isend MPI_Wait", "00", "the end of a send is not what others are waited for in");
	may_wait("MPI_Isend MPI_Iallreduce MPI_Wait MPI_Wait MPI_Wait", "00110", "as many as were begun");
	may_wait("MPI_Ialltoall MPI_Wait+ MPI_Wait MPI_Wait", "0010", "not the one that receives");
	may_wait("MPI_Ialltoall MPI_Waitall+ MPI_Waitall MPI_Waitall", "0110", "of all it may be one, and those without messages end it");
	may_wait("MPI_Ialltoall MPI_Ialltoall MPI_Waitall MPI_Wait", "0010", "of all it is each");
	may_wait("MPI_Ibarrier MPI_Test MPI_Testall MPI_Wait", "0001", "tests do not wait");
	may_wait("MPI_Rput MPI_Wait MPI_Wait", "110", "one-sided operations with requests");
	may_wait("MPI_File_iwrite MPI_Isend MPI_Waitany MPI_Waitsome MPI_Wait", "10110", "files");
	may_wait("MPI_Ineighbor_alltoall MPI_Wait", "01", "neighbours are not named");
	may_wait("MPI_Ineighbor_alltoall# MPI_Wait# MPI_Wait", "010", "with a number it is that one");
	may_wait("MPI_Win_fence MPI_Put MPI_Probe MPI_Comm_rank MPI_Wait", "11100", "calls that may wait themselves");
}

/* A count from a file makes no room. */
static void damaged(void)
{
	struct gen_script *g = gen_script_new(1, &(struct gen_script_options){0});
	struct metric_run r;

	for (int32_t i = 0; i < 6000; i++) {
		script_enter(g, 0, i, "MPI_Start");
		script_solo_told(g, 0, i, "PAS2P_posted", i % 2 ? 1 : INT32_MAX, INT32_MAX);
		script_leave(g, 0, i, "MPI_Start");
	}
	script_enter(g, 0, 7000, "MPI_Wait");
	script_enter_told(g, 0, 7000, "MPE_Irecv_waited", -1, INT32_MAX - 1);
	script_received(g, 0, 7000, 0, 0, 8);
	script_leave(g, 0, 7000, "MPE_Irecv_waited");
	script_solo_told(g, 0, 7000, "PAS2P_completed", INT32_MIN, 0);
	script_leave(g, 0, 7000, "MPI_Wait");
	r = metric_run_bytes(gen_script_bytes(g));
	is_double(r.metrics->account.hidden, 1001, 1e-9, "of those that have a number the last one stands");
	metric_run_close(&r);
}

static void always(void)
{
	uint32_t apart = 0, moved = 0, waiting = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct metric_run r = metric_run_bytes(gen_script_random(seed, GEN_SCRIPT_NUMBERED, &(struct gen_script_options){0}));
		const struct call_log *log = r.log;
		const struct waits *w = r.metrics->waits;
		struct replay_change nothing = {.arg = NULL};
		double charged = 0, all = 0;
		struct replay *again;
		struct causes *causes;

		must(causes_new(&causes, w, NULL, NULL, &err));
		for (uint32_t i = 0; i < causes->count; i++)
			charged += causes->list[i].useful + causes->list[i].in_calls;
		for (uint32_t l = 0; l < log->list_count; l++)
			for (uint32_t c = log->lists[l].first; log->lists[l].account && c < log->lists[l].end; c++)
				all += w->sync[c];
		apart += fabs(charged + causes->unresolved - all) > 1e-9;
		causes_free(causes);
		must(replay_new(&again, log, w, NULL, &nothing, NULL, &err));
		for (uint32_t c = 0; c < log->call_count; c++)
			moved += fabs(again->exit[c] + again->t0 - log->calls[c].end) > 1e-9;
		replay_free(again);
		for (uint32_t i = 0; i < log->completed_count; i++)
			waiting += w->sync[log->completed[i].call] > 0 && w->reason[log->completed[i].call] == WAIT_COLLECTIVE;
		metric_run_close(&r);
	}
	is_int(apart, 0, "causes of waiting add up to it");
	is_int(moved, 0, "replayed with nothing changed all calls end when they did");
	ok(waiting > 50, "and collectives that were begun earlier are waited for (%u)", waiting);
}

int main(void)
{
	roots();
	not_told(true, "no completion");
	not_told(false, "no number");
	pending();
	unseen();
	damaged();
	always();
	return done_testing();
}

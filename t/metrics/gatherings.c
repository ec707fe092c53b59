/* Calls that all members of a communicator make together, as the tracer numbers them (docs/internals/tracer.md, "What
 * is made together"), and probes: for whom they wait is known, and for how long; that waiting is communication, the
 * rest of such a call is not. Without a number, and of neighbours that nobody names, it is not analysed, as before. */
#include <math.h>

#include "gen_script.h"
#include "metric_run.h"
#include "tap.h"

static const double begin[3] = {1, 4, 2};

/* Each process makes this call, until `ends`, with that number. */
static void make(struct gen_script *g, const char *name, int32_t number, const double ends[3])
{
	for (int32_t p = 0; p < 3; p++) {
		script_solo(g, p, 0);
		script_enter_gathering(g, p, begin[p], name, number);
		script_leave(g, p, ends[p], name);
	}
}

static struct metric_run made(const char *name, int32_t number, const double ends[3])
{
	struct gen_script *g = gen_script_new(3, &(struct gen_script_options){0});

	make(g, name, number, ends);
	return metric_run_bytes(gen_script_bytes(g));
}

static void waited(const struct metric_run *r, double a, double b, double c, const char *name)
{
	const double *sync = r->metrics->waits->sync;

	ok(sync[0] == a && sync[1] == b && sync[2] == c, "%s: %g %g %g", name, sync[0], sync[1], sync[2]);
}

static void fences(void)
{
	const double together[3] = {5, 5, 5}, early[3] = {3, 5, 5};
	struct metric_run r = made("MPI_Win_fence", 1, together);
	const struct account *a = &r.metrics->account;

	is_int(r.trace->event_count, 0, "a fence is no event");
	waited(&r, 3, 0, 2, "who comes early waits for the last");
	is_int(r.metrics->waits->reason[0], WAIT_COLLECTIVE, "... as in a collective");
	is_int(waits_for(r.metrics->waits, 2), 1, "... which is known");
	is_double(a->by_kind[ACCOUNT_COLLECTIVE], 5, 0, "to wait is communication");
	is_double(a->by_kind[ACCOUNT_OTHER_MPI], 3, 0, "the rest of the call is not");
	is_double(account_time(a), 15, 0, "and that is all the time there is");
	is_double(account_transfer(a), 0, 0, "nothing is transferred");
	is_double(a->not_analysed, 0, 0, "and nothing is not analysed");
	metric_run_close(&r);
	r = made("MPI_Win_fence", 1, early);
	waited(&r, 1, 0, 2, "who has left before the last came did not wait for that one");
	metric_run_close(&r);
	r = made("MPI_Win_fence", 0, together);
	waited(&r, 0, 0, 0, "without a number nothing is known");
	is_double(r.metrics->account.not_analysed, 8, 0, "... and that is said");
	metric_run_close(&r);
}

/* The same number on two communicators, and a member that is missing. */
static void apart(void)
{
	const int32_t some[2] = {2, 0};
	const double ends[3] = {5, 5, 5};
	struct gen_script *g = gen_script_new(3, &(struct gen_script_options){0});
	int32_t pair = script_communicator(g, some, 2);
	struct metric_run r;

	make(g, "MPI_File_open", 1, ends);
	script_on(g, pair);
	script_enter_gathering(g, 0, 6, "MPI_File_close", 1);
	script_leave(g, 0, 9, "MPI_File_close");
	script_enter_gathering(g, 2, 8, "MPI_File_close", 1);
	script_leave(g, 2, 9, "MPI_File_close");
	script_enter_gathering(g, 0, 10, "MPI_File_sync", 2);
	script_leave(g, 0, 11, "MPI_File_sync");
	r = metric_run_bytes(gen_script_bytes(g));
	is_double(r.metrics->waits->sync[1], 2, 0, "of one communicator: its members alone");
	is_double(r.metrics->waits->sync[0], 3, 0, "of the world: all");
	is_double(r.metrics->waits->sync[2], 0, 0, "whose partner is missing waits for nobody");
	metric_run_close(&r);
}

static void neighbours(void)
{
	struct gen_script *g = gen_script_new(3, &(struct gen_script_options){0});
	struct metric_run r;

	for (int32_t p = 0; p < 3; p++) {
		script_solo(g, p, 0);
		script_enter_gathering(g, p, begin[p], "MPI_Neighbor_allgather", 1);
		if (p < 2)
			script_neighbour(g, p, 5, p == 0 ? 2 : -1);
		script_leave(g, p, 5, "MPI_Neighbor_allgather");
	}
	r = metric_run_bytes(gen_script_bytes(g));
	is_int(r.trace->event_count, 3, "neighbourhood collectives are events");
	waited(&r, 1, 0, 0, "one waits for its neighbour, not for who is last");
	is_int(waits_for(r.metrics->waits, 0), 2, "... which is known");
	is_double(r.metrics->account.not_analysed, 3, 0, "where nobody says who the neighbours are it is not analysed");
	metric_run_close(&r);
}

/* Process 0 probes from 1 to 5, then does something; process 1 sends at that moment. */
static struct metric_run probed(double sent, const char *between)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});

	script_solo(g, 0, 0);
	script_solo(g, 1, 0);
	script_during(g, 0, 1, 5, "MPI_Probe");
	if (between)
		script_during(g, 0, 5.5, 5.5, between);
	script_enter(g, 1, sent, "MPI_Send");
	script_sent(g, 1, sent, 0, 3, 8);
	script_leave(g, 1, sent + 0.5, "MPI_Send");
	script_enter(g, 0, 6, "MPI_Recv");
	script_received(g, 0, 7, 1, 3, 8);
	script_leave(g, 0, 7, "MPI_Recv");
	return metric_run_bytes(gen_script_bytes(g));
}

static void probes(void)
{
	struct metric_run r = probed(4, "MPI_Get_count");

	is_double(r.metrics->waits->sync[0], 3, 0, "a probe waits for the sender of what is received next");
	is_int(r.metrics->waits->reason[0], WAIT_LATE_SENDER, "... which came late");
	is_int(waits_for(r.metrics->waits, 0), 3, "... and is known");
	is_double(r.metrics->account.not_analysed, 0, 0, "nothing is not analysed");
	is_double(r.metrics->ideal->exit[0], 4, 0, "in the ideal run it returns when that is sent");
	metric_run_close(&r);
	r = probed(4, "MPI_Waitall");
	is_double(r.metrics->waits->sync[0], 0, 0, "where something else could have received it nothing is known");
	is_double(r.metrics->account.not_analysed, 4, 0, "... and that is said");
	metric_run_close(&r);
	r = probed(5.25, NULL);
	is_double(r.metrics->waits->sync[0], 0, 0, "what was sent after the probe returned is not what it found");
	metric_run_close(&r);
}

int main(void)
{
	fences();
	apart();
	neighbours();
	probes();
	return done_testing();
}

/* Collectives that hold their members: each end is no earlier than every other member's begin, which bounds clocks and
 * can be violated. One that is not whole, or that some member gave nothing to, says nothing. Clocks of programs that
 * never send a message are known by these alone. */
#include <math.h>

#include "core/clocks/bounds/bounds.h"
#include "tap.h"

#define MEMBERS 3

/* One call of each process on one communicator: when it began and ended, by its clock. */
struct call {
	double begin, end;
};

static struct coll_type type = {"Barrier", 0};
static struct comm_info comm = {.size = MEMBERS, .kind = "world"};
static uint32_t members[MEMBERS] = {0, 1, 2};

struct figures {
	struct clock_bounds *bounds;
	struct clock_violations *violations;
};

static struct figures look(const struct call *call, const char *op, bool barriers, double latency)
{
	static const uint32_t one_each[MEMBERS] = {1, 1, 1};
	struct clock_event_time held[MEMBERS];
	struct clock_times times = {.held = held, .held_count = MEMBERS};
	const struct clock_options o = {.windows = 1, .latency = latency};
	struct clock_points points;
	struct figures f;
	struct trace *t;
	struct err e;

	type.op = op;
	if (trace_new(&t, MEMBERS, one_each, &e))
		bail_out("%s", e.text);
	t->colls = &type;
	t->coll_count = 1;
	t->comms = &comm;
	t->comm_count = 1;
	t->comm_members = members;
	for (uint32_t p = 0; p < MEMBERS; p++) {
		t->type[p] = EVENT_COLLECTIVE;
		t->time[p] = call[p].begin;
		t->match[p] = (p + 1) % MEMBERS;
		t->processes[p] = (struct process){.records = 2, .start = call[p].begin, .end = call[p].end};
		held[p] = (struct clock_event_time){.event = p, .time = call[p].end};
	}
	t->end = 2;
	times.trace = t;
	if (clock_bounds_new(&f.bounds, &times, &o, NULL, &e) || clock_points_init(&points, &times, latency, barriers, &e) ||
	    clock_violations_new(&f.violations, &points, 1, false, NULL, &e))
		bail_out("%s", e.text);
	clock_points_release(&points);
	t->colls = NULL;
	t->comms = NULL;
	t->comm_members = NULL;
	t->coll_count = t->comm_count = 0;
	trace_free(t);
	return f;
}

static void forget(struct figures f)
{
	clock_bounds_free(f.bounds);
	clock_violations_free(f.violations);
}

/* To what a clock of 1000 ppm may make of half a second. */
static void within(const struct clock_bounds *b, uint32_t process, double low, double high, const char *name)
{
	is_double(b->low[2 * process], low, 1e-3, "%s, low", name);
	is_double(b->high[2 * process], high, 1e-3, "%s, high", name);
}

int main(void)
{
	static const struct call late[MEMBERS] = {{1.0, 1.5}, {1.2, 1.3}, {1.45, 1.6}}, fine[MEMBERS] = {{1, 1.5}, {1.2, 1.6}, {1.45, 1.6}};
	struct figures f = look(late, "Barrier", false, 0);

	is_u64(f.violations->collective.all, 3, "three ends");
	is_u64(f.violations->collective.violated, 1, "one is before another member's begin");
	is_double(f.violations->collective.worst, -.15, 1e-12, "by so much");
	is_u64(f.violations->process[1].collective.violated, 1, "it is process 1's");
	is_u64(f.violations->messages.all, 0, "no message is counted");
	ok(isnan(f.violations->messages.worst), "so none is the worst");
	within(f.bounds, 1, -.3, .3, "process 1 began before 0's end, and ended behind 0's begin");
	within(f.bounds, 2, -.6, .05, "so did process 2");
	is_u64(f.bounds->components, 1, "all are connected");
	forget(f);

	f = look(fine, "Barrier", false, 0);
	is_u64(f.violations->collective.violated, 0, "none is violated");
	is_double(f.violations->collective.worst, .05, 1e-12, "the least that an end is behind a begin: that of process 0 behind 2's");
	forget(f);
	f = look(fine, "Barrier", false, .1);
	is_u64(f.violations->collective.violated, 1, "with a latency that is longer it is");
	within(f.bounds, 1, -.5, .2, "and bounds are narrower");
	forget(f);

	f = look(late, "Allreduce", false, 0);
	is_u64(f.violations->collective.all, 3, "an Allreduce is presumed to hold its members");
	forget(f);
	f = look(late, "Allreduce", true, 0);
	is_u64(f.violations->collective.all, 0, "where barriers only are trusted it is not");
	ok(isnan(f.violations->collective.worst), "and has no worst");
	forget(f);

	{
		static const struct call nothing[MEMBERS] = {{1.0, 1.5}, {1.2, (double)NAN}, {1.45, 1.6}};

		f = look(nothing, "Allreduce", false, 0);
		is_u64(f.violations->collective.all, 0, "one that a member gave nothing to holds nobody");
		is_u64(f.bounds->components, 3, "and connects nobody");
		forget(f);
	}
	/* A damaged trace may have calls of processes that are not members. */
	members[2] = 0;
	f = look(late, "Barrier", false, 0);
	is_u64(f.violations->collective.all, 0, "nor does one of a process that is no member");
	forget(f);
	members[2] = 2;
	return done_testing();
}

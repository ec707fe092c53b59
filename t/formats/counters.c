/* Compute times from a counter (core/trace/make/make_int.h), whatever the format is: a random program is told to a
 * maker as a reader tells it, and the increases between calls are added up once more from the list of its records
 * alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/source.h"
#include "core/trace/make/inline.h"
#include "gen.h"
#include "tap.h"

#define PROCESSES 5
#define THREADS 2
#define MOST 400 /* records of a thread */
#define FALLS 2  /* the process whose counter does */
#define SILENT 3 /* and the one that never reads it */

enum kind { SEND, COMM_RANK, WRITES, WORK, KINDS };
enum what { ENTER, LEAVE, MESSAGE, COUNT, OTHER };

struct record {
	enum what what;
	uint32_t process, kind;
	int32_t thread;
	double time, increase;
	uint32_t event; /* of a message: the trace's */
};

struct program {
	struct record list[PROCESSES][THREADS][MOST];
	uint32_t n[PROCESSES][THREADS];
	uint64_t state;
	bool all_fall;
};

static struct program program;

static void put(uint32_t process, uint32_t thread, enum what what, uint32_t kind, double *time, double increase)
{
	struct record *r = &program.list[process][thread][program.n[process][thread]++];

	/* Several records of one time are as usual as those of different ones. */
	*time += gen_below(&program.state, 3) / 8.0;
	*r = (struct record){what, process, kind, (int32_t)thread, *time, increase, 0};
}

static void count(uint32_t process, uint32_t thread, double *time)
{
	bool falls = process == FALLS || program.all_fall;

	if (process == SILENT || gen_below(&program.state, 2))
		return;
	put(process, thread, COUNT, 0, time, gen_below(&program.state, 40) - (falls ? 3.0 : 0));
	if (gen_below(&program.state, 4) == 0)
		put(process, thread, OTHER, 0, time, 5);
}

static void make_thread(uint32_t process, uint32_t thread)
{
	double time = gen_below(&program.state, 9) / 8.0;

	program.n[process][thread] = 0;
	while (program.n[process][thread] < MOST - 24) {
		uint32_t kind = gen_below(&program.state, KINDS + 1), messages = gen_below(&program.state, 3);

		count(process, thread, &time);
		if (kind == KINDS) {
			put(process, thread, MESSAGE, 0, &time, 0);
			continue;
		}
		put(process, thread, ENTER, kind, &time, 0);
		count(process, thread, &time);
		while (kind == SEND && messages--) {
			put(process, thread, MESSAGE, 0, &time, 0);
			count(process, thread, &time);
		}
		if (kind == SEND && gen_below(&program.state, 3) == 0) {
			put(process, thread, ENTER, COMM_RANK, &time, 0);
			count(process, thread, &time);
			put(process, thread, LEAVE, COMM_RANK, &time, 0);
		}
		put(process, thread, LEAVE, kind, &time, 0);
	}
}

static void make_program(uint64_t seed, bool all_fall)
{
	program.state = seed;
	program.all_fall = all_fall;
	for (uint32_t p = 0; p < PROCESSES; p++)
		for (uint32_t thread = 0; thread < THREADS; thread++)
			make_thread(p, thread);
}

/* ---- telling it ---- */

/* The earliest record that is left of a process; NULL: none is. */
static struct record *next_of(uint32_t process, uint32_t at[THREADS])
{
	struct record *next = NULL;

	for (uint32_t thread = 0; thread < THREADS; thread++) {
		struct record *r = &program.list[process][thread][at[thread]];

		if (at[thread] < program.n[process][thread] && (!next || r->time < next->time))
			next = r;
	}
	if (next)
		at[next->thread]++;
	return next;
}

static enum err_code tell(void *arg, struct make_share *share, struct err *e)
{
	(void)arg;
	(void)e;
	for (uint32_t p = share->first; p < share->end; p++) {
		uint32_t at[THREADS] = {0}, events = 0;
		struct record *next;

		while ((next = next_of(p, at))) {
			struct make_record r = make_record(share, p, next->thread, next->time);

			switch (next->what) {
			case ENTER: make_enter(r, next->kind); break;
			case LEAVE: make_leave(r, next->kind); break;
			case COUNT: make_count(r, 1, next->increase); break;
			case OTHER: make_count(r, 0, next->increase); break;
			case MESSAGE:
				next->event = events++;
				make_message(r, (struct make_message){EVENT_SEND, p, 0, 0, 0, 8, 0});
			}
		}
	}
	return ERR_OK;
}

static bool announce(struct maker *maker)
{
	static const struct make_kind kinds[KINDS] = {
		{.total = {.name = "MPI_Send", .mpi = true}, .time = TIME_SEND},
		{.total = {.name = "MPI_Comm_rank", .mpi = true}, .time = TIME_OTHER_MPI},
		{.total = {.name = "writes"}, .time = TIME_TRACER, .tracer = true},
		{.total = {.name = "work"}, .time = TIME_OTHER_MPI}};
	bool good = true;

	for (uint32_t k = 0; k < KINDS; k++)
		good = good && make_kind(maker, &kinds[k]);
	return good && make_counter(maker, "L2 \033[1mmisses", "") == 0 && make_counter(maker, "INS", "instructions") == 1 &&
	       make_counter(maker, "INS", "of another thread") == 1;
}

static struct trace *load(const char *counter, unsigned threads, struct err *e)
{
	static const uint64_t most[PROCESSES] = {2 * MOST, 2 * MOST, 2 * MOST, 2 * MOST, 2 * MOST};
	struct make_reader reader = {.read = tell};
	struct source source;
	struct maker maker;
	struct trace *t = NULL;

	if (source_open_memory(&source, "program", "x", 1, e) || maker_init(&maker, threads, NULL, NULL, e))
		bail_out("%s", e->text);
	maker.counter_name = counter;
	if (make_files(&maker, 1, e) || !make_file(&maker, &source) || make_processes(&maker, PROCESSES, e) ||
	    make_comms(&maker, 1, PROCESSES, e) || !announce(&maker) || make_room(&maker, most, e))
		bail_out("%s", e->text);
	if (!make_events(&maker, &reader, e) && !maker_finish(&maker, e))
		t = maker_take(&maker);
	maker_release(&maker);
	source_release(&source);
	return t;
}

/* ---- adding up by hand ---- */

struct call {
	uint32_t first, last; /* its records */
	const struct record *event; /* its last one */
};

struct shown {
	bool known;
	double time, value;
};

/* What the counter shows at the first, or the last, reading among the records [from, to). */
static struct shown shown(const struct record *list, uint32_t from, uint32_t to, bool last)
{
	struct shown found = {0};
	double value = 0;

	for (uint32_t i = 0; i < to; i++) {
		if (list[i].what != COUNT)
			continue;
		value += list[i].increase;
		if (i >= from && (last || !found.known))
			found = (struct shown){true, list[i].time, value};
	}
	return found;
}

static struct shown nearer(double border, struct shown outside, struct shown inside)
{
	if (!outside.known || (inside.known && fabs(inside.time - border) < fabs(outside.time - border)))
		return inside;
	return outside;
}

/* The outermost calls of a thread, and the messages outside of any. */
static uint32_t calls_of(const struct record *list, uint32_t n, struct call *calls)
{
	uint32_t count_of = 0, depth = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool call = (list[i].what == ENTER || list[i].what == LEAVE) && list[i].kind != WORK;

		if (list[i].what == MESSAGE && depth)
			calls[count_of - 1].event = &list[i];
		else if (list[i].what == MESSAGE)
			calls[count_of++] = (struct call){i, i, &list[i]};
		else if (call && list[i].what == ENTER && depth++ == 0)
			calls[count_of++] = (struct call){i, i, NULL};
		else if (call && list[i].what == LEAVE && --depth == 0)
			calls[count_of - 1].last = i;
	}
	return count_of;
}

static void add_up_thread(const struct record *list, uint32_t n, double *increase)
{
	static struct call calls[MOST];
	uint32_t count_of = calls_of(list, n, calls);
	const struct record *event = NULL;
	double sum = 0;

	for (uint32_t c = 0; c < count_of; c++) {
		if (c > 0) {
			const struct call *a = &calls[c - 1], *b = &calls[c];
			struct shown left = nearer(list[a->last].time, shown(list, a->last + 1, b->first, false),
						   shown(list, a->first + 1, a->last, true));
			struct shown entered = nearer(list[b->first].time, shown(list, a->last + 1, b->first, true),
						      shown(list, b->first + 1, b->last, false));

			sum += left.known && entered.known && entered.value > left.value ? entered.value - left.value : 0;
		}
		if (!calls[c].event)
			continue;
		if (event)
			increase[event->event] = sum;
		event = calls[c].event;
		sum = 0;
	}
	if (event) {
		const struct call *a = &calls[count_of - 1];
		struct shown left = nearer(list[a->last].time, shown(list, a->last + 1, n, false), shown(list, a->first + 1, a->last, true));
		struct shown end = shown(list, a->last + 1, n, true);

		sum += left.known && end.known && end.value > left.value ? end.value - left.value : 0;
		increase[event->event] = end.known || sum > 0 ? sum : (double)NAN;
	}
}

static bool rises(uint32_t process)
{
	double sum = 0;

	for (uint32_t thread = 0; thread < THREADS; thread++)
		for (uint32_t i = 0; i < program.n[process][thread]; i++) {
			const struct record *r = &program.list[process][thread][i];

			if (r->what == COUNT && r->increase < 0)
				return false;
			sum += r->what == COUNT ? r->increase : 0;
		}
	return sum > 0;
}

static uint64_t readings(enum what what)
{
	uint64_t n = 0;

	for (uint32_t p = 0; p < PROCESSES; p++)
		for (uint32_t thread = 0; thread < THREADS; thread++)
			for (uint32_t i = 0; i < program.n[p][thread]; i++)
				n += program.list[p][thread][i].what == what;
	return n;
}

static void check(uint64_t seed, bool all_fall)
{
	static double increase[PROCESSES][2 * MOST];
	double seconds = 0, increases = 0, worst = 0, changed = 0;
	struct trace *base, *t, *shared;
	struct err e = {0};
	char name[64];
	uint32_t bad = 0;

	make_program(seed, all_fall);
	base = load(NULL, 1, &e);
	t = load("INS", 1, &e);
	shared = load("INS", 4, &e);
	if (!base || !t || !shared)
		bail_out("%s", e.text);
	memset(increase, 0, sizeof increase);
	for (uint32_t p = 0; p < PROCESSES; p++) {
		bad += !rises(p);
		for (uint32_t thread = 0; thread < THREADS; thread++)
			add_up_thread(program.list[p][thread], program.n[p][thread], increase[p]);
		for (uint32_t i = base->first[p]; rises(p) && i < base->first[p + 1]; i++) {
			if (isnan(base->compute[i]) || isnan(increase[p][i - base->first[p]]))
				continue;
			seconds += base->compute[i];
			increases += increase[p][i - base->first[p]];
		}
	}
	for (uint32_t p = 0; p < PROCESSES; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			double want = rises(p) ? increase[p][i - t->first[p]] * seconds / increases : base->compute[i];

			if (isnan(want) || isnan(base->compute[i])) {
				worst = isnan(t->compute[i]) ? worst : INFINITY;
				continue;
			}
			worst = fmax(worst, fabs(t->compute[i] - want));
			changed = fmax(changed, fabs(t->compute[i] - base->compute[i]));
		}
	ok(worst < 1e-9, "seed %llu: compute times are the counter's (worst %g)", (unsigned long long)seed, worst);
	ok(all_fall ? changed <= 0 : changed > 0.1, "which are %s those of states", all_fall ? "exactly" : "others than");
	ok(!memcmp(t->compute, shared->compute, t->event_count * sizeof *t->compute), "with four threads too, bit by bit");
	is_int((long long)t->notes.count[NOTE_BAD_COUNTER], all_fall ? PROCESSES : bad, "a note for each process that it is not used for");
	is_str(trace_compute_name(t, name, sizeof name), all_fall ? "MPI calls" : "counter INS", "and the trace says so");
	is_str(trace_compute_name(base, name, sizeof name), "MPI calls", "without it, MPI calls");
	is_u64(t->counters[1].readings, readings(COUNT), "readings are counted");
	is_u64(base->counters[0].readings, readings(OTHER), "of counters that nobody wants too");
	is_int(base->counter_count, 2, "one name is one counter");
	is_str(base->counters[1].unit, "instructions", "with its first unit");
	trace_free(base);
	trace_free(t);
	trace_free(shared);
}

int main(void)
{
	struct err e = {0};

	for (uint64_t seed = 1; seed <= 12; seed++)
		check(seed, false);
	check(13, true);
	ok(!load("PAPI", 1, &e), "a counter that is none is refused");
	is_int(e.code, ERR_USAGE, "as a wrong argument");
	ok(strstr(e.text, "there is no counter 'PAPI': the trace has L2 ") && strstr(e.text, "misses, INS"), "which says what there is: %s", e.text);
	ok(!strchr(e.text, '\033'), "in safe text");
	return done_testing();
}

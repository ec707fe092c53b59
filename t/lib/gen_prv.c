#include "gen_prv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

#define TASKS_MOST 5
#define THREADS_MOST 3
#define RECORDS_MOST 4000
#define COMMS 3

/* A record: an event's type and value, or a whole line of another kind. */
struct record {
	int64_t time;
	int who;               /* task * THREADS_MOST + thread, from 0; of a message its sender */
	uint64_t order;        /* where it goes */
	uint64_t type, value;  /* of an event */
	char line[160];        /* of something else: behind "1:CPU:" or "3:CPU:", up to the receiver's CPU */
	char rest[100];        /* of a message: behind that */
	char kind;
};

struct run {
	uint64_t state;
	int tasks, threads[TASKS_MOST];
	struct record *list;
	size_t n;
	int64_t end;
	int64_t instants[TASKS_MOST * THREADS_MOST][80]; /* where something happens */
	int instant_count[TASKS_MOST * THREADS_MOST];
	bool member[COMMS][TASKS_MOST];
};

static uint32_t below(struct run *r, uint32_t n)
{
	return gen_below(&r->state, n);
}

static bool chance(struct run *r, uint32_t percent)
{
	return below(r, 100) < percent;
}

static struct record *add(struct run *r, char kind, int who, int64_t time)
{
	struct record *record = &r->list[r->n < RECORDS_MOST - 1 ? r->n++ : r->n];

	*record = (struct record){.time = time, .who = who, .kind = kind};
	return record;
}

static void event(struct run *r, int who, int64_t time, uint64_t type, uint64_t value)
{
	struct record *record = add(r, '2', who, time);

	record->type = type;
	record->value = value;
	if (r->instant_count[who] < 80)
		r->instants[who][r->instant_count[who]++] = time;
}

static void attributes(struct run *r, int who, int64_t time)
{
	static const uint64_t comms[] = {1, 2, 7, 3};

	if (chance(r, 80))
		event(r, who, time, 50100001, below(r, 100));
	if (chance(r, 50))
		event(r, who, time, 50100002, below(r, 100));
	if (chance(r, 20))
		event(r, who, time, 50100003, 1);
	if (chance(r, 80))
		event(r, who, time, 50100004, comms[below(r, 4)]);
}

/* A call, and what is within. Returns when it ends. */
static int64_t call(struct run *r, int who, int64_t time, int depth)
{
	static const int classes[] = {50000001, 50000001, 50000001, 50000002, 50000002, 50000003};
	static const int values[][4] = {{1, 2, 4, 6}, {7, 8, 10, 80}, {19, 22, 31, 500}};
	int type = classes[below(r, 6)], value = values[type - 50000001][below(r, 4)];
	bool attributed = type == 50000002, early = attributed && chance(r, 10) && !depth;

	if (early)
		attributes(r, who, time);
	event(r, who, time, (uint64_t)type, (uint64_t)value);
	if (attributed && !early)
		attributes(r, who, time);
	time += early || chance(r, 80) ? 1 + below(r, 30) : 0;
	if (depth < 2 && chance(r, 15))
		time = call(r, who, time, depth + 1) + below(r, 5);
	if (chance(r, 5)) {
		event(r, who, time, 40000003, 1);
		event(r, who, time += 3, 40000003, 0);
	}
	event(r, who, time, (uint64_t)type, 0);
	return time;
}

static void thread(struct run *r, int who)
{
	int64_t time = below(r, 50);
	int functions = 0;

	for (int i = 8 + (int)below(r, 12); i-- > 0;) {
		if (chance(r, 15)) {
			event(r, who, time, 60000019, 1 + below(r, 3));
			functions++;
		}
		if (chance(r, 8)) {
			event(r, who, time + 1, 40000003, 1);
			time += 1 + below(r, 9);
			event(r, who, time += 2, 40000003, 0);
			time += 1 + below(r, 3);
		}
		time = call(r, who, time, 0) + (chance(r, 25) ? 0 : 1 + below(r, 40));
		if (chance(r, 20))
			event(r, who, time, 77, below(r, 5));
		if (functions && chance(r, 15)) {
			event(r, who, time, 60000019, 0);
			functions--;
		}
	}
	while (functions-- > 0)
		event(r, who, time, 60000019, 0);
	r->end = time > r->end ? time : r->end;
}

static int any_thread(struct run *r)
{
	int task = (int)below(r, (uint32_t)r->tasks);

	return task * THREADS_MOST + (int)below(r, (uint32_t)r->threads[task]);
}

static int64_t any_instant(struct run *r, int who)
{
	int64_t at = r->instant_count[who] ? r->instants[who][below(r, (uint32_t)r->instant_count[who])] : 0;

	return chance(r, 60) ? at : at + below(r, 9);
}

static void message(struct run *r, uint32_t number)
{
	int from = any_thread(r), to = any_thread(r);
	int64_t sent = any_instant(r, from), received = any_instant(r, to);
	struct record *record = add(r, '3', from, sent);

	snprintf(record->line, sizeof record->line, "1:%d:%d:%" PRId64 ":%" PRId64, from / THREADS_MOST + 1, from % THREADS_MOST + 1, sent, sent);
	snprintf(record->rest, sizeof record->rest, "1:%d:%d:%u:%" PRId64 ":%" PRIu64 ":%u", to / THREADS_MOST + 1, to % THREADS_MOST + 1,
		 below(r, 50) * 1000 + number, received, (uint64_t)(8 * (1 + below(r, 9))) << (number % 3 ? 0 : 29),
		 below(r, 3)); /* some of 4 GiB and more */
	r->end = received > r->end ? received : r->end;
	r->end = sent > r->end ? sent : r->end;
}

static void make(struct run *r)
{
	r->tasks = 2 + (int)below(r, TASKS_MOST - 1);
	for (int t = 0; t < r->tasks; t++)
		r->threads[t] = chance(r, 30) ? 1 + (int)below(r, THREADS_MOST) : 1;
	for (int t = 0; t < r->tasks; t++) {
		r->member[0][t] = true;
		r->member[1][t] = t == 1;
		r->member[2][t] = t < 2 || chance(r, 50);
		for (int k = 0; k < r->threads[t]; k++)
			thread(r, t * THREADS_MOST + k);
	}
	for (uint32_t i = 10 + below(r, 40); i-- > 0;)
		message(r, i);
	r->end += below(r, 3);
	for (int t = 0; t < r->tasks; t++) {
		struct record *record = add(r, '1', t * THREADS_MOST, 0);

		snprintf(record->line, sizeof record->line, "1:%d:1:0:%" PRId64 ":1", t + 1, r->end);
	}
}

/* ---- saying it ---- */

static int compare_records(const void *a, const void *b)
{
	const struct record *x = *(struct record *const *)a, *y = *(struct record *const *)b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x < y ? -1 : x > y;
}

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t state = a * 1000003 + b * 7919 + c;

	return (uint64_t)gen_below(&state, UINT32_MAX) << 8 ^ gen_below(&state, UINT32_MAX);
}

static void say_header(FILE *f, struct run *r, bool awkward, const char *end)
{
	fprintf(f, "#Paraver (%s):%" PRId64 "_ns:%s:1:%d(", awkward ? "a:b" : "x", r->end, awkward ? "2(8,8)" : "1(4)", awkward ? 9 : r->tasks);
	for (int t = 0; t < r->tasks; t++)
		fprintf(f, "%s%d:%d", t ? "," : "", r->threads[t], awkward ? t % 2 + 1 : 1);
	fprintf(f, "),%d%s", COMMS, end);
	for (int c = 0; c < COMMS; c++) {
		int n = 0;

		for (int t = 0; t < r->tasks; t++)
			n += r->member[c][t];
		fprintf(f, "c:1:%d:%d", c == 2 ? 7 : c + 1, n);
		for (int t = 0; t < r->tasks; t++)
			if (r->member[c][t])
				fprintf(f, ":%d", t + 1);
		fputs(end, f);
	}
}

static void say_all(FILE *f, struct run *r, struct record **sorted, unsigned say)
{
	const char *end = say % 3 == 2 ? "\r\n" : "\n";
	uint64_t state = say;
	bool noise = false; /* on the line before */

	say_header(f, r, say, end);
	for (size_t i = 0; i < r->n; i++) {
		const struct record *x = sorted[i], *before = i ? sorted[i - 1] : NULL;
		int cpu = say ? (int)gen_below(&state, 9) : x->who + 1;

		if (x->kind == '1')
			fprintf(f, "%s1:%d:%s", i ? end : "", cpu, x->line);
		else if (x->kind == '3')
			fprintf(f, "%s3:%d:%s:%d:%s", i ? end : "", cpu, x->line, cpu, x->rest);
		else if (say && !noise && before && before->kind == '2' && before->who == x->who && before->time == x->time && gen_below(&state, 2))
			fprintf(f, ":%" PRIu64 ":%" PRIu64, x->type, x->value);
		else
			fprintf(f, "%s2:%d:1:%d:%d:%" PRId64 ":%" PRIu64 ":%" PRIu64, i ? end : "", cpu, x->who / THREADS_MOST + 1,
				x->who % THREADS_MOST + 1, x->time, x->type, x->value);
		noise = say && gen_below(&state, 40) == 0;
		if (noise)
			fprintf(f, "%s#what is this%s%si:1:2", end, end, end);
	}
	if (say % 2 == 0)
		fputs(end, f);
}

char *gen_prv(uint64_t seed, unsigned say)
{
	struct run *r = calloc(1, sizeof *r);
	struct record **sorted = calloc(RECORDS_MOST, sizeof *sorted);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!r || !sorted || !f)
		abort();
	r->state = seed;
	r->list = calloc(RECORDS_MOST, sizeof *r->list);
	if (!r->list)
		abort();
	make(r);
	for (size_t i = 0; i < r->n; i++) {
		struct record *x = &r->list[i];
		uint64_t mix = hash((uint64_t)x->who, (uint64_t)x->time, say);

		sorted[i] = x;
		x->order = !say ? (uint64_t)x->time : say == 1 ? (uint64_t)x->time + mix % 50 : mix;
		if (say == 0 && x->kind == '1')
			x->order = 0;
	}
	qsort(sorted, r->n, sizeof *sorted, compare_records);
	say_all(f, r, sorted, say);
	fclose(f);
	free(sorted);
	free(r->list);
	free(r);
	return text;
}

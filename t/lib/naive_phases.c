/* Basic blocks, and phases by both techniques, naively. */
#include <math.h>
#include <stdlib.h>

#include "naive_parts.h"

/* --- basic blocks --- */

static event_type type_at(const struct naive *n, uint32_t k, uint32_t process)
{
	return naive_at(n, k, process) == NO_EVENT ? EVENT_NONE : n->t->type[naive_at(n, k, process)];
}

static uint64_t size_at(const struct naive *n, uint32_t k, uint32_t process)
{
	return naive_at(n, k, process) == NO_EVENT ? 0 : trace_size(n->t, naive_at(n, k, process));
}

static double compute_at(const struct naive *n, uint32_t k, uint32_t process)
{
	return naive_at(n, k, process) == NO_EVENT ? 0 : n->t->compute[naive_at(n, k, process)];
}

double naive_block_compute(const struct naive *n, uint32_t block)
{
	double most = 0;
	long double sum = 0; /* rounded once: as if it were exact */

	for (uint32_t p = 0; p < n->processes; p++) {
		double c = compute_at(n, block - 1, p);

		if (isnan(c))
			return c;
		sum += c;
		if (c > most)
			most = c;
	}
	return n->s.compute_of == COMPUTE_SUM ? (double)sum : most;
}

/* With no threshold a difference that is less than a clock shows does not count. */
static bool times_similar(const struct naive *n, double a, double b)
{
	return n->s.compute > 0 ? naive_close_enough(a, b, n->s.compute) : rint(a * 1e11) == rint(b * 1e11);
}

/* Has a process of the block a compute time that is not known? Then compute times are not compared. */
static bool compute_unknown(const struct naive *n, uint32_t block)
{
	for (uint32_t p = 0; p < n->processes; p++)
		if (isnan(compute_at(n, block - 1, p)))
			return true;
	return false;
}

static bool blocks_similar(const struct naive *n, uint32_t a, uint32_t b)
{
	for (uint32_t p = 0; p < n->processes; p++) {
		for (uint32_t end = 0; end <= 1; end++) {
			uint32_t ka = a - 1 + end, kb = b - 1 + end;

			if (type_at(n, ka, p) != type_at(n, kb, p))
				return false;
			if (!naive_sizes_similar(size_at(n, ka, p), size_at(n, kb, p), n->s.volume))
				return false;
		}
	}
	if (compute_unknown(n, a) || compute_unknown(n, b))
		return true;
	for (uint32_t p = 0; n->s.compute_of == COMPUTE_EACH && p < n->processes; p++)
		if (!times_similar(n, compute_at(n, a - 1, p), compute_at(n, b - 1, p)))
			return false;
	if (n->s.compute_of == COMPUTE_EACH)
		return true;
	return times_similar(n, naive_block_compute(n, a), naive_block_compute(n, b));
}

void naive_label(struct naive *n)
{
	n->blocks = n->ticks ? n->ticks - 1 : 0;
	n->label = naive_room((size_t)n->blocks + 1, sizeof *n->label);
	for (uint32_t i = 1; i <= n->blocks; i++) {
		n->label[i] = i;
		for (uint32_t j = 1; j < i; j++) {
			if (n->label[j] == j && blocks_similar(n, i, j)) {
				n->label[i] = j;
				break;
			}
		}
	}
}

/* --- phases from basic blocks --- */

static uint32_t times(const struct naive *n, uint32_t a)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i <= n->blocks; i++)
		if (n->label[i] == a)
			count++;
	return count;
}

static bool joined(const struct naive *n, uint32_t a, uint32_t b)
{
	if (a == b || times(n, a) != times(n, b) || times(n, a) < 2)
		return false;
	for (uint32_t i = 1; i <= n->blocks; i++)
		if (n->label[i] == a && (i == n->blocks || n->label[i + 1] != b))
			return false;
	return true;
}

static bool runs_equal(const struct naive *n, uint32_t from_a, uint32_t to_a, uint32_t from_b, uint32_t to_b)
{
	if (to_a - from_a != to_b - from_b)
		return false;
	for (uint32_t i = 0; from_a + i <= to_a; i++)
		if (n->label[from_a + i] != n->label[from_b + i])
			return false;
	return true;
}

static void occurs(struct naive *n, uint32_t id, uint32_t first, uint32_t last)
{
	n->phase[id - 1].weight++;
	n->occurrence[n->occurrences++] = (struct naive_occurrence){id, first, last};
}

static uint32_t save(struct naive *n, uint32_t ticks, uint32_t from, uint32_t to)
{
	n->phase[n->phases++] = (struct naive_phase){.ticks = ticks, .content = n->occurrences, .from = from, .to = to};
	return n->phases;
}

void naive_join(struct naive *n)
{
	for (uint32_t from = 1, to; from <= n->blocks; from = to + 1) {
		uint32_t id = 1;

		to = from;
		while (to < n->blocks && joined(n, n->label[to], n->label[to + 1]))
			to++;
		while (id <= n->phases && !runs_equal(n, n->phase[id - 1].from, n->phase[id - 1].to, from, to))
			id++;
		if (id > n->phases)
			id = save(n, to - from + 2, from, to);
		occurs(n, id, from - 1, to);
	}
}

/* --- phases from the logical trace --- */

struct search {
	struct naive *n;
	uint32_t *tick; /* the ticks with a send or a collective */
	uint32_t count;
};

/* The send or collective of p at the k-th of these ticks, or NO_EVENT. */
static uint32_t send_at(const struct search *q, uint32_t k, uint32_t process)
{
	uint32_t e = naive_at(q->n, q->tick[k], process);

	return e != NO_EVENT && naive_is_receive(q->n->t, e) ? NO_EVENT : e;
}

static void search_new(struct search *q, struct naive *n)
{
	*q = (struct search){n, naive_room(n->ticks, sizeof *q->tick), 0};
	for (uint32_t k = 0; k < n->ticks; k++) {
		bool counts = false;

		for (uint32_t p = 0; p < n->processes; p++)
			if (naive_at(n, k, p) != NO_EVENT && !naive_is_receive(n->t, naive_at(n, k, p)))
				counts = true;
		if (counts)
			q->tick[q->count++] = k;
	}
}

static struct naive_counts windows(const struct search *q, uint32_t from_a, uint32_t to_a, uint32_t from_b,
				   uint32_t to_b)
{
	const struct trace *t = q->n->t;
	struct naive_counts c = {.comparable = to_a - from_a == to_b - from_b};

	for (uint32_t i = 0; c.comparable && from_a + i <= to_a; i++) {
		for (uint32_t p = 0; p < q->n->processes; p++) {
			uint32_t a = send_at(q, from_a + i, p), b = send_at(q, from_b + i, p);

			if (a == NO_EVENT && b == NO_EVENT)
				continue;
			if (a == NO_EVENT || b == NO_EVENT)
				c.z++;
			else if (t->type[a] == t->type[b] &&
				 naive_sizes_similar(trace_size(t, a), trace_size(t, b), q->n->s.volume))
				c.m++;
			else
				c.x++;
		}
	}
	return c;
}

bool naive_similar(const struct naive *n, struct naive_counts c)
{
	if (n->s.absent == ABSENT_DIFFERENT) {
		c.x += c.z;
		c.z = 0;
	}
	return c.comparable && c.m >= 1 && c.m + c.z >= n->s.events * (c.m + c.z + c.x);
}

static bool windows_similar(const struct search *q, uint32_t from_a, uint32_t to_a, uint32_t from_b, uint32_t to_b)
{
	return naive_similar(q->n, windows(q, from_a, to_a, from_b, to_b));
}

struct naive_counts naive_compare(struct naive *n, const uint32_t a[2], const uint32_t b[2])
{
	struct naive_counts c;
	struct search q;
	uint32_t place[4];

	search_new(&q, n);
	for (int i = 0; i < 4; i++)
		for (uint32_t k = 0; k < q.count; k++)
			if (q.tick[k] == (i < 2 ? a[i] : b[i - 2]))
				place[i] = k;
	c = windows(&q, place[0], place[1], place[2], place[3]);
	free(q.tick);
	return c;
}

static uint32_t saved_like(const struct search *q, uint32_t from, uint32_t to)
{
	for (uint32_t id = 1; id <= q->n->phases; id++)
		if (windows_similar(q, q->n->phase[id - 1].from, q->n->phase[id - 1].to, from, to))
			return id;
	return 0;
}

static void close_phase(struct search *q, uint32_t from, uint32_t to)
{
	uint32_t id = saved_like(q, from, to);

	if (!id)
		id = save(q->n, to - from + 1, from, to);
	occurs(q->n, id, q->tick[from], q->tick[to]);
}

/* The earliest of the ticks [s, e] at which a process first had a type that it has again at e + 1. */
static uint32_t first_repeated(const struct search *q, uint32_t s, uint32_t e)
{
	for (uint32_t f = s; f <= e; f++) {
		for (uint32_t p = 0; p < q->n->processes; p++) {
			uint32_t a = send_at(q, f, p), b = send_at(q, e + 1, p);

			if (a != NO_EVENT && b != NO_EVENT && q->n->t->type[a] == q->n->t->type[b])
				return f;
		}
	}
	return UINT32_MAX;
}

/* One phase (or the two of a split) from startpoint s; returns the next startpoint. */
static uint32_t search_from(struct search *q, uint32_t s)
{
	for (uint32_t e = s;; e++) {
		uint32_t f, id;

		if (e + 1 == q->count) {
			close_phase(q, s, e);
			return q->count;
		}
		f = first_repeated(q, s, e);
		if (f == s) {
			close_phase(q, s, e);
			return e + 1;
		}
		if (f != UINT32_MAX) {
			close_phase(q, s, f - 1);
			close_phase(q, f, e);
			return e + 1;
		}
		id = saved_like(q, s, e + 1);
		if (id) {
			occurs(q->n, id, q->tick[s], q->tick[e + 1]);
			return e + 2;
		}
	}
}

void naive_search(struct naive *n)
{
	struct search q;

	search_new(&q, n);
	for (uint32_t s = 0; s < q.count;)
		s = search_from(&q, s);
	free(q.tick);
}

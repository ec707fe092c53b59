#include "phases.h"

#include "core/base/search.h"
#include "phases_int.h"

void phases_free(struct phases *p)
{
	if (!p)
		return;
	mem_free(p->list);
	mem_free(p->occurrences);
	mem_free(p->phase_first);
	mem_free(p->by_phase);
	mem_free(p);
}

uint32_t phases_occurrence_at(const struct phases *p, uint32_t tick)
{
	uint32_t low = SEARCH_PAST(i, 0, p->occurrence_count, p->occurrences[i].first <= tick);

	return low ? low - 1 : UINT32_MAX;
}

struct phase_counts cells_compare(struct cell_walk *a, struct cell_walk *b, double volume)
{
	struct phase_counts c = {.comparable = true};
	struct tick_cell x, y;
	bool in_a = cell_next(a, &x), in_b = cell_next(b, &y);

	while (in_a && in_b) {
		if (x.process != y.process) {
			c.absent++;
			if (x.process < y.process)
				in_a = cell_next(a, &x);
			else
				in_b = cell_next(b, &y);
			continue;
		}
		if (x.type == y.type && size_similar(x.size, y.size, volume))
			c.same++;
		else
			c.different++;
		in_a = cell_next(a, &x);
		in_b = cell_next(b, &y);
	}
	for (; in_a; in_a = cell_next(a, &x))
		c.absent++;
	for (; in_b; in_b = cell_next(b, &y))
		c.absent++;
	return c;
}

/* The counts of two send ticks. */
static struct phase_counts tick_compare(const struct logical *l, uint32_t a, uint32_t b, double volume)
{
	struct cell_walk x = cells_of_tick(l, a, true), y = cells_of_tick(l, b, true);

	return cells_compare(&x, &y, volume);
}

/* The next send tick from `tick` on, or one past the last tick. */
static uint32_t next_send_tick(const struct logical *l, uint32_t tick)
{
	while (tick < l->tick_count && !l->tick_sends[tick])
		tick++;
	return tick;
}

struct phase_counts phases_compare(const struct logical *l, uint32_t first_a, uint32_t last_a, uint32_t first_b,
				   uint32_t last_b, double volume)
{
	struct phase_counts sum = {0};
	uint32_t a = next_send_tick(l, first_a), b = next_send_tick(l, first_b);

	while (a <= last_a && b <= last_b && a < l->tick_count && b < l->tick_count) {
		struct phase_counts c = tick_compare(l, a, b, volume);

		sum.same += c.same;
		sum.different += c.different;
		sum.absent += c.absent;
		a = next_send_tick(l, a + 1);
		b = next_send_tick(l, b + 1);
	}
	sum.comparable = (a > last_a || a == l->tick_count) && (b > last_b || b == l->tick_count);
	return sum;
}

bool phases_similar(const struct phase_counts *c, const struct settings *settings)
{
	uint64_t similar = c->same + (settings->absent == ABSENT_SIMILAR ? c->absent : 0);

	return c->comparable && c->same >= 1 &&
	       (double)similar >= settings->events * (double)(c->same + c->different + c->absent);
}

/* `similarity: bbp` (docs/explain/method.md, "Basic blocks"): a is joined to b if they differ, occur equally often, at
 * least twice, and every a is followed by b. A phase is a maximal run of joined labels; since counts are equal along a
 * run and the last label of the trace is followed by nothing, runs neither branch nor close. */
enum err_code phases_join(struct phases **out, const struct bbps *b, const struct progress *progress, struct err *e)
{
	struct phase_list m = {0};
	uint32_t *next = mem_zero((size_t)b->count + 1, sizeof *next);   /* of a label: what every one is followed by */
	uint32_t *id_of = mem_zero((size_t)b->count + 1, sizeof *id_of);  /* phase id by its first label */
	enum err_code code = phase_list_init(&m, SIMILARITY_BBP, e);

	*out = NULL;
	if (!next || !id_of)
		code = err_memory(e, "joining basic blocks");
	for (uint32_t i = 1; !code && i <= b->count; i++) {
		uint32_t a = b->label[i], follower = i < b->count ? b->label[i + 1] : UINT32_MAX;

		if (a == i)
			next[a] = follower;
		else if (next[a] != follower)
			next[a] = UINT32_MAX;
	}
	for (uint32_t i = 1; !code && i <= b->count; i++) {
		if (!b->weight[i])
			continue;
		if (next[i] == UINT32_MAX || next[i] == i || b->weight[i] < 2 || b->weight[next[i]] != b->weight[i])
			next[i] = 0;
	}
	for (uint32_t i = 1; !code && i <= b->count;) {
		uint32_t head = b->label[i], last = i;

		while (next[b->label[last]])
			last++;
		if (!id_of[head]) {
			id_of[head] = phase_list_save(&m, last - i + 2);
			if (!id_of[head])
				code = err_memory(e, "the phases");
		}
		if (!code && !phase_list_occur(&m, id_of[head], i - 1, last))
			code = err_memory(e, "the occurrences of phases");
		i = last + 1;
		if (!code && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while joining basic blocks");
	}
	mem_free(next);
	mem_free(id_of);
	if (!code)
		return phase_list_finish(&m, out, e);
	phase_list_release(&m);
	return code;
}

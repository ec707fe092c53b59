#include "logical_int.h"

#include <string.h>

#include "core/base/search.h"

#define EVENTS 8 /* an epoch takes about a third of what they do, for each process */

/* The events of an instance by process, after the last ones in ends[]: does every process of the rank have one, after
 * its last? The first of them is the first process's. */
static bool take_instance(struct epochs *x, uint32_t first)
{
	const struct trace *t = x->t;
	uint32_t *row = x->ends + (size_t)x->count * x->width, *before = x->count ? row - x->width : NULL, n = 0, m = first;

	memset(row, 0xff, x->width * sizeof *row);
	do {
		uint32_t p = trace_process_of(t, m) - x->local;

		if (row[p] != NO_EVENT || (before && before[p] >= m))
			return false;
		row[p] = m;
		n++;
		m = t->match[m];
	} while (m != first);
	return n == x->width;
}

/* How many of the instances have a member of the first process: no others can be of all. */
static uint32_t count_instances(const struct trace *t, uint32_t end)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->remote->instance_count; i++)
		n += t->remote->instance[i].event < end;
	return n;
}

/* Those that all processes here take part in, in their order; numbers: what their owner, the first rank, calls them. */
static bool find_here(struct epochs *x, uint32_t **numbers)
{
	const struct trace *t = x->t;
	uint32_t end = x->width ? t->first[x->local + 1] : 0, n = count_instances(t, end);

	x->ends = mem_alloc((size_t)n * x->width, sizeof *x->ends);
	*numbers = mem_alloc(n, sizeof **numbers);
	if (!x->ends || !*numbers)
		return false;
	for (uint32_t i = 0; i < t->remote->instance_count; i++) {
		const struct remote_instance *f = &t->remote->instance[i];

		if (f->event < end && f->owner == 0 && take_instance(x, f->event))
			(*numbers)[x->count++] = f->number;
	}
	return true;
}

static uint32_t number_at(const struct team_bytes *list, size_t i)
{
	uint32_t number;

	memcpy(&number, (const char *)list->bytes + i * sizeof number, sizeof number);
	return number;
}

/* On the first rank: those that every rank with processes has, into numbers; none if ranks have them in different
 * order. Returns how many;
 * *no_memory. */
static uint32_t common(const struct epochs *x, const struct team_bytes *from, uint32_t *numbers, bool *no_memory)
{
	const struct trace_remote *remote = x->t->remote;
	uint32_t *ranks = mem_zero(remote->owned_count, sizeof *ranks), with = 0, n = 0;

	*no_memory = !ranks;
	for (uint32_t r = 0; ranks && r < team_size(remote->team); r++) {
		with += remote->owner_first[r] < remote->owner_first[r + 1];
		for (size_t i = 0; i < from[r].n / sizeof *ranks; i++)
			ranks[number_at(&from[r], i)]++;
	}
	for (size_t i = 0; ranks && i < from[0].n / sizeof *ranks; i++) {
		uint32_t number = number_at(&from[0], i);

		if (ranks[number] == with)
			numbers[n++] = number;
	}
	for (uint32_t r = 1; ranks && r < team_size(remote->team); r++)
		for (size_t i = 0, k = 0; i < from[r].n / sizeof *ranks; i++) {
			uint32_t number = number_at(&from[r], i);

			if (ranks[number] == with && numbers[k++] != number)
				n = 0;
		}
	mem_free(ranks);
	return n;
}

/* So few that a process has EVENTS of its events in an epoch, on average. */
static size_t thin_out(const struct trace *t, uint32_t *numbers, uint32_t n)
{
	uint64_t most = t->remote->all_events / EVENTS / (t->process_count ? t->process_count : 1), step = n / (most + 1) + 1;
	size_t kept = 0;

	for (uint64_t i = 0; i < n; i += step)
		numbers[kept++] = numbers[i];
	return kept;
}

/* Of those that are here keep those that all have; their order is the same. */
static void keep_common(struct epochs *x, const uint32_t *numbers, const uint32_t *kept, size_t n)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < x->count && k < n; i++)
		if (numbers[i] == kept[k])
			memmove(x->ends + (size_t)k++ * x->width, x->ends + (size_t)i * x->width, x->width * sizeof *x->ends);
	x->count = (uint32_t)n;
}

enum err_code epochs_find(struct epochs *x, const struct trace *t, struct err *e)
{
	const struct team *team = t->remote->team;
	struct team_bytes *from = mem_zero(team_size(team), sizeof *from);
	uint32_t *numbers = NULL, end;
	void *kept = NULL;
	size_t n = 0;
	bool no_memory;
	enum err_code code;

	*x = (struct epochs){.t = t};
	trace_local(t, &x->local, &end);
	x->width = end - x->local;
	if (!from || !find_here(x, &numbers)) {
		code = team_agree(team, err_memory(e, "the epochs"), e);
		goto done;
	}
	code = team_gather(team, numbers, x->count * sizeof *numbers, from, e);
	if (code)
		goto done;
	if (team_rank(team) == 0) {
		kept = mem_alloc(x->count, sizeof *numbers);
		if (kept)
			n = thin_out(t, kept, common(x, from, kept, &no_memory));
		if (!kept || no_memory) {
			code = team_agree(team, err_memory(e, "the epochs"), e);
			goto done;
		}
	}
	code = team_broadcast_list(team, &kept, &n, sizeof *numbers, e);
	if (code)
		goto done;
	keep_common(x, numbers, kept, n);
	x->largest = mem_zero(n, sizeof *x->largest);
	x->base = mem_zero(n + 1, sizeof *x->base);
	code = team_agree(team, x->largest && x->base ? ERR_OK : err_memory(e, "the epochs"), e);
done:
	if (from)
		team_bytes_free(from, team_size(team));
	mem_free(from);
	mem_free(numbers);
	mem_free(kept);
	return code;
}

void epochs_release(struct epochs *x)
{
	mem_free(x->ends);
	mem_free(x->largest);
	mem_free(x->base);
}

uint32_t epochs_of(const struct epochs *x, uint32_t p, uint32_t event, uint32_t guess)
{
	const uint32_t *ends = x->ends + (p - x->local);

	if ((!guess || ends[(size_t)(guess - 1) * x->width] < event) &&
	    (guess == x->count || ends[(size_t)guess * x->width] >= event))
		return guess;
	return SEARCH_PAST(i, 0, x->count, ends[(size_t)i * x->width] < event); /* the first whose end is the event or behind it */
}

enum err_code epochs_join(struct epochs *x, struct err *e)
{
	enum err_code code = team_reduce_u32(x->t->remote->team, x->largest, x->count, TEAM_MAX, e);

	for (uint32_t k = 0; !code && k < x->count; k++)
		x->base[k + 1] = x->base[k] + x->largest[k] + 1;
	return code;
}

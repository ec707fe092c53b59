#include "make_int.h"

#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/team/team.h"
#include "inline.h"

static const char *counter_keep_name(struct trace *t, const char *text)
{
	char safe[128];

	text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8);
	return arena_strndup(&t->arena, safe, strlen(safe));
}

uint32_t make_counter(struct maker *maker, const char *name, const char *unit)
{
	struct trace *t = maker->trace;
	struct counter_info *counters, counter = {counter_keep_name(t, name), counter_keep_name(t, unit), 0};
	uint32_t *at;

	if (!maker->counters)
		maker->counters = map_new();
	if (!counter.name || !counter.unit || !maker->counters)
		return MAKE_NO_NUMBER;
	/* Names of one hash have places one after the other. */
	for (uint64_t nth = 0;; nth++) {
		at = map_at(maker->counters, hash_text(0, counter.name), nth);
		if (!at)
			return MAKE_NO_NUMBER;
		if (!*at)
			break;
		if (!strcmp(t->counters[*at - 1].name, counter.name))
			return *at - 1;
	}
	counters = mem_grow(t->counters, t->counter_count, &maker->counter_cap, sizeof *counters);
	if (!counters)
		return MAKE_NO_NUMBER;
	t->counters = counters;
	counters[t->counter_count] = counter;
	*at = ++t->counter_count;
	return t->counter_count - 1;
}

static enum err_code counter_refuse(const struct maker *maker, struct err *e)
{
	const struct trace *t = maker->trace;
	char name[80], list[240] = "";
	uint32_t i = 0;

	text_safe(name, sizeof name, maker->counter_name, SIZE_MAX, TEXT_UTF8);
	if (!t->counter_count)
		return err_set(e, ERR_USAGE, "there is no counter '%s': the trace has no counters", name);
	for (size_t used = 0; i < t->counter_count && used + strlen(t->counters[i].name) + 3 < sizeof list; i++)
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", t->counters[i].name);
	return err_set(e, ERR_USAGE, "there is no counter '%s': the trace has %s%s", name, list,
		       i < t->counter_count ? ", and more (see pas2p info)" : "");
}

enum err_code make_count_begin(struct maker *maker, struct err *e)
{
	const struct trace *t = maker->trace;
	uint32_t found = 0;

	maker->counter = MAKE_NO_NUMBER;
	if (!maker->counter_name || !*maker->counter_name || maker->watch_alone)
		return ERR_OK;
	while (found < t->counter_count && strcmp(t->counters[found].name, maker->counter_name) != 0)
		found++;
	if (found == t->counter_count)
		return counter_refuse(maker, e);
	maker->counter = found;
	maker->increases = mem_zero(maker->room[t->process_count], sizeof *maker->increases);
	maker->counts = mem_zero(t->process_count, sizeof *maker->counts);
	return maker->increases && maker->counts ? ERR_OK : err_memory(e, "the counter's increases");
}

bool make_count_stream(const struct maker *maker, struct stream *stream)
{
	return maker->counter == MAKE_NO_NUMBER || stream_count_begin(stream, maker->increases);
}

bool make_count_share(struct make_share *share)
{
	share->counter = share->maker->counter;
	share->counted = mem_zero(share->trace->counter_count, sizeof *share->counted);
	for (uint32_t p = share->first; share->counted && p < share->end; p++)
		if (!make_count_stream(share->maker, &share->processes[p].main))
			return false;
	return share->counted;
}

void make_count_chosen(struct make_record r, double increase)
{
	struct stream *stream = make_stream(r);

	if (stream_count(stream))
		stream_count_add(stream, r.time, increase);
}

void make_count_gather(struct maker *maker, const struct make_share *shares, unsigned count)
{
	struct trace *t = maker->trace;

	for (unsigned i = 0; i < count; i++)
		for (uint32_t c = 0; shares[i].counted && c < t->counter_count; c++)
			t->counters[c].readings += shares[i].counted[c];
	for (uint32_t p = 0; maker->counter != MAKE_NO_NUMBER && p < t->process_count; p++)
		for (uint32_t i = 0; i <= maker->processes[p].others.count; i++) {
			const struct stream *stream = make_stream_number(&maker->processes[p], i);

			if (stream_count(stream)) {
				maker->counts[p].sum += stream->count->sum;
				maker->counts[p].falls |= stream->count->falls;
			}
		}
}

void make_count_forget(struct maker *maker)
{
	struct trace *t = maker->trace;

	for (uint32_t c = 0; c < t->counter_count; c++)
		t->counters[c].readings = 0;
	if (maker->counter == MAKE_NO_NUMBER)
		return;
	memset(maker->increases, 0, (size_t)maker->room[t->process_count] * sizeof *maker->increases);
	memset(maker->counts, 0, t->process_count * sizeof *maker->counts);
}

static bool counter_is_good(const struct maker *maker, uint32_t process)
{
	return !maker->counts[process].falls && maker->counts[process].sum > 0;
}

static void counter_note_bad(struct maker *maker, uint32_t process)
{
	struct trace *t = maker->trace;

	if (t->processes[process].records)
		notes_add(&t->notes, NOTE_BAD_COUNTER, (struct note_place){-1, (int32_t)process, -1, -1, -1}, "%s %s in rank %u",
			  t->counters[maker->counter].name, maker->counts[process].falls ? "falls" : "never rises", process);
}

/* Sums by group of processes, so that they are the same for every team. */
struct scale_sum {
	double seconds, increase;
};

static enum err_code scale_of(struct maker *maker, double *scale, struct err *e)
{
	const struct trace *t = maker->trace;
	struct scale_sum sums[MAKE_GROUPS] = {{0, 0}}, all = {0, 0};
	enum err_code code = ERR_OK;

	for (uint32_t p = 0; p < t->process_count; p++) {
		struct scale_sum *sum = &sums[(uint64_t)p * MAKE_GROUPS / t->process_count];

		for (uint32_t i = 0, at = maker->room[p]; counter_is_good(maker, p) && i < maker->used[p]; i++, at++) {
			if (isnan(t->compute[at]) || isnan(maker->increases[at]))
				continue;
			sum->seconds += t->compute[at];
			sum->increase += maker->increases[at];
		}
	}
	/* A group that is another rank's is 0 here, and none is below. */
	if (maker->team)
		code = maker_agreed(maker, team_reduce_double(maker->team, &sums[0].seconds, 2 * MAKE_GROUPS, TEAM_MAX, e));
	for (int g = 0; g < MAKE_GROUPS; g++) {
		all.seconds += sums[g].seconds;
		all.increase += sums[g].increase;
	}
	*scale = all.increase > 0 ? all.seconds / all.increase : (double)NAN;
	return code;
}

enum err_code make_count_finish(struct maker *maker, struct err *e)
{
	struct trace *t = maker->trace;
	double scale;
	enum err_code code;

	if (maker->counter == MAKE_NO_NUMBER)
		return ERR_OK;
	for (uint32_t p = 0; p < t->process_count; p++)
		if (!counter_is_good(maker, p))
			counter_note_bad(maker, p);
	code = scale_of(maker, &scale, e);
	if (code || !isfinite(scale))
		return code;
	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t i = 0, at = maker->room[p]; counter_is_good(maker, p) && i < maker->used[p]; i++, at++)
			t->compute[at] = maker->increases[at] * scale;
	t->compute_source = COMPUTE_FROM_COUNTER;
	t->compute_counter = maker->counter;
	return ERR_OK;
}

#include "tit_int.h"

#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"

#define POLL 0xffffu

struct planning {
	struct tit_plan *plan;
	struct convert_run *run;
	struct map *tags;      /* (tag, 0) -> the communicator that has it, + 1; (tag, communicator + 1) -> tag in the replay, + 1 */
	struct map *taken;     /* tags of the trace */
	struct map *last;      /* (sender, receiver), tag -> the receive of the last such message, + 1 */
	uint32_t fresh;        /* the next tag that is tried where one is wanted */
	uint64_t alone, backward, tags_changed, single, unsized, larger;
};

/* ---- tags ---- */

static uint32_t fresh_tag(struct planning *x)
{
	while (x->fresh && map_get(x->taken, x->fresh, 0))
		x->fresh--;
	return x->fresh ? x->fresh-- : 0;
}

static bool is_message_tag(int32_t tag)
{
	return tag >= 0 && (uint32_t)tag < TIT_TAGS;
}

/* The replay's tag of a tag on a communicator. False: no memory. */
static bool find_tag(struct planning *x, int32_t tag, uint32_t comm, uint32_t *to)
{
	uint32_t *owner, *other;

	*to = (uint32_t)tag;
	if (is_message_tag(tag)) {
		owner = map_at(x->tags, (uint32_t)tag, 0);
		if (!owner)
			return false;
		if (!*owner)
			*owner = comm + 1;
		if (*owner == comm + 1)
			return true;
	}
	other = map_at(x->tags, (uint32_t)tag, (uint64_t)comm + 1);
	if (!other)
		return false;
	if (!*other)
		*other = fresh_tag(x) + 1;
	*to = *other - 1;
	return true;
}

static enum err_code take_tags(struct planning *x, struct err *e)
{
	const struct trace *t = x->run->trace;

	for (uint32_t event = 0; event < t->event_count; event++) {
		uint32_t *at;

		if (EVENT_KIND(t->type[event]) != EVENT_SEND || !is_message_tag(trace_tag(t, event)))
			continue;
		at = map_at(x->taken, (uint32_t)trace_tag(t, event), 0);
		if (!at)
			return err_memory(e, "the messages' tags");
		*at = 1;
	}
	return ERR_OK;
}

/* ---- messages ---- */

/* Each key's receives are in the order of its sends: one that is not gets a tag of its own. */
static bool plan_message(struct planning *x, uint32_t event, uint32_t process)
{
	const struct trace *t = x->run->trace;
	uint32_t receive = t->match[event], to = EVENT_INDEX(t->type[event]) - 1, tag, *last;
	uint64_t pair = (uint64_t)process << 32 | to;

	if (!find_tag(x, trace_tag(t, event), trace_comm(t, event), &tag))
		return false;
	last = map_at(x->last, pair, tag);
	if (!last)
		return false;
	if (*last > receive) {
		tag = fresh_tag(x);
		last = map_at(x->last, pair, tag);
		if (!last)
			return false;
	}
	*last = receive + 1;
	x->tags_changed += tag != (uint32_t)trace_tag(t, event);
	x->unsized += trace_size(t, event) == SIZE_UNKNOWN;
	x->larger += trace_size(t, event) != SIZE_UNKNOWN && trace_size(t, event) > INT32_MAX;
	x->plan->fate[event] = x->plan->fate[receive] = TIT_MESSAGE;
	x->plan->value[event] = x->plan->value[receive] = tag;
	return true;
}

static enum err_code plan_messages(struct planning *x, struct err *e)
{
	const struct trace *t = x->run->trace;
	enum err_code code = take_tags(x, e);

	for (uint32_t p = 0; !code && p < t->process_count; p++)
		for (uint32_t event = t->first[p]; event < t->first[p + 1]; event++) {
			uint32_t kind = EVENT_KIND(t->type[event]), match = t->match[event];

			if ((event & POLL) == 0 && progress_stopped(x->run->progress))
				return err_set(e, ERR_CANCELLED, "stopped while writing");
			if (kind == EVENT_COLLECTIVE)
				continue;
			if (match == NO_EVENT)
				x->alone++;
			else if (kind == EVENT_SEND && x->run->lamport[match] <= x->run->lamport[event])
				x->backward++;
			else if (kind == EVENT_SEND && !plan_message(x, event, p))
				return err_memory(e, "the messages' tags");
		}
	return code;
}

/* ---- collectives ---- */

/* Only if all are at one logical time is their order the same on all processes. */
static void plan_collective(struct planning *x, uint32_t first)
{
	const struct trace *t = x->run->trace;
	uint32_t members = 0, most = 0, at = first;
	bool together = true;

	do {
		uint32_t bytes = tit_bytes(trace_size(t, at));

		members++;
		most = bytes > most ? bytes : most;
		together = together && x->run->lamport[at] == x->run->lamport[first];
		x->unsized += trace_size(t, at) == SIZE_UNKNOWN;
		x->larger += trace_size(t, at) != SIZE_UNKNOWN && trace_size(t, at) > INT32_MAX;
		at = t->match[at];
	} while (at != first && at != NO_EVENT);
	if (members < 2 || !together) {
		x->single += members;
		return;
	}
	do {
		x->plan->fate[at] = members == t->process_count ? TIT_WORLD : TIT_PART;
		x->plan->value[at] = members == t->process_count ? most : first;
		at = t->match[at];
	} while (at != first);
}

static enum err_code plan_collectives(struct planning *x, struct err *e)
{
	const struct trace *t = x->run->trace;
	bool sizes = false;

	for (uint32_t event = 0; event < t->event_count; event++) {
		if ((event & POLL) == 0 && progress_stopped(x->run->progress))
			return err_set(e, ERR_CANCELLED, "stopped while writing");
		if (EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE || x->run->lamport[event] == UINT32_MAX)
			continue;
		sizes = sizes || (trace_size(t, event) && trace_size(t, event) != SIZE_UNKNOWN);
		if (x->plan->fate[event] == TIT_LEFT_OUT && t->match[event] >= event)
			plan_collective(x, event);
	}
	for (uint32_t event = 0; !sizes && event < t->event_count; event++)
		if (x->plan->fate[event] >= TIT_WORLD && trace_size(t, event) != SIZE_UNKNOWN)
			x->unsized += strcmp(t->colls[EVENT_INDEX(t->type[event])].op, "Barrier") != 0;
	return ERR_OK;
}

/* ---- all ---- */

enum err_code tit_plan_init(struct tit_plan *plan, struct convert_run *run, struct err *e)
{
	struct planning x = {.plan = plan, .run = run, .tags = map_new(), .taken = map_new(), .last = map_new(), .fresh = TIT_TAGS - 1};
	uint32_t n = run->trace->event_count;
	enum err_code code = ERR_OK;

	*plan = (struct tit_plan){mem_zero(n, sizeof *plan->fate), mem_alloc(n, sizeof *plan->value)};
	if (!plan->fate || !plan->value || !x.tags || !x.taken || !x.last)
		code = err_memory(e, "the actions");
	if (!code)
		code = plan_messages(&x, e);
	if (!code)
		code = plan_collectives(&x, e);
	map_free(x.tags);
	map_free(x.taken);
	map_free(x.last);
	convert_lost(run, "unmatched messages", x.alone);
	convert_lost(run, "messages received before they are sent", x.backward);
	convert_lost(run, "tags of 2^30 and more, or used on several communicators", x.tags_changed);
	convert_lost(run, "collectives without other members", x.single);
	convert_lost(run, "sizes that the trace does not have", x.unsized);
	convert_lost(run, "sizes over 2147483647 bytes", x.larger);
	return code;
}

void tit_plan_release(struct tit_plan *plan)
{
	mem_free(plan->fate);
	mem_free(plan->value);
}

/* What a rank's part of a trace knows of the other parts, when all leave their collectives out (far.h). */
#include <string.h>

#include "far.h"

/* The event at the other end as its rank numbers it, and what it is to call this end. */
struct moved_end {
	uint32_t there, here;
};

/* Per rank, the ends here of its messages: in to[]. */
static enum err_code list_ends(const struct trace *t, const uint32_t *moved, struct team_bytes *to)
{
	const struct trace_far *far = t->far;

	for (uint32_t i = 0; i < far->message_count; i++)
		to[far->message[i].rank].n += sizeof(struct moved_end);
	for (uint32_t r = 0; r < team_size(far->team); r++) {
		to[r].bytes = mem_alloc(to[r].n, 1);
		to[r].n = 0;
		if (!to[r].bytes)
			return ERR_MEMORY;
	}
	for (uint32_t i = 0; i < far->message_count; i++) {
		const struct far_message *m = &far->message[i];
		struct moved_end end = {m->other, moved[m->event]};

		memcpy((char *)to[m->rank].bytes + to[m->rank].n, &end, sizeof end);
		to[m->rank].n += sizeof end;
	}
	return ERR_OK;
}

static void take_ends(struct trace *n, const struct trace *t, const uint32_t *moved, const struct team_bytes *from)
{
	for (uint32_t i = 0; i < t->far->message_count; i++) {
		n->far->message[i] = t->far->message[i];
		n->far->message[i].event = moved[t->far->message[i].event];
	}
	for (uint32_t r = 0; r < team_size(t->far->team); r++)
		for (size_t at = 0; at < from[r].n; at += sizeof(struct moved_end)) {
			struct moved_end end;

			memcpy(&end, (const char *)from[r].bytes + at, sizeof end);
			n->far->message[t->match[end.there] - FAR_EVENT].other = end.here;
		}
}

enum err_code trace_far_without(struct trace *n, const struct trace *t, const uint32_t *moved, struct err *e)
{
	const struct team *team = t->far->team;
	uint32_t ranks = team_size(team);
	struct team_bytes *to = mem_zero(ranks, sizeof *to), *from = mem_zero(ranks, sizeof *from);
	struct trace_far *far = n->far = mem_zero(1, sizeof *far);
	uint64_t before;
	enum err_code code = ERR_MEMORY;

	if (far) {
		far->team = team;
		far->owner_first = mem_alloc((size_t)ranks + 1, sizeof *far->owner_first);
		far->message = mem_alloc(t->far->message_count, sizeof *far->message);
		far->message_count = t->far->message_count;
	}
	if (to && from && far && far->owner_first && far->message)
		code = list_ends(t, moved, to);
	if (code) {
		code = team_agree(team, err_memory(e, "the trace without its collectives"), e);
		goto done;
	}
	memcpy(far->owner_first, t->far->owner_first, ((size_t)ranks + 1) * sizeof *far->owner_first);
	code = team_scan(team, n->event_count, &before, &far->all_events, e);
	if (!code)
		code = team_exchange(team, to, from, e);
	if (!code)
		take_ends(n, t, moved, from);
done:
	if (to)
		team_bytes_free(to, ranks);
	if (from)
		team_bytes_free(from, ranks);
	mem_free(to);
	mem_free(from);
	return code;
}

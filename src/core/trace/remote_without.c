/* What a rank's part of a trace knows of the other parts, when all leave their collectives out (remote.h). */
#include <string.h>

#include "remote.h"

/* The event at the other end as its rank numbers it, and what it is to call this end. */
struct moved_end {
	uint32_t there, here;
};

/* Per rank, the ends here of its messages: in to[]. */
static enum err_code list_ends(const struct trace *t, const uint32_t *moved, struct team_bytes *to)
{
	const struct trace_remote *remote = t->remote;

	for (uint32_t i = 0; i < remote->message_count; i++)
		to[remote->message[i].rank].n += sizeof(struct moved_end);
	for (uint32_t r = 0; r < team_size(remote->team); r++) {
		to[r].bytes = mem_alloc(to[r].n, 1);
		to[r].n = 0;
		if (!to[r].bytes)
			return ERR_MEMORY;
	}
	for (uint32_t i = 0; i < remote->message_count; i++) {
		const struct remote_message *m = &remote->message[i];
		struct moved_end end = {m->other, moved[m->event]};

		memcpy((char *)to[m->rank].bytes + to[m->rank].n, &end, sizeof end);
		to[m->rank].n += sizeof end;
	}
	return ERR_OK;
}

static void take_ends(struct trace *n, const struct trace *t, const uint32_t *moved, const struct team_bytes *from)
{
	for (uint32_t i = 0; i < t->remote->message_count; i++) {
		n->remote->message[i] = t->remote->message[i];
		n->remote->message[i].event = moved[t->remote->message[i].event];
	}
	for (uint32_t r = 0; r < team_size(t->remote->team); r++)
		for (size_t at = 0; at < from[r].n; at += sizeof(struct moved_end)) {
			struct moved_end end;

			memcpy(&end, (const char *)from[r].bytes + at, sizeof end);
			n->remote->message[t->match[end.there] - REMOTE_EVENT].other = end.here;
		}
}

enum err_code trace_remote_without(struct trace *n, const struct trace *t, const uint32_t *moved, struct err *e)
{
	const struct team *team = t->remote->team;
	uint32_t ranks = team_size(team);
	struct team_bytes *to = mem_zero(ranks, sizeof *to), *from = mem_zero(ranks, sizeof *from);
	struct trace_remote *remote = n->remote = mem_zero(1, sizeof *remote);
	uint64_t before;
	enum err_code code = ERR_MEMORY;

	if (remote) {
		remote->team = team;
		remote->owner_first = mem_alloc((size_t)ranks + 1, sizeof *remote->owner_first);
		remote->message = mem_alloc(t->remote->message_count, sizeof *remote->message);
		remote->message_count = t->remote->message_count;
	}
	if (to && from && remote && remote->owner_first && remote->message)
		code = list_ends(t, moved, to);
	if (code) {
		code = team_agree(team, err_memory(e, "the trace without its collectives"), e);
		goto done;
	}
	memcpy(remote->owner_first, t->remote->owner_first, ((size_t)ranks + 1) * sizeof *remote->owner_first);
	code = team_scan(team, n->event_count, &before, &remote->all_events, e);
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

#include "early_receives.h"

#include "core/team/team_pack.h"
#include "core/trace/trace_far.h"

struct told_send {
	double time;
	uint32_t receive;        /* as its rank numbers it */
};

/* Of the receives whose sends are elsewhere: those ranks tell when they sent. */
static enum err_code early_from_far(const struct trace *t, uint64_t *early, struct err *e)
{
	const struct team *team = trace_team(t);
	struct team_bytes *bytes = mem_zero((size_t)team->size * 2, sizeof *bytes), *from = bytes + team->size;
	struct team_pack *pack = mem_zero(team->size, sizeof *pack);
	enum err_code code = bytes && pack ? ERR_OK : err_memory(e, "receives before their sends");
	struct told_send told = {0};

	for (uint32_t i = 0; !code && i < t->far->message_count; i++) {
		const struct far_message *m = &t->far->message[i];

		told.time = t->time[m->event];
		told.receive = m->other;
		if (EVENT_KIND(t->type[m->event]) == EVENT_SEND)
			team_put(&pack[m->rank], &told, sizeof told);
	}
	for (uint32_t r = 0; !code && r < team->size; r++) {
		bytes[r] = (struct team_bytes){pack[r].bytes, pack[r].n};
		if (pack[r].failed)
			code = err_memory(e, "receives before their sends");
	}
	code = code ? team_agree(team, code, e) : team_exchange(team, bytes, from, e);
	for (uint32_t r = 0; !code && r < team->size; r++)
		for (struct team_take take = {from[r].bytes, from[r].n}; team_take(&take, &told, sizeof told);)
			*early += t->time[told.receive] < told.time;
	for (uint32_t r = 0; pack && r < team->size; r++)
		mem_free(pack[r].bytes);
	if (bytes)
		team_bytes_free(from, team->size);
	mem_free(pack);
	mem_free(bytes);
	return code ? code : team_reduce(team, early, 1, TEAM_SUM, e);
}

enum err_code early_receives(const struct trace *t, uint64_t *early, struct err *e)
{
	*early = 0;
	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		uint32_t match = t->match[ev];

		*early += EVENT_KIND(t->type[ev]) == EVENT_RECEIVE && match != NO_EVENT && !(t->far && is_far(match)) &&
			  t->time[ev] < t->time[match];
	}
	return t->far ? early_from_far(t, early, e) : ERR_OK;
}

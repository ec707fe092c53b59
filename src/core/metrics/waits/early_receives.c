#include "waits.h"

#include "core/team/team_packs.h"
#include "core/trace/far.h"

struct told_send {
	double time;
	uint32_t receive;        /* as its rank numbers it */
};

/* Of the receives whose sends are elsewhere: those ranks tell when they sent. */
static enum err_code early_from_far(const struct trace *t, uint64_t *early, struct err *e)
{
	const struct team *team = trace_team(t);
	struct told_send told = {0};
	struct team_packs packs;
	enum err_code code = team_packs_init(&packs, team, ERR_OK, e);

	for (uint32_t i = 0; !code && i < t->far->message_count; i++) {
		const struct far_message *m = &t->far->message[i];

		told.time = t->time[m->event];
		told.receive = m->other;
		if (EVENT_KIND(t->type[m->event]) == EVENT_SEND)
			team_put(&packs.to[m->rank], &told, sizeof told);
	}
	code = team_packs_exchange(&packs, code, "receives before their sends", e);
	for (uint32_t r = 0; !code && r < team->size; r++)
		for (struct team_take take = team_packs_from(&packs, r); team_take(&take, &told, sizeof told);)
			*early += t->time[told.receive] < told.time;
	team_packs_release(&packs);
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

/* The causal pass of a rank, and the other ranks' (logical_int.h, logical_int.h). */
#include "logical_int.h"

static void take_news(struct pass *s)
{
	struct remote_news news;

	while (logical_remote_news(s->remote, &news)) {
		if (news.event == NO_EVENT) {
			s->instances[news.instance].largest = news.lt;
			pass_release_waiting(s, &s->instances[news.instance]);
		} else {
			uint32_t i = pass_strand(s, trace_process_of(s->t, news.event), news.event,
						 logical_remote_epoch(s->remote, s->t->match[news.event]));

			if (s->parked[i] && s->next[i] == news.event)
				pass_wake(s, i);
		}
	}
}

/* Where this rank stands; as it was, if nothing has been done since. */
static void bring_up_to_date(struct pass *s)
{
	uint32_t i, ev;

	if (s->state_done == s->done)
		return;
	s->state_done = s->done;
	i = pass_first_pending(s);
	s->state = (struct remote_state){.process = NO_PROCESS, .largest = pass_largest(s)};
	if (i == NO_STRAND)
		return;
	ev = s->next[i];
	s->state.process = s->local + i % s->width;
	s->state.time = s->t->time[ev];
	s->state.type = s->t->type[ev];
	s->state.number = trace_number_of(s->t, s->state.process, ev);
}

/* All have passed all events: LTs of an epoch move behind those of the one before. Returns the team's code. */
static enum err_code join_epochs(struct pass *s, struct err *e)
{
	const struct trace *t = s->t;
	const struct epochs *x = s->epochs;
	enum err_code code = epochs_join(s->epochs, e);

	if (code)
		return code;
	s->l->lt_count += x->base[x->count];
	for (uint32_t p = s->local; p < s->local + s->width; p++)
		for (uint32_t ev = t->first[p], k = 0; ev < t->first[p + 1]; ev++) {
			if (s->lt[ev] == LT_ENDS)
				s->lt[ev] = x->base[++k] - 1;
			else if (s->lt[ev] != LT_CROSSED)
				s->lt[ev] += x->base[k];
		}
	for (uint32_t ev = 0; s->crossed && ev < t->event_count; ev++) {
		uint32_t m = t->match[ev];

		if (s->lt[ev] == LT_CROSSED)
			s->lt[ev] = (is_remote(m) ? x->base[logical_remote_epoch(s->remote, m)] + logical_remote_lt(s->remote, m) : s->lt[m]) + 1;
	}
	return ERR_OK;
}

/* Nothing goes on anywhere. Returns the team's code. */
static enum err_code stand_still(struct pass *s, const struct remote_state *all, enum pass_outcome *outcome, struct err *e)
{
	if (all->process == NO_PROCESS) {
		*outcome = PASS_DONE;
		s->l->lt_count = all->largest + 1;
		return s->epochs ? join_epochs(s, e) : ERR_OK;
	}
	if (s->epochs) { /* a cycle: who is cut may be of any epoch */
		*outcome = PASS_MIXED;
		return ERR_OK;
	}
	pass_note_cut(s->l, all->process, all->type, all->number);
	if (all->process == s->state.process)
		pass_cut(s, all->process - s->local);
	return ERR_OK;
}

enum err_code pass_wait_for_team(struct pass *s, const struct progress *progress, enum pass_outcome *outcome, struct err *e)
{
	const struct team *team = trace_team(s->t);
	enum err_code code = ERR_OK;

	take_news(s);
	while (!code && !s->runnable_count && *outcome == PASS_UNDER_WAY) {
		struct remote_state all;
		bool still, last = s->opened == pass_epochs(s);

		if (logical_remote_failed(s->remote))
			return team_agree(team, err_memory(e, "the causal pass"), e);
		if (progress_stopped(progress))
			return team_agree(team, err_set(e, ERR_CANCELLED, "stopped while ordering events"), e);
		if (logical_remote_quiet(s->remote) && last)
			bring_up_to_date(s);
		s->state.mixed = s->mixed;
		code = logical_remote_exchange(s->remote, &s->state, &all, &still, e);
		if (code)
			return code;
		pass_open(s);
		take_news(s);
		if (all.mixed)
			*outcome = PASS_MIXED;
		else if (still && last)
			code = stand_still(s, &all, outcome, e);
	}
	return code;
}

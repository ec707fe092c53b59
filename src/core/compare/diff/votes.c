#include "diff_int.h"

#include <string.h>

#include "core/base/mem.h"

#define WINDOW 8192 /* ticks that go from rank to rank together */

struct vote {
	uint32_t candidate, votes;
};

/* What is said of a tick by the events that are here, after those that have voted. */
static struct vote tick_vote(const struct diff_align *x, uint32_t tick, struct vote v)
{
	const struct logical *a = x->d->run[DIFF_A].l, *b = x->d->run[DIFF_B].l;

	for (uint32_t i = a->tick_first[tick]; i < a->tick_first[tick + 1]; i++) {
		uint32_t partner = x->partner[DIFF_A][a->order_of[i]], of;

		if (partner == NO_EVENT)
			continue;
		of = b->tick[partner];
		if (!v.votes)
			v.candidate = of;
		v.votes = of == v.candidate ? v.votes + 1 : v.votes - 1;
	}
	return v;
}

static enum err_code vote_alone(uint32_t *to, const struct diff_align *x, const struct progress *progress, struct err *e)
{
	uint32_t ticks = x->d->run[DIFF_A].l->tick_count;
	enum err_code code = ERR_OK;

	for (uint32_t t = 0; !code && t < ticks; t++) {
		if ((t & 0xffff) == 0)
			code = diff_stopped(progress, e);
		to[t] = tick_vote(x, t, (struct vote){NO_TICK, 0}).candidate;
	}
	return code;
}

/* ---- from rank to rank ---- */

struct voting {
	const struct diff_align *x;
	const struct team *team;
	uint32_t *to;
	uint32_t ticks, windows;
	struct vote *votes;            /* of a window */
	uint32_t *decided;             /* as above; the last rank's */
	struct team_bytes *send, *from;
};

static uint32_t window_size(const struct voting *v, uint32_t window)
{
	uint32_t left = v->ticks - window * WINDOW;

	return left < WINDOW ? left : WINDOW;
}

/* Here it is this rank's turn: on from what the ranks before it said. */
static void vote_window(struct voting *v, uint32_t window)
{
	uint32_t n = window_size(v, window), rank = v->team->rank, last = v->team->size - 1;

	for (uint32_t i = 0; i < n; i++) {
		struct vote before = {NO_TICK, 0};

		if (rank)
			memcpy(&before, (const struct vote *)v->from[rank - 1].bytes + i, sizeof before);
		v->votes[i] = tick_vote(v->x, window * WINDOW + i, before);
		v->decided[i] = v->votes[i].candidate;
	}
	if (rank < last)
		v->send[rank + 1] = (struct team_bytes){v->votes, n * sizeof *v->votes};
	for (uint32_t r = 0; rank == last && r <= last; r++)
		v->send[r] = (struct team_bytes){v->decided, n * sizeof *v->decided};
}

/* In each round a rank is at the window behind the one at which the rank before it is. */
static enum err_code vote_together(struct voting *v, const struct progress *progress, struct err *e)
{
	uint32_t rank = v->team->rank, last = v->team->size - 1;
	enum err_code code = ERR_OK;

	for (uint32_t round = 0; !code && round < v->windows + last; round++) {
		code = diff_stopped(progress, e);
		if (code)
			return team_agree(v->team, code, e);
		memset(v->send, 0, v->team->size * sizeof *v->send);
		if (round >= rank && round - rank < v->windows)
			vote_window(v, round - rank);
		team_bytes_free(v->from, v->team->size);
		code = team_exchange(v->team, v->send, v->from, e);
		if (!code && round >= last)
			memcpy(v->to + (size_t)(round - last) * WINDOW, v->from[last].bytes, window_size(v, round - last) * sizeof *v->to);
	}
	return code;
}

enum err_code diff_votes(uint32_t *to, const struct diff_align *x, const struct progress *progress, struct err *e)
{
	struct voting v = {.x = x, .team = run_diff_team(x->d), .to = to, .ticks = x->d->run[DIFF_A].l->tick_count};
	enum err_code code;

	if (team_size(v.team) == 1)
		return vote_alone(to, x, progress, e);
	v.windows = v.ticks / WINDOW + (v.ticks % WINDOW != 0);
	v.votes = mem_alloc(WINDOW, sizeof *v.votes);
	v.decided = mem_alloc(WINDOW, sizeof *v.decided);
	v.send = mem_zero(v.team->size, sizeof *v.send);
	v.from = mem_zero(v.team->size, sizeof *v.from);
	code = team_agree(v.team, v.votes && v.decided && v.send && v.from ? ERR_OK : err_memory(e, "the ticks that correspond"), e);
	if (!code && v.windows)
		code = vote_together(&v, progress, e);
	if (v.from)
		team_bytes_free(v.from, v.team->size);
	mem_free(v.votes);
	mem_free(v.decided);
	mem_free(v.send);
	mem_free(v.from);
	return code;
}

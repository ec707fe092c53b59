/* Repeats of all processes: each rank lists those of its own, tick by tick, and rank 0 puts the lists together. */
#include <string.h>

#include "phases_int.h"
#include "core/trace/remote.h"

/* A message is, of each send tick, how many repeats the rank has of it (uint32_t), then all of these. */
struct repeat_joining {
	struct phase_space *p;
	const struct team *team;
	struct team_bytes *from;
	uint32_t at, end;        /* what the collective step is of */
	size_t *taken;           /* per rank: bytes of its message that are done with */
	uint32_t *list;          /* of one tick */
	size_t list_cap;
	uint64_t *first;         /* what comes out */
	uint32_t *repeat;
	size_t cap;
};

static bool repeats_make_room(uint32_t **list, size_t want, size_t *cap)
{
	uint32_t *more;

	if (want <= *cap && *list)
		return true;
	more = mem_resize(*list, 2 * want + 1, sizeof *more);
	if (!more)
		return false;
	*list = more;
	*cap = 2 * want + 1;
	return true;
}

/* The message of the send ticks [at, end); NULL: no memory. */
static uint32_t *repeats_write_message(const struct phase_space *p, uint32_t at, uint32_t end, size_t *bytes)
{
	uint64_t from = p->repeat_first[at], count = p->repeat_first[end] - from;
	uint32_t *message = mem_alloc(end - at + count, sizeof *message);

	*bytes = (end - at + count) * sizeof *message;
	for (uint32_t k = at; message && k < end; k++)
		message[k - at] = (uint32_t)(p->repeat_first[k + 1] - p->repeat_first[k]);
	if (message && count)
		memcpy(message + (end - at), p->repeat + from, count * sizeof *message);
	return message;
}

/* The repeats of one send tick, which is the n-th of the messages, thinned out in list[]; false: no memory. */
static bool repeats_collect(struct repeat_joining *j, uint32_t n, uint32_t *found)
{
	size_t all = 0;

	for (uint32_t r = 0; r < team_size(j->team); r++) {
		uint32_t count;

		memcpy(&count, (const char *)j->from[r].bytes + n * sizeof count, sizeof count);
		if (!repeats_make_room(&j->list, all + count, &j->list_cap))
			return false;
		if (count)
			memcpy(j->list + all, (const char *)j->from[r].bytes + j->taken[r], count * sizeof *j->list);
		j->taken[r] += count * sizeof *j->list;
		all += count;
	}
	*found = phase_space_distinct(j->list, (uint32_t)all);
	return true;
}

static bool repeats_take(void *arg)
{
	struct repeat_joining *j = arg;
	uint32_t at = j->at, end = j->end;

	for (uint32_t r = 0; r < team_size(j->team); r++)
		j->taken[r] = (end - at) * sizeof(uint32_t);
	for (uint32_t k = at; k < end; k++) {
		uint64_t n = j->first[k];
		uint32_t found;

		if (!repeats_collect(j, k - at, &found) || !repeats_make_room(&j->repeat, n + found, &j->cap))
			return false;
		if (found)
			memcpy(j->repeat + n, j->list, found * sizeof *j->list);
		j->first[k + 1] = n + found;
	}
	return true;
}

static enum err_code repeats_exchange(struct repeat_joining *j, const struct progress *progress, struct err *e)
{
	size_t bytes;
	uint32_t *message = repeats_write_message(j->p, j->at, j->end, &bytes);
	enum err_code code = message ? ERR_OK : err_memory(e, "the phase space");

	if (!code && progress_stopped(progress))
		code = err_set(e, ERR_CANCELLED, "stopped while preparing phases");
	return team_collect(j->team, code, message, bytes, j->from, repeats_take, j, "the phase space", e);
}

enum err_code phase_space_join_repeats(struct phase_space *p, const struct progress *progress, struct err *e)
{
	struct repeat_joining j = {.p = p, .team = trace_team(p->l->trace)};
	uint32_t per_step = ticks_per_step(p->l->trace), size = team_size(j.team);
	bool first = !team_rank(j.team);
	enum err_code code = ERR_OK;

	j.from = mem_zero(size, sizeof *j.from);
	j.taken = mem_alloc(size, sizeof *j.taken);
	if (first) {
		j.first = mem_zero((size_t)p->count + 1, sizeof *j.first);
		j.repeat = mem_alloc(1, sizeof *j.repeat);
		j.cap = 1;
	}
	if (!j.from || !j.taken || (first && (!j.first || !j.repeat)))
		code = err_memory(e, "the phase space");
	code = team_agree(j.team, code, e);
	for (j.at = 0; j.at < p->count && !code; j.at = j.end) {
		j.end = p->count - j.at < per_step ? p->count : j.at + per_step;
		code = repeats_exchange(&j, progress, e);
	}
	mem_free(j.from);
	mem_free(j.taken);
	mem_free(j.list);
	mem_free(p->repeat_first);
	mem_free(p->repeat);
	p->repeat_first = j.first;
	p->repeat = j.repeat;
	return code;
}

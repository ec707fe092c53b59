#include "windows.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/method/figures/clockwork.h"
#include "core/method/figures/durations.h"
#include "core/trace/remote.h"

static void times(struct window_run *r)
{
	const struct clockwork *c = r->clockwork;
	uint32_t processes = c->l->trace->process_count;
	double so_far = -INFINITY;

	if (!processes)
		processes = 1;
	for (uint32_t i = 0; i < r->count; i++) {
		r->u[i] = c->at[r->phases->occurrences[i].first] / processes;
		r->duration[i] = occurrence_between_sends(c, r->phases, i);
		so_far = fmax(so_far, r->u[i]);
		r->reached[i] = so_far;
	}
	r->u[r->count] = c->at[c->l->tick_count] / processes;
	r->start = r->u[0];
	r->whole = r->u[r->count] - r->u[0];
}

/* What every process spends in every occurrence, of those that do something in it. */
static enum err_code by_process(struct window_run *r, const struct progress *progress, struct err *e)
{
	struct durations d = {0};
	size_t n = 0, cap = 0;
	enum err_code code = durations_init(&d, r->clockwork, r->phases, DURATION_BETWEEN_SENDS, e);

	for (uint32_t i = 0; code == ERR_OK && i < r->count; i++) {
		r->part_first[i] = n;
		durations_look(&d, i);
		for (uint32_t k = 0; code == ERR_OK && k < d.active_count; k++) {
			struct window_part *grown = mem_grow(r->part, n, &cap, sizeof *grown);

			if (grown) {
				r->part = grown;
				grown[n++] = (struct window_part){d.active[k], durations_of(&d, d.active[k])};
			} else {
				code = err_memory(e, "the times of windows");
			}
		}
		if ((i & 4095) == 0 && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while timing windows");
	}
	r->part_first[r->count] = n;
	durations_release(&d);
	return code;
}

enum err_code window_run_init(struct window_run *r, const struct clockwork *c, const struct phases *p, const struct figures *f,
			      const struct settings *s, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	*r = (struct window_run){.clockwork = c, .phases = p, .figures = f, .count = p->occurrence_count, .parts = 1, .aet = f->aet,
				 .representative = (enum representative)s->representative};
	if (s->phase_time == PHASE_TIME_SLOWEST)
		r->parts = c->l->trace->process_count;
	r->u = mem_alloc((size_t)r->count + 1, sizeof *r->u);
	r->reached = mem_alloc(r->count, sizeof *r->reached);
	r->duration = mem_alloc(r->count, sizeof *r->duration);
	r->extra = mem_zero(p->count, sizeof *r->extra);
	r->is_relevant = mem_alloc(p->count, sizeof *r->is_relevant);
	r->relevant = mem_alloc(p->count, sizeof *r->relevant);
	r->part_first = r->parts == 1 ? NULL : mem_alloc((size_t)r->count + 1, sizeof *r->part_first);
	if (!r->u || !r->reached || !r->duration || !r->extra || !r->is_relevant || !r->relevant || (r->parts != 1 && !r->part_first)) {
		window_run_release(r);
		return err_memory(e, "the times of windows");
	}
	times(r);
	for (uint32_t i = 0; i < p->count; i++) {
		r->is_relevant[i] = f->phase[i].relevant;
		if (r->is_relevant[i])
			r->relevant[r->relevant_count++] = i;
	}
	if (r->parts != 1)
		code = by_process(r, progress, e);
	if (code)
		window_run_release(r);
	return code;
}

void window_run_release(struct window_run *r)
{
	mem_free(r->u);
	mem_free(r->reached);
	mem_free(r->duration);
	mem_free(r->part);
	mem_free(r->part_first);
	mem_free(r->extra);
	mem_free(r->is_relevant);
	mem_free(r->relevant);
	mem_free(r->place);
	*r = (struct window_run){0};
}

uint32_t window_run_at(const struct window_run *r, double at)
{
	return SEARCH_PAST(i, 0, r->count, !(r->reached[i] >= at - WINDOW_SLACK));
}

/* One or two occurrences stand for themselves; of more, the representative does for all. */
static enum err_code find_extra(struct window_run *r, uint32_t phase, struct window_extra *x, struct err *e)
{
	const uint32_t *occurrences = r->phases->by_phase + r->phases->phase_first[phase];
	uint32_t weight = r->phases->list[phase].weight, place;
	double *sum;
	enum err_code code;

	x->count = weight <= 2 ? weight : 1;
	for (uint32_t i = 0; i < x->count; i++)
		x->occurrence[i] = occurrences[i];
	if (weight > 2) {
		place = r->place ? r->place[phase] : 0;
		code = place ? ERR_OK : phase_representative(r->clockwork, r->phases, phase + 1, r->representative, &place, e);
		if (code)
			return code;
		x->occurrence[0] = occurrences[place - 1];
	}
	sum = mem_zero(r->parts, sizeof *sum);
	if (!sum)
		return err_memory(e, "the times of windows");
	for (uint32_t i = 0; i < x->count; i++) {
		x->lasts += r->u[x->occurrence[i] + 1] - r->u[x->occurrence[i]];
		window_run_add(r, x->occurrence[i], sum);
	}
	x->time = -INFINITY;
	for (uint32_t p = 0; p < r->parts; p++)
		x->time = fmax(x->time, sum[p] / x->count);
	mem_free(sum);
	x->known = true;
	return ERR_OK;
}

enum err_code window_run_extra(const struct window_extra **out, struct window_run *r, uint32_t phase, struct err *e)
{
	struct window_extra *x = &r->extra[phase];

	*out = x;
	if (x->known)
		return ERR_OK;
	*x = (struct window_extra){0};
	return find_extra(r, phase, x, e);
}

/* What rank 0 of a team has to know of the processes of others, to lay windows. */

#define PARTS_PER_STEP (1u << 18) /* of a rank, at most: 4 MB */

/* A message is, of each occurrence, how many parts the rank has of it (uint32_t), then all of these. */
struct parts_joining {
	struct window_run *r;
	const struct team *team;
	struct team_bytes *from;
	uint32_t at, end;           /* what the collective step is of */
	size_t *taken;              /* per rank: bytes of its message that are done with */
	struct window_part *part;   /* what comes out */
	size_t *part_first;
	size_t cap;
};

/* The message of the occurrences [at, end); NULL: no memory. */
static char *window_parts_write(const struct window_run *r, uint32_t at, uint32_t end, size_t *bytes)
{
	size_t head = (end - at) * sizeof(uint32_t), count = r->part_first[end] - r->part_first[at];
	char *message;

	*bytes = head + count * sizeof *r->part;
	message = mem_alloc(*bytes, 1);
	for (uint32_t i = at; message && i < end; i++) {
		uint32_t parts = (uint32_t)(r->part_first[i + 1] - r->part_first[i]);

		memcpy(message + (i - at) * sizeof parts, &parts, sizeof parts);
	}
	if (message && count)
		memcpy(message + head, r->part + r->part_first[at], count * sizeof *r->part);
	return message;
}

static bool window_parts_room(struct parts_joining *j, size_t want)
{
	struct window_part *more;

	if (want <= j->cap)
		return true;
	more = mem_resize(j->part, 2 * want, sizeof *more);
	if (!more)
		return false;
	j->part = more;
	j->cap = 2 * want;
	return true;
}

static bool window_parts_take(void *arg)
{
	struct parts_joining *j = arg;
	uint32_t at = j->at, end = j->end;
	for (uint32_t r = 0; r < team_size(j->team); r++)
		j->taken[r] = (end - at) * sizeof(uint32_t);
	for (uint32_t i = at; i < end; i++) {
		size_t n = j->part_first[i];

		for (uint32_t r = 0; r < team_size(j->team); r++) {
			const char *bytes = j->from[r].bytes;
			uint32_t count;

			memcpy(&count, bytes + (i - at) * sizeof count, sizeof count);
			if (!window_parts_room(j, n + count))
				return false;
			if (count)
				memcpy(j->part + n, bytes + j->taken[r], count * sizeof *j->part);
			j->taken[r] += count * sizeof *j->part;
			n += count;
		}
		j->part_first[i + 1] = n;
	}
	return true;
}

static enum err_code window_parts_exchange(struct parts_joining *j, const struct progress *progress, struct err *e)
{
	size_t bytes;
	char *message = window_parts_write(j->r, j->at, j->end, &bytes);
	enum err_code code = message ? ERR_OK : err_memory(e, "the times of windows");

	if (!code && progress_stopped(progress))
		code = err_set(e, ERR_CANCELLED, "stopped while timing windows");
	return team_collect(j->team, code, message, bytes, j->from, window_parts_take, j, "the times of windows", e);
}

/* What processes take in occurrences, of all of them. */
static enum err_code join_parts(struct window_run *r, const struct team *team, const struct progress *progress, struct err *e)
{
	struct parts_joining j = {.r = r, .team = team};
	uint32_t per_step = r->parts < PARTS_PER_STEP ? PARTS_PER_STEP / (r->parts ? r->parts : 1) : 1;
	bool first = !team_rank(team);
	enum err_code code = ERR_OK;

	j.from = mem_zero(team_size(team), sizeof *j.from);
	j.taken = mem_alloc(team_size(team), sizeof *j.taken);
	j.part_first = first ? mem_zero((size_t)r->count + 1, sizeof *j.part_first) : NULL;
	if (!j.from || !j.taken || (first && !j.part_first))
		code = err_memory(e, "the times of windows");
	code = team_agree(team, code, e);
	for (j.at = 0; j.at < r->count && !code; j.at = j.end) {
		j.end = r->count - j.at < per_step ? r->count : j.at + per_step;
		code = window_parts_exchange(&j, progress, e);
	}
	mem_free(j.from);
	mem_free(j.taken);
	mem_free(r->part);
	mem_free(r->part_first);
	r->part = j.part;
	r->part_first = j.part_first;
	return code;
}

/* The representatives of all phases that windows may have to stand for. */
static enum err_code find_places(struct window_run *r, const struct team *team, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	r->place = mem_zero(r->phases->count, sizeof *r->place);
	code = team_agree(team, r->place ? ERR_OK : err_memory(e, "the times of windows"), e);
	for (uint32_t i = 0; !code && i < r->relevant_count; i++) {
		uint32_t phase = r->relevant[i];

		if (progress_stopped(progress))
			code = team_agree(team, err_set(e, ERR_CANCELLED, "stopped while timing windows"), e);
		else if (r->phases->list[phase].weight > 2)
			code = phase_representative(r->clockwork, r->phases, phase + 1, r->representative, &r->place[phase], e);
	}
	return code;
}

enum err_code window_run_join(struct window_run *r, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(r->clockwork->l->trace);
	enum err_code code = ERR_OK;

	if (team_size(team) == 1)
		return ERR_OK;
	if (r->parts != 1)
		code = join_parts(r, team, progress, e);
	return code ? code : find_places(r, team, progress, e);
}

#include "bounds_int.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/team/team_pack.h"
#include "core/trace/far.h"

static const char *const messages = "messages between ranks", *const clocks = "the trace's clocks";

/* What an end is told of the other one: first its own event, as its rank numbers it. */
struct told_stamps {
	double stamp;
	double later;        /* not told where no clock has steps */
};

static size_t told_bytes_of(bool stepped)
{
	return stepped ? sizeof(struct told_stamps) : offsetof(struct told_stamps, later);
}

/* Was any clock synchronised more than once? The same on all ranks. */
static bool has_steps(const struct clock_times *c)
{
	for (uint32_t p = 0; p < c->trace->process_count; p++)
		if (c->first_step[p + 1] - c->first_step[p] > 1)
			return true;
	return false;
}

/* Does the other end need the stamp of this one? */
static bool is_needed(const struct trace *t, uint32_t process, uint32_t event)
{
	return EVENT_KIND(t->type[event]) == EVENT_SEND || EVENT_INDEX(t->type[event]) > process + 1;
}

static void tell_all(const struct clock_times *c, bool stepped, struct team_pack *to)
{
	const struct trace *t = c->trace;

	for (uint32_t i = 0, process = 0; i < t->far->message_count; i++) {
		const struct far_message *m = &t->far->message[i];
		struct told_stamps told = {t->time[m->event], 0};

		while (t->first[process + 1] <= m->event)
			process++;
		if (!is_needed(t, process, m->event))
			continue;
		if (EVENT_KIND(t->type[m->event]) == EVENT_SEND)
			told.stamp = clock_times_sent(c, m->event);
		if (stepped)
			told.later = clock_times_step(c, process, m->event);
		team_put(&to[m->rank], &m->other, sizeof m->other);
		team_put(&to[m->rank], &told, told_bytes_of(stepped));
	}
}

static bool told_take_all(struct clock_times *c, bool stepped, const struct team_packs *packs)
{
	const struct trace_far *far = c->trace->far;
	struct clock_far *out = c->far;

	out->stamp = mem_alloc(far->message_count, sizeof *out->stamp);
	out->later = stepped ? mem_zero(far->message_count, sizeof *out->later) : NULL;
	if (!out->stamp || (stepped && !out->later))
		return false;
	for (uint32_t i = 0; i < far->message_count; i++)
		out->stamp[i] = NAN;
	for (uint32_t r = 0; r < far->team->size; r++) {
		struct team_take take = team_packs_from(packs, r);
		struct told_stamps told = {NAN, 0};
		uint32_t event;

		while (team_take(&take, &event, sizeof event) && team_take(&take, &told, told_bytes_of(stepped))) {
			uint32_t i = c->trace->match[event] - FAR_EVENT;

			out->stamp[i] = told.stamp;
			if (stepped)
				out->later[i] = told.later;
		}
	}
	return true;
}

static enum err_code meet_stamps(struct clock_times *c, struct err *e)
{
	const struct team *team = trace_team(c->trace);
	bool stepped = has_steps(c);
	struct team_packs packs;
	enum err_code code = team_packs_init(&packs, team, ERR_OK, e);

	if (!code)
		tell_all(c, stepped, packs.to);
	code = team_packs_exchange(&packs, code, messages, e);
	if (!code)
		code = team_agree(team, told_take_all(c, stepped, &packs) ? ERR_OK : err_memory(e, messages), e);
	team_packs_release(&packs);
	return code;
}

/* ---- each process's clock ---- */

static void tell_steps(const struct clock_times *c, struct team_pack *pack)
{
	uint32_t begin, end;

	trace_own(c->trace, &begin, &end);
	for (uint32_t p = begin; p < end; p++) {
		uint32_t first = c->first_step[p], count = c->first_step[p + 1] - first;

		team_put(pack, &count, sizeof count);
		team_put(pack, c->steps + first, count * sizeof *c->steps);
	}
}

/* Each rank tells its own processes, one after the other. */
static bool take_steps(struct clock_times *c, const struct team_bytes *from)
{
	const struct team *team = trace_team(c->trace);
	struct clock_step *steps;
	uint32_t *first;
	size_t bytes = 0;
	bool done = true;

	for (uint32_t r = 0; r < team->size; r++)
		bytes += from[r].n;
	c->far->steps = steps = mem_alloc(bytes / sizeof *steps + 1, sizeof *steps);
	c->far->first_step = first = mem_zero((size_t)c->trace->process_count + 1, sizeof *first);
	if (!steps || !first)
		return false;
	for (uint32_t r = 0, p = 0; r < team->size; r++) {
		struct team_take take = {from[r].bytes, from[r].n};
		uint32_t count;

		for (; done && team_take(&take, &count, sizeof count); p++) {
			first[p + 1] = first[p] + count;
			done = team_take(&take, steps + first[p], count * sizeof *steps);
		}
	}
	c->steps = steps;
	c->first_step = first;
	return done;
}

static enum err_code meet_steps(struct clock_times *c, struct err *e)
{
	const struct team *team = trace_team(c->trace);
	struct team_bytes *from = mem_zero(team->size, sizeof *from);
	struct team_pack pack = {0};
	enum err_code code;

	tell_steps(c, &pack);
	code = from && !pack.failed ? team_gather_all(team, pack.bytes, pack.n, from, e) : team_agree(team, err_memory(e, clocks), e);
	mem_free(pack.bytes);
	if (!code)
		code = team_agree(team, take_steps(c, from) ? ERR_OK : err_memory(e, clocks), e);
	if (from)
		team_bytes_free(from, team->size);
	mem_free(from);
	return code;
}

enum err_code clock_far_meet(struct clock_times *c, struct err *e)
{
	enum err_code code;

	c->far = mem_zero(1, sizeof *c->far);
	code = team_agree(trace_team(c->trace), c->far ? ERR_OK : err_memory(e, clocks), e);
	if (!code)
		code = meet_steps(c, e);
	if (!code)
		code = team_reduce_double(trace_team(c->trace), c->resolution, c->trace->process_count, TEAM_MAX, e);
	return code ? code : meet_stamps(c, e);
}

void clock_far_free(struct clock_far *far)
{
	if (!far)
		return;
	mem_free(far->stamp);
	mem_free(far->later);
	mem_free(far->steps);
	mem_free(far->first_step);
	mem_free(far);
}

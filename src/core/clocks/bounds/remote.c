#include "bounds_int.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/team/team_pack.h"
#include "core/trace/remote.h"

static const char *const messages = "messages between ranks", *const clocks = "the trace's clocks";

/* What an end is told of the other one: first its own event, as its rank numbers it. */
struct sent_stamps {
	double stamp;
	double later;        /* not told where no clock has steps */
};

static size_t sent_bytes_of(bool stepped)
{
	return stepped ? sizeof(struct sent_stamps) : offsetof(struct sent_stamps, later);
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

static void send_all(const struct clock_times *c, bool stepped, struct team_pack *to)
{
	const struct trace *t = c->trace;

	for (uint32_t i = 0, process = 0; i < t->remote->message_count; i++) {
		const struct remote_message *m = &t->remote->message[i];
		struct sent_stamps sent = {t->time[m->event], 0};

		while (t->first[process + 1] <= m->event)
			process++;
		if (!is_needed(t, process, m->event))
			continue;
		if (EVENT_KIND(t->type[m->event]) == EVENT_SEND)
			sent.stamp = clock_times_sent(c, m->event);
		if (stepped)
			sent.later = clock_times_step(c, process, m->event);
		team_put(&to[m->rank], &m->other, sizeof m->other);
		team_put(&to[m->rank], &sent, sent_bytes_of(stepped));
	}
}

static bool sent_take_all(struct clock_times *c, bool stepped, const struct team_packs *packs)
{
	const struct trace_remote *remote = c->trace->remote;
	struct clock_remote *out = c->remote;

	out->stamp = mem_alloc(remote->message_count, sizeof *out->stamp);
	out->later = stepped ? mem_zero(remote->message_count, sizeof *out->later) : NULL;
	if (!out->stamp || (stepped && !out->later))
		return false;
	for (uint32_t i = 0; i < remote->message_count; i++)
		out->stamp[i] = NAN;
	for (uint32_t r = 0; r < remote->team->size; r++) {
		struct team_take take = team_packs_from(packs, r);
		struct sent_stamps sent = {NAN, 0};
		uint32_t event;

		while (team_take(&take, &event, sizeof event) && team_take(&take, &sent, sent_bytes_of(stepped))) {
			uint32_t i = c->trace->match[event] - REMOTE_EVENT;

			out->stamp[i] = sent.stamp;
			if (stepped)
				out->later[i] = sent.later;
		}
	}
	return true;
}

static enum err_code exchange_stamps(struct clock_times *c, struct err *e)
{
	const struct team *team = trace_team(c->trace);
	bool stepped = has_steps(c);
	struct team_packs packs;
	enum err_code code = team_packs_init(&packs, team, ERR_OK, e);

	if (!code)
		send_all(c, stepped, packs.to);
	code = team_packs_exchange(&packs, code, messages, e);
	if (!code)
		code = team_agree(team, sent_take_all(c, stepped, &packs) ? ERR_OK : err_memory(e, messages), e);
	team_packs_release(&packs);
	return code;
}

/* ---- each process's clock ---- */

static void send_steps(const struct clock_times *c, struct team_pack *pack)
{
	uint32_t begin, end;

	trace_local(c->trace, &begin, &end);
	for (uint32_t p = begin; p < end; p++) {
		uint32_t first = c->first_step[p], count = c->first_step[p + 1] - first;

		team_put(pack, &count, sizeof count);
		if (count)
			team_put(pack, c->steps + first, count * sizeof *c->steps);
	}
}

/* Each rank tells its local processes, one after the other. */
static bool take_steps(struct clock_times *c, const struct team_bytes *from)
{
	const struct team *team = trace_team(c->trace);
	struct clock_step *steps;
	uint32_t *first;
	size_t bytes = 0;
	bool done = true;

	for (uint32_t r = 0; r < team->size; r++)
		bytes += from[r].n;
	c->remote->steps = steps = mem_alloc(bytes / sizeof *steps + 1, sizeof *steps);
	c->remote->first_step = first = mem_zero((size_t)c->trace->process_count + 1, sizeof *first);
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

static enum err_code exchange_steps(struct clock_times *c, struct err *e)
{
	const struct team *team = trace_team(c->trace);
	struct team_bytes *from = mem_zero(team->size, sizeof *from);
	struct team_pack pack = {0};
	enum err_code code;

	send_steps(c, &pack);
	code = from && !pack.failed ? team_gather_all(team, pack.bytes, pack.n, from, e) : team_agree(team, err_memory(e, clocks), e);
	mem_free(pack.bytes);
	if (!code)
		code = team_agree(team, take_steps(c, from) ? ERR_OK : err_memory(e, clocks), e);
	if (from)
		team_bytes_free(from, team->size);
	mem_free(from);
	return code;
}

enum err_code clock_remote_exchange(struct clock_times *c, struct err *e)
{
	enum err_code code;

	c->remote = mem_zero(1, sizeof *c->remote);
	code = team_agree(trace_team(c->trace), c->remote ? ERR_OK : err_memory(e, clocks), e);
	if (!code)
		code = exchange_steps(c, e);
	if (!code)
		code = team_reduce_double(trace_team(c->trace), c->resolution, c->trace->process_count, TEAM_MAX, e);
	return code ? code : exchange_stamps(c, e);
}

void clock_remote_free(struct clock_remote *remote)
{
	if (!remote)
		return;
	mem_free(remote->stamp);
	mem_free(remote->later);
	mem_free(remote->steps);
	mem_free(remote->first_step);
	mem_free(remote);
}

#include "bounds_int.h"

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/team/team_pack.h"
#include "core/trace/remote.h"

struct doubtful_finding {
	struct clock_points *points;
	const struct trace *trace;
	struct map *channels;    /* that are doubtful: each has a value; NULL: none is */
	struct team_packs packs; /* of a trace that ranks share */
};

/* As the key of a map. */
struct doubtful_channel {
	uint64_t ends, envelope; /* sender and receiver; communicator and tag */
};

/* A process that a message names may be of nobody: UINT32_MAX. */
static struct doubtful_channel channel_of(const struct trace *t, uint32_t event)
{
	uint32_t here = trace_process_of(t, event), there = EVENT_INDEX(t->type[event]) - 1;
	bool send = EVENT_KIND(t->type[event]) == EVENT_SEND;

	return (struct doubtful_channel){(uint64_t)(send ? here : there) << 32 | (send ? there : here),
				(uint64_t)trace_comm(t, event) << 32 | (uint32_t)trace_tag(t, event)};
}

static bool is_doubted(const struct doubtful_finding *f, uint32_t event)
{
	struct doubtful_channel channel = channel_of(f->trace, event);

	return f->channels && map_get(f->channels, channel.ends, channel.envelope) != 0;
}

/* *known: it was doubted before. False: no memory. */
static bool doubt(struct doubtful_finding *f, struct doubtful_channel channel, bool *known)
{
	uint32_t *place;

	f->channels = f->channels ? f->channels : map_new();
	place = f->channels ? map_at(f->channels, channel.ends, channel.envelope) : NULL;
	if (!place)
		return false;
	*known = *place;
	*place = 1;
	return true;
}

static bool is_message(const struct trace *t, uint32_t event)
{
	return EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE;
}

static bool is_match_remote(const struct trace *t, uint32_t event)
{
	return t->remote && is_remote(t->match[event]);
}

static bool is_odd(const struct doubtful_finding *f, uint32_t event)
{
	const struct trace *t = f->trace;
	uint32_t other = t->match[event];

	if (other == NO_EVENT)
		return true;
	if (is_match_remote(t, event))
		return false; /* where messages are related as they are read, their ends have one size */
	return trace_size(t, event) != SIZE_UNKNOWN && trace_size(t, other) != SIZE_UNKNOWN && trace_size(t, event) != trace_size(t, other);
}

/* Whoever else has messages of the channel. */
static void tell_channel(const struct doubtful_finding *f, struct doubtful_channel channel)
{
	const struct trace_remote *remote = f->trace->remote;
	const uint32_t ends[] = {(uint32_t)(channel.ends >> 32), (uint32_t)channel.ends};

	for (int i = 0; i < 2; i++) {
		uint32_t owner = ends[i] < f->trace->process_count ? trace_owner(remote, ends[i]) : remote->team->rank;

		if (owner != remote->team->rank)
			team_put(&f->packs.to[owner], &channel, sizeof channel);
	}
}

static bool find_channels(struct doubtful_finding *f)
{
	const struct trace *t = f->trace;

	for (uint32_t event = 0; event < t->event_count; event++) {
		struct doubtful_channel channel;
		bool known;

		if (!is_message(t, event) || !is_odd(f, event))
			continue;
		channel = channel_of(t, event);
		if (!doubt(f, channel, &known))
			return false;
		if (!known && t->remote)
			tell_channel(f, channel);
	}
	return true;
}

static void doubtful_mark(const struct clock_points *p, uint32_t event)
{
	p->doubtful[event / 64] |= (uint64_t)1 << event % 64;
}

/* Either end's channel may be the doubtful one. */
static bool mark_all(struct doubtful_finding *f)
{
	struct clock_points *p = f->points;
	const struct trace *t = f->trace;

	p->doubtful = mem_zero((size_t)t->event_count / 64 + 1, sizeof *p->doubtful);
	for (uint32_t event = 0; p->doubtful && event < t->event_count; event++)
		if (is_message(t, event) && (is_doubted(f, event) ||
					     (t->match[event] != NO_EVENT && !is_match_remote(t, event) && is_doubted(f, t->match[event]))))
			doubtful_mark(p, event);
	return p->doubtful != NULL;
}

/* ---- with a team ---- */

static const char *const messages = "the messages";

static bool take_channels(struct doubtful_finding *f)
{
	bool done = true, known;

	for (uint32_t r = 0; r < team_size(f->packs.team); r++) {
		struct team_take take = team_packs_from(&f->packs, r);
		struct doubtful_channel channel;

		while (done && team_take(&take, &channel, sizeof channel))
			done = doubt(f, channel, &known);
	}
	return done;
}

static void tell_ends(const struct doubtful_finding *f)
{
	const struct trace_remote *remote = f->trace->remote;

	for (uint32_t i = 0; i < remote->message_count; i++)
		if (is_doubted(f, remote->message[i].event))
			team_put(&f->packs.to[remote->message[i].rank], &remote->message[i].other, sizeof remote->message[i].other);
}

static void take_ends(const struct doubtful_finding *f)
{
	for (uint32_t r = 0; r < team_size(f->packs.team); r++) {
		struct team_take take = team_packs_from(&f->packs, r);
		uint32_t event;

		while (team_take(&take, &event, sizeof event))
			doubtful_mark(f->points, event);
	}
}

/* found: those of the local events. */
static enum err_code doubtful_exchange(struct doubtful_finding *f, enum err_code found, struct err *e)
{
	const struct team *team = f->packs.team;
	uint64_t any = f->channels != NULL;
	enum err_code code = found ? team_agree(team, found, e) : team_reduce(team, &any, 1, TEAM_OR, e);

	if (code || !any)
		return code;
	code = team_packs_exchange(&f->packs, ERR_OK, messages, e);
	if (code)
		return code;
	code = take_channels(f) && mark_all(f) ? ERR_OK : err_memory(e, messages);
	if (!code)
		tell_ends(f);
	code = team_packs_exchange(&f->packs, code, messages, e);
	if (!code)
		take_ends(f);
	return code;
}

static enum err_code find_with_team(struct doubtful_finding *f, struct err *e)
{
	enum err_code code = team_packs_init(&f->packs, trace_team(f->trace), ERR_OK, e);

	if (!code && !find_channels(f))
		code = err_memory(e, messages);
	code = doubtful_exchange(f, code, e);
	team_packs_release(&f->packs);
	return code;
}

enum err_code clock_doubtful_find(struct clock_points *p, struct err *e)
{
	struct doubtful_finding f = {.points = p, .trace = p->times->trace};
	enum err_code code = ERR_OK;

	if (trace_team(f.trace))
		code = find_with_team(&f, e);
	else if (!find_channels(&f) || (f.channels && !mark_all(&f)))
		code = err_memory(e, messages);
	map_free(f.channels);
	return code;
}

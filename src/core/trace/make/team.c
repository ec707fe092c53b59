#include "make_team.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/team/team_pack.h"
#include "core/trace/notes.h"
#include "core/trace/remote.h"

/* ---- owners ---- */

/* All that later collective steps take to be the same on all ranks. */
static uint64_t maker_hash_made(const struct maker *maker, const uint64_t *most)
{
	const struct trace *t = maker->trace;
	uint64_t h = hash_mix(t->process_count, maker->kind_count);

	h = hash_mix(hash_mix(h, t->comm_count), t->coll_count);
	h = hash_mix(hash_mix(h, t->counter_count), t->file_count);
	h = hash_mix(hash_mix(h, (uint32_t)t->tag_least), t->tag_bits | (uint64_t)maker->cpu_samples << 32);
	for (uint32_t p = 0; p < t->process_count; p++)
		h = hash_mix(h, most[p]);
	for (uint32_t c = 0; c < t->comm_count; c++)
		h = hash_mix(h, t->comms[c].size);
	return h;
}

enum err_code make_team_differs(struct err *e)
{
	return err_set(e, ERR_IO, "the ranks read different data: the trace files are being changed");
}

/* A number that is to be the same on all ranks. A collective step. */
static enum err_code same_on_all(struct maker *maker, uint64_t h, struct err *e)
{
	uint64_t both[] = {h, ~h};
	enum err_code code = maker_agreed(maker, team_reduce(maker->team, both, 2, TEAM_MAX, e));

	if (code || both[0] == ~both[1])
		return code;
	return maker_agreed(maker, make_team_differs(e));
}

enum err_code make_owners(struct maker *maker, const uint64_t *about, struct err *e)
{
	struct trace *t = maker->trace;
	struct trace_remote *remote = t->remote = mem_zero(1, sizeof *remote);

	if (remote) {
		remote->team = maker->team;
		remote->owner_first = mem_alloc((size_t)maker->team->size + 1, sizeof *remote->owner_first);
		remote->events = mem_zero(t->process_count, sizeof *remote->events);
	}
	if (!remote || !remote->owner_first || !remote->events)
		return err_memory(e, "the processes");
	if (maker->beside && maker->beside->remote && maker->beside->process_count == t->process_count)
		memcpy(remote->owner_first, maker->beside->remote->owner_first, ((size_t)maker->team->size + 1) * sizeof *remote->owner_first);
	else
		trace_owners(remote->owner_first, maker->team->size, t->process_count, about);
	return ERR_OK;
}

enum err_code make_team_owners(struct maker *maker, const uint64_t *most, struct err *e)
{
	enum err_code code = same_on_all(maker, maker_hash_made(maker, most), e);

	return code || maker->trace->remote ? code : make_owners(maker, most, e);
}

/* ---- what was read ---- */

struct team_sums {
	uint64_t cpu_samples, bad_samples;
	bool states_seen, related, stopped, damaged;
};

/* Groups of the processes [begin, end): none is anyone else's. */
static void groups_of(const struct trace *t, uint32_t begin, uint32_t end, size_t *first, size_t *last)
{
	*first = begin < end ? (size_t)((uint64_t)begin * MAKE_GROUPS / t->process_count) : 0;
	*last = begin < end ? (size_t)((uint64_t)(end - 1) * MAKE_GROUPS / t->process_count) + 1 : 0;
}

static void put_local(struct team_pack *pack, const struct maker *maker, const struct make_total *totals)
{
	const struct trace *t = maker->trace;
	struct team_sums sums = {maker->cpu_sample_count, maker->bad_samples, maker->states_seen, maker->related, maker->stopped, maker->damaged};
	uint32_t begin, end;
	size_t first, last;

	trace_local(t, &begin, &end);
	groups_of(t, begin, end, &first, &last);
	team_put(pack, &sums, sizeof sums);
	for (uint32_t c = 0; c < t->counter_count; c++)
		team_put(pack, &t->counters[c].readings, sizeof t->counters[c].readings);
	team_put(pack, t->processes + begin, (end - begin) * sizeof *t->processes);
	team_put(pack, maker->used + begin, (end - begin) * sizeof *maker->used);
	if (maker->counts)
		team_put(pack, maker->counts + begin, (end - begin) * sizeof *maker->counts);
	team_put(pack, totals + first * maker->kind_count, (last - first) * maker->kind_count * sizeof *totals);
}

static bool take_processes(struct team_take *take, struct trace *t, uint32_t begin, uint32_t end)
{
	for (uint32_t p = begin; p < end; p++) {
		const char *host = t->processes[p].host; /* each rank has a copy of its own */

		if (!team_take(take, &t->processes[p], sizeof t->processes[p]))
			return false;
		t->processes[p].host = host;
	}
	return true;
}

static bool take_rank(struct team_take *take, struct maker *maker, uint32_t rank, struct make_total *totals)
{
	struct trace *t = maker->trace;
	uint32_t begin = t->remote->owner_first[rank], end = t->remote->owner_first[rank + 1];
	size_t first, last;
	struct team_sums sums;
	bool taken = team_take(take, &sums, sizeof sums);

	groups_of(t, begin, end, &first, &last);
	if (!taken)
		return false;
	maker->cpu_sample_count += sums.cpu_samples;
	maker->bad_samples += sums.bad_samples;
	maker->states_seen = maker->states_seen || sums.states_seen;
	maker->related = maker->related || sums.related;
	maker->stopped = maker->stopped || sums.stopped;
	maker->damaged = maker->damaged || sums.damaged;
	for (uint32_t c = 0; taken && c < t->counter_count; c++) {
		uint64_t readings = 0;

		taken = team_take(take, &readings, sizeof readings);
		t->counters[c].readings += readings;
	}
	taken = taken && take_processes(take, t, begin, end);
	for (uint32_t p = begin; taken && p < end; p++) {
		uint32_t used = 0;

		taken = team_take(take, &used, sizeof used);
		t->remote->all_events += used;
		t->remote->events[p] = used;
	}
	if (taken && maker->counts)
		taken = team_take(take, maker->counts + begin, (end - begin) * sizeof *maker->counts);
	return taken && team_take(take, totals + first * maker->kind_count, (last - first) * maker->kind_count * sizeof *totals);
}

/* From nothing, each rank's is added, the own too. */
static bool totals_take_all(struct maker *maker, const struct team_bytes *from, struct make_total *totals)
{
	struct trace *t = maker->trace;
	bool taken = true;

	maker->cpu_sample_count = maker->bad_samples = 0;
	t->remote->all_events = 0;
	for (uint32_t c = 0; c < t->counter_count; c++)
		t->counters[c].readings = 0;
	for (uint32_t r = 0; taken && r < maker->team->size; r++)
		taken = take_rank(&(struct team_take){from[r].bytes, from[r].n}, maker, r, totals);
	return taken;
}

static enum err_code gather_notes(struct maker *maker, const struct notes *found, struct notes *parts, struct err *e)
{
	return parts ? maker_agreed(maker, notes_gather(maker->team, found, 1, parts, e)) : err_memory(e, "the trace's notes");
}

static void release_notes(struct maker *maker, struct notes *parts)
{
	for (uint32_t r = 0; parts && r < maker->team->size; r++)
		notes_release(&parts[r]);
	mem_free(parts);
}

enum err_code make_team_gather(struct maker *maker, struct make_total *totals, const struct notes *found, struct err *e)
{
	uint32_t ranks = maker->team->size;
	struct team_bytes *from = mem_zero(ranks, sizeof *from);
	struct notes *parts = mem_zero(ranks, sizeof *parts);
	struct team_pack pack = {0};
	enum err_code code;

	put_local(&pack, maker, totals);
	code = from && !pack.failed ? ERR_OK : err_memory(e, "the trace's processes");
	if (!code)
		code = maker_agreed(maker, team_gather_all(maker->team, pack.bytes, pack.n, from, e));
	mem_free(pack.bytes);
	if (!code && !totals_take_all(maker, from, totals))
		code = err_memory(e, "the trace's processes");
	if (!code)
		code = gather_notes(maker, found, parts, e);
	if (!code)
		notes_merge(&maker->trace->notes, parts, ranks);
	if (from)
		team_bytes_free(from, ranks);
	mem_free(from);
	release_notes(maker, parts);
	return code;
}

enum err_code make_team_changed(struct maker *maker, const struct notes *found, struct err *e)
{
	struct notes *parts = mem_zero(maker->team->size, sizeof *parts);
	enum err_code code = gather_notes(maker, found, parts, e);

	for (uint32_t r = 0; !code && r < maker->team->size; r++)
		if (parts[r].count[NOTE_FILE_CHANGED]) {
			notes_append(&maker->trace->notes, &parts[r]);
			break;
		}
	release_notes(maker, parts);
	return code;
}

enum err_code make_team_same(struct maker *maker, struct err *e)
{
	const struct trace *t = maker->trace;
	uint64_t h = hash_mix(t->record_count, t->damaged | (uint64_t)t->partial << 1);

	for (uint32_t i = 0; i < t->file_count; i++)
		h = hash_mix(h, t->files[i].records);
	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		h = hash_mix(h, t->notes.count[k]);
	return same_on_all(maker, h, e);
}

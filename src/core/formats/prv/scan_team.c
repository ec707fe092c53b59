#include "prv_int.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/source.h"
#include "core/team/team_pack.h"
#include "core/trace/notes.h"

enum err_code prv_scan_same(const struct prv_header *header, const struct source *source, struct maker *maker, struct err *e)
{
	uint64_t h = hash_mix(hash_mix(source_size(source), header->task_count), hash_mix(header->app_count, header->final_time));
	uint64_t both[] = {h, ~h};
	char name[200];
	enum err_code code = maker_agreed(maker, team_reduce(maker->team, both, 2, TEAM_MAX, e));

	if (code || both[0] == ~both[1])
		return code;
	return maker_agreed(maker, err_set(e, ERR_IO, "%s has another size or header on some ranks: is it still being "
					   "written?",
					text_safe(name, sizeof name, source->name, SIZE_MAX, TEXT_UTF8)));
}

/* ---- what is added up, or listed one rank after the other ---- */

struct scan_figures {
	uint64_t records, messages, lines, seen, comms, members;
	int64_t last;
	int64_t tag_highest;
	uint64_t calls, cpu_clock, cut;
};

static void put_scan(struct team_pack *pack, const struct prv_scan *scan)
{
	struct scan_figures local = {scan->records, scan->messages, scan->lines, scan->seen_count, scan->comm_count, scan->member_count, scan->last,
			      scan->tag_highest, scan->calls, scan->cpu_clock, scan->cut};

	team_put(pack, &local, sizeof local);
	team_put(pack, scan->seen, scan->seen_count * sizeof *scan->seen);
	team_put(pack, scan->comms, scan->comm_count * sizeof *scan->comms);
	team_put(pack, scan->members, scan->member_count * sizeof *scan->members);
}

static void add_figures(struct prv_scan *scan, const struct scan_figures *of)
{
	scan->records += of->records;
	scan->messages += of->messages;
	scan->lines += of->lines;
	scan->last = of->last > scan->last ? of->last : scan->last;
	scan->tag_highest = of->tag_highest > scan->tag_highest ? (int32_t)of->tag_highest : scan->tag_highest;
	scan->calls = scan->calls || of->calls;
	scan->cpu_clock = scan->cpu_clock || of->cpu_clock;
	scan->cut = scan->cut || of->cut;
}

/* Into lists that have room. */
static bool take_lists(struct prv_scan *scan, struct team_take *take, const struct scan_figures *of)
{
	struct prv_comm_line *comms = scan->comms + scan->comm_count;
	bool taken = team_take(take, scan->seen + scan->seen_count, of->seen * sizeof *scan->seen) &&
		     team_take(take, comms, of->comms * sizeof *comms) &&
		     team_take(take, scan->members + scan->member_count, of->members * sizeof *scan->members);

	for (uint64_t i = 0; taken && i < of->comms; i++)
		comms[i].first += scan->member_count;
	scan->seen_count += (uint32_t)of->seen;
	scan->comm_count += (uint32_t)of->comms;
	scan->member_count += of->members;
	return taken;
}

static void scan_forget(struct prv_scan *scan)
{
	mem_free(scan->seen);
	mem_free(scan->comms);
	mem_free(scan->members);
	scan->seen = NULL;
	scan->comms = NULL;
	scan->members = NULL;
	scan->seen_count = scan->comm_count = 0;
	scan->member_count = 0;
	scan->records = scan->messages = scan->lines = 0;
}

static bool scan_take_all(struct prv_scan *scan, const struct maker *maker, const struct team_bytes *from)
{
	uint32_t ranks = team_size(maker->team), local = team_rank(maker->team);
	struct scan_figures of;
	uint64_t seen = 0, comms = 0, members = 0;
	bool taken = true;

	scan_forget(scan);
	for (uint32_t r = 0; taken && r < ranks; r++) {
		taken = team_take(&(struct team_take){from[r].bytes, from[r].n}, &of, sizeof of);
		if (r == local) {
			scan->before.messages = scan->messages;
			scan->before.lines = scan->lines;
		}
		if (taken) {
			add_figures(scan, &of);
			seen += of.seen;
			comms += of.comms;
			members += of.members;
		}
	}
	scan->seen = mem_alloc(seen, sizeof *scan->seen);
	scan->comms = mem_alloc(comms, sizeof *scan->comms);
	scan->members = mem_alloc(members, sizeof *scan->members);
	taken = taken && scan->seen && scan->comms && scan->members;
	for (uint32_t r = 0; taken && r < ranks; r++) {
		struct team_take take = {from[r].bytes, from[r].n};

		taken = team_take(&take, &of, sizeof of) && take_lists(scan, &take, &of);
	}
	return taken;
}

static enum err_code gather_lists(struct prv_scan *scan, struct maker *maker, struct err *e)
{
	struct team_bytes *from = mem_zero(team_size(maker->team), sizeof *from);
	struct team_pack pack = {0};
	enum err_code code;

	put_scan(&pack, scan);
	code = from && !pack.failed ? ERR_OK : err_memory(e, "the trace's lines");
	if (!code)
		code = maker_agreed(maker, team_gather_all(maker->team, pack.bytes, pack.n, from, e));
	mem_free(pack.bytes);
	if (!code && !scan_take_all(scan, maker, from))
		code = err_memory(e, "the trace's lines");
	if (!code)
		prv_scan_order_seen(scan);
	if (from)
		team_bytes_free(from, team_size(maker->team));
	mem_free(from);
	return code;
}

/* ---- when processes begin and end ---- */

static enum err_code gather_spans(struct prv_scan *scan, struct maker *maker, uint32_t processes, struct err *e)
{
	uint64_t *ends = mem_alloc(processes, 2 * sizeof *ends);
	enum err_code code = ends ? ERR_OK : err_memory(e, "the trace's processes");

	for (uint32_t p = 0; !code && p < processes; p++) {
		ends[2 * p] = (uint64_t)(INT64_MAX - scan->spans[p].first);
		ends[2 * p + 1] = (uint64_t)(scan->spans[p].last + 1);
	}
	if (!code)
		code = maker_agreed(maker, team_reduce(maker->team, ends, (size_t)processes * 2, TEAM_MAX, e));
	for (uint32_t p = 0; !code && p < processes; p++) {
		scan->spans[p].first = INT64_MAX - (int64_t)ends[2 * p];
		scan->spans[p].last = (int64_t)ends[2 * p + 1] - 1;
	}
	mem_free(ends);
	return code;
}

enum err_code prv_scan_gather(struct prv_scan *scan, struct maker *maker, uint32_t processes, struct err *e)
{
	enum err_code code = gather_lists(scan, maker, e);

	return code ? code : gather_spans(scan, maker, processes, e);
}

enum err_code prv_scan_notes(struct notes *notes, const struct notes *found, struct maker *maker, struct err *e)
{
	uint32_t ranks = team_size(maker->team);
	struct notes *parts = mem_zero(ranks, sizeof *parts);
	enum err_code code = parts ? maker_agreed(maker, notes_gather(maker->team, found, 1, parts, e)) : err_memory(e, "the trace's notes");

	for (uint32_t r = 0; parts && r < ranks; r++) {
		if (!code)
			notes_append(notes, &parts[r]);
		notes_release(&parts[r]);
	}
	mem_free(parts);
	return code;
}

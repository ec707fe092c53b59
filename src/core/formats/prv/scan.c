#include "prv_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/io/source.h"
#include "core/team/team.h"
#include "core/trace/remote.h"

#define PART_LEAST (4u << 20) /* bytes: less is not worth a thread */

struct scan_joining {
	struct prv_scan *scan;
	struct prv_part *parts;
	unsigned count;
	struct maker *maker;
	struct err *e;
};

static void read_part(void *arg, unsigned number)
{
	prv_part_read((struct prv_part *)arg + number);
}

/* ---- notes ---- */

static void odd_add_note(struct notes *notes, const struct prv_odd *odd, uint64_t lines_before)
{
	struct note_place place = NOTE_NOWHERE;
	unsigned long long line = odd->line + lines_before;

	place.file = 0;
	place.offset = (int64_t)odd->byte;
	if (odd->process != NO_PROCESS)
		place.process = (int32_t)odd->process;
	if (odd->value == PRV_NO_VALUE)
		notes_add(notes, odd->kind, place, "line %llu: %s", line, odd->what);
	else
		notes_add(notes, odd->kind, place, "line %llu: %s %llu", line, odd->what, (unsigned long long)odd->value);
}

static void add_notes(const struct scan_joining *join, struct notes *notes, uint64_t lines_before)
{
	for (unsigned i = 0; i < join->count; i++) {
		struct prv_part *part = &join->parts[i];

		for (uint32_t k = 0; k < part->odd_count; k++) {
			odd_add_note(notes, &part->odd[k], lines_before);
			part->odd_counts[part->odd[k].kind]--;
		}
		for (int kind = 0; kind < NOTE_KIND_COUNT; kind++)
			notes->count[kind] += part->odd_counts[kind];
		lines_before += part->line_count;
	}
}

static enum err_code join_notes(struct scan_joining *join, uint64_t lines_before)
{
	struct notes *notes = &join->maker->trace->notes, found;
	enum err_code code;

	if (!join->scan->striped) {
		add_notes(join, notes, lines_before);
		return ERR_OK;
	}
	notes_init(&found);
	add_notes(join, &found, lines_before + join->scan->before.lines);
	code = prv_scan_notes(notes, &found, join->maker, join->e);
	notes_release(&found);
	return code;
}

/* ---- threads ---- */

ORDER_BY(compare_pieces, struct prv_piece, UP(thread->process) UP(thread->number) UP(order))

enum err_code prv_scan_threads(struct prv_scan *scan, struct prv_piece *pieces, size_t n, struct err *e)
{
	scan->threads = mem_zero(n, sizeof *scan->threads);
	if (!scan->threads)
		return err_memory(e, "the trace's threads");
	SORT(pieces, n, compare_pieces);
	for (size_t i = 0; i < n; i++) {
		struct prv_thread *from = pieces[i].thread, *to = scan->thread_count ? &scan->threads[scan->thread_count - 1] : NULL;

		if (!to || to->process != from->process || to->number != from->number) {
			to = &scan->threads[scan->thread_count++];
			to->process = from->process;
			to->number = from->number;
		}
		prv_pack_join(&to->raw, &from->raw, pieces[i].base);
		if (scan->calls)
			prv_pack_free(&from->states);
		else
			prv_pack_join(&to->states, &from->states, 0);
	}
	return ERR_OK;
}

static enum err_code join_threads(struct scan_joining *join)
{
	const struct prv_shared *shared = join->parts[0].shared;
	struct prv_piece *pieces;
	size_t n = 0, at = 0;
	uint64_t messages = 0;
	enum err_code code;

	for (unsigned i = 0; i < join->count; i++)
		n += join->parts[i].thread_count;
	pieces = mem_alloc(n, sizeof *pieces);
	if (!pieces)
		return err_memory(join->e, "the trace's threads");
	for (unsigned i = 0; i < join->count; messages += join->parts[i++].messages)
		for (uint32_t k = 0; k < join->parts[i].thread_count; k++) {
			struct prv_thread *thread = &join->parts[i].threads[k];

			if (thread->process >= shared->local_begin && thread->process < shared->local_end)
				pieces[at++] = (struct prv_piece){thread, messages, i};
		}
	code = prv_scan_threads(join->scan, pieces, at, join->e);
	mem_free(pieces);
	return code;
}

/* ---- what has names ---- */

ORDER_BY(compare_seen, struct prv_seen, UP(class) UP(value))

struct seen_list {
	struct prv_seen *list;
	size_t n, cap;
	bool failed;
};

static void add_seen(struct seen_list *seen, struct prv_seen one)
{
	struct prv_seen *list = mem_grow(seen->list, seen->n, &seen->cap, sizeof *list);

	if (!list) {
		seen->failed = true;
		return;
	}
	seen->list = list;
	list[seen->n++] = one;
}

static void part_seen(struct seen_list *seen, const struct prv_part *part)
{
	uint64_t class, value;
	uint32_t one;

	for (int c = 0; c < PRV_STATES; c++)
		for (uint32_t v = 0; v < PRV_VALUES_DIRECT; v++)
			if (part->direct[c][v])
				add_seen(seen, (struct prv_seen){(enum prv_class)c, v, 0});
	for (size_t i = 0; map_each(part->values, &i, &class, &value, &one);)
		add_seen(seen, (struct prv_seen){(enum prv_class)class, value, 0});
	for (uint32_t i = 0; i < part->type_count; i++)
		add_seen(seen, part->types[i]);
}

void prv_scan_order_seen(struct prv_scan *scan)
{
	uint32_t n = 0;

	SORT(scan->seen, scan->seen_count, compare_seen);
	for (uint32_t i = 0; i < scan->seen_count; i++)
		if (n && !compare_seen(&scan->seen[n - 1], &scan->seen[i]))
			scan->seen[n - 1].count += scan->seen[i].count;
		else
			scan->seen[n++] = scan->seen[i];
	scan->seen_count = n;
	for (uint32_t i = 0, c = 0; c <= PRV_CLASSES; c++) {
		while (i < n && (uint32_t)scan->seen[i].class < c)
			i++;
		scan->seen_first[c] = i;
	}
}

/* States are there only where they stand for calls, as far as the rank's lines tell; they are few, and one that nothing
 * has does not show. */
static enum err_code join_seen(struct scan_joining *join)
{
	struct prv_scan *scan = join->scan;
	struct seen_list seen = {0};

	for (unsigned i = 0; i < join->count; i++)
		part_seen(&seen, &join->parts[i]);
	for (uint64_t s = 0; !scan->calls && s < 32; s++)
		if (prv_state_calls(s))
			add_seen(&seen, (struct prv_seen){PRV_STATES, s, 0});
	if (seen.failed) {
		mem_free(seen.list);
		return err_memory(join->e, "the names of calls");
	}
	scan->seen = seen.list;
	scan->seen_count = (uint32_t)seen.n;
	prv_scan_order_seen(scan);
	return ERR_OK;
}

/* ---- the rest ---- */

static enum err_code join_comms(struct scan_joining *join)
{
	struct prv_scan *scan = join->scan;
	uint64_t comms = 0, members = 0;

	for (unsigned i = 0; i < join->count; i++) {
		comms += join->parts[i].comm_count;
		members += join->parts[i].member_count;
	}
	scan->comms = mem_alloc(comms, sizeof *scan->comms);
	scan->members = mem_alloc(members, sizeof *scan->members);
	if (!scan->comms || !scan->members)
		return err_memory(join->e, "the communicators");
	for (unsigned i = 0; i < join->count; i++) {
		const struct prv_part *part = &join->parts[i];

		for (uint32_t k = 0; k < part->comm_count; k++) {
			scan->comms[scan->comm_count] = part->comms[k];
			scan->comms[scan->comm_count++].first += scan->member_count;
		}
		if (part->member_count)
			memcpy(scan->members + scan->member_count, part->members, part->member_count * sizeof *part->members);
		scan->member_count += part->member_count;
	}
	return ERR_OK;
}

static void join_figures(struct scan_joining *join)
{
	struct prv_scan *scan = join->scan;
	uint32_t processes = join->parts[0].shared->header->task_count;

	scan->last = -1;
	scan->spans = join->parts[0].spans;
	join->parts[0].spans = NULL;
	for (unsigned i = 0; i < join->count; i++) {
		const struct prv_part *part = &join->parts[i];

		scan->records += part->records;
		scan->messages += part->messages;
		scan->lines += part->line_count;
		scan->last = part->last > scan->last ? part->last : scan->last;
		scan->calls = scan->calls || part->calls;
		scan->cpu_clock = scan->cpu_clock || part->cpu_clock;
		scan->cut = scan->cut || part->cut;
		if (part->tag_highest > (uint64_t)scan->tag_highest)
			scan->tag_highest = part->tag_highest > INT32_MAX ? INT32_MAX : (int32_t)part->tag_highest;
		for (uint32_t p = 0; i && p < processes; p++) {
			struct prv_span *span = &scan->spans[p];

			span->first = part->spans[p].first < span->first ? part->spans[p].first : span->first;
			span->last = part->spans[p].last > span->last ? part->spans[p].last : span->last;
		}
	}
}

static enum err_code join_parts(struct scan_joining *join, uint64_t lines_before)
{
	struct prv_scan *scan = join->scan;
	enum err_code code;

	for (unsigned i = 0; i < join->count; i++)
		if (join->parts[i].code) {
			*join->e = join->parts[i].err;
			return join->parts[i].code;
		}
	if (atomic_load(&join->parts[0].shared->stop.stopped))
		return err_set(join->e, ERR_CANCELLED, "stopped before any event was read");
	join_figures(join);
	code = join_seen(join);
	if (!code)
		code = join_comms(join);
	if (!code && scan->striped)
		code = prv_scan_gather(scan, join->maker, join->parts[0].shared->header->task_count, join->e);
	if (!code)
		code = join_notes(join, lines_before);
	return code ? code : join_threads(join);
}

/* ---- parts ---- */

/* The bytes that the rank reads; first lines are at `begin`. */
struct stripe {
	uint64_t begin, end;   /* end PRV_WHOLE_FILE: whatever there is */
	uint64_t bytes;
};

static struct stripe stripe_of(const struct prv_scan *scan, const struct maker *maker, const struct source *source)
{
	uint64_t size = source_size(source), ranks = team_size(maker->team), rank = team_rank(maker->team);
	struct stripe stripe = {0, PRV_WHOLE_FILE, size};

	if (!scan->striped)
		return stripe;
	stripe.begin = size / ranks * rank;
	if (rank + 1 < ranks)
		stripe.end = size / ranks * (rank + 1);
	stripe.bytes = (rank + 1 < ranks ? stripe.end : size) - stripe.begin;
	return stripe;
}

static unsigned parts_of(const struct maker *maker, const struct source *source, const struct stripe *stripe)
{
	uint64_t most = stripe->bytes / PART_LEAST;

	if (stripe->bytes == SOURCE_SIZE_UNKNOWN || source->unpack || most < 2)
		return 1;
	return most < maker->threads ? (unsigned)most : maker->threads;
}

/* For a stream that each rank reads: as many for each. */
static enum err_code scan_find_local(struct prv_shared *shared, const struct team *team, struct err *e)
{
	uint32_t processes = shared->header->task_count, *first = mem_alloc((size_t)team_size(team) + 1, sizeof *first);
	uint64_t *about = prv_alike(processes);

	if (first && about) {
		trace_owners(first, team_size(team), processes, about);
		shared->local_begin = first[team_rank(team)];
		shared->local_end = first[team_rank(team) + 1];
	}
	mem_free(first);
	mem_free(about);
	return first && about ? ERR_OK : err_memory(e, "the trace's processes");
}

enum err_code prv_scan(struct prv_scan *scan, struct maker *maker, const struct source *source, uint64_t begin,
		       uint64_t lines_before, const struct prv_header *header, uint64_t counter, struct err *e)
{
	struct prv_shared shared = {.header = header, .counter = counter, .size = source->file_size, .source = source,
				    .local_end = header->task_count, .stop = {.progress = maker->progress}};
	struct scan_joining join = {.scan = scan, .maker = maker, .e = e};
	struct stripe stripe;
	unsigned made = 0;
	enum err_code code = ERR_OK;

	*scan = (struct prv_scan){.striped = maker->team && !source->unpack};
	if (scan->striped)
		code = prv_scan_same(header, source, maker, e);
	else if (maker->team)
		code = scan_find_local(&shared, maker->team, e);
	if (code)
		return code;
	stripe = stripe_of(scan, maker, source);
	join.count = parts_of(maker, source, &stripe);
	join.parts = mem_zero(join.count, sizeof *join.parts);
	if (!join.parts)
		code = err_memory(e, "the trace's parts");
	for (; !code && made < join.count; made++) {
		uint64_t each = stripe.bytes / join.count, from = stripe.begin + each * made;

		code = prv_part_init(&join.parts[made], &shared, made, from ? from : begin,
				     made + 1 < join.count ? from + each : stripe.end, e);
	}
	if (!code) {
		parallel_run(join.count, read_part, join.parts);
		code = join_parts(&join, lines_before);
	}
	for (unsigned i = 0; i < made; i++)
		prv_part_release(&join.parts[i]);
	mem_free(join.parts);
	return code;
}

void prv_scan_release(struct prv_scan *scan)
{
	for (uint32_t i = 0; scan->threads && i < scan->thread_count; i++) {
		prv_pack_free(&scan->threads[i].raw);
		prv_pack_free(&scan->threads[i].states);
		prv_pack_free(&scan->threads[i].recorded);
		mem_free(scan->threads[i].rooted);
	}
	mem_free(scan->threads);
	mem_free(scan->spans);
	mem_free(scan->seen);
	mem_free(scan->comms);
	mem_free(scan->members);
}

#include "prv_scan.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/source.h"
#include "prv_part.h"

#define PART_LEAST (4u << 20) /* bytes: less is not worth a thread */

struct joining {
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

static void note(struct notes *notes, const struct prv_odd *odd, uint64_t lines_before)
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

static void join_notes(struct joining *join, uint64_t lines_before)
{
	struct notes *notes = &join->maker->trace->notes;

	for (unsigned i = 0; i < join->count; i++) {
		struct prv_part *part = &join->parts[i];

		for (uint32_t k = 0; k < part->odd_count; k++) {
			note(notes, &part->odd[k], lines_before);
			part->odd_counts[part->odd[k].kind]--;
		}
		for (int kind = 0; kind < NOTE_KIND_COUNT; kind++)
			notes->count[kind] += part->odd_counts[kind];
		lines_before += part->line_count;
	}
}

/* ---- threads ---- */

struct piece {
	struct prv_thread *thread;
	unsigned part;
};

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->thread->process != y->thread->process)
		return x->thread->process < y->thread->process ? -1 : 1;
	if (x->thread->number != y->thread->number)
		return x->thread->number < y->thread->number ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static enum err_code join_threads(struct joining *join)
{
	struct prv_scan *scan = join->scan;
	size_t n = 0, at = 0;
	struct piece *pieces;
	uint64_t *messages;

	for (unsigned i = 0; i < join->count; i++)
		n += join->parts[i].thread_count;
	pieces = mem_alloc(n, sizeof *pieces);
	messages = mem_zero(join->count, sizeof *messages);
	scan->threads = mem_zero(n, sizeof *scan->threads);
	if (!pieces || !messages || !scan->threads) {
		mem_free(pieces);
		mem_free(messages);
		return err_memory(join->e, "the trace's threads");
	}
	for (unsigned i = 0; i < join->count; i++) {
		messages[i] = scan->messages;
		scan->messages += join->parts[i].messages;
		for (uint32_t k = 0; k < join->parts[i].thread_count; k++)
			pieces[at++] = (struct piece){&join->parts[i].threads[k], i};
	}
	if (n)
		qsort(pieces, n, sizeof *pieces, compare_pieces);
	for (size_t i = 0; i < n; i++) {
		struct prv_thread *from = pieces[i].thread, *to = scan->thread_count ? &scan->threads[scan->thread_count - 1] : NULL;

		if (!to || to->process != from->process || to->number != from->number) {
			to = &scan->threads[scan->thread_count++];
			to->process = from->process;
			to->number = from->number;
		}
		prv_pack_join(&to->raw, &from->raw, messages[pieces[i].part]);
		if (scan->calls)
			prv_pack_free(&from->states);
		else
			prv_pack_join(&to->states, &from->states, 0);
	}
	mem_free(pieces);
	mem_free(messages);
	return ERR_OK;
}

/* ---- what has names ---- */

static int compare_seen(const void *a, const void *b)
{
	const struct prv_seen *x = a, *y = b;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

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

/* Sorted, each once. States are there only where they stand for calls; they are few. */
static enum err_code join_seen(struct joining *join)
{
	struct prv_scan *scan = join->scan;
	struct seen_list seen = {0};
	uint32_t n = 0;

	for (unsigned i = 0; i < join->count; i++)
		part_seen(&seen, &join->parts[i]);
	for (uint64_t s = 0; !scan->calls && s < 32; s++)
		if (prv_state_calls(s))
			add_seen(&seen, (struct prv_seen){PRV_STATES, s, 0});
	if (seen.failed) {
		mem_free(seen.list);
		return err_memory(join->e, "the names of calls");
	}
	if (seen.n)
		qsort(seen.list, seen.n, sizeof *seen.list, compare_seen);
	for (size_t i = 0; i < seen.n; i++)
		if (n && !compare_seen(&seen.list[n - 1], &seen.list[i]))
			seen.list[n - 1].count += seen.list[i].count;
		else
			seen.list[n++] = seen.list[i];
	scan->seen = seen.list;
	scan->seen_count = n;
	for (uint32_t i = 0, c = 0; c <= PRV_CLASSES; c++) {
		while (i < n && (uint32_t)seen.list[i].class < c)
			i++;
		scan->seen_first[c] = i;
	}
	return ERR_OK;
}

/* ---- the rest ---- */

static enum err_code join_comms(struct joining *join)
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

static void join_figures(struct joining *join)
{
	struct prv_scan *scan = join->scan;
	uint32_t processes = join->parts[0].shared->header->task_count;

	scan->last = -1;
	scan->spans = join->parts[0].spans;
	join->parts[0].spans = NULL;
	for (unsigned i = 0; i < join->count; i++) {
		const struct prv_part *part = &join->parts[i];

		scan->records += part->records;
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

static enum err_code join_parts(struct joining *join, uint64_t lines_before)
{
	enum err_code code;

	for (unsigned i = 0; i < join->count; i++)
		if (join->parts[i].code) {
			*join->e = join->parts[i].err;
			return join->parts[i].code;
		}
	join_notes(join, lines_before);
	join_figures(join);
	code = join_threads(join);
	if (!code)
		code = join_seen(join);
	return code ? code : join_comms(join);
}

static unsigned parts_of(const struct maker *maker, const struct source *source)
{
	uint64_t size = source_size(source), most = size / PART_LEAST;

	if (size == SOURCE_SIZE_UNKNOWN || source->unpack || most < 2)
		return 1;
	return most < maker->threads ? (unsigned)most : maker->threads;
}

enum err_code prv_scan(struct prv_scan *scan, struct maker *maker, const struct source *source, uint64_t begin,
		       uint64_t lines_before, const struct prv_header *header, uint64_t counter, struct err *e)
{
	struct prv_shared shared = {.header = header, .counter = counter, .size = source->file_size, .source = source,
				    .stop = {.job = maker->job}};
	unsigned count = parts_of(maker, source), made = 0;
	struct joining join = {scan, mem_zero(count, sizeof *join.parts), count, maker, e};
	uint64_t size = source_size(source);
	enum err_code code = join.parts ? ERR_OK : err_memory(e, "the trace's parts");

	*scan = (struct prv_scan){0};
	for (; !code && made < count; made++)
		code = prv_part_init(&join.parts[made], &shared, made, made ? size / count * made : begin,
				     made + 1 < count ? size / count * (made + 1) : PRV_WHOLE_FILE, e);
	if (!code) {
		parallel_run(count, read_part, join.parts);
		code = join_parts(&join, lines_before);
	}
	if (!code && atomic_load(&shared.stop.stopped))
		code = err_set(e, ERR_CANCELLED, "stopped before any event was read");
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
		prv_pack_free(&scan->threads[i].told);
	}
	mem_free(scan->threads);
	mem_free(scan->spans);
	mem_free(scan->seen);
	mem_free(scan->comms);
	mem_free(scan->members);
}

#include "clog2_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/base/text.h"
#include "core/formats/api/format.h"
#include "core/io/source.h"

/* For a set, what can be read is kept: a process that was killed early leaves an empty file. */
static bool may_lack(enum err_code code, const struct source *source)
{
	return code == ERR_DAMAGED || (code == ERR_FORMAT && !source_size(source));
}

/* To open a file of unknown size would decompress all of it: it is scanned meanwhile. */
static enum err_code scan_ahead(struct loader *loader, const struct source *source, uint32_t count, struct err *e)
{
	struct ahead *ahead;

	if (source_size(source) != SOURCE_SIZE_UNKNOWN)
		return ERR_OK;
	if (!loader->ahead)
		loader->ahead = mem_zero(count, sizeof *loader->ahead);
	if (!loader->ahead)
		return err_memory(e, "the trace's files");
	ahead = &loader->ahead[loader->file_count];
	chunk_release(&ahead->chunk); /* of a file that was left out */
	*ahead = (struct ahead){.chunk = {0}};
	return ahead_scan(ahead, loader, source, (int)loader->file_count, e);
}

static enum err_code open_files(struct loader *loader, const struct source *sources, uint32_t count, struct err *e)
{
	struct notes *notes = &loader->maker->trace->notes;
	enum err_code code = make_files(loader->maker, count, e);

	loader->given = count;
	loader->files = mem_zero(count, sizeof *loader->files);
	loader->blocks = mem_zero(count, sizeof *loader->blocks);
	if (code || !loader->files || !loader->blocks)
		return err_memory(e, "the trace's files");
	for (uint32_t i = 0; i < count; i++) {
		struct clog2_file *file = &loader->files[loader->file_count];
		struct trace_file *out;
		char name[200];

		code = scan_ahead(loader, &sources[i], count, e);
		if (!code)
			code = clog2_open(file, &sources[i], notes, e);
		if (count > 1)
			source_rest(&sources[i]);
		text_safe(name, sizeof name, sources[i].name, SIZE_MAX, TEXT_UTF8);
		if (may_lack(code, &sources[i]) && count > 1 && (loader->file_count || i + 1 < count)) {
			notes_add(notes, NOTE_UNREADABLE_FILE, NOTE_NOWHERE, "%s was left out: %.*s", name,
				  (int)strcspn(e->text, "\n"), e->text);
			continue;
		}
		if (code)
			return code;
		file->file_index = (int)loader->file_count++;
		out = make_file(loader->maker, &sources[i]);
		if (!out)
			return err_memory(e, "the trace's files");
		memcpy(out->format, file->version, sizeof file->version);
		out->big_endian = file->big_endian;
		out->finalized = file->finalized;
		out->blocks = file->block_count;
		out->block_size = file->block_size;
		loader->total_bytes += source_size(&sources[i]) - sources[i].hole;
		if (count > 1 && file->finalized)
			return err_set(e, ERR_USAGE, "expected one run, found %u files, and %s is a complete trace\n"
				       "hint: pas2p diff A B, or pas2p metrics A B", count, name);
	}
	return ERR_OK;
}

static int compare_ops(const void *a, const void *b, void *defs)
{
	const struct def *list = ((const struct defs *)defs)->list;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = strcmp(list[x].op, list[y].op);

	return order ? order : x < y ? -1 : x > y;
}

/* For each definition of a collective the first one that names the same operation. NULL: no memory. */
static uint32_t *first_of_ops(struct defs *defs)
{
	uint32_t *first = mem_zero(defs->count, sizeof *first), *sorted = mem_alloc(defs->count, sizeof *sorted), n = 0;

	if (!first || !sorted) {
		mem_free(first);
		mem_free(sorted);
		return NULL;
	}
	for (uint32_t d = 1; d < defs->count; d++)
		if (defs->list[d].collective)
			sorted[n++] = d;
	if (n)
		qsort_r(sorted, n, sizeof *sorted, compare_ops, defs);
	for (uint32_t i = 0; i < n; i++) {
		bool same = i && !strcmp(defs->list[sorted[i]].op, defs->list[sorted[i - 1]].op);

		first[sorted[i]] = same ? first[sorted[i - 1]] : sorted[i];
	}
	mem_free(sorted);
	return first;
}

/* The collective types: every operation on every communicator that records may be of, in a fixed order. */
static enum err_code define_colls(struct loader *loader, struct err *e)
{
	size_t n = map_count(loader->coll_starts), done = 0;
	uint64_t *keys = mem_alloc(n, sizeof *keys); /* def << 32 | comm */
	uint32_t *first;
	uint64_t name, etype;
	uint32_t one;

	loader->coll_ids = map_new();
	if (!keys || !loader->coll_ids) {
		mem_free(keys);
		return err_memory(e, "the collectives");
	}
	n = 0;
	for (size_t i = 0; map_each(loader->coll_starts, &i, &name, &etype, &one);) {
		const struct clog2_file *file = &loader->files[name >> 32];
		enum etype_role role;
		uint32_t def = defs_find(&loader->defs, (int32_t)(uint32_t)etype, &role);
		uint32_t comm = comms_find(&loader->comms, (uint32_t)(name >> 32),
					   comms_local_side(&loader->comms, file, (int32_t)(uint32_t)name));

		if (role == ETYPE_START && loader->defs.list[def].collective && comm != NO_COMM)
			keys[n++] = (uint64_t)def << 32 | comm;
	}
	SORT(keys, n, order_u64);
	first = first_of_ops(&loader->defs);
	for (size_t i = 0; first && i < n; i++) {
		uint32_t def = (uint32_t)(keys[i] >> 32), comm = (uint32_t)keys[i], id = 0;
		uint32_t *at = map_at(loader->coll_ids, first[def], comm);

		if (!at)
			break;
		if (!*at) {
			if (!make_collective_type(loader->maker, loader->defs.list[def].op, comm))
				break;
			*at = loader->maker->trace->coll_count;
		}
		id = *at;
		at = map_at(loader->coll_ids, def, comm);
		if (!at)
			break;
		*at = id;
		done++;
	}
	mem_free(keys);
	mem_free(first);
	return first && done == n ? ERR_OK : err_memory(e, "the collectives");
}

/* Definitions are kinds of the same number. */
static enum err_code define_kinds(struct loader *loader, struct err *e)
{
	const struct defs *defs = &loader->defs;

	for (uint32_t i = 0; i < defs->count; i++) {
		const struct def *def = &defs->list[i];
		struct make_kind kind = {.total = def->total, .time = def->kind, .tracer = def->tracer, .starts = def->starts,
					 .unnamed = def->unnamed, .untold = def->distrust && !defs->own_tracer, .completes = def->requests == REQUEST_COMPLETED,
					 .gathers = def->gathering.token != 0};

		if (!make_kind(loader->maker, &kind))
			return err_memory(e, "the definitions");
	}
	return ERR_OK;
}

/* A process's own MPI_COMM_SELF was made where it ran, and its GID names that host. */
static enum err_code define_hosts(struct loader *loader, struct err *e)
{
	const struct comms *comms = &loader->comms;

	for (uint32_t k = 0; k < comms->count; k++) {
		const struct comm_entry *entry = &comms->list[k];
		uint32_t process = strcmp(entry->kind, "self") ? NO_PROCESS : comms_process(comms, k, 0);

		if (process != NO_PROCESS && !make_host(loader->maker, process, (const char *)entry->gid.bytes + CLOG2_GID_HOST,
							sizeof entry->gid.bytes - CLOG2_GID_HOST))
			return err_memory(e, "the processes' hosts");
	}
	return ERR_OK;
}

static enum err_code define_processes(struct loader *loader, struct err *e)
{
	struct trace *t = loader->maker->trace;
	struct comms *comms = &loader->comms;
	enum err_code code = load_world(loader, e);

	if (!code)
		code = load_check_table(loader, e);
	if (code)
		return code;
	comms_find_alone(comms, loader->files[0].finalized || loader->file_count >= comms->process_count);
	code = make_processes(loader->maker, comms->process_count, e);
	if (code)
		return code;
	t->world_count = comms->world_count;
	for (uint32_t p = 0; p < t->process_count; p++) {
		t->processes[p].world = (uint32_t)(comms->worlds[p] >> 32);
		t->processes[p].world_rank = (int32_t)(uint32_t)comms->worlds[p];
	}
	if (t->world_count > 1)
		notes_add(&t->notes, NOTE_JOINED_WORLDS, NOTE_NOWHERE, "%u worlds with %u processes in all", t->world_count,
			  t->process_count);
	return define_hosts(loader, e);
}

static enum err_code define_comms(struct loader *loader, struct err *e)
{
	struct trace *t = loader->maker->trace;
	const struct comms *comms = &loader->comms;
	uint64_t comm, rank, total = 0;
	uint32_t process, begin = 0;
	size_t i = 0;
	enum err_code code;

	for (uint32_t k = 0; k < comms->count; k++)
		total += comms->list[k].members;
	code = make_comms(loader->maker, comms->count, total, e);
	if (code)
		return code;
	for (uint32_t k = 0; k < t->comm_count; k++) {
		t->comms[k] = (struct comm_info){.number = comms->list[k].icomm, .members = begin,
						 .kind = comms->list[k].kind};
		begin += comms->list[k].members;
	}
	/* Large and sparse communicators come in map order first, then each is put into rank order. */
	while (map_each(comms->members, &i, &comm, &rank, &process)) {
		struct comm_info *k = &t->comms[comm];

		if (process && !comms->list[comm].dense)
			t->comm_members[k->members + k->size++] = process - 1;
	}
	for (uint32_t k = 0; k < t->comm_count; k++) {
		const struct comm_entry *entry = &comms->list[k];

		for (int32_t r = 0; entry->dense && r <= entry->highest; r++)
			if (entry->dense[r] != NO_PROCESS)
				t->comm_members[t->comms[k].members + t->comms[k].size++] = entry->dense[r];
	}
	return ERR_OK;
}

static enum err_code define_room(struct loader *loader, struct err *e)
{
	const struct comms *comms = &loader->comms;
	uint64_t *most = mem_zero(comms->process_count, sizeof *most), name, rank;
	uint32_t count;
	enum err_code code;

	if (!most)
		return err_memory(e, "the trace's events");
	for (size_t i = 0; map_each(loader->counts, &i, &name, &rank, &count);) {
		const struct clog2_file *file = &loader->files[name >> 32];
		uint32_t comm = comms_find(comms, (uint32_t)(name >> 32),
					   comms_local_side(comms, file, (int32_t)(uint32_t)name));
		uint32_t process = comms_process(comms, comm, (int32_t)(uint32_t)rank);

		if (process != NO_PROCESS)
			most[process] += count;
	}
	make_tags(loader->maker, loader->tag_least, loader->tag_highest);
	code = make_room(loader->maker, most, e);
	mem_free(most);
	return code;
}

static void define_cost(struct loader *loader)
{
	const struct defs *defs = &loader->defs;
	struct trace *t = loader->maker->trace;

	if (defs_know_cost(defs)) {
		t->record_cost_low = defs->cost_low * 1e-12;
		t->record_cost_high = defs->cost_high * 1e-12;
	} else if (!defs->cost_impossible && (defs->cost_low || defs->cost_high)) {
		notes_add(&t->notes, NOTE_BAD_DEFINITION, NOTE_NOWHERE, "a record costs from %d to %d ps, expected two ends of an interval",
			  defs->cost_low, defs->cost_high);
	}
}

/* As if the files had not been scanned, but for definitions and communicators. */
static void forget_scan(struct loader *loader)
{
	static const enum note_kind kinds[] = {NOTE_TRUNCATED, NOTE_BAD_RECORD, NOTE_BAD_BLOCK, NOTE_BAD_COMM, NOTE_DOUBTFUL_COMM,
					       NOTE_BAD_DEFINITION};
	struct trace *t = loader->maker->trace;

	map_free(loader->counts);
	map_free(loader->coll_starts);
	loader->counts = loader->coll_starts = NULL;
	t->record_count = 0;
	for (uint32_t i = 0; i < t->file_count; i++)
		t->files[i].records = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		notes_forget(&t->notes, kinds[i]);
	loader->comms.doubt_count = 0;
}

enum err_code load_prepare(struct loader *loader, const struct source *sources, uint32_t count, struct err *e)
{
	enum err_code code = defs_init(&loader->defs, &loader->maker->trace->arena, e);

	if (!code)
		code = comms_init(&loader->comms, e);
	if (!code)
		code = open_files(loader, sources, count, e);
	if (!code)
		code = load_scan(loader, e);
	if (!code && loader->defs.new_collective && !loader->stopped) {
		/* A definition at the end made a collective of a call that was not counted as one. */
		loader->defs.new_collective = false;
		forget_scan(loader);
		code = load_scan(loader, e);
	}
	if (!code && loader->stopped)
		return err_set(e, ERR_CANCELLED, "stopped before any event was read");
	if (!code)
		code = load_set_check(loader, e);
	if (!code)
		code = define_processes(loader, e);
	if (!code)
		code = define_kinds(loader, e);
	if (!code)
		code = define_colls(loader, e);
	if (!code)
		code = define_comms(loader, e);
	if (!code)
		code = define_room(loader, e);
	/* Threads that each read such blocks would be too far apart. */
	for (uint32_t i = 0; i < loader->file_count; i++)
		if (source_packing(loader->files[i].source) != PACKING_NONE && loader->files[i].block_size > SHARED_BLOCK_MOST)
			loader->maker->threads = 1;
	loader->maker->cpu_samples = loader->defs.cpu_samples;
	loader->maker->trace->clock_error = loader->defs.clock_error;
	define_cost(loader);
	if (code || !loader->defs.clocks)
		return code;
	loader->maker->trace->clocks = loader->defs.clocks;
	notes_add(&loader->maker->trace->notes, NOTE_CLOCKS_CORRECTED, NOTE_NOWHERE, "clocks corrected: %s",
		  trace_clocks_name(loader->defs.clocks));
	return ERR_OK;
}

void load_release(struct loader *loader)
{
	comms_release(&loader->comms);
	defs_release(&loader->defs);
	map_free(loader->counts);
	map_free(loader->coll_starts);
	map_free(loader->coll_ids);
	map_free(loader->false_threads);
	for (uint32_t i = 0; loader->ahead && i < loader->given; i++)
		chunk_release(&loader->ahead[i].chunk);
	mem_free(loader->ahead);
	mem_free(loader->files);
	mem_free(loader->blocks);
}

static enum err_code clog2_load_trace(struct maker *maker, const struct source *sources, uint32_t count, struct err *e)
{
	struct loader loader = {.maker = maker};
	enum err_code code = load_prepare(&loader, sources, count, e);

	if (!code)
		code = load_events(&loader, e);
	if (!code)
		load_set_note(&loader);
	load_release(&loader);
	return code;
}

const struct format clog2_format = {.name = "CLOG2", .begins = "CLOG-02.", .ending = ".clog2", .recognise = clog2_recognise,
				   .load = clog2_load_trace, .run = clog2_run, .processes = clog2_processes};

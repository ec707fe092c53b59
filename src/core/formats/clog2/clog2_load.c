#include "clog2_load.h"

#include <stdlib.h>
#include <string.h>

#include "core/formats/load.h"
#include "clog2_world.h"
#include "core/base/parallel.h"
#include "core/io/source.h"
#include "core/base/text.h"

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static enum err_code open_files(struct loader *x, const struct source *sources, struct err *e)
{
	struct trace *t = x->t;
	uint32_t n = 0;

	t->files = mem_zero(x->file_count, sizeof *t->files);
	x->files = mem_zero(x->file_count, sizeof *x->files);
	x->blocks = mem_zero(x->file_count, sizeof *x->blocks);
	if (!t->files || !x->files || !x->blocks)
		return err_memory(e, "the trace's files");
	for (uint32_t i = 0; i < x->file_count; i++) {
		struct clog2_file *f = &x->files[n];
		struct trace_file *out = &t->files[n];
		enum err_code code = clog2_open(f, &sources[i], &t->notes, e);
		char name[200];

		text_safe(name, sizeof name, sources[i].name, SIZE_MAX, TEXT_UTF8);
		/* Of a set, what can be read is kept: a process that was killed early leaves an empty file. */
		if ((code == ERR_DAMAGED || (code == ERR_FORMAT && !sources[i].size)) && x->file_count > 1 &&
		    (n || i + 1 < x->file_count)) {
			notes_add(&t->notes, NOTE_UNREADABLE_FILE, NOTE_NOWHERE, "%s was left out: %.200s", name,
				  e->text);
			continue;
		}
		if (code != ERR_OK)
			return code;
		f->file_index = (int)n++;
		out->path = arena_strndup(&t->arena, sources[i].name, strlen(sources[i].name));
		if (!out->path)
			return err_memory(e, "the trace's files");
		memcpy(out->version, f->version, sizeof out->version);
		out->big_endian = f->big_endian;
		out->finalized = f->finalized;
		out->bytes = sources[i].size;
		out->blocks = f->block_count;
		out->block_size = f->block_size;
		x->total_bytes += sources[i].size - sources[i].hole;
		if (x->file_count > 1 && f->finalized)
			return err_set(e, ERR_USAGE,
				       "%s is a whole (finalized) trace and must be opened alone: only the local "
				       "files of one run can be opened together", name);
	}
	x->file_count = t->file_count = n;
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
static enum err_code make_colls(struct loader *x, struct err *e)
{
	struct trace *t = x->t;
	size_t n = map_count(x->coll_starts), cap = 0, done = 0;
	uint64_t *keys = mem_alloc(n, sizeof *keys); /* def << 32 | comm */
	uint32_t *first;
	uint64_t name, etype;
	uint32_t one;

	x->coll_ids = map_new();
	if (!keys || !x->coll_ids) {
		mem_free(keys);
		return err_memory(e, "the collectives");
	}
	n = 0;
	for (size_t i = 0; map_each(x->coll_starts, &i, &name, &etype, &one);) {
		const struct clog2_file *f = &x->files[name >> 32];
		enum etype_role role;
		uint32_t def = defs_find(&x->defs, (int32_t)(uint32_t)etype, &role);
		uint32_t comm = comms_find(&x->comms, (uint32_t)(name >> 32),
					   comms_local_side(&x->comms, f, (int32_t)(uint32_t)name));

		if (role == ETYPE_START && x->defs.list[def].collective && comm != NO_COMM)
			keys[n++] = (uint64_t)def << 32 | comm;
	}
	if (n)
		qsort(keys, n, sizeof *keys, compare_u64);
	first = first_of_ops(&x->defs);
	for (size_t i = 0; first && i < n; i++) {
		uint32_t def = (uint32_t)(keys[i] >> 32), comm = (uint32_t)keys[i], id = 0;
		struct coll_type *colls = mem_grow(t->colls, t->coll_count, &cap, sizeof *colls);
		uint32_t *at = map_at(x->coll_ids, first[def], comm);

		if (colls)
			t->colls = colls;
		if (!colls || !at)
			break;
		if (!*at) {
			colls[t->coll_count++] = (struct coll_type){x->defs.list[def].op, comm};
			*at = t->coll_count;
		}
		id = *at;
		at = map_at(x->coll_ids, def, comm);
		if (!at)
			break;
		*at = id;
		done++;
	}
	mem_free(keys);
	mem_free(first);
	return first && done == n ? ERR_OK : err_memory(e, "the collectives");
}

static enum err_code make_processes(struct loader *x, struct err *e)
{
	struct trace *t = x->t;
	enum err_code code = load_world(x, e);

	if (code == ERR_OK)
		code = load_check_table(x, e);
	if (code != ERR_OK)
		return code;
	comms_find_alone(&x->comms, x->files[0].finalized || x->file_count >= x->comms.process_count);
	t->process_count = x->comms.process_count;
	t->world_count = x->comms.world_count;
	t->processes = mem_zero(t->process_count, sizeof *t->processes);
	t->first = mem_zero((size_t)t->process_count + 1, sizeof *t->first);
	if (!t->processes || !t->first)
		return err_memory(e, "the processes");
	for (uint32_t p = 0; p < t->process_count; p++) {
		t->processes[p].world = (uint32_t)(x->comms.worlds[p] >> 32);
		t->processes[p].world_rank = (int32_t)(uint32_t)x->comms.worlds[p];
	}
	if (t->world_count > 1)
		notes_add(&t->notes, NOTE_JOINED_WORLDS, NOTE_NOWHERE, "%u worlds with %u processes in all", t->world_count,
			  t->process_count);
	return ERR_OK;
}

/* Room in the columns for as many events as each process can have. */
static enum err_code make_room(struct loader *x, struct err *e)
{
	struct trace *t = x->t;
	uint64_t name, rank, total = 0;
	uint32_t count;
	size_t i = 0;

	x->room = mem_zero((size_t)t->process_count + 1, sizeof *x->room);
	x->used = mem_zero(t->process_count, sizeof *x->used);
	if (!x->room || !x->used)
		return err_memory(e, "the trace's events");
	while (map_each(x->counts, &i, &name, &rank, &count)) {
		const struct clog2_file *f = &x->files[name >> 32];
		int32_t icomm = comms_local_side(&x->comms, f, (int32_t)(uint32_t)name);
		uint32_t process =
			comms_process(&x->comms, comms_find(&x->comms, (uint32_t)(name >> 32), icomm), (int32_t)(uint32_t)rank);

		total += count;
		if (total >= NO_EVENT)
			return err_set(e, ERR_LIMIT, "the trace has more than %u events", NO_EVENT - 1);
		if (process != NO_PROCESS)
			x->room[process + 1] += count;
	}
	for (uint32_t p = 0; p < t->process_count; p++)
		x->room[p + 1] += x->room[p];
	if (!x->watch && trace_columns_alloc(t, x->room[t->process_count]) != ERR_OK)
		return err_memory(e, "the trace's events");
	return ERR_OK;
}

/* Close the gaps that unused room left, column by column, and give back the rest. */
static void close_column(const struct loader *x, void **column, size_t size)
{
	const struct trace *t = x->t;
	char *bytes = *column;
	void *shrunk;

	for (uint32_t p = 0; p < t->process_count; p++)
		if (t->first[p] != x->room[p])
			memmove(bytes + t->first[p] * size, bytes + x->room[p] * size, x->used[p] * size);
	if (x->room[t->process_count] == t->event_count)
		return;
	shrunk = mem_resize(bytes, t->event_count, size);
	if (shrunk)
		*column = shrunk;
}

#define CLOSE_COLUMN(x, column)                                               \
	do {                                                                  \
		void *moved = (x)->t->column;                                 \
		close_column(x, &moved, sizeof *(x)->t->column);              \
		(x)->t->column = moved;                                       \
	} while (0)

static enum err_code close_room(struct loader *x, struct err *e)
{
	struct trace *t = x->t;

	for (uint32_t p = 0; p < t->process_count; p++)
		t->first[p + 1] = t->first[p] + x->used[p];
	t->event_count = t->first[t->process_count];
	CLOSE_COLUMN(x, time);
	CLOSE_COLUMN(x, compute);
	CLOSE_COLUMN(x, type);
	CLOSE_COLUMN(x, size);
	CLOSE_COLUMN(x, comm);
	CLOSE_COLUMN(x, tag);
	CLOSE_COLUMN(x, match);
	return trace_index(t, e);
}

/* What pass 2 has found, it will find again. */
static void forget_events(struct loader *x)
{
	static const enum note_kind kinds[] = {NOTE_BAD_TIME, NOTE_TIME_BACKWARD, NOTE_UNKNOWN_PROCESS, NOTE_BAD_PARTNER,
					       NOTE_BAD_MESSAGE, NOTE_UNKNOWN_SIZE, NOTE_UNPAIRED_STATE, NOTE_BAD_CARGO, NOTE_BAD_THREAD};
	struct trace *t = x->t;

	if (t->compute)
		memset(t->compute, 0, (size_t)x->room[t->process_count] * sizeof *t->compute);
	x->remote_count = 0;
	x->reading_count = x->bad_readings = 0;
	for (uint32_t d = 0; d < x->defs.count; d++) {
		struct state_total *s = &x->defs.list[d].total;

		s->count = 0;
		s->inclusive = s->exclusive = 0;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		notes_forget(&t->notes, kinds[i]);
}

/* Pass 2, and once more where some records turn out to be of no thread of their own. */
static enum err_code read_once(struct loader *x, struct err *e)
{
	bool sorted = x->false_threads;
	enum err_code code = load_events(x, e);

	if (code != ERR_OK || sorted || !x->false_threads || x->stopped)
		return code;
	forget_events(x);
	if (x->watch)
		x->watch->again(x->watch->arg);
	return load_events(x, e);
}

/* Once more without readings of the CPU clock if they turn out to be unusable. */
static enum err_code read_events(struct loader *x, struct err *e)
{
	enum err_code code;

	x->readings = x->defs.readings;
	code = read_once(x, e);
	if (code != ERR_OK || !x->readings)
		return code;
	if (x->reading_count && x->bad_readings * 100 <= x->reading_count)
		return ERR_OK;
	x->readings = false;
	if (x->stopped)
		return ERR_OK;
	forget_events(x);
	return load_events(x, e);
}

static enum err_code list_comms(struct loader *x, struct err *e)
{
	struct trace *t = x->t;
	uint64_t comm, rank, total = 0;
	uint32_t process, begin = 0;
	size_t i = 0;

	t->comm_count = x->comms.count;
	t->comms = mem_zero(t->comm_count, sizeof *t->comms);
	for (uint32_t k = 0; k < x->comms.count; k++)
		total += x->comms.list[k].members;
	t->comm_members = mem_alloc(total, sizeof *t->comm_members);
	if (!t->comms || !t->comm_members)
		return err_memory(e, "the communicators");
	for (uint32_t k = 0; k < t->comm_count; k++) {
		t->comms[k] = (struct comm_info){.icomm = x->comms.list[k].icomm, .members = begin, .kind = x->comms.list[k].kind};
		begin += x->comms.list[k].members;
	}
	/* Large and sparse communicators come in map order first, then each is put into rank order. */
	while (map_each(x->comms.members, &i, &comm, &rank, &process)) {
		struct comm_info *k = &t->comms[comm];

		if (process && !x->comms.list[comm].dense)
			t->comm_members[k->members + k->size++] = process - 1;
	}
	for (uint32_t k = 0; k < t->comm_count; k++) {
		const struct comm_entry *c = &x->comms.list[k];

		for (int32_t r = 0; c->dense && r <= c->highest; r++)
			if (c->dense[r] != NO_PROCESS)
				t->comm_members[t->comms[k].members + t->comms[k].size++] = c->dense[r];
	}
	return ERR_OK;
}

static int compare_states(const void *a, const void *b)
{
	const struct state_total *x = a, *y = b;

	if (x->solo != y->solo)
		return x->solo ? 1 : -1;
	if (x->inclusive != y->inclusive)
		return x->inclusive > y->inclusive ? -1 : 1;
	if (strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return x->start < y->start ? -1 : x->start > y->start;
}

static enum err_code list_states(struct loader *x, struct err *e)
{
	struct trace *t = x->t;

	t->states = mem_zero(x->defs.count, sizeof *t->states);
	if (!t->states)
		return err_memory(e, "the states");
	for (uint32_t d = 1; d < x->defs.count; d++) {
		const struct def *def = &x->defs.list[d];

		if (!def->total.count)
			continue;
		t->states[t->state_count++] = def->total;
		if (def->unnamed)
			notes_add(&t->notes, NOTE_UNDEFINED_EVENT, NOTE_NOWHERE, "%s, seen %llu times", def->total.name,
				  (unsigned long long)def->total.count);
		if (def->distrust && !x->defs.own_tracer)
			notes_add(&t->notes, NOTE_DISTRUST, NOTE_NOWHERE, "%s is called %llu time%s", def->total.name,
				  (unsigned long long)def->total.count, def->total.count == 1 ? "" : "s");
	}
	qsort(t->states, t->state_count, sizeof *t->states, compare_states);
	return ERR_OK;
}

static void sum_up(struct loader *x)
{
	struct trace *t = x->t;
	bool any = false;

	for (uint32_t p = 0; p < t->process_count; p++) {
		struct process *q = &t->processes[p];
		double rest = q->end - q->start;

		for (int k = 0; k < TIME_KINDS; k++)
			rest -= k == TIME_COMPUTE ? 0 : q->by_kind[k];
		q->by_kind[TIME_COMPUTE] = rest > 0 ? rest : 0;
		if (!q->records) {
			if (x->file_count > 1 || !t->files[0].finalized)
				notes_add(&t->notes, NOTE_MISSING_FILE, (struct note_place){-1, (int32_t)p, -1, -1, -1},
					  "no file of rank %u was given", p);
			else
				notes_add(&t->notes, NOTE_MISSING_PROCESS, (struct note_place){-1, (int32_t)p, -1, -1, -1},
					  "rank %u has no records", p);
			continue;
		}
		if (!any || q->start < t->start)
			t->start = q->start;
		if (!any || q->end > t->end)
			t->end = q->end;
		any = true;
	}
	t->compute_source = x->readings ? COMPUTE_FROM_EVENTS : x->states_seen ? COMPUTE_FROM_STATES : COMPUTE_FROM_GAPS;
}

/* All that comes before the events: definitions, communicators, processes, and room. */
static enum err_code prepare(struct loader *x, const struct source *sources, struct err *e)
{
	struct trace *t = x->t;
	enum err_code code = open_files(x, sources, e);

	if (code == ERR_OK)
		code = defs_init(&x->defs, &t->arena, e);
	if (code == ERR_OK)
		code = comms_init(&x->comms, e);
	if (code == ERR_OK)
		code = load_scan(x, e);
	if (code == ERR_OK && x->defs.new_collective && !x->stopped) {
		/* A definition at the end made a collective of a call that was not counted as one. */
		x->defs.new_collective = false;
		map_free(x->counts);
		map_free(x->coll_starts);
		x->counts = x->coll_starts = NULL;
		t->record_count = 0;
		for (uint32_t i = 0; i < t->file_count; i++)
			t->files[i].records = 0;
		notes_forget(&t->notes, NOTE_TRUNCATED);
		notes_forget(&t->notes, NOTE_BAD_RECORD);
		notes_forget(&t->notes, NOTE_BAD_BLOCK);
		notes_forget(&t->notes, NOTE_BAD_COMM);
		notes_forget(&t->notes, NOTE_DOUBTFUL_COMM);
		notes_forget(&t->notes, NOTE_BAD_DEFINITION);
		x->comms.doubt_count = 0;
		code = load_scan(x, e);
	}
	if (code == ERR_OK && x->stopped)
		return err_set(e, ERR_CANCELLED, "stopped before any event was read");
	if (code == ERR_OK)
		code = load_set_check(x, e);
	if (code == ERR_OK)
		code = make_processes(x, e);
	if (code == ERR_OK)
		code = make_colls(x, e);
	if (code == ERR_OK)
		code = make_room(x, e);
	return code;
}

static enum err_code load(struct loader *x, const struct source *sources, struct err *e)
{
	struct trace *t = x->t;
	enum err_code code = prepare(x, sources, e);

	if (code == ERR_OK)
		code = read_events(x, e);
	if (code == ERR_OK)
		code = close_room(x, e);
	if (code == ERR_OK) {
		sum_up(x);
		load_set_note(x);
		code = list_comms(x, e);
	}
	if (code == ERR_OK)
		code = trace_relate(x->t, x->remote, x->remote_count, e);
	if (code == ERR_OK)
		code = list_states(x, e);
	if (code != ERR_OK)
		return code;
	for (uint32_t i = 0; i < x->file_count; i++) {
		struct err changed;

		if (source_unchanged(x->files[i].source, &changed) != ERR_OK)
			notes_add(&t->notes, NOTE_FILE_CHANGED, (struct note_place){(int32_t)i, -1, -1, -1, -1}, "%s", changed.text);
	}
	return ERR_OK;
}

static void loader_release(struct loader *x)
{
	comms_release(&x->comms);
	defs_release(&x->defs);
	map_free(x->counts);
	map_free(x->coll_starts);
	map_free(x->coll_ids);
	map_free(x->false_threads);
	mem_free(x->files);
	mem_free(x->blocks);
	mem_free(x->room);
	mem_free(x->used);
	mem_free(x->remote);
}

enum err_code trace_load_sources(struct trace **out, const struct source *sources, uint32_t count,
				 const struct trace_options *o, const struct job *job, struct err *e)
{
	struct loader x = {.file_count = count, .job = job, .threads = parallel_threads(o ? o->threads : 0, 8)};
	enum err_code code;

	*out = NULL;
	x.t = mem_zero(1, sizeof *x.t);
	if (!x.t)
		return err_memory(e, "a trace");
	x.t->threads = x.threads;
	arena_init(&x.t->arena);
	notes_init(&x.t->notes);
	code = load(&x, sources, e);
	loader_release(&x);
	if (code != ERR_OK) {
		trace_free(x.t);
		return code;
	}
	*out = x.t;
	x.t->partial = x.stopped;
	x.t->damaged = notes_total(&x.t->notes, NOTE_DAMAGE) > 0;
	if (x.t->partial)
		return err_set(e, ERR_CANCELLED, "stopped while reading; the %u events read so far are kept", x.t->event_count);
	if (!x.t->damaged)
		return ERR_OK;
	for (size_t i = 0; i < x.t->notes.n; i++)
		if (note_level(x.t->notes.list[i].kind) == NOTE_DAMAGE) {
			int32_t file = x.t->notes.list[i].file;
			char name[200];

			return err_set(e, ERR_DAMAGED, "%s is damaged: %.250s; what was readable is kept",
				       file < 0 ? "the trace" : text_safe(name, sizeof name, x.t->files[file].path, SIZE_MAX,
									  TEXT_UTF8), x.t->notes.list[i].text);
		}
	return err_set(e, ERR_DAMAGED, "the trace is damaged; what was readable is kept");
}

enum err_code trace_load_calls(struct trace **out, const struct source *sources, uint32_t count,
			       const struct call_watch *watch, const struct job *job, struct err *e)
{
	struct loader x = {.file_count = count, .job = job, .watch = watch, .threads = parallel_threads(0, 8)};
	enum err_code code;

	*out = NULL;
	x.t = mem_zero(1, sizeof *x.t);
	if (!x.t)
		return err_memory(e, "a trace");
	x.t->threads = x.threads;
	arena_init(&x.t->arena);
	notes_init(&x.t->notes);
	code = prepare(&x, sources, e);
	if (code == ERR_OK)
		code = read_once(&x, e);
	if (code == ERR_OK && x.stopped)
		code = err_set(e, ERR_CANCELLED, "stopped while reading the calls");
	loader_release(&x);
	if (code == ERR_OK)
		*out = x.t;
	else
		trace_free(x.t);
	return code;
}

enum err_code trace_load(struct trace **out, const char *const *paths, uint32_t count, const struct trace_options *o,
			 const struct job *job, struct err *e)
{
	struct source *sources = mem_zero(count, sizeof *sources);
	uint32_t opened = 0;
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!sources)
		return err_memory(e, "the trace's files");
	if (!count)
		code = err_set(e, ERR_USAGE, "no trace file is given");
	for (; code == ERR_OK && opened < count; opened++) {
		code = source_open_file(&sources[opened], paths[opened], e);
		if (code != ERR_OK)
			break;
	}
	if (code == ERR_OK)
		code = trace_load_sources(out, sources, count, o, job, e);
	while (opened > 0)
		source_release(&sources[--opened]);
	mem_free(sources);
	return code;
}

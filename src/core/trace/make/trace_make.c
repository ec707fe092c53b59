/* The definitions before the events, and the results that are made of the events afterwards; events.c is between. */
#include "trace_make.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/order.h"
#include "core/base/text.h"
#include "core/io/unpack.h"
#include "core/trace/mpi_functions.h"
#include "core/trace/remote.h"
#include "make_team.h"
#include "core/trace/times.h"

enum err_code maker_init(struct maker *maker, unsigned threads, const struct make_watch *watch, const struct progress *progress,
			 struct err *e)
{
	*maker = (struct maker){.threads = parallel_threads(threads, 8), .watch = watch, .progress = progress};
	size_table_init(&maker->sizes);
	maker->trace = mem_zero(1, sizeof *maker->trace);
	if (!maker->trace)
		return err_memory(e, "a trace");
	maker->trace->threads = maker->threads;
	arena_init(&maker->trace->arena);
	notes_init(&maker->trace->notes);
	return ERR_OK;
}

void maker_release(struct maker *maker)
{
	trace_free(maker->trace);
	mem_free(maker->sources);
	mem_free(maker->kinds);
	mem_free(maker->room);
	mem_free(maker->used);
	mem_free(maker->intercomm);
	mem_free(maker->increases);
	mem_free(maker->counts);
	size_table_release(&maker->sizes);
	map_free(maker->counters);
}

struct trace *maker_take(struct maker *maker)
{
	struct trace *t = maker->trace;

	maker->trace = NULL;
	return t;
}

enum err_code make_files(struct maker *maker, uint32_t most, struct err *e)
{
	maker->trace->files = mem_zero(most, sizeof *maker->trace->files);
	maker->sources = mem_zero(most, sizeof *maker->sources);
	return maker->trace->files && maker->sources ? ERR_OK : err_memory(e, "the trace's files");
}

struct trace_file *make_file(struct maker *maker, const struct source *source)
{
	struct trace *t = maker->trace;
	struct trace_file *file = &t->files[t->file_count];

	file->path = arena_strndup(&t->arena, source->name, strlen(source->name));
	if (!file->path)
		return NULL;
	file->bytes = source->file_size;
	file->packing = source->unpack ? packing_name(source_packing(source)) : NULL;
	maker->sources[t->file_count++] = source;
	return file;
}

enum err_code make_processes(struct maker *maker, uint32_t count, struct err *e)
{
	struct trace *t = maker->trace;

	t->process_count = count;
	t->world_count = 1;
	t->processes = mem_zero(count, sizeof *t->processes);
	t->first = mem_zero((size_t)count + 1, sizeof *t->first);
	if (!t->processes || !t->first)
		return err_memory(e, "the processes");
	for (uint32_t p = 0; p < count; p++)
		t->processes[p].world_rank = (int32_t)p;
	return ERR_OK;
}

bool make_host(struct maker *maker, uint32_t process, const char *name, size_t n)
{
	struct trace *t = maker->trace;
	struct process *of = &t->processes[process];
	char safe[256];

	n = strnlen(name, n);
	if (of->host || !n)
		return true;
	text_safe(safe, sizeof safe, name, n, TEXT_UTF8);
	of->host = arena_strndup(&t->arena, safe, strlen(safe));
	return of->host;
}

enum err_code make_comms(struct maker *maker, uint32_t count, uint64_t members, struct err *e)
{
	struct trace *t = maker->trace;

	t->comm_count = count;
	t->comms = mem_zero(count, sizeof *t->comms);
	t->comm_members = mem_alloc(members, sizeof *t->comm_members);
	return t->comms && t->comm_members ? ERR_OK : err_memory(e, "the communicators");
}

void make_tags(struct maker *maker, int32_t least, int32_t highest)
{
	struct trace *t = maker->trace;
	uint32_t range;
	unsigned bits = 1;

	least = least < 0 ? least : 0; /* that of collectives */
	range = (uint32_t)(highest > 0 ? highest : 0) - (uint32_t)least;
	while (bits < 32 && range >> bits)
		bits++;
	if (bits == 32 || (t->comm_count && (t->comm_count - 1) >> (32 - bits)))
		return;
	t->tag_bits = bits;
	t->tag_least = least;
}

bool make_kind(struct maker *maker, const struct make_kind *kind)
{
	struct make_kind *kinds = mem_grow(maker->kinds, maker->kind_count, &maker->kind_cap, sizeof *kinds);

	if (!kinds)
		return false;
	maker->kinds = kinds;
	kinds[maker->kind_count++] = *kind;
	return true;
}

bool make_collective_type(struct maker *maker, const char *op, uint32_t comm)
{
	struct trace *t = maker->trace;
	struct coll_type *colls = mem_grow(t->colls, t->coll_count, &maker->coll_cap, sizeof *colls);

	if (!colls)
		return false;
	t->colls = colls;
	colls[t->coll_count++] = (struct coll_type){op, comm};
	return true;
}

enum err_code make_room(struct maker *maker, const uint64_t *most, struct err *e)
{
	struct trace *t = maker->trace;
	uint64_t total = 0, all = 0;
	uint32_t begin, end;
	enum err_code code = maker->team ? make_team_owners(maker, most, e) : ERR_OK;

	if (code)
		return code;
	trace_local(t, &begin, &end);
	maker->room = mem_zero((size_t)t->process_count + 1, sizeof *maker->room);
	maker->used = mem_zero(t->process_count, sizeof *maker->used);
	if (!maker->room || !maker->used)
		return err_memory(e, "the trace's events");
	for (uint32_t p = 0; p < t->process_count; p++) {
		all = most[p] < NO_EVENT ? all + most[p] : NO_EVENT;
		if (all >= NO_EVENT)
			return err_set(e, ERR_LIMIT, "the trace has more than %u events", NO_EVENT - 1);
		total += p >= begin && p < end ? most[p] : 0;
		maker->room[p + 1] = (uint32_t)total;
	}
	if (t->remote && total >= REMOTE_EVENT)
		return err_set(e, ERR_LIMIT, "an analysis rank has more than %u events of the trace: start the analysis with more ranks", REMOTE_EVENT - 1);
	if (!maker->watch_alone && trace_columns_alloc(t, total) != ERR_OK)
		return err_memory(e, "the trace's events");
	return ERR_OK;
}

ORDER_BY(by_time, struct state_total, UP(solo) DOWN(inclusive) TEXT(name) UP(key))

/* Functions that may wait for others, or whose completion may, without anything finding out how long. What of
 * nonblocking collectives completes where is known only if the trace says so. What a probe found is known from the
 * receive behind it, or metrics count it. */
static void note_not_analysed(struct notes *notes, const struct make_kind *kind, bool says_completions)
{
	const struct state_total *state = &kind->total;
	unsigned traits = state->mpi ? mpi_traits(state->name) : 0;
	unsigned elsewhere = MPI_ENDS_NOT_ANALYSED | (says_completions ? 0 : MPI_NONBLOCKING_COLLECTIVE);

	if (kind->gathers || traits & MPI_PROBES)
		traits &= ~(unsigned)MPI_NOT_ANALYSED;
	if (traits & (MPI_NOT_ANALYSED | elsewhere))
		notes_add(notes, NOTE_NOT_ANALYSED, NOTE_NOWHERE, "%s is called %llu time%s%s", state->name, (unsigned long long)state->count,
			  state->count == 1 ? "" : "s", traits & elsewhere ? ", and completes in another call" : "");
}

static enum err_code list_states(struct maker *maker, struct err *e)
{
	struct trace *t = maker->trace;
	bool says_completions = false;

	for (uint32_t k = 0; k < maker->kind_count; k++)
		says_completions |= maker->kinds[k].completes;
	t->states = mem_zero(maker->kind_count, sizeof *t->states);
	if (!t->states)
		return err_memory(e, "the states");
	for (uint32_t k = 0; k < maker->kind_count; k++) {
		const struct make_kind *kind = &maker->kinds[k];

		if (!kind->total.count)
			continue;
		t->states[t->state_count++] = kind->total;
		if (kind->unnamed)
			notes_add(&t->notes, NOTE_UNDEFINED_EVENT, NOTE_NOWHERE, "%s, seen %llu times", kind->total.name,
				  (unsigned long long)kind->total.count);
		if (kind->untold)
			notes_add(&t->notes, NOTE_DISTRUST, NOTE_NOWHERE, "%s is called %llu time%s", kind->total.name,
				  (unsigned long long)kind->total.count, kind->total.count == 1 ? "" : "s");
		note_not_analysed(&t->notes, kind, says_completions);
	}
	SORT(t->states, t->state_count, by_time);
	return ERR_OK;
}

/* The trace has times of its own, unless its files are no longer what those are of. */
static void take_times(struct maker *maker)
{
	struct trace *t = maker->trace;
	struct trace_times *times = maker->times;
	bool same = !times->figures.steps || times->process_count == t->process_count;

	for (uint32_t p = 0; same && times->figures.steps && p < t->process_count; p++)
		same = maker->stopped || t->processes[p].records == times->first[p + 1] - times->first[p];
	if (!same)
		notes_add(&t->notes, NOTE_FILE_CHANGED, NOTE_NOWHERE, "the records differ from those whose times were corrected");
	t->times = trace_times_ref(times);
	if (times->figures.steps && !t->clocks)
		notes_add(&t->notes, NOTE_CLOCKS_CORRECTED, NOTE_NOWHERE, "clocks corrected: %s", trace_clocks_name(times->figures.steps));
	t->clocks |= times->figures.steps;
}

static enum err_code note_changed(struct maker *maker, struct err *e)
{
	struct trace *t = maker->trace;
	struct notes found;
	enum err_code code = ERR_OK;

	notes_init(&found);
	for (uint32_t i = 0; i < t->file_count; i++) {
		struct err changed;

		if (source_unchanged(maker->sources[i], &changed) != ERR_OK)
			notes_add(&found, NOTE_FILE_CHANGED, (struct note_place){(int32_t)i, -1, -1, -1, -1}, "%s", changed.text);
	}
	if (maker->team)
		code = make_team_changed(maker, &found, e);
	else
		notes_append(&t->notes, &found);
	notes_release(&found);
	return code;
}

enum err_code maker_finish(struct maker *maker, struct err *e)
{
	struct trace *t = maker->trace;
	enum err_code code = trace_relate(t, maker->intercomm, maker->intercomm_count, maker->related, maker->progress, e);

	maker_agreed(maker, code);
	if (code == ERR_OK)
		code = list_states(maker, e);
	if (code == ERR_OK)
		code = note_changed(maker, e);
	if (code != ERR_OK)
		return code;
	if (maker->times)
		take_times(maker);
	t->partial = maker->stopped;
	t->damaged = maker->damaged || notes_total(&t->notes, NOTE_DAMAGE) > 0;
	return maker->team ? make_team_same(maker, e) : ERR_OK;
}

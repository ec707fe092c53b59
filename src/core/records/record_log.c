#include "records.h"

#include "core/base/mem.h"
#include "core/io/source.h"
#include "core/trace/thread_list.h"
#include "core/trace/make/trace_make.h"
#include "core/formats/api/load.h"
#include "core/formats/api/open.h"
#include "records_int.h"

#define USUAL_BUDGET ((uint64_t)96 << 20)
#define UNUSED UINT32_MAX
#define USED 1
#define POLL 65536

/* A process while its records are told. What a record means is told after it; of an event, its root and bytes after
 * that; of a start, an event or a record without meaning, numbers. */
struct log_recording {
	struct record_pack pack;
	struct record last;      /* the record told last; as an event, the event told last */
	bool bare;               /* nothing has been told of it */
	bool waits;              /* it is a start or an event, to be packed when all is told of it */
	uint64_t requests, gatherings; /* that have a number */
	unsigned others_say;
	bool records_roots;      /* the root of a collective, or that it was given nothing */
};

struct record_log {
	struct trace *trace;
	struct record_store store;
	struct log_recording *of;    /* per process */
	uint32_t process_count;
	struct record_state *states;
	uint32_t *number;        /* of a kind among the states; UNUSED: none is of it */
	atomic_uchar *used;      /* per kind: USED, and what its starts say */
	uint32_t state_count, kind_count;
	bool no_collectives;
};

/* ---- what is told ---- */

static inline bool recording_pack(struct record_log *log, struct log_recording *t, enum record_kind kind)
{
	bool packed;

	t->last.kind = kind;
	t->bare = false;
	packed = record_pack_add(&t->pack, &log->store, &t->last);
	t->last.says = 0;
	return packed;
}

static inline bool recording_settle(struct record_log *log, struct log_recording *t)
{
	if (t->waits) {
		t->waits = false;
		return recording_pack(log, t, t->last.kind);
	}
	return true;
}

static bool record_next(void *arg, uint32_t process, int32_t thread, double time)
{
	struct record_log *log = arg;
	struct log_recording *t = &log->of[process];

	if (!recording_settle(log, t) || (t->bare && !recording_pack(log, t, RECORD_OTHER)))
		return false;
	t->last.thread = thread;
	t->last.time = time;
	t->bare = true;
	return true;
}

static void note_used(struct record_log *log, uint32_t state, unsigned what)
{
	if (~atomic_load_explicit(&log->used[state], memory_order_relaxed) & what)
		atomic_fetch_or_explicit(&log->used[state], (unsigned char)what, memory_order_relaxed);
}

/* To be packed when what follows is told. */
static void recording_keep(struct log_recording *t, enum record_kind kind)
{
	t->last.kind = kind;
	t->waits = true;
	t->bare = false;
}

static bool record_enter(void *arg, uint32_t process, uint32_t kind)
{
	struct record_log *log = arg;
	struct log_recording *t = &log->of[process];

	note_used(log, kind, USED);
	if (!recording_settle(log, t))
		return false;
	t->last.state = kind;
	recording_keep(t, RECORD_ENTER);
	return true;
}

static bool record_leave(void *arg, uint32_t process, uint32_t kind)
{
	struct record_log *log = arg;
	struct log_recording *t = &log->of[process];

	note_used(log, kind, USED);
	if (!recording_settle(log, t))
		return false;
	t->last.state = kind;
	return recording_pack(log, t, RECORD_LEAVE);
}

static bool record_event(void *arg, uint32_t process, uint32_t number, event_type type, double time)
{
	struct record_log *log = arg;
	struct log_recording *t = &log->of[process];

	(void)type;
	(void)time;
	if (!recording_settle(log, t))
		return false;
	t->last.event = number;
	t->last.root = NO_PROCESS;
	t->last.received = UINT64_MAX;
	t->last.empty = false;
	recording_keep(t, RECORD_EVENT);
	return true;
}

static bool record_root(void *arg, uint32_t process, uint32_t number, uint32_t root)
{
	struct record_log *log = arg;

	(void)number;
	log->of[process].last.root = root;
	log->of[process].records_roots = true;
	return true;
}

static bool record_received(void *arg, uint32_t process, uint32_t number, uint64_t bytes)
{
	struct record_log *log = arg;

	(void)number;
	log->of[process].last.received = bytes;
	return true;
}

static bool record_empty(void *arg, uint32_t process, uint32_t number)
{
	struct record_log *log = arg;

	(void)number;
	log->of[process].last.empty = true;
	log->of[process].records_roots = true;
	return true;
}

/* Of the record told last. */
static struct record *add_number(struct record_log *log, struct log_recording *t, unsigned what)
{
	if (t->bare)
		t->others_say |= what;
	else
		note_used(log, t->last.state, what);
	t->last.says |= what;
	return &t->last;
}

static bool record_begun(void *arg, uint32_t process, uint32_t number, uint32_t request, uint32_t count)
{
	struct record_log *log = arg;
	struct log_recording *t = &log->of[process];
	struct record *record = add_number(log, t, RECORD_BEGINS);

	(void)number;
	record->request = request;
	record->count = count;
	t->requests += request ? count : 0;
	return true;
}

static bool record_completed(void *arg, uint32_t process, uint32_t request, bool message)
{
	struct record_log *log = arg;

	(void)message; /* within a state of its own, which says it */
	add_number(log, &log->of[process], RECORD_COMPLETES)->request = request;
	return true;
}

static bool record_gathering(void *arg, uint32_t process, uint32_t comm, uint32_t number)
{
	struct record_log *log = arg;
	struct record *record = add_number(log, &log->of[process], RECORD_GATHERS);

	record->comm = comm;
	record->number = number;
	log->of[process].gatherings++;
	return true;
}

static bool record_neighbour(void *arg, uint32_t process, uint32_t comm, uint32_t from)
{
	struct record_log *log = arg;
	struct record *record = add_number(log, &log->of[process], RECORD_NEIGHBOUR);

	record->comm = comm;
	record->number = from;
	return true;
}

/* Whoever writes the message writes its size. */
static bool record_size(void *arg, uint32_t process)
{
	struct record_log *log = arg;

	log->of[process].bare = false;
	return true;
}

static bool record_cpu_sample(void *arg, uint32_t process, double seconds)
{
	struct record_log *log = arg;
	struct log_recording *t = &log->of[process];

	if (!recording_settle(log, t))
		return false;
	t->last.seconds = seconds;
	return recording_pack(log, t, RECORD_CPU_SAMPLE);
}

static void record_log_forget(struct record_log *log)
{
	for (uint32_t p = 0; log->of && p < log->process_count; p++)
		record_pack_release(&log->of[p].pack);
	mem_free(log->of);
	mem_free(log->used);
	mem_free(log->states);
	mem_free(log->number);
	log->of = NULL;
	log->used = NULL;
	log->states = NULL;
	log->number = NULL;
	log->process_count = log->state_count = 0;
	record_store_reset(&log->store);
}

static bool record_log_begin(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count)
{
	struct record_log *log = arg;

	record_log_forget(log);
	log->of = mem_zero(processes, sizeof *log->of);
	log->used = mem_zero(count, sizeof *log->used);
	log->states = mem_zero(count, sizeof *log->states);
	log->number = mem_zero(count, sizeof *log->number);
	log->kind_count = count;
	if (!log->of || !log->used || !log->states || !log->number)
		return false;
	log->process_count = processes;
	for (uint32_t k = 0; k < count; k++)
		log->states[k] = (struct record_state){kinds[k].total.name, kinds[k].total.colour, kinds[k].total.mpi, kinds[k].tracer,
						       kinds[k].time, 0};
	return true;
}

/* All has been told. */
static bool record_log_finish(struct record_log *log)
{
	for (uint32_t p = 0; p < log->process_count; p++) {
		struct log_recording *t = &log->of[p];

		if (!recording_settle(log, t) || (t->bare && !recording_pack(log, t, RECORD_OTHER)))
			return false;
	}
	for (uint32_t k = 0; k < log->kind_count; k++) {
		log->number[k] = log->used[k] ? log->state_count : UNUSED;
		log->states[k].says = log->used[k] & ~(unsigned)USED;
		if (log->used[k])
			log->states[log->state_count++] = log->states[k];
	}
	return true;
}

/* ---- making one ---- */

static struct record_log *new_log(uint64_t budget)
{
	struct record_log *log = mem_zero(1, sizeof *log);

	if (log)
		record_store_init(&log->store, budget ? budget : USUAL_BUDGET);
	return log;
}

void record_log_free(struct record_log *log)
{
	if (!log)
		return;
	record_log_forget(log);
	record_store_release(&log->store);
	mem_free(log);
}

enum err_code record_log_load_sources(struct record_log **out, struct trace **trace, const struct source *sources, uint32_t count,
				      const struct trace_options *o, uint64_t budget, const struct progress *progress, struct err *e)
{
	struct trace_options options = o ? *o : (struct trace_options){0};
	struct record_log *log = new_log(budget);
	const struct make_watch watch = {.arg = log, .begin = record_log_begin, .record = record_next, .enter = record_enter, .leave = record_leave,
					 .event = record_event, .root = record_root, .received = record_received, .empty = record_empty,
					 .begun = record_begun, .completed = record_completed, .gathering = record_gathering,
					 .neighbour = record_neighbour, .size = record_size, .cpu_sample = record_cpu_sample};
	enum err_code code;

	*out = NULL;
	*trace = NULL;
	if (!log)
		return err_memory(e, "the trace's records");
	options.watch = &watch;
	code = trace_load_sources(trace, sources, count, &options, progress, e);
	if ((!code || (code == ERR_DAMAGED && *trace)) && !record_log_finish(log))
		code = err_memory(e, "the trace's records");
	if (code == ERR_MEMORY && log->store.err.code) {
		*e = log->store.err; /* a watch has no other word for it */
		code = e->code;
	}
	if (!code || (code == ERR_DAMAGED && *trace)) {
		log->trace = *trace;
		*out = log;
		return code;
	}
	record_log_free(log);
	trace_free(*trace);
	*trace = NULL;
	return code;
}

enum err_code record_log_load(struct record_log **out, struct trace **trace, const char *const *paths, uint32_t count,
			      const struct trace_options *o, uint64_t budget, const struct progress *progress, struct err *e)
{
	struct source *sources;
	enum err_code code = trace_files_open(&sources, paths, count, e);

	*out = NULL;
	*trace = NULL;
	if (code)
		return code;
	code = record_log_load_sources(out, trace, sources, count, o, budget, progress, e);
	source_release_files(sources, count);
	return code;
}

/* ---- asking ---- */

const struct record_state *record_log_states(const struct record_log *log, uint32_t *count)
{
	*count = log->state_count;
	return log->states;
}

bool record_log_has_collectives(const struct record_log *log)
{
	bool told = false;

	for (uint32_t p = 0; !told && p < log->process_count; p++)
		told = log->of[p].records_roots;
	return told;
}

uint64_t record_log_requests(const struct record_log *log)
{
	uint64_t requests = 0;

	for (uint32_t p = 0; p < log->process_count; p++)
		requests += log->of[p].requests;
	return requests;
}

uint64_t record_log_gatherings(const struct record_log *log)
{
	uint64_t gatherings = 0;

	for (uint32_t p = 0; p < log->process_count; p++)
		gatherings += log->of[p].gatherings;
	return gatherings;
}

unsigned record_log_others_say(const struct record_log *log)
{
	unsigned says = 0;

	for (uint32_t p = 0; p < log->process_count; p++)
		says |= log->of[p].others_say;
	return says;
}

void record_log_ignore_collectives(struct record_log *log)
{
	log->no_collectives = true;
}

/* Readings that are of no use would be judged again. */
static inline bool is_left_out(const struct record_log *log, const struct record *record)
{
	if (record->kind == RECORD_CPU_SAMPLE)
		return log->trace->compute_source != COMPUTE_FROM_EVENTS;
	return log->no_collectives && record->kind == RECORD_EVENT && EVENT_KIND(log->trace->type[record->event]) == EVENT_COLLECTIVE;
}

enum err_code record_cursor_init_pack(struct record_cursor *cursor, const struct record_log *log, uint32_t process, const struct record_pack *pack,
				      const struct record_store *store, struct err *e)
{
	*cursor = (struct record_cursor){.log = log, .process = process, .pack = pack, .store = store, .reading = mem_zero(1, sizeof *cursor->reading)};
	return cursor->reading ? ERR_OK : err_memory(e, "the trace's records");
}

enum err_code record_cursor_init(struct record_cursor *cursor, const struct record_log *log, uint32_t process, struct err *e)
{
	return record_cursor_init_pack(cursor, log, process, &log->of[process].pack, &log->store, e);
}

bool record_cursor_next(struct record_cursor *cursor, struct record *record)
{
	const struct record_log *log = cursor->log;

	do {
		if (!record_pack_next(cursor->pack, cursor->store, cursor->reading, record, &cursor->err))
			return false;
		if (record->kind == RECORD_EVENT)
			record->event += log->trace->first[cursor->process];
		else if (record->kind == RECORD_ENTER || record->kind == RECORD_LEAVE)
			record->state = log->number[record->state];
	} while (is_left_out(log, record));
	return true;
}

static struct record_pack *pack_of(struct thread_list *threads, int32_t thread)
{
	struct record_pack *pack = thread_find(threads, thread);

	if (pack)
		return pack;
	pack = mem_zero(1, sizeof *pack);
	if (pack && thread_add(threads, thread, pack))
		return pack;
	mem_free(pack);
	return NULL;
}

enum err_code record_log_split(const struct record_log *log, uint32_t process, struct record_store *store, struct thread_list *threads,
			       const struct progress *progress, struct err *e)
{
	struct record_reading reading = {0};
	struct record_pack *pack = NULL;
	struct err broken = {0};
	struct record record;
	enum err_code code = ERR_OK;
	int32_t last = 0;
	uint64_t n = 0;

	while (!code && record_pack_next(&log->of[process].pack, &log->store, &reading, &record, &broken)) {
		if (!pack || record.thread != last)
			pack = pack_of(threads, record.thread);
		last = record.thread;
		if (++n % POLL == 0 && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while looking for threads");
		else if (!pack || !record_pack_add(pack, store, &record))
			code = err_memory(e, "the threads' records");
	}
	if (store->err.code)
		broken = store->err; /* a full disk is no lack of memory */
	if (broken.code) {
		*e = broken;
		code = e->code;
	}
	mem_free(reading.buffer);
	return code;
}

uint64_t record_log_budget(const struct record_log *log)
{
	return log->store.budget;
}

void record_cursor_release(struct record_cursor *cursor)
{
	if (cursor->reading)
		mem_free(cursor->reading->buffer);
	mem_free(cursor->reading);
	cursor->reading = NULL;
}

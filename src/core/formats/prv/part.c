#include "prv_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/io/source.h"

#define STOP_EVERY 4096 /* lines */

enum err_code prv_part_init(struct prv_part *part, struct prv_shared *shared, unsigned number, uint64_t begin, uint64_t end, struct err *e)
{
	uint32_t processes = shared->header->task_count;

	*part = (struct prv_part){.shared = shared, .number = number, .last = -1, .last_app = UINT64_MAX};
	part->main_of = mem_zero(processes, sizeof *part->main_of);
	part->spans = mem_alloc(processes, sizeof *part->spans);
	part->others_of = map_new();
	part->type_of = map_new();
	part->values = map_new();
	if (!part->main_of || !part->spans || !part->others_of || !part->type_of || !part->values)
		return err_memory(e, "the trace's processes");
	for (uint32_t p = 0; p < processes; p++)
		part->spans[p] = (struct prv_span){INT64_MAX, -1};
	return prv_lines_init(&part->lines, shared->source, begin, end, e);
}

void prv_part_release(struct prv_part *part)
{
	for (uint32_t i = 0; i < part->thread_count; i++) {
		prv_pack_free(&part->threads[i].raw);
		prv_pack_free(&part->threads[i].states);
	}
	prv_lines_release(&part->lines);
	mem_free(part->threads);
	mem_free(part->main_of);
	mem_free(part->spans);
	map_free(part->others_of);
	map_free(part->type_of);
	map_free(part->values);
	mem_free(part->types);
	mem_free(part->comms);
	mem_free(part->members);
	mem_free(part->odd);
}

/* ---- what is odd ---- */

static __attribute__((cold, noinline)) void part_add_odd(struct prv_part *part, enum note_kind kind, uint32_t process, const char *what,
						uint64_t value)
{
	struct prv_odd *list;

	if (kind == NOTE_BAD_RECORD && part->lines.cut) {
		part->cut = true;
		return;
	}
	if (part->odd_counts[kind]++ >= NOTES_KEPT)
		return;
	list = mem_grow(part->odd, part->odd_count, &part->odd_cap, sizeof *list);
	if (!list) {
		part->failed = true;
		return;
	}
	part->odd = list;
	list[part->odd_count++] = (struct prv_odd){kind, process, part->lines.number, part->lines.offset, what, value};
}

/* ---- threads ---- */

static __attribute__((noinline)) struct prv_thread *new_thread(struct prv_part *part, uint32_t process, uint32_t number, uint32_t *at)
{
	struct prv_thread *threads = mem_grow(part->threads, part->thread_count, &part->thread_cap, sizeof *threads);

	if (!threads) {
		part->failed = true;
		return NULL;
	}
	part->threads = threads;
	threads[part->thread_count] = (struct prv_thread){.process = process, .number = (int32_t)number};
	*at = ++part->thread_count;
	return &threads[part->thread_count - 1];
}

/* The process of a record, NO_PROCESS if there is none, and its thread's index in *thread. */
static __attribute__((noinline)) uint32_t find_thread_slow(struct prv_part *part, const uint64_t *who, uint32_t *thread)
{
	const struct prv_header *h = part->shared->header;
	uint32_t process = prv_process(h, who[0], who[1]), *at;
	uint64_t number = who[2] - 1;

	if (process == NO_PROCESS)
		return NO_PROCESS;
	part->last_bad_thread = number >= h->tasks[process].threads || number > INT32_MAX - 1;
	if (part->last_bad_thread)
		number = 0;
	at = number ? map_at(part->others_of, process, number) : &part->main_of[process];
	if (!at || (!*at && !new_thread(part, process, (uint32_t)number, at))) {
		part->failed = true;
		return NO_PROCESS;
	}
	part->last_app = who[0];
	part->last_task = who[1];
	part->last_thread = who[2];
	part->last_process = process;
	part->last_at = *at - 1;
	*thread = *at - 1;
	return process;
}

/* who: application, task, thread. */
static inline uint32_t find_thread(struct prv_part *part, const uint64_t *who, uint32_t *thread)
{
	uint32_t process;

	if (who[0] == part->last_app && who[1] == part->last_task && who[2] == part->last_thread) {
		*thread = part->last_at;
		process = part->last_process;
	} else {
		process = find_thread_slow(part, who, thread);
		if (__builtin_expect(process == NO_PROCESS, 0))
			return NO_PROCESS;
	}
	if (__builtin_expect(part->last_bad_thread, 0))
		part_add_odd(part, NOTE_BAD_THREAD, process, "its task has no thread", who[2]);
	return process;
}

static void no_process(struct prv_part *part, const uint64_t *who)
{
	if (part->shared->header->app_count <= who[0] - 1)
		part_add_odd(part, NOTE_UNKNOWN_PROCESS, NO_PROCESS, "no such application:", who[0]);
	else
		part_add_odd(part, NOTE_UNKNOWN_PROCESS, NO_PROCESS, "no such task:", who[1]);
}

static inline void part_widen_span(struct prv_part *part, uint32_t process, int64_t time)
{
	struct prv_span *of = &part->spans[process];

	if (time < of->first)
		of->first = time;
	if (time > of->last)
		of->last = time;
	if (time > part->last)
		part->last = time;
}

static bool bad_time(struct prv_part *part, uint64_t time)
{
	if (__builtin_expect(time <= part->shared->header->latest, 1))
		return false;
	part_add_odd(part, NOTE_BAD_TIME, NO_PROCESS, "the time is far after the end of the run:", time);
	return true;
}

/* ---- records ---- */

static inline void part_put_record(struct prv_part *part, struct prv_pack *pack, uint8_t what, int64_t time, uint64_t value)
{
	struct prv_put to;

	if (!prv_put_begin(&to, pack, what, time)) {
		part->failed = true;
		return;
	}
	prv_put_number(&to, value);
	prv_put_end(&to, pack);
}

static inline void put_bare(struct prv_part *part, struct prv_pack *pack, uint8_t what, int64_t time)
{
	struct prv_put to;

	if (!prv_put_begin(&to, pack, what, time)) {
		part->failed = true;
		return;
	}
	prv_put_end(&to, pack);
}

/* Something that needs a name. */
static inline void part_see_value(struct prv_part *part, enum prv_class class, uint64_t value)
{
	uint32_t *at;

	if (value < PRV_VALUES_DIRECT) {
		part->direct[class][value] = 1;
		return;
	}
	if (map_count(part->values) >= PRV_NAMES_MOST && !map_get(part->values, class, value))
		return;
	at = map_at(part->values, class, value);
	if (at)
		*at = 1;
	else
		part->failed = true;
}

static __attribute__((noinline)) void count_type_slow(struct prv_part *part, uint64_t type, uint64_t count)
{
	uint32_t *at;
	struct prv_seen *types;

	/* So many are no types: they are counted as one. */
	if (part->type_count >= PRV_NAMES_MOST && !map_get(part->type_of, type, 0))
		type = INT64_MAX;
	at = map_at(part->type_of, type, 0);
	if (!at) {
		part->failed = true;
		return;
	}
	if (!*at) {
		types = mem_grow(part->types, part->type_count, &part->type_cap, sizeof *types);
		if (!types) {
			part->failed = true;
			return;
		}
		part->types = types;
		types[part->type_count] = (struct prv_seen){PRV_TYPES, type, 0};
		*at = ++part->type_count;
	}
	part->types[*at - 1].count += count;
	part->slots[type % PRV_TYPE_SLOTS].type = type;
	part->slots[type % PRV_TYPE_SLOTS].at = *at;
}

static inline void count_type(struct prv_part *part, uint64_t type)
{
	uint32_t slot = (uint32_t)(type % PRV_TYPE_SLOTS);

	if (__builtin_expect(part->slots[slot].type == type && part->slots[slot].at, 1))
		part->types[part->slots[slot].at - 1].count++;
	else
		count_type_slow(part, type, 1);
}

static __attribute__((noinline)) void first_call(struct prv_part *part)
{
	part->calls = true;
	atomic_store_explicit(&part->shared->calls, true, memory_order_relaxed);
	for (uint32_t i = 0; i < part->thread_count; i++)
		prv_pack_free(&part->threads[i].states);
}

static void part_read_call(struct prv_part *part, struct prv_pack *raw, int64_t time, unsigned class, uint64_t value)
{
	if (__builtin_expect(!part->calls, 0))
		first_call(part);
	if (!value) {
		put_bare(part, raw, (uint8_t)(PRV_RAW_END + class), time);
		return;
	}
	part_see_value(part, (enum prv_class)class, value);
	part_put_record(part, raw, (uint8_t)(PRV_RAW_BEGIN + class), time, value);
}

/* An event that is no call. */
static void other_event(struct prv_part *part, struct prv_pack *raw, int64_t time, uint64_t type, uint64_t value)
{
	if (type - PRV_ATTRIBUTES < PRV_ATTRIBUTE_KINDS) {
		part_put_record(part, raw, (uint8_t)(PRV_RAW_ATTRIBUTE + (type - PRV_ATTRIBUTES)), time, value);
	} else if (type == PRV_FLUSH) {
		part_put_record(part, raw, PRV_RAW_FLUSH, time, value != 0);
	} else if (type == PRV_FUNCTION) {
		if (value && value != part->last_function)
			part_see_value(part, PRV_FUNCTIONS, value);
		part->last_function = value ? value : part->last_function;
		part_put_record(part, raw, PRV_RAW_FUNCTION, time, value);
	} else if (type == PRV_CPU_CLOCK) {
		part->cpu_clock = true;
		part_put_record(part, raw, PRV_RAW_CPU, time, value);
	} else {
		count_type(part, type);
		if (type == part->shared->counter && type)
			part_put_record(part, raw, PRV_RAW_COUNT, time, value);
	}
}

static void events(struct prv_part *part)
{
	const uint64_t *f = part->lines.field;
	size_t n = part->lines.n;
	uint32_t thread, process;
	struct prv_pack *raw;
	int64_t time;

	if (n < 7 || n % 2 == 0) {
		part_add_odd(part, NOTE_BAD_RECORD, NO_PROCESS, "an event needs 8 fields, or more in pairs, but "
			     "has", n + 1);
		return;
	}
	if (bad_time(part, f[4]))
		return;
	process = find_thread(part, f + 1, &thread);
	if (process == NO_PROCESS) {
		no_process(part, f + 1);
		return;
	}
	time = (int64_t)f[4];
	part_widen_span(part, process, time);
	raw = &part->threads[thread].raw;
	part->records += n / 2 - 2;
	for (size_t i = 5; i < n; i += 2)
		if (f[i] - PRV_CALLS < PRV_CALL_CLASSES)
			part_read_call(part, raw, time, (unsigned)(f[i] - PRV_CALLS), f[i + 1]);
		else
			other_event(part, raw, time, f[i], f[i + 1]);
}

static void state(struct prv_part *part)
{
	const uint64_t *f = part->lines.field;
	uint32_t thread, process;
	struct prv_put to;

	if (part->lines.n != 7) {
		part_add_odd(part, NOTE_BAD_RECORD, NO_PROCESS, "a state needs 8 fields, but has", part->lines.n + 1);
		return;
	}
	if (bad_time(part, f[4]) || bad_time(part, f[5]))
		return;
	if (f[5] < f[4]) {
		part_add_odd(part, NOTE_BAD_RECORD, NO_PROCESS, "a state ends before it begins, at", f[5]);
		return;
	}
	process = find_thread(part, f + 1, &thread);
	if (process == NO_PROCESS) {
		no_process(part, f + 1);
		return;
	}
	if (f[6] == PRV_NOT_CREATED)
		return;
	part_widen_span(part, process, (int64_t)f[4]);
	part_widen_span(part, process, (int64_t)f[5]);
	part->records++;
	if (!prv_state_calls(f[6]) || part->calls || atomic_load_explicit(&part->shared->calls, memory_order_relaxed))
		return;
	if (!prv_put_begin(&to, &part->threads[thread].states, PRV_RAW_STATE, (int64_t)f[4])) {
		part->failed = true;
		return;
	}
	prv_put_number(&to, f[6]);
	prv_put_number(&to, f[5] - f[4]);
	prv_put_end(&to, &part->threads[thread].states);
}

/* One end of a message. partner: NO_PROCESS: it is not known. */
static void put_end(struct prv_part *part, uint32_t thread, bool send, uint32_t partner)
{
	const uint64_t *f = part->lines.field;
	struct prv_pack *raw = &part->threads[thread].raw;
	int64_t time = (int64_t)(send ? f[4] : f[11]);
	struct prv_put to;

	if (!prv_put_begin(&to, raw, send ? PRV_RAW_SEND : PRV_RAW_RECEIVE, time)) {
		part->failed = true;
		return;
	}
	prv_put_number(&to, partner + 1);
	prv_put_number(&to, f[13] > INT32_MAX ? INT32_MAX : f[13]);
	prv_put_number(&to, f[12]);
	prv_put_relation(&to, raw, part->messages);
	if (!send)
		prv_put_signed(&to, (int64_t)f[10] - time);
	prv_put_end(&to, raw);
}

static void part_read_message(struct prv_part *part)
{
	const uint64_t *f = part->lines.field;
	uint32_t from, to, from_thread = 0, to_thread = 0;

	if (part->lines.n != 14) {
		part_add_odd(part, NOTE_BAD_RECORD, NO_PROCESS, "a message needs 15 fields, but has", part->lines.n + 1);
		return;
	}
	if (bad_time(part, f[4]) || bad_time(part, f[5]) || bad_time(part, f[10]) || bad_time(part, f[11]))
		return;
	from = find_thread(part, f + 1, &from_thread);
	to = find_thread(part, f + 7, &to_thread);
	if (from == NO_PROCESS && to == NO_PROCESS) {
		no_process(part, f + 1);
		return;
	}
	if (from == NO_PROCESS || to == NO_PROCESS)
		part_add_odd(part, NOTE_BAD_PARTNER, from == NO_PROCESS ? to : from, "no such peer of a message: "
			     "task", from == NO_PROCESS ? f[2] : f[8]);
	if (f[13] > INT32_MAX)
		part_add_odd(part, NOTE_BAD_MESSAGE, from == NO_PROCESS ? to : from, "a message has tag", f[13]);
	if (f[13] > part->tag_highest)
		part->tag_highest = f[13];
	part->messages++;
	if (from != NO_PROCESS) {
		part_widen_span(part, from, (int64_t)f[4]);
		put_end(part, from_thread, true, to);
		part->records++;
	}
	if (to != NO_PROCESS) {
		part_widen_span(part, to, (int64_t)f[11]);
		put_end(part, to_thread, false, from);
		part->records++;
	}
}

static bool add_member(struct prv_part *part, uint32_t process)
{
	uint32_t *members = mem_grow(part->members, part->member_count, &part->member_cap, sizeof *members);

	if (!members)
		return false;
	part->members = members;
	members[part->member_count++] = process;
	return true;
}

static void communicator(struct prv_part *part)
{
	const struct prv_header *h = part->shared->header;
	const uint64_t *f = part->lines.field;
	size_t n = part->lines.n;
	struct prv_comm_line *comms;

	if (n < 4) {
		part_add_odd(part, NOTE_BAD_RECORD, NO_PROCESS, "a communicator needs 5 fields or more, but has", n + 1);
		return;
	}
	if (f[0] - 1 >= h->app_count) {
		part_add_odd(part, NOTE_UNKNOWN_PROCESS, NO_PROCESS, "no such application:", f[0]);
		return;
	}
	if (f[1] > INT32_MAX) {
		part_add_odd(part, NOTE_BAD_COMM, NO_PROCESS, "a communicator has number", f[1]);
		return;
	}
	comms = mem_grow(part->comms, part->comm_count, &part->comm_cap, sizeof *comms);
	if (!comms) {
		part->failed = true;
		return;
	}
	part->comms = comms;
	comms[part->comm_count] = (struct prv_comm_line){(uint32_t)f[0] - 1, (uint32_t)f[1], part->member_count, 0};
	if (f[2] != n - 3)
		part_add_odd(part, NOTE_DOUBTFUL_COMM, NO_PROCESS,
		    "a communicator lists fewer or more tasks than its count of", f[2]);
	for (size_t i = 3; i < n; i++) {
		uint32_t process = prv_process(h, f[0], f[i]);

		if (process == NO_PROCESS)
			part_add_odd(part, NOTE_BAD_COMM, NO_PROCESS, "a communicator lists task", f[i]);
		else if (!add_member(part, process))
			part->failed = true;
	}
	comms[part->comm_count].size = (uint32_t)(part->member_count - comms[part->comm_count].first);
	part->comm_count++;
}

static void read_line(struct prv_part *part)
{
	switch (part->lines.kind) {
	case '1':
		state(part);
		break;
	case '2':
		events(part);
		break;
	case '3':
		part_read_message(part);
		break;
	case 'c':
		communicator(part);
		break;
	default:
		break;
	}
}

static void bad_line(struct prv_part *part, enum prv_got got)
{
	enum note_kind kind = NOTE_BAD_RECORD;

	if (got == PRV_HUGE && !part->lines.cut)
		kind = NOTE_BAD_TIME;
	else if (got == PRV_ZEROS && part->lines.cut)
		kind = NOTE_TRUNCATED;
	part->lines.offset = part->lines.bad_at;
	part_add_odd(part, kind, NO_PROCESS, part->lines.why, PRV_NO_VALUE);
}

/* Records of processes that are not kept take less time to be packed than to be told apart one by one. */
static void drop_others(struct prv_part *part)
{
	const struct prv_shared *shared = part->shared;

	if (shared->local_end - shared->local_begin == shared->header->task_count)
		return;
	for (uint32_t i = 0; i < part->thread_count; i++) {
		struct prv_thread *thread = &part->threads[i];

		if (thread->process >= shared->local_begin && thread->process < shared->local_end)
			continue;
		prv_pack_free(&thread->raw);
		prv_pack_free(&thread->states);
	}
}

static bool part_is_stopped(struct prv_part *part)
{
	struct prv_shared *shared = part->shared;

	if (part->number == 0)
		progress_report(shared->stop.progress, PROGRESS_SCAN, source_taken(shared->source, part->lines.done), shared->size);
	return parallel_stopped(&shared->stop, part->number);
}

void prv_part_read(struct prv_part *part)
{
	enum prv_got got;

	while ((got = prv_lines_next(&part->lines, &part->err)) < PRV_END) {
		if (__builtin_expect(got == PRV_LINE, 1))
			read_line(part);
		else
			bad_line(part, got);
		if (__builtin_expect(part->lines.number % STOP_EVERY == 0, 0)) {
			drop_others(part);
			if (part->failed || part_is_stopped(part))
				break;
		}
	}
	drop_others(part);
	part->line_count = part->lines.number;
	if (got == PRV_FAILED)
		part->code = part->err.code;
	else if (part->failed)
		part->code = err_memory(&part->err, "the trace's records");
	prv_lines_release(&part->lines);
}

#include "records.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/trace/thread_list.h"
#include "records_int.h"

/* How far down an end looks for its start: else ends without starts over a deep stack would take for ever. */
#define DEEPEST 4096

/* ---- threads ---- */

static bool add_thread(struct nested_threads *threads, uint32_t process, int32_t thread, struct record_pack *pack)
{
	struct nested_thread *list = mem_grow(threads->list, threads->count, &threads->cap, sizeof *list);

	if (!list)
		return false;
	threads->list = list;
	list[threads->count++] = (struct nested_thread){process, thread, pack};
	return true;
}

static void free_pack(struct record_pack *pack)
{
	if (pack)
		record_pack_release(pack);
	mem_free(pack);
}

static enum err_code find_threads(struct nested_threads *threads, const struct record_log *log, uint32_t process, const struct progress *progress,
				  struct err *e)
{
	struct thread_list found = {0};
	enum err_code code;

	if (!threads->store) {
		threads->store = mem_alloc(1, sizeof *threads->store);
		if (!threads->store)
			return err_memory(e, "the threads");
		record_store_init(threads->store, record_log_budget(log));
	}
	code = record_log_split(log, process, threads->store, &found, progress, e);
	thread_sort(&found);
	for (uint32_t i = 0; i < found.count; i++) {
		if (!code && !add_thread(threads, process, found.list[i].thread, found.list[i].of))
			code = err_memory(e, "the threads");
		if (code)
			free_pack(found.list[i].of);
	}
	thread_list_release(&found);
	return code;
}

enum err_code nested_threads_list(struct nested_threads *threads, const struct record_log *log, const struct trace *t,
				  const struct progress *progress, struct err *e)
{
	*threads = (struct nested_threads){0};
	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t before = threads->count;
		enum err_code code = t->processes[p].threads > 1 ? find_threads(threads, log, p, progress, e) : ERR_OK;

		if (!code && threads->count == before && !add_thread(threads, p, 0, NULL))
			code = err_memory(e, "the threads");
		if (code)
			return code;
	}
	return ERR_OK;
}

void nested_threads_release(struct nested_threads *threads)
{
	for (uint32_t i = 0; i < threads->count; i++)
		free_pack(threads->list[i].pack);
	mem_free(threads->list);
	if (threads->store)
		record_store_release(threads->store);
	mem_free(threads->store);
	*threads = (struct nested_threads){0};
}

/* ---- the walk ---- */

enum err_code nested_walk_init(struct nested_walk *walk, const struct record_log *log, const struct nested_threads *threads, uint32_t i,
			       struct err *e)
{
	const struct nested_thread *of = &threads->list[i];

	*walk = (struct nested_walk){.thread = of->thread, .last = -INFINITY};
	walk->states = record_log_states(log, &walk->state_count);
	return of->pack ? record_cursor_init_pack(&walk->cursor, log, of->process, of->pack, threads->store, e)
			: record_cursor_init(&walk->cursor, log, of->process, e);
}

void nested_walk_release(struct nested_walk *walk)
{
	record_cursor_release(&walk->cursor);
	mem_free(walk->stack);
	mem_free(walk->steps);
}

static void nested_no_memory(struct nested_walk *walk)
{
	if (!walk->err.code)
		err_memory(&walk->err, "the open states");
}

static void nested_pass_step(struct nested_walk *walk, const struct record *step)
{
	struct record *steps = mem_grow(walk->steps, walk->step_count, &walk->step_cap, sizeof *steps);

	if (!steps) {
		nested_no_memory(walk);
		return;
	}
	walk->steps = steps;
	steps[walk->step_count++] = *step;
}

static void nested_pass_state(struct nested_walk *walk, enum record_kind kind, uint32_t state)
{
	nested_pass_step(walk, &(struct record){.kind = kind, .thread = walk->thread, .time = walk->last, .state = state});
}

static void nested_push_state(struct nested_walk *walk, uint32_t state)
{
	struct nested_frame *stack = mem_grow(walk->stack, walk->depth, &walk->depth_cap, sizeof *stack);

	if (!stack) {
		nested_no_memory(walk);
		return;
	}
	walk->stack = stack;
	stack[walk->depth++] = (struct nested_frame){state, false};
	nested_pass_state(walk, RECORD_ENTER, state);
}

static bool is_call(const struct nested_walk *walk, uint32_t state)
{
	return nested_is_call(&walk->states[state]);
}

/* The topmost state ends, and those below it that had ended already. */
static void nested_pop_state(struct nested_walk *walk)
{
	do
		nested_pass_state(walk, RECORD_LEAVE, walk->stack[--walk->depth].state);
	while (walk->depth && walk->stack[walk->depth - 1].ended);
}

/* The call at depth `at` ends, with all above it; user states of those begin once more. */
static void end_call(struct nested_walk *walk, size_t at)
{
	size_t top = walk->depth, again = at;

	for (size_t i = top; i-- > at;) {
		nested_pass_state(walk, RECORD_LEAVE, walk->stack[i].state);
		walk->odd.open += i > at && is_call(walk, walk->stack[i].state);
	}
	walk->depth = at;
	for (size_t i = at + 1; i < top; i++)
		if (!is_call(walk, walk->stack[i].state) && !walk->stack[i].ended)
			walk->stack[again++] = walk->stack[i];
	if (again == at && at && walk->stack[at - 1].ended) {
		nested_pop_state(walk);
		return;
	}
	for (; walk->depth < again; walk->depth++) {
		walk->odd.moved++;
		nested_pass_state(walk, RECORD_ENTER, walk->stack[walk->depth].state);
	}
}

static void nested_leave_state(struct nested_walk *walk, uint32_t state)
{
	size_t depth = walk->depth, limit = depth > DEEPEST ? depth - DEEPEST : 0;

	while (depth > limit && (walk->stack[depth - 1].state != state || walk->stack[depth - 1].ended))
		depth--;
	if (depth == limit) {
		walk->odd.stray++;
	} else if (depth == walk->depth) {
		nested_pop_state(walk);
	} else if (is_call(walk, state)) {
		end_call(walk, depth - 1);
	} else {
		walk->stack[depth - 1].ended = true;
		walk->odd.moved++;
	}
}

static void nested_take_record(struct nested_walk *walk, struct record *record)
{
	if (record->time < walk->last) {
		record->time = walk->last;
		walk->odd.lifted++;
	}
	walk->last = record->time;
	walk->begun = true;
	if (record->kind == RECORD_ENTER)
		nested_push_state(walk, record->state);
	else if (record->kind == RECORD_LEAVE)
		nested_leave_state(walk, record->state);
	else
		nested_pass_step(walk, record);
}

static void nested_finish(struct nested_walk *walk)
{
	walk->done = true;
	if (walk->cursor.err.code)
		walk->err = walk->cursor.err;
	while (walk->depth && !walk->err.code) {
		walk->odd.open += is_call(walk, walk->stack[walk->depth - 1].state);
		nested_pop_state(walk);
	}
}

bool nested_walk_next(struct nested_walk *walk, struct record *step)
{
	while (walk->step_next == walk->step_count && !walk->done && !walk->err.code) {
		struct record record;

		walk->step_next = walk->step_count = 0;
		if (!record_cursor_next(&walk->cursor, &record))
			nested_finish(walk);
		else
			nested_take_record(walk, &record);
	}
	if (walk->err.code || walk->step_next == walk->step_count)
		return false;
	*step = walk->steps[walk->step_next++];
	return true;
}

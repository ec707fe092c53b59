#include "calls_int.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

#define DEEPEST_STATE 256
#define FIRST_BLOCK 128  /* calls */
#define LARGEST_BLOCK 4096
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

struct call_block *call_block_free(struct call_block *block)
{
	struct call_block *next = block->next;

	mem_give_back(block, sizeof *block + block->cap * sizeof *block->calls);
	return next;
}

static void list_release(struct list_build *l)
{
	while (l->blocks)
		l->blocks = call_block_free(l->blocks);
	mem_free(l->users.list);
	mem_free(l->inside.list);
	mem_free(l->pieces);
	overlap_release(&l->overlap);
	call_tree_release(&l->tree);
	mem_free(l);
}

void process_build_release(struct process_build *b)
{
	for (uint32_t i = 0; i < b->lists.count; i++)
		list_release(b->lists.list[i].of);
	thread_list_release(&b->lists);
	mem_free(b->runs);
	mem_free(b->roots);
	mem_free(b->late);
	mem_free(b->completions);
	mem_free(b->gathered);
	mem_free(b->neighbours);
	call_posts_release(&b->posts);
	clocks_build_release(&b->clocks);
	b->current = NULL;
	b->runs = NULL;
	b->roots = NULL;
	b->late = NULL;
	b->completions = NULL;
	b->gathered = NULL;
	b->neighbours = NULL;
}

/* ---- calls ---- */

/* Useful time until now is the topmost state's. */
static void build_flush_useful(struct list_build *l)
{
	if (!l->clocks_only && l->now > l->since)
		l->tree.nodes[l->top].useful += l->now - l->since;
}

static __attribute__((noinline)) bool add_block(struct list_build *l)
{
	uint32_t cap = !l->block ? FIRST_BLOCK : l->block->cap < LARGEST_BLOCK ? l->block->cap * 2 : LARGEST_BLOCK;
	struct call_block *block = mem_alloc(1, sizeof *block + cap * sizeof *block->calls);

	if (!block)
		return false;
	*block = (struct call_block){.cap = cap};
	*(l->block ? &l->block->next : &l->blocks) = block;
	l->block = block;
	return true;
}

static inline bool append_call(struct list_build *l, uint32_t symbol)
{
	uint32_t node;

	if (l->clocks_only)
		return true;
	if (UNLIKELY(!l->block || l->block->count == l->block->cap) && !add_block(l))
		return false;
	node = call_tree_child(&l->tree, l->top, symbol);
	if (UNLIKELY(node == NO_NODE))
		return false;
	l->tree.nodes[node].count++;
	l->last = &l->block->calls[l->block->count++];
	*l->last = (struct logged_call){l->now, l->now, node, NO_EVENT};
	l->count++;
	return true;
}

static inline bool begin_call(struct list_build *l, uint32_t symbol)
{
	if (UNLIKELY(l->open == OPEN_TRACER))
		l->last->end = l->now;
	else
		build_flush_useful(l);
	l->open = OPEN_MPI;
	l->outer = symbol;
	l->made = (struct call_made){0};
	return append_call(l, symbol);
}

static bool begin_tracer(struct list_build *l)
{
	l->open = OPEN_TRACER;
	return append_call(l, SYMBOL_TRACER);
}

/* Calls that are open within one that ends have lost their ends. */
static void end_inside(const struct call_symbols *symbols, struct list_build *l)
{
	for (uint32_t i = 0; i < l->inside.depth; i++)
		l->unpaired += symbols->list[l->inside.list[i].symbol].kind != NODE_USER;
	l->inside.depth = 0;
}

static void end_last(struct list_build *l)
{
	l->last->end = l->now;
	l->since = l->now;
	l->open = OPEN_NONE;
}

static inline bool end_call(const struct call_symbols *symbols, struct list_build *l)
{
	if (UNLIKELY(l->inside.depth))
		end_inside(symbols, l);
	end_last(l);
	if (UNLIKELY(!l->clocks_only && !overlap_call(&l->overlap, l->count - 1, symbols->list[l->outer].traits, l->made)))
		return false;
	return !l->tracers || begin_tracer(l);
}

/* ---- states ---- */

static bool open_states_push(struct open_states *s, struct open_state state)
{
	struct open_state *list = mem_grow(s->list, s->depth, &s->cap, sizeof *list);

	if (!list)
		return false;
	s->list = list;
	list[s->depth++] = state;
	return true;
}

/* The topmost one of that symbol, counted from 1; 0: there is none. */
static uint32_t open_states_find(const struct open_states *s, uint32_t symbol)
{
	uint32_t depth = s->depth, limit = depth > MAKE_DEEPEST ? depth - MAKE_DEEPEST : 0;

	while (depth > limit && s->list[depth - 1].symbol != symbol)
		depth--;
	return depth > limit ? depth : 0;
}

static void take_out(struct open_states *s, uint32_t at)
{
	s->depth--;
	memmove(&s->list[at], &s->list[at + 1], (s->depth - at) * sizeof *s->list);
}

/* From now on another state is topmost. */
static bool change_top(struct list_build *l, uint32_t node)
{
	if (l->open == OPEN_NONE) {
		build_flush_useful(l);
		if (l->now > l->since) {
			struct useful_piece *pieces = mem_grow(l->pieces, l->piece_count, &l->piece_cap, sizeof *pieces);

			if (!pieces)
				return false;
			l->pieces = pieces;
			pieces[l->piece_count++] = (struct useful_piece){l->now, l->count, l->top};
		}
		l->since = l->now;
	}
	l->top = node;
	return true;
}

static bool begin_user(struct list_build *l, uint32_t symbol)
{
	uint32_t node = l->top;
	bool counted = l->tree.nodes[node].depth < DEEPEST_STATE;

	l->users_seen = true;
	if (counted) {
		node = call_tree_child(&l->tree, l->top, symbol);
		if (node == NO_NODE)
			return false;
		l->tree.nodes[node].count++;
	} else {
		l->too_deep++;
	}
	return open_states_push(&l->users, (struct open_state){symbol, node, counted}) && change_top(l, node);
}

static bool end_user(struct list_build *l, uint32_t symbol)
{
	uint32_t depth = open_states_find(&l->users, symbol);

	if (!depth) {
		l->unpaired++;
		return true;
	}
	take_out(&l->users, depth - 1);
	if (depth - 1 < l->users.depth)
		return true;
	return change_top(l, depth > 1 ? l->users.list[depth - 2].node : 0);
}

/* Of what began in the call that is open. False: there is no such thing. */
static bool end_inner(const struct call_symbols *symbols, struct list_build *l, uint32_t symbol)
{
	uint32_t depth = open_states_find(&l->inside, symbol), kept = depth;

	if (!depth)
		return false;
	if (symbols->list[symbol].kind != NODE_USER) {
		for (uint32_t i = depth; i < l->inside.depth; i++) {
			if (symbols->list[l->inside.list[i].symbol].kind == NODE_USER)
				l->inside.list[kept++] = l->inside.list[i];
			else
				l->unpaired++;
		}
		l->inside.depth = kept;
	}
	take_out(&l->inside, depth - 1);
	return true;
}

/* ---- what is told ---- */

static struct list_build *new_list(struct process_build *b, int32_t thread, double time)
{
	struct list_build *l = mem_zero(1, sizeof *l);

	if (!l)
		return NULL;
	*l = (struct list_build){.thread = thread, .start = time, .now = time, .since = time, .cpu = NAN, .clocks_only = b->clocks_only};
	l->last = &l->no_call;
	if (!call_tree_init(&l->tree) || !thread_add(&b->lists, thread, l)) {
		list_release(l);
		return NULL;
	}
	return l;
}

/* Without memory what is open is not what it should be: the rest of the block, which still comes, is not looked
 * at. */
static bool process_build_goes_on(struct process_build *b, bool done)
{
	if (!done)
		b->over = true;
	return done;
}

/* The first record, one of another thread, one too many. */
static __attribute__((noinline)) bool take_odd_record(struct process_build *b, int32_t thread, double time)
{
	struct list_build *l;

	if (b->records > b->most)
		b->over = true;
	if (b->over)
		return true;
	clocks_build_record(&b->clocks, b->records == 1, time);
	l = thread_find(&b->lists, thread);
	b->current = l = l ? l : new_list(b, thread, time);
	if (l && time > l->now)
		l->now = time;
	return process_build_goes_on(b, l);
}

static bool record_next(void *arg, uint32_t process, int32_t thread, double time)
{
	struct process_build *b = &((struct call_builds *)arg)->of[process];
	struct list_build *l = b->current;

	if (UNLIKELY(++b->records > b->most || !l || l->thread != thread))
		return take_odd_record(b, thread, time);
	clocks_build_record(&b->clocks, false, time);
	if (time > l->now)
		l->now = time;
	return true;
}

static __attribute__((noinline)) bool enter_odd(const struct call_symbols *symbols, struct list_build *l, uint32_t symbol)
{
	if (l->open == OPEN_MPI)
		return open_states_push(&l->inside, (struct open_state){symbol, 0, false});
	if (symbols->list[symbol].kind == NODE_USER)
		return l->clocks_only || begin_user(l, symbol);
	l->tracers++;
	if (l->open == OPEN_TRACER)
		return true;
	build_flush_useful(l);
	return begin_tracer(l);
}

static bool record_enter(void *arg, uint32_t process, uint32_t kind)
{
	const struct call_builds *a = arg;
	struct process_build *b = &a->of[process];
	struct list_build *l = b->current;
	uint32_t symbol = a->symbols.of_kind[kind];
	bool call = a->symbols.list[symbol].kind == NODE_MPI && symbol != SYMBOL_TRACER;

	if (UNLIKELY(b->over))
		return true;
	l->states_seen |= call;
	if (UNLIKELY(!call || l->open == OPEN_MPI))
		return process_build_goes_on(b, enter_odd(&a->symbols, l, symbol));
	l->began = b->clocks.time;
	l->began_record = (uint32_t)(b->records - 1);
	return process_build_goes_on(b, begin_call(l, symbol));
}

static __attribute__((noinline)) bool leave_odd(const struct call_symbols *symbols, struct list_build *l, uint32_t symbol)
{
	if (l->open == OPEN_MPI) {
		if (end_inner(symbols, l, symbol))
			return true;
		if (symbol == l->outer)
			return end_call(symbols, l);
	}
	if (symbols->list[symbol].kind == NODE_USER)
		return l->clocks_only || end_user(l, symbol);
	if (symbol != SYMBOL_TRACER || !l->tracers)
		l->unpaired++;
	else if (--l->tracers == 0 && l->open == OPEN_TRACER)
		end_last(l);
	return true;
}

/* The collective that held its members ended with its call. */
static void end_held(struct process_build *b, struct list_build *l)
{
	b->clocks.held[l->held - 1].end = b->clocks.time;
	b->clocks.held[l->held - 1].end_record = (uint32_t)(b->records - 1);
	l->held = 0;
}

static bool record_leave(void *arg, uint32_t process, uint32_t kind)
{
	const struct call_builds *a = arg;
	struct process_build *b = &a->of[process];
	struct list_build *l = b->current;
	uint32_t symbol = a->symbols.of_kind[kind];

	if (UNLIKELY(b->over))
		return true;
	if (UNLIKELY(l->open != OPEN_MPI || symbol != l->outer || l->inside.depth)) {
		if (!process_build_goes_on(b, leave_odd(&a->symbols, l, symbol)))
			return false;
	} else if (!process_build_goes_on(b, end_call(&a->symbols, l))) {
		return false;
	}
	if (UNLIKELY(l->held) && l->open != OPEN_MPI)
		end_held(b, l);
	return true;
}

/* From this event on events are of another list. */
static bool keep_run(struct process_build *b, uint32_t number)
{
	struct event_run *runs = mem_grow(b->runs, b->run_count, &b->run_cap, sizeof *runs);

	if (!runs)
		return false;
	b->runs = runs;
	runs[b->run_count++] = (struct event_run){number, b->current};
	b->last_list = b->current;
	return true;
}

/* A clock had stepped back: the event was when its list is. */
static __attribute__((noinline)) bool keep_late(struct process_build *b, uint32_t number)
{
	struct late_event *late = mem_grow(b->late, b->late_count, &b->late_cap, sizeof *late);

	if (!late)
		return false;
	b->late = late;
	late[b->late_count++] = (struct late_event){number, b->current->now};
	return true;
}

static void make_event(struct list_build *l, uint32_t number, event_type type)
{
	if (l->last->first_event == NO_EVENT)
		l->last->first_event = number;
	l->made.sends += EVENT_KIND(type) == EVENT_SEND;
	l->made.receives += EVENT_KIND(type) == EVENT_RECEIVE;
	l->made.collectives += EVENT_KIND(type) == EVENT_COLLECTIVE;
}

/* Outside of any call. */
static __attribute__((noinline)) bool lone_event(const struct call_symbols *symbols, struct list_build *l, uint32_t number, event_type type)
{
	if (!begin_call(l, EVENT_KIND(type) == EVENT_SEND      ? SYMBOL_SEND
			   : EVENT_KIND(type) == EVENT_RECEIVE ? SYMBOL_RECEIVE
							       : SYMBOL_COLLECTIVE))
		return false;
	make_event(l, number, type);
	return end_call(symbols, l);
}

static bool was_loaded(const struct trace *t, uint32_t process, uint32_t number, event_type type, double time)
{
	uint32_t at = t->first[process] + number;

	return number < t->first[process + 1] - t->first[process] && EVENT_KIND(t->type[at]) == EVENT_KIND(type) && t->time[at] == time;
}

/* A send that the call which is open, or one inside of it, starts as a persistent request; a collective right in
 * that call. That is what judges the clocks. */
static bool keep_clock(const struct call_builds *a, struct process_build *b, uint32_t number, event_type type)
{
	struct list_build *l = b->current;
	unsigned traits = a->symbols.list[l->outer].traits;
	bool nested = false;

	for (uint32_t i = 0; i < l->inside.depth; i++) {
		const struct call_symbol *inner = &a->symbols.list[l->inside.list[i].symbol];

		traits |= inner->traits;
		nested |= inner->kind != NODE_USER;
	}
	if (EVENT_KIND(type) == EVENT_SEND)
		return !(traits & (MPI_STARTS | MPI_STARTS_ALL)) ||
		       process_build_goes_on(b, clocks_build_sent(&b->clocks, number, l->began_record, l->began));
	if (nested)
		return true;
	if (!process_build_goes_on(b, clocks_build_held(&b->clocks, number)))
		return false;
	l->held = b->clocks.held_count;
	return true;
}

static bool record_event(void *arg, uint32_t process, uint32_t number, event_type type, double time)
{
	const struct call_builds *a = arg;
	struct process_build *b = &a->of[process];
	struct list_build *l = b->current;

	if (UNLIKELY(b->over))
		return true;
	b->events++;
	if (a->loaded && !was_loaded(a->loaded, process, number, type, time)) {
		b->changed = true;
		return true;
	}
	if (UNLIKELY(time < l->now) && !b->clocks_only && !process_build_goes_on(b, keep_late(b, number)))
		return false;
	if (UNLIKELY(b->last_list != l) && !b->clocks_only && !process_build_goes_on(b, keep_run(b, number)))
		return false;
	if (UNLIKELY(l->open != OPEN_MPI))
		return process_build_goes_on(b, lone_event(&a->symbols, l, number, type));
	make_event(l, number, type);
	return EVENT_KIND(type) == EVENT_RECEIVE || keep_clock(a, b, number, type);
}

static bool record_empty(void *arg, uint32_t process, uint32_t number)
{
	struct process_build *b = &((struct call_builds *)arg)->of[process];

	(void)number;
	if (!b->over && b->current && b->current->held)
		b->clocks.held[b->current->held - 1].empty = true;
	return true;
}

static bool record_shift(void *arg, uint32_t process, double raw_later)
{
	struct process_build *b = &((struct call_builds *)arg)->of[process];

	return b->over || process_build_goes_on(b, clocks_build_step(&b->clocks, b->events, (uint32_t)b->records, raw_later));
}

static bool record_clock(void *arg, uint32_t process, double low, double high)
{
	struct process_build *b = &((struct call_builds *)arg)->of[process];

	return b->over || !process || process_build_goes_on(b, clocks_build_seen(&b->clocks, b->events, low, high));
}

static bool record_root(void *arg, uint32_t process, uint32_t number, uint32_t root)
{
	struct process_build *b = &((struct call_builds *)arg)->of[process];
	struct known_root *roots;

	if (b->over)
		return true;
	roots = mem_grow(b->roots, b->root_count, &b->root_cap, sizeof *roots);
	if (!roots)
		return false;
	b->roots = roots;
	roots[b->root_count++] = (struct known_root){number, root == process};
	return true;
}

static bool record_begun(void *arg, uint32_t process, uint32_t number, uint32_t request, uint32_t count)
{
	const struct call_builds *a = arg;
	struct process_build *b = &a->of[process];
	struct list_build *l = b->current;
	bool collective = number != MAKE_NO_NUMBER;
	unsigned traits;

	if (b->over || l->open != OPEN_MPI)
		return true;
	traits = a->symbols.list[l->outer].traits;
	if (!(traits & (MPI_POSTS_RECEIVE | MPI_STARTS | MPI_STARTS_ALL | MPI_NONBLOCKING_COLLECTIVE)))
		return true;
	/* Within MPI_Start only what is told there says that it is numbered. */
	l->made.numbered = l->made.numbered || traits & (MPI_POSTS_RECEIVE | MPI_NONBLOCKING_COLLECTIVE) || request;
	if (!request || !count || (traits & MPI_NONBLOCKING_COLLECTIVE && !collective))
		return true;
	l->made.numbered_posts++;
	l->made.numbered_collectives += collective;
	return process_build_goes_on(b, call_posts_add(&b->posts, (struct call_post){.request = request, .count = count, .call = l->count - 1,
								    .event = collective ? number : NO_EVENT, .list = l}));
}

static bool keep_completion(struct process_build *b, struct completion c)
{
	struct completion *list = mem_grow(b->completions, b->completion_count, &b->completion_cap, sizeof *list);

	if (!list)
		return false;
	b->completions = list;
	list[b->completion_count++] = c;
	return true;
}

static bool record_completed(void *arg, uint32_t process, uint32_t request, bool message)
{
	const struct call_builds *a = arg;
	struct process_build *b = &a->of[process];
	struct list_build *l = b->current;
	struct call_post post;

	if (b->over || l->open != OPEN_MPI)
		return true;
	l->made.numbered_receives += message;
	/* What is freed or cancelled has no message; what is found complete elsewhere was so at a time that is not
	 * known. */
	if (!call_posts_take(&b->posts, request, &post))
		return true;
	l->made.completed = true;
	if (!(a->symbols.list[l->outer].traits & MPI_COMPLETES) ||
	    (post.event == NO_EVENT) != message)
		return true;
	if (post.list == l && !overlap_pending(&l->overlap, post.call, l->count - 1))
		return process_build_goes_on(b, false);
	return message || process_build_goes_on(b, keep_completion(b, (struct completion){l, l->count - 1, post.event}));
}

/* Of the outermost call, once: within it nobody waits but in it. */
static bool record_gathering(void *arg, uint32_t process, uint32_t comm, uint32_t number)
{
	struct process_build *b = &((struct call_builds *)arg)->of[process];
	struct list_build *l = b->current;
	struct list_gathered *gathered;

	if (b->over || l->open != OPEN_MPI || l->inside.depth)
		return true;
	gathered = mem_grow(b->gathered, b->gathered_count, &b->gathered_cap, sizeof *gathered);
	if (!gathered)
		return process_build_goes_on(b, false);
	b->gathered = gathered;
	gathered[b->gathered_count++] = (struct list_gathered){l, l->count - 1, comm, number};
	return true;
}

static bool record_neighbour(void *arg, uint32_t process, uint32_t comm, uint32_t from)
{
	struct process_build *b = &((struct call_builds *)arg)->of[process];
	struct neighbour *neighbours;

	if (b->over)
		return true;
	neighbours = mem_grow(b->neighbours, b->neighbour_count, &b->neighbour_cap, sizeof *neighbours);
	if (!neighbours)
		return process_build_goes_on(b, false);
	b->neighbours = neighbours;
	neighbours[b->neighbour_count++] = (struct neighbour){process, comm, from};
	return true;
}

static bool record_cpu(void *arg, uint32_t process, int32_t thread, double seconds)
{
	struct list_build *l = thread_find(&((struct call_builds *)arg)->of[process].lists, thread);

	if (l)
		l->cpu = seconds;
	return true;
}

/* ---- all processes ---- */

static void release_all(struct call_builds *b)
{
	for (uint32_t p = 0; b->of && p < b->process_count; p++)
		process_build_release(&b->of[p]);
	mem_free(b->of);
	b->of = NULL;
}

/* Files that have changed may have more processes than were loaded. */
static bool call_builds_begin(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count)
{
	struct call_builds *b = arg;
	const struct trace *t = b->loaded;

	release_all(b);
	b->process_count = processes;
	b->of = mem_zero(processes, sizeof *b->of);
	for (uint32_t p = 0; b->of && p < processes; p++) {
		b->of[p].clocks_only = b->clocks_only;
		b->of[p].over = t && p >= t->process_count;
		b->of[p].most = t && t->file_count && !b->of[p].over ? t->processes[p].records : UINT64_MAX;
	}
	return b->of && call_symbols_make(&b->symbols, b->names, kinds, count);
}

void call_builds_init(struct call_builds *b, struct arena *names, const struct trace *loaded)
{
	*b = (struct call_builds){.names = names, .loaded = loaded};
}

void call_builds_release(struct call_builds *b)
{
	release_all(b);
	call_symbols_release(&b->symbols);
}

struct make_watch call_builds_watch(struct call_builds *b)
{
	if (b->clocks_only)
		return (struct make_watch){.arg = b, .begin = call_builds_begin, .record = record_next, .enter = record_enter, .leave = record_leave,
					   .event = record_event, .empty = record_empty, .shift = record_shift, .clock = record_clock};
	return (struct make_watch){.arg = b, .begin = call_builds_begin, .record = record_next, .enter = record_enter, .leave = record_leave,
				   .event = record_event, .root = record_root, .begun = record_begun, .completed = record_completed, .gathering = record_gathering, .neighbour = record_neighbour,
				   .cpu = record_cpu, .empty = record_empty, .shift = record_shift, .clock = record_clock};
}

static bool list_build_finish(const struct call_symbols *symbols, struct list_build *l)
{
	enum open_call open = l->open;

	l->unpaired += l->tracers + (open == OPEN_MPI);
	l->tracers = 0;
	l->without_end = open != OPEN_NONE;
	if (open == OPEN_MPI && !end_call(symbols, l))
		return false;
	if (open == OPEN_TRACER)
		end_last(l);
	if (open == OPEN_NONE)
		build_flush_useful(l);
	for (uint32_t i = 0; i < l->users.depth; i++) {
		const struct open_state *state = &l->users.list[i];

		if (state->counted)
			l->tree.nodes[state->node].unfinished++;
	}
	return true;
}

bool call_builds_finish(struct call_builds *b)
{
	for (uint32_t p = 0; p < b->process_count; p++) {
		struct thread_list *lists = &b->of[p].lists;

		thread_sort(lists);
		for (uint32_t i = 0; i < lists->count; i++)
			if (!list_build_finish(&b->symbols, lists->list[i].of))
				return false;
	}
	return true;
}

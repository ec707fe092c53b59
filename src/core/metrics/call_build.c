#include "call_build.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/trace/trace_make.h"
#include "mpi_functions.h"

#define DEEPEST_STATE 256

void process_build_init(struct process_build *b, const struct trace *t, const struct call_symbols *symbols, uint32_t process,
			uint32_t *call_of)
{
	*b = (struct process_build){.trace = t, .symbols = symbols, .process = process, .call_of = call_of,
				    .most = t->file_count ? t->processes[process].records : UINT64_MAX};
}

static void list_release(struct list_build *l)
{
	mem_free(l->calls);
	mem_free(l->users.list);
	mem_free(l->inside.list);
	mem_free(l->pieces);
	overlap_release(&l->overlap);
	call_tree_release(&l->tree);
	mem_free(l);
}

void process_build_release(struct process_build *b)
{
	for (struct list_build *l = b->lists, *next; l; l = next) {
		next = l->next;
		list_release(l);
	}
	mem_free(b->runs);
	mem_free(b->roots);
	mem_free(b->late);
	mem_free(b->completions);
	call_posts_release(&b->posts);
	b->lists = b->current = NULL;
	b->runs = NULL;
	b->roots = NULL;
	b->late = NULL;
	b->completions = NULL;
}

/* ---- calls ---- */

/* Useful time until now is the topmost state's. */
static void flush(struct list_build *l)
{
	if (l->now > l->since)
		l->tree.nodes[l->top].useful += l->now - l->since;
}

static bool append_call(struct list_build *l, uint32_t symbol)
{
	struct logged_call *calls = mem_grow(l->calls, l->count, &l->cap, sizeof *calls);
	uint32_t node;

	if (!calls)
		return false;
	l->calls = calls;
	node = call_tree_child(&l->tree, l->top, symbol);
	if (node == NO_NODE)
		return false;
	l->tree.nodes[node].count++;
	calls[l->count++] = (struct logged_call){l->now, l->now, node, NO_EVENT};
	return true;
}

static bool begin_call(struct list_build *l, uint32_t symbol)
{
	if (l->open == OPEN_TRACER)
		l->calls[l->count - 1].end = l->now;
	else
		flush(l);
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
static void end_inside(const struct process_build *b, struct list_build *l)
{
	for (uint32_t i = 0; i < l->inside.depth; i++)
		l->unpaired += b->symbols->list[l->inside.list[i].symbol].kind != NODE_USER;
	l->inside.depth = 0;
}

static void end_last(struct list_build *l)
{
	l->calls[l->count - 1].end = l->now;
	l->since = l->now;
	l->open = OPEN_NONE;
}

static bool end_call(const struct process_build *b, struct list_build *l)
{
	end_inside(b, l);
	end_last(l);
	if (!overlap_call(&l->overlap, l->count - 1, b->symbols->list[l->outer].traits, l->made))
		return false;
	return !l->tracers || begin_tracer(l);
}

/* ---- states ---- */

static bool push(struct open_states *s, struct open_state state)
{
	struct open_state *list = mem_grow(s->list, s->depth, &s->cap, sizeof *list);

	if (!list)
		return false;
	s->list = list;
	list[s->depth++] = state;
	return true;
}

/* The topmost one of that symbol, counted from 1; 0: there is none. */
static uint32_t find(const struct open_states *s, uint32_t symbol)
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
		flush(l);
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
	return push(&l->users, (struct open_state){symbol, node, counted}) && change_top(l, node);
}

static bool end_user(struct list_build *l, uint32_t symbol)
{
	uint32_t depth = find(&l->users, symbol);

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
static bool end_inner(const struct process_build *b, struct list_build *l, uint32_t symbol)
{
	uint32_t depth = find(&l->inside, symbol), kept = depth;

	if (!depth)
		return false;
	if (b->symbols->list[symbol].kind != NODE_USER) {
		for (uint32_t i = depth; i < l->inside.depth; i++) {
			if (b->symbols->list[l->inside.list[i].symbol].kind == NODE_USER)
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
	struct list_build *l = mem_zero(1, sizeof *l), **at = &b->lists;

	if (!l)
		return NULL;
	*l = (struct list_build){.thread = thread, .start = time, .now = time, .since = time, .cpu = NAN};
	if (!call_tree_init(&l->tree)) {
		list_release(l);
		return NULL;
	}
	while (*at && (*at)->thread < thread)
		at = &(*at)->next;
	l->next = *at;
	*at = l;
	return l;
}

static struct list_build *find_list(const struct process_build *b, int32_t thread)
{
	struct list_build *l = b->lists;

	while (l && l->thread != thread)
		l = l->next;
	return l;
}

bool process_build_record(struct process_build *b, int32_t thread, double time)
{
	struct list_build *l = b->current;

	b->records++;
	if (b->over || b->records > b->most) {
		b->over = true;
		return true;
	}
	if (!l || l->thread != thread)
		l = find_list(b, thread);
	if (!l)
		l = new_list(b, thread, time);
	b->current = l;
	if (!l)
		return false;
	if (time > l->now)
		l->now = time;
	return true;
}

bool process_build_enter(struct process_build *b, uint32_t symbol)
{
	struct list_build *l = b->current;
	const struct call_symbol *s = &b->symbols->list[symbol];

	if (b->over)
		return true;
	if (!l)
		return false; /* there was no memory for it */
	if (s->kind == NODE_MPI && symbol != SYMBOL_TRACER)
		l->states_seen = true;
	if (l->open == OPEN_MPI)
		return push(&l->inside, (struct open_state){symbol, 0, false});
	if (s->kind == NODE_USER)
		return begin_user(l, symbol);
	if (symbol != SYMBOL_TRACER)
		return begin_call(l, symbol);
	l->tracers++;
	if (l->open == OPEN_TRACER)
		return true;
	flush(l);
	return begin_tracer(l);
}

bool process_build_leave(struct process_build *b, uint32_t symbol)
{
	struct list_build *l = b->current;

	if (b->over)
		return true;
	if (!l)
		return false; /* there was no memory for it */
	if (l->open == OPEN_MPI) {
		if (end_inner(b, l, symbol))
			return true;
		if (symbol == l->outer)
			return end_call(b, l);
	}
	if (b->symbols->list[symbol].kind == NODE_USER)
		return end_user(l, symbol);
	if (symbol != SYMBOL_TRACER || !l->tracers)
		l->unpaired++;
	else if (--l->tracers == 0 && l->open == OPEN_TRACER)
		end_last(l);
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
	return true;
}

static bool keep_late(struct process_build *b, uint32_t number)
{
	struct late_event *late = mem_grow(b->late, b->late_count, &b->late_cap, sizeof *late);

	if (!late)
		return false;
	b->late = late;
	late[b->late_count++] = (struct late_event){number, b->current->now};
	return true;
}

static void make_event(struct process_build *b, uint32_t number, event_type type)
{
	struct list_build *l = b->current;
	struct logged_call *call = &l->calls[l->count - 1];

	b->call_of[number] = l->count - 1;
	if (call->first_event == NO_EVENT)
		call->first_event = number;
	l->made.sends += EVENT_KIND(type) == EVENT_SEND;
	l->made.receives += EVENT_KIND(type) == EVENT_RECEIVE;
	l->made.collectives += EVENT_KIND(type) == EVENT_COLLECTIVE;
}

bool process_build_event(struct process_build *b, uint32_t number, event_type type, double time)
{
	const struct trace *t = b->trace;
	struct list_build *l = b->current;
	uint32_t event = t->first[b->process] + number;

	if (b->over)
		return true;
	if (!l)
		return false; /* there was no memory for it */
	b->events++;
	if (number >= t->first[b->process + 1] - t->first[b->process] || EVENT_KIND(t->type[event]) != EVENT_KIND(type) ||
	    t->time[event] != time) {
		b->changed = true;
		return true;
	}
	if (time < l->now && !keep_late(b, number))
		return false;
	if ((!b->run_count || b->runs[b->run_count - 1].list != l) && !keep_run(b, number))
		return false;
	if (l->open == OPEN_MPI) {
		make_event(b, number, type);
		return true;
	}
	if (!begin_call(l, EVENT_KIND(type) == EVENT_SEND      ? SYMBOL_SEND
			   : EVENT_KIND(type) == EVENT_RECEIVE ? SYMBOL_RECEIVE
							       : SYMBOL_COLLECTIVE))
		return false;
	make_event(b, number, type);
	return end_call(b, l);
}

bool process_build_root(struct process_build *b, uint32_t number, bool own)
{
	struct known_root *roots = b->over ? b->roots : mem_grow(b->roots, b->root_count, &b->root_cap, sizeof *roots);

	if (b->over)
		return true;
	if (!roots)
		return false;
	b->roots = roots;
	roots[b->root_count++] = (struct known_root){number, own};
	return true;
}

bool process_build_begun(struct process_build *b, uint32_t number, uint32_t request, uint32_t count)
{
	struct list_build *l = b->current;
	bool collective = number != MAKE_NO_NUMBER;
	unsigned traits;

	if (b->over || !l || l->open != OPEN_MPI)
		return true;
	traits = b->symbols->list[l->outer].traits;
	if (!(traits & (MPI_POSTS_RECEIVE | MPI_STARTS | MPI_STARTS_ALL | MPI_NONBLOCKING_COLLECTIVE)))
		return true;
	/* Within MPI_Start only what is told there says that it is numbered. */
	l->made.numbered = l->made.numbered || traits & (MPI_POSTS_RECEIVE | MPI_NONBLOCKING_COLLECTIVE) || request;
	if (!request || !count || (traits & MPI_NONBLOCKING_COLLECTIVE && !collective))
		return true;
	l->made.numbered_posts++;
	l->made.numbered_collectives += collective;
	return call_posts_add(&b->posts, (struct call_post){.request = request, .count = count, .call = l->count - 1,
							    .event = collective ? number : NO_EVENT, .list = l});
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

bool process_build_completed(struct process_build *b, uint32_t request, bool message)
{
	struct list_build *l = b->current;
	struct call_post post;

	if (b->over || !l || l->open != OPEN_MPI)
		return true;
	l->made.numbered_receives += message;
	/* What is freed or cancelled has no message; what is found complete elsewhere was so at a time that is not known. */
	if (!call_posts_take(&b->posts, request, &post) || !(b->symbols->list[l->outer].traits & MPI_COMPLETES) ||
	    (post.event == NO_EVENT) != message)
		return true;
	if (post.list == l && !overlap_pending(&l->overlap, post.call, l->count - 1))
		return false;
	return message || keep_completion(b, (struct completion){l, l->count - 1, post.event});
}

void process_build_cpu(struct process_build *b, int32_t thread, double seconds)
{
	struct list_build *l = find_list(b, thread);

	if (l)
		l->cpu = seconds;
}

bool process_build_finish(struct process_build *b)
{
	for (struct list_build *l = b->lists; l; l = l->next) {
		enum open_call open = l->open;

		l->unpaired += l->tracers + (open == OPEN_MPI);
		l->tracers = 0;
		l->without_end = open != OPEN_NONE;
		if (open == OPEN_MPI && !end_call(b, l))
			return false;
		if (open == OPEN_TRACER)
			end_last(l);
		if (open == OPEN_NONE)
			flush(l);
		for (uint32_t i = 0; i < l->users.depth; i++) {
			const struct open_state *state = &l->users.list[i];

			if (state->counted)
				l->tree.nodes[state->node].unfinished++;
		}
	}
	return true;
}

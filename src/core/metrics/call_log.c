#include "call_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call_build.h"
#include "core/formats/load.h"
#include "core/io/source.h"
#include "core/trace/trace_make.h"
#include "mpi_functions.h"

struct making {
	struct call_log *log;
	const struct trace *trace;
	struct call_symbols symbols;
	uint32_t *symbol_of;     /* per kind of state */
	struct process_build *builds; /* per process */
	const struct job *job;
};

/* ---- names ---- */

static bool add_symbol(struct making *m, struct call_symbol symbol)
{
	struct call_symbol *list = mem_grow(m->symbols.list, m->symbols.count, &m->symbols.cap, sizeof *list);

	if (!list)
		return false;
	m->symbols.list = list; /* the old one is gone, whatever comes */
	symbol.name = arena_strndup(&m->log->arena, symbol.name, strlen(symbol.name));
	if (!symbol.name)
		return false;
	list[m->symbols.count++] = symbol;
	return true;
}

static bool add_fixed_symbols(struct making *m)
{
	m->symbols.count = 0;
	return add_symbol(m, (struct call_symbol){"(program)", NODE_PROGRAM, ACCOUNT_USEFUL, 0}) &&
	       add_symbol(m, (struct call_symbol){"(tracer)", NODE_MPI, ACCOUNT_TRACER, 0}) &&
	       add_symbol(m, (struct call_symbol){"(no call)", NODE_MPI, ACCOUNT_SEND, 0}) &&
	       add_symbol(m, (struct call_symbol){"(no call)", NODE_MPI, ACCOUNT_RECEIVE, 0}) &&
	       add_symbol(m, (struct call_symbol){"(no call)", NODE_MPI, ACCOUNT_COLLECTIVE, 0});
}

static enum account_kind account_of(const struct make_kind *kind, unsigned traits)
{
	if (traits & MPI_PCONTROL)
		return ACCOUNT_UNTRACED;
	switch (kind->time) {
	case TIME_SEND:
		return ACCOUNT_SEND;
	case TIME_RECEIVE:
		return ACCOUNT_RECEIVE;
	case TIME_WAIT:
		return ACCOUNT_WAIT;
	case TIME_COLLECTIVE:
		return ACCOUNT_COLLECTIVE;
	default:
		return ACCOUNT_OTHER_MPI;
	}
}

/* Kinds of one name are one symbol. */
struct named_kind {
	struct call_symbol symbol;
	uint32_t kind;
};

static int compare_named(const void *a, const void *b)
{
	const struct named_kind *x = a, *y = b;
	int order = strcmp(x->symbol.name, y->symbol.name);

	if (order || x->symbol.kind == y->symbol.kind)
		return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
	return x->symbol.kind < y->symbol.kind ? -1 : 1;
}

static bool name_sorted(struct making *m, const struct named_kind *named, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct call_symbol *symbol = &named[i].symbol;

		if (symbol->time == ACCOUNT_TRACER) {
			m->symbol_of[named[i].kind] = SYMBOL_TRACER;
			continue;
		}
		if (!i || strcmp(symbol->name, named[i - 1].symbol.name) || symbol->kind != named[i - 1].symbol.kind)
			if (!add_symbol(m, *symbol))
				return false;
		m->symbol_of[named[i].kind] = m->symbols.count - 1;
	}
	return true;
}

static bool name_kinds(struct making *m, const struct make_kind *kinds, uint32_t count)
{
	struct named_kind *named = mem_alloc(count, sizeof *named);
	bool done;

	mem_free(m->symbol_of);
	m->symbol_of = mem_zero(count, sizeof *m->symbol_of);
	for (uint32_t k = 0; named && k < count; k++) {
		const struct make_kind *kind = &kinds[k];
		unsigned traits = kind->total.mpi ? mpi_traits(kind->total.name) : 0;

		named[k] = (struct named_kind){{kind->total.name, kind->total.mpi || kind->tracer ? NODE_MPI : NODE_USER,
						kind->tracer ? ACCOUNT_TRACER : account_of(kind, traits), traits}, k};
	}
	if (named && count)
		qsort(named, count, sizeof *named, compare_named);
	done = named && m->symbol_of && add_fixed_symbols(m) && name_sorted(m, named, count);
	mem_free(named);
	return done;
}

/* ---- reading ---- */

static void release_builds(struct making *m)
{
	for (uint32_t p = 0; m->builds && p < m->trace->process_count; p++)
		process_build_release(&m->builds[p]);
}

static bool begin(void *arg, const struct make_kind *kinds, uint32_t count)
{
	struct making *m = arg;
	const struct trace *t = m->trace;

	release_builds(m);
	for (uint32_t p = 0; p < t->process_count; p++)
		process_build_init(&m->builds[p], t, &m->symbols, p, m->log->call_of + t->first[p]);
	memset(m->log->call_of, 0xff, (size_t)t->event_count * sizeof *m->log->call_of);
	return name_kinds(m, kinds, count);
}

/* Files that have changed may have more processes. */
static struct process_build *build_of(void *arg, uint32_t process)
{
	const struct making *m = arg;

	return process < m->trace->process_count ? &m->builds[process] : NULL;
}

/* Without memory what is open is not what it should be: the rest of the block, which is still told, is not looked at. */
static bool told(struct process_build *b, bool done)
{
	if (!done)
		b->over = true;
	return done;
}

static bool tell_record(void *arg, uint32_t process, int32_t thread, double time)
{
	struct process_build *b = build_of(arg, process);

	return !b || told(b, process_build_record(b, thread, time));
}

static bool tell_enter(void *arg, uint32_t process, uint32_t kind)
{
	struct process_build *b = build_of(arg, process);

	return !b || told(b, process_build_enter(b, ((const struct making *)arg)->symbol_of[kind]));
}

static bool tell_leave(void *arg, uint32_t process, uint32_t kind)
{
	struct process_build *b = build_of(arg, process);

	return !b || told(b, process_build_leave(b, ((const struct making *)arg)->symbol_of[kind]));
}

static bool tell_event(void *arg, uint32_t process, uint32_t number, event_type type, double time)
{
	struct process_build *b = build_of(arg, process);

	return !b || told(b, process_build_event(b, number, type, time));
}

static bool tell_root(void *arg, uint32_t process, uint32_t number, uint32_t root)
{
	struct process_build *b = build_of(arg, process);

	return !b || process_build_root(b, number, root == process);
}

static bool tell_begun(void *arg, uint32_t process, uint32_t number, uint32_t request, uint32_t count)
{
	struct process_build *b = build_of(arg, process);

	return !b || told(b, process_build_begun(b, number, request, count));
}

static bool tell_completed(void *arg, uint32_t process, uint32_t request, bool message)
{
	struct process_build *b = build_of(arg, process);

	return !b || told(b, process_build_completed(b, request, message));
}

static bool tell_cpu(void *arg, uint32_t process, int32_t thread, double seconds)
{
	struct process_build *b = build_of(arg, process);

	if (b)
		process_build_cpu(b, thread, seconds);
	return true;
}

/* Is what was read what was loaded? */
static bool is_same(const struct making *m, const struct trace *again)
{
	const struct trace *t = m->trace;

	if (again->process_count != t->process_count)
		return false;
	for (uint32_t p = 0; p < t->process_count; p++) {
		const struct process_build *b = &m->builds[p];

		if (b->changed || b->events != t->first[p + 1] - t->first[p] || b->records < t->processes[p].records ||
		    (b->over && !t->partial))
			return false;
	}
	return true;
}

static enum err_code read_files(struct making *m, const struct source *sources, uint32_t count, struct err *e)
{
	struct make_watch watch = {.arg = m, .begin = begin, .record = tell_record, .enter = tell_enter, .leave = tell_leave,
				   .event = tell_event, .root = tell_root, .begun = tell_begun, .completed = tell_completed,
				   .cpu = tell_cpu};
	struct trace_options options = {m->trace->threads};
	struct trace *again;
	enum err_code code = trace_load_watched(&again, sources, count, &options, &watch, m->job, e);

	if (code)
		return code;
	if (!is_same(m, again))
		code = err_set(e, ERR_IO, "the trace's files have changed since they were loaded; load them again");
	trace_free(again);
	return code;
}

/* A trace that was not loaded from files is its events, outside of any call. */
static enum err_code take_events(struct making *m, struct err *e)
{
	const struct trace *t = m->trace;
	bool done = begin(m, NULL, 0);

	for (uint32_t p = 0; done && p < t->process_count; p++) {
		struct process_build *b = &m->builds[p];

		for (uint32_t ev = t->first[p]; done && ev < t->first[p + 1]; ev++) {
			if ((ev & 0xffff) == 0 && job_stopped(m->job))
				return err_set(e, ERR_CANCELLED, "stopped while reading the calls");
			done = process_build_record(b, 0, t->time[ev]) &&
			       process_build_event(b, ev - t->first[p], t->type[ev], t->time[ev]);
		}
	}
	return done ? ERR_OK : err_memory(e, "the trace's calls");
}

/* ---- one log of all processes ---- */

struct merging {
	struct making *m;
	struct call_tree tree;
	uint32_t *node_of;       /* per node of a list: of the log */
	size_t stay_cap, piece_cap, completed_cap, late_cap;
};

static enum err_code count_all(struct making *m, struct err *e)
{
	struct call_log *log = m->log;
	uint64_t calls = 0, lists = 0;

	for (uint32_t p = 0; p < m->trace->process_count; p++)
		for (const struct list_build *l = m->builds[p].lists; l; l = l->next) {
			lists++;
			calls += l->count;
		}
	if (calls >= NO_LOGGED_CALL || lists >= NO_LOGGED_CALL)
		return err_set(e, ERR_LIMIT, "the trace has more than %u calls", NO_LOGGED_CALL - 1);
	log->lists = mem_zero(lists, sizeof *log->lists);
	log->list_first = mem_zero((size_t)m->trace->process_count + 1, sizeof *log->list_first);
	log->calls = mem_alloc(calls, sizeof *log->calls);
	log->flags = mem_zero(calls, sizeof *log->flags);
	return log->lists && log->list_first && log->calls && log->flags ? ERR_OK : err_memory(e, "the trace's calls");
}

static bool merge_nodes(struct merging *g, const struct list_build *l, bool account)
{
	uint32_t *node_of = mem_resize(g->node_of, l->tree.count, sizeof *node_of);

	if (!node_of)
		return false;
	g->node_of = node_of;
	node_of[0] = 0;
	for (uint32_t n = 1; n < l->tree.count; n++) {
		const struct tree_node *node = &l->tree.nodes[n];

		node_of[n] = call_tree_child(&g->tree, node_of[node->parent], node->symbol);
		if (node_of[n] == NO_NODE)
			return false;
		if (account) {
			g->tree.nodes[node_of[n]].count += node->count;
			g->tree.nodes[node_of[n]].unfinished += node->unfinished;
		}
	}
	return true;
}

static void merge_calls(struct merging *g, const struct process_build *b, const struct list_build *l, struct call_list *list)
{
	struct call_log *log = g->m->log;

	for (uint32_t c = 0; c < l->count; c++) {
		struct logged_call call = l->calls[c];

		call.node = g->node_of[call.node];
		if (call.first_event != NO_EVENT)
			call.first_event += log->trace->first[b->process];
		log->calls[list->first + c] = call;
		if (list->account && g->m->symbols.list[g->tree.nodes[call.node].symbol].time == ACCOUNT_UNTRACED)
			log->untraced += call.end - call.start;
	}
	if (l->without_end)
		log->flags[list->end - 1] |= CALL_WITHOUT_END;
}

/* Give the hidden time before calls to the states that were topmost in it. */
static void spread_hidden(const struct call_log *log, struct list_build *l, const struct call_list *list)
{
	uint32_t piece = 0;

	for (uint32_t c = 0; c < l->count; c++) {
		double from = c ? l->calls[c - 1].end : l->start;
		bool hidden = log->flags[list->first + c] & CALL_HIDDEN_BEFORE;

		for (; piece < l->piece_count && l->pieces[piece].call <= c; piece++) {
			const struct useful_piece *p = &l->pieces[piece];

			if (hidden)
				l->tree.nodes[p->node].hidden += p->until - from;
			from = p->until;
		}
		if (hidden)
			l->tree.nodes[l->tree.nodes[l->calls[c].node].parent].hidden += l->calls[c].start - from;
	}
}

static bool merge_pieces(struct merging *g, const struct list_build *l, struct call_list *list)
{
	struct call_log *log = g->m->log;

	list->first_piece = log->piece_count;
	for (uint32_t i = 0; i < l->piece_count; i++) {
		const struct useful_piece *p = &l->pieces[i];
		struct useful_piece *pieces = mem_grow(log->pieces, log->piece_count, &g->piece_cap, sizeof *pieces);

		if (!pieces)
			return false;
		log->pieces = pieces;
		pieces[log->piece_count++] = (struct useful_piece){p->until, list->first + p->call, g->node_of[p->node]};
	}
	list->end_piece = log->piece_count;
	list->last_node = g->node_of[l->top];
	return true;
}

static int compare_stays(const void *a, const void *b)
{
	uint32_t x = ((const struct node_stay *)a)->node, y = ((const struct node_stay *)b)->node;

	return x < y ? -1 : x > y;
}

static bool merge_stays(struct merging *g, uint32_t process, const struct list_build *l)
{
	struct call_log *log = g->m->log;
	uint32_t first = log->stay_count;

	for (uint32_t n = 0; n < l->tree.count; n++) {
		const struct tree_node *node = &l->tree.nodes[n];
		struct node_stay *stays;

		if (!(node->useful > 0))
			continue;
		stays = mem_grow(log->stays, log->stay_count, &g->stay_cap, sizeof *stays);
		if (!stays)
			return false;
		log->stays = stays;
		stays[log->stay_count++] = (struct node_stay){process, g->node_of[n], node->useful, node->hidden};
	}
	if (log->stay_count > first)
		qsort(log->stays + first, log->stay_count - first, sizeof *log->stays, compare_stays);
	return true;
}

static bool merge_list(struct merging *g, const struct process_build *b, struct list_build *l)
{
	struct call_log *log = g->m->log;
	struct call_list *list = &log->lists[log->list_count++];

	*list = (struct call_list){.process = b->process, .thread = l->thread, .first = log->call_count,
				   .end = log->call_count + l->count, .start = l->start, .stop = l->now,
				   .account = l == b->lists, .cpu = log->trace->partial ? NAN : l->cpu, .known = l->overlap.known};
	log->call_count = list->end;
	log->unpaired += l->unpaired;
	log->too_deep += l->too_deep;
	log->states_seen = log->states_seen || l->states_seen;
	log->users_seen = log->users_seen || l->users_seen;
	if (!merge_nodes(g, l, list->account))
		return false;
	merge_calls(g, b, l, list);
	overlap_mark(&l->overlap, log->flags + list->first, l->count);
	spread_hidden(log, l, list);
	if (!merge_pieces(g, l, list))
		return false;
	return !list->account || merge_stays(g, b->process, l);
}

/* Events know the numbers of their calls within their lists. */
static void merge_events(struct call_log *log, const struct process_build *b)
{
	uint32_t *call_of = log->call_of + log->trace->first[b->process];

	for (uint32_t r = 0; r < b->run_count; r++) {
		uint32_t end = r + 1 < b->run_count ? b->runs[r + 1].event : b->events, list = log->list_first[b->process];

		for (const struct list_build *l = b->lists; l != b->runs[r].list; l = l->next)
			list++;
		for (uint32_t ev = b->runs[r].event; ev < end; ev++)
			if (call_of[ev] != NO_LOGGED_CALL)
				call_of[ev] += log->lists[list].first;
	}
}

static unsigned traits_of(const struct merging *g, uint32_t call)
{
	return g->m->symbols.list[g->tree.nodes[g->m->log->calls[call].node].symbol].traits;
}

/* After merge_events(). */
static void merge_roots(const struct merging *g, const struct process_build *b)
{
	struct call_log *log = g->m->log;
	uint32_t first = log->trace->first[b->process], call;

	for (uint32_t i = 0; i < b->root_count; i++) {
		if (b->roots[i].event >= log->trace->first[b->process + 1] - first)
			continue;
		call = log->call_of[first + b->roots[i].event];
		/* Of several that MPI_Startall begins, a flag of the call could not tell whose it is. */
		if (call != NO_LOGGED_CALL && !(traits_of(g, call) & MPI_STARTS_ALL))
			log->flags[call] |= (uint8_t)(CALL_ROOT_KNOWN | (b->roots[i].own ? CALL_ROOT : 0));
	}
}

static int compare_completed(const void *a, const void *b)
{
	const struct completed_collective *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static bool merge_late(struct merging *g, const struct process_build *b)
{
	struct call_log *log = g->m->log;

	for (uint32_t i = 0; i < b->late_count; i++) {
		struct late_event *late = mem_grow(log->late, log->late_count, &g->late_cap, sizeof *late);

		if (!late)
			return false;
		log->late = late;
		late[log->late_count++] = (struct late_event){log->trace->first[b->process] + b->late[i].event, b->late[i].time};
	}
	return true;
}

/* After merge_events(). */
static bool merge_completions(struct merging *g, const struct process_build *b)
{
	struct call_log *log = g->m->log;
	const struct trace *t = log->trace;
	uint32_t first = log->completed_count;

	for (uint32_t i = 0; i < b->completion_count; i++) {
		const struct completion *c = &b->completions[i];
		uint32_t event = t->first[b->process] + c->event, list = log->list_first[b->process];
		struct completed_collective *completed;

		if (c->event >= t->first[b->process + 1] - t->first[b->process] || log->call_of[event] == NO_LOGGED_CALL)
			continue;
		completed = mem_grow(log->completed, log->completed_count, &g->completed_cap, sizeof *completed);
		if (!completed)
			return false;
		log->completed = completed;
		for (const struct list_build *l = b->lists; l != c->list; l = l->next)
			list++;
		completed[log->completed_count++] = (struct completed_collective){
			log->lists[list].first + c->call, event, mpi_completion_traits(t->colls[EVENT_INDEX(t->type[event])].op)};
		log->flags[log->lists[list].first + c->call] |= CALL_COMPLETES;
	}
	if (log->completed_count > first)
		qsort(log->completed + first, log->completed_count - first, sizeof *log->completed, compare_completed);
	return true;
}

static bool make_nodes(struct merging *g)
{
	struct call_log *log = g->m->log;

	log->nodes = mem_alloc(g->tree.count, sizeof *log->nodes);
	if (!log->nodes)
		return false;
	g->tree.nodes[0].count = log->trace->process_count;
	for (uint32_t n = 0; n < g->tree.count; n++) {
		const struct tree_node *node = &g->tree.nodes[n];
		const struct call_symbol *symbol = &g->m->symbols.list[node->symbol];

		log->nodes[n] = (struct call_node){node->parent, node->depth, symbol->name, symbol->kind, symbol->time,
						   symbol->traits, node->count, node->unfinished};
	}
	log->node_count = g->tree.count;
	return true;
}

static enum err_code merge(struct making *m, struct err *e)
{
	struct merging g = {.m = m};
	struct call_log *log = m->log;
	bool done = call_tree_init(&g.tree);
	enum err_code code = ERR_OK;

	for (uint32_t p = 0; done && !code && p < m->trace->process_count; p++) {
		struct process_build *b = &m->builds[p];

		if (job_stopped(m->job))
			code = err_set(e, ERR_CANCELLED, "stopped while reading the calls");
		log->list_first[p] = log->list_count;
		for (struct list_build *l = b->lists; done && l; l = l->next)
			done = merge_list(&g, b, l);
		log->list_first[p + 1] = log->list_count;
		if (done) {
			merge_events(log, b);
			merge_roots(&g, b);
			done = merge_completions(&g, b) && merge_late(&g, b);
		}
		process_build_release(b);
	}
	done = done && make_nodes(&g);
	call_tree_release(&g.tree);
	mem_free(g.node_of);
	return code ? code : done ? ERR_OK : err_memory(e, "the trace's calls");
}

/* ---- the whole ---- */

static enum err_code make_log(struct making *m, const struct source *sources, uint32_t count, struct err *e)
{
	const struct trace *t = m->trace;
	struct call_log *log = m->log;
	enum err_code code = ERR_OK;

	log->call_of = mem_alloc(t->event_count, sizeof *log->call_of);
	m->builds = mem_zero(t->process_count, sizeof *m->builds);
	if (!log->call_of || !m->builds)
		return err_memory(e, "the trace's calls");
	code = count ? read_files(m, sources, count, e) : take_events(m, e);
	for (uint32_t p = 0; !code && p < t->process_count; p++)
		if (!process_build_finish(&m->builds[p]))
			code = err_memory(e, "the trace's calls");
	if (!code)
		code = count_all(m, e);
	return code ? code : merge(m, e);
}

enum err_code call_log_new_sources(struct call_log **out, const struct trace *t, const struct source *sources, uint32_t count,
				   const struct job *job, struct err *e)
{
	struct making m = {.log = mem_zero(1, sizeof *m.log), .trace = t, .job = job};
	enum err_code code;

	*out = NULL;
	if (!m.log)
		return err_memory(e, "the trace's calls");
	m.log->trace = t;
	arena_init(&m.log->arena);
	code = make_log(&m, sources, count, e);
	release_builds(&m);
	mem_free(m.builds);
	mem_free(m.symbols.list);
	mem_free(m.symbol_of);
	if (code) {
		call_log_free(m.log);
		return code;
	}
	*out = m.log;
	return ERR_OK;
}

enum err_code call_log_new(struct call_log **out, const struct trace *t, const struct job *job, struct err *e)
{
	struct source *sources = mem_zero(t->file_count, sizeof *sources);
	uint32_t opened = 0;
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!sources)
		return err_memory(e, "the trace's files");
	while (!code && opened < t->file_count) {
		code = source_open_file(&sources[opened], t->files[opened].path, e);
		opened += !code;
	}
	if (!code)
		code = call_log_new_sources(out, t, sources, t->file_count, job, e);
	while (opened > 0)
		source_release(&sources[--opened]);
	mem_free(sources);
	return code;
}

void call_log_free(struct call_log *log)
{
	if (!log)
		return;
	arena_release(&log->arena);
	mem_free(log->lists);
	mem_free(log->list_first);
	mem_free(log->calls);
	mem_free(log->flags);
	mem_free(log->call_of);
	mem_free(log->completed);
	mem_free(log->late);
	mem_free(log->nodes);
	mem_free(log->stays);
	mem_free(log->pieces);
	mem_free(log);
}

/* ---- asking ---- */

enum root_role call_log_root_role(const struct call_log *log, unsigned traits, uint32_t post)
{
	unsigned flags = log->flags[post];

	if (!(flags & CALL_ROOT_KNOWN))
		return ROOT_UNKNOWN;
	if (traits & MPI_FROM_ROOT)
		return flags & CALL_ROOT ? ROOT_FOR_NONE : ROOT_FOR_ROOT;
	if (traits & MPI_TO_ROOT)
		return flags & CALL_ROOT ? ROOT_FOR_ALL : ROOT_FOR_NONE;
	return ROOT_UNKNOWN;
}

struct call_part call_log_completed(const struct call_log *log, uint32_t call)
{
	uint32_t low = 0, high = log->completed_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (log->completed[mid].call < call)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == log->completed_count || log->completed[low].call != call)
		return (struct call_part){NO_EVENT, NOT_COMPLETED};
	return (struct call_part){log->completed[low].event, low};
}

uint32_t call_log_list_of(const struct call_log *log, uint32_t call)
{
	uint32_t low = 0, high = log->list_count;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (log->lists[mid].first <= call)
			low = mid;
		else
			high = mid;
	}
	return low;
}

uint32_t call_log_next_event(const struct call_log *log, uint32_t call, uint32_t event)
{
	const struct trace *t = log->trace;
	uint32_t p = trace_process_of(t, event), end = t->first[p + 1];
	const struct call_list *list;

	if (log->list_first[p + 1] - log->list_first[p] == 1)
		return event + 1 < end && log->call_of[event + 1] == call ? event + 1 : NO_EVENT;
	list = &log->lists[call_log_list_of(log, call)];
	for (event++; event < end; event++) {
		uint32_t of = log->call_of[event];

		if (of == call)
			return event;
		if (of > call && of < list->end)
			break;
	}
	return NO_EVENT;
}

void call_log_gap_nodes(const struct call_log *log, uint32_t list, uint32_t c,
			void (*tell)(void *arg, uint32_t node, double from, double to), void *arg)
{
	const struct call_list *l = &log->lists[list];
	double from = c == l->first ? l->start : log->calls[c - 1].end, to = c == l->end ? l->stop : log->calls[c].start;
	uint32_t low = l->first_piece, high = l->end_piece;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (log->pieces[mid].call < c)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < l->end_piece && log->pieces[low].call == c; low++) {
		tell(arg, log->pieces[low].node, from, log->pieces[low].until);
		from = log->pieces[low].until;
	}
	if (to > from)
		tell(arg, c == l->end ? l->last_node : log->nodes[log->calls[c].node].parent, from, to);
}

void call_log_account(const struct call_log *log, uint32_t list, struct account *a)
{
	const struct call_list *l = &log->lists[list];

	*a = (struct account){0};
	for (uint32_t c = l->first; c <= l->end; c++) {
		double gap = call_log_gap(log, l, c);

		a->by_kind[ACCOUNT_USEFUL] += gap;
		if (c == l->end)
			break;
		if (log->flags[c] & CALL_HIDDEN_BEFORE)
			a->hidden += gap;
		a->by_kind[log->nodes[log->calls[c].node].time] += log->calls[c].end - log->calls[c].start;
	}
}

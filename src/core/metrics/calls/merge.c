/* One log of all processes (calls_int.h): their calls behind each other, their trees in one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls_int.h"
#include "core/base/order.h"
#include "core/trace/remote.h"

struct merging {
	struct call_log *log;
	struct call_builds *builds;
	struct call_tree tree;
	uint32_t *node_of;       /* per node of a list: of the log */
	bool untraced;           /* some node of the list is */
	struct clocks_merge clocks;
	size_t stay_cap, piece_cap, completed_cap, late_cap, gathered_cap, neighbour_cap;
};

static bool clocks_init(struct merging *g)
{
	return clocks_merge_init(&g->clocks, g->log->trace) && call_clocks_init(&g->log->clocks, g->log->trace->process_count);
}

static enum err_code count_all(struct merging *g, struct err *e)
{
	struct call_log *log = g->log;
	uint64_t calls = 0, lists = 0;

	for (uint32_t p = 0; p < g->builds->process_count; p++) {
		const struct thread_list *of = &g->builds->of[p].lists;

		lists += of->count;
		for (uint32_t i = 0; i < of->count; i++)
			calls += ((const struct list_build *)of->list[i].of)->count;
	}
	if (calls >= NO_LOGGED_CALL || lists >= NO_LOGGED_CALL)
		return err_set(e, ERR_LIMIT, "the trace has more than %u calls", NO_LOGGED_CALL - 1);
	log->lists = mem_zero(lists, sizeof *log->lists);
	log->list_first = mem_zero((size_t)log->trace->process_count + 1, sizeof *log->list_first);
	log->calls = mem_resize(NULL, calls, sizeof *log->calls); /* in small pages: those that blocks give back, which need no clearing in memory */
	log->flags = mem_zero(calls, sizeof *log->flags);
	log->call_of = mem_alloc(log->trace->event_count, sizeof *log->call_of);
	return clocks_init(g) && log->lists && log->list_first && log->calls && log->flags && log->call_of ? ERR_OK : err_memory(e, "the trace's calls");
}

static bool merge_nodes(struct merging *g, const struct list_build *l, bool account)
{
	uint32_t *node_of = mem_resize(g->node_of, l->tree.count, sizeof *node_of);

	if (!node_of)
		return false;
	g->node_of = node_of;
	g->untraced = false;
	node_of[0] = 0;
	for (uint32_t n = 1; n < l->tree.count; n++) {
		const struct tree_node *node = &l->tree.nodes[n];

		node_of[n] = call_tree_child(&g->tree, node_of[node->parent], node->symbol);
		if (node_of[n] == NO_NODE)
			return false;
		g->untraced |= g->builds->symbols.list[node->symbol].time == ACCOUNT_UNTRACED;
		if (account) {
			g->tree.nodes[node_of[n]].count += node->count;
			g->tree.nodes[node_of[n]].unfinished += node->unfinished;
		}
	}
	return true;
}

/* A call's first event knows its call from here on. What was built goes. */
static void merge_calls(struct merging *g, uint32_t process, struct list_build *l, struct call_list *list)
{
	struct call_log *log = g->log;
	struct logged_call *to = log->calls + list->first;
	uint32_t first = log->trace->first[process], *call_of = log->call_of + first, c = list->first;

	for (; l->blocks; l->blocks = call_block_free(l->blocks))
		for (uint32_t i = 0; i < l->blocks->count; i++, c++, to++) {
			*to = l->blocks->calls[i];
			to->node = g->node_of[to->node];
			if (to->first_event != NO_EVENT) {
				call_of[to->first_event] = c;
				to->first_event += first;
			}
		}
	for (c = list->first; g->untraced && list->account && c < list->end; c++)
		if (g->builds->symbols.list[g->tree.nodes[log->calls[c].node].symbol].time == ACCOUNT_UNTRACED)
			list->untraced += log->calls[c].end - log->calls[c].start;
	if (l->without_end)
		log->flags[list->end - 1] |= CALL_WITHOUT_END;
}

/* Give the hidden time before calls to the states that were topmost in it. */
static void spread_hidden(const struct call_log *log, struct list_build *l, const struct call_list *list)
{
	const uint8_t *flags = log->flags + list->first;
	struct tree_node *nodes = l->tree.nodes;
	uint32_t piece = 0, c = 0;
	double from = l->start;

	for (const struct call_block *block = l->blocks; block; block = block->next)
		for (const struct logged_call *call = block->calls; call < block->calls + block->count; call++, c++) {
			bool hidden = flags[c] & CALL_HIDDEN_BEFORE;

			for (; piece < l->piece_count && l->pieces[piece].call <= c; piece++) {
				const struct useful_piece *p = &l->pieces[piece];

				if (hidden)
					nodes[p->node].hidden += p->until - from;
				from = p->until;
			}
			if (hidden)
				nodes[nodes[call->node].parent].hidden += call->start - from;
			from = call->end;
		}
}

static bool merge_pieces(struct merging *g, const struct list_build *l, struct call_list *list)
{
	struct call_log *log = g->log;

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

ORDER_BY(compare_stays, struct node_stay, UP(node))

static bool merge_stays(struct merging *g, uint32_t process, const struct list_build *l)
{
	struct call_log *log = g->log;
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
		SORT(log->stays + first, log->stay_count - first, compare_stays);
	return true;
}

static bool merge_list(struct merging *g, uint32_t process, struct list_build *l, bool account)
{
	struct call_log *log = g->log;
	struct call_list *list = &log->lists[log->list_count++];

	*list = (struct call_list){.process = process, .thread = l->thread, .first = log->call_count,
				   .end = log->call_count + l->count, .start = l->start, .stop = l->now,
				   .account = account, .cpu = log->trace->partial ? NAN : l->cpu, .known = l->overlap.known};
	l->first = log->call_count;
	log->call_count = list->end;
	log->unpaired += l->unpaired;
	log->too_deep += l->too_deep;
	log->states_seen = log->states_seen || l->states_seen;
	log->users_seen = log->users_seen || l->users_seen;
	if (!merge_nodes(g, l, list->account))
		return false;
	overlap_mark(&l->overlap, log->flags + list->first, l->count);
	if (l->overlap.count || l->overlap.stretch_count)
		spread_hidden(log, l, list);
	merge_calls(g, process, l, list);
	if (!merge_pieces(g, l, list))
		return false;
	return !account || merge_stays(g, process, l);
}

/* The events behind a call's first one are of it too, up to the list's next one. The walk along each list is where its
 * last call was found, which list_build keeps no more. */
static void merge_events(const struct merging *g, uint32_t process)
{
	const struct process_build *b = &g->builds->of[process];
	uint32_t *call_of = g->log->call_of + g->log->trace->first[process];

	for (uint32_t i = 0; i < b->lists.count; i++)
		((struct list_build *)b->lists.list[i].of)->at = NO_LOGGED_CALL;
	for (uint32_t r = 0; r < b->run_count; r++) {
		uint32_t end = r + 1 < b->run_count ? b->runs[r + 1].event : b->events, at = b->runs[r].list->at;

		for (uint32_t ev = b->runs[r].event; ev < end; ev++)
			if (call_of[ev] == NO_LOGGED_CALL)
				call_of[ev] = at;
			else
				at = call_of[ev];
		b->runs[r].list->at = at;
	}
}

static unsigned traits_of(const struct merging *g, uint32_t call)
{
	return g->builds->symbols.list[g->tree.nodes[g->log->calls[call].node].symbol].traits;
}

/* After merge_events(). */
static void merge_roots(const struct merging *g, uint32_t process)
{
	const struct process_build *b = &g->builds->of[process];
	struct call_log *log = g->log;
	uint32_t first = log->trace->first[process], call;

	for (uint32_t i = 0; i < b->root_count; i++) {
		if (b->roots[i].event >= log->trace->first[process + 1] - first)
			continue;
		call = log->call_of[first + b->roots[i].event];
		/* Of several that MPI_Startall begins, a flag of the call could not tell whose it is. */
		if (call != NO_LOGGED_CALL && !(traits_of(g, call) & MPI_STARTS_ALL))
			log->flags[call] |= (uint8_t)(CALL_ROOT_KNOWN | (b->roots[i].own ? CALL_ROOT : 0));
	}
}

ORDER_BY(compare_completed, struct completed_collective, UP(call) UP(event))

static bool merge_late(struct merging *g, uint32_t process)
{
	const struct process_build *b = &g->builds->of[process];
	struct call_log *log = g->log;

	for (uint32_t i = 0; i < b->late_count; i++) {
		struct late_event *late = mem_grow(log->late, log->late_count, &g->late_cap, sizeof *late);

		if (!late)
			return false;
		log->late = late;
		late[log->late_count++] = (struct late_event){log->trace->first[process] + b->late[i].event, b->late[i].time};
	}
	return true;
}

/* After merge_events(). */
static bool merge_completions(struct merging *g, uint32_t process)
{
	const struct process_build *b = &g->builds->of[process];
	struct call_log *log = g->log;
	const struct trace *t = log->trace;
	uint32_t first = log->completed_count;

	for (uint32_t i = 0; i < b->completion_count; i++) {
		const struct completion *c = &b->completions[i];
		uint32_t event = t->first[process] + c->event, call = c->list->first + c->call;
		struct completed_collective *completed;

		if (c->event >= t->first[process + 1] - t->first[process] || log->call_of[event] == NO_LOGGED_CALL)
			continue;
		completed = mem_grow(log->completed, log->completed_count, &g->completed_cap, sizeof *completed);
		if (!completed)
			return false;
		log->completed = completed;
		completed[log->completed_count++] = (struct completed_collective){
			call, event, mpi_completion_traits(t->colls[EVENT_INDEX(t->type[event])].op)};
		log->flags[call] |= (uint8_t)(CALL_COMPLETES | (completed[log->completed_count - 1].traits ? 0 : CALL_NOT_ANALYSED));
	}
	if (log->completed_count > first)
		SORT(log->completed + first, log->completed_count - first, compare_completed);
	return true;
}

ORDER_BY(compare_gathered, struct gathered_call, UP(call))

ORDER_BY(compare_neighbours, struct neighbour, UP(comm) UP(from))

static bool merge_gathered(struct merging *g, uint32_t process)
{
	const struct process_build *b = &g->builds->of[process];
	struct call_log *log = g->log;
	uint32_t first = log->gathered_count, first_neighbour = log->neighbour_count;

	for (uint32_t i = 0; i < b->gathered_count; i++) {
		const struct list_gathered *from = &b->gathered[i];
		struct gathered_call *gathered = mem_grow(log->gathered, log->gathered_count, &g->gathered_cap, sizeof *gathered);

		if (!gathered)
			return false;
		log->gathered = gathered;
		gathered[log->gathered_count++] = (struct gathered_call){from->list->first + from->call, from->comm, from->number};
	}
	for (uint32_t i = 0; i < b->neighbour_count; i++) {
		struct neighbour *neighbours = mem_grow(log->neighbours, log->neighbour_count, &g->neighbour_cap, sizeof *neighbours);

		if (!neighbours)
			return false;
		log->neighbours = neighbours;
		neighbours[log->neighbour_count++] = b->neighbours[i];
	}
	if (log->gathered_count > first)
		SORT(log->gathered + first, log->gathered_count - first, compare_gathered);
	if (log->neighbour_count > first_neighbour)
		SORT(log->neighbours + first_neighbour, log->neighbour_count - first_neighbour, compare_neighbours);
	return true;
}

static bool merge_process(struct merging *g, uint32_t process)
{
	struct call_log *log = g->log;
	struct process_build *b = &g->builds->of[process];
	uint32_t first = log->trace->first[process];

	memset(log->call_of + first, 0xff, (size_t)(log->trace->first[process + 1] - first) * sizeof *log->call_of);
	log->list_first[process] = log->list_count;
	for (uint32_t i = 0; i < b->lists.count; i++)
		if (!merge_list(g, process, b->lists.list[i].of, i == 0))
			return false;
	log->list_first[process + 1] = log->list_count;
	log->threaded |= log->list_count - log->list_first[process] > 1;
	merge_events(g, process);
	merge_roots(g, process);
	if (!merge_completions(g, process) || !merge_late(g, process) || !merge_gathered(g, process) ||
	    !call_clocks_add(&log->clocks, &g->clocks, &b->clocks, log->trace, process, b->records))
		return false;
	process_build_release(b);
	return true;
}

static bool make_nodes(struct merging *g)
{
	struct call_log *log = g->log;

	log->nodes = mem_alloc(g->tree.count, sizeof *log->nodes);
	if (!log->nodes)
		return false;
	g->tree.nodes[0].count = log->trace->process_count;
	for (uint32_t n = 0; n < g->tree.count; n++) {
		const struct tree_node *node = &g->tree.nodes[n];
		const struct call_symbol *symbol = &g->builds->symbols.list[node->symbol];

		log->nodes[n] = (struct call_node){node->parent, node->depth, symbol->name, symbol->kind, symbol->time,
						   symbol->traits, node->count, node->unfinished};
	}
	log->node_count = g->tree.count;
	return true;
}

static enum err_code merge_all(struct merging *g, const struct progress *progress, struct err *e)
{
	enum err_code code = count_all(g, e);
	bool done = true;

	for (uint32_t p = 0; done && !code && p < g->builds->process_count; p++) {
		if (progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while reading the calls");
		else
			done = merge_process(g, p);
	}
	return !code && !done ? err_memory(e, "the trace's calls") : code;
}

enum err_code call_builds_merge(struct call_builds *b, struct call_log *log, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(log->trace);
	struct merging g = {.log = log, .builds = b};
	enum err_code code;

	if (call_builds_finish(b) && call_tree_init(&g.tree))
		code = merge_all(&g, progress, e);
	else
		code = err_memory(e, "the trace's calls");
	code = team_agree(team, code, e);
	if (!code && team)
		code = call_join(&g.tree, log, team, e);
	if (!code)
		code = team_agree(team, make_nodes(&g) ? ERR_OK : err_memory(e, "the trace's calls"), e);
	call_tree_release(&g.tree);
	clocks_merge_release(&g.clocks);
	mem_free(g.node_of);
	mem_trim();
	return code;
}

enum err_code call_builds_merge_clocks(struct call_builds *b, struct call_log *log, const struct progress *progress, struct err *e)
{
	struct merging g = {.log = log, .builds = b};
	bool done = clocks_init(&g);
	enum err_code code = ERR_OK;

	for (uint32_t p = 0; done && !code && p < b->process_count; p++) {
		if (progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while reading the calls");
		done = call_clocks_add(&log->clocks, &g.clocks, &b->of[p].clocks, log->trace, p, b->of[p].records);
		process_build_release(&b->of[p]);
	}
	clocks_merge_release(&g.clocks);
	if (!done)
		code = err_memory(e, "the trace's calls");
	return team_agree(trace_team(log->trace), code, e);
}

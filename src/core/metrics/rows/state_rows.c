/* Process by process: the time at each node itself, then, from the leaves to the root, the time including all nodes
 * below. Only nodes that a process visited are touched, so thousands of nodes and processes cost no more than their
 * events. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/trace/remote.h"
#include "rows_int.h"
#include "core/metrics/waits/not_analysed.h"

#define ASK_EVERY 8192

/* A node, for the process at hand; all 0 between processes. */
struct node_here {
	struct part part;        /* what it spent here itself, then with all below */
	struct account own;      /* itself, and its MPI calls'; of a leaf that is the part's own */
	double exclusive;
	struct message_sum sent, received; /* with all below */
	bool touched;
};

struct node_sum {
	struct part_sum part;
	struct account own;
	struct factors_from own_from;
	double exclusive;
	struct message_sum sent, received;
	bool touched;            /* by some process */
};

struct gather {
	const struct run_metrics *m;
	struct group_sums sums;  /* struct node_sum per node */
	struct critical_sums critical;
	struct node_here *here;  /* per node */
	uint32_t *touched;
	uint32_t touched_count;
	uint32_t *rank;          /* per node: its place by depth */
	uint32_t *by_rank;       /* and back */
	uint32_t *exclusive_to;  /* per leaf: the node whose own its time is */
};

/* Nodes by depth, those below behind those above: a counting sort. */
static bool rank_nodes(struct gather *g)
{
	const struct call_log *log = g->m->log;
	uint32_t depths = 0, *at;

	for (uint32_t n = 0; n < log->node_count; n++)
		if (log->nodes[n].depth >= depths)
			depths = log->nodes[n].depth + 1;
	at = mem_zero((size_t)depths + 1, sizeof *at);
	if (!at)
		return false;
	for (uint32_t n = 0; n < log->node_count; n++)
		at[log->nodes[n].depth + 1]++;
	for (uint32_t d = 0; d < depths; d++)
		at[d + 1] += at[d];
	for (uint32_t n = 0; n < log->node_count; n++) {
		g->rank[n] = at[log->nodes[n].depth]++;
		g->by_rank[g->rank[n]] = n;
	}
	mem_free(at);
	return true;
}

/* The node, and all above it, have a share of this process. */
static struct node_here *touch(struct gather *g, uint32_t node)
{
	for (uint32_t n = node; !g->here[n].touched; n = g->m->log->nodes[n].parent) {
		g->here[n].touched = true;
		g->touched[g->touched_count++] = g->rank[n];
	}
	return &g->here[node];
}

static int deepest_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x > y ? -1 : x < y;
}

static void take_stay(struct gather *g, const struct node_stay *stay)
{
	struct node_here *here = touch(g, stay->node);
	struct account spent = {.hidden = stay->hidden};

	spent.by_kind[ACCOUNT_USEFUL] = stay->useful;
	account_add(&here->part.account, &spent);
	account_add(&here->own, &spent);
	here->exclusive += stay->useful;
}

static void take_call(struct gather *g, const struct call_list *list, uint32_t c)
{
	const struct call_log *log = g->m->log;
	const struct logged_call *call = &log->calls[c];
	const struct call_node *node = &log->nodes[call->node];
	struct node_here *here = touch(g, call->node), *above = &g->here[node->parent];
	double sync = g->m->waits ? g->m->waits->sync[c] : 0, time = call->end - call->start;

	account_call(&here->part.account, node->time, time, sync);
	account_call(&above->own, node->time, time, sync);
	if (sync > 0) {
		enum wait_reason reason = g->m->waits->reason[c];

		here->part.account.by_reason[reason] += sync;
		above->own.by_reason[reason] += sync;
	}
	not_analysed_add(&here->part.account, node->time, not_analysed_in_call(log, c, sync));
	not_analysed_add(&above->own, node->time, not_analysed_in_call(log, c, sync));
	here->part.waiting += part_call_waiting(g->m, list, c);
	g->here[g->exclusive_to[call->node]].exclusive += time;
}

static void message_sum_add(struct message_sum *sum, const struct message_sum *more)
{
	sum->bytes += more->bytes;
	sum->messages += more->messages;
	sum->unsized += more->unsized;
}

static void take_event(struct gather *g, uint32_t e)
{
	const struct trace *t = g->m->log->trace;
	struct node_here *here = touch(g, g->m->log->calls[g->m->log->call_of[e]].node);
	uint64_t size = trace_size(t, e);
	struct message_sum one = {.bytes = size == SIZE_UNKNOWN ? 0 : size, .messages = 1, .unsized = size == SIZE_UNKNOWN};

	if (EVENT_KIND(t->type[e]) == EVENT_SEND)
		message_sum_add(&here->sent, &one);
	else if (EVENT_KIND(t->type[e]) == EVENT_RECEIVE)
		message_sum_add(&here->received, &one);
}

static void add_own(struct node_sum *sum, uint32_t process, const struct account *own)
{
	account_add(&sum->own, own);
	factors_add(&sum->own_from, process, own->by_kind[ACCOUNT_USEFUL], own->by_kind[ACCOUNT_TRACER], account_communication(own));
}

static void node_sum_join(void *to, const void *from)
{
	struct node_sum *sum = to;
	const struct node_sum *more = from;

	part_sum_join(&sum->part, &more->part);
	account_add(&sum->own, &more->own);
	factors_join(&sum->own_from, &more->own_from);
	sum->exclusive += more->exclusive;
	message_sum_add(&sum->sent, &more->sent);
	message_sum_add(&sum->received, &more->received);
	sum->touched = true;
}

/* The process is done: from what each node was itself to what it is with all below, and to the sums. */
static void state_rows_flush(struct gather *g, uint32_t process)
{
	group_sums_begin(&g->sums, process);
	SORT(g->touched, g->touched_count, deepest_first);
	for (uint32_t i = 0; i < g->touched_count; i++) {
		uint32_t n = g->by_rank[g->touched[i]], parent = g->m->log->nodes[n].parent;
		struct node_here *here = &g->here[n];
		struct node_sum *sum = group_sums_at(&g->sums, n);

		part_sum_add(&sum->part, process, &here->part);
		add_own(sum, process, g->m->log->nodes[n].kind == NODE_MPI ? &here->part.account : &here->own);
		sum->exclusive += here->exclusive;
		message_sum_add(&sum->sent, &here->sent);
		message_sum_add(&sum->received, &here->received);
		if (n != parent) {
			message_sum_add(&g->here[parent].sent, &here->sent);
			message_sum_add(&g->here[parent].received, &here->received);
			account_add(&g->here[parent].part.account, &here->part.account);
			g->here[parent].part.waiting += here->part.waiting;
		}
		*here = (struct node_here){0};
	}
	g->touched_count = 0;
}

static enum err_code gather_all(struct gather *g, const struct progress *progress, struct err *e)
{
	const struct call_log *log = g->m->log;

	for (uint32_t p = 0, stay = 0; p < g->m->processes; p++) {
		const struct call_list *list = &log->lists[log->list_first[p]];

		if (log->list_first[p] == log->list_first[p + 1])
			continue;
		touch(g, 0);
		for (; stay < log->stay_count && log->stays[stay].process <= p; stay++)
			take_stay(g, &log->stays[stay]);
		for (uint32_t c = list->first; c < list->end; c++) {
			take_call(g, list, c);
			if (c % ASK_EVERY == 0 && progress_stopped(progress))
				return err_set(e, ERR_CANCELLED, "stopped while making the rows of the call paths");
		}
		for (uint32_t ev = log->trace->first[p]; ev < log->trace->first[p + 1]; ev++)
			if (log->call_of[ev] >= list->first && log->call_of[ev] < list->end)
				take_event(g, ev);
		state_rows_flush(g, p);
	}
	return ERR_OK;
}

/* --- the critical path: a node's is what it computed, and its children --- */

static void take_critical(void *arg, uint32_t node, double from, double to)
{
	struct gather *g = arg;

	critical_sums_add(&g->critical, node, to - from);
}

static enum err_code gather_critical(struct gather *g, struct err *e)
{
	const struct call_log *log = g->m->log;
	enum err_code code = critical_sums_init(&g->critical, g->m, log->node_count, (uint64_t)g->m->critical_count + log->piece_count, e);

	for (uint32_t i = 0; !code && i < g->m->critical_count; i++) {
		struct critical_piece piece = run_metrics_critical(g->m, i);

		if (piece.what == CRITICAL_USEFUL)
			call_log_gap_nodes(log, piece.list, piece.call, take_critical, g);
		else /* the program's start is its own */
			take_critical(g, piece.what == CRITICAL_TRACER ? log->calls[piece.call].node : 0, piece.from, piece.to);
	}
	if (!code)
		code = critical_sums_finish(&g->critical, g->m, e);
	for (uint32_t i = log->node_count; !code && i-- > 1;) {
		uint32_t n = g->by_rank[i];

		g->critical.seconds[log->nodes[n].parent] += g->critical.seconds[n];
	}
	return code;
}

/* --- the tree, with its siblings in order --- */

struct sibling {
	const struct call_node *node;
	uint32_t number;
	double time;
};

ORDER_BY(by_parent, struct sibling, UP(node->parent) DOWN(time) TEXT(node->name) UP(number))

static const struct node_sum *sum_of(const struct gather *g, uint32_t node)
{
	return group_sums_of(&g->sums, node);
}

static void make_row(struct state_row *row, const struct gather *g, uint32_t node)
{
	const struct node_sum *sum = sum_of(g, node);
	const struct run_metrics *m = g->m;

	row->node = node;
	row->exclusive = sum->exclusive;
	row->sent = sum->sent;
	row->received = sum->received;
	part_sum_row(&row->part, &sum->part, g->critical.seconds[node], m);
	row->own = m->has_account ? sum->own : m->account;
	row->own_imbalance = m->has_account ? m->processes * sum->own_from.useful_max - sum->own_from.useful_sum : NAN;
}

/* Depth first: of each node its children behind it, which stand together in `order` from first[node] on. */
static void state_rows_emit(struct state_rows *r, const struct gather *g, const struct sibling *order, uint32_t count, uint32_t *first)
{
	const struct call_node *nodes = g->m->log->nodes;

	for (uint32_t i = count; i-- > 0;)
		first[order[i].node->parent] = i;
	make_row(&r->row[r->count++], g, 0);
	for (uint32_t at = 0;;) {
		/* first[at]: the child that is next; after the last one, back up. */
		uint32_t i = first[at];

		if (i < count && order[i].node->parent == at) {
			first[at]++;
			at = order[i].number;
			make_row(&r->row[r->count++], g, at);
		} else if (at) {
			at = nodes[at].parent;
		} else {
			return;
		}
	}
}

/* A state that takes no time was still begun. */
static bool has_row(const struct gather *g, uint32_t n)
{
	const struct call_node *node = &g->m->log->nodes[n];

	return node->kind == NODE_USER ? sum_of(g, n)->touched || node->count : call_node_is_function(node) && sum_of(g, n)->touched;
}

static enum err_code make_rows(struct state_rows *r, const struct gather *g, struct err *e)
{
	const struct call_log *log = g->m->log;
	struct sibling *order = mem_alloc(log->node_count, sizeof *order);
	uint32_t *first = mem_alloc(log->node_count, sizeof *first), count = 0;

	r->row = mem_zero(log->node_count, sizeof *r->row);
	if (!order || !first || !r->row) {
		mem_free(order);
		mem_free(first);
		return err_memory(e, "the rows of the call paths");
	}
	for (uint32_t n = 0; n < log->node_count; n++) {
		first[n] = log->node_count;
		if (n && has_row(g, n))
			order[count++] = (struct sibling){&log->nodes[n], n, account_time(&sum_of(g, n)->part.account)};
	}
	SORT(order, count, by_parent);
	if (sum_of(g, 0)->touched || count)
		state_rows_emit(r, g, order, count, first);
	mem_free(order);
	mem_free(first);
	return ERR_OK;
}

static enum err_code state_rows_prepare(struct gather *g, struct err *e)
{
	uint32_t n = g->m->log->node_count;

	bool room = group_sums_init(&g->sums, g->m->log->trace, n, sizeof(struct node_sum), node_sum_join);

	g->here = mem_zero(n, sizeof *g->here);
	g->touched = mem_alloc(n, sizeof *g->touched);
	g->rank = mem_alloc(n, sizeof *g->rank);
	g->by_rank = mem_alloc(n, sizeof *g->by_rank);
	g->exclusive_to = mem_alloc(n, sizeof *g->exclusive_to);
	if (!room || !g->here || !g->touched || !g->rank || !g->by_rank || !g->exclusive_to || !rank_nodes(g))
		return err_memory(e, "the rows of the call paths");
	while (n-- > 0)
		g->exclusive_to[n] = call_node_is_function(&g->m->log->nodes[n]) ? n : g->m->log->nodes[n].parent;
	return ERR_OK;
}

enum err_code state_rows_init(struct state_rows *r, const struct run_metrics *m, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(m->log->trace);
	struct gather g = {.m = m};
	enum err_code code;

	*r = (struct state_rows){0};
	code = state_rows_prepare(&g, e);
	if (!code)
		code = gather_all(&g, progress, e);
	code = team_agree(team, code, e);
	if (!code)
		code = group_sums_finish(&g.sums, e);
	if (!code)
		code = gather_critical(&g, e);
	if (!code)
		code = team_agree(team, team_rank(team) ? ERR_OK : make_rows(r, &g, e), e);
	group_sums_release(&g.sums);
	critical_sums_release(&g.critical);
	mem_free(g.here);
	mem_free(g.touched);
	mem_free(g.rank);
	mem_free(g.by_rank);
	mem_free(g.exclusive_to);
	if (code)
		state_rows_release(r);
	return code;
}

void state_rows_release(struct state_rows *r)
{
	mem_free(r->row);
	*r = (struct state_rows){0};
}

/* From the node up: each name goes in front of what stands there. Where not all fits, the front is missing, and dots
 * say so. */
char *call_node_path(const struct call_log *log, uint32_t node, char *text, size_t size)
{
	static const char cut[] = "...";
	size_t at = size - 1;

	text[at] = 0;
	for (uint32_t n = node;; n = log->nodes[n].parent) {
		const char *name = log->nodes[n].name;
		size_t length = strlen(name), slash = n != node;
		bool last = !n || !log->nodes[n].parent;

		if (length + slash + (last ? 0 : sizeof cut) > at) {
			at -= sizeof cut - 1 < at ? sizeof cut - 1 : at;
			memcpy(text + at, cut, size - 1 - at < sizeof cut - 1 ? size - 1 - at : sizeof cut - 1);
			break;
		}
		at -= slash;
		if (slash)
			text[at] = '/';
		at -= length;
		memcpy(text + at, name, length);
		if (last)
			break;
	}
	memmove(text, text + at, size - at);
	return text;
}

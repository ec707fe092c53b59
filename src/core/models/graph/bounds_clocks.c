#include "graph_int.h"

#include <math.h>
#include <string.h>

#include "program.h"

/* What a process does, in order: loops with messages are unrolled, and branches taken. */
enum action_kind { ACTION_WORK, ACTION_SEND, ACTION_RECV, ACTION_COLLECTIVE };

struct action {
	enum action_kind kind;
	struct code *code;
	uint32_t peer;
	double tag;
	struct bounds_path own;      /* work, send: what it takes */
	struct bounds_path transfer; /* send: from its begin to the message's arrival */
	struct bounds_path copy;
	const struct expression *bytes_tree; /* meet */
	struct interval bytes;
};

struct posted { /* a message that was sent */
	struct bounds_clock arrival;
	struct bounds_path copy;
};

struct clocks {
	struct bounding *b;
	struct action *actions;
	size_t count, cap;
	size_t *first, *at;          /* by process: its actions, and what is next; one more than there are */
	struct bounds_clock *clock;  /* by process */
	struct channels channels;    /* of messages under way: `box` is that of posted */
	struct posted *posted;
	size_t posted_count, posted_cap;
	struct bounds_sum *loads;
};

/* ---- paths ---- */

static struct bounds_path path_add(struct bounding *b, struct bounds_path a, const struct bounds_path *more)
{
	a.sum = bounds_add(&b->terms, a.sum, more->sum);
	a.value = interval_add(a.value, more->value);
	return a;
}

/* The path that is neither longest at the lower nor at the upper end, and of these the shortest. */
static uint32_t least_needed(const struct bounds_clock *c)
{
	uint32_t low = 0, high = 0, least = UINT32_MAX;

	for (uint32_t i = 1; i < c->count; i++) {
		low = c->path[i].value.lo > c->path[low].value.lo ? i : low;
		high = c->path[i].value.hi > c->path[high].value.hi ? i : high;
	}
	for (uint32_t i = 0; i < c->count; i++)
		if (i != low && i != high && (least == UINT32_MAX || c->path[i].value.hi < c->path[least].value.hi))
			least = i;
	return least;
}

static void drop_path(struct bounds_clock *c, uint32_t i)
{
	c->count--;
	memmove(&c->path[i], &c->path[i + 1], (c->count - i) * sizeof *c->path);
}

void bounds_join(struct bounding *b, struct bounds_clock *to, const struct bounds_path *path)
{
	if (b->terms.maker.code)
		return;
	for (uint32_t i = 0; i < to->count; i++)
		if (bounds_contains(to->path[i].sum, path->sum))
			return;
	for (uint32_t i = to->count; i-- > 0;)
		if (bounds_contains(path->sum, to->path[i].sum))
			drop_path(to, i);
	to->path[to->count++] = *path;
	if (to->count <= BOUNDS_PATHS)
		return;
	drop_path(to, least_needed(to));
	to->partial = true;
}

void bounds_longest(struct bounds_clock *c)
{
	uint32_t i;

	while (c->count > 1 && (i = least_needed(c)) != UINT32_MAX)
		drop_path(c, i);
}

static void join_all(struct bounding *b, struct bounds_clock *to, const struct bounds_clock *c)
{
	to->partial = to->partial || c->partial;
	for (uint32_t i = 0; i < c->count; i++)
		bounds_join(b, to, &c->path[i]);
}

static void advance(struct bounding *b, struct bounds_clock *c, const struct bounds_path *by)
{
	for (uint32_t i = 0; i < c->count; i++)
		c->path[i] = path_add(b, c->path[i], by);
}

/* ---- times of messages ---- */

/* A function's time as it is called: what would be below 0 is 0. */
static struct bounds_sum call_time(struct bounding *b, uint32_t function, const struct expression *const *parts, uint32_t count,
				   const struct interval *values)
{
	struct expression_maker *m = &b->terms.maker;
	struct program_run *r = b->run;
	const struct expression *x = maker_call(m, library_function(&r->program.library, function)->name, parts, count);
	struct interval v = {-1, -1};
	struct err ignored;

	if (function_value(&r->formulas, function, values, count, &v, &ignored) || v.lo < 0)
		x = maker_not_negative(m, x);
	return v.hi > 0 ? bounds_one(&b->terms, 1, x) : (struct bounds_sum){NULL, 0};
}

static struct bounds_sum message_time(struct bounding *b, enum transfer_kind k, bool near, const struct expression *bytes,
				      struct interval value)
{
	const struct transfers *t = &b->run->transfers;
	uint32_t function = t->of[k][near];

	if (function == LIBRARY_NONE && k == TRANSFER_ISEND) {
		bytes = maker_number(&b->terms.maker, 0);
		value = interval_point(0);
	}
	if (function == LIBRARY_NONE)
		function = t->of[k == TRANSFER_ISEND ? TRANSFER_SEND : TRANSFER_RECV][near];
	return call_time(b, function, &bytes, library_function(&b->run->program.library, function)->argument_count, &value);
}

/* Rounds of a tree, or one after the other, of what stands in for a collective's function. */
static const struct expression *collective_rounds(struct bounding *b, struct code *c)
{
	struct expression_maker *m = &b->terms.maker;
	bool tree = c->kind == NODE_BARRIER || c->kind == NODE_BCAST || c->kind == NODE_REDUCE || c->kind == NODE_ALLREDUCE;
	const struct expression *x = maker_name(m, "p");

	if (b->run->process_count == 1)
		return maker_number(m, 0);
	if (!tree)
		return maker_two(m, EXPRESSION_SUB, x, maker_number(m, 1));
	x = maker_call(m, "log2", &x, 1);
	return maker_call(m, "ceil", &x, 1);
}

static struct bounds_sum collective_time(struct bounding *b, struct code *c, const struct expression *bytes, struct interval value)
{
	struct expression_maker *m = &b->terms.maker;
	struct program_run *r = b->run;
	uint32_t function = r->transfers.collective[c->kind];
	const struct expression *parts[2] = {bytes, maker_name(m, "p")};
	struct interval values[2] = {value, interval_point(r->process_count)};
	const struct function *f;

	if (function == LIBRARY_NONE) {
		function = r->transfers.of[TRANSFER_RECV][0];
		if (c->kind == NODE_BARRIER) {
			parts[0] = maker_number(m, 0);
			values[0] = interval_point(0);
		}
		return bounds_times(&b->terms, collective_rounds(b, c),
				    call_time(b, function, parts, library_function(&r->program.library, function)->argument_count, values));
	}
	f = library_function(&r->program.library, function);
	if (f->argument_count == 1 && (c->kind == NODE_BARRIER || !strcmp(f->arguments[0], "p") || !strcmp(f->arguments[0], "q"))) {
		parts[0] = parts[1];
		values[0] = values[1];
	}
	return call_time(b, function, parts, f->argument_count, values);
}

/* ---- what processes do ---- */

static struct action *put_action(struct clocks *k, enum action_kind kind, struct code *code)
{
	struct action *grown = mem_grow(k->actions, k->count, &k->cap, sizeof *grown);

	if (!grown) {
		k->b->terms.maker.code = ERR_MEMORY;
		return NULL;
	}
	k->actions = grown;
	grown = &k->actions[k->count++];
	*grown = (struct action){.kind = kind, .code = code};
	return grown;
}

static enum err_code too_many(struct clocks *k, struct code *c)
{
	return place_err(&c->node->place, ERR_LIMIT, k->b->run->e,
			 "the processes have more than %d messages and code parts between them: too many for an "
			 	"expression", BOUNDS_ACTIONS);
}

static enum err_code put_work(struct clocks *k, struct code *c)
{
	struct bounding *b = k->b;
	struct program_run *r = b->run;
	uint32_t processors = bounds_load(r, LOAD_NODE, r->placement.homes[r->rank].node);
	struct work_cost cost = {.free = {0, 0}};
	struct bounds_work w;
	struct action *a;
	enum err_code code = work_loads(r, &cost.loads);

	if (code || !bounds_work_init(b, &w))
		return code;
	code = work_node(r, c, &cost);
	work_loads_drop(r);
	if (!code)
		code = bounds_node(b, c, &w);
	bounds_by_speed(b, &w);
	for (uint32_t i = 0; !code && i < r->resource_count; i++)
		k->loads[i] = bounds_add(&b->terms, k->loads[i], w.loads[i]);
	k->loads[processors] = bounds_add(&b->terms, k->loads[processors], w.loads[r->resource_count]);
	a = code || !w.free.count ? NULL : put_action(k, ACTION_WORK, c);
	if (a)
		a->own = (struct bounds_path){w.free, cost.free};
	return code;
}

static enum err_code put_message(struct clocks *k, struct code *c)
{
	struct bounding *b = k->b;
	struct program_run *r = b->run;
	struct action *a = put_action(k, c->kind == NODE_RECV ? ACTION_RECV : ACTION_SEND, c);
	uint32_t network = bounds_load(r, LOAD_NETWORK, 0);
	const struct expression *bytes;
	const struct transfer *t;
	struct interval value;
	double peer, tag;
	bool near;
	enum err_code code;

	if (!a)
		return ERR_OK;
	code = run_whole(r, c, &c->operand[OPERAND_PEER], "peer", &peer);
	if (!code)
		code = run_whole(r, c, &c->operand[OPERAND_TAG], "tag", &tag);
	if (code)
		return code;
	a->peer = (uint32_t)peer;
	a->tag = tag;
	if (c->kind == NODE_RECV)
		return ERR_OK;
	bytes = bounds_count(b, c->node->bytes, &c->operand[OPERAND_BYTES], &value);
	near = r->placement.homes[a->peer].node == r->placement.homes[r->rank].node;
	code = transfers_message(r, c, value, near, &t);
	if (code)
		return code;
	a->own = (struct bounds_path){message_time(b, c->kind == NODE_ISEND ? TRANSFER_ISEND : TRANSFER_SEND, near, bytes, value), t->send};
	a->transfer = (struct bounds_path){message_time(b, TRANSFER_RECV, near, bytes, value), t->recv};
	a->copy = (struct bounds_path){message_time(b, TRANSFER_COPY, near, bytes, value), t->copy};
	k->loads[network] = bounds_add(&b->terms, k->loads[network], a->transfer.sum);
	return ERR_OK;
}

static enum err_code put_collective(struct clocks *k, struct code *c)
{
	struct action *a = put_action(k, ACTION_COLLECTIVE, c);

	if (a)
		a->bytes_tree = bounds_count(k->b, c->node->bytes, &c->operand[OPERAND_BYTES], &a->bytes);
	return ERR_OK;
}

static enum err_code put_chain(struct clocks *k, struct code *chain);

static enum err_code put_loop(struct clocks *k, struct code *c)
{
	struct bounding *b = k->b;
	struct program_run *r = b->run;
	double n = 0, first = 0, last = 0;
	uint32_t count = b->symbol_count;
	enum err_code code;

	if (!c->node->word) {
		code = run_whole(r, c, &c->operand[OPERAND_VALUE], "the number of iterations with messages", &n);
	} else {
		code = run_whole(r, c, &c->operand[OPERAND_FIRST], "the first index", &first);
		if (!code)
			code = run_whole(r, c, &c->operand[OPERAND_LAST], "the last index", &last);
		n = last - first + 1;
	}
	for (double i = 0; !code && !b->terms.maker.code && i < n; i++) {
		if (k->count >= BOUNDS_ACTIONS || i >= BOUNDS_ACTIONS)
			return too_many(k, c);
		if (c->node->word) {
			r->frame[c->slot] = interval_point(first + i);
			bounds_let(b, c->node->word, maker_number(&b->terms.maker, first + i), false);
		}
		code = formula_step(&r->formulas, 1, &c->node->place, r->e);
		if (!code)
			code = put_chain(k, c->body);
		b->symbol_count = count;
	}
	return code;
}

static enum err_code put_structure(struct clocks *k, struct code *c)
{
	struct interval q;
	uint32_t scope, count;
	enum err_code code;

	if (c->kind == NODE_LOOP)
		return put_loop(k, c);
	if (c->kind == NODE_IF) {
		code = run_value(k->b->run, &c->operand[OPERAND_VALUE], &q);
		return code ? code : put_chain(k, q.lo > 0 ? c->body : c->otherwise);
	}
	if (c->kind != NODE_CALL)
		return put_chain(k, c->body);
	code = bounds_open(k->b, c, &scope, &count);
	if (!code)
		code = put_chain(k, c->block->body);
	bounds_close(k->b, c, scope, count);
	return code;
}

static enum err_code put_chain(struct clocks *k, struct code *chain)
{
	enum err_code code = ERR_OK;

	for (struct code *c = chain; c && !code && !k->b->terms.maker.code; c = c->next) {
		enum model_family family = model_node_info(c->kind)->family;

		if (k->count >= BOUNDS_ACTIONS)
			return too_many(k, c);
		code = !c->messages ? put_work(k, c) : family == MODEL_MESSAGE ? put_message(k, c) :
		       family == MODEL_COLLECTIVE ? put_collective(k, c) : put_structure(k, c);
	}
	return code;
}

/* ---- clocks ---- */

static void send_message(struct clocks *k, uint32_t rank, const struct action *a)
{
	struct posted *grown = mem_grow(k->posted, k->posted_count, &k->posted_cap, sizeof *grown);
	uint32_t channel = grown ? channels_find(&k->channels, rank, a->peer, a->tag) : UINT32_MAX;
	struct message *m = channel == UINT32_MAX ? NULL : channels_put(&k->channels, channel);

	k->posted = grown ? grown : k->posted;
	if (!m) {
		k->b->terms.maker.code = ERR_MEMORY;
		return;
	}
	m->box = (uint32_t)k->posted_count;
	grown = &k->posted[k->posted_count++];
	*grown = (struct posted){.arrival = k->clock[rank], .copy = a->copy};
	advance(k->b, &grown->arrival, &a->transfer);
	advance(k->b, &k->clock[rank], &a->own);
}

/* false: the message is not there yet. */
static bool receive_message(struct clocks *k, uint32_t rank, const struct action *a)
{
	uint32_t channel = channels_find(&k->channels, a->peer, rank, a->tag);
	struct message m;

	if (channel == UINT32_MAX)
		k->b->terms.maker.code = ERR_MEMORY;
	if (channel == UINT32_MAX || !channels_take(&k->channels, channel, &m))
		return false;
	advance(k->b, &k->clock[rank], &k->posted[m.box].copy);
	join_all(k->b, &k->clock[rank], &k->posted[m.box].arrival);
	return true;
}

/* All stand before a collective. */
static enum err_code leave_collective(struct clocks *k)
{
	struct bounding *b = k->b;
	uint32_t processes = b->run->process_count;
	const struct action *first = &k->actions[k->at[0]];
	const struct expression *bytes = first->bytes_tree;
	struct interval all = first->bytes, taken;
	struct bounds_clock together = {.count = 0};
	struct bounds_path time;
	bool alike = true;
	enum err_code code;

	for (uint32_t rank = 0; rank < processes; rank++) {
		const struct action *a = &k->actions[k->at[rank]];

		alike = alike && a->bytes.lo >= all.lo && a->bytes.hi <= all.hi;
		all = interval_hull(all, a->bytes);
		join_all(b, &together, &k->clock[rank]);
	}
	if (!alike)
		bytes = maker_range(&b->terms.maker, all);
	code = transfers_collective(b->run, first->code, all, &taken);
	if (code)
		return code;
	time = (struct bounds_path){collective_time(b, first->code, bytes, all), taken};
	advance(b, &together, &time);
	for (uint32_t rank = 0; rank < processes; rank++) {
		k->clock[rank] = together;
		k->at[rank]++;
	}
	return ERR_OK;
}

/* Goes on with a process until it waits; whether it did anything. */
static bool run_until_wait(struct clocks *k, uint32_t rank, bool *is_collective)
{
	bool moved = false;

	*is_collective = false;
	for (; k->at[rank] < k->first[rank + 1] && !k->b->terms.maker.code; k->at[rank]++, moved = true) {
		const struct action *a = &k->actions[k->at[rank]];

		*is_collective = a->kind == ACTION_COLLECTIVE;
		if (*is_collective || (a->kind == ACTION_RECV && !receive_message(k, rank, a)))
			return moved;
		if (a->kind == ACTION_SEND)
			send_message(k, rank, a);
		else if (a->kind == ACTION_WORK)
			advance(k->b, &k->clock[rank], &a->own);
	}
	return moved;
}

static enum err_code run_clocks(struct clocks *k)
{
	uint32_t processes = k->b->run->process_count;
	enum err_code code = ERR_OK;

	for (;;) {
		uint32_t in_collective = 0;
		bool moved = false, is_collective;

		for (uint32_t rank = 0; rank < processes; rank++) {
			moved = run_until_wait(k, rank, &is_collective) || moved;
			in_collective += is_collective;
		}
		if (in_collective == processes)
			code = leave_collective(k);
		else if (!moved)
			return ERR_OK;
		if (code || k->b->terms.maker.code)
			return code;
	}
}

enum err_code bounds_clocks(struct bounding *b, struct bounds_clock *end, struct bounds_sum *loads)
{
	struct program_run *r = b->run;
	struct clocks k = {.b = b, .loads = loads};
	enum err_code code = ERR_OK;

	channels_init(&k.channels);
	k.first = mem_zero((size_t)r->process_count + 1, sizeof *k.first);
	k.at = mem_zero(r->process_count, sizeof *k.at);
	k.clock = mem_zero(r->process_count, sizeof *k.clock);
	if (!k.first || !k.at || !k.clock)
		b->terms.maker.code = ERR_MEMORY;
	for (uint32_t rank = 0; rank < r->process_count && !code && !b->terms.maker.code; rank++) {
		run_home(r, rank);
		run_frame(r, r->locals);
		k.first[rank] = k.at[rank] = k.count;
		k.clock[rank].count = 1; /* of nothing, at 0 */
		code = put_chain(&k, r->program.main->body);
		k.first[rank + 1] = k.count;
	}
	if (!code && !b->terms.maker.code)
		code = run_clocks(&k);
	for (uint32_t rank = 0; rank < r->process_count && !code && !b->terms.maker.code; rank++)
		join_all(b, end, &k.clock[rank]);
	channels_release(&k.channels);
	mem_free(k.actions);
	mem_free(k.first);
	mem_free(k.at);
	mem_free(k.clock);
	mem_free(k.posted);
	return code;
}

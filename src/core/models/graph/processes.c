#include "graph_int.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

#define KEPT_BYTES ((size_t)64 << 20)

static void process_wake(struct processes *p, uint32_t rank)
{
	p->items[rank].state = PROCESS_READY;
	p->ready[p->ready_count++] = rank;
}

/* What a part without messages costs on the process's node: kept where it is the same for all there. */
static enum err_code process_run_part(struct processes *p, struct code *c, struct work_cost *cost)
{
	struct program_run *r = p->run;
	uint32_t groups = r->in->machine ? r->in->machine->group_count : 1;
	size_t bytes = groups * (sizeof(struct cost_kept)) + RUN_LOADS(r) * sizeof(struct interval);
	bool keep = p->cache && !c->rank && !c->locals && r->kept + bytes < KEPT_BYTES;
	enum err_code code;

	if (c->kept && c->kept[r->group].loads) {
		cost->free = c->kept[r->group].free;
		cost->nested = c->kept[r->group].nested;
		memcpy(cost->loads, c->kept[r->group].loads, RUN_LOADS(r) * sizeof *cost->loads);
		return ERR_OK;
	}
	code = work_node(r, c, cost);
	if (code || !keep)
		return code;
	if (!c->kept) {
		c->kept = arena_alloc(&r->program.arena, groups * sizeof *c->kept);
		r->kept += groups * sizeof *c->kept;
	}
	if (c->kept) {
		struct cost_kept *k = &c->kept[r->group];

		*k = (struct cost_kept){cost->free, cost->nested, arena_alloc(&r->program.arena, RUN_LOADS(r) * sizeof *k->loads)};
		if (k->loads)
			memcpy(k->loads, cost->loads, RUN_LOADS(r) * sizeof *k->loads);
		r->kept += RUN_LOADS(r) * sizeof *k->loads;
	}
	return c->kept && c->kept[r->group].loads ? ERR_OK : err_memory(r->e, "costs of the program's parts");
}

static enum err_code compute(struct processes *p, struct model_process *me, struct code *c)
{
	struct program_run *r = p->run;
	struct work_cost cost = {.free = {0, 0}};
	enum err_code code = work_loads(r, &cost.loads);

	if (code)
		return code;
	code = process_run_part(p, c, &cost);
	me->clock[0] += cost.free.lo;
	me->clock[1] += cost.free.hi;
	me->clock[2] += cost.nested.lo;
	me->clock[3] += cost.nested.hi;
	me->compute = interval_add(me->compute, cost.free);
	me->processor = interval_add(me->processor, cost.loads[r->resource_count]);
	for (uint32_t i = 0; i < r->resource_count; i++)
		p->loads[i] = interval_add(p->loads[i], cost.loads[i]);
	work_loads_drop(r);
	return code;
}

static enum err_code peer_of(struct processes *p, struct code *c, uint32_t *peer)
{
	double v;
	enum err_code code = run_whole(p->run, c, &c->operand[OPERAND_PEER], c->kind == NODE_RECV ? "from" : "to", &v);

	if (code)
		return code;
	if (v < 0 || v >= p->count)
		return place_err(&c->node->place, ERR_FORMAT, p->run->e, "%s: rank %u has the peer %.0f: expected a "
				 "rank from 0 to %u",
				 model_node_info(c->node->kind)->name, p->run->rank, v, p->count - 1);
	*peer = (uint32_t)v;
	return ERR_OK;
}

/* Bytes that a message or collective has; below 0 is an error in the model, as is a tag that is not whole. */
static enum err_code operand_bytes_of(struct program_run *r, struct code *c, struct interval *bytes)
{
	enum err_code code = run_value(r, &c->operand[OPERAND_BYTES], bytes);

	return code ? code : run_clip(r, c, "bytes", bytes);
}

static enum err_code process_send(struct processes *p, struct model_process *me, struct code *c)
{
	struct program_run *r = p->run;
	const struct transfer *t;
	struct interval bytes;
	struct message *m;
	uint32_t to = 0, channel;
	double tag = 0;
	bool near;
	enum err_code code = peer_of(p, c, &to);

	if (!code)
		code = run_whole(r, c, &c->operand[OPERAND_TAG], "tag", &tag);
	if (!code)
		code = operand_bytes_of(r, c, &bytes);
	if (code)
		return code;
	near = r->placement.homes[to].node == r->placement.homes[r->rank].node;
	code = transfers_message(r, c, bytes, near, &t);
	if (code)
		return code;
	if (p->channels.under_way >= PROCESSES_BYTES / sizeof *m)
		return place_err(&c->node->place, ERR_LIMIT, r->e, "more than %llu messages are in flight: some "
				 "process does not receive them",
				 (unsigned long long)p->channels.under_way);
	channel = channels_find(&p->channels, r->rank, to, tag);
	m = channel == UINT32_MAX ? NULL : channels_put(&p->channels, channel);
	if (!m)
		return err_memory(r->e, "messages in flight");
	for (int k = 0; k < CLOCKS; k++) {
		m->arrival[k] = me->clock[k] + (k % 2 ? t->recv.hi : t->recv.lo);
		me->clock[k] += k % 2 ? t->send.hi : t->send.lo;
	}
	m->copy = t->copy;
	if (r->recorder) {
		m->box = r->recorder->at[r->rank];
		recorder_sent(r->recorder, r->rank, to);
	}
	r->network = interval_add(r->network, t->recv);
	if (p->items[to].state == PROCESS_WAITING && p->items[to].channel == channel)
		process_wake(p, to);
	return ERR_OK;
}

/* *waits: the message is not there yet. */
static enum err_code receive(struct processes *p, struct model_process *me, struct code *c, bool *waits)
{
	struct program_run *r = p->run;
	struct message m;
	uint32_t from = 0;
	double tag = 0;
	enum err_code code = peer_of(p, c, &from);

	if (!code)
		code = run_whole(r, c, &c->operand[OPERAND_TAG], "tag", &tag);
	if (code)
		return code;
	me->channel = channels_find(&p->channels, from, r->rank, tag);
	if (me->channel == UINT32_MAX)
		return err_memory(r->e, "messages in flight");
	*waits = !channels_take(&p->channels, me->channel, &m);
	if (!*waits && r->recorder)
		recorder_received(r->recorder, r->rank, from, m.box, m.arrival[CLOCKS - 1] > me->clock[CLOCKS - 1] + m.copy.hi);
	for (int k = 0; !*waits && k < CLOCKS; k++)
		me->clock[k] = fmax(me->clock[k] + (k % 2 ? m.copy.hi : m.copy.lo), m.arrival[k]);
	return ERR_OK;
}

/* All are there: they leave together. */
static enum err_code collective_leave(struct processes *p, struct code *c)
{
	struct open_collective *m = &p->open_collective;
	struct interval t;
	enum err_code code = transfers_collective(p->run, c, m->bytes, &t);

	if (!code && p->run->recorder)
		recorder_collective(p->run->recorder);
	for (uint32_t i = 0; !code && i < p->count; i++) {
		struct model_process *one = &p->items[i];

		for (int k = 0; k < CLOCKS; k++)
			one->clock[k] = m->clock[k] + (k % 2 ? t.hi : t.lo);
		if (p->run->recorder)
			recorder_leave(p->run->recorder, i, one->clock);
		one->at = one->at->next;
		one->moved++;
		if (i != p->run->rank)
			process_wake(p, i);
	}
	m->count = 0;
	return code;
}

static enum err_code collective_arrive(struct processes *p, struct model_process *me, struct code *c)
{
	struct open_collective *m = &p->open_collective;
	struct program_run *r = p->run;
	struct interval bytes;
	double root = 0;
	enum err_code code = operand_bytes_of(r, c, &bytes);

	if (!code)
		code = run_whole(r, c, &c->operand[OPERAND_ROOT], "root", &root);
	if (code)
		return code;
	if (root < 0 || root >= p->count)
		return place_err(&c->node->place, ERR_FORMAT, r->e, "%s: rank %u has the root %.0f: expected a rank "
				 "from 0 to %u",
				 model_node_info(c->node->kind)->name, r->rank, root, p->count - 1);
	if (!m->count) {
		*m = (struct open_collective){.code = c, .root = root, .bytes = bytes, .first = r->rank};
		memcpy(m->clock, me->clock, sizeof m->clock);
	} else if (c->kind != m->code->kind || root != m->root) {
		return place_err(&c->node->place, ERR_FORMAT, r->e,
				 "the ranks disagree on a collective: rank %u is in %s with root %.0f, rank %u (line "
				 	"%u) in %s with root %.0f",
				 r->rank, model_node_info(c->node->kind)->name, root, m->first, m->code->node->place.line,
				 model_node_info(m->code->node->kind)->name, m->root);
	}
	m->bytes = interval_hull(m->bytes, bytes);
	for (int k = 0; k < CLOCKS; k++)
		m->clock[k] = fmax(m->clock[k], me->clock[k]);
	m->count++;
	m->touched = p->channels.now;
	return m->count == p->count ? collective_leave(p, c) : ERR_OK;
}

/* How often a loop with messages runs, and its first index. */
static enum err_code iterations(struct processes *p, struct code *c, double *n, double *first)
{
	struct program_run *r = p->run;
	double last;
	enum err_code code;

	if (!c->node->word) {
		code = run_whole(r, c, &c->operand[OPERAND_VALUE], "the number of iterations with messages", n);
		*n = fmax(*n, 0);
		return code;
	}
	code = run_whole(r, c, &c->operand[OPERAND_FIRST], "the first index", first);
	if (!code)
		code = run_whole(r, c, &c->operand[OPERAND_LAST], "the last index", &last);
	if (!code)
		*n = fmax(last - *first + 1, 0);
	return code;
}

static enum err_code process_enter_body(struct processes *p, struct model_process *me, struct code *c)
{
	struct program_run *r = p->run;
	struct code *body = c->body;
	struct interval q;
	double n = 0, first = 0;
	enum err_code code = ERR_OK;

	if (c->kind == NODE_IF) {
		code = run_value(r, &c->operand[OPERAND_VALUE], &q);
		if (!code && !(interval_is_point(q) && (q.lo == 0 || q.lo == 1)))
			return place_err(&c->node->place, ERR_FORMAT, r->e,
					 "if: a condition with messages must be 0 or 1, found [%.9g, %.9g]", q.lo, q.hi);
		if (!code && q.lo == 0)
			body = c->otherwise;
	} else if (c->kind == NODE_CALL) {
		struct interval *inner = r->frame + c->routine->frame;

		code = formula_step(&r->formulas, 1, &c->node->place, r->e);
		for (uint32_t i = 0; !code && i < c->node->argument_count; i++)
			code = run_value(r, &c->many[i], &inner[i]);
		body = c->block->body;
	} else if (c->kind == NODE_LOOP) {
		code = iterations(p, c, &n, &first);
		if (!code && !(n > 0)) {
			if (r->recorder) {
				recorder_open(r->recorder, r->rank, 0);
				recorder_close(r->recorder, r->rank, me->clock);
			}
			me->at = c->next;
			return ERR_OK;
		}
		if (!code && c->node->word)
			r->frame[c->slot] = interval_point(first);
		if (!code)
			code = formula_step(&r->formulas, 1, &c->node->place, r->e);
	}
	if (code)
		return code;
	if (r->recorder)
		recorder_open(r->recorder, r->rank, c->kind == NODE_LOOP ? n : 1);
	process_frames(p, r->rank)[me->frame_count++] = (struct process_frame){c, n - 1};
	if (c->kind == NODE_CALL) {
		me->base += c->routine->frame;
		run_frame(r, r->frame + c->routine->frame);
	}
	me->at = body;
	return ERR_OK;
}

/* At the end of a body. false: an iteration more is to come, and the process pauses before it. */
static bool end_of_body(struct processes *p, struct model_process *me)
{
	struct process_frame *top = &process_frames(p, p->run->rank)[me->frame_count - 1];

	if (top->code->kind == NODE_LOOP && top->left > 0)
		return false;
	if (p->run->recorder)
		recorder_close(p->run->recorder, p->run->rank, me->clock);
	if (top->code->kind == NODE_CALL) {
		me->base -= top->code->routine->frame;
		run_frame(p->run, p->run->frame - top->code->routine->frame);
	}
	me->frame_count--;
	me->at = top->code->next;
	return true;
}

static enum err_code next_iteration(struct processes *p, uint32_t rank)
{
	struct model_process *me = &p->items[rank];
	struct process_frame *top = &process_frames(p, rank)[me->frame_count - 1];

	top->left--;
	if (top->code->node->word) {
		struct interval *index = p->values + (size_t)rank * p->value_room + me->base + top->code->slot;

		*index = interval_point(index->lo + 1);
	}
	me->at = top->code->body;
	me->moved++;
	return formula_step(&p->run->formulas, 1, &top->code->node->place, p->run->e);
}

static enum err_code process_step(struct processes *p, struct model_process *me)
{
	struct code *c = me->at;
	struct recorder *recorder = p->run->recorder;
	bool waits = false;
	enum err_code code = run_count_node(p->run);

	if (!code && recorder)
		code = recorder_enter(recorder, p->run->rank, c, me->clock, p->run->e);
	if (code)
		return code;
	if (!c->messages) {
		code = compute(p, me, c);
		me->at = c->next;
	} else if (c->kind == NODE_SEND || c->kind == NODE_ISEND) {
		code = process_send(p, me, c);
		me->at = c->next;
	} else if (c->kind == NODE_RECV) {
		code = receive(p, me, c, &waits);
		if (waits)
			me->state = PROCESS_WAITING;
		else
			me->at = c->next;
	} else if (model_node_info(c->kind)->family == MODEL_COLLECTIVE) {
		code = collective_arrive(p, me, c);
		if (p->open_collective.count)
			me->state = PROCESS_COLLECTIVE;
	} else {
		code = process_enter_body(p, me, c);
	}
	if (!code && recorder && !waits && model_node_info(c->kind)->family != MODEL_COLLECTIVE &&
	    (!c->messages || model_node_info(c->kind)->family == MODEL_MESSAGE))
		recorder_leave(recorder, p->run->rank, me->clock);
	return code;
}

/* Until it waits, pauses or ends. */
static enum err_code run_process(struct processes *p, uint32_t rank)
{
	struct model_process *me = &p->items[rank];
	enum err_code code = ERR_OK;

	run_home(p->run, rank);
	run_frame(p->run, p->values + (size_t)rank * p->value_room + me->base);
	while (!code && me->state == PROCESS_READY) {
		me->moved++;
		if (me->at) {
			code = process_step(p, me);
		} else if (!me->frame_count) {
			me->state = PROCESS_ENDED;
			p->ended++;
		} else if (!end_of_body(p, me)) {
			me->state = PROCESS_PAUSED;
			p->paused[p->paused_count++] = rank;
		}
	}
	return code;
}

static enum err_code deadlock(const struct processes *p)
{
	char text[ERR_TEXT - 40] = "";
	size_t n = 0;
	uint32_t told = 0, all = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		const struct model_process *w = &p->items[i];
		const struct process_channel *ch = w->state == PROCESS_WAITING ? &p->channels.items[w->channel] : NULL;
		char one[160];
		int size;

		if (w->state == PROCESS_ENDED)
			continue;
		all++;
		if (n + sizeof one + sizeof "; and 4294967295 more" > sizeof text)
			continue;
		if (ch)
			size = snprintf(one, sizeof one, "%srank %u (recv, line %u) waits for a message from rank %u "
					"with tag %.0f%s", told ? "; " : "",
					i, w->at->node->place.line, ch->from, ch->tag,
					p->items[ch->from].state == PROCESS_ENDED ? ", which has ended" : "");
		else
			size = snprintf(one, sizeof one, "%srank %u (%s, line %u) waits for all other "
					"ranks", told ? "; " : "", i,
					model_node_info(w->at->node->kind)->name, w->at->node->place.line);
		if (size >= (int)sizeof one)
			size = (int)sizeof one - 1;
		memcpy(text + n, one, (size_t)size + 1);
		n += (size_t)size;
		told++;
	}
	if (told < all)
		snprintf(text + n, sizeof text - n, "; and %u more", all - told);
	return err_set(p->run->e, ERR_FORMAT, "%s%sdeadlock: %s", p->run->in->model->file ? p->run->in->model->file : "",
		       p->run->in->model->file ? ": " : "", text);
}

static enum err_code unreceived(const struct processes *p)
{
	enum err_code code = ERR_OK;
	uint32_t told = 0;

	for (size_t i = 0; !code && i < p->channels.count && told < 3; i++) {
		const struct process_channel *ch = &p->channels.items[i];

		if (!ch->count)
			continue;
		told++;
		code = run_note(p->run, NULL, "%u message%s from rank %u to rank %u with tag %.0f: no "
				"recv", ch->count, ch->count > 1 ? "s" : "",
				ch->from, ch->to, ch->tag);
	}
	if (!code && told == 3)
		code = run_note(p->run, NULL, "%llu messages without a recv in total", (unsigned long long)p->channels.under_way);
	return code;
}

static enum err_code processes_make(struct processes *p, struct program_run *run)
{
	const struct routine *main = run->program.main;
	size_t n = run->process_count, each;

	*p = (struct processes){.run = run, .count = run->process_count, .cache = true};
	channels_init(&p->channels);
	p->frame_room = main->levels + 1;
	p->value_room = main->frames + 1;
	each = sizeof *p->items + p->frame_room * sizeof *p->frames + p->value_room * sizeof *p->values + 2 * sizeof *p->ready;
	if (n * each > PROCESSES_BYTES)
		return err_set(run->e, ERR_LIMIT, "%zu processes of such a deep program take %zu MB: the limit is %zu "
			       "MB", n, n * each >> 20,
			       PROCESSES_BYTES >> 20);
	p->items = mem_zero(n, sizeof *p->items);
	p->frames = mem_alloc(n * p->frame_room, sizeof *p->frames);
	p->values = mem_zero(n * p->value_room, sizeof *p->values);
	p->ready = mem_alloc(n, sizeof *p->ready);
	p->paused = mem_alloc(n, sizeof *p->paused);
	p->loads = mem_zero(run->resource_count + 1, sizeof *p->loads);
	if (!p->items || !p->frames || !p->values || !p->ready || !p->paused || !p->loads)
		return err_memory(run->e, "the model's processes");
	if (run->recorder && recorder_begin(run->recorder, p->count, run->e))
		return run->e->code;
	for (uint32_t i = p->count; i--;) {
		p->items[i].at = main->body;
		process_wake(p, i);
	}
	return ERR_OK;
}

enum err_code processes_run(struct processes *p, struct program_run *run, struct err *e)
{
	struct steady steady = {.asked = 0};
	enum err_code code = processes_make(p, run);

	while (!code && p->ended < p->count) {
		while (!code && p->ready_count)
			code = run_process(p, p->ready[--p->ready_count]);
		if (code || p->ended == p->count)
			break;
		if (!p->paused_count)
			code = deadlock(p);
		else
			code = steady_look(&steady, p, e);
		while (!code && p->paused_count) {
			uint32_t rank = p->paused[--p->paused_count];

			if (process_frames(p, rank)[p->items[rank].frame_count - 1].left > 0)
				code = next_iteration(p, rank);
			process_wake(p, rank);
		}
	}
	if (!code)
		code = unreceived(p);
	steady_release(&steady);
	return code;
}

void processes_release(struct processes *p)
{
	channels_release(&p->channels);
	mem_free(p->items);
	mem_free(p->frames);
	mem_free(p->values);
	mem_free(p->ready);
	mem_free(p->paused);
	mem_free(p->loads);
}

#include "diff.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/method/phases/bbp.h"
#include "core/trace/remote.h"
#include "diff_int.h"

const char *diff_verdict_name(enum diff_verdict v)
{
	static const char *const names[] = {"identical", "sizes", "structure", "processes"};

	return names[v];
}

const struct team *run_diff_team(const struct run_diff *d)
{
	return trace_team(d->run[DIFF_A].analysis->source);
}

/* ---- sequences ---- */

/* One walk over the ticks puts every process's events in their order. */
static enum err_code lay_sequence(struct diff_run *r, const struct progress *progress, struct err *e)
{
	const struct logical *l = r->l;
	const struct trace *t = l->trace;
	uint32_t *next = mem_alloc(t->process_count, sizeof *next);
	enum err_code code = ERR_OK;

	r->sequence = mem_alloc(t->event_count, sizeof *r->sequence);
	if (!next || !r->sequence)
		code = err_memory(e, "the runs' events");
	if (!code && t->process_count)
		memcpy(next, t->first, t->process_count * sizeof *next);
	for (uint32_t i = 0; !code && i < t->event_count; i++) {
		uint32_t event = l->order_of[i];

		if ((i & 0xffff) == 0)
			code = progress_step(progress, PROGRESS_DIFF, i, t->event_count, e);
		r->sequence[next[trace_process_of(t, event)]++] = event;
	}
	mem_free(next);
	return code;
}

/* ---- the verdict ---- */

struct compared {
	enum diff_verdict verdict;
	struct diff_first first;
};

/* Processes are shared out one by one: part i has every so many of them, from i on. */
struct diff_comparing {
	struct run_diff *d;
	unsigned parts;
	struct parallel_stop stop;
	struct compared *of;       /* per process */
	atomic_uint done;
	atomic_int failed;         /* an err_code */
};

static void difference(struct compared *c, uint32_t tick, uint32_t process, uint32_t a, uint32_t b)
{
	if (!c->first.there)
		c->first = (struct diff_first){.there = true, .tick = tick, .process = process, .event = {a, b}};
}

static void compare_process(const struct diff_comparing *all, uint32_t process, struct compared *c)
{
	const struct run_diff *d = all->d;
	const struct logical *la = d->run[DIFF_A].l, *lb = d->run[DIFF_B].l;
	const uint32_t *a = d->run[DIFF_A].sequence + la->trace->first[process], *end_a = d->run[DIFF_A].sequence + la->trace->first[process + 1];
	const uint32_t *b = d->run[DIFF_B].sequence + lb->trace->first[process], *end_b = d->run[DIFF_B].sequence + lb->trace->first[process + 1];

	for (; a < end_a && b < end_b; a++, b++) {
		uint32_t ta = la->tick[*a], tb = lb->tick[*b];

		if (ta != tb || run_diff_key(d, DIFF_A, *a) != run_diff_key(d, DIFF_B, *b)) {
			difference(c, ta < tb ? ta : tb, process, ta <= tb ? *a : NO_EVENT, tb <= ta ? *b : NO_EVENT);
			c->verdict = DIFF_STRUCTURE;
			return;
		}
		if (trace_size(la->trace, *a) != trace_size(lb->trace, *b)) {
			difference(c, ta, process, *a, *b);
			c->verdict = DIFF_SIZES;
		}
	}
	if (a < end_a)
		difference(c, la->tick[*a], process, *a, NO_EVENT);
	else if (b < end_b)
		difference(c, lb->tick[*b], process, NO_EVENT, *b);
	if (a < end_a || b < end_b)
		c->verdict = DIFF_STRUCTURE;
}

static void step_done(struct diff_comparing *all, unsigned part)
{
	unsigned done = atomic_fetch_add_explicit(&all->done, 1, memory_order_relaxed) + 1;

	if (part == 0)
		progress_report(all->stop.progress, PROGRESS_DIFF, done, all->d->process_count);
}

static void compare_part(void *arg, unsigned part)
{
	struct diff_comparing *all = arg;

	for (uint32_t p = part; p < all->d->process_count && !parallel_stopped(&all->stop, part); p += all->parts) {
		compare_process(all, p, &all->of[p]);
		step_done(all, part);
	}
}

static unsigned parts_of(const struct run_diff *d)
{
	unsigned most = d->process_count < PARALLEL_MOST ? d->process_count : PARALLEL_MOST;

	return parallel_threads(d->run[DIFF_A].analysis->source->threads, most ? most : 1);
}

/* What all ranks have found, at all of them. */
static enum err_code join_verdicts(struct run_diff *d, struct err *e)
{
	const struct team *team = run_diff_team(d);
	uint32_t ranks = team_size(team), verdict = d->verdict;
	struct team_bytes *from;
	enum err_code code;

	if (ranks == 1)
		return ERR_OK;
	code = team_reduce_u32(team, &verdict, 1, TEAM_MAX, e);
	if (code)
		return code;
	d->verdict = (enum diff_verdict)verdict;
	from = mem_zero(ranks, sizeof *from);
	if (!from)
		return team_agree(team, err_memory(e, "what differs"), e);
	code = team_gather_all(team, &d->first, sizeof d->first, from, e);
	/* Ranks have their processes in order, so that of equal ticks the first is of the smallest process. */
	for (uint32_t r = 0; !code && r < ranks; r++) {
		struct diff_first its;

		memcpy(&its, from[r].bytes, sizeof its);
		if (r != team_rank(team))
			its.event[DIFF_A] = its.event[DIFF_B] = NO_EVENT;
		if (r == 0 || (its.there && (!d->first.there || its.tick < d->first.tick)))
			d->first = its;
	}
	team_bytes_free(from, ranks);
	mem_free(from);
	return code;
}

static enum err_code judge(struct run_diff *d, const struct progress *progress, struct err *e)
{
	struct diff_comparing all = {.d = d, .parts = parts_of(d), .stop.progress = progress, .of = mem_zero(d->process_count, sizeof *all.of)};

	if (!all.of)
		return err_memory(e, "what differs");
	parallel_run(all.parts, compare_part, &all);
	for (uint32_t p = 0; p < d->process_count; p++) {
		const struct compared *c = &all.of[p];

		if (c->verdict > d->verdict)
			d->verdict = c->verdict;
		if (c->first.there && (!d->first.there || c->first.tick < d->first.tick))
			d->first = c->first;
	}
	mem_free(all.of);
	for (int side = DIFF_A; d->first.there && side <= DIFF_B; side++)
		d->first.cell[side] = run_diff_cell(d, (enum diff_side)side, d->first.event[side]);
	return atomic_load(&all.stop.stopped) ? err_set(e, ERR_CANCELLED, "interrupted") : ERR_OK;
}

static enum err_code lay_sequences(struct run_diff *d, const struct progress *progress, struct err *e)
{
	enum err_code code = lay_sequence(&d->run[DIFF_A], progress, e);

	if (!code)
		code = lay_sequence(&d->run[DIFF_B], progress, e);
	if (code)
		return code;
	d->of_b = mem_alloc(d->run[DIFF_B].types.count, sizeof *d->of_b);
	if (!d->of_b)
		return err_memory(e, "the types of collectives");
	canonical_joint(&d->run[DIFF_A].types, &d->run[DIFF_B].types, d->of_b);
	return ERR_OK;
}

static enum err_code run_diff_make(struct run_diff *d, const struct progress *progress, struct err *e)
{
	const struct team *team = run_diff_team(d);
	enum err_code code = canonical_init(&d->run[DIFF_A].types, d->run[DIFF_A].analysis->source, e);

	if (!code)
		code = canonical_init(&d->run[DIFF_B].types, d->run[DIFF_B].analysis->source, e);
	if (!code)
		code = team_agree(team, lay_sequences(d, progress, e), e);
	if (!code && d->options.strict)
		code = strict_types_make(d, progress, e);
	if (!code)
		code = team_agree(team, judge(d, progress, e), e);
	return code ? code : join_verdicts(d, e);
}

enum err_code run_diff_new(struct run_diff **out, const struct analysis *a, const struct analysis *b, const struct diff_options *options,
			   const struct progress *progress, struct err *e)
{
	struct run_diff *d = mem_zero(1, sizeof *d);
	enum err_code code = team_agree(trace_team(a->source), d ? ERR_OK : err_memory(e, "what differs"), e);

	*out = NULL;
	if (code) {
		mem_free(d);
		return code;
	}
	d->options = *options;
	if (!d->options.effort)
		d->options.effort = DIFF_EFFORT;
	d->run[DIFF_A] = (struct diff_run){.analysis = a, .l = a->logical};
	d->run[DIFF_B] = (struct diff_run){.analysis = b, .l = b->logical};
	if (a->logical->trace->process_count != b->logical->trace->process_count) {
		d->verdict = DIFF_PROCESSES;
	} else {
		d->process_count = a->logical->trace->process_count;
		code = run_diff_make(d, progress, e);
	}
	if (code)
		run_diff_free(d);
	else
		*out = d;
	return code;
}

void run_diff_free(struct run_diff *d)
{
	if (!d)
		return;
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		canonical_release(&d->run[side].types);
		mem_free(d->run[side].sequence);
		strict_types_release(&d->run[side]);
	}
	for (uint32_t p = 0; d->processes && p < d->process_count; p++)
		edit_script_release(&d->processes[p].script);
	mem_free(d->processes);
	mem_free(d->of_b);
	mem_free(d);
}

/* ---- edits ---- */

/* Keys of one process's sequence. */
static uint32_t *keys_of(const struct run_diff *d, enum diff_side side, uint32_t process, uint32_t *count)
{
	const struct diff_run *r = &d->run[side];
	uint32_t first = r->l->trace->first[process], *keys;

	*count = r->l->trace->first[process + 1] - first;
	keys = mem_alloc(*count, sizeof *keys);
	for (uint32_t i = 0; keys && i < *count; i++)
		keys[i] = run_diff_key(d, side, r->sequence[first + i]);
	return keys;
}

static void count_resized(const struct run_diff *d, uint32_t process, struct process_diff *to)
{
	const struct trace *a = d->run[DIFF_A].l->trace, *b = d->run[DIFF_B].l->trace;
	double volume = d->run[DIFF_A].analysis->settings.volume;
	struct diff_walk w = diff_walk(d, process);

	while (diff_next(&w))
		if (w.a != NO_EVENT && w.b != NO_EVENT && trace_size(a, w.a) != trace_size(b, w.b)) {
			to->resized++;
			to->resized_far += !size_similar(trace_size(a, w.a), trace_size(b, w.b), volume);
		}
}

static enum err_code edit_process(struct diff_comparing *all, uint32_t process, unsigned part)
{
	struct run_diff *d = all->d;
	struct process_diff *to = &d->processes[process];
	uint32_t n, m, *a = keys_of(d, DIFF_A, process, &n), *b = keys_of(d, DIFF_B, process, &m);
	enum err_code code = ERR_MEMORY;

	if (a && b)
		code = edit_script_init(&to->script, a, n, b, m, d->options.effort, &all->stop, part);
	mem_free(a);
	mem_free(b);
	if (!code && !to->script.beyond)
		count_resized(d, process, to);
	return code;
}

static void edit_part(void *arg, unsigned part)
{
	struct diff_comparing *all = arg;

	for (uint32_t p = part; p < all->d->process_count && !parallel_stopped(&all->stop, part); p += all->parts) {
		enum err_code code = edit_process(all, p, part);

		if (code == ERR_MEMORY) {
			atomic_store(&all->failed, (int)code);
			atomic_store(&all->stop.stopped, true);
		}
		step_done(all, part);
	}
}

static enum err_code processes_edit(struct run_diff *d, const struct progress *progress, struct err *e)
{
	struct diff_comparing all = {.d = d, .parts = parts_of(d), .stop.progress = progress};

	d->processes = mem_zero(d->process_count, sizeof *d->processes);
	if (!d->processes)
		return err_memory(e, "the edits");
	parallel_run(all.parts, edit_part, &all);
	if (atomic_load(&all.failed))
		return err_memory(e, "the edits");
	return atomic_load(&all.stop.stopped) ? err_set(e, ERR_CANCELLED, "interrupted") : ERR_OK;
}

enum { COUNT_REMOVED, COUNT_ADDED, COUNT_RESIZED, COUNT_FAR, COUNT_BEYOND, COUNTS };

/* What is counted of every process, at all ranks. */
static enum err_code join_counts(struct run_diff *d, struct err *e)
{
	const struct team *team = run_diff_team(d);
	size_t n = (size_t)d->process_count * COUNTS;
	uint32_t *of;
	enum err_code code;

	if (team_size(team) == 1)
		return ERR_OK;
	of = mem_alloc(n, sizeof *of);
	if (!of)
		return team_agree(team, err_memory(e, "the edits"), e);
	for (uint32_t p = 0; p < d->process_count; p++) {
		const struct process_diff *x = &d->processes[p];
		const uint32_t counts[COUNTS] = {x->script.removed, x->script.added, x->resized, x->resized_far, x->script.beyond};

		memcpy(of + (size_t)p * COUNTS, counts, sizeof counts);
	}
	code = team_reduce_u32(team, of, n, TEAM_SUM, e);
	for (uint32_t p = 0; !code && p < d->process_count; p++) {
		struct process_diff *x = &d->processes[p];
		const uint32_t *counts = of + (size_t)p * COUNTS;

		x->script.removed = counts[COUNT_REMOVED];
		x->script.added = counts[COUNT_ADDED];
		x->resized = counts[COUNT_RESIZED];
		x->resized_far = counts[COUNT_FAR];
		x->script.beyond = counts[COUNT_BEYOND];
	}
	mem_free(of);
	return code;
}

enum err_code run_diff_edit(struct run_diff *d, const struct progress *progress, struct err *e)
{
	enum err_code code;

	if (d->verdict == DIFF_PROCESSES || d->processes)
		return ERR_OK;
	code = team_agree(run_diff_team(d), processes_edit(d, progress, e), e);
	if (!code)
		code = join_counts(d, e);
	for (uint32_t p = 0; !code && p < d->process_count; p++)
		d->beyond |= d->processes[p].script.beyond;
	return code;
}

struct diff_walk diff_walk(const struct run_diff *d, uint32_t process)
{
	const struct edit_script *script = &d->processes[process].script;

	return (struct diff_walk){.d = d, .script = script, .left = script->run_count ? script->runs[0].count : 0,
				  .at = {d->run[DIFF_A].l->trace->first[process], d->run[DIFF_B].l->trace->first[process]}};
}

bool diff_next(struct diff_walk *w)
{
	enum edit edit;

	if (!w->left) {
		if (w->run + 1 >= w->script->run_count)
			return false;
		w->left = w->script->runs[++w->run].count;
	}
	edit = w->script->runs[w->run].edit;
	w->left--;
	w->a = edit == EDIT_INSERT ? NO_EVENT : w->d->run[DIFF_A].sequence[w->at[DIFF_A]++];
	w->b = edit == EDIT_DELETE ? NO_EVENT : w->d->run[DIFF_B].sequence[w->at[DIFF_B]++];
	return true;
}

/* ---- cells ---- */

struct diff_cell run_diff_cell(const struct run_diff *d, enum diff_side side, uint32_t event)
{
	const struct diff_run *r = &d->run[side];
	const struct trace *t = r->l->trace;
	struct diff_cell cell = {.comm = UINT32_MAX};

	if (event == NO_EVENT)
		return cell;
	cell.there = true;
	cell.type = canonical_type(&r->types, t->type[event]);
	cell.size = trace_size(t, event);
	cell.tick = r->l->tick[event];
	if (d->options.strict && EVENT_KIND(cell.type) != EVENT_COLLECTIVE) {
		cell.comm = strict_types_comm(r, event);
		cell.tag = trace_tag(t, event);
	}
	return cell;
}

void run_diff_print_cell(const struct run_diff *d, enum diff_side side, const struct diff_cell *cell, enum type_style style,
			 struct out *out)
{
	const struct diff_run *r = &d->run[side];

	canonical_print(&r->types, cell->type, style, out);
	if (d->options.strict)
		strict_types_print(r, cell, out);
}

#include "study.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/compare/graph/graph.h"

#define GRAPHS_BYTES (PHASE_BLOCK_BYTES / 4 * 3) /* of all blocks; what is left is the model's */

/* A block that is to be made: of a family, by its index; of which run's phase. */
struct wanted_block {
	uint32_t family, run, phase;
};

/* All that is needed while they are made; all ranks know what is wanted, by family. */
struct graphing {
	struct study_graphs *g;
	const struct team *team;
	struct wanted_block *wanted;
	size_t count;
	const struct study_file *file;
	const struct settings *settings;
	unsigned threads;
	const struct progress *progress;
	struct phase_block *blocks;   /* per family; rank 0's */
	size_t bytes;                 /* of them */
	struct err *e;
};

/* The one that takes most of a run's time, of equal ones the first. */
static uint32_t heaviest(const struct study_run *run, const struct study_member *m)
{
	double most = -1;
	uint32_t id = m->phases[0];

	for (uint32_t k = 0; k < m->count; k++) {
		const struct run_phase *p = run_phases_find(run->phases, m->phases[k]);

		if (p && p->weight * p->time > most) {
			most = p->weight * p->time;
			id = p->id;
		}
	}
	return id;
}

static enum err_code graphs_choose_families(struct study_graphs *g, struct err *e)
{
	const struct study *s = g->study;

	g->list = mem_zero(s->family_count, sizeof *g->list);
	if (!g->list)
		return err_memory(e, "the graphs");
	for (uint32_t i = 0; i < s->family_count; i++) {
		const struct study_family *f = &s->families[i];
		const struct study_member *m = &f->members[f->count - 1];
		const struct study_run *run = &s->runs->list[m->run];

		if (!run->reads_trace)
			return err_set(e, ERR_USAGE, "--graph: %s is a phase table; the graph of phase family %" PRIu32 " needs the trace of its last run",
				       run->name, f->id);
		g->list[i] = (struct study_graph){.family = f, .member = m, .phase = heaviest(run, m)};
	}
	return ERR_OK;
}

/* What rank 0 chose, told to all. */
static enum err_code broadcast_wanted(struct graphing *w)
{
	const struct study *s = w->g->study;
	enum err_code code;
	void *list;

	w->count = s ? s->family_count : 0;
	w->wanted = s ? mem_alloc(w->count, sizeof *w->wanted) : NULL;
	if (s && !w->wanted)
		return team_agree(w->team, err_memory(w->e, "the graphs"), w->e);
	for (uint32_t i = 0; i < w->count; i++)
		w->wanted[i] = (struct wanted_block){i, w->g->list[i].member->run, w->g->list[i].phase};
	list = w->wanted;
	code = team_broadcast_list(w->team, &list, &w->count, sizeof *w->wanted, w->e);
	w->wanted = list;
	return code;
}

static void block_name(uint32_t family, char name[32])
{
	snprintf(name, 32, "family_%" PRIu32, family + 1);
}

/* A block that was made, at rank 0. */
static enum err_code take_block(struct graphing *w, uint32_t i, bool too_large)
{
	struct study_graph *f = &w->g->list[i];
	struct phase_block *b = &w->blocks[i];

	f->left_out = too_large || w->bytes + b->text.len > GRAPHS_BYTES;
	if (f->left_out) {
		phase_block_release(b);
		return ERR_OK;
	}
	w->bytes += b->text.len;
	return phase_costs_add(&w->g->costs, &b->steps, w->progress, w->e);
}

static enum err_code add_block(struct graphing *w, const struct wanted_block *x, const struct analysis *a)
{
	bool first = !team_rank(w->team);
	struct phase_block others = {.id = 0}, *b = first ? &w->blocks[x->family] : &others;
	char name[32];
	enum err_code code;

	block_name(x->family, name);
	code = phase_block_init(b, a, x->phase, name, w->progress, w->e);
	if (!code || code == ERR_LIMIT)
		code = team_agree(w->team, first ? take_block(w, x->family, code == ERR_LIMIT) : ERR_OK, w->e);
	if (first)
		phase_steps_leave_trace(&b->steps);
	else
		phase_block_release(b);
	return code;
}

/* Ids must mean what they meant when the study was made. */
static enum err_code check_same(const struct study_run *run, const struct analysis *a, struct err *e)
{
	bool same = a->phases->count == run->phases->count;

	for (uint32_t i = 0; same && i < a->phases->count; i++)
		same = a->phases->list[i].weight == run->phases->list[i].weight;
	return same ? ERR_OK : err_set(e, ERR_FORMAT, "%s: the file was changed during the study", run->name);
}

/* The blocks of all families whose last run it is. */
static enum err_code graphs_add_run(struct graphing *w, uint32_t r)
{
	struct analysis *a = NULL;
	struct trace *t = NULL;
	struct err damage;
	bool needed = false;
	enum err_code code;

	for (size_t i = 0; i < w->count; i++)
		needed = needed || w->wanted[i].run == r;
	if (!needed)
		return ERR_OK;
	code = study_load_trace(&t, &a, &w->file->runs[r], w->settings, w->threads, w->team, &damage, w->progress, w->e);
	if (!code)
		code = team_agree(w->team, team_rank(w->team) ? ERR_OK : check_same(&w->g->study->runs->list[r], a, w->e), w->e);
	for (size_t i = 0; !code && i < w->count; i++)
		if (w->wanted[i].run == r)
			code = add_block(w, &w->wanted[i], a);
	analysis_unref(a);
	trace_free(t);
	return code;
}

/* ---- as text ---- */

static void put_head(const struct study_graphs *g, const struct study_graph *f, struct out *out)
{
	const struct study_run *run = &g->study->runs->list[f->member->run];

	out_printf(out, "  # family %" PRIu32 ": phase %" PRIu32, f->family->id, f->phase);
	for (uint32_t k = 0; f->member->count > 1 && k < f->member->count; k++)
		out_printf(out, "%s%" PRIu32, k ? "+" : ", the longest of ", f->member->phases[k]);
	out_printf(out, ", of %s on %" PRIu32 " process%s", run->name, run->phases->processes, run->phases->processes == 1 ? "" : "es");
}

static enum err_code write_block(struct graphing *w, uint32_t i, const struct out *functions)
{
	struct study_graph *f = &w->g->list[i];
	struct phase_block *b = &w->blocks[i];
	struct program_model m;
	struct interval *values = NULL;
	struct out document;
	char name[32];
	enum err_code code;

	put_head(w->g, f, &f->text);
	if (f->left_out) {
		out_str(&f->text, ": no graph, it has too many different steps\n");
		return f->text.failed ? err_memory(w->e, "the graphs") : ERR_OK;
	}
	block_name(i, name);
	program_model_init(&m);
	out_init(&document);
	phase_block_program(b, functions, name, name, &document);
	code = phase_block_evaluate(b, &m, &values, &document, w->progress, w->e);
	out_printf(&f->text, ": occurrence %" PRIu32 " of %" PRIu32 "\n", b->place, b->weight);
	phase_block_times(b, "  # ", &f->text);
	phase_block_notes(b, "  # ", &f->text);
	out_add(&f->text, b->text.text, b->text.len);
	mem_free(values);
	out_release(&document);
	program_model_release(&m);
	return code || !f->text.failed ? code : err_memory(w->e, "the graphs");
}

static enum err_code write_blocks(struct graphing *w)
{
	const struct study *s = w->g->study;
	struct out functions;
	enum err_code code = phase_costs_fit(&w->g->costs, w->progress, w->e);

	out_init(&functions);
	phase_costs_write(&w->g->costs, &functions);
	if (!code && functions.failed)
		code = err_memory(w->e, "the graphs");
	for (uint32_t i = 0; !code && i < s->family_count; i++)
		code = write_block(w, i, &functions);
	out_release(&functions);
	return code;
}

/* What rank 0 does before any trace is read. */
static enum err_code graphs_begin(struct graphing *w)
{
	enum err_code code = graphs_choose_families(w->g, w->e);

	if (!code)
		code = phase_costs_init(&w->g->costs, w->e);
	if (code)
		return code;
	w->blocks = mem_zero(w->g->study->family_count, sizeof *w->blocks);
	return w->blocks ? ERR_OK : err_memory(w->e, "the graphs");
}

enum err_code study_graphs_make(struct study_graphs *g, const struct study *s, const struct study_file *file, const struct settings *settings,
				unsigned threads, const struct team *team, const struct progress *progress, struct err *e)
{
	struct graphing w = {.g = g, .team = team, .file = file, .settings = settings, .threads = threads, .progress = progress, .e = e};
	enum err_code code;

	*g = (struct study_graphs){.study = s};
	code = team_agree(team, s ? graphs_begin(&w) : ERR_OK, e);
	if (!code)
		code = broadcast_wanted(&w);
	for (uint32_t r = 0; !code && r < file->run_count; r++)
		code = graphs_add_run(&w, r);
	if (!code)
		code = team_agree(team, s ? write_blocks(&w) : ERR_OK, e);
	for (uint32_t i = 0; w.blocks && i < s->family_count; i++)
		phase_block_release(&w.blocks[i]);
	mem_free(w.blocks);
	mem_free(w.wanted);
	return code;
}

void study_graphs_release(struct study_graphs *g)
{
	for (uint32_t i = 0; g->list && i < g->study->family_count; i++)
		out_release(&g->list[i].text);
	mem_free(g->list);
	phase_costs_release(&g->costs);
	*g = (struct study_graphs){0};
}

/* What the families of a study do, as blocks beside its model (docs/explain/models-language.md, "Phases as models"):
 * each block is that of the representative occurrence of its phase in the last run that has the family, as `phases
 * --graph-of` makes it of that run alone; the file reads back with a function for all that the blocks need, and takes
 * alone what it says of itself; and the model's time is that of the study, with blocks and without.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/models/graph/evaluate.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/predict.h"
#include "core/compare/graph/graph.h"
#include "core/study/study.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code && code != ERR_DAMAGED)
		bail_out("%s", err.text);
}

static double time_of(const struct program_model *m, double n, double p)
{
	struct interval *values = mem_zero(m->parameter_count, sizeof *values);
	struct evaluate_input in = {.model = m, .values = values};
	struct outcome out;
	double time;

	for (uint32_t i = 0; i < m->parameter_count; i++) {
		bool is_p = !strcmp(m->parameters[i].name, "p");

		values[i] = is_p ? (struct interval){p, p} : (struct interval){n, n};
	}
	must(evaluate(&out, &in, &err));
	time = out.time.hi;
	outcome_release(&out);
	mem_free(values);
	return time;
}

struct made {
	struct study_file file;
	struct settings settings;
	struct study_runs runs;
	struct study *study;
	struct study_models models;
	struct study_graphs graphs;
	struct out text, plain;
	struct program_model model, without;
};

static void make(struct made *m, const char *const *operands)
{
	settings_init(&m->settings);
	study_file_init(&m->file);
	for (; *operands; operands++)
		must(study_file_operand(&m->file, *operands, &err));
	must(study_load(&m->runs, &m->file, &m->settings, 0, NULL, NULL, &err));
	must(study_new(&m->study, "s", &m->runs, m->settings.relevance, NULL, &err));
	must(study_models_make(&m->models, m->study, STUDY_PREDICTS | STUDY_WRITES, STUDY_ALL_RUNS, 0, NULL, &err));
	must(study_graphs_make(&m->graphs, m->study, &m->file, &m->settings, 1, NULL, NULL, &err));
	out_init(&m->text);
	out_init(&m->plain);
	must(study_model_write(&m->models, &m->graphs, &m->text, &err));
	must(study_model_write(&m->models, NULL, &m->plain, &err));
	must(model_parse(&m->model, "with", m->text.text, m->text.len, &err));
	must(model_parse(&m->without, "without", m->plain.text, m->plain.len, &err));
}

static void drop(struct made *m)
{
	program_model_release(&m->model);
	program_model_release(&m->without);
	out_release(&m->text);
	out_release(&m->plain);
	study_graphs_release(&m->graphs);
	study_models_release(&m->models);
	study_free(m->study);
	study_runs_release(&m->runs);
	study_file_release(&m->file);
}

/* The phases' own graphs, by their run and id: text of a block behind its name's line. */
static const char *nodes_of(const char *block)
{
	return strchr(block, '\n') + 1;
}

static double weight_time(const struct study_run *r, uint32_t id)
{
	const struct run_phase *p = run_phases_find(r->phases, id);

	return p->weight * p->time;
}

/* Blocks of one run, against those of its trace alone. */
static uint32_t same_blocks(const struct made *m, uint32_t run, uint32_t *of_run)
{
	const struct study_run *r = &m->runs.list[run];
	struct trace_options o = {.threads = 1};
	struct trace *t;
	struct analysis *a;
	uint32_t same = 0;

	must(trace_load(&t, m->file.runs[run].files, 1, &o, NULL, &err));
	must(analysis_new(&a, t, &m->settings, NULL, ANALYSIS_PHASES, NULL, &err));
	for (uint32_t i = 0; i < m->study->family_count; i++) {
		const struct study_family *f = &m->study->families[i];
		const struct study_member *last = &f->members[f->count - 1];
		struct phase_graph g;
		uint32_t id = last->phases[0];

		if (last->run != run)
			continue;
		(*of_run)++;
		for (uint32_t k = 1; k < last->count; k++)
			if (weight_time(r, last->phases[k]) > weight_time(r, id))
				id = last->phases[k];
		must(phase_graph_init(&g, a, id, NULL, NULL, &err));
		if (strstr(m->graphs.list[i].text.text, nodes_of(g.block.text.text)) && m->graphs.list[i].phase == id)
			same++;
		else
			diag("family %u, phase %u of %s", f->id, id, r->name);
		phase_graph_release(&g);
	}
	analysis_unref(a);
	trace_free(t);
	return same;
}

static void check_times(const struct made *m)
{
	static const double places[][2] = {{1400, 4}, {7000, 8}, {1, 4}, {14000, 8}, {3000, 6}, {100000, 64}, {2.5, 3}};
	double worst = 0;
	uint32_t equal = 0, n = sizeof places / sizeof *places;

	for (uint32_t i = 0; i < n; i++) {
		struct study_prediction at;
		char text[64];
		double time = time_of(&m->model, places[i][0], places[i][1]);
		struct study_file f;

		study_file_init(&f);
		snprintf(text, sizeof text, "n=%.17g,p=%.17g", places[i][0], places[i][1]);
		must(study_file_at(&f, text, &err));
		must(study_predict(&at, &m->models, &f.places[0], &err));
		worst = fmax(worst, fabs(time / at.time.value - 1));
		equal += !(time < time_of(&m->without, places[i][0], places[i][1])) && !(time > time_of(&m->without, places[i][0], places[i][1]));
		study_prediction_release(&at);
		study_file_release(&f);
	}
	ok(worst <= 1e-9, "the model with blocks takes what the study predicts: off by %.2g", worst);
	is_int(equal, n, "to the last digit what it takes without them");
}

/* Alone a block takes what stands above it. */
static void check_alone(const struct made *m)
{
	uint32_t ends = 0, blocks = 0;

	for (uint32_t i = 0; i < m->study->family_count; i++) {
		const struct study_graph *g = &m->graphs.list[i];
		const struct study_run *r = &m->runs.list[g->member->run];
		const char *line = strstr(g->text.text, "the graph ends at ");
		char name[32];
		char *unit = NULL;
		double said, is, by;
		struct program_model one;

		snprintf(name, sizeof name, "family_%u", m->study->families[i].id);
		blocks += model_block(&m->model, name) == i;
		must(model_parse(&one, "one", m->text.text, m->text.len, &err));
		must(model_run_block(&one, name, &err));
		is = time_of(&one, 1400, r->phases->processes);
		said = line ? strtod(line + 18, &unit) : NAN;
		by = !unit || !strncmp(unit, " s", 2) ? 1 : !strncmp(unit, " ms", 3) ? 1e-3 : !strncmp(unit, " us", 3) ? 1e-6 : 1e-9;
		if (fabs(said * by - is) <= 0.006 * is + 1e-12)
			ends++;
		else
			diag("%s: %g, said to be %g", name, is, said * by);
		program_model_release(&one);
	}
	is_int(blocks, m->study->family_count, "a block for each family, in their order");
	is_int(ends, m->study->family_count, "which alone takes what it says");
}

static void check(const char *what, const char *const *operands)
{
	struct made m = {0};
	uint32_t same = 0, found = 0, last = 0;

	make(&m, operands);
	for (uint32_t r = 0; r < m.runs.count; r++) {
		uint32_t of_run = 0;

		same += same_blocks(&m, r, &of_run);
		found += of_run;
		last = of_run;
	}
	is_int(found, m.study->family_count, "%s: each family has a last run", what);
	is_int(same, found, "its block is that of its phase in that run");
	ok(last > 0, "%u of %u are in the last run of all", last, found);
	check_times(&m);
	check_alone(&m);
	drop(&m);
}

static void refused(void)
{
	static const char *const tables[] = {"sample-studies/grid.100.yaml@n=100", "sample-studies/grid.200.yaml@n=200"};
	struct made m = {0};

	settings_init(&m.settings);
	study_file_init(&m.file);
	for (int i = 0; i < 2; i++)
		must(study_file_operand(&m.file, tables[i], &err));
	must(study_load(&m.runs, &m.file, &m.settings, 0, NULL, NULL, &err));
	must(study_new(&m.study, "s", &m.runs, m.settings.relevance, NULL, &err));
	is_int(study_graphs_make(&m.graphs, m.study, &m.file, &m.settings, 1, NULL, NULL, &err), ERR_USAGE, "phase tables have no graph");
	is_str(err.text, "--graph: grid.200 is a phase table; the graph of phase family 1 needs the trace of its last run", "which is told");
	study_graphs_release(&m.graphs);
	study_free(m.study);
	m.study = NULL;
	/* A run that is needed may be another file by now. */
	study_runs_release(&m.runs);
	study_file_release(&m.file);
	study_file_init(&m.file);
	must(study_file_operand(&m.file, "sample-traces/cg.S.4.clog2", &err));
	must(study_load(&m.runs, &m.file, &m.settings, 0, NULL, NULL, &err));
	must(study_new(&m.study, "s", &m.runs, m.settings.relevance, NULL, &err));
	m.file.runs[0].files[0] = "sample-traces/lu.S.4.clog2";
	is_int(study_graphs_make(&m.graphs, m.study, &m.file, &m.settings, 1, NULL, NULL, &err), ERR_FORMAT, "another file in a run's place");
	is_str(err.text, "cg.S.4: the file was changed during the study", "is told");
	study_graphs_release(&m.graphs);
	study_free(m.study);
	study_runs_release(&m.runs);
	study_file_release(&m.file);
}

static void one_block(void)
{
	static const char text[] = "pas2p_model: 1\nblocks:\n  a(x): [{compute: x}]\n  b(): [{compute: 2}, {call: a(3)}]\nprogram: [{compute: 1}]\n";
	struct program_model m;

	must(model_parse(&m, "m", text, sizeof text - 1, &err));
	ok(fabs(time_of(&m, 0, 1) - 1) < 1e-15, "a program");
	must(model_run_block(&m, "b", &err));
	ok(fabs(time_of(&m, 0, 1) - 5) < 1e-15, "a block instead of it");
	is_int(model_run_block(&m, "a", &err), ERR_USAGE, "one with arguments");
	is_str(err.text, "m: block 'a' has arguments: write a program that calls it", "cannot stand alone");
	is_int(model_run_block(&m, "c", &err), ERR_USAGE, "nor one that is not there");
	program_model_release(&m);
}

int main(void)
{
	static const char *const alike[] = {"sample-traces/cg.S.4.clog2@n=1400", "sample-traces/thesis-cg.4.clog2@n=3", NULL};
	static const char *const mixed[] = {"sample-traces/lu.S.4.clog2@n=1", "sample-traces/cg.S.4.clog2@n=2",
					    "sample-traces/comms.6.clog2@n=5", NULL};
	static const char *const once[] = {"sample-traces/is.S.4.clog2@n=1", NULL};

	check("two runs of CG", alike);
	check("three programs", mixed);
	check("one run", once);
	refused();
	one_block();
	return done_testing();
}

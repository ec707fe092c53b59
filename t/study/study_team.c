/* A study says the same however many ranks read its runs: traces are shared, tables and results are rank 0's, and so is
 * what comes of them. Studies of the samples, of traces and tables, with graphs, with runs that cannot be read, damaged
 * ones, are made by teams and held against what one process makes: all of the document, the model with its graphs, and
 * the sentence if there is none. And ranks fail together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/study/study.h"
#include "tap.h"
#include "team_drive.h"

struct asked {
	const char *const *operands; /* or a study file alone */
	bool graphs;
};

static enum err_code read_file(struct study_file *f, const struct asked *asked, struct err *e)
{
	enum err_code code = ERR_OK;

	study_file_init(f);
	if (study_is_file(asked->operands[0]))
		return study_file_read(f, asked->operands[0], e);
	for (const char *const *o = asked->operands; *o && !code; o++)
		code = study_file_operand(f, *o, e);
	return code;
}

static enum err_code put(const struct study_models *m, const struct study_runs *runs, struct out *out, struct err *e)
{
	for (uint32_t i = 0; i < runs->count; i++)
		out_printf(out, "%s %s %d %s\n", runs->list[i].name, runs->list[i].file, (int)(1000 * runs->list[i].notes.warnings + runs->list[i].notes.violations),
			   runs->list[i].damage.code ? runs->list[i].damage.text : "");
	return study_write(m, NULL, 0, 0, true, out, e);
}

static enum err_code studied(void *arg, const struct team *team, const struct progress *progress, struct out *out, struct err *e)
{
	const struct asked *asked = arg;
	bool first = !team_rank(team);
	struct study_file f;
	struct settings settings;
	struct study_runs runs = {0};
	struct study *s = NULL;
	struct study_models models = {0};
	struct study_graphs graphs = {0};
	enum err_code code = read_file(&f, asked, e);

	team_fails_from(team);
	settings_init(&settings);
	if (!code)
		code = study_load(&runs, &f, &settings, 1, team, progress, e);
	/* Ranks that share a trace go without names. */
	for (uint32_t i = 0; !code && first && i < runs.count; i++)
		for (uint32_t k = 0; k < runs.list[i].phases->count; k++)
			runs.list[i].phases->list[k].name = runs.list[i].phases->list[k].kinds = NULL;
	if (!code)
		code = team_agree(team, first ? study_new(&s, "s", &runs, settings.relevance, NULL, e) : ERR_OK, e);
	if (!code)
		code = team_agree(team, first ? study_models_make(&models, s, STUDY_SHOWS | STUDY_WRITES, STUDY_ALL_RUNS, 1, NULL, e) : ERR_OK, e);
	if (!code && first)
		code = put(&models, &runs, out, e);
	code = team_agree(team, code, e);
	if (!code && asked->graphs)
		code = study_graphs_make(&graphs, s, &f, &settings, 1, team, progress, e);
	if (!code && asked->graphs)
		code = team_agree(team, first ? study_model_write(&models, &graphs, out, e) : ERR_OK, e);
	study_graphs_release(&graphs);
	study_models_release(&models);
	study_free(s);
	study_runs_release(&runs);
	study_file_release(&f);
	return code;
}

static void same(const char *what, bool graphs, const char *const *operands)
{
	struct asked asked = {operands, graphs};

	ok(team_same(&(struct team_case){.name = what, .run = studied, .arg = &asked}, TEAM_SOME), "%s", what);
}

/* The first half of a trace. */
static void damage(char *path, size_t size)
{
	char bytes[20000];
	const char *folder = getenv("TMPDIR");
	FILE *from = fopen("sample-traces/lu.S.4.clog2", "rb"), *to;
	size_t n = from ? fread(bytes, 1, sizeof bytes, from) : 0;

	snprintf(path, size, "%s/study_team.XXXXXX", folder ? folder : "/tmp");
	close(mkstemp(path));
	to = fopen(path, "wb");
	if (!from || !to || fwrite(bytes, 1, n, to) != n)
		bail_out("no damaged trace");
	fclose(from);
	fclose(to);
}

int main(void)
{
	static const char *const few[] = {"sample-traces/coll.6.clog2@n=1", "sample-traces/comms.6.clog2@n=2", NULL};
	char path[4096], operand[4200];
	const char *const damaged[] = {"sample-traces/cg.S.4.clog2@n=1", operand, NULL};
	struct asked asked = {few, true};

	damage(path, sizeof path);
	snprintf(operand, sizeof operand, "%s@n=2", path);
	same("a study file with a trace and a table", false, (const char *const[]){"sample-studies/cg.study.yaml", NULL});
	same("a study file of tables", false, (const char *const[]){"sample-studies/grid.study.yaml", NULL});
	same("a study file of many runs", false, (const char *const[]){"sample-studies/sweep.study.yaml", NULL});
	same("traces, with graphs", true, (const char *const[]){"sample-traces/cg.S.4.clog2@n=1", "sample-traces/cg.S.4.clog2@n=2",
							       "sample-traces/lu.S.4.clog2@n=3", "sample-traces/one_rank.1.clog2@n=4", NULL});
	same("other traces, with graphs", true, few);
	same("a damaged one", true, damaged);
	same("one that is not there", false, (const char *const[]){"sample-traces/cg.S.4.clog2@n=1", "nowhere.clog2@n=2", NULL});
	same("one that is no trace", false, (const char *const[]){"sample-traces/cg.S.4.clog2@n=1", "Makefile@n=2", "nowhere.clog2@n=3", NULL});
	same("graphs of a table", true, (const char *const[]){"sample-traces/cg.S.4.clog2@n=1", "sample-studies/cg.W.8.yaml@n=2", NULL});
	same("p is said wrongly", false, (const char *const[]){"sample-traces/cg.S.4.clog2@p=5", NULL});
	same("parameters that are not everywhere", false, (const char *const[]){"sample-traces/cg.S.4.clog2@n=5", "sample-traces/lu.S.4.clog2", NULL});
	team_fails(&(struct team_case){.name = "two runs", .run = studied, .arg = &asked, .lenient = true}, 3, 50);
	remove(path);
	return done_testing();
}

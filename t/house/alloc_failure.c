/* Memory that runs out is an error with a sentence, never a crash and never a leak, wherever it happens: each
 * allocation of a load, of an analysis, of a phase table, of a list's rows, of fits, of models and of a study is made
 * to fail, once with all later ones and once alone (a large block is refused while small ones are still there).
 * Afterwards the same work succeeds. A trace or result that does come out of a load with a failed allocation may lack
 * notes, which are counted all the same, but no event.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "gen_clog2.h"
#include "core/formats/convert.h"
#include "core/records/records.h"
#include "core/formats/api/load.h"
#include "core/formats/prv/prv_int.h"
#include "core/base/mem.h"
#include "core/io/source.h"
#include "core/io/unpack.h"
#include "core/models/graph/graph.h"
#include "core/models/graph/evaluate.h"
#include "core/models/fit/fit.h"
#include "core/models/language/formula.h"
#include "core/models/machine/machine.h"
#include "core/models/fit/measurements_csv.h"
#include "core/models/graph/model_read.h"
#include "core/lists/lists.h"
#include "core/documents/table.h"
#include "core/compare/graph/graph.h"
#include "core/compare/diff/diff.h"
#include "core/study/study.h"
#include "packed.h"
#include "tap.h"

/* Something that can be done again and again. */
struct work {
	const char *name;
	enum err_code (*run)(struct work *w, struct err *e); /* frees what it makes */
	const char *const *paths;
	uint32_t paths_count, threads;
	const struct source *sources;
	uint32_t source_count;
	const struct trace *trace;
	const struct analysis *before;
	struct settings settings;
	const struct table *table;
	uint32_t events; /* that came out of it */
};

static enum err_code load_files(struct work *w, struct err *e)
{
	struct trace_options o = {.threads = w->threads};
	struct trace *t = NULL;
	enum err_code code = trace_load(&t, w->paths, w->paths_count, &o, NULL, e);

	if (code && code != ERR_DAMAGED && t)
		return ERR_OK; /* which fails the test: only damage leaves a trace behind an error */
	w->events = t ? t->event_count : 0;
	trace_free(t);
	return code == ERR_DAMAGED ? ERR_OK : code;
}

static enum err_code load_sources(struct work *w, struct err *e)
{
	struct trace_options o = {.threads = 1, .counter = w->settings.compute_counter};
	struct trace *t = NULL;
	enum err_code code = trace_load_sources(&t, w->sources, w->source_count, &o, NULL, e);

	w->events = t ? t->event_count : 0;
	trace_free(t);
	return code == ERR_DAMAGED ? ERR_OK : code;
}

static enum err_code load_compressed(struct work *w, struct err *e)
{
	struct source s;
	struct work inner = *w;
	uint8_t magic[PACKING_MAGIC];
	size_t got;
	enum err_code code = source_read(w->sources, 0, magic, sizeof magic, &got, e);

	if (!code)
		code = source_open_memory(&s, w->sources->name, w->sources->memory, w->sources->file_size, e);
	if (code)
		return code;
	code = source_unpack(&s, packing_of(magic, got), e);
	inner.sources = &s;
	if (!code)
		code = load_sources(&inner, e);
	w->events = inner.events;
	source_release(&s);
	return code;
}

static enum err_code analyse(struct work *w, struct err *e)
{
	struct analysis *a = NULL;
	enum err_code code = analysis_new(&a, w->trace, &w->settings, w->before, ANALYSIS_BBPS | ANALYSIS_PHASES | ANALYSIS_PATTERNS, NULL, e);

	w->events = a ? a->logical->trace->event_count : 0;
	analysis_unref(a);
	return code;
}

/* A run, and what its table gives back. */
static enum err_code match_table(const struct run_phases *r, const char *text, size_t n, struct err *e)
{
	struct waterfall *rows = NULL;
	struct phase_match *m = NULL;
	struct table t;
	enum err_code code = table_read(&t, "table", text, n, e);

	if (code)
		return code;
	code = phase_match_new(&m, r, t.content, NULL, e);
	if (!code)
		code = waterfall_new(&rows, m, NULL, NULL, NULL, e);
	waterfall_free(rows);
	phase_match_free(m);
	table_release(&t);
	return code;
}

static enum err_code tabulate(struct work *w, struct err *e)
{
	struct table t;
	char *text = NULL, *json = NULL;
	size_t n;
	enum err_code code = table_from_analysis(&t, w->before, NULL, NULL, e);

	if (code)
		return code;
	code = table_add_content(&t, w->before, NULL, e);
	if (code == ERR_OK)
		code = table_write(&t, &text, &n, e);
	if (code == ERR_OK)
		code = match_table(t.content, text, n, e);
	if (code == ERR_OK)
		code = table_write_json(&t, &json, &n, e);
	mem_free(text);
	mem_free(json);
	table_release(&t);
	return code;
}

/* Every value of a list's rows, which must have a place for what memory there was none for. */
static void read_rows(const struct list_table *columns, const void *list, uint32_t rows)
{
	for (uint32_t row = 0; row < rows; row++)
		for (int i = 0; i < columns->count; i++) {
			struct cell cell = columns->column[i].value(list, row);

			if (cell.kind == CELL_TEXT && cell.text)
				(void)strlen(cell.text);
		}
}

static enum err_code graph_of_phase(struct work *w, struct err *e)
{
	struct phase_graph g;
	enum err_code code = phase_graph_init(&g, w->before, w->before->phases->count / 2 + 1, "x", NULL, e);

	w->events = (uint32_t)g.text.len;
	phase_graph_release(&g);
	return code;
}

static enum err_code list_states(struct work *w, struct err *e)
{
	struct states_list list;
	enum err_code code = states_list_init(&list, w->trace, e);

	if (!code)
		read_rows(&states_columns, &list, list.count);
	w->events = list.count;
	states_list_release(&list);
	return code;
}

static enum err_code list_phases(struct work *w, struct err *e)
{
	struct phases_list list;
	struct phases_texts texts;
	struct phase_points *points = calloc(w->before->phases->count, sizeof *points);
	uint32_t *entries = calloc(w->trace->process_count, sizeof *entries);
	uint8_t *before = calloc(w->trace->process_count, sizeof *before);
	enum err_code code = phases_list_init(&list, w->before, e);

	phases_texts_init(&texts);
	list.texts = &texts;
	list.points = points;
	for (uint32_t i = 0; i < w->before->phases->count; i++)
		points[i] = (struct phase_points){.occurrence = 1, .checkpoint = entries, .before = before, .entry = entries,
						  .exit = entries};
	if (!code)
		read_rows(&phases_columns, &list, w->before->phases->count);
	if (phases_texts_failed(&texts))
		code = err_memory(e, "a row");
	w->events = w->before->phases->count;
	phases_texts_release(&texts);
	phases_list_release(&list);
	free(points);
	free(entries);
	free(before);
	return code;
}

static enum err_code list_bbps(struct work *w, struct err *e)
{
	struct bbps_texts texts;
	struct bbps_list list = {.analysis = w->before, .types_of = UINT32_MAX, .texts = &texts};
	enum err_code code;

	bbps_texts_init(&texts);
	read_rows(&bbps_columns, &list, w->before->bbps->count);
	code = texts.types.failed ? err_memory(e, "a row") : ERR_OK;
	w->events = w->before->bbps->count;
	bbps_texts_release(&texts);
	return code;
}

/* Make allocation n fail; true: it was reached and dealt with well, or was not reached and all went well. */
static bool fails_well(struct work *w, long n, bool once, uint32_t events, bool *reached)
{
	struct err e = {0};
	enum err_code code;
	long left;

	w->events = 0;
	(once ? mem_fail_once : mem_fail_after)(n);
	code = w->run(w, &e);
	*reached = mem_count() > n;
	left = mem_live();
	mem_fail_after(-1);
	if (left)
		diag("%s: allocation %ld failed%s: %ld blocks are left", w->name, n, once ? " alone" : "", left);
	if (code != ERR_OK && code != ERR_MEMORY)
		diag("%s: allocation %ld failed%s: code %d: %s", w->name, n, once ? " alone" : "", (int)code, e.text);
	if (code == ERR_MEMORY && (e.code != ERR_MEMORY || !e.text[0]))
		diag("%s: allocation %ld failed%s without a sentence", w->name, n, once ? " alone" : "");
	if (code == ERR_OK && w->events != events)
		diag("%s: allocation %ld failed%s and %u of %u events came out", w->name, n, once ? " alone" : "", w->events, events);
	return !left && (code == ERR_OK ? w->events == events : code == ERR_MEMORY && e.code == ERR_MEMORY && e.text[0]);
}

static void every_allocation(struct work w, long least)
{
	struct err e = {0};
	uint32_t events;
	long n = 0, allocations;

	if (!is_int(w.run(&w, &e), ERR_OK, "%s: with memory it works", w.name))
		diag("%s", e.text);
	events = w.events;
	for (int once = 0; once < 2; once++) {
		bool well = true, reached = true;

		for (n = 0; reached && n < 100000; n++)
			well = fails_well(&w, n, once, events, &reached) && well;
		allocations = n - 1;
		ok(well && allocations >= least, "%s: each of %ld allocations fails well%s", w.name, allocations, once ? " alone" : "");
	}
	e = (struct err){0};
	ok(w.run(&w, &e) == ERR_OK && w.events == events, "%s: and then it works again", w.name);
}

static void give_checksums(struct trace *t)
{
	for (uint32_t i = 0; i < t->file_count; i++)
		memset(t->files[i].sha256, 'a', 64);
}

static void files_and_analyses(const char *const *paths, uint32_t count, const char *what)
{
	struct work load = {.name = what, .run = load_files, .paths = paths, .paths_count = count, .threads = 1};
	struct work order = {.name = "an analysis from nothing", .run = analyse};
	struct work again = {.name = "an analysis with other thresholds", .run = analyse};
	struct work table = {.name = "a phase table", .run = tabulate};
	struct work states = {.name = "the states' rows", .run = list_states};
	struct work phases = {.name = "the phases' rows", .run = list_phases};
	struct work bbps = {.name = "the blocks' rows", .run = list_bbps};
	struct work graph = {.name = "the graph of a phase", .run = graph_of_phase};
	struct trace *t = NULL;
	struct analysis *a = NULL;
	struct err e = {0};

	every_allocation(load, 6);
	trace_load(&t, paths, count, NULL, NULL, &e);
	if (!ok(t != NULL, "%s is loaded", what))
		return;
	give_checksums(t);
	settings_init(&order.settings);
	order.trace = again.trace = t;
	every_allocation(order, 6);
	order.settings.order = ORDER_LAMPORT;
	order.settings.similarity = SIMILARITY_BBP;
	order.settings.collectives = COLLECTIVES_IGNORE;
	order.name = "an analysis in lamport order by blocks";
	every_allocation(order, 6);
	settings_init(&again.settings);
	if (analysis_new(&a, t, &again.settings, NULL, ANALYSIS_BBPS | ANALYSIS_PHASES | ANALYSIS_PATTERNS, NULL, &e))
		bail_out("%s", e.text);
	again.before = table.before = phases.before = bbps.before = graph.before = a;
	states.trace = phases.trace = t;
	again.settings.volume = 0.5;
	again.settings.relevance = 0.2;
	every_allocation(again, 6);
	every_allocation(table, 6);
	every_allocation(states, 1);
	every_allocation(phases, 4);
	every_allocation(bbps, 1);
	every_allocation(graph, 6);
	analysis_unref(a);
	trace_free(t);
}

/* ---- fits ---- */

static enum err_code to_out(void *arg, const char *bytes, size_t n, struct err *e)
{
	struct out *out = arg;

	out_add(out, bytes, n);
	return out->failed ? err_memory(e, "the output") : ERR_OK;
}

static enum err_code write_fits(const struct fit_report *r, struct err *e)
{
	struct out out;
	const struct rows_sink sink = {to_out, &out};
	enum err_code code;

	out_init(&out);
	code = fit_report_json(r, &out, e);
	if (!code)
		code = fit_report_csv(r, &sink, NULL, e);
	if (!code)
		code = fit_report_functions(r, NULL, &out, e);
	if (!code)
		code = fit_report_print(r, &out, e);
	if (!code && out.failed)
		code = err_memory(e, "the output");
	out_release(&out);
	return code;
}

static enum err_code fit_measurements(struct work *w, struct err *e)
{
	static const double at[] = {5, 5};
	struct measurements m;
	struct measured_sets sets;
	struct fit_report r;
	enum err_code code = measurements_read(&m, w->sources, w->source_count, NULL, NULL, e);

	if (code)
		return code;
	code = measurements_sets(&m, VALUE_MEAN, &sets, e);
	if (!code) {
		code = fit_report_make(&r, "t.csv", &m, &sets, &(struct fit_options){0}, at, 1, NULL, e);
		if (!code) {
			code = write_fits(&r, e);
			fit_report_release(&r);
		}
		measured_sets_release(&sets);
	}
	measurements_release(&m);
	w->events = 0;
	return code;
}

static void fits(void)
{
	static const char text[] = "op,bytes,p,seconds\na,1,1,1\na,2,1,3\na,3,1,2\na,4,1,2\na,5,1,4\na,5,1,4.1\na,5,1,4\na,5,1,4\na,5,1,9\n"
				   "b,1,1,1\nb,1,2,2\nb,2,1,3\nb,2,2,4\nb,3,3,9\n";
	struct source s;
	struct work w = {.name = "fits", .run = fit_measurements, .sources = &s, .source_count = 1};

	source_open_memory(&s, "t.csv", text, sizeof text - 1, NULL);
	every_allocation(w, 30);
	source_release(&s);
}

/* With several threads it is not the same allocation that fails each time, so only the end is looked at. */
static void threads(const char *path)
{
	const char *paths[] = {path};
	struct work w = {.name = "several threads", .run = load_files, .paths = paths, .paths_count = 1, .threads = 3};
	struct err e = {0};
	bool well = true, reached = true;
	uint32_t events;
	long n;

	w.run(&w, &e);
	events = w.events;
	for (n = 0; reached && n < 100000; n += 1 + n / 64)
		well = fails_well(&w, n, n & 1, events, &reached) && well;
	ok(well && n > 20, "a load by several threads fails well");
}

/* Damage makes notes, and notes need memory too. */
static void damaged(void)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 512);
	struct gen_bytes b = gen_clog2_run(&o, 4, 12);
	struct source s;
	struct work w = {.name = "a damaged trace", .run = load_sources, .sources = &s, .source_count = 1};

	for (size_t at = 1024 + 512; at < b.size; at += 1700)
		b.bytes[at + 21] ^= 0x55;
	source_open_memory(&s, "damaged.clog2", b.bytes, b.size, NULL);
	every_allocation(w, 6);
	source_release(&s);
	free(b.bytes);
}

/* Compute times from a counter: a second account beside that of seconds, for each thread. */
static void counted(void)
{
	static const char run[] = "#Paraver (20/11/2026 at 10:00):1000_ns:1(2):1:2(2:1,1:1)\nc:1:1:2:1:2\n"
		"2:1:1:1:1:100:50000001:1:42000050:90\n2:1:1:1:1:150:50000001:0:42000050:5\n"
		"3:1:1:1:1:110:110:2:1:2:1:100:190:8:1\n2:1:1:1:2:300:50000001:1:42000050:7\n2:1:1:1:2:310:50000001:0:42000050:7\n"
		"2:1:1:1:1:400:50000003:31:42000050:60\n2:1:1:1:1:500:50000003:0:42000050:5\n"
		"2:2:1:2:1:100:50000001:2:42000051:5\n2:2:1:2:1:190:50000001:0:42000050:7\n";
	struct source s;
	struct work w = {.name = "a counter", .run = load_sources, .sources = &s, .source_count = 1};

	strcpy(w.settings.compute_counter, "42000050");
	source_open_memory(&s, "counted.prv", run, sizeof run - 1, NULL);
	every_allocation(w, 6);
	source_release(&s);
}

/* Decompressing needs memory; of the libraries zlib and liblzma take it from where all of it comes. */
static void compressed(void)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 512);
	struct gen_bytes b = gen_clog2_run(&o, 4, 400);

	for (unsigned i = 0; i < packed_kind_count; i++) {
		size_t size;
		uint8_t *bytes = packed_bytes(packed_kinds[i], b.bytes, b.size, 6, &size);
		struct source s;
		struct work w = {.name = packing_name(packed_kinds[i]), .run = load_compressed, .sources = &s, .source_count = 1};

		source_open_memory(&s, packing_name(packed_kinds[i]), bytes, size, NULL);
		every_allocation(w, 6);
		source_release(&s);
		free(bytes);
	}
	free(b.bytes);
}

/* ---- models ---- */

static enum err_code evaluate_model(const struct program_model *m, const struct machine *machine, struct err *e)
{
	struct interval values[8];
	struct evaluate_input in = {.model = m, .machine = machine, .values = values};
	struct outcome out;
	struct bounds bounds;
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < m->parameter_count && !code; i++)
		code = expression_constant(m->parameters[i].value, &values[i], e);
	if (code)
		return code;
	code = evaluate(&out, &in, e);
	outcome_release(&out);
	if (code)
		return code;
	code = bounds_make(&bounds, &in, e);
	bounds_release(&bounds);
	return code;
}

static enum err_code model_on_machine(struct work *w, struct err *e)
{
	struct program_model m;
	struct machine machine;
	enum err_code code = model_read(&m, w->paths[0], e);

	if (code)
		return code;
	code = machine_read(&machine, w->paths[1], e);
	if (!code) {
		code = evaluate_model(&m, &machine, e);
		machine_release(&machine);
	}
	program_model_release(&m);
	return code;
}

static void models(void)
{
	static const char *const matmul[] = {"sample-models/matmul.yaml", "sample-models/celeron-16.yaml"};
	static const char *const pi[] = {"sample-models/pi.yaml", "sample-models/computers-32.yaml"};
	struct work w = {.name = "a model with messages", .run = model_on_machine, .paths = matmul};

	every_allocation(w, 30);
	w.name = "a model with blocks";
	w.paths = pi;
	every_allocation(w, 30);
}

/* From the file to a model and a document. */
static enum err_code study_of_tables(struct work *w, struct err *e)
{
	struct study_prediction p = {0};
	struct study_models m = {0};
	struct study_runs runs = {0};
	struct study *s = NULL;
	struct study_file f;
	struct out out;
	enum err_code code;

	out_init(&out);
	study_file_init(&f);
	code = study_file_read(&f, w->paths[0], e);
	if (!code)
		code = study_load(&runs, &f, &f.settings, 1, NULL, NULL, e);
	if (!code)
		code = study_new(&s, f.name, &runs, 0.01, NULL, e);
	if (!code)
		code = study_models_make(&m, s, STUDY_SHOWS | STUDY_WRITES, STUDY_ALL_RUNS, 1, NULL, e);
	if (!code) {
		code = study_predict(&p, &m, &f.places[0], e);
		if (!code)
			code = study_model_write(&m, NULL, &out, e);
		if (!code)
			code = study_write(&m, &p, 1, 0, true, &out, e);
		study_prediction_release(&p);
		study_models_release(&m);
	}
	study_free(s);
	study_runs_release(&runs);
	study_file_release(&f);
	out_release(&out);
	return code;
}

/* What its families do, of traces that are read again. */
static enum err_code graphs_of_study(struct work *w, struct err *e)
{
	struct study_graphs g = {0};
	struct study_models m = {0};
	struct study_runs runs = {0};
	struct study *s = NULL;
	struct study_file f;
	struct out out;
	enum err_code code;

	out_init(&out);
	study_file_init(&f);
	code = study_file_operand(&f, w->paths[0], e);
	if (!code)
		code = study_load(&runs, &f, &f.settings, 1, NULL, NULL, e);
	if (!code)
		code = study_new(&s, f.name, &runs, 0.01, NULL, e);
	if (!code)
		code = study_models_make(&m, s, STUDY_WRITES, STUDY_ALL_RUNS, 1, NULL, e);
	if (!code) {
		code = study_graphs_make(&g, s, &f, &f.settings, 1, NULL, NULL, e);
		if (!code)
			code = study_model_write(&m, &g, &out, e);
		study_graphs_release(&g);
		study_models_release(&m);
	}
	w->events = (uint32_t)out.len;
	study_free(s);
	study_runs_release(&runs);
	study_file_release(&f);
	out_release(&out);
	return code;
}

static void studies(void)
{
	static const char *const traces[] = {"sample-traces/thesis-cg.4.clog2"};
	static const char *const grid[] = {"sample-studies/grid.study.yaml"};

	every_allocation((struct work){.name = "a study", .run = study_of_tables, .paths = grid}, 30);
	every_allocation((struct work){.name = "the graphs of a study", .run = graphs_of_study, .paths = traces}, 30);
}

static enum err_code read_names(struct work *w, struct err *e)
{
	static const char pcf[] = "STATES\n4 Blocking Send\n\nEVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n";
	static const char row[] = "LEVEL NODE SIZE 2\nhosta\nhostb\n";
	struct prv_names *names;
	enum err_code code = prv_names_parse(&names, pcf, strlen(pcf), row, strlen(row), e);

	w->events = !code;
	prv_names_free(names);
	return code;
}

static void paraver(void)
{
	static const char text[] = "#Paraver (x):1000_ns:0:1:2(2:1,1:1)\nc:1:1:2:1:2\n3:1:1:1:1:300:300:1:1:2:1:20:500:8:0\n"
		"2:1:1:1:1:100:50000001:1\n2:1:1:1:1:90:50000002:8:50100004:1\n2:1:1:1:1:95:50000002:0:60000019:5:900:1\n"
		"2:1:1:2:1:90:50000002:8\n2:1:1:2:1:95:50000002:0\n2:1:1:1:2:110:50000001:5000\n2:1:1:1:2:300:50000001:0\n"
		"2:1:1:9:1:90:50000002:8\n1:1:1:1:1:0:1000:1\n1:1:1:2:1:0:1000:1\n";
	static const char states[] = "#Paraver (x):1000_ns:0:1:2(1:1,1:1)\n1:1:1:1:1:0:1000:1\n1:1:1:2:1:0:1000:1\n1:1:1:1:1:90:120:4\n"
		"3:1:1:1:1:100:100:1:1:2:1:20:500:8:0\n";
	struct source sources[2];
	struct err e;

	if (source_open_memory(&sources[0], "t.prv", text, strlen(text), &e) || source_open_memory(&sources[1], "s.prv", states, strlen(states), &e))
		bail_out("%s", e.text);
	every_allocation((struct work){.name = "a Paraver trace", .run = load_sources, .sources = &sources[0], .source_count = 1}, 30);
	every_allocation((struct work){.name = "a Paraver trace without calls", .run = load_sources, .sources = &sources[1], .source_count = 1}, 30);
	every_allocation((struct work){.name = "names beside a Paraver trace", .run = read_names}, 6);
	source_release(&sources[0]);
	source_release(&sources[1]);
}

/* ---- other formats' files ---- */

static const struct format_writer *written_to; /* what convert_files() makes, and where */
static char written[80];

/* Files are read with all their records, and written in another format, over what is there. */
static enum err_code convert_files(struct work *w, struct err *e)
{
	struct convert_run run = {.to = INFINITY, .last_rank = UINT32_MAX};
	struct trace_options o = {.threads = 1};
	struct record_log *log;
	struct trace *t;
	enum err_code code = record_log_load(&log, &t, w->paths, w->paths_count, &o, 0, NULL, e);

	if (!code)
		code = convert_output_new(&run.output, written, written_to, true, NULL, e);
	run.trace = t;
	run.log = log;
	if (!code)
		code = convert_write(&run, written_to, e);
	w->events = (uint32_t)(run.events[0] + run.events[1] + run.events[2]);
	convert_output_free(run.output);
	record_log_free(log);
	trace_free(t);
	return code;
}

static void converted(void)
{
	static const char *const kinds[] = {"clog2", "otf2", "prv", "perfetto"}, *const paths[] = {"sample-traces/userstates.3.clog2"};
	char folder[] = "/tmp/pas2p-alloc.XXXXXX", command[80];

	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char name[40];
		struct work w = {.name = name, .run = convert_files, .paths = paths, .paths_count = 1};

		written_to = convert_writer(kinds[i]);
		if (!written_to)
			continue; /* not in this build */
		snprintf(name, sizeof name, "converting to %s", kinds[i]);
		snprintf(written, sizeof written, "%s/out%s", folder, written_to->ending ? written_to->ending : "");
		every_allocation(w, 30);
	}
	snprintf(command, sizeof command, "rm -rf %s", folder);
	if (system(command) != 0)
		diag("%s is left", folder);
}

static void archive(void)
{
	static const char *const paths[] = {"sample-traces/nonblock.4.otf2/traces.otf2"};

	if (convert_writer("otf2"))
		every_allocation((struct work){.name = "an OTF2 archive", .run = load_files, .paths = paths, .paths_count = 1, .threads = 1}, 30);
}

int main(void)
{
	static const char *const comms[] = {"sample-traces/comms.6.clog2"};
	static const char *const states[] = {"sample-traces/userstates.3.clog2"};
	static const char *const local[] = {"sample-traces/unfinalized.m240.abortme.rank0000.clog2",
					    "sample-traces/unfinalized.m240.abortme.rank0002.clog2"};

	files_and_analyses(comms, 1, "a trace with many communicators");
	files_and_analyses(states, 1, "a trace with user states");
	files_and_analyses(local, 2, "two local files");
	threads("sample-traces/comms.6.clog2");
	damaged();
	counted();
	paraver();
	archive();
	converted();
	compressed();
	fits();
	models();
	studies();
	return done_testing();
}

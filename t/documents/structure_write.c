/* Other programs read a run's structure out of JSON or YAML: unfolding its symbols must give the run's occurrences
 * again, its figures must be the main loop's, and what is not there must be null. And a phase table with a structure in
 * it must be the same table to its readers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/documents/documents_int.h"
#include "core/documents/table.h"
#include "core/formats/api/load.h"
#include "core/io/yaml_in.h"
#include "fold_line.h"
#include "gen.h"
#include "tap.h"
#include "window_case.h"

struct sequence {
	uint32_t *list, count, cap;
};

static void append(struct sequence *s, const uint32_t *list, uint32_t count, uint32_t times)
{
	s->list = realloc(s->list, (s->count + (size_t)count * times + 1) * sizeof *s->list);
	if (!s->list)
		bail_out("no memory for a sequence");
	for (uint32_t k = 0; k < times && count; k++, s->count += count)
		memcpy(s->list + s->count, list, count * sizeof *list);
}

static uint32_t whole(const struct yaml_node *n)
{
	uint64_t v = UINT64_MAX;

	if (!n || n->kind != YAML_SCALAR || n->quoted || !number_parse_whole(n->text, strlen(n->text), &v) || v > UINT32_MAX)
		bail_out("a whole number was expected, not '%s'", n && n->text ? n->text : "nothing");
	return (uint32_t)v;
}

static double real(const struct yaml_node *n)
{
	double v = NAN;

	if (n && n->kind == YAML_SCALAR && !yaml_is_null(n) && !number_parse(n->text, strlen(n->text), &v))
		bail_out("a number was expected, not '%s'", n->text);
	return v;
}

static void unfold(struct sequence *to, const struct yaml_node *list)
{
	if (!list || list->kind != YAML_LIST)
		bail_out("a list of symbols was expected");
	for (const struct yaml_node *n = list->first; n; n = n->next) {
		if (yaml_get(n, "phase")) {
			uint32_t phase = whole(yaml_get(n, "phase"));

			append(to, &phase, 1, whole(yaml_get(n, "times")));
		} else {
			struct sequence body = {0};

			unfold(&body, yaml_get(n, "body"));
			append(to, body.list, body.count, whole(yaml_get(n, "loop")));
			free(body.list);
		}
	}
}

/* A loop of the reading has a list of texts, which together are its line. */
static bool says_reading(const struct yaml_node *main, const struct structure *s)
{
	struct out expected, got;
	bool good;

	out_init(&expected);
	out_init(&got);
	structure_main_text(s, &expected);
	out_printf(&got, "%u x [ ", (unsigned)whole(yaml_get(main, "loop")));
	for (const struct yaml_node *n = yaml_get(main, "body")->first; n; n = n->next)
		out_printf(&got, "%s%s", n->text, n->next ? "; " : " ]");
	good = !strcmp(got.text, expected.text);
	out_release(&expected);
	out_release(&got);
	return good;
}

/* The body of the main loop is what stands at its first iteration. */
static bool says_body(const struct yaml_node *main, const struct structure *s, const struct phases *p)
{
	struct sequence body = {0};
	bool good;

	unfold(&body, yaml_get(main, "body"));
	good = body.count == s->main.fold->loops[s->main.loop].unfolded;
	for (uint32_t k = 0; k < body.count && good; k++)
		good = p->occurrences[s->main.from[0] + k].phase == body.list[k];
	free(body.list);
	return good;
}

/* Does the document's unfolded symbols and figures say what the structure does? */
static bool says(const struct yaml_node *doc, const struct structure *s, const struct phases *p)
{
	const struct yaml_node *kind = yaml_get(doc, "kind"), *m = yaml_get(doc, "main"), *n;
	bool relevant = s->kind == STRUCTURE_RELEVANT, good = kind && !strcmp(kind->text, relevant ? "relevant" : "exact");
	struct sequence run = {0};
	uint32_t at = 0, i = 0;

	unfold(&run, yaml_get(doc, "symbols"));
	for (uint32_t k = 0; k < p->occurrence_count && good; k++)
		if (!relevant || s->run.is_relevant[p->occurrences[k].phase - 1])
			good = at < run.count && run.list[at++] == p->occurrences[k].phase;
	good = good && at == run.count;
	free(run.list);
	if (!s->main.iterations)
		return good && m && yaml_is_null(m);
	kind = yaml_get(m, "kind");
	good = good && kind && !strcmp(kind->text, s->main.patterns ? "reading" : "exact") &&
	       (s->main.patterns ? says_reading(m, s) : says_body(m, s, p)) && whole(yaml_get(m, "loop")) == s->main.fold->loops[s->main.loop].count &&
	       whole(yaml_get(m, "iterations")) == s->main.iterations && real(yaml_get(m, "share")) == s->main.share &&
	       real(yaml_get(m, "mean")) == s->main.mean && real(yaml_get(m, "deviation")) == s->main.deviation;
	n = yaml_get(m, "outliers");
	for (n = n ? n->first : NULL; n && good; n = n->next, i++)
		good = i < s->main.outlier_count && whole(n) == s->main.outliers[i] + 1;
	return good && i == s->main.outlier_count;
}

/* As YAML or as JSON, which is YAML too. */
static bool written_well(const struct structure *s, const struct phases *p, bool json)
{
	struct yaml_in in;
	struct tree_out t;
	struct out out;
	struct err e = {0};
	bool good;

	out_init(&out);
	tree_out_init(&t, &out, json);
	structure_write(&t, s);
	good = !tree_out_finish(&t, &e) && !yaml_in_init(&in, "structure", out.text, out.len, &e);
	if (good) {
		good = says(in.root, s, p);
		yaml_in_release(&in);
	}
	if (!good)
		diag("%s\n%s", e.text, out.text ? out.text : "");
	out_release(&out);
	return good;
}

static void random_runs(void)
{
	uint32_t mains = 0, outliers = 0, without = 0;
	bool good = true;

	for (uint64_t seed = 1; seed <= 200 && good; seed++) {
		enum { MOST = 900 };
		uint64_t state = seed * 977;
		uint32_t phase[MOST], n = 0, ids = 2 + gen_below(&state, 5), room = gen_below(&state, gen_below(&state, 3) ? 300 : 8);
		double duration[MOST];
		struct settings settings;
		struct window_case run;

		while (n < room) {
			uint32_t from = n, times = 1 + gen_below(&state, 12);

			for (uint32_t k = 1 + gen_below(&state, 4); k; k--)
				for (uint32_t id = 1 + gen_below(&state, ids), t = 1 + gen_below(&state, 3); t; t--)
					phase[n++] = id;
			for (uint32_t length = n - from, copies = 1; copies < times && n + length < MOST / 2; copies++, n += length)
				memcpy(phase + n, phase + n - length, length * sizeof *phase);
		}
		for (uint32_t i = 0; i < n; i++)
			duration[i] = (phase[i] == 2 ? 1e-4 : 1) * (gen_below(&state, 40) ? 1 : 30);
		settings_init(&settings);
		window_case_init(&run, n, phase, duration, 1, &settings);
		for (int kind = STRUCTURE_SHORTEST; kind <= STRUCTURE_RELEVANT && good; kind++) {
			struct structure *s;
			struct err e;

			if (structure_new(&s, run.clockwork, &run.phases, run.figures, NULL, &settings, (enum structure_kind)kind, NULL, &e))
				bail_out("%s", e.text);
			good = written_well(s, &run.phases, true) && written_well(s, &run.phases, false);
			if (!good)
				diag("seed %llu, kind %d", (unsigned long long)seed, kind);
			mains += s->main.iterations > 0;
			without += !s->main.iterations;
			outliers += s->main.outlier_count > 0;
			structure_free(s);
		}
		window_case_release(&run);
	}
	ok(good, "symbols unfold to the run, and the main loop's figures are its own, as JSON and as YAML");
	ok(mains > 200 && without > 20 && outliers > 30, "with %u main loops, %u without, outliers in %u", mains, without, outliers);
}

/* Loops in each other as deep as a run of so many occurrences can have them: each twice the one inside and one phase
 * more. */
static void deep(void)
{
	enum { DEPTH = 12 };
	uint32_t *phase, n = 0, room = 1u << (DEPTH + 2);
	double *duration;
	struct settings settings;
	struct window_case run;
	struct structure *s;
	struct structure_word *words;
	uint32_t count, deepest = 0;
	struct err e;

	phase = calloc(room, sizeof *phase);
	duration = calloc(room, sizeof *duration);
	if (!phase || !duration)
		bail_out("no memory");
	phase[n++] = 1;
	for (uint32_t level = 0; level < DEPTH; level++) {
		phase[n++] = 2 + level;
		memcpy(phase + n, phase, n * sizeof *phase);
		n *= 2;
	}
	for (uint32_t i = 0; i < n; i++)
		duration[i] = 1;
	settings_init(&settings);
	window_case_init(&run, n, phase, duration, 1, &settings);
	if (structure_new(&s, run.clockwork, &run.phases, run.figures, NULL, &settings, STRUCTURE_EXACT, NULL, &e) ||
	    structure_words(&words, &count, s, UINT32_MAX, &e))
		bail_out("%s", e.text);
	for (uint32_t i = 0; i < count; i++)
		deepest = words[i].depth > deepest ? words[i].depth : deepest;
	ok(deepest >= DEPTH - 1, "loops %u deep", deepest);
	ok(written_well(s, &run.phases, true) && written_well(s, &run.phases, false), "are written and read");
	mem_free(words);
	structure_free(s);
	window_case_release(&run);
	free(phase);
	free(duration);
}

/* --- in a phase table --- */

static void tables(unsigned want)
{
	static const char *const paths[] = {"sample-traces/cg.S.4.clog2"};
	struct table table, again;
	struct structure *s;
	struct analysis *a;
	struct settings settings;
	struct trace *t;
	struct yaml_in in;
	char *without, *with, *json, *read;
	size_t n, m, k, r;
	struct err e = {0};

	settings_init(&settings);
	trace_load(&t, paths, 1, NULL, NULL, &e);
	if (!t || trace_hash(t, NULL, &e) || analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES | want, NULL, &e) ||
	    table_from_analysis(&table, a, NULL, NULL, &e) ||
	    structure_new(&s, a->clockwork, a->phases, a->figures, a->patterns, &settings, STRUCTURE_EXACT, NULL, &e) || table_write(&table, &without, &n, &e))
		bail_out("%s", e.text);
	is_int(s->main.patterns != NULL, want != 0, "where there is a reading its loop is the main one");
	table.structure = s;
	if (table_write(&table, &with, &m, &e) || table_write_json(&table, &json, &k, &e))
		bail_out("%s", e.text);
	ok(m > n && !memcmp(with, without, n), "a table with a structure is the table, and the structure behind it");
	ok(!table_read(&again, "cg.yaml", with, m, &e), "it can be read%s%s", e.text[0] ? ": " : "", e.text);
	ok(!again.structure && !table_write(&again, &read, &r, &e) && (want || (r == n && !memcmp(read, without, n))),
	   "as the table without it, which has no patterns");
	if (yaml_in_init(&in, "json", json, k, &e))
		bail_out("%s", e.text);
	ok(says(yaml_get(in.root, "structure"), s, a->phases), "JSON has it beside the other keys");
	ok(yaml_get(in.root, "phases") != NULL, "which are all there");
	yaml_in_release(&in);
	mem_free(read);
	mem_free(json);
	mem_free(with);
	mem_free(without);
	table_release(&again);
	table_release(&table);
	structure_free(s);
	analysis_unref(a);
	trace_free(t);
}

static void without_memory(void)
{
	static const uint32_t phase[] = {1, 2, 2, 1, 2, 2, 3};
	static const double duration[] = {1, 1, 1, 1, 1, 1, 1};
	struct settings settings;
	struct window_case run;
	struct structure *s;
	struct err e = {0};
	long at = 0, reached = 1;
	bool well = true;

	settings_init(&settings);
	window_case_init(&run, 7, phase, duration, 1, &settings);
	if (structure_new(&s, run.clockwork, &run.phases, run.figures, NULL, &settings, STRUCTURE_EXACT, NULL, &e))
		bail_out("%s", e.text);
	for (; reached; at++) {
		struct tree_out t;
		struct out out;
		enum err_code code;

		out_init(&out);
		mem_fail_once(at);
		tree_out_init(&t, &out, true);
		structure_write(&t, s);
		code = tree_out_finish(&t, &e);
		reached = mem_count() > at;
		out_release(&out);
		mem_fail_after(-1);
		well = well && (code ? code == ERR_MEMORY : !reached);
	}
	ok(well && at > 1, "each of %ld allocations may fail", at - 1);
	structure_free(s);
	window_case_release(&run);
}

int main(void)
{
	random_runs();
	deep();
	tables(0);
	tables(ANALYSIS_PATTERNS);
	without_memory();
	return done_testing();
}

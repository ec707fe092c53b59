/* A phase table says what the analysis found, about the trace as it was loaded: its header counts the trace's events
 * even where collectives are left out of the analysis, its phases are all of them, its names come from the files. And
 * whatever an analysis finds, in a strange trace too, is a table that can be read back to the same bytes.
 */
#include <math.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/method/figures/clockwork.h"
#include "gen.h"
#include "core/formats/api/load.h"
#include "core/base/mem.h"
#include "core/documents/table.h"
#include "tap.h"

/* Traces made from nothing have no file: give this one a name and checksum as if it had been loaded and hashed. */
static void give_file(struct trace *t, const char *path)
{
	t->files = mem_zero(1, sizeof *t->files);
	t->file_count = 1;
	t->files[0].path = path;
	strcpy(t->files[0].format, "CLOG-02.44");
	t->files[0].finalized = true;
	memset(t->files[0].sha256, 'a', 64);
}

static bool survives(const struct table *t)
{
	struct table again = {0};
	char *one = NULL, *two = NULL;
	size_t n = 0, m = 0;
	struct err e = {0};
	bool same = table_write(t, &one, &n, &e) == ERR_OK && table_read(&again, "one", one, n, &e) == ERR_OK &&
		    table_write(&again, &two, &m, &e) == ERR_OK && n == m && !memcmp(one, two, n);

	if (!same)
		diag("%s\n%s\n%s", e.text, one ? one : "", two ? two : "");
	mem_free(one);
	mem_free(two);
	table_release(&again);
	return same;
}

/* What is not defined is so in both. */
static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* What a signature would measure is the same whether the table is made for it or not. */
static bool measures_the_same(const struct table *table, const struct analysis *a, struct err *e)
{
	struct table_measure x = table_measure(table), y;

	return analysis_measure(&y, a, NULL, e) == ERR_OK && x.occurrences == y.occurrences && same(x.seconds, y.seconds) &&
	       same(x.pet_scaled, y.pet_scaled) && same(x.off, y.off);
}

static bool table_of(struct table *table, struct trace *t, const struct settings *s, const char *application,
		     struct err *e)
{
	struct analysis *a = NULL;
	bool made = analysis_new(&a, t, s, NULL, ANALYSIS_PHASES, NULL, e) == ERR_OK &&
		    table_from_analysis(table, a, application, NULL, e) == ERR_OK;

	if (made) {
		made = table->phase_count == a->phases->count && same(table->coverage, a->figures->coverage) &&
		       same(table->pete, a->figures->pete) && same(table->pet, a->figures->pet) &&
		       settings_equal(&table->settings, s) && measures_the_same(table, a, e);
		for (uint32_t i = 0; i < table->phase_count && made; i++)
			made = table->phases[i].weight == a->phases->list[i].weight &&
			       table->phases[i].time == a->figures->phase[i].time &&
			       table->phases[i].relevant == a->figures->phase[i].relevant;
	}
	analysis_unref(a);
	return made;
}

static void example(void)
{
	struct trace *t = gen_cg(50);
	struct settings s;
	struct table table;
	struct err e = {0};
	char *text;
	size_t size;

	settings_init(&s);
	if (ok(table_of(&table, t, &s, NULL, &e), "a trace without a checksum gives a table to show")) {
		is_int(table_write(&table, &text, &size, &e), ERR_USAGE, "but none to write");
		is_str(e.text, "the trace has no checksum yet, which its phase table needs", "and a sentence");
		table_release(&table);
	}
	give_file(t, "some/where/cg.clog2");
	if (ok(table_of(&table, t, &s, NULL, &e), "CG's table has what its analysis has %s", e.text)) {
		is_str(table.application, "cg", "the application is the file's name");
		is_str(table.trace_file, "cg.clog2", "the file is named without its directory");
		is_str(table.format, "CLOG-02.44", "the format is the file's");
		is_u64(table.processes, 4, "four processes");
		is_u64(table.sends, t->send_count, "the sends are the trace's");
		ok(table.phase_count > 0 && survives(&table), "it is read back");
		table_release(&table);
	}
	if (ok(table_of(&table, t, &s, "mine\x1b", &e), "with a name given %s", e.text)) {
		is_str(table.application, "mine\xef\xbf\xbd", "the application is that, made safe");
		table_release(&table);
	}
	trace_free(t);
}

static void without_collectives(void)
{
	struct gen *g = gen_new(2);
	struct trace *t;
	struct settings s;
	struct table table;
	struct err e = {0};

	for (int i = 0; i < 10; i++) {
		gen_send(g, 0, 1, 8);
		gen_receive(g, 1, 0, 8);
		gen_spend(g, 0, 0.5);
		gen_spend(g, 1, 0.5);
		gen_relate(g, gen_collective(g, 0, "Barrier", 0, 0), gen_collective(g, 1, "Barrier", 0, 0));
	}
	t = gen_trace(g);
	give_file(t, "b.clog2");
	settings_init(&s);
	s.collectives = COLLECTIVES_IGNORE;
	if (ok(table_of(&table, t, &s, NULL, &e), "a table without collectives %s", e.text)) {
		is_u64(table.collectives, 20, "still says how many the trace has");
		is_u64(table.phases[0].points.exit[1], 0, "but does not count them as calls");
		table_release(&table);
	}
	trace_free(t);
}

/* The samples of a phase, found again by looking at every occurrence: those that begin, by the mean over the processes,
 * within the given time after the representative begins. */
static bool samples_right(const struct table_phase *x, const struct analysis *a, double seconds)
{
	const struct logical *l = a->logical;
	double began = -1, sum = 0;
	uint32_t seen = 0, found = 0;

	for (uint32_t i = 0; i < a->phases->occurrence_count; i++) {
		const struct occurrence *o = &a->phases->occurrences[i];
		double begin = 0;

		if (o->phase != x->id || ++seen < x->points.occurrence)
			continue;
		for (uint32_t q = 0; q < l->trace->process_count; q++)
			begin += clockwork_time(a->clockwork, q, logical_sends_before(l, q, o->first));
		begin /= l->trace->process_count;
		if (seen == x->points.occurrence)
			began = begin;
		else if (!(begin < began + seconds))
			break;
		if (seen > x->points.occurrence && (found > x->sample_count || x->samples[found - 1].occurrence != seen ||
					     x->samples[found - 1].entry[1] != logical_sends_before(l, 1, o->first)))
			return false;
		sum += occurrence_between_sends(a->clockwork, a->phases, i);
		found++;
	}
	return found == x->sample_count + 1 && fabs(sum / found - x->sampled) < 1e-9;
}

static void samples(void)
{
	struct trace *t = gen_cg(400);
	struct settings s;
	struct table table;
	struct err e = {0};
	struct analysis *a = NULL;
	uint32_t most = 0, right = 0, relevant = 0;
	char *text = NULL;
	size_t size = 0;

	settings_init(&s);
	give_file(t, "cg.clog2");
	if (ok(table_of(&table, t, &s, NULL, &e) && !table_write(&table, &text, &size, &e), "a table without samples")) {
		ok(!strstr(text, "sample"), "does not mention them");
		s.sample_seconds = table.aet / 10;
		table_release(&table);
		mem_free(text);
	}
	if (!ok(table_of(&table, t, &s, NULL, &e) && !analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &e),
		"a table with samples"))
		return;
	for (uint32_t i = 0; i < table.phase_count; i++) {
		const struct table_phase *x = &table.phases[i];

		if (!x->relevant)
			continue;
		relevant++;
		right += samples_right(x, a, s.sample_seconds);
		most = x->sample_count > most ? x->sample_count : most;
	}
	ok(most > 5, "has several of a phase (%u)", most);
	is_u64(right, relevant, "each relevant phase has those that begin within the time");
	ok(survives(&table), "and is read back");
	analysis_unref(a);
	table_release(&table);
	trace_free(t);
}

/* Under a knob of the analysis windows stay, or are made again, as if they had been made alone. */
static void reuse(void)
{
	struct trace *t = gen_cg(60);
	struct settings s;
	struct analysis *a = NULL, *b = NULL, *alone = NULL;
	struct err e = {0};

	settings_init(&s);
	if (!ok(!analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &e) && !a->windows, "no windows are wanted, and none made"))
		return;
	s.windows = 4;
	s.window_seconds = a->figures->aet / 20;
	ok(!analysis_new(&b, t, &s, a, ANALYSIS_PHASES, NULL, &e) && b->windows, "then some are");
	ok(b->figures == a->figures, "of the same figures");
	analysis_unref(a);
	s.warmup_sends = 3;
	ok(!analysis_new(&a, t, &s, b, ANALYSIS_PHASES, NULL, &e) && a->windows == b->windows, "the warm-up does not move them");
	analysis_unref(b);
	s.window_seconds /= 2;
	ok(!analysis_new(&b, t, &s, a, ANALYSIS_PHASES, NULL, &e) && a->windows != b->windows, "their length does");
	ok(!analysis_new(&alone, t, &s, NULL, ANALYSIS_PHASES, NULL, &e), "made alone");
	ok(b->windows->measured == alone->windows->measured && b->windows->misfit == alone->windows->misfit &&
	   b->windows->estimate.pet == alone->windows->estimate.pet, "they are the same");
	s.sample_seconds = 1;
	analysis_unref(a);
	is_int(analysis_new(&a, t, &s, b, ANALYSIS_PHASES, NULL, &e), ERR_USAGE, "with samples as well there is no analysis: %s",
	       e.text);
	analysis_unref(b);
	analysis_unref(alone);
	trace_free(t);
}

static void random_traces(void)
{
	int made = 0, survived = 0;

	for (int seed = 0; seed < 600; seed++) {
		struct trace *t = gen_random((uint64_t)seed, (enum gen_kind)(seed % GEN_KINDS));
		struct settings s;
		struct table table;
		struct err e = {0};

		give_file(t, "random.clog2");
		gen_settings((uint64_t)seed, &s);
		if (table_of(&table, t, &s, NULL, &e)) {
			made++;
			survived += survives(&table);
			table_release(&table);
		} else {
			diag("seed %d: %s", seed, e.text);
		}
		trace_free(t);
	}
	is_int(made, 600, "600 random traces under random settings have tables");
	is_int(survived, 600, "that are read back to the same bytes");
}

/* Load, hash and analyse with the defaults; NULL and a failed check where that does not work. */
static struct trace *loaded(const char *const *paths, uint32_t count, struct table *table)
{
	struct trace *t = NULL;
	struct settings s;
	struct err e = {0};

	settings_init(&s);
	if (ok(trace_load(&t, paths, count, NULL, NULL, &e) == ERR_OK && trace_hash(t, NULL, &e) == ERR_OK &&
	       table_of(table, t, &s, NULL, &e), "%s has a table %s", paths[0], e.text))
		return t;
	trace_free(t);
	return NULL;
}

static void real_traces(void)
{
	static const char *const files[] = {
		"sample-traces/anysrc.5.clog2", "sample-traces/coll.6.m246.clog2", "sample-traces/comms.6.clog2",
		"sample-traces/ft.S.4.clog2", "sample-traces/lu.S.4.clog2", "sample-traces/nonblock.4.clog2",
		"sample-traces/one_rank.1.clog2", "sample-traces/pcontrol.4.clog2", "sample-traces/sendrecv.4.clog2"};
	static const char *const local[] = {
		"sample-traces/unfinalized.m240.abortme.rank0000.clog2",
		"sample-traces/unfinalized.m240.abortme.rank0001.clog2",
		"sample-traces/unfinalized.m240.abortme.rank0002.clog2",
		"sample-traces/unfinalized.m240.abortme.rank0003.clog2"};
	static const char *const cg[] = {"sample-traces/cg.S.4.clog2"};
	struct table table;
	struct trace *t;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		t = loaded(&files[i], 1, &table);
		if (!t)
			continue;
		ok(survives(&table), "which is read back to the same bytes");
		table_release(&table);
		trace_free(t);
	}
	t = loaded(local, 4, &table);
	if (t) {
		is_str(table.application, "unfinalized.m240.abortme", "local files are of one application");
		is_str(table.trace_file, "unfinalized.m240.abortme.rank000*.clog2", "and named together");
		ok(strlen(table.sha256) == 64 && strcmp(table.sha256, t->files[0].sha256) != 0,
		   "with a checksum of all");
		ok(survives(&table), "and read back to the same bytes");
		table_release(&table);
		trace_free(t);
	}
	t = loaded(cg, 1, &table);
	if (t) {
		uint32_t twice = 0, once = 0;

		for (uint32_t i = 0; i < table.phase_count; i++) {
			twice += table.phases[i].relevant && table.phases[i].weight == 832;
			once += table.phases[i].relevant && table.phases[i].weight == 416;
		}
		ok(twice == 1 && once == 1, "CG has a phase twice and one once in each of 416 steps");
		is_double(table.coverage, 0.98, 0.01, "that cover the run");
		ok(survives(&table), "and are read back to the same bytes");
		table_release(&table);
		trace_free(t);
	}
}

int main(void)
{
	example();
	without_collectives();
	samples();
	reuse();
	random_traces();
	real_traces();
	return done_testing();
}

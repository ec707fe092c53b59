/* The phase table is a contract between programs, so: writing is deterministic and write-read-write is the identity
 * on any table; a table that was edited or damaged is refused with the line and the key that are wrong, each kind of
 * wrong for itself; and no bytes whatsoever make the reader crash or take more memory than they are worth.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/documents/table.h"
#include "tap.h"

static uint64_t seed = 1;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((seed >> 33) % n);
}

static double random_real(void)
{
	static const double scale[] = {1e-9, 1e-6, 0.001, 0.1, 1, 3, 1000, 1e12};

	return random_below(9) ? random_below(1000000007) / 1000000007.0 * scale[random_below(8)] : 0;
}

static uint32_t *random_list(struct table *t, const uint32_t *least)
{
	uint32_t *list = arena_alloc(&t->arena, t->processes * sizeof *list);

	for (uint32_t i = 0; i < t->processes; i++)
		list[i] = (least ? least[i] : 0) + random_below(random_below(2) ? 1000000000 : 3);
	return list;
}

static void random_phase(struct table *t, struct table_phase *p, uint32_t id)
{
	p->id = id;
	p->relevant = random_below(2);
	p->weight = 1 + random_below(5000);
	p->ticks = 1 + random_below(9);
	p->time = random_real();
	p->between_sends = random_below(2) ? random_real() : (double)NAN;
	p->time_min = -random_real();
	p->time_max = random_real();
	p->share = random_real();
	p->points.occurrence = 1 + random_below(p->weight);
	p->points.first = random_below(100000);
	p->points.last = p->points.first + random_below(10);
	p->points.checkpoint_tick = random_below(p->points.first + 1);
	p->points.checkpoint = random_list(t, NULL);
	p->points.entry = random_list(t, p->points.checkpoint);
	p->points.exit = random_list(t, p->points.entry);
	p->points.before = arena_alloc(&t->arena, t->processes);
	for (uint32_t i = 0; i < t->processes; i++)
		p->points.before[i] = (uint8_t)random_below(2);
}

static struct table_pattern random_pattern(struct table *t)
{
	struct table_pattern p = {t->phases[random_below(t->phase_count)].id,
				  arena_alloc(&t->arena, t->processes * sizeof *p.sends)};

	for (uint32_t i = 0; i < t->processes; i++)
		p.sends[i] = random_below(4);
	return p;
}

static void random_window(struct table *t, struct table_window *w, uint32_t first)
{
	w->extra = random_below(4) == 0;
	w->first = first;
	w->start = random_real();
	w->seconds = -random_real();
	w->points.checkpoint_tick = random_below(1000);
	w->points.checkpoint = random_list(t, NULL);
	w->points.entry = random_list(t, w->points.checkpoint);
	w->points.exit = arena_alloc(&t->arena, t->processes * sizeof *w->points.exit);
	memcpy(w->points.exit, w->points.entry, t->processes * sizeof *w->points.exit);
	w->points.before = arena_alloc(&t->arena, t->processes);
	w->step_count = 1 + random_below(5);
	w->steps = arena_alloc(&t->arena, w->step_count * sizeof *w->steps);
	w->last = first - 1;
	for (uint32_t k = 0; k < w->step_count; k++) {
		w->steps[k] = (struct table_step){1 + random_below(t->windows->pattern_count), 1 + random_below(9)};
		w->last += w->steps[k].times;
		for (uint32_t i = 0; i < t->processes; i++)
			w->points.exit[i] += w->steps[k].times * t->windows->patterns[w->steps[k].pattern - 1].sends[i];
	}
}

/* Each relevant phase is measured or left; windows stand one behind another. */
static void random_windows(struct table *t)
{
	struct table_windows *w = arena_alloc(&t->arena, sizeof *w);
	uint32_t first = 1;

	t->windows = w;
	w->main_iterations = random_below(2) ? 5 + random_below(1000) : 0;
	w->offset = w->main_iterations ? (double)NAN : random_real();
	w->main_group = w->main_iterations ? 1 + random_below(20) : 0;
	w->main_mean = w->main_iterations ? random_real() : 0;
	w->main_share = w->main_iterations ? random_real() : 0;
	w->candidate = random_below(65);
	w->misfit = random_real();
	w->spread = random_real();
	w->measured = random_real();
	w->replay = random_real();
	w->coverage = random_real();
	w->pet = random_real();
	w->pet_scaled = random_real();
	w->pete_scaled = random_real();
	w->se = w->half = w->low = w->high = (double)NAN;
	if (random_below(2)) {
		w->se = random_real();
		w->half = random_real();
		w->low = random_real();
		w->high = w->low + random_real();
	}
	w->left = arena_alloc(&t->arena, t->phase_count * sizeof *w->left);
	w->phases = arena_alloc(&t->arena, t->phase_count * sizeof *w->phases);
	w->patterns = arena_alloc(&t->arena, 8 * sizeof *w->patterns);
	for (uint32_t i = 0; i < t->phase_count; i++) {
		const struct table_phase *p = &t->phases[i];
		bool extra = random_below(2);
		uint32_t occurrences = 1 + random_below(p->weight);

		if (!p->relevant)
			continue;
		if (random_below(3) == 0)
			w->left[w->left_count++] = p->id;
		else
			w->phases[w->phase_count++] = (struct table_measured){
				p->id, extra, occurrences, extra ? 0 : 1 + random_below(occurrences), random_real(),
				random_below(2) ? random_real() : (double)NAN};
	}
	for (w->pattern_count = 0; t->phase_count && w->pattern_count < 1 + random_below(7); w->pattern_count++)
		w->patterns[w->pattern_count] = random_pattern(t);
	w->count = w->pattern_count ? random_below(4) : 0;
	w->list = arena_alloc(&t->arena, w->count * sizeof *w->list);
	for (uint32_t i = 0; i < w->count; i++) {
		random_window(t, &w->list[i], first);
		first = w->list[i].last + 1 + random_below(3);
	}
	for (uint32_t i = 0; i < t->phase_count; i++)
		t->phases[i].weight += first; /* as many occurrences as windows need */
	w->checkpoints = w->count;
}

static void random_table(struct table *t)
{
	static const char *const names[] = {"cg.S.4", "", "yes", "1e5", "a: b", "# x", "\"quoted\"", "tab\there", "- x",
					    "{}",
					    "\xc3\xa9t\xc3\xa9", "0x10", "2024-01-02", "back\\slash", " blanks ",
					    "line\nbreak",
					    "~", "null", "012", ".5", "12:30", "\xe2\x80\xa8", "%", "@", "`", "'",
					    "a'b", "x:"};

	*t = (struct table){0};
	arena_init(&t->arena);
	const char *name = names[random_below(28)];
	t->application = arena_strndup(&t->arena, name, strlen(name));
	name = names[random_below(28)];
	t->trace_file = arena_strndup(&t->arena, name, strlen(name));
	t->format = arena_strndup(&t->arena, "CLOG-02.44", 10);
	for (int i = 0; i < 64; i++)
		t->sha256[i] = "0123456789abcdef"[random_below(random_below(2) ? 16 : 10)];
	t->processes = 1 + random_below(6);
	t->sends = random_below(1000000);
	t->receives = random_below(1000000);
	t->collectives = random_below(1000);
	t->compute_source = (enum compute_source)random_below(4);
	t->aet = random_real();
	t->warnings = random_below(10) ? random_below(9) : UINT64_MAX;
	settings_init(&t->settings);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		settings_set_number(&t->settings, id, random_below(2) ? random_real() : random_below(3));
	if (random_below(2))
		settings_set(&t->settings, SETTING_compute_counter, "PAPI: L2 \"misses\"", NULL);
	if (random_below(2))
		t->settings.windows = 0;
	if (t->settings.windows)
		t->settings.sample_seconds = 0;
	t->coverage = random_real();
	t->set = random_real();
	t->pet = random_real();
	t->pet_scaled = random_real();
	t->pete = random_real();
	t->expected_error = random_below(2) ? random_real() : (double)NAN; /* older tables have none */
	t->phase_count = random_below(5);
	t->phases = arena_alloc(&t->arena, t->phase_count * sizeof *t->phases);
	for (uint32_t i = 0; i < t->phase_count; i++)
		random_phase(t, &t->phases[i], 1 + 2 * i + random_below(2));
	if (t->settings.windows)
		random_windows(t);
}

/* write, read, write: the same text, and the same JSON. */
static bool survives(const struct table *t)
{
	struct table again = {0};
	char *one = NULL, *two = NULL, *json_one = NULL, *json_two = NULL;
	size_t n = 0, m = 0, jn = 0, jm = 0;
	struct err e = {0};
	bool same = table_write(t, &one, &n, &e) == ERR_OK && table_read(&again, "one.yaml", one, n, &e) == ERR_OK &&
		    table_write(&again, &two, &m, &e) == ERR_OK && table_write_json(t, &json_one, &jn, &e) == ERR_OK &&
		    table_write_json(&again, &json_two, &jm, &e) == ERR_OK && n == m && !memcmp(one, two, n) &&
		    jn == jm &&
		    !memcmp(json_one, json_two, jn) && strlen(one) == n;

	if (!same)
		diag("%s\n%s\n%s", e.text, one ? one : "", two ? two : "");
	mem_free(one);
	mem_free(two);
	mem_free(json_one);
	mem_free(json_two);
	table_release(&again);
	return same;
}

static void identity(void)
{
	int survived = 0;

	for (int i = 0; i < 1000; i++) {
		struct table t;

		random_table(&t);
		survived += survives(&t);
		table_release(&t);
	}
	is_int(survived, 1000, "of 1000 random tables all survive write-read-write, as YAML and as JSON");
}

/* What the trace does not define is null, and stays so. */
static void undefined_figures(void)
{
	int survived = 0;

	for (int i = 0; i < 200; i++) {
		struct table t;
		double *figures[] = {&t.aet, &t.coverage, &t.set, &t.pet, &t.pet_scaled, &t.pete};
		char *text = NULL;
		size_t n, nulls = 0, set = 0;
		struct err e;

		random_table(&t);
		t.windows = NULL;
		t.settings.windows = 0;
		t.expected_error = 0.25;
		for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
			if (random_below(2)) {
				*figures[k] = (double)NAN;
				set++;
			}
		for (uint32_t k = 0; set && k < t.phase_count; k++, set++)
			t.phases[k].share = (double)NAN;
		if (table_write(&t, &text, &n, &e) == ERR_OK)
			for (const char *at = text; (at = strstr(at, ": null\n")); at++)
				nulls++;
		survived += survives(&t) && nulls == set;
		mem_free(text);
		table_release(&t);
	}
	is_int(survived, 200, "figures that are not defined are null, and read as such");
}

static const char example[] =
	"pas2p: 1\n"                                                                                     /* 1 */
	"application: cg.S.4\n"                                                                          /* 2 */
	"trace:\n"                                                                                       /* 3 */
	"  file: cg.S.4.clog2\n"                                                                         /* 4 */
	"  sha256: 9f00000000000000000000000000000000000000000000000000000000000000\n"                   /* 5 */
	"  format: CLOG-02.44\n"                                                                         /* 6 */
	"  processes: 2\n"                                                                               /* 7 */
	"  events: {send: 6656, receive: 6656, collective: 140}\n"                                       /* 8 */
	"  compute: states\n"                                                                            /* 9 */
	"  aet: 0.894\n"                                                                                 /* 10 */
	"  warnings: 0\n"                                                                                /* 11 */
	"analysis:\n"                                                                                    /* 12 */
	"  order: pas2p\n"                                                                               /* 13 */
	"  similarity: phase\n"                                                                          /* 14 */
	"  collectives: events\n"                                                                        /* 15 */
	"  absent: similar\n"                                                                            /* 16 */
	"  compute_of: max\n"                                                                            /* 17 */
	"  phase_time: mean\n"                                                                           /* 18 */
	"  representative: median\n"                                                                     /* 19 */
	"  thresholds: {volume: 0.05, compute: 0.05, events: 0.8, relevance: 0.01}\n"                    /* 20 */
	"  warmup: {sends: 10, seconds: 0.1}\n"                                                          /* 21 */
	"prediction:\n"                                                                                  /* 22 */
	"  coverage: 0.979\n"                                                                            /* 23 */
	"  set: 0.00152\n"                                                                               /* 24 */
	"  pet: 0.875\n"                                                                                 /* 25 */
	"  pet_scaled: 0.894\n"                                                                          /* 26 */
	"  pete: 0.021\n"                                                                                /* 27 */
	"phases:\n"                                                                                      /* 28 */
	"- id: 2\n"                                                                                      /* 29 */
	"  relevant: true\n"                                                                             /* 30 */
	"  weight: 832\n"                                                                                /* 31 */
	"  ticks: 2\n"                                                                                   /* 32 */
	"  time: 0.000412\n"                                                                             /* 33 */
	"  time_min: 0.00031\n"                                                                          /* 34 */
	"  time_max: 0.0102\n"                                                                           /* 35 */
	"  share: 0.383\n"                                                                               /* 36 */
	"  occurrence: 417\n"                                                                            /* 37 */
	"  tick: {first: 1203, last: 1204}\n"                                                            /* 38 */
	"  checkpoint: {tick: 1143, sends: [591, 590], stop: [before, after]}\n"                         /* 39 */
	"  entry: {sends: [621, 621]}\n"                                                                 /* 40 */
	"  exit: {sends: [623, 623]}\n";                                                                 /* 41 */

static void layout(void)
{
	struct table t;
	struct err e = {0};
	char *text = NULL;
	size_t n = 0;

	if (!is_int(table_read(&t, "cg.yaml", example, strlen(example), &e), ERR_OK, "the example is read %s", e.text))
		return;
	is_u64(t.phases[0].points.exit[1], 623, "down to its last number");
	is_int(t.phases[0].points.before[0], 1, "before is before");
	is_int(table_write(&t, &text, &n, &e), ERR_OK, "and written");
	is_str(text, example, "byte for byte in this order and layout");
	mem_free(text);
	is_int(table_write_json(&t, &text, &n, &e), ERR_OK, "as JSON too");
	ok(strstr(text, "{\n  \"pas2p\": 1,\n  \"application\": \"cg.S.4\",\n  \"trace\": {\n    \"file\"") == text,
	   "with the same keys and nesting");
	ok(strstr(text,
		  "\"checkpoint\": {\"tick\": 1143, \"sends\": [591, 590], \"stop\": [\"before\", \"after\"]},") != NULL,
	   "and lists on one line");
	mem_free(text);
	table_release(&t);
}

/* The example with one text replaced by another. */
static void edited(struct out *o, const char *from, const char *to)
{
	const char *at = strstr(example, from);

	out_init(o);
	if (!at)
		bail_out("the example holds no '%s'", from);
	out_add(o, example, (size_t)(at - example));
	out_str(o, to);
	out_str(o, at + strlen(from));
}

static void refused(const char *from, const char *to, const char *sentence)
{
	struct table t;
	struct err e = {0};
	struct out o;

	edited(&o, from, to);
	is_int(table_read(&t, "cg.yaml", o.text, o.len, &e), ERR_FORMAT, "'%.40s' for '%.40s' is refused", to, from);
	is_str(e.text, sentence, "with line and key");
	ok(!t.phases && !t.arena.chunks, "and nothing is left over");
	out_release(&o);
}

static void read_anyway(const char *from, const char *to)
{
	struct table t;
	struct err e = {0};
	struct out o;

	edited(&o, from, to);
	is_int(table_read(&t, "cg.yaml", o.text, o.len, &e), ERR_OK, "'%s' for '%s' is read: %s", to, from, e.text);
	table_release(&t);
	out_release(&o);
}

static void wrong_values(void)
{
	refused("volume: 0.05", "volume: x",
		"cg.yaml: line 20: analysis.thresholds.volume is 'x': expected a number from 0 to 1");
	refused("volume: 0.05", "volume: 5%",
		"cg.yaml: line 20: analysis.thresholds.volume is '5%': expected a number from 0 to 1");
	refused("volume: 0.05", "volume: 1.5",
		"cg.yaml: line 20: analysis.thresholds.volume is '1.5': expected a number from 0 to 1");
	refused("volume: 0.05", "volume: [0.05]",
		"cg.yaml: line 20: analysis.thresholds.volume is a list: expected a number from 0 to 1");
	refused("aet: 0.894", "aet: .nan", "cg.yaml: line 10: trace.aet is '.nan': expected a number, 0 or more");
	refused("aet: 0.894", "aet: -1", "cg.yaml: line 10: trace.aet is '-1': expected a number, 0 or more");
	refused("coverage: 0.979", "coverage:", "cg.yaml: line 23: prediction.coverage is '': expected a number");
	refused("order: pas2p", "order: p", "cg.yaml: line 13: analysis.order is 'p': expected one of lamport|pas2p");
	refused("compute: states", "compute: {}",
		"cg.yaml: line 9: trace.compute is a mapping: expected one of events|states|gaps|counter");
	refused("sends: 10,", "sends: 10.5,",
		"cg.yaml: line 21: analysis.warmup.sends is '10.5': expected a whole number from 0 to 1000000000");
	refused("sha256: 9f", "sha256: 9F",
		"cg.yaml: line 5: trace.sha256 is '9F00000000000000000000000000000000000000000000000000000000000000': expected 64 "
		"lower-case hexadecimal digits");
	refused("sha256: 9f", "sha256: f",
		"cg.yaml: line 5: trace.sha256 is 'f00000000000000000000000000000000000000000000000000000000000000': expected 64 "
		"lower-case hexadecimal digits");
	refused("warnings: 0", "warnings: -1",
		"cg.yaml: line 11: trace.warnings is '-1': expected a whole number from 0 to 18446744073709551615");
	refused("send: 6656", "send: 4294967296",
		"cg.yaml: line 8: trace.events.send is '4294967296': expected a whole number from 0 to 4294967295");
	refused("application: cg.S.4", "application: [a]", "cg.yaml: line 2: application is a list: expected a text");
	refused("application: cg.S.4", "application:", "cg.yaml: line 2: application is '': expected a text");
	refused("relevant: true", "relevant: maybe",
		"cg.yaml: line 30: phases[0].relevant is 'maybe': expected one of false|true");
	refused("id: 2",
		"id: 0", "cg.yaml: line 29: phases[0].id is '0': expected a whole number from 1 to 4294967295");
	refused("weight: 832", "weight: 0",
		"cg.yaml: line 31: phases[0].weight is '0': expected a whole number from 1 to 4294967295");
	refused("occurrence: 417", "occurrence: 833",
		"cg.yaml: line 37: phases[0].occurrence is '833': expected a whole number from 1 to 832");
	refused("last: 1204", "last: 1202",
		"cg.yaml: line 38: phases[0].tick.last is '1202': expected a whole number from 1203 to 4294967295");
	refused("tick: 1143", "tick: 1204",
		"cg.yaml: line 39: phases[0].checkpoint.tick is '1204': expected a whole number from 0 to 1203");
	refused("[591, 590]", "[591, x]",
		"cg.yaml: line 39: phases[0].checkpoint.sends[1] is 'x': expected a whole number from 0 to 4294967295");
	refused("[621, 621]", "[621, 589]",
		"cg.yaml: line 40: phases[0].entry.sends[1] is '589': expected a whole number from 590 to 4294967295");
	refused("[623, 623]", "[620, 623]",
		"cg.yaml: line 41: phases[0].exit.sends[0] is '620': expected a whole number from 621 to 4294967295");
	refused("[before, after]", "[before, at]",
		"cg.yaml: line 39: phases[0].checkpoint.stop[1] is 'at': expected before or after");
}

static void samples(void)
{
	static const char with[] = "[623, 623]}\n  samples:\n"                              /* 42 */
				   "  - {occurrence: 418, entry: [627, 627], exit: [629, 629]}\n"  /* 43 */
				   "  - {occurrence: 420, entry: [631, 629], exit: [633, 633]}";  /* 44 */
	struct out o;
	struct table t;
	struct err e = {0};
	char *text = NULL;
	size_t n = 0;

	edited(&o, "[623, 623]}", with);
	if (is_int(table_read(&t, "cg.yaml", o.text, o.len, &e), ERR_OK, "samples are read %s", e.text)) {
		is_u64(t.phases[0].sample_count, 2, "both");
		is_u64(t.phases[0].samples[1].exit[1], 633, "down to the last number");
		is_int(table_write(&t, &text, &n, &e), ERR_OK, "and written");
		is_str(text, o.text, "as they were");
		mem_free(text);
		table_release(&t);
	}
	out_release(&o);
	refused("[623, 623]}", "[623, 623]}\n  samples: 3", "cg.yaml: line 42: phases[0].samples is '3': expected a list");
	refused("[623, 623]}", "[623, 623]}\n  samples: [3]",
		"cg.yaml: line 42: phases[0].samples[0] is '3': expected a mapping");
	refused("[623, 623]}", "[623, 623]}\n  samples: [{occurrence: 417}]",
		"cg.yaml: line 42: phases[0].samples[0].occurrence is '417': expected a whole number from 418 to 832");
	refused("[623, 623]}", "[623, 623]}\n  samples: [{occurrence: 418, entry: [622, 623]}]",
		"cg.yaml: line 42: phases[0].samples[0].entry[0] is '622': expected a whole number from 623 to 4294967295");
	refused("[623, 623]}", "[623, 623]}\n  samples: [{occurrence: 832, entry: [623, 623], exit: [624, 624]}, {}]",
		"cg.yaml: line 42: phases[0].samples[1] is too many: the phase has fewer occurrences");
}

#define WINDOWS_SETTINGS "  windows: {count: 3, seconds: 0.5, rare: 1, span: 1, align: none}\n"
static const char windows[] =
	"windows:\n"                                                                                     /* 43 */
	"  count: 3\n"                                                                                   /* 44 */
	"  seconds: 0.5\n"                                                                               /* 45 */
	"  rare: 1\n"                                                                                    /* 46 */
	"  span: 1\n"                                                                                    /* 47 */
	"  align: none\n"                                                                                /* 48 */
	"  main: null\n"                                                                                 /* 49 */
	"  candidate: 12\n"                                                                              /* 50 */
	"  offset: 0.125\n"                                                                              /* 51 */
	"  misfit: 0.01\n"                                                                               /* 52 */
	"  spread: 0.02\n"                                                                               /* 53 */
	"  checkpoints: 2\n"                                                                             /* 54 */
	"  measured: 0.01\n"                                                                             /* 55 */
	"  replay: 0.5\n"                                                                                /* 56 */
	"  coverage: 0.97\n"                                                                             /* 57 */
	"  pet: 0.875\n"                                                                                 /* 58 */
	"  pet_scaled: 0.9\n"                                                                            /* 59 */
	"  pete_scaled: 0.006\n"                                                                         /* 60 */
	"  se: 0.01\n"                                                                                   /* 61 */
	"  half: 0.1\n"                                                                                  /* 62 */
	"  interval: [0.8, 1]\n"                                                                         /* 63 */
	"  left: []\n"                                                                                   /* 64 */
	"  phases:\n"                                                                                    /* 65 */
	"  - {id: 2, extra: false, occurrences: 4, in_windows: 2, time: 0.0004, se: null}\n"            /* 66 */
	"  patterns:\n"                                                                                  /* 67 */
	"  - {phase: 2, sends: [2, 1]}\n"                                                                /* 68 */
	"  - {phase: 2, sends: [2, 3]}\n"                                                                /* 69 */
	"  list:\n"                                                                                      /* 70 */
	"  - extra: false\n"                                                                             /* 71 */
	"    first: 10\n"                                                                                /* 72 */
	"    last: 12\n"                                                                                 /* 73 */
	"    start: 0.1\n"                                                                               /* 74 */
	"    seconds: 0.002\n"                                                                           /* 75 */
	"    checkpoint: {tick: 12, sends: [5, 5], stop: [before, after]}\n"                            /* 76 */
	"    entry: {sends: [20, 20]}\n"                                                                 /* 77 */
	"    exit: {sends: [26, 25]}\n"                                                                  /* 78 */
	"    steps: [[1, 2], [2, 1]]\n"                                                                  /* 79 */
	"  - extra: true\n"                                                                              /* 80 */
	"    first: 12\n"                                                                                /* 81 */
	"    last: 12\n"                                                                                 /* 82 */
	"    start: 0.2\n"                                                                               /* 83 */
	"    seconds: 0.001\n"                                                                           /* 84 */
	"    checkpoint: {tick: 40, sends: [25, 25], stop: [before, before]}\n"                         /* 85 */
	"    entry: {sends: [30, 30]}\n"                                                                 /* 86 */
	"    exit: {sends: [32, 33]}\n"                                                                  /* 87 */
	"    steps: [[2, 1]]\n";                                                                         /* 88 */

/* The example as one of version 2, one text of its windows replaced by another. */
static void edited_windows(struct out *o, const char *from, const char *to)
{
	const char *at = strstr(windows, from), *prediction = strstr(example, "prediction:");

	out_init(o);
	if (!at)
		bail_out("the windows hold no '%s'", from);
	out_str(o, "pas2p: 2\n");
	out_add(o, example + strlen("pas2p: 1\n"), (size_t)(prediction - example) - strlen("pas2p: 1\n"));
	out_str(o, WINDOWS_SETTINGS);
	out_str(o, prediction);
	out_add(o, windows, (size_t)(at - windows));
	out_str(o, to);
	out_str(o, at + strlen(from));
}

static void window_refused(const char *from, const char *to, const char *sentence)
{
	struct table t;
	struct err e = {0};
	struct out o;

	edited_windows(&o, from, to);
	is_int(table_read(&t, "cg.yaml", o.text, o.len, &e), ERR_FORMAT, "'%.40s' for '%.40s' is refused", to, from);
	is_str(e.text, sentence, "with line and key");
	out_release(&o);
}

static void version_two(void)
{
	struct out o;
	struct table t;
	struct err e = {0};
	char *text = NULL;
	size_t n = 0;

	edited_windows(&o, "windows:", "windows:");
	if (is_int(table_read(&t, "cg.yaml", o.text, o.len, &e), ERR_OK, "a table of version 2 is read %s", e.text)) {
		is_u64(t.windows->list[1].points.exit[1], 33, "down to its last exit");
		is_u64(t.windows->list[0].steps[1].pattern, 2, "and its steps");
		is_u64(t.settings.windows, 3, "and the settings");
		is_int(table_write(&t, &text, &n, &e), ERR_OK, "and written");
		is_str(text, o.text, "as it was");
		mem_free(text);
		is_int(table_write_json(&t, &text, &n, &e), ERR_OK, "as JSON too");
		ok(strstr(text, "\"steps\": [[1, 2], [2, 1]]") != NULL, "with the same keys");
		mem_free(text);
		table_release(&t);
	}
	out_release(&o);
	window_refused("windows:", "nothing:", "cg.yaml: line 1: windows is missing");
	window_refused("count: 3", "count: 4", "cg.yaml: line 44: windows.count is '4': expected the value of analysis.windows");
	window_refused("seconds: 0.5", "seconds: 0.25",
		       "cg.yaml: line 45: windows.seconds is '0.25': expected the value of analysis.windows");
	window_refused("align: none", "align: iterations", "cg.yaml: line 44: windows.align differs from analysis.windows");
	window_refused("align: none", "align: all", "cg.yaml: line 48: windows.align is 'all': expected one of iterations|none");
	window_refused("main: null", "main: {iterations: 5, mean: 1, share: 0.9, group: 0}",
		       "cg.yaml: line 49: windows.main.group is '0': expected a whole number from 1 to 4294967295");
	window_refused("main: null", "main: {iterations: 5, mean: 1, share: 0.9, group: 1}",
		       "cg.yaml: line 51: windows.offset is '0.125': expected null, because windows follow iterations");
	window_refused("offset: 0.125", "offset: null",
		       "cg.yaml: line 51: windows.offset is 'null': expected a number, 0 or more");
	window_refused("candidate: 12", "candidate: 65",
		       "cg.yaml: line 50: windows.candidate is '65': expected a whole number from 0 to 64");
	window_refused("half: 0.1", "half: -1", "cg.yaml: line 62: windows.half is '-1': expected a number, 0 or more");
	window_refused("half: 0.1", "half: null",
		       "cg.yaml: line 63: windows.interval is a list: expected [low, high], or null like half");
	window_refused("[0.8, 1]", "[1, 0.8]",
		       "cg.yaml: line 63: windows.interval is a list: expected [low, high], or null like half");
	window_refused("[0.8, 1]", "null", "cg.yaml: line 63: windows.interval is 'null': expected a list with one item per end");
	window_refused("[0.8, 1]", "[1]", "cg.yaml: line 63: windows.interval has 1 items: expected 2, one per end");
	window_refused("left: []", "left: [2]",
		       "cg.yaml: line 66: phase 2 is relevant: expected it in windows.phases or in windows.left");
	window_refused("left: []", "left: [1]", "cg.yaml: line 64: windows.left[0] is 1, which is not a relevant phase");
	window_refused("left: []", "left: [2, 2]",
		       "cg.yaml: line 64: windows.left[1] is '2': expected a whole number from 3 to 4294967295");
	window_refused("{id: 2, extra", "{id: 3, extra", "cg.yaml: line 66: windows.phases[0].id is 3, which is not a relevant phase");
	window_refused("occurrences: 4", "occurrences: 833",
		       "cg.yaml: line 66: windows.phases[0].occurrences is '833': expected a whole number from 1 to 832");
	window_refused("in_windows: 2", "in_windows: 0",
		       "cg.yaml: line 66: windows.phases[0].in_windows is '0': expected a whole number from 1 to 4");
	window_refused("extra: false, occ", "extra: true, occ",
		       "cg.yaml: line 66: windows.phases[0].in_windows is '2': expected a whole number from 0 to 0");
	window_refused("  - {id: 2, extra: false, occurrences: 4, in_windows: 2, time: 0.0004, se: null}\n", "  - 7\n",
		       "cg.yaml: line 66: windows.phases[0] is '7': expected a mapping");
	window_refused("phase: 2", "phase: 9", "cg.yaml: line 68: windows.patterns[0].phase is 9, which is not a phase of this table");
	window_refused("[2, 1]}", "[2]}", "cg.yaml: line 68: windows.patterns[0].sends has 1 items: expected 2, one per process");
	window_refused("checkpoints: 2", "checkpoints: 3",
		       "cg.yaml: line 71: windows.list has 2 items: expected 3, as many as checkpoints");
	window_refused("first: 10", "first: 0",
		       "cg.yaml: line 72: windows.list[0].first is '0': expected a whole number from 1 to 832");
	window_refused("last: 12", "last: 833",
		       "cg.yaml: line 73: windows.list[0].last is '833': expected a whole number from 10 to 832");
	window_refused("last: 12", "last: 13",
		       "cg.yaml: line 71: windows.list[0].steps has 3 occurrences: expected 4, from first to last");
	window_refused("[26, 25]", "[26, 26]",
		       "cg.yaml: line 71: windows.list[0].exit.sends[1] is 26, but the steps from entry end before it");
	window_refused("[26, 25]", "[25, 25]",
		       "cg.yaml: line 71: windows.list[0].exit.sends[0] is 25, but the steps from entry end after it");
	window_refused("entry: {sends: [20, 20]}", "entry: {sends: [20, 4]}",
		       "cg.yaml: line 77: windows.list[0].entry.sends[1] is '4': expected a whole number from 5 to 4294967295");
	window_refused("[[1, 2], [2, 1]]", "[[1, 2], [3, 1]]",
		       "cg.yaml: line 79: windows.list[0].steps[1][0] is '3': expected a whole number from 1 to 2");
	window_refused("[[1, 2], [2, 1]]", "[[1, 2], [2, 0]]",
		       "cg.yaml: line 79: windows.list[0].steps[1][1] is '0': expected a whole number from 1 to 4294967295");
	window_refused("[[1, 2], [2, 1]]", "[[1, 2], [2]]",
		       "cg.yaml: line 79: windows.list[0].steps[1] has 1 items: expected two, a pattern and its count");
	window_refused("[[1, 2], [2, 1]]", "[[1, 2], 2]",
		       "cg.yaml: line 79: windows.list[0].steps[1] is '2': expected two numbers, a pattern and its count");
	window_refused("extra: true\n    first: 12", "extra: false\n    first: 12",
		       "cg.yaml: line 80: windows.list[1].first is 12, but the window before ends with 12");
	window_refused("extra: true\n    first: 12\n    last: 12", "extra: true\n    first: 9\n    last: 9",
		       "cg.yaml: line 80: windows.list[1].first is 9: expected the windows in ascending order");
}

static void wrong_shapes(void)
{
	struct out o;
	struct table t;
	struct err e = {0};

	refused("[623, 623]",
		"[623]", "cg.yaml: line 41: phases[0].exit.sends has 1 items: expected 2, one per process");
	refused("[621, 621]", "[621, 621, 621]",
		"cg.yaml: line 40: phases[0].entry.sends has 3 items: expected 2, one per process");
	refused("[before, after]", "[]",
		"cg.yaml: line 39: phases[0].checkpoint.stop has 0 items: expected 2, one per process");
	refused("[621, 621]", "621",
		"cg.yaml: line 40: phases[0].entry.sends is '621': expected a list with one item per process");
	refused("{sends: [621, 621]}", "[621, 621]", "cg.yaml: line 40: phases[0].entry is a list: expected a mapping");
	refused("pete: 0.021", "pete: \"null\"", "cg.yaml: line 27: prediction.pete is 'null': expected a number, 0 or more");
	refused("time: 0.000412", "time: null", "cg.yaml: line 33: phases[0].time is 'null': expected a number");
	refused("  pete: 0.021\n", "", "cg.yaml: line 23: prediction.pete is missing");
	refused("volume: 0.05, ", "", "cg.yaml: line 20: analysis.thresholds.volume is missing");
	refused("- id: 2\n", "-\n", "cg.yaml: line 30: phases[0].id is missing");
	refused("application: cg.S.4\n", "", "cg.yaml: line 1: application is missing");
	refused("  set: 0.00152\n", "  set: 0.00152\n  set: 0.00153\n",
		"cg.yaml: line 25: the key 'set' appears twice, first in line 24");
	refused("- id: 2", "- 7\n- id: 2", "cg.yaml: line 29: phases[0] is '7': expected a mapping");
	refused("pas2p: 1", "pas2p: 3",
		"cg.yaml: line 1: a phase table has version 3, but this pas2p reads versions 1 and 2");
	refused("pas2p: 1", "pas2p: 0",
		"cg.yaml: line 1: a phase table has version 0, but this pas2p reads versions 1 and 2");
	refused("pas2p: 1", "pas2p: 2", "cg.yaml: line 13: analysis.windows.count is missing or 0, but a phase table of version 2 needs "
		"windows");
	refused("seconds: 0.1}\n", "seconds: 0.1}\n  windows: {count: 3, seconds: 0.5, rare: 1, span: 1, align: none}\n",
		"cg.yaml: line 13: analysis.windows needs a phase table of version 2, but this one has version 1");
	refused("pas2p: 1", "pas2p: one", "cg.yaml: line 1: pas2p is 'one': expected a version number");
	refused("pas2p: 1", "pas2p: 99999999999999999999", "cg.yaml: line 1: a phase table has version 99999999999999999999, but "
		"this pas2p reads versions 1 and 2");
	refused("pas2p: 1", "pas: 1", "cg.yaml: not a phase table: the key 'pas2p' is missing");
	refused("[621, 621]", "&a [621, 621]",
		"cg.yaml: line 40: anchors and aliases are not accepted; write the value out");
	refused("cg.S.4\n", "\"a\\0b\"\n", "cg.yaml: line 2: the text contains a NUL character");
	refused("pas2p: 1",
		"--- {}\n---\npas2p: 1", "cg.yaml: line 2: a second document starts here: expected only one");
	refused("  aet", "\taet", "cg.yaml: line 10: not YAML: found a tab character that violates indentation");
	is_int(table_read(&t, "cg.yaml", "", 0, &e), ERR_FORMAT, "nothing is no table");
	is_str(e.text, "cg.yaml: not a phase table: expected a mapping that starts with 'pas2p: 1'", "and it says so");
	is_int(table_read(&t, "\x1b[2J.yaml", "\xff", 1, &e), ERR_FORMAT, "nor are bytes that are no text");
	ok(!strchr(e.text, '\x1b'), "and a file's name brings no escape into the sentence");
	is_int(table_read_file(&t, "no-such-directory/x.yaml", &e), ERR_IO, "a file that is not there: %s", e.text);
	out_init(&o);
	for (int i = 0; i < 100000; i++)
		out_str(&o, "[");
	is_int(table_read(&t, "deep.yaml", o.text, o.len, &e), ERR_FORMAT, "a hundred thousand brackets are refused");
	is_str(e.text, "deep.yaml: line 1: nested too deeply", "as nested too deep");
	out_release(&o);
	read_anyway("warnings: 0", "warnings: 0\n  colour: blue");
	read_anyway("phases:\n", "later: {a: [1, 2], b: ~}\nphases:\n");
	read_anyway("aet: 0.894", "aet: 894e-3 # seconds");
}

/* Bytes changed, cut and doubled at random: read or refused, never a crash, a leak, or a sentence without its file. */
static void mutations(const char *from, size_t size)
{
	int fine = 0, taken = 0;

	for (int i = 0; i < 3000; i++) {
		char text[8192];
		size_t n = size;
		struct table t;
		struct err e = {0};

		memcpy(text, from, n);
		for (uint32_t k = random_below(4) + 1; k; k--)
			text[random_below((uint32_t)n)] =
				random_below(3) ? from[random_below((uint32_t)n)] : (char)random_below(256);
		if (!random_below(8))
			n = random_below((uint32_t)n);
		if (table_read(&t, "m.yaml", text, n, &e) == ERR_OK) {
			taken++;
			fine += survives(&t);
			table_release(&t);
		} else {
			fine += !strncmp(e.text, "m.yaml: ", 8) && !t.arena.chunks;
		}
	}
	is_int(fine, 3000, "of 3000 mutated tables each is refused with its name, or read and written again");
	ok(taken > 0 && taken < 3000, "some are the one and some the other (%d are read)", taken);
}

/* The example in the documentation is a table, too. */
static void documented(void)
{
	static char text[30000];
	FILE *f = fopen("docs/reference/phase-table.md", "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	char *from, *to;
	char *again = NULL;
	size_t size = 0;
	struct table t;
	struct err e = {0};

	if (f)
		fclose(f);
	text[n] = '\0';
	from = strstr(text, "```yaml\n");
	to = from ? strstr(from, "\n```\n") : NULL;
	if (!to)
		bail_out("no example in docs/reference/phase-table.md");
	from += strlen("```yaml\n");
	to[1] = '\0';
	if (!is_int(table_read(&t, "docs", from, strlen(from), &e), ERR_OK, "the documented example is read %s", e.text))
		return;
	is_int(table_write(&t, &again, &size, &e), ERR_OK, "and written");
	is_str(again, from, "byte for byte");
	mem_free(again);
	table_release(&t);
}

/* Every allocation fails once: an error, no leak (the sanitizers see to that), no crash. */
static void out_of_memory(void)
{
	struct table t;
	struct err e = {0};
	int errors = 0, n = 0;
	char *text;
	size_t size;

	for (; n < 1000; n++) {
		enum err_code code;

		mem_fail_after(n);
		code = table_read(&t, "cg.yaml", example, strlen(example), &e);
		if (code == ERR_OK) {
			code = table_write(&t, &text, &size, &e);
			if (code == ERR_OK)
				mem_free(text);
			table_release(&t);
		}
		mem_fail_after(-1);
		if (code == ERR_OK)
			break;
		errors += code == ERR_MEMORY;
	}
	ok(n > 3 && n < 1000, "with enough memory it works");
	is_int(errors, n, "with less there is an error that says so");
}

/* Names of local files as MPE and people give them. */
static void names_of(const char *a, const char *b, const char *application, const char *file)
{
	struct trace_file files[2] = {{.path = a}, {.path = b}};
	struct trace t = {.files = files, .file_count = b ? 2 : 1};
	struct arena arena;

	arena_init(&arena);
	is_str(table_application(&arena, &t), application, "the application of %s", a);
	is_str(table_file(&arena, &t), file, "and its file");
	arena_release(&arena);
}

static void names(void)
{
	names_of("runs/cg.S.4.clog2", NULL, "cg.S.4", "cg.S.4.clog2");
	names_of("cg.S.4", NULL, "cg.S.4", "cg.S.4");
	names_of(".clog2", NULL, ".clog2", ".clog2");
	names_of("a\x1b[2Jb\xff.CLOG2", NULL, "a\xef\xbf\xbd[2Jb\xef\xbf\xbd", "a\xef\xbf\xbd[2Jb\xef\xbf\xbd.CLOG2");
	names_of("x/lu.rank0000.clog2", "x/lu.rank0001.clog2", "lu", "lu.rank000*.clog2");
	names_of("x/lu_0.clog2", "x/lu_1.clog2", "lu", "lu_*.clog2");
	names_of("clog2_taskID=0000_a1B2c3", "clog2_taskID=0001_x1y2z3", "clog2", "clog2_taskID=000*3");
	names_of("a.clog2", "b.clog2", "a", "*.clog2");
	names_of("same.clog2", "y/same.clog2", "same", "same.clog2*");
}

static void checksums(void)
{
	struct trace_file files[2] = {{.path = "a"}, {.path = "b"}};
	struct trace t = {.files = files, .file_count = 2};
	char hex[65];

	table_sha256(&t, hex);
	is_str(hex, "", "no checksum before hashing");
	memset(files[0].sha256, '0', 64);
	table_sha256(&t, hex);
	is_str(hex, "", "nor after half of it");
	memset(files[1].sha256, '1', 64);
	table_sha256(&t, hex);
	/* printf '%064d%s' 0 "$(printf '1%.0s' $(seq 64))" | sha256sum */
	is_str(hex, "2c5a757af655400d3c30ba6f2aec54334006e4b784e2bcc79b99452abfc66ec9",
	       "of several files: of their digests one after another");
	t.file_count = 1;
	table_sha256(&t, hex);
	is_str(hex, files[0].sha256, "of one file: its own");
}

int main(void)
{
	struct out o;

	layout();
	identity();
	undefined_figures();
	wrong_values();
	samples();
	version_two();
	edited_windows(&o, "windows:", "windows:");
	mutations(o.text, o.len);
	out_release(&o);
	wrong_shapes();
	mutations(example, strlen(example));
	documented();
	out_of_memory();
	names();
	checksums();
	return done_testing();
}

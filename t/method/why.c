/* Why two blocks or phases are not similar: the answer must be the core's own. A person moves a knob to the number
 * told here and expects the two to merge, so at that number, to the last bit, the core's comparison must hold, and
 * at the double before it must not. Shown on pairs of numbers, and on every pair of blocks and phases of thousands
 * of small random traces; what almost merged is compared with a search that tries them all.
 */
#include <inttypes.h>
#include <math.h>

#include "core/method/analysis/analysis.h"
#include "gen.h"
#include "tap.h"

#define SEEDS CASES(3000)
#define MOST 4

static struct err err;
static uint64_t seed;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static double below(double v)
{
	return nextafter(v, -1);
}

/* --- numbers --- */

static uint32_t any_number(uint64_t *state)
{
	switch (gen_below(state, 6)) {
	case 0: return gen_below(state, 4);
	case 1: return UINT32_MAX - gen_below(state, 3);
	case 2: return 1000 + gen_below(state, 100);
	case 3: return 1u << gen_below(state, 32);
	default: return gen_below(state, UINT32_MAX);
	}
}

static bool size_pair(uint64_t a, uint64_t b)
{
	double v = why_volume(a, b);

	if (v != why_volume(b, a))
		return false;
	if (v == WHY_NEVER)
		return false;
	return v >= 0 && v <= 1 && size_similar(a, b, v) && size_similar(b, a, v) &&
	       (v == 0 || !size_similar(a, b, below(v)));
}

static bool time_pair(double a, double b)
{
	double v = why_compute(a, b);

	return v == why_compute(b, a) && v >= 0 && v <= 1 && compute_similar(a, b, v) &&
	       (v == 0 || !compute_similar(a, b, below(v)));
}

static void numbers(void)
{
	uint64_t state = 7;
	uint32_t bad_sizes = 0, bad_times = 0, bad_rounds = 0;

	for (int i = 0; i < 200000; i++) {
		uint32_t a = any_number(&state);
		uint32_t b = gen_below(&state, 3) ? any_number(&state) : a + gen_below(&state, 9);
		double x = a * 1e-7, y = gen_below(&state, 2) ? b * 1e-7 : x * (1 + b * 1e-12);

		bad_sizes += !size_pair(a, b) || !size_pair((uint64_t)a << 24, ((uint64_t)b << 24) + 1);
		bad_times += !time_pair(x, y);
		x = a / 4294967296.0;
		bad_rounds += why_round(x, true) < x || why_round(x, true) > x + 0.0010001;
		bad_rounds += why_round(x, false) > x || why_round(x, false) < x - 0.0010001;
	}
	is_int(bad_sizes, 0, "sizes are similar from the volume told on, and not before");
	is_int(bad_times, 0, "compute times are similar from the threshold told on, and not before");
	is_int(bad_rounds, 0, "a rounded threshold is near, and on the right side");
	for (int i = 0; i <= 1000; i++)
		bad_rounds += why_round(i / 1000.0, true) != i / 1000.0 || why_round(i / 1000.0, false) != i / 1000.0;
	is_int(bad_rounds, 0, "what is round stays");
	ok(why_volume(0, 8) == 1 && why_volume(8, 8) == 0 && why_round(why_volume(100, 95), true) == 0.05,
	   "volumes that can be told by heart");
	ok(why_volume(8, SIZE_UNKNOWN) == 0 && why_volume(SIZE_UNKNOWN, SIZE_UNKNOWN) == 0, "an unknown size is like any");
	ok(why_compute(0, 0) == 0 && why_compute(0, 1) == 1 && why_compute(NAN, 1) == 0 && why_compute(0.191 - 0.127, 0.382 - 0.318) == 0,
	   "compute times at the ends");
	ok(time_pair(5e-324, 1e-323) && time_pair(5e-324, 1.5e-323), "the smallest numbers there are");
}

/* --- blocks --- */

static uint64_t block_pairs, merging, never, by_volume, by_compute;

static double compute_of(const struct logical *l, uint32_t block, const struct settings *s)
{
	return bbp_compute(l, block, (enum compute_of)s->compute_of);
}

static bool compute_unknown(const struct logical *l, uint32_t block)
{
	for (uint32_t p = 0; p < l->trace->process_count; p++) {
		struct bbp_cell c;

		bbp_cell(l, block, p, &c);
		if (isnan(c.compute))
			return true;
	}
	return false;
}

/* The comparison of blocks, written down again from cells. */
static bool blocks_alike(const struct logical *l, uint32_t a, uint32_t b, const struct settings *s)
{
	bool unknown = compute_unknown(l, a) || compute_unknown(l, b);

	for (uint32_t p = 0; p < l->trace->process_count; p++) {
		struct bbp_cell x, y;

		bbp_cell(l, a, p, &x);
		bbp_cell(l, b, p, &y);
		if (x.entry_type != y.entry_type || x.exit_type != y.exit_type ||
		    !size_similar(x.entry_size, y.entry_size, s->volume) ||
		    !size_similar(x.exit_size, y.exit_size, s->volume))
			return false;
		if (s->compute_of == COMPUTE_EACH && !unknown && !compute_similar(x.compute, y.compute, s->compute))
			return false;
	}
	return s->compute_of == COMPUTE_EACH || unknown ||
	       compute_similar(compute_of(l, a, s), compute_of(l, b, s), s->compute);
}

/* The first cell that breaks types, or sizes among equal types: entries by process, then exits. */
static bool first_break(const struct logical *l, uint32_t a, uint32_t b, double volume, bool types,
			struct why_place *at)
{
	for (int exit = 0; exit < 2; exit++)
		for (uint32_t p = 0; p < l->trace->process_count; p++) {
			enum why_cell c = why_cell(l, a - 1 + (uint32_t)exit, b - 1 + (uint32_t)exit, p, false, volume);

			*at = (struct why_place){p, exit};
			if (types ? c == WHY_TYPE || c == WHY_ONLY_A || c == WHY_ONLY_B : c == WHY_SIZE)
				return true;
		}
	*at = (struct why_place){NO_PROCESS, false};
	return false;
}

static bool same_place(struct why_place a, struct why_place b)
{
	return a.process == b.process && a.exit == b.exit;
}

static bool check_blocks(const struct logical *l, uint32_t a, uint32_t b, const struct settings *s)
{
	struct settings at = *s;
	struct why_place first;
	struct why_bbps w;

	why_bbps(&w, l, a, b, s);
	block_pairs++;
	if (w.similar != blocks_alike(l, a, b, s))
		return false;
	if (first_break(l, a, b, s->volume, true, &first) == w.types.holds || !same_place(first, w.types.first))
		return false;
	if (first_break(l, a, b, s->volume, false, &first) == w.volume.holds || !same_place(first, w.volume.first))
		return false;
	if (w.compute.holds != (w.compute.needed <= s->compute) || w.volume.holds != (w.volume.needed <= s->volume))
		return false;
	at.volume = at.compute = 1;
	if (!w.types.holds || w.volume.needed > 1) {
		never++;
		return !blocks_alike(l, a, b, &at) && (w.types.needed == WHY_NEVER) == !w.types.holds;
	}
	merging += !w.similar;
	by_volume += w.volume.needed > 0;
	by_compute += w.compute.needed > 0;
	at.volume = w.volume.needed;
	at.compute = w.compute.needed;
	if (!blocks_alike(l, a, b, &at))
		return false;
	at.volume = below(w.volume.needed);
	if (w.volume.needed > 0 && blocks_alike(l, a, b, &at))
		return false;
	at.volume = w.volume.needed;
	at.compute = below(w.compute.needed);
	return w.compute.needed <= 0 || !blocks_alike(l, a, b, &at);
}

static void sort_in(struct why_miss *list, uint32_t *n, struct why_miss m)
{
	uint32_t at = (*n)++;

	/* They come in order of their ids, so equals stay in it. */
	for (; at && m.distance < list[at - 1].distance; at--)
		list[at] = list[at - 1];
	list[at] = m;
}

static bool same_misses(const struct why_miss *got, uint32_t n, const struct why_miss *want, uint32_t all)
{
	if (n != (all < MOST ? all : MOST))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (got[i].id != want[i].id || got[i].distance != want[i].distance)
			return false;
	return true;
}

static bool check_nearest_block(const struct logical *l, const struct bbps *b, uint32_t leader,
				const struct settings *s)
{
	static struct why_miss want[1000];
	struct why_miss got[MOST];
	uint32_t n, all = 0;

	for (uint32_t i = 1; i <= b->count && all < 1000; i++) {
		struct settings at = *s;
		double v = 0, c = 0;

		if (b->label[i] != i || i == leader)
			continue;
		at.volume = at.compute = 1;
		if (!blocks_alike(l, leader, i, &at))
			continue;
		for (uint32_t p = 0; p < l->trace->process_count; p++) {
			struct bbp_cell x, y;

			bbp_cell(l, leader, p, &x);
			bbp_cell(l, i, p, &y);
			v = fmax(v, fmax(why_volume(x.entry_size, y.entry_size), why_volume(x.exit_size, y.exit_size)));
			if (s->compute_of == COMPUTE_EACH && !compute_unknown(l, leader) && !compute_unknown(l, i))
				c = fmax(c, why_compute(x.compute, y.compute));
		}
		if (s->compute_of != COMPUTE_EACH)
			c = why_compute(compute_of(l, leader, s), compute_of(l, i, s));
		sort_in(want, &all,
			(struct why_miss){.id = i, .distance = fmax(fmax(v - s->volume, c - s->compute), 0)});
	}
	must(why_nearest_bbps(got, MOST, &n, l, b, leader, s, NULL, &err));
	return same_misses(got, n, want, all);
}

/* --- phases --- */

static uint64_t phase_pairs, at_volume, at_events, never_phases, moved;

static bool alike(const struct logical *l, const struct occurrence *a, const struct occurrence *b,
		  const struct settings *s)
{
	struct phase_counts c = phases_compare(l, a->first, a->last, b->first, b->last, s->volume);

	return phases_similar(&c, s);
}

static bool check_counts(const struct logical *l, const struct occurrence *a, const struct occurrence *b,
			 const struct why_windows *w, const struct settings *s)
{
	struct phase_counts c = phases_compare(l, a->first, a->last, b->first, b->last, s->volume);
	uint64_t sum = 0;

	for (int i = WHY_SAME; i < WHY_CELLS; i++)
		sum += w->cell[i];
	if (w->same != c.same || w->different != c.different || w->absent != c.absent || w->comparable != c.comparable)
		return false;
	if (sum != c.same + c.different + c.absent || w->similar != phases_similar(&c, s))
		return false;
	if (w->broken != (c.different > 0 || (s->absent == ABSENT_DIFFERENT && c.absent > 0)))
		return false;
	if (w->broken) {
		enum why_cell first = why_cell(l, w->tick_a, w->tick_b, w->process, true, s->volume);

		/* Nothing before it in its tick may break. */
		for (uint32_t p = 0; p < w->process; p++) {
			enum why_cell k = why_cell(l, w->tick_a, w->tick_b, p, true, s->volume);

			if (k == WHY_SIZE || k == WHY_TYPE || (s->absent == ABSENT_DIFFERENT && k > WHY_TYPE))
				return false;
		}
		if (first == WHY_EMPTY || first == WHY_SAME || (first > WHY_TYPE && s->absent == ABSENT_SIMILAR))
			return false;
		if (w->tick_a > a->first) {
			/* And nothing in earlier ticks. */
			struct phase_counts before = {0};

			if (w->offset)
				before = phases_compare(l, a->first, w->tick_a - 1, b->first, w->tick_b - 1, s->volume);
			if (before.different || (s->absent == ABSENT_DIFFERENT && before.absent))
				return false;
		}
	}
	return true;
}

static bool check_windows(const struct logical *l, const struct occurrence *a, const struct occurrence *b,
			  const struct settings *s)
{
	struct settings at = *s;
	struct why_windows w, back;
	bool all_never;

	must(why_windows(&w, l, a->first, a->last, b->first, b->last, s, &err));
	must(why_windows(&back, l, b->first, b->last, a->first, a->last, s, &err));
	phase_pairs++;
	if (!check_counts(l, a, b, &w, s))
		return false;
	if (w.volume != back.volume || w.events != back.events || w.cell[WHY_ONLY_A] != back.cell[WHY_ONLY_B])
		return false;
	at.volume = w.volume <= 1 ? w.volume : 1;
	if (alike(l, a, b, &at) != (w.volume <= 1))
		return false;
	at.volume = below(w.volume);
	if (w.volume <= 1 && w.volume > 0 && alike(l, a, b, &at))
		return false;
	at_volume += w.volume <= 1 && w.volume > 0;
	at = *s;
	at.events = w.events >= 0 ? w.events : 0;
	if (alike(l, a, b, &at) != (w.events >= 0))
		return false;
	at.events = nextafter(w.events, 2);
	if (w.events >= 0 && w.events < 1 && alike(l, a, b, &at))
		return false;
	at_events += w.events > 0 && w.events < 1;
	all_never = w.volume == WHY_NEVER && w.events < 0;
	never_phases += all_never;
	return w.similar == (w.volume <= s->volume) && w.similar == (w.events >= s->events);
}

/* A threshold by trying: halves between 0 and 1 until nothing lies between. */
static double tried(const struct logical *l, const struct occurrence *a, const struct occurrence *b, struct settings s,
		    enum setting_id knob, double no, double yes)
{
	settings_set_number(&s, knob, no);
	if (alike(l, a, b, &s))
		return no;
	settings_set_number(&s, knob, yes);
	if (!alike(l, a, b, &s))
		return WHY_NEVER;
	for (;;) {
		double mid = no + (yes - no) / 2;

		if (mid == no || mid == yes)
			return yes;
		settings_set_number(&s, knob, mid);
		if (alike(l, a, b, &s))
			yes = mid;
		else
			no = mid;
	}
}

static bool check_nearest_phase(const struct logical *l, const struct phases *p, uint32_t id, const struct settings *s)
{
	static struct why_miss want[1000];
	const struct occurrence *a = &p->occurrences[p->list[id - 1].content];
	struct why_miss got[MOST];
	uint32_t n, all = 0;

	for (uint32_t i = 1; i <= p->count && all < 1000; i++) {
		const struct occurrence *b = &p->occurrences[p->list[i - 1].content];
		double volume, events;

		if (i == id)
			continue;
		volume = tried(l, a, b, *s, SETTING_volume, 0, 1);
		events = tried(l, a, b, *s, SETTING_events, 1, 0);
		volume = fmax(volume - s->volume, 0);
		events = events == WHY_NEVER ? WHY_NEVER : fmax(s->events - events, 0);
		if (fmin(volume, events) != WHY_NEVER)
			sort_in(want, &all, (struct why_miss){.id = i, .distance = fmin(volume, events)});
	}
	moved += all;
	must(why_nearest_phases(got, MOST, &n, l, p, id, s, NULL, &err));
	return same_misses(got, n, want, all);
}

/* --- all of it --- */

static uint32_t check_trace(const struct logical *l, const struct settings *s)
{
	struct bbp_space *blocks;
	struct phase_space *windows;
	struct phases *p, *joined;
	struct bbps *b;
	uint32_t bad = 0;

	must(bbp_space_new(&blocks, l, NULL, &err));
	must(bbps_new(&b, blocks, s, NULL, &err));
	must(phase_space_new(&windows, l, NULL, &err));
	must(phases_search(&p, windows, s, NULL, &err));
	must(phases_join(&joined, b, NULL, &err));
	for (uint32_t i = 1; i <= b->count; i++) {
		struct why_bbps w;

		why_bbps(&w, l, i, b->label[i], s);
		bad += !w.similar;
		for (uint32_t j = 1; j < i; j++)
			bad += (i + j + seed) % 7 == 0 && !check_blocks(l, i, j, s);
		if (b->label[i] == i && i % 3 == seed % 3)
			bad += !check_nearest_block(l, b, i, s);
	}
	for (uint32_t i = 0; i < p->occurrence_count; i++)
		for (uint32_t j = 0; j <= i; j++)
			bad += (i + j + seed) % 3 == 0 && !check_windows(l, &p->occurrences[i], &p->occurrences[j], s);
	for (uint32_t i = 0; i < joined->count; i++)
		bad += !check_windows(l, &joined->occurrences[i], &joined->occurrences[joined->count - 1 - i], s);
	for (uint32_t id = 1; id <= p->count; id++)
		bad += (id + seed) % 3 == 0 && !check_nearest_phase(l, p, id, s);
	if (joined->count)
		bad += !check_nearest_phase(l, joined, 1 + (uint32_t)(seed % joined->count), s);
	phases_free(p);
	phases_free(joined);
	phase_space_free(windows);
	bbps_free(b);
	bbp_space_free(blocks);
	return bad;
}

static void traces(void)
{
	uint32_t bad = 0;

	for (seed = 1; seed <= SEEDS && !bad; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		struct settings s;
		struct logical *l;

		gen_settings(seed, &s);
		must(logical_new(&l, t, (enum order)s.order, (enum collectives)s.collectives, NULL, &err));
		bad += check_trace(l, &s);
		if (bad)
			diag("seed %" PRIu64 ": %u differences", seed, bad);
		logical_unref(l);
		trace_free(t);
	}
	is_int(bad, 0, "every answer is the core's, on %d traces", SEEDS);
	ok(block_pairs > CASES(100000) && merging > CASES(1000) && never > CASES(1000) && by_volume > CASES(1000) && by_compute > CASES(1000),
	   "blocks: %" PRIu64 " pairs, %" PRIu64 " would merge at a threshold, %" PRIu64 " never", block_pairs, merging,
	   never);
	ok(phase_pairs > CASES(10000) && at_volume > CASES(300) && at_events > CASES(1000) && never_phases > CASES(100),
	   "windows: %" PRIu64 " pairs, %" PRIu64 " merge at a volume, %" PRIu64 " at a share of events, %" PRIu64
	   " never",
	   phase_pairs, at_volume, at_events, never_phases);
	ok(moved > 1000, "near misses among %" PRIu64 " phases", moved);
}

/* The figure with windows of one master: its phases are of different lengths, but for two that share no cell. */
static void example(void)
{
	struct trace *t = gen_windows();
	struct settings s;
	struct analysis *a;
	struct why_windows w;
	struct why_miss near[MOST];
	uint32_t n;

	settings_init(&s);
	must(analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	is_int(a->phases->count, 3, "the figure has three phases");
	must(why_phases(&w, a->logical, a->phases, 1, 3, &s, &err));
	ok(w.comparable && !w.similar && w.same == 0 && w.absent == 4 && w.cell[WHY_ONLY_A] == 3 &&
		   w.cell[WHY_ONLY_B] == 1,
	   "phases 1 and 3 have no cell in common");
	ok(w.volume == WHY_NEVER && w.events == -1, "and never merge, though the share of similar cells is %g",
	   w.share);
	must(why_phases(&w, a->logical, a->phases, 1, 2, &s, &err));
	ok(!w.comparable && w.ticks_a == 1 && w.ticks_b == 3 && w.volume == WHY_NEVER && w.events == -1,
	   "phases of different lengths never merge");
	must(why_nearest_phases(near, MOST, &n, a->logical, a->phases, 1, &s, NULL, &err));
	is_int(n, 0, "so phase 1 has no near miss");
	analysis_unref(a);
	trace_free(t);
}

static bool stop(void *arg)
{
	(void)arg;
	return true;
}

static void stops_and_fails(void)
{
	struct progress progress = {.stopped = stop};
	struct trace *t = gen_random(4, GEN_LOOP);
	struct settings s;
	struct analysis *a;
	struct why_windows w;
	struct why_miss near[MOST];
	uint32_t n, failed = 0;

	settings_init(&s);
	s.volume = 0;
	s.events = 1;
	must(analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	ok(a->phases->count > 1, "a trace with phases");
	for (uint32_t id = 1; id <= a->phases->count && !failed; id++)
		for (uint32_t k = 1; k < id; k++)
			failed += a->phases->list[k - 1].ticks == a->phases->list[id - 1].ticks &&
				  why_nearest_phases(near, MOST, &n, a->logical, a->phases, id, &s, &progress, &err) ==
					  ERR_CANCELLED;
	ok(failed, "a search for near misses can be stopped");
	failed = 0;
	for (uint32_t i = 0; i < a->phases->occurrence_count; i++) {
		const struct occurrence *x = &a->phases->occurrences[0], *y = &a->phases->occurrences[i];

		mem_fail_after(0);
		failed += why_windows(&w, a->logical, x->first, x->last, y->first, y->last, &s, &err) == ERR_MEMORY;
		mem_fail_after(-1);
	}
	ok(failed > 0, "without memory it says so, %u times", failed);
	analysis_unref(a);
	trace_free(t);
}

int main(void)
{
	numbers();
	example();
	traces();
	stops_and_fails();
	return done_testing();
}

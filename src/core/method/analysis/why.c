#include "analysis.h"

#include <stdlib.h>

#include "core/base/order.h"
#include "core/base/search.h"
#include "core/method/logical/logical.h"
#include "analysis_int.h"

/* ---- thresholds, found exactly: where, on the line of doubles, a comparison changes its answer ---- */

/* Doubles from 0 up are in the order of their bits, so a search by halves over those ends at neighbours. */
static uint64_t bits_of(double v)
{
	uint64_t u;

	memcpy(&u, &v, sizeof u);
	return u;
}

static double double_of(uint64_t u)
{
	double v;

	memcpy(&v, &u, sizeof v);
	return v;
}

/* The boundary between `low`, where answer is given, and `high`, where it is not: the last that is like low. */
static double last_like_low(bool (*holds)(const void *arg, double v), const void *arg, double guess, bool answer)
{
	uint64_t low = bits_of(0.0), high = bits_of(1.0), near;

	if (guess > 0 && guess < 1) {
		/* Rounding moves the boundary by a few neighbours at most: try there first. */
		near = bits_of(guess);
		if (near > 4 && holds(arg, double_of(near - 4)) == answer)
			low = near - 4;
		if (near + 4 < high && holds(arg, double_of(near + 4)) != answer)
			high = near + 4;
	}
	return double_of(SEARCH_LAST(i, low, high, holds(arg, double_of(i)) == answer));
}

/* The smallest v of [0, 1] at which holds(arg, v), given that it holds from there on; INFINITY if not even at 1.
 * guess is where it ought to be. */
static double threshold_least(bool (*holds)(const void *arg, double v), const void *arg, double guess)
{
	if (holds(arg, 0))
		return 0;
	if (!holds(arg, 1))
		return INFINITY;
	return nextafter(last_like_low(holds, arg, guess, false), 2);
}

/* The largest v of [0, 1], given that it holds from 0 up to there; -1 if not even at 0. */
static double threshold_most(bool (*holds)(const void *arg, double v), const void *arg, double guess)
{
	if (holds(arg, 1))
		return 1;
	if (!holds(arg, 0))
		return -1;
	return last_like_low(holds, arg, guess, true);
}

/* ---- what makes two things similar ---- */

struct two_sizes {
	uint64_t a, b;
};

static bool sizes_hold(const void *arg, double v)
{
	const struct two_sizes *pair = arg;

	return size_similar(pair->a, pair->b, v);
}

double why_volume(uint64_t a, uint64_t b)
{
	struct two_sizes pair = {a, b};

	return a == b ? 0 : threshold_least(sizes_hold, &pair, a > b ? (double)(a - b) / (double)a : (double)(b - a) / (double)b);
}

struct two_times {
	double a, b;
};

static bool times_hold(const void *arg, double v)
{
	const struct two_times *pair = arg;

	return compute_similar(pair->a, pair->b, v);
}

double why_compute(double a, double b)
{
	struct two_times pair = {a, b};

	return a == b ? 0 : threshold_least(times_hold, &pair, fabs(a - b) / fmax(a, b));
}

double why_round(double threshold, bool up)
{
	double tenths = up ? ceil(threshold * 1000) : floor(threshold * 1000);

	if (!(threshold >= 0 && threshold <= 1))
		return threshold;
	/* The product is rounded too; what it hid must not put the number on the wrong side. */
	if (up && tenths / 1000 < threshold)
		tenths++;
	if (!up && tenths / 1000 > threshold)
		tenths--;
	return tenths / 1000;
}

const char *why_cell_name(enum why_cell c)
{
	static const char *const names[WHY_CELLS] = {"no event",     "same",      "size differs",
						     "type differs", "only left", "only right"};

	return names[c];
}

static enum why_cell classify(const struct trace *t, uint32_t a, uint32_t b, double volume)
{
	if (a == NO_EVENT || b == NO_EVENT)
		return a != NO_EVENT ? WHY_ONLY_A : b != NO_EVENT ? WHY_ONLY_B : WHY_EMPTY;
	if (t->type[a] != t->type[b])
		return WHY_TYPE;
	return size_similar(trace_size(t, a), trace_size(t, b), volume) ? WHY_SAME : WHY_SIZE;
}

enum why_cell why_cell(const struct logical *l, uint32_t tick_a, uint32_t tick_b, uint32_t process, bool sends_only,
		       double volume)
{
	uint32_t a = logical_event_at(l, tick_a, process), b = logical_event_at(l, tick_b, process);

	if (sends_only && a != NO_EVENT && EVENT_KIND(l->trace->type[a]) == EVENT_RECEIVE)
		a = NO_EVENT;
	if (sends_only && b != NO_EVENT && EVENT_KIND(l->trace->type[b]) == EVENT_RECEIVE)
		b = NO_EVENT;
	return classify(l->trace, a, b, volume);
}

/* Walk two ticks side by side: the next process that has an event in either. */
struct both {
	const struct trace *t;
	struct tick_walk wa, wb;
	uint32_t next_a, next_b;
	uint32_t a, b;       /* the events found, NO_EVENT: none */
	uint32_t process;
};

static struct both both_start(const struct logical *l, uint32_t tick_a, uint32_t tick_b, bool sends_only)
{
	struct both w = {.t = l->trace, .wa = tick_walk(l, tick_a, sends_only), .wb = tick_walk(l, tick_b, sends_only)};

	w.next_a = tick_next(&w.wa);
	w.next_b = tick_next(&w.wb);
	return w;
}

static bool both_next(struct both *w)
{
	uint32_t pa = w->next_a == NO_EVENT ? NO_PROCESS : trace_process_of(w->t, w->next_a);
	uint32_t pb = w->next_b == NO_EVENT ? NO_PROCESS : trace_process_of(w->t, w->next_b);

	w->process = pa < pb ? pa : pb;
	if (w->process == NO_PROCESS)
		return false;
	w->a = w->b = NO_EVENT;
	if (pa == w->process) {
		w->a = w->next_a;
		w->next_a = tick_next(&w->wa);
	}
	if (pb == w->process) {
		w->b = w->next_b;
		w->next_b = tick_next(&w->wb);
	}
	return true;
}

/* --- basic blocks --- */

static void criterion_add(struct why_criterion *c, struct why_place at, double a, double b, double needed, bool holds)
{
	c->cells++;
	if (!holds && !c->breaking++)
		c->first = at;
	if (c->cells == 1 || needed > c->needed) {
		c->worst = at;
		c->needed = needed;
		c->a = a;
		c->b = b;
	}
}

static void compare_ticks(struct why_bbps *w, const struct logical *l, uint32_t tick_a, uint32_t tick_b, bool exit,
			  double volume)
{
	struct both both = both_start(l, tick_a, tick_b, false);
	const struct trace *t = l->trace;

	while (both_next(&both)) {
		struct why_place at = {both.process, exit};
		enum why_cell c = classify(t, both.a, both.b, volume);
		bool alike = c == WHY_SAME || c == WHY_SIZE;

		criterion_add(&w->types, at, 0, 0, alike ? 0 : WHY_NEVER, alike);
		if (alike)
			criterion_add(&w->volume, at, (double)trace_size(t, both.a), (double)trace_size(t, both.b),
				      why_volume(trace_size(t, both.a), trace_size(t, both.b)), c == WHY_SAME);
	}
}

static void compare_times(struct why_bbps *w, const struct logical *l, uint32_t tick_a, uint32_t tick_b,
			  const struct settings *settings)
{
	struct both both = both_start(l, tick_a, tick_b, false);
	const double *compute = l->trace->compute;
	bool unknown; /* that of one process is, so that none counts */

	if (settings->compute_of != COMPUTE_EACH) {
		double a = bbp_compute(l, tick_a + 1, (enum compute_of)settings->compute_of);
		double b = bbp_compute(l, tick_b + 1, (enum compute_of)settings->compute_of);

		criterion_add(&w->compute, (struct why_place){NO_PROCESS, false}, a, b, why_compute(a, b),
			      compute_similar(a, b, settings->compute));
		return;
	}
	unknown = isnan(bbp_compute(l, tick_a + 1, COMPUTE_MAX)) || isnan(bbp_compute(l, tick_b + 1, COMPUTE_MAX));
	while (both_next(&both)) {
		double a = both.a == NO_EVENT ? 0 : compute[both.a], b = both.b == NO_EVENT ? 0 : compute[both.b];

		criterion_add(&w->compute, (struct why_place){both.process, false}, a, b, unknown ? 0 : why_compute(a, b),
			      unknown || compute_similar(a, b, settings->compute));
	}
}

void why_bbps(struct why_bbps *w, const struct logical *l, uint32_t a, uint32_t b, const struct settings *settings)
{
	struct why_criterion none = {.first = {NO_PROCESS, false}, .worst = {NO_PROCESS, false}};

	*w = (struct why_bbps){.types = none, .volume = none, .compute = none};
	compare_ticks(w, l, a - 1, b - 1, false, settings->volume);
	compare_ticks(w, l, a, b, true, settings->volume);
	compare_times(w, l, a - 1, b - 1, settings);
	w->types.holds = !w->types.breaking;
	w->volume.holds = !w->volume.breaking;
	w->compute.holds = !w->compute.breaking;
	w->similar = w->types.holds && w->volume.holds && w->compute.holds;
}

/* --- windows --- */

/* The next send tick from `tick` on, or one past the last tick. */
static uint32_t next_send_tick(const struct logical *l, uint32_t tick)
{
	while (tick < l->tick_count && !l->tick_sends[tick])
		tick++;
	return tick;
}

static uint32_t count_send_ticks(const struct logical *l, uint32_t first, uint32_t last)
{
	uint32_t n = 0;

	for (uint32_t k = first; k <= last && k < l->tick_count; k++)
		n += l->tick_sends[k];
	return n;
}

/* What a walk over two windows gathers besides the counts: the volumes that cells of unequal sizes ask for. */
struct volumes {
	double *list;
	size_t n, cap;
	uint64_t equal;    /* cells of equal type and size */
	uint64_t a, b;     /* the sizes looked at last, and what they ask for: they often repeat */
	double last;
};

static bool volumes_add(struct volumes *v, uint64_t a, uint64_t b)
{
	double *list;

	if (a == b) {
		v->equal++;
		return true;
	}
	if (!v->n || v->a != a || v->b != b) {
		v->a = a;
		v->b = b;
		v->last = why_volume(a, b);
	}
	list = mem_grow(v->list, v->n, &v->cap, sizeof *list);
	if (!list)
		return false;
	v->list = list;
	list[v->n++] = v->last;
	return true;
}

/* Similar under s if so many cells are the same, out of the counts' whole. */
static bool enough(const struct why_windows *w, uint64_t same, const struct settings *settings)
{
	uint64_t rest = w->same + w->different - same;
	struct phase_counts c = {same, rest, w->absent, w->comparable};

	return phases_similar(&c, settings);
}

/* The volume that makes as many cells the same as are needed: that of the last of them, in order. */
static double least_volume(struct why_windows *w, struct volumes *v, const struct settings *settings)
{
	uint64_t low = SEARCH_PAST(i, 0, v->equal + v->n + 1, !enough(w, i, settings)); /* the smallest number that is enough */

	if (low > v->equal + v->n)
		return WHY_NEVER;
	if (low <= v->equal)
		return 0;
	SORT(v->list, v->n, order_double);
	return v->list[low - v->equal - 1];
}

struct events_at {
	struct phase_counts c;
	struct settings s;
};

static bool events_hold(const void *arg, double v)
{
	struct events_at at = *(const struct events_at *)arg;

	at.s.events = v;
	return phases_similar(&at.c, &at.s);
}

static bool compare_send_ticks(struct why_windows *w, const struct logical *l, uint32_t a, uint32_t b, uint32_t offset,
			       const struct settings *settings, struct volumes *v)
{
	struct both both = both_start(l, a, b, true);
	const struct trace *t = l->trace;

	while (both_next(&both)) {
		enum why_cell c = classify(t, both.a, both.b, settings->volume);
		bool absent = c == WHY_ONLY_A || c == WHY_ONLY_B;

		w->cell[c]++;
		if ((c == WHY_SAME || c == WHY_SIZE) && !volumes_add(v, trace_size(t, both.a), trace_size(t, both.b)))
			return false;
		if (w->broken || c == WHY_SAME || (absent && settings->absent == ABSENT_SIMILAR))
			continue;
		w->broken = true;
		w->offset = offset;
		w->process = both.process;
		w->tick_a = a;
		w->tick_b = b;
	}
	return true;
}

static void conclude(struct why_windows *w, struct volumes *v, const struct settings *settings)
{
	struct events_at at = {.s = *settings};
	uint64_t whole, similar;

	w->same = w->cell[WHY_SAME];
	w->different = w->cell[WHY_SIZE] + w->cell[WHY_TYPE];
	w->absent = w->cell[WHY_ONLY_A] + w->cell[WHY_ONLY_B];
	whole = w->same + w->different + w->absent;
	similar = w->same + (settings->absent == ABSENT_SIMILAR ? w->absent : 0);
	w->share = whole ? (double)similar / (double)whole : 0;
	w->similar = enough(w, w->same, settings);
	w->volume = least_volume(w, v, settings);
	at.c = (struct phase_counts){w->same, w->different, w->absent, w->comparable};
	w->events = threshold_most(events_hold, &at, w->share);
}

enum err_code why_windows(struct why_windows *w, const struct logical *l, uint32_t first_a, uint32_t last_a,
			  uint32_t first_b, uint32_t last_b, const struct settings *settings, struct err *e)
{
	struct volumes v = {0};
	uint32_t a = next_send_tick(l, first_a), b = next_send_tick(l, first_b);
	bool room = true;

	*w = (struct why_windows){.process = NO_PROCESS};
	w->ticks_a = count_send_ticks(l, first_a, last_a);
	w->ticks_b = count_send_ticks(l, first_b, last_b);
	w->comparable = w->ticks_a == w->ticks_b;
	for (uint32_t i = 0; room && i < w->ticks_a && i < w->ticks_b; i++) {
		room = compare_send_ticks(w, l, a, b, i, settings, &v);
		a = next_send_tick(l, a + 1);
		b = next_send_tick(l, b + 1);
	}
	if (room)
		conclude(w, &v, settings);
	mem_free(v.list);
	return room ? ERR_OK : err_memory(e, "comparing two phases");
}

enum err_code why_phases(struct why_windows *w, const struct logical *l, const struct phases *p, uint32_t id_a,
			 uint32_t id_b, const struct settings *settings, struct err *e)
{
	const struct occurrence *a = &p->occurrences[p->list[id_a - 1].content];
	const struct occurrence *b = &p->occurrences[p->list[id_b - 1].content];

	return why_windows(w, l, a->first, a->last, b->first, b->last, settings, e);
}

#include "windows.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

struct choosing {
	struct window_run *r;
	const struct window_design *d;
	const struct loop_iterations *loop;
	struct window_choice *out;
	uint32_t stop;
	uint32_t iterations, group;      /* with a loop */
	uint32_t room;                   /* the most windows that there can be */
	struct window_stretch *stretch;  /* the candidate at hand */
	uint32_t count;
	struct window_stretch *last;     /* the one before */
	uint32_t last_count;
	/* Per phase: what the candidate's windows hold of it. */
	uint32_t *held;
	double *sum;                     /* [phase][part] */
};

/* The first occurrence that windows are not spread over; r->count: all are. */
static uint32_t window_stop(const struct window_run *r, double span)
{
	double end = r->start + span * r->whole;

	for (uint32_t i = 1; span < 1 && i < r->count; i++)
		if (r->u[i] >= end - WINDOW_SLACK)
			return i;
	return r->count;
}

/* A window's end: enough time has passed, or something else begins. */
static uint32_t end_of(const struct window_run *r, uint32_t first, double seconds, uint32_t limit)
{
	uint32_t end = first + 1;

	/* If no clock has stepped back the first that is late enough of all is the first from here. */
	if (r->reached[first] <= r->u[first] && seconds > 2 * WINDOW_SLACK) {
		end = window_run_at(r, r->u[first] + seconds);
		return end < limit ? end : limit;
	}
	while (end < limit && r->u[end] < r->u[first] + seconds - WINDOW_SLACK)
		end++;
	return end;
}

static void spread_over_time(struct choosing *x, double offset)
{
	const struct window_run *r = x->r;
	double step = x->d->span * r->whole / x->d->windows;
	uint32_t from = 0;

	x->count = 0;
	for (uint32_t j = 0; j < x->d->windows; j++) {
		uint32_t k = window_run_at(r, r->start + j * step + offset);

		if (k < from)
			k = from; /* where the run's time goes back */
		if (k >= x->stop)
			break;
		if (!x->count || k > from)
			x->stretch[x->count++].first = k;
		from = k;
	}
	for (uint32_t j = 0; j < x->count; j++)
		x->stretch[j].end = end_of(r, x->stretch[j].first, x->d->seconds,
					   j + 1 < x->count ? x->stretch[j + 1].first : x->stop);
}

static void follow_iterations(struct choosing *x, uint32_t candidate)
{
	const struct loop_iterations *l = x->loop;
	uint32_t n = x->d->windows < x->iterations ? x->d->windows : x->iterations, before = UINT32_MAX;

	x->count = 0;
	for (uint32_t j = 0; j < n; j++) {
		/* floor((j + (m - 1/2)/64) c/n), in whole numbers */
		uint64_t at = (128 * (uint64_t)j + 2 * candidate - 1) * x->iterations / (128 * (uint64_t)n);
		uint32_t i = at < x->iterations ? (uint32_t)at : x->iterations - 1, end;

		if (i == before || (x->count && l->from[i] < x->stretch[x->count - 1].end))
			continue;
		before = i;
		end = i;
		while (end + 1 < x->iterations && end + 1 < i + x->group && l->from[end + 1] == l->to[end])
			end++;
		x->stretch[x->count++] = (struct window_stretch){l->from[i], l->to[end]};
	}
}

static void choosing_hold(struct choosing *x, uint32_t first, uint32_t end)
{
	const struct occurrence *o = x->r->phases->occurrences;

	for (uint32_t i = first; i < end; i++) {
		x->held[o[i].phase - 1]++;
		window_run_add(x->r, i, x->sum + (size_t)(o[i].phase - 1) * x->r->parts);
	}
}

static void let_go(struct choosing *x, uint32_t first, uint32_t end)
{
	const struct occurrence *o = x->r->phases->occurrences;
	size_t parts = x->r->parts;

	for (uint32_t i = first; i < end; i++) {
		uint32_t phase = o[i].phase - 1;

		if (--x->held[phase])
			window_run_take(x->r, i, x->sum + phase * parts);
		else
			memset(x->sum + phase * parts, 0, parts * sizeof *x->sum);
	}
}

/* Of stretches a what stretches b do not have; both in order. */
static void without(struct choosing *x, const struct window_stretch *a, uint32_t a_count, const struct window_stretch *b,
		    uint32_t b_count, void (*each)(struct choosing *x, uint32_t first, uint32_t end))
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < a_count; i++) {
		uint32_t at = a[i].first;

		while (k < b_count && b[k].end <= at)
			k++;
		for (uint32_t n = k; n < b_count && b[n].first < a[i].end; n++) {
			if (b[n].first > at)
				each(x, at, b[n].first);
			at = b[n].end > at ? b[n].end : at;
		}
		if (at < a[i].end)
			each(x, at, a[i].end);
	}
}

/* What the windows hold of each phase, from what those before held: most of it is the same. */
static void move_on(struct choosing *x)
{
	without(x, x->stretch, x->count, x->last, x->last_count, choosing_hold);
	without(x, x->last, x->last_count, x->stretch, x->count, let_go);
}

/* The same to the last digit, whatever was tried before. */
static void hold_all(struct choosing *x)
{
	memset(x->held, 0, x->r->phases->count * sizeof *x->held);
	memset(x->sum, 0, (size_t)x->r->phases->count * x->r->parts * sizeof *x->sum);
	for (uint32_t j = 0; j < x->count; j++)
		choosing_hold(x, x->stretch[j].first, x->stretch[j].end);
}

static double time_of(const struct choosing *x, uint32_t phase)
{
	const double *sum = x->sum + (size_t)phase * x->r->parts;
	double most = -INFINITY;

	for (uint32_t p = 0; p < x->r->parts; p++)
		most = fmax(most, sum[p]);
	return most / x->held[phase];
}

/* The misfit of the windows at hand; how[] as they would have it. */
static enum err_code judge(struct choosing *x, double *misfit, struct err *e)
{
	const struct window_run *r = x->r;
	double off = 0, all = 0;

	for (uint32_t i = 0; i < r->relevant_count; i++) {
		uint32_t phase = r->relevant[i], weight = r->phases->list[phase].weight;
		double traced = r->figures->phase[phase].between_sends, time;
		const struct window_extra *extra;

		x->out->how[phase] = WINDOW_REGULAR;
		if (x->held[phase]) {
			time = time_of(x, phase);
		} else {
			enum err_code code = window_run_extra(&extra, x->r, phase, e);

			if (code)
				return code;
			x->out->how[phase] = extra->lasts > x->d->rare * r->aet + WINDOW_SLACK ? WINDOW_LEFT : WINDOW_EXTRA;
			if (x->out->how[phase] == WINDOW_LEFT)
				continue;
			time = extra->time;
		}
		off += weight * fabs(time - traced);
		all += weight * traced;
	}
	*misfit = all > 0 ? off / all : 0;
	return ERR_OK;
}

static double offset_of(const struct choosing *x, uint32_t candidate)
{
	return (candidate - 0.5) / WINDOW_CANDIDATES * fmax(0, x->d->span * x->r->whole / x->d->windows - x->d->seconds);
}

static void choosing_place(struct choosing *x, uint32_t candidate)
{
	if (x->group)
		follow_iterations(x, candidate);
	else
		spread_over_time(x, offset_of(x, candidate));
}

static bool as_before(const struct choosing *x)
{
	return x->count == x->last_count && !memcmp(x->stretch, x->last, x->count * sizeof *x->stretch);
}

static enum err_code choosing_pick_candidate(struct choosing *x, const struct progress *progress, struct err *e)
{
	struct window_choice *out = x->out;
	double squares = 0, misfit = 0;
	enum err_code code = ERR_OK;

	for (uint32_t m = 1; m <= WINDOW_CANDIDATES; m++) {
		if (progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while placing windows");
		choosing_place(x, m);
		if (m == 1 || !as_before(x)) {
			move_on(x);
			code = judge(x, &misfit, e);
		}
		if (code)
			return code;
		squares += misfit * misfit;
		if (m == 1 || misfit < out->misfit - 1e-9) {
			out->misfit = misfit;
			out->candidate = m;
		}
		memcpy(x->last, x->stretch, x->count * sizeof *x->last);
		x->last_count = x->count;
	}
	out->spread = sqrt(squares / WINDOW_CANDIDATES);
	choosing_place(x, out->candidate);
	out->offset = x->group ? (double)NAN : offset_of(x, out->candidate);
	out->group = x->group;
	out->count = x->count;
	memcpy(out->stretch, x->stretch, x->count * sizeof *out->stretch);
	hold_all(x);
	return judge(x, &out->misfit, e);
}

/* The iterations that windows are spread over. */
static void begin_loop(struct choosing *x)
{
	const struct loop_iterations *l = x->loop;

	if (!l || !l->count)
		return;
	while (x->iterations < l->count && l->from[x->iterations] < x->stop)
		x->iterations++;
	x->group = (uint32_t)fmin(UINT32_MAX / 2, fmax(1, floor(x->d->seconds / l->mean + 0.5)));
}

enum err_code window_choice_make(struct window_choice *c, struct window_run *r, const struct window_design *d,
				 const struct loop_iterations *loop, const struct progress *progress, struct err *e)
{
	struct choosing x = {.r = r, .d = d, .loop = loop, .out = c, .stop = window_stop(r, d->span)};
	uint32_t room = d->windows < r->count ? d->windows : r->count, phases = r->phases->count;
	enum err_code code = ERR_OK;

	*c = (struct window_choice){0};
	x.stretch = mem_alloc(room, sizeof *x.stretch);
	x.last = mem_alloc(room, sizeof *x.last);
	x.held = mem_zero(phases, sizeof *x.held);
	x.sum = mem_zero((size_t)phases * r->parts, sizeof *x.sum);
	c->stretch = mem_alloc(room, sizeof *c->stretch);
	c->how = mem_zero(phases, sizeof *c->how);
	if (x.stretch && x.last && x.held && x.sum && c->stretch && c->how) {
		begin_loop(&x);
		if (r->count)
			code = choosing_pick_candidate(&x, progress, e);
	} else {
		code = err_memory(e, "the windows");
	}
	mem_free(x.stretch);
	mem_free(x.last);
	mem_free(x.held);
	mem_free(x.sum);
	if (code)
		window_choice_release(c);
	return code;
}

void window_choice_release(struct window_choice *c)
{
	mem_free(c->stretch);
	mem_free(c->how);
	*c = (struct window_choice){0};
}

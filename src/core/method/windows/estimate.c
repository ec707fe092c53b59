#include "windows.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/base/outliers.h"

/* What a window holds of a phase. */
struct window_cell {
	uint32_t phase, count;
};

struct estimating {
	const struct estimate_input *in;
	struct estimate *out;
	struct window_cell *cell;        /* window by window, regular and extra */
	double *sum;              /* [cell][part] */
	size_t cells, cell_cap, sum_cap;
	size_t *of_window;        /* windows + 1: first cell of each */
	size_t *slot;             /* per phase: its cell of the window at hand */
	uint32_t *seen;           /* per phase: window + 1 */
	double *total;            /* [phase][part] */
	double *moved;            /* per cell: how far the phase's time moves without the window */
	double *pet;              /* per window: PET without it */
};

static double parts_largest(const double *sum, const double *less, uint32_t parts)
{
	double most = -INFINITY;

	for (uint32_t p = 0; p < parts; p++)
		most = fmax(most, sum[p] - (less ? less[p] : 0));
	return parts ? most : 0;
}

/* The cell of a phase in window w: a new one if it has none. */
static bool estimate_cell_of(struct estimating *x, uint32_t w, uint32_t phase)
{
	uint32_t parts = x->in->parts;
	void *grown;

	if (x->seen[phase] == w + 1)
		return true;
	grown = mem_grow(x->cell, x->cells, &x->cell_cap, sizeof *x->cell);
	if (!grown)
		return false;
	x->cell = grown;
	if (x->cell_cap > x->sum_cap) {
		grown = mem_resize(x->sum, x->cell_cap * (parts ? parts : 1), sizeof *x->sum);
		if (!grown)
			return false;
		x->sum = grown;
		x->sum_cap = x->cell_cap;
	}
	x->cell[x->cells] = (struct window_cell){.phase = phase};
	for (uint32_t p = 0; p < parts; p++)
		x->sum[x->cells * parts + p] = 0;
	x->seen[phase] = w + 1;
	x->slot[phase] = x->cells++;
	return true;
}

static bool estimate_gather(struct estimating *x)
{
	const struct estimate_input *in = x->in;

	for (uint32_t w = 0; w < in->windows; w++) {
		x->of_window[w] = x->cells;
		for (uint32_t i = in->first[w]; i < in->first[w + 1]; i++) {
			double *sum;

			if (in->phase[i] >= in->phases)
				continue;
			if (!estimate_cell_of(x, w, in->phase[i]))
				return false;
			sum = x->sum + x->slot[in->phase[i]] * in->parts;
			x->cell[x->slot[in->phase[i]]].count++;
			if (in->add)
				in->add(in->arg, i, sum);
			for (uint32_t p = 0; !in->add && p < in->parts; p++)
				sum[p] += in->seconds[(size_t)i * in->parts + p];
		}
	}
	x->of_window[in->windows] = x->cells;
	return true;
}

/* Of regular windows, then, for phases that none of them holds, of extra ones. */
static void estimate_add_up(struct estimating *x, bool extra)
{
	const struct estimate_input *in = x->in;

	for (uint32_t w = 0; w < in->windows; w++)
		for (size_t k = x->of_window[w]; in->extra[w] == extra && k < x->of_window[w + 1]; k++) {
			struct phase_estimate *p = &x->out->phase[x->cell[k].phase];

			if (extra && p->measured && !p->extra)
				continue;
			p->measured = true;
			p->extra = extra;
			p->occurrences += x->cell[k].count;
			p->in_windows += !extra;
			for (uint32_t part = 0; part < in->parts; part++)
				x->total[(size_t)x->cell[k].phase * in->parts + part] += x->sum[k * in->parts + part];
		}
}

/* PET, and what becomes of it without one window or another. */
static void leave_out(struct estimating *x)
{
	const struct estimate_input *in = x->in;
	struct estimate *out = x->out;

	for (uint32_t i = 0; i < in->phases; i++) {
		struct phase_estimate *p = &out->phase[i];

		if (p->measured) {
			p->time = parts_largest(x->total + (size_t)i * in->parts, NULL, in->parts) / p->occurrences;
			out->pet += in->weight[i] * p->time;
		}
	}
	for (uint32_t w = 0; w < in->windows; w++) {
		double moved = 0;

		for (size_t k = x->of_window[w]; !in->extra[w] && k < x->of_window[w + 1]; k++) {
			uint32_t i = x->cell[k].phase, rest = out->phase[i].occurrences - x->cell[k].count;

			x->moved[k] = !rest ? 0 : parts_largest(x->total + (size_t)i * in->parts, x->sum + k * in->parts, in->parts) / rest -
						  out->phase[i].time;
			moved += in->weight[i] * x->moved[k];
		}
		if (!in->extra[w])
			x->pet[out->regular++] = out->pet + moved;
	}
}

/* The jackknife's standard error of n values. */
static double jackknife(const double *v, uint32_t n)
{
	double mean = 0, squares = 0;

	for (uint32_t i = 0; i < n; i++)
		mean += v[i] / n;
	for (uint32_t i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	return sqrt((n - 1) * squares / n);
}

/* The same of each phase's time, which stays where a window without it is left out. `total` is done with: it holds the
 * means. */
static void phase_errors(struct estimating *x)
{
	const struct estimate_input *in = x->in;
	uint32_t n = x->out->regular;
	double *mean = x->pet; /* done with, too */

	for (uint32_t i = 0; i < in->phases; i++) {
		mean[i] = 0;
		x->out->phase[i].se = 0;
	}
	for (uint32_t w = 0; w < in->windows; w++)
		for (size_t k = x->of_window[w]; !in->extra[w] && k < x->of_window[w + 1]; k++)
			mean[x->cell[k].phase] += x->moved[k] / n;
	for (uint32_t w = 0; w < in->windows; w++)
		for (size_t k = x->of_window[w]; !in->extra[w] && k < x->of_window[w + 1]; k++) {
			double off = x->moved[k] - mean[x->cell[k].phase];

			x->out->phase[x->cell[k].phase].se += off * off;
		}
	for (uint32_t i = 0; i < in->phases; i++) {
		struct phase_estimate *p = &x->out->phase[i];
		double squares = p->se + (n - p->in_windows) * mean[i] * mean[i];

		p->se = p->in_windows >= 2 ? sqrt((n - 1) * squares / n) : (double)NAN;
		if (!p->measured)
			p->time = (double)NAN;
	}
}

static void interval(struct estimate *x)
{
	x->half = x->df ? student_quantile(x->df) * x->se : 0;
	x->low = fmax(0, x->pet_scaled - x->half);
	x->high = x->pet_scaled + x->half;
}

static void estimate(struct estimating *x)
{
	const struct estimate_input *in = x->in;
	struct estimate *out = x->out;
	double rest = 1 - fmin(1, fmax(0, in->share));

	estimate_add_up(x, false);
	estimate_add_up(x, true);
	leave_out(x);
	out->se = out->half = out->low = out->high = (double)NAN;
	out->pet_scaled = in->coverage > 0 ? out->pet / in->coverage : in->coverage <= 0 ? 0 : (double)NAN;
	if (out->regular >= 3 && in->coverage > 0) {
		out->se = jackknife(x->pet, out->regular) * sqrt(rest) / in->coverage;
		out->df = out->regular - 1;
		interval(out);
	}
	phase_errors(x);
}

static double unseen(const struct estimate_input *in, const struct estimate *x)
{
	double sum = 0;

	for (uint32_t i = 0; i < in->phases; i++) {
		const struct phase_estimate *phase = &x->phase[i];

		if (phase->measured && phase->in_windows < 2 && phase->occurrences < in->weight[i])
			sum += in->weight[i] * phase->time;
	}
	return x->pet > 0 ? sum / x->pet : 0;
}

enum err_code estimate_init(struct estimate *out, const struct estimate_input *in, struct err *e)
{
	size_t room = in->phases > in->windows ? in->phases : in->windows;
	struct estimating x = {.in = in, .out = out};
	bool good;

	*out = (struct estimate){0};
	out->phase = mem_zero(in->phases, sizeof *out->phase);
	x.of_window = mem_alloc((size_t)in->windows + 1, sizeof *x.of_window);
	x.slot = mem_alloc(in->phases, sizeof *x.slot);
	x.seen = mem_zero(in->phases, sizeof *x.seen);
	x.total = mem_zero((size_t)in->phases * in->parts, sizeof *x.total);
	x.pet = mem_alloc(room, sizeof *x.pet);
	good = out->phase && x.of_window && x.slot && x.seen && x.total && x.pet && estimate_gather(&x);
	x.moved = good ? mem_alloc(x.cells, sizeof *x.moved) : NULL;
	if (x.moved) {
		estimate(&x);
		out->unseen = unseen(in, out);
	} else {
		estimate_release(out);
	}
	mem_free(x.cell);
	mem_free(x.sum);
	mem_free(x.of_window);
	mem_free(x.slot);
	mem_free(x.seen);
	mem_free(x.total);
	mem_free(x.pet);
	good = x.moved != NULL;
	mem_free(x.moved);
	return good ? ERR_OK : err_memory(e, "an estimate");
}

void estimate_release(struct estimate *x)
{
	mem_free(x->phase);
	*x = (struct estimate){0};
}

void estimate_over_runs(struct estimate *x, const double *pet_scaled, uint32_t runs)
{
	double mean = 0, squares = 0, windows, between, fourth;

	if (isnan(x->se))
		return;
	for (uint32_t i = 0; i < runs; i++)
		mean += pet_scaled[i] / runs;
	for (uint32_t i = 0; i < runs; i++)
		squares += (pet_scaled[i] - mean) * (pet_scaled[i] - mean);
	windows = x->se * x->se;
	between = squares / (runs - 1) / runs;
	x->se = sqrt(windows + between);
	fourth = windows * windows / (x->regular - 1) + between * between / (runs - 1);
	/* Rounded down, but not for the last digit's sake. */
	x->df = fourth > 0 ? (uint32_t)fmax(1, floor((windows + between) * (windows + between) / fourth + 1e-9)) : 0;
	interval(x);
}

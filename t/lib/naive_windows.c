#include "naive_windows.h"

#include <math.h>
#include <string.h>

static bool at_least(double a, double b)
{
	return a >= b - 1e-9;
}

/* --- the run: 1.1 --- */

/* When process p enters occurrence k; k = n + 1: its last event. */
static double enters(const struct naive_run *r, uint32_t k, uint32_t p)
{
	double t = 0;

	for (uint32_t i = 1; i < k; i++)
		t += r->duration[i][p];
	return t;
}

static double mean_enters(const struct naive_run *r, uint32_t k)
{
	double sum = 0;

	for (uint32_t p = 0; p < r->processes; p++)
		sum += enters(r, k, p);
	return sum / r->processes;
}

static double u_of[NAIVE_OCCURRENCES + 2];
static double u(uint32_t k) { return u_of[k]; }

static double whole(const struct naive_run *r)
{
	return u(r->n + 1) - u(1);
}

static double aet(const struct naive_run *r)
{
	double latest = 0;

	for (uint32_t p = 0; p < r->processes; p++)
		latest = fmax(latest, enters(r, r->n + 1, p));
	return latest;
}

/* The phase time of some occurrences, in[k], of a phase. */
static double time_of(const struct naive_run *r, uint32_t id, const bool *in)
{
	double sum[NAIVE_PROCESSES] = {0}, all = 0, most;
	uint32_t count = 0;

	for (uint32_t k = 1; k <= r->n; k++)
		if (r->phase[k] == id && in[k]) {
			count++;
			for (uint32_t p = 0; p < r->processes; p++)
				sum[p] += r->duration[k][p];
		}
	most = sum[0];
	for (uint32_t p = 0; p < r->processes; p++) {
		all += sum[p];
		most = fmax(most, sum[p]);
	}
	return (r->s->phase_time == PHASE_TIME_SLOWEST ? most : all / r->processes) / count;
}

static uint32_t weight_of(const struct naive_run *r, uint32_t id)
{
	uint32_t count = 0;

	for (uint32_t k = 1; k <= r->n; k++)
		count += r->phase[k] == id;
	return count;
}

static double traced(const struct naive_run *r, uint32_t id)
{
	bool all[NAIVE_OCCURRENCES + 2];

	memset(all, true, sizeof all);
	return time_of(r, id, all);
}

static bool relevant(const struct naive_run *r, uint32_t id)
{
	return aet(r) > 0 && weight_of(r, id) * traced(r, id) >= r->s->relevance * aet(r);
}

static double slowest(const struct naive_run *r, uint32_t k)
{
	double most = r->duration[k][0];

	for (uint32_t p = 1; p < r->processes; p++)
		most = fmax(most, r->duration[k][p]);
	return most;
}

static uint32_t representative(const struct naive_run *r, uint32_t id)
{
	uint32_t list[NAIVE_OCCURRENCES], count = 0, skip;

	for (uint32_t k = 1; k <= r->n; k++)
		if (r->phase[k] == id)
			list[count++] = k;
	if (r->s->representative == REPRESENTATIVE_FIRST)
		return list[0];
	if (r->s->representative == REPRESENTATIVE_LAST)
		return list[count - 1];
	skip = count >= 3;
	for (uint32_t i = skip; i < count; i++) {
		uint32_t before = 0;

		for (uint32_t j = skip; j < count; j++)
			before += slowest(r, list[j]) < slowest(r, list[i]) || (slowest(r, list[j]) == slowest(r, list[i]) && j < i);
		if (before == (count - skip - 1) / 2)
			return list[i];
	}
	return 0;
}

/* --- where windows lie: 1.2 and 1.6 --- */

struct stretches { uint32_t count, first[NAIVE_OCCURRENCES], last[NAIVE_OCCURRENCES]; };

static uint32_t stop_of(const struct naive_run *r)
{
	for (uint32_t k = 2; r->s->window_span < 1 && k <= r->n; k++)
		if (at_least(u(k), u(1) + r->s->window_span * whole(r)))
			return k;
	return r->n + 1;
}

static double offset_of(const struct naive_run *r, uint32_t m)
{
	return (m - 0.5) / 64 * fmax(0, r->s->window_span * whole(r) / r->s->windows - r->s->window_seconds);
}

static void spread_over_time(const struct naive_run *r, uint32_t m, struct stretches *x)
{
	uint32_t k = 1, stop = stop_of(r);

	x->count = 0;
	for (uint32_t j = 1; j <= r->s->windows; j++) {
		while (k < stop && !at_least(u(k), u(1) + (j - 1) * r->s->window_span * whole(r) / r->s->windows + offset_of(r, m)))
			k++;
		if (k < stop && (!x->count || x->first[x->count - 1] != k))
			x->first[x->count++] = k;
	}
	for (uint32_t j = 0; j < x->count; j++) {
		uint32_t e = x->first[j] + 1;

		while (e < stop && !at_least(u(e), u(x->first[j]) + r->s->window_seconds) && !(j + 1 < x->count && e >= x->first[j + 1]))
			e++;
		x->last[j] = e - 1;
	}
}

static void follow_iterations(const struct naive_run *r, uint32_t m, struct stretches *x)
{
	uint32_t c = 0, n, before = 0, group = (uint32_t)fmax(1, floor(r->s->window_seconds / r->loop_mean + 0.5));

	while (c < r->iterations && r->from[c + 1] < stop_of(r))
		c++;
	n = r->s->windows < c ? r->s->windows : c;
	x->count = 0;
	for (uint32_t j = 1; j <= n; j++) {
		uint32_t i = (uint32_t)floor((j - 1 + (m - 0.5) / 64) * c / n) + 1, end;

		if (i > c)
			i = c;
		if (i == before || (x->count && r->from[i] <= x->last[x->count - 1]))
			continue;
		before = end = i;
		for (uint32_t g = 1; g < group && end < c && r->from[end + 1] == r->to[end]; g++)
			end++;
		x->first[x->count] = r->from[i];
		x->last[x->count++] = r->to[end] - 1;
	}
}

static void place(const struct naive_run *r, uint32_t m, struct stretches *x)
{
	if (r->iterations)
		follow_iterations(r, m, x);
	else
		spread_over_time(r, m, x);
}

/* --- what is measured, and how far off it is: 1.3 to 1.5 --- */

static void judge(const struct naive_run *r, const struct stretches *x, struct naive_windows *w, bool *regular, bool *extra)
{
	double off = 0, all = 0, covered = 0;

	memset(regular, false, NAIVE_OCCURRENCES + 2);
	memset(extra, false, NAIVE_OCCURRENCES + 2);
	memset(w->phase, 0, sizeof w->phase);
	w->pet = 0;
	for (uint32_t j = 0; j < x->count; j++)
		for (uint32_t k = x->first[j]; k <= x->last[j]; k++)
			regular[k] = true;
	for (uint32_t id = 1; id <= r->phases; id++) {
		uint32_t held = 0, weight = weight_of(r, id);
		double lasts = 0;

		if (!relevant(r, id))
			continue;
		for (uint32_t k = 1; k <= r->n; k++)
			held += r->phase[k] == id && regular[k];
		w->phase[id].measured = true;
		w->phase[id].occurrences = held;
		if (held) {
			w->phase[id].time = time_of(r, id, regular);
		} else {
			for (uint32_t k = 1; k <= r->n; k++)
				if (r->phase[k] == id && (weight <= 2 || k == representative(r, id))) {
					extra[k] = true;
					lasts += u(k + 1) - u(k);
					w->phase[id].occurrences++;
				}
			w->phase[id].extra = true;
			w->phase[id].time = time_of(r, id, extra);
			if (!at_least(r->s->window_rare * aet(r), lasts)) {
				memset(&w->phase[id], 0, sizeof w->phase[id]);
				w->phase[id].left = true;
				for (uint32_t k = 1; k <= r->n; k++)
					extra[k] = extra[k] && r->phase[k] != id;
				continue;
			}
		}
		off += weight * fabs(w->phase[id].time - traced(r, id));
		all += weight * traced(r, id);
		covered += weight * traced(r, id);
		w->pet += weight * w->phase[id].time;
	}
	w->coverage = covered / aet(r);
	w->misfit = all > 0 ? off / all : 0;
	w->pet_scaled = covered > 0 ? w->pet / w->coverage : 0;
}

/* --- the error bar: 2 --- */

static double density(double t, double df)
{
	return exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * 3.14159265358979323846) * pow(1 + t * t / df, -(df + 1) / 2);
}

static double quantile(uint32_t df)
{
	double low = 0, high = 20;

	for (int i = 0; i < 60; i++) {
		double t = (low + high) / 2, h = t / 2000, sum = density(0, df) + density(t, df);

		for (int k = 1; k < 2000; k++)
			sum += density(k * h, df) * (k % 2 ? 4 : 2);
		if (sum * h / 3 < 0.475)
			low = t;
		else
			high = t;
	}
	return low;
}

static void error_bar(const struct naive_run *r, const struct stretches *x, struct naive_windows *w, const bool *regular)
{
	static double pet[NAIVE_OCCURRENCES], time[NAIVE_OCCURRENCES][NAIVE_PHASES + 1];
	double mean = 0, squares = 0, share = 0;

	for (uint32_t j = 0; j < x->count; j++) {
		bool rest[NAIVE_OCCURRENCES + 2];

		memcpy(rest, regular, sizeof rest);
		for (uint32_t k = x->first[j]; k <= x->last[j]; k++)
			rest[k] = false;
		share += (u(x->last[j] + 1) - u(x->first[j])) / whole(r);
		pet[j] = 0;
		for (uint32_t id = 1; id <= r->phases; id++) {
			uint32_t held = 0, here = 0;

			for (uint32_t k = 1; k <= r->n; k++) {
				held += r->phase[k] == id && rest[k];
				here += r->phase[k] == id && k >= x->first[j] && k <= x->last[j];
			}
			time[j][id] = w->phase[id].time;
			if (!w->phase[id].measured)
				continue;
			if (!w->phase[id].extra && held)
				time[j][id] = time_of(r, id, rest);
			w->phase[id].in_windows += here > 0;
			pet[j] += weight_of(r, id) * time[j][id];
		}
		mean += pet[j] / x->count;
	}
	for (uint32_t j = 0; j < x->count; j++)
		squares += pow(pet[j] - mean, 2);
	w->interval = x->count >= 3 && w->coverage > 0;
	if (w->interval) {
		w->se = sqrt((x->count - 1.0) / x->count * squares) * sqrt(at_least(share * whole(r), whole(r)) ? 0 : 1 - share) /
			w->coverage;
		w->half = quantile(x->count - 1) * w->se;
		w->low = fmax(0, w->pet_scaled - w->half);
		w->high = w->pet_scaled + w->half;
	}
	for (uint32_t id = 1; id <= r->phases; id++) {
		mean = squares = 0;
		for (uint32_t j = 0; j < x->count; j++)
			mean += time[j][id] / x->count;
		for (uint32_t j = 0; j < x->count; j++)
			squares += pow(time[j][id] - mean, 2);
		w->phase[id].has_se = w->phase[id].in_windows >= 2;
		w->phase[id].se = sqrt((x->count - 1.0) / x->count * squares);
	}
}

static void list(const struct naive_run *r, const struct stretches *x, struct naive_windows *w, const bool *extra)
{
	w->count = w->regular = 0;
	w->measured = w->replay = 0;
	for (uint32_t k = 1; k <= r->n; k++) {
		for (uint32_t j = 0; j < x->count; j++)
			if (x->first[j] == k) {
				w->list[w->count].extra = false;
				w->list[w->count].first = k;
				w->list[w->count++].last = x->last[j];
				w->regular++;
			}
		if (extra[k] && extra[k - 1]) {
			w->list[w->count - 1].last = k;
		} else if (extra[k]) {
			w->list[w->count].extra = true;
			w->list[w->count].first = w->list[w->count].last = k;
			w->count++;
		}
	}
	for (uint32_t i = 0; i < w->count; i++) {
		w->measured += u(w->list[i].last + 1) - u(w->list[i].first);
		w->replay = u(w->list[i].last + 1) - u(1);
	}
}

void naive_windows(struct naive_windows *w, const struct naive_run *r)
{
	bool regular[NAIVE_OCCURRENCES + 2], extra[NAIVE_OCCURRENCES + 2];
	struct stretches x;
	double best = 0, squares = 0;

	*w = (struct naive_windows){0};
	for (uint32_t k = 1; k <= r->n + 1; k++)
		u_of[k] = mean_enters(r, k);
	for (uint32_t m = 1; m <= 64; m++) {
		place(r, m, &x);
		judge(r, &x, w, regular, extra);
		squares += w->misfit * w->misfit / 64;
		if (m == 1 || w->misfit < best - 1e-9) {
			best = w->misfit;
			w->candidate = m;
		}
	}
	place(r, w->candidate, &x);
	judge(r, &x, w, regular, extra);
	w->spread = sqrt(squares);
	w->offset = offset_of(r, w->candidate);
	error_bar(r, &x, w, regular);
	list(r, &x, w, extra);
}

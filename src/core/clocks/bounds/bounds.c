#include "bounds.h"

#include <math.h>
#include <string.h>

#include "bounds_int.h"
#include "core/base/mem.h"
#include "core/team/team.h"

#define NANOSECOND 1e-9
#define NEGLIGIBLE 1e-11 /* s: of products that are left out */
#define REFINE 4         /* times at most that a map is made better */
#define SHORTEST 1e-6 /* s: a run that is shorter has a stretch of this length all the same */

/* One thread's share of the points. */
struct visiting {
	struct clock_bounding *x;
	uint32_t first_pair;       /* its pairs are numbered on from those of the parts before */
	struct pair_list pairs;
	struct pair_hulls *hulls;  /* per pair, as recorded */
	size_t hull_cap;
	clock_point_add *add;
	struct parallel_stop *stop;
	enum err_code code;
	struct err err;
};

struct clock_bounding {
	struct clock_bounds *b;
	const struct clock_source *source;
	const struct clock_options *o;
	const struct progress *progress;
	struct visiting *part;     /* per part of the source */
	struct pair_list pairs;
	struct clock_graph graph;
	struct pair_hulls *hulls;  /* per pair and window */
	size_t hull_count;
	uint32_t windows;          /* that the hulls are by */
	struct pair_hulls *fine;   /* the same by the most windows, mapped; NULL until one line has not done */
	size_t fine_count;
	uint32_t fine_windows;
	struct clock_line *line;   /* per process: the coarse map */
};

/* ---- result ---- */

static bool make_borders(struct clock_bounds *b, uint32_t windows)
{
	size_t n = b->process_count, borders = 2 * (size_t)windows;

	mem_free(b->at);
	mem_free(b->offset);
	mem_free(b->low);
	mem_free(b->high);
	b->windows = windows;
	b->borders = (uint32_t)borders;
	b->at = mem_alloc(borders, sizeof *b->at);
	b->offset = mem_alloc(n * borders, sizeof *b->offset);
	b->low = mem_alloc(n * borders, sizeof *b->low);
	b->high = mem_alloc(n * borders, sizeof *b->high);
	if (!b->at || !b->offset || !b->low || !b->high)
		return false;
	for (uint32_t k = 0; k < windows; k++) {
		b->at[2 * k] = b->start + (b->end - b->start) * ((double)k / windows);
		b->at[2 * k + 1] = k + 1 == windows ? b->end : b->start + (b->end - b->start) * ((double)(k + 1) / windows);
	}
	return true;
}

static struct clock_bounds *bounds_alloc(const struct clock_source *source, const struct clock_options *o)
{
	struct clock_bounds *b = mem_zero(1, sizeof *b);
	uint32_t n = source->process_count;

	if (!b)
		return NULL;
	b->process_count = n;
	b->reference = o->reference;
	b->start = source->start;
	b->end = source->end - source->start < SHORTEST ? source->start + SHORTEST : source->end;
	b->component = mem_alloc(n, sizeof *b->component);
	b->rate = mem_alloc(n, sizeof *b->rate);
	b->rate_low = mem_alloc(n, sizeof *b->rate_low);
	b->rate_high = mem_alloc(n, sizeof *b->rate_high);
	if (b->component && b->rate && b->rate_low && b->rate_high)
		return b;
	clock_bounds_free(b);
	return NULL;
}

void clock_bounds_free(struct clock_bounds *b)
{
	if (!b)
		return;
	mem_free(b->at);
	mem_free(b->component);
	mem_free(b->offset);
	mem_free(b->low);
	mem_free(b->high);
	mem_free(b->rate);
	mem_free(b->rate_low);
	mem_free(b->rate_high);
	mem_free(b->pair);
	mem_free(b);
}

/* ---- hulls ---- */

static void drop_hulls(struct clock_bounding *x)
{
	for (size_t i = 0; i < x->hull_count; i++)
		pair_hulls_release(&x->hulls[i]);
	x->hull_count = 0;
}

static void settle_hulls(struct clock_bounding *x)
{
	for (size_t i = 0; i < x->hull_count; i++)
		pair_hulls_settle(&x->hulls[i]);
}

static bool add_to(struct pair_hulls *h, const struct clock_point *point, double at, double y)
{
	return point->least ? hull_add(&h->least, at, y) : hull_add(&h->most, at, -y);
}

static bool add_pair(struct visiting *v, uint32_t p, uint32_t q)
{
	struct pair_list *l = &v->pairs;
	uint32_t *grown = mem_grow(l->p, l->count, &l->p_cap, sizeof *grown);
	struct pair_hulls *hulls;

	if (!grown)
		return false;
	l->p = grown;
	grown = mem_grow(l->q, l->count, &l->q_cap, sizeof *grown);
	if (!grown)
		return false;
	l->q = grown;
	hulls = mem_grow(v->hulls, l->count, &v->hull_cap, sizeof *hulls);
	if (!hulls)
		return false;
	v->hulls = hulls;
	hulls[l->count] = (struct pair_hulls){0};
	l->p[l->count] = p;
	l->q[l->count++] = q;
	return true;
}

/* As recorded: which pairs there are is found out, too. */
static bool take_recorded(void *arg, const struct clock_point *point)
{
	struct visiting *v = arg;

	if (point->pair == v->pairs.count && !add_pair(v, point->p, point->q))
		return false;
	return add_to(&v->hulls[point->pair], point, point->x, point->y);
}

/* Both clocks by their lines: what is left of the difference. */
static double left_of(const struct clock_bounding *x, const struct clock_line *line, uint32_t p, uint32_t q, double at, double y)
{
	double origin = x->b->start;

	return y + clock_line_at(line[p], origin, at + y) - clock_line_at(line[q], origin, at);
}

static double mapped(const struct clock_bounding *x, const struct clock_line *line, uint32_t process, double at)
{
	return at + clock_line_at(line[process], x->b->start, at);
}

static bool take_mapped(void *arg, const struct clock_point *point)
{
	const struct visiting *v = arg;
	const struct clock_bounding *x = v->x;
	double at = mapped(x, x->line, point->q, point->x), part = (at - x->b->start) / (x->b->end - x->b->start) * x->fine_windows;
	uint32_t window = !(part > 0) ? 0 : part >= x->fine_windows ? x->fine_windows - 1 : (uint32_t)part;

	return add_to(&x->fine[(size_t)(v->first_pair + point->pair) * x->fine_windows + window], point, at,
		      left_of(x, x->line, point->p, point->q, point->x, point->y));
}

static void visit_part(void *arg, unsigned part)
{
	struct visiting *v = &((struct clock_bounding *)arg)->part[part];
	const struct clock_source *source = v->x->source;
	const struct clock_share share = {part, source->parts, v->stop};

	v->code = source->visit(source->arg, &share, v->add, v, &v->err);
}

static enum err_code visit(struct clock_bounding *x, clock_point_add *add, struct err *e)
{
	struct parallel_stop stop = {.progress = x->progress};

	for (unsigned i = 0; i < x->source->parts; i++) {
		x->part[i].add = add;
		x->part[i].stop = &stop;
	}
	parallel_run(x->source->parts, visit_part, x);
	for (unsigned i = 0; i < x->source->parts; i++)
		if (x->part[i].code) {
			*e = x->part[i].err;
			return x->part[i].code;
		}
	return ERR_OK;
}

/* The parts' pairs and hulls, one part behind the other. */
static enum err_code join_parts(struct clock_bounding *x, struct err *e)
{
	uint32_t count = 0;

	for (unsigned i = 0; i < x->source->parts; i++) {
		x->part[i].first_pair = count;
		count += x->part[i].pairs.count;
	}
	x->pairs.p = mem_alloc(count, sizeof *x->pairs.p);
	x->pairs.q = mem_alloc(count, sizeof *x->pairs.q);
	x->hulls = mem_alloc(count, sizeof *x->hulls);
	if (!x->pairs.p || !x->pairs.q || !x->hulls)
		return err_memory(e, "the bounds of clocks");
	for (unsigned i = 0; i < x->source->parts; i++) {
		struct visiting *v = &x->part[i];

		for (uint32_t k = 0; k < v->pairs.count; k++) {
			x->pairs.p[x->pairs.count] = v->pairs.p[k];
			x->pairs.q[x->pairs.count++] = v->pairs.q[k];
			x->hulls[x->hull_count++] = v->hulls[k];
		}
		v->pairs.count = 0; /* the hulls are x's */
	}
	return ERR_OK;
}

static void release_part(struct visiting *v)
{
	for (uint32_t k = 0; k < v->pairs.count; k++)
		pair_hulls_release(&v->hulls[k]);
	mem_free(v->hulls);
	mem_free(v->pairs.p);
	mem_free(v->pairs.q);
}

/* Affine maps keep hulls. `hulls`: per pair. */
static void map_hulls(const struct clock_bounding *x, const struct pair_hulls *hulls, const struct clock_line *line)
{
	for (uint32_t k = 0; k < x->graph.pair_count; k++) {
		uint32_t p = x->graph.p[k], q = x->graph.q[k];
		const struct hull *least = &hulls[k].least, *most = &hulls[k].most;

		for (uint32_t i = 0; i < least->count; i++) {
			struct hull_point v = least->point[i];

			least->point[i] = (struct hull_point){mapped(x, line, q, v.x), left_of(x, line, p, q, v.x, v.y)};
		}
		for (uint32_t i = 0; i < most->count; i++) {
			struct hull_point v = most->point[i];

			most->point[i] = (struct hull_point){mapped(x, line, q, v.x), -left_of(x, line, p, q, v.x, -v.y)};
		}
	}
}

/* ---- windows ---- */

/* What rounding may move a bound by. */
static double tolerance_of(const struct clock_source *s)
{
	return NANOSECOND + 4 * (nextafter(s->largest, INFINITY) - s->largest);
}

/* The line of an offset that is one value at reference time `from` and another at `to`. */
static struct clock_line line_through(double origin, double from, double at_from, double to, double at_to)
{
	double slope = (at_to - at_from) / (to - from), rate = slope / (1 - slope);

	return (struct clock_line){(1 + rate) * (at_from + slope * (origin - from)), rate};
}

/* What is left after the coarse map is taken to add up; in truth products of offsets and rates remain. They count where
 * that map is a poor one: of a clock that stepped, or of a pair of one direction. Then what was found is a better one.
 * False: it was good enough. */
static bool refine(const struct clock_bounding *x, struct clock_line *line, const struct pair_hulls *hulls, const struct clock_window *w,
		   const struct clock_left *left, struct clock_line *room)
{
	double offset = 0, rate = 0;

	for (uint32_t i = 0; i < x->b->process_count; i++) {
		room[i] = line_through(x->b->start, w->from, left[i].start_estimate, w->to, left[i].end_estimate);
		offset = fmax(offset, fmax(fabs(left[i].start_estimate), fabs(left[i].end_estimate)));
		rate = fmax(rate, fabs(room[i].rate));
	}
	if (offset * rate < NEGLIGIBLE)
		return false;
	map_hulls(x, hulls, room);
	for (uint32_t i = 0; i < x->b->process_count; i++)
		line[i] = clock_line_then(line[i], room[i]);
	return true;
}

static void put_window(const struct clock_line *line, struct clock_bounds *b, uint32_t k, const struct clock_left *left)
{
	for (uint32_t i = 0; i < b->process_count; i++) {
		size_t at = (size_t)i * b->borders + 2 * k;
		double start = clock_line_for(line[i], b->start, b->at[2 * k]);
		double end = clock_line_for(line[i], b->start, b->at[2 * k + 1]);
		bool known = left[i].bound || b->component[i] == i;

		b->offset[at] = known ? start + left[i].start_estimate : NAN;
		b->offset[at + 1] = known ? end + left[i].end_estimate : NAN;
		b->low[at] = start + left[i].start.low;
		b->high[at] = start + left[i].start.high;
		b->low[at + 1] = end + left[i].end.low;
		b->high[at + 1] = end + left[i].end.high;
	}
}

/* If nothing is known in a window, the nearest end that is; nowhere: the coarse map. */
static void fill_unknown(const struct clock_bounding *x, struct clock_bounds *b, uint32_t process)
{
	double *offset = b->offset + (size_t)process * b->borders;
	double last = NAN;

	for (uint32_t k = 0; k < b->borders; k++) {
		if (isnan(offset[k]))
			offset[k] = last;
		last = offset[k];
	}
	for (uint32_t k = b->borders; k-- > 0; last = offset[k])
		if (isnan(offset[k]))
			offset[k] = isnan(last) ? clock_line_for(x->line[process], b->start, b->at[k]) : last;
}

/* Two windows meet: at the border both have the same bounds and estimate, unless the clock stepped there. */
static void join_windows(struct clock_bounds *b, uint32_t process)
{
	size_t at = (size_t)process * b->borders;

	for (uint32_t k = 1; k + 1 < b->borders; k += 2) {
		double *low = b->low + at + k, *high = b->high + at + k, *offset = b->offset + at + k;
		double l = fmax(low[0], low[1]), h = fmin(high[0], high[1]), mean = offset[0] / 2 + offset[1] / 2;

		if (l > h)
			continue;
		low[0] = low[1] = l;
		high[0] = high[1] = h;
		offset[0] = offset[1] = mean < l ? l : mean > h ? h : mean;
	}
}

/* line and left: of the last window; bounds are of the only one. */
static void take_rates(struct clock_bounds *b, const struct clock_line *line, const struct clock_left *left)
{
	double length = b->end - b->start;

	for (uint32_t i = 0; i < b->process_count; i++) {
		const double *offset = b->offset + (size_t)i * b->borders;
		double coarse = line[i].rate / (1 + line[i].rate);

		b->rate[i] = (offset[b->borders - 1] - offset[0]) / length;
		b->rate_low[i] = b->windows > 1 ? NAN : left[i].bound ? coarse + left[i].rise.low / length : -INFINITY;
		b->rate_high[i] = b->windows > 1 ? NAN : left[i].bound ? coarse + left[i].rise.high / length : INFINITY;
		if (b->windows == 1 && b->component[i] == i)
			b->rate_low[i] = b->rate_high[i] = 0;
	}
}

/* Room for one window: lines per process, hulls per pair, whose points are those of all. */
struct window_room {
	struct clock_line *line, *next;
	struct pair_hulls *hulls;
	struct clock_left *left;
};

static enum err_code solve_window(struct clock_bounding *x, struct clock_bounds *b, uint32_t k, const struct window_room *r, struct err *e)
{
	struct clock_window w = {.from = b->at[2 * k], .to = b->at[2 * k + 1], .tolerance = tolerance_of(x->source)};
	enum err_code code;

	for (uint32_t i = 0; i < x->graph.pair_count; i++)
		r->hulls[i] = x->hulls[(size_t)i * x->windows + k];
	memcpy(r->line, x->line, b->process_count * sizeof *r->line);
	code = clock_window_solve(&w, r->left, &x->graph, r->hulls, b->component, e);
	for (int again = 0; !code && again < REFINE && refine(x, r->line, r->hulls, &w, r->left, r->next); again++)
		code = clock_window_solve(&w, r->left, &x->graph, r->hulls, b->component, e);
	if (code)
		return code;
	b->forced += w.forced;
	b->misfit = fmax(b->misfit, w.misfit);
	put_window(r->line, b, k, r->left);
	return ERR_OK;
}

/* By the hulls as they are: the result's borders, bounds, estimates and rates. With so many forced pairs it is of no
 * use, and left as it is. */
static enum err_code solve(struct clock_bounding *x, struct clock_bounds *b, uint32_t useless, struct err *e)
{
	const struct window_room room = {
		mem_alloc(b->process_count, sizeof *room.line), mem_alloc(b->process_count, sizeof *room.next),
		mem_alloc(x->graph.pair_count, sizeof *room.hulls), mem_alloc(b->process_count, sizeof *room.left),
	};
	bool done = room.line && room.next && room.hulls && room.left && make_borders(b, x->windows);
	enum err_code code = done ? ERR_OK : err_memory(e, "the bounds of clocks");

	b->forced = 0;
	b->misfit = 0;
	for (uint32_t k = 0; !code && k < x->windows && b->forced < useless; k++)
		code = solve_window(x, b, k, &room, e);
	for (uint32_t i = 0; !code && b->forced < useless && i < b->process_count; i++) {
		fill_unknown(x, b, i);
		join_windows(b, i);
	}
	if (!code && b->forced < useless)
		take_rates(b, room.line, room.left);
	mem_free(room.line);
	mem_free(room.next);
	mem_free(room.hulls);
	mem_free(room.left);
	return code;
}

/* Hulls by the most windows: the points are gone through again, once for whatever number of windows. By all ranks of a
 * team, of own pairs; then rank 0 has those of all. */
static enum err_code split(struct clock_bounding *x, uint32_t local_pairs, struct err *e)
{
	uint32_t most = x->o->windows < CLOCK_WINDOWS ? x->o->windows : CLOCK_WINDOWS;
	enum err_code code;

	for (x->fine_windows = 1; 2 * x->fine_windows <= most;)
		x->fine_windows *= 2;
	x->fine_count = (size_t)local_pairs * x->fine_windows;
	x->fine = mem_zero(x->fine_count, sizeof *x->fine);
	if (!x->fine) {
		x->fine_count = 0;
		code = err_memory(e, "the bounds of clocks");
	} else {
		code = visit(x, take_mapped, e);
	}
	for (size_t i = 0; i < x->fine_count; i++)
		pair_hulls_settle(&x->fine[i]);
	return x->source->team ? clock_gather(x->source->team, code, NULL, &x->fine, &x->fine_count, e) : code;
}

static bool add_hull(struct hull *to, const struct hull *from)
{
	for (uint32_t i = 0; i < from->count; i++)
		if (!hull_add(to, from->point[i].x, from->point[i].y))
			return false;
	return true;
}

/* Hulls by so many windows, of those by the most: neighbours are one. */
static enum err_code bounds_join_windows(struct clock_bounding *x, uint32_t windows, struct err *e)
{
	size_t count = (size_t)x->graph.pair_count * windows, each = x->fine_windows / windows;
	bool done = true;

	drop_hulls(x);
	mem_free(x->hulls);
	x->hulls = mem_zero(count, sizeof *x->hulls);
	if (!x->hulls)
		return err_memory(e, "the bounds of clocks");
	x->hull_count = count;
	x->windows = windows;
	for (size_t i = 0; done && i < count * each; i++)
		done = add_hull(&x->hulls[i / each].least, &x->fine[i].least) && add_hull(&x->hulls[i / each].most, &x->fine[i].most);
	settle_hulls(x);
	return done ? ERR_OK : err_memory(e, "the bounds of clocks");
}

/* The first number of windows in which all pairs fit, otherwise the one with the fewest that do not. */
static enum err_code find_windows(struct clock_bounding *x, struct err *e)
{
	struct clock_bounds *best = x->b, *other = NULL;
	enum err_code code = ERR_OK;

	for (uint32_t windows = 2; !code && best->forced && windows <= x->fine_windows; windows *= 2) {
		other = bounds_alloc(x->source, x->o);
		if (!other)
			return err_memory(e, "the bounds of clocks");
		memcpy(other->component, best->component, best->process_count * sizeof *best->component);
		code = bounds_join_windows(x, windows, e);
		if (!code)
			code = solve(x, other, best->forced, e);
		if (!code && other->forced < best->forced) {
			struct clock_bounds swapped = *best;

			*best = *other;
			best->pair = swapped.pair;
			best->pair_count = swapped.pair_count;
			best->components = swapped.components;
			swapped.pair = NULL;
			*other = swapped;
		}
		clock_bounds_free(other);
	}
	return code;
}

/* ---- all of it ---- */

static enum err_code take_pairs(struct clock_bounding *x, struct err *e)
{
	struct clock_bounds *b = x->b;
	uint32_t n = x->graph.pair_count;

	b->pair = mem_alloc(n, sizeof *b->pair);
	if (!b->pair)
		return err_memory(e, "the bounds of clocks");
	for (b->pair_count = 0; b->pair_count < n; b->pair_count++) {
		uint32_t k = b->pair_count;

		b->pair[k] = (struct clock_pair_figures){x->graph.p[k], x->graph.q[k], pair_gap(&x->hulls[k])};
	}
	return ERR_OK;
}

/* By one line each. */
static enum err_code bound_whole(struct clock_bounding *x, struct err *e)
{
	struct clock_bounds *b = x->b;
	enum err_code code = clock_graph_init(&x->graph, b->process_count, x->pairs.p, x->pairs.q, x->pairs.count, e);

	x->windows = 1;
	if (!code)
		code = clock_coarse(x->line, b->component, &x->graph, x->hulls, b->reference, b->start, e);
	if (!code)
		code = take_pairs(x, e);
	if (code)
		return code;
	for (uint32_t i = 0; i < b->process_count; i++)
		b->components += b->component[i] == i;
	map_hulls(x, x->hulls, x->line);
	return solve(x, b, UINT32_MAX, e);
}

/* What rank 0 has found out, which alone has the hulls of all: does one line not do? Then all have to know the
 * lines. */
static enum err_code broadcast_lines(struct clock_bounding *x, enum err_code code, bool *again, struct err *e)
{
	const struct team *team = x->source->team;

	*again = !code && x->b->forced && x->o->windows > 1;
	code = team_agree(team, code, e);
	if (!code)
		code = team_broadcast(team, again, sizeof *again, e);
	if (!code && *again)
		code = team_broadcast(team, x->line, x->b->process_count * sizeof *x->line, e);
	return code;
}

/* What else all are to know of it. */
static enum err_code broadcast_outcome(struct clock_bounding *x, enum err_code code, struct err *e)
{
	const struct team *team = x->source->team;
	struct { uint32_t windows, forced; } outcome = {x->b->windows, x->b->forced};

	code = team_agree(team, code, e);
	if (!code)
		code = team_broadcast(team, &outcome, sizeof outcome, e);
	x->b->windows = outcome.windows;
	x->b->forced = outcome.forced;
	return code;
}

static enum err_code bound(struct clock_bounding *x, struct err *e)
{
	const struct team *team = x->source->team;
	bool leads = team_rank(team) == 0, again;
	uint32_t local_pairs;
	enum err_code code = visit(x, take_recorded, e);

	if (!code)
		code = join_parts(x, e);
	local_pairs = x->pairs.count;
	settle_hulls(x);
	if (team)
		code = clock_gather(team, code, &x->pairs, &x->hulls, &x->hull_count, e);
	if (code)
		return code;
	if (leads)
		code = bound_whole(x, e);
	code = broadcast_lines(x, code, &again, e);
	if (!code && again)
		code = split(x, local_pairs, e);
	if (code)
		return code;
	if (leads)
		code = find_windows(x, e);
	return broadcast_outcome(x, code, e);
}

enum err_code clock_bounds_from(struct clock_bounds **out, const struct clock_source *source, const struct clock_options *o,
				const struct progress *progress, struct err *e)
{
	struct clock_bounding x = {.b = bounds_alloc(source, o), .source = source, .o = o, .progress = progress,
			     .line = mem_zero(source->process_count, sizeof *x.line),
			     .part = mem_zero(source->parts, sizeof *x.part)};
	enum err_code code;

	for (unsigned i = 0; x.part && i < source->parts; i++)
		x.part[i].x = &x;
	code = x.b && x.line && x.part ? ERR_OK : err_memory(e, "the bounds of clocks");
	code = team_agree(source->team, code, e);
	if (!code)
		code = bound(&x, e);
	for (unsigned i = 0; x.part && i < source->parts; i++)
		release_part(&x.part[i]);
	mem_free(x.part);
	for (size_t i = 0; i < x.fine_count; i++)
		pair_hulls_release(&x.fine[i]);
	mem_free(x.fine);
	clock_graph_release(&x.graph);
	drop_hulls(&x);
	mem_free(x.hulls);
	mem_free(x.pairs.p);
	mem_free(x.pairs.q);
	mem_free(x.line);
	if (code) {
		clock_bounds_free(x.b);
		x.b = NULL;
	}
	*out = x.b;
	return code;
}

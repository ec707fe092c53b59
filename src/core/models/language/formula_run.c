#include <math.h>
#include <stdio.h>

#include "core/base/number.h"
#include "language_int.h"

#define STEPS_PER_LOOK 14 /* 2^14 steps between looks at progress */
#define LONG_BODY 64      /* instructions that count as one step */

enum point_outcome {
	POINT_DONE,
	POINT_NOT,  /* a value is no point, or there is none: intervals give the value, or say what is wrong */
	POINT_STOP  /* no steps left, or cancelled */
};

void formula_run_init(struct formula_run *v, const struct library *l, const struct progress *progress, uint64_t steps)
{
	*v = (struct formula_run){.library = l, .progress = progress, .steps = steps};
}

void formula_run_release(struct formula_run *v)
{
	mem_free(v->stack);
	mem_free(v->points);
	mem_free(v->parts);
	*v = (struct formula_run){.steps = 0};
}

/* ERR_LIMIT, ERR_CANCELLED */
static inline enum err_code run_take_steps(struct formula_run *v, uint64_t n)
{
	uint64_t before = v->steps;

	if (before < n)
		return ERR_LIMIT;
	v->steps -= n;
	return (before ^ v->steps) >> STEPS_PER_LOOK && progress_stopped(v->progress) ? ERR_CANCELLED : ERR_OK;
}

static uint64_t steps_of(uint32_t instructions)
{
	return 1 + instructions / LONG_BODY;
}

static enum err_code formula_stopped(const struct place *at, enum err_code code, struct err *e)
{
	if (code == ERR_CANCELLED)
		return err_set(e, code, "interrupted");
	return place_err(at, code, e, "the evaluation takes too many steps: shorten loops and sums");
}

enum err_code formula_step(struct formula_run *v, uint64_t n, const struct place *at, struct err *e)
{
	enum err_code code = run_take_steps(v, n);

	return code ? formula_stopped(at, code, e) : ERR_OK;
}

/* ---- points ---- */

static double share_of(const struct formula_values *values, uint32_t rank)
{
	return values->shares ? values->shares[rank] : 1.0 / values->processes;
}

static bool is_rank(const struct formula_values *values, double x)
{
	return x >= 0 && x < values->processes && floor(x) == x;
}

/* Shares n tasks out, unless they are: whole programs ask for each rank's part of the same number. */
static enum err_code share_out(struct formula_run *v, double n)
{
	enum err_code code;

	if (v->parts && v->parted <= n && v->parted >= n)
		return ERR_OK;
	code = run_take_steps(v, v->values.processes);
	if (code)
		return code;
	if (!v->parts)
		v->parts = mem_alloc(v->values.processes, sizeof *v->parts);
	if (!v->parts)
		return ERR_MEMORY;
	v->parted = n;
	if (apportion(n, v->values.shares, v->values.processes, v->parts))
		return ERR_OK;
	mem_free(v->parts);
	v->parts = NULL;
	return ERR_MEMORY;
}

static const struct formula *piece_at(const struct bound_function *f, double x)
{
	uint32_t i = 0;

	while (i + 1 < f->f->piece_count && !(x <= f->f->pieces[i].most))
		i++;
	return f->pieces[i];
}

static enum point_outcome run_points(struct formula_run *v, const struct instruction *i,
				     const struct instruction *end, double *base,
			       double *sp, double *value);

/* The index is in *slot. */
static enum point_outcome points_over(struct formula_run *v, const struct instruction *over, double *base,
				      double *slot, double to)
{
	double from = *slot, sum = 0, one;
	bool any = false;

	for (double k = 0; from + k <= to; k++) {
		enum point_outcome o;

		if (run_take_steps(v, steps_of(over->index)))
			return POINT_STOP;
		*slot = from + k;
		o = run_points(v, over + 1, over + 1 + over->index, base, slot + 1, &one);
		if (o != POINT_DONE)
			return o;
		if (over->op == CODE_SUM)
			sum += one;
		else if (!any || (over->op == CODE_LEAST ? one < sum : one > sum))
			sum = one;
		any = true;
	}
	*slot = sum;
	return (any || over->op == CODE_SUM) && isfinite(sum) ? POINT_DONE : POINT_NOT;
}

static enum point_outcome points_call(struct formula_run *v, const struct instruction *call, double *arguments)
{
	const struct bound_function *f = &v->library->functions[call->index];
	const struct formula *piece = f->f->piece_count > 1 ? piece_at(f, arguments[0]) : f->pieces[0];
	enum point_outcome o;

	if (v->depth == FUNCTION_DEPTH)
		return POINT_NOT;
	if (run_take_steps(v, steps_of(piece->count)))
		return POINT_STOP;
	v->depth++;
	o = run_points(v, piece->code, piece->code + piece->count, arguments, arguments + call->count, arguments);
	v->depth--;
	return o;
}

static enum point_outcome run_points(struct formula_run *v, const struct instruction *i,
				     const struct instruction *end, double *base,
			       double *sp, double *value)
{
	for (; i < end; i++) {
		const struct formula_values *values = &v->values;
		struct interval x;
		enum point_outcome o;

		switch ((enum code_op)i->op) {
		case CODE_NUMBER: *sp++ = i->value; continue;
		case CODE_PARAMETER:
		case CODE_LOCAL:
			x = i->op == CODE_PARAMETER ? values->parameters[i->index] : values->locals[i->index];
			if (x.lo != x.hi)
				return POINT_NOT;
			*sp++ = x.lo;
			continue;
		case CODE_SLOT: *sp++ = base[i->index]; continue;
		case CODE_RANK: *sp++ = values->rank; continue;
		case CODE_INTERVAL:
			sp--;
			if (sp[-1] != sp[0])
				return POINT_NOT;
			continue;
		case CODE_NEGATE: sp[-1] = -sp[-1]; continue;
		case CODE_NOT: sp[-1] = 1 - sp[-1]; continue;
		case CODE_OR: sp--; sp[-1] = sp[-1] > sp[0] ? sp[-1] : sp[0]; continue;
		case CODE_AND: sp--; sp[-1] = sp[-1] < sp[0] ? sp[-1] : sp[0]; continue;
		case CODE_LESS: sp--; sp[-1] = sp[-1] < sp[0]; continue;
		case CODE_LESS_EQUAL: sp--; sp[-1] = sp[-1] <= sp[0]; continue;
		case CODE_GREATER: sp--; sp[-1] = sp[-1] > sp[0]; continue;
		case CODE_GREATER_EQUAL: sp--; sp[-1] = sp[-1] >= sp[0]; continue;
		case CODE_EQUAL: sp--; sp[-1] = sp[-1] == sp[0]; continue;
		case CODE_NOT_EQUAL: sp--; sp[-1] = sp[-1] != sp[0]; continue;
		case CODE_ADD: sp--; sp[-1] += sp[0]; break;
		case CODE_SUB: sp--; sp[-1] -= sp[0]; break;
		case CODE_MUL: sp--; sp[-1] *= sp[0]; break;
		case CODE_DIV: sp--; sp[-1] /= sp[0]; break; /* 0 / 0 and x / 0 are not finite */
		case CODE_POW: sp--; sp[-1] = interval_power(sp[-1], sp[0]); break;
		case CODE_ABS: sp[-1] = fabs(sp[-1]); continue;
		case CODE_SQRT: sp[-1] = sqrt(sp[-1]); break;
		case CODE_LOG: sp[-1] = log(sp[-1]); break;
		case CODE_LOG2: sp[-1] = log2(sp[-1]); break;
		case CODE_EXP: sp[-1] = exp(sp[-1]); break;
		case CODE_FLOOR: sp[-1] = floor(sp[-1]); continue;
		case CODE_CEIL: sp[-1] = ceil(sp[-1]); continue;
		case CODE_ROUND: sp[-1] = floor(sp[-1] + 0.5); continue;
		case CODE_SHARE:
			if (!is_rank(values, sp[-1]))
				return POINT_NOT;
			sp[-1] = share_of(values, (uint32_t)sp[-1]);
			continue;
		case CODE_PART:
			sp--;
			if (!apportion_whole(sp[-1]) || !is_rank(values, sp[0]))
				return POINT_NOT;
			switch (share_out(v, sp[-1])) {
			case ERR_OK: break;
			case ERR_MEMORY: return POINT_NOT;
			default: return POINT_STOP;
			}
			sp[-1] = v->parts[(uint32_t)sp[0]];
			continue;
		case CODE_CALL:
			sp -= i->count;
			o = points_call(v, i, sp++);
			if (o != POINT_DONE)
				return o;
			continue;
		case CODE_SUM:
		case CODE_LEAST:
		case CODE_GREATEST:
			sp--;
			o = points_over(v, i, base, sp - 1, sp[0]);
			if (o != POINT_DONE)
				return o;
			i += i->index;
			continue;
		}
		if (!isfinite(sp[-1]))
			return POINT_NOT;
	}
	*value = sp[-1];
	return POINT_DONE;
}

/* ---- intervals ---- */

static enum err_code run_intervals(struct formula_run *v, const struct instruction *i, const struct instruction *end,
				   struct interval *base, struct interval *sp, struct interval *value, struct err *e);

#define INTERVAL_TEXT (2 * NUMBER_TEXT + 8)

static const char *text_of(char buf[INTERVAL_TEXT], struct interval x)
{
	char lo[NUMBER_TEXT], hi[NUMBER_TEXT];

	number_format(x.lo, lo);
	number_format(x.hi, hi);
	if (interval_is_point(x))
		snprintf(buf, INTERVAL_TEXT, "%s", lo);
	else
		snprintf(buf, INTERVAL_TEXT, "[%s, %s]", lo, hi);
	return buf;
}

/* Why an operation on finite values has no finite result. b is of binary ones. */
static enum err_code undefined(const struct instruction *i, struct interval a, struct interval b, struct err *e)
{
	const struct place *at = &i->at->at;
	char x[INTERVAL_TEXT], y[INTERVAL_TEXT];

	text_of(x, a);
	text_of(y, b);
	switch ((enum code_op)i->op) {
	case CODE_DIV:
		if (b.lo <= 0 && b.hi >= 0)
			return interval_is_point(b) ? place_err(at, ERR_FORMAT, e, "division by 0") :
			       place_err(at, ERR_FORMAT, e, "division by %s, which includes 0", y);
		break;
	case CODE_POW:
		if (a.lo < 0 && !(interval_is_point(b) && floor(b.lo) == b.lo))
			return place_err(at, ERR_FORMAT, e, "%s ^ %s is undefined: a base below 0 needs a whole "
					 "exponent", x, y);
		if (a.lo <= 0 && a.hi >= 0 && b.lo < 0)
			return place_err(at, ERR_FORMAT, e, "%s ^ %s is undefined: division by 0", x, y);
		break;
	case CODE_SQRT:
		return place_err(at, ERR_FORMAT, e, "sqrt of %s is undefined", x);
	case CODE_LOG:
	case CODE_LOG2:
		return place_err(at, ERR_FORMAT, e, "%s of %s is undefined", i->op == CODE_LOG ? "log" : "log2", x);
	default:
		break;
	}
	return place_err(at, ERR_FORMAT, e, "the result is too large");
}

/* The ranks that are in x. */
static enum err_code ranks_in(const struct instruction *i, const struct formula_run *v, struct interval x, uint32_t *first,
			      uint32_t *last, struct err *e)
{
	char buf[INTERVAL_TEXT];

	if (x.lo < 0 || x.hi > (double)v->values.processes - 1 || ceil(x.lo) > floor(x.hi))
		return place_err(&i->at->at, ERR_FORMAT, e, i->op == CODE_SHARE ? "share(%s): expected a rank, from 0 to %.0f" :
				 "part(n, %s): expected a rank, from 0 to %.0f", text_of(buf, x), (double)v->values.processes - 1);
	*first = (uint32_t)ceil(x.lo);
	*last = (uint32_t)floor(x.hi);
	return ERR_OK;
}

/* The part of n tasks that a rank gets: the greater its quota the greater a part can be, but more tasks may well mean
 * one less for it, so that of an interval of tasks only quotas are known. */
static enum err_code task_part_of(const struct instruction *i, struct formula_run *v, struct interval n, uint32_t rank,
			     struct interval *part, struct err *e)
{
	double share = share_of(&v->values, rank);
	enum err_code code = interval_is_point(n) ? share_out(v, n.lo) : ERR_OK;

	if (code)
		return code == ERR_MEMORY ? err_memory(e, "parts of tasks") : formula_stopped(&i->at->at, code, e);
	*part = interval_is_point(n) ? interval_point(v->parts[rank]) :
		(struct interval){apportion_least(n.lo, share), apportion_most(n.hi, share)};
	return ERR_OK;
}

static enum err_code value_of_rank(const struct instruction *i, struct formula_run *v, struct interval n, uint32_t rank,
				   struct interval *value, struct err *e)
{
	if (i->op == CODE_PART)
		return task_part_of(i, v, n, rank, value, e);
	*value = interval_point(share_of(&v->values, rank));
	return ERR_OK;
}

/* share(x), part(n, x): the hull over the ranks in x. */
static enum err_code by_ranks(const struct instruction *i, struct formula_run *v, struct interval n, struct interval x,
			      struct interval *value, struct err *e)
{
	uint32_t first = 0, last = 0;
	char buf[INTERVAL_TEXT];
	enum err_code code = ranks_in(i, v, x, &first, &last, e);

	if (!code && i->op == CODE_PART && !(apportion_whole(n.lo) && apportion_whole(n.hi)))
		return place_err(&i->at->at, ERR_FORMAT, e, "part(%s, r): expected a whole number of tasks, from 0 to 2^53",
				 text_of(buf, n));
	if (!code)
		code = value_of_rank(i, v, n, first, value, e);
	for (uint32_t r = first + 1; !code && r <= last; r++) {
		struct interval one;

		code = run_take_steps(v, 1);
		if (code)
			return formula_stopped(&i->at->at, code, e);
		code = value_of_rank(i, v, n, r, &one, e);
		if (!code)
			*value = interval_hull(*value, one);
	}
	return code;
}

/* For an index that goes over an interval, each value is one that it surely takes, or one that it may take. */
struct tally {
	struct interval sum;      /* of the values at sure indices, and at others hulls with nothing */
	struct interval sure;     /* least or greatest of the sure */
	struct interval possible; /* hull of the others */
	bool any_sure, any_possible;
};

static void count_in(struct tally *t, enum code_op op, struct interval one, bool sure)
{
	if (op == CODE_SUM)
		t->sum = interval_add(t->sum, sure ? one : interval_hull(one, interval_point(0)));
	else if (sure)
		t->sure = !t->any_sure ? one : op == CODE_LEAST ? interval_min(t->sure, one) : interval_max(t->sure, one);
	else
		t->possible = t->any_possible ? interval_hull(t->possible, one) : one;
	t->any_sure = t->any_sure || sure;
	t->any_possible = t->any_possible || !sure;
}

static struct interval tallied(const struct tally *t, enum code_op op)
{
	if (op == CODE_SUM)
		return t->sum;
	if (!t->any_sure)
		return t->possible;
	if (!t->any_possible)
		return t->sure;
	if (op == CODE_LEAST)
		return (struct interval){t->sure.lo < t->possible.lo ? t->sure.lo : t->possible.lo, t->sure.hi};
	return (struct interval){t->sure.lo, t->sure.hi > t->possible.hi ? t->sure.hi : t->possible.hi};
}

static enum err_code intervals_over(struct formula_run *v, const struct instruction *over, struct interval *base,
				    struct interval *slot, struct interval to, struct err *e)
{
	const struct place *at = &over->at->at;
	struct interval from = *slot;
	struct tally tally = {.any_sure = false};
	char a[INTERVAL_TEXT], b[INTERVAL_TEXT];

	if (!interval_is_point(from) && (floor(from.lo) != from.lo || floor(from.hi) != from.hi))
		return place_err(at, ERR_FORMAT, e, "the index begins at %s: expected whole numbers as "
				 "limits", text_of(a, from));
	for (double k = 0; from.lo + k <= to.hi; k++) {
		double index = from.lo + k;
		struct interval one;
		enum err_code code = run_take_steps(v, steps_of(over->index));

		if (code)
			return formula_stopped(at, code, e);
		*slot = interval_point(index);
		code = run_intervals(v, over + 1, over + 1 + over->index, base, slot + 1, &one, e);
		if (code)
			return code;
		count_in(&tally, over->op, one, index >= from.hi && index <= to.lo);
	}
	if (!tally.any_sure && !tally.any_possible && over->op != CODE_SUM)
		return place_err(at, ERR_FORMAT, e, "%s of nothing: from %s to %s", over->at->name, text_of(a, from),
				 text_of(b, to));
	*slot = tallied(&tally, over->op);
	return interval_is_finite(*slot) ? ERR_OK : place_err(at, ERR_FORMAT, e, "the result is too large");
}

/* The hull over the pieces that the first argument touches, each at the part of it that lies there. */
static enum err_code intervals_call(struct formula_run *v, const struct instruction *call, uint32_t function,
				    struct interval *arguments, struct err *e)
{
	const struct bound_function *f = &v->library->functions[function];
	struct interval x = f->f->argument_count ? arguments[0] : interval_point(0), all = x;
	uint32_t n = f->f->argument_count, pieces = f->f->piece_count;
	const struct place *at = call ? &call->at->at : &f->f->at;
	bool any = false;

	if (v->depth == FUNCTION_DEPTH)
		return place_err(at, ERR_LIMIT, e, "calls of functions are nested more than %d deep", FUNCTION_DEPTH);
	v->depth++;
	for (uint32_t i = 0; i < pieces; i++) {
		double above = i ? f->f->pieces[i - 1].most : -INFINITY, most = f->f->pieces[i].most;
		const struct formula *piece = f->pieces[i];
		struct interval one;
		enum err_code code;

		if (pieces > 1 && (x.lo > most || !(x.hi > above)))
			continue;
		if (pieces > 1)
			arguments[0] = (struct interval){x.lo > above ? x.lo : above, x.hi < most ? x.hi : most};
		code = run_take_steps(v, steps_of(piece->count));
		if (code)
			return formula_stopped(at, code, e);
		code = run_intervals(v, piece->code, piece->code + piece->count, arguments, arguments + n, &one, e);
		if (code)
			return code;
		all = any ? interval_hull(all, one) : one;
		any = true;
	}
	v->depth--;
	arguments[0] = all;
	return ERR_OK;
}

/* By ends, since they grow with x. */
static struct interval by_ends(struct interval x, double (*f)(double))
{
	return (struct interval){f(x.lo), f(x.hi)};
}

static double round_up_half(double x)
{
	return floor(x + 0.5);
}

static struct interval unary(enum code_op op, struct interval x)
{
	switch (op) {
	case CODE_NEGATE: return interval_negate(x);
	case CODE_NOT: return interval_not(x);
	case CODE_ABS: return interval_abs(x);
	case CODE_SQRT: return by_ends(x, sqrt);
	case CODE_LOG: return by_ends(x, log);
	case CODE_LOG2: return by_ends(x, log2);
	case CODE_EXP: return by_ends(x, exp);
	case CODE_FLOOR: return by_ends(x, floor);
	case CODE_CEIL: return by_ends(x, ceil);
	default: return by_ends(x, round_up_half);
	}
}

static struct interval binary(enum code_op op, struct interval a, struct interval b)
{
	switch (op) {
	case CODE_OR: return interval_max(a, b);
	case CODE_AND: return interval_min(a, b);
	case CODE_LESS: return interval_less(a, b);
	case CODE_LESS_EQUAL: return interval_less_equal(a, b);
	case CODE_GREATER: return interval_less(b, a);
	case CODE_GREATER_EQUAL: return interval_less_equal(b, a);
	case CODE_EQUAL: return interval_equal(a, b);
	case CODE_NOT_EQUAL: return interval_not(interval_equal(a, b));
	case CODE_ADD: return interval_add(a, b);
	case CODE_SUB: return interval_sub(a, b);
	case CODE_MUL: return interval_mul(a, b);
	case CODE_DIV: return interval_div(a, b);
	default: return interval_pow(a, b);
	}
}

/* [a, b]: from the least that a may be to the greatest that b may be. */
static enum err_code make_interval(const struct instruction *i, struct interval *a, struct interval b, struct err *e)
{
	char x[INTERVAL_TEXT], y[INTERVAL_TEXT];

	if (a->lo > b.hi)
		return place_err(&i->at->at, ERR_FORMAT, e, "interval from %s to %s: expected the lower end "
				 "first", text_of(x, *a),
				 text_of(y, b));
	a->hi = b.hi;
	return ERR_OK;
}

static enum err_code run_intervals(struct formula_run *v, const struct instruction *i, const struct instruction *end,
				   struct interval *base, struct interval *sp, struct interval *value, struct err *e)
{
	for (; i < end; i++) {
		const struct formula_values *values = &v->values;
		enum code_op op = i->op;
		struct interval a, b;
		enum err_code code = ERR_OK;

		switch (op) {
		case CODE_NUMBER: *sp++ = interval_point(i->value); break;
		case CODE_PARAMETER: *sp++ = values->parameters[i->index]; break;
		case CODE_LOCAL: *sp++ = values->locals[i->index]; break;
		case CODE_SLOT: *sp++ = base[i->index]; break;
		case CODE_RANK: *sp++ = interval_point(values->rank); break;
		case CODE_INTERVAL:
			sp--;
			code = make_interval(i, &sp[-1], sp[0], e);
			break;
		case CODE_SHARE:
			code = by_ranks(i, v, interval_point(0), sp[-1], &sp[-1], e);
			break;
		case CODE_PART:
			sp--;
			code = by_ranks(i, v, sp[-1], sp[0], &sp[-1], e);
			break;
		case CODE_CALL:
			sp -= i->count;
			code = intervals_call(v, i, i->index, sp++, e);
			break;
		case CODE_SUM:
		case CODE_LEAST:
		case CODE_GREATEST:
			sp--;
			code = intervals_over(v, i, base, sp - 1, sp[0], e);
			i += i->index;
			break;
		case CODE_NEGATE:
		case CODE_NOT:
		case CODE_ABS:
		case CODE_SQRT:
		case CODE_LOG:
		case CODE_LOG2:
		case CODE_EXP:
		case CODE_FLOOR:
		case CODE_CEIL:
		case CODE_ROUND:
			a = sp[-1];
			sp[-1] = unary(op, a);
			if (!interval_is_finite(sp[-1]))
				return undefined(i, a, a, e);
			break;
		default:
			sp--;
			a = sp[-1];
			b = sp[0];
			sp[-1] = binary(op, a, b);
			if (!interval_is_finite(sp[-1]))
				return undefined(i, a, b, e);
		}
		if (code)
			return code;
	}
	*value = sp[-1];
	return ERR_OK;
}

/* ---- both ---- */

/* A frame for each function that is open, none larger than the library's largest. */
static enum err_code frames_make_room(struct formula_run *v, struct err *e)
{
	size_t n = (size_t)v->library->room * (FUNCTION_DEPTH + 2);
	struct interval *stack;
	double *points;

	if (v->room >= v->library->room)
		return ERR_OK;
	stack = mem_resize(v->stack, n, sizeof *stack);
	if (!stack)
		return err_memory(e, "the values of a formula");
	v->stack = stack;
	points = mem_resize(v->points, n, sizeof *points);
	if (!points)
		return err_memory(e, "the values of a formula");
	v->points = points;
	v->room = v->library->room;
	return ERR_OK;
}

enum err_code formula_value(struct formula_run *v, const struct formula *f, struct interval *value, struct err *e)
{
	enum err_code code;
	double point;

	if (f->constant) {
		*value = f->value;
		return ERR_OK;
	}
	code = frames_make_room(v, e);
	if (code)
		return code;
	v->depth = 0;
	switch (run_points(v, f->code, f->code + f->count, v->points, v->points, &point)) {
	case POINT_DONE:
		*value = interval_point(point);
		return ERR_OK;
	case POINT_STOP:
		return formula_stopped(&f->x->at, v->steps && progress_stopped(v->progress) ? ERR_CANCELLED : ERR_LIMIT, e);
	case POINT_NOT:
		break;
	}
	v->depth = 0;
	return run_intervals(v, f->code, f->code + f->count, v->stack, v->stack, value, e);
}

enum err_code function_value(struct formula_run *v, uint32_t function, const struct interval *arguments, uint32_t n,
			     struct interval *value, struct err *e)
{
	struct instruction call = {.op = CODE_CALL, .count = (uint16_t)n, .index = function};
	enum err_code code = frames_make_room(v, e);
	enum point_outcome o = POINT_DONE;

	if (code)
		return code;
	v->depth = 0;
	for (uint32_t i = 0; i < n; i++) {
		v->stack[i] = arguments[i];
		v->points[i] = arguments[i].lo;
		if (!interval_is_point(arguments[i]))
			o = POINT_NOT;
	}
	if (o == POINT_DONE)
		o = points_call(v, &call, v->points);
	if (o == POINT_STOP)
		return formula_stopped(&v->library->functions[function].f->at, v->steps && progress_stopped(v->progress) ? ERR_CANCELLED : ERR_LIMIT,
			       e);
	if (o == POINT_DONE) {
		*value = interval_point(v->points[0]);
		return ERR_OK;
	}
	v->depth = 0;
	code = intervals_call(v, NULL, function, v->stack, e);
	if (!code)
		*value = v->stack[0];
	return code;
}

bool formula_fold(const struct library *l, const struct formula *f, struct interval *value)
{
	struct formula_run v;
	bool good;

	formula_run_init(&v, l, NULL, 0);
	v.stack = mem_alloc(f->room, sizeof *v.stack);
	good = v.stack && !run_intervals(&v, f->code, f->code + f->count, v.stack, v.stack, value, NULL);
	formula_run_release(&v);
	return good;
}

enum err_code expression_constant(const struct expression *x, struct interval *value, struct err *e)
{
	const struct formula *f;
	struct formula_run v;
	struct library l;
	enum err_code code = library_init(&l, NULL, 0, NULL, 0, e);

	if (code)
		return code;
	code = library_bind(&l, x, NULL, &f, e);
	formula_run_init(&v, &l, NULL, FORMULA_STEPS);
	v.values.processes = 1;
	if (!code)
		code = formula_value(&v, f, value, e);
	formula_run_release(&v);
	library_release(&l);
	return code;
}

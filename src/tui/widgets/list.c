#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "widgets.h"

void list_init(struct list *l)
{
	*l = (struct list){.sort_column = -1, .height = 1};
}

static void drop_task(struct list *l);

void list_release(struct list *l)
{
	drop_task(l);
	mem_free(l->order);
	row_filter_free(l->filter);
	query_free(l->search);
	list_init(l);
}

uint32_t list_row_at(const struct list *l, uint32_t place)
{
	return l->order ? l->order[place] : place;
}

uint32_t list_row(const struct list *l)
{
	return l->cur < l->shown ? list_row_at(l, l->cur) : UINT32_MAX;
}

void list_line(const struct list *l, const struct row_source *s, const void *ctx, uint32_t row, char *line, size_t size)
{
	size_t len = 0;

	line[0] = 0;
	if (l->line) {
		l->line(ctx, row, line, size);
		return;
	}
	for (int c = 0; c < s->column_count && len < size; c++) {
		struct field f = {.text = ""};

		s->field(ctx, row, c, &f);
		len += (size_t)snprintf(line + len, size - len, "%s%s", c ? "  " : "", f.text);
	}
}

struct list_keyed {
	double key;
	uint32_t row;
};

/* Arranging: rows are collected (filtered, with their keys), then merged in runs of growing width. */
enum list_step { STEP_COLLECT, STEP_MERGE, STEP_FIND };

struct list_task {
	enum list_step step;
	const struct row_source *source;
	const void *ctx;
	uint32_t keep;           /* the row that the cursor goes to, unless a key moved it meanwhile */
	uint32_t begun_at;       /* the row that it was on when the task began */
	bool sorted;
	uint32_t at;             /* row being collected; steps searched */
	/* Merge sort from the bottom: runs [lo, mid) and [mid, hi) of from[] go to to[out]. */
	struct list_keyed *from, *to; /* owned */
	uint32_t n, width, lo, i, j, out;
	bool back;               /* of a search */
	uint32_t start;
};

#define FIRST_SLICE_MS 10

static bool spent(double until)
{
	return until > 0 && clock_ms() >= until;
}

static void drop_task(struct list *l)
{
	if (!l->task)
		return;
	if (l->task->step == STEP_FIND && l->found == LIST_SEARCHING)
		l->found = LIST_FOUND;
	mem_free(l->task->from);
	mem_free(l->task->to);
	mem_free(l->task);
	l->task = NULL;
}

static bool goes_first(const struct list_keyed *x, const struct list_keyed *y, bool descending)
{
	if (x->key != y->key)
		return descending ? x->key > y->key : x->key < y->key;
	return x->row < y->row;
}

/* A pattern of which one row takes too many steps says nothing about the others. */
static void drop_filter(struct list *l)
{
	row_filter_gave_up(l->filter, &l->failure);
	row_filter_free(l->filter);
	l->filter = NULL;
}

void list_give_up(struct list *l)
{
	query_gave_up(l->search, &l->failure);
	query_free(l->search);
	l->search = NULL;
	l->found = LIST_GAVE_UP;
}

static void make_line(void *arg, uint32_t row, char *line, size_t size)
{
	const struct list *l = arg;

	list_line(l, l->task->source, l->task->ctx, row, line, size);
}

/* Each of these goes on until it is done (true) or the time is up. */
static bool list_collect_rows(struct list *l, double until)
{
	struct list_task *j = l->task;

	while (j->at < l->total) {
		uint32_t row = j->at++;

		enum query_result match = QUERY_YES;

		if (l->filter)
			match = row_filter_match(l->filter, j->source, j->ctx, row, make_line, l);
		if (match == QUERY_GAVE_UP) {
			drop_filter(l);
			j->at = j->n = 0; /* all of them, then */
			continue;
		}
		if (match == QUERY_YES) {
			double key = j->sorted ? j->source->key(j->ctx, row, l->sort_column) : 0;

			j->from[j->n++] = (struct list_keyed){key == key ? key : 0, row};
		}
		/* A short list is sorted before the next key, however busy the machine is. */
		if ((l->filter || j->at % 64 == 0) && spent(until))
			return false;
	}
	j->step = STEP_MERGE;
	j->width = 1;
	return true;
}

static uint32_t least(uint64_t a, uint32_t b)
{
	return a < b ? (uint32_t)a : b;
}

static bool list_merge_runs(struct list *l, double until)
{
	struct list_task *j = l->task;

	for (; j->sorted && j->width < j->n; j->width = least((uint64_t)j->width * 2, UINT32_MAX)) {
		while (j->out < j->n) {
			uint32_t mid = least((uint64_t)j->lo + j->width, j->n), hi = least((uint64_t)j->lo + 2ull * j->width, j->n);

			if (j->out == j->lo) {
				j->i = j->lo;
				j->j = mid;
			}
			while (j->out < hi) {
				bool left = j->i < mid && (j->j == hi || !goes_first(&j->from[j->j], &j->from[j->i], l->descending));

				j->to[j->out++] = left ? j->from[j->i++] : j->from[j->j++];
				if (j->out < hi && j->out % 1024 == 0 && spent(until))
					return false;
			}
			j->lo = hi;
			if (j->out < j->n && (j->width >= 512 || j->out % 64 == 0) && spent(until))
				return false;
		}
		struct list_keyed *swap = j->from;

		j->from = j->to;
		j->to = swap;
		j->lo = j->out = 0;
	}
	return true;
}

static void take_order(struct list *l)
{
	struct list_task *j = l->task;
	uint32_t here = list_row(l), keep = here == j->begun_at ? j->keep : here;
	uint32_t *order = mem_alloc(l->total, sizeof *order);

	mem_free(l->order);
	l->order = order;
	l->shown = l->total;
	if (order) {
		for (uint32_t i = 0; i < j->n; i++)
			order[i] = j->from[i].row;
		l->shown = j->n;
	}
	drop_task(l);
	list_select(l, keep);
}

static bool list_find_match(struct list *l, double until)
{
	struct list_task *j = l->task;
	char line[1024];

	for (; j->at <= l->shown && l->shown; j->at++) {
		uint32_t step = j->at % l->shown;
		uint32_t place = (j->start + (j->back ? l->shown - step : step)) % l->shown;

		list_line(l, j->source, j->ctx, list_row_at(l, place), line, sizeof line);
		switch (query_match(l->search, line, strlen(line), NULL, NULL)) {
		case QUERY_YES:
			l->cur = place;
			list_fit(l, l->height);
			l->found = LIST_FOUND;
			return true;
		case QUERY_GAVE_UP: list_give_up(l); return true;
		case QUERY_NO: break;
		}
		if (spent(until)) {
			j->at++;
			return false;
		}
	}
	l->found = LIST_NOT_FOUND;
	return true;
}

bool list_work(struct list *l, unsigned ms)
{
	double until = ms ? clock_ms() + ms : 0;
	const struct row_source *source;
	const void *ctx;

	if (!l->task)
		return false;
	if (l->task->step == STEP_FIND) {
		if (!list_find_match(l, until))
			return true;
		drop_task(l);
		return false;
	}
	if (l->task->step == STEP_COLLECT && !list_collect_rows(l, until))
		return true;
	if (!list_merge_runs(l, until))
		return true;
	source = l->task->source;
	ctx = l->task->ctx;
	take_order(l);
	if (l->then.wanted)
		list_find(l, source, ctx, l->then.back, l->then.from_here);
	return l->task;
}

double list_progress(const struct list *l)
{
	const struct list_task *j = l->task;
	double passes = 1, done = 0;

	if (!j || !l->total)
		return 1;
	if (j->step == STEP_FIND)
		return l->shown ? (double)j->at / l->shown : 1;
	if (j->step == STEP_COLLECT)
		return (double)j->at / l->total * (j->sorted ? 0.5 : 1);
	for (uint64_t w = 1; w < j->n; w *= 2, passes++)
		done += w < j->width;
	return 0.5 + 0.5 * (done + (j->n ? (double)j->out / j->n : 0)) / passes;
}

void list_stop(struct list *l)
{
	if (!l->task)
		return;
	if (l->then.wanted)
		l->found = LIST_FOUND;
	l->then.wanted = false;
	if (l->task->step != STEP_FIND && !l->order)
		l->sort_column = -1; /* what is seen is the source's order */
	drop_task(l);
}

static bool list_begin_task(struct list *l, const struct row_source *s, const void *ctx, enum list_step step)
{
	drop_task(l);
	l->task = mem_zero(1, sizeof *l->task);
	if (!l->task)
		return false;
	l->task->step = step;
	l->task->source = s;
	l->task->ctx = ctx;
	return true;
}

/* Begin to order by filter and sort; without memory for it the source's order stays. `other`: the rows are not those
 * of before. */
static void arrange(struct list *l, const struct row_source *s, const void *ctx, uint32_t keep, bool other)
{
	bool sorted = l->sort_column >= 0 && s->key;

	drop_task(l);
	if (l->then.wanted)
		l->found = LIST_FOUND;
	l->then.wanted = false;
	if (other || (!sorted && !l->filter)) {
		mem_free(l->order);
		l->order = NULL;
		l->shown = l->total;
		list_select(l, keep);
	}
	if ((!sorted && !l->filter) || !l->total || !list_begin_task(l, s, ctx, STEP_COLLECT))
		return;
	l->task->sorted = sorted;
	l->task->keep = keep;
	l->task->begun_at = list_row(l);
	l->task->from = mem_alloc(l->total, sizeof *l->task->from);
	l->task->to = mem_alloc(l->total, sizeof *l->task->to);
	if (!l->task->from || !l->task->to)
		drop_task(l);
	else
		list_work(l, FIRST_SLICE_MS);
}

void list_select(struct list *l, uint32_t row)
{
	for (uint32_t i = 0; i < l->shown; i++) {
		if (list_row_at(l, i) == row) {
			l->cur = i;
			break;
		}
	}
	list_fit(l, l->height);
}

void list_refresh(struct list *l, const struct row_source *s, const void *ctx, uint32_t total, uint32_t keep)
{
	l->total = total;
	l->generation++;
	arrange(l, s, ctx, keep, true);
}

void list_sort(struct list *l, const struct row_source *s, const void *ctx, int column, bool descending)
{
	uint32_t keep = list_row(l);

	l->sort_column = column;
	l->descending = descending;
	arrange(l, s, ctx, keep, false);
}

enum err_code list_filter(struct list *l, const struct row_source *s, const void *ctx, const char *pattern,
			  struct err *e)
{
	uint32_t keep = list_row(l);
	struct row_filter *fresh = NULL;
	enum err_code code = pattern && *pattern ? row_filter_new(&fresh, pattern, s, e) : ERR_OK;

	if (code)
		return code;
	row_filter_free(l->filter);
	l->filter = fresh;
	l->failure.code = ERR_OK;
	arrange(l, s, ctx, keep, false);
	if (!l->failure.code)
		return ERR_OK;
	*e = l->failure;
	l->failure.code = ERR_OK;
	return e->code;
}

enum err_code list_search(struct list *l, const char *pattern, struct err *e)
{
	struct query *fresh = NULL;
	enum err_code code = pattern ? rank_word_check(pattern, e) : ERR_OK;

	if (!code && pattern && *pattern)
		code = query_new(&fresh, pattern, QUERY_SMART_CASE, NULL, e);
	if (code)
		return code;
	query_free(l->search);
	l->search = fresh;
	return ERR_OK;
}

enum list_found list_find(struct list *l, const struct row_source *s, const void *ctx, bool back, bool from_here)
{
	l->found = LIST_NOT_FOUND;
	l->then.wanted = false;
	if (l->search && l->task && l->task->step != STEP_FIND) {
		l->then.wanted = true; /* searched is what is shown */
		l->then.back = back;
		l->then.from_here = from_here;
		return l->found = LIST_SEARCHING;
	}
	if (!l->search || !list_begin_task(l, s, ctx, STEP_FIND))
		return l->found;
	l->task->back = back;
	l->task->at = !from_here;
	l->task->start = l->cur;
	l->found = LIST_SEARCHING;
	list_work(l, FIRST_SLICE_MS);
	return l->found;
}

void list_fit(struct list *l, int height)
{
	uint32_t h = height > 0 ? (uint32_t)height : 1;

	l->height = (int)h;
	if (l->cur >= l->shown)
		l->cur = l->shown ? l->shown - 1 : 0;
	if (l->cur < l->top)
		l->top = l->cur;
	if (l->cur >= l->top + h)
		l->top = l->cur - h + 1;
	if (l->top + h > l->shown)
		l->top = l->shown > h ? l->shown - h : 0;
}

bool list_act(struct list *l, enum action a)
{
	uint32_t page = (uint32_t)l->height, half = page > 1 ? page / 2 : 1;
	int64_t to = l->cur;

	switch (a) {
	case ACTION_UP: to -= 1; break;
	case ACTION_DOWN: to += 1; break;
	case ACTION_PAGE_UP: to -= page; break;
	case ACTION_PAGE_DOWN: to += page; break;
	case ACTION_HALF_UP: to -= half; break;
	case ACTION_HALF_DOWN: to += half; break;
	case ACTION_FIRST: to = 0; break;
	case ACTION_LAST: to = l->shown; break;
	default: return false;
	}
	if (to >= (int64_t)l->shown)
		to = (int64_t)l->shown - 1;
	l->cur = to > 0 ? (uint32_t)to : 0;
	list_fit(l, l->height);
	return true;
}

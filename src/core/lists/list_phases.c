#include "lists.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/number.h"

static const struct phase *found(const struct phases_list *l, uint32_t row)
{
	return &l->analysis->phases->list[row];
}

static const struct phase_figures *figure(const struct phases_list *l, uint32_t row)
{
	return &l->analysis->figures->phase[row];
}

/* What windows say of it; nothing where there are none. */
static const struct phase_estimate *estimated(const struct phases_list *l, uint32_t row)
{
	static const struct phase_estimate none;

	return l->analysis->windows ? &l->analysis->windows->estimate.phase[row] : &none;
}

static struct cell in_windows(const struct phases_list *l, uint32_t row, uint32_t n)
{
	return estimated(l, row)->measured ? cell_whole(n) : cell_empty();
}

static const struct occurrence *first_occurrence(const struct phases_list *l, uint32_t row)
{
	const struct phases *p = l->analysis->phases;

	return &p->occurrences[p->by_phase[p->phase_first[row]]];
}

static const struct occurrence *last_occurrence(const struct phases_list *l, uint32_t row)
{
	const struct phases *p = l->analysis->phases;

	return &p->occurrences[p->by_phase[p->phase_first[row + 1] - 1]];
}

static struct cell numbers(const struct phases_list *l, struct out *o, const uint32_t *list)
{
	uint32_t n = l->analysis->source->process_count, least = UINT32_MAX, most = 0;

	o->len = 0;
	if (!l->ranges) {
		for (uint32_t p = 0; p < n; p++)
			out_printf(o, "%s%" PRIu32, p ? " " : "", list[p]);
		return cell_text(o->text);
	}
	for (uint32_t p = 0; p < n; p++) {
		least = list[p] < least ? list[p] : least;
		most = list[p] > most ? list[p] : most;
	}
	if (n && least == most)
		out_printf(o, "%" PRIu32, least);
	else if (n)
		out_printf(o, "%" PRIu32 "..%" PRIu32, least, most);
	return cell_text(o->text);
}

/* Has no range. */
static struct cell stops(const struct phases_list *l, struct out *o, const uint8_t *before)
{
	o->len = 0;
	for (uint32_t p = 0; !l->ranges && p < l->analysis->source->process_count; p++)
		out_printf(o, "%s%s", p ? " " : "", before[p] ? "before" : "after");
	return cell_text(o->len ? o->text : NULL);
}

static struct cell labels(const struct phases_list *l, uint32_t row)
{
	struct out *o = &l->texts->labels;
	uint32_t count;
	const uint32_t *list = analysis_labels(l->analysis, row + 1, &count);
	char number[NUMBER_TEXT];

	o->len = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			out_add(o, " ", 1);
		out_add(o, number, number_whole(list[i], number));
	}
	return cell_text(o->len ? o->text : NULL);
}

#define LIST phases
#define LIST_NAME "phases"
#define LIST_OF struct phases_list
#define LIST_DEF "core/lists/list_phases.def"
#include "core/table/list.inc"

void phases_texts_init(struct phases_texts *t)
{
	out_init(&t->checkpoint);
	out_init(&t->stop);
	out_init(&t->entry);
	out_init(&t->exit);
	out_init(&t->labels);
}

void phases_texts_release(struct phases_texts *t)
{
	out_release(&t->checkpoint);
	out_release(&t->stop);
	out_release(&t->entry);
	out_release(&t->exit);
	out_release(&t->labels);
}

bool phases_texts_failed(const struct phases_texts *t)
{
	return t->checkpoint.failed || t->stop.failed || t->entry.failed || t->exit.failed ||
	       t->labels.failed;
}

struct ranked {
	double share;
	uint32_t row;
};

static int by_share(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Shares are either all defined or none is. */
static void shares_add_up(struct phases_list *l, struct ranked *ranked, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		double share = figure(l, i)->share;

		ranked[i] = (struct ranked){isnan(share) ? 0 : share, i};
		if (figure(l, i)->relevant)
			sum += share;
		l->cumulative[i] = isnan(share) ? share : sum;
	}
	qsort(ranked, n, sizeof *ranked, by_share);
	sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		sum += figure(l, ranked[i].row)->share;
		l->covered[ranked[i].row] = sum;
	}
}

enum err_code phases_list_init(struct phases_list *l, const struct analysis *a, struct err *e)
{
	uint32_t n = a->phases->count;
	struct ranked *ranked = mem_alloc(n, sizeof *ranked);

	*l = (struct phases_list){.analysis = a};
	l->cumulative = mem_alloc(n, sizeof *l->cumulative);
	l->covered = mem_alloc(n, sizeof *l->covered);
	if (ranked && l->cumulative && l->covered)
		shares_add_up(l, ranked, n);
	else
		phases_list_release(l);
	mem_free(ranked);
	return l->covered ? ERR_OK : err_memory(e, "the phases");
}

void phases_list_release(struct phases_list *l)
{
	mem_free(l->cumulative);
	mem_free(l->covered);
	*l = (struct phases_list){0};
}

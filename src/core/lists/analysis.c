/* Lists of what an analysis finds and what is planned and measured by it: phases, loops, patterns, designs of windows, settings that
 * were tried, results. */
#include "lists.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/order.h"

static const struct phase *found(const struct phases_list *l, uint32_t row)
{
	return &l->analysis->phases->list[row];
}

static const struct phase_figures *figure(const struct phases_list *l, uint32_t row)
{
	return &l->analysis->figures->phase[row];
}

/* What windows say of it; nothing if there are none. */
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
#define LIST_DEF "core/lists/phases.def"
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

ORDER_BY(by_share, struct ranked, DOWN(share) UP(row))

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
	SORT(ranked, n, by_share);
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

static const struct loop_row *loop_row_at(const struct loops_list *l, uint32_t row)
{
	return &l->row[row];
}

static uint32_t loop_row_count(const struct loops_list *l, uint32_t row)
{
	return l->structure->shown->fold->loops[loop_row_at(l, row)->loop].count;
}

static uint64_t iterations(const struct loops_list *l, uint32_t row)
{
	return folding_iterations(l->structure->shown, loop_row_at(l, row)->loop);
}

static bool is_main(const struct loops_list *l, uint32_t row)
{
	return structure_is_main(l->structure, loop_row_at(l, row)->loop);
}

/* A table has the loops inside in rows of their own. */
static struct cell loop_row_text(const struct loops_list *l, uint32_t row)
{
	l->text->len = 0;
	if (l->width) {
		for (uint32_t i = 0; i < loop_row_at(l, row)->depth; i++)
			out_str(l->text, "  ");
		structure_loop_cut(l->structure->shown, loop_row_at(l, row)->loop, l->width > l->text->len ? l->width - l->text->len : 0, l->text);
	} else {
		structure_loop_text(l->structure->shown, loop_row_at(l, row)->loop, UINT32_MAX, l->text);
	}
	return l->text->failed ? cell_empty() : cell_text(l->text->text);
}

/* --- the rows --- */

static void loop_row_measure(const struct structure *s, struct loop_row *r)
{
	const struct folding *f = s->shown;
	const double *u = s->run.u;
	double seconds = folding_length(f, r->loop, u), n = (double)folding_iterations(f, r->loop), squares = 0;

	r->mean = seconds / n;
	for (size_t i = f->first[r->loop]; i < f->first[r->loop + 1]; i++) {
		double off = u[f->to[i]] - u[f->from[i]] - r->mean;

		squares += off * off;
	}
	r->deviation = sqrt(squares / n);
	r->share = s->aet > 0 ? seconds / s->aet : (double)NAN;
}

enum err_code loops_list_init(struct loops_list *l, const struct structure *s, struct err *e)
{
	uint32_t loops = s->shown->fold->loop_count, words;
	struct structure_word *word;
	bool *seen;
	enum err_code code;

	*l = (struct loops_list){.structure = s};
	code = structure_words(&word, &words, s, UINT32_MAX, e);
	if (code)
		return code;
	l->row = mem_alloc(loops, sizeof *l->row);
	seen = mem_zero(loops, sizeof *seen);
	if (!l->row || !seen)
		code = err_memory(e, "the loops of a run");
	for (uint32_t i = 0; !code && i < words; i++) {
		struct loop_row *r = &l->row[l->count];

		if (word[i].loop == STRUCTURE_NO_LOOP || seen[word[i].loop])
			continue;
		seen[word[i].loop] = true;
		*r = (struct loop_row){.loop = word[i].loop, .depth = word[i].depth, .first = word[i].first};
		loop_row_measure(s, r);
		l->count++;
	}
	mem_free(seen);
	mem_free(word);
	if (code)
		loops_list_release(l);
	return code;
}

void loops_list_release(struct loops_list *l)
{
	mem_free(l->row);
	*l = (struct loops_list){0};
}

/* --- the columns --- */

#define LIST loops
#define LIST_NAME "loops"
#define LIST_OF struct loops_list
#define LIST_DEF "core/lists/loops.def"
#include "core/table/list.inc"

/* --- patterns --- */

static const struct pattern *pattern_of(const struct patterns_list *l, uint32_t row)
{
	return l->row[row].pattern;
}

static struct cell pattern_messages(const struct patterns_list *l, uint32_t row)
{
	return pattern_of(l, row)->key.kind == PATTERN_CALL ? cell_empty() : cell_whole(pattern_of(l, row)->total.messages);
}

static struct cell pattern_bytes(const struct patterns_list *l, uint32_t row)
{
	return pattern_of(l, row)->total.sized ? cell_whole(pattern_of(l, row)->total.bytes) : cell_empty();
}

static struct cell pattern_share(const struct patterns_list *l, uint32_t row)
{
	return pattern_is_named((enum pattern_kind)pattern_of(l, row)->key.kind) ? cell_figure(l->row[row].share) : cell_empty();
}

ORDER_BY(by_pattern_share, struct listed_pattern, DOWN(share) UP(pattern))

enum err_code patterns_list_init(struct patterns_list *l, const struct analysis *a, struct err *e)
{
	const struct patterns *x = a->patterns;

	*l = (struct patterns_list){.row = mem_zero(x->count, sizeof *l->row)};
	if (!l->row)
		return err_memory(e, "the patterns");
	for (uint32_t i = 0; i < x->count; i++)
		if (x->list[i].namesake == i)
			l->row[l->count++] = (struct listed_pattern){&x->list[i], a->names->pattern_share[i]};
	SORT(l->row, l->count, by_pattern_share);
	return ERR_OK;
}

void patterns_list_release(struct patterns_list *l)
{
	mem_free(l->row);
	*l = (struct patterns_list){0};
}

#define LIST patterns
#define LIST_NAME "patterns"
#define LIST_OF struct patterns_list
#define LIST_DEF "core/lists/patterns.def"
#include "core/table/list.inc"

static const struct plan_candidate *candidate(const struct plan *p, uint32_t row)
{
	return &p->candidate[row];
}

#define LIST plan
#define LIST_NAME "plan"
#define LIST_OF struct plan
#define LIST_DEF "core/lists/plan.def"
#include "core/table/list.inc"

static const char *const order_words[] = {[ORDER_LAMPORT] = "lamport", [ORDER_PAS2P] = "pas2p"};
static const char *const absent_words[] = {[ABSENT_SIMILAR] = "similar", [ABSENT_DIFFERENT] = "different"};

/* By the bits of tune_levels. */
static const char *const level_words[1 << TUNE_LEVELS] = {
	NULL, "90 %", "95 %", "90/95 %", "98 %", "90/98 %", "95/98 %", "90/95/98 %",
};

static const struct tune_point *point(const struct tune *t, uint32_t row)
{
	return &t->points[row];
}

#define LIST tune
#define LIST_NAME "tune"
#define LIST_OF struct tune
#define LIST_DEF "core/lists/tune.def"
#include "core/table/list.inc"

static const struct result *result_of(const struct results_list *l, uint32_t row)
{
	return &l->results[row];
}

static struct cell nodes(const struct results_list *l, uint32_t row)
{
	uint32_t n = result_of(l, row)->host.nodes;

	return n ? cell_whole(n) : cell_empty();
}

static struct cell setting_of(const struct results_list *l, uint32_t row, enum setting_id id, char *text)
{
	if (!result_of(l, row)->has_settings)
		return cell_empty();
	settings_get(&result_of(l, row)->settings, id, text, SETTING_NAME_SIZE);
	return cell_text(text);
}

/* Only the complete run on that machine says it: never the traced one. */
static struct cell where_run(const struct results_list *l, uint32_t row, double figure)
{
	return result_of(l, row)->aet > 0 ? cell_figure(figure) : cell_empty();
}

#define LIST results
#define LIST_NAME "results"
#define LIST_OF struct results_list
#define LIST_DEF "core/lists/results.def"
#include "core/table/list.inc"

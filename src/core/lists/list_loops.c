#include "lists.h"

#include <math.h>

#include "core/base/mem.h"

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
#define LIST_DEF "core/lists/list_loops.def"
#include "core/table/list.inc"

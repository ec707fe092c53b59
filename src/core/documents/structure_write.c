#include "documents_int.h"

/* A symbol on one line, however deep. A phase that is repeated is no loop here. */
static void write_symbol(struct tree_out *t, const struct fold *f, uint32_t symbol)
{
	const struct fold_loop *l = fold_is_loop(f, symbol) ? fold_loop(f, symbol) : NULL;

	tree_map(t, true);
	if (!l || l->unfolded == 1) {
		tree_put_whole(t, "phase", fold_id(f, l ? f->symbols[l->body] : symbol));
		tree_put_whole(t, "times", l ? l->count : 1);
	} else {
		tree_put_whole(t, "loop", l->count);
		tree_put_list(t, "body", true);
		for (uint32_t i = 0; i < l->length; i++)
			write_symbol(t, f, f->symbols[l->body + i]);
		tree_end(t);
	}
	tree_end(t);
}

static void write_list(struct tree_out *t, const char *key, const struct fold *f, const uint32_t *symbols, uint32_t count)
{
	tree_put_list(t, key, !count);
	for (uint32_t i = 0; i < count; i++)
		write_symbol(t, f, symbols[i]);
	tree_end(t);
}

/* The same of the reading: each symbol as its line has it. */
static void write_reading(struct tree_out *t, const struct patterns *x, const struct fold_loop *l)
{
	struct out text;

	out_init(&text);
	tree_put_list(t, "body", false);
	for (uint32_t i = 0; i < l->length; i++) {
		text.len = 0;
		reading_symbols_text(x, x->reading->fold->symbols + l->body + i, 1, &text);
		t->failed = t->failed || text.failed;
		tree_text(t, text.failed ? "" : text.text);
	}
	tree_end(t);
	out_release(&text);
}

static void write_main(struct tree_out *t, const struct main_loop *m)
{
	const struct fold *f = m->fold;
	const struct fold_loop *l = &f->loops[m->loop];

	tree_put_map(t, "main", false);
	tree_put_text(t, "kind", m->patterns ? "reading" : "exact");
	tree_put_whole(t, "loop", l->count);
	if (m->patterns)
		write_reading(t, m->patterns, l);
	else
		write_list(t, "body", f, f->symbols + l->body, l->length);
	tree_put_real(t, "share", m->share);
	tree_put_whole(t, "iterations", m->iterations);
	tree_put_real(t, "mean", m->mean);
	tree_put_real(t, "deviation", m->deviation);
	tree_put_list(t, "outliers", true);
	for (uint32_t i = 0; i < m->outlier_count; i++)
		tree_whole(t, (uint64_t)m->outliers[i] + 1);
	tree_end(t);
	tree_end(t);
}

void structure_write(struct tree_out *t, const struct structure *s)
{
	const struct fold *f = s->shown->fold;

	tree_map(t, false);
	tree_put_text(t, "kind", s->kind == STRUCTURE_EXACT ? "exact" : "relevant");
	write_list(t, "symbols", f, f->top, f->top_count);
	if (s->main.iterations)
		write_main(t, &s->main);
	else
		tree_put_null(t, "main");
	tree_end(t);
}

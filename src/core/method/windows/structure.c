#include "structure.h"

#include <inttypes.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/method/figures/clockwork.h"

static enum err_code find_main_loop(struct structure *s, const struct patterns *patterns, const struct progress *progress, struct err *e)
{
	const struct window_run *r = &s->run;
	double *tick = mem_alloc((size_t)r->count + 1, sizeof *tick);
	enum err_code code;

	if (!tick)
		return err_memory(e, "the structure of a run");
	for (uint32_t i = 0; i < r->count; i++)
		tick[i] = r->phases->occurrences[i].first;
	tick[r->count] = r->clockwork->l->tick_count;
	code = main_loop_init(&s->main, &(struct main_loop_run){s->loops->exact, tick, r->u, s->aet, patterns, r->clockwork->l, r->phases}, progress, e);
	mem_free(tick);
	return code;
}

enum err_code structure_new(struct structure **out, const struct clockwork *c, const struct phases *p, const struct figures *f,
			    const struct patterns *patterns, const struct settings *settings, enum structure_kind kind, const struct progress *progress, struct err *e)
{
	struct settings mean = *settings;
	struct structure *s = mem_zero(1, sizeof *s);
	enum err_code code;

	*out = NULL;
	if (!s)
		return err_memory(e, "the structure of a run");
	mean.phase_time = PHASE_TIME_MEAN; /* iterations have one time each: what single processes take is not asked for */
	s->aet = f->aet;
	code = window_run_init(&s->run, c, p, f, &mean, progress, e);
	if (!code)
		code = loops_new(&s->loops, p, s->run.is_relevant, progress, e);
	if (!code) {
		s->kind = kind;
		if (kind == STRUCTURE_SHORTEST)
			s->kind = loops_shown(s->loops) == s->loops->exact ? STRUCTURE_EXACT : STRUCTURE_RELEVANT;
		s->shown = s->kind == STRUCTURE_EXACT ? s->loops->exact : s->loops->relevant;
		code = find_main_loop(s, patterns, progress, e);
	}
	if (code)
		structure_free(s);
	else
		*out = s;
	return code;
}

void structure_free(struct structure *s)
{
	if (!s)
		return;
	main_loop_release(&s->main);
	loops_free(s->loops);
	window_run_release(&s->run);
	mem_free(s);
}

/* --- words --- */

/* A walk through the symbols as they are written, once through each body: what comes goes to `word`. */
struct structure_writing {
	const struct structure *s; /* NULL: it is not asked where words are */
	const struct folding *folding;
	uint32_t depth;       /* loops deeper than this are folded */
	uint32_t at;          /* how much of the folded sequence is behind us ... */
	uint32_t occurrence;  /* ... and of the run: where its next id stands */
	bool (*word)(struct structure_writing *w, const struct structure_word *word); /* false: no more */
	void *to;
};

/* The occurrence of the sequence's id number `at`: what was dropped is skipped. Only ever forwards. */
static uint32_t occurrence_at(struct structure_writing *w, uint32_t at)
{
	uint32_t k = w->occurrence;
	const struct window_run *r;

	if (w->folding->exact || !w->s)
		return at;
	r = &w->s->run;
	for (uint32_t left = at - w->at + 1; k < r->count; k++)
		if (r->is_relevant[r->phases->occurrences[k].phase - 1] && --left == 0)
			break;
	w->at = at;
	w->occurrence = k;
	return k;
}

/* Symbols that begin at `at`, inside so many loops. Each level at least doubles what is below it, so that there are at
 * most 32. */
static bool write_symbols(struct structure_writing *w, const uint32_t *symbols, uint32_t count, uint32_t at, uint32_t depth)
{
	const struct fold *f = w->folding->fold;

	for (uint32_t i = 0; i < count; i++) {
		struct structure_word word = {.symbol = symbols[i], .loop = STRUCTURE_NO_LOOP, .times = 1, .depth = depth,
					      .first = occurrence_at(w, at)};
		const struct fold_loop *l;

		if (!fold_is_loop(f, symbols[i])) {
			if (!w->word(w, &word))
				return false;
			at++;
			continue;
		}
		l = fold_loop(f, symbols[i]);
		word.loop = symbols[i] - f->id_count;
		word.times = l->count;
		if (l->unfolded == 1)
			word.symbol = f->symbols[l->body];
		else
			word.opens = depth < w->depth;
		if (!w->word(w, &word))
			return false;
		if (word.opens) {
			if (!write_symbols(w, f->symbols + l->body, l->length, at, depth + 1))
				return false;
			word.opens = false;
			word.closes = true;
			if (!w->word(w, &word))
				return false;
		}
		at += l->count * l->unfolded;
	}
	return true;
}

static void write_word(const struct fold *f, const struct structure_word *w, struct out *out)
{
	if (w->closes)
		out_add(out, ")", 1);
	else if (fold_is_loop(f, w->symbol))
		out_printf(out, "%" PRIu32 "%s", w->times, w->opens ? "(" : "(...)");
	else if (w->times > 1)
		out_printf(out, "%" PRIu32 "*%" PRIu32, w->times, fold_id(f, w->symbol));
	else
		out_printf(out, "%" PRIu32, fold_id(f, w->symbol));
}

void structure_word_text(const struct structure *s, const struct structure_word *w, struct out *out)
{
	write_word(s->shown->fold, w, out);
}

struct structure_out {
	struct out *out;
	struct structure_word before;
	bool begun;
};

static bool to_line(struct structure_writing *w, const struct structure_word *word)
{
	struct structure_out *l = w->to;

	if (l->begun && structure_words_apart(&l->before, word))
		out_add(l->out, " ", 1);
	write_word(w->folding->fold, word, l->out);
	l->before = *word;
	l->begun = true;
	return !l->out->failed;
}

void structure_text(const struct structure *s, struct out *out)
{
	struct structure_out l = {.out = out};
	struct structure_writing w = {.folding = s->shown, .depth = UINT32_MAX, .word = to_line, .to = &l};

	write_symbols(&w, s->shown->fold->top, s->shown->fold->top_count, 0, 0);
}

void structure_loop_text(const struct folding *f, uint32_t loop, uint32_t depth, struct out *out)
{
	const uint32_t symbol = f->fold->id_count + loop;
	struct structure_out l = {.out = out};
	struct structure_writing w = {.folding = f, .depth = depth == UINT32_MAX ? depth : depth + 1, .word = to_line, .to = &l};

	write_symbols(&w, &symbol, 1, 0, 0);
}

void structure_loop_cut(const struct folding *f, uint32_t loop, size_t width, struct out *out)
{
	size_t begin = out->len, n = width > 4 ? width - 4 : 0;

	structure_loop_text(f, loop, 0, out);
	if (out->failed || out->len - begin <= width)
		return;
	while (n && out->text[begin + n] != ' ')
		n--;
	out->len = begin + n;
	out_str(out, n ? " ..." : "...");
}

void structure_main_text(const struct structure *s, struct out *out)
{
	const struct main_loop *m = &s->main;
	const uint32_t symbol = m->fold->id_count + m->loop;

	if (m->patterns)
		reading_symbols_text(m->patterns, &symbol, 1, out);
	else
		structure_loop_text(s->loops->exact, m->loop, 0, out);
}

struct word_list {
	struct structure_word *word;
	size_t count, cap;
	bool failed;
};

static bool to_list(struct structure_writing *w, const struct structure_word *word)
{
	struct word_list *l = w->to;
	struct structure_word *more = mem_grow(l->word, l->count, &l->cap, sizeof *more);

	l->failed = !more;
	if (more) {
		l->word = more;
		l->word[l->count++] = *word;
	}
	return !l->failed;
}

enum err_code structure_words(struct structure_word **out, uint32_t *count, const struct structure *s, uint32_t depth, struct err *e)
{
	struct word_list l = {0};
	struct structure_writing w = {.s = s, .folding = s->shown, .depth = depth, .word = to_list, .to = &l};

	*out = NULL;
	*count = 0;
	write_symbols(&w, s->shown->fold->top, s->shown->fold->top_count, 0, 0);
	if (l.failed) {
		mem_free(l.word);
		return err_memory(e, "the structure of a run");
	}
	*out = l.word;
	*count = (uint32_t)l.count;
	return ERR_OK;
}

/* --- iterations --- */

uint32_t structure_iteration_of(const struct structure *s, uint32_t occurrence)
{
	const struct main_loop *m = &s->main;
	uint32_t low = SEARCH_PAST(i, 0, m->iterations, m->from[i] <= occurrence);

	return low && occurrence < m->to[low - 1] ? low - 1 : UINT32_MAX;
}

bool structure_stands_out(const struct structure *s, uint32_t iteration)
{
	const struct main_loop *m = &s->main;
	uint32_t low = SEARCH_PAST(i, 0, m->outlier_count, m->outliers[i] < iteration);

	return low < m->outlier_count && m->outliers[low] == iteration;
}

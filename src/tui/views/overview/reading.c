/* The reading as words that fold: what the run does, from its patterns. Of the latest analysis that has names; the
 * patterns are the trace's, so that no threshold changes them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "overview_int.h"

struct reading_list {
	const struct fold *fold;
	struct structure_word *word;
	size_t count, cap;
};

static bool reading_add_word(struct reading_list *l, const struct structure_word *word)
{
	struct structure_word *more = mem_grow(l->word, l->count, &l->cap, sizeof *more);

	if (!more)
		return false;
	l->word = more;
	l->word[l->count++] = *word;
	return true;
}

/* Symbols that begin with the instance `at`, inside so many loops; the words are those of a structure. */
static bool add_symbols(struct reading_list *l, const uint32_t *symbols, uint32_t count, uint32_t at, uint32_t depth)
{
	for (uint32_t i = 0; i < count; i++) {
		struct structure_word word = {.symbol = symbols[i], .loop = STRUCTURE_NO_LOOP, .times = 1, .depth = depth, .first = at};
		const struct fold_loop *loop = fold_is_loop(l->fold, symbols[i]) ? fold_loop(l->fold, symbols[i]) : NULL;

		at += loop ? loop->count * loop->unfolded : 1;
		if (loop) {
			word.loop = symbols[i] - l->fold->id_count;
			word.times = loop->count;
			word.opens = loop->unfolded > 1;
			word.symbol = word.opens ? word.symbol : l->fold->symbols[loop->body];
		}
		if (!reading_add_word(l, &word))
			return false;
		if (!word.opens)
			continue;
		word.opens = false;
		word.closes = true;
		if (!add_symbols(l, l->fold->symbols + loop->body, loop->length, word.first, depth + 1) || !reading_add_word(l, &word))
			return false;
	}
	return true;
}

void overview_reading_take(struct overview_view *s)
{
	const struct model *m = s->view.model;
	const struct patterns *before = s->read ? s->read->patterns : NULL;
	struct reading_list l = {0};

	if (s->read && s->read->source != m->trace) {
		analysis_unref(s->read);
		s->read = NULL;
	}
	if (!m->analysis || !m->analysis->names || m->analysis == s->read)
		return;
	/* The older is held until the newer has been compared with it. */
	analysis_ref(m->analysis);
	if (s->read && m->analysis->patterns == before) {
		analysis_unref(s->read);
		s->read = m->analysis;
		return;
	}
	analysis_unref(s->read);
	s->read = m->analysis;
	s->readings++;
	l.fold = s->read->patterns->reading->fold;
	if (!add_symbols(&l, l.fold->top, l.fold->top_count < READING_TOP ? l.fold->top_count : READING_TOP, 0, 0))
		l.count = 0;
	mem_free(s->reading);
	s->reading = l.word;
	s->reading_words = (uint32_t)l.count;
}

uint32_t overview_reading_main(const struct overview_view *s)
{
	const struct main_loop *main = s->structure ? &s->structure->structure->main : NULL;

	return main && main->iterations && main->patterns == s->read->patterns ? main->loop : STRUCTURE_NO_LOOP;
}

bool overview_reads(const struct overview_view *s)
{
	return s->read && s->reading_words && !s->numbers;
}

void overview_reading_word_text(const struct overview_view *s, const struct structure_word *w, bool folded, char text[64])
{
	struct out o;

	if (w->closes) {
		strcpy(text, "]");
		return;
	}
	out_init(&o);
	if (w->times > 1)
		out_printf(&o, "%" PRIu32 " x ", w->times);
	if (w->opens)
		out_str(&o, folded ? "[...]" : "[");
	else
		reading_symbols_text(s->read->patterns, &w->symbol, 1, &o);
	snprintf(text, 64, "%s", o.text ? o.text : "");
	out_release(&o);
}

const struct pattern *overview_word_pattern(const struct overview_view *s, const struct structure_word *w)
{
	const struct patterns *x = s->read->patterns;

	return w->opens || w->closes ? NULL : &x->list[x->reading->symbols[fold_id(x->reading->fold, w->symbol)].pattern];
}

/* What has a name is one pattern to people, whatever else the patterns of that name differ in. */
void overview_reading_describe(const struct overview_view *s, const struct structure_word *w, bool folded, char *text, size_t size)
{
	const struct pattern *p = overview_word_pattern(s, w);
	const struct patterns *x = s->read->patterns;
	char n[UNIT_TEXT], share[UNIT_TEXT], key[16];
	uint64_t times;
	double of_run;

	keymap_first(s->view.model->keymap, ACTION_ENTER, key);
	if (!p) {
		snprintf(text, size, "%s of %s iterations · %s: %s · ←→ along", w->loop == overview_reading_main(s) ? "main loop" : "loop",
			 unit_count(n, w->times), key, folded ? "unfold" : "fold");
		return;
	}
	times = x->list[p->namesake].total.instances;
	of_run = s->read->names->pattern_share[p->namesake];
	/* Its name is on the screen. */
	snprintf(text, size, "%s · %s of the run time · %s time%s · %s: show it", p->meaning, unit_figure_percent(share, of_run), unit_count(n, times),
		 times == 1 ? "" : "s", key);
}

unsigned overview_to_pattern(struct overview_view *s, const struct structure_word *w)
{
	struct model *m = s->view.model;
	const struct patterns *x = s->read->patterns;
	const struct pattern *p = overview_word_pattern(s, w);
	uint32_t first = NO_EVENT;

	if (!m->analysis || m->analysis->patterns != x) {
		snprintf(m->message, sizeof m->message, "Still looking for patterns; try again in a moment.");
		return REACT_DONE;
	}
	for (uint32_t e = 0; e < x->trace->event_count; e++)
		if (x->instance_of[e] == w->first && (first == NO_EVENT || m->analysis->logical->tick[e] < m->analysis->logical->tick[first]))
			first = e;
	if (!p || first == NO_EVENT)
		return REACT_DONE;
	model_goto(m, trace_process_of(x->trace, first), m->analysis->logical->tick[first]);
	snprintf(m->message, sizeof m->message, "%s: begins at tick %u.", p->name, (unsigned)m->cursor.tick);
	return REACT_JUMPED | react_show(VIEW_GRID);
}

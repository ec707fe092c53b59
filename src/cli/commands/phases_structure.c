#include "commands_int.h"

#include <inttypes.h>
#include <string.h>

#include "cli/listing.h"
#include "cli/plural.h"
#include "core/base/mem.h"
#include "core/base/unit.h"
#include "core/lists/lists.h"

#define INDENT 2
#define FIXED 46        /* what a row's other columns take, where their titles are longer than what stands below */
#define LEAST_TEXT 24   /* of a loop, however narrow the terminal */
#define LABEL_WIDTH 16
#define OUTLIERS 5      /* that are named */

enum err_code structure_asked(struct structure **out, const struct batch *b, struct err *e)
{
	static const enum structure_kind kinds[] = {
		[STRUCTURE_ALONE] = STRUCTURE_SHORTEST, [STRUCTURE_EXACT_ASKED] = STRUCTURE_EXACT, [STRUCTURE_RELEVANT_ASKED] = STRUCTURE_RELEVANT,
		[STRUCTURE_WORDS_ASKED] = STRUCTURE_SHORTEST, /* for its main loop */
	};
	const struct analysis *a = b->analysis;
	enum err_code code;

	*out = NULL;
	if (b->options->structure == STRUCTURE_NOT_ASKED)
		return ERR_OK;
	if (b->options->structure == STRUCTURE_WORDS_ASKED && !a->patterns) {
		code = err_set(e, ERR_LIMIT, "the trace is too large to find its patterns");
		err_hint(e, "use --structure without words");
		return code;
	}
	return structure_new(out, a->clockwork, a->phases, a->figures, a->patterns, &a->settings, kinds[b->options->structure], b->progress, e);
}

/* --- the line --- */

/* What is in brackets with the word stays with it: from word i to before the one returned. */
static uint32_t words_end_together(const struct structure_word *word, uint32_t count, uint32_t i)
{
	for (i++; i < count && !structure_words_apart(&word[i - 1], &word[i]); i++)
		;
	return i;
}

static enum err_code structure_print_line(struct batch *b, const struct structure *s, struct err *e)
{
	struct out *o = &b->sink.out, part;
	struct structure_word *word;
	uint32_t count;
	size_t width = sink_columns(&b->sink), at = 0;
	enum err_code code = structure_words(&word, &count, s, UINT32_MAX, e);

	out_init(&part);
	for (uint32_t i = 0, next; !code && i < count; i = next) {
		next = words_end_together(word, count, i);
		part.len = 0;
		for (uint32_t k = i; k < next; k++)
			structure_word_text(s, &word[k], &part);
		if (part.failed) {
			code = err_memory(e, "the structure");
			break;
		}
		if (at && at + 1 + part.len > width) {
			out_add(o, "\n", 1);
			at = 0;
		}
		out_printf(o, "%*s", at ? 1 : INDENT, "");
		at += (at ? 1 : INDENT) + part.len;
		out_add(o, part.text, part.len);
		code = sink_drain(&b->sink, e);
	}
	if (!code && !count)
		out_printf(o, "%*s-", INDENT, "");
	out_str(o, "\n\n");
	out_release(&part);
	mem_free(word);
	return code;
}

/* Which of the two foldings it is, and what the other would be where that says something. */
static void structure_print_head(struct out *o, const struct table *t, const struct structure *s)
{
	uint32_t exact = s->loops->exact->fold->top_count, relevant = s->loops->relevant->fold->top_count;

	out_printf(o, "%s: %" PRIu32 " occurrence%s of %" PRIu32 " phase%s, %" PRIu32 " of them relevant\n", t->application, s->run.count,
		   plural(s->run.count), t->phase_count, plural(t->phase_count), s->run.relevant_count);
	if (s->kind == STRUCTURE_EXACT)
		out_printf(o, "loop structure  exact: %" PRIu32 " item%s", exact, plural(exact));
	else
		out_printf(o, "loop structure  relevant phases only: %" PRIu32 " item%s", relevant, plural(relevant));
	if (s->kind == STRUCTURE_EXACT && relevant && relevant < exact)
		out_printf(o, " (%" PRIu32 " with --structure=relevant)", relevant);
	else if (s->kind == STRUCTURE_RELEVANT && s->loops->relevant != s->loops->exact)
		out_printf(o, " (%" PRIu32 " with --structure=exact)", exact);
	out_str(o, "\n\n");
}

/* --- its loops --- */

static enum err_code loops(struct batch *b, const struct structure *s, struct err *e)
{
	bool for_people = b->options->format == FORMAT_TABLE;
	size_t width = sink_columns(&b->sink);
	struct loops_list l;
	struct out text;
	struct shown_table shown = {.people = for_people, .list = &l, .made = &text};
	struct rows rows;
	enum err_code code = loops_list_init(&l, s, e);

	if (code)
		return code;
	out_init(&text);
	l.text = &text;
	if (for_people)
		l.width = width > FIXED + LEAST_TEXT ? width - FIXED : LEAST_TEXT;
	shown.rows = l.count;
	shown_pick(&shown, &loops_columns, for_people ? LOOPS_TABLE : LOOPS_FILE, true);
	rows = shown_rows(&shown);
	if (!for_people || l.count)
		code = listing_write(b, &rows, e);
	if (for_people && l.count)
		out_str(&b->sink.out, "\n");
	out_release(&text);
	loops_list_release(&l);
	return code;
}

/* --- its main loop --- */

/* The main loop or the reading, broken between symbols: `at` columns of the line are taken, others begin with `indent` blanks. */
static void reading_print(struct out *o, const char *text, size_t at, size_t indent, size_t width)
{
	while (*text) {
		size_t n = strcspn(text, ";");

		n += text[n] == ';';
		if (at > indent && at + 1 + n > width) {
			out_printf(o, "\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			out_str(o, " ");
			at++;
		}
		out_add(o, text, n);
		at += n;
		text += n;
		text += strspn(text, " ");
	}
}

static void main_loop(struct sink *sink, const struct structure *s, bool in_words)
{
	const struct main_loop *m = &s->main;
	struct out *o = &sink->out;
	const char *whose = in_words ? " (numbers are phases)" : m->fold != s->shown->fold ? ", of all occurrences" : ""; /* it is none of the loops above */
	size_t begin = o->len, width = sink_columns(sink), taken;
	char a[UNIT_TEXT], both[UNIT_WITHIN_TEXT];
	struct out text;

	if (!m->iterations) {
		out_printf(o, "main loop       -, %s\n", s->aet > 0 && s->run.count ? "no loop has five iterations" :
			   figures_gap(s->aet, s->run.phases->count));
		return;
	}
	out_printf(o, "main loop       %" PRIu32 " iterations, %s of the run time:", m->iterations, unit_share(a, m->share, 1));
	taken = o->len - begin;
	if (m->patterns) {
		out_init(&text);
		structure_main_text(s, &text);
		o->failed |= text.failed;
		reading_print(o, text.text ? text.text : "", taken, LABEL_WIDTH, width);
		out_release(&text);
	} else {
		out_str(o, " ");
		taken += 1 + strlen(whose);
		structure_loop_cut(s->loops->exact, m->loop, width > taken + LEAST_TEXT ? width - taken : LEAST_TEXT, o);
		out_str(o, whose);
	}
	out_printf(o, "\niteration       %s\n", unit_within(both, m->mean, m->deviation));
	begin = o->len;
	out_printf(o, "outliers        %" PRIu32, m->outlier_count);
	for (uint32_t i = 0; i < m->outlier_count && i < OUTLIERS; i++)
		out_printf(o, "%s%" PRIu32 " (%s)", i ? ", " : m->outlier_count == 1 ? ": iteration " : ": iterations ", m->outliers[i] + 1,
			   unit_figure_time(a, m->seconds[m->outliers[i]]));
	out_str(o, m->outlier_count > OUTLIERS ? ", ...\n" : "\n");
	sink_fit(sink, begin, LABEL_WIDTH);
}

/* --- in words --- */

static enum err_code patterns_print(struct batch *b, const struct analysis *a, struct err *e)
{
	static const struct column_look looks[] = {
		{.id = PATTERN_COLUMN_NAME}, {.id = PATTERN_COLUMN_INSTANCES, .as = AS_COUNT}, {.id = PATTERN_COLUMN_MESSAGES, .as = AS_COUNT},
		{.id = PATTERN_COLUMN_BYTES, .as = AS_BYTES, .priority = 1}, {.id = PATTERN_COLUMN_SHARE, .as = AS_SHARE, .decimals = 1},
		{.id = PATTERN_COLUMN_MEANING, .align = LOOK_WORDS},
	};
	bool for_people = b->options->format == FORMAT_TABLE;
	struct patterns_list l;
	struct shown_table shown = {.people = for_people, .list = &l};
	struct rows rows;
	enum err_code code = patterns_list_init(&l, a, e);

	if (code)
		return code;
	shown.rows = l.count;
	if (for_people)
		shown_looks(&shown, &patterns_columns, looks, sizeof looks / sizeof *looks);
	else
		shown_pick(&shown, &patterns_columns, PATTERNS_ALL, true);
	rows = shown_rows(&shown);
	if (!for_people || l.count)
		code = listing_write(b, &rows, e);
	patterns_list_release(&l);
	return code;
}

static enum err_code words_print(struct batch *b, const struct table *t, const struct structure *s, struct err *e)
{
	const struct patterns *x = b->analysis->patterns;
	struct out *o = &b->sink.out, text;
	enum err_code code;

	if (b->options->format != FORMAT_TABLE)
		return patterns_print(b, b->analysis, e);
	out_init(&text);
	reading_text(x, UINT32_MAX, &text);
	o->failed |= text.failed;
	out_printf(o, "%s: %" PRIu32 " instance%s of %" PRIu32 " pattern%s\n\n%*s", t->application, x->instance_count, plural(x->instance_count), x->count,
		   plural(x->count), INDENT, "");
	reading_print(o, text.len ? text.text : "-", INDENT, INDENT, sink_columns(&b->sink));
	out_release(&text);
	out_str(o, "\n\n");
	code = patterns_print(b, b->analysis, e);
	if (code)
		return code;
	out_str(o, x->count ? "\n" : "");
	main_loop(&b->sink, s, true);
	return ERR_OK;
}

enum err_code structure_list(struct batch *b, const struct table *t, const struct structure *s, struct err *e)
{
	enum err_code code = ERR_OK;

	if (b->options->structure == STRUCTURE_WORDS_ASKED)
		return words_print(b, t, s, e);
	if (b->options->format != FORMAT_TABLE)
		return loops(b, s, e);
	structure_print_head(&b->sink.out, t, s);
	code = structure_print_line(b, s, e);
	if (!code)
		code = loops(b, s, e);
	if (!code)
		main_loop(&b->sink, s, false);
	return code;
}

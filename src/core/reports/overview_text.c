/* The overview as a page of text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/spark.h"
#include "core/base/unit.h"
#include "core/io/wrap.h"
#include "reports.h"

#define LABEL 22           /* columns of a line's name */
#define LEAST 60
#define MOST 1000
#define STRUCTURE_LINES 4
#define READING_LINES 6
#define READING_MORE " ..."
#define STEP_INDENT 2

struct overview_page {
	const struct overview *o;
	size_t columns;
	enum text_flags flags;
	struct out *out;
	bool gap;          /* an empty line goes before the next one */
};

static void overview_begin_block(struct overview_page *p)
{
	if (p->gap)
		out_str(p->out, "\n");
	p->gap = false;
}

/* Nothing where the text is empty. */
static void overview_put_line(struct overview_page *p, const char *label, const char *text)
{
	char safe[OVERVIEW_TEXT], labelled[LABEL + OVERVIEW_TEXT];

	if (!*text)
		return;
	overview_begin_block(p);
	snprintf(labelled, sizeof labelled, "%-*s%s", *label ? LABEL : 0, label, text_safe(safe, sizeof safe, text, SIZE_MAX, p->flags));
	wrap_text(p->out, labelled, *label ? LABEL : 0, p->columns);
}

/* --- what it does --- */

/* Lines of parts, which end with one of `ends` and a blank, and are not broken. The last line ends behind a ";" with
 * "..." if there is more. */
static void lay_parts(struct overview_page *p, const char *label, const char *text, const char *ends, uint32_t most_lines)
{
	char word[OVERVIEW_TEXT];
	size_t at = LABEL, good, n;
	uint32_t lines = 1;

	out_printf(p->out, "%-*s", LABEL, label);
	good = p->out->len;
	for (const char *from = text; *from; from += n) {
		const char *end = strpbrk(from, ends);
		bool blank = from > text;
		size_t wide;

		n = end && end[1] ? (size_t)(end - from) + 2 : strlen(from);
		text_safe(word, sizeof word, from, from[n - 1] == ' ' ? n - 1 : n, p->flags);
		wide = wrap_columns(word, strlen(word));
		if (blank && at + 1 + wide > p->columns) {
			if (lines++ == most_lines) {
				p->out->len = good;
				out_str(p->out, READING_MORE);
				break;
			}
			out_printf(p->out, "\n%*s", LABEL, "");
			at = LABEL;
			blank = false;
		}
		out_printf(p->out, "%s%s", blank ? " " : "", word);
		at += blank + wide;
		if (word[strlen(word) - 1] == ';' && at + strlen(READING_MORE) <= p->columns)
			good = p->out->len;
	}
	out_str(p->out, "\n");
}

static void overview_reading(struct overview_page *p)
{
	const struct analysis *a = p->o->of.analysis;
	struct out reading, shares;

	if (!a || !a->patterns || !a->patterns->instance_count)
		return;
	out_init(&reading);
	out_init(&shares);
	reading_text(a->patterns, READING_TOP, &reading);
	phase_names_shares_text(a->names, SHARES_SHORT, &shares);
	p->out->failed |= reading.failed || shares.failed;
	if (reading.len)
		lay_parts(p, "reading", reading.text, ";[", READING_LINES);
	if (shares.len)
		lay_parts(p, "time by pattern", shares.text, ",;", UINT32_MAX);
	out_release(&reading);
	out_release(&shares);
}

/* --- where time went --- */

#define PARTS 5

enum { COMPUTE, WAITING, MOVING, NOT_ANALYSED, OTHER };
#define LEAST_NOT_ANALYSED 0.0005 /* less is 0.0 %, and not worth a name */

struct share_part {
	const char *name;
	double share;
	uint32_t glyph;
	char ascii;
};

static void account_line(struct overview_page *p, const struct share_part parts[PARTS])
{
	char item[64], share[OVERVIEW_TEXT];
	size_t at = 0;

	for (int i = 0; i < PARTS; i++) {
		size_t wide;

		if (i == NOT_ANALYSED && parts[i].share < LEAST_NOT_ANALYSED)
			continue;
		if (i == WAITING)
			overview_waiting_text(p->o, share);
		else
			unit_percent(share, parts[i].share);
		snprintf(item, sizeof item, " %s %.40s", parts[i].name, share);
		wide = 1 + strlen(item);
		if (at && at + 3 + wide > p->columns) {
			out_str(p->out, "\n");
			at = 0;
		} else if (at) {
			out_str(p->out, "   ");
			at += 3;
		}
		if (p->flags == TEXT_ASCII) {
			out_printf(p->out, "%c", parts[i].ascii);
		} else {
			char glyph[4];

			out_add(p->out, glyph, text_encode(parts[i].glyph, glyph));
		}
		out_str(p->out, item);
		at += wide;
	}
	out_str(p->out, "\n");
}

static void account_bar(struct overview_page *p, const struct share_part parts[PARTS])
{
	double sum = 0;
	size_t at = 0;

	for (int i = 0; i < PARTS; i++) {
		size_t to;
		char glyph[4];
		size_t n = text_encode(p->flags == TEXT_ASCII ? (uint32_t)parts[i].ascii : parts[i].glyph, glyph);

		sum += parts[i].share;
		to = i == PARTS - 1 ? p->columns : (size_t)fmin(sum * (double)p->columns + 0.5, (double)p->columns);
		for (; at < to; at++)
			out_add(p->out, glyph, n);
	}
	out_str(p->out, "\n");
}

static void account(struct overview_page *p)
{
	const struct overview_account *a = &p->o->account;
	const struct share_part parts[PARTS] = {
		[COMPUTE] = {"computation", a->compute, 0x2588, '#'}, [WAITING] = {"waiting", a->waiting, 0x2593, '-'},
		[MOVING] = {"transfer", a->moving, 0x2592, '+'}, [NOT_ANALYSED] = {"not analysed", a->not_analysed, 0x00b7, '?'},
		[OTHER] = {"other", a->other, 0x2591, '.'},
	};
	char text[OVERVIEW_TEXT];

	if (!p->o->has_account) {
		if (p->o->without) {
			snprintf(text, sizeof text, "unknown: %s", p->o->without);
			overview_put_line(p, "time breakdown", text);
		}
		return;
	}
	overview_begin_block(p);
	account_line(p, parts);
	account_bar(p, parts);
	overview_put_line(p, "parallel efficiency", overview_efficiency_text(p->o, text));
}

/* --- what it does repeatedly --- */

/* The words as lines of the page; false: they take more than STRUCTURE_LINES. */
static bool lay_words(struct overview_page *p, const struct structure *s, const struct structure_word *word, uint32_t count, struct out *text)
{
	size_t at = LABEL, lines = 1;
	struct out one;
	uint32_t i = 0;

	out_printf(text, "%-*s", LABEL, "loop structure");
	out_init(&one);
	while (i < count && lines <= STRUCTURE_LINES) {
		uint32_t from = i;

		/* Words without a blank between them stay together. */
		one.len = 0;
		do
			structure_word_text(s, &word[i++], &one);
		while (i < count && !structure_words_apart(&word[i - 1], &word[i]));
		if (from && at + 1 + one.len > p->columns) {
			lines++;
			out_printf(text, "\n%*s", LABEL, "");
			at = LABEL;
		} else if (from) {
			out_str(text, " ");
			at++;
		}
		out_add(text, one.text, one.len);
		at += one.len;
	}
	out_str(text, "\n");
	text->failed |= one.failed;
	out_release(&one);
	return lines <= STRUCTURE_LINES;
}

/* As deep as fits; where even the top alone does not, how many symbols that has. */
static enum err_code structure(struct overview_page *p, struct err *e)
{
	const struct structure *s = p->o->of.structure;
	struct out best, next;
	uint32_t before = 0;
	enum err_code code = ERR_OK;
	bool may_fit; /* a word takes a column at least: a million of them need not be made to see that they do not */

	if (!s || !s->shown->fold->top_count)
		return ERR_OK;
	may_fit = s->shown->fold->top_count <= STRUCTURE_LINES * p->columns;
	overview_begin_block(p);
	out_init(&best);
	for (uint32_t depth = 0; may_fit && !code; depth++) {
		struct structure_word *words;
		uint32_t count;
		bool fits;

		code = structure_words(&words, &count, s, depth, e);
		if (code)
			break;
		out_init(&next);
		fits = count > before && lay_words(p, s, words, count, &next);
		mem_free(words);
		before = count;
		if (!fits) {
			p->out->failed |= next.failed;
			out_release(&next);
			break;
		}
		out_release(&best);
		best = next;
	}
	if (best.len)
		out_add(p->out, best.text, best.len);
	else if (!code)
		out_printf(p->out, "%-*s%u phases and loops, one after another\n", LABEL, "loop structure", (unsigned)s->shown->fold->top_count);
	if (!code && s->kind == STRUCTURE_RELEVANT)
		out_printf(p->out, "%*s(relevant phases only)\n", LABEL, "");
	p->out->failed |= best.failed;
	out_release(&best);
	return code;
}

static void iterations(struct overview_page *p)
{
	double values[MOST];
	char text[OVERVIEW_TEXT], spark[4 * MOST + 1];
	uint32_t n = overview_iteration_times(p->o, values, (uint32_t)p->columns - LABEL);

	if (!n)
		return;
	overview_put_line(p, "main loop", overview_iteration_text(p->o, text));
	spark_text(values, (int)n, p->flags, spark, sizeof spark);
	out_printf(p->out, "%*s%s\n", LABEL, "", spark);
}

/* --- what to do next --- */

/* Commands and, behind them or where that is too long for one above them, what they are good for: pasted as it is, it
 * works. */
static void steps(struct overview_page *p)
{
	struct out command[OVERVIEW_STEPS];
	size_t widest = 0, longest = 0;

	if (!p->o->next_count)
		return;
	overview_begin_block(p);
	out_str(p->out, "next steps\n");
	for (uint32_t i = 0; i < p->o->next_count; i++) {
		size_t wide, meaning = strlen(overview_step_text(p->o->next[i]));

		out_init(&command[i]);
		overview_step_command(p->o, p->o->next[i], p->flags, &command[i]);
		p->out->failed |= command[i].failed;
		wide = command[i].text ? wrap_columns(command[i].text, command[i].len) : 0;
		widest = wide > widest ? wide : widest;
		longest = meaning > longest ? meaning : longest;
	}
	for (uint32_t i = 0; i < p->o->next_count; i++) {
		const char *meaning = overview_step_text(p->o->next[i]), *text = command[i].text ? command[i].text : "";
		size_t wide = wrap_columns(text, command[i].len);

		if (STEP_INDENT + widest + 4 + longest <= p->columns)
			out_printf(p->out, "%*s%s%*s# %s\n", STEP_INDENT, "", text, (int)(widest - wide + 2), "", meaning);
		else
			out_printf(p->out, "%*s# %s\n%*s%s\n", STEP_INDENT, "", meaning, STEP_INDENT, "", text);
		out_release(&command[i]);
	}
}

enum err_code overview_text(const struct overview *o, int columns, enum text_flags flags, struct out *out, struct err *e)
{
	struct overview_page p = {o, columns < LEAST ? LEAST : columns > MOST ? MOST : (size_t)columns, flags, out, false};
	char text[OVERVIEW_TEXT];
	enum err_code code;

	overview_put_line(&p, "", overview_title_text(o, text));
	overview_reading(&p);
	overview_put_line(&p, "clocks", overview_clocks_text(o, text));
	overview_put_line(&p, "nodes", overview_crowded_text(o, text));
	overview_put_line(&p, "tracing", overview_tracing_text(o, text));
	p.gap = true;
	account(&p);
	iterations(&p);
	overview_put_line(&p, "longest wait", overview_lost_text(o, text));
	overview_put_line(&p, "main cause", overview_cause_text(o, text));
	overview_put_line(&p, "most computation", overview_slowest_text(o, text));
	overview_put_line(&p, "most data", overview_heaviest_text(o, text));
	p.gap = true;
	overview_put_line(&p, "phases", overview_prediction_text(o, text));
	code = structure(&p, e);
	overview_put_line(&p, "signature", overview_signature_text(o, text));
	overview_put_line(&p, "warnings", overview_warnings_text(o, text));
	p.gap = true;
	steps(&p);
	return code || !out->failed ? code : err_memory(e, "the overview");
}

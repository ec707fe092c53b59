#include "iterations.h"

#include <stdio.h>
#include <string.h>

#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

/* What has a main loop, or NULL. */
static const struct structure *looping(const struct model *m)
{
	const struct structure *s = program_structure(m);

	return s && s->main.iterations ? s : NULL;
}

uint32_t iteration_count(const struct model *m)
{
	const struct structure *s = looping(m);

	return s ? s->main.iterations : 0;
}

bool iteration_pending(const struct model *m)
{
	return m->structure.now && !program_structure(m) && !m->structure.failure[0];
}

uint32_t iteration_at(const struct model *m, uint32_t tick)
{
	const struct structure *s = looping(m);
	uint32_t o = s ? phases_occurrence_at(m->analysis->phases, tick) : UINT32_MAX;

	return o == UINT32_MAX ? UINT32_MAX : structure_iteration_of(s, o);
}

uint32_t iteration_behind(const struct model *m, uint32_t tick)
{
	const struct structure *s = looping(m);
	uint32_t lo = 0, hi = s ? s->main.iterations : 0;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->analysis->phases->occurrences[s->main.from[mid]].first <= tick)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void iteration_ticks(const struct model *m, uint32_t i, uint32_t *from, uint32_t *to)
{
	if (!program_structure_iteration(m, i, from, to))
		*from = *to = 0;
}

bool iteration_stands_out(const struct model *m, uint32_t i)
{
	const struct structure *s = looping(m);

	return s && structure_stands_out(s, i);
}

uint32_t iteration_next_outlier(const struct model *m, uint32_t i)
{
	const struct structure *s = looping(m);
	uint32_t n = s ? s->main.outlier_count : 0;

	for (uint32_t k = 0; k < n && i != UINT32_MAX; k++)
		if (s->main.outliers[k] > i)
			return s->main.outliers[k];
	return n ? s->main.outliers[0] : UINT32_MAX;
}

double iteration_mean_ticks(const struct model *m)
{
	uint32_t n = iteration_count(m), from, to, ignored;

	if (!n)
		return 0;
	iteration_ticks(m, 0, &from, &ignored);
	iteration_ticks(m, n - 1, &ignored, &to);
	return (double)(to - from) / n;
}

double iteration_mean_seconds(const struct model *m)
{
	const struct structure *s = looping(m);

	return s ? s->main.mean : 0;
}

const char *iteration_name(const struct model *m, uint32_t i, char text[ITERATION_NAME])
{
	char n[UNIT_TEXT], of[UNIT_TEXT];

	snprintf(text, ITERATION_NAME, "iteration %s of %s", unit_count(n, i + 1), unit_count(of, iteration_count(m)));
	return text;
}

void iteration_describe(const struct model *m, uint32_t i, char *text, size_t size)
{
	const struct structure *s = looping(m);
	char name[ITERATION_NAME], time[UNIT_TEXT], mean[UNIT_TEXT];

	snprintf(text, size, "%s", iteration_name(m, i, name));
	if (structure_stands_out(s, i))
		snprintf(text + strlen(text), size - strlen(text), ", %s, mean %s", unit_time(time, s->main.seconds[i]),
			 unit_time(mean, s->main.mean));
}

void iterations_fact(const struct model *m, uint32_t from, uint32_t to, char *text, size_t size)
{
	uint32_t n = iteration_count(m), first = iteration_at(m, from), last = iteration_at(m, to - 1);
	char a[UNIT_TEXT], b[UNIT_TEXT], of[UNIT_TEXT], one[160];

	text[0] = 0;
	first = first == UINT32_MAX ? iteration_behind(m, from) : first;
	last = last == UINT32_MAX ? iteration_behind(m, to - 1) - 1 : last;
	if (!n || first >= n || last >= n || first > last)
		return;
	if (first == last) {
		iteration_describe(m, first, one, sizeof one);
		snprintf(text, size, " · %s", one);
	} else {
		snprintf(text, size, " · iterations %s – %s of %s", unit_count(a, first + 1), unit_count(b, last + 1), unit_count(of, n));
	}
}

const char *iteration_gap(const struct model *m)
{
	const struct structure *s = program_structure(m);

	if (m->structure.failure[0])
		return m->structure.failure;
	if (!s)
		return "Still looking for loops; try again in a moment.";
	return s->aet > 0 && s->run.count ? "no main loop: no loop has five iterations or more" :
		"no main loop: the run has no time or no phases";
}

/* One that has w columns from x on. */
static void draw_one(struct pane p, int x, int y, int w, const struct model *m, uint32_t i, bool begins)
{
	bool out = iteration_stands_out(m, i);
	enum role role = out ? ROLE_WARN : ROLE_HEADER;
	int at = begins;
	char number[16];

	if (begins)
		pane_put(p, x, y, GLYPH_VLINE, out ? ROLE_WARN : ROLE_RULE, 0);
	if (out && at < w)
		pane_put(p, x + at++, y, '!', role, ATTR_BOLD);
	if (snprintf(number, sizeof number, "%u", (unsigned)i + 1) <= w - at)
		pane_text(p, x + at, y, role, out ? ATTR_BOLD : 0, number);
}

void iteration_row_draw(struct pane p, int x, int y, const struct model *m, const uint32_t *of, int cells, int cell, uint32_t before)
{
	for (int i = 0, end; i < cells; i = end) {
		for (end = i + 1; end < cells && of[end] == of[i];)
			end++;
		if (of[i] != UINT32_MAX)
			draw_one(p, x + i * cell, y, (end - i) * cell, m, of[i], i > 0 || before != of[i]);
		else if (i > 0 || before != UINT32_MAX)
			pane_put(p, x + i * cell, y, GLYPH_VLINE, ROLE_RULE, 0); /* the last one has ended */
	}
}

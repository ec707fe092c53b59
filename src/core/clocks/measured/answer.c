#include "measured.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/io/marked_lines.h"

#define MARK "pas2p-probe "
#define VERSION 1
#define NANOSECOND 1e-9
#define ZERO_MOST (INT64_MAX / 2) /* ns: two of them can be compared */

struct probe_answer {
	struct clock_measured *m;
	size_t unit_cap, link_cap;
	uint64_t lines;
	bool begun, ended;
};

static void answer_copy_name(char *to, size_t size, const char *word)
{
	text_safe(to, size, word, SIZE_MAX, TEXT_UTF8);
}

static bool take_run(struct probe_answer *a, const struct marked_line *l)
{
	struct clock_measured *m = a->m;
	uint32_t version;

	if (a->begun || l->count != 8 || !marked_small(l->word[1], &version) || version != VERSION)
		return false;
	a->begun = true;
	answer_copy_name(m->clock, sizeof m->clock, l->word[2]);
	answer_copy_name(m->schedule, sizeof m->schedule, l->word[3]);
	return marked_real(l->word[4], &m->seconds) && marked_real(l->word[5], &m->utc) && marked_small(l->word[6], &m->samples) &&
	       marked_small(l->word[7], &m->exchanges) && m->seconds >= 0;
}

static bool take_unit(struct probe_answer *a, const struct marked_line *l, bool *memory)
{
	struct clock_measured *m = a->m;
	struct clock_unit *unit = mem_grow(m->unit, m->unit_count, &a->unit_cap, sizeof *unit);
	bool back;
	uint64_t zero;

	*memory = unit != NULL;
	if (!unit)
		return false;
	m->unit = unit;
	unit += m->unit_count;
	*unit = (struct clock_unit){0};
	if (l->count != 14)
		return false;
	back = l->word[3][0] == '-';
	if (!marked_small(l->word[1], &unit->rank) || !marked_small(l->word[2], &unit->ranks) || !marked_whole(l->word[3] + back, ZERO_MOST, &zero) ||
	    !marked_real(l->word[4], &unit->interruption) || !marked_real(l->word[5], &unit->frequency) || !marked_real(l->word[6], &unit->frequency_error) ||
	    !marked_real(l->word[9], &unit->ntp_error) || !marked_real(l->word[10], &unit->ntp_maximum) || !marked_real(l->word[11], &unit->ntp_frequency))
		return false;
	unit->zero = back ? -(int64_t)zero : (int64_t)zero;
	unit->constant_tsc = !strcmp(l->word[7], "1");
	unit->synchronised = !strcmp(l->word[8], "1");
	answer_copy_name(unit->source, sizeof unit->source, l->word[12]);
	answer_copy_name(unit->host, sizeof unit->host, l->word[13]);
	m->unit_count++;
	return true;
}

static bool take_clock(struct probe_answer *a, const struct marked_line *l)
{
	struct clock_unit *unit = a->m->unit_count ? &a->m->unit[a->m->unit_count - 1] : NULL;
	struct clock_local *c;

	if (!unit || l->count != 5 || unit->local_count == CLOCK_LOCAL)
		return false;
	c = &unit->local[unit->local_count++];
	answer_copy_name(c->name, sizeof c->name, l->word[1]);
	return marked_real(l->word[2], &c->resolution) && marked_real(l->word[3], &c->cost) && marked_real(l->word[4], &c->cost_cold);
}

static bool take_link(struct probe_answer *a, const struct marked_line *l, bool *memory)
{
	struct clock_measured *m = a->m;
	struct clock_link *link = mem_grow(m->link, m->link_count, &a->link_cap, sizeof *link);

	*memory = link != NULL;
	if (!link)
		return false;
	m->link = link;
	link += m->link_count;
	*link = (struct clock_link){0};
	if (l->count != 3 || !marked_small(l->word[1], &link->parent) || !marked_small(l->word[2], &link->child))
		return false;
	m->link_count++;
	return link->parent < link->child && link->child < m->unit_count;
}

static bool take_exchange(struct probe_answer *a, const struct marked_line *l, bool *memory)
{
	struct clock_measured *m = a->m;
	struct clock_exchange *x = mem_grow(m->exchange, m->exchange_count, &m->exchange_cap, sizeof *x);
	double t[4];

	*memory = x != NULL;
	if (!x)
		return false;
	m->exchange = x;
	x += m->exchange_count;
	if (l->count != 7 || !marked_small(l->word[1], &x->link) || x->link >= m->link_count)
		return false;
	x->sample = CLOCK_VERIFIES;
	if (strcmp(l->word[2], "verify") != 0 && !marked_small(l->word[2], &x->sample))
		return false;
	for (size_t i = 0; i < 4; i++) {
		if (!marked_real(l->word[3 + i], &t[i]) || isnan(t[i]))
			return false;
		t[i] *= NANOSECOND;
	}
	x->t1 = t[0];
	x->t2 = t[1];
	x->t3 = t[2];
	x->t4 = t[3];
	m->exchange_count++;
	return true;
}

/* What a line is of. False: it is not as it should be, or (memory) there is none. */
static bool answer_take_line(struct probe_answer *a, const struct marked_line *l, bool *memory)
{
	uint64_t lines;

	*memory = true;
	if (!l->count || a->ended)
		return false;
	if (!strcmp(l->word[0], "end")) {
		a->ended = l->count == 2 && marked_whole(l->word[1], UINT64_MAX, &lines) && lines == a->lines;
		return a->ended;
	}
	a->lines++;
	if (!strcmp(l->word[0], "run"))
		return take_run(a, l);
	if (!strcmp(l->word[0], "unit"))
		return a->begun && take_unit(a, l, memory);
	if (!strcmp(l->word[0], "clock"))
		return take_clock(a, l);
	if (!strcmp(l->word[0], "link"))
		return take_link(a, l, memory);
	return !strcmp(l->word[0], "x") && take_exchange(a, l, memory);
}

/* Each unit but the reference has a link of its own number, less one. */
static bool answer_is_whole(const struct probe_answer *a)
{
	const struct clock_measured *m = a->m;

	if (!a->ended || !m->unit_count || m->link_count + 1 < m->unit_count)
		return false;
	for (uint32_t u = 1; u < m->unit_count; u++)
		if (m->link[u - 1].child != u)
			return false;
	return true;
}

enum err_code clock_answer_read(struct clock_measured *m, char *text, size_t size, struct err *e)
{
	struct probe_answer a = {.m = m};
	struct marked_lines lines = {text, text + size, MARK};
	struct marked_line l;
	bool memory = true, good = true;

	*m = (struct clock_measured){0};
	while (good && marked_next(&lines, &l))
		good = answer_take_line(&a, &l, &memory);
	if (memory && good && answer_is_whole(&a))
		return ERR_OK;
	clock_measured_release(m);
	if (!memory)
		return err_memory(e, "what was measured");
	if (!a.lines)
		return err_set(e, ERR_FORMAT, "no process sent a measurement: does the launcher start MPI programs here?");
	return err_set(e, ERR_FORMAT, "incomplete measurement: %sline %" PRIu64 " of the answer%s",
		       good ? "it ends after " : "", a.lines, good ? "" : " is invalid");
}

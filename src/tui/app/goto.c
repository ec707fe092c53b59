/* Places as people name them, for :goto. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base/number.h"
#include "app_int.h"
#include "core/base/search.h"
#include "tui/model/iterations.h"
#include "tui/model/describe.h"
#include "tui/widgets/widgets.h"
#include "tui/widgets/units.h"

/* What is still to be read of a place's name. */
struct goto_reader {
	const char *at;
	const struct model *m;
	const struct logical *l;
};

static bool read_word(struct goto_reader *r, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(r->at, word, n))
		return false;
	r->at += n;
	r->at += strspn(r->at, " ");
	return true;
}

static bool read_number(struct goto_reader *r, uint64_t *v)
{
	size_t n = strspn(r->at, "0123456789");

	if (!number_parse_whole(r->at, n, v))
		return false;
	r->at += n;
	r->at += strspn(r->at, " ");
	return true;
}

static enum err_code goto_refuse(struct err *e)
{
	return err_set(e, ERR_USAGE,
		       "expected a tick (2040), rank (rank 3, r3), event (rank 3 #17), phase (phase 4), iteration (i7) or time (12ms)");
}

static enum err_code take_rank(const struct goto_reader *r, uint64_t number, struct trace_place *to, struct err *e)
{
	uint32_t n = r->l->trace->process_count;

	if (number >= n)
		return err_set(e, ERR_USAGE, "expected a rank from 0 to %u", (unsigned)n - 1);
	to->process = (uint32_t)number;
	return ERR_OK;
}

static enum err_code take_tick(const struct goto_reader *r, uint64_t number, struct trace_place *to, struct err *e)
{
	if (!r->l->tick_count)
		return err_set(e, ERR_USAGE, "the trace has no ticks");
	if (number >= r->l->tick_count)
		return err_set(e, ERR_USAGE, "expected a tick from 0 to %u", (unsigned)r->l->tick_count - 1);
	to->tick = (uint32_t)number;
	return ERR_OK;
}

static enum err_code take_event(const struct goto_reader *r, uint64_t number, struct trace_place *to, struct err *e)
{
	const uint32_t *first = r->l->trace->first + to->process;

	if (first[0] == first[1])
		return err_set(e, ERR_USAGE, "%s has no events", unit_rank((char[UNIT_TEXT]){""}, to->process));
	if (number < 1 || number > first[1] - first[0])
		return err_set(e, ERR_USAGE, "expected an event of %s from 1 to %u", unit_rank((char[UNIT_TEXT]){""}, to->process), (unsigned)(first[1] - first[0]));
	to->tick = r->l->tick[first[0] + number - 1];
	return ERR_OK;
}

static enum err_code take_phase(const struct goto_reader *r, uint64_t number, struct trace_place *to, struct err *e)
{
	const struct phases *p = r->m->analysis->phases;

	if (!p || !p->count)
		return err_set(e, ERR_USAGE, "the trace has no phases");
	if (number < 1 || number > p->count)
		return err_set(e, ERR_USAGE, "expected a phase from 1 to %u", (unsigned)p->count);
	to->tick = p->occurrences[p->by_phase[p->phase_first[number - 1]]].first;
	return ERR_OK;
}

static enum err_code take_iteration(const struct goto_reader *r, uint64_t number, struct trace_place *to, struct err *e)
{
	uint32_t n = iteration_count(r->m), ignored;

	if (!n)
		return err_set(e, ERR_USAGE, "%s", iteration_gap(r->m));
	if (number < 1 || number > n)
		return err_set(e, ERR_USAGE, "expected an iteration from 1 to %u", (unsigned)n);
	iteration_ticks(r->m, (uint32_t)number - 1, &to->tick, &ignored);
	return ERR_OK;
}

/* Where something of the whole run begins then, as far as was written, that; otherwise the tick of the process's last
 * event by then (of its first one if there is none by then). */
static enum err_code take_time(const struct goto_reader *r, double seconds, double within, struct trace_place *to, struct err *e)
{
	const struct trace *t = r->l->trace;
	uint32_t first = t->first[to->process], end_of = t->first[to->process + 1], lo;
	char end[UNIT_TEXT];

	if (!(seconds <= trace_aet(r->m->trace) * (1 + 1e-9)))
		return err_set(e, ERR_USAGE, "the run ends after %s", unit_time(end, trace_aet(r->m->trace)));
	if (moment_find(r->m, seconds, within, to))
		return ERR_OK;
	if (first == end_of)
		return err_set(e, ERR_USAGE, "%s has no events", unit_rank((char[UNIT_TEXT]){""}, to->process));
	lo = SEARCH_PAST(i, first, end_of, t->time[i] - t->start <= seconds);
	to->tick = r->l->tick[lo > first ? lo - 1 : lo];
	return ERR_OK;
}

static double unit_seconds(const char *unit)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"\302\265s", 1e-6}, {"\316\274s", 1e-6}, {"ns", 1e-9}, {"min", 60}, {"h", 3600},
	};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strcmp(units[i].name, unit))
			return units[i].seconds;
	return 0;
}

/* "2040", "1.25s", "12 ms" */
static enum err_code read_tick_or_time(struct goto_reader *r, struct trace_place *to, struct err *e)
{
	size_t n = strspn(r->at, "0123456789.");
	const char *unit = r->at + n + strspn(r->at + n, " ");
	size_t digits;
	uint64_t whole;
	double v, within;

	if (!*unit && number_parse_whole(r->at, n, &whole))
		return take_tick(r, whole, to, e);
	if (!n || !number_parse(r->at, n, &v))
		return goto_refuse(e);
	if (!*unit)
		return err_set(e, ERR_USAGE, "expected a whole tick, or a time with a unit: s, ms, us, ns, min, h");
	if (unit_seconds(unit) <= 0)
		return goto_refuse(e);
	digits = strcspn(r->at, ".");
	digits = digits < n ? n - digits - 1 : 0;
	within = fmin(unit_seconds(unit) * pow(10, -(double)digits), MOMENT_PRECISION) / 2;
	return take_time(r, v * unit_seconds(unit), within, to, e);
}

/* "rank 2", "r2 #17"; "#17", "event 17", "event rank 2 17": of the cursor's process, if none is named. */
static enum err_code read_rank_or_event(struct goto_reader *r, struct trace_place *to, struct err *e)
{
	bool event = read_word(r, "event"), named = read_word(r, "rank") || read_word(r, "r");
	enum err_code code = rank_word_check(r->at, e);
	uint64_t number;

	if (code)
		return code;
	if (named)
		code = read_number(r, &number) ? take_rank(r, number, to, e) : goto_refuse(e);
	if (code || (named && !event && !*r->at))
		return code;
	event = read_word(r, "#") || event;
	return event && read_number(r, &number) && !*r->at ? take_event(r, number, to, e) : goto_refuse(e);
}

static enum err_code read_place(struct goto_reader *r, struct trace_place *to, struct err *e)
{
	uint64_t number;

	if (read_word(r, "phase"))
		return read_number(r, &number) && !*r->at ? take_phase(r, number, to, e) : goto_refuse(e);
	if (read_word(r, "iteration") || read_word(r, "i"))
		return read_number(r, &number) && !*r->at ? take_iteration(r, number, to, e) : goto_refuse(e);
	if (read_word(r, "tick"))
		return read_number(r, &number) && !*r->at ? take_tick(r, number, to, e) : goto_refuse(e);
	if (*r->at >= '0' && *r->at <= '9')
		return read_tick_or_time(r, to, e);
	return read_rank_or_event(r, to, e);
}

enum err_code app_goto(struct app *a, const char *name, struct err *e)
{
	struct goto_reader r = {name, &a->work.model, model_logical(&a->work.model)};
	struct trace_place to = a->work.model.cursor;
	enum err_code code;

	if (!r.l || !r.l->tick_count)
		return err_set(e, ERR_USAGE, "the trace is still being loaded");
	code = read_place(&r, &to, e);
	if (code)
		return code;
	app_jump(a, to.process, to.tick);
	app_show_place(a);
	return ERR_OK;
}

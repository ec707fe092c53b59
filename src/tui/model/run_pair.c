#include "model.h"

#include <math.h>

#include "core/method/analysis/phase_content.h"
#include "core/base/mem.h"
#include "core/compare/diff/diff.h"
#include "run_list.h"
#include "runs_work.h"

/* --- the other trace --- */

struct pair_trace {
	struct made made;
	struct run_files files;
	uint32_t id;
	struct trace *trace;
};

static const struct pair_trace *other_trace(const struct run_pair *p)
{
	return p->reading.now;
}

static void trace_begin(void *made, const void *from)
{
	const struct model *m = from;
	struct pair_trace *t = made;

	t->id = m->pair.with;
	run_files_init(&t->files, &m->runs->list[runs_by_id(m->runs, t->id)], m->runs->threads);
}

static enum err_code trace_make(void *made, const struct progress *progress, struct err *e)
{
	struct pair_trace *t = made;
	char say[ERR_TEXT];

	return t->files.paths ? run_files_load(&t->trace, &t->files, say, progress, e) : err_memory(e, "the other run");
}

static void trace_release(void *made)
{
	struct pair_trace *t = made;

	trace_free(t->trace);
	run_files_release(&t->files);
}

static const struct derived_kind trace_kind = {"the other run", sizeof(struct pair_trace), NULL, trace_begin, NULL, trace_make, trace_release};

/* --- its phases beside those of the open run --- */

static bool phases_can(const void *from)
{
	return other_trace(&((const struct model *)from)->pair);
}

static void phases_begin(void *made, const void *from)
{
	const struct model *m = from;
	const struct run_pair *pair = &m->pair;
	struct pair_phases *p = made;

	p->other = made_ref(pair->reading.now);
	p->open = analysis_ref(m->analysis);
	p->previous = pair->phases ? analysis_ref(pair->phases->second) : NULL;
	p->swapped = pair->swapped;
}

static bool phases_are_of(const void *made, const void *from)
{
	const struct pair_phases *p = made;
	const struct model *m = from;

	return p->open == m->analysis && p->swapped == m->pair.swapped;
}

static enum err_code phases_make(void *made, const struct progress *progress, struct err *e)
{
	struct pair_phases *p = made;
	struct analysis *second = NULL;
	enum err_code code = analysis_new(&second, p->other->trace, &p->open->settings, p->previous, ANALYSIS_PHASES, progress, e);
	const struct analysis *side[2];

	p->second = second;
	side[p->swapped] = p->open;
	side[!p->swapped] = p->second;
	for (int i = 0; i < 2 && !code; i++)
		code = phase_content_new(&p->side[i], side[i], progress, e);
	if (!code)
		code = phase_match_new(&p->match, p->side[0], p->side[1], progress, e);
	if (!code && !isnan(p->side[0]->aet) && !isnan(p->side[1]->aet))
		code = waterfall_new(&p->waterfall, p->match, side[0], side[1], progress, e);
	return code;
}

static void phases_release(void *made)
{
	struct pair_phases *p = made;

	waterfall_free(p->waterfall);
	phase_match_free(p->match);
	run_phases_free(p->side[0]);
	run_phases_free(p->side[1]);
	analysis_unref(p->open);
	analysis_unref(p->second);
	analysis_unref(p->previous);
	made_unref(p->other);
}

static const struct derived_kind phases_kind = {
	"comparing the runs", sizeof(struct pair_phases), phases_can, phases_begin, phases_are_of, phases_make, phases_release,
};

/* --- their ticks: the first difference, then all of them --- */

static bool ticks_can(const void *from)
{
	return ((const struct model *)from)->pair.phases;
}

static void ticks_begin(void *made, const void *from)
{
	const struct pair_phases *p = ((const struct model *)from)->pair.phases;
	struct pair_ticks *t = made;

	t->other = made_ref(p->other);
	t->side[p->swapped] = analysis_ref(p->open);
	t->side[!p->swapped] = analysis_ref(p->second);
}

static bool ticks_are_of(const void *made, const void *from)
{
	const struct pair_ticks *t = made;
	const struct pair_phases *p = ((const struct model *)from)->pair.phases;

	return t->side[p->swapped]->logical == p->open->logical && t->side[!p->swapped]->logical == p->second->logical;
}

static enum err_code ticks_make(void *made, const struct progress *progress, struct err *e)
{
	static const struct diff_options plain = {0};
	struct pair_ticks *t = made;
	enum err_code code = run_diff_new(&t->diff, t->side[0], t->side[1], &plain, progress, e);

	if (!code) {
		t->verdict = t->diff->verdict;
		t->first = t->diff->first;
	}
	return code;
}

static void ticks_release(void *made)
{
	struct pair_ticks *t = made;

	diff_align_free(t->align);
	mem_free(t->hunks);
	if (t->of) {
		made_unref(t->of);
		return;
	}
	run_diff_free(t->diff);
	analysis_unref(t->side[0]);
	analysis_unref(t->side[1]);
	made_unref(t->other);
}

static const struct derived_kind ticks_kind = {
	"comparing the runs", sizeof(struct pair_ticks), ticks_can, ticks_begin, ticks_are_of, ticks_make, ticks_release,
};

static bool align_can(const void *from)
{
	const struct pair_ticks *t = ((const struct model *)from)->pair.first;

	return t && t->verdict != DIFF_PROCESSES;
}

static void align_begin(void *made, const void *from)
{
	struct pair_ticks *t = made, *of = ((const struct model *)from)->pair.comparing.now;

	t->of = made_ref(of);
	t->side[0] = of->side[0];
	t->side[1] = of->side[1];
	t->diff = of->diff;
	t->verdict = of->verdict;
	t->first = of->first;
}

static bool align_is_of(const void *made, const void *from)
{
	return ((const struct pair_ticks *)made)->of == ((const struct model *)from)->pair.comparing.now;
}

static enum err_code find_hunks(struct pair_ticks *t, struct err *e)
{
	struct hunk h = {.end = 0};
	uint32_t room = 0;

	while (hunk_next(&h, t->align)) {
		if (t->hunk_count == room) {
			uint32_t *more = mem_resize(t->hunks, (size_t)room * 2 + 64, sizeof *more);

			if (!more)
				return err_memory(e, "the hunks");
			t->hunks = more;
			room = room * 2 + 64;
		}
		t->hunks[t->hunk_count++] = h.first;
		t->changes[CHANGE_REMOVED] += h.removed;
		t->changes[CHANGE_ADDED] += h.added;
		t->changes[CHANGE_RESIZED] += h.resized;
	}
	return ERR_OK;
}

static enum err_code align_make(void *made, const struct progress *progress, struct err *e)
{
	struct pair_ticks *t = made;
	enum err_code code = run_diff_edit(t->diff, progress, e);

	if (!code)
		code = diff_align_new(&t->align, t->diff, progress, e);
	for (uint32_t i = 0; !code && i < t->diff->process_count; i++)
		t->beyond += t->diff->processes[i].script.beyond;
	return code ? code : find_hunks(t, e);
}

static const struct derived_kind align_kind = {
	"comparing the runs", sizeof(struct pair_ticks), align_can, align_begin, align_is_of, align_make, ticks_release,
};

/* --- on the drawing thread --- */

/* The one that was named, unless that is open; otherwise the first other one. */
static uint32_t find_other(const struct runs *r)
{
	uint32_t named = r->beside ? runs_by_id(r, r->beside) : UINT32_MAX;

	if (named != UINT32_MAX && named != r->open)
		return named;
	for (uint32_t i = 0; i < r->count; i++)
		if (i != r->open)
			return i;
	return UINT32_MAX;
}

static void pair_forget(struct run_pair *p)
{
	derived_forget(&p->reading);
	derived_forget(&p->matching);
	derived_forget(&p->comparing);
	derived_forget(&p->aligning);
	p->phases = NULL;
	p->first = NULL;
	p->stopped = false;
	p->serial++;
}

void run_pair_update(struct model *m)
{
	struct run_pair *p = &m->pair;
	const struct pair_ticks *first = p->first, *aligned;
	uint32_t other = find_other(m->runs);
	uint32_t id = other == UINT32_MAX ? 0 : m->runs->list[other].id;
	bool came;

	if (!m->background || !m->analysis || !m->analysis->figures)
		return;
	if (p->with != id) {
		pair_forget(p);
		p->with = id;
	}
	if (!id || p->stopped)
		return;
	came = derived_update(&p->reading, &trace_kind, m->background, m);
	came |= derived_update(&p->matching, &phases_kind, m->background, m);
	p->phases = p->matching.now;
	came |= derived_update(&p->comparing, &ticks_kind, m->background, m);
	p->first = derived_current(&p->comparing, m);
	came |= derived_update(&p->aligning, &align_kind, m->background, m);
	aligned = derived_current(&p->aligning, m);
	p->first = aligned ? aligned : p->first;
	p->serial += came || p->first != first;
}

/* In the order in which they are made. */
static const struct derived *pair_part(const struct run_pair *p, int i)
{
	const struct derived *const parts[] = {&p->reading, &p->matching, &p->comparing, &p->aligning};

	return parts[i];
}

const char *run_pair_failure(const struct run_pair *p)
{
	int i = 0;

	while (i < 3 && !pair_part(p, i)->failure[0])
		i++;
	return p->stopped ? "Stopped." : pair_part(p, i)->failure;
}

const char *run_pair_doing(const struct run_pair *p, double *part)
{
	static const char *const names[] = {"reading", "matching phases", "comparing", "aligning"};

	for (int i = 0; i < 4 && !run_pair_failure(p)[0]; i++) {
		struct background_state state = derived_state(pair_part(p, i));

		*part = state.total ? (double)state.done / (double)state.total : (double)NAN;
		if (state.busy)
			return names[i];
	}
	return NULL;
}

bool run_pair_stop(struct run_pair *p)
{
	double part;

	if (!run_pair_doing(p, &part))
		return false;
	derived_cancel(&p->reading);
	derived_cancel(&p->matching);
	derived_cancel(&p->comparing);
	derived_cancel(&p->aligning);
	p->stopped = true;
	return true;
}

void run_pair_again(struct run_pair *p)
{
	pair_forget(p);
	p->with = 0;
}

void run_pair_release(struct run_pair *p)
{
	derived_release(&p->reading);
	derived_release(&p->matching);
	derived_release(&p->comparing);
	derived_release(&p->aligning);
	p->phases = NULL;
	p->first = NULL;
}

const struct analysis *run_pair_side(const struct run_pair *p, int side)
{
	if (!p->phases)
		return NULL;
	return (side == 0) != p->phases->swapped ? p->phases->open : p->phases->second;
}

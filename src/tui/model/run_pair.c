#include "run_pair.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/analysis/phase_content.h"
#include "core/base/mem.h"
#include "core/study/hunks.h"
#include "model.h"
#include "run_list.h"
#include "runs_work.h"
#include "tui/jobs/background.h"

/* --- what is shared --- */

static struct pair_trace *trace_ref(struct pair_trace *t)
{
	atomic_fetch_add(&t->references, 1);
	return t;
}

static void trace_unref(struct pair_trace *t)
{
	if (!t || atomic_fetch_sub(&t->references, 1) > 1)
		return;
	trace_free(t->trace);
	mem_free(t);
}

static void ticks_unref(struct pair_ticks *t)
{
	if (!t || atomic_fetch_sub(&t->references, 1) > 1)
		return;
	diff_align_free(t->align);
	mem_free(t->hunks);
	run_diff_free(t->diff);
	analysis_unref(t->side[0]);
	analysis_unref(t->side[1]);
	trace_unref(t->other);
	mem_free(t);
}

static void matched_free(struct pair_phases *p)
{
	if (!p)
		return;
	waterfall_free(p->waterfall);
	phase_match_free(p->match);
	run_phases_free(p->side[0]);
	run_phases_free(p->side[1]);
	analysis_unref(p->open);
	analysis_unref(p->second);
	trace_unref(p->other);
	mem_free(p);
}

/* --- the other trace --- */

struct load_task {
	struct task task;
	struct run_files files;
	uint32_t id;
	struct pair_trace *loaded;
};

static enum err_code load(struct task *t, const struct job *job, struct err *e)
{
	struct load_task *x = (struct load_task *)t;
	char say[ERR_TEXT];

	x->loaded = mem_zero(1, sizeof *x->loaded);
	if (!x->loaded)
		return err_memory(e, "the other run");
	atomic_init(&x->loaded->references, 1);
	return run_files_load(&x->loaded->trace, &x->files, say, job, e);
}

static void free_load(struct task *t)
{
	struct load_task *x = (struct load_task *)t;

	trace_unref(x->loaded);
	run_files_release(&x->files);
	mem_free(x);
}

/* --- its phases beside those of the open run --- */

struct phases_task {
	struct task task;
	struct pair_phases *made;
	const struct analysis *previous; /* of the other run; a reference, or NULL */
	struct settings settings;
};

static enum err_code match(struct task *t, const struct job *job, struct err *e)
{
	struct phases_task *x = (struct phases_task *)t;
	struct pair_phases *p = x->made;
	struct analysis *second = NULL;
	enum err_code code = analysis_new(&second, p->other->trace, &x->settings, x->previous, ANALYSIS_PHASES, job, e);
	const struct analysis *side[2];

	p->second = second;
	side[p->swapped] = p->open;
	side[!p->swapped] = p->second;
	for (int i = 0; i < 2 && !code; i++)
		code = phase_content_new(&p->side[i], side[i], job, e);
	if (!code)
		code = phase_match_new(&p->match, p->side[0], p->side[1], job, e);
	if (!code && !isnan(p->side[0]->aet) && !isnan(p->side[1]->aet))
		code = waterfall_new(&p->waterfall, p->match, side[0], side[1], job, e);
	return code;
}

static void free_phases_task(struct task *t)
{
	struct phases_task *x = (struct phases_task *)t;

	matched_free(x->made);
	analysis_unref(x->previous);
	mem_free(x);
}

/* --- their ticks: the first difference, then all of them --- */

struct ticks_task {
	struct task task;
	struct pair_ticks *ticks;  /* a reference */
	struct diff_align *align;  /* made by the second step; the first has none */
	uint32_t *hunks, hunk_count, beyond;
	uint64_t changes[4];
};

static enum err_code find_first(struct task *t, const struct job *job, struct err *e)
{
	static const struct diff_options plain = {0};
	struct pair_ticks *x = ((struct ticks_task *)t)->ticks;
	enum err_code code = run_diff_new(&x->diff, x->side[0], x->side[1], &plain, job, e);

	if (!code) {
		x->verdict = x->diff->verdict;
		x->first = x->diff->first;
	}
	return code;
}

static enum err_code find_hunks(struct ticks_task *x, struct err *e)
{
	struct hunk h = {.end = 0};
	uint32_t room = 0;

	while (hunk_next(&h, x->align)) {
		if (x->hunk_count == room) {
			uint32_t *more = mem_resize(x->hunks, (size_t)room * 2 + 64, sizeof *more);

			if (!more)
				return err_memory(e, "the hunks");
			x->hunks = more;
			room = room * 2 + 64;
		}
		x->hunks[x->hunk_count++] = h.first;
		x->changes[CHANGE_REMOVED] += h.removed;
		x->changes[CHANGE_ADDED] += h.added;
		x->changes[CHANGE_RESIZED] += h.resized;
	}
	return ERR_OK;
}

static enum err_code align(struct task *t, const struct job *job, struct err *e)
{
	struct ticks_task *x = (struct ticks_task *)t;
	enum err_code code = run_diff_edit(x->ticks->diff, job, e);

	if (!code)
		code = diff_align_new(&x->align, x->ticks->diff, job, e);
	for (uint32_t i = 0; !code && i < x->ticks->diff->process_count; i++)
		x->beyond += x->ticks->diff->processes[i].script.beyond;
	return code ? code : find_hunks(x, e);
}

static void free_ticks_task(struct task *t)
{
	struct ticks_task *x = (struct ticks_task *)t;

	diff_align_free(x->align); /* before what it is of */
	mem_free(x->hunks);
	ticks_unref(x->ticks);
	mem_free(x);
}

/* --- on the drawing thread --- */

static void fail(struct run_pair *p, const struct err *e)
{
	snprintf(p->failure, sizeof p->failure, "%s", e->code == ERR_CANCELLED ? "comparing the runs was stopped" : e->text);
	p->serial++;
}

static void no_memory(struct run_pair *p)
{
	struct err e;

	err_memory(&e, "comparing the runs");
	fail(p, &e);
}

/* The one that was named, unless that is open; else the first other one. */
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

static void ask_load(struct model *m, const struct run *run)
{
	struct load_task *x = mem_zero(1, sizeof *x);

	if (!x || !run_files_init(&x->files, run, m->runs->threads)) {
		mem_free(x);
		no_memory(&m->pair);
		return;
	}
	x->task = (struct task){load, free_load};
	x->id = run->id;
	m->pair.reading = true;
	background_ask(m->background, BACKGROUND_PAIR, &x->task);
}

static void ask_phases(struct model *m)
{
	struct run_pair *p = &m->pair;
	struct phases_task *x = mem_zero(1, sizeof *x);

	p->asked_serial = m->serial;
	p->asked_swapped = p->swapped;
	if (x)
		x->made = mem_zero(1, sizeof *x->made);
	if (!x || !x->made) {
		mem_free(x);
		no_memory(p);
		return;
	}
	x->task = (struct task){match, free_phases_task};
	x->made->other = trace_ref(p->other);
	x->made->open = analysis_ref(m->analysis);
	x->made->swapped = p->swapped;
	x->previous = p->phases ? analysis_ref(p->phases->second) : NULL;
	x->settings = m->analysis->settings;
	background_ask(m->background, BACKGROUND_PAIR, &x->task);
}

static void ask_ticks(struct model *m, struct pair_ticks *of)
{
	struct run_pair *p = &m->pair;
	struct ticks_task *x = mem_zero(1, sizeof *x);

	if (x)
		x->ticks = of ? of : mem_zero(1, sizeof *x->ticks);
	if (!x || !x->ticks) {
		mem_free(x);
		no_memory(p);
		return;
	}
	x->task = (struct task){of ? align : find_first, free_ticks_task};
	if (of) {
		atomic_fetch_add(&of->references, 1);
	} else {
		atomic_init(&x->ticks->references, 1);
		x->ticks->other = trace_ref(p->phases->other);
		x->ticks->side[p->phases->swapped] = analysis_ref(p->phases->open);
		x->ticks->side[!p->phases->swapped] = analysis_ref(p->phases->second);
	}
	background_ask(m->background, BACKGROUND_DIFF, &x->task);
}

/* Do the ticks that are there, or are being made, belong to these phases? */
static bool same_logical(const struct pair_ticks *t, const struct pair_phases *p)
{
	return t && t->side[p->swapped]->logical == p->open->logical && t->side[!p->swapped]->logical == p->second->logical;
}

static void took_trace(struct run_pair *p, struct load_task *x)
{
	if (!p->reading || x->id != p->with)
		return;
	p->reading = false;
	p->other = x->loaded;
	x->loaded = NULL;
	p->serial++;
}

static void took_phases(struct model *m, struct phases_task *x)
{
	struct run_pair *p = &m->pair;
	bool same = same_logical(p->first, x->made);

	matched_free(p->phases);
	p->phases = x->made;
	x->made = NULL;
	p->serial++;
	if (!same) {
		background_cancel(m->background, BACKGROUND_DIFF);
		ticks_unref(p->first);
		p->first = NULL;
		ask_ticks(m, NULL);
	}
}

static void take_phases(struct model *m)
{
	struct run_pair *p = &m->pair;
	struct err e;
	struct task *t = background_take(m->background, BACKGROUND_PAIR, &e);

	if (!t) {
		if (e.code && e.code != ERR_CANCELLED) {
			fail(p, &e);
			p->reading = false;
		}
		return;
	}
	if (t->run == load) {
		took_trace(p, (struct load_task *)t);
	} else if (((struct phases_task *)t)->made->other == p->other) {
		took_phases(m, (struct phases_task *)t);
	}
	t->free(t);
}

static void take_ticks(struct model *m)
{
	struct run_pair *p = &m->pair;
	struct err e;
	struct ticks_task *x = (struct ticks_task *)background_take(m->background, BACKGROUND_DIFF, &e);

	if (!x) {
		if (e.code && e.code != ERR_CANCELLED)
			fail(p, &e);
		return;
	}
	if (!p->phases || !same_logical(x->ticks, p->phases)) {
		free_ticks_task(&x->task);
		return;
	}
	p->serial++;
	if (x->align && p->first == x->ticks) {
		p->first->align = x->align;
		p->first->hunks = x->hunks;
		p->first->hunk_count = x->hunk_count;
		p->first->beyond = x->beyond;
		memcpy(p->first->changes, x->changes, sizeof x->changes);
		x->align = NULL;
		x->hunks = NULL;
	} else if (!x->align) {
		ticks_unref(p->first);
		p->first = x->ticks;
		x->ticks = NULL;
		if (p->first->verdict != DIFF_PROCESSES)
			ask_ticks(m, p->first);
	}
	free_ticks_task(&x->task);
}

static void forget(struct run_pair *p)
{
	matched_free(p->phases);
	ticks_unref(p->first);
	trace_unref(p->other);
	p->phases = NULL;
	p->first = NULL;
	p->other = NULL;
	p->asked_serial = 0;
	p->reading = false;
	p->failure[0] = 0;
	p->stopped = false;
	p->serial++;
}

/* What has failed with other settings may be possible with these; what was stopped waits until it is asked for. */
static void try_again(struct model *m)
{
	struct run_pair *p = &m->pair;

	if (!p->failure[0] || p->stopped || !p->other || p->asked_serial == m->serial)
		return;
	background_cancel(m->background, BACKGROUND_DIFF);
	ticks_unref(p->first);
	p->first = NULL;
	p->failure[0] = 0;
}

void run_pair_update(struct model *m)
{
	struct run_pair *p = &m->pair;
	uint32_t other = find_other(m->runs);
	uint32_t id = other == UINT32_MAX ? 0 : m->runs->list[other].id;

	if (!m->background || !m->analysis || !m->analysis->figures)
		return;
	if (p->with != id) {
		background_cancel(m->background, BACKGROUND_PAIR);
		background_cancel(m->background, BACKGROUND_DIFF);
		forget(p);
		p->with = id;
		if (id)
			ask_load(m, &m->runs->list[other]);
		return;
	}
	if (!id)
		return;
	take_phases(m);
	take_ticks(m);
	try_again(m);
	if (p->other && !p->failure[0] && (p->asked_serial != m->serial || p->asked_swapped != p->swapped))
		ask_phases(m);
}

bool run_pair_stop(struct model *m)
{
	double part;

	if (!run_pair_doing(m, &part))
		return false;
	background_cancel(m->background, BACKGROUND_PAIR);
	background_cancel(m->background, BACKGROUND_DIFF);
	snprintf(m->pair.failure, sizeof m->pair.failure, "comparing the runs was stopped");
	m->pair.stopped = true;
	return true;
}

void run_pair_again(struct model *m)
{
	forget(&m->pair);
	m->pair.with = 0;
}

const char *run_pair_doing(const struct model *m, double *part)
{
	const struct run_pair *p = &m->pair;
	struct background_state state = background_state(m->background, BACKGROUND_PAIR);
	const char *what = p->reading ? "reading" : state.busy ? "matching phases" : NULL;

	if (p->failure[0])
		return NULL;
	if (!what) {
		state = background_state(m->background, BACKGROUND_DIFF);
		what = !state.busy ? NULL : p->first ? "aligning" : "comparing";
	}
	*part = what && state.busy && state.total ? (double)state.done / (double)state.total : (double)NAN;
	return what;
}

void run_pair_release(struct run_pair *p)
{
	forget(p);
	p->with = 0;
}

const struct analysis *run_pair_side(const struct run_pair *p, int side)
{
	if (!p->phases)
		return NULL;
	return (side == 0) != p->phases->swapped ? p->phases->open : p->phases->second;
}

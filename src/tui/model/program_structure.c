#include "program_structure.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "model.h"
#include "tui/jobs/background.h"

struct program_structure *program_structure_ref(struct program_structure *s)
{
	atomic_fetch_add(&s->references, 1);
	return s;
}

void program_structure_unref(struct program_structure *s)
{
	if (!s || atomic_fetch_sub(&s->references, 1) > 1)
		return;
	structure_free(s->structure);
	mem_free(s->words);
	analysis_unref(s->analysis);
	mem_free(s);
}

struct structure_task {
	struct task task;
	struct program_structure *made;
};

static enum err_code make_structure(struct task *t, const struct job *job, struct err *e)
{
	struct program_structure *s = ((struct structure_task *)t)->made;
	const struct analysis *a = s->analysis;
	enum err_code code = structure_new(&s->structure, a->clockwork, a->phases, a->figures, &a->settings, STRUCTURE_SHORTEST, job, e);

	return code ? code : structure_words(&s->words, &s->word_count, s->structure, UINT32_MAX, e);
}

static void free_task(struct task *t)
{
	program_structure_unref(((struct structure_task *)t)->made);
	mem_free(t);
}

/* What a structure is made of. */
static bool same(const struct analysis *a, const struct analysis *b)
{
	return a->phases == b->phases && a->figures == b->figures && a->clockwork == b->clockwork;
}

static void ask(struct model *m)
{
	struct structure_task *x = mem_zero(1, sizeof *x);
	struct program_structure *s = mem_zero(1, sizeof *s);

	analysis_unref(m->structure.asked_for);
	m->structure.asked_for = analysis_ref(m->analysis);
	m->structure.failure[0] = 0;
	if (!x || !s) {
		mem_free(x);
		mem_free(s);
		snprintf(m->structure.failure, sizeof m->structure.failure, "Not enough memory for the structure.");
		return;
	}
	atomic_store(&s->references, 1);
	s->analysis = analysis_ref(m->analysis);
	x->task = (struct task){make_structure, free_task};
	x->made = s;
	background_ask(m->background, BACKGROUND_STRUCTURE, &x->task);
}

static void take(struct model *m)
{
	struct model_structure *s = &m->structure;
	struct err e;
	struct structure_task *x = (struct structure_task *)background_take(m->background, BACKGROUND_STRUCTURE, &e);

	if (x) {
		program_structure_unref(s->now);
		s->now = x->made;
		x->made = NULL;
		s->serial++;
		free_task(&x->task);
	} else if (e.code) {
		snprintf(s->failure, sizeof s->failure, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
	}
}

void program_structure_update(struct model *m)
{
	if (!m->background || !m->analysis || !m->analysis->phases)
		return;
	take(m);
	if (!m->structure.asked_for || !same(m->structure.asked_for, m->analysis))
		ask(m);
}

bool program_structure_is_current(const struct model *m)
{
	return m->structure.now && m->analysis && m->analysis->phases && same(m->structure.now->analysis, m->analysis);
}

bool program_structure_busy(const struct model *m)
{
	return m->background && background_state(m->background, BACKGROUND_STRUCTURE).busy;
}

void program_structure_cancel(struct model *m)
{
	background_cancel(m->background, BACKGROUND_STRUCTURE);
}

void program_structure_again(struct model *m)
{
	m->structure.failure[0] = 0;
	analysis_unref(m->structure.asked_for);
	m->structure.asked_for = NULL;
}

void program_structure_release(struct model_structure *s)
{
	program_structure_unref(s->now);
	analysis_unref(s->asked_for);
	*s = (struct model_structure){.now = NULL};
}

const struct structure *program_structure(const struct model *m)
{
	return program_structure_is_current(m) ? m->structure.now->structure : NULL;
}

bool program_structure_iteration(const struct model *m, uint32_t iteration, uint32_t *first, uint32_t *end)
{
	const struct structure *s = program_structure(m);
	const struct phases *p;

	if (!s || iteration >= s->main.iterations)
		return false;
	p = m->analysis->phases;
	*first = p->occurrences[s->main.from[iteration]].first;
	*end = occurrence_end(p, s->main.to[iteration] - 1, model_ticks(m));
	return true;
}

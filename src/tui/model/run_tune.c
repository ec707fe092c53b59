#include "run_tune.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "model.h"
#include "tui/jobs/background.h"

/* What the search has found, between its thread and the one that draws. */
struct tune_news {
	atomic_int references;
	pthread_mutex_t mutex;
	struct tune found;
	bool fresh;            /* not taken yet */
};

static void news_unref(struct tune_news *n)
{
	if (!n || atomic_fetch_sub(&n->references, 1) > 1)
		return;
	pthread_mutex_destroy(&n->mutex);
	tune_release(&n->found);
	mem_free(n);
}

/* False: no memory; *to is as it was. */
static bool copy(struct tune *to, const struct tune *from)
{
	struct tune_point *points = mem_resize(to->points, from->count, sizeof *points);

	if (!points)
		return false;
	memcpy(points, from->points, from->count * sizeof *points);
	*to = *from;
	to->points = points;
	to->room = from->count;
	return true;
}

struct tune_task {
	struct task task;
	const struct analysis *analysis; /* a reference */
	struct tune_news *news;          /* likewise */
};

static void better(void *arg, const struct tune *tune)
{
	struct tune_news *n = arg;

	pthread_mutex_lock(&n->mutex);
	n->fresh |= copy(&n->found, tune);
	pthread_mutex_unlock(&n->mutex);
}

static enum err_code search(struct task *t, const struct job *job, struct err *e)
{
	struct tune_task *x = (struct tune_task *)t;
	struct tune tune;
	enum err_code code = tune_run(&tune, x->analysis, better, x->news, job, e);

	if (!code)
		better(x->news, &tune); /* how much was tried, too */
	tune_release(&tune);
	return code;
}

static void free_task(struct task *t)
{
	struct tune_task *x = (struct tune_task *)t;

	analysis_unref(x->analysis);
	news_unref(x->news);
	mem_free(x);
}

/* But for what the search turns, and what says nothing of phases. */
static bool same(const struct analysis *a, const struct analysis *b)
{
	struct settings x = a->settings;

	for (size_t i = 0; i < TUNE_TURNS; i++)
		settings_copy(&x, &b->settings, tune_turns[i]);
	x.warmup_sends = b->settings.warmup_sends;
	x.warmup_seconds = b->settings.warmup_seconds;
	x.windows = b->settings.windows;
	x.window_seconds = b->settings.window_seconds;
	x.window_rare = b->settings.window_rare;
	x.window_span = b->settings.window_span;
	x.window_align = b->settings.window_align;
	return a->source == b->source && settings_equal(&x, &b->settings);
}

static void forget(struct model_tune *t)
{
	analysis_unref(t->asked_for);
	t->asked_for = NULL;
	news_unref(t->news);
	t->news = NULL;
}

static void ask(struct model *m)
{
	struct model_tune *t = &m->tune;
	struct tune_task *x = mem_zero(1, sizeof *x);
	struct tune_news *n = mem_zero(1, sizeof *n);

	forget(t);
	tune_release(&t->found);
	t->serial++;
	t->asked_for = analysis_ref(m->analysis);
	t->from = m->analysis->settings;
	t->failure[0] = 0;
	if (!x || !n) {
		mem_free(x);
		mem_free(n);
		snprintf(t->failure, sizeof t->failure, "there is no memory to look for thresholds");
		return;
	}
	atomic_store(&n->references, 2);
	pthread_mutex_init(&n->mutex, NULL);
	t->news = n;
	x->task = (struct task){search, free_task};
	x->analysis = analysis_ref(m->analysis);
	x->news = n;
	background_ask(m->background, BACKGROUND_TUNE, &x->task);
}

static void take(struct model *m)
{
	struct model_tune *t = &m->tune;
	struct err e;
	struct task *done = background_take(m->background, BACKGROUND_TUNE, &e);

	if (done)
		free_task(done);
	else if (e.code && e.code != ERR_CANCELLED)
		snprintf(t->failure, sizeof t->failure, "%s", e.text);
	if (!t->news)
		return;
	pthread_mutex_lock(&t->news->mutex);
	if (t->news->fresh && copy(&t->found, &t->news->found)) {
		t->news->fresh = false;
		t->serial++;
	}
	pthread_mutex_unlock(&t->news->mutex);
}

void run_tune_update(struct model *m)
{
	const struct model_tune *t = &m->tune;

	if (!m->background || !m->analysis || !m->analysis->phases)
		return;
	take(m);
	if (!t->asked_for || (t->asked_for != m->analysis && !same(t->asked_for, m->analysis)))
		ask(m);
}

bool run_tune_busy(const struct model *m)
{
	return m->background && background_state(m->background, BACKGROUND_TUNE).busy;
}

void run_tune_cancel(struct model *m)
{
	background_cancel(m->background, BACKGROUND_TUNE);
}

void run_tune_again(struct model *m)
{
	forget(&m->tune);
}

void run_tune_release(struct model_tune *t)
{
	forget(t);
	tune_release(&t->found);
	*t = (struct model_tune){.news = NULL};
}

/* The search in the background; its rows improve while it runs. It begins again when other settings change than those
 * that it varies: taking one of its points as settings does not affect it. If it is stopped, its results stay. */
#include <pthread.h>
#include <string.h>

#include "core/base/mem.h"
#include "tune_int.h"

struct tune_search {
	struct made made;
	const struct analysis *analysis; /* a reference */
	/* Between its thread and the one that draws. */
	pthread_mutex_t mutex;
	struct tune found;
	bool fresh;                      /* not taken yet */
};

/* False: no memory; *to is as it was. */
static bool found_copy(struct tune *to, const struct tune *from)
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

static bool search_can(const void *from)
{
	const struct model *m = from;

	return m->analysis && m->analysis->phases;
}

static void search_begin(void *made, const void *from)
{
	struct tune_search *x = made;

	x->analysis = analysis_ref(((const struct model *)from)->analysis);
	pthread_mutex_init(&x->mutex, NULL);
}

/* But for what the search turns, and what says nothing of phases. */
static bool search_is_of(const void *made, const void *from)
{
	const struct analysis *a = ((const struct tune_search *)made)->analysis, *b = ((const struct model *)from)->analysis;
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
	return a == b || (a->source == b->source && settings_equal(&x, &b->settings));
}

static void search_better(void *arg, const struct tune *tune)
{
	struct tune_search *x = arg;

	pthread_mutex_lock(&x->mutex);
	x->fresh |= found_copy(&x->found, tune);
	pthread_mutex_unlock(&x->mutex);
}

static enum err_code search_make(void *made, const struct progress *progress, struct err *e)
{
	struct tune_search *x = made;
	struct tune tune;
	enum err_code code = tune_run(&tune, x->analysis, search_better, x, progress, e);

	if (!code)
		search_better(x, &tune); /* how much was tried, too */
	tune_release(&tune);
	return code;
}

static void search_release(void *made)
{
	struct tune_search *x = made;

	analysis_unref(x->analysis);
	pthread_mutex_destroy(&x->mutex);
	tune_release(&x->found);
}

static const struct derived_kind search_kind = {
	"other thresholds", sizeof(struct tune_search), search_can, search_begin, search_is_of, search_make, search_release,
};

void tune_search_update(struct tune_view *s)
{
	struct tune_search *x;

	derived_update(&s->looking, &search_kind, s->view.model->background, s->view.model);
	x = s->looking.asked;
	if (x != s->search) {
		made_unref(s->search);
		s->search = made_ref(x);
		tune_release(&s->found);
		s->found_serial++;
		if (x)
			s->from = x->analysis->settings;
	}
	if (!x)
		return;
	pthread_mutex_lock(&x->mutex);
	if ((x->fresh || !s->found.count) && x->found.count && found_copy(&s->found, &x->found)) {
		x->fresh = false;
		s->found_serial++;
	}
	pthread_mutex_unlock(&x->mutex);
}

void tune_search_release(struct tune_view *s)
{
	made_unref(s->search);
	derived_release(&s->looking);
	tune_release(&s->found);
}

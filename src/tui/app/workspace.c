#include "app_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "tui/jobs/session.h"
#include "tui/model/run_list.h"
#include "tui/views/view.h"

static unsigned wanted(const struct workspace *w)
{
	const struct view *v = workspace_front(w);

	return ANALYSIS_PHASES | ANALYSIS_PATTERNS | (v->ops->want ? v->ops->want(v) : 0);
}

bool workspace_lacks(const struct workspace *w)
{
	return (wanted(w) & ~w->wanted) != 0;
}

void workspace_want(struct workspace *w)
{
	mem_free(w->table);
	w->table = NULL;
	w->model.table = NULL;
	w->model.busy = true;
	w->wanted = wanted(w);
	session_want(w->session, &w->model.settings, w->wanted, w->here == VIEW_TABLE);
}

struct view *workspace_front(const struct workspace *w)
{
	return w->views[w->here];
}

const struct row_source *workspace_rows(const struct workspace *w)
{
	const struct view *v = workspace_front(w);

	return v->ops->rows ? v->ops->rows(v) : NULL;
}

/* A name that is none has been refused by then. */
static enum view_id first_view(const char *name)
{
	for (int v = 0; name && v < VIEW_TABS; v++)
		if (!strcmp(view_info((enum view_id)v)->name, name))
			return (enum view_id)v;
	return (enum view_id)0;
}

enum err_code workspace_init(struct workspace *w, const struct tui_options *o, struct runs *runs, struct models *models,
			     struct open_study *study, struct picker *picker, const struct keymap *keymap, struct err *e)
{
	w->options = o;
	if (runs->count) {
		w->paths = (const char *const *)runs->list[runs->open].paths;
		w->path_count = runs->list[runs->open].path_count;
	}
	w->model.models = models;
	w->model.study = study;
	w->model.runs = runs;
	w->model.picker = picker;
	w->model.settings = o->settings;
	w->model.keymap = keymap;
	w->model.program = o->program;
	w->here = w->tab = w->home = runs->count || o->folder ? first_view(o->view) : VIEW_MODELS;
	for (int id = 0; id < VIEWS; id++) {
		w->views[id] = view_new((enum view_id)id, &w->model);
		if (!w->views[id])
			return err_memory(e, "the views");
	}
	return ERR_OK;
}

static void wake_session(void *session)
{
	session_wake(session);
}

static enum err_code slots_new(struct model *m, struct err *e)
{
	int *const slots[] = {&m->slots.result, &m->slots.hash, &m->slots.measure, &m->slots.correct, &m->slots.curve, &m->slots.run};

	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
		if (!(*slots[i] = background_slot_new(m->background)))
			return err_memory(e, "the background work");
	return ERR_OK;
}

enum err_code workspace_open(struct workspace *w, struct session_loaded *loaded, struct err *e)
{
	const struct tui_options *o = w->options;
	enum err_code code = session_start(&w->session, w->paths, w->path_count, o->application, o->threads, loaded, e);

	w->model.session = w->session;
	if (!code)
		code = background_new(&w->model.background, wake_session, w->session, e);
	if (!code)
		code = slots_new(&w->model, e);
	if (!code)
		workspace_want(w);
	return code;
}

/* All that is of the drawing thread alone. */
static void release_shown(struct workspace *w)
{
	for (int id = 0; id < VIEWS; id++) {
		view_free(w->views[id]);
		w->views[id] = NULL;
	}
	kept_lists_release(&w->lists);
	model_release(&w->model);
	mem_free(w->table);
	w->table = NULL;
}

static void workspace_stop_work(struct workspace *w)
{
	background_stop(w->model.background); /* reads the trace, and wakes the session */
	w->model.background = NULL;
	session_stop(w->session);
	w->session = NULL;
}

struct leaving *workspace_leave(struct workspace *w)
{
	struct leaving *l;

	release_shown(w);
	l = w->session ? leaving_start(w->session, w->model.background) : NULL;
	if (!l) {
		workspace_stop_work(w);
		return NULL;
	}
	w->session = NULL;
	w->model.background = NULL;
	return l;
}

void workspace_release(struct workspace *w)
{
	release_shown(w);
	workspace_stop_work(w);
}

static void kept_list_release(struct kept_list *kept)
{
	mem_free(kept->filter);
	mem_free(kept->sort);
	*kept = (struct kept_list){0};
}

void kept_lists_release(struct kept_lists *k)
{
	for (int id = 0; id < VIEWS; id++)
		kept_list_release(&k->views[id]);
}

void kept_lists_take(struct kept_lists *k, struct view *const *views)
{
	for (int id = 0; id < VIEWS; id++) {
		struct kept_list *kept = &k->views[id];
		const struct view *v = views[id];
		const struct list *l = v ? &v->list : NULL;
		const struct row_source *rows = v && v->ops->rows ? v->ops->rows(v) : NULL;

		if (!l || v->ops->alone || kept->filter || kept->sort)
			continue;
		if (l->filter)
			kept->filter = mem_strdup(row_filter_text(l->filter));
		if (rows && l->sort_column >= 0 && l->sort_column < rows->column_count)
			kept->sort = mem_strdup(rows->columns[l->sort_column].name);
		kept->descending = l->descending;
	}
}

bool kept_lists_give(struct kept_lists *k, struct view *v)
{
	struct kept_list *kept = &k->views[v->id];
	const struct row_source *rows;
	struct err e;

	if (!kept->filter && !kept->sort)
		return false;
	rows = v->ops->rows ? v->ops->rows(v) : NULL;
	if (!rows || view_list(v) != &v->list)
		return false;
	for (int c = 0; kept->sort && rows->key && c < rows->column_count; c++)
		if (!strcmp(rows->columns[c].name, kept->sort) && (v->list.sort_column != c || v->list.descending != kept->descending))
			list_sort(&v->list, rows, v, c, kept->descending);
	/* A column that it speaks of may be gone with a result that is not shown any more: then all rows are there. */
	if (kept->filter)
		list_filter(&v->list, rows, v, kept->filter, &e);
	kept_list_release(kept);
	return true;
}

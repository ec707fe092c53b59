#include "picker.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "model.h"
#include "recent.h"
#include "tui/jobs/background.h"

void picker_init(struct picker *p)
{
	*p = (struct picker){0};
	trace_folder_init(&p->here);
	trace_folder_init(&p->recent);
}

void picker_release(struct picker *p)
{
	trace_folder_release(&p->here);
	trace_folder_release(&p->recent);
	mem_free(p->folder);
	mem_free(p->full);
	mem_free(p->came_from);
	mem_free(p->recent_file);
	picker_init(p);
}

uint32_t picker_rows(const struct picker *p)
{
	return p->recent.count + p->here.count;
}

const struct found_run *picker_row(const struct picker *p, uint32_t row)
{
	return row < p->recent.count ? &p->recent.list[row] : &p->here.list[row - p->recent.count];
}

enum err_code picker_go(struct picker *p, const char *folder, struct err *e)
{
	char *copy = mem_strdup(*folder ? folder : ".");

	if (!copy)
		return err_memory(e, "the folder");
	mem_free(p->folder);
	mem_free(p->full);
	mem_free(p->came_from);
	p->folder = copy;
	p->full = NULL;
	p->came_from = NULL;
	p->known = false;
	p->failure[0] = 0;
	trace_folder_release(&p->here);
	p->serial++;
	return ERR_OK;
}

bool picker_go_up(struct picker *p)
{
	char *full = realpath(p->folder ? p->folder : ".", NULL), *came_from = full ? mem_strdup(full) : NULL;
	char *slash = full ? strrchr(full, '/') : NULL;
	bool good = slash && slash[1];
	struct err e;

	if (good) {
		slash[slash == full] = 0;
		good = !picker_go(p, full, &e);
	}
	free(full);
	if (good)
		p->came_from = came_from;
	else
		mem_free(came_from);
	return good;
}

/* --- behind the screen --- */

struct looking {
	struct task task;
	char *path, *full;
	bool done;
	struct trace_folder found;
};

static enum err_code look(struct task *t, const struct job *job, struct err *e)
{
	struct looking *x = (struct looking *)t;
	enum err_code code = trace_folder_read(&x->found, x->path, job, e);
	char *full = realpath(x->path, NULL);

	x->full = full ? mem_strdup(full) : NULL;
	free(full);
	x->done = !code;
	return code;
}

static enum err_code look_for_recent(struct task *t, const struct job *job, struct err *e)
{
	struct looking *x = (struct looking *)t;
	enum err_code code = recent_read(&x->found, x->path, true, e);
	(void)job;

	x->done = !code;
	return code;
}

static void free_looking(struct task *t)
{
	struct looking *x = (struct looking *)t;

	if (x->done)
		trace_folder_release(&x->found);
	mem_free(x->path);
	mem_free(x->full);
	mem_free(x);
}

static void ask(struct model *m, enum background_slot slot, const char *path)
{
	struct looking *x = mem_zero(1, sizeof *x);

	if (!x)
		return;
	x->task = (struct task){slot == BACKGROUND_RECENT ? look_for_recent : look, free_looking};
	x->path = mem_strdup(path);
	if (x->path)
		background_ask(m->background, slot, &x->task);
	else
		mem_free(x);
}

void picker_ask(struct model *m)
{
	ask(m, BACKGROUND_FOLDER, m->picker->folder ? m->picker->folder : ".");
	if (m->picker->recent_file)
		ask(m, BACKGROUND_RECENT, m->picker->recent_file);
}

static bool take(struct model *m, enum background_slot slot, struct trace_folder *into, char **full, struct err *e)
{
	struct looking *x = (struct looking *)background_take(m->background, slot, e);

	if (!x)
		return false;
	trace_folder_release(into);
	*into = x->found;
	x->done = false;
	if (full) {
		mem_free(*full);
		*full = x->full;
		x->full = NULL;
	}
	free_looking(&x->task);
	return true;
}

bool picker_work(struct model *m)
{
	struct picker *p = m->picker;
	struct err e;
	bool news = take(m, BACKGROUND_RECENT, &p->recent, NULL, &e);

	if (take(m, BACKGROUND_FOLDER, &p->here, &p->full, &e)) {
		p->failure[0] = 0;
		p->known = news = true;
	} else if (e.code) {
		snprintf(p->failure, sizeof p->failure, "%s", e.text);
		p->known = news = true;
	}
	p->serial += news;
	return news;
}

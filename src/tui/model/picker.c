#include "model.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

static const struct trace_folder nothing;

void picker_init(struct picker *p)
{
	*p = (struct picker){.here = &nothing, .recent = &nothing};
}

void picker_release(struct picker *p)
{
	derived_release(&p->look);
	derived_release(&p->look_recent);
	mem_free(p->folder);
	mem_free(p->came_from);
	mem_free(p->recent_file);
	picker_init(p);
}

uint32_t picker_rows(const struct picker *p)
{
	return p->recent->count + p->here->count;
}

const struct found_run *picker_row(const struct picker *p, uint32_t row)
{
	return row < p->recent->count ? &p->recent->list[row] : &p->here->list[row - p->recent->count];
}

enum err_code picker_go(struct picker *p, const char *folder, struct err *e)
{
	char *copy = mem_strdup(*folder ? folder : ".");

	if (!copy)
		return err_memory(e, "the folder");
	mem_free(p->folder);
	mem_free(p->came_from);
	p->folder = copy;
	p->full = NULL;
	p->came_from = NULL;
	p->known = false;
	p->here = &nothing;
	derived_forget(&p->look);
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

/* --- in the background --- */

struct looked {
	struct made made;
	char *path, *full; /* owned */
	struct trace_folder found;
};

static void looked_begin(void *made, const void *from)
{
	struct looked *x = made;

	x->path = mem_strdup(from);
	trace_folder_init(&x->found);
}

static bool looked_is_of(const void *made, const void *from)
{
	const struct looked *x = made;

	return !x->path || !strcmp(x->path, from);
}

static enum err_code looked_make(void *made, const struct progress *progress, struct err *e)
{
	struct looked *x = made;
	enum err_code code = x->path ? trace_folder_read(&x->found, x->path, progress, e) : err_memory(e, "the folder");
	char *full = code ? NULL : realpath(x->path, NULL);

	x->full = full ? mem_strdup(full) : NULL;
	free(full);
	return code;
}

static enum err_code looked_make_recent(void *made, const struct progress *progress, struct err *e)
{
	struct looked *x = made;
	(void)progress;

	return x->path ? recent_read(&x->found, x->path, true, e) : err_memory(e, "the recent traces");
}

static void looked_release(void *made)
{
	struct looked *x = made;

	trace_folder_release(&x->found);
	mem_free(x->path);
	mem_free(x->full);
}

static const struct derived_kind look_kind = {
	"the folder", sizeof(struct looked), NULL, looked_begin, looked_is_of, looked_make, looked_release,
};
static const struct derived_kind look_recent_kind = {
	"the recent traces", sizeof(struct looked), NULL, looked_begin, looked_is_of, looked_make_recent, looked_release,
};

void picker_ask(struct model *m)
{
	derived_again(&m->picker->look);
	derived_again(&m->picker->look_recent);
	m->picker->wanted = true;
	picker_work(m);
}

void picker_work(struct model *m)
{
	struct picker *p = m->picker;
	const struct looked *x;
	bool known = p->known;

	if (!p->wanted)
		return;
	if (p->recent_file && derived_update(&p->look_recent, &look_recent_kind, m->background, p->recent_file)) {
		x = p->look_recent.now;
		p->recent = &x->found;
		p->serial++;
	}
	if (derived_update(&p->look, &look_kind, m->background, p->folder ? p->folder : ".")) {
		x = p->look.now;
		p->here = &x->found;
		p->full = x->full;
		p->serial++;
	}
	p->known = p->look.now || p->look.failure[0];
	p->serial += p->known != known;
}

void picker_leave(struct picker *p)
{
	derived_leave(&p->look);
	derived_leave(&p->look_recent);
}

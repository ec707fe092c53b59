#include "study_work.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "model.h"
#include "open_study.h"
#include "run_list.h"
#include "tui/jobs/background.h"

struct making {
	struct task task;
	char *path;
	unsigned threads;
	struct settings settings;
	struct studied *made;
};

static enum err_code make(struct task *t, const struct job *job, struct err *e)
{
	struct making *x = (struct making *)t;
	struct studied *d = mem_zero(1, sizeof *d);
	enum err_code code;

	if (!d)
		return err_memory(e, "the study");
	x->made = d;
	d->settings = x->settings;
	study_file_init(&d->file);
	code = study_file_read(&d->file, x->path, e);
	if (!code)
		code = study_load(&d->runs, &d->file, &d->settings, x->threads, NULL, job, e);
	if (!code)
		code = study_new(&d->study, d->file.name, &d->runs, d->settings.relevance, job, e);
	if (!code)
		code = study_models_make(&d->models, d->study, STUDY_PREDICTS | STUDY_SHOWS, STUDY_ALL_RUNS, x->threads, job, e);
	return code;
}

static void free_making(struct task *t)
{
	struct making *x = (struct making *)t;

	studied_free(x->made);
	mem_free(x->path);
	mem_free(x);
}

static const char *take(struct model *m)
{
	struct open_study *s = m->study;
	struct err e;
	struct making *x = (struct making *)background_take(m->background, BACKGROUND_STUDY, &e);

	if (!x && !e.code)
		return NULL;
	if (x && s->path && !strcmp(x->path, s->path) && settings_equal(&x->settings, &s->wanted)) {
		open_study_take(s, x->made);
		x->made = NULL;
		s->asked = false;
		s->say[0] = 0;
	} else if (!x && s->asked) {
		s->asked = false;
		s->serial++;
		snprintf(s->say, sizeof s->say, "%s", e.code == ERR_CANCELLED ? "making the study was stopped" : e.text);
	}
	if (x)
		free_making(&x->task);
	return s->say[0] ? s->say : NULL;
}

static void ask(struct model *m)
{
	struct open_study *s = m->study;
	struct making *x;

	if (!s->path || (s->tried && settings_equal(&s->wanted, &m->settings)))
		return;
	if (s->made && settings_equal(&s->made->settings, &m->settings)) {
		/* Back to what is there. */
		if (s->asked)
			background_cancel(m->background, BACKGROUND_STUDY);
		s->wanted = m->settings;
		s->tried = true;
		s->asked = false;
		s->say[0] = 0;
		s->serial++;
		return;
	}
	x = mem_zero(1, sizeof *x);
	if (x && !(x->path = mem_strdup(s->path))) {
		mem_free(x);
		x = NULL;
	}
	s->wanted = m->settings;
	s->tried = true;
	if (!x) {
		snprintf(s->say, sizeof s->say, "there is no memory to make the study");
		return;
	}
	x->task = (struct task){make, free_making};
	x->threads = m->runs->threads;
	x->settings = m->settings;
	s->asked = true;
	s->say[0] = 0;
	background_ask(m->background, BACKGROUND_STUDY, &x->task);
}

const char *study_work(struct model *m)
{
	const char *say;

	if (!m->background || !m->study)
		return NULL;
	say = take(m);
	ask(m);
	return say;
}

bool study_stop(struct model *m)
{
	if (!m->study->asked)
		return false;
	background_cancel(m->background, BACKGROUND_STUDY);
	return true;
}

void study_work_end(struct open_study *s)
{
	if (s->asked)
		s->tried = false;
	s->asked = false;
}

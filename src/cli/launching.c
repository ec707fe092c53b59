#include "cli.h"

#include <string.h>

#include "complain.h"
#include "core/io/source.h"
#include "core/base/text.h"
#include "interrupt.h"
#include "runner/host.h"

#define TIMEOUT 300

static void launching_say(void *arg, const char *text)
{
	(void)arg;
	complain("%s", text);
}

enum err_code launching_begin(struct launching *l, const struct options *o, struct err *e)
{
	*l = (struct launching){.options = o};
	interrupt_catch();
	progress_meter_init(&l->meter, !o->quiet);
	l->mission = (struct mission){
		.launch = &l->launch, .plan = &l->plan, .control = o->control, .progress = &l->meter.progress,
		.timeout = o->timeout > 0 ? o->timeout : TIMEOUT, .pause = o->pause, .show_output = o->show_output,
		.say = o->quiet ? NULL : launching_say,
	};
	return o->cpus ? cpus_parse(&l->mission.cpus, o->cpus, e) : ERR_OK;
}

static enum err_code check_trace(const struct options *o, const struct table *t, const struct progress *progress, struct err *e)
{
	struct source s;
	char hex[65], safe[256];
	enum err_code code;

	if (!o->trace_file)
		return ERR_OK;
	if (source_open_file(&s, o->trace_file, e))
		return e->code;
	code = source_sha256(&s, hex, progress, e);
	source_release(&s);
	if (!code && strcmp(hex, t->sha256) != 0)
		code = err_set(e, ERR_USAGE, "--trace: the table was made from another trace than %s: the SHA-256 of "
			       "its trace %s differs", text_safe(safe, sizeof safe, o->trace_file, SIZE_MAX, TEXT_UTF8),
			       t->trace_file);
	return code;
}

/* A name that has nothing to do with the table's is most likely the wrong table. */
static enum err_code check_application(const struct options *o, const struct table *t, const char *const *argv,
				       struct err *e)
{
	char safe[128], table[128];

	text_safe(table, sizeof table, t->application, SIZE_MAX, TEXT_UTF8);
	if (o->application && strcmp(o->application, t->application) == 0)
		return ERR_OK;
	if (o->application)
		return err_set(e, ERR_USAGE, "--application: the table is for %s, not for %s", table,
			       text_safe(safe, sizeof safe, o->application, SIZE_MAX, TEXT_UTF8));
	if (!launch_is_application(argv, t->application))
		return err_set(e, ERR_USAGE, "the table is for the application %s, which the launch command does not "
			       "name\nhint: if it is that program, give --application %s", table, table);
	return ERR_OK;
}

enum err_code launching_check(const struct launching *l, const struct table *t, const char *const *argv, struct err *e)
{
	if (check_application(l->options, t, argv, e))
		return e->code;
	return check_trace(l->options, t, l->mission.progress, e);
}

enum err_code launching_plan(struct launching *l, const struct table *t, const char *const *argv, struct err *e)
{
	if (launching_check(l, t, argv, e))
		return e->code;
	if (launch_look(&l->launch, argv, l->options->mpi, l->directory, l->mission.progress, e))
		return e->code;
	if (plan_make(&l->plan, t, e))
		return e->code;
	l->planned = true;
	return ERR_OK;
}

enum err_code launching_asked(const struct options *o, const struct driver_ops **driver, struct err *e)
{
	char safe[80];

	*driver = o->mechanism ? driver_find(o->mechanism) : NULL;
	if (o->mechanism && !*driver)
		return err_set(e, ERR_USAGE, "--mechanism is '%s': expected criu or rerun",
			       text_safe(safe, sizeof safe, o->mechanism, SIZE_MAX, TEXT_UTF8));
	return ERR_OK;
}

enum err_code launching_driver(struct launching *l, struct err *e)
{
	if (launching_asked(l->options, &l->driver, e))
		return e->code;
	if (!l->driver)
		l->driver = driver_pick(&l->mission);
	else if (l->driver->probe && l->driver->probe(l->mission.progress, e))
		return err_prefix(e, "%s does not work here", l->driver->shown);
	return ERR_OK;
}

enum exit_code launching_end(struct launching *l, enum err_code code, const struct err *e)
{
	plan_release(&l->plan);
	progress_meter_clear(&l->meter);
	if (!code)
		return EXIT_OK;
	if (code == ERR_CANCELLED) {
		complain("interrupted; the job was ended and left nothing");
		return EXIT_INTERRUPTED;
	}
	complain("%s", e->text);
	if (l->writing)
		return exit_of_write(code);
	return code == ERR_IO && l->planned ? EXIT_JOB_FAILED : exit_of_err(code);
}

/* The program's structure as views share it: made once in the background, of the phases that are shown; while a knob's
 * new phases are folded, the old structure stays and says of which analysis it is; iterations of the main loop lie
 * where their occurrences do.
 */
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/jobs/background.h"

static void start(struct app *a, struct tui_options *o, const char *const *files)
{
	struct err e;

	*o = (struct tui_options){.paths = files, .count = 1, .view = "grid"};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 80, 24);
	app_settle(a);
}

static void fold(struct model *m)
{
	program_structure_update(m);
	background_wait_idle(m->background);
	program_structure_update(m);
}

static void is_line(const struct structure *s, const char *want, const char *name)
{
	struct out o;

	out_init(&o);
	if (s)
		structure_text(s, &o);
	is_str(o.text, want, "%s", name);
	out_release(&o);
}

int main(void)
{
	static const char *const files[] = {"sample-traces/lu.S.4.clog2"}, *const quiet[] = {"sample-traces/one_rank.1.clog2"};
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;
	struct program_structure *first;
	struct settings fewer;
	const struct structure *s;
	uint32_t from, end, next, end_of_next;
	bool good;

	start(&a, &o, files);
	fold(m);
	s = program_structure(m);
	if (!s)
		bail_out("there is no structure: %s", m->structure.failure);
	is_line(s, "10*1 2*2 3 10*4 5 10*6 7 2*8 10*4 5 49(10*6 7 9 10 10*11) 10*6 12 13 2*14 15 2*16 14", "the line of LU");
	is_u64(s->main.iterations, 49, "its iterations");
	good = program_structure_iteration(m, 0, &from, &end);
	for (uint32_t i = 0; i < 49 && good; i++) {
		uint32_t at = s->main.from[i];

		good = program_structure_iteration(m, i, &from, &end) && from < end && m->analysis->phases->occurrences[at].first == from &&
		       structure_iteration_of(s, at) == i;
		if (good && i < 48)
			good = program_structure_iteration(m, i + 1, &next, &end_of_next) && next == end;
	}
	ok(good, "each begins at its first occurrence's tick, where the one before ends");
	ok(!program_structure_iteration(m, 49, &from, &end), "there is none behind the last");
	first = program_structure_now(m);
	fold(m);
	ok(m->structure.now == first, "it is made once");
	fewer = m->settings;
	fewer.events = 0.4;
	app_settings(&a, &fewer, -1);
	session_wait_idle(a.work.session);
	app_news(&a);
	ok(m->structure.now && !program_structure(m), "other phases: the old one stays, and is not theirs");
	fold(m);
	ok(program_structure(m) && program_structure_now(m)->analysis->phases == m->analysis->phases, "until theirs is there");
	app_release(&a);

	start(&a, &o, quiet);
	fold(m);
	s = program_structure(m);
	ok(s && s->main.iterations == 0 && !program_structure_iteration(m, 0, &from, &end), "a run of one process has no iterations");
	app_release(&a);
	return done_testing();
}

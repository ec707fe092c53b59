/* Results of different traces whose tables have content are put side by side by the one matching of phases
 * (docs/internals/compare-rules.md, "Corresponding phases"), so that compare, diff and study mean the same by "the same
 * phase". A result keeps what its phases hold, and gives it back when it is read; without it, results are matched by
 * shape, as before.
 */
#include <stdio.h>
#include <string.h>

#include "core/documents/table.h"
#include "core/reports/reports.h"
#include "runner/runner.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

/* What a run by that table measured: a second each. */
static struct result measured(const char *name)
{
	static const char *const command[] = {"true", NULL};
	struct result r;
	struct table t;
	char path[100];

	snprintf(path, sizeof path, "t/study/tables/%s.yaml", name);
	must(table_read_file(&t, path, &err));
	must(result_begin(&r, &t, "replay", 1, command, &err));
	for (uint32_t i = 0; i < r.phase_count; i++)
		for (uint32_t rank = 0; rank < r.processes; rank++)
			*result_time(&r, i, 0, rank) = 1;
	must(result_finish(&r, &err));
	table_release(&t);
	return r;
}

static char *written(const struct result *r)
{
	struct out o;

	out_init(&o);
	must(result_write_yaml(r, &o, &err));
	return o.text;
}

/* "5-5 6-6 7-": the rows of two results. */
static const char *rows_text(const struct compare *c)
{
	static char text[10000];
	char *at = text;

	*at = '\0';
	for (uint32_t row = 0; row < c->row_count; row++) {
		const struct result_phase *const *p = &c->rows[(size_t)row * c->count];

		at += sprintf(at, "%s", row ? " " : "");
		if (p[0])
			at += sprintf(at, "%u", p[0]->id);
		at += sprintf(at, "-");
		if (p[1])
			at += sprintf(at, "%u", p[1]->id);
	}
	return text;
}

static void rows_are(struct result *results, const char *expected, const char *what)
{
	struct compare c;

	must(compare_make(&c, results, 2, &err));
	is_str(rows_text(&c), expected, "%s", what);
	compare_release(&c);
}

static void kept(void)
{
	struct result r = measured("cg.W.8"), again;
	char *once = written(&r), *twice;

	must(result_read(&again, "once", once, strlen(once), &err));
	ok(again.content && again.content->count == r.phase_count, "a result keeps what its phases hold");
	twice = written(&again);
	is_str(twice, once, "and gives it back");
	mem_free(twice);
	result_release(&again);
	run_phases_free(r.content);
	r.content = NULL;
	twice = written(&r);
	ok(!strstr(twice, "content:") && !strstr(twice, "mean_message"), "without it, nothing of it is written");
	mem_free(twice);
	mem_free(once);
	result_release(&r);
}

static void by_content(void)
{
	struct result r[2] = {measured("sp.S.4"), measured("bt.S.4")}, two[2] = {r[1], measured("lu.W.8")};

	rows_are(r, "1-1 2- 4-4 5-5 6-6 7-7 8-8 9-9 10- 11-11", "two programs alike: the phases that correspond share rows");
	rows_are(two, "1- 4- 5- 6- 7- 8- 9- 11- -9 -11 -12 -13 -14 -15 -16", "nothing in common");
	for (unsigned i = 0; i < 2; i++) {
		run_phases_free(r[i].content);
		r[i].content = NULL;
	}
	rows_are(r, "1-1 2-4 4-5 5-6 6-7 7-8 8-9 9-11 10- 11-", "without content: by shape, which takes one exchange for another");
	result_release(&r[0]);
	result_release(&r[1]);
	result_release(&two[1]);
}

int main(void)
{
	kept();
	by_content();
	return done_testing();
}

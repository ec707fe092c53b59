#include "clock_team.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/load.h"
#include "core/io/out.h"
#include "core/study/clocks_write.h"
#include "core/team/team_threads.h"
#include "tap.h"

struct clock_asked clock_asked_of(const char *const *paths, uint32_t count)
{
	return (struct clock_asked){
		.paths = paths, .count = count,
		.options = {.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS, .bins = 7, .medians = true},
	};
}

static enum err_code write_report(struct clock_found *found, const struct clock_report *r, struct err *e)
{
	struct out out;
	enum err_code code;

	out_init(&out);
	code = clocks_write(r, &out, true, e);
	if (!code)
		found->document = strdup(out.text);
	out_release(&out);
	return code;
}

void clock_team_report(struct clock_found *found, const struct clock_asked *asked, const struct team *team)
{
	struct trace_options to = {.threads = asked->threads ? asked->threads : 1, .team = team};
	struct clock_report *r = NULL;
	struct call_log *log;
	struct trace *t;
	struct err e = {0};

	*found = (struct clock_found){0};
	found->loaded = call_log_load(&log, &t, asked->paths, asked->count, &to, asked->job, &e);
	if (found->loaded && !(found->loaded == ERR_DAMAGED && t))
		found->code = found->loaded;
	else
		found->code = clock_report_new(&r, log, &asked->options, asked->job, &e);
	if (!found->code && !team_rank(team))
		found->code = write_report(found, r, &e);
	found->code = team_agree(team, found->code, &e);
	if (found->loaded || found->code)
		memcpy(found->text, e.text, sizeof found->text);
	clock_report_free(r);
	call_log_free(log);
	trace_free(t);
}

void clock_found_release(struct clock_found *found)
{
	free(found->document);
	found->document = NULL;
}

#define MOST 16

struct asking {
	const struct clock_asked *asked;
	struct clock_found found[MOST];
};

static void rank(void *arg, const struct team *team)
{
	struct asking *asking = arg;

	clock_team_report(&asking->found[team->rank], asking->asked, team);
}

static void say_difference(const char *one, const char *other)
{
	size_t line = 0;

	for (size_t i = 0; one[i] && one[i] == other[i]; i++)
		line = one[i] == '\n' ? i + 1 : line;
	diag("%.*s, not %.*s", (int)strcspn(other + line, "\n"), other + line, (int)strcspn(one + line, "\n"), one + line);
}

static bool is_same(const struct clock_found *whole, const struct clock_found *part, uint32_t number)
{
	if (part->loaded != whole->loaded || part->code != whole->code || strcmp(part->text, whole->text) != 0) {
		diag("rank %u: %d, %d %s, not %d, %d %s", number, part->loaded, part->code, part->text, whole->loaded, whole->code, whole->text);
		return false;
	}
	if (!whole->document || number)
		return true;
	if (!strcmp(whole->document, part->document))
		return true;
	say_difference(whole->document, part->document);
	return false;
}

bool clock_team_is_same(const struct clock_asked *asked, uint32_t ranks)
{
	struct asking asking = {.asked = asked};
	struct clock_found whole;
	bool same = true;

	clock_team_report(&whole, asked, NULL);
	if (ranks > MOST || !team_threads_run(ranks, rank, &asking))
		bail_out("no team");
	for (uint32_t r = 0; r < ranks; r++) {
		same = same && is_same(&whole, &asking.found[r], r);
		clock_found_release(&asking.found[r]);
	}
	clock_found_release(&whole);
	return same;
}

void clock_team_same(const struct clock_asked *asked, uint32_t ranks, const char *what)
{
	ok(clock_team_is_same(asked, ranks), "%u ranks of %s", ranks, what);
}

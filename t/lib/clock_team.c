#include "clock_team.h"

#include "core/formats/api/load.h"
#include "core/reports/reports.h"

struct clock_asked clock_asked_of(const char *const *paths, uint32_t count)
{
	return (struct clock_asked){
		.paths = paths, .count = count,
		.options = {.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS, .bins = 7, .medians = true},
	};
}

enum err_code clock_team_report(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	const struct clock_asked *asked = arg;
	struct trace_options to = {.threads = asked->threads ? asked->threads : 1, .team = team};
	struct clock_report *r = NULL;
	struct call_log *log;
	struct trace *t;
	enum err_code code = call_log_load(&log, &t, asked->paths, asked->count, &to, progress, e);

	if (code == ERR_DAMAGED && t) {
		out_printf(said, "%s\n", e->text);
		code = ERR_OK;
	}
	if (!code)
		code = clock_report_new(&r, log, &asked->options, progress, e);
	if (!code && !team_rank(team))
		code = clocks_write(r, said, true, e);
	code = team_agree(team, code, e);
	clock_report_free(r);
	call_log_free(log);
	trace_free(t);
	return code;
}

#include "model.h"

#include "tui/jobs/session.h"

#define BINS 50 /* of violations over time, as many as pas2p clocks has */

struct run_clocks {
	struct made made;
	const struct trace *trace;
	struct clock_report *report;
	struct clock_arrows *arrows;
	struct session *session;
};

static bool clocks_can(const void *from)
{
	return ((const struct model *)from)->recorded != NULL;
}

static void clocks_begin(void *made, const void *from)
{
	struct run_clocks *c = made;

	c->trace = ((const struct model *)from)->recorded;
	c->session = ((const struct model *)from)->session;
}

static enum err_code clocks_make(void *made, const struct progress *progress, struct err *e)
{
	static const struct clock_report_options plain = {
		.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS, .bins = BINS, .medians = true,
	};
	struct run_clocks *c = made;
	const struct call_log *log;
	enum err_code code = session_log(c->session, c->trace, &log, progress, e);

	if (!code)
		code = clock_report_new(&c->report, log, &plain, progress, e);

	return code ? code : clock_arrows_new(&c->arrows, c->report, progress, e);
}

static void clocks_release(void *made)
{
	struct run_clocks *c = made;

	clock_arrows_free(c->arrows);
	clock_report_free(c->report);
}

static const struct derived_kind clocks_kind = {"the clocks", sizeof(struct run_clocks), clocks_can, clocks_begin, NULL, clocks_make, clocks_release};

void run_clocks_update(struct model *m)
{
	derived_update(&m->clocks, &clocks_kind, m->background, m);
}

const struct clock_report *run_clocks_report(const struct model *m)
{
	const struct run_clocks *c = m->clocks.now;

	return c ? c->report : NULL;
}

const struct clock_arrows *run_clocks_arrows(const struct model *m)
{
	const struct run_clocks *c = m->clocks.now;

	return c ? c->arrows : NULL;
}

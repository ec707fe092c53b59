/* A report of parts: what is not there is left out or said to be absent, in both formats, and never 0. And memory that
 * runs out while a page is written is an error, wherever it happens: no crash, nothing lost, and the same page
 * afterwards.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/reports/reports.h"
#include "report/report.h"
#include "tap.h"
#include "xml_check.h"

#define ELEMENTS "html head meta title style body header section h1 h2 h3 p ul li code pre div table thead tbody tr th td dl dt dd b span i " \
	"figure figcaption svg g path rect circle text"
#define ATTRIBUTES "xmlns lang charset http-equiv content name class id style viewBox width height role aria-label transform x y cx cy r d " \
	"text-anchor preserveAspectRatio"

struct made {
	struct trace *trace;
	struct analysis *analysis;
	struct metrics_run run;
	const struct metrics_run *runs[1];
	struct overview_run overview;
	struct diagnosed diagnosed;
	struct diagnosis diagnosis;
	struct metrics_report metrics;
	struct heat_map *map;
};

static void make(struct made *m, const char *path)
{
	static const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	static const struct trace_options options = {.threads = 1};
	const struct diagnosis_settings asked = {.serial = (double)NAN, .bar = 0.8};
	struct heat_from from;
	struct call_log *log;
	struct settings s;
	struct err e = {0};

	*m = (struct made){.runs = {&m->run}};
	settings_init(&s);
	if (trace_load(&m->trace, &path, 1, &options, NULL, &e) || analysis_new(&m->analysis, m->trace, &s, NULL, ANALYSIS_PHASES | ANALYSIS_PATTERNS, NULL, &e) ||
	    call_log_new(&log, m->trace, NULL, &e))
		bail_out("%s: %s", path, e.text);
	metrics_run_init(&m->run, path, log);
	if (metrics_run_make(&m->run, &rules, NULL, &e) ||
	    overview_run_init(&m->overview, m->trace, m->analysis, &m->run, NULL, &e))
		bail_out("%s: %s", path, e.text);
	scaling_fill(&m->run.figures, 1, asked.kind, asked.serial);
	m->diagnosed = (struct diagnosed){.metrics = m->run.metrics, .figures = m->run.figures, .states = &m->run.states, .phases = &m->run.phases,
					  .file = path};
	diagnosis_make(&m->diagnosis, &m->diagnosed, 1, NO_RUN, &asked);
	m->metrics = (struct metrics_report){.serial = (double)NAN, .bar = 0.8, .rules = rules, .run = m->runs, .count = 1, .reference = NO_RUN,
					     .diagnosis = &m->diagnosis};
	from = (struct heat_from){.log = m->run.log, .waits = m->run.metrics->waits, .spans = m->run.spans};
	if (heat_map_new(&m->map, HEAT_PHASE, &from, 4, 40, NULL, &e))
		bail_out("%s: %s", path, e.text);
}

static void release(struct made *m)
{
	heat_map_free(m->map);
	overview_run_release(&m->overview);
	metrics_run_release(&m->run);
	analysis_unref(m->analysis);
	trace_free(m->trace);
}

static char *page_of(const struct report *r, enum report_format format)
{
	struct err e = {0};
	struct out o;

	out_init(&o);
	if (report_write(r, format, &o, &e))
		bail_out("%s", e.text);
	return o.text;
}

static void is_page(const struct report *r, const char *what, const char *has, const char *lacks)
{
	char wrong[XML_WRONG], *html = page_of(r, REPORT_HTML), *md = page_of(r, REPORT_MD);

	ok(xml_check(html, ELEMENTS, ATTRIBUTES, wrong), "%s: the page is well-formed (%s)", what, wrong);
	ok(strstr(html, has) && strstr(md, has), "%s: it says: %s", what, has);
	ok(!strstr(html, lacks) && !strstr(md, lacks), "%s: and nothing of: %s", what, lacks);
	ok(!strstr(html, "nan") && !strstr(md, "nan"), "%s: no number is none", what);
	free(html);
	free(md);
}

static void check_parts(void)
{
	struct made m;
	struct overview o;
	struct report r = {.overview = &o, .title = "parts"};
	struct analysis unnamed;

	make(&m, "sample-traces/cg.S.4.clog2");
	overview_init(&o, &(struct overview_parts){.trace = m.trace});
	is_page(&r, "a trace alone", "The loop structure is unknown.", "Diagnosis");
	overview_init(&o, &(struct overview_parts){.trace = m.trace, .analysis = m.analysis});
	is_page(&r, "with phases", "3 of 6", "Over time</h2><svg");
	is_page(&r, "with names of phases", "73 % of the run time is in pair exchanges, 18 % in transposes, 8 % in broadcast.", "Diagnosis");
	unnamed = *m.analysis;
	unnamed.patterns = NULL;
	unnamed.names = NULL;
	overview_init(&o, &(struct overview_parts){.trace = m.trace, .analysis = &unnamed});
	is_page(&r, "without names", "3 of 6", "pair exchange");
	r.overview = &m.overview.overview;
	r.metrics = &m.metrics;
	r.maps[HEAT_PHASE] = m.map;
	is_page(&r, "with all", "Diagnosis", "unknown.</p>");
	release(&m);
}

static void check_absent(void)
{
	struct made m;
	struct report r = {.title = "without calls"};
	char *md;

	make(&m, "sample-traces/thesis-cg.4.clog2");
	r.overview = &m.overview.overview;
	r.metrics = &m.metrics;
	is_page(&r, "a trace without calls", "Unknown: the trace has no MPI calls", "Efficiency factors");
	md = page_of(&r, REPORT_MD);
	ok(strstr(md, "| parallel efficiency | - |") != NULL, "its efficiency is a dash");
	ok(!strstr(md, "| 0.0 % |") || strstr(md, "| - |"), "and its shares are no 0");
	free(md);
	release(&m);
}

static void check_memory(void)
{
	struct made m;
	struct report r = {.title = "memory"};
	char *whole[2];
	int leaked = 0, succeeded = 0, other = 0;

	make(&m, "sample-traces/lu.S.4.clog2");
	r.overview = &m.overview.overview;
	r.metrics = &m.metrics;
	r.maps[HEAT_PHASE] = m.map;
	for (int f = REPORT_HTML; f <= REPORT_MD; f++) {
		whole[f] = page_of(&r, (enum report_format)f);
		for (int once = 0; once < 2; once++)
			for (long n = 0;; n++) {
				struct err e = {0};
				struct out o;
				enum err_code code;
				long tried;

				out_init(&o);
				if (once)
					mem_fail_once(n);
				else
					mem_fail_after(n);
				code = report_write(&r, (enum report_format)f, &o, &e);
				tried = mem_count();
				succeeded += !code && (!o.text || strcmp(o.text, whole[f]) != 0);
				other += code && (code != ERR_MEMORY || !e.text[0]);
				out_release(&o);
				leaked += mem_live() != 0;
				mem_fail_after(-1);
				if (tried <= n)
					break;
			}
		free(whole[f]);
	}
	is_int(succeeded, 0, "no page lacks something because memory did, and says nothing");
	is_int(other, 0, "the error is that of memory, with a sentence");
	is_int(leaked, 0, "and nothing is lost");
	release(&m);
}

int main(void)
{
	check_parts();
	check_absent();
	check_memory();
	return done_testing();
}

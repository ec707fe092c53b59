/* The report: a run, or several, as one page that can be sent to somebody (docs/how-to/share-and-convert.md):
 * self-contained HTML with inline SVG, or Markdown to be pasted into an issue or a CI summary.
 *
 * What ran, structure, account, hierarchy and diagnosis, phases, heat map, scaling if there are several runs,
 * predictions where results are given, settings and warnings, how to reproduce it. Everything that comes from a trace,
 * a file name or a result is untrusted text: it reaches the page through the escaping of its format only. No script,
 * nothing that is loaded from elsewhere.
 */
#ifndef PAS2P_REPORT_REPORT_H
#define PAS2P_REPORT_REPORT_H

#include "core/models/graph/graph.h"
#include "core/io/out.h"
#include "core/documents/result.h"
#include "core/reports/metrics_report.h"
#include "core/reports/reports.h"
#include "core/metrics/maps/maps.h"

/* ---- graph_page ---- */

/* A program's graph as text for a terminal, or as a picture: the cells of tui/widgets/widgets.h. */

#define GRAPH_PICTURE_ROWS 4000 /* most of a picture */

/* As many columns beside each other as there is room for; the others below them. Errors stick in `out`. */
enum err_code graph_text(const struct graph *g, int width, bool ascii, struct out *out, struct err *e);

/* All columns beside each other. ERR_LIMIT: it were larger than GRAPH_PICTURE_ROWS rows and 100 columns. */
enum err_code graph_svg(const struct graph *g, const char *title, struct out *out, struct err *e);

/* ---- report ---- */

enum report_format { REPORT_HTML, REPORT_MD };

/* Of the run that the report is about; what is NULL is left out. */
struct report {
	const struct overview *overview;          /* with all of its parts */
	const struct metrics_report *metrics;     /* by program: all the runs, and the diagnosis */
	const struct heat_map *maps[HEAT_MEASURES]; /* columns of time */
	const struct result *results;             /* predictions */
	uint32_t result_count;
	const char *const *files;                 /* as given */
	uint32_t file_count;
	const char *application;                  /* the program's name */
	const char *sha256;                       /* of the trace, as results have it; "": not known */
	const char *command;                      /* how to make it again: a line for a shell */
	const char *title;
};

enum err_code report_write(const struct report *r, enum report_format format, struct out *out, struct err *e);

#endif

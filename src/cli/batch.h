/* A batch command: load the trace, analyse it as far as the command wants, let it print, and end with the
 * right exit code. What all commands share lives here; a command is one function that fills a sink.
 */
#ifndef PAS2P_BATCH_H
#define PAS2P_BATCH_H

#include "core/analysis/analysis.h"
#include "core/base/query.h"
#include "core/settings/settings.h"
#include "core/trace/trace.h"
#include "exit.h"
#include "options.h"
#include "progress.h"
#include "sink.h"

struct batch {
	const struct options *options;
	const struct settings *settings;
	const struct job *job;
	struct query *query;        /* of --match; NULL: all rows match */
	struct trace *trace;        /* may be a part, if `damage` is set */
	struct analysis *analysis;  /* NULL where the command wants none */
	struct err damage;          /* what the loader said of a damaged trace; code ERR_OK: nothing */
	struct sink sink;
	enum exit_code finding;     /* set by the command: what to end with where all else is well */
};

/* Print into b->sink. An error is one of reading or analysing; the sink keeps its own. */
typedef enum err_code batch_print(struct batch *b, struct err *e);

batch_print cmd_info, cmd_events, cmd_bbps, cmd_phases, cmd_check;

/* Is what was asked for possible at all, before anything is read? ERR_USAGE if not. */
enum err_code batch_check(const struct options *o, struct err *e);

enum exit_code batch_run(const struct options *o, const struct settings *s);

/* A sentence on stderr, with the program's name in front. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif

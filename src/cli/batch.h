/* A command on a trace: load it, analyse it as far as the command wants, let it print, and end with the right exit
 * code. What all of them share lives here; a command is one function that fills a sink, and its row in commands.def.
 */
#ifndef PAS2P_BATCH_H
#define PAS2P_BATCH_H

#include "core/analysis/analysis.h"
#include "core/settings/settings.h"
#include "core/trace/trace.h"
#include "command.h"
#include "exit.h"
#include "options.h"
#include "sink.h"

struct query;

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

/* Warnings of the trace: hinted at on stderr, unless they are what the command shows. */
enum batch_notes { NOTES_HINTED, NOTES_SHOWN };

/* Of a command that can do whatever its options say. */
batch_check no_check;

command_run batch_run;

#endif

/* A command on a trace: load it, analyse it as far as the command wants, let it print, and end with the right exit
 * code. What all of them share lives here; a command is one function that fills a sink, and its row in commands.def.
 */
#ifndef PAS2P_BATCH_H
#define PAS2P_BATCH_H

#include "core/method/analysis/analysis.h"
#include "core/settings/settings.h"
#include "core/trace/trace.h"
#include "command.h"
#include "exit.h"
#include "options.h"
#include "sink.h"

struct progress_meter;
struct query;

struct batch {
	const struct options *options;
	const struct settings *settings;
	const bool *given;          /* by setting: the command line set it */
	const struct progress *progress;
	struct progress_meter *meter; /* batch's own */
	struct query *query;          /* of --match; NULL: all rows match */
	struct trace *trace;          /* may be a part, if `damage` is set */
	const struct trace *beside;   /* set by a command that compares runs process by process: the next trace is loaded beside it (core/formats/api/load.h) */
	struct analysis *analysis;    /* NULL where the command wants none */
	struct err damage;            /* what the loader said of the first damaged trace; code ERR_OK: nothing */
	struct note_counts notes;     /* of all that were loaded */
	bool loaded;                  /* there was something to show */
	struct sink sink;
	enum exit_code finding;     /* set by the command: what to end with where all else is well */
};

/* Warnings of the trace: hinted at on stderr, unless they are what the command shows. */
enum batch_notes { NOTES_HINTED, NOTES_SHOWN };

/* Load the trace that some files are into b->trace and analyse it as far as `wants` says (enum analysis_want; 0: not at
 * all) into b->analysis. Times are as the setting `clocks` says, where the command heeds it. Damage is remembered and
 * no error. log: NULL, or in the same reading its calls, which are the caller's on ERR_OK. For commands ON_RUNS, which
 * take both from b or have them freed by batch_unload(), before they load the next. */
struct call_log;
enum err_code batch_load(struct batch *b, const char *const *files, uint32_t count, unsigned wants, struct call_log **log,
			 struct err *e);
/* The same of all operands as one trace, with all its records, which are the caller's on ERR_OK. */
struct record_log;
enum err_code batch_load_records(struct batch *b, unsigned wants, struct record_log **log, struct err *e);
/* The same of all operands as one trace, not analysed and as it was recorded, whatever the settings say. */
enum err_code batch_load_clocks(struct batch *b, struct call_log **log, struct err *e);
void batch_unload(struct batch *b);
void batch_prints(struct batch *b); /* what follows are rows: no progress on their terminal */

/* What people read has: ASCII where it was asked for, or is all that the locale has. */
enum text_flags batch_text_flags(const struct options *o);

/* For a command that can do whatever its options say. */
batch_check no_check;

command_run batch_run;

#endif

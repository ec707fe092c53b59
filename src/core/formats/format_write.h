/* Writing a run in a format: a row in writers.def is a writer, `pas2p convert --to NAME`.
 *
 * A writer reads the run from its trace and its record log, one process at a time where the format allows that, and tells what the
 * format cannot hold, with a count. Same input, same bytes.
 */
#ifndef PAS2P_FORMAT_WRITE_H
#define PAS2P_FORMAT_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "convert_output.h"
#include "core/base/err.h"
#include "core/base/job.h"
#include "core/trace/trace.h"
#include "record_log.h"

#define CONVERT_LOSSES 16

/* What the output does not have of the input. */
struct convert_loss {
	const char *what;      /* for ever: "messages without partner" */
	uint64_t count;
};

struct convert_run {
	const struct trace *trace;
	const struct record_log *log;
	struct convert_output *output;
	const struct job *job; /* JOB_WRITE: progress and cancelling */
	double rate;           /* TIT: floating-point operations a second that computing stands for */
	double from, to;       /* Perfetto: the window, seconds from the run's start; to INFINITY */
	uint32_t first_rank, last_rank; /* Perfetto */
	/* The writer's: */
	uint64_t events[3];    /* written: sends, receives, collectives */
	struct convert_loss losses[CONVERT_LOSSES];
	uint32_t loss_count;
};

struct format_writer {
	const char *to;        /* "otf2" */
	const char *what;      /* for help: "OTF2, an archive in a folder" */
	const char *ending;    /* of its file's name: ".prv"; NULL: a folder */
	const char *sign;      /* of a folder: a file that each such one has, "traces.otf2" */
	bool compresses;       /* its file may be compressed */
	enum err_code (*write)(struct convert_run *run, struct err *e);
};

/* The table, in the order of --help: ends with NULL. */
extern const struct format_writer *const format_writers[];

/* Count what is lost: the same `what` adds up; 0 adds no row. Not for several threads at once. */
void convert_lost(struct convert_run *run, const char *what, uint64_t count);

#endif

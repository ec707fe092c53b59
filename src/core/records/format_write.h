/* Writing a run in a format: a row in writers.def is a writer, `pas2p convert --to NAME`.
 *
 * A writer reads the run from its trace and its record log, one process at a time where the format allows that, and
 * tells what the format cannot hold, with a count. Same input, same bytes.
 */
#ifndef PAS2P_CORE_RECORDS_FORMAT_WRITE_H
#define PAS2P_CORE_RECORDS_FORMAT_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "records.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#define CONVERT_LOSSES 16

/* What the output does not have of the input. A writer that has `numbers` counts these two itself. */
#define CONVERT_LOST_REQUESTS "request numbers of nonblocking calls"
#define CONVERT_LOST_GATHERINGS "numbers of calls that are made together"

struct convert_loss {
	const char *what;      /* for ever: "messages without partner" */
	uint64_t count;
};

/* A phase of the run, and from when on it is where a process is. */
struct convert_phase {
	uint32_t weight;
	bool relevant;
};

struct convert_span {
	double from;           /* to where the next one of the process begins, or to the end of the run */
	uint32_t phase;        /* id, from 1; 0: before the first, UINT32_MAX: after the last */
};

/* What an analysis knows of the run, for a writer that takes it. */
struct convert_phases {
	const uint32_t *lt, *tick;     /* per event; UINT32_MAX: it has none */
	const struct convert_phase *phases; /* by id - 1 */
	const struct convert_span *spans;   /* by process and time */
	const uint32_t *first;         /* of each process's spans; process_count + 1 */
};

struct convert_run {
	const struct trace *trace;
	const struct record_log *log;
	struct convert_output *output;
	const struct progress *progress; /* PROGRESS_WRITE: progress and cancelling */
	double rate;                     /* TIT: floating-point operations a second that computing stands for */
	double from, to;                 /* Perfetto: the window, seconds from the run's start; to INFINITY */
	uint32_t first_rank, last_rank; /* Perfetto; the last one may be beyond the run's */
	const uint32_t *lamport; /* TIT: each event's logical time in lamport order (docs/explain/method.md, "Logical time"); UINT32_MAX: it is none */
	const struct convert_phases *phases; /* Perfetto; NULL: nothing is known */
	/* The writer's: */
	uint64_t events[3];    /* written: sends, receives, collectives */
	struct convert_loss losses[CONVERT_LOSSES];
	uint32_t loss_count;
};

/* What only some writers take. */
enum { CONVERT_TAKES_RATE = 1, CONVERT_TAKES_WINDOW = 2, CONVERT_TAKES_PHASES = 4, CONVERT_TAKES_LAMPORT = 8 };

struct format_writer {
	const char *to;        /* "otf2" */
	const char *what;      /* for help: "OTF2, an archive in a folder" */
	const char *ending;    /* of its file's name: ".prv"; NULL: a folder */
	const char *sign;      /* of a folder: a file that each such one has, "traces.otf2" */
	const char *makes;     /* and all that it may hold, with blanks between, # for a number: "traces.otf2 traces" */
	const char *library;   /* that it is written through; NULL: none */
	bool compresses;       /* its file may be compressed */
	bool numbers;          /* it writes what records say by numbers: of requests, of calls that are made together */
	const char *const *companions; /* endings of files that lie beside it, up to a NULL; NULL: none do */
	unsigned takes;        /* of CONVERT_TAKES_ */
	enum err_code (*write)(struct convert_run *run, struct err *e);
};

/* The table, in the order of --help: ends with NULL. */
extern const struct format_writer *const format_writers[];

/* White is the colour of states that have none. */
static inline bool state_has_colour(const char *colour)
{
	return *colour && strcmp(colour, "white") != 0;
}

/* Count what is lost: the same `what` adds up; 0 adds no row. Not for several threads at once. */
void convert_lost(struct convert_run *run, const char *what, uint64_t count);

#endif

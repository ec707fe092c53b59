/* Reading the lines of a Paraver trace: what is to be kept of each thread, packed; all else as counts.
 *
 * The file is cut into parts, which threads read on their own; one that is compressed is one part. What depends on the
 * order of lines (numbers of lines, of messages) is put together afterwards, so that the result does not depend on how
 * many parts there were.
 *
 * With a team each rank reads a stripe of the file, and all come to know of all stripes (prv_scan_team.h) but the
 * threads' records: these go to the ranks of their processes when there are processes (prv_share.h). A compressed file
 * is a stream, which each rank reads from beginning to end, to keep the records of its own processes: then shares are
 * by number of processes.
 */
#ifndef PAS2P_PRV_SCAN_H
#define PAS2P_PRV_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/trace/trace_make.h"
#include "prv_header.h"
#include "prv_pack.h"

#define PRV_NAMES_MOST 65536u  /* calls and functions that are told from each other; and types that are counted */

/* What values of what name; calls' classes are numbered from 0. */
enum prv_class { PRV_FUNCTIONS = 5, PRV_STATES, PRV_TYPES, PRV_CLASSES };

/* Something that has occurred, and will have a name. */
struct prv_seen {
	enum prv_class class;
	uint64_t value;
	uint64_t count;        /* PRV_TYPES only */
};

/* A collective that has a root. */
struct prv_rooted {
	int64_t time;
	uint64_t order;        /* of those of one time */
	uint32_t comm, op;     /* op: as in prv_kinds.h */
	bool root;             /* the process says that it is the root */
};

/* A thread of a process, from 0. */
struct prv_thread {
	uint32_t process;
	int32_t number;
	struct prv_pack raw;
	struct prv_pack states; /* only where there are no events of calls */
	struct prv_pack told;  /* once its records are in order (prv_arrange.h) */
	struct prv_rooted *rooted; /* then also: its collectives of operations that have a root, in order (prv_roots.h) */
	size_t rooted_count, rooted_cap;
};

/* A "c:" line. */
struct prv_comm_line {
	uint32_t app;          /* from 0 */
	uint32_t id;
	uint64_t first;        /* of its members in the scan's list: processes */
	uint32_t size;
};

struct prv_span {
	int64_t first, last;   /* of its records; first > last: it has none */
};

struct prv_scan {
	struct prv_thread *threads; /* by process and number */
	uint32_t thread_count;
	struct prv_span *spans;    /* per process */
	struct prv_seen *seen;     /* by class and value */
	uint32_t seen_count;
	uint32_t seen_first[PRV_CLASSES + 1];
	struct prv_comm_line *comms; /* in the file's order */
	uint32_t comm_count;
	uint32_t *members;
	uint64_t member_count;
	uint64_t records, messages, lines;
	int64_t last;          /* the latest time of all */
	int32_t tag_least, tag_highest;
	bool calls;            /* there are events of calls */
	bool cpu_clock;        /* there are readings */
	bool cut;              /* the last line lacks its end, and cannot be read */
	bool striped;          /* `threads` has what the rank's stripe of the lines says, until prv_share() */
	struct {
		uint64_t messages, lines;
	} before;              /* the rank's stripe */
};

/* What is known of a thread's records, in whichever order. */
struct prv_piece {
	struct prv_thread *thread; /* its packs are empty afterwards */
	uint64_t base;         /* that its messages' numbers count from */
	uint32_t order;        /* among the thread's pieces */
};

/* scan->threads, of which there are none yet, from pieces of them, which are sorted. */
enum err_code prv_scan_threads(struct prv_scan *scan, struct prv_piece *pieces, size_t n, struct err *e);

/* scan->seen in order, each once. */
void prv_scan_order_seen(struct prv_scan *scan);

/* From byte `begin` on, where lines before it were `lines_before`. counter: the type whose readings are to be kept; 0:
 * none. ERR_CANCELLED. Release it also after an error. */
enum err_code prv_scan(struct prv_scan *scan, struct maker *maker, const struct source *source, uint64_t begin,
		       uint64_t lines_before, const struct prv_header *header, uint64_t counter, struct err *e);
void prv_scan_release(struct prv_scan *scan);

#endif

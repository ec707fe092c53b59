/* The trace: one run as flat arrays of events (docs/explain/method.md, "Events").
 *
 * Shape: events are numbered 0 .. event_count-1, process by process; those of process p are
 * [first[p], first[p+1]) in the order in which p made them, so "number within its process" is
 * e - first[p] + 1. Every per-event column is an array of event_count elements (struct of arrays).
 *
 * Processes are numbered from 0 (= world rank if there is one MPI_COMM_WORLD). A process without records is still
 * there, with no events. Times are seconds as the trace's (corrected) clocks say.
 *
 * A trace is immutable once loaded and may be read from any thread. trace_free() frees all of it.
 */
#ifndef PAS2P_CORE_TRACE_TRACE_H
#define PAS2P_CORE_TRACE_TRACE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/mem.h"
#include "notes.h"
#include "core/base/index.h"

/* ---- trace ---- */

/* An event's type, as similarity compares it: kind in the top two bits. EVENT_NONE is "no event".
 *   send to rank K-1:      EVENT_SEND | K         shown ">K-1", in files "+K"
 *   receive from rank K-1: EVENT_RECEIVE | K      shown "<K-1", in files "-K"     (K 0: the rank is unknown, "?")
 *   collective:            EVENT_COLLECTIVE | i   shown "<operation>", in files "C<operation>"; i indexes trace->colls */
typedef uint32_t event_type;
#define EVENT_NONE 0u
#define EVENT_SEND (1u << 30)
#define EVENT_RECEIVE (2u << 30)
#define EVENT_COLLECTIVE (3u << 30)
#define EVENT_KIND(t) ((t) & (3u << 30))
#define EVENT_INDEX(t) ((t) & ((1u << 30) - 1))

#define NO_EVENT UINT32_MAX    /* in match[] */
#define NO_PROCESS UINT32_MAX
#define SIZE_UNKNOWN UINT64_MAX /* what trace_size() says then */

/* In size_code[]: below SIZE_CODE_LARGE the size itself; from there on the number of one in large_sizes[]. So codes are
 * equal, and ordered, as the sizes are. */
#define SIZE_CODE_LARGE (1u << 31)
#define SIZE_CODE_UNKNOWN UINT32_MAX

/* What was done to the clocks of a trace (core/clocks). */
#define TRACE_CLOCKS_LINEAR 1u /* each clock's offset and rate were taken out */
#define TRACE_CLOCKS_CLC 2u    /* the controlled logical clock */

enum compute_source { COMPUTE_FROM_EVENTS, COMPUTE_FROM_STATES, COMPUTE_FROM_GAPS, COMPUTE_FROM_COUNTER };

/* The time of a process by activity, in seconds that add up to its span. Outermost MPI calls count by their kind. */
enum time_kind { TIME_COMPUTE, TIME_SEND, TIME_RECEIVE, TIME_WAIT, TIME_COLLECTIVE, TIME_OTHER_MPI, TIME_TRACER, TIME_KINDS };
const char *time_kind_name(enum time_kind k); /* "compute", "send", "receive", "wait", "collective", "other MPI", "tracer" */

/* A collective type: operation and communicator, interned. */
struct coll_type {
	const char *op;  /* "Allreduce", safe text */
	uint32_t comm;   /* index into comms */
};

struct comm_info {
	int32_t number;         /* what the (first) file that names it calls it */
	uint32_t size;          /* members known */
	uint32_t members;       /* index into comm_members of its first, in rank order */
	const char *kind;       /* "world", "self", "intra", "inter" */
	uint32_t events;        /* messages and collectives on it */
};

/* What our tracer says of the node that a process ran on (docs/internals/tracer.md). */
struct process_node {
	uint32_t processes;      /* of its world, on the node */
	uint32_t processors;     /* that these may use; 0: nothing is known of the node */
	bool first;              /* no process of a lower rank is there */
	double waited;           /* s that the process waited for a processor; negative: not known */
};

struct process {
	uint32_t world;          /* index of its MPI_COMM_WORLD, 0 unless joined */
	int32_t world_rank;
	const char *host;        /* that it ran on, safe text; NULL: not known. The name may be cut (CLOG2: after 20 bytes) */
	struct process_node node;
	uint32_t threads;
	uint64_t records;        /* of this process: no definitions (of communicators neither), clock and end markers */
	double start, end;       /* earliest and latest of them; 0, 0 if none */
	double work_end;         /* latest of them before MPI_Finalize begins, or its beginning; the tracer's own do not count (docs/explain/method.md, "Compute time") */
	double by_kind[TIME_KINDS];
};

/* A kind of state (or solo event) and its total. */
struct state_total {
	const char *name, *colour, *format; /* safe text; never NULL */
	int64_t key;               /* by which its format distinguishes it from other states; the same whenever the file is read */
	bool mpi, solo;
	uint64_t count;            /* complete states, or solo events */
	double inclusive, exclusive; /* seconds over all processes; exclusive of nested states */
};

/* What the program's threads counted: instructions, cache misses. */
struct counter_info {
	const char *name;        /* safe text, "PAPI_TOT_INS"; no two are the same */
	const char *unit;        /* as above; "": none is given */
	uint64_t readings;
};

struct trace_file {
	const char *path;    /* as given */
	char format[16];     /* and version: "CLOG-02.44" */
	const char *packing; /* how it is compressed: "gzip"; NULL: it is not */
	char sha256[65];     /* "" until trace_hash() */
	bool big_endian, finalized;
	uint64_t bytes, blocks, records; /* bytes: of the file as it is */
	uint32_t block_size; /* 0: the format has no blocks, and no byte order */
	/* The digest of a trace that is more files than this one, by its path; NULL: it is this file's. */
	enum err_code (*digest)(const char *path, char hex[65], const struct progress *progress, struct err *e);
};

struct trace {
	struct arena arena;      /* names and small tables */
	struct trace_file *files;
	uint32_t file_count;
	struct notes notes;      /* of reading and relating */
	bool damaged;            /* some part was not readable; what was is here */
	bool partial;            /* loading was cancelled; what was read by then is here */

	struct process *processes;
	uint32_t process_count;
	uint32_t *first;         /* process_count + 1 */
	uint32_t *process_hint;  /* the process of every 64th event: makes trace_process_of() cheap */
	uint32_t event_count;
	uint32_t send_count, receive_count, collective_count; /* of the events */
	uint64_t record_count;

	double *time;            /* when, s: its own record; a collective's call start */
	double *compute;         /* compute time that follows, s; NAN: not known, which only that of a thread's last event can be */
	event_type *type;
	uint32_t *size_code;     /* bytes: ask trace_size() */
	uint32_t *envelope;      /* communicator and tag: ask trace_comm() and trace_tag() */
	int32_t *tag;            /* NULL: an envelope's lowest tag_bits are the tag, less tag_least */
	unsigned tag_bits;
	int32_t tag_least;
	uint32_t *match;         /* the event at the other end, NO_EVENT: lost. Collective: the next member's event
	                            of the same instance, a ring; itself if alone */

	uint64_t *large_sizes;   /* those of 2 GiB and more, ascending, none twice; the same on all ranks of a team */
	uint32_t large_size_count;

	struct coll_type *colls;
	uint32_t coll_count;
	struct comm_info *comms;
	uint32_t comm_count;
	uint32_t *comm_members;  /* processes */
	struct state_total *states;
	uint32_t state_count;

	struct counter_info *counters;
	uint32_t counter_count;

	enum compute_source compute_source;
	uint32_t compute_counter; /* COMPUTE_FROM_COUNTER: index into counters */
	double start, end;       /* earliest and latest record of any process */
	uint64_t lost_sends, lost_receives;
	uint32_t world_count;
	double clock_error;      /* s: the largest of one process's times against the first's, as the tracer measured it; 0: not known */
	double record_cost_low, record_cost_high; /* s: what making a record took, as the tracer measured it; 0: not known */
	unsigned clocks;         /* how times were corrected, before they were written or since: of TRACE_CLOCKS_ */
	struct trace_times *times; /* a reference; instead of those in the files (times.h); NULL: as in the files */
	struct trace_remote *remote; /* what of it is on other ranks of a team (remote.h); NULL: it is whole */
	unsigned threads;            /* how many the analysis of this trace may use; results do not depend on it */
};

/* The same trace with its collectives taken out (`collectives: ignore`): compute times across them add up.
 * Shares nothing with its parent; its match[] and numbers are its own; files, comms, states are not copied (counts 0).
 * Where ranks of a team share it, they all come to this. */
enum err_code trace_without_collectives(struct trace **out, const struct trace *t, struct err *e);

/* SHA-256 of all files (several: of the concatenated digests); needed only by the phase table. */
enum err_code trace_hash(struct trace *t, const struct progress *progress, struct err *e);
/* The same as one digest that is noted nowhere: for a thread that does not own the trace. */
enum err_code trace_digest(const struct trace *t, char hex[65], const struct progress *progress, struct err *e);

void trace_free(struct trace *t); /* NULL is fine */

/* A trace made from nothing, for tests and generators: columns allocated and zero, first[] from counts. */
enum err_code trace_new(struct trace **out, uint32_t process_count, const uint32_t *events_per_process, struct err *e);

/* For who makes a trace: columns for n events, zeroed; t->match is zero, not NO_EVENT; t->tag only where t->tag_bits is
 * 0. ERR_MEMORY without a sentence. */
enum err_code trace_columns_alloc(struct trace *t, size_t n);

/* An event's communicator, index into comms; and its tag, 0 for collectives. */
static inline uint32_t trace_comm(const struct trace *t, uint32_t event)
{
	return t->envelope[event] >> t->tag_bits;
}

static inline int32_t trace_tag(const struct trace *t, uint32_t event)
{
	if (t->tag)
		return t->tag[event];
	return (int32_t)((t->envelope[event] & ((1u << t->tag_bits) - 1)) + (uint32_t)t->tag_least);
}

/* An event's size in bytes, or SIZE_UNKNOWN. */
static inline uint64_t trace_size(const struct trace *t, uint32_t event)
{
	uint32_t code = t->size_code[event];

	if (__builtin_expect(code < SIZE_CODE_LARGE, 1))
		return code;
	return code == SIZE_CODE_UNKNOWN ? SIZE_UNKNOWN : t->large_sizes[code - SIZE_CODE_LARGE];
}

/* False: the tag is outside of the range that its envelopes are for. */
static inline bool trace_keeps_tag(const struct trace *t, int32_t tag)
{
	return !t->tag_bits || !(((uint32_t)tag - (uint32_t)t->tag_least) >> t->tag_bits);
}

/* False: the trace keeps no such tag. */
static inline bool trace_set_envelope(struct trace *t, uint32_t event, uint32_t comm, int32_t tag)
{
	uint32_t low = (uint32_t)tag - (uint32_t)t->tag_least;

	if (t->tag) {
		t->envelope[event] = comm;
		t->tag[event] = tag;
		return true;
	}
	t->envelope[event] = comm << t->tag_bits | low;
	return !(low >> t->tag_bits);
}

static inline double trace_aet(const struct trace *t)
{
	return t->end - t->start;
}

/* Is there a time at all? Without a record of any process start, end, and AET mean nothing. */
bool trace_has_time(const struct trace *t);

/* Run time x processes, s: the 100 % of every share of time (docs/reference/metrics.md, "Time breakdown"). NAN without
 * a time. */
double trace_total_time(const struct trace *t);
/* What of the run time lies before its first and after its last record, s: all of it where it has none. NAN without a
 * time. */
double process_outside(const struct trace *t, uint32_t process);

static inline uint32_t trace_process_of(const struct trace *t, uint32_t event)
{
	uint32_t p = t->process_hint[event >> 6];

	/* Not a `while` with this condition: clang 14 concludes from one that no event is NO_EVENT (it would not end), and
	 * drops the caller's own test for that. */
	for (;; p++)
		if (t->first[p + 1] > event)
			return p;
}

/* Fill process_hint from first[]; whoever changes first[] calls it. */
enum err_code trace_index(struct trace *t, struct err *e);

static inline uint32_t trace_number_of(const struct trace *t, uint32_t process, uint32_t event)
{
	return event - t->first[process] + 1;
}

/* The event that a note on the trace names; NO_EVENT: none, or none that is here. */
static inline uint32_t trace_note_event(const struct trace *t, const struct note *note)
{
	uint32_t p = (uint32_t)note->process;

	return note->event >= 0 && p < t->process_count && (uint64_t)note->event < t->first[p + 1] - t->first[p] ?
		       t->first[p] + (uint32_t)note->event : NO_EVENT;
}

/* For people: ">2", "<0", "Allreduce", "-" for none; at least 12 bytes, longer operations are cut. */
char *trace_type_text(const struct trace *t, event_type type, char *buf, size_t size);
/* In files: "+3", "-1", "CAllreduce", "0" for none; the same. */
char *trace_type_name(const struct trace *t, event_type type, char *buf, size_t size);
const char *trace_kind_name(event_type type);                 /* "send", "receive", "collective" */
const char *compute_source_name(enum compute_source s);       /* in files: "events", "states", "gaps", "counter" */
/* The source of its compute times: the same words, or "counter PAPI_TOT_INS". Returns buf. */
char *trace_compute_name(const struct trace *t, char *buf, size_t size);
const char *trace_clocks_name(unsigned clocks);               /* "linear", "clc", "linear, clc"; "none" */
/* "CLOG-02.44", or "CLOG-02.40, 4 local files" */
char *trace_format_name(const struct trace *t, char *buf, size_t size);

/* ---- crowded_nodes ---- */

/* Nodes where more processes ran than there were processors for, as our tracer tells (docs/internals/tracer.md). */

struct crowded_nodes {
	uint32_t nodes;                  /* of which something is known */
	uint32_t crowded;                /* of them */
	uint32_t processes, processors;  /* of the one with most processes for a processor; 0: none is crowded */
};

struct crowded_nodes crowded_nodes(const struct trace *t);

/* "4 processes shared 2 processors"; "": none did, or not known. Returns text, CROWDED_TEXT bytes. */
#define CROWDED_TEXT 160
char *crowded_nodes_text(const struct crowded_nodes *c, char *text);

/* ---- sizes ---- */

/* Sizes of 2 GiB and more. An event has 32 bits for its size (trace); these are in a table of the trace's.
 *
 *     code = size_code(&table, size);            while events come in, by any thread: for size_code[]
 *     trace_settle_sizes(t, &table, &more, &e);  when all are there: codes are in the order of sizes
 *
 * The table belongs to whoever makes the trace.
 */

struct size_table {
	uint64_t *list;
	uint32_t count;
	size_t cap;
	struct index index;
	pthread_mutex_t lock;
	bool failed;             /* out of memory */
};

void size_table_init(struct size_table *s);
void size_table_release(struct size_table *s);

/* For a size of SIZE_CODE_LARGE or more. */
uint32_t size_code_large(struct size_table *s, uint64_t size);

static inline uint32_t size_code(struct size_table *s, uint64_t size)
{
	return __builtin_expect(size < SIZE_CODE_LARGE, 1) ? (uint32_t)size : size_code_large(s, size);
}

/* Collective. *incredible: the number of events on all ranks whose size cannot be right: large sizes that add up to
 * more than INT64_MAX, as far as they exceed their share of that. Afterwards no sum over events overflows. */
enum err_code trace_settle_sizes(struct trace *t, const struct size_table *s, uint64_t *incredible, struct err *e);

/* For a trace whose size_code[] has codes of another's. */
enum err_code trace_copy_large_sizes(struct trace *to, const struct trace *from, struct err *e);

/* Sharing a trace's processes out among threads, by their events: each part is a range of processes, and of events. */

/* The processes of one of `parts` parts that have about as many events each: from *first up to, not including, *end. */
void trace_part(const struct trace *t, unsigned part, unsigned parts, uint32_t *first, uint32_t *end);

#endif

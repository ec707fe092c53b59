/* Declarations that only the files of src/core/formats/prv use. Each part begins with its own description. */
#ifndef PAS2P_CORE_FORMATS_PRV_PRV_INT_H
#define PAS2P_CORE_FORMATS_PRV_PRV_INT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/trace/make/trace_make.h"
#include "pack.h"
#include "core/formats/api/format.h"
#include "core/trace/mpi_functions.h"
#include "core/base/map.h"
#include "core/base/parallel.h"
#include "core/records/format_write.h"
#include "core/records/records.h"

/* ---- header ---- */

/* The header of a Paraver trace: its first line.
 *
 *     #Paraver (DATE):FTIME[_ns|_us|_ms]:NODES[(CPUS,...)]:APPLICATIONS:TASKS(THREADS:NODE,...)[,COMMUNICATORS][:next application]
 *
 * DATE may hold ':'. Processes are what the lists of tasks have, whatever numbers stand before them: application 1
 * first.
 */

struct prv_task {
	uint64_t threads;
	uint32_t node;         /* from 1; 0: none that can be */
};

struct prv_header {
	uint64_t final_time;   /* FTIME, in units */
	uint64_t latest;       /* what is later is no time of this trace */
	double units;          /* a second has so many */
	struct prv_task *tasks; /* one a process */
	uint32_t task_count;
	uint32_t *first;       /* per application its first process, and the count after the last */
	uint32_t app_count;
};

/* n bytes, without the line's end. ERR_FORMAT: "its header ..."; release it after success alone. */
enum err_code prv_header_parse(struct prv_header *h, const char *text, size_t n, struct err *e);
void prv_header_release(struct prv_header *h);

/* The process of a task of an application, both from 1; NO_PROCESS: there is none. */
uint32_t prv_process(const struct prv_header *h, uint64_t app, uint64_t task);
uint32_t prv_app_of(const struct prv_header *h, uint32_t process); /* from 0 */

/* ---- scan ---- */

/* Reading the lines of a Paraver trace: the needed part of each thread is kept packed, the rest is only counted.
 *
 * The file is cut into parts, which threads read on their own; one that is compressed is one part. What depends on the
 * order of lines (numbers of lines, of messages) is put together afterwards, so that the result does not depend on how
 * many parts there were.
 *
 * With a team each rank reads a stripe of the file, and all come to know of all stripes (scan_team) but the threads'
 * records: these go to the ranks of their processes when there are processes (share). A compressed file is a stream,
 * which each rank reads from beginning to end, to keep the records of its local processes: then shares are by number of
 * processes.
 */

#define PRV_NAMES_MOST 65536u  /* calls and functions that are told from each other; and types that are counted */

/* Values of each name; the classes of calls are numbered from 0. */
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
	uint32_t comm, op;     /* op: as in kinds */
	bool root;             /* the process says that it is the root */
};

/* A thread of a process, from 0. */
struct prv_thread {
	uint32_t process;
	int32_t number;
	struct prv_pack raw;
	struct prv_pack states; /* only if there are no events of calls */
	struct prv_pack recorded; /* once its records are in order (arrange) */
	struct prv_rooted *rooted; /* then also: its collectives of operations that have a root, in order (roots) */
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

/* ---- records ---- */

/* The numbers of Paraver's records that mean something here, and how a thread's records are packed (pack.h). */

/* Event types. Calls: point-to-point, collective, other, one-sided, I/O. */
#define PRV_CALLS 50000001u
#define PRV_CALL_CLASSES 5u
#define PRV_COLLECTIVE_CLASS 1u
#define PRV_ATTRIBUTES 50100001u  /* of a collective: bytes sent, received, 1 at the root, communicator */
#define PRV_ATTRIBUTE_KINDS 4u
#define PRV_FLUSH 40000003u
#define PRV_FUNCTION 60000019u
#define PRV_COUNTERS 42000000u
#define PRV_COUNTER_TYPES 1000000u
#define PRV_CPU_CLOCK 49000001u

#define PRV_NOT_CREATED 2         /* the state of a thread that is not there */

/* What a thread's records are packed as while lines are read, and the numbers that follow. */
enum prv_raw {
	PRV_RAW_BEGIN,                 /* + class: a call begins: its value */
	PRV_RAW_END = PRV_RAW_BEGIN + PRV_CALL_CLASSES, /* + class: one of that class ends */
	PRV_RAW_ATTRIBUTE = PRV_RAW_END + PRV_CALL_CLASSES, /* + which: its value */
	PRV_RAW_FLUSH = PRV_RAW_ATTRIBUTE + PRV_ATTRIBUTE_KINDS, /* 1 begins, 0 ends */
	PRV_RAW_FUNCTION,              /* its value; 0: the innermost one ends */
	PRV_RAW_CPU,                   /* ns */
	PRV_RAW_COUNT,                 /* of the counter that is wanted: its increase */
	PRV_RAW_SEND,                  /* partner + 1, tag, bytes, relation */
	PRV_RAW_RECEIVE,               /* as above, and LOGICAL_RECV less the time */
	PRV_RAW_STATE                  /* state, its length; in a pack of its own */
};

/* And once they are in order. */
enum prv_recorded {
	PRV_RECORD_ENTER,              /* kind */
	PRV_RECORD_COLLECTIVE,         /* as above, of a collective: kind, communicator, bytes, bytes received + 1 or 0, 1 at the root */
	PRV_RECORD_LEAVE,              /* kind */
	PRV_RECORD_LOST_LEAVE,         /* what was never begun: class of names */
	PRV_RECORD_SEND,               /* partner + 1, tag, bytes, relation */
	PRV_RECORD_RECEIVE,
	PRV_RECORD_CPU,
	PRV_RECORD_COUNT
};

/* Is it one of those states of threads that stand for calls where a trace has no events of calls? */
static inline bool prv_state_calls(uint64_t state)
{
	return state < 17 && (1u << state & (0xfu << 3 | 0xfu << 8 | 1u << 13 | 3u << 15));
}

/* ---- names ---- */

/* The files beside a Paraver trace: NAME.pcf names types of events, their values, and states; NAME.row names nodes.
 * They only give names: if they are missing or cannot be read, numbers are used.
 */

struct prv_names;

/* Of the trace at a path, which may end in .gz, .xz or .zst; path NULL: none. Only ERR_MEMORY. */
enum err_code prv_names_load(struct prv_names **out, const char *path, struct err *e);
/* The same from bytes. */
enum err_code prv_names_parse(struct prv_names **out, const char *pcf, size_t pcf_size, const char *row, size_t row_size, struct err *e);
void prv_names_free(struct prv_names *names); /* NULL is fine */
/* The files that prv_names_load() looks for (core/formats/api/format.h). */
void prv_parts(const char *path, format_part *part, void *arg);

/* Which files they are from, for ranks that each read their own. */
struct team_pack;
enum err_code prv_names_facts(const struct prv_names *names, struct team_pack *facts, struct err *e);

/* n bytes of text as it stands there, untrusted; NULL: it has no name. */
const char *prv_name_of_type(const struct prv_names *names, uint64_t type, size_t *n);
const char *prv_name_of_value(const struct prv_names *names, uint64_t type, uint64_t value, size_t *n);
const char *prv_name_of_state(const struct prv_names *names, uint64_t state, size_t *n);
const char *prv_name_of_node(const struct prv_names *names, uint32_t node, size_t *n); /* from 1 */

/* The type whose name is that word: that of a counter, up to a blank ("PAPI_TOT_INS [instructions]"). 0: none. */
uint64_t prv_type_of_name(const struct prv_names *names, const char *name, uint64_t first, uint64_t end);

/* ---- kinds ---- */

/* The names of a Paraver trace's numbers, defined for the maker: calls, functions, states; counters; types of events
 * without a meaning here.
 */

#define PRV_DIRECT 512

struct prv_kind {
	bool collective;
	bool rooted;          /* a collective that has a root */
	uint32_t op;          /* the first kind with the same operation */
	const char *op_name;  /* "Allreduce" */
};

struct prv_kinds {
	struct prv_kind *list; /* by kind */
	uint32_t count;
	const struct prv_scan *scan;
	uint32_t first;        /* the kind of the scan's first name; the others follow in its order */
	uint32_t flush;        /* the tracer's own writing */
	uint32_t others[PRV_STATES]; /* per class of calls, and functions: what is beyond those that are told from each other */
	uint32_t direct[PRV_STATES][PRV_DIRECT]; /* kind + 1 */
	uint32_t counter;      /* the maker's number of the counter that is wanted; MAKE_NO_NUMBER: none */
	uint32_t *counter_of;  /* per name of the scan's types; MAKE_NO_NUMBER: it is no counter */
};

/* The counter whose readings are to be kept, as of prv_scan(). */
uint64_t prv_wanted_counter(const struct maker *maker, const struct prv_names *names);

/* Release them also after an error. */
enum err_code prv_kinds_init(struct prv_kinds *kinds, struct maker *maker, const struct prv_scan *scan, const struct prv_names *names,
			     uint64_t counter, struct err *e);
void prv_kinds_release(struct prv_kinds *kinds);

uint32_t prv_kind_find(const struct prv_kinds *kinds, enum prv_class class, uint64_t value);
static inline uint32_t prv_kind_of(const struct prv_kinds *kinds, enum prv_class class, uint64_t value)
{
	if (__builtin_expect(class < PRV_STATES && value < PRV_DIRECT && kinds->direct[class][value], 1))
		return kinds->direct[class][value] - 1;
	return prv_kind_find(kinds, class, value);
}

/* What is only counted, told by the share that has the first process. */
void prv_kinds_count(const struct prv_kinds *kinds, struct make_share *share);

/* ---- comms ---- */

/* The communicators of a Paraver trace: its "c:" lines, and each application's world, which may have none. */

struct prv_comms {
	struct map *of;        /* (application, number): index + 1 */
	uint32_t *world_of;    /* per application */
	const struct trace *trace;
};

/* Tells the maker processes, worlds and communicators. Release them also after an error. */
enum err_code prv_comms_init(struct prv_comms *comms, struct maker *maker, const struct prv_header *header,
			     const struct prv_scan *scan, struct err *e);
void prv_comms_release(struct prv_comms *comms);

/* That of a number; false: no line describes it, and *comm is the application's world. */
static inline bool prv_comm_find(const struct prv_comms *comms, uint32_t app, uint64_t number, uint32_t *comm)
{
	uint32_t at = map_get(comms->of, app, number);

	*comm = at ? at - 1 : comms->world_of[app];
	return at;
}

/* ---- arrange ---- */

/* Ordering the records of a thread, and interpreting them: calls with their content, collectives with their attributes.
 *
 * Within a thread records come by time, those of one instant as in the file; messages lie in calls: a send in the last
 * outermost call that began at or before it, a receive in the first one that ends at or after it (else the last that
 * began before it), if that call contains the instant, ends included. Within a call the collective comes first, then
 * messages by (time, sends before receives, for receives LOGICAL_RECV, line).
 */

struct prv_arranged {
	const struct prv_header *header;
	const struct prv_kinds *kinds;
	const struct prv_comms *comms;
	struct prv_scan *scan;
	uint64_t *most;        /* per process: its events */
	struct map *colls;     /* (operation's kind, communicator): 1, then the maker's number + 1 */
	uint64_t unknown_comms; /* collectives on communicators that no line describes */
	uint64_t unknown_comm;  /* the lowest of those */
};

/* For all threads of the scan: `raw` becomes `recorded`. With a team it is a collective step, and `most` and `colls`
 * cover all processes. Release it also after an error. */
enum err_code prv_arrange(struct prv_arranged *all, struct maker *maker, struct err *e);
void prv_arranged_release(struct prv_arranged *all);

/* ---- lines ---- */

/* The lines of a Paraver trace as numbers: fields separated by ':', read in blocks from a range of a source.
 *
 *     prv_lines_init(&lines, source, begin, end);
 *     while ((got = prv_lines_next(&lines, &e)) != PRV_END) ...
 *     prv_lines_release(&lines);
 *
 * A line is of the range in which its first byte lies, so ranges that meet give each line once. Empty lines and
 * comments ('#') are passed over; any other line is told whole or as a bad one. Lines end with LF or CRLF. The hole in
 * which a sparse file ends is no line.
 */

#define PRV_LINE_MOST (16u << 20) /* bytes; what is longer is no line */
#define PRV_WHOLE_FILE UINT64_MAX

struct source;

enum prv_got {
	PRV_LINE,
	PRV_BAD_LINE,  /* of no known first field, or not numbers: why, bad_at */
	PRV_ZEROS,     /* the same: it was never written */
	PRV_HUGE,      /* the same: a number of 2^63 or more */
	PRV_END,
	PRV_FAILED     /* *e says why */
};

struct prv_lines {
	char kind;            /* the first field: '1', '2', '3', 'c', 'i' */
	const uint64_t *field; /* what follows it */
	size_t n;
	uint64_t number;      /* of the line, from 1 at the range's first */
	uint64_t offset;      /* of its first byte in the source */
	uint64_t bad_at;      /* PRV_BAD_LINE: the byte in the source */
	const char *why;      /* for ever: "an empty field" */
	bool cut;             /* the source's last line, and its end is missing */
	uint64_t done;        /* bytes of the range that were read */
	/* its own: */
	const struct source *source;
	uint64_t at, end;     /* the next byte to be read; where the range ends */
	uint64_t buffer_at;   /* the buffer's first byte in the source */
	char *buffer;
	size_t cap, have;     /* bytes it can hold, and has */
	size_t pos, whole;    /* the next line; whole lines end here */
	uint64_t *fields;
	size_t field_cap;
	bool source_ended, begun;
};

enum err_code prv_lines_init(struct prv_lines *lines, const struct source *source, uint64_t begin, uint64_t end, struct err *e);
void prv_lines_release(struct prv_lines *lines);

enum prv_got prv_lines_next(struct prv_lines *lines, struct err *e);

/* The first line as it is, without its end: of *n bytes, valid until the next call. NULL: it is too long, or cannot be
 * read. */
const char *prv_lines_text(struct prv_lines *lines, size_t *n, struct err *e);

/* ---- part ---- */

/* One part of a trace's lines, read on one thread (scan puts the parts together). */

#define PRV_TYPE_SLOTS 256
#define PRV_VALUES_DIRECT 512

/* Something that is odd, for a note once the numbers of lines are known. */
struct prv_odd {
	enum note_kind kind;
	uint32_t process;
	uint64_t line, byte;   /* of the part's lines, from 1 */
	const char *what;      /* for ever */
	uint64_t value;        /* which `what` is about; PRV_NO_VALUE: none */
};
#define PRV_NO_VALUE UINT64_MAX

/* All parts share it. */
struct prv_shared {
	const struct prv_header *header;
	uint64_t counter;      /* as of prv_scan() */
	uint64_t size;         /* the file's bytes, for progress */
	const struct source *source;
	uint32_t local_begin, local_end; /* the processes whose records are kept */
	atomic_bool calls;     /* some part has met an event of a call: states are not kept any more */
	struct parallel_stop stop;
};

struct prv_part {
	struct prv_shared *shared;
	unsigned number;
	struct prv_lines lines;
	struct prv_thread *threads; /* as they come */
	uint32_t thread_count;
	size_t thread_cap;
	uint32_t *main_of;     /* per process its first thread: index + 1 */
	struct map *others_of; /* (process, thread): likewise */
	struct prv_span *spans; /* per process */
	uint64_t last_app, last_task, last_thread; /* of the line before; 0: none */
	uint32_t last_process, last_at;
	bool last_bad_thread;
	struct prv_seen *types; /* counted */
	uint32_t type_count;
	size_t type_cap;
	struct map *type_of;   /* index + 1 */
	struct { uint64_t type; uint32_t at; } slots[PRV_TYPE_SLOTS];
	uint8_t direct[PRV_STATES][PRV_VALUES_DIRECT]; /* values of calls and functions that occur */
	struct map *values;    /* and larger ones */
	uint64_t last_function;
	struct prv_comm_line *comms;
	uint32_t comm_count;
	size_t comm_cap;
	uint32_t *members;
	uint64_t member_count;
	size_t member_cap;
	uint64_t records, messages;
	int64_t last;
	uint64_t tag_highest;
	bool calls, cpu_clock, cut;
	struct prv_odd *odd;
	uint32_t odd_count;
	size_t odd_cap;
	uint64_t odd_counts[NOTE_KIND_COUNT];
	uint64_t line_count;
	bool failed;           /* out of memory */
	enum err_code code;
	struct err err;
};

/* Of the bytes from begin up to end. Release it also after an error. */
enum err_code prv_part_init(struct prv_part *part, struct prv_shared *shared, unsigned number, uint64_t begin, uint64_t end, struct err *e);
void prv_part_release(struct prv_part *part);

/* All of its lines; part->code says how that went. */
void prv_part_read(struct prv_part *part);

/* ---- roots ---- */

/* Who is the root of a collective. Only the root's own record says so (50100003), so the others learn it from its
 * place: each member of a communicator makes the same operations of it in the same order, and the k-th of one is the
 * k-th of all.
 */

/* The k-th of an operation, from 0, of a communicator. */
struct prv_root {
	uint32_t comm, op;     /* of kinds */
	uint32_t number;
	uint32_t process;      /* NO_PROCESS: several say that it is them */
};

struct prv_roots {
	struct prv_root *list; /* by communicator, operation and number; of those without a root there is none */
	size_t count;
};

/* Of what threads have as `rooted`, which is freed. Notes what members do not agree on. With a team it is a collective
 * step, over all processes. Release it also after an error. */
enum err_code prv_roots_find(struct prv_roots *roots, const struct prv_arranged *all, struct maker *maker, struct err *e);
void prv_roots_release(struct prv_roots *roots);

/* NO_PROCESS: it is not known. */
uint32_t prv_root_of(const struct prv_roots *roots, uint32_t comm, uint32_t op, uint32_t number);

/* ---- scan_team ---- */

/* A scan by a team (scan): the results of each rank's stripe of the lines are combined for all ranks. Collective steps,
 * in this order. */

/* Before stripes are cut. ERR_IO: the ranks do not have one file before them, for it is being changed. */
enum err_code prv_scan_same(const struct prv_header *header, const struct source *source, struct maker *maker, struct err *e);

/* All of the scan but its threads becomes that of all lines; scan->before is known. */
enum err_code prv_scan_gather(struct prv_scan *scan, struct maker *maker, uint32_t processes, struct err *e);

/* `found` by each rank in its stripe goes to the notes of all, in the order of the lines. */
enum err_code prv_scan_notes(struct notes *notes, const struct notes *found, struct maker *maker, struct err *e);

/* ---- share ---- */

/* The records of a team's stripes go to the ranks of their processes (scan). */

/* When the maker knows the processes and the scan all but the threads: make_owners(), by what the records take, and
 * then scan->threads are those of the rank's local processes. A collective step; without a team nothing is to be
 * done. */
enum err_code prv_share(struct prv_scan *scan, struct maker *maker, struct err *e);

/* 1 for each process: what a stream's shares are by. mem_free() it; NULL: no memory. */
uint64_t *prv_alike(uint32_t processes);

/* ---- make_records ---- */

/* Telling the maker the records of a Paraver trace, once they are in order (arrange). */

struct prv_recording {
	const struct prv_header *header;
	const struct prv_scan *scan;
	const struct prv_kinds *kinds;
	const struct prv_comms *comms;
	const struct prv_arranged *all;
	const struct prv_roots *roots;
	uint64_t bytes;        /* the file's, for progress */
};

/* make_events(). */
enum err_code prv_record(const struct prv_recording *to, struct maker *maker, struct err *e);

/* ---- thread ---- */

/* One thread's records, in order (arrange does all threads). */

/* A record that is no message. */
struct prv_said {
	int64_t time;
	uint64_t what;         /* enum prv_raw in the lowest byte, its value above */
};

/* One end of a message. */
struct prv_end {
	int64_t time, logical; /* logical: of a receive */
	uint64_t place;        /* 2 c + 1 in call c, 2 c in the gap before it */
	uint64_t size;
	uint32_t relation, partner, tag;
	bool receive;
};

/* An outermost call. */
struct prv_call {
	int64_t begin, end;    /* end INT64_MAX: it never ends */
};

/* A call, or a function, that is open. */
struct prv_open {
	uint32_t class, kind;
};

/* Room that a worker uses for one thread after the other. */
struct prv_room {
	const struct prv_arranged *all;
	struct prv_said *said, *spare;
	size_t said_count, said_cap, spare_cap;
	struct prv_end *ends;
	size_t end_count, end_cap;
	struct prv_call *calls;
	size_t call_count, call_cap;
	struct prv_open *open, *functions;
	size_t depth, open_cap, function_depth, function_cap;
	struct map *colls;     /* (operation's kind, communicator) that occur */
	uint64_t unknown_comms, unknown_comm;
};

void prv_room_release(struct prv_room *room);

/* False: no memory. *most: how many events it has. */
bool prv_thread_arrange(struct prv_room *room, struct prv_thread *thread, uint64_t *most);

/* ---- write ---- */

/* Writing a run for Paraver: what the parts of the writer share.
 *
 * One stream for each thread of a process makes its lines in order of time; they are merged by (time, sort of line,
 * process, thread). A message is one line, at its send, with the time of its receive: so all streams are walked through
 * twice, first for the times of receives.
 *
 * Times are ns since the run's first record, and rise strictly within a thread: then what came first at one instant
 * still does.
 */

/* Types of events, beside those above. */
enum {
	PRV_POINT_TO_POINT = 50000001,
	PRV_COLLECTIVE = 50000002,
	PRV_OTHER = 50000003,
	PRV_ONE_SIDED = 50000004,
	PRV_FILE = 50000005,
	PRV_BYTES_SENT = 50100001,
	PRV_BYTES_RECEIVED = 50100002,
	PRV_ROOT = 50100003,
	PRV_COMMUNICATOR = 50100004,
	PRV_USER = 60000019
};

/* States. */
enum { PRV_RUNNING = 1, PRV_IN_CALL = 15 };

/* An event of a state that begins: its type and value. */
struct prv_value {
	uint32_t type, value;
};

struct prv_write_names {
	const struct record_state *states;
	uint32_t state_count;
	struct prv_value *of_state;  /* of the user's: PRV_USER; of calls; of the tracer's writing: PRV_FLUSH */
	struct prv_value *of_coll;   /* of collective types: of the call that would make them */
};

enum err_code prv_write_names_init(struct prv_write_names *names, const struct trace *t, const struct record_log *log, struct err *e);
void prv_write_names_release(struct prv_write_names *names);
/* The companion that says what numbers mean. */
void prv_write_names_write(const struct prv_write_names *names, const struct trace *t, struct convert_file *file);

/* In which order lines of one instant stand. */
enum prv_order { PRV_LINE_ENDS, PRV_LINE_STATE, PRV_LINE_BEGINS, PRV_LINE_MESSAGE };

struct prv_line {
	uint64_t time;
	enum prv_order order;
	struct prv_value value;      /* ends, begins: the event; states: its value, type 0 */
	uint64_t until;              /* of a state; PRV_OPEN: not known yet */
	uint64_t amount;             /* of PRV_CPU_CLOCK: instead of the value */
	uint32_t event;              /* of a message, of a collective's begin; otherwise NO_EVENT */
	uint32_t root;
	uint64_t received;
};
#define PRV_OPEN UINT64_MAX

struct prv_writing;

struct prv_stream {
	struct prv_writing *writing;
	struct nested_walk walk;
	uint32_t task, thread;       /* from 1 */
	bool measures;               /* the first time: no lines are made */
	struct prv_line *lines;      /* from line_next on; those behind an open state are not to be written yet */
	size_t line_next, line_count, line_cap;
	size_t state;                /* the open one, an index in lines; NO_LINE: none */
	size_t begin;                /* that of the open call; NO_LINE: it has been written */
	struct prv_value open;       /* its event */
	uint32_t calls;              /* open ones */
	bool any;                    /* a point has a time */
	uint64_t last, seen;         /* the last point; the last record */
	bool started, done, failed;
};
#define PRV_NO_LINE SIZE_MAX

enum err_code prv_stream_init(struct prv_stream *stream, struct prv_writing *writing, uint32_t thread, bool measures, struct err *e);
void prv_stream_release(struct prv_stream *stream);
/* The next line of the thread, valid until the next call; NULL: there is none, or stream->walk.err, or `failed`: no
 * memory. */
const struct prv_line *prv_stream_peek(struct prv_stream *stream);
void prv_stream_take(struct prv_stream *stream);

struct prv_writing {
	struct convert_run *run;
	struct nested_threads threads;
	uint32_t *thread_number;     /* of each of them within its process, from 1 */
	struct prv_write_names names;
	uint64_t *received_at;       /* per event: of receives */
	uint32_t *received_by;       /* as above, thread numbers; NULL: all are 1 */
	uint64_t last;               /* the latest time */
	uint32_t world;              /* the communicator that messages are on when they are read; UINT32_MAX: none */
	uint64_t done;               /* steps */
	/* counted in the first walk */
	uint64_t moved, nested, unwritten, partnerless, unknown_sizes, elsewhere, merged;
};

#endif

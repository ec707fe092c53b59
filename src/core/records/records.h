/* Every record of a trace once more, in order and well nested, for those who write another format; and where they
 * write it. format_write.h is what a writer is. The output parts are made in core/formats, which knows the formats.
 */
#ifndef PAS2P_CORE_RECORDS_RECORDS_H
#define PAS2P_CORE_RECORDS_RECORDS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/io/out_file.h"
#include "core/formats/api/api.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

/* ---- convert_output ---- */

/* Where a run in another format is written to: one file, a file with companions beside it, or a folder with files in
 * it. All of it appears, or nothing: files are written beside their names and renamed, a folder is made as
 * NAME.partial-N and renamed. A name that is there is refused unless it may be replaced; what is replaced stays until
 * the new one is whole. A folder is replaced only if it is one that a conversion made, and a name that is a link stays
 * one. For a file with companions the old one goes before a companion is replaced, and the new one comes last: a kill
 * between leaves companions alone, and the old file as NAME.(digits).old. A file whose name ends in .gz, .xz or .zst is
 * compressed, deterministically (no time, no name within). The name - is standard output, for a format of one file.
 *
 *     convert_output_new(&o, "lu.prv", &prv_writer, false, progress, &e);  nothing is there yet
 *     convert_output_begin(o, &e);
 *     convert_file_open(&file, o, "", &e); ... convert_file_close(file, &e);
 *     convert_output_commit(o, &e);
 *     convert_output_free(o);
 */

struct convert_output;
struct convert_file;
struct format_writer;
struct progress;

/* Can it be written there? ERR_IO: no, or it is there already. ERR_USAGE: this format, or build, does not compress
 * so. */
enum err_code convert_output_new(struct convert_output **out, const char *path, const struct format_writer *writer, bool replace,
				 const struct progress *progress, struct err *e);
/* ERR_USAGE: the file, a companion or the folder would replace what is read (inputs.h). */
enum err_code convert_output_refuse(const struct convert_output *o, const char *const *inputs, uint32_t count, struct err *e);
/* Before the first file. */
enum err_code convert_output_begin(struct convert_output *o, struct err *e);
/* All files are closed: they get their names. */
enum err_code convert_output_commit(struct convert_output *o, struct err *e);
void convert_output_free(struct convert_output *o); /* what was not committed is gone; NULL is fine */

/* The folder that is being filled, for a library that writes by itself. */
const char *convert_output_folder(const struct convert_output *o);

/* As given, safe for sentences. */
const char *convert_output_shown(const struct convert_output *o);

/* One more file. `name`: within the folder ("rank-3.txt"); otherwise "" for the file itself, or the ending of a
 * companion (".pcf"), which has the file's name with that ending instead of its own. Companions are not compressed.
 * Several may be open at once; all are closed by who opened them, also after errors. */
enum err_code convert_file_open(struct convert_file **file, struct convert_output *o, const char *name, struct err *e);
/* Errors stick: after the first one nothing is written, and closing says it. */
void convert_file_write(struct convert_file *file, const void *bytes, size_t n);
void convert_file_printf(struct convert_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An error was met; so that who writes much can stop. */
bool convert_file_failed(const struct convert_file *file);
/* For who writes by descriptor, from byte 0 on, and seeks (the CLOG2 writer): instead of the above. -1: closing says
 * why. */
int convert_file_descriptor(struct convert_file *file);
enum err_code convert_file_close(struct convert_file *file, struct err *e); /* NULL is fine */

/* Of what was written, as it lies on the disk. Valid after the commit. */
uint32_t convert_output_files(const struct convert_output *o);
uint64_t convert_output_bytes(const struct convert_output *o);

/* ---- convert_output_parts ---- */

/* What convert_output.c, where files get their names, and convert_file.c, where they are written, share. */

#define CONVERT_BUFFER ((size_t)65536)

struct convert_file {
	struct convert_output *output;
	char name[64];               /* within the folder, or what it is a companion by */
	struct out_file *file;       /* not in a folder: it gets its name at the commit */
	int fd;                      /* in a folder */
	int scratch;                 /* written by descriptor, to be copied; -1 */
	struct packer *packer;
	size_t used;
	struct err err;
	uint8_t bytes[];             /* CONVERT_BUFFER */
};

struct convert_output {
	char path[PATH_MAX];         /* as given, without slashes at the end */
	char shown[300];
	char target[PATH_MAX];       /* a folder's: links followed */
	char partial[PATH_MAX];      /* the folder that is being filled; "": there is none */
	int fd;                      /* open on it */
	bool folder, replace;
	const char *sign, *makes;
	const char *const *companions; /* NULL: none */
	size_t stem;                 /* of the path: what companions have in common */
	enum packing packing;
	const struct progress *progress;
	struct out_file *done[4];    /* the closed files, which wait for their names: the file itself first */
	uint32_t done_count;
	uint32_t files;
	uint64_t bytes;
};

/* ERR_IO: "cannot write PATH: why", or what errno says. */
enum err_code convert_refuse(const char *path, const char *why, struct err *e);
enum err_code convert_failed(const char *path, int error, struct err *e);
/* Devices and pipes are written to; nothing of them is replaced. */
enum err_code convert_look_at_file(const struct convert_output *o, const char *path, struct err *e);
/* The path of the file itself (""), or of a companion by its ending. False: it is too long. */
bool convert_name_file(const struct convert_output *o, const char *ending, char path[PATH_MAX]);

/* ---- record_log ---- */

/* The record log: every record of a run, process by process in the order in which each made them, for who writes the
 * run in another format. What an event is (partner, size, tag, communicator, match) is in the trace; the log has what
 * the trace does not keep: all calls and user states, CPU samples, and the numbers by which operations complete and collectives belong together.
 *
 *     record_log_load(&log, &trace, paths, count, &options, progress, &e);  with the trace, in one reading
 *     record_cursor_init(&c, log, process);  while (record_cursor_next(&c, &record)) ...  record_cursor_release(&c);
 *     record_log_free(log);
 *
 * Several cursors may be open at once, one per process: who merges processes opens all. Each needs a buffer of
 * RECORD_CHUNK bytes.
 *
 * Memory: records are packed, some 8 bytes each, and kept in memory up to a budget; what is beyond goes to a file
 * without a name in $TMPDIR. Immutable once made; the trace must outlive it.
 */

#define RECORD_CHUNK 16384

enum record_kind {
	RECORD_ENTER,          /* a state begins: an MPI call, a user state, the tracer's writing */
	RECORD_LEAVE,          /* the topmost one of that kind ends; starts without ends and ends without starts occur */
	RECORD_EVENT,          /* an event of the trace; a collective right after the RECORD_ENTER of its call, at the same time */
	RECORD_CPU_SAMPLE,     /* the CPU clock of the thread shows `seconds` */
	RECORD_OTHER           /* something else that only start, end and count of records follow from */
};

/* What a record says by numbers (docs/internals/tracer.md, "Request numbers" and "Joint calls"): the
 * start of a call, or the collective that it is; the start of the state around a message; a RECORD_OTHER. */
enum {
	RECORD_BEGINS = 8,     /* `count` requests begin here, from `request` on; request 0: none, but it would say */
	RECORD_COMPLETES = 16, /* `request` completes here */
	RECORD_GATHERS = 32,   /* it is the call `number` of those that all members of `comm` make together */
	RECORD_NEIGHBOUR = 64  /* the process receives from `number`, NO_PROCESS: nobody, in neighbourhood collectives on `comm` */
};

/* What a state is. */
struct record_state {
	const char *name, *colour; /* safe text; "MPI_Send" */
	bool mpi, tracer;
	enum time_kind time;       /* of a call: the activity that its time counts as */
	unsigned says;             /* RECORD_BEGINS and others that its starts have */
};

struct record {
	enum record_kind kind;
	int32_t thread;
	double time;           /* s, as the trace has times: exactly that of its event; where a clock steps back, it does */
	uint32_t state;        /* enter, leave: index of the log's states, of which each occurs */
	uint32_t event;        /* of the trace */
	uint32_t root;         /* of a collective: a process; NO_PROCESS: it has none, or it is not known */
	uint64_t received;     /* of a collective: bytes that the process got; UINT64_MAX: not known */
	bool empty;            /* of a collective: it is recorded that the process gave nothing; a size of 0 without that is not known */
	double seconds;        /* of a reading; only those that are of use where the trace's compute times come from them */
	unsigned says;         /* RECORD_BEGINS and others; what follows goes with them */
	uint32_t request, count, comm, number;
};

struct record_log;
struct record_pack;
struct record_store;
struct source;
struct thread_list;
struct trace_options;

/* As call_log_load() (core/metrics/calls/log.h): what trace_load() gives, and says, and the log where that is
 * ERR_OK, or ERR_DAMAGED with a trace. ERR_IO also: $TMPDIR is full. `budget`: bytes of records that are kept in
 * memory; 0: as many as is usual. */
enum err_code record_log_load(struct record_log **out, struct trace **trace, const char *const *paths, uint32_t count,
			      const struct trace_options *o, uint64_t budget, const struct progress *progress, struct err *e);
enum err_code record_log_load_sources(struct record_log **out, struct trace **trace, const struct source *sources, uint32_t count,
				      const struct trace_options *o, uint64_t budget, const struct progress *progress, struct err *e);
void record_log_free(struct record_log *log); /* NULL is fine */

/* Before the first cursor: no collective is an event any more. Their calls stay, as those of collectives of one process
 * do. */
void record_log_ignore_collectives(struct record_log *log);

const struct record_state *record_log_states(const struct record_log *log, uint32_t *count);
/* Some record has the root of a collective, or says that its process gave nothing. */
bool record_log_has_collectives(const struct record_log *log);
/* Nonblocking calls whose request has a number in the trace, by which the call that completes it is known. */
uint64_t record_log_requests(const struct record_log *log);
/* Calls that the members of a communicator make together, by their numbers. */
uint64_t record_log_gatherings(const struct record_log *log);
/* RECORD_BEGINS and others that some RECORD_OTHER says. */
unsigned record_log_others_say(const struct record_log *log);

struct record_cursor {
	const struct record_log *log;
	uint32_t process;
	const struct record_pack *pack; /* where the records are */
	const struct record_store *store;
	struct record_reading *reading; /* the cursor's own */
	struct err err;        /* of reading the file back: the cursor ends, and this says why */
};

enum err_code record_cursor_init(struct record_cursor *cursor, const struct record_log *log, uint32_t process, struct err *e);
/* Of records that were taken out of the process's (record_log_split()). */
enum err_code record_cursor_init_pack(struct record_cursor *cursor, const struct record_log *log, uint32_t process, const struct record_pack *pack,
				      const struct record_store *store, struct err *e);
bool record_cursor_next(struct record_cursor *cursor, struct record *record);
void record_cursor_release(struct record_cursor *cursor);

/* A process's records once more, in `store`, thread by thread, so that who wants one thread's does not read all: for
 * each thread that has some a struct record_pack in `threads`, which is the caller's to free, also after an error.
 * ERR_CANCELLED, ERR_IO, ERR_MEMORY. */
enum err_code record_log_split(const struct record_log *log, uint32_t process, struct record_store *store, struct thread_list *threads,
			       const struct progress *progress, struct err *e);
uint64_t record_log_budget(const struct record_log *log); /* bytes that it keeps in memory */

/* ---- nested_walk ---- */

/* A walk: what one thread of a process did, well nested, for writers of formats that have calls as a stack.
 *
 * The record log (record_log) has starts and ends of states as they were recorded: ends may be missing, starts too,
 * and user states may overlap calls and each other. In a walk every end is that of the innermost open state, and every
 * state ends:
 *
 * - what is open within a call that ends is ended with it; a user state that was open there and ends later begins once
 *   more after the call;
 * - a user state that ends below another state ends with that one;
 * - what never ends does so at the thread's last record;
 * - an end without a start is left out.
 *
 * Calls (of MPI, and the tracer's writes) so begin and end when they did. Times do not fall. All else comes as it is in
 * the log.
 *
 *     nested_threads_list(&threads, log, trace, progress, &e);
 *     nested_walk_init(&walk, log, &threads, i, &e);  while (nested_walk_next(&walk, &step)) ...
 *     walk.err.code: why it ended early, if it did;  nested_walk_release(&walk);
 */

struct nested_thread {
	uint32_t process;
	int32_t thread;
	struct record_pack *pack; /* its records; NULL: the process has no other, and they are the process's */
};

/* All threads that have records, by process and thread number; of a process without records one with the number 0. */
struct nested_threads {
	struct nested_thread *list;
	uint32_t count;
	size_t cap;
	struct record_store *store; /* of the packs; NULL: there are none */
};

enum err_code nested_threads_list(struct nested_threads *threads, const struct record_log *log, const struct trace *t,
				  const struct progress *progress, struct err *e);
void nested_threads_release(struct nested_threads *threads);

struct nested_frame {
	uint32_t state;
	bool ended;            /* by its record, below another state */
};

/* What was not as it should be. */
struct nested_odd {
	uint64_t stray;        /* ends without starts */
	uint64_t open;         /* calls without ends */
	uint64_t moved;        /* ends of user states that were put elsewhere, and user states that were begun once more */
	uint64_t lifted;       /* records earlier than the one before them */
};

struct nested_walk {
	struct record_cursor cursor;
	int32_t thread;
	const struct record_state *states;
	uint32_t state_count;
	struct nested_frame *stack;
	size_t depth, depth_cap;
	struct record *steps;  /* to be told next */
	size_t step_count, step_cap, step_next;
	double last;
	bool begun, done;
	struct nested_odd odd;
	struct err err;
};

enum err_code nested_walk_init(struct nested_walk *walk, const struct record_log *log, const struct nested_threads *threads, uint32_t i,
			       struct err *e);
bool nested_walk_next(struct nested_walk *walk, struct record *step);
void nested_walk_release(struct nested_walk *walk);

/* Is a state a call, not one of the user's? */
static inline bool nested_is_call(const struct record_state *state)
{
	return state->mpi || state->tracer;
}

#endif

/* Writing a run for Paraver: what the parts of the writer share.
 *
 * One stream for each thread of a process makes its lines in order of time; they are merged by (time, sort of line,
 * process, thread). A message is one line, at its send, with the time of its receive: so all streams are walked through
 * twice, first for the times of receives.
 *
 * Times are ns since the run's first record, and rise strictly within a thread: then what came first at one instant
 * still does.
 */
#ifndef PAS2P_CORE_FORMATS_PRV_PRV_INT2_H
#define PAS2P_CORE_FORMATS_PRV_PRV_INT2_H

#include "core/records/format_write.h"
#include "core/records/records.h"

/* Types of events. */
enum {
	PRV_FLUSH = 40000003,
	PRV_CPU_TIME = 49000001,
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
enum prv_order { PRV_ENDS, PRV_STATES, PRV_BEGINS, PRV_MESSAGES };

struct prv_line {
	uint64_t time;
	enum prv_order order;
	struct prv_value value;      /* ends, begins: the event; states: its value, type 0 */
	uint64_t until;              /* of a state; PRV_OPEN: not known yet */
	uint64_t amount;             /* of PRV_CPU_TIME: instead of the value */
	uint32_t event;              /* of a message, of a collective's begin; else NO_EVENT */
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
	uint64_t state_from;
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
	uint32_t *received_by;       /* likewise, thread numbers; NULL: all are 1 */
	uint64_t last;               /* the latest time */
	uint32_t world;              /* the communicator that messages are on when they are read; UINT32_MAX: none */
	uint64_t done;               /* steps */
	/* counted in the first walk */
	uint64_t moved, nested, unwritten, partnerless, unknown_sizes, elsewhere, merged;
};

#endif

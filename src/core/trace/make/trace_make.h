/* The maker builds a trace from the calls of a format's reader (core/formats). It knows processes, communicators, kinds
 * of state and events by number; etypes, icomms and blocks stay with the reader. In this order:
 *
 *     make_files(), make_file()          the files, for paths, notes and the question whether they have changed
 *     make_processes()                   how many there are; the reader fills in which world each is of
 *     make_host()                        where a process ran, if that is known
 *     make_comms()                       likewise; the reader fills in comms and their members
 *     make_tags()                        which tags messages have, if that is known
 *     make_kind(), make_collective_type()   what a call or event can be; known by their numbers from then on
 *     make_counter()                     which counters there are readings of, likewise
 *     make_room()                        for each process, how many events it has at most
 *     make_events()                      reads them: calls the reader back, once for each share of the processes, each on a
 *                                        thread of its own; the reader tells its records (inline.h)
 *
 * The reader's caller then calls maker_finish(): events are related, totals listed. Records of a thread of a process
 * come in the order in which it made them; those of a process with several threads by time, whatever thread; those of
 * different processes in any.
 *
 * A watch gets all records while the trace is made, or instead of it (maker.watch_alone): then no events are kept, and
 * the trace has only its processes.
 *
 * Threads share the work by process, and a share is a range of processes. Which there are does not show in the result:
 * what is summed up over processes is kept by group of processes (MAKE_GROUPS), so that floating-point sums are the
 * same however many shares there are.
 *
 * With a team (maker.team) each rank gets the same from its own reader, and keeps only the events of its local
 * processes (core/trace/remote.h): its shares cover these, and it drops the records of others. make_room(),
 * make_events(), maker_finish() and everything that a reader does through maker_agreed() are collective steps.
 */
#ifndef PAS2P_CORE_TRACE_MAKE_TRACE_MAKE_H
#define PAS2P_CORE_TRACE_MAKE_TRACE_MAKE_H

#include "core/base/parallel.h"
#include "core/trace/relate/relate.h"
#include "stream.h"
#include "core/trace/thread_list.h"
#include "core/trace/trace.h"

#define MAKE_GROUPS 64
/* How far down an end looks for its start: else ends without starts over a deep stack of starts without ends would take
 * for ever. */
#define MAKE_DEEPEST 4096

struct map;
struct source;
struct trace_times;

struct make_kind;

/* Callbacks for code that needs the records, not the trace that is made of them. All but `begin` may be NULL; the
 * records of one process always come from one thread. False: out of memory, which ends the reading. */
struct make_watch {
	void *arg;
	/* A reading of the records of that many processes begins. All earlier records are void: they come once more, with
	 * better information. Kinds are the same each time. */
	bool (*begin)(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count);
	/* Each record of a process, in order (core/metrics/calls/log.h); then what it means, if anything: that a state of a kind begins
	 * or ends, whether it can be or not; the event that it makes, by its number from 0 within its process, as in the
	 * trace. */
	bool (*record)(void *arg, uint32_t process, int32_t thread, double time);
	bool (*enter)(void *arg, uint32_t process, uint32_t kind);
	bool (*leave)(void *arg, uint32_t process, uint32_t kind);
	bool (*event)(void *arg, uint32_t process, uint32_t number, event_type type, double time);
	/* The root process of the last event, a collective, if the trace gives it. */
	bool (*root)(void *arg, uint32_t process, uint32_t number, uint32_t root);
	/* The same: how many bytes the process got by it. */
	bool (*received)(void *arg, uint32_t process, uint32_t number, uint64_t bytes);
	/* For the last record: the seconds that the CPU clock of its thread shows. */
	bool (*cpu_sample)(void *arg, uint32_t process, double seconds);
	/* Where the trace numbers what completes later (docs/internals/tracer.md): the call that is open begins `count` of
	 * it, from `request` on; the event told last, a collective, is what it is if `number` is that event's, otherwise
	 * MAKE_NO_NUMBER. request 0: nothing, but it would say. */
	bool (*begun)(void *arg, uint32_t process, uint32_t number, uint32_t request, uint32_t count);
	/* The open call completes the request of that number: with a message, which comes next, or without. */
	bool (*completed)(void *arg, uint32_t process, uint32_t request, bool message);
	/* All members of the communicator make the call that is open together: it is the one with that number there. */
	bool (*gathering)(void *arg, uint32_t process, uint32_t comm, uint32_t number);
	/* The process receives from that one in neighbourhood collectives on the communicator; NO_PROCESS: from nobody, as
	 * far as this record says. */
	bool (*neighbour)(void *arg, uint32_t process, uint32_t comm, uint32_t from);
	/* The same: it is recorded that the process gave no bytes to it. */
	bool (*empty)(void *arg, uint32_t process, uint32_t number);
	/* The last record only carried the size of the next message, which has it. */
	bool (*size)(void *arg, uint32_t process);
	/* From here on the process's raw clock showed so many seconds more than its times (core/clocks). */
	bool (*shift)(void *arg, uint32_t process, double raw_later);
	/* For the last record: its tracer measured that rank 0's time less the record's time lies between these
	 * (docs/internals/tracer.md). */
	bool (*clock)(void *arg, uint32_t process, double low, double high);
	/* At the end of each thread that has CPU samples: seconds that it used outside of MPI calls. */
	bool (*cpu)(void *arg, uint32_t process, int32_t thread, double seconds);
};

/* A kind of state or solo event. Names are of the trace's arena, or for ever. */
struct make_kind {
	struct state_total total; /* the counts are the maker's */
	enum time_kind time;      /* of a call: the activity that its time counts as */
	bool tracer;              /* the tracer's own buffer write: no computation either */
	bool starts;              /* MPI_Start, MPI_Startall: a collective right inside is a persistent one that starts */
	bool unnamed;             /* nothing says what it is: noted if it occurs */
	bool untold;              /* what it does is not recorded in full: likewise */
	bool completes;           /* an event that says what completes of what was begun */
	bool gathers;             /* a call of which it says with whose calls it is made together */
};

/* Totals of one kind in one group of processes. */
struct make_total {
	uint64_t count;
	double inclusive, exclusive;
};

/* A process while its records arrive. The data that each record touches is kept together, so that alternating records
 * of many ranks touch few cache lines. */
struct make_process {
	double last_time, before; /* of the last record, and of the one before it */
	double shift;         /* of its clock */
	uint64_t records;
	struct make_total *totals; /* its group's */
	uint32_t next, limit; /* its next event in the columns; the end of its room */
	int32_t last_thread;  /* threads log without a lock: only within one must times rise; MAKE_NO_THREAD: times may step back */
	bool seen, has_sample;
	struct stream main;
	struct thread_list others; /* struct stream: of threads but the main one */
	double by_kind[TIME_KINDS];
	double start, end;    /* of records before the last one; at the end make_end() says */
	/* Where its work ends, for events.c: */
	double untraced_end;  /* before the tracer's own records that are the last ones */
	uint64_t tracer_first, tracer_last; /* these, by number from 1; 0: there were none yet */
	double finalize;      /* MPI_Finalize begins */
	uint64_t finalize_at; /* which record says so; 0: none yet */
	double last_sample;
	int32_t sample_thread; /* that of last_sample; threads may read clocks of their own */
	/* With times of the trace's own: */
	double recorded_shift; /* `shift` is NAN then, so that each record comes by make_odd_time() */
	double raw_later;     /* to be told with the next record; NAN: nothing is */
	int64_t said_size;    /* make_size() */
	uint64_t said_at;     /* which record said so */
};

#define MAKE_NO_THREAD INT32_MIN
#define MAKE_NO_NUMBER UINT32_MAX

/* What a record needs to know of a kind, close together. */
struct make_brief {
	bool call;            /* its time is no computation: an MPI call's and the tracer's own. Between two readings of the
	                         CPU clock there is none at the tracer's writes, so there they are not taken out */
	bool mpi, tracer, starts, ends_work;
	uint8_t time;         /* enum time_kind */
};

/* One thread's share: the processes from `first` up to, not including, `end`. */
struct make_share {
	uint32_t first, end;
	unsigned number;
	bool leads;              /* the one of all shares, on all ranks, that notes what is of no process */
	struct note_place place; /* where the reader is (file, block, offset), for notes: the reader keeps it */
	bool failed;             /* out of memory: the reader need not go on */
	/* for inline.h */
	struct maker *maker;
	struct trace *trace;
	struct make_process *processes;
	const struct make_brief *kinds; /* the maker's */
	const struct make_watch *watch; /* the maker's */
	bool watched, watch_alone, cpu_samples; /* as above */
	const struct trace_times *times; /* the maker's, where they are of these processes */
	uint32_t counter;        /* that compute times come from; MAKE_NO_NUMBER: none */
	uint64_t *counted;       /* per counter: readings of it */
	struct parallel_stop *stop;
	struct notes notes;
	struct intercomm_message *intercomm;
	size_t intercomm_count, intercomm_cap;
	uint64_t cpu_sample_count, bad_samples;
	bool states_seen, related;
	enum err_code code;
	struct err err;
};

/* The reader of the records. */
struct make_reader {
	/* Pass on all records of the share's processes; called again from the start if they must be passed on once more. */
	enum err_code (*read)(void *arg, struct make_share *share, struct err *e);
	/* NULL: nothing to do. Called after all shares were read. *again: the records must be read once more, since more is
	 * known now; the same on all ranks. */
	enum err_code (*settle)(void *arg, bool *again, struct err *e);
	/* NULL: nothing to do. Gets the shares before they are read. */
	enum err_code (*begin)(void *arg, const struct make_share *shares, unsigned count, struct err *e);
	void *arg;
};

struct maker {
	struct trace *trace;
	const struct progress *progress;
	const struct make_watch *watch; /* NULL: nobody is told */
	bool watch_alone;         /* no events are kept */
	struct trace_times *times; /* that records have instead of theirs (core/trace/times.h); NULL: they have theirs */
	const char *counter_name; /* that compute times are to come from; NULL, "": none */
	unsigned threads;         /* of pass and trace; shares at most */
	bool cpu_samples;         /* compute times come from CPU samples; the reader says so before make_events() */
	bool stopped;             /* by the caller: what was read by then is kept */
	bool damaged;             /* something is missing, whatever its notes' level; the reader says so */
	const struct team *team;  /* NULL: alone */
	const struct trace *beside; /* with a team: whose owners it takes, if both have as many processes; NULL: none */
	bool agreed;              /* an error came out of a collective step, so that all ranks have it */
	/* the maker's own */
	const struct source **sources; /* per file */
	struct make_kind *kinds;
	uint32_t kind_count;
	size_t kind_cap, coll_cap;
	uint32_t *room;           /* per process: first event of its room in the columns; process_count + 1 */
	uint32_t *used;           /* per process: events appended */
	struct make_process *processes; /* while events are read */
	struct intercomm_message *intercomm;
	size_t intercomm_count, intercomm_cap;
	uint64_t cpu_sample_count, bad_samples;
	bool states_seen;         /* some MPI call was there */
	bool related;             /* messages say what they belong to */
	struct size_table sizes;  /* the large ones */
	size_t counter_cap;
	struct map *counters;     /* by hash of name and place among those of it: number + 1 */
	uint32_t counter;         /* the number of counter_name; MAKE_NO_NUMBER: none */
	double *increases;        /* of the counter, per event, as the columns */
	struct make_counted {
		double sum;       /* all increases of a process */
		bool falls;
	} *counts;                /* per process */
};

/* The maker makes an empty trace. threads: as of trace_options. Release it also after an error; a trace that was not
 * taken (maker_take()) goes with it. */
enum err_code maker_init(struct maker *maker, unsigned threads, const struct make_watch *watch, const struct progress *progress,
			 struct err *e);
void maker_release(struct maker *maker);
struct trace *maker_take(struct maker *maker);

enum err_code make_files(struct maker *maker, uint32_t most, struct err *e);
/* One more of them: path and size are filled in, the rest is the reader's. NULL: no memory. The source outlives the
 * maker. */
struct trace_file *make_file(struct maker *maker, const struct source *source);

/* Processes of world 0, in rank order, until the reader says otherwise. */
enum err_code make_processes(struct maker *maker, uint32_t count, struct err *e);

/* The host of a process: n bytes of any text, up to a NUL. The first name of a process counts; an empty one is ignored.
 * False: no memory. */
bool make_host(struct maker *maker, uint32_t process, const char *name, size_t n);

/* trace->comms and room for the members of all in trace->comm_members, zeroed. */
enum err_code make_comms(struct maker *maker, uint32_t count, uint64_t members, struct err *e);

/* Afterwards: no message has a tag outside of this range. Tags then are kept in as few bits as that takes, if the
 * number of the communicator fits beside; without it, in 32. */
void make_tags(struct maker *maker, int32_t least, int32_t highest);

/* Kinds are numbered from 0, in the order in which they come. False: no memory. */
bool make_kind(struct maker *maker, const struct make_kind *kind);

/* The same. Each operation on each communicator is defined once. */
bool make_collective_type(struct maker *maker, const char *op, uint32_t comm);

/* The number of the counter of that name, from 0 in the order in which they come; the same for the same name. The unit
 * may be "". MAKE_NO_NUMBER: no memory. */
uint32_t make_counter(struct maker *maker, const char *name, const char *unit);

/* With a team, for a reader that must know before make_room() which processes are the rank's own (trace_local()): `about`
 * says of each process how much of all it has, as far as is known, the same on all ranks. */
enum err_code make_owners(struct maker *maker, const uint64_t *about, struct err *e);

/* most: per process. ERR_LIMIT if that is too many in all. */
enum err_code make_room(struct maker *maker, const uint64_t *most, struct err *e);

/* Then trace->processes and the columns but match[] are complete. */
enum err_code make_events(struct maker *maker, const struct make_reader *reader, struct err *e);

enum err_code maker_finish(struct maker *maker, struct err *e);

/* Pass on the code of a collective step: the team knows its error already. */
static inline enum err_code maker_agreed(struct maker *maker, enum err_code code)
{
	maker->agreed = maker->agreed || (maker->team && code);
	return code;
}

/* While make_reader.settle() runs: does a thread of a process make calls, most of them whole? A run that was stopped
 * leaves open ones. */
bool maker_thread_calls(const struct maker *maker, uint32_t process, int32_t thread);

#endif

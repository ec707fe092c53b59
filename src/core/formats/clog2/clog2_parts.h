/* Pass 2's shares: what its threads work on, and how that becomes one trace again. Internal to clog2_events.c.
 *
 * A part is a range of processes; which there are does not show in the result. What is summed up over processes is kept by
 * group of processes (LOAD_GROUPS), so that floating-point sums are the same however many parts there are.
 */
#ifndef PAS2P_CLOG2_PARTS_H
#define PAS2P_CLOG2_PARTS_H

#include "core/base/parallel.h"
#include "core/trace/stream.h"
#include "clog2_load.h"

/* A process while its records come in. With many ranks, whose records alternate, what each record touches lies
 * together: fewer lines of memory a record. */
struct process_load {
	double last_time;
	double start, end;
	double shift;        /* of a local file's clock */
	uint64_t records;
	uint32_t next, limit; /* its next event in the columns; the end of its room */
	int32_t last_thread; /* threads log without a lock: only within one must times rise */
	int32_t reading_thread; /* that of last_reading; threads may read clocks of their own */
	bool seen, has_reading;
	bool shifted;        /* a clock segment begins: the next time may step back */
	struct stream main;
	double last_reading;
	double by_kind[TIME_KINDS];
};

/* Totals of one kind of state. */
struct total {
	uint64_t count;
	double inclusive, exclusive;
};

struct pass2 {
	struct loader *x;
	struct process_load *processes;
	uint32_t *group_of;      /* per process */
	struct total *totals;    /* LOAD_GROUPS * defs */
	struct part *parts;
	unsigned part_count;
	struct parallel_stop stop;
};

/* One thread's share: the processes from `first` up to, not including, `end`. */
struct part {
	struct pass2 *pass;
	struct loader *x;
	struct trace *t;
	uint32_t first, end;
	struct process_load *processes;
	struct map *odd_threads; /* (process, thread) of records whose thread is out of range -> 1 */
	const struct clog2_file *f;
	uint64_t block;
	int32_t icomm;           /* of the last record; its communicator, and the processes of its ranks */
	uint32_t comm;
	const uint32_t *dense;   /* NULL where there are none such */
	uint32_t dense_count;
	struct notes notes;
	struct remote_message *remote;
	size_t remote_count, remote_cap;
	uint64_t reading_count, bad_readings;
	uint64_t last_coll_key;  /* (def, comm) + 1 of the last collective, and its type */
	event_type last_coll;
	bool states_seen, memory_failed;
	enum err_code code;
	struct err err;
};

enum err_code load_parts_init(struct pass2 *pass, struct err *e); /* x and part_count are set; release also after an error */
/* Put the parts together, in an order that does not depend on how many there were. */
enum err_code load_parts_gather(struct pass2 *pass, struct err *e);
void load_parts_release(struct pass2 *pass);

#endif

/* What every wrapper does around the call of the MPI library's own function.
 *
 *     if (!call_outer())
 *             rc = real.Send(...);                 nested, or before MPI_Init
 *     else {
 *             call_open(&c, CALL_Send, cm, flags, bytes, dest, tag);
 *             rc = real.Send(...);
 *             call_close(&c, NULL);
 *     }
 *     self.depth--;
 *
 * All is inline and flags are constants, so that each wrapper holds only what it needs.
 */
#ifndef PAS2P_CALL_H
#define PAS2P_CALL_H

#include "comms.h"
#include "control.h"
#include "functions.h"
#include "preload.h"
#include "sync.h"

enum call_flags {
	CALL_SENDS = 1,       /* a message goes out: MSGEVT before the call; counted unless to MPI_PROC_NULL */
	CALL_COLLECTS = 2,    /* a collective: size as cargo; counted if over more than one process */
	CALL_WAITS = 4,       /* may wait for another process */
	CALL_ROOTED = 8,      /* a collective whose root is the peer: it stands in the cargo behind the size */
	CALL_POSTS = 16,      /* begins what a later call completes: its number stands in the cargo, last */
	CALL_GATHERS = 32     /* its members make it together: the peer is its number (comm_gathering()), which stands in the cargo, last */
};

struct call {
	struct comm *cm;
	uint64_t number;      /* as counted; 0: not */
	int32_t start;        /* event type */
	uint32_t post;        /* the number of what it begins; 0: it has none */
	bool record, waits;
};

/* Of the root as the trace has it: its rank on the communicator that the record names; -1: it is not on that. */
static inline int root_of(const struct comm *cm, int root)
{
	return cm->inter ? -1 : comm_peer(cm, root);
}

/* The number of something that is begun now, and that another call is to complete (requests, below). Under the lock. */
static inline uint32_t post_next(void)
{
	return preload.posted = preload.posted == INT32_MAX ? 1 : preload.posted + 1;
}

/* The record of a message. The format holds a size of 31 bits: what is more stands in an event right before it, and the
 * message's own size is unknown (negative) rather than wrong. */
static inline size_t message_length(int64_t bytes)
{
	return LEN_MSG + (__builtin_expect(bytes > INT32_MAX, 0) ? LEN_CARGO : 0);
}

static inline uint8_t *put_message(uint8_t *p, double t, const struct comm *cm, int32_t etype, int peer, int tag, int64_t bytes)
{
	if (__builtin_expect(bytes > INT32_MAX, 0)) {
		p = put_cargo(p, t, cm->icomm, cm->rank, self.id, ETYPE_SIZE, (uint64_t)bytes);
		bytes = -1;
	}
	return put_msg(p, t, cm->icomm, cm->rank, self.id, etype, peer, tag, (int32_t)bytes);
}

static inline bool call_outer(void)
{
	bool outer = self.depth++ == 0 && preload.mode != PRELOAD_OFF;

	if (__builtin_expect(outer && !self.known, 0))
		thread_start();
	return outer;
}

static inline uint64_t call_count(void)
{
	uint64_t number;

	preload_lock();
	number = ++preload.counted;
	control_before(number);
	preload_unlock();
	return number;
}

/* Both clocks at one moment. */
struct clock_moment {
	double t, cpu;
};

static inline struct clock_moment moment_now(void)
{
	double t = clock_now();

	return (struct clock_moment){t, cpu_at(&self.cpu, t) - self.polled};
}

/* What a call's start says, in the order of its format. */
static inline uint8_t *put_start(uint8_t *p, double t, const struct call *c, unsigned flags, int64_t bytes, int root)
{
	const struct comm *cm = c->cm;
	uint8_t *cargo = p + LEN_CARGO - 32;

	p = put_cargo(p, t, cm->icomm, cm->rank, self.id, c->start, flags & CALL_COLLECTS ? (uint64_t)bytes : 0);
	cargo += flags & CALL_COLLECTS ? 8 : 0;
	if (flags & CALL_ROOTED)
		cargo = put_big(cargo, root_of(cm, root));
	if (flags & CALL_GATHERS)
		put_big(cargo, root);
	if (flags & CALL_POSTS)
		put_big(cargo, (int32_t)c->post);
	return p;
}

static inline void record_begin(struct call *c, unsigned flags, int64_t bytes, int peer, int tag,
				const struct clock_moment *at)
{
	const struct comm *cm = c->cm;
	size_t length = LEN_CARGO + (flags & (CALL_COLLECTS | CALL_POSTS | CALL_GATHERS) ? LEN_CARGO : LEN_BARE);
	int named = flags & CALL_SENDS && peer != MPI_PROC_NULL ? comm_peer(cm, peer) : -1;
	double t = at->t;
	uint8_t *p;

	if (named >= 0)
		length += message_length(bytes);
	functions_settle();
	preload_lock();
	p = buffer_room(length);
	t = buffer_order(t);
	p = put_cargo(p, t, 0, preload.rank, self.id, ETYPE_COMPUTE, f64_bits(at->cpu));
	/* A collective of one process is no event. */
	if (flags & CALL_POSTS && !(flags & CALL_COLLECTS && cm->size == 1 && !cm->inter))
		c->post = post_next();
	if (flags & (CALL_COLLECTS | CALL_POSTS | CALL_GATHERS))
		p = put_start(p, t, c, flags, bytes, peer);
	else
		p = put_bare(p, t, cm->icomm, cm->rank, self.id, c->start);
	if (named >= 0)
		put_message(p, t, cm, ETYPE_SEND, named, tag, bytes);
	buffer_commit(length, t);
	preload_unlock();
}

/* Count and log the entry into an outermost call. */
static inline __attribute__((always_inline)) void call_open(struct call *c, enum call_id id, struct comm *cm,
							    unsigned flags, int64_t bytes, int peer, int tag)
{
	c->cm = cm;
	c->number = 0;
	c->post = 0;
	c->record = preload.recording;
	c->waits = false;
	if (c->record) {
		struct clock_moment at;

		c->start = call_starts[id];
		if (__builtin_expect(!preload.used[id], 0))
			define_call(id);
		at = moment_now();
		record_begin(c, flags, bytes, peer, tag, &at);
	} else if (preload.mode == PRELOAD_CONTROL) {
		if ((flags & CALL_SENDS && peer != MPI_PROC_NULL) ||
		    (flags & CALL_COLLECTS && control_collectives && (cm->size > 1 || cm->inter)))
			c->number = call_count();
		c->waits = (flags & CALL_WAITS) != 0;
		if (c->waits)
			control_blocked(true);
	}
}

/* A poll (a Test or an Iprobe) is logged when it has found something. One that has not is no event, and programs make
 * them by the million: it leaves no record, and the CPU time that it took is left out of the readings, so that it
 * counts for no compute time.
 *
 *     began = call_poll(&c, cm);
 *     rc = real.Test(...);
 *     call_polled(&c, CALL_Test, found, &began);
 *     call_close(&c, NULL);
 */
static inline struct clock_moment call_poll(struct call *c, struct comm *cm)
{
	*c = (struct call){.cm = cm};
	return preload.recording ? moment_now() : (struct clock_moment){0, 0};
}

static inline void call_polled(struct call *c, enum call_id id, bool found, const struct clock_moment *began)
{
	if (preload.mode == PRELOAD_CONTROL && !found)
		control_polled();
	if (!preload.recording || !began->t)
		return;
	if (!found) {
		self.polled += moment_now().cpu - began->cpu;
		return;
	}
	if (__builtin_expect(!preload.used[id], 0))
		define_call(id);
	c->record = true;
	c->start = call_starts[id];
	record_begin(c, 0, 0, 0, 0, began);
}

/* The call has returned; *got, if not NULL, is the message that it received. */
struct received {
	struct comm *cm;
	int source, tag;
	int64_t bytes;
};

/* For a message's records. */
static inline void put_times(uint8_t *message, size_t length, double t)
{
	put_f64(message, t);
	if (__builtin_expect(length > LEN_MSG, 0))
		put_f64(message + LEN_CARGO, t);
}

/* All but the times is written before the clock is read, so that the writing falls into the call. */
static inline void record_end(const struct call *c, const struct received *got)
{
	const struct comm *cm = c->cm;
	size_t length = got ? message_length(got->bytes) : 0;
	uint8_t *message = NULL;
	uint8_t *final;
	uint8_t *reading;
	uint64_t cpu;
	double t;

	preload_lock();
	final = buffer_room(length + LEN_BARE + LEN_CARGO);
	if (got) {
		message = final;
		final = put_message(message, 0, got->cm, ETYPE_RECEIVE, got->source, got->tag, got->bytes);
	}
	reading = put_bare(final, 0, cm->icomm, cm->rank, self.id, c->start + 1);
	if (__builtin_expect(buffer_tight(), 0)) {
		/* If there is to be a spill, then here, between the call's end and the reading after it. */
		t = buffer_order(clock_now());
		if (message)
			put_times(message, length, t);
		put_f64(final, t);
		buffer_commit((size_t)(reading - final) + length, t);
		buffer_next_block();
		reading = buffer_room(LEN_CARGO);
		message = final = NULL;
	}
	put_cargo(reading, 0, 0, preload.rank, self.id, ETYPE_COMPUTE, 0);
	t = clock_now();
	cpu = big_u64(f64_bits(cpu_at(&self.cpu, t) - self.polled));
	memcpy(reading + 32, &cpu, 8);
	t = buffer_order(t);
	put_f64(reading, t);
	if (final)
		put_f64(final, t);
	if (message)
		put_times(message, length, t);
	buffer_commit(LEN_CARGO + (final ? LEN_BARE : 0) + (message ? length : 0), t);
	preload_unlock();
}

static inline __attribute__((always_inline)) void call_close(struct call *c, const struct received *got)
{
	if (c->record) {
		record_end(c, got);
	} else if (preload.mode == PRELOAD_CONTROL) {
		if (c->waits)
			control_blocked(false);
		if (c->number)
			control_after(c->number);
	}
}

/* Behind the call, its records complete: a blocking collective on all of the world is where clocks may be measured. */
static inline __attribute__((always_inline)) void call_behind(const struct comm *cm, unsigned flags)
{
	if (flags & CALL_COLLECTS && flags & CALL_WAITS && cm == &comm_world)
		sync_collective();
}

/* ---- requests ---- */

/* Requests: what the completing call must know of the call that made them.
 *
 * Only requests that can put something into the trace when they complete or are started are remembered: receives,
 * collectives, persistent sends, receives and collectives, and MPI_Comm_idup. A completing call looks its requests up
 * before the MPI library sees them (it overwrites them), and logs those that completed, in the order in which the call
 * names them, with the source, tag and size that the status tells.
 *
 * Each nonblocking receive and collective has a number, from 1, each process its own. It stands where the thing is
 * begun: in the cargo of the start of MPI_Irecv, MPI_Ibcast and so on; for the persistent receives that a call starts,
 * in one event PAS2P_posted, the first number and how many follow on each other. And where it ends: with a message, in
 * the cargo of the start of the state MPE_Irecv_waited around that; without one (collectives, cancelled or freed
 * receives), in an event PAS2P_completed. 0: it has none, because nothing will come of it (MPI_PROC_NULL, collectives
 * of one process).
 */

enum request_kind { REQUEST_NONE, REQUEST_RECEIVE, REQUEST_PERSISTENT_SEND, REQUEST_PERSISTENT_RECEIVE,
		    REQUEST_PERSISTENT_COLLECTIVE, REQUEST_EXCHANGE, REQUEST_IDUP,
		    REQUEST_COLLECTIVE };

struct request {
	uint64_t key;
	uint64_t serial;   /* tells it from a later request that the MPI library gave the same handle */
	enum request_kind kind;
	bool active;       /* persistent: started */
	bool cancelled;    /* MPI_Cancel was called */
	struct comm *cm;
	bool parts;        /* partitioned receive: what comes is known beforehand, and the status need not tell */
	enum call_id begins; /* persistent collective: the nonblocking one that MPI_Start makes of it */
	int peer, tag;     /* sends; receives in parts and of exchanges; persistent collective: peer is its root */
	int64_t bytes;
	MPI_Comm *made;    /* idup */
	uint32_t number;
	uint32_t post;     /* its number, while it is active; 0: none */
};

void request_add(MPI_Request handle, const struct request *r);

/* A nonblocking collective that the call has begun, with a number. */
void request_begun(MPI_Request handle, const struct call *c);

/* Message handles of Mprobe: which communicator. */
void message_add(MPI_Message message, struct comm *cm);
struct comm *message_take(MPI_Message message);

/* The message that a blocking receive got; false: none (MPI_PROC_NULL, or it cannot be named). */
bool received_of(struct received *got, struct comm *cm, MPI_Status *status);

#endif

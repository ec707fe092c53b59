/* A track: the records of one location on their way to the maker (docs/reference/formats.md, "OTF2 records").
 *
 * Most go straight there. But whether a call is a collective, and which one, OTF2 says only later: at its end, of a
 * nonblocking one where it completes, while the event belongs at the call's start. So from the start of an outermost
 * MPI call on records are held, in a queue, until that is known. Where a process has several threads their tracks are
 * held as well, and merged by time.
 *
 *     track_enter() ... track_other()    a record: what it means for the queue is worked out here
 *     track_ready(), track_take()        the first one that is known in full
 *     track_end()                        no more come: what has not ended is none
 *
 * A track whose `tell` is set passes on what it can at once. A call of which is not known what it is within
 * TRACK_HELD_MOST records is no collective, which is noted.
 */
#ifndef PAS2P_CORE_FORMATS_OTF2_RECORDS_H
#define PAS2P_CORE_FORMATS_OTF2_RECORDS_H

#include "load.h"
#include "otf2_int.h"
#include "core/trace/make/inline.h"

#define TRACK_NO_HOLE UINT32_MAX
/* Records that are held back, 8 MiB: who waits longer, waits for something that was lost. */
#define TRACK_HELD_MOST (1u << 18)

enum track_what { TRACK_OTHER, TRACK_ENTER, TRACK_LEAVE, TRACK_SEND, TRACK_RECEIVE, TRACK_COLLECTIVE, TRACK_FLUSH, TRACK_CPU_SAMPLE, TRACK_COUNT };

struct track_record {
	uint64_t time;         /* ticks, as recorded */
	union {
		uint64_t size; /* of a message */
		uint64_t stop; /* of a flush */
		double value;  /* CPU seconds, or an increase */
	};
	uint32_t a;            /* enter, leave: kind; message: communicator; count: counter. more */
	uint32_t b;            /* message: partner; enter, collective: hole, TRACK_NO_HOLE */
	uint32_t tag;
	uint8_t what;          /* enum track_what */
	bool more;             /* of the same record as the one before: no record of its own */
};

/* A collective whose place in the order is known before the rest is. */
struct track_hole {
	enum { HOLE_OPEN, HOLE_NONE, HOLE_FILLED } state;
	uint32_t op, comm, root; /* root: a process, or NO_PROCESS */
	uint64_t sent, received;
	bool unsaid;           /* sent is none: the trace has not recorded it */
};

/* Numbers of records and holes count on for ever; what is before `first` has gone. */
struct track {
	void (*tell)(struct track *track, const struct track_record *record); /* NULL: all are held */
	void *arg;             /* the teller's */
	const struct otf_kinds *kinds;
	struct notes *notes;
	uint32_t process;
	bool failed;           /* out of memory */
	struct track_record *queue;
	size_t first, end, cap; /* in the queue */
	struct track_hole *holes;
	size_t hole_cap;
	uint32_t hole_first, hole_end; /* holes[0] is hole_first */
	uint32_t *open;        /* MPI calls, kinds */
	size_t open_cap;
	uint32_t depth;
	uint32_t call_hole;    /* of the outermost one that is open; TRACK_NO_HOLE: it has had its collective */
	bool begun, begun_in_call; /* a collective has begun and not ended; within a call */
	uint32_t begun_hole;   /* TRACK_NO_HOLE: within another call, so it is none */
	uint16_t begun_op;     /* that the call's name says */
	struct otf_requests requests;
};

void track_init(struct track *track, const struct otf_kinds *kinds, struct notes *notes, uint32_t process);
void track_release(struct track *track);

void track_enter(struct track *track, uint64_t time, uint32_t kind);
void track_leave(struct track *track, uint64_t time, uint32_t kind);
void track_begin(struct track *track, uint64_t time);
/* What a collective was; comm NO_COMM: no event. op: of the record, OTF2_NO_OP: none that counts. */
void track_collective(struct track *track, uint64_t time, uint16_t op, const struct track_hole *found);
void track_request(struct track *track, uint64_t time, uint64_t id);
void track_complete(struct track *track, uint64_t time, uint64_t id, uint16_t op, const struct track_hole *found);
/* Of messages: that a request of a send begins or ends, or is cancelled. */
void track_send_request(struct track *track, uint64_t id);
void track_request_over(struct track *track, uint64_t id);
void track_cancelled(struct track *track, uint64_t id);
/* quiet: the file was not read to its end. */
void track_end(struct track *track, bool quiet);

/* For track_hold(), seldom. */
bool track_more_room(struct track *track);
void track_waits_long(struct track *track);

/* NULL: the record has none. */
static inline const struct track_hole *track_hole_of(const struct track *track, const struct track_record *record)
{
	if ((record->what != TRACK_ENTER && record->what != TRACK_COLLECTIVE) || record->b == TRACK_NO_HOLE)
		return NULL;
	return &track->holes[record->b - track->hole_first];
}

/* Is the first one that is held known in full? */
static inline bool track_ready(const struct track *track)
{
	const struct track_hole *hole;

	if (track->first == track->end)
		return false;
	hole = track_hole_of(track, &track->queue[track->first]);
	return !hole || hole->state != HOLE_OPEN;
}

/* Records are written where they are held, by fields: what copies them as a whole waits for each of those. */
static inline __attribute__((always_inline)) void track_hold(struct track *track, struct track_record record)
{
	struct track_record *slot;

	if (__builtin_expect(track->end == track->cap, 0) && !track_more_room(track))
		return;
	slot = &track->queue[track->end++];
	slot->time = record.time;
	slot->size = record.size;
	slot->a = record.a;
	slot->b = record.b;
	slot->tag = record.tag;
	slot->what = record.what;
	slot->more = record.more;
	if (__builtin_expect(track->end - track->first >= TRACK_HELD_MOST, 0))
		track_waits_long(track);
}

/* Any other record. */
static inline __attribute__((always_inline)) void track_other(struct track *track, struct track_record record)
{
	bool held = track->first != track->end || !track->tell;

	track_hold(track, record);
	if (!held && track->end)
		track->tell(track, &track->queue[--track->end]);
}

/* It; valid until the next call. The caller has asked track_ready(). */
const struct track_record *track_take(struct track *track);

/* ---- make_records ---- */

/* Telling the maker a location's records, in order: what a track lets through. */

struct otf_teller {
	struct otf_loader *loader;
	struct make_share *share;
	uint32_t process;
	int32_t thread;
	uint64_t offset;       /* ticks, of time 0 */
	double ticks;          /* a second */
	uint32_t last_op, last_comm, last_type; /* of collectives */
	struct make_record last;
	bool any;              /* there is a last record */
	bool flushing;         /* the tracer's writing is open, and ends at flush_end */
	double flush_end;
};

void otf_teller_init(struct otf_teller *teller, struct otf_loader *loader, struct make_share *share, const struct otf_thread *thread);
/* hole: of a record that has one. */
void otf_record(struct otf_teller *teller, const struct track_record *record, const struct track_hole *hole);
void otf_record_end(struct otf_teller *teller);

/* ---- records ---- */

/* The records of a location as libotf2 calls them out: what each is to a track (docs/reference/formats.md, "OTF2
 * records"'s table). */

/* What a counter showed last. */
struct otf_shown {
	uint32_t counter;
	double value;
};

/* A location that is being read. */
struct otf_reading {
	struct otf_loader *loader;
	struct make_share *share;
	const struct otf_thread *thread;
	struct track track;
	struct otf_teller teller;
	uint64_t read;         /* records */
	uint64_t last_time;    /* of the last one, ticks */
	uint32_t comm_ref;     /* that comm is of */
	bool comm_known;
	struct otf_comm_view comm;
	bool one_sided;
	bool off;              /* measurement is, since off_since */
	uint64_t off_since, off_ticks;
	struct otf_shown *shown;
	uint32_t shown_count;
	size_t shown_cap;
};

/* merged: the process has other threads, so that all is held. */
void otf_reading_init(struct otf_reading *reading, struct otf_loader *loader, struct make_share *share,
		       const struct otf_thread *thread, bool merged);
void otf_reading_release(struct otf_reading *reading);

/* For an event reader whose user data is the reading. NULL: no memory. OTF2_EvtReaderCallbacks_Delete(). */
OTF2_EvtReaderCallbacks *otf_records_callbacks(void);

#endif

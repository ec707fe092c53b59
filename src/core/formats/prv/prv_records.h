/* The numbers of Paraver's records that mean something here, and how a thread's records are packed (prv_pack.h). */
#ifndef PAS2P_PRV_RECORDS_H
#define PAS2P_PRV_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

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
	PRV_RAW_RECEIVE,               /* likewise, and LOGICAL_RECV less the time */
	PRV_RAW_STATE                  /* state, its length; in a pack of its own */
};

/* And once they are in order. */
enum prv_told {
	PRV_TOLD_ENTER,                /* kind */
	PRV_TOLD_COLLECTIVE,           /* likewise, of a collective: kind, communicator, bytes, bytes received + 1 or 0, 1 at the root */
	PRV_TOLD_LEAVE,                /* kind */
	PRV_TOLD_LOST_LEAVE,           /* what was never begun: class of names */
	PRV_TOLD_SEND,                 /* partner + 1, tag, bytes, relation */
	PRV_TOLD_RECEIVE,
	PRV_TOLD_CPU,
	PRV_TOLD_COUNT
};

/* Is it one of those states of threads that stand for calls where a trace has no events of calls? */
static inline bool prv_state_calls(uint64_t state)
{
	return state < 17 && (1u << state & (0xfu << 3 | 0xfu << 8 | 1u << 13 | 3u << 15));
}

#endif

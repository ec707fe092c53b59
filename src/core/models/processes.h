/* Processes that send messages: each runs until it waits, and again when what it waits for is there (docs/models.md 8).
 *
 * Which message a receive gets does not depend on time, so that the order in which processes are run changes nothing.
 * At the end of each iteration of a loop with messages a process pauses until no other can go on: so few messages are
 * under way whatever runs ahead, and there steady.h looks whether all go on in step. Every process has its stack of
 * frames in one array, of as many as the program is deep: bounded, and said before it is taken.
 */
#ifndef PAS2P_PROCESSES_H
#define PAS2P_PROCESSES_H

#include "channels.h"
#include "run.h"

#define PROCESSES_BYTES ((size_t)2 << 30) /* most for all; as many again for messages under way */

enum process_state {
	PROCESS_READY,   /* will be run */
	PROCESS_PAUSED,  /* at the end of an iteration */
	PROCESS_WAITING, /* in a receive: `channel` */
	PROCESS_MEETING, /* in a collective */
	PROCESS_ENDED
};

struct process_frame { /* of a node whose body is run */
	struct code *code;
	double left;   /* iterations that have not begun */
};

struct model_process {
	double clock[CLOCKS];
	struct interval compute;
	struct interval processor; /* load */
	struct code *at;           /* what is next; NULL: the end of a body */
	uint64_t moved;            /* grows with all it does */
	uint32_t frame_count;
	uint32_t base;             /* of the block's frame in its values */
	uint32_t channel;
	uint8_t state;
};

struct meeting { /* the collective that some are in */
	uint32_t count;     /* processes that are there */
	struct code *code;
	double root;
	struct interval bytes;
	double clock[CLOCKS];
	uint32_t first;     /* who came first */
	uint64_t touched;   /* as a channel's */
};

struct processes {
	struct program_run *run;
	struct model_process *items;
	uint32_t count, ended;
	struct process_frame *frames;   /* frame_room of each process */
	struct interval *values;        /* value_room of each process */
	uint32_t frame_room, value_room;
	struct channels channels;
	struct meeting meeting;
	uint32_t *ready, ready_count;   /* a stack */
	uint32_t *paused, paused_count;
	struct interval *loads;         /* of resources */
	bool cache;                     /* costs of parts are kept */
};

static inline struct process_frame *process_frames(const struct processes *p, uint32_t rank)
{
	return p->frames + (size_t)rank * p->frame_room;
}

/* Runs the program on all processes; what they did is in `items`, `loads` and the run. To be released in any case. */
enum err_code processes_run(struct processes *p, struct program_run *run, struct err *e);
void processes_release(struct processes *p);

#endif

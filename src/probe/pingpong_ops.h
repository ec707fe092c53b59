/* What a ping-pong times: one table of operations (docs/internals/model-rules.md, "Measuring messages"). */
#ifndef PAS2P_PINGPONG_OPS_H
#define PAS2P_PINGPONG_OPS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The members of a group at work; all of them call the same. Rank 0 leads: its seconds are what is measured. */
struct bout {
	MPI_Comm comm;
	int rank, size;
	int bytes, batch, count; /* of a message; messages of a repetition; repetitions */
	char *out, *in;          /* each `room` bytes */
	size_t room;
};

enum pingpong_who { PINGPONG_PAIR, PINGPONG_SYNC, PINGPONG_ALL };

struct timed_op {
	const char *name;
	enum pingpong_who who;
	void (*run)(struct bout *b, double *seconds);
};

#define PINGPONG_OPS 12
extern const struct timed_op pingpong_ops[PINGPONG_OPS];

/* Room that buffers need for messages of so many bytes. */
size_t pingpong_room(const struct timed_op *op, int size, uint64_t bytes);

#endif

#include "pingpong_ops.h"

#include <stdlib.h>

#include "core/models/machine/pingpong_plan.h"
#include "probe.h"

#define TAG_DATA 1
#define TAG_SAYS 2
#define REST 1e-3              /* s in which a message has surely arrived */
#define LEAST_ROOM ((size_t)4 << 20)

static void bout_say(struct bout *b)
{
	MPI_Send(NULL, 0, MPI_BYTE, 1 - b->rank, TAG_SAYS, b->comm);
}

static void bout_hear(struct bout *b)
{
	MPI_Recv(NULL, 0, MPI_BYTE, 1 - b->rank, TAG_SAYS, b->comm, MPI_STATUS_IGNORE);
}

static void wait_all(struct bout *b, MPI_Request *r)
{
	for (int i = 0; i < b->batch; i++)
		MPI_Wait(&r[i], MPI_STATUS_IGNORE);
}

/* ---- pairs ---- */

/* The other one: receives are posted before the sender is told. */
static void take_posted(struct bout *b)
{
	MPI_Request r[PINGPONG_BATCH];

	for (int i = 0; i < b->count; i++) {
		for (int k = 0; k < b->batch; k++)
			MPI_Irecv(b->in + (size_t)k * (size_t)b->bytes, b->bytes, MPI_BYTE, 0, TAG_DATA, b->comm, &r[k]);
		bout_say(b);
		wait_all(b, r);
	}
}

static void run_send(struct bout *b, double *seconds)
{
	if (b->rank) {
		take_posted(b);
		return;
	}
	for (int i = 0; i < b->count; i++) {
		double begun;

		bout_hear(b);
		begun = clock_seconds();
		for (int k = 0; k < b->batch; k++)
			MPI_Send(b->out, b->bytes, MPI_BYTE, 1, TAG_DATA, b->comm);
		seconds[i] = (clock_seconds() - begun) / b->batch;
	}
}

static void run_isend(struct bout *b, double *seconds)
{
	MPI_Request r[PINGPONG_BATCH];

	if (b->rank) {
		take_posted(b);
		return;
	}
	for (int i = 0; i < b->count; i++) {
		double begun;

		bout_hear(b);
		begun = clock_seconds();
		for (int k = 0; k < b->batch; k++)
			MPI_Isend(b->out, b->bytes, MPI_BYTE, 1, TAG_DATA, b->comm, &r[k]);
		seconds[i] = (clock_seconds() - begun) / b->batch;
		wait_all(b, r);
	}
}

static void run_recv(struct bout *b, double *seconds)
{
	for (int i = 0; i < b->count; i++) {
		double begun = clock_seconds();

		for (int k = 0; k < b->batch; k++) {
			if (b->rank == 0)
				MPI_Send(b->out, b->bytes, MPI_BYTE, 1, TAG_DATA, b->comm);
			MPI_Recv(b->in, b->bytes, MPI_BYTE, 1 - b->rank, TAG_DATA, b->comm, MPI_STATUS_IGNORE);
			if (b->rank)
				MPI_Send(b->out, b->bytes, MPI_BYTE, 0, TAG_DATA, b->comm);
		}
		if (b->rank == 0)
			seconds[i] = (clock_seconds() - begun) / (2 * b->batch);
	}
}

/* The other one sends only when told to, so that its next message is not under way while this one is timed. */
static void run_copy(struct bout *b, double *seconds)
{
	MPI_Request r[PINGPONG_BATCH];

	for (int i = 0; i < b->count; i++) {
		double begun;

		if (b->rank) {
			bout_hear(b);
			for (int k = 0; k < b->batch; k++)
				MPI_Isend(b->out, b->bytes, MPI_BYTE, 0, TAG_DATA, b->comm, &r[k]);
			bout_say(b);
			clock_sleep(REST);
			wait_all(b, r);
			continue;
		}
		bout_say(b);
		bout_hear(b);
		clock_sleep(REST);
		begun = clock_seconds();
		for (int k = 0; k < b->batch; k++)
			MPI_Recv(b->in, b->bytes, MPI_BYTE, 1, TAG_DATA, b->comm, MPI_STATUS_IGNORE);
		seconds[i] = (clock_seconds() - begun) / b->batch;
	}
}

/* ---- all ---- */

/* Numbers are added where the bytes are numbers. */
static void bout_data_kind(const struct bout *b, int *count, MPI_Datatype *type, MPI_Op *op)
{
	bool numbers = b->bytes % (int)sizeof(double) == 0;

	*count = numbers ? b->bytes / (int)sizeof(double) : b->bytes;
	*type = numbers ? MPI_DOUBLE : MPI_BYTE;
	*op = numbers ? MPI_SUM : MPI_BOR;
}

static void call_barrier(struct bout *b)
{
	MPI_Barrier(b->comm);
}

static void call_bcast(struct bout *b)
{
	MPI_Bcast(b->out, b->bytes, MPI_BYTE, 0, b->comm);
}

static void call_reduce(struct bout *b)
{
	MPI_Datatype type;
	MPI_Op op;
	int count;

	bout_data_kind(b, &count, &type, &op);
	MPI_Reduce(b->out, b->in, count, type, op, 0, b->comm);
}

static void call_allreduce(struct bout *b)
{
	MPI_Datatype type;
	MPI_Op op;
	int count;

	bout_data_kind(b, &count, &type, &op);
	MPI_Allreduce(b->out, b->in, count, type, op, b->comm);
}

static void call_gather(struct bout *b)
{
	MPI_Gather(b->out, b->bytes, MPI_BYTE, b->in, b->bytes, MPI_BYTE, 0, b->comm);
}

static void call_scatter(struct bout *b)
{
	MPI_Scatter(b->out, b->bytes, MPI_BYTE, b->in, b->bytes, MPI_BYTE, 0, b->comm);
}

static void call_allgather(struct bout *b)
{
	MPI_Allgather(b->out, b->bytes, MPI_BYTE, b->in, b->bytes, MPI_BYTE, b->comm);
}

static void call_alltoall(struct bout *b)
{
	MPI_Alltoall(b->out, b->bytes, MPI_BYTE, b->in, b->bytes, MPI_BYTE, b->comm);
}

/* A repetition takes as long as it took the slowest. */
static void bout_time_together(struct bout *b, double *seconds, void (*call)(struct bout *b))
{
	double own[REPETITIONS_MOST];

	for (int i = 0; i < b->count; i++) {
		double begun;

		MPI_Barrier(b->comm);
		begun = clock_seconds();
		for (int k = 0; k < b->batch; k++)
			call(b);
		own[i] = (clock_seconds() - begun) / b->batch;
	}
	MPI_Reduce(own, seconds, b->count, MPI_DOUBLE, MPI_MAX, 0, b->comm);
}

#define TOGETHER(name) \
	static void run_##name(struct bout *b, double *seconds) \
	{ \
		bout_time_together(b, seconds, call_##name); \
	}
TOGETHER(barrier)
TOGETHER(bcast)
TOGETHER(reduce)
TOGETHER(allreduce)
TOGETHER(gather)
TOGETHER(scatter)
TOGETHER(allgather)
TOGETHER(alltoall)

const struct timed_op pingpong_ops[PINGPONG_OPS] = {
#define PINGPONG_OP(name, who) {#name, PINGPONG_##who, run_##name},
#include "core/models/fit/pingpong_ops.def"
};

/* Each rank has what all contribute, whether it is the root or not. */
size_t pingpong_room(const struct timed_op *op, int size, uint64_t bytes)
{
	size_t room = (size_t)bytes * (op->who == PINGPONG_ALL ? (size_t)size : 1);

	return room > LEAST_ROOM ? room : LEAST_ROOM;
}

/* A team that is an MPI job: the one file that knows MPI's calls of the analysis. All ranks wait without using their processor for long, so that
 * more ranks than processors, and ranks that wait for rank 0, do not hold up who works.
 */
#include "plugin.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PIECE ((size_t)1 << 30)  /* bytes of one message: counts are int */
#define NUMBERS ((size_t)1 << 26) /* of one reduction */
#define BUSY 2000                /* so often a request is tested before its rank sleeps in between */
#define TAG 1

struct job_of {
	struct plugin_memory memory;
	MPI_Comm comm;
	MPI_Op sum_128;
	MPI_Datatype pair;
	int rank, size;
	uint64_t *sizes;         /* 2 * size: what is sent to each rank, and got from it */
};

static struct job_of job;

/* MPI's own sentence. */
static int broken(int error, const char *what, char text[ERR_TEXT])
{
	char says[MPI_MAX_ERROR_STRING] = "";
	int n;

	MPI_Error_string(error, says, &n);
	snprintf(text, ERR_TEXT, "rank %d: MPI failed while %s: %.300s", job.rank, what, says);
	return 0;
}

/* A while at full speed, since most meetings are short; then ever longer sleeps, of at most a millisecond. */
static int wait_for(int count, MPI_Request *requests)
{
	struct timespec pause = {0, 10000};
	int done = 0, error = MPI_SUCCESS;

	for (unsigned tries = 0; error == MPI_SUCCESS && !done; tries++) {
		error = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
		if (done || tries < BUSY)
			continue;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 1000000)
			pause.tv_nsec += pause.tv_nsec / 4;
	}
	return error;
}

static int reduce_numbers(uint64_t *list, size_t n, MPI_Datatype type, MPI_Op op)
{
	size_t width = type == job.pair ? 2 : 1;
	int error = MPI_SUCCESS;

	for (size_t at = 0; error == MPI_SUCCESS && at < n / width; at += NUMBERS) {
		size_t here = n / width - at < NUMBERS ? n / width - at : NUMBERS;
		MPI_Request request;

		error = MPI_Iallreduce(MPI_IN_PLACE, list + at * width, (int)here, type, op, job.comm, &request);
		if (error == MPI_SUCCESS)
			error = wait_for(1, &request);
	}
	return error;
}

static int agree(void *of, enum err_code *worst, char *text, uint32_t *rank)
{
	uint64_t lowest = *worst ? (uint64_t)job.rank : UINT64_MAX;
	MPI_Request request;
	int code = *worst, error;

	(void)of;
	error = reduce_numbers(&lowest, 1, MPI_UINT64_T, MPI_MIN);
	if (error == MPI_SUCCESS && lowest == UINT64_MAX)
		return 1;
	if (error == MPI_SUCCESS)
		error = MPI_Ibcast(&code, 1, MPI_INT, (int)lowest, job.comm, &request);
	if (error == MPI_SUCCESS)
		error = wait_for(1, &request);
	if (error == MPI_SUCCESS)
		error = MPI_Ibcast(text, ERR_TEXT, MPI_CHAR, (int)lowest, job.comm, &request);
	if (error == MPI_SUCCESS)
		error = wait_for(1, &request);
	if (error != MPI_SUCCESS)
		return broken(error, "asking whether all ranks are well", text);
	*worst = (enum err_code)code;
	*rank = (uint32_t)lowest;
	return 1;
}

static enum err_code failed(int error, const char *what, struct err *e)
{
	e->code = ERR_IO;
	broken(error, what, e->text);
	return e->code;
}

static enum err_code no_memory(size_t n, struct err *e)
{
	e->code = ERR_MEMORY;
	snprintf(e->text, sizeof e->text, "not enough memory for the %zu bytes that other ranks send", n);
	return e->code;
}

/* How many messages of a piece each n bytes are. */
static size_t pieces(size_t n)
{
	return (n + PIECE - 1) / PIECE;
}

/* Post what a rank sends and gets; returns how many requests that are. */
static int post(const struct team_bytes *to, const struct team_bytes *from, MPI_Request *requests, int *error)
{
	int count = 0;

	*error = MPI_SUCCESS;
	for (int step = 1; step < job.size; step++) {
		int source = (job.rank + job.size - step) % job.size, target = (job.rank + step) % job.size;

		for (size_t at = 0; *error == MPI_SUCCESS && at < from[source].n; at += PIECE)
			*error = MPI_Irecv((char *)from[source].bytes + at, (int)(from[source].n - at < PIECE ? from[source].n - at : PIECE),
					   MPI_BYTE, source, TAG, job.comm, &requests[count++]);
		for (size_t at = 0; *error == MPI_SUCCESS && at < to[target].n; at += PIECE)
			*error = MPI_Isend((const char *)to[target].bytes + at, (int)(to[target].n - at < PIECE ? to[target].n - at : PIECE),
					   MPI_BYTE, target, TAG, job.comm, &requests[count++]);
	}
	return count;
}

/* Tell each rank how much it gets. */
static int tell_sizes(const struct team_bytes *to, struct team_bytes *from)
{
	uint64_t *sizes = job.sizes;
	MPI_Request request;
	int error;

	for (int r = 0; r < job.size; r++)
		sizes[r] = to[r].n;
	error = MPI_Ialltoall(sizes, 1, MPI_UINT64_T, sizes + job.size, 1, MPI_UINT64_T, job.comm, &request);
	if (error == MPI_SUCCESS)
		error = wait_for(1, &request);
	for (int r = 0; error == MPI_SUCCESS && r < job.size; r++)
		from[r].n = (size_t)sizes[job.size + r];
	return error;
}

static enum err_code exchange(void *of, const struct team_bytes *to, struct team_bytes *from, struct err *e)
{
	MPI_Request *requests = NULL;
	uint64_t lacking;
	enum err_code code = ERR_OK;
	size_t most = 1;
	int error, count;

	(void)of;
	error = tell_sizes(to, from);
	if (error != MPI_SUCCESS)
		return failed(error, "telling ranks how much they get", e);
	for (int r = 0; r < job.size; r++) {
		most += pieces(from[r].n) + pieces(to[r].n);
		from[r].bytes = job.memory.alloc(from[r].n, 1);
		if (!from[r].bytes && !code)
			code = no_memory(from[r].n, e);
	}
	requests = job.memory.alloc(most, sizeof *requests);
	if (!requests && !code)
		code = no_memory(most * sizeof *requests, e);
	lacking = code != ERR_OK;
	error = reduce_numbers(&lacking, 1, MPI_UINT64_T, MPI_MAX);
	if (error == MPI_SUCCESS && !lacking) {
		if (to[job.rank].n)
			memcpy(from[job.rank].bytes, to[job.rank].bytes, to[job.rank].n);
		count = post(to, from, requests, &error);
		if (error == MPI_SUCCESS)
			error = wait_for(count, requests);
	}
	job.memory.free(requests);
	return error == MPI_SUCCESS ? code : failed(error, "exchanging data", e);
}

static void add_128(void *from, void *to, int *n, MPI_Datatype *type)
{
	const uint64_t *b = from;
	uint64_t *a = to;

	(void)type;
	for (int i = 0; i < *n; i++, a += 2, b += 2) {
		uint64_t low = a[0] + b[0];

		a[1] += b[1] + (low < a[0]);
		a[0] = low;
	}
}

static enum err_code reduce(void *of, uint64_t *list, size_t n, enum team_operation by, struct err *e)
{
	const MPI_Op ops[] = {[TEAM_SUM] = MPI_SUM, [TEAM_MAX] = MPI_MAX, [TEAM_MIN] = MPI_MIN, [TEAM_OR] = MPI_BOR, [TEAM_SUM_128] = job.sum_128};
	int error = reduce_numbers(list, n, by == TEAM_SUM_128 ? job.pair : MPI_UINT64_T, ops[by]);

	(void)of;
	return error == MPI_SUCCESS ? ERR_OK : failed(error, "adding up what ranks have", e);
}

static void release(void *of)
{
	(void)of;
	job.memory.free(job.sizes);
	MPI_Op_free(&job.sum_128);
	MPI_Type_free(&job.pair);
	MPI_Comm_free(&job.comm);
	MPI_Finalize();
}

static int begin(const struct plugin_memory *memory, uint32_t *rank, uint32_t *size, void **of, char text[ERR_TEXT])
{
	int level, error = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);

	if (error == MPI_SUCCESS)
		error = MPI_Comm_dup(MPI_COMM_WORLD, &job.comm);
	if (error == MPI_SUCCESS)
		error = MPI_Comm_set_errhandler(job.comm, MPI_ERRORS_RETURN);
	if (error == MPI_SUCCESS)
		error = MPI_Comm_rank(job.comm, &job.rank);
	if (error == MPI_SUCCESS)
		error = MPI_Comm_size(job.comm, &job.size);
	if (error == MPI_SUCCESS)
		error = MPI_Type_contiguous(2, MPI_UINT64_T, &job.pair);
	if (error == MPI_SUCCESS)
		error = MPI_Type_commit(&job.pair);
	if (error == MPI_SUCCESS)
		error = MPI_Op_create(add_128, 1, &job.sum_128);
	if (error != MPI_SUCCESS)
		return broken(error, "starting", text);
	if (level < MPI_THREAD_FUNNELED) {
		snprintf(text, ERR_TEXT, "this MPI library does not let a program have threads");
		return 0;
	}
	job.memory = *memory;
	job.sizes = memory->alloc((size_t)job.size * 2, sizeof *job.sizes);
	if (!job.sizes) {
		snprintf(text, ERR_TEXT, "not enough memory to join the job");
		return 0;
	}
	*rank = (uint32_t)job.rank;
	*size = (uint32_t)job.size;
	*of = &job;
	return 1;
}

static const struct team_kind kind = {agree, exchange, reduce, release};

extern const struct plugin PLUGIN_SYMBOL;
__attribute__((visibility("default"))) const struct plugin PLUGIN_SYMBOL = {PLUGIN_VERSION, "MPI", begin, &kind};

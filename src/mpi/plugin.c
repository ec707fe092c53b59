/* A team that is an MPI job: the only file of the analysis that calls MPI. Waiting ranks use their processor only for a
 * short time, so that more ranks than processors, and ranks that wait for rank 0, do not slow down working ranks. An
 * error of MPI does not end the program: the team is broken then (team.h).
 */
#include "plugin.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PIECE ((size_t)4 << 20)   /* bytes of one message: counts are int, and who has no memory for what it gets takes a piece at a time */
#define NUMBERS ((size_t)1 << 26) /* of one reduction */
#define BUSY 500000               /* ns for which a rank tests a request before it sleeps in between */
#define FIRST_PAUSE 20000         /* ns; they grow */
#define LAST_PAUSE 1000000        /* ns, of a rank that waits for others to come */
#define DATA_PAUSE 100000         /* ns, of one that data comes to: MPI moves it while a rank is in one of its calls */
#define PATIENCE 1000000000       /* ns for which a rank that was interrupted waits for others to learn of it */
#define ABORTING 5                /* s that MPI has to end the job */
#define INTERRUPTED (-1)          /* beside MPI's codes */
#define TAG 1

/* What ranks exchange first at every collective step, so that ranks that failed still take part in it. */
struct exchange_opening {
	uint64_t code;  /* of an error, 0: none */
	uint64_t bytes; /* that follow, if there is no error anywhere */
};

struct job_of {
	struct plugin_host host;
	MPI_Comm comm;
	MPI_Op max, min, sum_128;
	MPI_Datatype pair;
	int rank, size;
	struct exchange_opening *openings; /* 2 * size: what is sent to each rank, then what came from each */
	char *spare;              /* PIECE bytes */
};

static struct job_of job;

/* With MPI's own sentence. */
static enum err_code broken(int error, const char *what, char text[ERR_TEXT])
{
	char says[MPI_MAX_ERROR_STRING] = "";
	int n, initialized = 0;

	if (error == INTERRUPTED) {
		snprintf(text, ERR_TEXT, "interrupted");
		return ERR_CANCELLED;
	}
	MPI_Initialized(&initialized);
	if (!initialized) {
		snprintf(text, ERR_TEXT, "MPI cannot be started: error %d", error);
		return ERR_IO;
	}
	MPI_Error_string(error, says, &n);
	snprintf(text, ERR_TEXT, "rank %d: MPI failed while %s: %.300s", job.rank, what, says);
	return ERR_IO;
}

static int64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A short while at full speed, since most collective steps are short, but not before who else wants this processor;
 * then ever longer pauses. */
static int wait_for(int count, MPI_Request *requests, long last_pause)
{
	struct timespec pause = {0, FIRST_PAUSE};
	int64_t begin = nanoseconds(), interrupted = 0;
	int done = 0, error = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);

	while (error == MPI_SUCCESS && !done) {
		if (nanoseconds() - begin < BUSY) {
			sched_yield();
		} else {
			nanosleep(&pause, NULL);
			pause.tv_nsec += pause.tv_nsec < last_pause ? pause.tv_nsec / 4 : 0;
			if (job.host.interrupted() && !interrupted)
				interrupted = nanoseconds();
			if (interrupted && nanoseconds() - interrupted > PATIENCE)
				return INTERRUPTED;
		}
		error = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
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
			error = wait_for(1, &request, LAST_PAUSE);
	}
	return error;
}

/* Every rank tells every other whether it is well, and what it has for it; to NULL: nothing. As in agree(). */
static enum err_code open_exchange(const struct team_bytes *to, enum err_code *worst, char *text, uint32_t *rank)
{
	struct exchange_opening *told = job.openings, *got = told + job.size;
	MPI_Request request;
	int lowest = 0, error;

	for (int r = 0; r < job.size; r++)
		told[r] = (struct exchange_opening){*worst, to ? to[r].n : 0};
	error = MPI_Ialltoall(told, 2, MPI_UINT64_T, got, 2, MPI_UINT64_T, job.comm, &request);
	if (error == MPI_SUCCESS)
		error = wait_for(1, &request, LAST_PAUSE);
	while (error == MPI_SUCCESS && lowest < job.size && !got[lowest].code)
		lowest++;
	if (error == MPI_SUCCESS && lowest < job.size) {
		error = MPI_Ibcast(text, ERR_TEXT, MPI_CHAR, lowest, job.comm, &request);
		if (error == MPI_SUCCESS)
			error = wait_for(1, &request, LAST_PAUSE);
		*worst = (enum err_code)got[lowest].code;
		*rank = (uint32_t)lowest;
	}
	return error == MPI_SUCCESS ? ERR_OK : broken(error, "checking that all ranks work", text);
}

static enum err_code agree(void *of, enum err_code *worst, char *text, uint32_t *rank)
{
	(void)of;
	return open_exchange(NULL, worst, text, rank);
}

static void plugin_no_memory(size_t n, struct err *e)
{
	e->code = ERR_MEMORY;
	snprintf(e->text, sizeof e->text, "not enough memory for %zu bytes from other ranks", n);
}

/* How many messages of a piece each n bytes are. */
static size_t pieces(size_t n)
{
	return (n + PIECE - 1) / PIECE;
}

static size_t piece(size_t n, size_t at)
{
	return at >= n ? 0 : n - at < PIECE ? n - at : PIECE;
}

static int send_piece(const struct team_bytes *to, int target, size_t at, MPI_Request *request)
{
	return MPI_Isend((const char *)to[target].bytes + at, (int)piece(to[target].n, at), MPI_BYTE, target, TAG, job.comm, request);
}

/* Post what a rank sends and gets, and wait for all of it. */
static int pieces_move(const struct team_bytes *to, const struct team_bytes *from, MPI_Request *requests)
{
	int count = 0, error = MPI_SUCCESS;

	for (int step = 1; step < job.size; step++) {
		int source = (job.rank + job.size - step) % job.size, target = (job.rank + step) % job.size;

		for (size_t at = 0; error == MPI_SUCCESS && at < from[source].n; at += PIECE)
			error = MPI_Irecv((char *)from[source].bytes + at, (int)piece(from[source].n, at), MPI_BYTE, source, TAG, job.comm,
					  &requests[count++]);
		for (size_t at = 0; error == MPI_SUCCESS && at < to[target].n; at += PIECE)
			error = send_piece(to, target, at, &requests[count++]);
	}
	return error == MPI_SUCCESS ? wait_for(count, requests, DATA_PAUSE) : error;
}

/* The same of a rank that has no memory for what it gets: it throws that away, so that nobody waits for it. Piece k to
 * the rank that is `step` behind and piece k from the one before go together, so that ranks which all do this never
 * wait in a ring. */
static int move_away(const struct team_bytes *to, const struct team_bytes *from)
{
	int error = MPI_SUCCESS;

	for (int step = 1; step < job.size; step++) {
		int source = (job.rank + job.size - step) % job.size, target = (job.rank + step) % job.size;

		for (size_t at = 0; error == MPI_SUCCESS && (at < from[source].n || at < to[target].n); at += PIECE) {
			MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

			if (at < from[source].n)
				error = MPI_Irecv(job.spare, (int)piece(from[source].n, at), MPI_BYTE, source, TAG, job.comm, &requests[0]);
			if (error == MPI_SUCCESS && at < to[target].n)
				error = send_piece(to, target, at, &requests[1]);
			if (error == MPI_SUCCESS)
				error = wait_for(2, requests, DATA_PAUSE);
		}
	}
	return error;
}

static enum err_code plugin_exchange(void *of, const struct team_bytes *to, struct team_bytes *from, enum err_code *worst, char *text, uint32_t *rank)
{
	MPI_Request *requests;
	enum err_code held = open_exchange(to, worst, text, rank);
	size_t most = 1;
	struct err e = {0};
	int error;

	(void)of;
	if (held || *worst)
		return held;
	for (int r = 0; r < job.size; r++) {
		from[r].n = (size_t)job.openings[job.size + r].bytes;
		most += pieces(from[r].n) + pieces(to[r].n);
		from[r].bytes = job.host.alloc(from[r].n, 1);
		if (!from[r].bytes && !e.code)
			plugin_no_memory(from[r].n, &e);
	}
	requests = job.host.alloc(most, sizeof *requests);
	if (!requests && !e.code)
		plugin_no_memory(most * sizeof *requests, &e);
	if (!e.code && to[job.rank].n)
		memcpy(from[job.rank].bytes, to[job.rank].bytes, to[job.rank].n);
	error = e.code ? move_away(to, from) : pieces_move(to, from, requests);
	job.host.free(requests);
	/* What MPI may still write to is not given back. */
	for (int r = 0; error != MPI_SUCCESS && r < job.size; r++)
		from[r] = (struct team_bytes){NULL, 0};
	if (error != MPI_SUCCESS)
		return broken(error, "exchanging data", text);
	*worst = e.code;
	memcpy(text, e.text, ERR_TEXT);
	return open_exchange(NULL, worst, text, rank);
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

/* Of our own: those of MPICH 4.0 and, in part, of Open MPI 4.1 take numbers from 2^63 on for negative ones. */
static void numbers_keep_larger(void *from, void *to, int *n, MPI_Datatype *type)
{
	const uint64_t *b = from;
	uint64_t *a = to;

	(void)type;
	for (int i = 0; i < *n; i++)
		a[i] = a[i] > b[i] ? a[i] : b[i];
}

static void numbers_keep_smaller(void *from, void *to, int *n, MPI_Datatype *type)
{
	const uint64_t *b = from;
	uint64_t *a = to;

	(void)type;
	for (int i = 0; i < *n; i++)
		a[i] = a[i] < b[i] ? a[i] : b[i];
}

static enum err_code reduce(void *of, uint64_t *list, size_t n, enum team_operation by, char *text)
{
	const MPI_Op ops[] = {[TEAM_SUM] = MPI_SUM, [TEAM_MAX] = job.max, [TEAM_MIN] = job.min, [TEAM_OR] = MPI_BOR, [TEAM_SUM_128] = job.sum_128};
	int error = reduce_numbers(list, n, by == TEAM_SUM_128 ? job.pair : MPI_UINT64_T, ops[by]);

	(void)of;
	return error == MPI_SUCCESS ? ERR_OK : broken(error, "adding up values of all ranks", text);
}

static void plugin_release(void *of)
{
	(void)of;
	job.host.free(job.openings);
	job.host.free(job.spare);
	MPI_Op_free(&job.max);
	MPI_Op_free(&job.min);
	MPI_Op_free(&job.sum_128);
	MPI_Type_free(&job.pair);
	MPI_Comm_free(&job.comm);
	MPI_Finalize();
}

static int exit_status;

static void end_now(int number)
{
	(void)number;
	_exit(exit_status);
}

/* An MPI that has failed may fail at that as well. */
static void plugin_stop(void *of, int status)
{
	int initialized = 0, finalized = 0;

	(void)of;
	exit_status = status;
	signal(SIGALRM, end_now);
	alarm(ABORTING);
	MPI_Initialized(&initialized);
	MPI_Finalized(&finalized);
	if (initialized && !finalized)
		MPI_Abort(MPI_COMM_WORLD, status);
	alarm(0);
}

static int plugin_begin(const struct plugin_host *host, uint32_t *rank, uint32_t *size, void **of, char text[ERR_TEXT])
{
	int level, error = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);

	if (error == MPI_SUCCESS)
		error = MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	if (error == MPI_SUCCESS)
		error = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (error == MPI_SUCCESS)
		error = MPI_Comm_dup(MPI_COMM_WORLD, &job.comm);
	if (error == MPI_SUCCESS)
		error = MPI_Comm_set_errhandler(job.comm, MPI_ERRORS_RETURN);
	if (error == MPI_SUCCESS)
		error = MPI_Comm_size(job.comm, &job.size);
	if (error == MPI_SUCCESS)
		error = MPI_Type_contiguous(2, MPI_UINT64_T, &job.pair);
	if (error == MPI_SUCCESS)
		error = MPI_Type_commit(&job.pair);
	if (error == MPI_SUCCESS)
		error = MPI_Op_create(add_128, 1, &job.sum_128);
	if (error == MPI_SUCCESS)
		error = MPI_Op_create(numbers_keep_larger, 1, &job.max);
	if (error == MPI_SUCCESS)
		error = MPI_Op_create(numbers_keep_smaller, 1, &job.min);
	if (error != MPI_SUCCESS) {
		broken(error, "starting", text);
		return 0;
	}
	if (level < MPI_THREAD_FUNNELED) {
		snprintf(text, ERR_TEXT, "rank %d: this MPI library does not support threads", job.rank);
		return 0;
	}
	job.host = *host;
	job.openings = host->alloc((size_t)job.size * 2, sizeof *job.openings);
	job.spare = host->alloc(PIECE, 1);
	if (!job.openings || !job.spare) {
		snprintf(text, ERR_TEXT, "rank %d: not enough memory to join the analysis", job.rank);
		return 0;
	}
	*rank = (uint32_t)job.rank;
	*size = (uint32_t)job.size;
	*of = &job;
	return 1;
}

static const struct team_kind kind = {agree, plugin_exchange, reduce, plugin_release, plugin_stop};

extern const struct plugin PLUGIN_SYMBOL;
__attribute__((visibility("default"))) const struct plugin PLUGIN_SYMBOL = {PLUGIN_VERSION, "MPI", plugin_begin, &kind};

/* To be preloaded into a rank, between pas2p's plug-in and MPI: what goes wrong at one of its calls.
 *
 *     FAULT=error:2:17    the 17th call of rank 2 returns an error; it is not made
 *           late:2:17     what the 17th call has begun fails when it is asked for
 *           slow:2:17     it is made half a second later
 *           stuck:2:17    it does not return, whatever signals come but SIGKILL, and FAULT_REACHED (a file) appears
 *           begun:2:17    that file appears, and it is made when SIGINT has come, or 10 s later
 *           kill:2:17     the rank is killed there
 *           count:2:0     FAULT_CALLS (a file) gets the number of the calls of rank 2 up to and with MPI_Finalize()
 *
 * FAULT_STATUS, if there, is a file that gets rank 0's exit status when it ends by itself.
 *
 * Calls that only ask, which come as often as it takes, are not counted.
 */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static long calls;
static bool late;

static bool of_this_rank(const char *what, long *at)
{
	const char *fault = getenv("FAULT"), *rank = getenv("PMI_RANK");
	char kind[16];
	long of;

	rank = rank ? rank : getenv("OMPI_COMM_WORLD_RANK");
	return fault && rank && sscanf(fault, "%15[a-z]:%ld:%ld", kind, &of, at) == 3 && strcmp(kind, what) == 0 && of == atol(rank);
}

static bool now(const char *what)
{
	long at;

	return of_this_rank(what, &at) && at == calls;
}

/* A number in a file that a variable names. */
static void tell_number(const char *name, long number)
{
	FILE *file = fopen(getenv(name), "w");

	fprintf(file, "%ld\n", number);
	fclose(file);
}

static void tell(const char *name)
{
	tell_number(name, calls);
}

static void tell_status(int status, void *none)
{
	(void)none;
	tell_number("FAULT_STATUS", status);
}

__attribute__((constructor)) static void begin(void)
{
	const char *rank = getenv("PMI_RANK");

	rank = rank ? rank : getenv("OMPI_COMM_WORLD_RANK");
	if (getenv("FAULT_STATUS") && rank && atol(rank) == 0)
		on_exit(tell_status, NULL);
}

/* SIGINT cannot come in between. */
static void tell_and_wait(void)
{
	struct timespec longest = {10, 0};
	sigset_t interrupt, before;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigprocmask(SIG_BLOCK, &interrupt, &before);
	tell("FAULT_REACHED");
	pselect(0, NULL, NULL, NULL, &longest, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Does the call fail that is made now? */
static bool fails(void)
{
	struct timespec while_others_wait = {0, 500000000};

	calls++;
	if (now("kill"))
		raise(SIGKILL);
	if (now("begun"))
		tell_and_wait();
	if (now("stuck")) {
		signal(SIGINT, SIG_IGN);
		signal(SIGTERM, SIG_IGN);
		tell("FAULT_REACHED");
		for (;;)
			pause();
	}
	if (now("slow"))
		nanosleep(&while_others_wait, NULL);
	late = late || now("late");
	return now("error");
}

#define COUNTED(call, parameters, arguments) \
	int MPI_##call parameters \
	{ \
		return fails() ? MPI_ERR_INTERN : PMPI_##call arguments; \
	}
COUNTED(Init_thread, (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided))
COUNTED(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
COUNTED(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
COUNTED(Comm_size, (MPI_Comm comm, int *size), (comm, size))
COUNTED(Type_contiguous, (int count, MPI_Datatype of, MPI_Datatype *made), (count, of, made))
COUNTED(Type_commit, (MPI_Datatype *type), (type))
COUNTED(Op_create, (MPI_User_function *function, int commutes, MPI_Op *op), (function, commutes, op))
COUNTED(Ialltoall, (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype its, MPI_Comm comm, MPI_Request *request),
	(from, n, type, to, m, its, comm, request))
COUNTED(Ibcast, (void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request), (bytes, n, type, root, comm, request))
COUNTED(Iallreduce, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),
	(from, to, n, type, op, comm, request))
COUNTED(Isend, (const void *from, int n, MPI_Datatype type, int target, int tag, MPI_Comm comm, MPI_Request *request),
	(from, n, type, target, tag, comm, request))
COUNTED(Irecv, (void *to, int n, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request),
	(to, n, type, source, tag, comm, request))

int MPI_Testall(int count, MPI_Request *requests, int *done, MPI_Status *statuses)
{
	return late ? MPI_ERR_INTERN : PMPI_Testall(count, requests, done, statuses);
}

int MPI_Finalize(void)
{
	bool failed = fails();
	long none;

	if (of_this_rank("count", &none))
		tell("FAULT_CALLS");
	return failed ? MPI_ERR_INTERN : PMPI_Finalize();
}

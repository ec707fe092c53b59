/* A program whose functions are looked at (-finstrument-functions): recursion, static functions, one that is left by
 * longjmp(), one called by the MPI library, a flood of short calls, names that mean something else. Said are the
 * events, and on stdout which states rank 0 must have, in order: lines "enter,NAME", "leave,NAME".
 * functions [quiet]: nothing is said on stdout. */
#include <setjmp.h>
#include <unistd.h>

#include "said.h"

#define PLAIN __attribute__((no_instrument_function))

static int speaks;
static jmp_buf back;
static volatile int sunk;

static PLAIN void state(const char *what, const char *name)
{
	if (speaks)
		printf("%s,%s\n", what, name);
}

static PLAIN void wait_a_little(void)
{
	struct timespec t, from;

	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &t);
	while ((t.tv_sec - from.tv_sec) * 1000000000L + t.tv_nsec - from.tv_nsec < 3000000);
}

/* Too short to be logged. */
static int tiny(int i)
{
	return i ^ sunk;
}

static void flood(void)
{
	for (int i = 0; i < 30000; i++)
		sunk += tiny(i);
	MPI_Barrier(MPI_COMM_WORLD);
	said_collective("Barrier", 0, "world");
}

static void deeper(int n)
{
	state("enter", "deeper");
	wait_a_little();
	if (n)
		deeper(n - 1);
	state("leave", "deeper");
}

/* Short, but it communicates. */
void exchange(int i)
{
	int next = (said_rank + 1) % said_size, previous = (said_rank + said_size - 1) % said_size;
	char out[64], in[64];

	state("enter", "exchange");
	MPI_Sendrecv(out, 1 + i, MPI_CHAR, next, 1, in, 64, MPI_CHAR, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	said_send(next, 1 + i, "world", 1);
	said_receive(previous, 1 + i, "world", 1);
	state("leave", "exchange");
}

static void jumps(void)
{
	state("enter", "jumps");
	exchange(5);
	longjmp(back, 1);
}

static void catches(void)
{
	state("enter", "catches");
	if (!setjmp(back))
		jumps();
	state("leave", "jumps");
	state("leave", "catches");
}

/* Called inside of an MPI call: a part of that. */
static void added(void *in, void *inout, int *n, MPI_Datatype *type)
{
	wait_a_little();
	for (int i = 0; i < *n; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

/* No MPI call, whatever its name is. */
void MPI_of_my_own(void)
{
	wait_a_little();
}

void a_function_with_a_name_that_no_definition_can_hold_whole(void)
{
	state("enter", "a_function_with_a_name_tha~4d78");
	wait_a_little();
	state("leave", "a_function_with_a_name_tha~4d78");
}

static PLAIN void regions(void)
{
	char *garbage = (char *)8;

	MPI_Pcontrol(1, "solve \001\xff");
	state("enter", "solve ?\xff");
	exchange(7);
	MPI_Pcontrol(1, "inner");
	state("enter", "inner");
	MPI_Pcontrol(-1, "solve \001\xff");
	state("leave", "solve ?\xff");
	MPI_Pcontrol(-1, "inner");
	state("leave", "inner");
	MPI_Pcontrol(-1, "never begun");
	MPI_Pcontrol(1, garbage);
	MPI_Pcontrol(1, NULL);
	MPI_Pcontrol(1, "");
	MPI_Pcontrol(1, "MPI_Send");
	MPI_Pcontrol(1, "open to the end");
	state("enter", "open to the end");
}

PLAIN int main(int argc, char **argv)
{
	int one = 1, sum;
	MPI_Op op;

	deeper(0); /* speaks is not set: nothing is logged before MPI_Init */
	MPI_Init(&argc, &argv);
	said_begin(); /* it makes MPI calls */
	speaks = said_rank == 0 && argc == 1;
	state("enter", "said_begin");
	state("leave", "said_begin");
	state("enter", "flood");
	flood();
	state("leave", "flood");
	deeper(3);
	exchange(0);
	catches();
	MPI_Op_create(added, 1, &op);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
	said_collective("Allreduce", 4, "world");
	MPI_of_my_own();
	a_function_with_a_name_that_no_definition_can_hold_whole();
	/* While records are off nothing is logged but the end of what began before. */
	MPI_Pcontrol(0);
	speaks = 0;
	deeper(1);
	speaks = said_rank == 0 && argc == 1;
	MPI_Pcontrol(1, "off and on");
	state("enter", "off and on");
	MPI_Pcontrol(-1, "off and on");
	state("leave", "off and on");
	regions();
	said_collective("Barrier", 0, "world");
	MPI_Barrier(MPI_COMM_WORLD);
	state("leave", "open to the end");
	said_end();
	MPI_Finalize();
	speaks = 0;
	deeper(0);
	return 0;
}

/* Large messages without the bytes: a library between the tracer and the MPI. What is sent is how many bytes there would be, and
 * that is what the status tells. Others, the tracer's own among them, pass. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

#define NEXT(name) __typeof__(MPI_##name) *real; void *found = next("PMPI_" #name); memcpy(&real, &found, sizeof real)

#define LARGE ((MPI_Count)1 << 30)

static MPI_Count last;          /* of the only request */
static MPI_Count *pending;

static MPI_Count bytes(MPI_Count count, MPI_Datatype type)
{
	MPI_Count size;

	MPI_Type_size_x(type, &size);
	return count * size;
}

static int send(MPI_Count n, int dest, int tag, MPI_Comm comm)
{
	NEXT(Send);
	return real(&n, sizeof n, MPI_BYTE, dest, tag, comm);
}

int PMPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
	NEXT(Send);
	return bytes(count, type) < LARGE ? real(buf, count, type, dest, tag, comm) : send(bytes(count, type), dest, tag, comm);
}

int PMPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
	NEXT(Isend);
	if (bytes(count, type) < LARGE)
		return real(buf, count, type, dest, tag, comm, request);
	last = bytes(count, type);
	return real(&last, sizeof last, MPI_BYTE, dest, tag, comm, request);
}

static int receive(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	MPI_Count n = 0;
	int code;
	NEXT(Recv);

	code = real(&n, sizeof n, MPI_BYTE, source, tag, comm, status);
	MPI_Status_set_elements_x(status, MPI_BYTE, n);
	return code;
}

int PMPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	NEXT(Recv);
	return bytes(count, type) < LARGE ? real(buf, count, type, source, tag, comm, status) : receive(source, tag, comm, status);
}

int PMPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
	NEXT(Irecv);
	if (bytes(count, type) < LARGE)
		return real(buf, count, type, source, tag, comm, request);
	pending = &last;
	return real(&last, sizeof last, MPI_BYTE, source, tag, comm, request);
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
	int code;
	NEXT(Wait);

	code = real(request, status);
	if (pending)
		MPI_Status_set_elements_x(status, MPI_BYTE, *pending);
	pending = NULL;
	return code;
}

int PMPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
	NEXT(Bcast);
	return real(buf, bytes(count, type) < LARGE ? count : 0, type, root, comm);
}

#if MPI_VERSION >= 4
int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
	(void)buf;
	return send(bytes(count, type), dest, tag, comm);
}

int PMPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	(void)buf, (void)count, (void)type;
	return receive(source, tag, comm, status);
}
#endif

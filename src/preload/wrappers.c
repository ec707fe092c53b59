/* The wrappers that calls.def describes, for int counts and, from MPI 4 on, also for MPI_Count; and a few wrappers for
 * communicators, written by hand. The wrappers for requests are in requests.c. */
#include "call.h"

#define EXPORT __attribute__((visibility("default")))
#define TEXT_OF(x) #x
#define NAME_OF(x) TEXT_OF(x)
#define NONE real.world
#define HOLD(handle, cm) comm_hold((uintptr_t)(handle), cm)
#define HELD(handle) comm_held((uintptr_t)(handle))
#define RELEASE(handle) comm_release((uintptr_t)(handle))

/* Sizes in bytes; MPI's own type sizes, not extents. Below 0: not known. */
static inline int64_t times(int64_t bytes, int64_t n)
{
	int64_t all;

	return bytes < 0 || __builtin_mul_overflow(bytes, n, &all) ? -1 : all;
}

static inline int64_t bytes(int64_t count, MPI_Datatype type)
{
	MPI_Count size = -1;

	return real.Type_size_x(type, &size) == MPI_SUCCESS ? times(size, count) : -1;
}

static bool is_root(const struct comm *cm, int root)
{
	return cm->inter ? root == MPI_ROOT : root == cm->rank;
}

/* What goes out of the root only, as in a broadcast. */
static int64_t root_bytes(const struct comm *cm, int root, int64_t count, MPI_Datatype type)
{
	return is_root(cm, root) ? bytes(count, type) : 0;
}

static int64_t root_times(const struct comm *cm, int root, const void *sbuf, int64_t count, MPI_Datatype type)
{
	(void)sbuf;
	return is_root(cm, root) ? times(bytes(count, type), cm->peers) : 0;
}

/* What every member gives to the root; over an intercommunicator, every member of the side without root. */
static int64_t leaf_bytes(const struct comm *cm, int root, int64_t n)
{
	return cm->inter && root < 0 ? 0 : n;
}

#define SUMS(suffix, type_of_count) \
	static int64_t bytes_sum_##suffix(const type_of_count *counts, int n, MPI_Datatype type) \
	{ \
		int64_t sum = 0; \
		for (int i = 0; i < n; i++) \
			sum += (int64_t)counts[i]; \
		return bytes(sum, type); \
	} \
	static int64_t bytes_each_##suffix(const type_of_count *counts, int n, const MPI_Datatype *types) \
	{ \
		int64_t sum = 0; \
		for (int i = 0; i < n && sum >= 0; i++) { \
			int64_t one = counts[i] ? bytes((int64_t)counts[i], types[i]) : 0; \
			if (one < 0 || __builtin_add_overflow(sum, one, &sum)) \
				sum = -1; \
		} \
		return sum; \
	}
SUMS(int, int)

static void send_planned(struct comm *cm, int dest, int tag, int64_t n, MPI_Request request)
{
	request_add(request, &(struct request){.kind = REQUEST_PERSISTENT_SEND, .cm = cm, .peer = dest, .tag = tag,
			.bytes = n});
}

static void receive_planned(struct comm *cm, int source, MPI_Request request)
{
	request_add(request, &(struct request){.kind = REQUEST_PERSISTENT_RECEIVE, .cm = cm, .peer = source});
}

static void receive_begun(const struct call *c, MPI_Request request)
{
	request_add(request, &(struct request){.kind = REQUEST_RECEIVE, .cm = c->cm, .post = c->post});
}

static void idup_begun(const struct call *c, MPI_Comm *out, MPI_Request request)
{
	request_add(request, &(struct request){.kind = REQUEST_IDUP, .cm = c->cm, .made = out, .number = ++c->cm->derived,
			.post = c->post});
}

static void collective_begun(const struct call *c, MPI_Request request)
{
	if (c->post)
		request_begun(request, c);
}

#if MPI_VERSION >= 4
static void parts_planned(struct comm *cm, int source, int tag, int64_t n, MPI_Request request)
{
	request_add(request, &(struct request){.kind = REQUEST_PERSISTENT_RECEIVE, .cm = cm, .peer = source, .tag = tag,
			.bytes = n, .parts = true});
}

static void exchange_begun(const struct call *c, int source, int tag, MPI_Request request)
{
	if (source != MPI_PROC_NULL)
		request_add(request, &(struct request){.kind = REQUEST_EXCHANGE, .cm = c->cm, .peer = source, .tag = tag,
				.post = c->post});
}

static void collective_planned(struct comm *cm, enum call_id begins, int64_t n, int root, MPI_Request request)
{
	request_add(request, &(struct request){.kind = REQUEST_PERSISTENT_COLLECTIVE, .cm = cm, .begins = begins,
			.peer = root, .bytes = n});
}
#endif

#define N(name) name
#define COUNT int
#define DISPL int
#define bytes_sum bytes_sum_int
#define bytes_each bytes_each_int
#include "wrappers.inc"

#if MPI_VERSION >= 4
#undef N
#undef COUNT
#undef DISPL
#undef bytes_sum
#undef bytes_each
SUMS(count, MPI_Count)
#define BIG_COUNTS
#define N(name) name##_c
#define COUNT MPI_Count
#define DISPL MPI_Aint
#define bytes_sum bytes_sum_count
#define bytes_each bytes_each_count
#include "wrappers.inc"
#endif

static int free_comm(enum call_id id, int (*function)(MPI_Comm *), MPI_Comm *comm)
{
	struct call c;
	int rc;

	if (!call_outer()) {
		rc = function(comm);
	} else {
		struct comm *cm = comm_find(*comm);

		call_open(&c, id, cm, CALL_WAITS | CALL_GATHERS, 0, comm_gathering(cm), 0);
		/* Before: the handle may be given out again at once, to another thread. */
		comm_freed(cm);
		rc = function(comm);
		call_close(&c, NULL);
	}
	self.depth--;
	return rc;
}

EXPORT int MPI_Comm_free(MPI_Comm *comm)
{
	return free_comm(CALL_Comm_free, real.Comm_free, comm);
}
EXPORT int PMPI_Comm_free(MPI_Comm *comm) __attribute__((alias("MPI_Comm_free")));

EXPORT int MPI_Comm_disconnect(MPI_Comm *comm)
{
	return free_comm(CALL_Comm_disconnect, real.Comm_disconnect, comm);
}
EXPORT int PMPI_Comm_disconnect(MPI_Comm *comm) __attribute__((alias("MPI_Comm_disconnect")));

static int probe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
	struct call c;
	int rc;

	if (!call_outer()) {
		rc = flag ? real.Improbe(source, tag, comm, flag, message, status)
			  : real.Mprobe(source, tag, comm, message, status);
	} else {
		struct comm *cm = comm_find(comm);
		struct clock_moment began = {0, 0};

		if (flag)
			began = call_poll(&c, cm);
		else
			call_open(&c, CALL_Mprobe, cm, CALL_WAITS, 0, 0, 0);
		rc = flag ? real.Improbe(source, tag, comm, flag, message, status)
			  : real.Mprobe(source, tag, comm, message, status);
		if (flag)
			call_polled(&c, CALL_Improbe, rc != MPI_SUCCESS || *flag, &began);
		if (rc == MPI_SUCCESS && (!flag || *flag))
			message_add(*message, cm);
		call_close(&c, NULL);
	}
	self.depth--;
	return rc;
}

EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
	return probe(source, tag, comm, NULL, message, status);
}
EXPORT int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
	__attribute__((alias("MPI_Mprobe")));

EXPORT int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
	return probe(source, tag, comm, flag, message, status);
}
EXPORT int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
	__attribute__((alias("MPI_Improbe")));

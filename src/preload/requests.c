#include "call.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Open addressing, linear probing, power of two, at most half full; removal shifts back. Key 0: free. */
struct request_map {
	struct request *slots;
	size_t cap, count;
};

static uint8_t *put_request(uint8_t *p, double t, int32_t etype, uint32_t post)
{
	p = put_cargo(p, t, 0, preload.rank, self.id, etype, 0);
	put_big(p - 32, (int32_t)post);
	return p;
}

static struct request_map requests;
static struct request_map messages;
static uint64_t last_serial;

/* Handles are pointers in Open MPI and integers in MPICH; none that is valid is 0 in both once this is added. */
#define KEY_OF(handle) ((uint64_t)(uintptr_t)(handle) + 1)

static size_t map_home_slot(const struct request_map *m, uint64_t key)
{
	return (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (m->cap - 1);
}

static struct request *map_find(const struct request_map *m, uint64_t key)
{
	if (!m->count)
		return NULL;
	for (size_t i = map_home_slot(m, key); m->slots[i].key; i = (i + 1) & (m->cap - 1))
		if (m->slots[i].key == key)
			return &m->slots[i];
	return NULL;
}

static void map_put(struct request_map *m, const struct request *r)
{
	size_t i = map_home_slot(m, r->key);

	while (m->slots[i].key && m->slots[i].key != r->key)
		i = (i + 1) & (m->cap - 1);
	if (!m->slots[i].key)
		m->count++;
	m->slots[i] = *r;
}

static void map_add(struct request_map *m, const struct request *r)
{
	if (m->count * 2 >= m->cap) {
		struct request_map more = {.cap = m->cap ? m->cap * 2 : 256};

		more.slots = calloc(more.cap, sizeof *more.slots);
		if (!more.slots)
			return;
		for (size_t i = 0; i < m->cap; i++)
			if (m->slots[i].key)
				map_put(&more, &m->slots[i]);
		free(m->slots);
		*m = more;
	}
	map_put(m, r);
}

static void map_remove(struct request_map *m, struct request *r)
{
	size_t hole = (size_t)(r - m->slots);
	size_t mask = m->cap - 1;

	m->count--;
	for (size_t i = (hole + 1) & mask; m->slots[i].key; i = (i + 1) & mask) {
		if (((i - map_home_slot(m, m->slots[i].key)) & mask) >= ((i - hole) & mask)) {
			m->slots[hole] = m->slots[i];
			hole = i;
		}
	}
	m->slots[hole].key = 0;
}

void request_add(MPI_Request handle, const struct request *r)
{
	struct request copy = *r;

	if (handle == real.request_null)
		return;
	copy.key = KEY_OF(handle);
	preload_lock();
	copy.serial = ++last_serial;
	map_add(&requests, &copy);
	preload_unlock();
}

/* Something has completed that has no message. */
static void log_completed(uint32_t post)
{
	double t;
	uint8_t *p;

	if (!post)
		return;
	preload_lock();
	p = buffer_room(LEN_CARGO);
	t = buffer_order(clock_now());
	put_request(p, t, ETYPE_COMPLETED, post);
	buffer_commit(LEN_CARGO, t);
	preload_unlock();
}

/* MPI libraries give one handle to all that is complete at once: of two with the same, the earlier is. */
void request_begun(MPI_Request handle, const struct call *c)
{
	const struct request *known;
	uint32_t earlier = 0;

	if (handle == real.request_null || handle == real.request_done) {
		log_completed(c->post);
		return;
	}
	preload_lock();
	known = map_find(&requests, KEY_OF(handle));
	if (known && known->kind == REQUEST_COLLECTIVE)
		earlier = known->post;
	preload_unlock();
	log_completed(earlier);
	request_add(handle, &(struct request){.kind = REQUEST_COLLECTIVE, .cm = c->cm, .post = c->post});
}

void message_add(MPI_Message message, struct comm *cm)
{
	struct request r = {.key = KEY_OF(message), .cm = cm};

	preload_lock();
	map_add(&messages, &r);
	preload_unlock();
}

struct comm *message_take(MPI_Message message)
{
	struct comm *cm = &comm_world;
	struct request *r;

	preload_lock();
	r = map_find(&messages, KEY_OF(message));
	if (r) {
		cm = r->cm;
		map_remove(&messages, r);
	}
	preload_unlock();
	return cm;
}

bool received_of(struct received *got, struct comm *cm, MPI_Status *status)
{
	MPI_Count count = -1;

	if (status->MPI_SOURCE == MPI_PROC_NULL)
		return false;
	got->cm = cm;
	got->source = comm_peer(cm, status->MPI_SOURCE);
	got->tag = status->MPI_TAG;
	if (got->source < 0)
		return false;
	got->bytes = real.Get_elements_x(status, real.byte, &count) == MPI_SUCCESS && count >= 0 ? count : -1;
	return true;
}

/* Room for n requests and statuses in this thread's scratch. */
static bool scratch(int n)
{
	if (self.scratch < n) {
		int room = n < 16 ? 16 : n;
		struct request *r = realloc(self.requests, (size_t)room * sizeof *r);
		MPI_Status *s;

		if (!r)
			return false;
		self.requests = r;
		s = realloc(self.statuses, (size_t)room * sizeof *s);
		if (!s)
			return false;
		self.statuses = s;
		self.scratch = room;
	}
	return true;
}

static bool is_persistent(const struct request *r)
{
	return r->kind == REQUEST_PERSISTENT_RECEIVE || r->kind == REQUEST_PERSISTENT_COLLECTIVE;
}

static bool tells_when_complete(const struct request *r)
{
	return r->kind == REQUEST_RECEIVE || r->kind == REQUEST_PERSISTENT_RECEIVE || r->kind == REQUEST_EXCHANGE ||
	       r->kind == REQUEST_IDUP || r->kind == REQUEST_COLLECTIVE || (r->kind == REQUEST_PERSISTENT_COLLECTIVE && r->post);
}

static bool receives(const struct request *r)
{
	return r->kind == REQUEST_RECEIVE || r->kind == REQUEST_PERSISTENT_RECEIVE || r->kind == REQUEST_EXCHANGE;
}

/* Copy what is known of n requests into the scratch; how many of them can make an event when they complete. */
static int look_up(int n, const MPI_Request *handles)
{
	int known = 0;

	if (n <= 0 || !scratch(n))
		return 0;
	preload_lock();
	for (int i = 0; i < n; i++) {
		struct request *r = map_find(&requests, KEY_OF(handles[i]));

		self.requests[i].kind = REQUEST_NONE;
		if (r && (!is_persistent(r) || r->active)) {
			self.requests[i] = *r;
			known += tells_when_complete(r);
			if (r->kind == REQUEST_EXCHANGE) /* message_of(): nothing of an earlier call is taken for its */
				self.statuses[i].MPI_SOURCE = self.statuses[0].MPI_SOURCE = MPI_PROC_NULL;
		}
	}
	preload_unlock();
	return known;
}

static void inner_state(int32_t state, int32_t etype, const struct received *m, uint32_t post)
{
	size_t length = (post ? LEN_CARGO : LEN_BARE) + message_length(m->bytes) + LEN_BARE;
	double t;
	uint8_t *p;

	define_known(state);
	preload_lock();
	p = buffer_room(length);
	t = buffer_order(clock_now());
	if (post)
		p = put_request(p, t, 2 * state, post);
	else
		p = put_bare(p, t, 0, preload.rank, self.id, 2 * state);
	p = put_message(p, t, m->cm, etype, m->source, m->tag, m->bytes);
	put_bare(p, t, 0, preload.rank, self.id, 2 * state + 1);
	buffer_commit(length, t);
	preload_unlock();
}

/* A persistent collective is started: its nonblocking form, as a state of no length inside MPI_Start. */
static void inner_collective(const struct request *r)
{
	struct call c = {.cm = r->cm, .start = call_starts[r->begins], .post = r->post};
	bool rooted = strstr(call_infos[r->begins].format, "root=");
	unsigned flags = CALL_COLLECTS | CALL_POSTS | (rooted ? CALL_ROOTED : 0);
	size_t length = LEN_CARGO + LEN_BARE;
	double t;
	uint8_t *p;

	if (!preload.used[r->begins])
		define_call(r->begins);
	preload_lock();
	p = buffer_room(length);
	t = buffer_order(clock_now());
	p = put_start(p, t, &c, flags, r->bytes, r->peer);
	put_bare(p, t, r->cm->icomm, r->cm->rank, self.id, c.start + 1);
	buffer_commit(length, t);
	preload_unlock();
}

/* The message that a completed request got. MPICH 4.0 leaves the status of MPI_Isendrecv as it was. */
static bool message_of(struct received *got, const struct request *r, MPI_Status *status)
{
	int source = r->peer == MPI_ANY_SOURCE ? -1 : comm_peer(r->cm, r->peer);
	bool named = !r->parts && received_of(got, r->cm, status);

	if (r->kind != REQUEST_EXCHANGE && !r->parts)
		return named;
	named = named && (source < 0 || got->source == source) && (r->tag == MPI_ANY_TAG || got->tag == r->tag);
	if (named || source < 0 || r->tag == MPI_ANY_TAG)
		return named;
	*got = (struct received){r->cm, source, r->tag, r->parts ? r->bytes : -1};
	return true;
}

/* Request number i of the scratch has completed. */
static void completed(const struct call *c, int i, MPI_Status *status)
{
	const struct request *was = &self.requests[i];
	struct received got;
	int cancelled = 0;

	if (!tells_when_complete(was))
		return;
	preload_lock();
	{
		struct request *r = map_find(&requests, was->key);

		/* Once the call has returned, another thread's new request may have the same handle. */
		if (r && r->serial != was->serial)
			r = NULL;
		if (r && is_persistent(was))
			r->active = false;
		else if (r)
			map_remove(&requests, r);
	}
	preload_unlock();
	if (was->kind == REQUEST_IDUP)
		comm_made_later(was->cm, *was->made, was->number);
	if (!c->record)
		return;
	if (was->cancelled)
		real.Test_cancelled(status, &cancelled);
	if (receives(was) && !cancelled && message_of(&got, was, status))
		inner_state(STATE_IRECV_WAITED, ETYPE_RECEIVE, &got, was->post);
	else
		log_completed(was->post);
}

/* All n of a Waitall or Testall; after MPI_ERR_IN_STATUS only some may have succeeded. */
static void completed_all(const struct call *c, int rc, int n, MPI_Status *statuses)
{
	for (int i = 0; i < n; i++)
		if (rc == MPI_SUCCESS || (rc == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR == MPI_SUCCESS))
			completed(c, i, &statuses[i]);
}

static void completed_some(const struct call *c, int rc, int done, const int *indices, MPI_Status *statuses)
{
	for (int k = 0; done != MPI_UNDEFINED && k < done; k++)
		if (rc == MPI_SUCCESS || (rc == MPI_ERR_IN_STATUS && statuses[k].MPI_ERROR == MPI_SUCCESS))
			completed(c, indices[k], &statuses[k]);
}

/* A completing call: with the statuses replaced by our own where the program wants none but we do, then `after` if any
 * of the requests can make an event. */
#define REQUESTS(name, params, args, n, handles, stat, ignored, before, behind, after) \
	EXPORT int MPI_##name params \
	{ \
		struct call c; \
		int rc; \
		if (!call_outer()) { \
			rc = real.name args; \
		} else { \
			int known = look_up(n, handles); \
			if (known && stat == ignored) \
				stat = self.statuses; \
			before; \
			rc = real.name args; \
			behind; \
			if (known) \
				after; \
			call_close(&c, NULL); \
		} \
		self.depth--; \
		return rc; \
	} \
	EXPORT int PMPI_##name params __attribute__((alias("MPI_" #name)));

#define COMPLETES(name, params, args, n, handles, stat, ignored, after) \
	REQUESTS(name, params, args, n, handles, stat, ignored, \
		 call_open(&c, CALL_##name, &comm_world, CALL_WAITS, 0, 0, 0), , after)

/* The same, but it may find nothing complete. */
#define POLLS(name, params, args, n, handles, stat, ignored, found, after) \
	REQUESTS(name, params, args, n, handles, stat, ignored, struct clock_moment began = call_poll(&c, &comm_world), \
		 call_polled(&c, CALL_##name, rc != MPI_SUCCESS || (found), &began), after)

COMPLETES(Wait, (MPI_Request *request, MPI_Status *status), (request, status), 1, request, status, MPI_STATUS_IGNORE,
	  if (rc == MPI_SUCCESS) completed(&c, 0, status))
POLLS(Test, (MPI_Request *request, int *flag, MPI_Status *status), (request, flag, status), 1, request, status,
      MPI_STATUS_IGNORE, *flag, if (rc == MPI_SUCCESS && *flag) completed(&c, 0, status))
COMPLETES(Waitall, (int count, MPI_Request *handles, MPI_Status *statuses), (count, handles, statuses), count, handles,
	  statuses, MPI_STATUSES_IGNORE, completed_all(&c, rc, count, statuses))
POLLS(Testall, (int count, MPI_Request *handles, int *flag, MPI_Status *statuses), (count, handles, flag, statuses),
      count, handles, statuses, MPI_STATUSES_IGNORE, *flag,
      if (rc == MPI_ERR_IN_STATUS || (rc == MPI_SUCCESS && *flag)) completed_all(&c, rc, count, statuses))
COMPLETES(Waitany, (int count, MPI_Request *handles, int *index, MPI_Status *status), (count, handles, index, status),
	  count, handles, status, MPI_STATUS_IGNORE,
	  if (rc == MPI_SUCCESS && *index != MPI_UNDEFINED) completed(&c, *index, status))
POLLS(Testany, (int count, MPI_Request *handles, int *index, int *flag, MPI_Status *status),
      (count, handles, index, flag, status), count, handles, status, MPI_STATUS_IGNORE, *flag && *index != MPI_UNDEFINED,
      if (rc == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED) completed(&c, *index, status))
COMPLETES(Waitsome, (int count, MPI_Request *handles, int *done, int *indices, MPI_Status *statuses),
	  (count, handles, done, indices, statuses), count, handles, statuses, MPI_STATUSES_IGNORE,
	  completed_some(&c, rc, *done, indices, statuses))
POLLS(Testsome, (int count, MPI_Request *handles, int *done, int *indices, MPI_Status *statuses),
      (count, handles, done, indices, statuses), count, handles, statuses, MPI_STATUSES_IGNORE,
      *done > 0 && *done != MPI_UNDEFINED, completed_some(&c, rc, *done, indices, statuses))

/* What the checkpoint runner counts when it is started. */
static bool request_counts(const struct request *r)
{
	if (r->kind == REQUEST_PERSISTENT_COLLECTIVE)
		return control_collectives && (r->cm->size > 1 || r->cm->inter);
	return r->kind == REQUEST_PERSISTENT_SEND && r->peer != MPI_PROC_NULL;
}

/* Those of a kind are active from now on, each with a number. Of receives, to which no record of their own belongs, the
 * numbers are logged together. */
static void begin_all(const struct call *c, int n, const MPI_Request *handles, enum request_kind kind)
{
	uint32_t first = 0;
	int32_t count = 0;
	double t;
	uint8_t *p;

	preload_lock();
	for (int i = 0; i < n; i++) {
		struct request *r = map_find(&requests, KEY_OF(handles[i]));

		if (!r || r->kind != kind)
			continue;
		r->active = kind == REQUEST_PERSISTENT_COLLECTIVE || r->peer != MPI_PROC_NULL;
		r->post = 0;
		if (!c->record || !r->active || (kind == REQUEST_PERSISTENT_COLLECTIVE && r->cm->size == 1 && !r->cm->inter))
			continue;
		r->post = post_next();
		first = first ? first : r->post;
		count++;
	}
	if (count && kind == REQUEST_PERSISTENT_RECEIVE) {
		p = buffer_room(LEN_CARGO);
		t = buffer_order(clock_now());
		p = put_request(p, t, ETYPE_POSTED, first);
		put_big(p - 28, count);
		buffer_commit(LEN_CARGO, t);
	}
	preload_unlock();
}

/* Start and Startall. The runner counts each persistent send and collective before the call. A collective's record lies
 * before the call, as that of any other; MPE stamps a persistent send's after it. So in one MPI_Startall the
 * collectives come first. */
static int requests_start(enum call_id id, int n, MPI_Request *handles)
{
	struct call c;
	uint64_t first = 0;
	uint64_t last = 0;
	int rc;

	if (!call_outer()) {
		rc = id == CALL_Start ? real.Start(handles) : real.Startall(n, handles);
		self.depth--;
		return rc;
	}
	call_open(&c, id, &comm_world, 0, 0, 0, 0);
	begin_all(&c, n, handles, REQUEST_PERSISTENT_RECEIVE);
	begin_all(&c, n, handles, REQUEST_PERSISTENT_COLLECTIVE);
	look_up(n, handles);
	for (int i = 0; preload.mode == PRELOAD_CONTROL && i < n; i++) {
		if (request_counts(&self.requests[i])) {
			last = call_count();
			first = first ? first : last;
		}
	}
	for (int i = 0; c.record && i < n; i++)
		if (self.requests[i].kind == REQUEST_PERSISTENT_COLLECTIVE)
			inner_collective(&self.requests[i]);
	rc = id == CALL_Start ? real.Start(handles) : real.Startall(n, handles);
	for (int i = 0; c.record && rc == MPI_SUCCESS && i < n; i++) {
		const struct request *r = &self.requests[i];
		struct received m = {.cm = r->cm, .source = r->peer, .tag = r->tag, .bytes = r->bytes};

		if (r->kind != REQUEST_PERSISTENT_SEND || r->peer == MPI_PROC_NULL)
			continue;
		m.source = comm_peer(r->cm, r->peer);
		if (m.source >= 0)
			inner_state(STATE_ISEND_WAITED, ETYPE_SEND, &m, 0);
	}
	for (uint64_t k = first; k && k <= last; k++)
		control_after(k);
	call_close(&c, NULL);
	self.depth--;
	return rc;
}

EXPORT int MPI_Start(MPI_Request *request)
{
	return requests_start(CALL_Start, 1, request);
}
EXPORT int PMPI_Start(MPI_Request *request) __attribute__((alias("MPI_Start")));

EXPORT int MPI_Startall(int count, MPI_Request *handles)
{
	return requests_start(CALL_Startall, count, handles);
}
EXPORT int PMPI_Startall(int count, MPI_Request *handles) __attribute__((alias("MPI_Startall")));

EXPORT int MPI_Cancel(MPI_Request *request)
{
	struct call c;
	int rc;

	if (!call_outer()) {
		rc = real.Cancel(request);
	} else {
		struct request *r;

		call_open(&c, CALL_Cancel, &comm_world, 0, 0, 0, 0);
		preload_lock();
		r = map_find(&requests, KEY_OF(*request));
		if (r)
			r->cancelled = true;
		preload_unlock();
		rc = real.Cancel(request);
		call_close(&c, NULL);
	}
	self.depth--;
	return rc;
}
EXPORT int PMPI_Cancel(MPI_Request *request) __attribute__((alias("MPI_Cancel")));

EXPORT int MPI_Request_free(MPI_Request *request)
{
	struct call c;
	int rc;

	if (!call_outer()) {
		rc = real.Request_free(request);
	} else {
		struct request *r;
		uint32_t post = 0;

		call_open(&c, CALL_Request_free, &comm_world, 0, 0, 0, 0);
		preload_lock();
		r = map_find(&requests, KEY_OF(*request));
		if (r) {
			post = is_persistent(r) && !r->active ? 0 : r->post;
			map_remove(&requests, r);
		}
		preload_unlock();
		if (c.record)
			log_completed(post);
		rc = real.Request_free(request);
		call_close(&c, NULL);
	}
	self.depth--;
	return rc;
}
EXPORT int PMPI_Request_free(MPI_Request *request) __attribute__((alias("MPI_Request_free")));

/* The merge: every process reads its own records back, corrects their times, numbers their communicators for the whole
 * file, and sends them to rank 0 in chunks when rank 0 asks for them. Rank 0 repeatedly takes the record with the
 * smallest time and writes it. So rank 0 holds one chunk of each process, for any size of the trace.
 *
 * MPE merges over a binary tree of ranks (children of r: 2r+1, 2r+2), preferring at equal times the left child,
 * then the right, then the node itself: equal to taking the smallest (time, place in the tree's post-order).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/formats/clog2/clog2.h"
#include "comms.h"
#include "preload.h"
#include "functions.h"
#include "sync.h"

#define TAG_ASK 2
#define TAG_CHUNK 3
#define CHUNK_MOST (1u << 20)
#define CHUNK_LEAST 4096u
#define CHUNK_TOTAL (64u << 20)  /* what rank 0 spends on chunks, as long as they are not smaller than CHUNK_LEAST */

static const uint32_t lengths[] = {24, 24, LEN_STATEDEF, LEN_EVENTDEF, LEN_CONSTDEF, LEN_BARE, LEN_CARGO, LEN_MSG, 40,
				   LEN_COMM, 72, LEN_TIMESHIFT};

/* ---- reading back this process's records ---- */

struct own {
	uint64_t block, blocks;
	uint8_t *bytes;  /* of the current block */
	size_t at;
	bool open, failed;
	double last;     /* corrected times do not go back either */
};

static int32_t get_i32(const uint8_t *p)
{
	int32_t v;

	memcpy(&v, p, 4);
	return v;
}

static double get_f64(const uint8_t *p)
{
	double v;

	memcpy(&v, p, 8);
	return v;
}

static void set_i32(uint8_t *p, int32_t v)
{
	memcpy(p, &v, 4);
}

/* Bounds of rank 0's time less a record's, which has another time now. */
static void renew_bounds(uint8_t *cargo, double local, double shown)
{
	double bounds[2];
	uint64_t bits[2];

	memcpy(bits, cargo, sizeof bits);
	for (int i = 0; i < 2; i++) {
		bits[i] = big_u64(bits[i]);
		memcpy(&bounds[i], &bits[i], 8);
	}
	sync_bounds(local, shown, bounds);
	for (int i = 0; i < 2; i++)
		bits[i] = big_u64(f64_bits(bounds[i]));
	memcpy(cargo, bits, sizeof bits);
}

/* What each process says of itself, and the merged file says of all. */
static bool is_own_constant(const uint8_t *p)
{
	return strncmp((const char *)p + 32, "PAS2P_", 6) == 0;
}

/* The next record as it goes to rank 0: host byte order, final times and numbers. 0: no more. */
static size_t own_next(struct own *o, uint8_t *to)
{
	for (;;) {
		uint8_t *p = o->bytes + o->at;
		int32_t type;
		int32_t icomm;

		if (!o->open) {
			if (o->block == o->blocks)
				return 0;
			if (!buffer_block(o->block++, o->bytes)) {
				o->failed = true;
				return 0;
			}
			o->open = true;
			o->at = 0;
			continue;
		}
		type = get_i32(p + 20);
		if (type == REC_ENDBLOCK || type == REC_ENDLOG) {
			o->open = false;
			continue;
		}
		o->at += lengths[type];
		if (type == REC_STATEDEF || type == REC_EVENTDEF || (type == REC_CONSTDEF && is_own_constant(p)))
			continue;
		memcpy(to, p, lengths[type]);
		{
			double t = sync_corrected(get_f64(p));

			o->last = t < o->last ? o->last : t;
			put_f64(to, o->last);
		}
		icomm = get_i32(p + 8);
		if (type == REC_CARGO && get_i32(p + 24) == ETYPE_CLOCK)
			renew_bounds(to + 32, get_f64(p), o->last);
		if (type == REC_MSG) {
			bool inter = comm_table[icomm].kind == 0;

			set_i32(to + 24 + 4, comm_table[inter ? icomm + 2 : icomm].number);
			icomm = comm_table[icomm].side;
		} else if (type == REC_BARE || type == REC_CARGO) {
			icomm = comm_table[icomm].side;
		} else if (type == REC_COMM) {
			int32_t made = get_i32(p + 28);

			if (made != NULL_COMM)
				set_i32(to + 28, comm_table[made].number);
		} else if (type == REC_TIMESHIFT) {
			put_f64(to + 24, -get_f64(p + 24));
		}
		if (type == REC_BARE && get_i32(p + 28) > 0) {
			const struct user_state *s = &user_states[get_i32(p + 28) - 1];

			set_i32(to + 24, state_merged_start(s->number) + get_i32(p + 24) - s->etype);
		}
		set_i32(to + 8, comm_table[icomm].number);
		return lengths[type];
	}
}

/* As many whole records as fit. */
static size_t own_chunk(struct own *o, uint8_t *chunk, size_t room)
{
	size_t used = 0;

	while (used + LEN_STATEDEF <= room) {
		size_t n = own_next(o, chunk + used);

		if (!n)
			break;
		used += n;
	}
	return used;
}

/* ---- numbering what processes share, communicators and user states: one number for each GID or name, in the
 * order of ranks, rank 0's first ---- */

#define SHOWN_BYTES 32

struct shown_identity {
	uint8_t bytes[SHOWN_BYTES];
	int32_t number;
};

_Static_assert(GID_BYTES == SHOWN_BYTES && STATE_NAME == SHOWN_BYTES, "both are numbered");

static uint64_t shown_hash(const uint8_t *bytes)
{
	uint64_t h = 14695981039346656037u;

	for (int i = 0; i < SHOWN_BYTES; i++)
		h = (h ^ bytes[i]) * 1099511628211u;
	return h ^ h >> 29;
}

static bool number_list(struct shown_identity *list, size_t n)
{
	size_t cap = 16;
	size_t *slots;
	int32_t next = 0;

	while (cap < 2 * n)
		cap *= 2;
	slots = calloc(cap, sizeof *slots);
	if (!slots)
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t at = (size_t)shown_hash(list[i].bytes) & (cap - 1);

		while (slots[at] && memcmp(list[slots[at] - 1].bytes, list[i].bytes, SHOWN_BYTES) != 0)
			at = (at + 1) & (cap - 1);
		if (slots[at]) {
			list[i].number = list[slots[at] - 1].number;
		} else {
			slots[at] = i + 1;
			list[i].number = next++;
		}
	}
	free(slots);
	return true;
}

/* Number this process's own (NULL: no memory, which all come to know of) together with all others'. Rank 0 keeps all
 * processes' in
 * *all, *total of them; the caller frees it. */
static bool number_all(struct shown_identity *own, int count, struct shown_identity **all, size_t *total)
{
	int mine = own ? (int)((size_t)count * sizeof *own) : 0;
	int *counts = NULL;
	int *starts = NULL;
	int bytes = 0;
	int least, fine;

	if (preload.rank == 0) {
		counts = calloc((size_t)preload.size, sizeof *counts);
		starts = calloc((size_t)preload.size, sizeof *starts);
	}
	fine = own && (preload.rank != 0 || (counts && starts));
	/* A process that has no memory is known to all before anything large is sent. */
	real.Allreduce(&fine, &least, 1, real.int32, real.min, preload.comm);
	fine = least;
	if (!fine)
		goto out;
	real.Gather(&mine, 1, real.int32, counts, 1, real.int32, 0, preload.comm);
	if (preload.rank == 0) {
		for (int r = 0; r < preload.size; r++) {
			starts[r] = bytes;
			bytes += counts[r];
		}
		*all = malloc((size_t)bytes + 1);
		*total = (size_t)bytes / sizeof **all;
		fine = *all != NULL;
	}
	real.Bcast(&fine, 1, real.int32, 0, preload.comm);
	if (!fine)
		goto out;
	real.Gatherv(own, mine, real.byte, *all, counts, starts, real.byte, 0, preload.comm);
	if (preload.rank == 0)
		fine = number_list(*all, *total);
	real.Bcast(&fine, 1, real.int32, 0, preload.comm);
	real.Scatterv(*all, counts, starts, real.byte, own, mine, real.byte, 0, preload.comm);
out:
	free(counts);
	free(starts);
	return fine != 0;
}

static bool merge_number_comms(void)
{
	struct shown_identity *own = calloc((size_t)comm_count + 1, sizeof *own);
	struct shown_identity *all = NULL;
	size_t total;
	bool fine;

	for (int i = 0; own && i < comm_count; i++)
		memcpy(own[i].bytes, comm_table[i].gid, GID_BYTES);
	fine = number_all(own, comm_count, &all, &total);
	for (int i = 0; fine && i < comm_count; i++)
		comm_table[i].number = own[i].number;
	free(own);
	free(all);
	return fine;
}

/* Rank 0 keeps the names, for the definitions. */
static bool number_states(struct shown_identity **all, size_t *total)
{
	struct shown_identity *own = calloc((size_t)user_state_count + 1, sizeof *own);
	bool fine;

	for (int i = 0; own && i < user_state_count; i++)
		memcpy(own[i].bytes, user_states[i].name, STATE_NAME);
	fine = number_all(own, user_state_count, all, total);
	for (int i = 0; fine && i < user_state_count; i++)
		user_states[i].number = own[i].number;
	free(own);
	return fine;
}

/* ---- rank 0 ---- */

struct merge_stream {
	uint8_t *chunk;
	size_t used, at;
	double time;     /* of the record at `at` */
	int place;       /* in the tree's post-order */
	bool ended;
};

struct trace_merge {
	struct merge_stream *streams;
	int *heap;       /* ranks that have records, smallest (time, place) first */
	int waiting;     /* in the heap */
	size_t room;
	struct own own;
	struct clog2_writer writer;
	double last;
	struct shown_identity *states; /* user states of all processes, each as often as it is there */
	size_t state_count;
	uint64_t dropped[2];  /* calls and functions that were not logged, of all processes */
};

static void number_places(struct merge_stream *s, int r, int size, int *next)
{
	if (r >= size)
		return;
	number_places(s, 2 * r + 1, size, next);
	number_places(s, 2 * r + 2, size, next);
	s[r].place = (*next)++;
}

static void refill(struct trace_merge *m, int r)
{
	struct merge_stream *s = &m->streams[r];

	s->at = 0;
	if (r == 0) {
		s->used = own_chunk(&m->own, s->chunk, m->room);
	} else {
		int go = 1;
		MPI_Status status;
		int n = 0;

		real.Send(&go, 1, real.int32, r, TAG_ASK, preload.comm);
		real.Recv(s->chunk, (int)m->room, real.byte, r, TAG_CHUNK, preload.comm, &status);
		real.Get_count(&status, real.byte, &n);
		s->used = (size_t)n;
	}
	s->ended = s->used == 0;
	if (!s->ended)
		s->time = get_f64(s->chunk);
}

static bool before(const struct trace_merge *m, int a, int b)
{
	const struct merge_stream *x = &m->streams[a];
	const struct merge_stream *y = &m->streams[b];

	return x->time < y->time || (x->time == y->time && x->place < y->place);
}

static void heap_sink_rank(struct trace_merge *m, int i)
{
	for (;;) {
		int least = i;
		int swap;

		for (int k = 2 * i + 1; k <= 2 * i + 2; k++)
			if (k < m->waiting && before(m, m->heap[k], m->heap[least]))
				least = k;
		if (least == i)
			return;
		swap = m->heap[i];
		m->heap[i] = m->heap[least];
		m->heap[least] = swap;
		i = least;
	}
}

static void write_record(struct trace_merge *m, const uint8_t *p)
{
	struct clog2_writer *w = &m->writer;
	struct clog2_head h = {.time = get_f64(p), .icomm = get_i32(p + 8), .rank = get_i32(p + 12),
			.thread = get_i32(p + 16)};
	int32_t type = get_i32(p + 20);
	const uint8_t *at = p + 24;

	m->last = h.time > m->last ? h.time : m->last;
	switch (type) {
	case REC_BARE:
		clog2_write_bare(w, h, get_i32(at));
		break;
	case REC_CARGO:
		clog2_write_cargo(w, h, get_i32(at), at + 8);
		break;
	case REC_MSG: {
		struct clog2_msg msg = {get_i32(at), get_i32(at + 4), get_i32(at + 8), get_i32(at + 12),
				get_i32(at + 16)};

		clog2_write_msg(w, h, &msg);
		break;
	}
	case REC_COMM: {
		struct clog2_comm c = {.etype = get_i32(at), .icomm = get_i32(at + 4), .rank = get_i32(at + 8),
				.wrank = get_i32(at + 12)};
		uint32_t number;
		uint64_t wall;

		/* The writer wants the one canonical order: big-endian numbers. */
		memcpy(&number, at + 16, 4);
		memcpy(&wall, at + 20, 8);
		number = big_u32(number);
		wall = big_u64(wall);
		memcpy(c.gid.bytes, &number, 4);
		memcpy(c.gid.bytes + 4, &wall, 8);
		memcpy(c.gid.bytes + 12, at + 28, 20);
		clog2_write_comm(w, h, &c);
		break;
	}
	case REC_CONSTDEF: {
		struct clog2_constdef d = {.etype = get_i32(at), .value = get_i32(at + 4)};

		memcpy(d.name, at + 8, 32);
		clog2_write_constdef(w, h, &d);
		break;
	}
	case REC_TIMESHIFT:
		clog2_write_timeshift(w, h, get_f64(at));
		break;
	}
}

static void merge_write_all(struct trace_merge *m)
{
	int next = 0;

	number_places(m->streams, 0, preload.size, &next);
	for (int r = 0; r < preload.size; r++) {
		refill(m, r);
		if (!m->streams[r].ended)
			m->heap[m->waiting++] = r;
	}
	for (int i = m->waiting / 2; i-- > 0;)
		heap_sink_rank(m, i);
	while (m->waiting) {
		int r = m->heap[0];
		struct merge_stream *s = &m->streams[r];
		const uint8_t *p = s->chunk + s->at;

		write_record(m, p);
		s->at += lengths[get_i32(p + 20)];
		if (s->at == s->used)
			refill(m, r);
		else
			s->time = get_f64(s->chunk + s->at);
		if (s->ended)
			m->heap[0] = m->heap[--m->waiting];
		heap_sink_rank(m, 0);
	}
}

static void write_state(struct trace_merge *m, int32_t state, int32_t start, const char *name, const char *colour,
			const char *format)
{
	struct clog2_head h = {.time = m->last};
	struct clog2_statedef d = {.state = state, .start = start, .final = start + 1};

	snprintf(d.color, sizeof d.color, "%s", colour);
	snprintf(d.name, sizeof d.name, "%s", name);
	snprintf(d.format, sizeof d.format, "%s", format);
	clog2_write_statedef(&m->writer, h, &d);
}

static void write_event(struct trace_merge *m, int32_t etype, const char *name, const char *colour, const char *format)
{
	struct clog2_head h = {.time = m->last};
	struct clog2_eventdef d = {.etype = etype};

	snprintf(d.color, sizeof d.color, "%s", colour);
	snprintf(d.name, sizeof d.name, "%s", name);
	snprintf(d.format, sizeof d.format, "%s", format);
	clog2_write_eventdef(&m->writer, h, &d);
}

static void write_constant(struct trace_merge *m, const char *name, double value)
{
	struct clog2_head h = {.time = m->last};
	struct clog2_constdef c = {.etype = ETYPE_CONST, .value = value < INT32_MAX ? (int32_t)value : INT32_MAX};

	snprintf(c.name, sizeof c.name, "%s", name);
	clog2_write_constdef(&m->writer, h, &c);
}

/* Each state that any rank used, by ascending number. */
static void write_definitions(struct trace_merge *m, const int32_t *used, double error, const struct record_cost *cost)
{
	int32_t next = 0;

	for (int32_t state = 0; state < STATE_USER + CALL_COUNT; state++) {
		for (int i = 0; i < CALL_COUNT; i++) {
			const struct call_info *info = &call_infos[i];

			if (used[i] && call_state((enum call_id)i) == state)
				write_state(m, state, call_starts[i], info->name, info->colour, info->format);
		}
		if (state == STATE_ISEND_WAITED && used[CALL_COUNT])
			write_state(m, state, 2 * state, NAME_ISEND_WAITED, COLOUR_ISEND_WAITED, "");
		if (state == STATE_IRECV_WAITED && used[CALL_COUNT + 1])
			write_state(m, state, 2 * state, NAME_IRECV_WAITED, COLOUR_IRECV_WAITED, FORMAT_REQUEST);
		if (state == STATE_SPILL)
			write_state(m, state, ETYPE_SPILL, NAME_SPILL, COLOUR_SPILL, "");
		if (state == STATE_SYNC && sync_apart())
			write_state(m, state, ETYPE_SYNC, NAME_SYNC, COLOUR_SYNC, "");
	}
	for (size_t i = 0; i < m->state_count; i++) {
		const struct shown_identity *s = &m->states[i];

		if (s->number == next)
			write_state(m, STATE_USER + CALL_COUNT + next++, state_merged_start(s->number), (const char *)s->bytes,
				    COLOUR_STATE, "");
	}
	write_event(m, ETYPE_COMM_INIT, "MPE_Comm_init", "red", "");
	write_event(m, ETYPE_COMM_FINAL, "MPE_Comm_finalize", "orange", "");
	write_event(m, ETYPE_COMPUTE, NAME_COMPUTE, COLOUR_EVENT, FORMAT_COMPUTE);
	write_event(m, ETYPE_POSTED, NAME_POSTED, COLOUR_EVENT, FORMAT_POSTED);
	write_event(m, ETYPE_COMPLETED, NAME_COMPLETED, COLOUR_EVENT, FORMAT_REQUEST);
	write_event(m, ETYPE_NEIGHBOUR, NAME_NEIGHBOUR, COLOUR_EVENT, FORMAT_NEIGHBOUR);
	write_event(m, ETYPE_NODE, NAME_NODE, COLOUR_EVENT, FORMAT_NODE);
	write_event(m, ETYPE_SIZE, NAME_SIZE, COLOUR_EVENT, FORMAT_SIZE);
	if (sync_apart())
		write_event(m, ETYPE_CLOCK, NAME_CLOCK, COLOUR_EVENT, FORMAT_CLOCK);
	write_constant(m, "PAS2P_clock_error_ns", error * 1e9 + 0.5);
	if (cost->low > 0) {
		write_constant(m, NAME_COST_LOW, cost->low * 1e12);
		write_constant(m, NAME_COST_HIGH, cost->high * 1e12);
	}
	if (preload.functions) {
		write_constant(m, "PAS2P_dropped_calls", (double)m->dropped[0]);
		write_constant(m, "PAS2P_dropped_functions", (double)m->dropped[1]);
	}
}

static bool merge_fail(const char *what, const char *why)
{
	fprintf(stderr, "pas2p: cannot %s %s: %s; the files %s.rank*.clog2 are kept\n", what, preload.path, why,
		preload.stem);
	return false;
}

static bool write_file(struct trace_merge *m, int fd, const int32_t *used, int32_t threads, double error, const struct record_cost *cost)
{
	struct clog2_write_options o = {.minor = 44, .big_endian = true, .finalized = true, .block_size = BUFFER_BLOCK,
					.world_size = preload.size, .max_threads = threads};
	struct err e;

	if (clog2_writer_init(&m->writer, fd, &o, &e) != ERR_OK)
		return merge_fail("write", e.text);
	merge_write_all(m);
	write_definitions(m, used, error, cost);
	if (clog2_writer_finish(&m->writer, true, &e) != ERR_OK) {
		clog2_writer_release(&m->writer);
		return merge_fail("write", e.text);
	}
	clog2_writer_release(&m->writer);
	return !m->own.failed || merge_fail("read back", "a rank's file is damaged");
}

/* The whole trace gets its name, or, where that is another run's by now, stays under this run's own. */
static bool give_name(const char *partial)
{
	static const struct settle_seen none;
	char own[sizeof preload.stem + 8];
	int error = settle(partial, preload.path, &preload.before);

	if (error == EEXIST) {
		snprintf(own, sizeof own, "%s.clog2", preload.stem);
		error = settle(partial, own, &none);
		if (!error)
			fprintf(stderr, "pas2p: %s was not replaced: %s; the trace of this run is %s\n", preload.path,
				settle_why(&preload.before), own);
	}
	return !error || merge_fail("rename to", strerror(error));
}

static bool merge_at_root(struct trace_merge *m, const int32_t *used, int32_t threads, double error, const struct record_cost *cost)
{
	char partial[sizeof preload.stem + 8];
	bool fine;
	int fd;

	snprintf(partial, sizeof partial, "%s.partial", preload.stem);
	fd = open(partial, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return merge_fail("create", strerror(errno));
	fine = write_file(m, fd, used, threads, error, cost);
	if (close(fd) != 0 && fine)
		fine = merge_fail("write", strerror(errno));
	fine = fine && give_name(partial);
	if (!fine)
		unlink(partial);
	return fine;
}

static void serve(struct own *o, uint8_t *chunk, size_t room)
{
	for (;;) {
		int go = 0;
		size_t n;

		real.Recv(&go, 1, real.int32, 0, TAG_ASK, preload.comm, MPI_STATUS_IGNORE);
		if (!go)
			return;
		n = own_chunk(o, chunk, room);
		real.Send(chunk, (int)n, real.byte, 0, TAG_CHUNK, preload.comm);
	}
}

static bool merge_begin(struct trace_merge *m, uint8_t **chunk)
{
	int chunks = preload.rank == 0 ? preload.size : 1;

	m->room = CHUNK_TOTAL / (unsigned)preload.size;
	m->room = m->room > CHUNK_MOST ? CHUNK_MOST : m->room < CHUNK_LEAST ? CHUNK_LEAST : m->room;
	m->own.blocks = buffer_block_count();
	m->own.bytes = malloc(BUFFER_BLOCK);
	m->own.last = -1e300;
	m->last = -1e300;
	*chunk = malloc(m->room * (size_t)chunks);
	if (preload.rank == 0) {
		m->streams = calloc((size_t)chunks, sizeof *m->streams);
		m->heap = calloc((size_t)chunks, sizeof *m->heap);
		for (int r = 0; m->streams && *chunk && r < chunks; r++)
			m->streams[r].chunk = *chunk + (size_t)r * m->room;
	}
	return m->own.bytes && *chunk && (preload.rank != 0 || (m->streams && m->heap));
}

bool merge_all(void)
{
	struct trace_merge m;
	uint8_t *chunk = NULL;
	int32_t used[CALL_COUNT + 2];
	int32_t all_used[CALL_COUNT + 2];
	int32_t threads = 0;
	double error = sync_error();
	double worst = 0;
	struct record_cost cost = {0, 0};
	uint64_t dropped[2] = {preload.dropped_calls, preload.dropped_functions};
	int fine;
	int all_fine = 0;

	memset(&m, 0, sizeof m);
	buffer_close(buffer_order(clock_now()));
	fine = merge_begin(&m, &chunk) && !buffer.broken;
	real.Allreduce(&fine, &all_fine, 1, real.int32, real.min, preload.comm);
	for (int i = 0; i < CALL_COUNT; i++)
		used[i] = preload.used[i];
	used[CALL_COUNT] = preload.used_sent;
	used[CALL_COUNT + 1] = preload.used_waited;
	real.Reduce(used, all_used, CALL_COUNT + 2, real.int32, real.max, 0, preload.comm);
	real.Reduce(&preload.threads, &threads, 1, real.int32, real.max, 0, preload.comm);
	real.Reduce(&error, &worst, 1, real.real64, real.max, 0, preload.comm);
	real.Reduce(&preload.cost.low, &cost.low, 1, real.real64, real.min, 0, preload.comm);
	real.Reduce(&preload.cost.high, &cost.high, 1, real.real64, real.max, 0, preload.comm);
	real.Reduce(dropped, m.dropped, 2, real.int64, real.sum, 0, preload.comm);
	fine = merge_number_comms();
	fine = number_states(&m.states, &m.state_count) && fine && all_fine;
	if (!all_fine && preload.rank == 0)
		merge_fail("merge into", "a rank ran out of memory, or could not write its file");
	if (fine && preload.rank == 0) {
		int stop = 0;

		fine = merge_at_root(&m, all_used, threads, worst, &cost);
		for (int r = 1; r < preload.size; r++)
			real.Send(&stop, 1, real.int32, r, TAG_ASK, preload.comm);
	} else if (fine) {
		serve(&m.own, chunk, m.room);
		fine = !m.own.failed;
	}
	real.Allreduce(&fine, &all_fine, 1, real.int32, real.min, preload.comm);
	free(m.own.bytes);
	free(m.streams);
	free(m.heap);
	free(m.states);
	free(chunk);
	return all_fine != 0;
}

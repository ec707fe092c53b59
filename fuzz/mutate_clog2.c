/* Mutations that keep a trace a trace: records are moved, doubled, changed in one field, made again, and laid out again
 * in blocks; so the fuzzer spends its time behind the reader. One input in eight is changed as plain bytes instead.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "records.h"

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, uint8_t *out, size_t max,
				 unsigned seed);

static struct recs r, other;
static unsigned state;

static unsigned below(size_t n)
{
	state = state * 1664525u + 1013904223u;
	return n ? (unsigned)((state >> 8) % n) : 0;
}

static const uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 64, 100, 160, 161, 154, 155, 10, 11, 4, 500, 501, 502, 503, 560,
				   561, 600, 601, 602, 5000, 5001, 0x7fffffff, 0x80000000u, 0xffffffffu, (uint32_t)-101,
				   (uint32_t)-102, (uint32_t)-9, (uint32_t)-10, (uint32_t)-201, (uint32_t)-999999999,
				   (uint32_t)-32766, 101, 102, 1000, 65536};
static const double times[] = {0, -0.0, 1, -1, 1e-9, 0.5, 1e7, 9.9999999e7, 1e8, -1e8, 1e300, -1e300, 5e-324, INFINITY,
			       -INFINITY, NAN, 1e-300, 3600};
static const char *const names[] = {"MPI_Send", "MPI_Recv", "MPI_Allreduce", "MPI_Barrier", "MPI_Ibcast", "MPI_Wait",
				    "MPI_Neighbor_alltoall", "MPI_Ibsend", "compute", "cpu", "CLOG_Buffer_write2disk", "",
				    "MPI_", "\x1b[31m", "MPI_PROC_NULL", "MPI_Reduce_c"};
static const char *const formats[] = {"", "cpu=%E", "n=%d t=%E", "size=%l", "size=%d", "ns=%l", "%s %s", "%h%x%X%e", "%",
				      "%q", "cpu us=%d", "size %E"};

static struct rec *any(void)
{
	return &r.list[below(r.n)];
}

static struct rec *any_of(uint32_t type)
{
	size_t from = below(r.n);

	for (size_t i = 0; i < r.n; i++)
		if (rec_type(&r, &r.list[(from + i) % r.n]) == type)
			return &r.list[(from + i) % r.n];
	return any();
}

/* Room for n records at a place; NULL: too many. */
static struct rec *insert(size_t at, size_t n)
{
	if (r.n + n > REC_MAX)
		return NULL;
	memmove(&r.list[at + n], &r.list[at], (r.n - at) * sizeof *r.list);
	r.n += n;
	return &r.list[at];
}

static void move_range(bool copy)
{
	static struct rec saved[64];
	size_t n = 1 + below(r.n < 64 ? r.n : below(4) ? 4 : 63), from = below(r.n - n + 1), to;
	struct rec *at;

	memcpy(saved, &r.list[from], n * sizeof *saved);
	if (!copy) {
		memmove(&r.list[from], &r.list[from + n], (r.n - from - n) * sizeof *r.list);
		r.n -= n;
	}
	to = below(4) ? below(r.n + 1) : copy ? from + n : r.n;
	at = insert(to, n);
	if (at)
		memcpy(at, saved, n * sizeof *saved);
}

static void drop_range(void)
{
	size_t n = 1 + below(below(3) ? 3 : r.n), from;

	if (n >= r.n)
		return;
	from = below(r.n - n + 1);
	memmove(&r.list[from], &r.list[from + n], (r.n - from - n) * sizeof *r.list);
	r.n -= n;
}

static void put_text(struct rec *x, size_t at, size_t room, const char *text)
{
	if (at + room <= x->length)
		strncpy((char *)x->bytes + at, text, room);
}

static void change_field(struct rec *x)
{
	size_t words = (x->length - 8u) / 4, at = 8 + 4 * below(words < 8 || !below(4) ? words : 8);
	const struct rec *model = any_of(rec_type(&r, x));
	uint32_t v = rec_get32(&r, x, at);

	switch (below(6)) {
	case 0: v = numbers[below(sizeof numbers / sizeof *numbers)]; break;
	case 1: v += 1 + below(3); break;
	case 2: v -= 1 + below(3); break;
	case 3: v = below(8); break;
	default: v = at + 4 <= model->length ? rec_get32(&r, model, at) : v; break;
	}
	rec_put32(&r, x, at, v);
	/* A new type has its length. */
	v = rec_length(&r, rec_type(&r, x));
	if (v && v != x->length) {
		if (v > x->length)
			memset(x->bytes + x->length, 0, v - x->length);
		x->length = (uint8_t)v;
	}
}

static void change_time(void)
{
	struct rec *x = any();
	size_t at = rec_type(&r, x) == 11 && below(2) ? r.header : 0;

	switch (below(4)) {
	case 0: rec_put64(&r, x, at, times[below(sizeof times / sizeof *times)]); break;
	case 1: rec_put64(&r, x, at, rec_time(&r, any())); break;
	case 2: rec_put64(&r, x, at, rec_time(&r, x) + (below(2) ? 0.01 : -0.01)); break;
	default: rec_put64(&r, x, at, below(100)); break;
	}
}

static void change_definition(void)
{
	uint32_t type = below(3) ? 2 : 3 + below(2);
	struct rec *x = any_of(type);
	size_t base = r.header;

	type = rec_type(&r, x);
	if (type == 2) {
		put_text(x, base + 40, 32, names[below(sizeof names / sizeof *names)]);
		put_text(x, base + 72, 40, formats[below(sizeof formats / sizeof *formats)]);
	} else if (type == 3) {
		put_text(x, base + 32, 32, names[below(sizeof names / sizeof *names)]);
		put_text(x, base + 64, 40, formats[below(sizeof formats / sizeof *formats)]);
	} else if (type == 4) {
		put_text(x, base + 8, 32, names[below(sizeof names / sizeof *names)]);
	}
}

static void make_definition(void)
{
	struct rec *x = insert(below(r.n + 1), 1);

	if (!x)
		return;
	memset(x, 0, sizeof *x);
	rec_put32(&r, x, r.header == 24 ? 20 : 8, 2 + below(2));
	x->length = (uint8_t)rec_length(&r, rec_type(&r, x));
	rec_put32(&r, x, r.header, 600 + below(8));
	rec_put32(&r, x, r.header + 4, 600 + below(8));
	if (rec_type(&r, x) == 2) {
		rec_put32(&r, x, r.header + 8, 600 + below(8));
		put_text(x, r.header + 40u, 32, names[below(sizeof names / sizeof *names)]);
		put_text(x, r.header + 72u, 40, formats[below(sizeof formats / sizeof *formats)]);
	} else {
		put_text(x, r.header + 32u, 32, names[below(sizeof names / sizeof *names)]);
		put_text(x, r.header + 64u, 40, formats[below(sizeof formats / sizeof *formats)]);
	}
}

/* A send here and its receive there, as their communicator has them. */
static void make_message(void)
{
	struct rec model = *any(), *x = insert(below(r.n + 1), 2);
	uint32_t icomm, from, to, tag = below(3), bytes = 8 * below(4);
	double time = rec_time(&r, &model);

	if (!x || r.header != 24)
		return;
	icomm = rec_get32(&r, &model, 8);
	from = rec_get32(&r, &model, 12);
	to = rec_get32(&r, any(), 12);
	for (int k = 0; k < 2; k++) {
		memset(&x[k], 0, sizeof *x);
		x[k].length = 48;
		rec_put64(&r, &x[k], 0, time);
		rec_put32(&r, &x[k], 8, icomm);
		rec_put32(&r, &x[k], 12, k ? to : from);
		rec_put32(&r, &x[k], 20, 7);
		rec_put32(&r, &x[k], 24, (uint32_t)(k ? -102 : -101));
		rec_put32(&r, &x[k], 28, r.finalized ? icomm : (uint32_t)-999999999);
		rec_put32(&r, &x[k], 32, k ? from : to);
		rec_put32(&r, &x[k], 36, tag);
		rec_put32(&r, &x[k], 40, bytes);
	}
	if (below(2))
		move_range(false);
}

/* A call's start and end. */
static void make_call(void)
{
	struct rec model = *any(), *x = insert(below(r.n + 1), 2);
	uint32_t state_id = below(3) ? 2 * below(16) : 600 + 2 * below(4);

	if (!x || r.header != 24)
		return;
	for (int k = 0; k < 2; k++) {
		bool cargo = !below(3);

		memcpy(x[k].bytes, model.bytes, 24);
		memset(x[k].bytes + 24, 0, sizeof x[k].bytes - 24);
		rec_put32(&r, &x[k], 20, cargo ? 6 : 5);
		x[k].length = cargo ? 64 : 32;
		rec_put32(&r, &x[k], 24, state_id + (uint32_t)k);
		if (cargo)
			rec_put64(&r, &x[k], 32, rec_time(&r, &model));
	}
}

static void change_file(void)
{
	static const uint32_t blocks[] = {200, 256, 400, 512, 1000, 1024, 2048, 4096};
	static const char *const versions[] = {"CLOG-02.30", "CLOG-02.40", "CLOG-02.41", "CLOG-02.42", "CLOG-02.43", "CLOG-02.44"};

	switch (below(6)) {
	case 0: r.block_size = blocks[below(8)]; break;
	case 1: r.world_size = (int32_t)(below(4) ? below(12) : numbers[below(sizeof numbers / sizeof *numbers)]); break;
	case 2: r.closed = !r.closed; break;
	case 3: r.finalized = !r.finalized; break;
	default:
		if (r.header == 24)
			memcpy(r.version, versions[below(6)], 11);
	}
}

static void sort_times(void)
{
	double last = -1e7;

	for (size_t i = 0; i < r.n; i++) {
		double t = rec_time(&r, &r.list[i]);

		if (!(t >= last && t < 1e8))
			rec_put64(&r, &r.list[i], 0, last);
		else
			last = t;
	}
}

static void mutate(void)
{
	if (!r.n) {
		change_file();
		return;
	}
	switch (below(16)) {
	case 0:
	case 1: move_range(true); break;
	case 2:
	case 3: move_range(false); break;
	case 4: drop_range(); break;
	case 5: change_time(); break;
	case 6: change_definition(); break;
	case 7: make_definition(); break;
	case 8: make_message(); break;
	case 9: make_call(); break;
	case 10: change_file(); break;
	case 11: sort_times(); break;
	case 12: change_field(any_of(9)); break;
	case 13: change_field(any_of(7)); break;
	default: change_field(any()); break;
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed)
{
	static uint8_t made[1 << 20];
	size_t begin = 0, end = size, n, files = 1;

	state = seed;
	if (!below(8))
		return LLVMFuzzerMutate(bytes, size, max);
	/* For a set, one file. */
	for (uint8_t *p = bytes; size > 1024 && (p = memmem(p + 1, size - (size_t)(p + 1 - bytes), "CLOG-02.", 8));) {
		if (!below(++files))
			begin = (size_t)(p - bytes);
	}
	if (begin + 1 < size) {
		uint8_t *next = memmem(bytes + begin + 1, size - begin - 1, "CLOG-02.", 8);

		end = next ? (size_t)(next - bytes) : size;
	}
	if (!recs_parse(&r, bytes + begin, end - begin))
		return LLVMFuzzerMutate(bytes, size, max);
	for (unsigned k = 1 + below(4); k > 0; k--)
		mutate();
	n = recs_write(&r, made, sizeof made);
	if (!n || size - (end - begin) + n > max)
		return LLVMFuzzerMutate(bytes, size, max);
	memmove(bytes + begin + n, bytes + end, size - end);
	memcpy(bytes + begin, made, n);
	return size - (end - begin) + n;
}

/* One behind the other as a set, or the records of one put into the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, uint8_t *out, size_t max,
				 unsigned seed)
{
	size_t n, from, at;

	state = seed;
	if (!below(3) && na + nb <= max) {
		memcpy(out, a, na);
		memcpy(out + na, b, nb);
		return na + nb;
	}
	if (!recs_parse(&r, a, na) || !recs_parse(&other, b, nb) || r.header != other.header ||
	    r.big_endian != other.big_endian || !other.n)
		return 0;
	n = 1 + below(other.n);
	from = below(other.n - n + 1);
	at = below(2) ? r.n : below(r.n + 1);
	if (!insert(at, n))
		return 0;
	memcpy(&r.list[at], &other.list[from], n * sizeof *r.list);
	return recs_write(&r, out, max);
}

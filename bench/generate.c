#include "generate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/formats/clog2/clog2.h"
#include "core/base/mem.h"

struct maker {
	struct clog2_writer w;
	uint32_t ranks, columns, rows; /* columns * rows <= ranks: the grid */
	double *now;                   /* per rank */
	uint64_t records;
	uint64_t noise;
	enum clock_kind clocks;
	enum difference difference;
	int send, isend, recv, irecv, waitall, bcast, alltoall, allreduce;
};

const char *traffic_name(enum traffic p)
{
	static const char *const names[TRAFFICS] = {"halo", "wavefront", "collective"};

	return names[p];
}

/* A few percent of noise on every duration, always the same. */
static double about(struct maker *m, double seconds)
{
	m->noise = m->noise * 6364136223846793005u + 1442695040888963407u;
	return seconds * (0.98 + 0.04 * (double)(m->noise >> 40) / (double)(1 << 24));
}

#define WANDER 0.01 /* s */

/* From -0.5 to 0.5, of a rank and a number. */
static double drawn(uint32_t rank, uint64_t number)
{
	uint64_t x = (number << 20 ^ rank) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
	return (double)(x >> 40) / (double)(1 << 24) - 0.5;
}

/* What the rank's clock shows. */
static double stamp(const struct maker *m, uint32_t rank)
{
	double now = m->now[rank], part = now / WANDER;
	uint64_t stretch = (uint64_t)part;

	if (m->clocks == CLOCKS_ONE)
		return now;
	now += 1 + 1e-2 * drawn(rank, 1) + 2e-5 * drawn(rank, 2) * now; /* none is below 0 */
	part -= (double)stretch;
	if (m->clocks == CLOCKS_WANDER)
		now += 1e-5 * ((1 - part) * drawn(rank, stretch + 3) + part * drawn(rank, stretch + 4));
	return now;
}

static struct clog2_head head(const struct maker *m, uint32_t rank)
{
	return (struct clog2_head){stamp(m, rank), 0, (int32_t)rank, 0};
}

static void bare(struct maker *m, uint32_t rank, int etype, double after)
{
	m->now[rank] += about(m, after);
	clog2_write_bare(&m->w, head(m, rank), etype);
	m->records++;
}

static void message(struct maker *m, uint32_t rank, int etype, uint32_t partner, int tag, int size)
{
	struct clog2_msg x = {etype, 0, (int32_t)partner, tag, size};

	m->now[rank] += about(m, 1e-7);
	clog2_write_msg(&m->w, head(m, rank), &x);
	m->records++;
}

static void compute(struct maker *m, uint32_t rank, double seconds)
{
	m->now[rank] += about(m, seconds);
}

static void call(struct maker *m, uint32_t rank, int state, double seconds)
{
	bare(m, rank, 2 * state, 1e-7);
	bare(m, rank, 2 * state + 1, seconds);
}

static void send(struct maker *m, uint32_t rank, int state, uint32_t to, int tag, int size)
{
	bare(m, rank, 2 * state, 1e-7);
	message(m, rank, -101, to, tag, size);
	bare(m, rank, 2 * state + 1, 1e-6);
}

/* A receive is complete after its send was stamped. */
static void receive(struct maker *m, uint32_t rank, uint32_t from, int tag, int size)
{
	bare(m, rank, 2 * m->recv, 1e-7);
	if (m->now[rank] < m->now[from])
		m->now[rank] = m->now[from];
	message(m, rank, -102, from, tag, size);
	bare(m, rank, 2 * m->recv + 1, 1e-7);
}

static void collective(struct maker *m, int state, double seconds)
{
	double last = 0;

	for (uint32_t r = 0; r < m->ranks; r++) {
		bare(m, r, 2 * state, 1e-7);
		last = m->now[r] > last ? m->now[r] : last;
	}
	for (uint32_t r = 0; r < m->ranks; r++) {
		m->now[r] = last;
		bare(m, r, 2 * state + 1, seconds);
	}
}

static unsigned neighbours(const struct maker *m, uint32_t rank, uint32_t list[4])
{
	uint32_t x = rank % m->columns, y = rank / m->columns;
	unsigned n = 0;

	if (rank >= m->columns * m->rows)
		return 0;
	if (x > 0)
		list[n++] = rank - 1;
	if (x + 1 < m->columns)
		list[n++] = rank + 1;
	if (y > 0)
		list[n++] = rank - m->columns;
	if (y + 1 < m->rows)
		list[n++] = rank + m->columns;
	for (unsigned i = 0; m->difference == DIFFER_EVERYWHERE && 2 * i + 1 < n; i++) {
		uint32_t swapped = list[i];

		list[i] = list[n - 1 - i];
		list[n - 1 - i] = swapped;
	}
	return n;
}

/* For a message to or from a neighbour. */
static int halo_bytes(const struct maker *m, uint32_t rank, uint32_t neighbour, uint64_t step)
{
	int bytes = neighbour == rank + 1 || neighbour + 1 == rank ? 8192 : 4096;

	return m->difference == DIFFER_SCATTERED && step % 61 == 60 ? bytes * 3 / 2 : bytes;
}

static void halo_step(struct maker *m, uint64_t step)
{
	uint32_t list[4];

	for (uint32_t r = 0; r < m->ranks; r++) {
		unsigned n = neighbours(m, r, list);

		compute(m, r, 1e-4);
		for (unsigned i = 0; i < n; i++)
			call(m, r, m->irecv, 1e-7);
		for (unsigned i = 0; i < n; i++)
			send(m, r, m->isend, list[i], 7, halo_bytes(m, r, list[i], step));
	}
	for (uint32_t r = 0; r < m->ranks; r++) {
		unsigned n = neighbours(m, r, list);

		bare(m, r, 2 * m->waitall, 1e-6);
		for (unsigned i = 0; i < n; i++) {
			bare(m, r, 502, 1e-7);
			message(m, r, -102, list[i], 7, halo_bytes(m, r, list[i], step));
			bare(m, r, 503, 1e-7);
		}
		bare(m, r, 2 * m->waitall + 1, 1e-6);
	}
	if (step % 10 == 9)
		collective(m, m->allreduce, 2e-6);
}

static void wavefront_step(struct maker *m, uint64_t step)
{
	bool forward = step % 2 == 0;

	for (uint32_t d = 0; d + 1 < m->columns + m->rows; d++)
		for (uint32_t y = 0; y < m->rows && y <= d; y++) {
			uint32_t x = d - y, r;
			int dx = forward ? 1 : -1;

			if (x >= m->columns)
				continue;
			r = forward ? y * m->columns + x : m->columns * m->rows - 1 - (y * m->columns + x);
			if (x > 0)
				receive(m, r, (uint32_t)((int64_t)r - dx), 1, 1500);
			if (y > 0)
				receive(m, r, (uint32_t)((int64_t)r - dx * (int64_t)m->columns), 2, 1200);
			compute(m, r, 5e-5);
			if (x + 1 < m->columns)
				send(m, r, m->send, (uint32_t)((int64_t)r + dx), 1, 1500);
			if (y + 1 < m->rows)
				send(m, r, m->send, (uint32_t)((int64_t)r + dx * (int64_t)m->columns), 2, 1200);
		}
	if (step % 20 == 19)
		collective(m, m->allreduce, 2e-6);
}

static void collective_step(struct maker *m, uint64_t step)
{
	(void)step;
	for (uint32_t r = 0; r < m->ranks; r++)
		compute(m, r, 2e-4);
	collective(m, m->bcast, 3e-6);
	for (uint32_t r = 0; r < m->ranks; r++)
		compute(m, r, 1e-4);
	collective(m, m->alltoall, 1e-5);
	for (uint32_t r = 0; r < m->ranks; r++)
		send(m, r, m->send, (r + 1) % m->ranks, 3, 2048);
	for (uint32_t r = 0; r < m->ranks; r++)
		receive(m, r, (r + m->ranks - 1) % m->ranks, 3, 2048);
	collective(m, m->allreduce, 2e-6);
}

static void communicators(struct maker *m)
{
	struct clog2_comm world = {.etype = 0, .icomm = 0}, self = {.etype = 1};

	/* A number, a time, a host's name, as MPE has it, whose own tools print all three. */
	memcpy(world.gid.bytes + 12, "world", 5);
	for (uint32_t r = 0; r < m->ranks; r++) {
		uint32_t number = r + 1;

		m->now[r] = 1e-6 * r / m->ranks;
		world.rank = world.wrank = (int32_t)r;
		clog2_write_timeshift(&m->w, head(m, r), -0.0);
		clog2_write_comm(&m->w, head(m, r), &world);
		self.icomm = (int32_t)number;
		self.wrank = (int32_t)r;
		memcpy(self.gid.bytes, &number, sizeof number);
		memcpy(self.gid.bytes + 12, "self", 4);
		clog2_write_comm(&m->w, head(m, r), &self);
	}
	m->records += 3 * (uint64_t)m->ranks;
}

static void definitions(struct maker *m)
{
	int used[] = {m->send, m->isend, m->recv, m->irecv, m->waitall, m->bcast, m->alltoall, m->allreduce, 251};

	for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
		struct clog2_statedef d = {.state = used[i], .start = 2 * used[i], .final = 2 * used[i] + 1, .color = "white"};

		snprintf(d.name, sizeof d.name, "%s", clog2_known_name(used[i]));
		clog2_write_statedef(&m->w, head(m, 0), &d);
		m->records++;
	}
}

static enum err_code generate(const char *path, enum traffic p, enum clock_kind clocks, enum difference d, uint32_t ranks, uint64_t records,
			      struct err *e)
{
	static void (*const steps[TRAFFICS])(struct maker *, uint64_t) = {halo_step, wavefront_step, collective_step};
	struct clog2_write_options o = {.minor = 44, .big_endian = true, .finalized = true, .block_size = 65536,
					.world_size = (int32_t)ranks, .max_threads = 1};
	struct maker m = {.ranks = ranks, .columns = 1, .noise = 1, .clocks = clocks, .difference = d,
			  .send = clog2_known_state("MPI_Send"), .isend = clog2_known_state("MPI_Isend"),
			  .recv = clog2_known_state("MPI_Recv"), .irecv = clog2_known_state("MPI_Irecv"),
			  .waitall = clog2_known_state("MPI_Waitall"), .bcast = clog2_known_state("MPI_Bcast"),
			  .alltoall = clog2_known_state("MPI_Alltoall"), .allreduce = clog2_known_state("MPI_Allreduce")};
	enum err_code code;
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0666);

	if (fd < 0)
		return err_set(e, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	while ((m.columns + 1) * (m.columns + 1) <= ranks)
		m.columns++;
	m.rows = ranks / m.columns;
	m.now = mem_zero(ranks, sizeof *m.now);
	code = m.now ? clog2_writer_init(&m.w, fd, &o, e) : err_memory(e, "the generator");
	if (code == ERR_OK) {
		communicators(&m);
		for (uint64_t step = 0; m.records < records && m.w.err.code == ERR_OK; step++) {
			steps[p](&m, step);
			if (d == DIFFER_SCATTERED && step % 97 == 96) {
				send(&m, 0, m.send, ranks - 1, 9, 100);
				receive(&m, ranks - 1, 0, 9, 100);
			}
		}
		definitions(&m);
		code = clog2_writer_finish(&m.w, true, e);
		clog2_writer_release(&m.w);
	}
	mem_free(m.now);
	close(fd);
	return code;
}

enum err_code generate_trace(const char *path, enum traffic p, enum clock_kind clocks, uint32_t ranks, uint64_t records, struct err *e)
{
	return generate(path, p, clocks, DIFFER_NOT, ranks, records, e);
}

enum err_code generate_other(const char *path, enum traffic p, enum difference d, uint32_t ranks, uint64_t records, struct err *e)
{
	return generate(path, p, CLOCKS_ONE, d, ranks, records, e);
}

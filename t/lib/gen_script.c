#include "gen_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define MOST_PROCESSES 64
#define MOST_COMMS 8
#define MOST_STATES 64
#define POSTED 5200
#define COMPLETED 5201
#define CLOCK 5202
#define NEIGHBOUR 5203

struct gen_script {
	FILE *file;
	struct clog2_writer writer;
	struct gen_script_options o;
	int32_t processes, thread, comm;
	struct { int32_t count, member[MOST_PROCESSES]; } comms[MOST_COMMS];
	int32_t comm_count;
	const char *state[MOST_STATES]; /* those to be defined: etypes 600 + 2i and the next */
	int32_t states;
	struct { const char *state, *format; } told[MOST_STATES]; /* those that have roots and numbers */
	int32_t tolds;
	bool posted, completed, clock, neighbour;  /* the events are used */
	double latest;
};

static struct clog2_gid gid_of(int32_t comm, const char *host)
{
	struct clog2_gid g = {{0, 0, 7, (uint8_t)comm, 0x41, 0xD0, 1, 2, 3, 4, 5, 6}};

	memcpy(g.bytes + 12, host, strnlen(host, 20));
	return g;
}

static struct clog2_head head(const struct gen_script *g, int32_t process, double time)
{
	struct clog2_head h = {time, g->comm, 0, g->thread};

	for (int32_t r = 0; r < g->comms[g->comm].count; r++)
		if (g->comms[g->comm].member[r] == process)
			h.rank = r;
	if (g->o.shift)
		h.time += g->o.shift[process];
	return h;
}

struct gen_script *gen_script_new(int32_t processes, const struct gen_script_options *o)
{
	struct gen_script *g = calloc(1, sizeof *g);
	struct clog2_write_options options =
		gen_clog2_options(44, !o->little_endian, true, o->block_size ? o->block_size : 4096);
	struct err e;

	if (!g || !(g->file = tmpfile()))
		bail_out("a trace cannot be written");
	g->o = *o;
	g->processes = processes;
	options.world_size = processes;
	options.max_threads = o->threads ? o->threads : 1;
	if (clog2_writer_init(&g->writer, fileno(g->file), &options, &e))
		bail_out("%s", e.text);
	g->comm_count = 1;
	g->comms[0].count = processes;
	for (int32_t p = 0; p < processes; p++)
		g->comms[0].member[p] = p;
	for (int32_t p = 0; p < processes; p++) {
		struct clog2_comm world = {0, 0, p, p, gid_of(0, "one")},
				  self = {1, p + 1, 0, p, gid_of(p + 1, o->hosts ? o->hosts[p] : "one")};

		clog2_write_comm(&g->writer, head(g, p, 0), &world);
		clog2_write_comm(&g->writer, head(g, p, 0), &self);
	}
	return g;
}

/* Their numbers in the file stand behind those of the world and of each process's own. */
static int32_t icomm_of(const struct gen_script *g, int32_t comm)
{
	return comm ? g->processes + comm : 0;
}

int32_t script_communicator(struct gen_script *g, const int32_t *members, int32_t count)
{
	int32_t comm = g->comm_count++;

	g->comms[comm].count = count;
	memcpy(g->comms[comm].member, members, (size_t)count * sizeof *members);
	for (int32_t r = 0; r < count; r++) {
		struct clog2_comm c = {100, icomm_of(g, comm), r, members[r], gid_of(icomm_of(g, comm), "one")};

		clog2_write_comm(&g->writer, head(g, members[r], 0), &c);
	}
	return comm;
}

void script_thread(struct gen_script *g, int32_t thread)
{
	g->thread = thread;
}

void script_on(struct gen_script *g, int32_t comm)
{
	g->comm = comm;
}

static int32_t etype_of(struct gen_script *g, const char *state)
{
	int known = clog2_known_state(state);

	if (known >= 0)
		return 2 * known;
	for (int32_t i = 0; i < g->states; i++)
		if (strcmp(g->state[i], state) == 0)
			return 600 + 2 * i;
	g->state[g->states++] = state;
	return 600 + 2 * (g->states - 1);
}

static void bare(struct gen_script *g, int32_t process, double time, int32_t etype)
{
	struct clog2_head h = head(g, process, time);

	h.icomm = icomm_of(g, g->comm);
	g->latest = h.time > g->latest ? h.time : g->latest;
	clog2_write_bare(&g->writer, h, etype);
}

void script_enter(struct gen_script *g, int32_t process, double time, const char *state)
{
	bare(g, process, time, etype_of(g, state));
}

static void cargo(struct gen_script *g, int32_t process, double time, int32_t etype, int32_t a, int32_t b)
{
	struct clog2_head h = head(g, process, time);
	uint8_t bytes[32] = {0};

	h.icomm = icomm_of(g, g->comm);
	g->latest = h.time > g->latest ? h.time : g->latest;
	for (int i = 0; i < 4; i++) {
		bytes[i] = (uint8_t)((uint32_t)a >> (24 - 8 * i));
		bytes[4 + i] = (uint8_t)((uint32_t)b >> (24 - 8 * i));
	}
	clog2_write_cargo(&g->writer, h, etype, bytes);
}

static void enter_told(struct gen_script *g, int32_t process, double time, const char *state, const char *format, int32_t a, int32_t b)
{
	int32_t i = 0;

	while (i < g->tolds && strcmp(g->told[i].state, state) != 0)
		i++;
	if (i == g->tolds) {
		g->told[i].state = state;
		g->told[g->tolds++].format = format;
	}
	cargo(g, process, time, etype_of(g, state), a, b);
}

void script_enter_told(struct gen_script *g, int32_t process, double time, const char *state, int32_t root, int32_t request)
{
	enter_told(g, process, time, state, "root=%d request=%d", root, request);
}

void script_enter_gathering(struct gen_script *g, int32_t process, double time, const char *state, int32_t number)
{
	enter_told(g, process, time, state, "size=%d meeting=%d", 8, number);
}

void script_neighbour(struct gen_script *g, int32_t process, double time, int32_t rank)
{
	g->neighbour = true;
	cargo(g, process, time, NEIGHBOUR, rank, 0);
}

void script_solo_told(struct gen_script *g, int32_t process, double time, const char *event, int32_t request, int32_t count)
{
	bool posted = strcmp(event, "PAS2P_posted") == 0;

	g->posted = g->posted || posted;
	g->completed = g->completed || !posted;
	cargo(g, process, time, posted ? POSTED : COMPLETED, request, count);
}

void script_leave(struct gen_script *g, int32_t process, double time, const char *state)
{
	bare(g, process, time, etype_of(g, state) + 1);
}

void script_during(struct gen_script *g, int32_t process, double from, double to, const char *state)
{
	script_enter(g, process, from, state);
	script_leave(g, process, to, state);
}

void script_solo(struct gen_script *g, int32_t process, double time)
{
	bare(g, process, time, 6001);
}

void script_shifted(struct gen_script *g, int32_t process, double time, double shift)
{
	struct clog2_head h = head(g, process, time);

	h.icomm = icomm_of(g, g->comm);
	clog2_write_timeshift(&g->writer, h, shift);
}

void script_clock(struct gen_script *g, int32_t process, double time, double low, double high)
{
	struct clog2_head h = head(g, process, time);
	uint8_t bytes[32] = {0};

	h.icomm = icomm_of(g, g->comm);
	g->clock = true;
	clog2_pack_f64(bytes, low);
	clog2_pack_f64(bytes + 8, high);
	clog2_write_cargo(&g->writer, h, CLOCK, bytes);
}

static void message(struct gen_script *g, int32_t etype, int32_t process, double time, int32_t partner, int32_t tag,
		    int32_t size)
{
	struct clog2_head h = head(g, process, time);
	struct clog2_msg m = {etype, icomm_of(g, g->comm), 0, tag, size};

	h.icomm = m.icomm;
	for (int32_t r = 0; r < g->comms[g->comm].count; r++)
		if (g->comms[g->comm].member[r] == partner)
			m.rank = r;
	clog2_write_msg(&g->writer, h, &m);
}

void script_sent(struct gen_script *g, int32_t process, double time, int32_t partner, int32_t tag, int32_t size)
{
	message(g, -101, process, time, partner, tag, size);
}

void script_received(struct gen_script *g, int32_t process, double time, int32_t partner, int32_t tag, int32_t size)
{
	message(g, -102, process, time, partner, tag, size);
}

static void define(struct gen_script *g, const char *name, int32_t start)
{
	struct clog2_statedef s = {start / 2, start, start + 1, "white", "", ""};

	for (int32_t i = 0; i < g->tolds; i++)
		if (strcmp(g->told[i].state, name) == 0)
			snprintf(s.format, sizeof s.format, "%s", g->told[i].format);
	snprintf(s.name, sizeof s.name, "%s", name);
	clog2_write_statedef(&g->writer, (struct clog2_head){g->latest, 0, 0, 0}, &s);
}

struct gen_bytes gen_script_bytes(struct gen_script *g)
{
	struct clog2_eventdef posted = {.etype = POSTED, .color = "white", .name = "PAS2P_posted", .format = "request=%d count=%d"},
			      completed = {.etype = COMPLETED, .color = "white", .name = "PAS2P_completed", .format = "request=%d"},
			      clock = {.etype = CLOCK, .color = "white", .name = "PAS2P_clock", .format = "low=%E high=%E"},
			      neighbour = {.etype = NEIGHBOUR, .color = "white", .name = "PAS2P_neighbour", .format = "rank=%d"};
	struct gen_bytes b;
	struct err e;

	for (int32_t i = 0; i < g->states; i++)
		define(g, g->state[i], 600 + 2 * i);
	for (int32_t i = 0; i < g->tolds; i++)
		if (clog2_known_state(g->told[i].state) >= 0)
			define(g, g->told[i].state, 2 * clog2_known_state(g->told[i].state));
	if (g->posted)
		clog2_write_eventdef(&g->writer, (struct clog2_head){g->latest, 0, 0, 0}, &posted);
	if (g->completed)
		clog2_write_eventdef(&g->writer, (struct clog2_head){g->latest, 0, 0, 0}, &completed);
	if (g->clock)
		clog2_write_eventdef(&g->writer, (struct clog2_head){g->latest, 0, 0, 0}, &clock);
	if (g->neighbour)
		clog2_write_eventdef(&g->writer, (struct clog2_head){g->latest, 0, 0, 0}, &neighbour);
	if (clog2_writer_finish(&g->writer, true, &e))
		bail_out("a trace cannot be finished: %s", e.text);
	clog2_writer_release(&g->writer);
	b = gen_slurp_fd(fileno(g->file));
	fclose(g->file);
	free(g);
	return b;
}

/* --- the examples --- */

struct gen_bytes gen_script_tiny(const struct gen_script_options *o)
{
	struct gen_script *g = gen_script_new(2, o);

	script_enter(g, 0, 0, "A");
	script_enter(g, 0, 4, "MPI_Send");
	script_sent(g, 0, 4, 1, 0, 8);
	script_leave(g, 0, 5, "MPI_Send");
	script_leave(g, 0, 10, "A");
	script_enter(g, 0, 10, "B");
	script_during(g, 0, 10, 11, "MPI_Irecv");
	script_enter(g, 0, 14, "MPI_Wait");
	script_received(g, 0, 16, 1, 0, 8);
	script_leave(g, 0, 16, "MPI_Wait");
	script_leave(g, 0, 18, "B");
	script_during(g, 0, 18, 20, "MPI_Allreduce");

	script_enter(g, 1, 0, "A");
	script_enter(g, 1, 2, "MPI_Recv");
	script_received(g, 1, 5, 0, 0, 8);
	script_leave(g, 1, 5, "MPI_Recv");
	script_leave(g, 1, 5, "A");
	script_enter(g, 1, 5, "B");
	script_enter(g, 1, 13, "MPI_Send");
	script_sent(g, 1, 13, 0, 0, 8);
	script_leave(g, 1, 14, "MPI_Send");
	script_leave(g, 1, 17, "B");
	script_during(g, 1, 17, 20, "MPI_Allreduce");
	return gen_script_bytes(g);
}

struct gen_bytes gen_script_twisted(const struct gen_script_options *o)
{
	struct gen_script *g = gen_script_new(2, o);

	script_enter(g, 0, 0, "A");
	script_enter(g, 0, 2, "B");
	script_leave(g, 0, 5, "A");
	script_during(g, 0, 6, 6.5, "MPI_Irecv");
	script_during(g, 0, 7, 7.5, "MPI_Irecv");
	script_enter(g, 0, 9, "MPI_Wait");
	script_received(g, 0, 10, 1, 0, 8);
	script_leave(g, 0, 10, "MPI_Wait");
	script_leave(g, 0, 11, "B");
	script_enter(g, 0, 11, "A");
	script_during(g, 0, 12, 13, "A");
	script_leave(g, 0, 14, "A");
	script_leave(g, 0, 14.5, "A");
	script_enter(g, 0, 14.6, "MPI_Isend");
	script_sent(g, 0, 14.6, 1, 5, 16);
	script_leave(g, 0, 14.7, "MPI_Isend");
	script_enter(g, 0, 15, "MPI_Send");
	script_sent(g, 0, 15, 1, 0, 8);
	script_during(g, 0, 18, 19, "MPI_Recv");
	script_solo(g, 0, 20);

	script_solo(g, 1, 1);
	script_enter(g, 1, 8, "MPI_Send");
	script_sent(g, 1, 8, 0, 0, 8);
	script_leave(g, 1, 8.5, "MPI_Send");
	script_during(g, 1, 11.25, 11.5, "CLOG_Buffer_write2disk");
	script_enter(g, 1, 11.5, "B");
	script_enter(g, 1, 15, "MPI_Recv");
	script_received(g, 1, 17, 0, 0, 8);
	script_leave(g, 1, 17, "MPI_Recv");
	script_during(g, 1, 17.25, 17.5, "MPI_Startall");
	script_enter(g, 1, 18, "MPI_Waitall");
	script_received(g, 1, 19, 0, 5, 16);
	script_leave(g, 1, 19, "MPI_Waitall");
	script_solo(g, 1, 19.5);
	return gen_script_bytes(g);
}

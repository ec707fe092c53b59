#include "gen_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define NAMES 64
#define FIRST_USER 600
#define READING 5100

struct gen_calls {
	FILE *file;
	struct clog2_writer w;
	int32_t thread;
	char *names[NAMES]; /* of user states */
	int count;
	bool readings; /* are defined */
	double shift[1024];
};

struct gen_calls *gen_calls_new(int32_t processes, const struct clog2_write_options *o)
{
	struct clog2_write_options usual = gen_clog2_options(44, true, true, 1024);
	struct gen_calls *g = calloc(1, sizeof *g);
	struct err err;

	if (!g || !(g->file = tmpfile()))
		bail_out("no temporary file");
	if (o)
		usual = *o;
	usual.world_size = processes;
	usual.max_threads = 4;
	if (clog2_writer_init(&g->w, fileno(g->file), &usual, &err))
		bail_out("%s", err.text);
	for (int32_t p = 0; p < processes; p++) {
		struct clog2_comm c = {.etype = 0, .icomm = 0, .rank = p, .wrank = p};

		c.gid.bytes[0] = 1;
		clog2_write_comm(&g->w, (struct clog2_head){0, 0, p, 0}, &c);
	}
	return g;
}

void gen_thread(struct gen_calls *g, int32_t thread)
{
	g->thread = thread;
}

static struct clog2_head head(const struct gen_calls *g, int32_t process, double time)
{
	return (struct clog2_head){time + g->shift[process], 0, process, g->thread};
}

/* The etype with which it begins. */
static int32_t etype_of(struct gen_calls *g, const char *name)
{
	int known = clog2_known_state(name), i = 0;
	struct clog2_statedef def = {.color = "red", .format = ""};

	if (known >= 0)
		return 2 * known;
	while (i < g->count && strcmp(g->names[i], name))
		i++;
	if (i == NAMES)
		bail_out("too many states");
	def.state = i;
	def.start = FIRST_USER + 2 * i;
	def.final = def.start + 1;
	if (i < g->count)
		return def.start;
	g->names[g->count++] = strdup(name);
	snprintf(def.name, sizeof def.name, "%s", name);
	clog2_write_statedef(&g->w, (struct clog2_head){0, 0, 0, 0}, &def);
	return def.start;
}

void gen_begin(struct gen_calls *g, int32_t process, double time, const char *name)
{
	int32_t etype = etype_of(g, name);

	clog2_write_bare(&g->w, head(g, process, time), etype);
}

void gen_end(struct gen_calls *g, int32_t process, double time, const char *name)
{
	int32_t etype = etype_of(g, name);

	clog2_write_bare(&g->w, head(g, process, time), etype + 1);
}

void gen_call(struct gen_calls *g, int32_t process, double start, double end, const char *name)
{
	gen_begin(g, process, start, name);
	gen_end(g, process, end, name);
}

/* As the tracer of pas2p writes them. */
static void with_cargo(struct gen_calls *g, int32_t process, double start, double end, const char *name, uint8_t bytes, int32_t root)
{
	int known = clog2_known_state(name);
	struct clog2_statedef def = {.state = known, .start = 2 * known, .final = 2 * known + 1, .color = "cyan",
				     .format = "size=%l root=%d"};
	uint8_t cargo[32] = {[7] = bytes};

	for (int i = 0; i < 4; i++)
		cargo[8 + i] = (uint8_t)((uint32_t)root >> (24 - 8 * i));
	snprintf(def.name, sizeof def.name, "%s", name);
	clog2_write_statedef(&g->w, (struct clog2_head){0, 0, 0, 0}, &def);
	clog2_write_cargo(&g->w, head(g, process, start), def.start, cargo);
	gen_end(g, process, end, name);
}

void gen_rooted(struct gen_calls *g, int32_t process, double start, double end, const char *name, int32_t root)
{
	with_cargo(g, process, start, end, name, 8, root);
}

void gen_sized(struct gen_calls *g, int32_t process, double start, double end, const char *name, uint8_t bytes)
{
	with_cargo(g, process, start, end, name, bytes, -1);
}

void gen_message(struct gen_calls *g, int32_t process, double time, bool send, int32_t partner, int32_t bytes, int32_t tag)
{
	struct clog2_msg m = {.etype = send ? -101 : -102, .icomm = 0, .rank = partner, .tag = tag, .size = bytes};

	clog2_write_msg(&g->w, head(g, process, time), &m);
}

void gen_mark(struct gen_calls *g, int32_t process, double time)
{
	clog2_write_bare(&g->w, head(g, process, time), 6001);
}

void gen_cpu(struct gen_calls *g, int32_t process, double time, double seconds)
{
	struct clog2_eventdef def = {.etype = READING, .color = "white", .name = "PAS2P_compute", .format = "cpu=%E"};
	uint8_t cargo[32] = {0};

	if (!g->readings)
		clog2_write_eventdef(&g->w, (struct clog2_head){0, 0, 0, 0}, &def);
	g->readings = true;
	clog2_pack_f64(cargo, seconds);
	clog2_write_cargo(&g->w, head(g, process, time), READING, cargo);
}

struct gen_bytes gen_calls_bytes(struct gen_calls *g)
{
	struct gen_bytes b;
	struct err err;

	if (clog2_writer_finish(&g->w, true, &err))
		bail_out("%s", err.text);
	clog2_writer_release(&g->w);
	b = gen_slurp_fd(fileno(g->file));
	fclose(g->file);
	for (int i = 0; i < g->count; i++)
		free(g->names[i]);
	free(g);
	return b;
}

struct gen_bytes gen_tiny(const struct clog2_write_options *o, double late)
{
	struct gen_calls *g = gen_calls_new(2, o);

	g->shift[1] = late;
	gen_begin(g, 0, 0, "A");
	gen_begin(g, 0, 4, "MPI_Send");
	gen_message(g, 0, 4, true, 1, 8, 0);
	gen_end(g, 0, 5, "MPI_Send");
	gen_end(g, 0, 10, "A");
	gen_begin(g, 0, 10, "B");
	gen_call(g, 0, 10, 11, "MPI_Irecv");
	gen_begin(g, 0, 14, "MPI_Wait");
	gen_message(g, 0, 16, false, 1, 8, 0);
	gen_end(g, 0, 16, "MPI_Wait");
	gen_end(g, 0, 18, "B");
	gen_call(g, 0, 18, 20, "MPI_Allreduce");

	gen_begin(g, 1, 0, "A");
	gen_begin(g, 1, 2, "MPI_Recv");
	gen_message(g, 1, 5, false, 0, 8, 0);
	gen_end(g, 1, 5, "MPI_Recv");
	gen_end(g, 1, 5, "A");
	gen_begin(g, 1, 5, "B");
	gen_begin(g, 1, 13, "MPI_Send");
	gen_message(g, 1, 13, true, 0, 8, 0);
	gen_end(g, 1, 14, "MPI_Send");
	gen_end(g, 1, 17, "B");
	gen_call(g, 1, 17, 20, "MPI_Allreduce");
	return gen_calls_bytes(g);
}

struct gen_bytes gen_twisted(const struct clog2_write_options *o, double late)
{
	struct gen_calls *g = gen_calls_new(2, o);

	g->shift[1] = late;
	gen_begin(g, 0, 0, "A");
	gen_begin(g, 0, 2, "B");
	gen_end(g, 0, 5, "A");
	gen_call(g, 0, 6, 6.5, "MPI_Irecv");
	gen_call(g, 0, 7, 7.5, "MPI_Irecv");
	gen_begin(g, 0, 9, "MPI_Wait");
	gen_message(g, 0, 10, false, 1, 8, 0);
	gen_end(g, 0, 10, "MPI_Wait");
	gen_end(g, 0, 11, "B");
	gen_begin(g, 0, 11, "A");
	gen_begin(g, 0, 12, "A");
	gen_end(g, 0, 13, "A");
	gen_end(g, 0, 14, "A");
	gen_end(g, 0, 14.5, "A");
	gen_begin(g, 0, 14.6, "MPI_Isend");
	gen_message(g, 0, 14.6, true, 1, 16, 5);
	gen_end(g, 0, 14.7, "MPI_Isend");
	gen_begin(g, 0, 15, "MPI_Send");
	gen_message(g, 0, 15, true, 1, 8, 0);
	gen_call(g, 0, 18, 19, "MPI_Recv");
	gen_mark(g, 0, 20);

	gen_mark(g, 1, 1);
	gen_begin(g, 1, 8, "MPI_Send");
	gen_message(g, 1, 8, true, 0, 8, 0);
	gen_end(g, 1, 8.5, "MPI_Send");
	gen_call(g, 1, 11.25, 11.5, "CLOG_Buffer_write2disk");
	gen_begin(g, 1, 11.5, "B");
	gen_begin(g, 1, 15, "MPI_Recv");
	gen_message(g, 1, 17, false, 0, 8, 0);
	gen_end(g, 1, 17, "MPI_Recv");
	gen_call(g, 1, 17.25, 17.5, "MPI_Startall");
	gen_begin(g, 1, 18, "MPI_Waitall");
	gen_message(g, 1, 19, false, 0, 16, 5);
	gen_end(g, 1, 19, "MPI_Waitall");
	gen_mark(g, 1, 19.5);
	return gen_calls_bytes(g);
}

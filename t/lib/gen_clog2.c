#include "gen_clog2.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "tap.h"

struct gen_bytes gen_slurp_fd(int fd)
{
	struct stat st;
	struct gen_bytes b = {NULL, 0};

	if (fstat(fd, &st))
		bail_out("a test's file is gone");
	b.size = (size_t)st.st_size;
	b.bytes = malloc(b.size + 1);
	if (!b.bytes || pread(fd, b.bytes, b.size, 0) != (ssize_t)b.size)
		bail_out("a test's file cannot be read");
	return b;
}

struct gen_bytes gen_slurp(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct gen_bytes b;

	if (fd < 0)
		bail_out("%s cannot be opened", path);
	b = gen_slurp_fd(fd);
	close(fd);
	return b;
}

struct clog2_write_options gen_clog2_options(int minor, bool big_endian, bool finalized, uint32_t block_size)
{
	return (struct clog2_write_options){.minor = minor, .big_endian = big_endian, .finalized = finalized,
					    .block_size = block_size, .world_size = 3, .max_threads = 1};
}

static struct clog2_gid gid_of(uint8_t n)
{
	struct clog2_gid g = {{0, 0, 1, n, 0x41, 0xD0, n, 2, 3, 4, 5, 6, 'h', 'o', 's', 't'}};

	return g;
}

static void begin_process(struct clog2_writer *w, int32_t p)
{
	struct clog2_head h = {0.001 * p, 0, p, 0};
	struct clog2_comm world = {0, 0, p, p, gid_of(200)}, self = {1, p + 1, 0, p, gid_of((uint8_t)p)};

	clog2_write_timeshift(w, h, -0.5 * p);
	clog2_write_comm(w, h, &world);
	clog2_write_comm(w, h, &self);
}

static void define(struct clog2_writer *w, double time)
{
	static const struct clog2_statedef states[] = {{80, 160, 161, "blue", "MPI_Send", ""},
						       {77, 154, 155, "green", "MPI_Recv", ""},
						       {300, 600, 601, "red", "step", "n=%d t=%E"}};
	static const struct clog2_eventdef event = {5000, "white", "reading", "cpu=%E"};
	static const struct clog2_constdef constant = {-201, -1, "MPI_PROC_NULL"};
	struct clog2_head h = {time, 0, 0, 0};

	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		clog2_write_statedef(w, h, &states[i]);
	clog2_write_eventdef(w, h, &event);
	clog2_write_constdef(w, h, &constant);
}

struct gen_bytes gen_clog2_run(const struct clog2_write_options *o, int32_t processes, int messages)
{
	FILE *file = tmpfile();
	struct clog2_writer w;
	struct gen_bytes b;
	struct err e;
	int32_t writing = o->finalized ? processes : 1;

	if (!file || clog2_writer_init(&w, fileno(file), o, &e))
		bail_out("a trace cannot be written");
	for (int32_t p = 0; p < writing; p++)
		begin_process(&w, p);
	for (int m = 0; m < messages; m++) {
		for (int32_t p = 0; p < writing; p++) {
			int32_t icomm = o->finalized ? 0 : CLOG2_NULL_COMM, to = (p + 1) % processes;
			struct clog2_head h = {1 + m + 0.1 * p, 0, p, 0};
			struct clog2_msg send = {-101, icomm, to, m, 8 * m}, receive = {-102, icomm, p, m, 8 * m};
			uint8_t cargo[32] = {0};

			clog2_write_bare(&w, h, 160);
			clog2_write_msg(&w, h, &send);
			clog2_write_bare(&w, h, 161);
			h.rank = o->finalized ? to : p;
			clog2_write_msg(&w, h, &receive);
			clog2_pack_f64(cargo, h.time / 2);
			clog2_write_cargo(&w, h, 5000, cargo);
		}
	}
	define(&w, 2.0 + messages);
	if (clog2_writer_finish(&w, true, &e))
		bail_out("a trace cannot be finished: %s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	return b;
}

static uint32_t digest_of(const struct clog2_rec *r, uint32_t header)
{
	uint32_t h = 2166136261u;

	for (uint32_t i = 0; i < r->length - header; i++)
		h = (h ^ r->payload[i]) * 16777619u;
	return h;
}

static void keep(struct gen_reading *g, const struct clog2_rec *r, size_t *cap)
{
	if (g->n == *cap) {
		*cap = *cap ? *cap * 2 : 64;
		g->list = realloc(g->list, *cap * sizeof *g->list);
		g->digest = realloc(g->digest, *cap * sizeof *g->digest);
		if (!g->list || !g->digest)
			bail_out("no memory for a test's records");
	}
	g->list[g->n] = *r;
	g->list[g->n].payload = NULL;
	g->digest[g->n++] = digest_of(r, g->file.header_size);
	g->by_type[r->type]++;
}

static void read_blocks(struct gen_reading *g)
{
	struct clog2_block b;
	struct clog2_rec r;
	size_t cap = 0;

	clog2_block_init(&b);
	for (uint64_t k = 0; k < g->file.block_count && (k == 0 || g->end == CLOG2_END_BLOCK); k++) {
		bool first = k > 0;

		g->code = clog2_block_read(&g->file, k, &b, &g->err);
		if (g->code)
			break;
		while (clog2_block_next(&b, &r)) {
			if (first && memcmp(&r.time, &g->end_time, sizeof r.time))
				g->breaks++;
			first = false;
			keep(g, &r, &cap);
		}
		g->end = b.end;
		g->end_time = b.end_time;
		g->reason = b.reason;
		g->end_offset = b.offset + b.at;
		g->blocks++;
	}
	clog2_block_release(&b);
}

struct gen_reading gen_read(const void *bytes, size_t size)
{
	struct gen_reading g = {.code = ERR_OK};
	struct source s;

	notes_init(&g.notes);
	g.code = source_open_memory(&s, "bytes", bytes, size, &g.err);
	if (!g.code)
		g.code = clog2_open(&g.file, &s, &g.notes, &g.err);
	if (!g.code)
		read_blocks(&g);
	g.file.source = NULL;
	source_release(&s);
	return g;
}

void gen_reading_free(struct gen_reading *r)
{
	notes_release(&r->notes);
	free(r->list);
	free(r->digest);
	r->list = NULL;
	r->digest = NULL;
}

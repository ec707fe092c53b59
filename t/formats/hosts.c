/* Where a process ran says the GID of its own MPI_COMM_SELF, whatever the byte order and whether the file is finalized:
 * balance between nodes is made of it. A name is cut where its field ends, is made safe like all text from a trace, and
 * if there is none nothing is made up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "gen_clog2.h"
#include "tap.h"

static const char *const hosts[] = {"n1", "node-with-a-name-of-more-than-20", "", "n\033[2J1", NULL};
static const char *const shown[] = {"n1", "node-with-a-name-of-", NULL, "n\xef\xbf\xbd[2J1", NULL};
#define PROCESSES (sizeof hosts / sizeof *hosts)

static struct clog2_gid gid_of(uint8_t n, const char *host)
{
	struct clog2_gid g = {{1, 2, 3, n}};

	memcpy(g.bytes + CLOG2_GID_HOST, host, strnlen(host, sizeof g.bytes - CLOG2_GID_HOST));
	return g;
}

/* One process for each host, or the first one's local file. The last one has no MPI_COMM_SELF. Host of the world:
 * "elsewhere". */
static struct gen_bytes run(bool big_endian, bool finalized)
{
	struct clog2_write_options o = gen_clog2_options(44, big_endian, finalized, 1024);
	FILE *file = tmpfile();
	struct clog2_writer w;
	struct gen_bytes b;
	struct err e;

	o.world_size = PROCESSES;
	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no file to write to");
	for (int32_t p = 0; p < (finalized ? (int32_t)PROCESSES : 1); p++) {
		struct clog2_head h = {0.001 * p, 0, p, 0};
		struct clog2_comm world = {0, 0, p, p, gid_of(200, "elsewhere")}, self = {1, p + 1, 0, p, {{0}}};

		clog2_write_comm(&w, h, &world);
		if (!hosts[p])
			continue;
		self.gid = gid_of((uint8_t)p, hosts[p]);
		clog2_write_comm(&w, h, &self);
	}
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	return b;
}

static void check(bool big_endian, bool finalized)
{
	struct gen_bytes b = run(big_endian, finalized);
	struct trace_options o = {.threads = 1};
	struct source source;
	struct trace *t = NULL, *without = NULL;
	struct err e;

	if (source_open_memory(&source, "hosts", b.bytes, b.size, &e) || trace_load_sources(&t, &source, 1, &o, NULL, &e))
		bail_out("%s", e.text);
	for (uint32_t p = 0; p < t->process_count; p++)
		is_str(t->processes[p].host, finalized || !p ? shown[p] : NULL, "process %u, %s-endian, %s", p,
		       big_endian ? "big" : "little", finalized ? "finalized" : "local");
	if (trace_without_collectives(&without, t, &e))
		bail_out("%s", e.text);
	ok(!without->processes[0].host, "a trace made of it shares no names with it");
	trace_free(without);
	trace_free(t);
	source_release(&source);
	free(b.bytes);
}

int main(void)
{
	check(true, true);
	check(false, true);
	check(false, false);
	return done_testing();
}

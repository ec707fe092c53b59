/* Our tracer says of each rank which node it was on, how many ranks had that, and what processors they could use; how long the rank waited for
 * one it says at the end, so a run that broke off has the rest. Whatever else stands in such a record is not believed, and
 * a trace without it says nothing of nodes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/trace/trace.h"
#include "gen_clog2.h"
#include "tap.h"

#define ETYPE 5004

struct said {
	int32_t rank, node, ranks, cpus;
	double waited;
};

static void put(uint8_t *to, uint64_t v, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(v >> 8 * (bytes - 1 - i));
}

static struct trace *made(const char *name, const char *format, const struct said *said, size_t n, int32_t processes)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 4096);
	struct clog2_eventdef def = {.etype = ETYPE};
	struct trace_options options = {.threads = 1};
	FILE *file = tmpfile();
	struct trace *t = NULL;
	struct source source;
	struct clog2_writer w;
	struct gen_bytes b;
	struct err e;

	o.world_size = processes;
	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no file to write to");
	snprintf(def.name, sizeof def.name, "%s", name);
	snprintf(def.format, sizeof def.format, "%s", format);
	for (int32_t p = 0; p < processes; p++) {
		struct clog2_head h = {0.001 * p, 0, p, 0};
		struct clog2_comm world = {0, 0, p, p, {{1, 2, 3, 200}}};

		clog2_write_comm(&w, h, &world);
	}
	for (size_t i = 0; i < n; i++) {
		struct clog2_head h = {1 + 0.001 * (double)i, 0, said[i].rank, 0};
		uint8_t cargo[32] = {0};
		uint64_t bits;

		memcpy(&bits, &said[i].waited, sizeof bits);
		put(cargo, (uint32_t)said[i].node, 4);
		put(cargo + 4, (uint32_t)said[i].ranks, 4);
		put(cargo + 8, (uint32_t)said[i].cpus, 4);
		put(cargo + 12, bits, 8);
		clog2_write_cargo(&w, h, ETYPE, cargo);
	}
	clog2_write_eventdef(&w, (struct clog2_head){.time = 2}, &def);
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	if (source_open_memory(&source, "nodes", b.bytes, b.size, &e) || trace_load_sources(&t, &source, 1, &options, NULL, &e))
		bail_out("%s", e.text);
	source_release(&source);
	free(b.bytes);
	return t;
}

#define NAME "PAS2P_processors"
#define FORMAT "node=%d ranks=%d cpus=%d waited=%E"

static void text_of(struct trace *t, const char *want, const char *what)
{
	struct crowded_nodes c = crowded_nodes(t);
	char text[CROWDED_TEXT];

	is_str(crowded_nodes_text(&c, text), want, "%s", what);
	trace_free(t);
}

int main(void)
{
	static const struct said two[] = {{0, 0, 3, 2, -1}, {1, 0, 3, 2, -1}, {2, 0, 3, 2, -1}, {3, 3, 1, 2, -1}, {1, 0, 3, 2, .25}};
	static const struct said enough[] = {{0, 0, 2, 2, 0}, {1, 0, 2, 2, 0}};
	static const struct said many[] = {{0, 0, 2, 1, 0}, {1, 0, 2, 1, 0}, {2, 2, 6, 2, 0}};
	static const struct said odd[] = {{0, 0, 0, 1, 0}, {1, -1, 2, 1, 0}, {0, 0, 2, 0, 0}, {1, 0, -2, 1, 0}};
	struct trace *t = made(NAME, FORMAT, two, 5, 4);

	is_int(t->processes[2].node.processes, 3, "ranks of the node");
	is_int(t->processes[2].node.processors, 2, "its processors");
	ok(t->processes[0].node.first && !t->processes[1].node.first && t->processes[3].node.first, "its first rank");
	is_double(t->processes[1].node.waited, .25, 0, "what a rank waited for: the last word stands");
	ok(t->processes[0].node.waited < 0, "not known before the end");
	text_of(t, "3 processes shared 2 processors", "one of two nodes is crowded");
	text_of(made(NAME, FORMAT, enough, 2, 2), "", "as many processors as ranks");
	text_of(made(NAME, FORMAT, many, 3, 3), "6 processes shared 2 processors on one of 2 nodes with too few processors", "the most crowded one");
	text_of(made(NAME, FORMAT, odd, 4, 2), "", "what cannot be is not believed");
	text_of(made("processors", FORMAT, many, 3, 3), "", "another tracer's event of another name");
	text_of(made(NAME, "node=%d ranks=%d", many, 3, 3), "", "a record that lacks something");
	return done_testing();
}

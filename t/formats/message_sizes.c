/* Our tracer writes what a message's 31 bits have no room for into an event right before it (docs/internals/tracer.md).
 * It is the size of that message alone: of its process, if it is the very next record and says that it does not know. A
 * number that is none is not believed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "gen_clog2.h"
#include "tap.h"

#define ETYPE 5005
#define GIB ((int64_t)1 << 30)

enum what { SAID, SENT, OTHER };

struct step {
	enum what what;
	int32_t rank;
	int64_t size;
};

static void write_step(struct clog2_writer *w, const struct step *s, double time)
{
	struct clog2_head h = {time, 0, s->rank, 0};
	struct clog2_msg m = {s->rank ? -102 : -101, 0, !s->rank, 7, (int32_t)s->size};
	uint8_t cargo[32] = {0};

	for (int i = 0; i < 8; i++)
		cargo[i] = (uint8_t)((uint64_t)s->size >> (56 - 8 * i));
	if (s->what == SAID)
		clog2_write_cargo(w, h, ETYPE, cargo);
	else if (s->what == SENT)
		clog2_write_msg(w, h, &m);
	else
		clog2_write_bare(w, h, 5006);
}

/* The sizes of all events, "?" for one that is not known; then how many are noted. */
static void says(const char *format, const struct step *steps, const char *want, const char *what)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 4096);
	struct clog2_eventdef def = {.etype = ETYPE, .name = "PAS2P_size"};
	struct trace_options options = {.threads = 1};
	FILE *file = tmpfile();
	struct trace *t = NULL;
	struct source source;
	struct clog2_writer w;
	struct gen_bytes b;
	char text[400] = "";
	struct err e;

	o.world_size = 2;
	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no file to write to");
	snprintf(def.format, sizeof def.format, "%s", format);
	for (int32_t p = 0; p < 2; p++) {
		struct clog2_comm world = {0, 0, p, p, {{1, 2, 3, 200}}};

		clog2_write_comm(&w, (struct clog2_head){0.001 * p, 0, p, 0}, &world);
	}
	for (int i = 0; steps[i].size || steps[i].what != SAID; i++)
		write_step(&w, &steps[i], 1 + 0.001 * i);
	clog2_write_eventdef(&w, (struct clog2_head){.time = 2}, &def);
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	if (source_open_memory(&source, "sizes", b.bytes, b.size, &e) || trace_load_sources(&t, &source, 1, &options, NULL, &e))
		bail_out("%s", e.text);
	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		size_t n = strlen(text);

		if (trace_size(t, ev) == SIZE_UNKNOWN)
			snprintf(text + n, sizeof text - n, "? ");
		else
			snprintf(text + n, sizeof text - n, "%" PRIu64 " ", trace_size(t, ev));
	}
	snprintf(text + strlen(text), sizeof text - strlen(text), "/ %" PRIu64, t->notes.count[NOTE_UNKNOWN_SIZE]);
	is_str(text, want, "%s", what);
	trace_free(t);
	source_release(&source);
	free(b.bytes);
}

#define SAYS(want, what, ...) says("size=%l", (const struct step[]){__VA_ARGS__, {SAID, 0, 0}}, want, what)

int main(void)
{
	SAYS("5368709120 5368709120 / 0", "a size of 5 GiB, at both ends", {SAID, 0, 5 * GIB}, {SENT, 0, -1}, {SAID, 1, 5 * GIB}, {SENT, 1, -1});
	SAYS("5368709120 4294967296 / 0", "two processes at once", {SAID, 0, 5 * GIB}, {SAID, 1, 4 * GIB}, {SENT, 0, -1}, {SENT, 1, -1});
	SAYS("8 ? / 1", "a message that knows its size is believed, and the next is none of it", {SAID, 0, 5 * GIB}, {SENT, 0, 8}, {SENT, 0, -1});
	SAYS("5368709120 ? / 1", "one message has it", {SAID, 0, 5 * GIB}, {SENT, 0, -1}, {SENT, 0, -1});
	SAYS("? / 1", "something lies between", {SAID, 0, 5 * GIB}, {OTHER, 0, 1}, {SENT, 0, -1});
	SAYS("? / 1", "a size below 0", {SAID, 0, -5 * GIB}, {SENT, 0, -1});
	SAYS("? / 1", "a size that no sum has room for", {SENT, 0, -1}, {SAID, 0, INT64_MAX});
	SAYS("? / 1", "it is the process's first record, and says nothing", {SENT, 0, -1});
	says("bytes", (const struct step[]){{SAID, 0, 5 * GIB}, {SENT, 0, -1}, {SAID, 0, 0}}, "? / 1", "another format");
	done_testing();
}

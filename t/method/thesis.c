/* The thesis's examples (docs/explain/method.md, "Examples of the thesis") are there as trace files too, so that the
 * page can show them with the program and a reader can open them. Each must be the example: byte for byte what is made
 * of it here, and, read again, the same events with the same partners. UPDATE_GOLDEN=1 makes the files again.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen.h"
#include "gen_clog2.h"
#include "core/formats/api/load.h"
#include "core/method/logical/logical.h"
#include "core/io/source.h"
#include "tap.h"

struct written {
	double time;
	uint32_t process, event;
};

static int compare_written(const void *a, const void *b)
{
	const struct written *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

/* An example whose figure has no times takes one millisecond a step, and no message is received before it was sent;
 * those of CG are its compute times, as milliseconds. */
static void give_times(struct trace *t)
{
	struct logical *l;
	struct err e;

	if (t->end > t->start) {
		for (uint32_t i = 0; i < t->event_count; i++)
			t->time[i] /= 1000;
		return;
	}
	if (logical_new(&l, t, ORDER_LAMPORT, COLLECTIVES_EVENTS, NULL, &e) != ERR_OK)
		bail_out("%s", e.text);
	for (uint32_t i = 0; i < t->event_count; i++)
		t->time[i] = logical_lt(l, i) / 1000.0;
	logical_unref(l);
}

static void write_events(struct clog2_writer *w, const struct trace *t)
{
	struct written *list = malloc(t->event_count * sizeof *list);

	if (!list)
		bail_out("no memory");
	for (uint32_t i = 0; i < t->event_count; i++)
		list[i] = (struct written){t->time[i], trace_process_of(t, i), i};
	qsort(list, t->event_count, sizeof *list, compare_written);
	for (uint32_t i = 0; i < t->event_count; i++) {
		uint32_t ev = list[i].event;
		struct clog2_head h = {list[i].time, 0, (int32_t)list[i].process, 0};
		struct clog2_msg m = {EVENT_KIND(t->type[ev]) == EVENT_SEND ? -101 : -102, 0,
				      (int32_t)EVENT_INDEX(t->type[ev]) - 1, trace_tag(t, ev), (int32_t)trace_size(t, ev)};

		clog2_write_msg(w, h, &m);
	}
	free(list);
}

static struct gen_bytes file_of(const struct trace *t)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 1024);
	FILE *file = tmpfile();
	struct clog2_writer w;
	struct gen_bytes b;
	struct err e;

	o.world_size = (int32_t)t->process_count;
	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("a trace cannot be written");
	for (int32_t p = 0; p < o.world_size; p++) {
		struct clog2_comm world = {0, 0, p, p, {{0}}};

		world.gid.bytes[0] = 1;
		clog2_write_comm(&w, (struct clog2_head){0, 0, p, 0}, &world);
	}
	write_events(&w, t);
	if (clog2_writer_finish(&w, true, &e))
		bail_out("a trace cannot be finished: %s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	return b;
}

static bool same_events(const struct trace *a, const struct trace *b)
{
	if (a->process_count != b->process_count || a->event_count != b->event_count ||
	    memcmp(a->first, b->first, (a->process_count + 1) * sizeof *a->first) != 0)
		return false;
	for (uint32_t i = 0; i < a->event_count; i++)
		if (a->type[i] != b->type[i] || trace_size(a, i) != trace_size(b, i) || a->match[i] != b->match[i] ||
		    fabs(a->time[i] - b->time[i]) > 1e-9)
			return false;
	return true;
}

static void update(const char *path, const struct gen_bytes *b)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || write(fd, b->bytes, b->size) != (ssize_t)b->size)
		bail_out("%s cannot be written", path);
	close(fd);
}

static void check(struct trace *t, const char *path)
{
	struct gen_bytes made, kept;
	struct trace *read = NULL;
	struct err e = {0};

	give_times(t);
	made = file_of(t);
	if (getenv("UPDATE_GOLDEN"))
		update(path, &made);
	kept = gen_slurp(path);
	ok(made.size == kept.size && !memcmp(made.bytes, kept.bytes, made.size), "%s is what the example makes", path);
	is_int(trace_load(&read, &path, 1, NULL, NULL, &e), ERR_OK, "it can be read");
	ok(read && same_events(t, read), "its events are the example's, with the same partners and times");
	ok(read && read->notes.n == 0, "there is nothing odd about it");
	trace_free(read);
	trace_free(t);
	free(made.bytes);
	free(kept.bytes);
}

int main(void)
{
	check(gen_cg(2), "sample-traces/thesis-cg.4.clog2");
	check(gen_smg(2), "sample-traces/thesis-smg.4.clog2");
	check(gen_windows(), "sample-traces/thesis-windows.4.clog2");
	return done_testing();
}

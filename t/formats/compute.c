/* Compute times (docs/explain/method.md, "Compute time"): from the end of an event's call to the start of the next call
 * that makes an event, with the time inside other MPI calls and the tracer's own writes left out, 0 between events of
 * one call; from CPU samples if there are any, otherwise from call states, otherwise from the gaps between events. Each
 * case is a tiny trace of one process that sends to itself, written record by record; times are binary fractions, so
 * sums are exact. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/formats/clog2/clog2.h"
#include "core/formats/api/load.h"
#include "tap.h"

#define SEND 80
#define WAITALL 106
#define COMM_RANK 24
#define WRITE2DISK 280
#define USER 600

static struct clog2_writer w;
static char path[64];

static struct clog2_head at(double time)
{
	return (struct clog2_head){time, 0, 0, 0};
}

static void begin(void)
{
	struct clog2_write_options o = {.minor = 44, .big_endian = true, .finalized = true, .block_size = 65536,
					.world_size = 1, .max_threads = 1};
	struct clog2_comm world = {.etype = 0};
	struct err e;
	int fd;

	strcpy(path, "/tmp/pas2p-compute.XXXXXX"); /* removed by loaded() */
	fd = mkstemp(path);
	if (fd < 0 || clog2_writer_init(&w, fd, &o, &e) != ERR_OK)
		bail_out("cannot write a trace");
	clog2_write_comm(&w, at(0), &world);
}

static void bare(double time, int etype)
{
	clog2_write_bare(&w, at(time), etype);
}

static void message(double time, bool send, int tag)
{
	struct clog2_msg m = {send ? -101 : -102, 0, 0, tag, 8};

	clog2_write_msg(&w, at(time), &m);
}

static void send(double from, double to, int tag)
{
	bare(from, 2 * SEND);
	message(from, true, tag);
	bare(to, 2 * SEND + 1);
}

static void cpu_sample(double time, double value)
{
	uint8_t cargo[32] = {0};

	clog2_pack_f64(cargo, value);
	clog2_write_cargo(&w, at(time), 5000, cargo);
}

static struct trace *loaded(bool with_readings)
{
	struct clog2_eventdef compute = {.etype = 5000, .name = "compute", .format = "cpu=%E"};
	struct clog2_statedef user = {.state = 300, .start = USER, .final = USER + 1, .name = "step"};
	const char *file = path;
	struct trace *t = NULL;
	struct err e = {0};

	clog2_write_statedef(&w, at(100), &user);
	if (with_readings)
		clog2_write_eventdef(&w, at(100), &compute);
	if (clog2_writer_finish(&w, true, &e) != ERR_OK)
		bail_out("cannot write a trace");
	close(w.fd);
	clog2_writer_release(&w);
	trace_load(&t, &file, 1, NULL, NULL, &e);
	unlink(path);
	if (!t)
		bail_out("cannot read the trace back");
	return t;
}

static void is_compute(const struct trace *t, enum compute_source source, uint32_t n, const double *want, const char *what)
{
	is_int(t->compute_source, source, "%s: from %s", what, compute_source_name(source));
	if (!ok(t->event_count == n, "%s: %u events", what, n))
		return;
	for (uint32_t i = 0; i < n; i++)
		is_double(t->compute[i], want[i], 0, "%s: after event %u", what, i + 1);
}

static void between_calls(void)
{
	static const double want[] = {0.4375, NAN};
	struct trace *t;

	begin();
	send(1, 1.125, 1);
	bare(1.25, 2 * COMM_RANK);       /* makes no event: its time is left out */
	bare(1.375, 2 * COMM_RANK + 1);
	bare(1.5, 2 * WRITE2DISK);       /* the tracer's own */
	bare(1.75, 2 * WRITE2DISK + 1);
	send(1.9375, 2, 2);
	t = loaded(false);
	is_compute(t, COMPUTE_FROM_STATES, 2, want, "other calls between");
	trace_free(t);
}

static void in_one_call(void)
{
	static const double want[] = {0, 0.5, 0, 0, NAN};
	struct trace *t;

	begin();
	send(1, 1, 1);
	send(1, 1.5, 2);
	bare(2, 2 * WAITALL);
	bare(2.25, 502); /* MPE's inner state of a completed receive */
	message(2.25, false, 1);
	bare(2.25, 503);
	message(2.5, false, 2);
	bare(3, 2 * WAITALL + 1);
	send(3, 4, 3);
	t = loaded(false);
	is_compute(t, COMPUTE_FROM_STATES, 5, want, "two receives of one Waitall");
	trace_free(t);
}

static void overlapping(void)
{
	static const double want[] = {0.5, 0.5, NAN};
	struct trace *t;

	begin();
	send(1, 2, 1);
	bare(2.25, USER);
	bare(2.5, 2 * SEND);
	bare(2.625, USER + 1); /* ends while the call is open: the call goes on */
	message(2.75, true, 2);
	bare(3, 2 * SEND + 1);
	send(3.5, 4, 3);
	t = loaded(false);
	is_compute(t, COMPUTE_FROM_STATES, 3, want, "a user state that overlaps a call");
	ok(!t->notes.count[NOTE_UNPAIRED_STATE], "it is no unpaired state");
	trace_free(t);
}

/* Tracers read the clock on either side of a call's start, and of its end. */
static void cpu_samples(bool entry_inside, bool exit_inside)
{
	static const double want[] = {0.25, 0.125, NAN}; /* the last record is the call's end, or the reading behind it, which is of the call */
	double cpu = 1, outside[] = {0.25, 0.125, 0.5};
	struct trace *t;
	char what[80];

	snprintf(what, sizeof what, "readings %s the call at its start, %s it at its end", entry_inside ? "inside" : "outside",
		 exit_inside ? "inside" : "outside");
	begin();
	for (int i = 0; i < 3; i++) {
		double from = 1 + i;

		if (!entry_inside)
			cpu_sample(from - 0.0625, cpu);
		bare(from, 2 * SEND);
		if (entry_inside)
			cpu_sample(from + 0.0625, cpu);
		message(from + 0.125, true, i);
		cpu += 0.0625; /* the call's own CPU time does not count */
		if (exit_inside)
			cpu_sample(from + 0.25, cpu);
		bare(from + 0.5, 2 * SEND + 1);
		if (!exit_inside)
			cpu_sample(from + 0.5625, cpu);
		cpu += outside[i];
	}
	t = loaded(true);
	is_compute(t, COMPUTE_FROM_EVENTS, 3, want, what);
	trace_free(t);
}

static void only_gaps(void)
{
	static const double want[] = {0.5, 1.5, NAN};
	struct trace *t;

	begin();
	message(1, true, 1);
	message(1.5, true, 2);
	message(3, true, 3);
	t = loaded(false);
	is_compute(t, COMPUTE_FROM_GAPS, 3, want, "no calls");
	trace_free(t);
}

int main(void)
{
	between_calls();
	in_one_call();
	overlapping();
	for (int i = 0; i < 4; i++)
		cpu_samples(i & 1, i & 2);
	only_gaps();
	return done_testing();
}

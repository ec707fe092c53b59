#include "clock_case.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/clocks/correct/correct_int.h"
#include "core/formats/clog2/clog2.h"
#include "core/formats/api/load.h"
#include "gen.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

struct clock_case clock_case_open_all(const char *const *paths, uint32_t count, double latency)
{
	const struct clock_options o = {.latency = latency, .windows = CLOCK_WINDOWS};
	struct clock_case c = {.times = calloc(1, sizeof *c.times)};
	enum err_code code = call_log_load(&c.log, &c.trace, paths, count, NULL, NULL, &err);

	if (code != ERR_DAMAGED || !c.trace)
		must(code);
	must(clock_times_init(c.times, c.log, RESOLUTION_AUTO, &err));
	must(clock_bounds_new(&c.bounds, c.times, &o, NULL, &err));
	must(clock_points_init(&c.points, c.times, latency, c.bounds->barriers, &err));
	return c;
}

struct clock_case clock_case_open(const char *path, double latency)
{
	return clock_case_open_all(&path, 1, latency);
}

void clock_case_close(struct clock_case *c)
{
	clock_points_release(&c->points);
	clock_bounds_free(c->bounds);
	clock_times_release(c->times);
	free(c->times);
	call_log_free(c->log);
	trace_free(c->trace);
}

void clock_case_write(const char *path, struct gen_bytes bytes)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(bytes.bytes, 1, bytes.size, f) != bytes.size || fclose(f))
		bail_out("%s cannot be written", path);
	free(bytes.bytes);
}

static double part(uint64_t *seed)
{
	return gen_below(seed, 1u << 30) / (double)(1u << 30);
}

void clock_case_skew(const char *from, const char *to, uint64_t seed, double scale)
{
	struct clock_case c = clock_case_open(from, 0);
	struct clock_records r;
	double *new;
	double length = trace_aet(c.trace);
	struct source source;
	bool unwritten;

	must(clock_records_read(&r, c.trace, NULL, &err));
	new = malloc((r.first[c.trace->process_count] + 1) * sizeof *new);
	clock_records_copy(new, &r);
	for (uint32_t p = 0; p < c.trace->process_count; p++) {
		double offset = (part(&seed) - 0.5) * 2 * scale, rate = (part(&seed) - 0.5) * 2e-4, slew = (part(&seed) - 0.5) * 4e-4;
		double step = gen_below(&seed, 3) ? 0 : part(&seed) * scale / 2, last = -1e7;
		double stepped = c.trace->start + length * part(&seed), slewed = c.trace->start + length * part(&seed);

		for (size_t i = r.first[p]; i < r.first[p + 1]; i++) {
			double t = new[i], time = t + offset + rate * (t - c.trace->start);

			time += t > stepped ? step : 0;
			time += t > slewed ? slew * (t - slewed) : 0;
			new[i] = last = time > last ? time : last;
		}
	}
	must(source_open_file(&source, from, &err));
	must(clog2_retime(to, &source, 1, &(struct clog2_new_times){.process_count = c.trace->process_count, .first = r.first, .time = new},
			  &unwritten, NULL, &err));
	source_release(&source);
	clock_records_release(&r);
	free(new);
	clock_case_close(&c);
}

uint64_t clock_case_violations(const struct clock_case *c)
{
	struct clock_violations *v;
	uint64_t n;

	must(clock_violations_new(&v, &c->points, 0, false, NULL, &err));
	n = v->messages.violated + v->collective.violated;
	clock_violations_free(v);
	return n;
}

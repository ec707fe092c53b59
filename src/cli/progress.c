#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "interrupt.h"

#define QUIET_SECONDS 0.5   /* nothing is shown before */
#define REDRAW_SECONDS 0.1

struct progress_unit {
	const char *name;
	double one;
	int decimals;
};

static struct progress_unit unit_of(enum job_stage stage)
{
	switch (stage) {
	case JOB_SCAN:
	case JOB_READ: return (struct progress_unit){"MB", 1e6, 1};
	case JOB_BENCH: return (struct progress_unit){"s", 1e3, 1};
	case JOB_TUNE: return (struct progress_unit){"searches", 1, 0};
	default: return (struct progress_unit){"thousand", 1e3, 1};
	}
}

void progress_line(char *buf, size_t size, enum job_stage stage, uint64_t done, uint64_t total, double rate)
{
	const struct progress_unit unit = unit_of(stage);
	double percent = total ? 100.0 * (double)done / (double)total : 0, left = 0;
	int n;

	n = snprintf(buf, size, "%s %.0f %%, %.*f of %.*f %s", job_stage_name(stage), percent, unit.decimals, (double)done / unit.one,
		     unit.decimals, (double)total / unit.one, unit.name);
	if (n < 0 || (size_t)n >= size || rate <= 0 || stage == JOB_BENCH)
		return;
	if (done < total)
		left = ceil((double)(total - done) / rate);
	snprintf(buf + n, size - (size_t)n, ", %.1f %s/s, %.0f s left", rate / unit.one, unit.name, left);
}

static void progress_show_stage(struct progress *p, enum job_stage stage, uint64_t done, uint64_t total, double t)
{
	double rate = t > p->stage_begun ? (double)(done - p->stage_from) / (t - p->stage_begun) : 0;
	char line[79];
	int n;

	progress_line(line, sizeof line, stage, done, total, rate);
	n = fprintf(stderr, "\r%-*s", (int)p->width, line) - 1;
	fflush(stderr);
	p->width = n > 0 ? (size_t)n : p->width;
	p->drawn = t;
}

static void update(void *arg, enum job_stage stage, uint64_t done, uint64_t total)
{
	struct progress *p = arg;
	double t;

	if (!p->wanted)
		return;
	t = clock_seconds();
	if (stage != p->stage || done < p->stage_from) {
		p->stage = stage;
		p->stage_begun = t;
		p->stage_from = done;
	}
	if (t - p->begun >= QUIET_SECONDS && t - p->drawn >= REDRAW_SECONDS)
		progress_show_stage(p, stage, done, total, t);
}

static bool progress_is_stopped(void *arg)
{
	(void)arg;
	return interrupt_seen();
}

void progress_init(struct progress *p, bool wanted)
{
	*p = (struct progress){.wanted = wanted && isatty(STDERR_FILENO), .stage = JOB_STAGES};
	p->begun = clock_seconds();
	p->job = (struct job){update, progress_is_stopped, p};
}

void progress_clear(struct progress *p)
{
	if (p->width)
		fprintf(stderr, "\r%*s\r", (int)p->width, "");
	p->width = 0;
}

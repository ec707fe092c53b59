#include "progress_meter.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "interrupt.h"

#define QUIET_SECONDS 0.5   /* nothing is shown before */
#define REDRAW_SECONDS 0.1

struct progress_meter_unit {
	const char *name;
	double one;
	int decimals;
};

static struct progress_meter_unit unit_of(enum progress_stage stage)
{
	switch (stage) {
	case PROGRESS_SCAN:
	case PROGRESS_READ: return (struct progress_meter_unit){"MB", 1e6, 1};
	case PROGRESS_BENCH: return (struct progress_meter_unit){"s", 1e3, 1};
	case PROGRESS_TUNE: return (struct progress_meter_unit){"searches", 1, 0};
	default: return (struct progress_meter_unit){"thousand", 1e3, 1};
	}
}

void progress_meter_line(char *buf, size_t size, enum progress_stage stage, uint64_t done, uint64_t total, double rate)
{
	const struct progress_meter_unit unit = unit_of(stage);
	double percent = total ? 100.0 * (double)done / (double)total : 0, left = 0;
	int n;

	n = snprintf(buf, size, "%s %.0f %%, %.*f of %.*f %s", progress_stage_name(stage), percent, unit.decimals, (double)done / unit.one,
		     unit.decimals, (double)total / unit.one, unit.name);
	if (n < 0 || (size_t)n >= size || rate <= 0 || stage == PROGRESS_BENCH)
		return;
	if (done < total)
		left = ceil((double)(total - done) / rate);
	snprintf(buf + n, size - (size_t)n, ", %.1f %s/s, %.0f s left", rate / unit.one, unit.name, left);
}

static void progress_meter_show_stage(struct progress_meter *p, enum progress_stage stage, uint64_t done, uint64_t total, double t)
{
	double rate = t > p->stage_begun ? (double)(done - p->stage_from) / (t - p->stage_begun) : 0;
	char line[79];
	int n;

	progress_meter_line(line, sizeof line, stage, done, total, rate);
	n = fprintf(stderr, "\r%-*s", (int)p->width, line) - 1;
	fflush(stderr);
	p->width = n > 0 ? (size_t)n : p->width;
	p->drawn = t;
}

static void update(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	struct progress_meter *p = arg;
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
		progress_meter_show_stage(p, stage, done, total, t);
}

static bool progress_meter_is_stopped(void *arg)
{
	(void)arg;
	return interrupt_seen();
}

void progress_meter_init(struct progress_meter *p, bool wanted)
{
	*p = (struct progress_meter){.wanted = wanted && isatty(STDERR_FILENO), .stage = PROGRESS_STAGES};
	p->begun = clock_seconds();
	p->progress = (struct progress){update, progress_meter_is_stopped, p};
}

void progress_meter_clear(struct progress_meter *p)
{
	if (p->width)
		fprintf(stderr, "\r%*s\r", (int)p->width, "");
	p->width = 0;
}

#include "machine.h"

#include <ctype.h>
#include <math.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "machine_int.h"

#define OPERATION_MS 88 /* two loops of 40 batches, and the chain */
#define CHAIN_SECONDS (BATCH_SECONDS / 10)
#define WIDE 1.5        /* upper quantile of a chain over its median: something came between */
#define WIDE_SHARE 4    /* a part of the operations: then the machine was not alone */

static const char *const names[MACHINE_FIGURES] = {
#define MACHINE_OP(name, operation, type) #name,
#include "ops.def"
#define MACHINE_MEMORY(name) #name,
#include "ops.def"
};

/* For an operation whose type is any: the operation, for others NULL. */
static const char *const typeless[MACHINE_OPS] = {
#define OF_int(operation) NULL
#define OF_long(operation) NULL
#define OF_float(operation) NULL
#define OF_double(operation) NULL
#define OF_any(operation) #operation
#define MACHINE_OP(name, operation, type) OF_##type(operation),
#include "ops.def"
};

static const char *const operations[MACHINE_OPS] = {
#define MACHINE_OP(name, operation, type) #operation,
#include "ops.def"
};

const char *machine_figure_name(enum machine_figure f)
{
	return names[f];
}

void machine_host(char *to, uint32_t size)
{
	char name[256] = "";

	if (gethostname(name, sizeof name - 1) || !name[0])
		memcpy(name, "unknown", sizeof "unknown");
	text_safe(to, size, name, SIZE_MAX, TEXT_ASCII);
	for (; *to; to++)
		if (isspace((unsigned char)*to))
			*to = '_';
}

static double loops_time_both(void *arg, uint64_t n)
{
	const struct kernel_loops *l = arg;
	double begun = clock_seconds();

	l->shorter(n);
	l->longer(n);
	return clock_seconds() - begun;
}

/* A chain of the cheapest operation, each of which needs the one before: a cycle each, on any processor. */
static double chain(void *arg, uint64_t n)
{
	double begun = clock_seconds();

	(void)arg;
	machine_kernels[MACHINE_sum_int].dependent.longer(n);
	return clock_seconds() - begun;
}

/* What is measured of one operation, and beside it the cycle, which changes with the processor's frequency. */
struct machine_measuring {
	struct batch_loops independent, dependent;
	uint64_t chain;  /* rounds of it in a batch */
	double cycle;    /* the least */
};

static void measure_loops(struct kernel_loops l, struct batch_loops *b, struct machine_measuring *m)
{
	uint64_t n = batch_length(loops_time_both, &l, BATCH_SECONDS);

	b->operations = (double)n * KERNEL_OPS;
	for (int i = 0; i < BATCHES; i++) {
		double begun = clock_seconds(), between, end;

		l.shorter(n);
		between = clock_seconds();
		l.longer(n);
		end = clock_seconds();
		m->cycle = fmin(m->cycle, chain(NULL, m->chain) / ((double)m->chain * 2 * KERNEL_OPS));
		if (i < BATCHES_FIRST)
			continue;
		b->shorter[i - BATCHES_FIRST] = between - begun;
		b->longer[i - BATCHES_FIRST] = end - between;
	}
	batches_sort(b->shorter);
	batches_sort(b->longer);
}

/* Returns whether something came between. */
static bool measure_operation(const struct kernels *k, struct machine_measuring *m, struct machine_range *r)
{
	measure_loops(k->independent, &m->independent, m);
	measure_loops(k->dependent, &m->dependent, m);
	*r = batches_range(&m->independent, &m->dependent, m->cycle);
	return r->high > WIDE * batches_operation(&m->dependent, 0.5);
}

static struct machine_range hull_of(const struct machine_measured *m, const char *operation)
{
	struct machine_range r = {INFINITY, 0};

	for (int i = 0; i < MACHINE_OPS; i++) {
		if (typeless[i] || strcmp(operations[i], operation) != 0)
			continue;
		r.low = fmin(r.low, m->figure[i].low);
		r.high = fmax(r.high, m->figure[i].high);
	}
	return r;
}

enum err_code machine_measure(struct machine_measured *m, bool shared, const struct progress *progress, struct err *e)
{
	struct machine_measuring measuring = {.chain = batch_length(chain, NULL, CHAIN_SECONDS), .cycle = INFINITY};
	unsigned wide = 0;
	cpu_set_t cores;

	*m = (struct machine_measured){.shared = NAN};
	machine_host(m->host, sizeof m->host);
	m->cores = sched_getaffinity(0, sizeof cores, &cores) ? 1 : (uint32_t)CPU_COUNT(&cores);
	for (int i = 0; i < MACHINE_OPS; i++) {
		if (progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "interrupted");
		progress_report(progress, PROGRESS_BENCH, (uint64_t)i * OPERATION_MS, MACHINE_OPS * OPERATION_MS);
		if (machine_kernels[i].dependent.longer)
			wide += measure_operation(&machine_kernels[i], &measuring, &m->figure[i]);
	}
	for (int i = 0; i < MACHINE_OPS; i++)
		if (!machine_kernels[i].dependent.longer)
			m->figure[i] = hull_of(m, typeless[i]);
	m->cycle = measuring.cycle;
	m->disturbed = wide > MACHINE_OPS / WIDE_SHARE;
	return machine_measure_memory(m, shared, progress, e);
}

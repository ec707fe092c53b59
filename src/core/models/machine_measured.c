#include "machine_measured.h"

#include <ctype.h>
#include <math.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "machine_batches.h"
#include "machine_kernels.h"
#include "machine_memory.h"

#define OPERATION_MS 80 /* two loops of 40 batches */
#define LOWER 0.05
#define UPPER 0.95
#define WIDE 1.5        /* upper quantile of a chain over its median: something came between */
#define WIDE_SHARE 4    /* a part of the operations: then the machine was not alone */

static const char *const names[MACHINE_FIGURES] = {
#define MACHINE_OP(name, operation, type) #name,
#include "machine_ops.def"
#define MACHINE_MEMORY(name) #name,
#include "machine_ops.def"
};

/* Of an operation whose type is any: the operation, for others NULL. */
static const char *const typeless[MACHINE_OPS] = {
#define OF_int(operation) NULL
#define OF_long(operation) NULL
#define OF_float(operation) NULL
#define OF_double(operation) NULL
#define OF_any(operation) #operation
#define MACHINE_OP(name, operation, type) OF_##type(operation),
#include "machine_ops.def"
};

static const char *const operations[MACHINE_OPS] = {
#define MACHINE_OP(name, operation, type) #operation,
#include "machine_ops.def"
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

static double both(void *arg, uint64_t n)
{
	const struct loops *l = arg;
	double begun = clock_seconds();

	l->shorter(n);
	l->longer(n);
	return clock_seconds() - begun;
}

/* s of an operation, batch by batch, sorted. The loop's own cost is the shorter loop's, whose median an interruption
 * does not reach. */
static void measure_loops(struct loops l, double value[BATCHES_COUNTED])
{
	double shorter[BATCHES_COUNTED], longer[BATCHES_COUNTED], middle;
	uint64_t n = batch_length(both, &l, BATCH_SECONDS);

	for (int i = 0; i < BATCHES; i++) {
		double begun = clock_seconds(), between;

		l.shorter(n);
		between = clock_seconds();
		l.longer(n);
		if (i < BATCHES_FIRST)
			continue;
		shorter[i - BATCHES_FIRST] = between - begun;
		longer[i - BATCHES_FIRST] = clock_seconds() - between;
	}
	batches_sort(shorter);
	middle = batches_quantile(shorter, 0.5);
	for (int i = 0; i < BATCHES_COUNTED; i++)
		value[i] = fmax(0, (longer[i] - middle) / ((double)n * KERNEL_OPS));
	batches_sort(value);
}

/* Returns whether something came between. */
static bool measure_operation(const struct kernels *k, struct machine_range *r)
{
	double independent[BATCHES_COUNTED], dependent[BATCHES_COUNTED];

	measure_loops(k->independent, independent);
	measure_loops(k->dependent, dependent);
	r->low = batches_quantile(independent, LOWER);
	r->high = fmax(r->low, batches_quantile(dependent, UPPER));
	return r->high > WIDE * batches_quantile(dependent, 0.5);
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

enum err_code machine_measure(struct machine_measured *m, bool shared, const struct job *job, struct err *e)
{
	unsigned wide = 0;
	cpu_set_t cores;

	*m = (struct machine_measured){.shared = NAN};
	machine_host(m->host, sizeof m->host);
	m->cores = sched_getaffinity(0, sizeof cores, &cores) ? 1 : (uint32_t)CPU_COUNT(&cores);
	for (int i = 0; i < MACHINE_OPS; i++) {
		if (job_stopped(job))
			return err_set(e, ERR_CANCELLED, "interrupted");
		job_progress(job, JOB_BENCH, (uint64_t)i * OPERATION_MS, MACHINE_OPS * OPERATION_MS);
		if (machine_kernels[i].dependent.longer)
			wide += measure_operation(&machine_kernels[i], &m->figure[i]);
	}
	for (int i = 0; i < MACHINE_OPS; i++)
		if (!machine_kernels[i].dependent.longer)
			m->figure[i] = hull_of(m, typeless[i]);
	m->disturbed = wide > MACHINE_OPS / WIDE_SHARE;
	return machine_measure_memory(m, shared, job, e);
}

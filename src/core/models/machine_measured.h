/* A machine, measured: what operations and memory take (docs/models.md 7).
 *
 *     machine_measure(&m, shared, job, &e);
 *
 * Of each operation the interval from what it takes among independent ones to what it takes where each needs the one
 * before: between these lies what a program sees. No time is below an eighth of a cycle, since no processor begins more
 * than eight operations of one kind in a cycle. Operations are in registers but for access (a load from the first
 * cache, whose value is the next one's index) and assign (a store and its value's next use); compare is with a choice
 * by its outcome; mod of real numbers is the library's. compare, access and assign without a type are as little as the
 * least of the types and as much as the most. Seconds, memory's per byte.
 */
#ifndef PAS2P_MACHINE_MEASURED_H
#define PAS2P_MACHINE_MEASURED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"

enum machine_figure {
#define MACHINE_OP(name, operation, type) MACHINE_##name,
#include "machine_ops.def"
	MACHINE_OPS,
	MACHINE_BEFORE_MEMORY = MACHINE_OPS - 1,
#define MACHINE_MEMORY(name) MACHINE_##name,
#include "machine_ops.def"
	MACHINE_FIGURES
};

struct machine_range {
	double low, high;
};

struct machine_measured {
	char host[128];
	uint32_t cores;       /* that this process may use */
	double buffer;        /* bytes of the memory that was gone through */
	double cycle;         /* s: the least that one of a chain of additions took; 0: not known, of other nodes */
	double shared;        /* one core's memory time over that of one among all at once; NAN: not measured */
	bool disturbed;       /* something else ran meanwhile: the intervals are wide for that */
	struct machine_range figure[MACHINE_FIGURES];
};

const char *machine_figure_name(enum machine_figure f);

/* The machine's name, safe text without blanks. */
void machine_host(char *to, uint32_t size);

/* Takes some seconds, and one more with `shared` (all cores at once). ERR_CANCELLED, ERR_MEMORY. */
enum err_code machine_measure(struct machine_measured *m, bool shared, const struct job *job, struct err *e);

#endif

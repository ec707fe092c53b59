/* What a program would take on a machine: two lower bounds of its time, as intervals, by adding and taking maxima
 * (docs/explain/models-language.md, "Evaluation").
 *
 * Each process has two clocks under each of two views, for the lower and the upper end of all that is an interval:
 * *free*, as if nobody waited for a resource, and *nested*, in which what runs at the same time shares what it needs.
 * All times are seconds; they are the values of one point, that is of one value for each parameter (predict.h does
 * several).
 *
 *     in = (struct evaluate_input){.model = &m, .machine = &machine, .values = values};
 *     code = evaluate(&ev, &in, &e);
 *     ... ev.time ...
 *     outcome_release(&ev);                        in any case
 *
 * Errors (of ERR_FORMAT, with the node's file and line): unknown names, division by zero, what the language does not
 * allow, a deadlock. ERR_LIMIT: more processes than 2^20, or more than FORMULA_STEPS bodies of loops and blocks that
 * must be done one by one. Function values below 0 count as 0, which a note tells.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_EVALUATE_H
#define PAS2P_CORE_MODELS_GRAPH_EVALUATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/mem.h"
#include "contention.h"
#include "core/models/language/formula.h"
#include "core/models/machine/machine.h"
#include "program_model.h"

#define EVALUATE_PROCESSES (1u << 20) /* most processes */

struct evaluate_input {
	const struct program_model *model;
	const struct machine *machine; /* NULL: one node, any number of cores, no functions but the model's */
	const struct machine *base;    /* the model's times are of this machine: section 9's other machine; NULL: they are as they stand */
	const struct interval *values; /* of the model's parameters, in their order */
	enum contention contention;
	const struct progress *progress;
};

struct outcome_process {
	struct interval free, nested; /* its end, in both views */
	struct interval compute;      /* free time of its compute and ops, after speed */
};

enum load_kind { LOAD_RESOURCE, LOAD_NODE, LOAD_NETWORK };

struct outcome_load {
	enum load_kind kind;
	uint32_t index;         /* of the model's resource; the node whose processors it is */
	const char *name;       /* the resource's; cpu0 ..., network, which a resource may be called as well */
	struct interval load;   /* how long it is needed in all */
	struct interval count;  /* how many can be in use at once */
	struct interval time;   /* load / count */
};

struct outcome {
	struct arena arena;
	struct outcome_process *processes;
	uint32_t process_count;
	struct outcome_load *loads; /* those that have a count and are needed: resources as the model has them, nodes, network */
	uint32_t load_count;
	struct interval time, free;    /* T by the contention asked for; T_0 */
	uint32_t bottleneck;           /* of loads: the one that makes T's upper end; UINT32_MAX: none does */
	const char **notes;            /* sentences: what counted as 0, defaults for missing functions, messages that nobody receives */
	uint32_t note_count;
	uint64_t steps;                /* nodes that were executed, for those who wonder where the time went */
};

enum err_code evaluate(struct outcome *out, const struct evaluate_input *in, struct err *e);
void outcome_release(struct outcome *ev);

/* The same, and what each process did goes into the recorder. */
struct recorder;
enum err_code evaluate_recorded(struct outcome *out, const struct evaluate_input *in, struct recorder *recorder, struct err *e);

/* The end of a process by a contention's view: whole looks at no nesting. */
struct interval outcome_end(const struct outcome_process *p, enum contention contention);

#endif

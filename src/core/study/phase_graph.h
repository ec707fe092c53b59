/* A phase as a program: its representative occurrence in the language of models, to be read, drawn and changed (docs/models.md 9).
 *
 *     phase_graph_init(&g, analysis, id, "cg.S.4", job, &e);
 *     ... g.text ...                      the document, as `pas2p predict` reads it
 *     graph_make(&graph, &(struct evaluate_input){.model = &g.model, .values = g.values}, &e);
 *     phase_graph_release(&g);            in any case
 *
 * The document has a block, phase_ID, with a branch for each class of processes that do the same (phase_classes.h), what is
 * computed as the means of a class, repetitions as loops, functions of what its messages took (phase_costs.h), and in comments what the
 * block takes beside what the trace says, and what was left out (phase_steps.h). The model is that of the text.
 */
#ifndef PAS2P_PHASE_GRAPH_H
#define PAS2P_PHASE_GRAPH_H

#include "core/analysis/analysis.h"
#include "core/io/out.h"
#include "core/models/interval.h"
#include "core/models/program_model.h"
#include "phase_classes.h"
#include "phase_costs.h"

#define PHASE_GRAPH_BYTES ((size_t)4 << 20) /* most of a document: what models are read from */

struct phase_graph {
	uint32_t id;
	uint32_t place;            /* of the occurrence among the phase's, from 1 */
	struct phase_steps steps;
	struct phase_classes classes;
	struct phase_costs costs;
	struct out functions;      /* "  send(b): ..." lines; empty: none are needed */
	struct out block;          /* "  phase_ID(): ..." and its nodes */
	struct out text;           /* the document */
	struct program_model model;
	struct interval *values;   /* of the model's parameters: p */
	double time;               /* the block as evaluated, as the setting phase_time has it: mean over the processes, or the slowest one */
	double end;                /* when its last process ends */
	double spread;             /* between the first and the last process to begin the occurrence, by their clocks; the block begins at once */
	double traced, occurrence; /* the same of the trace: t of the phase, and of this occurrence */
};

/* `application` may be NULL. ERR_USAGE: no such phase. ERR_LIMIT: the document were above PHASE_GRAPH_BYTES. */
enum err_code phase_graph_init(struct phase_graph *g, const struct analysis *a, uint32_t id, const char *application,
			       const struct job *job, struct err *e);
void phase_graph_release(struct phase_graph *g);

/* What was left out and stands otherwise, a line each behind `prefix`: "2 receives are left out: ...". */
void phase_graph_notes(const struct phase_graph *g, const char *prefix, struct out *out);

#endif

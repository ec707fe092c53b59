/* A phase as a program: its representative occurrence in the language of models, to be read, drawn and changed
 * (docs/models.md 9).
 *
 *     phase_graph_init(&g, analysis, id, "cg.S.4", job, &e);
 *     ... g.text ...                      the document, as `pas2p predict` reads it
 *     graph_make(&graph, &(struct evaluate_input){.model = &g.model, .values = g.values}, &e);
 *     phase_graph_release(&g);            in any case
 *
 * The document has a block, phase_ID (phase_block.h), functions of what its messages took (phase_costs.h), and in
 * comments what the block takes beside what the trace says, and what was left out (phase_steps.h). The model is that of
 * the text.
 */
#ifndef PAS2P_PHASE_GRAPH_H
#define PAS2P_PHASE_GRAPH_H

#include "phase_block.h"
#include "phase_costs.h"

struct phase_graph {
	struct phase_block block;
	struct phase_costs costs;
	struct out text;           /* the document */
	struct program_model model;
	struct interval *values;   /* of the model's parameters: p */
};

/* `application` may be NULL. Errors as of phase_block_init(). Of a trace that the ranks of a team share all ranks come
 * to it, which meets (team.h), and rank 0 has the graph. */
enum err_code phase_graph_init(struct phase_graph *g, const struct analysis *a, uint32_t id, const char *application,
			       const struct job *job, struct err *e);
void phase_graph_release(struct phase_graph *g);

#endif

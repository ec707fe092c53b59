/* A phase as a program: its representative occurrence in the language of models, to be read, drawn and changed
 * (docs/explain/models-language.md, "Phases as models").
 *
 *     phase_graph_init(&g, analysis, id, "cg.S.4", progress, &e);
 *     ... g.text ...                      the document, as `pas2p predict` reads it
 *     graph_make(&graph, &(struct evaluate_input){.model = &g.model, .values = g.values}, &e);
 *     phase_graph_release(&g);            in any case
 *
 * The document has a block, phase_ID (below), and functions for the time of its messages (core/compare/match/match.h).
 * Its comments compare the block's time with the trace's and name what was left out. The model is that of the text.
 */
#ifndef PAS2P_CORE_COMPARE_GRAPH_GRAPH_H
#define PAS2P_CORE_COMPARE_GRAPH_GRAPH_H

#include "core/method/analysis/analysis.h"
#include "core/io/out.h"
#include "core/models/language/language.h"
#include "core/models/graph/program_model.h"
#include "core/compare/match/match.h"

/* ---- block ---- */

/* A phase's representative occurrence as a block of the language of models, and what it takes
 * (docs/explain/models-language.md, "Phases as models").
 *
 *     phase_block_init(&b, analysis, id, "phase_2", progress, &e);
 *     phase_costs_add(&costs, &b.steps, progress, &e);   what its messages took, for the functions that it needs
 *     phase_block_program(&b, &functions, name, &document);
 *     phase_block_evaluate(&b, &model, &values, &document, progress, &e);
 *     phase_block_release(&b);                           in any case
 *
 * It has a branch for each class of processes that do the same (core/compare/match/match.h), what is computed as the
 * means of a class, repetitions as loops. Times are s.
 */

#define PHASE_BLOCK_BYTES ((size_t)4 << 20) /* most of it, and of a document: what models are read from */

struct phase_block {
	uint32_t id;
	uint32_t place;            /* of the occurrence among the phase's, from 1 */
	uint32_t weight;           /* how many it has */
	bool slowest;              /* times are those of the slowest process (phase_time), not means */
	struct phase_steps steps;
	struct phase_classes classes;
	struct out text;           /* "  phase_ID(): ..." and its nodes */
	double time;               /* as evaluated: mean over the processes, or the slowest one */
	double end;                /* when its last process ends */
	double spread;             /* from when the first process begins the occurrence to the last, by their clocks */
	double traced, occurrence; /* the same of the trace: t of the phase, and of this occurrence */
};

/* ERR_USAGE: no such phase. ERR_LIMIT: it were above PHASE_BLOCK_BYTES. For a trace that the ranks of a team share all
 * ranks come to it, as a collective step (team.h), and rank 0 has the block; the others know its figures. */
enum err_code phase_block_init(struct phase_block *b, const struct analysis *a, uint32_t id, const char *name, const struct progress *progress,
			       struct err *e);
void phase_block_release(struct phase_block *b);

/* A model of as many processes that does the block, called `block`, and nothing else; `functions` are lines, or
 * empty. */
void phase_block_program(const struct phase_block *b, const struct out *functions, const char *title, const char *block, struct out *document);
/* The model of that text, its parameters' values, which the caller frees, and the block's time and end. */
enum err_code phase_block_evaluate(struct phase_block *b, struct program_model *m, struct interval **values, const struct out *document,
				   const struct progress *progress, struct err *e);

/* How far the block is from the trace, and what was left out or stands otherwise, a line each behind `prefix`: "2
 * receives are left out: ...". */
void phase_block_times(const struct phase_block *b, const char *prefix, struct out *out);
void phase_block_notes(const struct phase_block *b, const char *prefix, struct out *out);

/* ---- graph ---- */

struct phase_graph {
	const char *name;          /* of the phase, the analysis's; NULL: phases have none there */
	struct phase_block block;
	struct phase_costs costs;
	struct out text;           /* the document */
	struct program_model model;
	struct interval *values;   /* of the model's parameters: p */
};

/* `application` may be NULL. Errors as of phase_block_init(). For a trace that the ranks of a team share all ranks come
 * to it, as a collective step (team.h), and rank 0 has the graph. */
enum err_code phase_graph_init(struct phase_graph *g, const struct analysis *a, uint32_t id, const char *application,
			       const struct progress *progress, struct err *e);
void phase_graph_release(struct phase_graph *g);

#endif

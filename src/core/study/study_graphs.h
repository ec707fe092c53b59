/* What a study's families do, as blocks of the language of models beside the model that study_model_write() makes
 * (docs/models.md 9).
 *
 *     study_graphs_make(&g, study, &file, &settings, threads, NULL, job, &e);
 *     study_model_write(&models, &g, &out, &e);
 *     study_graphs_release(&g);                                      in any case
 *
 * A family's graph is the representative occurrence of its phase in the last run that has it; of several phases there,
 * of the one that takes most. Those runs are loaded again, one after the other, and must be traces. All blocks have one
 * set of functions of what messages took: fits of what was seen in all of the occurrences together. The model's time
 * does not depend on any of it.
 *
 * With a team the ranks share each of those runs' traces, and all come to study_graphs_make(), which meets (team.h);
 * rank 0 alone has the study and gets the graphs, the others give NULL.
 *
 * A family whose block would make the file larger than what models are read from has none, which stands where it would
 * be.
 */
#ifndef PAS2P_STUDY_GRAPHS_H
#define PAS2P_STUDY_GRAPHS_H

#include "phase_costs.h"
#include "core/team/team.h"
#include "study.h"

struct study_graph {
	const struct study_family *family;
	const struct study_member *member; /* the last */
	uint32_t phase;            /* id there */
	bool left_out;             /* too large */
	struct out text;           /* comments and the block, or why there is none */
};

struct study_graphs {
	const struct study *study;
	struct study_graph *list;  /* by family */
	struct phase_costs costs;
};

/* ERR_USAGE: a run that is needed is a phase table. ERR_FORMAT: it is not any more what was studied. */
enum err_code study_graphs_make(struct study_graphs *g, const struct study *s, const struct study_file *file, const struct settings *settings,
				unsigned threads, const struct team *team, const struct job *job, struct err *e);
void study_graphs_release(struct study_graphs *g);

#endif

/* What the processes of a team's ranks do in basic blocks, put together: what the list of it (list_bbp_processes.h) finds
 * in a whole trace by itself.
 *
 *     bbp_process_facts_init(&f, analysis, blocks, &e);
 *     bbp_process_facts_gather(&f, begin, end, &e);   by all ranks, and all have it; as often as wanted, at most f.most places at once
 *     bbp_process_facts_release(&f);
 */
#ifndef PAS2P_BBP_PROCESS_FACTS_H
#define PAS2P_BBP_PROCESS_FACTS_H

#include "core/analysis/analysis.h"

struct bbp_process_facts {
	const struct analysis *analysis; /* has blocks */
	const uint32_t *blocks; /* by place, ascending; NULL: that of place i is i + 1. Not owned */
	uint32_t most;
	uint32_t begin, end;    /* places at hand */
	event_type *types;      /* [place][process][entry, exit] */
	uint64_t *values;       /* [place][process][size at entry, size at exit, compute time as its bits] */
};

/* Meets (team.h), and so does gathering. */
enum err_code bbp_process_facts_init(struct bbp_process_facts *f, const struct analysis *a, const uint32_t *blocks, struct err *e);
enum err_code bbp_process_facts_gather(struct bbp_process_facts *f, uint32_t begin, uint32_t end, struct err *e);
void bbp_process_facts_release(struct bbp_process_facts *f);

/* Of a block that is at hand. */
void bbp_process_facts_cell(const struct bbp_process_facts *f, uint32_t block, uint32_t process, struct bbp_cell *c);

#endif

/* What the ranks of a team have of basic blocks, put together: what the list of blocks (list_bbps.h) finds in a whole
 * trace by itself.
 *
 *     bbp_facts_init(&f, analysis, types_of, leaders, &e);
 *     bbp_facts_gather(&f, begin, end, &e);    by all ranks, and all have it; as often as wanted, at most f.most blocks at once
 *     bbp_facts_release(&f);
 */
#ifndef PAS2P_BBP_FACTS_H
#define PAS2P_BBP_FACTS_H

#include "core/analysis/analysis.h"

enum { BBP_FACT_SENDS, BBP_FACT_RECEIVES, BBP_FACT_COLLECTIVES, BBP_FACT_BYTES, BBP_FACTS_OF_TICK };

struct bbp_facts {
	const struct analysis *analysis; /* has blocks */
	bool leaders;          /* types are wanted of blocks that lead a label alone */
	uint32_t processes;    /* whose types are wanted: the first ones */
	uint32_t most;
	/* The blocks at hand. */
	uint32_t begin, end;
	uint64_t *ticks;       /* BBP_FACTS_OF_TICK of each tick from begin - 1 on; then, per block, the processes with an event at either */
	double *compute;       /* per block */
	uint32_t *kept;        /* per block: its place in types[] */
	event_type *types;     /* [place][process][entry, exit] */
};

/* Meets (team.h), and so does gathering. */
enum err_code bbp_facts_init(struct bbp_facts *f, const struct analysis *a, uint32_t types_of, bool leaders, struct err *e);
enum err_code bbp_facts_gather(struct bbp_facts *f, uint32_t begin, uint32_t end, struct err *e);
void bbp_facts_release(struct bbp_facts *f);

static inline const uint64_t *bbp_facts_tick(const struct bbp_facts *f, uint32_t tick)
{
	return f->ticks + (size_t)(tick + 1 - f->begin) * BBP_FACTS_OF_TICK;
}

static inline uint32_t bbp_facts_active(const struct bbp_facts *f, uint32_t block)
{
	return (uint32_t)f->ticks[(size_t)(f->end - f->begin + 1) * BBP_FACTS_OF_TICK + (block - f->begin)];
}

/* The types of a block's entry and exit on a process. */
static inline const event_type *bbp_facts_types(const struct bbp_facts *f, uint32_t block, uint32_t process)
{
	return f->types + 2 * ((size_t)f->kept[block - f->begin] * f->processes + process);
}

#endif

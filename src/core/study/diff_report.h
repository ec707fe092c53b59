/* All that `pas2p diff` says of two runs, made at once (docs/studies.md 2 to 4 and 6): the verdict, where they part,
 * which phases correspond, and what made one longer. What is not asked for or has no meaning is NULL.
 *
 * A side is an analysed trace, or the phases of a table that was written with content: then there is no trace to be
 * compared, and the verdict comes from the phases. The sides' analyses and names are the caller's and must outlive the
 * report.
 *
 * With a team (diff_asked.team), whose ranks share both traces, all ranks come to diff_report_new(), which meets
 * (team.h). Rank 0 has all of the report; the others what run_diff.h and diff_align.h have there, and no phases, match,
 * waterfall and rows. A table is given to rank 0 alone.
 */
#ifndef PAS2P_DIFF_REPORT_H
#define PAS2P_DIFF_REPORT_H

#include "diff_align.h"
#include "phase_match.h"
#include "run_diff.h"
#include "waterfall.h"

struct diff_asked {
	struct diff_options options;
	bool edits, ticks, phases; /* process by process; aligned ticks, which take edits; groups of phases */
	bool phases_only;          /* the verdict comes from the phases: they correspond one to one with equal weights */
	const struct team *team;   /* NULL: nobody shares */
	double min_share;          /* groups below this share of both run times are one row */
};

struct diff_of {
	const char *file;
	const struct analysis *analysis; /* with ANALYSIS_PHASES where phases are asked for; NULL: of a table */
	struct run_phases *phases;       /* given where there is no analysis, else made; the report's */
	uint32_t processes;
	double aet;                      /* s; NAN: not defined */
};

/* A row of what made B longer or shorter. Ids, weights and times of a group are in `of`. */
struct diff_row_of {
	enum waterfall_kind kind;
	struct phase_group group;  /* of groups and of what only one side has */
	bool small;                /* what is below min_share, as one group: no similarity, parts or rank */
	double change, by_weight, by_compute, by_rest; /* s; NAN: not defined */
	uint32_t rank;             /* NO_PROCESS: not known */
};

struct diff_report {
	struct arena arena;
	struct diff_asked asked;
	struct diff_of of[2];
	enum diff_verdict verdict;
	struct run_diff *diff;       /* NULL: phases_only */
	struct diff_align *align;
	struct phase_match *match;
	struct waterfall *waterfall; /* NULL: no run time of a side is known */
	struct diff_row_of *rows;    /* as the waterfall has them; the small ones together behind the groups */
	uint32_t row_count;
	double change;               /* s, B - A; NAN: not defined */
};

/* of: file, and analysis or phases, which the report frees in any case; of a table not on rank 0 neither. */
enum err_code diff_report_new(struct diff_report **out, const struct diff_of of[2], const struct diff_asked *asked, const struct job *job,
			      struct err *e);
void diff_report_free(struct diff_report *r); /* NULL is fine */

/* Is this where all of it is? */
static inline bool diff_report_here(const struct diff_report *r)
{
	return !team_rank(r->asked.team);
}

/* Is B's run time further from A's than this share of A's? Yes, too, where that is not known. */
bool diff_report_beyond(const struct diff_report *r, double tolerance);

#endif

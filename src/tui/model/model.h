/* The model: what all views look at and share. Owned by the application; views read it, and move the cursor. */
#ifndef PAS2P_TUI_MODEL_H
#define PAS2P_TUI_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/analysis/analysis.h"
#include "core/settings/settings.h"
#include "core/documents/table.h"
#include "core/windows/planner.h"
#include "core/trace/trace.h"
#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"
#include "marks.h"
#include "tui/jobs/event_counts.h"
#include "results.h"
#include "spending.h"
#include "projected.h"
#include "program_structure.h"
#include "run_clocks.h"
#include "run_pair.h"
#include "run_plan.h"

/* What a view wants the next one to put its cursor on. */
enum wanted_metrics { WANTED_NO_METRICS, WANTED_FACTORS, WANTED_WAITS, WANTED_BALANCE, WANTED_TRANSFER, WANTED_OTHER };
enum wanted_summary { WANTED_NO_SUMMARY, WANTED_MATRIX, WANTED_NOTES };

/* A place in the logical trace. */
struct trace_place {
	uint32_t process, tick;
};

struct phase_look;
struct background;
struct session;
struct runs;
struct models;
struct open_study;
struct picker;

#define PHASE_MARKS 52

struct model {
	const struct trace *recorded;    /* with the times in its files; NULL while it is being loaded */
	const struct trace *trace;       /* that, or the same with corrected times: what is shown;
					  * NULL until it is known. Events have the same numbers in both */
	const struct analysis *analysis; /* what is shown; NULL before the first */
	uint64_t serial;                 /* grows with each new analysis: for caches */
	struct settings settings;        /* as wanted; the analysis may lag behind */
	bool busy;                       /* the worker is */
	struct event_counts *event_counts;       /* of the analysis's logical trace, or NULL, or an old one's; owned */
	struct phase_look *looks;        /* by id - 1; owned; NULL: no memory */
	uint32_t ranked[PHASE_MARKS];    /* ids by rank */
	struct trace_place cursor;
	struct mark marks[MARKS];
	struct trace_place window_first, window_last; /* what the grid shows, for the run strip */
	struct session *session;         /* whose the traces and their call logs are; until background_stop() */
	struct background *background;   /* for views that need costly things; the application's */
	struct {
		int result, hash, measure, correct, curve, run;
	} slots;                         /* of its tasks that answer once; else derived.h */
	struct {
		bool asked, blocks;
		uint32_t id;
	} compare;                       /* set by lists: what the comparison should show */
	struct {
		uint32_t phase;          /* in the list of phases; 0: none */
		enum wanted_metrics metrics;
		enum wanted_summary summary;
		const struct clock_arrow *arrow; /* in the timeline; NULL: none */
	} wanted;                        /* set by a view that shows another, which takes it */
	struct plan_budget budget;       /* of plans, as asked for; 0: nothing was: model_budget() */
	struct settings planned;         /* a design that was taken from the plan, or thresholds from the tuning */
	struct results results;          /* measured elsewhere, beside the trace */
	struct runs *runs;               /* the open trace's and others; the application's */
	struct models *models;           /* programs as models, and fits; the application's */
	struct open_study *study;        /* many runs as functions of their parameters; the application's */
	struct picker *picker;           /* traces that could be opened; the application's */
	struct spending spending;        /* where its time went */
	struct projected projected;      /* and how long it would take, if */
	struct derived structure;        /* the program's loops */
	struct derived plan;             /* what a signature would cost */
	struct derived clocks;           /* how far they are apart, and what goes back */
	struct run_pair pair;            /* the open run beside another one */
	const char *program;             /* pas2p itself; the application's; NULL: it cannot be run from here */
	struct {
		bool known;
		uint32_t from;           /* the waiting call */
		struct trace_place at;         /* what it waited for */
	} followed;                      /* by wait_follow(), which goes on to the root from there */
	const struct keymap *keymap;
	unsigned help_scope;             /* whose keys the help puts first */
	bool help_words;                 /* and it is to show the words */
	const char *table;               /* text of the phase table, NULL: being made */
	size_t table_size;
	struct table_measure measure;    /* of the analysis: what a signature would measure */
	char message[512];               /* set by a view to tell something; shown until the next key */
};

/* Shorthands; 0 or NULL before there is an analysis. */
static inline const struct logical *model_logical(const struct model *m)
{
	return m->analysis ? m->analysis->logical : NULL;
}

static inline uint32_t model_ticks(const struct model *m)
{
	return m->analysis ? m->analysis->logical->tick_count : 0;
}

static inline uint32_t model_processes(const struct model *m)
{
	return m->trace ? m->trace->process_count : 0;
}

/* As asked for; else restoring takes what it took in the result that is shown. */
struct plan_budget model_budget(const struct model *m);

/* The event under the cursor, NO_EVENT if there is none. Index into logical->trace. */
uint32_t model_event(const struct model *m);
void model_goto(struct model *m, uint32_t process, uint32_t tick); /* clamped */

/* Take a new analysis (with its reference; the old one's is dropped). The cursor stays on its event. */
void model_set_analysis(struct model *m, const struct analysis *a);

/* The tick where occurrence i ends for the eye: where the next one begins, for between them lie only its receives. */
static inline uint32_t occurrence_end(const struct phases *p, uint32_t i, uint32_t ticks)
{
	return i + 1 < p->occurrence_count ? p->occurrences[i + 1].first : ticks;
}

/* How a phase looks, in every trace: those with the largest share have letters, A to Z and then a to z, and all others
 * a dot; the first PHASE_ROLES have colours. A letter stands where there is one column, as in the run strip; a phase's
 * name is its number. */
struct phase_look {
	uint32_t rank; /* by share, from 0 */
	uint32_t mark; /* the character where there is one column */
	enum role role;
};
struct phase_look phase_look(const struct model *m, uint32_t id); /* id from 1, of the analysis shown */
struct phase_look phase_look_of_rank(uint32_t rank);

void model_release(struct model *m);

#endif

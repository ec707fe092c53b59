/* The analysis: from a trace and settings to phases and figures, one immutable result per settings.
 *
 *     struct analysis *a;
 *     analysis_new(&a, trace, &settings, NULL, ANALYSIS_PHASES, job, &e);
 *     ... user moves a knob ...
 *     analysis_new(&b, trace, &changed, a, ANALYSIS_PHASES, job, &e);   reuses what a has that still holds
 *     analysis_unref(a);
 *
 * A result may be read from any thread and outlives the one that it was made from; the trace must outlive
 * all. What is reused: ticks while order and collectives stand; labels while volume, compute and
 * compute_of stand; phases while their thresholds stand; figures and windows while what they are made of stands.
 *
 * With a team (trace_team()) all ranks call it with the same settings, each with its part of the trace; it meets
 * (team.h). All have the same phases, figures, windows and labels; what is of events each has of its own.
 */
#ifndef PAS2P_ANALYSIS_H
#define PAS2P_ANALYSIS_H

#include "core/phases/bbp.h"
#include "core/figures/figures.h"
#include "core/logical/logical.h"
#include "core/phases/phases.h"
#include "core/settings/settings.h"
#include "core/trace/trace.h"
#include "core/windows/windows.h"

enum analysis_want {
	ANALYSIS_ORDER = 1,  /* logical only */
	ANALYSIS_BBPS = 2,   /* logical and bbps */
	ANALYSIS_PHASES = 4  /* logical, phases, figures (windows if any are set, bbps where similarity is bbp) */
};

/* What an analysis is made of, in the order in which it is made. */
enum analysis_stage {
	STAGE_LOGICAL, STAGE_CLOCKWORK, STAGE_BBP_SPACE, STAGE_BBPS, STAGE_PHASE_SPACE, STAGE_PHASES, STAGE_FIGURES, STAGE_WINDOWS,
	STAGES
};

struct analysis {
	atomic_int references;
	struct analysis *self; /* this one: a holder sees it as const, and may be the last */
	struct settings settings;
	const struct trace *source;    /* as loaded; logical->trace holds the events analysed */
	struct shared *stage[STAGES];  /* each shared with the analyses that reuse it; NULL: not made */
	/* Views into them; NULL where not made. */
	const struct logical *logical;
	const struct clockwork *clockwork;
	const struct bbps *bbps;
	const struct phases *phases;
	const struct figures *figures;
	const struct windows *windows; /* only where the settings ask for some */
};

enum err_code analysis_new(struct analysis **out, const struct trace *t, const struct settings *settings,
			   const struct analysis *previous, unsigned want, const struct job *job, struct err *e);
/* It never changes, so that a reference is to a const one. NULL is fine. */
const struct analysis *analysis_ref(const struct analysis *a);
void analysis_unref(const struct analysis *a);
/* What is made of phases and their figures is the same of both. */
bool analysis_same_phases(const struct analysis *a, const struct analysis *b);

/* The labels of a phase's blocks, in their order; NULL: phases are not made of blocks here. Of one that has phases. */
const uint32_t *analysis_labels(const struct analysis *a, uint32_t id, uint32_t *count);

/* Of one that nobody else has, and that no other is to be made of: phases, figures and windows stay, the rest goes. */
void analysis_shed(struct analysis *a);

#endif

/* What an analysis knows of a run, as a writer of formats takes it (core/formats/format_write.h). */
#ifndef PAS2P_CONVERT_PHASES_H
#define PAS2P_CONVERT_PHASES_H

#include "core/analysis/analysis.h"
#include "core/formats/format_write.h"

struct convert_analysis {
	struct convert_phases out; /* the columns below */
	uint32_t *lt, *tick, *first;
	struct convert_phase *phases;
	struct convert_span *spans;
};

/* Release it also after an error. */
enum err_code convert_analysis_init(struct convert_analysis *x, const struct trace *t, const struct analysis *a, const struct job *job,
				    struct err *e);
/* Logical times in lamport order, mem_free() by the caller. */
enum err_code convert_lamport(uint32_t **out, const struct trace *t, enum collectives collectives, const struct job *job, struct err *e);
void convert_analysis_release(struct convert_analysis *x);

#endif

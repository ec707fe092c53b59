/* Operands that are traces, results of `pas2p run`, models and what belongs to them, and studies, told apart by how
 * they begin; each kind in its order. A lone colon parts the files of two runs that are to be compared. */
#ifndef PAS2P_OPERANDS_H
#define PAS2P_OPERANDS_H

#include "options.h"

struct operands {
	const char *study; /* NULL: none */
	const char *folder; /* to choose a trace from: the only operand, or where there is none the one that this is in; NULL: none */
	const char **traces, **results, **models; /* owned; the names are the options' */
	uint32_t trace_count, result_count, model_count;
	uint32_t second;             /* traces from this one on stood behind a lone colon: the other run; 0: there was none */
};

/* models: whatever the workbench shows will do. ERR_USAGE: there is no trace, nor a model or study if that will do;
 * there are two studies; or no trace on a side of the colon. To be released in any case. */
enum err_code operands_init(struct operands *f, const struct options *o, bool models, struct err *e);
void operands_release(struct operands *f);

#endif

/* Operands that are traces and results of `pas2p run`, told apart by how they begin; each kind in its order. */
#ifndef PAS2P_OPERANDS_H
#define PAS2P_OPERANDS_H

#include "options.h"

struct operands {
	const char **traces, **results; /* owned; the names are the options' */
	uint32_t trace_count, result_count;
};

/* ERR_USAGE: there is no trace. To be released in any case. */
enum err_code operands_init(struct operands *f, const struct options *o, struct err *e);
void operands_release(struct operands *f);

#endif

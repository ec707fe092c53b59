/* Operands that are traces, results of `pas2p run`, models and what belongs to them, and studies, told apart by how they begin;
 * each kind in its order. */
#ifndef PAS2P_OPERANDS_H
#define PAS2P_OPERANDS_H

#include "options.h"

struct operands {
	const char *study; /* NULL: none */
	const char **traces, **results, **models; /* owned; the names are the options' */
	uint32_t trace_count, result_count, model_count;
};

/* ERR_USAGE: there is no trace, nor a model or study if that will do; there are two studies. To be released in any case. */
enum err_code operands_init(struct operands *f, const struct options *o, bool models, struct err *e);
void operands_release(struct operands *f);

#endif

/* The two halves of relating events. Internal to loading a trace. */
#ifndef PAS2P_RELATE_H
#define PAS2P_RELATE_H

#include "trace_load.h"

enum err_code relate_messages(struct loader *x, struct err *e);
enum err_code relate_collectives(struct trace *t, struct err *e);

#endif

/* A program's graph into a sink: text as wide as the terminal, or a picture where the output's name ends in .svg. */
#ifndef PAS2P_GRAPH_OUT_H
#define PAS2P_GRAPH_OUT_H

#include "cli/options.h"
#include "cli/sink.h"
#include "core/models/evaluate.h"

bool graph_out_is_picture(const struct options *o);
/* Formats that a graph has not: ERR_USAGE. */
enum err_code graph_out_check(const struct options *o, struct err *e);
enum err_code graph_out(const struct options *o, const struct evaluate_input *in, const char *title, struct sink *s, struct err *e);

#endif

/* A result for people: phases and prediction as aligned text. */
#ifndef PAS2P_RESULT_TEXT_H
#define PAS2P_RESULT_TEXT_H

#include "core/io/out.h"
#include "result.h"

void result_print(const struct result *r, struct out *out);

#endif

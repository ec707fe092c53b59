/* A result for people: phases and prediction as aligned text. */
#ifndef PAS2P_RESULT_TEXT_H
#define PAS2P_RESULT_TEXT_H

#include "core/io/out.h"
#include "result.h"

void result_print(const struct result *r, struct out *out);

/* A share as "4.2 %". */
void result_share(char *buf, size_t size, double share);

#endif

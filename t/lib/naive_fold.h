/* Folding as its rule reads, step by step and scan by scan: quadratic, and obviously right.
 *
 * The result is text: "1 2 25(3 2*2) 3": ids, `2*7` for twice id 7, `25(...)` for 25 times what is inside. Two loops
 * are the same symbol exactly if their texts are equal, so here a symbol is its text. It shares nothing with the
 * core.
 */
#ifndef PAS2P_NAIVE_FOLD_H
#define PAS2P_NAIVE_FOLD_H

#include <stdint.h>

char *naive_fold(const uint32_t *sequence, uint32_t length); /* free() it */

#endif

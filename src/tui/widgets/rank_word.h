/* Processes were once counted from 1 and called P1, P2, ...; they are ranks now, and P3 is rank 2. Whoever still types P3
 * is to learn that, not to land on another process, or on none, in silence.
 */
#ifndef PAS2P_TUI_RANK_WORD_H
#define PAS2P_TUI_RANK_WORD_H

#include "core/base/err.h"

/* ERR_USAGE, with the rank that is meant, if text (or an expression, behind its ^) begins with a word that is P and a
 * number from 1. */
enum err_code rank_word_check(const char *text, struct err *e);

#endif

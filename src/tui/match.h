/* Regular expressions (PCRE2, UTF-8, case matters only where the pattern has a capital). */
#ifndef PAS2P_TUI_MATCH_H
#define PAS2P_TUI_MATCH_H

#include <stdbool.h>

#include "../core/err.h"

struct match;

enum err_code match_new(struct match **out, const char *pattern, struct err *e);
void match_free(struct match *m); /* NULL is fine */
bool match_in(const struct match *m, const char *text);
const char *match_pattern(const struct match *m);

#endif

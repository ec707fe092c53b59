/* The forms of the long texts (src/cli/manual.h) that doc-gen writes. */
#ifndef PAS2P_DOC_FORMS_H
#define PAS2P_DOC_FORMS_H

#include "cli/manual.h"

/* A man page in mdoc. */
void manual_mdoc(struct manual *m, FILE *to);

/* Text of a line, with what mdoc would take for more escaped. */
void mdoc_line(FILE *to, const char *text);

/* Markdown; sections have headings of that level. */
void manual_markdown(struct manual *m, FILE *to, int level);

#endif

/* Text in GitHub-flavoured Markdown, in a paragraph or a table's cell: it reads as it is, and is no markup, link or
 * mention. */
#ifndef PAS2P_REPORT_MARKDOWN_H
#define PAS2P_REPORT_MARKDOWN_H

#include "core/io/out.h"

void markdown_text(struct out *o, const char *text, bool begins_line);

/* A code span. In a table a bar is escaped; elsewhere it is not, since there the backslash would be seen. */
void markdown_span(struct out *o, const char *text, bool in_table);

/* A block between fences that its text does not have. Line ends are kept. */
void markdown_block(struct out *o, const char *text);

#endif

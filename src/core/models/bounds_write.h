/* T_0, the T_r and T as expressions with their values, as text, rows or a document (docs/models.md 10). */
#ifndef PAS2P_BOUNDS_WRITE_H
#define PAS2P_BOUNDS_WRITE_H

#include "bounds.h"
#include "core/io/out.h"
#include "core/table/rows.h"

void bounds_write_text(const struct bounds *t, struct out *out);
enum err_code bounds_write_csv(const struct bounds *t, const struct rows_sink *sink, struct err *e);
enum err_code bounds_write_tree(const struct bounds *t, const struct evaluate_input *in, bool json, struct out *out, struct err *e);

#endif

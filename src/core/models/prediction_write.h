/* A prediction as a document or as rows (docs/models.md 10).
 *
 * JSON and YAML hold all of it. csv and the table have a row for each combination; a table shows one time where both
 * ends agree to nine digits, and notes below, each once.
 */
#ifndef PAS2P_PREDICTION_WRITE_H
#define PAS2P_PREDICTION_WRITE_H

#include "core/io/out.h"
#include "core/table/rows.h"
#include "predict.h"

enum err_code prediction_write_tree(const struct prediction *p, bool json, struct out *out, struct err *e);
enum err_code prediction_write_rows(const struct prediction *p, enum rows_format format, const struct rows_sink *sink, struct err *e);
/* How many measured times lie in their intervals, and how many have none: up to two lines; none where nothing was measured. */
void prediction_write_inside(const struct prediction *p, struct out *out);
/* The distinct notes of all rows, a line each with `prefix` in front. */
void prediction_write_notes(const struct prediction *p, const char *prefix, struct out *out);

#endif

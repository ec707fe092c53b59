/* Measurements out of files of comma-separated values (docs/explain/fits.md, "Measurements").
 *
 *     # pas2p pingpong on two nodes
 *     op,where,bytes,p,seconds
 *     send,intra,8,2,3.1e-7
 *
 * The first line that is neither empty nor begins with `#` names the columns. One of them is what was measured; of the
 * others, one in which any cell is no number is a group, and the rest are parameters. A cell may stand in double
 * quotes. Several files must have the same columns; their rows are those of one.
 *
 * Files are untrusted. What is refused is named by file and line.
 */
#ifndef PAS2P_CORE_MODELS_FIT_MEASUREMENTS_CSV_H
#define PAS2P_CORE_MODELS_FIT_MEASUREMENTS_CSV_H

#include "core/base/progress.h"
#include "core/io/source.h"
#include "measurements.h"

#define CSV_COLUMNS 256  /* of a file at most: more is no table of measurements */

/* m is initialised by it, and to be released where it returns ERR_OK. measured: the column's name; NULL: "seconds".
 * ERR_USAGE: there is no such column and a name was given; ERR_FORMAT: anything else that is wrong in the file. */
enum err_code measurements_read(struct measurements *m, const struct source *files, uint32_t count, const char *measured,
				const struct progress *progress, struct err *e);

#endif

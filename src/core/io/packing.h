/* How files are compressed: gzip, xz and zstd, for who reads them (unpack.h) and who writes them
 * (core/formats/api/api.h). Each is there if its library was when this was built.
 */
#ifndef PAS2P_PACKING_H
#define PAS2P_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKING_MAGIC 6                            /* bytes that tell a packing */

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_XZ, PACKING_ZSTD, PACKINGS };

/* By how a file begins. */
bool packing_begins(enum packing packing, const uint8_t *bytes, size_t n);
enum packing packing_of(const uint8_t *bytes, size_t n);
const char *packing_name(enum packing packing);    /* "gzip" */
const char *packing_ending(enum packing packing);  /* of files' names: ".gz" */
const char *packing_library(enum packing packing); /* "zlib" */
const char *packing_package(enum packing packing); /* of Debian, to build with: "zlib1g-dev" */
bool packing_built(enum packing packing);
/* By the ending of a file's name. */
enum packing packing_of_name(const char *name);
/* The length of a file's name, of n bytes, without the ending of a packing: 8 of "lu.clog2.gz". */
size_t packing_stem(const char *name, size_t n);

#endif

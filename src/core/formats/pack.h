/* Compressing what is written: gzip, xz or Zstandard, as far as the build has their libraries. The same bytes give the same bytes.
 *
 *     packer_new(&p, pack_of_name("a.prv.gz"), &e);
 *     packer_run(p, bytes, n, false, sink, arg, &e);  ...  packer_run(p, NULL, 0, true, sink, arg, &e);
 *     packer_free(p);
 */
#ifndef PAS2P_PACK_H
#define PAS2P_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum pack { PACK_NONE, PACK_GZIP, PACK_XZ, PACK_ZSTD, PACK_KINDS };

/* By the ending of a name. */
enum pack pack_of_name(const char *name);
const char *pack_ending(enum pack pack);    /* ".gz"; "" */
const char *pack_name(enum pack pack);      /* "gzip" */
bool pack_is_built(enum pack pack);

struct packer;

/* ERR_USAGE: not in this build. */
enum err_code packer_new(struct packer **out, enum pack pack, struct err *e);
void packer_free(struct packer *p); /* NULL is fine */

/* n bytes more, the last ones where it says so; what becomes of them goes to the sink, as it comes. False of the sink ends it, as an error of
 * its own. */
enum err_code packer_run(struct packer *p, const uint8_t *bytes, size_t n, bool last,
			 bool (*sink)(void *arg, const uint8_t *bytes, size_t n), void *arg, struct err *e);

#endif

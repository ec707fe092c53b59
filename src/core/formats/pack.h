/* Compressing what is written: gzip, xz or Zstandard, as far as the build has their libraries. The same bytes give the
 * same bytes.
 *
 *     packer_new(&p, packing_of_name("a.prv.gz"), &e);
 *     packer_run(p, bytes, n, false, sink, arg, &e);  ...  packer_run(p, NULL, 0, true, sink, arg, &e);
 *     packer_free(p);
 */
#ifndef PAS2P_PACK_H
#define PAS2P_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/io/packing.h"

struct packer;

/* ERR_USAGE: not in this build. */
enum err_code packer_new(struct packer **out, enum packing packing, struct err *e);
void packer_free(struct packer *p); /* NULL is fine */

/* n bytes more, the last ones where it says so; what becomes of them goes to the sink, as it comes. False of the sink
 * ends it, as an error of its own. */
enum err_code packer_run(struct packer *p, const uint8_t *bytes, size_t n, bool last,
			 bool (*sink)(void *arg, const uint8_t *bytes, size_t n), void *arg, struct err *e);

#endif

/* Files that no format knows, in words, and packing of what is written. format.h says what a format is, load.h
 * how one is loaded.
 */
#ifndef PAS2P_CORE_FORMATS_API_API_H
#define PAS2P_CORE_FORMATS_API_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/io/packing.h"

/* ---- foreign ---- */

/* What a file is that no format knows, in words, so that a refusal says more than "bad magic". */

struct source;

/* The first n bytes of a file and its name (for formats known by their suffix alone) to the end of the
 * sentence "NAME is ...", e.g. "compressed with gzip; decompress it first (gunzip)". Writes buf, returns it. */
const char *foreign_kind(const uint8_t *bytes, size_t n, const char *name, char *buf, size_t size);

/* ERR_FORMAT: "NAME is ...", or of a compressed one "NAME, decompressed, is ..." */
enum err_code foreign_refuse(const struct source *source, struct err *e);

/* ---- pack ---- */

/* Compressing what is written: gzip, xz or Zstandard, as far as the build has their libraries. The same bytes give the
 * same bytes.
 *
 *     packer_new(&p, packing_of_name("a.prv.gz"), &e);
 *     packer_run(p, bytes, n, false, sink, arg, &e);  ...  packer_run(p, NULL, 0, true, sink, arg, &e);
 *     packer_free(p);
 */

struct packer;

/* ERR_USAGE: not in this build. */
enum err_code packer_new(struct packer **out, enum packing packing, struct err *e);
void packer_free(struct packer *p); /* NULL is fine */

/* n bytes more, the last ones where it says so; what becomes of them goes to the sink, as it comes. False of the sink
 * ends it, as an error of its own. */
enum err_code packer_run(struct packer *p, const uint8_t *bytes, size_t n, bool last,
			 bool (*sink)(void *arg, const uint8_t *bytes, size_t n), void *arg, struct err *e);

#endif

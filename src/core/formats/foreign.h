/* What a file is that no format knows, in words, so that a refusal says more than "bad magic". */
#ifndef PAS2P_FOREIGN_H
#define PAS2P_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct source;

/* The first n bytes of a file and its name (for formats known by their suffix alone) to the end of the
 * sentence "NAME is ...", e.g. "compressed with gzip; decompress it first (gunzip)". Writes buf, returns it. */
const char *foreign_kind(const uint8_t *bytes, size_t n, const char *name, char *buf, size_t size);

/* ERR_FORMAT: "NAME is ...", or of a compressed one "NAME, decompressed, is ..." */
enum err_code foreign_refuse(const struct source *source, struct err *e);

#endif

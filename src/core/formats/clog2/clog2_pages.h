/* Bytes of several files, a few at a time, from places that move on slowly: a cache of pages.
 *
 * It begins small and grows, to 256 MiB at most, while pages are wanted again that it had to drop: how far apart the
 * places lie is not known before. Of a compressed file a dropped page costs so much that it grows with
 * each; too many are ERR_LIMIT. */
#ifndef PAS2P_CLOG2_PAGES_H
#define PAS2P_CLOG2_PAGES_H

#include "core/io/source.h"

struct clog2_pages;

/* The sources of later, by their numbers. NULL: no memory. */
struct clog2_pages *clog2_pages_new(const struct source *const *sources, uint32_t count);
void clog2_pages_free(struct clog2_pages *pages); /* NULL is fine */

/* Up to len bytes of a source, which must be few, valid until the next call; *got is less only at its end. */
enum err_code clog2_pages_read(struct clog2_pages *pages, uint32_t source, uint64_t offset, size_t len, const uint8_t **bytes,
			       size_t *got, struct err *e);

#endif

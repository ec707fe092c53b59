/* Bytes of several files, a few at a time, from places that move on slowly: a cache of pages (64 MiB at most, filled as needed). */
#ifndef PAS2P_CLOG2_PAGES_H
#define PAS2P_CLOG2_PAGES_H

#include "core/io/source.h"

struct clog2_pages;

struct clog2_pages *clog2_pages_new(void); /* NULL: no memory */
void clog2_pages_free(struct clog2_pages *pages); /* NULL is fine */

/* Up to len bytes of a source, which is known by its number; *got is less only at its end. */
enum err_code clog2_pages_read(struct clog2_pages *pages, const struct source *source, uint32_t number, uint64_t offset, uint8_t *to,
			       size_t len, size_t *got, struct err *e);

#endif

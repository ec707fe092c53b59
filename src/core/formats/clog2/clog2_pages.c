#include "clog2_pages.h"

#include <string.h>

#include "core/base/mem.h"

#define PAGE (UINT64_C(1) << 16)
#define SLOTS 1024u

struct page {
	uint8_t *bytes;      /* NULL: nothing was read here yet */
	uint32_t source;
	uint64_t number;
	size_t len;
};

struct clog2_pages {
	struct page slot[SLOTS];
};

struct clog2_pages *clog2_pages_new(void)
{
	return mem_zero(1, sizeof(struct clog2_pages));
}

void clog2_pages_free(struct clog2_pages *pages)
{
	if (!pages)
		return;
	for (size_t i = 0; i < SLOTS; i++)
		mem_free(pages->slot[i].bytes);
	mem_free(pages);
}

/* Places that are used at a time lie in neighbouring pages, or in files of neighbouring numbers. */
static enum err_code look_up(struct clog2_pages *pages, const struct source *source, uint32_t number, uint64_t page, const struct page **found,
			     struct err *e)
{
	struct page *p = &pages->slot[(page + (uint64_t)number * 37) % SLOTS];
	enum err_code code;

	*found = p;
	if (p->bytes && p->source == number && p->number == page)
		return ERR_OK;
	if (!p->bytes)
		p->bytes = mem_alloc(PAGE, 1);
	if (!p->bytes)
		return err_memory(e, "the trace's records");
	p->source = number;
	p->number = page;
	code = source_read(source, page * PAGE, p->bytes, PAGE, &p->len, e);
	if (code) {
		mem_free(p->bytes);
		p->bytes = NULL;
	}
	return code;
}

enum err_code clog2_pages_read(struct clog2_pages *pages, const struct source *source, uint32_t number, uint64_t offset, uint8_t *to,
			       size_t len, size_t *got, struct err *e)
{
	*got = 0;
	while (*got < len) {
		const struct page *p;
		size_t from = (size_t)(offset % PAGE), n;
		enum err_code code = look_up(pages, source, number, offset / PAGE, &p, e);

		if (code)
			return code;
		if (p->len <= from)
			return ERR_OK;
		n = p->len - from < len - *got ? p->len - from : len - *got;
		memcpy(to + *got, p->bytes + from, n);
		*got += n;
		offset += n;
	}
	return ERR_OK;
}

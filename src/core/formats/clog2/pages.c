#include "clog2_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/unpack.h"

#define PAGE (UINT64_C(1) << 16)
#define LEAST_SLOTS 64u
#define MOST_SLOTS 4096u
#define MOST_UNPACKED 64u /* times that a compressed file may be decompressed */
#define FEW 256u         /* bytes asked for at once, at most */
#define NO_PAGE UINT64_MAX

struct file_page {
	uint8_t *bytes;      /* NULL: nothing was read here yet */
	uint64_t number;
	size_t len;
};

struct clog2_pages {
	const struct source *const *sources;
	uint64_t *first;     /* per source: its first page, counting on over all; and how many there are */
	uint64_t *seen;      /* a bit a page: it has been read */
	struct file_page *slot;
	uint32_t slots, again; /* again: pages that were read again, since there last were more slots */
	uint32_t last_source;
	uint64_t last_begin; /* of the page looked up last: where it begins in its source, and its bytes */
	const uint8_t *last;
	size_t last_len;
	uint8_t joined[FEW]; /* where two pages meet */
};

struct clog2_pages *clog2_pages_new(const struct source *const *sources, uint32_t count)
{
	struct clog2_pages *p = mem_zero(1, sizeof *p);

	if (!p)
		return NULL;
	p->sources = sources;
	p->slots = LEAST_SLOTS;
	p->slot = mem_zero(p->slots, sizeof *p->slot);
	p->first = mem_zero((size_t)count + 1, sizeof *p->first);
	for (uint32_t i = 0; p->first && i < count; i++)
		p->first[i + 1] = p->first[i] + source_size(sources[i]) / PAGE + 1;
	p->seen = p->first ? mem_zero((size_t)(p->first[count] / 64 + 1), sizeof *p->seen) : NULL;
	if (p->slot && p->first && p->seen)
		return p;
	clog2_pages_free(p);
	return NULL;
}

void clog2_pages_free(struct clog2_pages *pages)
{
	if (!pages)
		return;
	for (uint32_t i = 0; pages->slot && i < pages->slots; i++)
		mem_free(pages->slot[i].bytes);
	mem_free(pages->slot);
	mem_free(pages->first);
	mem_free(pages->seen);
	mem_free(pages);
}

/* Twice as many slots, if there is memory. */
static void pages_grow(struct clog2_pages *p)
{
	struct file_page *grown = mem_zero(2 * (size_t)p->slots, sizeof *grown);

	p->again = 0;
	if (!grown)
		return;
	for (uint32_t i = 0; i < p->slots; i++)
		if (p->slot[i].bytes)
			grown[p->slot[i].number % (2 * p->slots)] = p->slot[i];
	mem_free(p->slot);
	p->slot = grown;
	p->slots *= 2;
}

static enum err_code look_up(struct clog2_pages *p, uint32_t source, uint64_t page, const struct file_page **found, struct err *e)
{
	uint64_t number = p->first[source] + page;
	struct file_page *slot = &p->slot[number % p->slots];
	enum err_code code;
	char name[200];

	*found = slot;
	p->last_len = 0;
	if (slot->bytes && slot->number == number)
		return ERR_OK;
	if (p->seen[number / 64] >> number % 64 & 1) {
		bool packed = source_packing(p->sources[source]) != PACKING_NONE;

		if (source_unpacked(p->sources[source]) > MOST_UNPACKED)
			return err_set(e, ERR_LIMIT, "%s: its records are too far apart to sort them while "
				       "decompressing\nhint: decompress the file first",
				       text_safe(name, sizeof name, p->sources[source]->name, SIZE_MAX, TEXT_UTF8));
		if ((packed || ++p->again > p->slots) && p->slots < MOST_SLOTS) {
			pages_grow(p);
			*found = slot = &p->slot[number % p->slots];
		}
	}
	if (!slot->bytes)
		slot->bytes = mem_alloc(PAGE, 1);
	if (!slot->bytes)
		return err_memory(e, "the trace's records");
	slot->number = NO_PAGE;
	code = source_read(p->sources[source], page * PAGE, slot->bytes, PAGE, &slot->len, e);
	if (code)
		return code;
	slot->number = number;
	p->seen[number / 64] |= (uint64_t)1 << number % 64;
	return ERR_OK;
}

enum err_code clog2_pages_read(struct clog2_pages *pages, uint32_t source, uint64_t offset, size_t len, const uint8_t **bytes,
			       size_t *got, struct err *e)
{
	const struct file_page *page;
	size_t from = (size_t)(offset % PAGE), here;
	enum err_code code;

	if (source == pages->last_source && offset - pages->last_begin < pages->last_len && pages->last_len - (offset - pages->last_begin) >= len) {
		*bytes = pages->last + (offset - pages->last_begin);
		*got = len;
		return ERR_OK;
	}
	code = look_up(pages, source, offset / PAGE, &page, e);
	if (code)
		return code;
	pages->last_source = source;
	pages->last_begin = offset - from;
	pages->last = page->bytes;
	pages->last_len = page->len;
	here = page->len > from ? page->len - from : 0;
	if (here >= len || page->len < PAGE) {
		*got = here < len ? here : len;
		*bytes = page->bytes + (here ? from : 0);
		return ERR_OK;
	}
	memcpy(pages->joined, page->bytes + from, here);
	code = look_up(pages, source, offset / PAGE + 1, &page, e);
	if (code)
		return code;
	*got = page->len < len - here ? here + page->len : len;
	memcpy(pages->joined + here, page->bytes, *got - here);
	*bytes = pages->joined;
	return ERR_OK;
}

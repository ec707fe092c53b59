/* Payloads that are not hot: definitions, communicators, the clock's shifts, and the communicator table. */
#include "clog2.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

#define ENTRY 40 /* of the table: GID, icomm, kind */

/* A field of n bytes into n + 1: cut at the first NUL; what is behind it is stale memory. */
static void get_text(char *to, const uint8_t *field, size_t n)
{
	size_t len = strnlen((const char *)field, n);

	memcpy(to, field, len);
	memset(to + len, 0, n + 1 - len);
}

void clog2_get_statedef(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_statedef *record)
{
	const uint8_t *p = rec->payload;

	record->state = clog2_i32(file->big_endian, p);
	record->start = clog2_i32(file->big_endian, p + 4);
	record->final = clog2_i32(file->big_endian, p + 8);
	get_text(record->color, p + 16, 24);
	get_text(record->name, p + 40, 32);
	get_text(record->format, p + 72, 40);
}

void clog2_get_eventdef(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_eventdef *record)
{
	const uint8_t *p = rec->payload;

	record->etype = clog2_i32(file->big_endian, p);
	get_text(record->color, p + 8, 24);
	get_text(record->name, p + 32, 32);
	get_text(record->format, p + 64, 40);
}

void clog2_get_constdef(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_constdef *record)
{
	const uint8_t *p = rec->payload;

	record->etype = clog2_i32(file->big_endian, p);
	record->value = clog2_i32(file->big_endian, p + 4);
	get_text(record->name, p + 8, 32);
}

void clog2_get_coll(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_coll *record)
{
	const uint8_t *p = rec->payload;

	record->etype = clog2_i32(file->big_endian, p);
	record->root = clog2_i32(file->big_endian, p + 4);
	record->size = clog2_i32(file->big_endian, p + (file->header_size == 24 ? 8 : 12));
}

void clog2_get_srcloc(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_srcloc *record)
{
	const uint8_t *p = rec->payload;

	record->location = clog2_i32(file->big_endian, p);
	record->line = clog2_i32(file->big_endian, p + 4);
	get_text(record->file, p + 8, 40);
}

static void reverse(uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		uint8_t t = p[i];

		p[i] = p[n - 1 - i];
		p[n - 1 - i] = t;
	}
}

/* i32 | f64 | 20 characters: the numbers made big-endian, so that one communicator's GIDs are equal bytes
 * in local files of hosts of either byte order. */
static void get_gid(const struct clog2_file *file, const uint8_t *p, struct clog2_gid *gid)
{
	memcpy(gid->bytes, p, sizeof gid->bytes);
	if (!file->big_endian) {
		reverse(gid->bytes, 4);
		reverse(gid->bytes + 4, 8);
	}
}

void clog2_get_comm(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_comm *payload)
{
	const uint8_t *p = rec->payload;

	*payload = (struct clog2_comm){0};
	payload->etype = clog2_i32(file->big_endian, p);
	if (file->header_size == 24) {
		payload->icomm = clog2_i32(file->big_endian, p + 4);
		payload->rank = clog2_i32(file->big_endian, p + 8);
		payload->wrank = clog2_i32(file->big_endian, p + 12);
		get_gid(file, p + 16, &payload->gid);
	} else { /* etype, parent, new communicator's handle: no ranks and no GID */
		payload->icomm = CLOG2_NULL_COMM;
		payload->rank = payload->wrank = -1;
	}
}

double clog2_get_timeshift(const struct clog2_file *file, const struct clog2_rec *rec)
{
	uint8_t swapped[8];
	uint64_t v = 0;
	double d;

	memcpy(swapped, rec->payload, 8);
	if (!file->big_endian)
		reverse(swapped, 8);
	for (unsigned i = 0; i < 8; i++)
		v = v << 8 | swapped[i];
	memcpy(&d, &v, 8);
	return d;
}

static enum err_code odd_table(const struct clog2_file *file, struct err *e, const char *what, long long found)
{
	char name[200];

	text_safe(name, sizeof name, file->source->name, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_DAMAGED, "%s: the communicator table at byte %llu %s (%lld)", name,
		       (unsigned long long)file->commtable, what, found);
}

enum err_code clog2_commtable(const struct clog2_file *file, struct clog2_commentry **list, uint32_t *count,
			      struct err *e)
{
	enum err_code code;
	uint8_t head[4], *bytes;
	size_t got, size;
	int32_t n;

	*list = NULL;
	*count = 0;
	if (!file->commtable)
		return ERR_OK;
	code = source_read(file->source, file->commtable, head, sizeof head, &got, e);
	if (code)
		return code;
	n = got == sizeof head ? clog2_i32(file->big_endian, head) : -1;
	if (n < 0)
		return odd_table(file, e, "has an impossible count", n);
	if ((uint64_t)n > (source_size(file->source) - file->commtable - 4) / ENTRY)
		return odd_table(file, e, "has more entries than the file can hold", n);
	size = (size_t)n * ENTRY;
	bytes = mem_alloc(size, 1);
	*list = mem_alloc((size_t)n, sizeof **list);
	if (!bytes || !*list)
		code = err_memory(e, "the communicator table");
	else
		code = source_read(file->source, file->commtable + 4, bytes, size, &got, e);
	if (!code && got < size)
		code = odd_table(file, e, "was cut while pas2p read it; entries", n);
	for (int32_t i = 0; !code && i < n; i++) {
		const uint8_t *p = bytes + (size_t)i * ENTRY;
		struct clog2_commentry *entry = *list + i;

		get_gid(file, p, &entry->gid);
		entry->icomm = clog2_i32(file->big_endian, p + 32);
		entry->kind = clog2_i32(file->big_endian, p + 36);
		if (entry->kind < -1 || entry->kind > 3)
			code = odd_table(file, e, "has an entry of an unknown kind", entry->kind);
		else if (entry->icomm < 0 || entry->icomm >= n)
			code = odd_table(file, e, "has an entry with an impossible number", entry->icomm);
	}
	mem_free(bytes);
	if (code) {
		mem_free(*list);
		*list = NULL;
		return code;
	}
	*count = (uint32_t)n;
	return ERR_OK;
}

#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t wide[12] = {24, 24, 136, 128, 64, 32, 64, 48, 40, 72, 72, 32};
static const uint8_t narrow[12] = {16, 16, 128, 120, 56, 24, 56, 40, 32, 32, 64, 24};

static uint64_t load(bool big, const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v = v << 8 | p[big ? i : n - 1 - i];
	return v;
}

static void store(bool big, uint8_t *p, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		p[big ? n - 1 - i : i] = (uint8_t)(v >> (8 * i));
}

uint32_t rec_length(const struct recs *r, uint32_t type)
{
	return type >= 12 ? 0 : r->header == 24 ? wide[type] : narrow[type];
}

uint32_t rec_type(const struct recs *r, const struct rec *x)
{
	return rec_get32(r, x, r->header == 24 ? 20 : 8);
}

uint32_t rec_get32(const struct recs *r, const struct rec *x, size_t at)
{
	return (uint32_t)load(r->big_endian, x->bytes + at, 4);
}

void rec_put32(const struct recs *r, struct rec *x, size_t at, uint32_t v)
{
	store(r->big_endian, x->bytes + at, 4, v);
}

double rec_time(const struct recs *r, const struct rec *x)
{
	uint64_t v = load(r->big_endian, x->bytes, 8);
	double d;

	memcpy(&d, &v, 8);
	return d;
}

void rec_put64(const struct recs *r, struct rec *x, size_t at, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, 8);
	store(r->big_endian, x->bytes + at, 8, bits);
}

/* The value behind a title, NULL if there is none. */
static const char *find(const char head[1025], const char *title)
{
	for (size_t at = 0; at < 1024 && head[at]; at += strlen(head + at) + 1)
		if (!strcmp(head + at, title))
			return head + at + strlen(title) + 1;
	return NULL;
}

bool recs_parse(struct recs *r, const uint8_t *bytes, size_t size)
{
	char head[1025] = {0};
	const char *value;
	size_t block = 1024, at = 1024;

	r->n = 0;
	r->closed = false;
	if (size < 1024 || memcmp(bytes, "CLOG-02.", 8))
		return false;
	memcpy(head, bytes, 1024);
	memcpy(r->version, bytes, 10);
	r->version[10] = 0;
	r->header = strcmp(r->version, "CLOG-02.30") < 0 ? 16 : 24;
	value = find(head, "is_big_endian=");
	r->big_endian = !value || *value == 'T';
	value = find(head, "is_finalzed=");
	r->finalized = !value || *value == 'T';
	value = find(head, "block_size=");
	r->block_size = value ? (uint32_t)strtoul(value, NULL, 10) : 0;
	value = find(head, "max_comm_world_size=");
	value = value ? value : find(head, "comm_world_size=");
	r->world_size = value ? atoi(value) : 0;
	if (r->block_size < 200 || r->block_size > 1 << 20)
		r->block_size = 1024;
	while (r->n < REC_MAX && at + r->header <= size) {
		struct rec *x = &r->list[r->n];
		uint32_t type, length;

		memcpy(x->bytes, bytes + at, r->header);
		type = rec_type(r, x);
		length = rec_length(r, type);
		if (!length || at + length > size)
			break;
		if (type == 0) {
			r->closed = true;
			break;
		}
		if (type == 1) {
			block += r->block_size;
			at = block;
			continue;
		}
		memcpy(x->bytes, bytes + at, length);
		x->length = (uint8_t)length;
		at += length;
		r->n++;
	}
	return true;
}

static void preamble(const struct recs *r, uint8_t *bytes)
{
	char number[16];
	size_t at = 0;
	const char *pairs[] = {r->version, "is_big_endian=", r->big_endian ? "TRUE " : "FALSE", "is_finalzed=",
			       r->finalized ? "TRUE " : "FALSE", "block_size=", NULL};

	memset(bytes, 0, 1024);
	for (size_t i = 0; pairs[i]; i++) {
		if (strcmp(r->version, "CLOG-02.43") < 0 && (i == 3 || i == 4))
			continue;
		memcpy(bytes + at, pairs[i], strlen(pairs[i]) + 1);
		at += strlen(pairs[i]) + 1;
	}
	at += (size_t)snprintf((char *)bytes + at, 16, "%u", r->block_size) + 1;
	if (r->header == 24) {
		const char *title = strcmp(r->version, "CLOG-02.43") < 0 ? "comm_world_size=" : "max_comm_world_size=";

		memcpy(bytes + at, title, strlen(title) + 1);
		at += strlen(title) + 1;
		snprintf(number, sizeof number, "%d", r->world_size);
		memcpy(bytes + at, number, strlen(number) + 1);
	}
}

static void marker(const struct recs *r, uint8_t *bytes, uint32_t type, double time)
{
	struct rec x = {.length = 24};

	rec_put64(r, &x, 0, time);
	rec_put32(r, &x, r->header == 24 ? 20 : 8, type);
	memcpy(bytes, x.bytes, r->header);
}

size_t recs_write(const struct recs *r, uint8_t *bytes, size_t max)
{
	size_t used = 0, block = 1024;

	if (max < 1024 + r->block_size)
		return 0;
	preamble(r, bytes);
	memset(bytes + block, 0, r->block_size);
	for (size_t i = 0; i < r->n; i++) {
		const struct rec *x = &r->list[i];

		if (used + x->length + 24 + (r->finalized ? 0 : 32) >= r->block_size) {
			marker(r, bytes + block + used, 1, rec_time(r, x));
			block += r->block_size;
			used = 0;
			if (block + r->block_size > max)
				return 0;
			memset(bytes + block, 0, r->block_size);
		}
		memcpy(bytes + block + used, x->bytes, x->length);
		used += x->length;
	}
	marker(r, bytes + block + used, r->closed ? 0 : 1, r->finalized ? 1e8 : 1e3);
	return block + r->block_size;
}

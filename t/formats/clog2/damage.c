/* A damaged trace must neither crash nor hang the reader, and must not look whole. Cut at every length, and with
 * every single byte changed in several ways, a small trace gives a sentence or a reading that says that something
 * is wrong; and every record that lies before the damage is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_clog2.h"
#include "tap.h"

static const struct variant {
	int minor;
	bool big_endian, finalized;
	uint32_t block_size;
} variants[] = {
	{40, true, true, 1024}, {44, true, true, 1000}, {40, false, true, 1024}, {40, false, false, 1024},
	{44, false, false, 1000}, {44, true, true, 16384},
};

static char name[60];

static struct gen_bytes make(const struct variant *v)
{
	struct clog2_write_options o = gen_clog2_options(v->minor, v->big_endian, v->finalized, v->block_size);

	snprintf(name, sizeof name, "02.%d %s-endian %s, blocks of %u", v->minor, v->big_endian ? "big" : "little",
		 v->finalized ? "finalized" : "local", v->block_size);
	return gen_clog2_run(&o, 3, 12);
}

/* The records of `whole` that end before the byte `limit`, as `r` should have them as well. */
static bool keeps(const struct gen_reading *r, const struct gen_reading *whole, uint64_t limit)
{
	for (size_t i = 0; i < whole->n && whole->list[i].offset + whole->list[i].length <= limit; i++)
		if (i >= r->n || r->list[i].offset != whole->list[i].offset || r->list[i].type != whole->list[i].type ||
		    r->digest[i] != whole->digest[i])
			return false;
	return true;
}

/* A reading that says of itself that it is not the whole log. */
static bool confesses(const struct gen_reading *r)
{
	return r->end != CLOG2_END_LOG || r->notes.n;
}

static void cut_everywhere(const struct variant *v)
{
	struct gen_bytes b = make(v);
	struct gen_reading whole = gen_read(b.bytes, b.size);
	unsigned silent = 0, lost = 0, mute = 0, invented = 0;

	/* A large block is mostly empty: nothing new happens between its log's end and its own. */
	for (size_t n = 1; n < b.size; n += n > whole.end_offset + 100 && n < b.size - 400 ? 97 : 1) {
		uint8_t *tight = malloc(n); /* so that a look behind the cut is seen by the sanitizers */
		struct gen_reading r;

		memcpy(tight, b.bytes, n);
		r = gen_read(tight, n);
		if (r.code) {
			mute += !strstr(r.err.text, "bytes") || (n >= 1024 + 24);
		} else {
			silent += !confesses(&r);
			lost += !keeps(&r, &whole, n);
			invented += r.n > whole.n;
		}
		gen_reading_free(&r);
		free(tight);
	}
	is_int(mute, 0, "%s, cut: refused with its name, and only without a record", name);
	is_int(silent, 0, "%s, cut: never taken for whole", name);
	is_int(lost, 0, "%s, cut: every record before the cut is there", name);
	is_int(invented, 0, "%s, cut: no record is made up", name);
	gen_reading_free(&whole);
	free(b.bytes);
}

static void change_every_byte(const struct variant *v)
{
	struct gen_bytes b = make(v);
	struct gen_reading whole = gen_read(b.bytes, b.size);
	unsigned lost = 0, mute = 0, refused = 0, runaway = 0;
	size_t shown = 0;

	for (size_t at = 0; at < b.size; at += at > whole.end_offset + 100 && at < b.size - 400 ? 97 : 1) {
		uint8_t was = b.bytes[at];
		uint8_t ways[] = {was ^ 0xFF, was ^ 1, was ^ 0x80, was ? 0 : 9};

		for (size_t k = 0; k < sizeof ways; k++) {
			struct gen_reading r;

			b.bytes[at] = ways[k];
			r = gen_read(b.bytes, b.size);
			if (r.code) {
				mute += !strstr(r.err.text, "bytes");
				refused += at >= 1024;
			} else if (!keeps(&r, &whole, at < 1024 ? 0 : at)) {
				lost++;
				if (shown++ < 3)
					diag("byte %zu from %02x to %02x: %zu of %zu records", at, was, ways[k], r.n, whole.n);
			}
			runaway += r.n > b.size / 24;
			gen_reading_free(&r);
		}
		b.bytes[at] = was;
	}
	is_int(mute, 0, "%s, a byte changed: what is refused is refused with its name", name);
	is_int(refused, 0, "%s, a byte changed: nothing is refused for a byte outside the preamble", name);
	is_int(lost, 0, "%s, a byte changed: every record before it is there", name);
	is_int(runaway, 0, "%s, a byte changed: no more records than the file has room for", name);
	gen_reading_free(&whole);
	free(b.bytes);
}

/* A hole in a file (a full disk, a lost page) reads as zeros, and zeros look like an end-of-log record. */
static void zero_filled(void)
{
	struct gen_bytes b = make(&variants[0]);
	struct gen_reading whole = gen_read(b.bytes, b.size), r;
	unsigned wrong = 0;

	for (size_t i = 1; i < whole.n; i++) {
		size_t from = whole.list[i].offset, left = b.size - from;
		uint8_t *copy = malloc(b.size);

		memcpy(copy, b.bytes, b.size);
		memset(copy + from, 0, left < 4096 ? left : 4096);
		r = gen_read(copy, b.size);
		wrong += r.code || r.end != CLOG2_END_DAMAGED || !strstr(r.reason, "zeros instead") || r.n != i;
		gen_reading_free(&r);
		free(copy);
	}
	is_int(wrong, 0, "zeros from any record on are damage, not an end");
	gen_reading_free(&whole);
	free(b.bytes);
}

/* Nothing but the continuity of times tells that a block is missing or doubled. */
static void lost_block(void)
{
	struct gen_bytes b = make(&variants[0]);
	struct gen_reading r;

	memmove(b.bytes + 1024 + 2048, b.bytes + 1024 + 3072, b.size - 1024 - 3072);
	r = gen_read(b.bytes, b.size - 1024);
	ok(r.code == ERR_OK && r.end == CLOG2_END_LOG && r.breaks == 1, "a lost block is a break of the times");
	gen_reading_free(&r);
	free(b.bytes);
}

/* Without its end, a trace of before 02.43 says by its records alone whether it is merged or one process's. */
static void cut_in_half(void)
{
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
		struct gen_bytes b = make(&variants[i]);
		struct gen_reading r = gen_read(b.bytes, 1024 + (b.size - 1024) / 4);

		ok(r.code == ERR_OK && r.file.finalized == variants[i].finalized, "%s, cut: still known as %s", name,
		   variants[i].finalized ? "finalized" : "local");
		gen_reading_free(&r);
		free(b.bytes);
	}
}

static void reasons(void)
{
	struct gen_bytes b = make(&variants[0]);
	struct gen_reading whole = gen_read(b.bytes, b.size), r;
	uint8_t *type = b.bytes + whole.list[20].offset + 20;

	memcpy(type, "\0\0\0\x0C", 4);
	r = gen_read(b.bytes, b.size);
	ok(r.end == CLOG2_END_DAMAGED && r.n == 20 && strstr(r.reason, "type"), "an unknown type: \"%s\"", r.reason);
	gen_reading_free(&r);
	memcpy(type, "\0\0\0\0", 4);
	r = gen_read(b.bytes, b.size);
	ok(r.end == CLOG2_END_DAMAGED && r.n == 20 && strstr(r.reason, "1e8"), "an early end: \"%s\"", r.reason);
	gen_reading_free(&r);
	r = gen_read(b.bytes, whole.list[10].offset + 30);
	ok(r.end == CLOG2_END_TRUNCATED && r.n == 10 && strstr(r.reason, "inside a record"), "a cut record: \"%s\"", r.reason);
	gen_reading_free(&r);
	r = gen_read(b.bytes, whole.list[10].offset + 10);
	ok(r.end == CLOG2_END_TRUNCATED && r.n == 10 && strstr(r.reason, "inside a block"), "a cut header: \"%s\"", r.reason);
	gen_reading_free(&r);
	gen_reading_free(&whole);
	free(b.bytes);
}

int main(void)
{
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
		cut_everywhere(&variants[i]);
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
		change_every_byte(&variants[i]);
	zero_filled();
	lost_block();
	cut_in_half();
	reasons();
	return done_testing();
}

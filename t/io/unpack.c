/* Compressed sources read as what is inside: the same bytes at any offset, in any order, by any number of threads;
 * members end to end are one stream; what is cut or damaged gives what comes before that and says so; and who reads
 * forwards has it decompressed once. Traces are kept compressed, and read in passes by several threads.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/mem.h"
#include "core/base/parallel.h"
#include "core/io/unpack.h"
#include "packed.h"
#include "tap.h"

#define MIB ((size_t)1 << 20)

static struct err err;

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Bytes that compress, and that differ everywhere. */
static uint8_t *make_bytes(size_t size)
{
	uint8_t *bytes = malloc(size + 8);
	uint64_t random = 7;

	for (size_t i = 0; i < size; i += 8) {
		uint64_t v = i / 8 ^ (next_random(&random) & 15) << 56;

		memcpy(bytes + i, &v, 8);
	}
	return bytes;
}

static void open_packed(struct source *s, enum packing packing, const uint8_t *packed, size_t size)
{
	if (source_open_memory(s, "bytes", packed, size, &err) || source_unpack(s, packing, &err))
		bail_out("cannot open: %s", err.text);
}

static bool same_at(const struct source *s, uint64_t offset, size_t len, const uint8_t *bytes, size_t size)
{
	uint8_t *buf = malloc(len + 1);
	size_t got, want = offset < size ? size - (size_t)offset : 0;
	bool same;

	want = want < len ? want : len;
	same = !source_read(s, offset, buf, len, &got, &err) && got == want && !memcmp(buf, bytes + (want ? offset : 0), want);
	free(buf);
	return same;
}

static void test_reading(enum packing packing)
{
	size_t size = 16 * MIB + 12345, packed;
	uint8_t *bytes = make_bytes(size), *p = packed_bytes(packing, bytes, size, 1, &packed);
	uint64_t random = 1, at = 0, end;
	struct source s;
	bool same = true;

	open_packed(&s, packing, p, packed);
	is_u64(source_size(&s), SOURCE_SIZE_UNKNOWN, "%s: its size is not known at first", packing_name(packing));
	is_int(source_end(&s, &end), UNPACK_OPEN, "nor its end");
	for (size_t step = 0; at < size; at += step) {
		step = 1 + next_random(&random) % 300000;
		same = same && same_at(&s, at, step, bytes, size);
	}
	ok(same, "read forwards it is what it was");
	is_u64(source_size(&s), size, "then its size is known");
	ok(source_end(&s, &end) == UNPACK_WHOLE && end == packed, "and that it is whole");
	is_u64(source_unpacked(&s), 1, "it was decompressed once");
	ok(same_at(&s, size - 4 * MIB, 4 * MIB, bytes, size), "its end can be read again");
	ok(same_at(&s, 0, SOURCE_HEAD, bytes, size), "and its beginning");
	ok(same_at(&s, size, 5, bytes, size) && same_at(&s, size + 10 * MIB, 5, bytes, size) && same_at(&s, UINT64_MAX - 3, 3, bytes, size),
	   "behind its end there is nothing");
	is_u64(source_unpacked(&s), 1, "which decompresses nothing");
	for (int i = 0; i < 6; i++)
		same = same && same_at(&s, next_random(&random) % size, next_random(&random) % 500000, bytes, size);
	ok(same, "anywhere it is what it was");
	ok(source_unpacked(&s) > 1, "going back decompresses it anew");
	source_rest(&s);
	ok(same_at(&s, 5 * MIB, 100, bytes, size), "also after a rest");
	source_release(&s);
	open_packed(&s, packing, p, packed);
	ok(!source_find_size(&s, &end, NULL, &err) && end == size, "its size can be asked for");
	source_release(&s);
	open_packed(&s, packing, p, packed);
	ok(same_at(&s, 3 * MIB, 10, bytes, size), "it may be released while it is being decompressed");
	source_release(&s);
	free(bytes);
	free(p);
}

struct readers {
	const struct source *source;
	const uint8_t *bytes;
	size_t size;
	unsigned parts;
	bool same[8];
};

/* Every eighth piece. */
static void read_part(void *arg, unsigned part)
{
	struct readers *r = arg;

	r->same[part] = true;
	for (uint64_t at = part * 65536; at < r->size; at += r->parts * 65536)
		r->same[part] = r->same[part] && same_at(r->source, at + 1024, 65536, r->bytes, r->size);
}

static void test_threads(enum packing packing)
{
	size_t size = 10 * MIB + 77, packed;
	uint8_t *bytes = make_bytes(size), *p = packed_bytes(packing, bytes, size, 1, &packed);
	struct source s;
	struct readers r = {&s, bytes, size, 8, {false}};
	bool same = true;

	open_packed(&s, packing, p, packed);
	parallel_run(8, read_part, &r);
	for (unsigned i = 0; i < 8; i++)
		same = same && r.same[i];
	ok(same, "%s: eight threads that take turns read what it was", packing_name(packing));
	source_release(&s);
	free(bytes);
	free(p);
}

/* All there is, by steps. */
static uint8_t *read_all(const struct source *s, size_t *size, enum err_code *code)
{
	uint8_t *all = malloc(MIB);
	size_t got = 1;

	*size = 0;
	*code = ERR_OK;
	while (!*code && got && *size < MIB - 1000) {
		*code = source_read(s, *size, all + *size, 1000, &got, &err);
		*size += got;
	}
	return all;
}

static void test_cuts(enum packing packing)
{
	size_t size = 3000, packed, n;
	uint8_t *bytes = make_bytes(size), *p = packed_bytes(packing, bytes, size, 6, &packed);
	bool good = true, ends = true;
	enum err_code code;

	for (size_t cut = 6; cut < packed; cut++) {
		struct source s;
		uint64_t at;
		uint8_t *all;

		open_packed(&s, packing, p, cut);
		all = read_all(&s, &n, &code);
		good = good && !code && n <= size && !memcmp(all, bytes, n);
		ends = ends && source_end(&s, &at) == UNPACK_CUT && at == cut;
		free(all);
		source_release(&s);
	}
	ok(good, "%s: cut at any of its %zu bytes it gives the beginning of what it was", packing_name(packing), packed);
	ok(ends, "and says that it is cut, and where");
	free(bytes);
	free(p);
}

static void test_flips(enum packing packing)
{
	size_t size = 3000, packed, n;
	uint8_t *bytes = make_bytes(size), *p = packed_bytes(packing, bytes, size, 6, &packed), *q = malloc(packed);
	unsigned silent = 0, wrong_length = 0;
	bool bounded = true;
	enum err_code code;
	uint64_t at;

	for (size_t bit = 0; bit < packed * 8; bit += 5) {
		struct source s;
		uint8_t *all;
		enum unpack_end end;

		memcpy(q, p, packed);
		q[bit / 8] ^= (uint8_t)(1 << bit % 8);
		open_packed(&s, packing, q, packed);
		all = read_all(&s, &n, &code);
		end = source_end(&s, &at);
		bounded = bounded && n < MIB - 1000 && (code || end != UNPACK_OPEN);
		wrong_length += !code && end == UNPACK_WHOLE && n != size;
		silent += !code && end == UNPACK_WHOLE && n == size && memcmp(all, bytes, n);
		free(all);
		source_release(&s);
	}
	ok(bounded, "%s: with a flipped bit it comes to an end", packing_name(packing));
	is_int(silent, 0, "and never is other bytes that pass for whole");
	is_int(wrong_length, 0, "nor fewer");
	free(bytes);
	free(p);
	free(q);
}

static void test_members(enum packing packing)
{
	size_t size = 200000, half = 70000, a, b, n;
	uint8_t *bytes = make_bytes(size), *p = packed_bytes(packing, bytes, half, 6, &a);
	uint8_t *q = packed_bytes(packing, bytes + half, size - half, 9, &b), *both = calloc(a + b + 20, 1), *all;
	enum err_code code;
	struct source s;
	uint64_t at;

	memcpy(both, p, a);
	memcpy(both + a, q, b);
	open_packed(&s, packing, both, a + b);
	all = read_all(&s, &n, &code);
	ok(n == size && !memcmp(all, bytes, size) && source_end(&s, &at) == UNPACK_WHOLE, "%s: two members are one stream", packing_name(packing));
	free(all);
	source_release(&s);
	memcpy(both + a + b, "and so on", 9);
	open_packed(&s, packing, both, a + b + 9);
	all = read_all(&s, &n, &code);
	ok(n == size && source_end(&s, &at) == UNPACK_TAIL && at == a + b, "what follows them is told");
	free(all);
	source_release(&s);
	if (packing == PACKING_XZ) {
		memmove(both + a + 8, both + a, b);
		memset(both + a, 0, 8);
		open_packed(&s, packing, both, a + b + 8);
		all = read_all(&s, &n, &code);
		ok(n == size && source_end(&s, &at) == UNPACK_WHOLE, "zeros may stand between streams");
		free(all);
		source_release(&s);
	}
	free(bytes);
	free(p);
	free(q);
	free(both);
}

/* What stands around members, in a file of pieces: 'p' a member, '0' a frame of zstd to be skipped, 's' one with bytes in
 * it, 'e' a member of nothing, 'z' four zeros, 'o' one, 'c' the beginning of a frame to be skipped. */
static void test_around(enum packing packing, const char *pieces, int members, enum unpack_end end)
{
	static const uint8_t skipped[] = {0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 0x28, 0xB5}, zeros[4];
	size_t size = 3000, packed, nothing, n, used = 0, wanted = 0;
	uint8_t *bytes = make_bytes(size), *p = packed_bytes(packing, bytes, size, 6, &packed), *e = packed_bytes(packing, bytes, 0, 6, &nothing);
	uint8_t *file = malloc((packed + nothing + 16) * 9), *all;
	enum err_code code;
	struct source s;
	uint64_t at;

	for (const char *c = pieces; *c; c++) {
		const uint8_t *from = *c == 'p' ? p : *c == 'e' ? e : *c == 'z' || *c == 'o' ? zeros : skipped;
		size_t length = *c == 'p' ? packed : *c == 'e' ? nothing : *c == 'z' ? 4 : *c == 'o' ? 1 : *c == 's' ? 11 : *c == 'c' ? 9 : 8;

		memcpy(file + used, from, length);
		if (*c == '0')
			file[used + 4] = 0;
		used += length;
		wanted += *c == 'p' ? size : 0;
	}
	open_packed(&s, packing, file, used);
	all = read_all(&s, &n, &code);
	is_int((int)n, (int)size * members, "%s, \"%s\": %d members", packing_name(packing), pieces, members);
	is_int(source_end(&s, &at), end, "and its end");
	ok(n <= wanted && (!n || !memcmp(all, bytes, size)), "with their bytes");
	free(all);
	source_release(&s);
	free(file);
	free(bytes);
	free(p);
	free(e);
}

static void test_between(enum packing packing)
{
	test_around(packing, "peep", 2, UNPACK_WHOLE);
	test_around(packing, "epppe", 3, UNPACK_WHOLE);
	if (packing == PACKING_ZSTD) {
		test_around(packing, "sp", 1, UNPACK_WHOLE);
		test_around(packing, "spsp0p", 3, UNPACK_WHOLE);
		test_around(packing, "00ps", 1, UNPACK_WHOLE);
		test_around(packing, "s", 0, UNPACK_WHOLE);
		test_around(packing, "spc", 1, UNPACK_CUT);
	}
	if (packing == PACKING_XZ) {
		test_around(packing, "pzzpz", 2, UNPACK_WHOLE);
		test_around(packing, "pzop", 1, UNPACK_TAIL);
		test_around(packing, "pooo", 1, UNPACK_TAIL);
	}
}

/* Forwards in pieces, one byte of each. */
static enum err_code touch(const struct source *s, size_t size)
{
	enum err_code code = ERR_OK;

	for (uint64_t at = 0; !code && at < size; at += 65536) {
		uint8_t byte;
		size_t got;

		code = source_read(s, at, &byte, 1, &got, &err);
	}
	return code;
}

static void test_memory(enum packing packing)
{
	size_t size = 64 * MIB, packed;
	uint8_t *bytes = calloc(size, 1), *p = packed_bytes(packing, bytes, size, 1, &packed);
	struct rusage before, after;
	struct source s;

	free(bytes);
	open_packed(&s, packing, p, packed);
	getrusage(RUSAGE_SELF, &before);
	ok(!touch(&s, size), "%s: many zeros can be read", packing_name(packing));
	getrusage(RUSAGE_SELF, &after);
	ok(after.ru_maxrss - before.ru_maxrss < 20 * 1024, "in little memory");
	source_release(&s);
	free(p);
}

static void test_no_memory(enum packing packing)
{
	size_t size = 2 * MIB, packed;
	uint8_t *bytes = make_bytes(size), *p = packed_bytes(packing, bytes, size, 1, &packed);
	long live = mem_live(), made;
	bool told = true;

	for (long fail = 0; fail < 40; fail++) {
		struct source s;
		enum err_code code;

		made = mem_count();
		mem_fail_after(fail);
		code = source_open_memory(&s, "bytes", p, packed, &err);
		if (!code) {
			code = source_unpack(&s, packing, &err);
			if (!code)
				code = touch(&s, size);
			source_release(&s);
		}
		mem_fail_after(-1);
		told = told && (code == ERR_MEMORY || (!code && mem_count() - made <= fail)) && mem_live() == live;
	}
	ok(told, "%s: without memory it says so, and keeps none", packing_name(packing));
	free(bytes);
	free(p);
}

static void test_names(void)
{
	is_int(packing_of((const uint8_t *)"\x1F\x8B\x08\0\0\0", 6), PACKING_GZIP, "gzip is known by its beginning");
	is_int(packing_of((const uint8_t *)"\xFD" "7zXZ\0", 6), PACKING_XZ, "and xz");
	is_int(packing_of((const uint8_t *)"\xFD" "7zXZ", 5), PACKING_NONE, "of which all is needed");
	is_int(packing_of((const uint8_t *)"\x28\xB5\x2F\xFD", 4), PACKING_ZSTD, "and zstd");
	is_int(packing_of((const uint8_t *)"\x50\x2A\x4D\x18\x04\0", 6), PACKING_ZSTD, "also where a frame to be skipped comes first");
	is_int(packing_of((const uint8_t *)"\x5F\x2A\x4D\x18", 4), PACKING_ZSTD, "of any of its sixteen kinds");
	is_int(packing_of((const uint8_t *)"\x60\x2A\x4D\x18\x04\0", 6), PACKING_NONE, "but no other");
	is_int(packing_of((const uint8_t *)"CLOG-02.44", 10), PACKING_NONE, "a trace is not compressed");
	is_int((int)packing_stem("lu.prv.gz", 9), 6, "endings are cut off");
	is_int((int)packing_stem("lu.prv.ZST", 10), 6, "however they are written");
	is_int((int)packing_stem(".xz", 3), 3, "but from a name that has more");
}

int main(void)
{
	test_names();
	for (unsigned i = 0; i < packed_kind_count; i++) {
		test_memory(packed_kinds[i]);
		test_reading(packed_kinds[i]);
		test_threads(packed_kinds[i]);
		test_cuts(packed_kinds[i]);
		test_flips(packed_kinds[i]);
		test_members(packed_kinds[i]);
		test_between(packed_kinds[i]);
		test_no_memory(packed_kinds[i]);
	}
	return done_testing();
}

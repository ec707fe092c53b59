/* The reader must deliver every record of every version, byte order and block size, and say of a file that is not
 * such a trace what it is. Real traces are counted record by record (the counts were taken with an independent
 * reader); versions of which there is no sample are made by hand. */
#include "core/formats/clog2/clog2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_clog2.h"
#include "core/base/mem.h"
#include "tap.h"

static const struct {
	const char *name, *version;
	bool big_endian, finalized;
	uint64_t blocks, table;
	uint64_t types[10]; /* STATEDEF to TIMESHIFT */
} samples[] = {
	{"anysrc.5.clog2", "CLOG-02.40", 1, 1, 5, 0, {11, 0, 3, 8142, 0, 816, 0, 10, 0, 5}},
	{"cg.S.4.clog2", "CLOG-02.40", 1, 1, 37, 0, {10, 0, 3, 53800, 0, 13440, 0, 8, 0, 4}},
	{"coll.6.clog2", "CLOG-02.40", 1, 1, 1, 0, {25, 0, 3, 1044, 0, 0, 0, 12, 0, 6}},
	{"coll.6.m246.clog2", "CLOG-02.44", 1, 1, 1, 66560, {26, 2, 3, 1056, 60, 0, 0, 12, 0, 6}},
	{"comms.6.clog2", "CLOG-02.40", 1, 1, 1, 0, {20, 0, 3, 476, 0, 58, 0, 114, 0, 6}},
	{"ep.S.4.clog2", "CLOG-02.40", 1, 1, 1, 0, {6, 0, 3, 64, 0, 0, 0, 8, 0, 4}},
	{"ft.S.4.clog2", "CLOG-02.40", 1, 1, 1, 0, {8, 0, 3, 194, 0, 0, 0, 16, 0, 4}},
	{"is.S.4.clog2", "CLOG-02.40", 1, 1, 1, 0, {12, 0, 3, 328, 0, 6, 0, 8, 0, 4}},
	{"latesender.4.clog2", "CLOG-02.40", 1, 1, 1, 0, {7, 0, 3, 344, 0, 80, 0, 8, 0, 4}},
	{"little_endian.comms.6.clog2", "CLOG-02.40", 0, 1, 1, 0, {20, 0, 3, 476, 0, 58, 0, 114, 0, 6}},
	{"lu.S.4.clog2", "CLOG-02.40", 1, 1, 17, 0, {11, 0, 3, 20034, 0, 9040, 0, 8, 0, 4}},
	{"nonblock.4.clog2", "CLOG-02.40", 1, 1, 2, 0, {14, 0, 3, 1724, 0, 392, 0, 8, 0, 4}},
	{"one_rank.1.clog2", "CLOG-02.40", 1, 1, 1, 0, {5, 0, 3, 106, 0, 100, 0, 2, 0, 1}},
	{"pcontrol.4.clog2", "CLOG-02.40", 1, 1, 1, 0, {5, 0, 3, 716, 0, 350, 0, 8, 0, 4}},
	{"persist.4.m246.clog2", "CLOG-02.44", 1, 1, 2, 132096, {13, 2, 3, 1688, 0, 320, 0, 8, 0, 4}},
	{"sendrecv.4.clog2", "CLOG-02.40", 1, 1, 1, 0, {17, 0, 3, 326, 0, 230, 0, 8, 0, 4}},
	{"syncclk.4.clog2", "CLOG-02.40", 1, 1, 2, 0, {4, 0, 3, 1616, 0, 1600, 0, 8, 0, 20}},
	{"userstates.3.clog2", "CLOG-02.40", 1, 1, 1, 0, {8, 1, 3, 176, 60, 0, 0, 6, 0, 3}},
	{"unfinalized.m240.abortme.rank0000.clog2", "CLOG-02.40", 0, 0, 2, 0, {0, 0, 3, 4081, 0, 0, 0, 2, 0, 1}},
	{"unfinalized.m240.abortme.rank0003.clog2", "CLOG-02.40", 0, 0, 2, 0, {0, 0, 0, 4087, 0, 0, 0, 2, 0, 1}},
};

static struct gen_bytes sample(const char *name)
{
	char path[100];

	snprintf(path, sizeof path, "sample-traces/%s", name);
	return gen_slurp(path);
}

static void count_samples(void)
{
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		struct gen_bytes b = sample(samples[i].name);
		struct gen_reading r = gen_read(b.bytes, b.size);
		const char *name = samples[i].name;

		is_int(r.code, ERR_OK, "%s is read", name);
		is_str(r.file.version, samples[i].version, "%s: version", name);
		ok(r.file.big_endian == samples[i].big_endian && r.file.finalized == samples[i].finalized,
		   "%s: byte order and whether it is finalized", name);
		is_mem(&r.by_type[CLOG2_STATEDEF], samples[i].types, sizeof samples[i].types, "%s: records of each type", name);
		is_u64(r.blocks, samples[i].blocks, "%s: blocks", name);
		is_u64(r.file.block_count, samples[i].blocks, "%s: blocks known before reading", name);
		is_int(r.end, samples[i].finalized ? CLOG2_END_LOG : CLOG2_END_BLOCK, "%s: its end", name);
		is_u64(r.file.commtable, samples[i].table, "%s: communicator table", name);
		ok(!samples[i].finalized || !r.breaks, "%s: every block starts as the one before it promised", name);
		is_u64(r.notes.n, 0, "%s: nothing odd", name);
		gen_reading_free(&r);
		free(b.bytes);
	}
}

/* Two traces of one run in either byte order: all decoded fields must agree, GIDs included. */
static void byte_orders(void)
{
	struct gen_bytes b[2] = {sample("comms.6.clog2"), sample("little_endian.comms.6.clog2")};
	struct source s[2];
	struct clog2_file f[2];
	struct clog2_block block[2];
	struct clog2_rec r[2];
	struct notes notes;
	unsigned comms = 0, defs = 0, messages = 0, wrong = 0;

	notes_init(&notes);
	for (int i = 0; i < 2; i++) {
		clog2_block_init(&block[i]);
		if (source_open_memory(&s[i], "bytes", b[i].bytes, b[i].size, NULL) || clog2_open(&f[i], &s[i], &notes, NULL) ||
		    clog2_block_read(&f[i], 0, &block[i], NULL))
			bail_out("the samples cannot be read");
	}
	while (clog2_block_next(&block[0], &r[0]) && clog2_block_next(&block[1], &r[1])) {
		struct clog2_comm c[2];
		struct clog2_statedef d[2];
		struct clog2_constdef k[2];
		struct clog2_msg m[2];

		wrong += memcmp(&r[0].time, &r[1].time, 8) || r[0].icomm != r[1].icomm || r[0].rank != r[1].rank ||
			 r[0].thread != r[1].thread || r[0].type != r[1].type || r[0].offset != r[1].offset;
		memset(d, 0, sizeof d); /* their gaps are compared as well */
		memset(k, 0, sizeof k);
		for (int i = 0; i < 2; i++) {
			if (r[i].type == CLOG2_COMMEVT)
				clog2_get_comm(&f[i], &r[i], &c[i]);
			else if (r[i].type == CLOG2_STATEDEF)
				clog2_get_statedef(&f[i], &r[i], &d[i]);
			else if (r[i].type == CLOG2_CONSTDEF)
				clog2_get_constdef(&f[i], &r[i], &k[i]);
			else if (r[i].type == CLOG2_MSGEVT)
				clog2_get_msg(&f[i], &r[i], &m[i]);
		}
		if (r[0].type == CLOG2_COMMEVT)
			comms++, wrong += memcmp(&c[0], &c[1], sizeof c[0]) != 0;
		else if (r[0].type == CLOG2_STATEDEF)
			defs++, wrong += memcmp(&d[0], &d[1], sizeof d[0]) != 0 || d[0].final != d[0].start + 1;
		else if (r[0].type == CLOG2_CONSTDEF)
			wrong += memcmp(&k[0], &k[1], sizeof k[0]) != 0 || k[0].etype != -201;
		else if (r[0].type == CLOG2_MSGEVT)
			messages++, wrong += memcmp(&m[0], &m[1], sizeof m[0]) != 0 || (m[0].etype != -101 && m[0].etype != -102);
		else if (r[0].type == CLOG2_TIMESHIFT)
			wrong += clog2_get_timeshift(&f[0], &r[0]) - clog2_get_timeshift(&f[1], &r[1]) != 0;
		else if (r[0].type == CLOG2_BAREEVT)
			wrong += clog2_get_etype(&f[0], &r[0]) != clog2_get_etype(&f[1], &r[1]);
	}
	is_int(wrong, 0, "both byte orders decode to the same records");
	ok(comms == 114 && defs == 20 && messages == 58, "all of them");
	for (int i = 0; i < 2; i++) {
		clog2_block_release(&block[i]);
		source_release(&s[i]);
		free(b[i].bytes);
	}
	notes_release(&notes);
}

/* Every known state's number in the samples is the one that the name table has. */
static void known_states(void)
{
	unsigned wrong = 0, seen = 0;

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		struct gen_bytes b = sample(samples[i].name);
		struct source s;
		struct clog2_file f;
		struct clog2_block block;
		struct clog2_rec r;
		struct clog2_statedef d;
		struct notes notes;

		notes_init(&notes);
		clog2_block_init(&block);
		if (source_open_memory(&s, "bytes", b.bytes, b.size, NULL) || clog2_open(&f, &s, &notes, NULL) ||
		    clog2_block_read(&f, f.block_count - 1, &block, NULL))
			bail_out("%s cannot be read", samples[i].name);
		while (clog2_block_next(&block, &r)) {
			if (r.type != CLOG2_STATEDEF)
				continue;
			clog2_get_statedef(&f, &r, &d);
			if (d.state >= 300)
				continue;
			seen++;
			wrong += clog2_known_state(d.name) != d.state || d.start != 2 * d.state ||
				 !clog2_known_name(d.state) || strcmp(clog2_known_name(d.state), d.name);
		}
		clog2_block_release(&block);
		source_release(&s);
		notes_release(&notes);
		free(b.bytes);
	}
	is_int(wrong, 0, "all %u definitions of MPI states in the samples are in the table of names", seen);
	ok(seen > 100, "there are many");
	is_int(clog2_known_state("MPI_Nonsense"), -1, "no other name");
	ok(!clog2_known_name(-1) && !clog2_known_name(300) && !clog2_known_name(299), "no other number");
}

/* ---- versions without samples ---- */

static void put_i32(uint8_t *p, int32_t v)
{
	clog2_pack_i32(p, v);
}

static size_t old_head(uint8_t *p, double time, int32_t type, int32_t process)
{
	clog2_pack_f64(p, time);
	put_i32(p + 8, type);
	put_i32(p + 12, process);
	return 16;
}

/* 02.10 and 02.20: 16-byte headers with the world rank, MSGEVT with tag and partner in another order. */
static void old_layout(const char *version)
{
	static const uint8_t lengths[] = {128, 120, 56, 24, 56, 40, 32, 32, 64, 24};
	static uint8_t bytes[1024 + 2 * 1024];
	uint8_t *p = bytes + 1024;
	struct gen_reading r;
	struct clog2_msg m;
	struct clog2_rec rec = {.payload = bytes + 1024 + 16};
	size_t at;

	memset(bytes, 0, sizeof bytes);
	at = 1 + (size_t)sprintf((char *)bytes, "%s%cis_big_endian=%cTRUE %cblock_size=%c1024%cnum_buffered_blocks=%c128",
				 version, 0, 0, 0, 0, 0, 0);
	memset(bytes + at, 0xC3, 1024 - at); /* the first builds left junk here */
	p += old_head(p, 1, CLOG2_MSGEVT, 2);
	put_i32(p, -101);
	put_i32(p + 4, 77);
	put_i32(p + 8, 1);
	put_i32(p + 16, 4096);
	p += 24;
	for (int32_t type = CLOG2_STATEDEF; type < CLOG2_TYPES; type++) {
		old_head(p, type, type, 3);
		p += lengths[type - 2];
	}
	old_head(p, 20, CLOG2_ENDBLOCK, 0);
	p = bytes + 2048;
	p += old_head(p, 20, CLOG2_BAREEVT, 1) + 8;
	old_head(p, 1e8, CLOG2_ENDLOG, 0);
	r = gen_read(bytes, sizeof bytes);
	ok(r.code == ERR_OK && r.end == CLOG2_END_LOG && r.n == 12 && !r.breaks, "%s: read to its end", version);
	ok(r.file.finalized && r.file.header_size == 16 && !r.file.world_size && !r.notes.n, "%s: what the file says",
	   version);
	ok(r.n == 12 && r.list[0].rank == 2 && r.list[5].rank == 3 && r.list[5].length == 56 && r.list[11].time == 20,
	   "%s: headers", version);
	clog2_get_msg(&r.file, &rec, &m);
	ok(m.etype == -101 && m.tag == 77 && m.rank == 1 && m.size == 4096 && m.icomm == 0, "%s: a message", version);
	gen_reading_free(&r);
}

static void other_versions(void)
{
	static const char *const stamps[] = {"30", "40", "41"};
	struct clog2_write_options o = gen_clog2_options(40, true, true, 1024);
	struct gen_bytes b = gen_clog2_run(&o, 3, 20);

	for (size_t i = 0; i < 3; i++) {
		struct gen_reading r;

		memcpy(b.bytes + 8, stamps[i], 2);
		r = gen_read(b.bytes, b.size);
		ok(r.code == ERR_OK && r.n == 314 && r.end == CLOG2_END_LOG && !r.notes.n, "CLOG-02.%s is read", stamps[i]);
		gen_reading_free(&r);
	}
	free(b.bytes);
	o = gen_clog2_options(44, true, true, 1024);
	b = gen_clog2_run(&o, 3, 20);
	for (char digit = '2'; digit <= '4'; digit++) {
		struct gen_reading r;

		b.bytes[9] = (uint8_t)digit;
		r = gen_read(b.bytes, b.size);
		ok(r.code == ERR_OK && r.n == 314 && r.end == CLOG2_END_LOG && r.file.commtable && !r.notes.n,
		   "CLOG-02.4%c is read", digit);
		gen_reading_free(&r);
	}
	free(b.bytes);
	old_layout("CLOG-02.10");
	old_layout("CLOG-02.20");
}

/* ---- refusals ---- */

#define REFUSED(bytes, why) {bytes, sizeof(bytes) - 1, why}

static void refusals(void)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *why;
	} foreign[] = {
		REFUSED("CLOG-01.00", "CLOG version 1"),
		REFUSED("CLOG-02.00\0is_big_endian=", "02.00 trace, whose layout was never published"),
		REFUSED("CLOG-02.45\0is_big_endian=", "version \"CLOG-02.45\": pas2p reads CLOG-02.10 to 02.44"),
		REFUSED("CLOG-03.10\0is_big_endian=", "CLOG-03.10"),
		REFUSED("CLOG-02.4\x1B", "CLOG-02.4?"),
		REFUSED("\0\12SLOG 2.0.6", "SLOG2"),
		REFUSED("\x1F\x8B\x08\0", "gzip\nhint: decompress it first"),
		REFUSED("\xFD" "7zXZ\0", "xz\nhint: decompress it first"),
		REFUSED("\x28\xB5\x2F\xFD", "zstd\nhint: decompress it first"),
		REFUSED("BZh91AY", "bzip2\nhint: decompress it first"),
		REFUSED("\x7F" "ELF\2\1\1", "ELF program"),
		REFUSED("#Paraver (01/02/03 at 10:20):", "Paraver"),
		REFUSED("#!/bin/sh\n", "script"),
		REFUSED("version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
		REFUSED("rank,number\n0,1\n", "text file"),
		REFUSED("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "zeros"),
		REFUSED("\x01\x02\x03\x04\x80\x90", "01 02 03 04"),
		REFUSED("x", "text file"),
	};

	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
		struct gen_reading r = gen_read(foreign[i].bytes, foreign[i].n);

		ok(r.code == ERR_FORMAT && strstr(r.err.text, foreign[i].why), "\"%s\"", r.err.text);
		gen_reading_free(&r);
	}
}

/* ---- the preamble against the blocks ---- */

/* Replace a preamble value of n bytes (with its NUL) that follows a title. */
static void set_value(struct gen_bytes *b, const char *title, const char *value)
{
	char page[1024] = {0};
	char *at = memmem(b->bytes, 1024, title, strlen(title) + 1), *old;
	size_t before, n = strlen(value) + 1;

	if (!at)
		bail_out("no %s", title);
	old = at + strlen(title) + 1;
	before = (size_t)(old - (char *)b->bytes);
	memcpy(page, b->bytes, before);
	memcpy(page + before, value, n);
	memcpy(page + before + n, old + strlen(old) + 1, 1024 - before - n - strlen(old));
	memcpy(b->bytes, page, 1024);
}

static void false_preamble(const char *title, const char *value, bool finalized, bool noted, const char *what)
{
	struct clog2_write_options o = gen_clog2_options(44, finalized, finalized, 2000);
	struct gen_bytes b = gen_clog2_run(&o, 3, 60);
	struct gen_reading whole = gen_read(b.bytes, b.size), r;

	set_value(&b, title, value);
	r = gen_read(b.bytes, b.size);
	ok(r.code == ERR_OK && r.n == whole.n && r.end == CLOG2_END_LOG, "%s: all %zu records are read", what, whole.n);
	is_u64(r.notes.count[NOTE_BAD_PREAMBLE], noted, "%s: noted%s", what, noted ? "" : " where it matters");
	gen_reading_free(&whole);
	gen_reading_free(&r);
	free(b.bytes);
}

static void false_preambles(void)
{
	for (int finalized = 0; finalized < 2; finalized++) {
		false_preamble("block_size=", "65536", finalized, true, "a block size that is too large");
		false_preamble("block_size=", "2001", finalized, true, "a block size that is larger by one");
		false_preamble("block_size=", "1992", finalized, true, "a block size that is too small");
		false_preamble("block_size=", "0", finalized, true, "a block size of 0");
		false_preamble("block_size=", "1073741825", finalized, true, "a block size beyond the format's limit");
		false_preamble("block_size=", "-2000", finalized, true, "a negative block size");
		false_preamble("is_big_endian=", finalized ? "FALSE" : "TRUE ", finalized, true, "the other byte order");
		false_preamble("is_big_endian=", "TRUE", finalized, true, "a byte order without its blank");
		false_preamble("commtable_fptr=", "77", finalized, true, "a table far behind the end");
		false_preamble("max_comm_world_size=", "-3", finalized, true, "a negative world");
		false_preamble("num_buffered_blocks=", "x", finalized, false, "a field that nobody reads");
	}
	false_preamble("is_finalzed=", "TRUE", true, true, "a finalized flag without its blank");
	false_preamble("commtable_fptr=", "x", true, true, "a table at no number");
}

static void no_records(void)
{
	struct clog2_write_options o = gen_clog2_options(40, true, true, 1024);
	struct gen_bytes b = gen_clog2_run(&o, 3, 1);
	struct gen_reading r = gen_read(b.bytes, 1024);

	ok(r.code == ERR_DAMAGED && strstr(r.err.text, "no record"), "a preamble alone: \"%s\"", r.err.text);
	gen_reading_free(&r);
	r = gen_read(b.bytes, 700);
	ok(r.code == ERR_DAMAGED && strstr(r.err.text, "preamble"), "less than a preamble: \"%s\"", r.err.text);
	gen_reading_free(&r);
	free(b.bytes);
}

static void no_memory(void)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 1024);
	struct gen_bytes b = gen_clog2_run(&o, 3, 20);
	enum err_code code = ERR_MEMORY;
	long n = 0;

	while (code == ERR_MEMORY && n < 100) {
		struct gen_reading r;

		mem_fail_after(++n);
		r = gen_read(b.bytes, b.size);
		mem_fail_after(-1);
		code = r.code;
		gen_reading_free(&r);
	}
	is_int(code, ERR_OK, "with the n-th allocation failing, an error; with enough, none");
	ok(n > 2 && n < 20, "after %ld allocations", n);
	free(b.bytes);
}

int main(void)
{
	count_samples();
	byte_orders();
	known_states();
	other_versions();
	refusals();
	false_preambles();
	no_records();
	no_memory();
	return done_testing();
}

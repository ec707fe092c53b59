/* Compressed traces are the traces that they hold, damaged ones too: the same events, notes and figures with any number
 * of threads, and each pass over the records decompresses the file once.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/formats/runs.h"
#include "packed.h"
#include "tap.h"

static struct err err;

struct bytes {
	uint8_t *p;
	size_t n;
};

static struct bytes read_bytes(const char *path)
{
	struct bytes b = {NULL, 0};
	FILE *f = fopen(path, "rb");

	if (!f)
		bail_out("cannot open %s", path);
	fseek(f, 0, SEEK_END);
	b.n = (size_t)ftell(f);
	rewind(f);
	b.p = malloc(b.n + 1);
	if (fread(b.p, 1, b.n, f) != b.n)
		bail_out("cannot read %s", path);
	fclose(f);
	return b;
}

static bool same_column(const void *a, const void *b, size_t n, size_t size)
{
	return (!a && !b) || !n || !memcmp(a, b, n * size);
}

static bool same_notes(const struct notes *a, const struct notes *b)
{
	bool same = a->n == b->n && !memcmp(a->count, b->count, sizeof a->count);

	for (size_t i = 0; same && i < a->n; i++)
		same = a->list[i].kind == b->list[i].kind && a->list[i].offset == b->list[i].offset && a->list[i].block == b->list[i].block &&
		       a->list[i].process == b->list[i].process && !strcmp(a->list[i].text, b->list[i].text);
	return same;
}

static bool same_trace(const struct trace *a, const struct trace *b)
{
	uint32_t n = a->event_count;

	return n == b->event_count && a->process_count == b->process_count && a->record_count == b->record_count &&
	       a->comm_count == b->comm_count && a->coll_count == b->coll_count && a->damaged == b->damaged &&
	       !memcmp(a->first, b->first, (a->process_count + 1) * sizeof *a->first) && same_column(a->time, b->time, n, sizeof *a->time) &&
	       same_column(a->compute, b->compute, n, sizeof *a->compute) && same_column(a->type, b->type, n, sizeof *a->type) &&
	       same_column(a->size_code, b->size_code, n, sizeof *a->size_code) && same_notes(&a->notes, &b->notes);
}

struct loaded {
	struct trace *trace;
	enum err_code code;
	struct err err;
	uint64_t unpacked; /* the most of any */
};

static void load(struct loaded *l, const struct bytes *files, uint32_t count, enum packing packing, unsigned threads)
{
	struct source *sources = calloc(count, sizeof *sources);
	struct trace_options options = {.threads = threads};

	*l = (struct loaded){0};
	for (uint32_t i = 0; i < count; i++)
		if (source_open_memory(&sources[i], "a trace", files[i].p, files[i].n, &err) || source_unpack(&sources[i], packing, &err))
			bail_out("%s", err.text);
	l->code = trace_load_sources(&l->trace, sources, count, &options, NULL, &l->err);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t unpacked = source_unpacked(&sources[i]);

		l->unpacked = unpacked > l->unpacked ? unpacked : l->unpacked;
		source_release(&sources[i]);
	}
	free(sources);
}

static bool alike(const struct loaded *a, const struct loaded *b)
{
	if (a->code != b->code || !a->trace != !b->trace)
		return false;
	return a->trace ? same_trace(a->trace, b->trace) && (!a->code || !strcmp(a->err.text, b->err.text)) : true;
}

static void compare(const char *name, const struct bytes *files, uint32_t count)
{
	struct loaded plain, packed;

	load(&plain, files, count, PACKING_NONE, 1);
	for (unsigned k = 0; k < packed_kind_count; k++) {
		struct bytes *compressed = calloc(count, sizeof *compressed);
		bool same = true;

		for (uint32_t i = 0; i < count; i++)
			compressed[i].p = packed_bytes(packed_kinds[k], files[i].p, files[i].n, 1, &compressed[i].n);
		for (unsigned threads = 1; threads <= 8; threads += 7) {
			load(&packed, compressed, count, packed_kinds[k], threads);
			same = same && alike(&plain, &packed);
			trace_free(packed.trace);
		}
		ok(same, "%s, compressed with %s, is the same trace", name, packing_name(packed_kinds[k]));
		for (uint32_t i = 0; i < count; i++)
			free(compressed[i].p);
		free(compressed);
	}
	trace_free(plain.trace);
}

static void test_folder(const char *folder)
{
	struct dirent **list;
	int n = scandir(folder, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[600];
		struct bytes b;

		snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
		if (strstr(path, ".clog2") && (b = read_bytes(path)).n) {
			if (b.n < (size_t)3 << 20)
				compare(list[i]->d_name, &b, 1);
			free(b.p);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

/* Cut and spoilt at fixed places. */
static void test_damage(void)
{
	struct bytes whole = read_bytes("sample-traces/cg.S.4.clog2");
	static const size_t cuts[] = {11, 500, 1024, 1030, 1200, 66560, 66561, 200000, 327680};
	char name[80];

	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		struct bytes cut = {whole.p, cuts[i] < whole.n ? cuts[i] : whole.n};

		snprintf(name, sizeof name, "a trace of %zu bytes", cut.n);
		compare(name, &cut, 1);
	}
	for (size_t at = 12; at < 1024; at += 97) {
		struct bytes spoilt = {malloc(whole.n), whole.n};

		memcpy(spoilt.p, whole.p, whole.n);
		spoilt.p[at] ^= 2;
		snprintf(name, sizeof name, "a trace whose byte %zu is spoilt", at);
		compare(name, &spoilt, 1);
		free(spoilt.p);
	}
	for (size_t at = 1024; at < whole.n; at += whole.n / 7) {
		struct bytes spoilt = {malloc(whole.n), whole.n};

		memcpy(spoilt.p, whole.p, whole.n);
		memset(spoilt.p + at, 0, 24 < whole.n - at ? 24 : whole.n - at);
		snprintf(name, sizeof name, "a trace with zeros at byte %zu", at);
		compare(name, &spoilt, 1);
		free(spoilt.p);
	}
	free(whole.p);
}

/* A trace larger than what is kept of a compressed one: its blocks over and over, and the last one. */
static struct bytes large(uint32_t parts)
{
	struct bytes b = read_bytes("sample-traces/lu.S.4.clog2"), l;
	size_t size = 65536, blocks = (b.n - 1024) / size - 1, all = blocks * size;

	l.n = b.n + (parts - 1) * all;
	l.p = malloc(l.n);
	memcpy(l.p, b.p, 1024);
	for (uint32_t i = 0; i < parts; i++)
		memcpy(l.p + 1024 + i * all, b.p + 1024, all);
	memcpy(l.p + 1024 + parts * all, b.p + 1024 + all, b.n - 1024 - all);
	free(b.p);
	return l;
}

static void test_passes(void)
{
	struct bytes b = large(20), p;
	struct loaded plain, packed;

	load(&plain, &b, 1, PACKING_NONE, 1);
	for (unsigned k = 0; k < packed_kind_count; k++)
		for (unsigned threads = 1; threads <= 8; threads += 7) {
			p.p = packed_bytes(packed_kinds[k], b.p, b.n, 1, &p.n);
			load(&packed, &p, 1, packed_kinds[k], threads);
			ok(alike(&plain, &packed), "a trace of %zu MB, compressed with %s, is the same with %u threads", b.n >> 20,
			   packing_name(packed_kinds[k]), threads);
			is_u64(packed.unpacked, 2, "and is decompressed once for each pass");
			trace_free(packed.trace);
			free(p.p);
		}
	trace_free(plain.trace);
	free(b.p);
}

/* Which run files are of is asked of their beginnings. */
static void test_runs(void)
{
	static const char *const names[] = {"unfinalized.m240.abortme.rank0000.clog2", "cg.S.4.clog2", "unfinalized.m240.abortme.rank0002.clog2",
					    "lu.S.4.clog2"};
	enum { COUNT = sizeof names / sizeof *names };

	for (unsigned k = 0; k < packed_kind_count; k++) {
		struct source sources[COUNT];
		uint8_t *packed[COUNT];
		uint32_t run[COUNT], runs;

		for (unsigned i = 0; i < COUNT; i++) {
			char path[100];
			struct bytes b;
			size_t n;

			snprintf(path, sizeof path, "sample-traces/%s", names[i]);
			b = read_bytes(path);
			packed[i] = packed_bytes(packed_kinds[k], b.p, b.n, 1, &n);
			if (source_open_memory(&sources[i], names[i], packed[i], n, &err) || source_unpack(&sources[i], packed_kinds[k], &err))
				bail_out("%s", err.text);
			free(b.p);
		}
		ok(!runs_of_sources(sources, COUNT, run, &runs, &err) && runs == 3 && run[0] == 0 && run[1] == 1 && run[2] == 0 && run[3] == 2,
		   "%s: files of one run are found among others", packing_name(packed_kinds[k]));
		for (unsigned i = 0; i < COUNT; i++) {
			source_release(&sources[i]);
			free(packed[i]);
		}
	}
}

static void test_sets(void)
{
	struct bytes files[] = {read_bytes("sample-traces/unfinalized.m240.abortme.rank0000.clog2"),
				read_bytes("sample-traces/unfinalized.m240.abortme.rank0001.clog2"),
				read_bytes("sample-traces/unfinalized.m240.abortme.rank0002.clog2")};

	compare("a set of local files", files, 3);
	compare("a set with one missing", files + 1, 2);
	for (unsigned i = 0; i < 3; i++)
		free(files[i].p);
}

int main(void)
{
	test_runs();
	test_sets();
	test_folder("sample-traces");
	test_damage();
	test_passes();
	if (!packed_kind_count)
		skip(1, "nothing that compresses is in this build");
	return done_testing();
}

/* Several files may be several runs, and a run may be several files: whole (finalized) ones are a run each, local files
 * belong together where their MPI_COMM_WORLD is the same. Were files of different runs taken for one, loading would
 * refuse them; were one run's taken for several, its messages would lose their partners. What does not say which run it
 * is of goes with its neighbours.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/clog2/clog2.h"
#include "core/formats/runs.h"
#include "core/io/source.h"
#include "core/trace/notes.h"
#include "tap.h"

#define LOCAL "sample-traces/unfinalized.m240.abortme.rank000"
#define MOST 8

static const char *const whole = "sample-traces/cg.S.4.clog2", *const other = "sample-traces/ep.S.4.clog2";

/* A file in memory; where it has one, the identity of its world is changed: what another run would have written. */
struct bytes {
	char *bytes;
	size_t n;
	struct source source;
};

static void change_identity(struct bytes *b)
{
	struct notes notes;
	struct clog2_file file;
	struct clog2_block block;
	struct clog2_rec rec;
	struct clog2_comm comm;
	struct err e = {0};

	notes_init(&notes);
	clog2_block_init(&block);
	if (!clog2_open(&file, &b->source, &notes, &e) && !clog2_block_read(&file, 0, &block, &e))
		while (clog2_block_next(&block, &rec)) {
			if (rec.type != CLOG2_COMMEVT)
				continue;
			clog2_get_comm(&file, &rec, &comm);
			if (comm.etype == 0)
				b->bytes[rec.offset + file.header_size + 16 + 5] ^= 0x55;
		}
	clog2_block_release(&block);
	notes_release(&notes);
}

static void read_bytes(struct bytes *b, const char *path, bool changed)
{
	FILE *f = fopen(path, "rb");
	struct err e = {0};

	*b = (struct bytes){.bytes = mem_alloc(1 << 22, 1)};
	if (!f || !b->bytes)
		bail_out("cannot read %s", path);
	b->n = fread(b->bytes, 1, 1 << 22, f);
	fclose(f);
	if (source_open_memory(&b->source, path, b->bytes, b->n, &e))
		bail_out("%s", e.text);
	if (changed)
		change_identity(b);
}

/* Files as "0 of the first run, 0 of the second, ..."; a '*' before a path: of another run. */
static void check(const char *const *paths, uint32_t count, const char *want, const char *name)
{
	struct bytes bytes[MOST];
	struct source sources[MOST] = {{0}};
	uint32_t run[MOST], runs = 0;
	struct err e = {0};
	char got[64] = "";

	for (uint32_t i = 0; i < count; i++) {
		if (!*paths[i]) {
			bytes[i] = (struct bytes){.bytes = NULL};
			source_open_memory(&bytes[i].source, "empty", "", 0, &e);
		} else {
			read_bytes(&bytes[i], paths[i] + (*paths[i] == '*'), *paths[i] == '*');
		}
		sources[i] = bytes[i].source;
	}
	if (runs_of_sources(sources, count, run, &runs, &e))
		diag("%s", e.text);
	for (uint32_t i = 0; i < count; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%u", run[i]);
	snprintf(got + strlen(got), sizeof got - strlen(got), " of %u", runs);
	is_str(got, want, "%s", name);
	for (uint32_t i = 0; i < count; i++) {
		source_release(&bytes[i].source);
		mem_free(bytes[i].bytes);
	}
}

int main(void)
{
	const char *const two_whole[] = {whole, other, whole};
	const char *const one_set[] = {LOCAL "2.clog2", LOCAL "0.clog2", LOCAL "3.clog2"};
	const char *const two_sets[] = {LOCAL "0.clog2", "*" LOCAL "0.clog2", LOCAL "1.clog2", "*" LOCAL "1.clog2"};
	const char *const mixed[] = {whole, LOCAL "0.clog2", other, LOCAL "1.clog2"};
	const char *const empty_later[] = {LOCAL "0.clog2", "*" LOCAL "0.clog2", "", "*" LOCAL "1.clog2", LOCAL "1.clog2"};
	const char *const empty_first[] = {"", LOCAL "0.clog2", whole};
	const char *const missing[] = {whole, "sample-traces/no-such-file"};
	uint32_t run[2], runs;
	struct err e = {0};

	check(two_whole, 3, "012 of 3", "whole files are a run each, one given twice, too");
	check(one_set, 3, "000 of 1", "local files of one run are one");
	check(two_sets, 4, "0101 of 2", "those of two runs are two, however they are mixed");
	check(mixed, 4, "0121 of 3", "beside whole files");
	check(empty_later, 5, "01110 of 2", "an empty file goes with the local file before it");
	check(empty_first, 3, "001 of 2", "or with the first one");
	ok(runs_of_files(missing, 2, run, &runs, &e) == ERR_IO, "a file that is not there is an error");
	ok(strstr(e.text, "no-such-file") != NULL, "that names it");
	ok(!runs_of_files(two_whole, 2, run, &runs, &e) && runs == 2, "by their paths");

	/* Each allocation that fails is an error and leaves nothing. */
	for (long n = 0;; n++) {
		long live = mem_live();
		enum err_code code;

		mem_fail_after(n);
		code = runs_of_files(two_whole, 2, run, &runs, &e);
		mem_fail_after(-1);
		if (mem_live() != live || (code && code != ERR_MEMORY)) {
			ok(false, "allocation %ld: code %d, %ld kept", n, code, mem_live() - live);
			break;
		}
		if (!code) {
			ok(n > 0, "every allocation may fail");
			break;
		}
	}
	return done_testing();
}

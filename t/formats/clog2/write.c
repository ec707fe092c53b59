/* What the writer writes must be what MPE would: read back it gives the same records in every byte order and block
 * size, its blocks are filled by MPE's rule, and a real trace copied record by record comes out with the same
 * preamble, every record at the same place, and the same communicator table. */
#include "core/formats/clog2/clog2.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen_clog2.h"
#include "core/base/mem.h"
#include "tap.h"

#define RECORDS(processes, messages) (3 * (processes) + 5 * (processes) * (messages) + 5)

/* ---- sizes, orders, versions ---- */

static bool same_records(const struct gen_reading *a, const struct gen_reading *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct clog2_rec *x = &a->list[i], *y = &b->list[i];

		if (memcmp(&x->time, &y->time, sizeof x->time) || x->icomm != y->icomm || x->rank != y->rank ||
		    x->thread != y->thread || x->type != y->type || x->length != y->length || a->digest[i] != b->digest[i])
			return false;
	}
	return true;
}

/* Blocks whose fill is not as MPE's: the next record would have fitted, or the marker would not have. */
static unsigned misfilled(const struct gen_reading *r, uint32_t size, unsigned keep)
{
	unsigned wrong = 0;

	for (size_t i = 1; i < r->n; i++) {
		uint64_t at = r->list[i].offset - CLOG2_PREAMBLE;
		uint64_t before = r->list[i - 1].offset - CLOG2_PREAMBLE + r->list[i - 1].length;
		uint64_t used = before - before / size * size;

		wrong += used + keep >= size;
		if (at / size != before / size)
			wrong += at % size != 0 || used + r->list[i].length + keep < size;
		else
			wrong += at != before;
	}
	return wrong;
}

static void round_trip(int minor, bool big_endian, bool finalized)
{
	static const uint32_t sizes[] = {65536, 1024, 1000, 1001, 256};
	int32_t processes = finalized ? 3 : 1;
	struct gen_reading first = {.n = 0};
	char name[60];

	snprintf(name, sizeof name, "02.%d %s-endian %s", minor, big_endian ? "big" : "little",
		 finalized ? "finalized" : "local");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct clog2_write_options o = gen_clog2_options(minor, big_endian, finalized, sizes[i]);
		struct gen_bytes b = gen_clog2_run(&o, 3, 40);
		struct gen_reading r = gen_read(b.bytes, b.size);

		is_u64(r.n, RECORDS(processes, 40), "%s, blocks of %u: all records", name, sizes[i]);
		ok(r.file.minor == minor && r.file.big_endian == big_endian && r.file.finalized == finalized &&
		   r.file.block_size == sizes[i] && r.file.world_size == 3 && !r.notes.n, "%s: the preamble", name);
		ok(r.end == CLOG2_END_LOG && (!finalized || r.end_time == 1e8) && !r.breaks, "%s: the end", name);
		is_u64(b.size, r.file.commtable ? r.file.commtable + 4 + 40 * (size_t)(processes + 1) :
		       1024 + r.blocks * sizes[i], "%s: the file's size", name);
		ok((r.file.commtable != 0) == (minor == 44), "%s: a table in 02.44 alone", name);
		is_int(misfilled(&r, sizes[i], finalized ? 24 : 56), 0, "%s: blocks are filled by the rule", name);
		if (i == 0) {
			first = r;
		} else {
			ok(same_records(&first, &r), "%s: the same records in blocks of any size", name);
			gen_reading_free(&r);
		}
		free(b.bytes);
	}
	gen_reading_free(&first);
}

/* ---- fields ---- */

static void fields(bool big_endian)
{
	struct clog2_write_options o = gen_clog2_options(44, big_endian, true, 4096);
	struct clog2_head h = {-1.5, 3, 2, 1};
	struct clog2_statedef sd = {301, 700, 703, "a colour of 24 letters..", "a name that has exactly 32 bytes",
				    "n=%d"};
	struct clog2_eventdef ed = {5001, "white", "an event", "cpu=%E and a label that is far too lon"};
	struct clog2_constdef kd = {-201, -32766, "MPI_UNDEFINED"};
	struct clog2_msg m = {-102, 4, 5, 6, -7};
	struct clog2_comm c = {100, 2, 1, 7, {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 'h'}}};
	uint8_t cargo[32] = {1, [31] = 32};
	FILE *file = tmpfile();
	struct clog2_writer w;
	struct source s;
	struct clog2_file f;
	struct clog2_block b;
	struct clog2_rec r;
	struct notes notes;
	struct gen_bytes bytes;
	struct err e;

	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no writer");
	clog2_write_statedef(&w, h, &sd);
	clog2_write_eventdef(&w, h, &ed);
	clog2_write_constdef(&w, h, &kd);
	clog2_write_bare(&w, h, 160);
	clog2_write_cargo(&w, h, 5001, cargo);
	clog2_write_msg(&w, h, &m);
	clog2_write_comm(&w, h, &c);
	clog2_write_timeshift(&w, h, -0.0);
	is_int(clog2_writer_finish(&w, true, &e), ERR_OK, "one record of each kind");
	clog2_writer_release(&w);
	bytes = gen_slurp_fd(fileno(file));
	fclose(file);
	notes_init(&notes);
	clog2_block_init(&b);
	if (source_open_memory(&s, "bytes", bytes.bytes, bytes.size, NULL) || clog2_open(&f, &s, &notes, NULL) ||
	    clog2_block_read(&f, 0, &b, NULL))
		bail_out("not read back");

	ok(clog2_block_next(&b, &r) && r.type == CLOG2_STATEDEF && r.time == -1.5 && r.icomm == 3 && r.rank == 2 &&
	   r.thread == 1, "a header");
	clog2_get_statedef(&f, &r, &sd);
	ok(sd.state == 301 && sd.start == 700 && sd.final == 703, "a state's numbers");
	is_str(sd.color, "a colour of 24 letters.", "a colour is cut to 23 characters");
	is_str(sd.name, "a name that has exactly 32 byte", "a name to 31");
	is_str(sd.format, "n=%d", "a format");
	ok(clog2_block_next(&b, &r) && r.type == CLOG2_EVENTDEF, "an event");
	clog2_get_eventdef(&f, &r, &ed);
	ok(ed.etype == 5001 && !strcmp(ed.color, "white") && !strcmp(ed.name, "an event") && strlen(ed.format) == 38,
	   "its fields");
	ok(clog2_block_next(&b, &r) && r.type == CLOG2_CONSTDEF, "a constant");
	clog2_get_constdef(&f, &r, &kd);
	ok(kd.etype == -201 && kd.value == -32766 && !strcmp(kd.name, "MPI_UNDEFINED"), "its fields");
	ok(clog2_block_next(&b, &r) && r.type == CLOG2_BAREEVT && clog2_get_etype(&f, &r) == 160, "a bare event");
	ok(clog2_block_next(&b, &r) && r.type == CLOG2_CARGOEVT && clog2_get_etype(&f, &r) == 5001 &&
	   !memcmp(clog2_get_cargo(&r), cargo, 32), "a cargo is the same bytes in either order");
	ok(clog2_block_next(&b, &r) && r.type == CLOG2_MSGEVT, "a message");
	m = (struct clog2_msg){0};
	clog2_get_msg(&f, &r, &m);
	ok(m.etype == -102 && m.icomm == 4 && m.rank == 5 && m.tag == 6 && m.size == -7, "its fields");
	ok(clog2_block_next(&b, &r) && r.type == CLOG2_COMMEVT, "a communicator");
	clog2_get_comm(&f, &r, &c);
	ok(c.etype == 100 && c.icomm == 2 && c.rank == 1 && c.wrank == 7 && c.gid.bytes[0] == 1 && c.gid.bytes[11] == 12 &&
	   c.gid.bytes[12] == 'h', "its fields, the GID in one order");
	ok(clog2_block_next(&b, &r) && r.type == CLOG2_TIMESHIFT && 1 / clog2_get_timeshift(&f, &r) < 0, "a shift of -0.0");
	ok(!clog2_block_next(&b, &r) && b.end == CLOG2_END_LOG && !clog2_block_next(&b, &r), "the end, and it stays so");
	clog2_block_release(&b);
	source_release(&s);
	notes_release(&notes);
	free(bytes.bytes);
}

/* Tools that convert in one pass take the preamble's counts for the range of numbers that are in use before they are
 * defined, so gaps count too. */
static void counts(void)
{
	static const struct clog2_statedef states[] = {{.state = 307, .start = 614, .final = 615},
						       {.state = 302, .start = 604, .final = 605},
						       {.state = 80, .start = 160, .final = 161}};
	static const struct clog2_eventdef events[] = {{.etype = 5003}, {.etype = 5000}, {.etype = -10}};
	static const struct { const char *title, *value; } want[] = {{"user_stateID_count=", "8"},
								     {"user_solo_eventID_count=", "4"}};
	struct clog2_write_options o = gen_clog2_options(44, true, true, 1024);
	struct clog2_writer w;
	struct gen_bytes b;
	struct err e;
	FILE *file = tmpfile();

	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no writer");
	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		clog2_write_statedef(&w, (struct clog2_head){0, 0, 0, 0}, &states[i]);
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		clog2_write_eventdef(&w, (struct clog2_head){0, 0, 0, 0}, &events[i]);
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		const char *at = (const char *)b.bytes, *end = at + CLOG2_PREAMBLE;

		while (at < end && strcmp(at, want[i].title) != 0)
			at += strlen(at) + 1;
		is_str(at < end ? at + strlen(at) + 1 : "none", want[i].value, "%s reaches the highest number", want[i].title);
	}
	free(b.bytes);
}

/* ---- real traces ---- */

static void copy_record(struct clog2_writer *w, const struct clog2_file *f, const struct clog2_rec *r)
{
	struct clog2_head h = {r->time, r->icomm, r->rank, r->thread};
	struct clog2_statedef sd;
	struct clog2_eventdef ed;
	struct clog2_constdef kd;
	struct clog2_msg m;
	struct clog2_comm c;

	switch (r->type) {
	case CLOG2_STATEDEF:
		clog2_get_statedef(f, r, &sd);
		clog2_write_statedef(w, h, &sd);
		break;
	case CLOG2_EVENTDEF:
		clog2_get_eventdef(f, r, &ed);
		clog2_write_eventdef(w, h, &ed);
		break;
	case CLOG2_CONSTDEF:
		clog2_get_constdef(f, r, &kd);
		clog2_write_constdef(w, h, &kd);
		break;
	case CLOG2_BAREEVT:
		clog2_write_bare(w, h, clog2_get_etype(f, r));
		break;
	case CLOG2_CARGOEVT:
		clog2_write_cargo(w, h, clog2_get_etype(f, r), clog2_get_cargo(r));
		break;
	case CLOG2_MSGEVT:
		clog2_get_msg(f, r, &m);
		clog2_write_msg(w, h, &m);
		break;
	case CLOG2_COMMEVT:
		clog2_get_comm(f, r, &c);
		clog2_write_comm(w, h, &c);
		break;
	case CLOG2_TIMESHIFT:
		clog2_write_timeshift(w, h, clog2_get_timeshift(f, r));
		break;
	default:
		bail_out("a sample has a record of type %d", r->type);
	}
}

static struct gen_bytes copy(const struct gen_bytes *from)
{
	FILE *file = tmpfile();
	struct source s;
	struct clog2_file f;
	struct clog2_block b;
	struct clog2_rec r;
	struct clog2_writer w;
	struct notes notes;
	struct gen_bytes bytes;
	struct err e;

	notes_init(&notes);
	clog2_block_init(&b);
	if (source_open_memory(&s, "bytes", from->bytes, from->size, NULL) || clog2_open(&f, &s, &notes, NULL))
		bail_out("a sample cannot be opened");
	if (!file || clog2_writer_init(&w, fileno(file), &(struct clog2_write_options){f.minor, f.big_endian, f.finalized,
				       f.block_size, f.world_size, f.max_threads}, &e))
		bail_out("no writer");
	for (uint64_t k = 0; k < f.block_count && b.end != CLOG2_END_LOG; k++) {
		if (clog2_block_read(&f, k, &b, NULL))
			bail_out("a sample cannot be read");
		while (clog2_block_next(&b, &r))
			copy_record(&w, &f, &r);
	}
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	clog2_block_release(&b);
	source_release(&s);
	notes_release(&notes);
	bytes = gen_slurp_fd(fileno(file));
	fclose(file);
	return bytes;
}

static void copies(void)
{
	static const char *const names[] = {"anysrc.5", "coll.6.m246", "comms.6", "little_endian.comms.6", "nonblock.4",
					    "persist.4.m246", "userstates.3"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[100];
		struct gen_bytes a, b;
		struct gen_reading x, y;
		unsigned moved = 0;

		snprintf(path, sizeof path, "sample-traces/%s.clog2", names[i]);
		a = gen_slurp(path);
		b = copy(&a);
		x = gen_read(a.bytes, a.size);
		y = gen_read(b.bytes, b.size);
		is_mem(b.bytes, a.bytes, 1024, "%s copied: the preamble is MPE's, byte for byte", names[i]);
		is_u64(b.size, a.size, "%s copied: the file's size", names[i]);
		for (size_t k = 0; k < x.n && k < y.n; k++)
			moved += x.list[k].offset != y.list[k].offset || x.list[k].type != y.list[k].type ||
				 memcmp(&x.list[k].time, &y.list[k].time, 8);
		ok(x.n == y.n && !moved && x.end_offset == y.end_offset, "%s copied: every record at its place", names[i]);
		if (x.file.commtable)
			is_mem(b.bytes + x.file.commtable, a.bytes + x.file.commtable, a.size - x.file.commtable,
			       "%s copied: the communicator table is MPE's", names[i]);
		gen_reading_free(&x);
		gen_reading_free(&y);
		free(a.bytes);
		free(b.bytes);
	}
}

/* The table as a list that is kept in order. */
struct naive_table {
	struct clog2_commentry list[2000];
	size_t n, of_rank_0;
};

static void tell_naive(struct naive_table *t, const struct clog2_comm *c)
{
	int32_t kind = c->wrank ? -1 : c->etype == 1000 ? 0 : c->etype == 101 ? 2 : c->etype == 102 ? 3 : 1;
	size_t at = t->n;

	for (size_t i = 0; i < t->n; i++)
		if (t->list[i].icomm == c->icomm && !memcmp(&t->list[i].gid, &c->gid, sizeof c->gid)) {
			if (kind == -1 || t->list[i].kind == kind)
				return;
			at = t->list[i].kind == -1 ? i : at;
		}
	if (at < t->n)
		memmove(t->list + at, t->list + at + 1, (t->n - at - 1) * sizeof *t->list);
	else
		t->n++;
	at = kind == -1 ? t->of_rank_0 : t->of_rank_0++;
	while (kind == -1 && at + 1 < t->n && t->list[at].icomm <= c->icomm)
		at++;
	memmove(t->list + at + 1, t->list + at, (t->n - 1 - at) * sizeof *t->list);
	t->list[at] = (struct clog2_commentry){c->gid, c->icomm, kind};
}

static void table_of_many(uint64_t seed)
{
	static const int32_t etypes[] = {100, 100, 1, 1000, 101, 102};
	struct clog2_write_options o = gen_clog2_options(44, seed % 2, true, 4096);
	static struct naive_table want;
	struct clog2_commentry *list = NULL;
	uint32_t count = 0, same = 0;
	FILE *file = tmpfile();
	struct clog2_writer w;
	struct clog2_file f;
	struct source s;
	struct notes notes;
	struct gen_bytes b;
	struct err e;

	want.n = want.of_rank_0 = 0;
	notes_init(&notes);
	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no writer");
	for (int i = 0; i < 2000; i++) {
		struct clog2_comm c = {.rank = 0};
		uint32_t drawn;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		drawn = (uint32_t)(seed >> 32);
		c.etype = etypes[drawn % 6];
		c.wrank = (int32_t)(drawn >> 4 & 3);
		c.icomm = (int32_t)((drawn >> 8) % 400 + 1);
		c.gid.bytes[3] = (uint8_t)(c.icomm * 7);
		c.gid.bytes[20] = drawn >> 28 & 1;
		clog2_write_comm(&w, (struct clog2_head){0, c.icomm, c.wrank, 0}, &c);
		tell_naive(&want, &c);
	}
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	if (source_open_memory(&s, "bytes", b.bytes, b.size, NULL) || clog2_open(&f, &s, &notes, NULL) ||
	    clog2_commtable(&f, &list, &count, NULL))
		bail_out("the table is not read back");
	is_u64(count, want.n, "a table of many: as long as a list");
	for (uint32_t i = 0; i < count && i < want.n; i++)
		same += list[i].icomm == want.list[i].icomm && list[i].kind == want.list[i].kind &&
			!memcmp(&list[i].gid, &want.list[i].gid, sizeof list[i].gid);
	is_u64(same, want.n, "and the same, in the same order");
	mem_free(list);
	source_release(&s);
	notes_release(&notes);
	free(b.bytes);
}

/* Rank 0's communicators come first, in its order and with their kind, also those that others logged earlier. */
static void table_order(void)
{
	static const struct clog2_comm events[] = {
		{1, 2, 0, 1, {{2}}}, {100, 3, 1, 1, {{3}}}, {0, 0, 0, 0, {{9}}}, {1, 1, 0, 0, {{1}}}, {100, 3, 0, 0, {{3}}},
		{100, CLOG2_NULL_COMM, -1, -1, {{0}}}, {1000, 4, 0, 0, {{4}}}, {101, 3, 0, 0, {{3}}}, {102, 5, -1, 0, {{5}}},
		{100, 5, 0, 1, {{5}}},
	};
	static const struct { uint8_t gid; int32_t icomm, kind; } want[] = {
		{9, 0, 1}, {1, 1, 1}, {3, 3, 1}, {4, 4, 0}, {3, 3, 2}, {5, 5, 3}, {2, 2, -1},
	};
	struct clog2_write_options o = gen_clog2_options(44, false, true, 1024);
	struct clog2_commentry *list = NULL;
	struct clog2_writer w;
	struct clog2_file f;
	struct source s;
	struct notes notes;
	struct gen_bytes b;
	struct err e;
	FILE *file = tmpfile();
	uint32_t n = 0;
	unsigned wrong = 0;

	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no writer");
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		clog2_write_comm(&w, (struct clog2_head){(double)i, 0, 0, 0}, &events[i]);
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	notes_init(&notes);
	if (source_open_memory(&s, "bytes", b.bytes, b.size, NULL) || clog2_open(&f, &s, &notes, NULL))
		bail_out("not read back");
	is_int(clog2_commtable(&f, &list, &n, &e), ERR_OK, "a table is read");
	is_u64(n, 7, "its entries");
	for (uint32_t i = 0; i < n && i < 7; i++)
		wrong += list[i].gid.bytes[0] != want[i].gid || list[i].icomm != want[i].icomm || list[i].kind != want[i].kind;
	is_int(wrong, 0, "rank 0's first, then the others'");
	mem_free(list);
	source_release(&s);
	notes_release(&notes);
	free(b.bytes);
}

/* ---- ends and errors ---- */

static void as_a_crash_leaves_it(void)
{
	struct clog2_write_options o = gen_clog2_options(44, false, false, 1024);
	struct clog2_writer w;
	struct gen_bytes b;
	struct gen_reading r;
	struct err e;
	FILE *file = tmpfile();

	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no writer");
	for (int i = 0; i < 100; i++)
		clog2_write_bare(&w, (struct clog2_head){i, 0, 0, 0}, 160);
	is_int(clog2_writer_finish(&w, false, &e), ERR_OK, "a log is left open");
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	r = gen_read(b.bytes, b.size);
	ok(b.size == 1024 + 3 * 1024 && r.n == 90, "only whole blocks are there: %zu bytes, %zu records", b.size, r.n);
	ok(r.code == ERR_OK && r.end == CLOG2_END_BLOCK && !r.file.commtable, "no end of log, no table");
	gen_reading_free(&r);
	free(b.bytes);
}

static void errors(void)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 1024);
	struct clog2_writer w;
	struct err e;
	int full = open("/dev/full", O_WRONLY), pipes[2];
	FILE *file = tmpfile();
	uint8_t page[1024];

	o.minor = 20;
	ok(clog2_writer_init(&w, fileno(file), &o, &e) == ERR_USAGE && strstr(e.text, "02.20"), "\"%s\"", e.text);
	o.minor = 44;
	o.block_size = 255;
	ok(clog2_writer_init(&w, fileno(file), &o, &e) == ERR_USAGE && strstr(e.text, "255"), "\"%s\"", e.text);
	o.block_size = 1024;
	if (full < 0)
		skip(1, "no /dev/full");
	else
		ok(clog2_writer_init(&w, full, &o, &e) == ERR_IO && strstr(e.text, "the disk is full"), "\"%s\"", e.text);
	close(full);
	if (pipe(pipes))
		bail_out("no pipe");
	ok(clog2_writer_init(&w, pipes[1], &o, &e) == ERR_IO, "a pipe cannot be written at an offset: \"%s\"", e.text);
	close(pipes[0]);
	close(pipes[1]);
	mem_fail_after(0);
	is_int(clog2_writer_init(&w, fileno(file), &o, &e), ERR_MEMORY, "no memory for a block");
	mem_fail_after(-1);

	if (clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("%s", e.text);
	mem_fail_after(0);
	clog2_write_comm(&w, (struct clog2_head){0, 0, 0, 0}, &(struct clog2_comm){.etype = 0});
	mem_fail_after(-1);
	for (int i = 0; i < 1000; i++)
		clog2_write_bare(&w, (struct clog2_head){i, 0, 0, 0}, 160);
	is_int(clog2_writer_finish(&w, true, &e), ERR_MEMORY, "the first error stays");
	clog2_writer_release(&w);
	is_int(pread(fileno(file), page, sizeof page, 1024), 0, "and nothing is written behind it");
	fclose(file);
}

static void packing(void)
{
	uint8_t b[8];

	ok(clog2_pack_i32(b, -2) == 4 && !memcmp(b, "\xFF\xFF\xFF\xFE", 4), "an int is packed big-endian");
	ok(clog2_pack_i64(b, 258) == 8 && !memcmp(b, "\0\0\0\0\0\0\1\2", 8), "a long as well");
	ok(clog2_pack_f64(b, -2) == 8 && !memcmp(b, "\xC0\0\0\0\0\0\0\0", 8), "a double as well");
}

int main(void)
{
	for (int i = 0; i < 8; i++)
		round_trip(i & 1 ? 44 : 40, i & 2, i & 4);
	fields(true);
	fields(false);
	counts();
	copies();
	table_order();
	for (uint64_t seed = 0; seed < 20; seed++)
		table_of_many(seed);
	as_a_crash_leaves_it();
	errors();
	packing();
	return done_testing();
}

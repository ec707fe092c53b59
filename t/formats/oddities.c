/* Traces lie: clocks that are no numbers or step back, messages without their other end, ranks and communicators that
 * do not exist, members that disagree, cycles, blocks that are lost, doubled, out of order or zero. Each is analysed as
 * far as it goes or refused, and a note says what and where; and a file that is cut, grown, replaced or removed while
 * it is being read gives what was read and a sentence. None of it crashes, hangs, or goes by in silence.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/method/analysis/analysis.h"
#include "gen_run.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "tap.h"

#define BLOCK 1024u

static struct trace *load(const struct gen_bytes *b, enum err_code *code, struct err *e)
{
	struct source s;
	struct trace *t = NULL;

	*e = (struct err){0};
	source_open_memory(&s, "odd.clog2", b->bytes, b->size, NULL);
	*code = trace_load_sources(&t, &s, 1, NULL, NULL, e);
	source_release(&s);
	return t;
}

/* With both orders and similarities; the notes of the last one's order through *broken. */
static bool analysable(const struct trace *t, uint64_t *broken)
{
	struct settings s;
	struct err e;
	bool all = true;

	settings_init(&s);
	for (int k = 0; k < 4 && all; k++) {
		struct analysis *a = NULL;

		s.order = k & 1 ? ORDER_LAMPORT : ORDER_PAS2P;
		s.similarity = k & 2 ? SIMILARITY_BBP : SIMILARITY_PHASE;
		all = analysis_new(&a, t, &s, NULL, ANALYSIS_BBPS | ANALYSIS_PHASES, NULL, &e) == ERR_OK &&
		      a->figures->coverage >= 0;
		if (a)
			*broken = a->logical->notes.count[NOTE_BROKEN_RELATION];
		analysis_unref(a);
	}
	return all;
}

static const struct note *find_note(const struct trace *t, enum note_kind kind, const char *part)
{
	for (size_t i = 0; i < t->notes.n; i++)
		if (t->notes.list[i].kind == kind && strstr(t->notes.list[i].text, part))
			return &t->notes.list[i];
	for (size_t i = 0; i < t->notes.n; i++)
		diag("%s: %s", note_name(t->notes.list[i].kind), t->notes.list[i].text);
	return NULL;
}

static void faults(void)
{
	static const struct {
		enum gen_fault fault;
		const char *what;
		enum note_kind kind;
		const char *part;
		bool damage, placed;
		uint64_t lost_sends, lost_receives, broken;
	} list[] = {
		{GEN_TIME_NAN, "a time that is no number", NOTE_BAD_TIME, "rank 1 has a record at time nan", false, true, 0, 0, 0},
		{GEN_TIME_HUGE, "a time of 1e300", NOTE_BAD_TIME, "rank 1 has a record at time 1e+300", false, true, 0, 0, 0},
		{GEN_TIME_BACK, "a clock that steps back", NOTE_TIME_BACKWARD, "the clock of rank 1 steps back by", false, true, 0, 0, 0},
		{GEN_LOSES_SEND, "a send that was not logged", NOTE_LOST_RECEIVE, "type <1, tag 5, time ", false, false, 0, 1, 0},
		{GEN_LOSES_RECEIVE, "a receive that was not logged", NOTE_LOST_SEND, "type >1, tag 5, time ", false, false, 1, 0, 0},
		{GEN_WRONG_SIZE, "a size that differs at the other end", NOTE_REPAIRED_KEY, "from rank 1 to rank 2 with tag 5", false, false,
		 1, 1, 0},
		{GEN_WRONG_PARTNER, "a partner that does not exist", NOTE_BAD_PARTNER, "rank 999 of communicator 0", false, true, 2, 2, 0},
		{GEN_WRONG_RANK, "a rank that does not exist", NOTE_UNKNOWN_PROCESS, "rank 777 of communicator 0", true, true, 1, 1, 0},
		{GEN_UNKNOWN_COMM, "a communicator that does not exist", NOTE_UNKNOWN_PROCESS, "of communicator 4242", true, true, 1, 1, 0},
		{GEN_CYCLE, "a cycle", NOTE_RECEIVE_EARLY, "receives from rank", false, false, 0, 0, 1},
		{GEN_NO_END, "a call without its end", NOTE_UNPAIRED_STATE, "rank 1 begins MPI_Send but never ends it", false, false, 0, 0, 0},
		{GEN_WRONG_COLLECTIVE, "a collective that the others do not make", NOTE_COLLECTIVE_MISMATCH, "disagree on the operation",
		 false, false, 0, 0, 0},
		{GEN_SILENT, "a process that is silent for a while", NOTE_LOST_SEND, "type >", false, false, 2, 2, 0},
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct gen_run r = {.processes = 4, .rounds = 9, .at = 1, .fault = list[i].fault, .id = 9};
		struct gen_bytes b = gen_run_finalized(&r);
		const struct note *note;
		struct err e;
		enum err_code code;
		struct trace *t = load(&b, &code, &e);
		uint64_t broken = 0;

		is_int(code, list[i].damage ? ERR_DAMAGED : ERR_OK, "%s: %s", list[i].what, list[i].damage ? e.text : "a warning");
		if (ok(t != NULL, "%s: analysed", list[i].what)) {
			note = find_note(t, list[i].kind, list[i].part);
			ok(note != NULL, "%s: said", list[i].what);
			ok(note && (strncmp(list[i].part, "type ", 5) || (note->process >= 0 && note->event >= 0)),
			   "%s: with its event, where it has one", list[i].what);
			ok(note && (!list[i].placed || (note->offset > 0 && note->block >= 0)), "%s: with its place", list[i].what);
			ok(t->lost_sends == list[i].lost_sends && t->lost_receives == list[i].lost_receives,
			   "%s: %llu sends and %llu receives are lost", list[i].what, (unsigned long long)t->lost_sends,
			   (unsigned long long)t->lost_receives);
			ok(analysable(t, &broken), "%s: has its phases", list[i].what);
			/* After a lost message the rest of its channel is paired one off, which can make a cycle, too. */
			ok(broken >= list[i].broken && (broken == 0 || t->lost_sends + t->lost_receives || list[i].broken),
			   "%s: cut relations are told", list[i].what);
		}
		trace_free(t);
		free(b.bytes);
	}
}

/* ---- blocks ---- */

static void block_test(const char *what, const struct gen_bytes *b, enum note_kind kind, const char *part, uint32_t whole)
{
	struct err e;
	enum err_code code;
	struct trace *t = load(b, &code, &e);
	uint64_t broken;

	ok(code == ERR_DAMAGED && strstr(e.text, "odd.clog2 is damaged: "), "%s: damage: %s", what, e.text);
	if (ok(t != NULL, "%s: analysed", what)) {
		const struct note *n = find_note(t, kind, part);

		ok(n && n->block >= 0 && n->offset >= 1024, "%s: said, with its place", what);
		ok(t->event_count > whole / 8 && t->event_count != whole, "%s: %u of %u events", what, t->event_count, whole);
		ok(analysable(t, &broken), "%s: has its phases", what);
	}
	trace_free(t);
}

static void blocks(void)
{
	struct gen_run r = {.processes = 4, .rounds = 20, .id = 9};
	struct gen_bytes b = gen_run_finalized(&r), c = {malloc(b.size + BLOCK), b.size};
	struct err e;
	enum err_code code;
	struct trace *t = load(&b, &code, &e);
	uint32_t whole = t->event_count;
	size_t at = 1024 + 9 * BLOCK, behind = b.size - at;
	uint8_t keep[BLOCK];

	is_int(code, ERR_OK, "the whole file is clean");
	trace_free(t);
	memcpy(c.bytes, b.bytes, b.size);
	memmove(c.bytes + at, c.bytes + at + BLOCK, behind - BLOCK);
	c.size = b.size - BLOCK;
	block_test("a lost block", &c, NOTE_BAD_BLOCK, "block 9 does not begin with the record that block 8 announces", whole);
	memcpy(c.bytes, b.bytes, at);
	memcpy(c.bytes + at, b.bytes + at - BLOCK, BLOCK);
	memcpy(c.bytes + at + BLOCK, b.bytes + at, behind);
	c.size = b.size + BLOCK;
	block_test("a doubled block", &c, NOTE_BAD_BLOCK, "block 9 does not begin", whole);
	memcpy(c.bytes, b.bytes, b.size);
	memcpy(keep, c.bytes + at, BLOCK);
	memcpy(c.bytes + at, c.bytes + at + BLOCK, BLOCK);
	memcpy(c.bytes + at + BLOCK, keep, BLOCK);
	c.size = b.size;
	t = load(&c, &code, &e);
	ok(t && code == ERR_DAMAGED && find_note(t, NOTE_BAD_BLOCK, "block 9 does not begin"), "blocks out of order: %s", e.text);
	trace_free(t);
	memcpy(c.bytes, b.bytes, b.size);
	memset(c.bytes + at, 0, behind);
	block_test("a tail of zeros", &c, NOTE_BAD_RECORD, "zeros instead of a record", whole);
	c.size = at + 300;
	memcpy(c.bytes, b.bytes, b.size);
	block_test("a cut tail", &c, NOTE_TRUNCATED, "the file ends inside a record", whole);
	c.size = at;
	block_test("a tail cut between blocks", &c, NOTE_TRUNCATED, "the file ends after block 8", whole);
	free(b.bytes);
	free(c.bytes);
}

/* ---- states ---- */

static struct gen_bytes write_states(void (*content)(struct clog2_writer *w))
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 65536);
	FILE *file = tmpfile();
	struct clog2_writer w;
	struct gen_bytes b;
	struct err e;

	o.world_size = 2;
	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("a test's trace cannot be written");
	for (int32_t p = 0; p < 2; p++) {
		struct clog2_head h = {0, 0, p, 0};
		struct clog2_comm world = {.rank = p, .wrank = p, .gid = {{1}}};

		clog2_write_comm(&w, h, &world);
	}
	content(&w);
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	return b;
}

#define DEEP 40000

static void deep_content(struct clog2_writer *w)
{
	for (int i = 0; i < 2 * DEEP; i++) {
		struct clog2_head h = {i * 1e-6, 0, 0, 0};

		clog2_write_bare(w, h, i < DEEP ? 600 : 603);
	}
}

/* Three definitions of one operation, and each rank uses another one. */
static void same_content(struct clog2_writer *w)
{
	for (int32_t k = 0; k < 3; k++) {
		struct clog2_statedef d = {300 + k, 600 + 2 * k, 601 + 2 * k, "white", "MPI_Iallreduce", ""};
		struct clog2_head h = {0, 0, 0, 0};

		clog2_write_statedef(w, h, &d);
	}
	for (int32_t p = 0; p < 2; p++) {
		struct clog2_head h = {1 + p, 0, p, 0};

		clog2_write_bare(w, h, 602 + 2 * p);
		h.time += 0.5;
		clog2_write_bare(w, h, 603 + 2 * p);
	}
}

static void states(void)
{
	struct gen_bytes b = write_states(deep_content);
	struct err e;
	enum err_code code;
	struct trace *t = load(&b, &code, &e);

	is_int(code, ERR_OK, "starts without ends, and ends without starts: read");
	is_u64(t ? t->notes.count[NOTE_UNPAIRED_STATE] : 0, DEEP + 1, "each end is noted, and the open ones of the process");
	trace_free(t);
	free(b.bytes);
	b = write_states(same_content);
	t = load(&b, &code, &e);
	if (ok(t && t->collective_count == 2, "an operation with three definitions makes its events")) {
		is_int(t->coll_count, 1, "of one type");
		ok(t->match[0] == 1 && t->match[1] == 0, "which belong together");
	}
	trace_free(t);
	free(b.bytes);
}

/* ---- while it is read ---- */

static char path[] = "/tmp/pas2p-odd-XXXXXX", other[64];
static enum { CUT, EMPTIED, GROWN, REPLACED, REMOVED } change;
static bool changed;

static void change_file(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	int fd;

	(void)arg;
	(void)done;
	(void)total;
	if (changed || stage != PROGRESS_READ)
		return;
	changed = true;
	fd = open(path, O_WRONLY | O_APPEND);
	if (change == CUT || change == EMPTIED) {
		if (ftruncate(fd, change == CUT ? 20000 : 0))
			diag("the file cannot be cut");
	} else if (change == GROWN) {
		if (write(fd, "more", 4) != 4)
			diag("the file cannot grow");
	} else if (change == REPLACED) {
		if (rename(other, path))
			diag("the file cannot be replaced");
	} else {
		unlink(path);
	}
	close(fd);
}

static void put(const char *name, const struct gen_bytes *b)
{
	FILE *f = fopen(name, "w");

	if (!f || fwrite(b->bytes, 1, b->size, f) != b->size || fclose(f))
		bail_out("%s cannot be written", name);
}

static void while_read(void)
{
	static const struct {
		int change;
		const char *what, *part;
	} list[] = {{CUT, "cut", "shrunk"}, {EMPTIED, "emptied", "shrunk"}, {GROWN, "grown", "grown"},
		    {REPLACED, "replaced", "replaced by another"}, {REMOVED, "removed", "removed"}};
	struct gen_run r = {.processes = 4, .rounds = 400, .id = 9};
	struct gen_bytes b = gen_run_finalized(&r);
	const char *paths[] = {path};
	int fd = mkstemp(path);

	close(fd);
	snprintf(other, sizeof other, "%s.other", path);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct trace_options o = {.threads = 1};
		struct progress progress = {.report = change_file};
		struct trace *t = NULL;
		struct err e = {0};
		uint64_t broken;
		enum err_code code;

		put(path, &b);
		put(other, &b);
		change = (int)list[i].change;
		changed = false;
		code = trace_load(&t, paths, 1, &o, &progress, &e);
		ok(changed, "%s while it is read", list[i].what);
		is_int(code, ERR_DAMAGED, "%s: damage: %s", list[i].what, e.text);
		if (ok(t != NULL, "%s: what was read is kept", list[i].what)) {
			ok(find_note(t, NOTE_FILE_CHANGED, list[i].part), "%s: said", list[i].what);
			ok(analysable(t, &broken), "%s: analysed", list[i].what);
		}
		trace_free(t);
	}
	unlink(path);
	unlink(other);
	free(b.bytes);
}

int main(void)
{
	faults();
	blocks();
	states();
	while_read();
	return done_testing();
}

/* A program that crashed leaves the local files of its processes. Opened together they are the run that MPE would have
 * merged: the same events, relations, times, ticks and phases, whatever the byte order, the clocks' shifts and the
 * order in which the files are given, over split communicators and intercommunicators too. What is missing (a file, the
 * end of one, the beginning of one) is said and costs only that part; what cannot belong together is refused in a
 * sentence.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "gen_run.h"
#include "core/formats/api/load.h"
#include "core/base/mem.h"
#include "core/io/source.h"
#include "tap.h"

#define FILES 8

struct set {
	struct gen_bytes bytes[FILES];
	struct source sources[FILES];
	uint32_t count;
};

static void set_add(struct set *s, const char *name, struct gen_bytes b)
{
	s->bytes[s->count] = b;
	source_open_memory(&s->sources[s->count++], name, b.bytes, b.size, NULL);
}

static const char *const names[FILES] = {"run.rank0.clog2", "run.rank1.clog2", "run.rank2.clog2", "run.rank3.clog2",
					 "run.rank4.clog2", "run.rank5.clog2", "run.rank6.clog2", "run.rank7.clog2"};

static struct set local_files(const struct gen_run *r)
{
	struct set s = {.count = 0};

	for (int32_t p = 0; p < r->processes; p++)
		set_add(&s, names[p], gen_run_local(r, p));
	return s;
}

static struct trace *set_load(const struct set *s, enum err_code *code, struct err *e)
{
	struct trace *t = NULL;

	*e = (struct err){0};
	*code = trace_load_sources(&t, s->sources, s->count, NULL, NULL, e);
	return t;
}

static void set_release(struct set *s)
{
	while (s->count) {
		source_release(&s->sources[--s->count]);
		free(s->bytes[s->count].bytes);
	}
}

static struct trace *load_whole(const struct gen_run *r)
{
	struct set s = {.count = 0};
	struct trace *t;
	struct err e;
	enum err_code code;

	set_add(&s, "run.clog2", gen_run_finalized(r));
	t = set_load(&s, &code, &e);
	if (code || !t)
		bail_out("the finalized run is not clean: %s", e.text);
	set_release(&s);
	return t;
}

static struct analysis *analyse(const struct trace *t, enum similarity similarity)
{
	struct settings s;
	struct analysis *a;
	struct err e;

	settings_init(&s);
	s.similarity = similarity;
	if (analysis_new(&a, t, &s, NULL, ANALYSIS_BBPS | ANALYSIS_PHASES, NULL, &e))
		bail_out("%s", e.text);
	return a;
}

static bool same_events(const struct trace *a, const struct trace *b)
{
	if (a->process_count != b->process_count || a->event_count != b->event_count || a->start != b->start || a->end != b->end)
		return false;
	for (uint32_t i = 0; i < a->event_count; i++) {
		bool collective = EVENT_KIND(a->type[i]) == EVENT_COLLECTIVE;

		if (a->time[i] != b->time[i] || memcmp(&a->compute[i], &b->compute[i], sizeof *a->compute) != 0 || trace_size(a, i) != trace_size(b, i) ||
		    trace_tag(a, i) != trace_tag(b, i) || EVENT_KIND(a->type[i]) != EVENT_KIND(b->type[i]))
			return false;
		if (collective ? strcmp(a->colls[EVENT_INDEX(a->type[i])].op, b->colls[EVENT_INDEX(b->type[i])].op) != 0
			       : a->type[i] != b->type[i] || a->match[i] != b->match[i])
			return false;
	}
	return memcmp(a->first, b->first, (a->process_count + 1) * sizeof *a->first) == 0;
}

static bool same_phases(const struct trace *t, const struct trace *u, enum similarity similarity)
{
	struct analysis *a = analyse(t, similarity), *b = analyse(u, similarity);
	bool same = a->phases->count == b->phases->count && a->phases->occurrence_count == b->phases->occurrence_count &&
		    a->logical->tick_count == b->logical->tick_count && a->figures->pet == b->figures->pet &&
		    a->figures->coverage == b->figures->coverage && a->phases->count > 1;

	for (uint32_t i = 0; same && i < a->phases->count; i++)
		same = a->phases->list[i].weight == b->phases->list[i].weight &&
		       a->phases->list[i].ticks == b->phases->list[i].ticks &&
		       a->figures->phase[i].time == b->figures->phase[i].time;
	for (uint32_t i = 0; same && i < a->phases->occurrence_count; i++)
		same = a->phases->occurrences[i].phase == b->phases->occurrences[i].phase &&
		       a->phases->occurrences[i].first == b->phases->occurrences[i].first;
	analysis_unref(a);
	analysis_unref(b);
	return same;
}

static void is_the_same(const struct trace *whole, const struct trace *t, const char *what)
{
	if (!ok(t != NULL, "%s: loaded", what))
		return;
	is_u64(t->lost_sends + t->lost_receives, 0, "%s: no message is lost", what);
	ok(same_events(whole, t), "%s: the same events", what);
	ok(same_phases(whole, t, SIMILARITY_PHASE), "%s: the same phases", what);
	ok(same_phases(whole, t, SIMILARITY_BBP), "%s: the same phases from blocks", what);
	is_u64(notes_total(&t->notes, NOTE_DAMAGE), 0, "%s: no damage", what);
	is_u64(notes_total(&t->notes, NOTE_WARNING), t->file_count, "%s: one warning a file", what);
}

/* The files of a run in the order of the digits. */
static void in_order(const struct gen_run *r, const struct trace *whole, const char *order)
{
	struct set s = {.count = 0};
	struct trace *t;
	struct err e;
	enum err_code code;
	char what[80];

	for (const char *p = order; *p; p++)
		set_add(&s, names[*p - '0'], gen_run_local(r, *p - '0'));
	t = set_load(&s, &code, &e);
	snprintf(what, sizeof what, "02.%d, %s-endian, files %s", r->minor ? r->minor : 44, r->big_endian ? "big" : "little", order);
	is_the_same(whole, t, what);
	trace_free(t);
	set_release(&s);
}

static void as_merged(void)
{
	struct gen_run r = {.processes = 6, .rounds = 12, .id = 1};
	struct trace *whole = load_whole(&r);

	is_u64(whole->send_count, 6 * 12 * 2, "the finalized run has its sends");
	is_u64(whole->lost_sends + whole->lost_receives, 0, "all of them are received");
	is_u64(whole->collective_count, 6 * 12 * 2, "and its collectives");
	is_u64(notes_total(&whole->notes, NOTE_WARNING) + notes_total(&whole->notes, NOTE_DAMAGE), 0, "and nothing odd");
	in_order(&r, whole, "012345");
	in_order(&r, whole, "543210");
	in_order(&r, whole, "204153");
	r.big_endian = true;
	in_order(&r, whole, "012345");
	r.minor = 40;
	in_order(&r, whole, "315024");
	r.block_size = 512;
	in_order(&r, whole, "012345");
	trace_free(whole);
}

/* Files of both byte orders in one set: a run over machines that differ. */
static void mixed_bytes(void)
{
	struct gen_run r = {.processes = 4, .rounds = 8, .id = 2};
	struct trace *whole = load_whole(&r), *t;
	struct set s = {.count = 0};
	struct err e;
	enum err_code code;

	for (int32_t p = 0; p < 4; p++) {
		r.big_endian = p & 1;
		set_add(&s, names[p], gen_run_local(&r, p));
	}
	t = set_load(&s, &code, &e);
	is_the_same(whole, t, "both byte orders");
	trace_free(t);
	set_release(&s);
	trace_free(whole);
}

static void drop(struct set *s, uint32_t i)
{
	source_release(&s->sources[i]);
	free(s->bytes[i].bytes);
	s->count--;
	memmove(&s->bytes[i], &s->bytes[i + 1], (s->count - i) * sizeof *s->bytes);
	memmove(&s->sources[i], &s->sources[i + 1], (s->count - i) * sizeof *s->sources);
}

static bool has_note(const struct trace *t, enum note_kind kind, const char *text)
{
	for (size_t i = 0; i < t->notes.n; i++)
		if (t->notes.list[i].kind == kind && strstr(t->notes.list[i].text, text))
			return true;
	for (size_t i = 0; i < t->notes.n; i++)
		diag("%s: %s", note_name(t->notes.list[i].kind), t->notes.list[i].text);
	return false;
}

static void one_missing(void)
{
	struct gen_run r = {.processes = 4, .rounds = 8, .id = 3};
	struct trace *whole = load_whole(&r), *t;
	struct set s = local_files(&r);
	struct err e;
	enum err_code code;

	drop(&s, 2);
	t = set_load(&s, &code, &e);
	if (ok(t && code == ERR_OK, "a file is missing: the others are read")) {
		ok(has_note(t, NOTE_MISSING_FILE, "rank 2"), "and it is said which");
		is_u64(t->notes.count[NOTE_MISSING_FILE], 1, "only that one");
		is_int(t->process_count, 4, "the process is there, without events");
		is_int(t->first[3] - t->first[2], 0, "with none");
		is_int(t->event_count, whole->event_count - (whole->first[3] - whole->first[2]), "the others have all of theirs");
		/* In each round it sends and receives two messages. Its ranks on the other communicators are unknown. */
		is_u64(t->lost_sends, 8 * 2, "what was sent to it is lost");
		is_u64(t->lost_receives, 8 * 2, "and what came from it");
		ok(t->notes.count[NOTE_LOST_SEND] == 16, "which is said, too");
		analysis_unref(analyse(t, SIMILARITY_PHASE));
	}
	trace_free(t);
	trace_free(whole);
	set_release(&s);
}

static void one_short(void)
{
	struct gen_run r = {.processes = 4, .rounds = 8, .id = 4, .crashed = true};
	struct trace *t;
	struct set s = local_files(&r);
	struct err e;
	enum err_code code;
	uint32_t count;

	t = set_load(&s, &code, &e);
	ok(t && code == ERR_OK, "a run that crashed is no damage: whole blocks without an end are what it leaves");
	count = t ? t->first[2] - t->first[1] : 0;
	trace_free(t);
	s.sources[1].file_size = 1024 + 2 * 1024; /* two blocks of it got to the disk */
	t = set_load(&s, &code, &e);
	if (ok(t && code == ERR_OK, "a file is shorter than the others: read")) {
		ok(t->first[2] - t->first[1] < count && t->first[2] > t->first[1], "as far as it goes");
		ok(has_note(t, NOTE_UNFINALIZED, "the local file of rank 1, which ends "), "and it is said when it ends");
		ok(t->lost_sends > 0, "what it would have received is counted as lost");
		is_u64(t->notes.count[NOTE_MISSING_FILE], 0, "no file is missing");
	}
	trace_free(t);
	s.sources[1].file_size -= 100; /* and a part of the next */
	t = set_load(&s, &code, &e);
	ok(t && code == ERR_DAMAGED && strstr(e.text, "block 1") && strstr(e.text, "run.rank1.clog2"),
	   "cut within a block it is damaged, says the sentence with file and block: %s", e.text);
	trace_free(t);
	set_release(&s);
}

/* The first block holds what says who is who. */
static void no_beginning(void)
{
	struct gen_run r = {.processes = 4, .rounds = 8, .id = 5, .unshifted = true};
	struct set s = local_files(&r);
	struct gen_bytes b = s.bytes[3];
	struct trace *t;
	struct err e;
	enum err_code code;

	memmove(b.bytes + 1024, b.bytes + 2048, b.size - 2048);
	s.sources[3].file_size = b.size - 1024;
	t = set_load(&s, &code, &e);
	if (ok(t != NULL, "a file without its first block is read: %s", e.text)) {
		is_int(t->world_count, 1, "as of the same world");
		is_int(t->process_count, 4, "of four processes");
		ok(t->first[4] > t->first[3], "with the events on the world");
	}
	trace_free(t);
	set_release(&s);
}

/* A process that was killed before it wrote anything: its file is empty, or ends inside the preamble. It costs what a
 * missing file costs. */
static void nothing_in_one(void)
{
	struct gen_run r = {.processes = 4, .rounds = 8, .id = 9};

	for (uint32_t which = 0; which < 4; which++) {
		for (size_t size = 0; size <= 500; size += 500) {
			struct set s = local_files(&r);
			struct trace *t;
			struct err e;
			enum err_code code;

			source_release(&s.sources[which]);
			source_open_memory(&s.sources[which], names[which], s.bytes[which].bytes, size, NULL);
			t = set_load(&s, &code, &e);
			is_int(code, ERR_DAMAGED, "with %zu bytes of file %u the set is damaged: %s", size, which, e.text);
			ok(strstr(e.text, names[which]) && strstr(e.text, "left out"), "the sentence names the file");
			if (t) {
				is_u64(t->notes.count[NOTE_UNREADABLE_FILE], 1, "so do the warnings");
				is_u64(t->file_count, 3, "the others are read");
				ok(t->lost_sends > 0 && t->event_count > 0, "with what they hold");
				ok(strcmp(t->files[which < 3 ? which : 2].path, names[which < 3 ? which + 1 : 2]) == 0,
				   "each under its name");
			}
			trace_free(t);
			set_release(&s);
		}
	}
	{
		struct set s = {.count = 0};
		struct err e;
		enum err_code code;

		source_open_memory(&s.sources[s.count++], names[0], NULL, 0, NULL);
		source_open_memory(&s.sources[s.count++], names[1], NULL, 0, NULL);
		s.bytes[0] = s.bytes[1] = (struct gen_bytes){0};
		ok(set_load(&s, &code, &e) == NULL && code == ERR_FORMAT, "nothing but empty files: %s", e.text);
		set_release(&s);
	}
}

static void refused(struct set *s, const char *part, const char *what)
{
	struct err e;
	enum err_code code;
	struct trace *t = set_load(s, &code, &e);

	is_int(code, ERR_USAGE, "%s is refused", what);
	ok(strstr(e.text, part) && !t, "%s: %s", what, e.text);
	trace_free(t);
	set_release(s);
}

static void not_a_set(void)
{
	struct gen_run r = {.processes = 4, .rounds = 3, .id = 6}, other = {.processes = 4, .rounds = 3, .id = 7};
	struct set s = local_files(&r);

	set_add(&s, "again.clog2", gen_run_local(&r, 1));
	refused(&s, "run.rank1.clog2 and again.clog2 are both the local file of rank 1", "the same file twice");
	s = local_files(&r);
	drop(&s, 3);
	set_add(&s, "other.rank3.clog2", gen_run_local(&other, 3));
	refused(&s, "run.rank0.clog2 and other.rank3.clog2 are from different runs", "a file of another run");
	s = local_files(&r);
	set_add(&s, "whole.clog2", gen_run_finalized(&r));
	refused(&s, "whole.clog2 is a complete trace", "a finalized file among local ones");
}

static void samples(void)
{
	static const char *const paths[] = {
		"sample-traces/unfinalized.m240.abortme.rank0003.clog2", "sample-traces/unfinalized.m240.abortme.rank0001.clog2",
		"sample-traces/unfinalized.m240.abortme.rank0000.clog2", "sample-traces/unfinalized.m240.abortme.rank0002.clog2"};
	struct trace *t = NULL;
	struct err e;

	is_int(trace_load(&t, paths, 4, NULL, NULL, &e), ERR_OK, "the sample of an aborted run is read");
	if (!t)
		return;
	is_int(t->process_count, 4, "as four processes");
	is_int(t->world_count, 1, "of one world");
	is_u64(t->notes.count[NOTE_MISSING_FILE], 0, "none is missing");
	is_u64(t->notes.count[NOTE_UNFINALIZED], 4, "each is said to be unfinished");
	trace_free(t);
}

int main(void)
{
	as_merged();
	mixed_bytes();
	one_missing();
	one_short();
	no_beginning();
	nothing_in_one();
	not_a_set();
	samples();
	return done_testing();
}

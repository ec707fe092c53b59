/* Communicators and tags share a number where both fit, and tags have a column of their own where they do not:
 * whichever it is does not show. Each case is a trace of one process that sends to itself, with a message per tag and
 * communicator. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/formats/clog2/clog2.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "tap.h"

static struct clog2_writer w;
static char path[64];
static double now;

static struct clog2_head head(int32_t icomm)
{
	now += 0x1p-20;
	return (struct clog2_head){now, icomm, 0, 0};
}

static void begin(int comms)
{
	struct clog2_write_options o = {.minor = 44, .big_endian = true, .finalized = true, .block_size = 1024,
					.world_size = 1, .max_threads = 1};
	struct err e;
	int fd;

	now = 0;
	strcpy(path, "/tmp/pas2p-tags.XXXXXX"); /* removed by loaded() */
	fd = mkstemp(path);
	if (fd < 0 || clog2_writer_init(&w, fd, &o, &e) != ERR_OK)
		bail_out("cannot write a trace");
	for (int i = 0; i < comms; i++) {
		struct clog2_comm comm = {.etype = i ? 100 : 0, .icomm = i};

		comm.gid.bytes[0] = (uint8_t)i;
		clog2_write_comm(&w, head(i), &comm);
	}
}

static void message(int32_t comm, bool send, int32_t tag)
{
	struct clog2_msg m = {send ? -101 : -102, comm, 0, tag, 8};

	clog2_write_msg(&w, head(comm), &m);
}

static void finish(void)
{
	struct err e;

	if (clog2_writer_finish(&w, true, &e) != ERR_OK)
		bail_out("cannot write a trace");
	close(w.fd);
	clog2_writer_release(&w);
}

static struct trace *loaded(void)
{
	const char *file = path;
	struct trace *t = NULL;
	struct err e = {0};

	trace_load(&t, &file, 1, NULL, NULL, &e);
	unlink(path);
	if (!t)
		bail_out("cannot read the trace back: %s", e.text);
	return t;
}

/* All sends before all receives, so that only communicator and tag tell which belong together. */
static void tags_and_comms(const int32_t *tags, uint32_t n, int comms, bool together, const char *what)
{
	uint32_t all = n * (uint32_t)comms;
	struct trace *t, *same;
	bool comm = true, tag = true, pairs = true, copy = true;
	struct err e;

	begin(comms);
	for (int side = 0; side < 2; side++)
		for (int c = 0; c < comms; c++)
			for (uint32_t i = 0; i < n; i++)
				message(c, side == 0, tags[i]);
	finish();
	t = loaded();
	ok(!t->tag == together, "%s: tags %s", what, together ? "are beside communicators" : "have a column of their own");
	if (!is_int(t->event_count, 2 * all, "%s: all messages are there", what)) {
		trace_free(t);
		return;
	}
	for (uint32_t i = 0; i < all; i++) {
		comm = comm && t->comms[trace_comm(t, i)].number == (int32_t)(i / n) && trace_comm(t, all + i) == trace_comm(t, i);
		tag = tag && trace_tag(t, i) == tags[i % n] && trace_tag(t, all + i) == tags[i % n];
		pairs = pairs && t->match[i] == all + i && t->match[all + i] == i;
	}
	ok(comm, "%s: on their communicators", what);
	ok(tag, "%s: with their tags", what);
	ok(pairs, "%s: sends and receives of one communicator and tag belong together", what);
	if (trace_without_collectives(&same, t, &e) == ERR_OK) {
		for (uint32_t i = 0; i < 2 * all; i++)
			copy = copy && trace_comm(same, i) == trace_comm(t, i) && trace_tag(same, i) == trace_tag(t, i);
		ok(copy, "%s: the same without collectives", what);
		trace_free(same);
	}
	trace_free(t);
}

static uint8_t bytes[1 << 18];
static size_t size;

/* The highest tag becomes a higher one, behind the back of the reader, once all tags have been seen. */
static void change_tags(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	static const uint8_t before[4] = {0, 0, 0, 9}, after[4] = {0, 0, 9, 9};

	(void)arg;
	(void)done;
	(void)total;
	for (size_t i = CLOG2_PREAMBLE; stage == PROGRESS_READ && i + 4 <= size; i += 4)
		if (!memcmp(bytes + i, before, 4))
			memcpy(bytes + i, after, 4);
}

static void changed_tags(void)
{
	struct progress progress = {.report = change_tags};
	struct trace_options o = {.threads = 1};
	struct trace *t = NULL;
	struct source s;
	struct err e = {0};
	int fd;

	begin(1);
	for (int i = 0; i < 2000; i++)
		message(0, i % 2 == 0, 9);
	finish();
	fd = open(path, O_RDONLY);
	size = fd < 0 ? 0 : (size_t)read(fd, bytes, sizeof bytes);
	close(fd);
	unlink(path);
	if (source_open_memory(&s, "changed", bytes, size, &e) != ERR_OK)
		bail_out("cannot read a trace");
	trace_load_sources(&t, &s, 1, &o, &progress, &e);
	source_release(&s);
	if (!ok(t != NULL, "a tag that was not there before: the trace is loaded"))
		return;
	ok(t->event_count > 100 && t->event_count < 2000, "messages with such tags are left out (%u are there)", t->event_count);
	ok(t->notes.count[NOTE_FILE_CHANGED] > 0, "and it is noted that the file has changed");
	trace_free(t);
}

int main(void)
{
	static const int32_t few[] = {0, 1, 32767, 5}, negative[] = {-5, 3, 0, 100}, wide[] = {INT32_MIN, -1, 0, INT32_MAX},
			     highest[] = {0, INT32_MAX, INT32_MAX - 1}, lowest[] = {INT32_MIN + 1, -1, 0}, none[] = {0};

	tags_and_comms(none, 1, 1, true, "no tags");
	tags_and_comms(few, 4, 3, true, "few tags");
	tags_and_comms(negative, 4, 3, true, "tags below 0");
	tags_and_comms(highest, 3, 2, true, "31 bits of tags, one of communicators");
	tags_and_comms(highest, 3, 3, false, "31 bits of tags, two of communicators");
	tags_and_comms(lowest, 3, 2, true, "tags down to the lowest but one");
	tags_and_comms(wide, 4, 1, false, "all tags that there are");
	changed_tags();
	return done_testing();
}

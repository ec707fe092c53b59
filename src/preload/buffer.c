#include "buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clocks.h"
#include "job_marks.h"

#define PREAMBLE MARK_BYTES

struct buffer buffer = {.fd = -1};

static uint8_t preamble[PREAMBLE];

static void add_pair(size_t *at, const char *title, const char *value)
{
	int n = snprintf((char *)preamble + *at, PREAMBLE - *at, "%s%c%s", title, 0, value);

	*at += (size_t)n + 1;
}

static void add_number(size_t *at, const char *title, long value)
{
	char text[32];

	snprintf(text, sizeof text, "%ld", value);
	add_pair(at, title, text);
}

/* As MPE stamps a local file that has not been closed: counts are placeholders, there is no table. */
static void make_preamble(int size)
{
	size_t at = 0;

	memset(preamble, 0, sizeof preamble);
	at += (size_t)snprintf((char *)preamble, PREAMBLE, "CLOG-02.44") + 1;
	add_pair(&at, "is_big_endian=", __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "TRUE " : "FALSE");
	add_pair(&at, "is_finalzed=", "FALSE");
	add_number(&at, "block_size=", BUFFER_BLOCK);
	add_number(&at, "num_buffered_blocks=", BUFFER_BLOCKS);
	add_number(&at, "max_comm_world_size=", size);
	add_number(&at, "max_thread_count=", 1);
	add_number(&at, "known_eventID_start=", 0);
	add_number(&at, "user_eventID_start=", 600);
	add_number(&at, "known_solo_eventID_start=", -10);
	add_number(&at, "user_solo_eventID_start=", 5000);
	add_number(&at, "known_stateID_count=", 300);
	add_number(&at, "user_stateID_count=", 100);
	add_number(&at, "known_solo_eventID_count=", 10);
	add_number(&at, "user_solo_eventID_count=", 100);
	add_number(&at, "commtable_fptr=", 0);
	add_pair(&at, "1073741824", "0");
}

static bool buffer_write_all(const uint8_t *bytes, size_t n, uint64_t offset)
{
	while (n) {
		ssize_t done = pwrite(buffer.fd, bytes, n, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		bytes += done;
		n -= (size_t)done;
		offset += (uint64_t)done;
	}
	return true;
}

/* In one go: other processes may be saying the same. */
static void complain(const char *what)
{
	static char before[] = "pas2p: cannot ", blank[] = " ";
	static char after[] = ": the trace ends here (is the disk full?)\n";
	struct iovec parts[] = {
		{before, sizeof before - 1}, {(char *)(uintptr_t)what, strlen(what)}, {blank, 1},
		{buffer.path, strlen(buffer.path)}, {after, sizeof after - 1},
	};
	ssize_t ignored = writev(2, parts, sizeof parts / sizeof parts[0]);

	(void)ignored;
}

/* The local file, without a block. */
static bool make_file(void)
{
	buffer.fd = open(buffer.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (buffer.fd >= 0 && buffer_write_all(preamble, PREAMBLE, 0))
		return true;
	if (buffer.fd >= 0) {
		close(buffer.fd);
		unlink(buffer.path);
	}
	buffer.fd = -1;
	return false;
}

bool buffer_init(const char *stem, int rank, int size)
{
	buffer.memory = malloc((size_t)BUFFER_BLOCKS * BUFFER_BLOCK);
	if (!buffer.memory)
		return false;
	snprintf(buffer.path, sizeof buffer.path, "%.4000s.rank%06d.clog2", stem, rank);
	make_preamble(size);
	/* Touch the pages now, not in the program's calls. */
	memset(buffer.memory, 0, (size_t)BUFFER_BLOCKS * BUFFER_BLOCK);
	buffer.block = buffer.memory;
	buffer.rank = rank;
	buffer.size = size;
	buffer.pid = getpid();
	make_file(); /* if that fails, once more when there is something to be written: a short run needs no file */
	return true;
}

/* Append n blocks from memory. */
static void spill(unsigned n)
{
	if (buffer.broken || !n)
		return;
	if (buffer.fd < 0 && !make_file()) {
		buffer.broken = true;
		complain("write the local file");
		return;
	}
	if (!buffer_write_all(buffer.memory, (size_t)n * BUFFER_BLOCK, PREAMBLE + buffer.spilled * BUFFER_BLOCK)) {
		buffer.broken = true;
		complain("write to the local file");
		return;
	}
	buffer.spilled += n;
}

static void end_block(double time, int32_t type)
{
	uint8_t *p = put_head(buffer.block + buffer.used, time, 0, buffer.rank, 0, type);

	memset(p, 0, (size_t)(buffer.block + BUFFER_BLOCK - p));
}

bool buffer_next_block_at(double t, struct buffer_spill *spilled)
{
	spilled->start = buffer_order(clock_now());
	end_block(buffer_order(t), REC_ENDBLOCK);
	buffer.used = 0;
	buffer.block += BUFFER_BLOCK;
	if (++buffer.filled < BUFFER_BLOCKS && spilled->start - buffer.spilled_at < BUFFER_SECONDS)
		return false;
	spill(buffer.filled);
	buffer.spilled_at = spilled->start;
	buffer.filled = 0;
	buffer.block = buffer.memory;
	spilled->end = clock_now();
	return true;
}

void buffer_log_spill(const struct buffer_spill *spilled)
{
	double start = buffer_order(spilled->start);
	double end = spilled->end > start ? spilled->end : start;
	uint8_t *p = buffer_room(2 * LEN_BARE);

	p = put_bare(p, start, 0, buffer.rank, 0, ETYPE_SPILL);
	put_bare(p, end, 0, buffer.rank, 0, ETYPE_SPILL + 1);
	buffer_commit(2 * LEN_BARE, end);
}

void buffer_next_block(void)
{
	struct buffer_spill spilled;

	if (buffer_next_block_at(clock_now(), &spilled))
		buffer_log_spill(&spilled);
}

void buffer_rescue(void)
{
	unsigned whole = buffer.filled;

	if (!buffer.memory || getpid() != buffer.pid)
		return;
	if (buffer.used) {
		end_block(buffer.last, REC_ENDBLOCK);
		whole++;
	}
	spill(whole);
	/* Whatever still comes starts a new block, so that a second rescue repeats nothing. */
	buffer.filled = 0;
	buffer.block = buffer.memory;
	buffer.used = 0;
}

void buffer_close(double time)
{
	end_block(time, REC_ENDLOG);
	buffer.filled++;
}

uint64_t buffer_block_count(void)
{
	return buffer.spilled + buffer.filled;
}

bool buffer_block(uint64_t k, uint8_t into[BUFFER_BLOCK])
{
	size_t got = 0;

	if (k >= buffer.spilled) {
		memcpy(into, buffer.memory + (size_t)(k - buffer.spilled) * BUFFER_BLOCK, BUFFER_BLOCK);
		return true;
	}
	while (got < BUFFER_BLOCK) {
		ssize_t n = pread(buffer.fd, into + got, BUFFER_BLOCK - got,
				(off_t)(PREAMBLE + k * BUFFER_BLOCK + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	return true;
}

void buffer_release(bool keep)
{
	if (keep && buffer.memory)
		spill(buffer.filled);
	if (buffer.fd >= 0) {
		close(buffer.fd);
		if (!keep)
			unlink(buffer.path);
	}
	free(buffer.memory);
	buffer.memory = NULL;
	buffer.fd = -1;
}

/* Blocks that several threads read (core/formats/clog2/clog2_int.h): each is read once where threads keep together, every share is told
 * its own, and neither a thread that joins late nor one that skips blocks holds anybody up.
 */
#include <stdlib.h>
#include <unistd.h>

#include "gen_clog2.h"
#include "tap.h"
#include "core/base/parallel.h"
#include "core/formats/clog2/clog2_int.h"

#define SHARES 3

static struct clog2_file file;
static atomic_uint listed;

/* A record is of the share that its place in the block says. */
static uint32_t share_of(uint32_t number)
{
	return number % 5 % SHARES;
}

static void list(void *arg, struct shared_block *b)
{
	struct clog2_rec r;
	uint32_t n = 0;

	(void)arg;
	atomic_fetch_add(&listed, 1);
	while (clog2_block_next(&b->block, &r)) {
		uint32_t share = share_of(n++);

		b->at[share * b->most + b->counts[share]++] = (uint32_t)(r.offset - b->block.offset);
	}
}

/* Does the block's list hold just what a reading of one's own finds? */
static bool is_right(const struct shared_block *b, uint64_t index, uint32_t share)
{
	struct clog2_block own;
	struct clog2_rec r;
	struct err e;
	uint32_t n = 0, found = 0;
	bool right = b->code == ERR_OK && b->block.index == index;

	clog2_block_init(&own);
	right = right && clog2_block_read(&file, index, &own, &e) == ERR_OK;
	while (right && clog2_block_next(&own, &r))
		if (share_of(n++) == share) {
			right = found < b->counts[share] && b->at[share * b->most + found] == r.offset - own.offset;
			found++;
		}
	clog2_block_release(&own);
	return right && found == b->counts[share];
}

static const struct shared_block *take(struct shared_blocks *s, unsigned share, uint64_t index)
{
	return shared_block_take(s, share, &file, 0, index, file.block_count, list, NULL);
}

/* Takes and gives back; false: it is not right. *own is added up where the share has to read by itself. */
static bool pass(struct shared_blocks *s, unsigned share, uint64_t index, uint64_t *own)
{
	const struct shared_block *b = take(s, share, index);
	bool right = !b || is_right(b, index, share);

	if (b)
		shared_block_give(s, share, b);
	else
		++*own;
	return right;
}

struct crew {
	struct shared_blocks *s;
	uint64_t own[SHARES];
	bool right[SHARES];
};

static void walk(void *arg, unsigned share)
{
	struct crew *crew = arg;

	shared_blocks_join(crew->s, share);
	crew->right[share] = true;
	for (uint64_t k = 0; k < file.block_count; k++)
		crew->right[share] = pass(crew->s, share, k, &crew->own[share]) && crew->right[share];
	shared_blocks_leave(crew->s, share);
}

static void test_together(void)
{
	struct shared_blocks *s = shared_blocks_new(SHARES);
	uint64_t own = 0;
	bool right = true;

	atomic_store(&listed, 0);
	for (unsigned i = 0; i < SHARES; i++)
		shared_blocks_join(s, i);
	for (uint64_t k = 0; k < file.block_count; k++)
		for (unsigned i = 0; i < SHARES; i++)
			right = pass(s, i, k, &own) && right;
	ok(right && !own, "every share is told its records of every block");
	ok(atomic_load(&listed) == file.block_count, "each block is read once: %u of %llu", atomic_load(&listed),
	   (unsigned long long)file.block_count);
	shared_blocks_free(s);
}

static void test_one_after_the_other(void)
{
	struct crew crew = {.s = shared_blocks_new(SHARES)};

	for (unsigned i = 0; i < SHARES; i++)
		walk(&crew, i);
	ok(crew.right[0] && crew.right[1] && crew.right[2], "one after the other, shares are told the same");
	shared_blocks_free(crew.s);
}

static void test_skipping(void)
{
	struct shared_blocks *s = shared_blocks_new(SHARES);
	uint64_t own = 0;
	bool right = true;

	shared_blocks_join(s, 0);
	shared_blocks_join(s, 1);
	for (uint64_t k = 0; k < 8; k++)
		right = pass(s, 0, k, &own) && right;
	for (uint64_t k = 10; k < 18; k++)
		right = pass(s, 1, k, &own) && right;
	ok(right, "a share that leaves out blocks waits for nobody");
	right = true;
	shared_blocks_leave(s, 1);
	own = 0;
	for (uint64_t k = 8; k < file.block_count; k++)
		right = pass(s, 0, k, &own) && right;
	ok(right, "nor does the one behind it");
	shared_blocks_free(s);
}

static void test_threads(void)
{
	bool right = true;

	for (int round = 0; round < 20; round++) {
		struct crew crew = {.s = shared_blocks_new(SHARES)};

		parallel_run(SHARES, walk, &crew);
		right = crew.right[0] && crew.right[1] && crew.right[2] && right;
		shared_blocks_free(crew.s);
	}
	ok(right, "on threads, shares are told the same");
}

int main(void)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 1024);
	struct gen_bytes run = gen_clog2_run(&o, 6, 200);
	struct source source;
	struct notes notes;
	struct err e;

	alarm(60);
	notes_init(&notes);
	if (source_open_memory(&source, "run", run.bytes, run.size, &e) != ERR_OK ||
	    clog2_open(&file, &source, &notes, &e) != ERR_OK)
		bail_out("%s", e.text);
	ok(file.block_count > 30, "the run has blocks enough: %llu", (unsigned long long)file.block_count);
	test_together();
	test_one_after_the_other();
	test_skipping();
	test_threads();
	source_release(&source);
	notes_release(&notes);
	free(run.bytes);
	return done_testing();
}

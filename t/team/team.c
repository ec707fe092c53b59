/* Collective steps of a team of threads, and of the team of one: against what a loop over all ranks' values says. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"
#include "tap.h"
#include "team_threads.h"

#define NUMBERS 37
#define MOST 8

struct seen {
	uint32_t bad;
	enum err_code code;
	char text[ERR_TEXT];
};

static struct seen seen[MOST];

static uint64_t value(uint32_t rank, size_t i)
{
	return hash_mix(rank + 1, i);
}

static uint64_t expected(uint32_t size, size_t i, enum team_operation by)
{
	uint64_t x = value(0, i), low = 0;
	unsigned carry = 0;

	for (uint32_t r = 1; r < size; r++) {
		uint64_t y = value(r, i);

		switch (by) {
		case TEAM_SUM: x += y; break;
		case TEAM_MAX: x = y > x ? y : x; break;
		case TEAM_MIN: x = y < x ? y : x; break;
		case TEAM_OR: x |= y; break;
		case TEAM_SUM_128: x += y; break;
		}
	}
	if (by != TEAM_SUM_128 || i % 2 == 0)
		return x;
	for (uint32_t r = 0; r < size; r++) {
		uint64_t y = value(r, i - 1);

		carry += low + y < y;
		low += y;
	}
	return x + carry;
}

static bool reduces(const struct team *t)
{
	bool good = true;

	for (int by = TEAM_SUM; by <= TEAM_SUM_128; by++) {
		uint64_t list[NUMBERS];
		size_t n = by == TEAM_SUM_128 ? NUMBERS - 1 : NUMBERS;

		for (size_t i = 0; i < n; i++)
			list[i] = value(team_rank(t), i);
		good = good && !team_reduce(t, list, n, (enum team_operation)by, NULL);
		for (size_t i = 0; i < n; i++)
			good = good && list[i] == expected(team_size(t), i, (enum team_operation)by);
	}
	return good;
}

/* More than a piece, negative ones, both zeros, infinities. */
static bool reduces_others(const struct team *t)
{
	size_t n = 70001;
	double *x = mem_alloc(n, sizeof *x);
	uint32_t *u = mem_alloc(n, sizeof *u), size = team_size(t), rank = team_rank(t);
	bool good;

	for (size_t i = 0; i < n; i++) {
		x[i] = ((double)(value(rank, i) >> 40) - 8e6) / 7;
		u[i] = (uint32_t)value(rank, i);
	}
	x[0] = rank % 2 ? -0.0 : 0.0;
	x[1] = rank ? -INFINITY : -3;
	good = !team_reduce_double(t, x, n, TEAM_MAX, NULL) && !team_reduce_u32(t, u, n, TEAM_SUM, NULL);
	good = good && x[0] == 0 && x[1] == -3;
	for (size_t i = 2; good && i < n; i++) {
		double most = -INFINITY;
		uint32_t sum = 0;

		for (uint32_t r = 0; r < size; r++) {
			double its = ((double)(value(r, i) >> 40) - 8e6) / 7;

			most = its > most ? its : most;
			sum += (uint32_t)value(r, i);
		}
		good = x[i] == most && u[i] == sum;
	}
	mem_free(x);
	mem_free(u);
	return good;
}

/* Rank a sends a * 7 + b bytes to rank b; nothing where that is a multiple of three. */
static size_t length(uint32_t a, uint32_t b)
{
	return (a * 7 + b) % 3 ? (a * 7 + b) * 100 : 0;
}

static bool exchanges(const struct team *t)
{
	uint32_t size = team_size(t), rank = team_rank(t);
	struct team_bytes to[MOST] = {{0}}, from[MOST];
	char bytes[MOST][8000];
	bool good;

	for (uint32_t r = 0; r < size; r++) {
		to[r] = (struct team_bytes){bytes[r], length(rank, r)};
		memset(bytes[r], (int)(16 * rank + r), sizeof bytes[r]);
	}
	good = !team_exchange(t, to, from, NULL);
	for (uint32_t r = 0; good && r < size; r++) {
		good = from[r].n == length(r, rank);
		for (size_t i = 0; good && i < from[r].n; i++)
			good = ((unsigned char *)from[r].bytes)[i] == 16 * r + rank;
	}
	if (good)
		team_bytes_free(from, size);
	return good;
}

static bool tells(const struct team *t)
{
	uint32_t size = team_size(t), rank = team_rank(t), *list = NULL;
	uint64_t before, total, word = rank ? 5 : 77;
	size_t count = 0;
	struct team_bytes from[MOST];
	bool good = !team_scan(t, rank * 10 + 1, &before, &total, NULL);

	good = good && before == (uint64_t)rank * (rank - 1) / 2 * 10 + rank && total == (uint64_t)size * (size - 1) / 2 * 10 + size;
	good = good && !team_broadcast(t, &word, sizeof word, NULL) && word == 77;
	if (!rank) {
		list = mem_alloc(1000, sizeof *list);
		count = 1000;
		for (uint32_t i = 0; i < count; i++)
			list[i] = i * i;
	}
	good = good && !team_broadcast_list(t, (void **)&list, &count, sizeof *list, NULL) && count == 1000;
	for (uint32_t i = 0; good && i < count; i++)
		good = list[i] == i * i;
	mem_free(list);
	good = good && !team_gather(t, &rank, sizeof rank, from, NULL);
	for (uint32_t r = 0; good && r < size; r++)
		good = rank ? !from[r].n : from[r].n == sizeof r && !memcmp(from[r].bytes, &r, sizeof r);
	if (good)
		team_bytes_free(from, size);
	return good;
}

/* From rank `*arg` on ranks have other facts, of one kind of difference after the other. */
static void differ(void *arg, const struct team *t)
{
	const uint32_t *who = arg;
	struct seen *mine = &seen[team_rank(t)];
	bool other = team_rank(t) >= *who;
	struct err e = {0};

	mine->bad = 0;
	for (int kind = 0; kind < 5; kind++) {
		static const char *const says[] = {"the first is b, but a on rank 0: do", "--x is not given, but empty on rank 0: do",
						   "last is c, but not given on rank 0: do", "last is not given, but c on rank 0: do", ""};
		static const char *const before[] = {"", "the first is \xEF\xBF\xBD[1m, but a on rank 0: do"};
		struct team_pack facts = {0};
		char expected[ERR_TEXT];
		enum err_code code;

		team_fact(&facts, "the first", kind == 4 && other ? "\033[1m" : kind == 0 && other ? "b" : "a");
		team_fact(&facts, "--x", kind == 1 && other ? NULL : "");
		if ((kind == 2 && other) || (kind == 3 && !other))
			team_fact(&facts, "last", "c");
		code = team_alike(t, &facts, ERR_OK, "do", &e);
		snprintf(expected, sizeof expected, "rank %u: %s%s", *who, says[kind], before[kind == 4]);
		if (*who < team_size(t))
			mine->bad |= code == ERR_USAGE && strcmp(e.text, expected) == 0 ? 0 : 1u << kind;
		else
			mine->bad |= code || facts.bytes ? 1u << kind : 0;
	}
	mine->code = team_alike(t, &(struct team_pack){0}, other ? err_set(&e, ERR_IO, "no facts") : ERR_OK, "do", &e);
	mine->bad |= mine->code == (*who < team_size(t) ? ERR_IO : ERR_OK) ? 0 : 64u;
}

static void work(void *arg, const struct team *t)
{
	struct seen *mine = &seen[team_rank(t)];

	(void)arg;
	mine->bad = (reduces(t) ? 0 : 1u) | (reduces_others(t) ? 0 : 2u) | (exchanges(t) ? 0 : 4u) | (tells(t) ? 0 : 8u);
}

/* Rank *arg fails, and the others are at some collective step. */
static void fail_at(void *arg, const struct team *t)
{
	const uint32_t *who = arg;
	struct seen *mine = &seen[team_rank(t)];
	uint64_t x = 1;
	struct err e = {0};

	mine->code = team_reduce(t, &x, 1, TEAM_SUM, &e);
	if (!mine->code && team_rank(t) >= *who)
		mine->code = team_agree(t, err_set(&e, ERR_DAMAGED, "of rank %u's own", team_rank(t)), &e);
	else if (!mine->code && team_rank(t) % 2)
		mine->code = team_reduce(t, &x, 1, TEAM_SUM, &e);
	else if (!mine->code)
		mine->code = team_broadcast(t, &x, sizeof x, &e);
	memcpy(mine->text, e.text, sizeof mine->text);
}

/* No memory at one rank, in whatever collective step it is: all of them learn it, and nothing stays. */
static void short_of_memory(void *arg, const struct team *t)
{
	struct seen *mine = &seen[team_rank(t)];
	struct team_bytes from[MOST];
	struct team_pack facts = {0};
	uint32_t x = 3;
	struct err e;

	(void)arg;
	team_fact(&facts, "a", "b");
	mine->code = team_alike(t, &facts, ERR_OK, "do", &e);
	if (!mine->code)
		mine->code = team_gather_all(t, &x, sizeof x, from, &e);
	if (!mine->code) {
		team_bytes_free(from, team_size(t));
		mine->code = team_reduce_u32(t, &x, 1, TEAM_SUM, &e);
	}
}

int main(void)
{
	uint32_t times = 0;

	for (uint32_t size = 1; size <= MOST; size++) {
		uint32_t bad = 0;

		ok(team_threads_run(size, work, NULL), "a team of %" PRIu32, size);
		for (uint32_t r = 0; r < size; r++)
			bad |= seen[r].bad;
		is_int(bad, 0, "its meetings say what a loop says");
	}
	work(NULL, NULL);
	is_int(seen[0].bad, 0, "the team of one by default");
	for (uint32_t who = 0; who < 4; who++) {
		char text[64];
		uint32_t same = 0;

		if (who)
			snprintf(text, sizeof text, "rank %u: of rank %u's own", who, who);
		else
			snprintf(text, sizeof text, "of rank 0's own");
		team_threads_run(5, fail_at, &who);
		for (uint32_t r = 0; r < 5; r++)
			same += seen[r].code == ERR_DAMAGED && !strcmp(seen[r].text, text);
		is_int(same, 5, "rank %u and those behind it fail: all have its sentence", who);
	}
	for (uint32_t size = 1; size <= MOST; size++)
		for (uint32_t who = 1; who <= size; who++) {
			uint32_t bad = 0;

			team_threads_run(size, differ, &who);
			for (uint32_t r = 0; r < size; r++)
				bad |= seen[r].bad;
			is_int(bad, 0, "%" PRIu32 " ranks, other facts from rank %" PRIu32 " on: all of them learn which", size, who);
		}
	for (long n = 3; n < 40; n++) {
		long live = mem_live();
		uint32_t failed = 0;
		bool ran;

		mem_fail_once(n);
		ran = team_threads_run(4, short_of_memory, NULL);
		mem_fail_after(-1);
		for (uint32_t r = 0; r < 4; r++)
			failed += seen[r].code == ERR_MEMORY;
		times += failed == 4;
		if (!ran || (failed && failed != 4))
			diag("allocation %ld: %u of 4 ranks failed", n, failed);
		ok(ran && (failed == 0 || failed == 4) && mem_live() == live, "no memory once: all ranks learn of it, or none");
	}
	ok(times >= 8, "that happened: %" PRIu32 " times", times);
	return done_testing();
}

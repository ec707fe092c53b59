/* Tasks shared out by the largest remainder (docs/explain/models-language.md, "Model files", part()): vectors by hand;
 * a second implementation in whole numbers, which knows no rounding; and what holds for any shares and numbers: the
 * parts add up, and each is its quota rounded down or up. A task that is lost or made up is a time that no run has.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/models/language/language_int.h"
#include "tap.h"

#define ROUNDS CASES(20000)
#define MOST 64

static uint64_t state = 88172645463325252u;

static uint64_t below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % n;
}

/* Shares of whole speeds. */
static void shares_of(const uint64_t *speed, uint32_t ranks, double *share)
{
	double sum = 0;

	for (uint32_t r = 0; r < ranks; r++)
		sum += (double)speed[r];
	for (uint32_t r = 0; r < ranks; r++)
		share[r] = (double)speed[r] / sum;
}

static const char *parts_of(double n, const uint64_t *speed, uint32_t ranks)
{
	static char text[400];
	double share[MOST], part[MOST];
	size_t at = 0;

	shares_of(speed, ranks, share);
	if (!apportion(n, speed[0] ? share : NULL, ranks, part))
		return "no memory";
	for (uint32_t r = 0; r < ranks; r++)
		at += (size_t)snprintf(text + at, sizeof text - at, r ? " %.0f" : "%.0f", part[r]);
	return text;
}

#define PARTS(n, ...) parts_of(n, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void by_hand(void)
{
	is_str(PARTS(10, 1, 1, 1), "4 3 3", "of equal remainders the lower rank's goes first");
	is_str(PARTS(11, 1, 1, 1), "4 4 3", "both of two that are left");
	is_str(PARTS(10, 1, 2, 3), "2 3 5", "quotas 1.67, 3.33, 5");
	is_str(PARTS(3, 1, 2, 3), "1 1 1", "quotas 0.5, 1, 1.5: equal remainders of unequal speeds");
	is_str(PARTS(21, 1, 3, 2), "4 10 7", "quotas 3.5, 10.5, 7");
	is_str(PARTS(0, 5, 1), "0 0", "nothing to share");
	is_str(PARTS(1, 1, 1, 2), "0 0 1", "one task goes to the fastest");
	is_str(PARTS(7, 1), "7", "one rank has all");
	is_str(PARTS(2, 1, 1, 1, 1, 1), "1 1 0 0 0", "fewer tasks than ranks");
	is_str(PARTS(10, 6, 6, 2), "4 4 2", "more tasks, fewer for the smallest (1): quotas 4.29, 4.29, 1.43");
	is_str(PARTS(11, 6, 6, 2), "5 5 1", "more tasks, fewer for the smallest (2): quotas 4.71, 4.71, 1.57");
	is_str(PARTS(5, 0, 0, 0), "2 2 1", "shares that are not given are equal");
	is_str(PARTS(49, 1, 1, 1, 1, 1, 1, 1), "7 7 7 7 7 7 7", "whole quotas stay whole");
	ok(apportion_whole(0) && apportion_whole(9007199254740992.0) && !apportion_whole(-1) && !apportion_whole(2.5) &&
	   !apportion_whole((double)NAN) && !apportion_whole((double)INFINITY) && !apportion_whole(1e16), "how many tasks there can be");
}

/* One task after the other to the largest of the exact remainders. */
static void naive(uint64_t n, const uint64_t *speed, uint32_t ranks, uint64_t *part)
{
	uint64_t sum = 0, left = n, rest[MOST];

	for (uint32_t r = 0; r < ranks; r++)
		sum += speed[r];
	for (uint32_t r = 0; r < ranks; r++) {
		part[r] = n * speed[r] / sum;
		rest[r] = n * speed[r] % sum + 1;
		left -= part[r];
	}
	for (; left; left--) {
		uint32_t to = 0;

		for (uint32_t r = 1; r < ranks; r++)
			if (rest[r] > rest[to])
				to = r;
		part[to]++;
		rest[to] = 0;
	}
}

static void as_naive(void)
{
	unsigned wrong = 0;

	for (unsigned t = 0; t < ROUNDS; t++) {
		uint32_t ranks = 1 + (uint32_t)below(MOST);
		uint64_t speed[MOST], want[MOST], n = below(t % 2 ? 200 : 1000000), kinds = 1 + below(100);
		double share[MOST], part[MOST];
		bool good = true;

		for (uint32_t r = 0; r < ranks; r++)
			speed[r] = 1 + below(kinds);
		shares_of(speed, ranks, share);
		naive(n, speed, ranks, want);
		good = apportion((double)n, share, ranks, part);
		for (uint32_t r = 0; good && r < ranks; r++)
			good = part[r] <= (double)want[r] && part[r] >= (double)want[r];
		if (!good && wrong++ < 5)
			diag("%llu tasks on %u ranks of up to %llu", (unsigned long long)n, ranks, (unsigned long long)kinds);
	}
	is_u64(wrong, 0, "%d times what whole numbers give", ROUNDS);
}

static void add_up(void)
{
	unsigned lost = 0, off = 0, outside = 0;

	for (unsigned t = 0; t < ROUNDS; t++) {
		uint32_t ranks = 1 + (uint32_t)below(MOST);
		double share[MOST], part[MOST], sum = 0, n = floor(pow(2, (double)below(54)) * (1 - (double)below(1000) / 2000)), all = 0;

		for (uint32_t r = 0; r < ranks; r++)
			sum += share[r] = 1e-3 + (double)below(1000000) / 1e6;
		for (uint32_t r = 0; r < ranks; r++)
			share[r] /= sum;
		if (!apportion(n, share, ranks, part))
			bail_out("no memory");
		for (uint32_t r = 0; r < ranks; r++) {
			all += part[r];
			off += part[r] < 0 || floor(part[r]) != part[r];
			outside += n < 1e12 && (part[r] < apportion_least(n, share[r]) || part[r] > apportion_most(n, share[r]));
		}
		lost += all < n || all > n;
	}
	is_u64(lost, 0, "no task is lost or made up, up to 2^53 of them");
	is_u64(off, 0, "all parts are whole numbers");
	is_u64(outside, 0, "each is its quota rounded down or up");
}

int main(void)
{
	by_hand();
	as_naive();
	add_up();
	return done_testing();
}

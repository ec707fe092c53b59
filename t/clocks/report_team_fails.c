/* Where looking at clocks fails on one rank, all ranks get its error, and nobody waits for it: each allocation of any
 * rank is made to fail, once with all later ones and once alone, and a job is stopped on one rank. All ranks come back
 * with one code, and leave nothing; where they come back well, what rank 0 has is what one process has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_case.h"
#include "clock_team.h"
#include "core/base/mem.h"
#include "core/team/team_threads.h"
#include "gen_clocks.h"
#include "tap.h"

#define RANKS 3
#define TRIES 200

static char path[] = "/tmp/pas2p-clocks-fails.XXXXXX";

struct asking {
	const struct clock_asked *asked;
	struct clock_found found[RANKS];
	uint32_t stops;         /* the rank whose job is stopped; RANKS: none's */
	long patience;          /* questions before that */
};

static bool stopped(void *arg)
{
	return --*(long *)arg < 0;
}

static void rank(void *arg, const struct team *team)
{
	struct asking *asking = arg;
	struct clock_asked asked = *asking->asked;
	long patience = asking->patience;
	const struct job job = {.stopped = stopped, .arg = &patience};

	if (team->rank == asking->stops)
		asked.job = &job;
	clock_team_report(&asking->found[team->rank], &asked, team);
}

/* Did all ranks end alike, well or with that code? A team that there was no memory for has none. */
static bool together(struct asking *asking, enum err_code expected, const char *document, bool *failed)
{
	const struct clock_found *first = &asking->found[0];
	long before = mem_live();
	bool ran = team_threads_run(RANKS, rank, asking), good = true;

	*failed = ran && first->code;
	for (int r = 0; ran && r < RANKS; r++) {
		const struct clock_found *f = &asking->found[r];

		/* What a rank lacks while it reads may look as if it had read something else. */
		good = good && f->code == first->code && !strcmp(f->text, first->text) && (!f->code || f->code == expected || f->loaded == ERR_IO);
	}
	good = good && (!ran || first->code || (first->document && !strcmp(first->document, document)));
	for (int r = 0; ran && r < RANKS; r++) {
		if (!good)
			diag("rank %d: %d, %d: %s", r, asking->found[r].loaded, asking->found[r].code, asking->found[r].text);
		clock_found_release(&asking->found[r]);
	}
	return good && mem_live() == before;
}

static void test_memory(const struct clock_asked *asked, const char *document)
{
	struct asking asking = {.asked = asked, .stops = RANKS};
	int good = 0, all = 0, failures = 0;
	bool failed;
	long total, step;

	mem_fail_after(1000000000);
	together(&asking, ERR_OK, document, &failed);
	total = mem_count();
	step = total / TRIES + 1;
	for (long n = 0; n < total; n += step)
		for (int once = 0; once < 2; once++, all++) {
			(once ? mem_fail_once : mem_fail_after)(n);
			if (together(&asking, ERR_MEMORY, document, &failed))
				good++;
			else
				diag("allocation %ld of %ld%s", n, total, once ? ", alone" : "");
			mem_fail_after(-1);
			failures += failed;
		}
	is_int(good, all, "allocations that fail do so for all ranks");
	ok(failures > all / 2, "most are an error: %d of %d", failures, all);
}

static void test_stop(const struct clock_asked *asked, const char *document)
{
	int good = 0, all = 0, failures = 0;

	for (uint32_t r = 0; r < RANKS; r++)
		for (long patience = 0; patience < 8; patience++, all++) {
			struct asking asking = {.asked = asked, .stops = r, .patience = patience};
			bool failed;

			good += together(&asking, ERR_CANCELLED, document, &failed);
			failures += failed;
		}
	is_int(good, all, "a job that is stopped on one rank is stopped on all");
	ok(failures > RANKS, "it is stopped");
}

int main(void)
{
	static const uint64_t seeds[] = {1, 7, 9}; /* several windows, barriers alone, steps */
	const char *file = path;
	int fd = mkstemp(path);

	if (fd < 0)
		bail_out("no file");
	close(fd);
	for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
		const struct clock_asked asked = clock_asked_of(&file, 1);
		struct clock_found whole;

		clock_case_write(path, gen_clocks(seeds[i]));
		clock_team_report(&whole, &asked, NULL);
		test_memory(&asked, whole.document);
		test_stop(&asked, whole.document);
		clock_found_release(&whole);
	}
	unlink(path);
	return done_testing();
}

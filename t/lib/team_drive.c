#include "team_drive.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "tap.h"
#include "team_threads.h"

/* What a rank came to. */
struct came {
	enum err_code code;
	char sentence[ERR_TEXT], *said; /* NULL: there was no memory for it */
	long questions;
};

struct driven {
	const struct team_case *c;
	uint32_t ranks;
	uint32_t stops;                 /* the rank that is stopped, */
	long patience;                  /* at this question; -1: never */
	long questions;                 /* the most that one of them was asked */
	struct came came[TEAM_MOST];
};

struct asking {
	long patience, questions;
};

/* The allocation that fails, of the team that is at work; rank 0 has what it came to. */
static struct {
	long at;                        /* -1: none */
	bool once, open;
	long made, live;                /* in all, and those that were not freed */
} fault = {.at = -1};

static bool stopped(void *arg)
{
	struct asking *asking = arg;

	return asking->questions++ == asking->patience;
}

void team_fails_from(const struct team *team)
{
	if (!team || fault.at < 0)
		return;
	team_agree(team, ERR_OK, NULL);
	if (!team->rank) {
		(fault.once ? mem_fail_once : mem_fail_after)(fault.at);
		fault.open = true;
	}
	team_agree(team, ERR_OK, NULL);
}

void team_fails_to(const struct team *team)
{
	if (!team || fault.at < 0)
		return;
	team_agree(team, ERR_OK, NULL);
	if (!team->rank && fault.open) {
		fault.made = mem_count();
		fault.live = mem_live();
		fault.open = false;
		mem_fail_after(-1);
	}
	team_agree(team, ERR_OK, NULL);
}

enum err_code team_differs(struct err *e, const char *why)
{
	return err_set(e, ERR_FORMAT, "another part than the whole has: %s", why);
}

static void drive_one(struct came *to, const struct team_case *c, const struct team *team, const struct progress *progress)
{
	struct err e = {0};
	struct out said;

	out_init(&said);
	to->code = c->run(c->arg, team, progress, &said, &e);
	to->said = said.failed ? NULL : said.len ? strndup(said.text, said.len) : strdup("");
	out_release(&said);
	snprintf(to->sentence, sizeof to->sentence, "%s", to->code ? e.text : "");
}

static void drive_rank(void *arg, const struct team *team)
{
	struct driven *d = arg;
	struct asking asking = {team->rank == d->stops ? d->patience : -1, 0};
	const struct progress progress = {.stopped = stopped, .arg = &asking};

	if (d->c->loads)
		team_fails_from(team);
	drive_one(&d->came[team->rank], d->c, team, &progress);
	team_fails_to(team);
	d->came[team->rank].questions = asking.questions;
}

static void forget_all(struct driven *d)
{
	for (uint32_t r = 0; r < TEAM_MOST; r++)
		free(d->came[r].said);
	memset(d->came, 0, sizeof d->came);
}

static void diag_lines(const char *a, const char *b)
{
	size_t line = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		line = a[i] == '\n' ? i + 1 : line;
	diag("  %.*s\n  instead of %.*s", (int)strcspn(a + line, "\n"), a + line, (int)strcspn(b + line, "\n"), b + line);
}

/* All ranks came to that. */
static bool came_to(const struct driven *d, const struct came *want, const char *when)
{
	for (uint32_t r = 0; r < d->ranks; r++)
		if (d->came[r].code != want->code || strcmp(d->came[r].sentence, want->sentence)) {
			diag("%s%s, rank %" PRIu32 " of %" PRIu32 ": %d, %s\n  instead of %d, %s", d->c->name, when, r, d->ranks, (int)d->came[r].code,
			     d->came[r].sentence, (int)want->code, want->sentence);
			return false;
		}
	for (uint32_t r = 0; !want->code && r < (d->c->all_say ? d->ranks : 1); r++) {
		const char *said = d->came[r].said;

		if (!said || !want->said)
			continue;
		if (r ? (*said || !*want->said) && !strncmp(said, want->said, strlen(said)) : !strcmp(said, want->said))
			continue;
		diag("%s%s, rank %" PRIu32 " of %" PRIu32 ":", d->c->name, when, r, d->ranks);
		diag_lines(said, want->said);
		return false;
	}
	return true;
}

bool team_same(const struct team_case *c, unsigned ranks)
{
	struct driven d = {.c = c, .patience = -1};
	struct came want;
	bool good = true;

	drive_one(&want, c, NULL, NULL);
	for (uint32_t n = 1; n <= TEAM_MOST && good; n++) {
		if (!(ranks >> n & 1))
			continue;
		d.ranks = n;
		if (!team_threads_run(n, drive_rank, &d))
			bail_out("no team of %" PRIu32, n);
		good = came_to(&d, &want, "");
		forget_all(&d);
	}
	free(want.said);
	return good;
}

/* All ranks end alike: with that error, or well and as the whole. */
static bool end_together(struct driven *d, enum err_code expected, const struct came *whole, bool *failed)
{
	const struct team_case *c = d->c;
	struct came want;
	char when[100];
	bool good;

	if (!team_threads_run(d->ranks, drive_rank, d))
		bail_out("no team");
	snprintf(when, sizeof when, ", allocation %ld%s, question %ld of rank %" PRIu32, fault.at, fault.once ? " alone" : "", d->patience, d->stops);
	want = d->came[0].code || c->lenient ? d->came[0] : *whole;
	good = came_to(d, &want, when);
	/* What a rank lacks while it reads may look as if it had read something else. */
	if (good && want.code && want.code != expected && !c->lenient && !(c->loads && want.code == ERR_IO)) {
		diag("%s%s: %d, %s", c->name, when, (int)want.code, want.sentence);
		good = false;
	}
	if (c->loads && fault.at >= 0 && fault.live) {
		diag("%s%s: %ld are left", c->name, when, fault.live);
		good = false;
	}
	*failed = want.code != ERR_OK;
	d->questions = 0;
	for (uint32_t r = 0; r < d->ranks; r++)
		d->questions = d->came[r].questions > d->questions ? d->came[r].questions : d->questions;
	forget_all(d);
	return good;
}

static void fail_memory(struct driven *d, const struct came *whole, long tries)
{
	long all, tried = 0, failures = 0;
	bool failed, good;

	fault.once = true;
	fault.at = LONG_MAX - 1; /* none, but they are counted */
	good = end_together(d, ERR_OK, whole, &failed);
	all = fault.made;
	for (int once = 0; once < 2 && good; once++) {
		fault.once = once;
		for (fault.at = 0; good && fault.at < all; fault.at += tries ? all / tries + 1 : 1) {
			good = end_together(d, ERR_MEMORY, whole, &failed);
			tried++;
			failures += failed;
		}
	}
	fault.at = -1;
	ok(good && failures > tried / 10, "%s: each of %ld allocations fails for all ranks or for none, of %ld %ld for all", d->c->name, all, tried,
	   failures);
}

static void fail_stopped(struct driven *d, const struct came *whole, long tries)
{
	long all, failures = 0;
	bool failed, good = end_together(d, ERR_OK, whole, &failed);

	all = d->questions;
	for (d->patience = 0; good && d->patience < all; d->patience += tries ? all / tries + 1 : 1)
		for (d->stops = 0; good && d->stops < d->ranks; d->stops++) {
			good = end_together(d, ERR_CANCELLED, whole, &failed);
			failures += failed;
		}
	d->stops = 0;
	d->patience = -1;
	if (all)
		ok(good && failures, "%s: stopped on one rank at one of %ld questions, stopped on all, %ld times", d->c->name, all, failures);
	ok(end_together(d, ERR_OK, whole, &failed) && !failed, "%s: and works again", d->c->name);
}

void team_fails(const struct team_case *c, uint32_t ranks, long tries)
{
	struct driven d = {.c = c, .ranks = ranks, .patience = -1};
	struct came whole;

	drive_one(&whole, c, NULL, NULL);
	fail_memory(&d, &whole, tries);
	fail_stopped(&d, &whole, tries);
	free(whole.said);
}

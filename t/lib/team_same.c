#include "team_same.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/team/team_threads.h"
#include "tap.h"

struct came {
	enum err_code code;
	char sentence[ERR_TEXT];
	struct out out;
};

struct working {
	team_work *work;
	void *arg;
	struct came came[TEAM_SAME_MOST];
};

static long fail_at = -1; /* the allocation; -1: none */

void team_same_begin(const struct team *team)
{
	if (!team || fail_at < 0)
		return;
	team_agree(team, ERR_OK, NULL);
	if (!team->rank)
		mem_fail_once(fail_at);
	team_agree(team, ERR_OK, NULL);
}

static void rank(void *arg, const struct team *team)
{
	struct working *w = arg;
	struct came *to = &w->came[team->rank];
	struct err e = {0};

	out_init(&to->out);
	to->code = w->work(w->arg, team, &to->out, &e);
	team_agree(team, ERR_OK, NULL);
	if (!team->rank)
		mem_fail_after(-1);
	snprintf(to->sentence, sizeof to->sentence, "%s", to->code ? e.text : "");
}

static void forget(struct came *x)
{
	out_release(&x->out);
}

static void diag_lines(const char *a, const char *b)
{
	while (a && b && *a && *b) {
		size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");

		if (n != m || memcmp(a, b, n)) {
			diag("  %.*s\n  instead of %.*s", (int)(n < 400 ? n : 400), a, (int)(m < 400 ? m : 400), b);
			return;
		}
		a += n + (a[n] == '\n');
		b += m + (b[m] == '\n');
	}
	diag("  one ends before the other");
}

static bool same_text(const struct out *a, const struct out *b)
{
	return a->len == b->len && !a->failed && !b->failed && (!a->len || !memcmp(a->text, b->text, a->len));
}

bool team_same(team_work *work, void *arg, unsigned ranks, const char *name)
{
	struct came want;
	struct err e = {0};
	bool good = true;

	out_init(&want.out);
	want.code = work(arg, NULL, &want.out, &e);
	snprintf(want.sentence, sizeof want.sentence, "%s", want.code ? e.text : "");
	for (uint32_t n = 1; n <= TEAM_SAME_MOST && good; n++) {
		struct working w = {.work = work, .arg = arg};

		if (!(ranks >> n & 1))
			continue;
		if (!team_threads_run(n, rank, &w))
			bail_out("no threads");
		for (uint32_t r = 0; r < n && good; r++) {
			good = w.came[r].code == want.code && !strcmp(w.came[r].sentence, want.sentence);
			if (!good)
				diag("%s, rank %" PRIu32 " of %" PRIu32 ": %d, %s\n  instead of %d, %s", name, r, n, (int)w.came[r].code,
				     w.came[r].sentence, (int)want.code, want.sentence);
		}
		if (good && !want.code && !same_text(&w.came[0].out, &want.out)) {
			diag("%s, %" PRIu32 " ranks:", name, n);
			diag_lines(w.came[0].out.text ? w.came[0].out.text : "", want.out.text ? want.out.text : "");
			good = false;
		}
		for (uint32_t r = 0; r < n; r++)
			forget(&w.came[r]);
	}
	forget(&want);
	return good;
}

int team_fails_together(team_work *work, void *arg, uint32_t ranks, const char *name)
{
	int failures = 0, passed = 0;
	bool good = true;

	for (long at = 0; good && passed < 3; at += 1 + at / 40) {
		struct working w = {.work = work, .arg = arg};

		fail_at = at;
		if (!team_threads_run(ranks, rank, &w))
			bail_out("no threads");
		for (uint32_t r = 0; r < ranks; r++) {
			bool same = w.came[r].code == w.came[0].code && !strcmp(w.came[r].sentence, w.came[0].sentence);

			if (!same && good)
				diag("%s, allocation %ld: rank %" PRIu32 " %d, %s\n  rank 0 %d, %s", name, at, r, (int)w.came[r].code,
				     w.came[r].sentence, (int)w.came[0].code, w.came[0].sentence);
			good = good && same;
		}
		failures += w.came[0].code != ERR_OK;
		passed = w.came[0].code ? 0 : passed + 1; /* who fails may help itself */
		for (uint32_t r = 0; r < ranks; r++)
			forget(&w.came[r]);
	}
	fail_at = -1;
	return good ? failures : -1;
}

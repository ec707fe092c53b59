/* What restoring costs: a job's life is taken apart at the moments that were noted in it. Warm-up and measuring are no
 * cost, and they end when the last rank has measured its part, not when the first one has, nor when the runner happened
 * to look. With it: the board that says so, which is looked at many times without its texts, and read once with them.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "runner/runner_int.h"
#include "tap.h"

#define RANKS 2

static struct plan_part windows[] = {{.number = 1, .span_to = 1, .to = 2}, {.number = 2, .span_from = 1, .span_to = 2, .from = 2, .to = 4}};
static struct span spans[] = {{0, 1}, {2, 3}};
static uint32_t counts[] = {4, 8, 10, 12, 4, 8, 10, 12};
static const struct launch_plan two_windows = {.ranks = RANKS, .windows = true, .parts = windows, .part_count = 2, .spans = spans,
					.span_count = 2, .counts = counts, .boundary_count = 4};
static char said[ERR_TEXT];

static void say(void *arg, const char *text)
{
	(void)arg;
	snprintf(said, sizeof said, "%s", text);
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

/* A rank stamps a boundary. */
static void stamp(const struct board *b, uint32_t rank, uint32_t boundary, double when)
{
	uint64_t t = (uint64_t)(when * 1e9);
	uint64_t at = b->head.slot_offset + rank * b->head.slot_size + sizeof(struct control_slot) + boundary * sizeof t;

	if (pwrite(b->fd, &t, sizeof t, (off_t)at) != (ssize_t)sizeof t)
		bail_out("the control file cannot be written");
}

static void parts(struct station *s)
{
	struct cost c = {0};
	struct err e = {0};
	double now = clock_seconds();

	said[0] = '\0';
	cost_say(&c, s->mission);
	ok(!said[0], "nothing is said of no checkpoint");
	ok(near(cost_mean(&c), 0), "whose cost is 0");
	for (unsigned i = MOMENT_BEGAN; i <= MOMENT_MOVING; i++)
		s->times[i] = now - 10 + i;
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		stamp(&s->board, rank, 0, now - 6.5);
		stamp(&s->board, rank, 1, now - 5 + rank);
		stamp(&s->board, rank, 2, now - 3);
		stamp(&s->board, rank, 3, now - 1);
	}
	is_int(cost_measured(s, 0, &e), ERR_OK, "a window was measured");
	ok(near(s->times[MOMENT_MEASURED], now - 4), "at its last boundary on the last rank: %g s ago",
	   now - s->times[MOMENT_MEASURED]);
	s->times[MOMENT_SEEN] = now - 3.5;
	s->times[MOMENT_GONE] = now - 2;
	cost_add(&c, s);
	ok(near(c.parts[COST_NEST], 1) && near(c.parts[COST_FILES], 1) && near(c.parts[COST_RESTORE], 1),
	   "what comes before is a cost");
	ok(near(c.running, 3), "warm-up and measuring are none: %g s", c.running);
	ok(near(c.parts[COST_NOTICE], 0.5) && near(c.parts[COST_END], 1.5), "what comes after is one");
	ok(near(cost_mean(&c), 5), "together %g s", cost_mean(&c));
	s->times[MOMENT_NEST] = 0;
	cost_add(&c, s);
	is_int(c.checkpoints, 1, "one whose driver did not note all of it is left out");
	s->times[MOMENT_NEST] = now - 9;
	/* A window that is over before the driver is back from the restore. */
	s->times[MOMENT_MOVING] = now - 3;
	is_int(cost_measured(s, 0, &e), ERR_OK, "one that was measured early");
	ok(near(s->times[MOMENT_MEASURED], now - 3), "took no time of its own");
	s->times[MOMENT_SEEN] = now - 3;
	cost_add(&c, s);
	ok(c.checkpoints == 2 && near(cost_mean(&c), (5 + 8) / 2.0), "the mean is that of two: %g s", cost_mean(&c));
	cost_say(&c, s->mission);
	ok(strstr(said, "restoring took 6.500 s") != NULL, "it is said: %s", said);
}

static void views(const struct board *b)
{
	struct control_slot slot = {.state = CONTROL_STOPPED, .cut = 3, .calls = 12, .program = "/bin/a\033b", .host = "node"};
	struct board_view v;
	struct err e = {0};

	if (pwrite(b->fd, &slot, sizeof slot, (off_t)(b->head.slot_offset + b->head.slot_size)) != (ssize_t)sizeof slot)
		bail_out("the control file cannot be written");
	is_int(board_look(b, 1, &v, &e), ERR_OK, "a rank is looked at");
	ok(v.state == CONTROL_STOPPED && v.cut == 3 && v.calls == 12, "its numbers are there");
	ok(!v.program[0] && !v.host[0], "its texts are not");
	is_int(board_read(b, 1, &v, &e), ERR_OK, "it is read");
	ok(v.state == CONTROL_STOPPED && v.cut == 3 && v.calls == 12 && strcmp(v.host, "node") == 0, "with its texts");
	ok(!strchr(v.program, '\033'), "which are safe");
}

int main(void)
{
	char folder[] = "/tmp/pas2p-cost.XXXXXX", path[64];
	struct mission m = {.plan = &two_windows, .say = say};
	struct station s = {.mission = &m, .board = {.fd = -1}};
	struct err e = {0};

	if (!mkdtemp(folder))
		bail_out("no temporary directory");
	is_int(nest_open(&s.nest, NEST_PLAIN, &e), ERR_OK, "a nest opens: %s", e.text);
	s.child.pid = getpid(); /* its clock is the runner's */
	is_int(board_make(&s.board, folder, &two_windows, CONTROL_REPLAY, &e), ERR_OK, "a board is made: %s", e.text);
	parts(&s);
	views(&s.board);
	board_close(&s.board);
	is_int((int)nest_close(s.nest, false), 0, "nothing is left");
	snprintf(path, sizeof path, "%s/" CONTROL_FILE, folder);
	unlink(path);
	rmdir(folder);
	return done_testing();
}

/* Two runs in the background: keys never wait for them, Esc stops and Enter begins again, whatever was being made; a
 * setting moves both runs, and ticks are aligned again only where it changed them; differences, hunks and the first
 * occurrences of groups are gone to in their order.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/jobs/background.h"
#include "tui/model/run_list.h"
#include "tui/views/compare/compare_int.h"

static const char *const two[] = {"sample-traces/sendrecv.4.clog2", "sample-traces/nonblock.4.clog2"};
static const char *const other_p[] = {"sample-traces/cg.S.4.clog2", "sample-traces/coll.6.clog2"};

static void start(struct app *a, struct tui_options *o, const char *const *paths, uint32_t beside)
{
	struct err e;

	*o = (struct tui_options){.paths = paths, .count = beside ? 2 : 1, .beside = beside};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 120, 40);
}

static struct compare_view *view_of(struct app *a)
{
	return (struct compare_view *)a->work.views[VIEW_COMPARE];
}

/* --- where one goes --- */

static void test_steps(struct app *a)
{
	struct pair_half *h = &view_of(a)->beside;
	const struct run_pair *p = &a->work.model.pair;
	const struct diff_align *x = p->first->align;
	uint32_t differ = 0, seen = 0, hunks = 0, before;
	bool good = true;

	for (uint32_t i = 0; i < x->row_count; i++)
		differ += x->rows[i].changes > 0;
	ok(differ > 0 && x->rows[h->at].changes > 0, "it begins at a difference");
	for (before = UINT32_MAX; h->at != before; seen++) {
		good = good && x->rows[h->at].changes > 0;
		before = h->at;
		type_and_settle(a, "f");
	}
	ok(good && seen == differ, "each difference is gone to once: %u of %u", seen, differ);
	for (before = UINT32_MAX; h->at != before; hunks++) {
		before = h->at;
		type_and_settle(a, "b");
	}
	is_u64(hunks, p->first->hunk_count + 1, "each hunk backwards, the last from within it");
	is_u64(h->at, p->first->hunks[0], "... to the first");
	for (hunks = 0, before = UINT32_MAX; h->at != before; hunks++) {
		before = h->at;
		type_and_settle(a, "w");
	}
	is_u64(hunks, p->first->hunk_count, "... and forwards");
	for (before = UINT32_MAX; h->at != before;) {
		before = h->at;
		type_and_settle(a, "F");
	}
	is_u64(h->at, diff_align_next(x, NO_ROW), "differences backwards, to the first");
}

static uint32_t first_tick(const struct run_pair *p, int side, const struct phase_side *s)
{
	const struct phases *of = run_pair_side(p, side)->phases;

	for (uint32_t i = 0; i < of->occurrence_count; i++)
		for (uint32_t k = 0; k < s->count; k++)
			if (of->occurrences[i].phase == s->ids[k])
				return of->occurrences[i].first;
	return NO_TICK;
}

static void test_groups(struct app *a)
{
	struct pair_half *h = &view_of(a)->beside;
	const struct run_pair *p = &a->work.model.pair;
	uint32_t wrong = 0, groups = 0, tick[2];

	type_and_settle(a, "g");
	for (uint32_t i = 0; i < h->groups.shown; i++) {
		const struct phase_group *g = pair_group(p, list_row(&h->groups));
		uint32_t left, right;

		if (g) {
			groups++;
			type_and_settle(a, "\r");
			left = first_tick(p, 0, &g->a);
			right = first_tick(p, 1, &g->b);
			pair_ticks_at(p, h->at, tick);
			wrong += left != NO_TICK && tick[0] != left;
			pair_ticks_at(p, h->at_right, tick);
			wrong += right != NO_TICK && tick[1] != right;
			wrong += h->at < h->first[0] || h->at >= h->first[0] + (uint32_t)h->cells;
			wrong += h->at_right < h->first[1] || h->at_right >= h->first[1] + (uint32_t)h->cells;
		}
		type_and_settle(a, "j");
	}
	ok(groups > 2 && !wrong, "Enter on each of %u groups: its first occurrence on both sides, in sight", groups);
	type_and_settle(a, "\rl");
	ok(h->at == h->at_right && h->first[0] == h->first[1], "the next step brings the sides together");
}

/* --- knobs and sides --- */

static void test_knobs(struct app *a)
{
	struct run_pair *p = &a->work.model.pair;
	const struct pair_ticks *ticks = p->first;
	const struct pair_phases *phases = p->phases;

	type_and_settle(a, "]");
	ok(p->phases != phases && p->first == ticks, "a threshold: the phases are matched again, the ticks stay as they are");
	ok(settings_equal(&p->phases->open->settings, &p->phases->second->settings) && p->phases->open == a->work.model.analysis,
	   "... both by the settings that are shown");
	type_and_settle(a, "c");
	ok(p->first != ticks && p->first->align, "what is an event: the ticks are aligned again");
	ok(p->first->side[0]->logical == a->work.model.analysis->logical, "... those that are shown");
	type_and_settle(a, "c");
	type_and_settle(a, "s");
	ok(p->first->side[1] && p->first->side[1]->logical == a->work.model.analysis->logical && p->first->align, "swapped: the open run is on the right");
	ok(strstr(screen(a), "- 264 removed   + 70 added   ~ 160 resized") != NULL, "... removed is added");
	type_and_settle(a, "s");
	ok(strstr(screen(a), "- 70 removed   + 264 added   ~ 160 resized") != NULL, "... and back");
}

static void test_failed(struct app *a)
{
	struct run_pair *p = &a->work.model.pair;

	snprintf(p->matching.failure, sizeof p->matching.failure, "there was no room");
	type_and_settle(a, "j");
	ok(strstr(screen(a), "there was no room") != NULL, "what failed is said, and stays");
	type_and_settle(a, "[");
	ok(!run_pair_failure(p)[0] && p->first && p->first->align && p->phases->open == a->work.model.analysis, "a moved knob tries again");
	p->stopped = true;
	type_and_settle(a, "]");
	ok(strstr(screen(a), "Stopped.") != NULL, "but not what was stopped");
	type_and_settle(a, "\r");
	ok(!run_pair_failure(p)[0] && !p->stopped && p->first && p->first->align, "which Enter begins again");
}

static void test_bars(struct app *a)
{
	const struct run_pair *p = &a->work.model.pair;
	double sum = p->phases->side[0]->aet;

	for (uint32_t i = 0; i < p->phases->waterfall->count; i++)
		sum += p->phases->waterfall->rows[i].change;
	ok(fabs(sum - p->phases->side[1]->aet) <= 1e-9 * fmax(sum, p->phases->side[0]->aet), "the bars lead from one run time to the other");
	type_and_settle(a, "x");
	ok(strstr(screen(a), "2.78 ms +44.9 ms = 47.7 ms") != NULL, "... which stand above them");
	type_and_settle(a, "x");
	ok(!strstr(screen(a), "+44.9 ms = "), "x again: without");
}

/* --- what goes on in the background --- */

static void test_stop(void)
{
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;

	start(&a, &o, two, 0);
	app_settle(&a);
	type_and_settle(&a, "5vv");
	ok(strstr(screen(&a), ":diff FILE opens a second run") != NULL, "without another run it says how to open one");
	ok(strstr(screen(&a), "reading") == NULL, "... and reads nothing");
	app_release(&a);
	start(&a, &o, two, 1);
	app_settle(&a);
	is_int(a.work.here, VIEW_COMPARE, "a colon begins with the comparison");
	background_park(m->background, m->pair.matching.slot);
	app_key(&a, 'j');
	ok(strstr(screen(&a), "matching phases") != NULL, "what is being done is said, and keys do not wait for it");
	app_key(&a, 27);
	app_settle(&a);
	ok(strstr(screen(&a), "Stopped.") != NULL, "Esc stops it");
	type_and_settle(&a, "\r");
	ok(strstr(screen(&a), "- 70 removed") != NULL, "Enter begins again");
	app_release(&a);
}

static void test_open_other(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o, two, 1);
	app_settle(&a);
	type_and_settle(&a, "8");
	for (uint32_t place = 0; place < a.runs.shown; place++)
		if (a.runs.order[place] == 1)
			runs_select(&a.runs, place);
	type_and_settle(&a, "\r");
	is_u64(a.runs.open, 1, "the other run is opened");
	type_and_settle(&a, "5vv");
	ok(strstr(screen(&a), "- 264 removed   + 70 added") != NULL, "it is then compared with the one before");
	app_release(&a);
}

static void test_processes(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o, other_p, 1);
	app_settle(&a);
	ok(a.work.model.pair.first && !a.work.model.pair.first->align && a.work.model.pair.phases->match->count > 0,
	   "other processes: groups, but no aligned ticks");
	type_and_settle(&a, "jjjj\rJJJJJJllLhHfFwbiI");
	ok(strstr(screen(&a), "cg.S.4") != NULL, "no key minds");
	app_release(&a);
}

static void test_sizes(struct app *a)
{
	for (int w = 1; w < 130; w += 7)
		for (int h = 1; h < 40; h += 3) {
			app_resize(a, w, h);
			app_draw(a);
			app_key(a, 'l');
			app_draw(a);
		}
	app_resize(a, 120, 40);
	ok(strstr(screen(a), "sendrecv.4.clog2") != NULL, "any size is drawn");
}

int main(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o, two, 1);
	app_settle(&a);
	test_steps(&a);
	test_groups(&a);
	test_knobs(&a);
	test_failed(&a);
	test_bars(&a);
	test_sizes(&a);
	app_release(&a);
	test_stop();
	test_open_other();
	test_processes();
	return done_testing();
}

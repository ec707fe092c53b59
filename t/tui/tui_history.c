/* What was before, and can be again: places jumped from, steps of undo and redo, filters as such steps, and two sets of
 * settings to flip between. Each has a depth, and keeps what is newest; what is done behind a step back ends what could
 * be gone forward to; and none of it needs memory, so that it works when that has run out. A person tries out
 * thresholds in the trust that the way back is there.
 */
#include <string.h>

#include "core/base/mem.h"
#include "tap.h"
#include "tui/app/app_int.h"

static struct history *fresh(void)
{
	static struct history h;
	struct settings s;
	struct look look = {0};

	memset(&h, 0, sizeof h);
	settings_init(&s);
	undo_init(&h.undo, &s, &look);
	return &h;
}

/* --- places --- */

static bool back_to(struct history *h, struct trace_place *cursor, uint32_t tick)
{
	return history_back(h, cursor) && cursor->tick == tick;
}

static bool forward_to(struct history *h, struct trace_place *cursor, uint32_t tick)
{
	return history_forward(h, cursor) && cursor->tick == tick;
}

/* Jump from the cursor to a tick. */
static void jump(struct history *h, struct trace_place *cursor, uint32_t tick)
{
	history_jump(h, *cursor);
	*cursor = (struct trace_place){1, tick};
}

static void test_places(void)
{
	struct history *h = fresh();
	struct trace_place cursor = {0, 10};
	bool good = true;

	ok(!history_back(h, &cursor) && !history_forward(h, &cursor) && cursor.tick == 10, "at first there is nowhere to go");
	jump(h, &cursor, 20);
	jump(h, &cursor, 30);
	ok(!history_forward(h, &cursor), "nor forward, after jumps");
	cursor.tick = 33; /* moved without a jump */
	ok(back_to(h, &cursor, 20) && back_to(h, &cursor, 10) && cursor.process == 0, "back to where the jumps began");
	ok(!history_back(h, &cursor) && cursor.tick == 10, "and no further");
	ok(forward_to(h, &cursor, 20) && forward_to(h, &cursor, 33), "forward, to where one had moved to");
	ok(!history_forward(h, &cursor), "and no further");
	ok(back_to(h, &cursor, 20) && back_to(h, &cursor, 10) && forward_to(h, &cursor, 20), "back once more");
	jump(h, &cursor, 40);
	ok(!history_forward(h, &cursor) && cursor.tick == 40, "a jump behind a step back ends what was forward");
	ok(back_to(h, &cursor, 20) && back_to(h, &cursor, 10) && !history_back(h, &cursor), "what was before stays");
	jump(h, &cursor, 50);
	ok(!history_forward(h, &cursor), "a jump behind several ends all of it");

	h = fresh();
	cursor.tick = 0;
	for (uint32_t tick = 1; tick <= 3 * HISTORY_PLACES; tick++)
		jump(h, &cursor, tick);
	for (uint32_t i = 1; i <= HISTORY_PLACES; i++)
		good = good && back_to(h, &cursor, 3 * HISTORY_PLACES - i);
	ok(good && !history_back(h, &cursor), "of many jumps the last %d can be gone back over", HISTORY_PLACES);
	for (uint32_t i = 1; i <= HISTORY_PLACES; i++)
		good = good && forward_to(h, &cursor, 2 * HISTORY_PLACES + i);
	ok(good && !history_forward(h, &cursor), "and forward again");
}

/* --- undo --- */

static struct settings volume(double v)
{
	struct settings s;

	settings_init(&s);
	s.volume = v;
	return s;
}

static bool turn(struct history *h, double v, int gesture)
{
	struct settings s = volume(v);

	return undo_record(&h->undo, &s, gesture);
}

static bool undo_to(struct history *h, double v)
{
	const struct undo_step *step = undo_back(&h->undo);
	struct settings s = volume(v);

	return step && settings_equal(&step->settings, &s);
}

static bool redo_to(struct history *h, double v)
{
	const struct undo_step *step = undo_forward(&h->undo);
	struct settings s = volume(v);

	return step && settings_equal(&step->settings, &s);
}

static void test_merging(void)
{
	struct history *h = fresh();
	double usual = h->undo.list[0].settings.volume;

	ok(turn(h, 0.1, SETTING_volume) && !turn(h, 0.2, SETTING_volume) && !turn(h, 0.3, SETTING_volume), "turns of one knob are one step");
	ok(undo_to(h, usual) && !undo_back(&h->undo), "undone at once");
	ok(turn(h, 0.4, SETTING_volume), "the same knob, turned after an undo, begins another step");
	ok(!undo_forward(&h->undo), "which ends what could be redone");
	ok(undo_to(h, usual) && redo_to(h, 0.4), "the step itself is undone and redone");
	ok(turn(h, 0.5, SETTING_volume), "turned after a redo it begins another step too");
	ok(undo_to(h, 0.4) && undo_to(h, usual), "so that each is undone by itself");
	ok(redo_to(h, 0.4) && turn(h, 0.6, -1) && !undo_forward(&h->undo), "a step between the two takes the place of the later one");
	ok(undo_to(h, 0.4) && undo_to(h, usual) && !undo_back(&h->undo), "and leaves the earlier one");
	ok(turn(h, 0.1, -1) && turn(h, 0.2, -1) && undo_to(h, 0.1), "what is no gesture is a step each");
	ok(turn(h, 0.2, SETTING_volume) && undo_to(h, 0.1) && turn(h, 0.3, SETTING_volume) && undo_to(h, 0.1),
	   "no turn goes on with a step that was undone");
	ok(undo_to(h, usual) && turn(h, 0.2, -1) && !undo_forward(&h->undo), "a step behind several undone ends all of them");
	ok(turn(h, 0.2, SETTING_volume) && turn(h, 0.3, SETTING_events) && turn(h, 0.4, SETTING_volume), "so is another knob between");
}

static void test_depth(void)
{
	struct history *h = fresh();
	bool good = true;

	for (int i = 1; i <= 3 * UNDO_DEPTH; i++)
		good = good && turn(h, i * 1e-4, -1);
	for (int i = 3 * UNDO_DEPTH - 1; i > 2 * UNDO_DEPTH; i--)
		good = good && undo_to(h, i * 1e-4);
	ok(good && !undo_back(&h->undo), "of many steps the last %d can be undone", UNDO_DEPTH - 1);
	for (int i = 2 * UNDO_DEPTH + 2; i <= 3 * UNDO_DEPTH; i++)
		good = good && redo_to(h, i * 1e-4);
	ok(good && !undo_forward(&h->undo), "and redone");
	ok(turn(h, 0.5, SETTING_volume) && !turn(h, 0.6, SETTING_volume) && undo_to(h, 3 * UNDO_DEPTH * 1e-4),
	   "turns are one step where the depth is used up too");
}

/* --- filters --- */

static bool filter_is(const struct undo_step *step, enum view_id id, const char *pattern)
{
	return step && !strcmp(step->look.filter, pattern) && (!pattern[0] || step->look.filter_view == (int)id);
}

static void test_filters(void)
{
	struct history *h = fresh();
	char longest[UNDO_FILTER], longer[UNDO_FILTER + 1];

	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	memset(longer, 'y', sizeof longer - 1);
	longer[sizeof longer - 1] = 0;

	history_record_filter(h, VIEW_PHASES, "one");
	history_record_filter(h, VIEW_PHASES, "one");
	history_record_filter(h, VIEW_BBPS, "one");
	ok(filter_is(undo_back(&h->undo), VIEW_PHASES, "one"), "the same filter of another view is another step");
	ok(filter_is(undo_back(&h->undo), VIEW_PHASES, "") && !undo_back(&h->undo), "given again to the same view it is none");
	ok(filter_is(undo_forward(&h->undo), VIEW_PHASES, "one"), "redone");
	history_record_filter(h, VIEW_PHASES, longest);
	ok(!undo_forward(&h->undo), "a filter behind an undo ends what could be redone");
	history_record_filter(h, VIEW_PHASES, longer);
	ok(filter_is(undo_back(&h->undo), VIEW_PHASES, "one"), "one that is too long to be kept is no step");
	ok(filter_is(undo_forward(&h->undo), VIEW_PHASES, longest), "the longest is kept whole");
	turn(h, 0.3, -1);
	ok(filter_is(&h->undo.list[h->undo.at], VIEW_PHASES, longest), "a setting leaves the filter as it is");
	history_record_filter(h, VIEW_PHASES, "");
	ok(undo_to(h, 0.3), "and a filter the settings");
}

/* --- two sets --- */

static void test_flip(void)
{
	struct history *h = fresh();
	struct settings a = volume(0.1), b = volume(0.2), c = volume(0.3);
	struct summary of_a = {.valid = true, .phases = 1}, of_b = {.valid = true, .phases = 2}, of_c = {.valid = true, .phases = 3};

	ok(!h->pinned, "at first nothing is pinned");
	history_pin(h, &a, &of_a);
	ok(h->pinned && !history_flip(h, &a, &of_a), "without a change there is nothing to flip to");
	ok(history_flip(h, &b, &of_b) && settings_equal(&h->pin[h->pin_side], &a), "from B to A");
	is_int((int)h->pin_summary[h->pin_side].phases, 1, "with its figures");
	ok(history_flip(h, &a, &of_a) && settings_equal(&h->pin[h->pin_side], &b), "and to B");
	is_int((int)h->pin_summary[h->pin_side].phases, 2, "with its own");
	ok(history_flip(h, &c, &of_c) && settings_equal(&h->pin[h->pin_side], &a), "B turned further, and to A");
	ok(history_flip(h, &a, &of_a) && settings_equal(&h->pin[h->pin_side], &c), "leaves it as it was turned");
	ok(!history_flip(h, &a, &of_a), "B turned until it is A: nothing to flip to");
	history_pin(h, &b, &of_b);
	ok(!history_flip(h, &b, &of_b) && history_flip(h, &c, &of_c) && settings_equal(&h->pin[h->pin_side], &b), "pinned anew, A is what was pinned last");
}

static void test_all(void)
{
	test_places();
	test_merging();
	test_depth();
	test_filters();
	test_flip();
}

int main(void)
{
	test_all();
	mem_fail_after(0);
	test_all();
	is_int(mem_count(), 0, "none of it asks for memory");
	mem_fail_after(-1);
	return done_testing();
}

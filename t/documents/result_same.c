/* Which phase on the screen is the one that was measured (core/documents/result.h): by its id where the settings are
 * those of the table, whatever clocks say by now; otherwise by weight, ticks and traced time, where one alone has them.
 * Held against looking at each phase in turn.
 */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/documents/result.h"
#include "tap.h"

static uint64_t state = 7;

static uint32_t below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

/* As the header says it, one phase after the other. */
static uint32_t naive(const struct traced_phase *list, uint32_t n, const struct settings *s, const struct result *r, const struct result_phase *m)
{
	uint32_t found = 0, alike = 0;

	if (r->settings.phase_time != s->phase_time)
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		if (list[i].weight != m->weight || list[i].ticks != m->ticks)
			continue;
		if (r->has_settings && settings_same_phases(&r->settings, s)) {
			if (list[i].id == m->id)
				return m->id;
			continue;
		}
		if (fabs(list[i].time - m->traced) > 1e-9 * m->traced)
			continue;
		if (list[i].id == m->id)
			return m->id;
		found = list[i].id;
		alike++;
	}
	return alike == 1 ? found : 0;
}

static void against_naive(void)
{
	uint32_t same = 0, found = 0, none = 0;

	for (uint32_t round = 0; round < 2000; round++) {
		struct traced_phase list[40], shown[40];
		struct settings s;
		struct traced_phases t = {&s, list, below(40)};
		struct result r = {.has_settings = below(3) > 0};
		struct result_phase m = {.id = 1 + below(40), .weight = 1 + below(3), .ticks = 1 + below(2), .traced = 1 + below(5)};

		settings_init(&s);
		settings_init(&r.settings);
		if (below(2))
			r.settings.volume /= 2;
		if (below(8) == 0)
			r.settings.phase_time = PHASE_TIME_SLOWEST;
		for (uint32_t i = 0; i < t.count; i++)
			list[i] = (struct traced_phase){i + 1, 1 + below(3), 1 + below(2), (1 + below(5)) * (1 + 1e-13 * below(2))};
		memcpy(shown, list, sizeof list);
		traced_phases_sort(&t);
		same += traced_phases_find(&t, &r, &m) == naive(shown, t.count, &s, &r, &m);
		*(naive(shown, t.count, &s, &r, &m) ? &found : &none) += 1;
	}
	is_int(same, 2000, "as one by one");
	ok(found > 200 && none > 200, "found %u times, not found %u times", found, none);
}

static void by_hand(void)
{
	struct traced_phase list[] = {{1, 10, 4, 2.0}, {2, 10, 4, 2.0}, {3, 7, 4, 3.0}};
	struct settings s;
	struct traced_phases t = {&s, list, 3};
	struct result r = {.has_settings = true};
	struct result_phase second = {.id = 2, .weight = 10, .ticks = 4, .traced = 2.0}, late = second, other = {.id = 9, .weight = 7, .ticks = 4, .traced = 3.0},
			    either = {.id = 9, .weight = 10, .ticks = 4, .traced = 2.0};

	settings_init(&s);
	settings_init(&r.settings);
	late.traced = 2.1;
	traced_phases_sort(&t);
	is_int(traced_phases_find(&t, &r, &late), 2, "with its settings the id counts, also where clocks were put right since");
	is_int(traced_phases_find(&t, &r, &other), 0, "and nothing else does");
	r.settings.events /= 2;
	is_int(traced_phases_find(&t, &r, &late), 0, "with others the time counts");
	is_int(traced_phases_find(&t, &r, &other), 3, "and not the id");
	is_int(traced_phases_find(&t, &r, &either), 0, "of two that cannot be told apart it is none");
	is_int(traced_phases_find(&t, &r, &second), 2, "but for its own id");
}

int main(void)
{
	against_naive();
	by_hand();
	return done_testing();
}

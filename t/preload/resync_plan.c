/* At which collectives clocks are measured again: about as often as asked for, whether collectives are frequent, rare
 * or become rarer; and not so often that it takes more than a thousandth of the run. */
#include <stdio.h>

#include "preload/resync_plan.h"
#include "tap.h"

/* A run of so many collectives; the time of the next one comes from step(). */
struct run {
	struct resync_plan plan;
	double now, longest;     /* between measurements */
	uint32_t measured, looks;
};

static void go(struct run *r, double interval, int collectives, double (*step)(int), double cost, double look)
{
	double last = 0;

	*r = (struct run){.longest = 0};
	resync_plan_init(&r->plan, interval, 0);
	for (int i = 0; i < collectives; i++) {
		r->now += step(i);
		if (!r->plan.next || ++r->plan.count != r->plan.next)
			continue;
		r->looks++;
		if (resync_plan_take(&r->plan, r->now)) {
			r->measured++;
			r->longest = r->now - last > r->longest ? r->now - last : r->longest;
			last = r->now;
			r->now += cost;
			resync_plan_spent(&r->plan, true, cost, r->now);
		} else {
			r->now += look;
			resync_plan_spent(&r->plan, false, look, r->now);
		}
		if (r->plan.next <= r->plan.count)
			bail_out("collective %llu was planned at collective %llu", (unsigned long long)r->plan.next,
				 (unsigned long long)r->plan.count);
	}
}

static double milliseconds(int i)
{
	(void)i;
	return 1e-3;
}

static double seconds(int i)
{
	(void)i;
	return 3;
}

/* One each millisecond in the first ten seconds, then one each tenth of a second. */
static double rarer(int i)
{
	return i < 10000 ? 1e-3 : 0.1;
}

/* Bursts of a thousand, and long pauses. */
static double bursts(int i)
{
	return i % 1000 ? 1e-5 : 2;
}

static double at_once(int i)
{
	(void)i;
	return 0;
}

int main(void)
{
	struct run r;

	go(&r, 1, 100000, milliseconds, 0, 0);
	ok(r.measured >= 95 && r.measured <= 134 && r.longest < 2, "each second of 100: %u times, at most %.2f s apart", r.measured, r.longest);
	ok(r.looks < 2000, "at %u of 100000 collectives processes talk of it", r.looks);
	go(&r, 1, 100, seconds, 0, 0);
	ok(r.measured == 100, "at each collective where they are rarer than asked for: %u of 100", r.measured);
	go(&r, 10, 15000, rarer, 0, 0);
	ok(r.measured > 25 && r.longest < 150, "collectives that become rarer: %u times, at most %.2f s apart", r.measured, r.longest);
	go(&r, 1, 200000, bursts, 0, 0);
	ok(r.measured >= 100 && r.longest < 10, "bursts of collectives: %u times in 400 s, at most %.2f s apart", r.measured, r.longest);
	go(&r, 0, 1000, milliseconds, 0, 0);
	ok(!r.measured && !r.looks, "not asked for: never");
	go(&r, 1, 1000, at_once, 0, 0);
	ok(!r.measured && r.looks < 12, "collectives that take no time: %u looks", r.looks);
	go(&r, 1, 100000, milliseconds, 10e-3, 0);
	ok(r.plan.interval >= 8 && r.plan.spent < 2 * RESYNC_BUDGET * r.now, "10 ms each time: every %.0f s, %.2f per mille of the run",
	   r.plan.interval, 1e3 * r.plan.spent / r.now);
	go(&r, 1, 100000, milliseconds, 0.5e-3, 0);
	ok(!(r.plan.interval > 1), "0.5 ms each time are within the budget");
	go(&r, 1, 100000, milliseconds, 0, 1e-3);
	ok(r.plan.interval >= 4 && r.plan.spent < 2 * RESYNC_BUDGET * r.now, "nor 1 ms to agree, without end: every %.0f s, %.2f per mille",
	   r.plan.interval, 1e3 * r.plan.spent / r.now);
	return done_testing();
}

/* Where a format says which send belongs to which receive, that stands, even where first in, first out would pair
 * others; numbers that fit no pair relate nothing; and messages without a number are related as always, beside those
 * that have one.
 */
#include <string.h>

#include "core/base/mem.h"
#include "core/trace/relate/relate.h"
#include "tap.h"

static struct err e;

/* Two processes: rank 0 sends n messages of one channel, rank 1 receives as many. */
static struct trace *channel(uint32_t n)
{
	const uint32_t counts[] = {n, n};
	struct trace *t = NULL;

	if (trace_new(&t, 2, counts, &e))
		bail_out("no trace: %s", e.text);
	t->threads = 2;
	t->comm_count = 1;
	t->comms = mem_zero(1, sizeof *t->comms);
	for (uint32_t i = 0; i < n; i++) {
		t->type[i] = EVENT_SEND | 2;
		t->type[n + i] = EVENT_RECEIVE | 1;
		t->time[i] = i;
		t->time[n + i] = i + 0.5;
		t->match[i] = t->match[n + i] = 0;
	}
	t->end = n;
	return t;
}

static void relate(struct trace *t)
{
	is_int(trace_relate(t, NULL, 0, true, NULL, &e), ERR_OK, "events are related");
}

static void test_given(void)
{
	struct trace *t = channel(4);

	for (uint32_t i = 0; i < 4; i++) {
		t->match[i] = i + 1;
		t->match[7 - i] = i + 1;
	}
	relate(t);
	for (uint32_t i = 0; i < 4; i++) {
		is_int(t->match[i], 7 - i, "send %u arrives where its number is", i);
		is_int(t->match[7 - i], i, "and the receive knows it");
	}
	is_int((int)(t->lost_sends + t->lost_receives), 0, "nothing is lost");
	is_int(t->notes.count[NOTE_RECEIVE_EARLY] + t->notes.count[NOTE_CLOCKS_APART], 2, "two of them arrive before they were sent");
	trace_free(t);
}

static void test_mixed(void)
{
	struct trace *t = channel(4);

	t->match[0] = t->match[7] = 1;
	relate(t);
	is_int(t->match[0], 7, "the first send has its number's receive");
	is_int(t->match[1], 4, "the others are first in, first out");
	is_int(t->match[2], 5, "each");
	is_int(t->match[3], 6, "of them");
	trace_free(t);
}

static void test_nonsense(void)
{
	struct trace *t = channel(4);

	t->match[0] = t->match[1] = t->match[4] = 3; /* two sends of one number */
	t->match[2] = UINT32_MAX;                    /* no number that can be */
	t->match[5] = 2;                             /* of no send */
	t->type[6] = EVENT_RECEIVE | 2;              /* of another process */
	t->match[3] = t->match[6] = 1;
	relate(t);
	is_int(t->match[0], 4, "the first send that fits");
	is_int(t->match[1], (long long)NO_EVENT, "the second one is lost");
	is_int(t->match[2], (long long)NO_EVENT, "so is one whose number is none");
	is_int(t->match[3], (long long)NO_EVENT, "and one whose receive is from another process");
	is_int(t->match[5], (long long)NO_EVENT, "a receive without its send is lost");
	is_int((int)t->lost_sends, 3, "three sends are");
	is_int((int)t->lost_receives, 3, "with the receive that has no number and finds no send");
	trace_free(t);
}

static void test_collectives(void)
{
	struct trace *t = channel(1);

	t->colls = mem_zero(1, sizeof *t->colls);
	t->coll_count = 1;
	t->colls[0].op = "Barrier";
	t->type[0] = t->type[1] = EVENT_COLLECTIVE;
	t->match[0] = 7; /* left of a message that was there when records were told first */
	relate(t);
	is_int(t->match[0], 1, "collectives are a ring");
	is_int(t->match[1], 0, "as without numbers");
	trace_free(t);
}

int main(void)
{
	test_given();
	test_mixed();
	test_nonsense();
	test_collectives();
	return done_testing();
}

/* The examples of the method (docs/explain/method.md, "Examples of the thesis"; figures 3.10 to 3.27 of the thesis),
 * number by number, checked against whatever implementation fills in a struct seen. */
#ifndef PAS2P_VECTORS_EXPECTED_H
#define PAS2P_VECTORS_EXPECTED_H

#include "gen.h"
#include "tap.h"

struct seen {
	const char *who;
	const struct trace *t;
	const uint32_t *lt;     /* per event */
	uint32_t ticks, send_ticks, blocks;
	const uint32_t *label;  /* from 1 */
	struct { uint32_t weight, ticks; } phase[64];
	uint32_t phases;
	struct { uint32_t phase, first, last; } occurrence[64];
	uint32_t occurrences;
};

static void labels_are(const struct seen *s, const uint32_t *want, uint32_t count)
{
	is_int(s->blocks, count, "%s: %u blocks", s->who, count);
	for (uint32_t i = 1; i <= count && i <= s->blocks; i++)
		is_int(s->label[i], want[i - 1], "%s: label of block %u", s->who, i);
}

struct want_phase { uint32_t weight, ticks; };
static void phases_are(const struct seen *s, const struct want_phase *want, uint32_t count)
{
	is_int(s->phases, count, "%s: %u phases", s->who, count);
	for (uint32_t i = 0; i < count && i < s->phases; i++) {
		is_int(s->phase[i].weight, want[i].weight, "%s: weight of phase %u", s->who, i + 1);
		is_int(s->phase[i].ticks, want[i].ticks, "%s: ticks of phase %u", s->who, i + 1);
	}
}

struct want_occurrence { uint32_t phase, first, last; };
static void occurrences_are(const struct seen *s, const struct want_occurrence *want, uint32_t count)
{
	is_int(s->occurrences, count, "%s: %u occurrences", s->who, count);
	for (uint32_t i = 0; i < count && i < s->occurrences; i++) {
		is_int(s->occurrence[i].phase, want[i].phase, "%s: phase of occurrence %u", s->who, i + 1);
		is_int(s->occurrence[i].first, want[i].first, "%s: first tick of occurrence %u", s->who, i + 1);
		is_int(s->occurrence[i].last, want[i].last, "%s: last tick of occurrence %u", s->who, i + 1);
	}
}

#define LABELS(s, ...) \
	labels_are(s, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define PHASES(s, ...) \
	phases_are(s, (const struct want_phase[]){__VA_ARGS__}, \
		   sizeof((const struct want_phase[]){__VA_ARGS__}) / sizeof(struct want_phase))
#define OCCURRENCES(s, ...) \
	occurrences_are(s, (const struct want_occurrence[]){__VA_ARGS__}, \
			sizeof((const struct want_occurrence[]){__VA_ARGS__}) / sizeof(struct want_occurrence))

/* Two iterations of CG in `lamport` order, phases from blocks (figures 3.14 and 3.16). */
static void expect_cg_lamport(const struct seen *s)
{
	is_int(s->ticks, 16, "%s: 16 ticks", s->who);
	for (uint32_t e = 0; e < s->t->event_count; e++)
		is_int(s->lt[e], e % 16, "%s: one event of each process in every tick, event %u", s->who, e);
	LABELS(s, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7);
	PHASES(s, {2, 8}, {1, 2});
	OCCURRENCES(s, {1, 0, 7}, {2, 7, 8}, {1, 8, 15});
}

/* Two iterations of SMG2000 in `pas2p` order: logical times, and phases from blocks (3.10-3.12, 3.17). */
static void expect_smg_blocks(const struct seen *s)
{
	static const uint32_t lt[4][6] = {
		{0, 1, 2, 1, 1, 1}, {0, 1, 2, 1, 2, 2}, {0, 1, 2, 2, 2, 3}, {0, 1, 2, 3, 3, 3}
	};

	for (uint32_t p = 0; p < 4; p++)
		for (uint32_t i = 0; i < 6; i++)
			is_int(s->lt[s->t->first[p] + i], lt[p][i], "%s: LT of P%u's event %u", s->who, p + 1, i + 1);
	is_int(s->ticks, 22, "%s: 22 ticks", s->who);
	LABELS(s, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	PHASES(s, {2, 11}, {1, 2});
	OCCURRENCES(s, {1, 0, 10}, {2, 10, 11}, {1, 11, 21});
}

/* The same, phases from the logical trace (3.27). */
static void expect_smg_phases(const struct seen *s)
{
	is_int(s->send_ticks, 6, "%s: six send ticks", s->who);
	PHASES(s, {2, 3});
	OCCURRENCES(s, {1, 0, 7}, {1, 11, 18});
}

/* Figures 3.20 to 3.25: a lone tick, a repeated window, and the end of the trace. */
static void expect_windows(const struct seen *s)
{
	is_int(s->send_ticks, 11, "%s: eleven send ticks", s->who);
	PHASES(s, {1, 1}, {3, 3}, {1, 1});
	is_int(s->occurrences, 5, "%s: 0, 1-3, 4-6, 7-9 and 10", s->who);
	for (uint32_t i = 0; i < 5 && i < s->occurrences; i++)
		is_int(s->occurrence[i].phase, i == 0 ? 1 : i == 4 ? 3 : 2, "%s: phase of occurrence %u", s->who,
		       i + 1);
}

/* Figure 3.18: seven phases. */
static const uint32_t labels_318[] = {0, 1, 2, 3, 4, 5, 6, 1, 2, 9, 10, 5};
#define LABELS_318 11
static void expect_labels_318(const struct seen *s)
{
	PHASES(s, {2, 3}, {1, 2}, {1, 2}, {2, 2}, {1, 2}, {1, 2}, {1, 2});
	OCCURRENCES(s, {1, 0, 2}, {2, 2, 3}, {3, 3, 4}, {4, 4, 5}, {5, 5, 6}, {1, 6, 8}, {6, 8, 9}, {7, 9, 10},
		    {4, 10, 11});
}

#endif

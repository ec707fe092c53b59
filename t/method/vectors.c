/* The core must give every number of the method's examples, the figures of the thesis: they are what fixes the
 * method where its text is silent. The traces are the files that are shipped, at the thesis's thresholds. Each step is called
 * by itself, as the analysis would. */
#include <math.h>

#include "core/method/figures/figures.h"
#include "core/formats/api/load.h"
#include "core/method/phases/bbp.h"
#include "core/method/logical/logical.h"
#include "core/method/phases/phases.h"
#include "vectors_expected.h"

#define CG "sample-traces/thesis-cg.4.clog2"
#define SMG "sample-traces/thesis-smg.4.clog2"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static struct trace *shipped(const char *path)
{
	struct trace *t;

	must(trace_load(&t, &path, 1, NULL, NULL, &err));
	return t;
}

static void look_at_phases(struct seen *s, const struct phases *p)
{
	s->phases = p->count;
	s->occurrences = p->occurrence_count;
	for (uint32_t i = 0; i < p->count && i < 64; i++) {
		s->phase[i].weight = p->list[i].weight;
		s->phase[i].ticks = p->list[i].ticks;
	}
	for (uint32_t i = 0; i < p->occurrence_count && i < 64; i++) {
		s->occurrence[i].phase = p->occurrences[i].phase;
		s->occurrence[i].first = p->occurrences[i].first;
		s->occurrence[i].last = p->occurrences[i].last;
	}
}

static void look(struct seen *s, const struct logical *l, const struct bbps *b, const struct phases *p)
{
	static uint32_t lt[256]; /* more than any of the figures has */

	for (uint32_t i = 0; i < l->trace->event_count && i < 256; i++)
		lt[i] = logical_lt(l, i);
	*s = (struct seen){.who = "core", .t = l->trace, .lt = lt, .ticks = l->tick_count};
	if (b) {
		s->blocks = b->count;
		s->label = b->label;
	}
	for (uint32_t k = 0; k < l->tick_count; k++)
		s->send_ticks += l->tick_sends[k];
	look_at_phases(s, p);
}

static void with_blocks(struct trace *t, enum order order, void (*expect)(const struct seen *))
{
	struct bbp_space *space;
	struct settings settings;
	struct logical *l;
	struct phases *p;
	struct bbps *b;
	struct seen s;

	settings_init(&settings);
	settings.order = order;
	settings.similarity = SIMILARITY_BBP;
	must(logical_new(&l, t, order, COLLECTIVES_EVENTS, NULL, &err));
	must(bbp_space_new(&space, l, NULL, &err));
	must(bbps_new(&b, space, &settings, NULL, &err));
	must(phases_join(&p, b, NULL, &err));
	look(&s, l, b, p);
	expect(&s);
	phases_free(p);
	bbps_free(b);
	bbp_space_free(space);
	logical_unref(l);
	trace_free(t);
}

static void with_windows(struct trace *t, void (*expect)(const struct seen *))
{
	struct phase_space *space;
	struct settings settings;
	struct logical *l;
	struct phases *p;
	struct seen s;

	settings_init(&settings);
	must(logical_new(&l, t, settings.order, COLLECTIVES_EVENTS, NULL, &err));
	must(phase_space_new(&space, l, NULL, &err));
	must(phases_search(&p, space, &settings, NULL, &err));
	look(&s, l, NULL, p);
	expect(&s);
	phases_free(p);
	phase_space_free(space);
	logical_unref(l);
	trace_free(t);
}

/* The labels of figure 3.18 are given without their trace. */
static void with_labels(const uint32_t *labels, uint32_t count)
{
	uint32_t label[32] = {0}, weight[32] = {0};
	struct bbps b = {.count = count, .label = label, .weight = weight};
	struct seen s = {.who = "core"};
	struct phases *p;

	for (uint32_t i = 1; i <= count; i++) {
		label[i] = labels[i];
		b.label_count += !weight[label[i]]++;
	}
	must(phases_join(&p, &b, NULL, &err));
	look_at_phases(&s, p);
	expect_labels_318(&s);
	phases_free(p);
}

/* Table 5.6: 127 ms twice and 128 ms once. */
static void block_times(enum order order)
{
	struct trace *t = shipped(CG);
	struct bbp_space *space;
	struct clockwork *c;
	struct settings s;
	struct figures *f;
	struct logical *l;
	struct phases *p;
	struct bbps *b;

	settings_init(&s);
	must(logical_new(&l, t, order, COLLECTIVES_IGNORE, NULL, &err));
	must(bbp_space_new(&space, l, NULL, &err));
	must(bbps_new(&b, space, &s, NULL, &err));
	must(phases_join(&p, b, NULL, &err));
	must(clockwork_new(&c, l, SIMILARITY_BBP, NULL, &err));
	for (int how = PHASE_TIME_MEAN; how <= PHASE_TIME_SLOWEST; how++) {
		s.phase_time = how;
		must(figures_new(&f, c, p, &s, NULL, &err));
		ok(f->count == 2 && fabs(f->phase[0].time - 0.127) < 1e-12 && fabs(f->phase[1].time - 0.128) < 1e-12,
		   "phases of 127 and 128 ms");
		ok(p->list[0].weight == 2 && p->list[1].weight == 1 && fabs(f->pet - 0.382) < 1e-12, "which are 382 ms");
		figures_free(f);
	}
	clockwork_free(c);
	phases_free(p);
	bbps_free(b);
	bbp_space_free(space);
	logical_unref(l);
	trace_free(t);
}

int main(void)
{
	with_blocks(shipped(CG), ORDER_LAMPORT, expect_cg_lamport);
	with_blocks(shipped(SMG), ORDER_PAS2P, expect_smg_blocks);
	with_windows(shipped(SMG), expect_smg_phases);
	with_windows(shipped("sample-traces/thesis-windows.4.clog2"), expect_windows);
	block_times(ORDER_LAMPORT);
	block_times(ORDER_PAS2P);
	with_labels(labels_318, LABELS_318);
	return done_testing();
}

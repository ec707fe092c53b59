/* The naive implementation must give every number of the method's examples: it is the measure of the core
 * in other tests, so it is measured here, by the same examples as the core is. */
#include "naive.h"
#include "vectors_expected.h"

static void look(struct seen *s, const struct naive *n)
{
	*s = (struct seen){.who = "naive", .t = n->t, .lt = n->lt, .ticks = n->ticks, .blocks = n->blocks,
			   .label = n->label, .phases = n->phases, .occurrences = n->occurrences};
	for (uint32_t k = 0; k < n->ticks; k++) {
		for (uint32_t p = 0; p < n->processes; p++) {
			uint32_t e = n->cell[k * n->processes + p];

			if (e != NO_EVENT && EVENT_KIND(n->t->type[e]) != EVENT_RECEIVE) {
				s->send_ticks++;
				break;
			}
		}
	}
	for (uint32_t i = 0; i < n->phases && i < 64; i++) {
		s->phase[i].weight = n->phase[i].weight;
		s->phase[i].ticks = n->phase[i].ticks;
	}
	for (uint32_t i = 0; i < n->occurrences && i < 64; i++) {
		s->occurrence[i].phase = n->occurrence[i].phase;
		s->occurrence[i].first = n->occurrence[i].first;
		s->occurrence[i].last = n->occurrence[i].last;
	}
}

static void with(struct trace *t, enum order order, enum similarity similarity, void (*expect)(const struct seen *))
{
	struct settings settings;
	struct seen s;
	struct naive *n;

	settings_init(&settings);
	settings.order = order;
	settings.similarity = similarity;
	n = naive_new(t, &settings);
	look(&s, n);
	expect(&s);
	naive_free(n);
	trace_free(t);
}

int main(void)
{
	struct naive *n = naive_from_labels(labels_318, LABELS_318);
	struct seen s;

	with(gen_cg(2), ORDER_LAMPORT, SIMILARITY_BBP, expect_cg_lamport);
	with(gen_smg(2), ORDER_PAS2P, SIMILARITY_BBP, expect_smg_blocks);
	with(gen_smg(2), ORDER_PAS2P, SIMILARITY_PHASE, expect_smg_phases);
	with(gen_windows(), ORDER_PAS2P, SIMILARITY_PHASE, expect_windows);
	look(&s, n);
	expect_labels_318(&s);
	naive_free(n);
	return done_testing();
}

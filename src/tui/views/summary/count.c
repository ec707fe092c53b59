/* The counts of the summary, made in the background: one pass over the events for each. Also which ranks waited for
 * which, from the run's time breakdown. */
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "summary_int.h"

static void counts_begin(void *made, const void *from)
{
	const struct summary_view *s = from;
	struct counts *c = made;

	c->trace = s->view.model->trace;
	c->groups = s->groups;
}

static bool counts_is_of(const void *made, const void *from)
{
	const struct summary_view *s = from;
	const struct counts *c = made;

	return c->trace == s->view.model->trace && c->groups == s->groups;
}

static enum err_code counts_make(void *made, const struct progress *progress, struct err *e)
{
	struct counts *c = made;
	enum err_code code = comm_matrix_init(&c->matrix, c->trace, c->groups, c->groups, progress, e);

	if (!code)
		code = comm_pairs(&c->pairs, &c->pair_count, c->trace, progress, e);
	if (!code)
		code = size_histogram(&c->sizes, c->trace, progress, e);
	if (!code)
		code = coll_stats(&c->colls, &c->coll_count, c->trace, progress, e);
	return code ? code : states_list_init(&c->states, c->trace, e);
}

static void counts_release(void *made)
{
	struct counts *c = made;

	comm_matrix_release(&c->matrix);
	mem_free(c->pairs);
	mem_free(c->colls);
	states_list_release(&c->states);
}

static const struct derived_kind counts_kind = {
	"the summary", sizeof(struct counts), NULL, counts_begin, counts_is_of, counts_make, counts_release,
};

static bool waited_can(const void *from)
{
	const struct spent *run = spent_run(((const struct summary_view *)from)->view.model);

	return run && run->metrics->has_account;
}

static void waited_begin(void *made, const void *from)
{
	const struct summary_view *s = from;
	struct waited *w = made;

	w->run = made_ref(spent_run(s->view.model));
	w->groups = s->groups;
}

static bool waited_is_of(const void *made, const void *from)
{
	const struct summary_view *s = from;
	const struct waited *w = made;

	return w->run == spent_run(s->view.model) && w->groups == s->groups;
}

static enum err_code waited_make(void *made, const struct progress *progress, struct err *e)
{
	struct waited *w = made;
	uint32_t n = w->run->log->trace->process_count, groups = w->groups;
	enum err_code code;

	w->cell = mem_zero((size_t)groups * groups, sizeof *w->cell);
	if (!w->cell)
		return err_memory(e, "the waiting between ranks");
	code = waited_pairs_new(&w->pairs, w->run->metrics->waits, progress, e);
	for (uint32_t i = 0; !code && i < w->pairs->count; i++) {
		const struct waited_pair *p = &w->pairs->pair[i];

		w->cell[(size_t)matrix_group(p->process, groups, n) * groups + matrix_group(p->other, groups, n)] += p->seconds;
	}
	for (size_t i = 0; i < (size_t)groups * groups; i++)
		w->most = fmax(w->most, w->cell[i]);
	return code;
}

static void waited_release(void *made)
{
	struct waited *w = made;

	mem_free(w->cell);
	waited_pairs_free(w->pairs);
	made_unref(w->run);
}

static const struct derived_kind waited_kind = {
	"the waiting between ranks", sizeof(struct waited), waited_can, waited_begin, waited_is_of, waited_make, waited_release,
};

bool summary_count(struct summary_view *s)
{
	struct model *m = s->view.model;
	const struct waited *w, *was = s->waited;
	bool came = derived_update(&s->counting, &counts_kind, m->background, s), failed = s->waiting.failure[0];

	if (s->matrix == MATRIX_WAITED) {
		spending_update(m);
		derived_update(&s->waiting, &waited_kind, m->background, s);
		if (!failed && s->waiting.failure[0])
			snprintf(m->message, sizeof m->message, "%s", s->waiting.failure);
	}
	s->counts = s->counting.now;
	w = s->waiting.now;
	s->waited = w && w->run == spent_run(m) ? w : NULL;
	return came || s->waited != was;
}

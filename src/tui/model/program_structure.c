#include "model.h"

#include "core/base/mem.h"

static bool structure_can(const void *from)
{
	const struct model *m = from;

	return m->analysis && m->analysis->phases;
}

static void structure_begin(void *made, const void *from)
{
	((struct program_structure *)made)->analysis = analysis_ref(((const struct model *)from)->analysis);
}

static bool structure_is_of(const void *made, const void *from)
{
	const struct analysis *was = ((const struct program_structure *)made)->analysis, *is = ((const struct model *)from)->analysis;

	return analysis_same_phases(was, is) && was->patterns == is->patterns;
}

static enum err_code structure_make(void *made, const struct progress *progress, struct err *e)
{
	struct program_structure *s = made;
	const struct analysis *a = s->analysis;
	enum err_code code = structure_new(&s->structure, a->clockwork, a->phases, a->figures, a->patterns, &a->settings, STRUCTURE_SHORTEST, progress, e);

	return code ? code : structure_words(&s->words, &s->word_count, s->structure, UINT32_MAX, e);
}

static void structure_release(void *made)
{
	struct program_structure *s = made;

	structure_free(s->structure);
	mem_free(s->words);
	analysis_unref(s->analysis);
}

static const struct derived_kind structure_kind = {
	"the structure", sizeof(struct program_structure), structure_can, structure_begin, structure_is_of, structure_make, structure_release,
};

void program_structure_update(struct model *m)
{
	derived_update(&m->structure, &structure_kind, m->background, m);
}

struct program_structure *program_structure_now(const struct model *m)
{
	return m->structure.now;
}

const struct structure *program_structure(const struct model *m)
{
	const struct program_structure *s = derived_current(&m->structure, m);

	return s ? s->structure : NULL;
}

bool program_structure_iteration(const struct model *m, uint32_t iteration, uint32_t *first, uint32_t *end)
{
	const struct structure *s = program_structure(m);
	const struct phases *p;

	if (!s || iteration >= s->main.iterations)
		return false;
	p = m->analysis->phases;
	*first = p->occurrences[s->main.from[iteration]].first;
	*end = occurrence_end(p, s->main.to[iteration] - 1, model_ticks(m));
	return true;
}

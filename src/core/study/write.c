#include "study.h"

#include <math.h>

#include "core/io/tree_out.h"
#include "core/models/fit/write.h"

/* ---- runs ---- */

static void put_value(struct tree_out *t, const struct study_axis *axis, const struct study_parameter *v)
{
	if (axis->number)
		tree_put_real(t, axis->name, v->number);
	else
		tree_put_text(t, axis->name, v->text);
}

static void put_runs(struct tree_out *t, const struct study *s)
{
	tree_put_list(t, "parameters", true);
	for (uint32_t k = 0; k < s->axis_count; k++)
		tree_text(t, s->axes[k].name);
	tree_end(t);
	tree_put_list(t, "runs", false);
	for (uint32_t i = 0; i < s->runs->count; i++) {
		const struct study_run *r = &s->runs->list[i];

		tree_map(t, true);
		tree_put_text(t, "run", r->name);
		tree_put_text(t, "file", r->file);
		tree_put_whole(t, "processes", r->phases->processes);
		tree_put_real(t, "aet", s->aet[i]);
		tree_put_bool(t, "measured", r->measured != NULL);
		tree_put_map(t, "parameters", true);
		for (uint32_t k = 0; k < s->axis_count; k++)
			put_value(t, &s->axes[k], study_value(s, i, k));
		tree_end(t);
		tree_end(t);
	}
	tree_end(t);
}

/* ---- models ---- */

static void put_fit(struct tree_out *t, const char *key, const struct study_fits *fits, uint32_t combination)
{
	const struct fit *f = study_fit(fits, combination);

	if (!f)
		return;
	tree_put_map(t, key, false);
	fit_tree(f, t);
	tree_end(t);
}

/* Which runs a model is of, where categories split them. */
static void put_where(struct tree_out *t, const struct study_models *m, uint32_t combination)
{
	tree_put_map(t, "where", true);
	for (uint32_t i = 0; i < m->split_count; i++) {
		const struct study_axis *axis = &m->study->axes[m->splits[i]];

		put_value(t, axis, study_value(m->study, m->example[combination], m->splits[i]));
	}
	tree_end(t);
}

static void put_of_family(struct tree_out *t, const struct study_models *m, uint32_t family, uint32_t combination)
{
	for (enum study_of of = STUDY_WEIGHT; of <= STUDY_TOTAL; of++)
		put_fit(t, study_of_name(of), &m->of[family][of], combination);
}

static void put_of_runs(struct tree_out *t, const struct study_models *m, uint32_t combination)
{
	put_fit(t, "rest", &m->rest, combination);
	put_fit(t, "aet", &m->aet, combination);
}

/* One mapping of models, or, where categories split them, a list of such with `where`. family UINT32_MAX: of the
 * runs. */
static void put_models(struct tree_out *t, const struct study_models *m, uint32_t family)
{
	bool split = m->split_count > 0;

	if (split)
		tree_put_list(t, "models", false);
	for (uint32_t c = 0; c < m->combinations; c++) {
		if (family != UINT32_MAX && !study_fit(&m->of[family][STUDY_WEIGHT], c))
			continue;
		if (split) {
			tree_map(t, false);
			put_where(t, m, c);
		} else {
			tree_put_map(t, "models", false);
		}
		if (family == UINT32_MAX)
			put_of_runs(t, m, c);
		else
			put_of_family(t, m, family, c);
		tree_end(t);
	}
	if (split)
		tree_end(t);
}

/* ---- families ---- */

static void put_member(struct tree_out *t, const struct study *s, const struct study_member *m)
{
	tree_map(t, true);
	tree_put_text(t, "run", s->runs->list[m->run].name);
	tree_put_wholes(t, "phases", m->phases, m->count);
	tree_put_whole(t, "weight", m->weight);
	tree_put_real(t, "time", m->time);
	tree_put_real(t, "compute", m->compute);
	tree_put_real(t, "share", m->share);
	tree_put_text(t, "name", m->largest->name);
	tree_end(t);
}

static void put_families(struct tree_out *t, const struct study_models *m, double least)
{
	const struct study *s = m->study;
	uint32_t others = 0;
	double share = 0;

	tree_put_list(t, "families", false);
	for (uint32_t i = 0; i < s->family_count; i++) {
		const struct study_family *f = &s->families[i];

		if (f->share < least) {
			others++;
			share += f->share;
			continue;
		}
		tree_map(t, false);
		tree_put_whole(t, "id", f->id);
		tree_put_bool(t, "relevant", f->relevant);
		tree_put_bool(t, "stable", f->stable);
		tree_put_bool(t, "everywhere", f->everywhere);
		tree_put_text(t, "name", f->name);
		kinds_alike_write(t, f->alike);
		tree_put_list(t, "members", false);
		for (uint32_t k = 0; k < f->count; k++)
			put_member(t, s, &f->members[k]);
		tree_end(t);
		put_models(t, m, i);
		tree_end(t);
	}
	tree_end(t);
	if (others) {
		tree_put_map(t, "others", true);
		tree_put_whole(t, "families", others);
		tree_put_real(t, "share", share);
		tree_end(t);
	}
}

/* ---- predictions ---- */

static void put_bounds(struct tree_out *t, const struct study_value *v)
{
	tree_put_real(t, "low", v->low);
	tree_put_real(t, "high", v->high);
}

static void put_part(struct tree_out *t, const struct study_part *part)
{
	tree_map(t, true);
	tree_put_whole(t, "id", part->family->id);
	tree_put_real(t, "weight", part->weight.value);
	tree_put_real(t, "time", part->time.value);
	tree_put_real(t, "total", part->total.value);
	put_bounds(t, &part->total);
	tree_end(t);
}

static void put_prediction(struct tree_out *t, const struct study_prediction *p)
{
	const struct study *s = p->models->study;

	tree_map(t, false);
	tree_put_map(t, "at", true);
	for (uint32_t k = 0; k < s->axis_count; k++)
		put_value(t, &s->axes[k], &p->at[k]);
	tree_end(t);
	tree_put_real(t, "time", p->time.value);
	put_bounds(t, &p->time);
	tree_put_map(t, "direct", true);
	tree_put_real(t, "time", p->direct.value);
	put_bounds(t, &p->direct);
	tree_end(t);
	tree_put_real(t, "extrapolation", isinf(p->extrapolation) ? (double)NAN : p->extrapolation);
	tree_put_list(t, "families", false);
	for (uint32_t i = 0; i < p->part_count; i++)
		put_part(t, &p->parts[i]);
	tree_end(t);
	tree_put_list(t, "warnings", false);
	for (uint32_t i = 0; i < p->warning_count; i++)
		tree_text(t, p->warnings[i]);
	tree_end(t);
	tree_end(t);
}

enum err_code study_write(const struct study_models *m, const struct study_prediction *predictions, uint32_t count, double least, bool json,
			  struct out *out, struct err *e)
{
	struct tree_out t;

	tree_out_init(&t, out, json);
	tree_map(&t, false);
	tree_put_whole(&t, "study", 1);
	tree_put_text(&t, "name", m->study->name);
	put_runs(&t, m->study);
	put_families(&t, m, least);
	put_models(&t, m, UINT32_MAX);
	tree_put_list(&t, "predictions", false);
	for (uint32_t i = 0; i < count; i++)
		put_prediction(&t, &predictions[i]);
	tree_end(&t);
	tree_end(&t);
	return tree_out_finish(&t, e);
}

#include "study.h"

#include <inttypes.h>
#include <string.h>

#include "core/io/tree_out.h"
#include "core/models/fit/write.h"

struct model_writing {
	const struct study_models *m;
	struct out *out;
	struct out arguments;  /* "n, p" */
	uint32_t combination;  /* run 1's */
};

static bool is_argument(const struct study_axis *a)
{
	return a->number && (a->varies || !strcmp(a->name, "p"));
}

static void put_arguments(struct model_writing *w)
{
	const struct study *s = w->m->study;

	for (uint32_t i = 0; i < s->axis_count; i++)
		if (is_argument(&s->axes[i]))
			out_printf(&w->arguments, "%s%s", w->arguments.len ? ", " : "", s->axes[i].name);
}

static void put_parameters(struct model_writing *w)
{
	const struct study *s = w->m->study;
	const char *between = "";

	out_str(w->out, "parameters: {");
	for (uint32_t i = 0; i < s->axis_count; i++) {
		if (!is_argument(&s->axes[i]))
			continue;
		out_printf(w->out, "%s%s: ", between, s->axes[i].name);
		out_double(w->out, study_value(s, 0, i)->number);
		between = ", ";
	}
	out_str(w->out, "}\n");
}

/* "  w2(n, p): 104*p" and how far it is off where nothing was measured. */
static void put_function(struct model_writing *w, const char *name, uint32_t id, const struct study_fits *fits)
{
	const struct fit *f = study_fit(fits, w->combination);

	out_printf(w->out, "  %s", name);
	if (id)
		out_printf(w->out, "%" PRIu32, id);
	out_printf(w->out, "(%s): ", w->arguments.text);
	fit_expression(f, w->out);
	out_printf(w->out, "  # loo %.2g\n", f->error);
}

static void put_phases(struct model_writing *w, const struct study_family *f)
{
	out_printf(w->out, "  # family %" PRIu32 ": phases", f->id);
	for (uint32_t i = 0; i < f->count; i++) {
		const struct study_member *m = &f->members[i];

		out_str(w->out, i ? "," : "");
		for (uint32_t k = 0; k < m->count; k++)
			out_printf(w->out, "%s%" PRIu32, k ? "+" : " ", m->phases[k]);
		out_printf(w->out, " in %s", w->m->study->runs->list[m->run].name);
	}
	out_str(w->out, "\n");
}

static void put_functions(struct model_writing *w)
{
	const struct study *s = w->m->study;

	out_str(w->out, "functions:\n");
	for (uint32_t i = 0; i < s->family_count; i++) {
		const struct study_family *f = &s->families[i];
		struct study_fits *of = w->m->of[i];

		if (!f->everywhere)
			continue;
		put_phases(w, f);
		if (f->stable)
			put_function(w, "w", f->id, &of[STUDY_WEIGHT]);
		else
			put_function(w, "s", f->id, &of[STUDY_TOTAL]);
		put_function(w, "t", f->id, &of[STUDY_TIME]);
		put_function(w, "c", f->id, &of[STUDY_COMPUTE]);
		put_function(w, "b", f->id, &of[STUDY_BYTES]);
	}
	put_function(w, "rest", 0, &w->m->rest);
}

/* What the families do: read and drawn, and not part of the time. */
static void put_graphs(struct model_writing *w, const struct study_graphs *g)
{
	out_str(w->out, "  # message times of the occurrences below\n");
	phase_costs_write(&g->costs, w->out);
	out_str(w->out, "# one occurrence each, for predict --graph --block NAME -D p=PROCESSES; the program does not call them\n"
		"blocks:\n");
	for (uint32_t i = 0; i < g->study->family_count; i++)
		out_add(w->out, g->list[i].text.text, g->list[i].text.len);
}

static void put_stable(struct model_writing *w, const struct study_family *f)
{
	const char *args = w->arguments.text;
	bool whole = study_weight_is_whole(w->m, f, w->combination);

	out_printf(w->out, "- {loop: \"%sw%" PRIu32 "(%s)%s\", name: family %" PRIu32 ",\n", whole ? "round(" : "", f->id, args, whole ? ")" : "",
		   f->id);
	out_printf(w->out, "   do: [{compute: \"t%" PRIu32 "(%s)\", split: {compute: \"c%" PRIu32 "(%s)\", bytes: \"b%" PRIu32 "(%s)\"}}]}\n",
		   f->id, args, f->id, args, f->id, args);
}

static void put_unstable(struct model_writing *w, const struct study_family *f)
{
	const char *args = w->arguments.text;

	out_printf(w->out, "- {compute: \"s%" PRIu32 "(%s)\", name: family %" PRIu32 ",\n", f->id, args, f->id);
	out_printf(w->out, "   split: {compute: \"s%" PRIu32 "(%s)*min(1, c%" PRIu32 "(%s)/t%" PRIu32 "(%s))\", bytes: \"b%" PRIu32 "(%s)\"}}\n",
		   f->id, args, f->id, args, f->id, args, f->id, args);
}

static void put_program(struct model_writing *w)
{
	const struct study *s = w->m->study;

	out_str(w->out, "program:\n");
	for (uint32_t i = 0; i < s->family_count; i++) {
		if (!s->families[i].everywhere)
			continue;
		if (s->families[i].stable)
			put_stable(w, &s->families[i]);
		else
			put_unstable(w, &s->families[i]);
	}
	out_printf(w->out, "- {compute: \"rest(%s)\", name: rest}\n", w->arguments.text);
}

enum err_code study_model_write(const struct study_models *m, const struct study_graphs *graphs, struct out *out, struct err *e)
{
	struct model_writing w = {.m = m, .out = out, .combination = m->combination_of[0]};
	bool failed;

	out_init(&w.arguments);
	put_arguments(&w);
	if (!w.arguments.failed) {
		out_str(out, "pas2p_model: 1\nname: ");
		json_string(out, m->study->name);
		out_str(out, "\n");
		if (m->split_count)
			out_printf(out, "# runs with %s\n", m->label[w.combination]);
		put_parameters(&w);
		put_functions(&w);
		if (graphs)
			put_graphs(&w, graphs);
		put_program(&w);
	}
	failed = w.arguments.failed || out->failed;
	out_release(&w.arguments);
	return failed ? err_memory(e, "the model") : ERR_OK;
}

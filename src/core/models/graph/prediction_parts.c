#include "graph_int.h"

#include <stdio.h>
#include <string.h>

const char *predicted_text(char text[PREDICTED_TEXT], struct interval v)
{
	char lo[32], hi[32];

	snprintf(lo, sizeof lo, "%.9g", v.lo);
	snprintf(hi, sizeof hi, "%.9g", v.hi);
	snprintf(text, PREDICTED_TEXT, strcmp(lo, hi) == 0 ? "%s" : "%s - %s", lo, hi);
	return text;
}

void tree_put_interval(struct tree_out *t, const char *key, struct interval v)
{
	tree_put_reals(t, key, (double[]){v.lo, v.hi}, 2);
}

void tree_put_prediction(struct tree_out *t, const char *kind, const struct program_model *m, const struct machine *machine)
{
	tree_put_whole(t, kind, 1);
	tree_put_text(t, "model", m->name ? m->name : m->file);
	tree_put_text(t, "machine", !machine ? NULL : machine->name ? machine->name : machine->file);
}

void tree_put_parameters(struct tree_out *t, const struct program_model *m, const struct interval *values)
{
	tree_put_map(t, "parameters", true);
	for (uint32_t i = 0; i < m->parameter_count; i++) {
		if (interval_is_point(values[i]))
			tree_put_real(t, m->parameters[i].name, values[i].lo);
		else
			tree_put_interval(t, m->parameters[i].name, values[i]);
	}
	tree_end(t);
}

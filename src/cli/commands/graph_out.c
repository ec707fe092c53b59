#include "commands_int.h"

#include <string.h>

#include "core/models/graph/graph.h"
#include "report/report.h"

bool graph_out_is_picture(const struct options *o)
{
	size_t n = o->output ? strlen(o->output) : 0;

	return n > 4 && !strcmp(o->output + n - 4, ".svg");
}

enum err_code graph_out_check(const struct options *o, struct err *e)
{
	if (o->format == FORMAT_CSV || o->format == FORMAT_JSON)
		return err_set(e, ERR_USAGE, "a graph needs --format table (drawn), --format yaml (a model), or -o FILE.svg (a picture)");
	return ERR_OK;
}

enum err_code graph_out(const struct options *o, const struct evaluate_input *in, const char *title, struct sink *s,
			struct err *e)
{
	bool ascii = batch_text_flags(o) == TEXT_ASCII;
	struct graph g;
	enum err_code code = graph_make(&g, in, e);

	if (!code && graph_out_is_picture(o))
		code = graph_svg(&g, title, &s->out, e);
	else if (!code)
		code = graph_text(&g, (int)sink_columns(s), ascii, &s->out, e);
	graph_release(&g);
	return code;
}

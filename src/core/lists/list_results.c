#include "lists.h"

static const struct result *result_of(const struct results_list *l, uint32_t row)
{
	return &l->results[row];
}

static struct cell nodes(const struct results_list *l, uint32_t row)
{
	uint32_t n = result_of(l, row)->host.nodes;

	return n ? cell_whole(n) : cell_empty();
}

static struct cell setting_of(const struct results_list *l, uint32_t row, enum setting_id id, char *text)
{
	if (!result_of(l, row)->has_settings)
		return cell_empty();
	settings_get(&result_of(l, row)->settings, id, text, SETTING_NAME_SIZE);
	return cell_text(text);
}

/* Only the complete run on that machine says it: never the traced one. */
static struct cell where_run(const struct results_list *l, uint32_t row, double figure)
{
	return result_of(l, row)->aet > 0 ? cell_figure(figure) : cell_empty();
}

#define LIST results
#define LIST_NAME "results"
#define LIST_OF struct results_list
#define LIST_DEF "core/lists/list_results.def"
#include "core/table/list.inc"

#include "list_metrics_state.h"

static const struct state_row *found(const struct metrics_states_list *l, uint32_t row)
{
	return &l->rows->row[row];
}

static const struct call_node *node(const struct metrics_states_list *l, uint32_t row)
{
	return &l->metrics->log->nodes[found(l, row)->node];
}

static const char *kind_name(enum node_kind k)
{
	static const char *const names[] = {[NODE_PROGRAM] = "program", [NODE_USER] = "user", [NODE_MPI] = "mpi"};

	return names[k];
}

static struct cell bytes_of(const struct message_sum *m)
{
	return message_sum_known(m) ? cell_whole(m->bytes) : cell_empty();
}

static const struct part_row *part(const struct metrics_states_list *l, uint32_t row)
{
	return &found(l, row)->part;
}

static const struct account *account(const struct metrics_states_list *l, uint32_t row)
{
	return l->metrics->has_account ? &part(l, row)->account : NULL;
}

static double whole_time(const struct metrics_states_list *l, uint32_t row)
{
	return part(l, row)->time;
}

static struct cell spent(const struct metrics_states_list *l, uint32_t row, enum account_kind k)
{
	return metrics_spent(account(l, row), k);
}

static struct cell summed(const struct metrics_states_list *l, uint32_t row, double (*sum)(const struct account *))
{
	return metrics_summed(account(l, row), sum);
}

static double overlap(const struct metrics_states_list *l, uint32_t row)
{
	const struct account *a = account(l, row);

	return a ? account_overlap(a, l->metrics->known) : (double)NAN;
}

#define factor(l, row, which) cell_figure(part(l, row)->factors.which)

#define COLUMN(...) COLUMN_VALUE(struct metrics_states_list, __VA_ARGS__)
#include "list_metrics_state.def"

static const struct list_column columns[] = {
#define COLUMN COLUMN_ROW
#include "list_metrics_state.def"
};

const struct list_table metrics_states_columns = {"state-metrics", columns, METRICS_STATE_COLUMNS};
_Static_assert(METRICS_STATE_COLUMNS <= LIST_COLUMNS, "room for every column");

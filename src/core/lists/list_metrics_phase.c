#include "list_metrics_phase.h"

static const struct phase_row *found(const struct metrics_phases_list *l, uint32_t row)
{
	return &l->rows->row[row];
}

static bool is_phase(const struct metrics_phases_list *l, uint32_t row)
{
	return found(l, row)->phase != SPAN_BEFORE && found(l, row)->phase != SPAN_AFTER;
}

struct cell metrics_phase_cell(uint32_t phase)
{
	return phase == SPAN_BEFORE ? cell_text("before") : phase == SPAN_AFTER ? cell_text("after") : cell_whole(phase);
}

static const struct part_row *part(const struct metrics_phases_list *l, uint32_t row)
{
	return &found(l, row)->part;
}

static const struct account *account(const struct metrics_phases_list *l, uint32_t row)
{
	return l->metrics->has_account ? &part(l, row)->account : NULL;
}

static double whole_time(const struct metrics_phases_list *l, uint32_t row)
{
	return part(l, row)->time;
}

static struct cell spent(const struct metrics_phases_list *l, uint32_t row, enum account_kind k)
{
	return metrics_spent(account(l, row), k);
}

static struct cell summed(const struct metrics_phases_list *l, uint32_t row, double (*sum)(const struct account *))
{
	return metrics_summed(account(l, row), sum);
}

static double overlap(const struct metrics_phases_list *l, uint32_t row)
{
	const struct account *a = account(l, row);

	return a ? account_overlap(a, l->metrics->known) : (double)NAN;
}

#define factor(l, row, which) cell_figure(part(l, row)->factors.which)

#define COLUMN(...) COLUMN_VALUE(struct metrics_phases_list, __VA_ARGS__)
#include "list_metrics_phase.def"

static const struct list_column columns[] = {
#define COLUMN COLUMN_ROW
#include "list_metrics_phase.def"
};

const struct list_table metrics_phases_columns = {"phase-metrics", columns, METRICS_PHASE_COLUMNS};
_Static_assert(METRICS_PHASE_COLUMNS <= LIST_COLUMNS, "room for every column");

/* pas2p phases: the prediction and the phases; yaml is the phase table, byte for byte what the workbench exports. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/unit.h"
#include "core/documents/table.h"
#include "core/lists/list_phases.h"
#include "cli/listing.h"
#include "cli/plural.h"

struct listed {
	struct phases_list list;
	struct listing listing;
};

/* For people: yes and no, and a dash for a figure that is not defined. */
static void for_people(const struct listing *l, struct cell *c)
{
	for (int i = 0; i < l->pick.count; i++)
		if (c[i].kind == CELL_BOOL)
			c[i] = cell_text(c[i].yes ? "yes" : "no");
		else if (c[i].kind == CELL_EMPTY && l->pick.column[i]->kind == COLUMN_SHARE)
			c[i] = cell_text("-");
}

static enum err_code phase_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	const struct listed *l = arg;

	(void)keep;
	listing_cells(&l->listing, &l->list, (uint32_t)i, c);
	if (phases_texts_failed(l->list.texts))
		return err_memory(e, "a row");
	if (l->list.ranges)
		for_people(&l->listing, c);
	return ERR_OK;
}

/* What the occurrences that a signature measures say of the trace itself: does one stand for all? */
static void measured(struct out *o, const struct table *t)
{
	struct table_measure m = table_measure(t);
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT];

	if (m.occurrences)
		out_printf(o, "measured    %s, scaled PET from the %" PRIu32 " occurrence%s (%s) that a signature measures: %s off%s\n",
			   unit_moment(a, m.pet_scaled), m.occurrences, plural(m.occurrences), unit_moment(b, m.seconds),
			   unit_share(c, m.off, 2), m.off > 0.1 ? ", see --sample-seconds" : "");
}

static void prediction(struct out *o, const struct table *t)
{
	char a[UNIT_TEXT], b[UNIT_TEXT];

	out_printf(o, "SET         %s, %s of AET: one of each relevant phase\n", unit_moment(a, t->set),
		   unit_share(b, t->set / t->aet, 2));
	out_printf(o, "PET         %s, predicted: PETE %s\n", unit_moment(a, t->pet), unit_share(b, t->pete, 2));
	if (isnan(t->pet_scaled))
		out_str(o, "scaled PET  -\n");
	else
		out_printf(o, "scaled PET  %s, PET / coverage\n", unit_moment(a, t->pet_scaled));
	measured(o, t);
}

/* What stands over the table's rows: is the prediction any good? */
static void summary(struct out *o, const struct table *t)
{
	uint32_t relevant = 0;
	char text[UNIT_TEXT];

	for (uint32_t i = 0; i < t->phase_count; i++)
		relevant += t->phases[i].relevant;
	out_printf(o, "%s: %" PRIu32 " process%s, %" PRIu32 " send%s, %" PRIu32 " receive%s, %" PRIu32 " collective%s\n",
		   t->application, t->processes, t->processes == 1 ? "" : "es", t->sends, plural(t->sends), t->receives,
		   plural(t->receives), t->collectives, plural(t->collectives));
	out_printf(o, "phases      %" PRIu32 ", %" PRIu32 " of them relevant\n", t->phase_count, relevant);
	if (isnan(t->coverage))
		out_str(o, "coverage    -\n");
	else
		out_printf(o, "coverage    %s of AET\n", unit_share(text, t->coverage, 2));
	if (isnan(t->aet))
		out_str(o, "AET         -\n");
	else
		out_printf(o, "AET         %s, the run's time\n", unit_moment(text, t->aet));
	if (isnan(t->pet))
		out_printf(o, "SET         -\nPET         -, nothing is predicted: %s\nscaled PET  -\n",
			   figures_gap(t->aet, t->phase_count));
	else
		prediction(o, t);
	out_str(o, "\n");
}

/* What the table has of each representative. */
static struct phase_points *points(const struct table *t)
{
	struct phase_points *points = mem_alloc(t->phase_count, sizeof *points);

	for (uint32_t i = 0; points && i < t->phase_count; i++) {
		const struct table_phase *p = &t->phases[i];

		points[i] = (struct phase_points){p->occurrence, p->tick_first, p->tick_last, p->checkpoint_tick, p->checkpoint,
						  p->before, p->entry, p->exit};
	}
	return points;
}

static enum err_code list_phases(struct batch *b, const struct table *t, struct err *e)
{
	struct phases_texts texts;
	struct phase_points *of_table = points(t);
	struct listed l = {0};
	struct rows rows = {l.listing.columns, 0, t->phase_count, phase_row, &l};
	enum err_code code = of_table ? phases_list_init(&l.list, b->analysis, e) : err_memory(e, "the phases");

	if (!code) {
		phases_texts_init(&texts);
		l.list.texts = &texts;
		l.list.points = of_table;
		l.list.ranges = b->options->format == FORMAT_TABLE;
		if (l.list.ranges)
			summary(&b->sink.out, t);
		listing_pick(&l.listing, &phases_columns, PHASES_BATCH);
		rows.column_count = (size_t)l.listing.pick.count;
		code = listing_write(b, &rows, e);
		phases_texts_release(&texts);
		phases_list_release(&l.list);
	}
	mem_free(of_table);
	return code;
}

static enum err_code write_table(struct batch *b, const struct table *t, struct err *e)
{
	char *text;
	size_t size;
	enum err_code code = b->options->format == FORMAT_YAML ? table_write(t, &text, &size, e)
								: table_write_json(t, &text, &size, e);

	if (code)
		return code;
	code = sink_write(&b->sink, text, size, e);
	mem_free(text);
	return code;
}

enum err_code phases_check(const struct options *o, struct err *e)
{
	if (o->match && (o->format == FORMAT_JSON || o->format == FORMAT_YAML))
		return err_set(e, ERR_USAGE, "--match picks rows of table and csv; a phase table is always written "
			       "whole");
	return ERR_OK;
}

enum err_code cmd_phases(struct batch *b, struct err *e)
{
	bool listed = b->options->format == FORMAT_TABLE || b->options->format == FORMAT_CSV;
	struct table t;
	/* The checksum reads the whole file once more: only where it is shown. */
	enum err_code code = listed ? ERR_OK : trace_hash(b->trace, b->job, e);

	if (!code)
		code = table_from_analysis(&t, b->analysis, b->options->application, b->job, e);
	if (code)
		return code;
	if (listed)
		code = list_phases(b, &t, e);
	else
		code = write_table(b, &t, e);
	table_release(&t);
	return code;
}

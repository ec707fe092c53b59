/* pas2p phases: the prediction and the phases; yaml is the phase table, byte for byte what the workbench exports. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/documents/table.h"
#include "cli/listing.h"
#include "cli/plural.h"

static const struct column columns[] = {
	{"id", "phase", ROWS_RIGHT, 0},
	{"relevant", "relevant", ROWS_LEFT, 0},
	{"weight", "weight", ROWS_RIGHT, 0},
	{"ticks", "ticks", ROWS_RIGHT, 0},
	{"time", "time [s]", ROWS_RIGHT, 9},
	{"time_min", "min [s]", ROWS_RIGHT, 9},
	{"time_max", "max [s]", ROWS_RIGHT, 9},
	{"share", "share", ROWS_RIGHT, 4},
	{"cumulative", "cumulative", ROWS_RIGHT, 4},
	{"occurrence", "occurrence", ROWS_RIGHT, 0},
	{"tick_first", "first tick", ROWS_RIGHT, 0},
	{"tick_last", "last tick", ROWS_RIGHT, 0},
	{"checkpoint_tick", "checkpoint", ROWS_RIGHT, 0},
	/* The table shows the range over the processes, the other formats every process's number. */
	{"checkpoint_sends", "stop", ROWS_RIGHT, 0},
	{"stop", "", ROWS_LEFT, 0},
	{"entry_sends", "entry", ROWS_RIGHT, 0},
	{"exit_sends", "exit", ROWS_RIGHT, 0},
};
enum {
	ID, RELEVANT, WEIGHT, TICKS, TIME, TIME_MIN, TIME_MAX, SHARE, CUMULATIVE, OCCURRENCE, TICK_FIRST, TICK_LAST,
	CHECKPOINT_TICK, CHECKPOINT_SENDS, STOP, ENTRY_SENDS, EXIT_SENDS, COLUMNS
};

struct listed {
	const struct table *table;
	bool ranges;                        /* the table format */
	double cumulative;                  /* share of the relevant phases so far */
	struct out sends, stop, entry, exit; /* texts of the row */
};

static void numbers(const struct listed *l, struct out *o, const uint32_t *list)
{
	uint32_t n = l->table->processes, least = UINT32_MAX, most = 0;

	o->len = 0;
	if (!l->ranges) {
		for (uint32_t p = 0; p < n; p++)
			out_printf(o, "%s%" PRIu32, p ? " " : "", list[p]);
		return;
	}
	for (uint32_t p = 0; p < n; p++) {
		least = list[p] < least ? list[p] : least;
		most = list[p] > most ? list[p] : most;
	}
	if (n && least == most)
		out_printf(o, "%" PRIu32, least);
	else if (n)
		out_printf(o, "%" PRIu32 "..%" PRIu32, least, most);
}

static void stops(const struct listed *l, struct out *o, const uint8_t *before)
{
	o->len = 0;
	for (uint32_t p = 0; p < l->table->processes; p++)
		out_printf(o, "%s%s", p ? " " : "", before[p] ? "before" : "after");
}

static enum err_code phase_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct listed *l = arg;
	const struct table_phase *p = &l->table->phases[i];

	(void)keep;
	if (i == 0)
		l->cumulative = 0;
	if (p->relevant)
		l->cumulative += p->share;
	numbers(l, &l->sends, p->checkpoint);
	numbers(l, &l->entry, p->entry);
	numbers(l, &l->exit, p->exit);
	stops(l, &l->stop, p->before);
	if (l->sends.failed || l->entry.failed || l->exit.failed || l->stop.failed)
		return err_memory(e, "a row");
	c[ID] = cell_whole(p->id);
	c[RELEVANT] = l->ranges ? cell_text(p->relevant ? "yes" : "no") : cell_bool(p->relevant);
	c[WEIGHT] = cell_whole(p->weight);
	c[TICKS] = cell_whole(p->ticks);
	c[TIME] = cell_real(p->time);
	c[TIME_MIN] = cell_real(p->time_min);
	c[TIME_MAX] = cell_real(p->time_max);
	c[SHARE] = isnan(p->share) ? cell_text(l->ranges ? "-" : NULL) : cell_real(p->share);
	c[CUMULATIVE] = isnan(p->share) ? c[SHARE] : cell_real(l->cumulative);
	c[OCCURRENCE] = cell_whole(p->occurrence);
	c[TICK_FIRST] = cell_whole(p->tick_first);
	c[TICK_LAST] = cell_whole(p->tick_last);
	c[CHECKPOINT_TICK] = cell_whole(p->checkpoint_tick);
	c[CHECKPOINT_SENDS] = cell_text(l->sends.text);
	if (!l->ranges)
		c[STOP] = cell_text(l->stop.text);
	c[ENTRY_SENDS] = cell_text(l->entry.text);
	c[EXIT_SENDS] = cell_text(l->exit.text);
	return ERR_OK;
}

/* What the occurrences that a signature measures say of the trace itself: does one stand for all? */
static void measured(struct out *o, const struct table *t)
{
	struct table_measure m = table_measure(t);

	if (m.occurrences)
		out_printf(o, "measured    %.6f s, scaled PET from the %" PRIu32 " occurrence%s (%.6f s) that a signature "
			   "measures: %.2f %% off%s\n", m.pet_scaled, m.occurrences, plural(m.occurrences),
			   m.seconds, 100 * m.off, m.off > 0.1 ? ", see --sample-seconds" : "");
}

static void prediction(struct out *o, const struct table *t)
{
	out_printf(o, "SET         %.6f s, %.2f %% of AET: one of each relevant phase\n", t->set, 100 * t->set / t->aet);
	out_printf(o, "PET         %.6f s, predicted: PETE %.2f %%\n", t->pet, 100 * t->pete);
	if (isnan(t->pet_scaled))
		out_str(o, "scaled PET  -\n");
	else
		out_printf(o, "scaled PET  %.6f s, PET / coverage\n", t->pet_scaled);
	measured(o, t);
}

/* What stands over the table's rows: is the prediction any good? */
static void summary(struct out *o, const struct table *t)
{
	uint32_t relevant = 0;

	for (uint32_t i = 0; i < t->phase_count; i++)
		relevant += t->phases[i].relevant;
	out_printf(o, "%s: %" PRIu32 " process%s, %" PRIu32 " send%s, %" PRIu32 " receive%s, %" PRIu32 " collective%s\n",
		   t->application, t->processes, t->processes == 1 ? "" : "es", t->sends, plural(t->sends), t->receives,
		   plural(t->receives), t->collectives, plural(t->collectives));
	out_printf(o, "phases      %" PRIu32 ", %" PRIu32 " of them relevant\n", t->phase_count, relevant);
	if (isnan(t->coverage))
		out_str(o, "coverage    -\n");
	else
		out_printf(o, "coverage    %.2f %% of AET\n", 100 * t->coverage);
	if (isnan(t->aet))
		out_str(o, "AET         -\n");
	else
		out_printf(o, "AET         %.6f s, the run's time\n", t->aet);
	if (isnan(t->pet))
		out_printf(o, "SET         -\nPET         -, nothing is predicted: %s\nscaled PET  -\n",
			   figures_gap(t->aet, t->phase_count));
	else
		prediction(o, t);
	out_str(o, "\n");
}

static enum err_code list_phases(struct batch *b, const struct table *t, struct err *e)
{
	struct listed l = {.table = t, .ranges = b->options->format == FORMAT_TABLE};
	struct rows rows = {columns, COLUMNS, t->phase_count, phase_row, &l};
	enum err_code code;

	out_init(&l.sends);
	out_init(&l.stop);
	out_init(&l.entry);
	out_init(&l.exit);
	if (l.ranges)
		summary(&b->sink.out, t);
	code = listing_write(b, &rows, e);
	out_release(&l.sends);
	out_release(&l.stop);
	out_release(&l.entry);
	out_release(&l.exit);
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

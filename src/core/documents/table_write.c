/* The phase table as text. One walk over the table names every key once, for YAML and for JSON. */
#include <math.h>
#include <string.h>

#include "documents_int.h"
#include "core/io/out.h"
#include "core/settings/settings_tree.h"
#include "table.h"

static void write_trace(struct tree_out *t, const struct table *table)
{
	tree_put_map(t, "trace", false);
	tree_put_text(t, "file", table->trace_file);
	tree_put_text(t, "sha256", table->sha256);
	tree_put_text(t, "format", table->format);
	tree_put_whole(t, "processes", table->processes);
	tree_put_map(t, "events", true);
	tree_put_whole(t, "send", table->sends);
	tree_put_whole(t, "receive", table->receives);
	tree_put_whole(t, "collective", table->collectives);
	tree_end(t);
	tree_put_text(t, "compute", compute_source_name(table->compute_source));
	tree_put_real(t, "aet", table->aet);
	tree_put_whole(t, "warnings", table->warnings);
	if (table->content)
		tree_put_real(t, "mean_message", table->content->mean_message);
	tree_end(t);
}

static void write_prediction(struct tree_out *t, const struct table *table)
{
	tree_put_map(t, "prediction", false);
	tree_put_real(t, "coverage", table->coverage);
	tree_put_real(t, "set", table->set);
	tree_put_real(t, "pet", table->pet);
	tree_put_real(t, "pet_scaled", table->pet_scaled);
	tree_put_real(t, "pete", table->pete);
	if (!isnan(table->expected_error))
		tree_put_real(t, "expected_error", table->expected_error);
	tree_end(t);
}

void table_write_points(struct tree_out *t, const struct phase_points *p, uint32_t processes)
{
	tree_put_map(t, "checkpoint", true);
	tree_put_whole(t, "tick", p->checkpoint_tick);
	tree_put_wholes(t, "sends", p->checkpoint, processes);
	tree_put_list(t, "stop", true);
	for (uint32_t i = 0; i < processes; i++)
		tree_text(t, p->before[i] ? "before" : "after");
	tree_end(t);
	tree_end(t);
	tree_put_map(t, "entry", true);
	tree_put_wholes(t, "sends", p->entry, processes);
	tree_end(t);
	tree_put_map(t, "exit", true);
	tree_put_wholes(t, "sends", p->exit, processes);
	tree_end(t);
}

static void write_samples(struct tree_out *t, const struct table_phase *p, uint32_t processes)
{
	tree_put_list(t, "samples", false);
	for (uint32_t i = 0; i < p->sample_count; i++) {
		tree_map(t, true);
		tree_put_whole(t, "occurrence", p->samples[i].occurrence);
		tree_put_wholes(t, "entry", p->samples[i].entry, processes);
		tree_put_wholes(t, "exit", p->samples[i].exit, processes);
		tree_end(t);
	}
	tree_end(t);
}

static void write_phase(struct tree_out *t, const struct table *table, uint32_t index)
{
	const struct table_phase *p = &table->phases[index];
	const uint32_t processes = table->processes;

	tree_map(t, false);
	tree_put_whole(t, "id", p->id);
	tree_put_bool(t, "relevant", p->relevant);
	tree_put_whole(t, "weight", p->weight);
	tree_put_whole(t, "ticks", p->ticks);
	tree_put_real(t, "time", p->time);
	if (!isnan(p->between_sends))
		tree_put_real(t, "between_sends", p->between_sends);
	tree_put_real(t, "time_min", p->time_min);
	tree_put_real(t, "time_max", p->time_max);
	tree_put_real(t, "share", p->share);
	tree_put_whole(t, "occurrence", p->points.occurrence);
	tree_put_map(t, "tick", true);
	tree_put_whole(t, "first", p->points.first);
	tree_put_whole(t, "last", p->points.last);
	tree_end(t);
	table_write_points(t, &p->points, processes);
	if (p->sample_count)
		write_samples(t, p, processes);
	if (table->named)
		phase_name_write(t, &table->named->names->list[p->id - 1], table->named->patterns);
	if (table->content)
		content_write(t, &table->content->types, &table->content->list[index]);
	tree_end(t);
}

static void write_table(struct tree_out *t, const struct table *table)
{
	tree_map(t, false);
	tree_put_whole(t, "pas2p", table->windows ? TABLE_VERSION_WINDOWS : TABLE_VERSION);
	tree_put_text(t, "application", table->application);
	write_trace(t, table);
	settings_write_tree(t, "analysis", &table->settings);
	write_prediction(t, table);
	tree_put_list(t, "phases", !table->phase_count);
	for (uint32_t i = 0; i < table->phase_count; i++)
		write_phase(t, table, i);
	tree_end(t);
	if (table->windows)
		table_windows_write(t, table);
	if (table->named)
		patterns_write(t, table->named->patterns, table->named->names);
	if (table->structure) {
		tree_key(t, "structure");
		structure_write(t, table->structure);
	}
	tree_end(t);
}

static enum err_code table_text_finish(struct tree_out *t, struct out *out, char **result, size_t *size, struct err *e)
{
	enum err_code code = tree_out_finish(t, e);

	*result = NULL;
	*size = 0;
	if (code) {
		out_release(out);
		return code;
	}
	*result = out->text;
	*size = out->len;
	return ERR_OK;
}

/* A table may be shown without its trace's checksum, but not written. */
static enum err_code need_checksum(const struct table *table, struct err *e)
{
	return table->sha256[0] ? ERR_OK :
	       err_set(e, ERR_USAGE, "the trace has no checksum yet, which its phase table needs");
}

enum err_code table_write(const struct table *table, char **result, size_t *size, struct err *e)
{
	struct tree_out t;
	struct out out;

	if (need_checksum(table, e))
		return ERR_USAGE;
	out_init(&out);
	tree_out_init(&t, &out, false);
	write_table(&t, table);
	return table_text_finish(&t, &out, result, size, e);
}

enum err_code table_write_json(const struct table *table, char **result, size_t *size, struct err *e)
{
	struct tree_out t;
	struct out out;

	if (need_checksum(table, e))
		return ERR_USAGE;
	out_init(&out);
	tree_out_init(&t, &out, true);
	write_table(&t, table);
	return table_text_finish(&t, &out, result, size, e);
}

/* pas2p compare: results side by side, phase by phase, or a row each. */
#include <string.h>

#include "cli/given.h"
#include "cli/batch.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/cli.h"
#include "core/base/text.h"
#include "core/base/mem.h"
#include "cli/interrupt.h"
#include "cli/listing.h"
#include "core/lists/lists.h"
#include "core/reports/reports.h"
#include "cli/sink.h"

static enum err_code print_evaluation(struct batch *b, const struct result *results, uint32_t count, struct err *e)
{
	struct results_text text;
	const struct results_list list = {results, &text};
	struct shown_table shown = {.people = b->options->format == FORMAT_TABLE, .list = &list, .rows = count};
	struct rows rows;

	/* The unit is in the cells, so that the titles say what it is in 80 columns. */
	shown_pick(&shown, &results_columns, RESULTS_ALL, false);
	for (int k = 0; shown.people && k < shown.count; k++)
		shown.look[k].as = shown_column(&shown, k)->kind == COLUMN_SHARE ? AS_MULTIPLE
				 : shown_column(&shown, k)->kind == COLUMN_SECONDS ? AS_MOMENT : AS_IT_IS;
	rows = shown_rows(&shown);
	return listing_write(b, &rows, e);
}

static enum err_code print_phases(struct batch *b, const struct compare *c, struct err *e)
{
	enum format format = b->options->format;

	if (format == FORMAT_YAML || format == FORMAT_JSON)
		return compare_yaml(c, &b->sink.out, format == FORMAT_JSON, e);
	if (format != FORMAT_CSV)
		return compare_print(c, &b->sink.out, sink_width(&b->sink), e);
	compare_csv(c, &b->sink.out);
	return ERR_OK;
}

static enum exit_code compare_print_all(const struct options *o, const struct compare *c, const struct result *results, uint32_t count)
{
	struct batch b = {.options = o};
	struct err e = {0};
	enum err_code code = sink_open(&b.sink, o->output, &e);

	if (!code)
		code = o->compare_table ? print_evaluation(&b, results, count, &e) : print_phases(&b, c, &e);
	return sink_end(&b.sink, code, &e);
}

static enum exit_code no_result(const struct options *o, const char *file, const char *kind)
{
	enum exit_code status = complain_kind("compare", file, kind, "results of 'pas2p run'");
	const char **traces = mem_alloc(o->file_count, sizeof *traces);
	uint32_t n = 0;

	for (uint32_t i = 0; traces && i < o->file_count; i++) {
		const char *other = given_kind(o->files[i]);

		if (other && strcmp(other, "a trace") == 0)
			traces[n++] = o->files[i];
	}
	if (n)
		hint_command(o, n > 1 ? "metrics" : "report -o report.html", traces, n);
	mem_free(traces);
	return status;
}

enum exit_code cmd_compare(const struct options *o)
{
	struct result *results;
	struct compare c = {0};
	struct err e = {0};
	enum err_code code = ERR_OK;
	enum exit_code status = EXIT_OK;
	uint32_t n = 0;

	if (!o->file_count)
		return misused(o, "expected results of pas2p run");
	for (uint32_t i = 0; i < o->file_count; i++) {
		const char *kind = given_kind(o->files[i]);

		if (kind && !result_is_file(o->files[i]))
			return no_result(o, o->files[i], kind);
	}
	interrupt_catch();
	results = mem_zero(o->file_count, sizeof *results);
	if (!results)
		code = err_memory(&e, "the results");
	while (!code && n < o->file_count) {
		code = result_read_file(&results[n], o->files[n], &e);
		n += !code;
	}
	if (!code && !o->compare_table)
		code = compare_make(&c, results, n, &e);
	if (code) {
		complain("%s", e.text);
		status = exit_of_err(code);
	} else {
		status = compare_print_all(o, &c, results, n);
	}
	compare_release(&c);
	while (n)
		result_release(&results[--n]);
	mem_free(results);
	return status;
}

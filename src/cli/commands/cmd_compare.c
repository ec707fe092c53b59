/* pas2p compare: results side by side. */
#include <string.h>

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/given.h"
#include "core/base/text.h"
#include "core/base/mem.h"
#include "cli/interrupt.h"
#include "core/study/compare.h"
#include "cli/sink.h"

static enum exit_code print(const struct options *o, const struct compare *c)
{
	struct sink s;
	struct err e = {0};
	enum err_code code = sink_open(&s, o->output, &e);

	if (!code && (o->format == FORMAT_YAML || o->format == FORMAT_JSON))
		code = compare_yaml(c, &s.out, o->format == FORMAT_JSON, &e);
	else if (!code && o->format == FORMAT_CSV)
		compare_csv(c, &s.out);
	else if (!code)
		code = compare_print(c, &s.out, sink_width(&s), &e);
	if (!code)
		code = sink_drain(&s, &e);
	if (!code)
		code = sink_finish(&s, &e);
	sink_release(&s);
	if (s.pipe_closed)
		interrupt_end_by_pipe();
	if (!code)
		return EXIT_OK;
	complain("%s", e.text);
	return exit_of_write(code);
}

static enum exit_code no_result(const struct options *o, const char *file, const char *kind)
{
	enum exit_code status = complain_kind("compare", file, kind, "results of run");
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
		return misused(o, "no result is given");
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
	if (!code)
		code = compare_make(&c, results, n, &e);
	if (code) {
		complain("%s", e.text);
		status = exit_of_err(code);
	} else {
		status = print(o, &c);
	}
	compare_release(&c);
	while (n)
		result_release(&results[--n]);
	mem_free(results);
	return status;
}

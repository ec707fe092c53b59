#include "runs.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/io/source.h"
#include "core/formats/api/format.h"
#include "core/formats/api/glance.h"
#include "core/formats/api/open.h"

void runs_number(const struct format_run *of, uint32_t count, uint32_t *run, uint32_t *runs)
{
	uint32_t part = UINT32_MAX, known = UINT32_MAX;

	*runs = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t same = i;

		for (uint32_t j = 0; of[i].part && of[i].known && j < i && same == i; j++)
			if (of[j].part && of[j].known && !memcmp(of[j].id, of[i].id, sizeof of[i].id))
				same = j;
		if (of[i].part && !of[i].known && part != UINT32_MAX)
			run[i] = part;
		else if (of[i].part && of[i].known && known == UINT32_MAX && part != UINT32_MAX)
			run[i] = part; /* those before it said nothing */
		else
			run[i] = same < i ? run[same] : (*runs)++;
		if (of[i].part) {
			part = run[i];
			known = of[i].known ? run[i] : known;
		}
	}
}

enum err_code runs_of_sources(const struct source *sources, uint32_t count, uint32_t *run, uint32_t *runs, struct err *e)
{
	struct format_run *of = mem_zero(count, sizeof *of);
	enum err_code code = of ? ERR_OK : err_memory(e, "the trace's files");
	struct glance glance;

	for (uint32_t i = 0; !code && count > 1 && i < count; i++) {
		code = glance_at(&glance, &sources[i], e);
		of[i] = glance.run;
	}
	if (!code)
		runs_number(of, count, run, runs);
	mem_free(of);
	return code;
}

enum err_code runs_of_files(const char *const *paths, uint32_t count, uint32_t *run, uint32_t *runs, struct err *e)
{
	struct format_run *of = mem_zero(count, sizeof *of);
	enum err_code code = of ? ERR_OK : err_memory(e, "the trace's files");

	/* One after the other: there may be more than can be open at once. */
	for (uint32_t i = 0; !code && count > 1 && i < count; i++) {
		struct source source;

		code = trace_file_open(&source, paths[i], e);
		if (!code) {
			struct glance glance;

			code = glance_at(&glance, &source, e);
			of[i] = glance.run;
			source_release(&source);
		}
	}
	if (!code)
		runs_number(of, count, run, runs);
	mem_free(of);
	return code;
}

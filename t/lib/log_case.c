#include "log_case.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "gen_calls.h"
#include "gen_run.h"
#include "gen_script.h"

static enum err_code load_bytes(struct call_log **log, struct trace **t, const struct part_input *in, const struct trace_options *o,
				const struct progress *progress, struct err *e)
{
	struct source *sources = calloc(in->count, sizeof *sources);
	enum err_code code;
	char name[32];

	for (uint32_t i = 0; i < in->count; i++) {
		snprintf(name, sizeof name, "file %" PRIu32, i);
		if (source_open_memory(&sources[i], name, in->bytes[i].bytes, in->bytes[i].size, e))
			abort();
	}
	code = call_log_load_sources(log, t, sources, in->count, o, progress, e);
	for (uint32_t i = 0; i < in->count; i++)
		source_release(&sources[i]);
	free(sources);
	return code;
}

enum err_code log_load_progress(struct call_log **log, struct trace **t, const struct part_input *in, const struct team *team,
			   const struct progress *progress, struct err *e)
{
	struct trace_options o = {.threads = in->threads ? in->threads : 1, .counter = in->counter, .team = team};

	return in->paths ? call_log_load(log, t, in->paths, in->count, &o, progress, e) : load_bytes(log, t, in, &o, progress, e);
}

enum err_code log_load(struct call_log **log, struct trace **t, const struct part_input *in, const struct team *team, struct err *e)
{
	return log_load_progress(log, t, in, team, NULL, e);
}

void log_files(const char *pattern, bool set, log_each *each, void *arg)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct part_input in = {.paths = (const char *const *)&found.gl_pathv[i], .count = set ? (uint32_t)found.gl_pathc : 1};

		each(arg, &in, set ? pattern : found.gl_pathv[i]);
		if (set)
			break;
	}
	globfree(&found);
}

static void one(struct gen_bytes bytes, const char *what, log_each *each, void *arg)
{
	struct part_input in = {.bytes = &bytes, .count = 1};

	each(arg, &in, what);
	free(bytes.bytes);
}

void log_all(uint32_t seeds, log_each *each, void *arg)
{
	static const char *const files[] = {"sample-traces/*.clog2", "sample-traces/*.otf2", "sample-traces/*.prv", TEST_TRACES "/*.clog2"};
	static const char *const kinds[] = {"tidy", "messy", "numbered", "numbered and messy"};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		log_files(files[i], false, each, arg);
	log_files("sample-traces/unfinalized.m240.abortme.*", true, each, arg);
	log_files(TEST_TRACES "/unfinalized/unfinalized.m246.killme.*", true, each, arg);
	one(gen_tiny(NULL, 0), "the tiny run", each, arg);
	one(gen_twisted(NULL, 0), "the twisted run", each, arg);
	one(gen_tiny(NULL, 3.3), "the tiny run, clocks apart", each, arg);
	one(gen_run_finalized(&(struct gen_run){.processes = 6, .rounds = 5, .at = 2, .fault = GEN_CYCLE}), "a cycle", each, arg);
	for (uint32_t seed = 0; seed < seeds; seed++)
		for (int kind = GEN_SCRIPT_TIDY; kind <= GEN_SCRIPT_NUMBERED_MESSY; kind++) {
			const struct gen_script_options o = {.threads = seed % 5 == 4 ? 2 : 0};
			char what[80];

			snprintf(what, sizeof what, "a random run, %s, seed %" PRIu32, kinds[kind], seed);
			one(gen_script_random(seed, (enum gen_script_kind)kind, &o), what, each, arg);
		}
}

/* Call logs of files: made together with the trace, or of a trace that was loaded before. */
#include <math.h>

#include "calls_int.h"
#include "remote.h"
#include "core/formats/api/load.h"
#include "core/formats/api/open.h"
#include "core/io/source.h"
#include "gatherings.h"

static enum err_code new_log(struct call_log **log, struct err *e)
{
	*log = mem_zero(1, sizeof **log);
	if (!*log)
		return err_memory(e, "the trace's calls");
	arena_init(&(*log)->arena);
	return ERR_OK;
}

/* When the call began that sent what a receive got; INFINITY: it is not known. */
static double sent_at(const struct call_log *log, uint32_t receive)
{
	uint32_t match = log->trace->match[receive];

	if (match == NO_EVENT)
		return INFINITY;
	if (log->remote && is_remote(match))
		return call_remote_message(log, match)->call == NO_LOGGED_CALL ? (double)INFINITY : call_remote_message(log, match)->start;
	return log->call_of[match] == NO_LOGGED_CALL ? (double)INFINITY : log->calls[log->call_of[match]].start;
}

/* Probes of which it is known what they found: it was on its way when they returned. */
static void mark_probes(struct call_log *log)
{
	for (uint32_t c = 0; c < log->call_count; c++) {
		uint32_t receive = log->nodes[log->calls[c].node].traits & MPI_PROBES ? call_log_probed(log, c) : NO_EVENT;

		if (receive != NO_EVENT && sent_at(log, receive) < log->calls[c].end)
			log->flags[c] |= CALL_PROBES;
	}
}

static enum err_code call_log_finish(struct call_log *log, struct call_builds *builds, const struct trace *t, const struct progress *progress,
			    struct err *e)
{
	enum err_code code;

	log->trace = t;
	if (builds->clocks_only)
		return call_builds_merge_clocks(builds, log, progress, e);
	code = call_builds_merge(builds, log, progress, e);
	if (!code)
		code = gatherings_new(log, e);
	if (!code && t->remote)
		code = call_remote_new(&log->remote, log, e);
	if (!code)
		mark_probes(log);
	return code;
}

/* ---- of a trace that is loaded ---- */

/* Was all told that was loaded, and nothing else? */
static bool call_builds_are_whole(const struct call_builds *b)
{
	const struct trace *t = b->loaded;

	if (b->process_count != t->process_count)
		return false;
	for (uint32_t p = 0; p < t->process_count; p++) {
		const struct process_build *of = &b->of[p];

		if (of->changed || of->events != t->first[p + 1] - t->first[p] || of->records < t->processes[p].records ||
		    (of->over && !t->partial))
			return false;
	}
	return true;
}

static enum err_code call_log_reread(struct call_builds *builds, const struct trace *t, const struct source *sources, uint32_t count,
				const struct progress *progress, struct err *e)
{
	struct make_watch watch = call_builds_watch(builds);
	struct trace_options options = {.threads = t->threads, .watch = &watch, .times = t->times};
	struct trace *again;
	enum err_code code = trace_load_watched(&again, sources, count, &options, progress, e);

	if (code)
		return code;
	trace_free(again);
	if (!call_builds_are_whole(builds))
		return err_set(e, ERR_IO, "the files of the trace have changed since they were loaded: load them again");
	return ERR_OK;
}

/* A trace that was not loaded from files is its events, outside of any call. */
static enum err_code take_events(struct call_builds *builds, const struct trace *t, const struct progress *progress, struct err *e)
{
	struct make_watch w = call_builds_watch(builds);
	bool done = w.begin(w.arg, t->process_count, NULL, 0);

	for (uint32_t p = 0; done && p < t->process_count; p++)
		for (uint32_t ev = t->first[p]; done && ev < t->first[p + 1]; ev++) {
			if ((ev & 0xffff) == 0 && progress_stopped(progress))
				return err_set(e, ERR_CANCELLED, "stopped while reading the calls");
			done = w.record(w.arg, p, 0, t->time[ev]) && w.event(w.arg, p, ev - t->first[p], t->type[ev], t->time[ev]);
		}
	return done ? ERR_OK : err_memory(e, "the trace's calls");
}

enum err_code call_log_new_sources(struct call_log **out, const struct trace *t, const struct source *sources, uint32_t count,
				   const struct progress *progress, struct err *e)
{
	struct call_builds builds;
	struct call_log *log;
	enum err_code code = new_log(&log, e);

	*out = NULL;
	if (code)
		return code;
	call_builds_init(&builds, &log->arena, t);
	code = count ? call_log_reread(&builds, t, sources, count, progress, e) : take_events(&builds, t, progress, e);
	if (!code)
		code = call_log_finish(log, &builds, t, progress, e);
	call_builds_release(&builds);
	if (code)
		call_log_free(log);
	else
		*out = log;
	return code;
}

enum err_code call_log_new(struct call_log **out, const struct trace *t, const struct progress *progress, struct err *e)
{
	struct source *sources;
	enum err_code code = trace_open_files(&sources, t, e);

	*out = NULL;
	if (code)
		return code;
	code = call_log_new_sources(out, t, sources, t->file_count, progress, e);
	source_release_files(sources, t->file_count);
	return code;
}

/* ---- with its trace ---- */

static enum err_code load_sources(struct call_log **out, struct trace **trace, bool clocks_only, const struct source *sources, uint32_t count,
				  const struct trace_options *o, const struct progress *progress, struct err *e)
{
	struct trace_options options = o ? *o : (struct trace_options){0};
	struct call_builds builds;
	struct make_watch watch;
	struct call_log *log;
	enum err_code code = team_agree(o ? o->team : NULL, new_log(&log, e), e), loaded;
	struct err failed;

	*out = NULL;
	*trace = NULL;
	if (code) {
		call_log_free(log);
		return code;
	}
	call_builds_init(&builds, &log->arena, NULL);
	builds.clocks_only = clocks_only;
	watch = call_builds_watch(&builds);
	options.watch = &watch;
	loaded = trace_load_sources(trace, sources, count, &options, progress, e);
	if (!loaded || (loaded == ERR_DAMAGED && *trace)) {
		code = call_log_finish(log, &builds, *trace, progress, &failed);
		if (!code)
			*out = log;
	}
	call_builds_release(&builds);
	if (!*out)
		call_log_free(log);
	if (!code)
		return loaded; /* what loading says of damage stands */
	trace_free(*trace);
	*trace = NULL;
	*e = failed;
	return code;
}

enum err_code call_log_load_sources(struct call_log **out, struct trace **trace, const struct source *sources, uint32_t count,
				    const struct trace_options *o, const struct progress *progress, struct err *e)
{
	return load_sources(out, trace, false, sources, count, o, progress, e);
}

enum err_code call_log_load_clocks_sources(struct call_log **out, struct trace **trace, const struct source *sources, uint32_t count,
					   const struct trace_options *o, const struct progress *progress, struct err *e)
{
	return load_sources(out, trace, true, sources, count, o, progress, e);
}

static enum err_code load_paths(struct call_log **out, struct trace **trace, bool clocks_only, const char *const *paths, uint32_t count,
				const struct trace_options *o, const struct progress *progress, struct err *e)
{
	struct source *sources;
	enum err_code code = trace_files_open(&sources, paths, count, e);

	*out = NULL;
	*trace = NULL;
	if (code)
		return team_agree(o ? o->team : NULL, code, e);
	code = load_sources(out, trace, clocks_only, sources, count, o, progress, e);
	source_release_files(sources, count);
	return code;
}

enum err_code call_log_load(struct call_log **out, struct trace **trace, const char *const *paths, uint32_t count,
			    const struct trace_options *o, const struct progress *progress, struct err *e)
{
	return load_paths(out, trace, false, paths, count, o, progress, e);
}

enum err_code call_log_load_clocks(struct call_log **out, struct trace **trace, const char *const *paths, uint32_t count,
				   const struct trace_options *o, const struct progress *progress, struct err *e)
{
	return load_paths(out, trace, true, paths, count, o, progress, e);
}

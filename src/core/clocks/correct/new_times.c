#include "correct.h"

#include "core/formats/api/load.h"
#include "core/base/mem.h"
#include "core/team/team.h"

/* Takes the correction; NULL: there was nothing that could be. */
static enum err_code times_new(struct trace_times **out, const struct trace *t, struct clock_correction *c, struct err *e)
{
	enum err_code code = clock_correction_times(out, c, t->process_count, e);

	clock_correction_free(c);
	return code;
}

/* The lowest process that has records, as `pas2p clocks` takes it where none is asked for. False: none has. */
static bool find_reference(uint32_t *reference, const struct trace *t)
{
	uint32_t p = 0;

	while (p < t->process_count && !t->processes[p].records)
		p++;
	*reference = p;
	return p < t->process_count;
}

static enum err_code correct(struct clock_correction **out, const struct trace *t, const struct clock_times *times, const struct progress *progress,
			     struct err *e)
{
	static const struct clock_correct_options how = {CLOCK_AUTO, CLOCK_AMORTISE};
	struct clock_options options = {.windows = CLOCK_WINDOWS};
	struct clock_points points;
	struct clock_bounds *bounds = NULL;
	enum err_code code;

	*out = NULL;
	if (!find_reference(&options.reference, t))
		return ERR_OK;
	code = clock_bounds_new(&bounds, times, &options, progress, e);
	if (!code)
		code = clock_points_init(&points, times, 0, bounds->barriers, e);
	if (!code) {
		code = clock_correction_new(out, &points, bounds, &how, progress, e);
		clock_points_release(&points);
	}
	clock_bounds_free(bounds);
	return code;
}

static enum err_code new_times_make(struct trace_times **out, const struct call_log *log, const struct progress *progress, struct err *e)
{
	struct clock_correction *c;
	struct clock_times times;
	enum err_code code = clock_times_init(&times, log, RESOLUTION_AUTO, e);

	if (code)
		return code;
	code = correct(&c, log->trace, &times, progress, e);
	clock_times_release(&times);
	return code ? code : times_new(out, log->trace, c, e);
}

enum err_code clock_new_times(struct trace_times **out, const struct call_log *log, const struct progress *progress, struct err *e)
{
	const struct trace *t = log->trace;

	*out = NULL;
	if (t->times)
		return err_set(e, ERR_USAGE, "the times of this trace are already corrected: correct the recorded trace instead");
	if (t->partial || !t->file_count)
		return err_set(e, ERR_USAGE, "the trace was not read completely: its times cannot be corrected");
	return new_times_make(out, log, progress, e);
}

static enum err_code new_times_load(struct trace_times **out, const char *const *paths, uint32_t count, const struct trace_options *o,
			  const struct progress *progress, struct err *e)
{
	struct trace_options alone = o ? *o : (struct trace_options){0};
	struct call_log *log;
	struct trace *t;
	enum err_code code;

	alone.team = NULL;
	code = call_log_load_clocks(&log, &t, paths, count, &alone, progress, e);
	if (!code || (code == ERR_DAMAGED && t))
		code = new_times_make(out, log, progress, e);
	call_log_free(log);
	trace_free(t);
	return code;
}

/* What rank 0 has made, to all. */
static enum err_code new_times_share(struct trace_times **times, const struct team *team, struct err *e)
{
	bool leads = !team_rank(team);
	struct { struct times_figures figures; uint32_t process_count; } head = {{0}, 0};
	void *first = leads ? (*times)->first : NULL, *time = leads ? (*times)->time : NULL;
	size_t firsts = 0, records = 0;
	enum err_code code = ERR_OK;

	if (leads) {
		head.figures = (*times)->figures;
		head.process_count = (*times)->process_count;
		firsts = first ? (size_t)head.process_count + 1 : 0;
		records = first ? (*times)->first[head.process_count] : 0;
	} else {
		*times = mem_zero(1, sizeof **times);
		code = *times ? ERR_OK : err_memory(e, "the corrected times");
	}
	code = team_agree(team, code, e);
	if (!code)
		code = team_broadcast(team, &head, sizeof head, e);
	if (!code && head.figures.steps)
		code = team_broadcast_list(team, &first, &firsts, sizeof *(*times)->first, e);
	if (!code && head.figures.steps)
		code = team_broadcast_list(team, &time, &records, sizeof *(*times)->time, e);
	if (leads || !*times)
		return code;
	atomic_init(&(*times)->references, 1);
	(*times)->figures = head.figures;
	(*times)->process_count = head.process_count;
	(*times)->first = first;
	(*times)->time = time;
	return code;
}

enum err_code clock_new_times_load(struct trace_times **out, const char *const *paths, uint32_t count, const struct trace_options *o,
				   const struct progress *progress, struct err *e)
{
	const struct team *team = o && team_size(o->team) > 1 ? o->team : NULL;
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!team_rank(team))
		code = new_times_load(out, paths, count, o, progress, e);
	if (!team)
		return code;
	code = team_agree(team, code, e);
	if (!code)
		code = new_times_share(out, team, e);
	if (code) {
		trace_times_unref(*out);
		*out = NULL;
	}
	return code;
}

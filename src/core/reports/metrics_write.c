#include "metrics_report.h"

#include <math.h>

#include "core/base/text.h"
#include "core/io/tree_out.h"
#include "core/lists/metrics.h"

/* NULL: null. */
static void metrics_put_text(struct tree_out *d, const char *key, const char *text)
{
	char safe[4096];

	tree_put_text(d, key, text ? text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8) : NULL);
}

/* ---- rows ---- */

/* From the program on. */
static void metrics_put_path(struct tree_out *d, const struct call_log *log, uint32_t node)
{
	uint32_t steps[256 + 2], n = 0;

	for (uint32_t at = node; n < sizeof steps / sizeof *steps; at = log->nodes[at].parent) {
		steps[n++] = at;
		if (!at)
			break;
	}
	tree_put_list(d, "path", true);
	while (n)
		tree_text(d, log->nodes[steps[--n]].name);
	tree_end(d);
}

static void metrics_put_rows(struct tree_out *d, const struct metrics_report *r, const struct metrics_run *run)
{
	struct metrics_list l;

	metrics_list_init(&l, r->by, run, NULL);
	tree_put_list(d, "rows", !l.count);
	for (uint32_t i = 0; i < l.count; i++) {
		tree_map(d, false);
		if (r->by == METRICS_BY_STATE)
			metrics_put_path(d, run->log, run->states.row[i].node);
		list_tree(d, l.table, METRICS_ALL | METRICS_GAIN, l.list, i);
		tree_end(d);
	}
	tree_end(d);
	if (r->by == METRICS_BY_CAUSE)
		tree_put_real(d, "unresolved", run->causes ? run->causes->unresolved : (double)NAN);
}

static void metrics_put_runs(struct tree_out *d, const struct metrics_report *r)
{
	tree_put_list(d, "runs", !r->count);
	for (uint32_t i = 0; i < r->count; i++) {
		const struct metrics_run_figures figures = metrics_report_run(r, i);
		const struct metrics_runs_list l = {&figures, 1};

		tree_map(d, false);
		list_tree(d, &metrics_runs_columns, METRICS_ALL, &l, 0);
		if (r->run[i]->own_times)
			times_write(d, &r->run[i]->times);
		if (r->by != METRICS_BY_PROGRAM)
			metrics_put_rows(d, r, r->run[i]);
		tree_end(d);
	}
	tree_end(d);
}

/* ---- the diagnosis ---- */

static void begin_step(struct tree_out *d, unsigned step, enum verdict v)
{
	tree_map(d, false);
	tree_put_whole(d, "step", step);
	tree_put_text(d, "verdict", verdict_name(v));
}

static void stand(struct tree_out *d, const struct diagnosis *x)
{
	static const struct {
		enum diagnosis_warning bit;
		const char *name;
	} warnings[] = {{WARN_FEW_POINTS, "few-points"}, {WARN_SLOWS_DOWN, "slows-down"}, {WARN_LOOKS_WEAK, "looks-weak"}};

	begin_step(d, 1, x->stand.verdict);
	metrics_put_text(d, "metric", x->stand.metric);
	tree_put_real(d, "value", x->stand.value);
	tree_put_whole(d, "processes", x->stand.processes);
	tree_put_list(d, "warnings", true);
	for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++)
		if (x->stand.warnings & warnings[i].bit)
			tree_text(d, warnings[i].name);
	tree_end(d);
	tree_end(d);
}

static void metrics_put_limit(struct tree_out *d, const struct diagnosis *x)
{
	begin_step(d, 2, x->far.verdict);
	tree_put_real(d, "serial_fraction", x->far.serial_fraction);
	metrics_put_text(d, "trend", trend_name(x->far.trend));
	tree_put_real(d, "limit", x->far.limit);
	tree_put_list(d, "projection", !x->far.projections);
	for (uint32_t i = 0; i < x->far.projections; i++) {
		tree_map(d, true);
		tree_put_whole(d, "processes", x->far.projection[i].processes);
		tree_put_real(d, "speedup", x->far.projection[i].speedup);
		tree_put_real(d, "efficiency", x->far.projection[i].efficiency);
		tree_end(d);
	}
	tree_end(d);
	tree_end(d);
}

static void places(struct tree_out *d, const char *key, const struct lost_at *at, uint32_t count)
{
	tree_put_list(d, key, !count);
	for (uint32_t i = 0; i < count; i++) {
		tree_map(d, true);
		metrics_put_text(d, "where", at[i].where);
		tree_put_real(d, "lost", at[i].lost);
		tree_end(d);
	}
	tree_end(d);
}

static void metrics_put_loss(struct tree_out *d, const struct diagnosis *x, uint32_t processes)
{
	begin_step(d, 3, x->where.verdict);
	metrics_put_text(d, "factor", x->where.factor);
	tree_put_real(d, "value", x->where.value);
	tree_put_real(d, "lost", x->where.lost);
	tree_put_whole(d, "processes", processes);
	tree_put_real(d, "process", x->where.process == NO_PROCESS ? (double)NAN : (double)x->where.process);
	metrics_put_text(d, "outside_mpi", outside_use_name(x->where.outside));
	places(d, "routines", x->where.routines, x->where.routine_count);
	places(d, "phases", x->where.phases, x->where.phase_count);
	tree_end(d);
}

static void helped(struct tree_out *d, const struct diagnosis *x)
{
	begin_step(d, 4, x->helped.verdict);
	metrics_put_text(d, "before", x->helped.before);
	tree_put_real(d, "runtime_change", x->helped.runtime_change);
	if (x->helped.verdict == VERDICT_NOT_DONE || x->helped.verdict == VERDICT_UNKNOWN) {
		tree_put_map(d, "changes", true);
	} else {
		tree_put_map(d, "changes", false);
		tree_put_real(d, "parallel_efficiency", x->helped.parallel_efficiency);
		tree_put_real(d, "load_balance", x->helped.load_balance);
		tree_put_real(d, "communication_efficiency", x->helped.communication_efficiency);
		tree_put_real(d, "serialisation_efficiency", x->helped.serialisation_efficiency);
		tree_put_real(d, "transfer_efficiency", x->helped.transfer_efficiency);
		tree_put_real(d, "communication_balance", x->helped.communication_balance);
		tree_put_real(d, "overlap", x->helped.overlap);
	}
	tree_end(d);
	tree_end(d);
}

static void diagnosis(struct tree_out *d, const struct diagnosis *x)
{
	tree_put_list(d, "diagnosis", false);
	stand(d, x);
	metrics_put_limit(d, x);
	metrics_put_loss(d, x, x->stand.processes);
	helped(d, x);
	tree_end(d);
}

/* ---- the rest ---- */

static void what_if(struct tree_out *d, const struct metrics_changed *c)
{
	tree_put_map(d, "what_if", false);
	metrics_put_text(d, "text", c->text);
	metrics_put_text(d, "file", c->run->file);
	tree_put_real(d, "runtime", c->runtime);
	tree_put_real(d, "unchanged_runtime", c->unchanged);
	tree_put_real(d, "runtime_change", c->runtime_change);
	tree_put_real(d, "load_balance", c->factors.load_balance);
	tree_put_real(d, "communication_balance", c->factors.communication_balance);
	tree_put_real(d, "communication_efficiency", c->factors.communication_efficiency);
	tree_put_real(d, "parallel_efficiency", c->factors.parallel_efficiency);
	tree_end(d);
}

static bool any_note(const struct metrics_report *r, const struct metrics_run *run)
{
	for (int n = 0; run && n < METRIC_NOTES; n++)
		if (metrics_note_count(r, run, (enum metric_note)n))
			return true;
	return false;
}

static void notes_of(struct tree_out *d, const struct metrics_report *r, const struct metrics_run *run)
{
	for (int n = 0; run && n < METRIC_NOTES; n++) {
		uint64_t count = metrics_note_count(r, run, (enum metric_note)n);

		if (!count)
			continue;
		tree_map(d, false);
		metrics_put_text(d, "file", run->file);
		tree_put_text(d, "kind", metric_note_kind((enum metric_note)n));
		tree_put_whole(d, "count", count);
		tree_put_text(d, "meaning", metric_note_meaning((enum metric_note)n));
		tree_end(d);
	}
}

static void notes(struct tree_out *d, const struct metrics_report *r)
{
	bool any = any_note(r, r->before);

	for (uint32_t i = 0; i < r->count; i++)
		any |= any_note(r, r->run[i]);
	tree_put_list(d, "notes", !any);
	for (uint32_t i = 0; i < r->count; i++)
		notes_of(d, r, r->run[i]);
	notes_of(d, r, r->before);
	tree_end(d);
}

enum err_code metrics_write(const struct metrics_report *r, struct out *out, bool json, struct err *e)
{
	struct tree_out d;

	tree_out_init(&d, out, json);
	tree_map(&d, false);
	tree_put_whole(&d, "pas2p_metrics", METRICS_VERSION);
	tree_put_text(&d, "by", metrics_by_name(r->by));
	tree_put_text(&d, "scaling", scaling_kind_name(r->scaling));
	tree_put_real(&d, "serial", r->serial);
	if (r->rules.rendezvous == REPLAY_NEVER)
		tree_put_null(&d, "rendezvous");
	else
		tree_put_whole(&d, "rendezvous", r->rules.rendezvous);
	tree_put_text(&d, "rooted", r->rules.rooted_all ? "all" : "observed");
	tree_put_real(&d, "reference", r->reference == NO_RUN ? (double)NAN : (double)r->reference);
	metrics_put_runs(&d, r);
	if (r->diagnosis)
		diagnosis(&d, r->diagnosis);
	if (r->changed)
		what_if(&d, r->changed);
	notes(&d, r);
	tree_end(&d);
	return tree_out_finish(&d, e);
}

/* The sentences of the overview, the same in all faces. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/unit.h"
#include "core/io/shell_words.h"
#include "core/trace/times.h"
#include "reports.h"

#define NAMED 5      /* outliers are listed up to this many */
#define FEW 3        /* of more, their number comes first */
#define MANY 100     /* relevant phases: more of them are no summary of a run */
#define CUT 48       /* bytes of a name, with its end */
#define LENIENT 0.65 /* similar events */
#define MUCH_TRACING 0.01
#define MAIN_SHARE 0.5 /* of the run time: a main loop with less says so */

/* More of a text of OVERVIEW_TEXT bytes, as far as there is room. */
static void words_append(char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void words_append(char *text, const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + len, OVERVIEW_TEXT - len, fmt, ap);
	va_end(ap);
}

/* A name is cut where it would push figures aside: at its start, since the end of a path says more. */
static const char *cut_name(const char *name, char cut[CUT])
{
	size_t n = strlen(name);
	const char *from = name + (n < CUT ? 0 : n - (CUT - 4));

	while (from > name && ((unsigned char)*from & 0xc0) == 0x80)
		from++;
	snprintf(cut, CUT, "%s%s", from > name ? "..." : "", from);
	return cut;
}

char *overview_title_text(const struct overview *o, char *text)
{
	const struct trace *t = o->of.trace;
	char name[1024], cut[CUT], n[UNIT_TEXT], events[UNIT_TEXT];
	const char *file;
	size_t length;

	*text = 0;
	if (t->file_count) {
		file = path_trace_name(t->files[0].path, &length);
		words_append(text, "%s", cut_name(text_safe(name, sizeof name, file, length, TEXT_UTF8), cut));
	}
	if (t->file_count > 1)
		words_append(text, " and %" PRIu32 " more", t->file_count - 1);
	words_append(text, "%s%s process%s", *text ? "   " : "", unit_count(n, t->process_count), t->process_count == 1 ? "" : "es");
	if (!isnan(o->runtime))
		words_append(text, ", %s", unit_figure_time(n, o->runtime));
	words_append(text, ", %s event%s", unit_count(events, t->event_count), t->event_count == 1 ? "" : "s");
	return text;
}

char *overview_efficiency_text(const struct overview *o, char *text)
{
	const struct factors *f = &o->factors;
	bool unknown = o->account.not_analysed >= 0.0005; /* the ideal run does not wait in what is not analysed */
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT];

	*text = 0;
	if (isnan(f->parallel_efficiency))
		return text;
	words_append(text, "%s", unit_percent(a, f->parallel_efficiency));
	if (isnan(f->load_balance) || isnan(f->communication_efficiency))
		return text;
	words_append(text, " = load balance %s", unit_percent(b, f->load_balance));
	if (isnan(f->serialisation_efficiency) || isnan(f->transfer_efficiency))
		words_append(text, " x communication %s", unit_percent(c, f->communication_efficiency));
	else
		words_append(text, unknown ? " x serialisation at most %s x transfer at least %s" : " x serialisation %s x transfer %s",
		     unit_percent(a, f->serialisation_efficiency), unit_percent(b, f->transfer_efficiency));
	return text;
}

/* "rank 0 for late sends of rank 1", "rank 0 for rank 1 in collectives". */
static void put_longest_wait(const struct overview *o, char *text)
{
	static const char *const how[WAIT_REASONS] = {
		[WAIT_LATE_SENDER] = "late sends of ", [WAIT_LATE_RECEIVER] = "late receives of ", [WAIT_COLLECTIVE] = "",
	};
	char waits[UNIT_TEXT], other[UNIT_TEXT];

	words_append(text, "%s for %s%s%s", unit_rank(waits, o->longest->process), how[o->longest_reason], unit_rank(other, o->longest->other),
		     o->longest_reason == WAIT_COLLECTIVE ? " in collectives" : "");
}

char *overview_lost_text(const struct overview *o, char *text)
{
	char a[UNIT_TEXT], named[NOT_ANALYSED_TEXT];
	const struct run_metrics *m = o->of.metrics;
	bool unknown = o->account.not_analysed > 0, much = o->account.not_analysed >= 0.0005;

	*text = 0;
	if (o->longest) {
		put_longest_wait(o, text);
		words_append(text, ", %s%s", much ? "at least " : "", unit_figure_time(a, o->longest->seconds));
	} else if (o->of.pairs && o->has_account) {
		words_append(text, "%s", unknown ? "unknown" : "no rank waited");
	}
	if (*text && unknown && (!o->longest || much))
		words_append(text, "%s %s of the total time is in calls that are not analysed (%s)", o->longest ? ";" : ":",
			     unit_percent(a, o->account.not_analysed), not_analysed_text(&m->not_analysed, m->total, named));
	return text;
}

char *overview_waiting_text(const struct overview *o, char *text)
{
	const struct overview_account *a = &o->account;
	char share[UNIT_TEXT];

	*text = 0;
	if (a->not_analysed > 0 && !(a->waiting > 0))
		words_append(text, "unknown");
	else
		words_append(text, "%s%s", a->not_analysed >= 0.0005 ? "at least " : "", unit_percent(share, a->waiting));
	return text;
}

char *overview_time_text(const struct overview *o, char *text)
{
	const struct overview_account *a = &o->account;
	char share[UNIT_TEXT], waiting[OVERVIEW_TEXT];

	*text = 0;
	if (!o->has_account)
		return text;
	words_append(text, "computation %s, waiting %.40s", unit_percent(share, a->compute), overview_waiting_text(o, waiting));
	words_append(text, ", transfer %s", unit_percent(share, a->moving));
	if (a->not_analysed >= 0.0005)
		words_append(text, ", not analysed %s", unit_percent(share, a->not_analysed));
	words_append(text, ", other %s", unit_percent(share, a->other));
	return text;
}

char *overview_cause_text(const struct overview *o, char *text)
{
	const struct culprit *c = &o->cause;
	const struct call_log *log = o->of.metrics ? o->of.metrics->log : NULL;
	static const char *const used[] = {
		[OUTSIDE_UNKNOWN] = "computation", [OUTSIDE_COMPUTING] = "computation", [OUTSIDE_IDLE] = "idle outside MPI",
		[OUTSIDE_SHARED] = "computation on a shared processor",
	};
	bool tracer = log && c->process != NO_PROCESS && strcmp(log->nodes[c->node].name, "(tracer)") == 0;
	bool call = c->in_calls > c->useful, named = log && c->node && !tracer;
	char path[1024], cut[CUT], a[UNIT_TEXT], b[UNIT_TEXT];

	*text = 0;
	if (c->process == NO_PROCESS)
		return text;
	words_append(text, "%s", unit_rank(a, c->process));
	if (tracer)
		words_append(text, ", writing its trace");
	else if (!call)
		words_append(text, ", %s", used[run_metrics_outside(o->of.metrics, c->process)]);
	if (named)
		words_append(text, "%s%s", call ? ", " : " in ", cut_name(call_node_path(log, c->node, path, sizeof path), cut));
	words_append(text, ": %s", unit_figure_time(a, culprit_seconds(c)));
	if (!isnan(o->waited))
		words_append(text, " of %s", unit_figure_time(b, o->waited));
	words_append(text, " waiting");
	return text;
}

char *overview_slowest_text(const struct overview *o, char *text)
{
	char a[UNIT_TEXT], rank[UNIT_TEXT], outside[OUTSIDE_TEXT];

	*text = 0;
	if (o->slowest == NO_PROCESS)
		return text;
	if (o->slowest_use == OUTSIDE_IDLE || o->slowest_use == OUTSIDE_SHARED)
		words_append(text, "%s %s", unit_rank(rank, o->slowest), run_metrics_outside_text(o->of.metrics, o->slowest, outside));
	else if (o->slowest_by < 0.0005) /* less than is shown */
		words_append(text, "all ranks compute equally long");
	else
		words_append(text, "%s, %s above the mean computation time", unit_rank(rank, o->slowest), unit_percent(a, o->slowest_by));
	return text;
}

char *overview_crowded_text(const struct overview *o, char *text)
{
	return crowded_nodes_text(&o->crowded, text);
}

char *overview_tracing_text(const struct overview *o, char *text)
{
	*text = 0;
	return o->tracing.share[1] >= MUCH_TRACING ? tracing_cost_text(o->of.trace, &o->tracing, text) : text;
}

char *overview_heaviest_text(const struct overview *o, char *text)
{
	uint64_t all = o->of.metrics ? o->of.metrics->bytes : 0, unknown = o->of.metrics ? o->of.metrics->unknown_sizes : 0;
	char a[UNIT_TEXT], b[UNIT_TEXT];

	*text = 0;
	if (o->heavy_from != NO_PROCESS && o->heavy_bytes) {
		words_append(text, "%s to %s, %s", unit_rank((char[UNIT_TEXT]){""}, o->heavy_from), unit_rank((char[UNIT_TEXT]){""}, o->heavy_to),
		     unit_bytes(a, o->heavy_bytes));
		if (all)
			words_append(text, ", %s of all %sbytes", unit_percent(b, (double)o->heavy_bytes / (double)all), unknown ? "known " : "");
	}
	if (unknown)
		words_append(text, "%sthe size of %s of %s message%s is unknown", *text ? "; " : "", unit_count(a, unknown), unit_count(b, o->of.metrics->messages),
		     o->of.metrics->messages == 1 ? "" : "s");
	return text;
}

char *overview_prediction_text(const struct overview *o, char *text)
{
	const struct settings *settings;
	char a[UNIT_TEXT], b[UNIT_TEXT];

	*text = 0;
	if (!o->of.analysis || !o->of.analysis->phases)
		return text;
	if (!o->phases) {
		words_append(text, "none: the trace has no sends and no collectives");
		return text;
	}
	words_append(text, "%s phase%s", unit_count(a, o->phases), o->phases == 1 ? "" : "s");
	if (!o->relevant) {
		words_append(text, o->of.analysis->figures->aet > 0 ? ", none relevant" : ", but no times: %s",
			     figures_gap(o->of.analysis->figures->aet, o->phases));
		return text;
	}
	settings = &o->of.analysis->settings;
	if (o->phases > 1)
		words_append(text, ", %s relevant", o->relevant == o->phases ? "all" : unit_count(a, o->relevant));
	words_append(text, ", which cover%s %s %s", o->relevant == 1 ? "s" : "", unit_percent(b, o->coverage), settings_share_of(settings, "of the run time"));
	if (o->in_phases < COVERAGE_BAR && settings_shares_tile(settings))
		words_append(text, "; %s are in no phase", unit_percent(a, 1 - o->in_phases));
	/* That of a signature is on its own line. */
	if (!o->signature && !isnan(o->expected))
		words_append(text, "; expected error %s", unit_multiple(a, o->expected, 1));
	return text;
}

char *overview_iteration_text(const struct overview *o, char *text)
{
	const struct main_loop *m = o->iterations ? &o->of.structure->main : NULL;
	char a[UNIT_TEXT], b[UNIT_TEXT];

	*text = 0;
	if (!m)
		return text;
	words_append(text, "%s iterations of %s", unit_count(a, m->iterations), unit_figure_time(b, m->mean));
	if (m->share < MAIN_SHARE)
		words_append(text, ", %s of the run time", unit_percent(a, m->share));
	words_append(text, "%s", m->outlier_count ? "; " : m->share < MAIN_SHARE ? "; no outliers" : ", no outliers");
	if (m->outlier_count > FEW)
		words_append(text, "%s are outliers: ", unit_count(a, m->outlier_count));
	for (uint32_t i = 0; i < m->outlier_count && i < NAMED; i++)
		words_append(text, "%s%" PRIu32, !i ? "" : i + 1 == m->outlier_count ? " and " : ", ", m->outliers[i] + 1);
	if (m->outlier_count > NAMED)
		words_append(text, " and %s more", unit_count(a, m->outlier_count - NAMED));
	if (m->outlier_count && m->outlier_count <= FEW)
		words_append(text, m->outlier_count == 1 ? " is an outlier" : " are outliers");
	return text;
}

char *overview_signature_text(const struct overview *o, char *text)
{
	char a[UNIT_TEXT], cost[UNIT_OF_TEXT];

	*text = 0;
	if (!o->signature) {
		words_append(text, "%s", o->no_signature);
		return text;
	}
	words_append(text, "%" PRIu32 " window%s", o->windows, o->windows == 1 ? "" : "s");
	if (!isnan(o->cost_share))
		words_append(text, ", %s", unit_multiple_of(cost, o->cost_share, 1, "the run time"));
	if (isnan(o->expected))
		words_append(text, ", expected error unknown");
	else
		words_append(text, ", expected error %s", unit_multiple(a, o->expected, 1));
	return text;
}

char *overview_clocks_text(const struct overview *o, char *text)
{
	const struct trace_times *times = o->of.trace->times;

	*text = 0;
	return times ? times_sentence(&times->figures, text) : text;
}

char *overview_warnings_text(const struct overview *o, char *text)
{
	char n[UNIT_TEXT];

	*text = 0;
	if (o->notes.damage || o->of.trace->damaged)
		words_append(text, "the trace is damaged, so all values are of its readable part");
	if (o->notes.violations)
		words_append(text, "%s%s clock violation%s", *text ? "; " : "", unit_count(n, o->notes.violations), o->notes.violations == 1 ? "" : "s");
	if (o->notes.warnings)
		words_append(text, "%s%s warning%s", *text ? "; " : "", unit_count(n, o->notes.warnings), o->notes.warnings == 1 ? "" : "s");
	return text;
}

uint32_t overview_iteration_times(const struct overview *o, double *values, uint32_t n)
{
	const struct main_loop *m = o->iterations ? &o->of.structure->main : NULL;

	if (!m)
		return 0;
	n = n < m->iterations ? n : m->iterations;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t end = (uint32_t)((uint64_t)(k + 1) * m->iterations / n);

		values[k] = 0;
		for (uint32_t i = (uint32_t)((uint64_t)k * m->iterations / n); i < end; i++)
			values[k] = fmax(values[k], m->seconds[i]);
	}
	return n;
}

/* --- steps --- */

const char *overview_step_text(enum overview_step s)
{
	static const char *const texts[] = {
		[OVERVIEW_NEXT_NONE] = "", [OVERVIEW_NEXT_CHECK] = "check the warnings", [OVERVIEW_NEXT_WAITS] = "find the causes of waiting",
		[OVERVIEW_NEXT_BALANCE] = "find the ranks that compute most", [OVERVIEW_NEXT_TRANSFER] = "find the calls that transfer most",
		[OVERVIEW_NEXT_OTHER] = "find the MPI calls that take most time", [OVERVIEW_NEXT_COVERAGE] = "cover more of the run",
		[OVERVIEW_NEXT_PHASES] = "list the repeated phases", [OVERVIEW_NEXT_PLAN] = "compare the costs of signatures",
		[OVERVIEW_NEXT_SIGN] = "write a phase table for a signature",
	};

	return texts[s];
}

/* Which threshold to turn, and how far: the relevance where that takes few more phases, otherwise what is similar. */
static void find_threshold(const struct overview *o, struct settings *s)
{
	static const double parts[] = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01};
	enum { PARTS = sizeof parts / sizeof *parts };
	const struct settings *was = &o->of.analysis->settings;
	const struct figures *f = o->of.analysis->figures;
	double covered[PARTS] = {0}, enough = fmin(COVERAGE_BAR, o->in_phases * COVERAGE_BAR);
	uint32_t relevant[PARTS] = {0};
	int at = 0;

	for (uint32_t i = 0; i < f->count; i++)
		for (int k = PARTS - 1; k >= 0 && f->phase[i].share >= was->relevance * parts[k]; k--) {
			covered[k] += f->phase[i].share;
			relevant[k]++;
		}
	while (at < PARTS - 1 && covered[at] < enough)
		at++;
	if ((covered[at] >= enough && relevant[at] <= MANY) || was->similarity != SIMILARITY_PHASE || was->events <= LENIENT)
		s->relevance = was->relevance * parts[at];
	else
		s->events = LENIENT;
}

/* Settings that are not the defaults, so that the command speaks of the same phases. */
static void add_settings(const struct overview *o, enum overview_step step, struct out *out)
{
	struct settings settings, defaults;
	char is[64], was[64];

	if (!o->of.analysis)
		return;
	settings_init(&defaults);
	settings = o->of.analysis->settings;
	if (step == OVERVIEW_NEXT_COVERAGE)
		find_threshold(o, &settings);
	/* Phases are found by the times in the file, and so are warnings. */
	if (step != OVERVIEW_NEXT_WAITS && step != OVERVIEW_NEXT_BALANCE && step != OVERVIEW_NEXT_TRANSFER &&
	    step != OVERVIEW_NEXT_OTHER)
		settings.clocks = CLOCKS_FILE;
	for (int i = 0; i < SETTING_COUNT; i++) {
		settings_get(&settings, (enum setting_id)i, is, sizeof is);
		settings_get(&defaults, (enum setting_id)i, was, sizeof was);
		if (strcmp(is, was) != 0)
			out_printf(out, " --%s %s", setting_info((enum setting_id)i)->key, is);
	}
}

void overview_step_command(const struct overview *o, enum overview_step s, enum text_flags flags, struct out *out)
{
	static const char *const commands[] = {
		[OVERVIEW_NEXT_NONE] = NULL, [OVERVIEW_NEXT_CHECK] = "check", [OVERVIEW_NEXT_WAITS] = "metrics --by cause",
		[OVERVIEW_NEXT_BALANCE] = "metrics --by rank", [OVERVIEW_NEXT_TRANSFER] = "metrics --by callpath",
		[OVERVIEW_NEXT_OTHER] = "metrics --by callpath",
		[OVERVIEW_NEXT_COVERAGE] = "phases", [OVERVIEW_NEXT_PHASES] = "phases", [OVERVIEW_NEXT_PLAN] = "plan",
		[OVERVIEW_NEXT_SIGN] = "phases",
	};
	const struct trace *t = o->of.trace;
	char share[NUMBER_TEXT];

	if (!commands[s])
		return;
	(flags == TEXT_ASCII ? shell_word_ascii : shell_word)(out, o->of.program ? o->of.program : "pas2p");
	out_printf(out, " %s", commands[s]);
	add_settings(o, s, out);
	if (s == OVERVIEW_NEXT_SIGN && !o->of.analysis->windows) {
		number_format(round(o->of.plan->budget.share * 1e10) / 1e8, share);
		out_printf(out, " --budget %s%%", share);
	}
	if (s == OVERVIEW_NEXT_SIGN)
		out_str(out, " --format yaml --output table.yaml");
	for (uint32_t i = 0; i < t->file_count; i++) {
		/* Else it would be an option. */
		out_str(out, t->files[i].path[0] == '-' ? " ./" : " ");
		if (flags == TEXT_ASCII)
			shell_word_ascii(out, t->files[i].path);
		else
			shell_word(out, t->files[i].path);
	}
}

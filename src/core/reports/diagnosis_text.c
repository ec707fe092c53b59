/* The diagnosis as sentences: the facts, their cost, where to look, what to type. Topics line up. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/unit.h"
#include "core/io/shell_words.h"
#include "reports.h"

#define FEW_BELOW 3 /* process counts: fewer of them show no trend */
#define NOT_SEPARATE "the trace does not separate computation from communication"

static void percent(struct out *out, double fraction)
{
	char text[UNIT_TEXT];

	out_str(out, unit_percent(text, fraction));
}

/* "118 s", "1.45 ms", "12.0 µs": three digits, whatever the unit. */
static void put_seconds(struct out *out, double s)
{
	static const struct {
		double least;
		const char *name;
	} units[] = {{.9995, "s"}, {.9995e-3, "ms"}, {0, "µs"}};
	double each = 1;
	int u = 0;

	if (!(s > 0)) {
		out_str(out, "0 s");
		return;
	}
	for (; s < units[u].least; each *= 1e3)
		u++;
	s *= each;
	out_printf(out, "%.*f %s", s < 9.995 ? 2 : s < 99.95 ? 1 : 0, s, units[u].name);
}

static void counted(struct out *out, uint64_t n, const char *one, const char *several)
{
	char text[UNIT_TEXT];

	out_printf(out, "%s %s", unit_count(text, n), n == 1 ? one : several);
}

/* "80 %", "82.5 %": as it was asked for. */
static void goal_put_text(struct out *out, const struct diagnosis_settings *s)
{
	out_printf(out, "goal %.6g %%", s->bar * 100);
}

/* --- 1 --- */

static void answer_stand(const struct diagnosis *d, const struct diagnosis_settings *s, const char *next, struct out *out)
{
	bool efficiency = !strcmp(d->stand.metric, "efficiency");

	if (isnan(d->stand.value)) {
		out_str(out, NOT_SEPARATE);
	} else {
		out_str(out, efficiency ? "efficiency " : "parallel efficiency ");
		percent(out, d->stand.value);
		out_str(out, " on ");
		counted(out, d->stand.processes, "process", "processes");
		if (efficiency && !isnan(d->stand.speedup))
			out_printf(out, " (speedup %.3g)", d->stand.speedup);
		out_str(out, "; ");
		goal_put_text(out, s);
	}
	if (d->stand.warnings & WARN_SLOWS_DOWN) {
		out_str(out, next);
		out_str(out, "some runs on more processes are slower: use fewer processes, or see Main loss");
	}
	if (d->stand.warnings & WARN_LOOKS_WEAK) {
		out_str(out, next);
		out_str(out, "with more processes, each rank still computes for nearly the same time: if the problem grew, add --scaling weak");
	}
}

/* --- 2 --- */

static void projection(const struct diagnosis *d, struct out *out)
{
	const struct projected_speedup *p = &d->far.projection[0];

	out_str(out, "predicted for ");
	counted(out, p->processes, "process", "processes");
	out_printf(out, ": speedup %.3g (efficiency ", p->speedup);
	percent(out, p->efficiency);
	out_str(out, ")");
}

void diagnosis_slower_text(const struct diagnosis *d, struct out *out)
{
	char times[UNIT_TEXT];

	if (d->far.times_longer < 10)
		snprintf(times, sizeof times, "%.2f", d->far.times_longer);
	else
		unit_count(times, (uint64_t)llround(fmin(d->far.times_longer, 1e15)));
	out_printf(out, "slower on more processes, %s times as long on ", times);
	counted(out, d->far.processes, "process", "processes");
	out_str(out, " as on ");
	counted(out, d->far.reference, "process", "processes");
	if (!d->far.grown)
		return;
	out_printf(out, "; %s grows from ", d->far.grown);
	put_seconds(out, d->far.grown_from);
	out_str(out, " to ");
	put_seconds(out, d->far.grown_to);
	out_str(out, " per rank");
	if (d->far.grown_in[0])
		out_printf(out, ", mostly in %s", d->far.grown_in);
}

static void answer_far(const struct diagnosis *d, const struct diagnosis_settings *s, const char *next, struct out *out)
{
	if (isnan(d->far.serial_fraction)) {
		out_str(out, d->far.runs == 1 ? "only one run" : "the runs do not have times on different rank counts");
		out_str(out, ". Trace the program on 2 or more rank counts and pass all traces");
		return;
	}
	if (d->far.slower) {
		diagnosis_slower_text(d, out);
		return;
	}
	out_str(out, "serial fraction ");
	out_printf(out, "%.3g %%", d->far.serial_fraction * 100);
	if (d->far.trend != TREND_NONE)
		out_printf(out, ", %s", trend_name(d->far.trend));
	out_str(out, ": ");
	if (!isnan(d->far.limit)) {
		out_printf(out, "speedup at most %.3g", d->far.limit);
		if (d->far.reference > 1) {
			out_str(out, " relative to ");
			counted(out, d->far.reference, "process", "processes");
		}
		out_str(out, "; ");
	} else if (s->kind == SCALING_STRONG) {
		out_str(out, "no serial part limits it yet; ");
	}
	projection(d, out);
	if (d->far.trend == TREND_RISING && s->kind == SCALING_STRONG) {
		out_str(out, next);
		out_str(out, "a rising serial fraction points to overhead (imbalance, communication) rather than serial code");
	}
	if (d->stand.warnings & WARN_FEW_POINTS) {
		out_str(out, next);
		out_printf(out, "fewer than %d rank counts: add a run on another one for a better estimate", FEW_BELOW);
	}
}

/* --- 3 --- */

/* A hundredth of the first or less is not worth a look. */
static void losses_put_top(struct out *out, const char *of, const struct lost_at *list, uint32_t count, bool brackets)
{
	if (!count)
		return;
	out_printf(out, ". %s: ", of);
	for (uint32_t i = 0; i < count && list[i].lost >= list[0].lost / 100; i++) {
		out_printf(out, "%s%s %s", i ? ", " : "", list[i].where, brackets ? "(" : "");
		put_seconds(out, list[i].lost);
		out_str(out, brackets ? ")" : "");
	}
}

static bool is_factor(const struct diagnosis *d, const char *name)
{
	return !strcmp(d->where.factor, name);
}

/* "Most of it" is more than half. */
static void loss_put_most(const struct diagnosis *d, struct out *out)
{
	char who[UNIT_TEXT];

	if (d->where.process == NO_PROCESS)
		return;
	unit_rank(who, d->where.process);
	if (d->where.on_process > d->where.lost / 2) {
		out_printf(out, ", most of it on %s", who);
	} else {
		out_printf(out, ", and %s has most (", who);
		put_seconds(out, d->where.on_process);
		out_str(out, ")");
	}
}

static void loss_put_process(const struct diagnosis *d, const struct diagnosis_settings *s, struct out *out)
{
	bool one = d->where.process != NO_PROCESS;
	char who[UNIT_TEXT] = "";

	if (one)
		unit_rank(who, d->where.process);
	put_seconds(out, d->where.lost);
	if (is_factor(d, "load_balance")) {
		out_str(out, " of the total time is imbalance");
		if (one)
			out_printf(out, ", because %s %s", who, *d->where.outside_text ? d->where.outside_text : "computes most");
	} else if (is_factor(d, "serialisation_efficiency")) {
		out_str(out, " of the total time is waiting");
		loss_put_most(d, out);
	} else if (is_factor(d, "transfer_efficiency")) {
		out_str(out, " of the total time is transfer");
		loss_put_most(d, out);
	} else {
		out_printf(out, " more computation than %s", s->kind == SCALING_WEAK ? "the reference needs for as much work" : "in the reference");
		if (one)
			out_printf(out, ", and %s computes most", who);
	}
}

/* Is communication the part to look at? */
static void communication(const struct diagnosis *d, const struct diagnosis_settings *s, struct out *out)
{
	bool poor = d->where.communication_efficiency < s->bar;
	bool named = is_factor(d, "serialisation_efficiency") || is_factor(d, "transfer_efficiency");

	if (isnan(d->where.communication_efficiency))
		return;
	out_str(out, named ? poor ? ". Communication efficiency is poor (" : ". Communication efficiency in all is good (" :
		poor ? ". Communication efficiency is poor, too (" :
		d->where.not_analysed > 0 ? ". Communication efficiency, as far as analysed, is good (" : ". Communication efficiency is good (");
	percent(out, d->where.communication_efficiency);
	out_str(out, ")");
}

static const char *factor_name(const struct diagnosis *d)
{
	return is_factor(d, "load_balance") ? "load balance" : is_factor(d, "serialisation_efficiency") ? "serialisation efficiency" :
	       is_factor(d, "transfer_efficiency") ? "transfer efficiency" : "computation scaling";
}

static void answer_where(const struct diagnosis *d, const struct diagnosis_settings *s, const char *next, struct out *out)
{
	if (!d->where.factor) {
		out_str(out, NOT_SEPARATE);
		return;
	}
	if (d->where.verdict == VERDICT_OK)
		out_printf(out, "all factors reach the goal of %.6g %%; the lowest is ", s->bar * 100);
	out_printf(out, "%s ", factor_name(d));
	percent(out, d->where.value);
	out_str(out, "; ");
	if (!(d->where.lost > 0) && d->where.not_analysed > 0 && is_factor(d, "transfer_efficiency")) {
		out_str(out, "the loss is in calls that are not analysed and may include waiting, ");
		percent(out, d->where.not_analysed);
		out_printf(out, " of the total time (%s)", d->where.not_analysed_in);
		return;
	}
	if (d->where.lost > 0) {
		loss_put_process(d, s, out);
		/* A row's imbalance is behind the process that computes most in it: they do not add up to the run's. */
		losses_put_top(out, is_factor(d, "load_balance") ? "Imbalance by function" : "Functions", d->where.routines, d->where.routine_count, false);
		losses_put_top(out, is_factor(d, "load_balance") ? "Imbalance by phase" : "Phases", d->where.phases, d->where.phase_count, true);
	} else {
		out_str(out, "no time is lost");
	}
	communication(d, s, out);
	if (d->where.not_analysed > 0) {
		out_str(out, next);
		percent(out, d->where.not_analysed);
		out_printf(out, " of the total time is in calls that are not analysed and may include waiting (%s)", d->where.not_analysed_in);
	}
	if (d->where.shared && is_factor(d, "transfer_efficiency")) {
		out_str(out, next);
		counted(out, d->where.shared, "process", "processes");
		out_str(out, " shared a processor, so part of this is waiting for it: trace the program with a processor for each process");
	}
}

/* --- 4 --- */

static void change(struct out *out, const char *name, double v, bool *any)
{
	if (isnan(v) || fabs(v) < 0.0005)
		return;
	out_printf(out, "%s%s %+.1f", *any ? ", " : "; in percentage points: ", name, v * 100);
	*any = true;
}

static void command(struct out *out, const struct diagnosis_settings *s, const char *before, const char *now)
{
	shell_word(out, s->program ? s->program : "pas2p");
	out_str(out, " metrics --before ");
	shell_word(out, before);
	out_str(out, " ");
	out_str(out, now);
}

static void answer_helped(const struct diagnosis *d, const struct diagnosis_settings *s, const char *file, struct out *out)
{
	bool any = false;

	switch (d->helped.verdict) {
	case VERDICT_NOT_DONE:
		out_str(out, "change the program, trace it again, then run: ");
		command(out, s, file, "NEW");
		return;
	case VERDICT_UNKNOWN:
		out_str(out, "no run has as many processes as ");
		shell_word(out, d->helped.before ? d->helped.before : "the one before");
		return;
	case VERDICT_SAME:
		out_str(out, "as fast as before");
		break;
	default:
		percent(out, fabs(d->helped.runtime_change));
		out_str(out, d->helped.runtime_change < 0 ? " less run time than before" : " more run time than before");
	}
	change(out, "parallel efficiency", d->helped.parallel_efficiency, &any);
	change(out, "load balance", d->helped.load_balance, &any);
	change(out, "communication efficiency", d->helped.communication_efficiency, &any);
	change(out, "serialisation", d->helped.serialisation_efficiency, &any);
	change(out, "transfer", d->helped.transfer_efficiency, &any);
	change(out, "communication balance", d->helped.communication_balance, &any);
	change(out, "overlap", d->helped.overlap, &any);
}

const char *diagnosis_topic(int question)
{
	static const char *const topics[DIAGNOSIS_QUESTIONS] = {"Efficiency", "Scalability", "Main loss", "Effect of the change"};

	return topics[question];
}

const char *diagnosis_verdict(const struct diagnosis *d, int question)
{
	const enum verdict verdicts[] = {d->stand.verdict, d->far.verdict, d->where.verdict, d->helped.verdict};
	enum verdict v = verdicts[question];

	return v == VERDICT_OK ? "good" : v == VERDICT_NOT_DONE ? "-" : verdict_name(v);
}

void diagnosis_answer(const struct diagnosis *d, const struct diagnosis_settings *s, const char *file, int question,
		      const char *next, struct out *out)
{
	switch (question) {
	case 0: answer_stand(d, s, next, out); break;
	case 1: answer_far(d, s, next, out); break;
	case 2: answer_where(d, s, next, out); break;
	default: answer_helped(d, s, file, out);
	}
}

void diagnosis_text(const struct diagnosis *d, const struct diagnosis_settings *s, const char *file, struct out *out)
{
	char next[DIAGNOSIS_INDENT + 2];

	snprintf(next, sizeof next, "\n%*s", DIAGNOSIS_INDENT, "");
	for (int i = 0; i < DIAGNOSIS_QUESTIONS; i++) {
		const char *verdict = diagnosis_verdict(d, i);
		bool has = strcmp(verdict, "-") != 0;

		out_printf(out, "%-*s%s%s", DIAGNOSIS_INDENT, diagnosis_topic(i), has ? verdict : "", has ? ": " : "");
		diagnosis_answer(d, s, file, i, next, out);
		out_str(out, "\n");
	}
}

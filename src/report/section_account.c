/* The time breakdown, the efficiency factors, and the diagnosis. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_int.h"
#include "tui/widgets/svg.h"

/* ---- the account ---- */

static void account_draw_bar(struct sheet *s)
{
	const struct overview_account *a = &s->o->account;
	const struct {
		const char *what;
		struct bar_part part;
	} parts[] = {
		{"computation", {ROLE_COMPUTE, 'c', a->compute}},
		{"waiting", {ROLE_WAIT, 'w', a->waiting}},
		{"transfer", {ROLE_SEND, 't', a->moving}},
		{"not analysed", {ROLE_DIM, 'n', a->not_analysed}},
		{"other", {ROLE_MPI, 'o', a->other}},
	};
	struct bar_part drawn[5];
	char number[OVERVIEW_TEXT], text[SHEET_TEXT];

	for (int i = 0; i < 5; i++)
		drawn[i] = parts[i].part;
	if (page_picture(&s->page, "Time breakdown of all ranks", false)) {
		stacked_bar_svg(drawn, 5, 1, "Time breakdown", 30, s->page.out);
		page_picture_end(&s->page);
	}
	page_legend(&s->page);
	for (int i = 0; i < 5; i++) {
		if (parts[i].part.role == ROLE_DIM && parts[i].part.value < 0.0005)
			continue;
		if (parts[i].part.role == ROLE_WAIT)
			overview_waiting_text(s->o, number);
		else
			unit_figure_percent(number, parts[i].part.value);
		snprintf(text, sizeof text, "%c %s %.40s", parts[i].part.letter, parts[i].what, number);
		page_legend_entry(&s->page, parts[i].part.role, text);
	}
	page_legend_end(&s->page);
}

static void spent(struct sheet *s, const char *what, double seconds, bool always)
{
	const struct run_metrics *m = s->run->metrics;
	double share = m->total > 0 ? seconds / m->total : (double)NAN;
	char number[UNIT_TEXT];

	if (!always && !(seconds > 0))
		return;
	page_cell(&s->page, what);
	page_cell(&s->page, unit_figure_time(number, seconds));
	page_share(&s->page, unit_figure_percent(number, share), share);
}

static void account(struct sheet *s)
{
	static const struct column_look columns[] = {{.title = "time of all ranks"}, {.title = "sum", .align = LOOK_RIGHT}, {.title = "of total time", .align = LOOK_RIGHT}};
	const struct run_metrics *m = s->run->metrics;
	const struct account *a = &m->account;
	char text[SHEET_TEXT], named[NOT_ANALYSED_TEXT];

	page_table(&s->page, columns, 3);
	spent(s, "computation", a->by_kind[ACCOUNT_USEFUL], true);
	spent(s, "waiting, late sender", a->by_reason[WAIT_LATE_SENDER], true);
	spent(s, "waiting, late receiver", a->by_reason[WAIT_LATE_RECEIVER], true);
	spent(s, "waiting in collectives", a->by_reason[WAIT_COLLECTIVE], true);
	spent(s, "transfer", account_moving(a), true);
	spent(s, "not analysed", a->not_analysed, false);
	spent(s, "other MPI", account_other_mpi(a), false);
	spent(s, "tracing off", a->by_kind[ACCOUNT_UNTRACED], false);
	spent(s, "tracer", a->by_kind[ACCOUNT_TRACER], false);
	spent(s, "not recorded", s->run->metrics->outside, false);
	page_table_end(&s->page);
	if (!(a->not_analysed > 0))
		return;
	snprintf(text, sizeof text, "The waiting shown is a lower bound: calls that are not analysed may have waited, too (%s).",
		 not_analysed_text(&m->not_analysed, m->total, named));
	page_sentence(&s->page, text);
}

/* ---- factors ---- */

static void factor(struct sheet *s, int depth, const char *name, double v, const char *meaning)
{
	char number[UNIT_TEXT], text[64];

	snprintf(text, sizeof text, "%s%s", depth == 0 ? "" : depth == 1 ? "\xe2\x80\x93\xc2\xa0" : "\xe2\x80\x93\xc2\xa0\xe2\x80\x93\xc2\xa0", name);
	page_cell(&s->page, text);
	unit_figure_percent(number, v);
	if (v < s->report->metrics->bar)
		page_poor(&s->page, number);
	else
		page_cell(&s->page, number);
	page_cell(&s->page, meaning);
}

static void factors(struct sheet *s)
{
	static const struct column_look columns[] = {{.title = "factor"}, {.title = "value", .align = LOOK_RIGHT}, {.title = "meaning", .align = LOOK_WORDS}};
	const struct run_metrics *m = s->run->metrics;
	const struct factors *f = &m->factors;
	char ideal[UNIT_TEXT], text[SHEET_TEXT];

	page_part(&s->page, "Efficiency factors");
	page_table(&s->page, columns, 3);
	factor(s, 0, "parallel efficiency", f->parallel_efficiency, "mean computation / run time = load balance x communication");
	factor(s, 1, "load balance", f->load_balance, "mean computation / largest computation of a rank");
	if (m->nodes > 1) {
		factor(s, 2, "between nodes", m->load_balance_nodes, "the same for nodes");
		factor(s, 2, "inside nodes", m->load_balance_inside, "load balance / load balance between nodes");
	}
	factor(s, 1, "communication", f->communication_efficiency, "largest computation of a rank / run time = serialisation x transfer");
	factor(s, 2, "serialisation", f->serialisation_efficiency, "efficiency left after waiting, with an ideal network");
	factor(s, 2, "transfer", f->transfer_efficiency, "efficiency left after data transfer");
	factor(s, 0, "communication balance", f->communication_balance, "mean communication time / largest of a rank");
	page_table_end(&s->page);
	snprintf(text, sizeof text, "Values below the goal of %.6g %% are poor. The run time on an ideal network is %s.",
		 s->report->metrics->bar * 100, isnan(m->ideal_runtime) ? "unknown" : unit_figure_time(ideal, m->ideal_runtime));
	page_sentence(&s->page, text);
}

/* ---- the diagnosis ---- */

static void diagnosis_answers(struct sheet *s)
{
	static const struct column_look columns[] = {{.title = "topic"}, {.title = "verdict"}, {.title = "finding", .align = LOOK_WORDS}};
	const struct metrics_report *r = s->report->metrics;
	const struct diagnosis_settings asked = {
		.kind = r->scaling, .serial = r->serial, .bar = r->bar, .before = r->before ? r->before->metrics : NULL,
		.before_file = r->before ? r->before->file : NULL,
	};
	struct out answer;

	if (!r->diagnosis)
		return;
	page_part(&s->page, "Diagnosis");
	out_init(&answer);
	page_table(&s->page, columns, 3);
	for (int i = 0; i < DIAGNOSIS_QUESTIONS; i++) {
		const char *verdict = diagnosis_verdict(r->diagnosis, i);
		bool poor = !strcmp(verdict, "poor") || !strcmp(verdict, "worse");

		page_cell(&s->page, diagnosis_topic(i));
		(poor ? page_poor : page_cell)(&s->page, verdict);
		answer.len = 0;
		diagnosis_answer(r->diagnosis, &asked, s->run->file, i, ". ", &answer);
		page_cell(&s->page, answer.text ? answer.text : "");
	}
	page_table_end(&s->page);
	s->page.out->failed |= answer.failed;
	out_release(&answer);
}

void section_account(struct sheet *s)
{
	char text[SHEET_TEXT];

	page_section(&s->page, "time", "Where the time went");
	if (!s->run || !s->o->has_account) {
		snprintf(text, sizeof text, "Unknown: %s.", s->o->without ? s->o->without : "the metrics were not computed");
		page_absent(&s->page, text);
	} else {
		account_draw_bar(s);
		account(s);
		factors(s);
	}
	if (s->run)
		diagnosis_answers(s);
}

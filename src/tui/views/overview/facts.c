/* The facts about the run that are known so far, and why others are not. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "overview_int.h"
#include "tui/jobs/background.h"

void overview_forget(struct overview_view *s)
{
	analysis_unref(s->analysis);
	made_unref(s->structure);
	made_unref(s->run);
	made_unref(s->phases);
	made_unref(s->plan);
	s->analysis = NULL;
	s->structure = NULL;
	s->run = NULL;
	s->phases = NULL;
	s->plan = NULL;
	s->known = false;
}

static bool pattern_times_text(const struct overview_view *s, char text[OVERVIEW_TEXT])
{
	struct out shares;

	out_init(&shares);
	phase_names_shares_text(s->read->names, SHARES_SHORT, &shares);
	snprintf(text, OVERVIEW_TEXT, "%s", shares.text && !shares.failed ? shares.text : "");
	out_release(&shares);
	return text[0];
}

static void overview_hold_results(struct overview_view *s)
{
	const struct model *m = s->view.model;

	overview_forget(s);
	s->analysis = m->analysis && m->analysis->phases ? analysis_ref(m->analysis) : NULL;
	s->structure = made_ref(program_structure_now(m));
	s->run = made_ref(spent_run(m));
	s->phases = made_ref(spent_phases(m));
	s->plan = made_ref(run_plan_now(m));
}

static bool overview_same_results(const struct overview_of *a, const struct overview_of *b)
{
	return a->trace == b->trace && a->analysis == b->analysis && a->structure == b->structure && a->spending == b->spending &&
	       a->plan == b->plan && a->measured == b->measured;
}

bool overview_take(struct overview_view *s)
{
	struct model *m = s->view.model;
	struct overview_parts parts;
	struct overview_of now;

	spending_update(m);
	program_structure_update(m);
	if (m->analysis && !m->analysis->windows)
		run_plan_update(m);
	now = (struct overview_of){m->trace, m->serial, m->structure.serial, spending_serial(m), m->plan.serial, m->measure.occurrences};
	if (!m->trace || (s->known && overview_same_results(&now, &s->of)))
		return false;
	s->of = now;
	overview_hold_results(s);
	overview_reading_take(s);
	parts = (struct overview_parts){
		.trace = m->trace, .analysis = s->analysis, .structure = s->structure ? s->structure->structure : NULL,
		.phases = s->phases ? &s->phases->rows : NULL, .causes = s->phases ? s->phases->causes : NULL,
		.measure = s->analysis ? &m->measure : NULL, .plan = s->plan && s->analysis && !s->analysis->windows ? s->plan->plan : NULL,
	};
	if (s->run) {
		parts.metrics = s->run->metrics;
		parts.processes = &s->run->processes;
		parts.states = &s->run->states;
		parts.pairs = s->run->pairs;
		parts.heaviest = &s->run->heaviest;
	}
	overview_init(&s->facts, &parts);
	s->known = true;
	overview_orders_make(s);
	return true;
}

/* --- what is not known --- */

enum part { FROM_TRACE, FROM_RUN, FROM_NAMES, FROM_ANALYSIS, FROM_STRUCTURE, FROM_PLAN };

static enum part source_of(const struct overview_view *s, enum overview_line line)
{
	switch (line) {
	case PAGE_TIME:
	case PAGE_EFFICIENCY:
	case PAGE_LOST:
	case PAGE_SLOWEST:
	case PAGE_HEAVIEST:
	case PAGE_ROUTINE:
	case PAGE_PROCESS: return FROM_RUN;
	case PAGE_PATTERNS: return FROM_NAMES;
	case PAGE_STRUCTURE: return overview_reads(s) ? FROM_NAMES : FROM_STRUCTURE;
	case PAGE_ITERATION: return FROM_STRUCTURE;
	case PAGE_PHASES:
	case PAGE_PHASE:
	case PAGE_NEXT: return FROM_ANALYSIS;
	case PAGE_SIGNATURE: return s->analysis && s->analysis->windows ? FROM_ANALYSIS : FROM_PLAN;
	default: return FROM_TRACE;
	}
}

static const char *working(struct background_state state, char text[OVERVIEW_TEXT])
{
	if (state.busy && state.total)
		snprintf(text, OVERVIEW_TEXT, "computing: %s %d %%", progress_stage_name(state.stage), (int)(100 * state.done / state.total));
	else
		snprintf(text, OVERVIEW_TEXT, "computing");
	return text;
}

/* The sentence as a clause. */
static const char *failure_as_clause(const struct model *m, const char *failure, char text[OVERVIEW_TEXT])
{
	size_t n = strcspn(failure, "\n"); /* without a hint */
	char key[16];

	if (n && failure[n - 1] == '.')
		n--;
	snprintf(text, OVERVIEW_TEXT, "unknown: %c%.*s; %s tries again", tolower((unsigned char)failure[0]), n ? (int)(n < 400 ? n : 400) - 1 : 0,
		 n ? failure + 1 : "", keymap_first(m->keymap, ACTION_ENTER, key));
	return text;
}

/* The part that the line is of is there: what it says of itself. */
static const char *absent(const struct overview_view *s, enum overview_line line, char text[OVERVIEW_TEXT])
{
	const struct overview *o = &s->facts;
	const char *why = NULL;

	switch (line) {
	case PAGE_TIME:
	case PAGE_EFFICIENCY:
	case PAGE_LOST: why = o->has_account ? NULL : o->without; break;
	case PAGE_SLOWEST: why = !o->has_account ? o->without : o->slowest == NO_PROCESS ? "only one process" : NULL; break;
	case PAGE_HEAVIEST: why = o->of.metrics && o->of.metrics->unknown_sizes ? NULL : o->heavy_from == NO_PROCESS ? "no messages" : !o->heavy_bytes ? "messages have no bytes" : NULL; break;
	case PAGE_PATTERNS: why = pattern_times_text(s, text) ? NULL : "unknown: the trace has no sends and no collectives, or no times"; break;
	case PAGE_STRUCTURE: why = overview_reads(s) || s->structure->word_count ? NULL : "no phases: nothing is repeated"; break;
	case PAGE_PHASES: why = o->phases ? NULL : "none: the trace has no sends and no collectives"; break;
	case PAGE_ITERATION: why = o->iterations ? NULL : "no main loop"; break;
	case PAGE_SIGNATURE: why = o->signature ? NULL : o->no_signature[0] ? o->no_signature : "nothing to measure"; break;
	default: break;
	}
	if (!why)
		return NULL;
	snprintf(text, OVERVIEW_TEXT, "%s", why);
	return text;
}

bool overview_is_there(const struct overview_view *s, enum overview_line line)
{
	if (!s->view.model->trace || !s->known)
		return false;
	switch (source_of(s, line)) {
	case FROM_RUN: return s->run != NULL;
	case FROM_NAMES: return s->read != NULL;
	case FROM_ANALYSIS: return s->analysis != NULL;
	case FROM_STRUCTURE: return s->structure != NULL;
	case FROM_PLAN: return s->plan != NULL;
	case FROM_TRACE: break;
	}
	return true;
}

const char *overview_why_not(const struct overview_view *s, enum overview_line line, char text[OVERVIEW_TEXT])
{
	const struct model *m = s->view.model;

	if (!m->trace || !s->known) {
		snprintf(text, OVERVIEW_TEXT, "reading");
		return text;
	}
	if (overview_is_there(s, line))
		return absent(s, line, text);
	switch (source_of(s, line)) {
	case FROM_RUN: return spending_failure(m)[0] ? failure_as_clause(m, spending_failure(m), text) : working(derived_state(&m->spending.run), text);
	case FROM_STRUCTURE: return m->structure.failure[0] ? failure_as_clause(m, m->structure.failure, text) : working(derived_state(&m->structure), text);
	case FROM_PLAN: return m->plan.failure[0] ? failure_as_clause(m, m->plan.failure, text) : working(derived_state(&m->plan), text);
	default:
		snprintf(text, OVERVIEW_TEXT, m->busy ? "computing" : "unknown: stopped");
		return text;
	}
}

bool overview_is_old(const struct overview_view *s, enum overview_line line)
{
	const struct model *m = s->view.model;

	switch (source_of(s, line)) {
	case FROM_NAMES:
		if (!s->read || !m->analysis)
			return false;
		return line == PAGE_STRUCTURE ? s->read->patterns != m->analysis->patterns :
		       !analysis_same_phases(s->read, m->analysis) || !settings_equal(&m->analysis->settings, &m->settings);
	case FROM_STRUCTURE: return s->structure && !program_structure(m);
	case FROM_PLAN: return s->plan && !run_plan_current(m);
	case FROM_ANALYSIS: return s->analysis && !settings_equal(&m->analysis->settings, &m->settings);
	default: return false;
	}
}

/* --- what is --- */

enum action overview_step_action(enum overview_step step)
{
	switch (step) {
	case OVERVIEW_NEXT_CHECK: return ACTION_SUMMARY;
	case OVERVIEW_NEXT_WAITS:
	case OVERVIEW_NEXT_BALANCE:
	case OVERVIEW_NEXT_TRANSFER:
	case OVERVIEW_NEXT_OTHER: return ACTION_METRICS;
	case OVERVIEW_NEXT_COVERAGE: return ACTION_TUNE;
	case OVERVIEW_NEXT_PHASES: return ACTION_PHASES;
	case OVERVIEW_NEXT_PLAN: return ACTION_PLAN;
	case OVERVIEW_NEXT_SIGN: return ACTION_EXPORT;
	default: return ACTION_HELP;
	}
}

static void warnings_text(const struct overview *o, char text[OVERVIEW_TEXT])
{
	const struct trace *t = o->of.trace;
	char n[UNIT_TEXT];
	size_t len;

	overview_warnings_text(o, text);
	if (o->crowded.crowded) {
		char warned[OVERVIEW_TEXT], crowded[CROWDED_TEXT];

		snprintf(warned, sizeof warned, "%s", text);
		snprintf(text, OVERVIEW_TEXT, "%s%s%.*s", crowded_nodes_text(&o->crowded, crowded), *warned ? "; " : "",
			 OVERVIEW_TEXT - CROWDED_TEXT - 4, warned);
	}
	if (!text[0])
		snprintf(text, OVERVIEW_TEXT, "none");
	for (int k = 0; k < NOTE_KIND_COUNT; k++) {
		if (!t->notes.count[k] || note_level((enum note_kind)k) == NOTE_REMARK || k == NOTE_CLOCKS_APART)
			continue;
		len = strlen(text);
		snprintf(text + len, OVERVIEW_TEXT - len, " · %s × %s", unit_count(n, t->notes.count[k]), note_name((enum note_kind)k));
	}
}

void overview_line_text(const struct overview_view *s, enum overview_line line, char text[OVERVIEW_TEXT])
{
	const struct overview *o = &s->facts;

	text[0] = 0;
	switch (line) {
	case PAGE_PATTERNS: pattern_times_text(s, text); break;
	case PAGE_EFFICIENCY: overview_efficiency_text(o, text); break;
	case PAGE_PHASES: overview_prediction_text(o, text); break;
	case PAGE_ITERATION: overview_iteration_text(o, text); break;
	case PAGE_LOST: overview_lost_text(o, text); break;
	case PAGE_SLOWEST: overview_slowest_text(o, text); break;
	case PAGE_HEAVIEST: overview_heaviest_text(o, text); break;
	case PAGE_SIGNATURE: overview_signature_text(o, text); break;
	case PAGE_WARNINGS: warnings_text(o, text); break;
	default: break;
	}
	unit_signs(text, OVERVIEW_TEXT);
}

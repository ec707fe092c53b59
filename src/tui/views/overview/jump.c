/* From an item of the page to the view that shows more of it. */
#include <stdio.h>

#include "core/metrics/waits/waited_pairs.h"
#include "overview_int.h"
#include "tui/model/describe.h"

static unsigned to_metrics(struct overview_view *s, enum wanted_metrics what)
{
	s->view.model->wanted.metrics = what;
	return react_show(VIEW_METRICS);
}

static unsigned to_summary(struct overview_view *s, enum wanted_summary what)
{
	s->view.model->wanted.summary = what;
	return react_show(VIEW_SUMMARY);
}

static unsigned to_phase(struct overview_view *s, uint32_t phase)
{
	s->view.model->wanted.phase = phase;
	return react_show(VIEW_PHASES);
}

static unsigned overview_say(struct overview_view *s, const char *what)
{
	snprintf(s->view.model->message, sizeof s->view.model->message, "%s", what);
	return REACT_DONE;
}

/* The longest single wait of the pair that lost most: in the timeline, at the call that waited. */
static unsigned to_longest_wait(struct overview_view *s)
{
	const struct waited_pair *pair = s->facts.longest;
	const struct call_log *log = s->run->log;
	const struct waits *w = s->run->metrics->waits;
	struct model *m = s->view.model;
	uint32_t best = NO_LOGGED_CALL, best_list = 0;
	struct trace_place at;
	char a[UNIT_TEXT];

	for (uint32_t l = log->list_first[pair->process]; l < log->list_first[pair->process + 1]; l++)
		for (uint32_t c = log->lists[l].first; c < log->lists[l].end; c++) {
			uint32_t other;

			if (!(w->sync[c] > (best == NO_LOGGED_CALL ? 0 : w->sync[best])))
				continue;
			other = waits_for(w, c);
			if (other != NO_LOGGED_CALL && log->lists[call_log_list_of(log, other)].process == pair->other) {
				best = c;
				best_list = l;
			}
		}
	if (best == NO_LOGGED_CALL || !model_ticks(m))
		return to_metrics(s, WANTED_WAITS);
	at = wait_place_of(m, best_list, best);
	model_goto(m, at.process, at.tick);
	snprintf(m->message, sizeof m->message, "Longest wait of %s for %s: %s; ! goes to its cause.", unit_rank((char[UNIT_TEXT]){""}, pair->process),
		 unit_rank((char[UNIT_TEXT]){""}, pair->other), unit_time(a, w->sync[best]));
	return REACT_JUMPED | react_show(VIEW_TIMELINE);
}

static unsigned to_iteration(struct overview_view *s)
{
	struct model *m = s->view.model;
	uint32_t first, end;
	char n[UNIT_TEXT], a[UNIT_TEXT];

	if (!program_structure_iteration(m, s->iteration, &first, &end))
		return overview_say(s, "Still looking for iterations; try again in a moment.");
	model_goto(m, m->cursor.process, first);
	snprintf(m->message, sizeof m->message, "Iteration %s: ticks %u to %u, %s.", unit_count(n, s->iteration + 1ull), (unsigned)first,
		 (unsigned)end - 1, unit_time(a, program_structure(m)->main.seconds[s->iteration]));
	return REACT_JUMPED | react_show(VIEW_GRID);
}

static unsigned to_step(struct overview_view *s)
{
	switch (s->step < s->facts.next_count ? s->facts.next[s->step] : OVERVIEW_NEXT_NONE) {
	case OVERVIEW_NEXT_CHECK: return to_summary(s, WANTED_NOTES);
	case OVERVIEW_NEXT_WAITS: return to_metrics(s, WANTED_WAITS);
	case OVERVIEW_NEXT_BALANCE: return to_metrics(s, WANTED_BALANCE);
	case OVERVIEW_NEXT_TRANSFER: return to_metrics(s, WANTED_TRANSFER);
	case OVERVIEW_NEXT_OTHER: return to_metrics(s, WANTED_OTHER);
	case OVERVIEW_NEXT_COVERAGE: return react_show(VIEW_TUNE);
	case OVERVIEW_NEXT_PHASES: return react_show(VIEW_PHASES);
	case OVERVIEW_NEXT_PLAN: return react_show(VIEW_PLAN);
	case OVERVIEW_NEXT_SIGN: return s->analysis->windows ? react_show(VIEW_TABLE) : react_show(VIEW_PLAN);
	default: return react_show(VIEW_HELP);
	}
}

static unsigned to_process(struct overview_view *s, uint32_t process)
{
	model_goto(s->view.model, process, s->view.model->cursor.tick);
	return REACT_JUMPED | react_show(VIEW_GRID);
}

/* Why there is nowhere to go from a line yet, or at all. */
static unsigned say_why_not(struct overview_view *s, enum overview_line line, const char *why)
{
	struct model *m = s->view.model;

	snprintf(m->message, sizeof m->message, overview_is_there(s, line) ? "No details: %s." : "No details yet: %s.", why);
	return REACT_DONE;
}

unsigned overview_go(struct overview_view *s)
{
	const struct overview_item *i = overview_here(s);
	char text[OVERVIEW_TEXT];

	if (!i)
		return REACT_DONE;
	if (i->line < PAGE_LINES && i->line != PAGE_SIGNATURE && i->line != PAGE_PATTERNS && overview_why_not(s, i->line, text))
		return say_why_not(s, i->line, text);
	switch (i->line) {
	case PAGE_TIME:
	case PAGE_EFFICIENCY: return to_metrics(s, WANTED_FACTORS);
	case PAGE_STRUCTURE: return overview_fold(s) ? REACT_DONE : overview_reads(s) ? overview_to_pattern(s, overview_word_here(s)) : to_phase(s, overview_word_phase(s));
	case PAGE_PATTERNS:
	case PAGE_PHASES: return react_show(VIEW_PHASES);
	case PAGE_ITERATION: return to_iteration(s);
	case PAGE_LOST: return s->facts.longest ? to_longest_wait(s) : to_metrics(s, WANTED_FACTORS);
	case PAGE_SLOWEST: return to_metrics(s, WANTED_BALANCE);
	case PAGE_HEAVIEST: return to_summary(s, WANTED_MATRIX);
	case PAGE_SIGNATURE: return react_show(VIEW_PLAN);
	case PAGE_WARNINGS: return to_summary(s, WANTED_NOTES);
	case PAGE_NEXT: return to_step(s);
	case PAGE_PHASE: return to_phase(s, i->index);
	case PAGE_ROUTINE: return to_metrics(s, WANTED_TRANSFER);
	case PAGE_PROCESS: return to_process(s, i->index);
	default: return REACT_DONE;
	}
}

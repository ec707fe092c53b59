/* The model: what all views look at and share. Owned by the application; views read it, and move the cursor. */
#ifndef PAS2P_TUI_MODEL_MODEL_H
#define PAS2P_TUI_MODEL_MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/method/analysis/analysis.h"
#include "core/method/windows/planner.h"
#include "tui/jobs/derived.h"
#include "core/compare/diff/diff.h"
#include "core/clocks/arrows.h"
#include "core/method/windows/structure.h"
#include "core/metrics/maps/maps.h"
#include "core/metrics/rows/metrics_rows.h"
#include "core/metrics/maps/traffic.h"
#include "core/reports/reports.h"
#include "core/metrics/replay/project.h"
#include "core/documents/result.h"
#include "core/trace/trace.h"
#include "core/settings/settings.h"
#include "core/documents/table.h"
#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"
#include "tui/jobs/jobs.h"
#include "core/base/progress.h"
#include "core/models/machine/machine.h"
#include "core/models/fit/measurements.h"
#include "core/models/graph/program_model.h"
#include "core/base/err.h"
#include "core/formats/trace_folder.h"

/* ---- run_plan ---- */

/* The plan of windows (core/method/windows/planner.h) that views share: what a signature of the shown run would cost
 * within the model's budget. It is a derived result (tui/jobs/derived.h), `m->plan`, of the analysis and the budget;
 * the settings that it chooses do not change it.
 */

struct model;

struct run_plan {
	struct made made;
	const struct analysis *analysis; /* a reference */
	struct plan_budget budget;
	struct plan *plan;
};

void run_plan_update(struct model *m);
struct run_plan *run_plan_now(const struct model *m);     /* the latest; NULL: being made, or there is a failure */
struct run_plan *run_plan_current(const struct model *m); /* if it is of what is analysed now; otherwise NULL */

/* ---- run_pair ---- */

/* The open run and another one as a pair, made in the background (docs/internals/compare-rules.md, "Logical
 * difference", "Corresponding phases" and "Waterfall"): where they differ, tick by tick, which phases correspond, and
 * the effect on the run time.
 *
 *     run_pair_update(m);      in the update of a view that shows some of it: asks for it, takes what has come
 *     m->pair.first            the verdict and the first difference; NULL: not there yet
 *     m->pair.first->align     ticks beside one another; NULL: not there yet, or the runs differ in processes
 *     m->pair.phases           groups and waterfall; NULL: not there yet
 *
 * Which run the other one is, the runs say (run_list.h, `beside`). Its trace is read once, and analysed by the
 * settings of the open one. Phases follow every setting, ticks only those that change the logical traces. Each is a
 * derived result (tui/jobs/derived.h); the older stays until the newer one is there. Side 0 is on the left: the open
 * run, unless swapped.
 */

struct pair_ticks {
	struct made made;
	struct pair_ticks *of;           /* with align: the same without, a reference, whose the next three are; NULL: they are its own */
	struct pair_trace *other;        /* a reference, as are the analyses */
	const struct analysis *side[2];
	struct run_diff *diff;
	enum diff_verdict verdict;
	struct diff_first first;
	struct diff_align *align;
	uint32_t *hunks, hunk_count;     /* their first rows; with align */
	uint64_t changes[4];             /* cells, by enum diff_change; with align */
	uint32_t beyond;                 /* processes whose edits are not known, and not in changes; with align */
};

struct pair_phases {
	struct made made;
	struct pair_trace *other;        /* a reference, as are the analyses */
	const struct analysis *open, *second;
	const struct analysis *previous; /* of the other run, or NULL */
	bool swapped;
	struct run_phases *side[2];
	struct phase_match *match;
	struct waterfall *waterfall;     /* NULL: a run time is not known */
};

struct run_pair {
	bool show;                 /* a view that has something else in front, too, should show the runs */
	bool swapped;
	uint32_t with;             /* id of the other run; 0: there is none */
	struct derived reading, matching, comparing, aligning; /* each is made of what the one before made */
	const struct pair_phases *phases;
	const struct pair_ticks *first;
	uint64_t serial;           /* grows with everything that comes */
	bool stopped;              /* until it is asked for again, whatever knobs say */
};

void run_pair_update(struct model *m);
const char *run_pair_failure(const struct run_pair *p); /* "": none */
/* Esc; false: there was nothing to stop. And what was stopped or has failed, again; what failed also tries again when a
 * knob moves. */
bool run_pair_stop(struct run_pair *p);
void run_pair_again(struct run_pair *p);
/* What is being done, and how far it is: 0 to 1, NAN where that is not known. NULL: nothing. */
const char *run_pair_doing(const struct run_pair *p, double *part);
void run_pair_release(struct run_pair *p);

/* Analyses by side; NULL: not there yet. */
const struct analysis *run_pair_side(const struct run_pair *p, int side);

/* ---- run_clocks ---- */

/* The run's clocks as views share them: the report of `pas2p clocks` (core/clocks/report.h) and the arrows that
 * go back, for the view of clocks and the timeline. A derived result (tui/jobs/derived.h), `m->clocks`, made once a
 * trace: of the times as they were recorded, whichever are shown.
 */

void run_clocks_update(struct model *m);
/* Both NULL: being made, or there is a failure. */
const struct clock_report *run_clocks_report(const struct model *m);
const struct clock_arrows *run_clocks_arrows(const struct model *m);

/* ---- program_structure ---- */

/* The program's structure (core/method/windows/structure.h), as all views share it: its loops, folded out of the
 * phases of the analysis that is shown, and the iterations of its main loop. A derived result (tui/jobs/derived.h),
 * `m->structure`, made again when the phases move; its own analysis says which phases it is of. Occurrences and
 * iterations are counted from 0.
 */

struct program_structure {
	struct made made;
	const struct analysis *analysis;  /* a reference: its phases are the structure's */
	struct structure *structure;
	struct structure_word *words;     /* all of them, however deep */
	uint32_t word_count;
};

void program_structure_update(struct model *m);
/* The latest; NULL: being made, or there is a failure. */
struct program_structure *program_structure_now(const struct model *m);
/* The structure of the phases that are shown; NULL: not there (yet). */
const struct structure *program_structure(const struct model *m);

/* The tick at which an iteration of the main loop begins, and the one after its last; false: there is none, or not of
 * what is shown. */
bool program_structure_iteration(const struct model *m, uint32_t iteration, uint32_t *first, uint32_t *end);

/* ---- spending ---- */

/* The time that the run spent, shared by all views: its calls, which ranks waited for which, the simulation on an ideal
 * network and its metrics (once for the trace), and the part of each phase (for an analysis, again when a threshold
 * changes). Two derived results (tui/jobs/derived.h), begun by spending_update(): the first as soon as there is a
 * trace, the second after it and the analysis; again where the trace is another (its times corrected, or as recorded
 * again).
 */

struct waited_pairs;

/* An MPI function, wherever it was called, on account lists. */
struct spent_function {
	const char *name;         /* of the log */
	enum account_kind kind;
	uint64_t calls, bytes;    /* bytes sent in them, of known size */
	double time, sync, not_analysed; /* s; the rest of communication is transfer */
};

struct spent {
	struct made made;
	const struct trace *trace;
	struct session *session;
	const struct call_log *log; /* the session's */
	struct run_metrics *metrics;
	struct process_rows processes;
	struct state_rows states;
	struct waited_pairs *pairs; /* who waited for whom; NULL: there is no account */
	struct call_sums *sums;   /* of any stretch of time */
	struct comm_pair heaviest;  /* who sends most to whom; sent.messages 0: nobody */
	double *critical;         /* by process: s of the critical path; NULL: there is no account */
	struct spent_function *functions; /* by time beyond waiting, the largest first */
	uint32_t function_count;
};

struct spent_phases {
	struct made made;
	struct spent *run;        /* references */
	const struct analysis *analysis;
	struct phase_spans *spans;
	struct phase_rows rows;
	struct causes *causes;    /* NULL: there is no account */
	char *diagnosis;          /* sentences, a line each */
};

struct spending {
	struct derived run, phases;
};

void spending_update(struct model *m);
struct spent *spent_run(const struct model *m);                    /* of the trace that is shown; NULL: being made, or there is a failure */
struct spent_phases *spent_phases(const struct model *m);          /* as above, but perhaps of the phases before a knob moved */
struct spent_phases *spent_phases_current(const struct model *m);  /* of the phases that are shown */
bool spending_busy(const struct model *m);
void spending_cancel(struct model *m);
void spending_again(struct model *m);                /* after a failure */
const char *spending_failure(const struct model *m); /* of the run, or of its phases; "": none */
uint64_t spending_serial(const struct model *m);     /* grows with all that comes */
void spending_forget(struct spending *s);            /* it is of another trace than is shown */

/* s of waiting in a phase, over all processes; NAN: not known (yet). */
double spending_waited(const struct model *m, uint32_t phase);

/* ---- projected ---- */

/* What if: how long the run would take with something changed (core/metrics/replay/project.h), and with nothing
 * changed, which it is compared with. Two derived results (tui/jobs/derived.h) of the phases that the run spent its
 * time in.
 */

struct projected {
	struct what_if change;    /* count 0: nothing is asked */
	char text[256];           /* the same for people */
	struct derived changed, unchanged;
};

struct projected_run {
	struct made made;
	struct spent_phases *of;  /* a reference */
	struct what_if change;
	double runtime;           /* s */
	struct factors factors;   /* serialisation and transfer are not known */
};

/* A change takes the place of what was asked before; none ends it. */
void projected_change(struct model *m, const struct what_if *change);
/* What a text says takes the place of what was asked before; an empty one ends it. ERR_USAGE: as what_if_parse(). */
enum err_code projected_ask(struct model *m, const char *text, struct err *e);
/* After spending_update(): begins it, and again when phases change; takes what has come. */
void projected_update(struct model *m);
/* With the change, and without; both NULL: not known (yet). */
const struct projected_run *projected_changed(const struct model *m);
const struct projected_run *projected_unchanged(const struct model *m);
const char *projected_failure(const struct model *m); /* "": none */

/* ---- results ---- */

/* Results of `pas2p run` beside the trace: measurements of the shown phases, on this machine or another one.
 *
 * A result belongs to a trace by the SHA-256 of its files. Until that is known (it is computed in the background)
 * nothing of a result is shown; one of another trace is dropped.
 *
 * Its phases are those of the table that it was measured by. With other settings the phases on the screen may be
 * others: which of them was measured is told as everywhere (core/documents/result.h). What cannot be told to be
 * the same has no measured time.
 */

#define RESULT_LABEL 80

struct results {
	struct result *list;     /* owned; in the order in which they were opened */
	uint32_t count;
	uint32_t shown;          /* number from 1; 0: none */
	char sha256[65];         /* of the trace; "": not known yet */
	uint64_t serial;         /* grows with all that changes what is shown */
	const struct result_phase **phase; /* what was measured of phase id - 1, NULL: nothing; owned */
	uint32_t phase_count;
	uint32_t found;          /* how many of the measured phases are among those on the screen */
};

void results_release(struct results *r);

/* Takes the result over, and shows it; of one file read twice the later reading stays. ERR_USAGE: it is of another
 * trace (NULL: not loaded yet). */
enum err_code results_add(struct results *r, struct result *result, const struct trace *t, struct err *e);

/* Drop what is not of this trace; its SHA-256 is looked at once it is known. ERR_USAGE says what was dropped, and
 * why. */
enum err_code results_check(struct results *r, const struct trace *t, struct err *e);

void results_clear(struct results *r); /* leave none */
void results_next(struct results *r); /* show the next one, after the last none */

/* Find the measured phases among those of an analysis (NULL: none), after anything has changed. */
void results_match(struct results *r, const struct analysis *a);

/* The one that is shown; NULL: none, or it is not known yet whether it is of this trace. */
const struct result *results_shown(const struct results *r);
const struct result_phase *results_phase(const struct results *r, uint32_t id); /* NULL: not measured */

/* "laptop · replay · 3 runs" */
void results_label(const struct result *r, char label[RESULT_LABEL]);
/* Why some measured phases are not to be seen, as "2 of 3 ..."; "": all are. */
void results_missing(const struct results *r, const struct settings *now, char *text, size_t size);

/* ---- marks ---- */

/* Marks: places of the logical trace under a letter. One on an event stays on it while the order changes. */

#define MARKS 52 /* a-z, A-Z */

struct trace_place;

struct mark {
	bool set;
	uint32_t process, tick;
	uint32_t number;  /* of the event there among its process's, from 1; 0: there was none */
	int collectives;  /* the setting under which it is that number */
};

int mark_index(uint32_t letter);    /* -1: no letter for a mark */
uint32_t mark_letter(int index);
void mark_here(struct model *m, struct mark *mark);
struct trace_place mark_place(const struct model *m, const struct mark *mark);

/* ---- model ---- */

/* What a view wants the next one to put its cursor on. */
enum wanted_metrics { WANTED_NO_METRICS, WANTED_FACTORS, WANTED_WAITS, WANTED_BALANCE, WANTED_TRANSFER, WANTED_OTHER };
enum wanted_summary { WANTED_NO_SUMMARY, WANTED_MATRIX, WANTED_NOTES };

/* A place in the logical trace. */
struct trace_place {
	uint32_t process, tick;
};

struct phase_look;
struct background;
struct session;
struct runs;
struct models;
struct open_study;
struct picker;

#define PHASE_MARKS 52

struct model {
	const struct trace *recorded;    /* with the times in its files; NULL while it is being loaded */
	const struct trace *trace;       /* that, or the same with corrected times: what is shown;
					  * NULL until it is known. Events have the same numbers in both */
	const struct analysis *analysis; /* what is shown; NULL before the first */
	uint64_t serial;                 /* grows with each new analysis: for caches */
	struct settings settings;        /* as wanted; the analysis may lag behind */
	bool busy;                       /* the worker is */
	struct event_counts *event_counts;       /* of the analysis's logical trace, or NULL, or an old one's; owned */
	struct phase_look *looks;        /* by id - 1; owned; NULL: no memory */
	uint32_t ranked[PHASE_MARKS];    /* ids by rank */
	struct trace_place cursor;
	struct mark marks[MARKS];
	struct trace_place window_first, window_last; /* what the grid shows, for the run strip */
	struct session *session;         /* whose the traces and their call logs are; until background_stop() */
	struct background *background;   /* for views that need costly things; the application's */
	struct {
		int result, hash, measure, correct, curve, run;
	} slots;                         /* of its tasks that answer once; otherwise derived.h */
	struct {
		bool asked, blocks;
		uint32_t id;
	} compare;                       /* set by lists: what the comparison should show */
	struct {
		uint32_t phase;          /* in the list of phases; 0: none */
		enum wanted_metrics metrics;
		enum wanted_summary summary;
		const struct clock_arrow *arrow; /* in the timeline; NULL: none */
	} wanted;                        /* set by a view that shows another, which takes it */
	struct plan_budget budget;       /* of plans, as asked for; 0: nothing was: model_budget() */
	struct settings planned;         /* a design that was taken from the plan, or thresholds from the tuning */
	struct results results;          /* measured elsewhere, beside the trace */
	struct runs *runs;               /* the open trace's and others; the application's */
	struct models *models;           /* programs as models, and fits; the application's */
	struct open_study *study;        /* many runs as functions of their parameters; the application's */
	struct picker *picker;           /* traces that could be opened; the application's */
	struct spending spending;        /* where its time went */
	struct projected projected;      /* and how long it would take, if */
	struct derived structure;        /* the program's loops */
	struct derived plan;             /* what a signature would cost */
	struct derived clocks;           /* how far they are apart, and what goes back */
	struct run_pair pair;            /* the open run beside another one */
	const char *program;             /* pas2p itself; the application's; NULL: it cannot be run from here */
	struct {
		bool known;
		uint32_t from;           /* the waiting call */
		struct trace_place at;         /* what it waited for */
	} followed;                      /* by wait_follow(), which goes on to the root from there */
	const struct keymap *keymap;
	unsigned help_scope;             /* whose keys the help puts first */
	bool help_words;                 /* and it is to show the words */
	const char *table;               /* text of the phase table, NULL: being made */
	size_t table_size;
	struct table_measure measure;    /* of the analysis: what a signature would measure */
	char message[512];               /* set by a view to tell something; shown until the next key */
};

/* Shorthands; 0 or NULL before there is an analysis. */
static inline const struct logical *model_logical(const struct model *m)
{
	return m->analysis ? m->analysis->logical : NULL;
}

static inline uint32_t model_ticks(const struct model *m)
{
	return m->analysis ? m->analysis->logical->tick_count : 0;
}

static inline uint32_t model_processes(const struct model *m)
{
	return m->trace ? m->trace->process_count : 0;
}

/* NULL: not known (yet), or there is no such phase. */
static inline const struct phase_name *phase_name_of(const struct analysis *a, uint32_t id)
{
	return a && a->names && id && id <= a->names->count ? &a->names->list[id - 1] : NULL;
}

/* As asked for; otherwise restoring takes what it took in the result that is shown. */
struct plan_budget model_budget(const struct model *m);

/* The event under the cursor, NO_EVENT if there is none. Index into logical->trace. */
uint32_t model_event(const struct model *m);
void model_goto(struct model *m, uint32_t process, uint32_t tick); /* clamped */

/* Take a new analysis (with its reference; the old one's is dropped). The cursor stays on its event. */
void model_set_analysis(struct model *m, const struct analysis *a);

/* The tick where occurrence i ends for the eye: where the next one begins, for between them lie only its receives. */
static inline uint32_t occurrence_end(const struct phases *p, uint32_t i, uint32_t ticks)
{
	return i + 1 < p->occurrence_count ? p->occurrences[i + 1].first : ticks;
}

/* How phases are drawn in every trace: those with the largest share have letters, A to Z and then a to z, and all
 * others a dot; the first PHASE_ROLES have colours. Letters are used if there is only one column, as in the run strip;
 * the name of a phase is its number. */
struct phase_look {
	uint32_t rank; /* by share, from 0 */
	uint32_t mark; /* the character if there is one column */
	enum role role;
};
struct phase_look phase_look(const struct model *m, uint32_t id); /* id from 1, of the analysis shown */
struct phase_look phase_look_of_rank(uint32_t rank);

void model_release(struct model *m);

/* ---- event_facts ---- */

/* An event of the analysed trace and its context: its peer, its size, how late it is. For views that show places in
 * time: as a line, and in full as facts.
 *
 * A message is late by what the call that sent it began behind the call that received it: the receiver was ready
 * before. A member of a collective came so much before the last one (docs/reference/metrics.md, "Waiting" has the
 * waiting that comes of both). Both need the run's calls: while those are being read (spending) they are not known.
 */

/* s; more than 0: the message was sent late, or the collective's last member came so long after this one. NAN: not
 * known, or there is no other end. *last (may be NULL): of a collective, the event of the member that came last.
 * O(members). */
double event_lateness(const struct model *m, uint32_t event, uint32_t *last);

/* "sent 12.1 µs early", "came 3.1 ms before rank 2, the last"; "": not known. */
void event_late_text(const struct model *m, uint32_t event, char *text, size_t size);

/* "#17 send to rank 1 · 40 B · tag 7" */
void event_brief(const struct model *m, uint32_t event, char *text, size_t size);

#define EVENT_FACTS 12

struct event_fact {
	const char *name;
	char text[128];
};

/* One fact a line, the most telling first; returns how many, EVENT_FACTS at most. */
int event_facts(const struct model *m, uint32_t event, struct event_fact facts[EVENT_FACTS]);

/* ---- models_files ---- */

/* The content of the view of models: a program's model with its machine, and measurements. Neither changes once it is
 * open, so that background work shares them by reference.
 */

/* A model (a file of functions alone has no program) and a machine; either may be missing. */
struct models_program {
	atomic_uint refs;
	char *path, *machine_path;   /* as given; NULL: there is none */
	struct program_model model;  /* its parameters are followed by a probability for each branch that has a number for it */
	struct machine machine;
	uint32_t parameters;         /* of the model itself, before the probabilities */
};

/* ERR_IO, ERR_FORMAT: as model_read() and machine_read(). */
enum err_code models_program_open(struct models_program **out, const char *path, const char *machine_path,
				  struct err *e);
struct models_program *models_program_ref(struct models_program *p); /* NULL is fine, here and below */
void models_program_unref(struct models_program *p);

struct models_measured {
	atomic_uint refs;
	char *path;
	struct measurements measurements;
	struct measured_sets sets;
};

enum err_code models_measured_open(struct models_measured **out, const char *path, const struct progress *progress,
				   struct err *e);
struct models_measured *models_measured_ref(struct models_measured *m);
void models_measured_unref(struct models_measured *m);

/* ---- picker ---- */

/* Traces that can be opened: those that were opened recently, then those of a folder. Both are derived results
 * (tui/jobs/derived.h), once a view has asked for them.
 *
 *     picker_init(&p);
 *     picker_go(&p, "runs", NULL);   another folder; what was found of the one before is gone
 *     picker_ask(m);                 on the drawing thread: look for them, again
 *     picker_work(m);                whenever there may be news
 *     picker_leave(&p);              the background is going to be stopped
 *     picker_row(&p, i)              those opened recently, then the folders, then the folder's traces
 */

struct picker {
	char *folder;              /* owned; as it was named, "." where nobody did */
	const char *full;          /* its whole path, once it is known; NULL: it is not */
	char *came_from;           /* owned; the path in it to have the cursor on; NULL: none */
	char *recent_file;         /* owned; NULL: nothing is remembered */
	struct derived look, look_recent;
	const struct trace_folder *here, *recent; /* the latest that came */
	bool wanted;               /* somebody looks */
	bool alone;                /* the workbench began with it: whatever cannot be opened leads back to it */
	bool known;                /* the folder has been read, or cannot be: look.failure says why */
	uint64_t serial;           /* grows with every change */
};

void picker_init(struct picker *p);
void picker_release(struct picker *p);

/* ERR_MEMORY: the folder stays the same. */
enum err_code picker_go(struct picker *p, const char *folder, struct err *e);
/* To the folder above, with the cursor on the one that was left. False: there is none. */
bool picker_go_up(struct picker *p);

void picker_ask(struct model *m);
void picker_work(struct model *m);
void picker_leave(struct picker *p);

uint32_t picker_rows(const struct picker *p);
const struct found_run *picker_row(const struct picker *p, uint32_t row);

/* ---- recent ---- */

/* The traces that were opened recently, remembered between visits in a file of the workbench's own:
 *
 *     recent:
 *       - files: [/home/x/lu.4.clog2]
 *         processes: 4
 *
 * the latest first, RECENT_MOST of them. A file that is not there, or is wrong, is as one without traces: it is a
 * convenience.
 */

#define RECENT_MOST 30

struct trace;

/* As runs to open. look: with what is known of their files now, which takes as long as their disks do. Only ERR_MEMORY
 * is an error. */
enum err_code recent_read(struct trace_folder *recent, const char *file, bool look, struct err *e);

/* A trace has been opened from these files: it is the latest. ERR_IO: the file cannot be written. */
enum err_code recent_note(const char *file, const char *const *paths, uint32_t count, const struct trace *t, struct err *e);

#endif

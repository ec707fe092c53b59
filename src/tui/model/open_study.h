/* The study that is open: many runs as functions of their parameters, how it is looked at, and the place that is asked
 * for. It stays when another trace is opened.
 *
 *     open_study_init(&s);
 *     open_study_file(&s, "cg.study.yaml", &settings, &e);   its settings go into those; made in the background
 *     open_study_work(m);                                    whenever there may be news, and before drawing
 *     open_study_predict(&s, NAN, &p, &e);                   the prediction of the place
 *     open_study_release(&s);
 *
 * It is a derived result (tui/jobs/derived.h), of its file and of the settings: its runs are loaded, their phases
 * matched, models fitted. What was made stays until the next is there; it is of the settings that stand with it, which
 * may be older than the wanted ones.
 */
#ifndef PAS2P_TUI_OPEN_STUDY_H
#define PAS2P_TUI_OPEN_STUDY_H

#include "core/study/study.h"
#include "tui/jobs/derived.h"

struct model;

/* A study with all that it points into. */
struct studied {
	struct made made;
	char *path;                /* owned */
	unsigned threads;
	struct settings settings;
	struct study_file file;
	struct study_runs runs;
	struct study *study;
	struct study_models models;
};

/* What is plotted over the runs: of the selected family, except for the last. */
enum studied_of { STUDIED_WEIGHT, STUDIED_TIME, STUDIED_COMPUTE, STUDIED_TOTAL, STUDIED_T, STUDIED_OFS };

/* A place that was asked for, to go back to. */
struct study_place {
	double at[STUDY_PARAMETERS];
	uint32_t like;
};

struct open_study {
	char *path;                /* owned; NULL: none is open */
	struct derived derived;    /* its failure: why there is none of these settings */
	const struct studied *made; /* the latest that came; NULL: not yet */
	uint64_t made_serial;      /* grows with each that is made */
	uint64_t serial;           /* grows with every change: of what was made, and of how it is looked at */
	/* How it is looked at. */
	enum studied_of of;
	uint32_t axis;             /* of the study's axes: a number */
	uint32_t run;              /* selected */
	uint32_t family;           /* selected: id */
	bool log;
	/* The place: a value of each axis that is a number; and a run that has the categories. */
	bool placed;
	double at[STUDY_PARAMETERS];
	uint32_t like;
	/* All that were; owned. */
	struct study_place *places;
	uint32_t place_count;
	size_t place_room;
	uint32_t begun;            /* how often a place was begun with: those from before are of other axes */
};

void open_study_init(struct open_study *s);
void open_study_release(struct open_study *s);

/* Another file, or the same one again. Settings that the study names become those, except where `keep` says so (NULL:
 * all of them). ERR_IO, ERR_FORMAT: as study_file_read(); what was open stays. */
enum err_code open_study_file(struct open_study *s, const char *path, struct settings *settings, const bool *keep, struct err *e);
/* Takes what has come, and asks for what is lacking. A sentence when making it has just failed; NULL: nothing is to be
 * said. */
const char *open_study_work(struct model *m);

/* --- the place --- */

/* The next axis that is a number and varies; without such a one the next number. */
void open_study_next_axis(struct open_study *s);
/* A step up or down the axis, in the first two digits of the value: 1400, 1500; whole numbers stay whole. */
void open_study_step(struct open_study *s, int by);
/* The same in the first digit: 1400, 2000. */
void open_study_step_far(struct open_study *s, int by);
/* The place by a number, for undo; UINT32_MAX: there is none, or no memory. And to one of them, while `begun` is what
 * it was. */
uint32_t open_study_place(struct open_study *s);
void open_study_go(struct open_study *s, uint32_t place);
/* "n=14000", "class=W" or with several of them. ERR_USAGE: no such parameter, or no value that it could have. */
enum err_code open_study_set(struct open_study *s, const char *text, struct err *e);
/* The prediction there, or where one axis has another value (NAN: there). */
enum err_code open_study_predict(const struct open_study *s, double on_axis, struct study_prediction *p, struct err *e);
/* Values of the models' numbers there. */
void open_study_at(const struct open_study *s, double *x);
uint32_t open_study_combination(const struct open_study *s);

const struct study_family *open_study_family(const struct open_study *s); /* NULL: there are none */
const char *studied_of_name(enum studied_of of);
/* For a family in a run; NAN: it is not there. */
double studied_value(const struct studied *d, const struct study_family *f, uint32_t run, enum studied_of of);

#endif

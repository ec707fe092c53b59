/* Runs: the traces that are looked at side by side, as far as their figures go. One of them is the open trace, which
 * all other views show; the others are read in the background, one after the other, for their figures alone, and let go
 * (runs_work.h).
 *
 *     runs_init(&r);
 *     runs_add(&r, paths, count, &e);       files, sorted into runs; the first run of all is the open one
 *     r.list[r.open].paths ...              as given; they stay where they are for as long as the run is there
 *     runs_settle(&r);                      after every change: their order, and what they say of scaling
 *     runs_release(&r);
 *
 * Runs without values, which have not been read yet or could not be read, come after those with values.
 */
#ifndef PAS2P_TUI_RUN_LIST_H
#define PAS2P_TUI_RUN_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/metrics/rows/rows.h"
#include "core/reports/reports.h"

enum run_state {
	RUN_WAITING, /* to be read */
	RUN_READING,
	RUN_KNOWN,   /* its figures are */
	RUN_STOPPED, /* before they were; `say` says so */
	RUN_FAILED   /* it cannot be read: `say` says why */
};

struct run {
	uint32_t id;               /* never another's */
	char **paths;              /* owned; of its files, the first of which names it */
	uint32_t path_count;
	enum run_state state;
	struct run_metrics metrics; /* RUN_KNOWN: the numbers; what it points to is gone */
	struct call_mix calls;     /* RUN_KNOWN; owned */
	bool other_program;        /* than the reference, by these */
	enum compute_source compute;
	char say[ERR_TEXT];        /* a sentence: why it has no figures, or what is wrong with its trace; "": nothing */
};

struct runs {
	struct run *list;          /* owned; as given */
	uint32_t count, open;
	uint32_t selected, selected_id; /* place in `order`, and whose that is */
	uint32_t last_id;
	uint32_t beside;           /* id of the run that the open one is compared with; 0: the first other one */
	uint32_t opened_from;      /* id of the run that was open before, to go back to; 0: none */
	bool opened_new;           /* the open one was added to be opened: it goes again if it cannot be */
	unsigned threads;          /* that read a trace; 0: as useful */
	bool wanted;               /* somebody looks at them: figures even of a single one */
	enum scaling_kind kind;
	uint64_t serial;           /* grows with every change */
	/* By runs_settle(); owned. */
	uint32_t *order;           /* indices into list, those with figures first, by processes */
	uint32_t shown;            /* how many that are: all, but for want of memory */
	uint32_t known;            /* how many have figures */
	struct scaling_run *figures; /* by place in order */
	uint32_t reference;        /* place; NO_RUN */
	uint32_t counts;           /* different numbers of processes */
	struct diagnosis diagnosis; /* where they stand and how far it can go; nothing of where it is lost */
};

void runs_init(struct runs *r);
void runs_release(struct runs *r);

/* Files as runs: a whole trace is one, local files of one run are one together. ERR_USAGE: one of them is there
 * already, and can be read; one that could not be is to be read again. After an error those before it are there. */
enum err_code runs_add(struct runs *r, const char *const *paths, uint32_t count, struct err *e);

/* ERR_USAGE: it is the open trace. */
enum err_code runs_remove(struct runs *r, uint32_t index, struct err *e);

/* The same whatever it is: the open trace only once nobody reads it any more; another one has to be opened then. */
void runs_drop(struct runs *r, uint32_t index);

/* Put them in order, and say what they come to. Without memory for that none is shown. */
void runs_settle(struct runs *r);

/* The run with that id, or of that path; UINT32_MAX: there is none. */
uint32_t runs_by_id(const struct runs *r, uint32_t id);
uint32_t runs_by_path(const struct runs *r, const char *path);

/* The one that is selected; NULL: there is none. */
struct run *runs_selected(const struct runs *r);
void runs_select(struct runs *r, uint32_t place);

/* Behind the last slash, as it is (no safe text). */
const char *run_name(const struct run *run);

#endif

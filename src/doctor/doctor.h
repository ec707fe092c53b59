/* What works on this machine and what is missing, each with a sentence and the command that fixes it.
 *
 *     doctor_init(&d, &machine, job);
 *     doctor_look(&d, &e);                  all checks of checks.def, in their order
 *     ... d.findings[0 .. d.count - 1]; doctor_needs(&d) ...
 *     doctor_release(&d);
 *
 * A check is a row of the table and a file of its own; it makes one finding, or one for each thing of its kind (each
 * launcher, each format). On an unchanged machine the findings are the same each time, in the same order.
 *
 * What is executed, and nothing else: each launcher that is found, with --version; CRIU, with --version and, as root,
 * to dump and restore this program as a process of trial. Each has a time limit, and nothing that it started is left.
 *
 * Text from outside (the environment, files of the kernel, answers of programs) is safe in findings.
 */
#ifndef PAS2P_DOCTOR_H
#define PAS2P_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/progress.h"

/* Where to look, so that tests can play other machines. What is not here is asked of the process itself: its
 * environment, limits, user and processors. */
struct doctor_machine {
	const char *version;   /* of pas2p */
	const char *program;   /* as it was called, quoted for a shell */
	const char *root;      /* stands before /proc, /sys, /etc, /usr/bin/apt-get and /usr/bin/sudo; "" */
	const char *sample;    /* the trace of the tutorial; NULL: it was not found */
	const char *make;      /* what builds it again, where the program is where it was built: "make"; NULL: it is elsewhere */
	struct {
		bool there;        /* standard input is one */
		bool known;        /* by what TERM says, and it can place text */
		int colours;       /* 0: none */
		int columns, rows; /* 0: not known */
	} terminal;
};

enum standing {
	STANDING_OK,
	STANDING_NOTE,         /* it works, but something about it is good to know */
	STANDING_MISSING       /* what it is for does not work here */
};

#define DOCTOR_TEXT ERR_TEXT

struct finding {
	const char *check;     /* "mpi" */
	enum standing standing;
	bool needed;           /* a missing requirement, as docs/doctor.md lists them */
	char text[DOCTOR_TEXT];
	char mend[DOCTOR_TEXT]; /* a command, or what else to do; "": there is nothing to be mended */
};

struct check_info {
	const char *name, *what, *mend;
};

/* The table as an array that ends with name NULL. */
extern const struct check_info check_infos[];

struct doctor {
	const struct doctor_machine *machine;
	const struct progress *progress; /* can stop it; NULL: nothing can */
	struct finding *findings;
	size_t count, cap;
	const struct check_info *check; /* the one that is running */
	bool failed;           /* no memory for a finding */
};

void doctor_init(struct doctor *d, const struct doctor_machine *m, const struct progress *progress);
void doctor_release(struct doctor *d);

/* ERR_MEMORY, ERR_CANCELLED. That something is missing is no error. */
enum err_code doctor_look(struct doctor *d, struct err *e);

size_t doctor_needs(const struct doctor *d); /* how many findings are needed and missing */

const char *standing_name(enum standing s); /* "ok", "note", "missing" */

#endif

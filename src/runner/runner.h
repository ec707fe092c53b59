/* The runner starts a program as a job and measures it by a phase table. Commands call signature.h and measure.h; these
 * use the parts below, which commands and the doctor call, too: the plan of a run, the shared board of its ranks,
 * checkpoints by CRIU.
 */
#ifndef PAS2P_RUNNER_RUNNER_H
#define PAS2P_RUNNER_RUNNER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/documents/table.h"
#include "preload/control_file.h"
#include "core/documents/result.h"
#include "launch.h"

/* ---- ask ---- */

/* Asking a program something short, such as its version. */

/* Start argv (ends with NULL) without input, with an environment changed by env as in nest_command (NULL: unchanged),
 * and put the first bytes of its stdout and stderr into text, with a NUL. It runs in a nest: when this returns, or the
 * runner ends, neither the program nor anything that it started is left. It has 10 s; *status is as waitpid() gives it,
 * and -1 for one that was ended. ERR_USAGE if it cannot be started, ERR_CANCELLED if progress (NULL: none) says
 * stop. */
enum err_code ask_program(const char *const *argv, const char *const *env, char *text, size_t size, int *status, const struct progress *progress,
			  struct err *e);

/* ---- plan ---- */

/* The plan: what a phase table asks of the ranks of a job.
 *
 * What is measured from one checkpoint is a part: a window, or, where the table has none, a relevant phase by its
 * representative occurrence and the samples that the table has of it. Parts whose checkpoints lie at one place share
 * one cut; cuts are in the order in which the ranks reach them. A part consists of spans, which are occurrences of
 * phases.
 *
 * Spans begin and end at boundaries. These are in the order of the run, and have a count on every rank: how many calls
 * it has made there. What two spans have between them is one boundary. The plan points into the table, which must
 * outlive it.
 */

struct plan_part {
	uint32_t number;          /* of the window, from 1, or the phase's id */
	uint32_t first, last;     /* occurrences of a window */
	struct phase_points points; /* of the window or the representative; the table's */
	uint32_t cut;
	uint32_t span_from, span_to;  /* its spans */
	uint32_t from, to;        /* the boundaries of these, and what lies between them */
};

struct span { uint32_t start, end; }; /* boundaries; nothing lies between those of a window's */

struct launch_plan {
	uint32_t ranks, part_count, cut_count, span_count, boundary_count;
	bool collectives;         /* are numbered, as the table was made with them */
	bool windows;             /* parts are windows */
	struct plan_part *parts;  /* as the table has them */
	const struct plan_part **cuts; /* some part whose checkpoint the cut is */
	struct span *spans;       /* part by part */
	uint32_t *counts;         /* [rank][boundary] */
	uint64_t calls;           /* of all ranks in the trace */
};

/* What it means if a job makes other calls than the plan's. */
#define PLAN_OTHER_RUN "the table is from another program or input, or the calls depend on message timing"

#define PLAN_EVERY_PART UINT32_MAX       /* instead of a part: all of them */

/* ERR_USAGE if the table has nothing to measure, ERR_FORMAT if its cuts or boundaries cross each other. */
enum err_code plan_make(struct launch_plan *p, const struct table *t, struct err *e);
void plan_release(struct launch_plan *p);

/* How far the rank must come: all boundaries of the part before this one. Where it makes no call in an occurrence there
 * is nothing to be measured, and at the end of a part it need not be waited for. */
uint32_t plan_needed(const struct launch_plan *p, uint32_t part, uint32_t rank);

/* "phase 3", "window 5 (occurrences 20 to 31)" */
#define PLAN_NAME 64
const char *plan_name(const struct launch_plan *p, const struct plan_part *part, char name[PLAN_NAME]);

/* ---- nest ---- */

/* The nest: a job runs in it, so that no process or file of the job is left behind in any case.
 *
 * A keeper process between the runner and the job starts commands, adopts what they leave, and ends everything when it
 * is told to, when the runner goes away (even by kill -9), and before it ends itself:
 *
 *     nest_open(&n, NEST_PLAIN, &e);                      or NEST_APART
 *     nest_start(n, &command, &child, &e);                several may run at once
 *     while (child.running) nest_wait(n, 50, &e);
 *     left = nest_close(n, true);                         0: no process is left
 *
 * NEST_PLAIN needs no privilege: the keeper is the job's subreaper. NEST_APART (root) gives the job namespaces of its
 * own (processes, mounts, IPC, host name, network with only lo), where the keeper is process 1, and a tmpfs on
 * /dev/shm; mounts made inside end with it. Process numbers of commands are those inside.
 */

#define NEST_CPUS 1024

enum nest_kind { NEST_PLAIN, NEST_APART };

struct nest_cpus {
	bool given;
	uint64_t bits[NEST_CPUS / 64];
};

/* A command: strings are copied. Its input is /dev/null, and it has a session of its own. */
struct nest_command {
	const char *const *argv;  /* ends with NULL */
	/* "NAME=value" on top of the runner's own environment; "NAME" takes it away; NULL: none */
	const char *const *env;
	const char *directory;    /* NULL: where the runner is */
	/* stdout and stderr go to this file (absolute; created, or emptied); NULL: the runner's stderr */
	const char *output;
	struct nest_cpus cpus;    /* processors that it may use */
	bool private_files;       /* what it makes is for its user alone (umask 077) */
};

struct nest_child {
	pid_t pid;
	bool running;
	int status;               /* as waitpid() gives it, once it runs no more */
	struct nest_child *next;  /* the nest's */
};

struct nest;

enum err_code nest_open(struct nest **n, enum nest_kind kind, struct err *e);

/* child must live until it runs no more or the nest is closed. */
enum err_code nest_start(struct nest *n, const struct nest_command *c, struct nest_child *child, struct err *e);

/* Take in what has ended, waiting at most so many milliseconds for something. ERR_IO if the keeper is gone. */
enum err_code nest_wait(struct nest *n, int milliseconds, struct err *e);

/* Mount directory or file `from` at `to` as well (NEST_APART; both as seen inside; `to` must exist). */
enum err_code nest_bind(struct nest *n, const char *from, const char *to, struct err *e);

/* Another tmpfs on the directory `to`. */
enum err_code nest_tmpfs(struct nest *n, const char *to, struct err *e);

/* Let the numbers of the processes from here on be above 1000, so that those of a job are free where a restorer and its
 * helpers have the low ones (NEST_APART). */
enum err_code nest_high_pids(struct nest *n, struct err *e);

/* Start a command and wait until it has ended. ERR_CANCELLED if progress (NULL: none) says stop. */
enum err_code nest_run(struct nest *n, const struct nest_command *c, int *status, const struct progress *progress, struct err *e);

/* Watch a process that is none of those started, once it is the keeper's child (a restored one). */
void nest_adopt(struct nest *n, pid_t pid, struct nest_child *child);

/* If the runner goes away without nest_close() (kill -9), remove this folder of its own once all has ended. */
enum err_code nest_remove_later(struct nest *n, const char *folder, struct err *e);

/* Where the nest's files are seen from outside: "" or "/proc/PID/root". */
const char *nest_root(const struct nest *n);

/* Processes in the nest besides the keeper; 0 if that cannot be told. */
unsigned nest_population(const struct nest *n);

/* End all: gently gives the running commands a few seconds after SIGTERM to tidy up. Returns the number of processes
 * that could not be ended. NULL is fine. */
unsigned nest_close(struct nest *n, bool gently);

/* ---- board ---- */

/* The board: the control file (src/preload/control_file.h) from the runner's side.
 *
 *     board_make(&b, folder, plan, CONTROL_REPLAY, &e);     folder: as the runner sees it
 *     board_look(&b, rank, &view, &e); ...                  polled while the job runs
 *     board_release_cut(&b, 1, &e);                         ranks stopped at cut 0 go on
 *     board_close(&b);                                      the file stays
 *
 * All goes through pread and pwrite, so that it also works across mount namespaces and shared file systems.
 */

struct board {
	int fd;                   /* -1: closed */
	struct control_head head; /* shape; the words in it are not kept up to date */
};

/* What a rank says of itself. Times in seconds, of the rank's own monotonic clock; 0: not yet. */
struct board_view {
	enum control_state state;
	uint32_t cut, measured, affinity_failed;
	int32_t size, inside, pid; /* pid: as the rank itself sees it */
	uint64_t calls, count, polls;
	double begun, ended;
	char program[256], host[64], library[128]; /* safe text */
};

enum err_code board_make(struct board *b, const char *folder, const struct launch_plan *p, enum control_mode mode,
			 struct err *e);
/* one made before */
enum err_code board_open(struct board *b, const char *folder, const struct launch_plan *p, struct err *e);
void board_close(struct board *b);

/* Only the numbers, without the texts (""): for frequent polling. */
enum err_code board_look(const struct board *b, uint32_t rank, struct board_view *v, struct err *e);
enum err_code board_read(const struct board *b, uint32_t rank, struct board_view *v, struct err *e);

/* The rank's stamps of boundaries [from, to), in ns; 0: it has none. */
enum err_code board_stamps(const struct board *b, uint32_t rank, uint32_t from, uint32_t to, uint64_t *stamps, struct err *e);

enum err_code board_release_cut(const struct board *b, uint32_t released, struct err *e);
enum err_code board_measure(const struct board *b, uint32_t part, const struct nest_cpus *cpus, struct err *e);

/* ---- criu ---- */

/* CRIU (criu.org) as a tool: where it is, and running it in a nest. Private to the driver and its probe.
 *
 * In the nest all that must come back with a job lies in the tmpfs on /dev/shm; what must not, in another one below it:
 *
 *     /dev/shm/pas2p/control          the control file
 *     /dev/shm/pas2p/output           what the job says
 *     /dev/shm/pas2p/tmp              its TMPDIR
 *     /dev/shm/pas2p/work             a copy of its work directory, mounted over that
 *     /dev/shm/pas2p/host/criu        the program
 *     /dev/shm/pas2p/host/signature   the signature's folder
 */

#define CRIU_BASE "/dev/shm/pas2p"
#define CRIU_HOST CRIU_BASE "/host"
#define CRIU_TOOL CRIU_HOST "/criu"
#define CRIU_SIGNATURE CRIU_HOST "/signature"

/* $PAS2P_CRIU, beside pas2p (core/io/beside.h), or the PATH. ERR_IO with what to do if there is none. */
enum err_code criu_find(char path[PATH_MAX], struct err *e);

/* "4.2.1" */
enum err_code criu_version(char *text, size_t size, struct err *e);

/* The folders above in a fresh nest, with CRIU in its place and `signature` (NULL: none), which `held` is open on, in
 * its. */
enum err_code criu_furnish(struct nest *n, const char *signature, int held, struct err *e);

/* Run a step, "dump" or "restore", whose files are the caller's alone: the images are in `images` (as seen inside);
 * `more` ends with NULL, and so does env. On failure the sentence has the first error of CRIU's log. */
enum err_code criu_step(struct nest *n, const char *step, const char *images, const char *const *more,
			const char *const *env,
			const struct progress *progress, struct err *e);

/* Make a folder inside the nest, with its name as seen inside; it is the caller's alone, and may be there already. */
enum err_code criu_folder(struct nest *n, const char *inside, struct err *e);

/* The process that the probe dumps: pas2p itself, started with this one argument, by main() and not for people. */
#define CRIU_SUBJECT "--subject-of-criu-probe"
int criu_subject(void);

/* Dump and restore a process that talks to itself over loopback TCP. */
enum err_code criu_probe(const struct progress *progress, struct err *e);

/* ---- launch_output ---- */

/* What a job prints to stderr: passed on to ours at once, and its first bytes kept, to be asked for a refusal
 * (launch.h).
 *
 *     launch_output_open(&w)         before fork(); false: none are kept, and the job has our stderr
 *     launch_output_child(&w)        in the child
 *     launch_output_wait(&w, pid, interrupted)   in the parent: waits for the child's end; the status as waitpid() has it
 */

struct launch_output {
	int ends[2];                   /* of a pipe; -1: none, or closed */
	char first[REFUSAL_PRINTED];
	size_t count;                  /* of them; first[count] is 0 */
};

bool launch_output_open(struct launch_output *w);
void launch_output_child(struct launch_output *w);

/* interrupted() asks whether we are to stop: then the child is sent SIGTERM, once. */
int launch_output_wait(struct launch_output *w, pid_t pid, bool (*interrupted)(void));

/* ---- result_make ---- */

/* Making a result (core/documents/result.h) of measured times:
 *
 *     result_begin(&r, &table, "replay", runs, argv, &e); room for the times
 *     result_time(&r, phase, run, rank) = seconds;        for all of them, or
 *     result_window(&r, window, run, rank, seconds);      where the table has windows
 *     result_finish(&r, &e);                              phase times, SET, PET, interval
 *     result_set_aet(&r, seconds, "given");               PETE, SET/AET, held; may be left out
 *
 * A phase's time in one run is the mean over the ranks or the slowest one's, as the table's phase_time says. With
 * windows, what the durations themselves put in doubt becomes a note of the result: a warm-up that was too short
 * (runner_int.h; only of what was restored), and phases that were measured as nothing.
 */

enum err_code result_begin(struct result *r, const struct table *t, const char *mechanism, uint32_t runs,
			   const char *const *command, struct err *e);
double *result_time(struct result *r, uint32_t phase, uint32_t run, uint32_t rank);
/* What each of the window's occurrences took on a rank in a run; for all windows, ranks and runs. */
void result_window(struct result *r, uint32_t window, uint32_t run, uint32_t rank, const double *seconds);
enum err_code result_finish(struct result *r, struct err *e);

/* A call with its stamp takes up to so long without doing anything: a phase that lasts less is measured as next to
 * nothing. */
#define RESULT_STAMP 0.5e-6

/* ---- station ---- */

/* A station: one running job, its control file, and the wait for what its ranks do. */

/* The program to run and how to run it, the same for every launch. */
struct mission {
	const struct launch *launch;
	const struct launch_plan *plan;
	struct nest_cpus cpus;    /* processors that the job may use */
	double timeout;           /* s without any progress of any rank before a run is given up */
	double pause;             /* s before each checkpoint but the first is restored */
	/* a directory that all nodes share, for the control file; NULL: this machine's memory */
	const char *control;
	const char *signature;    /* the signature's folder, absolute, for drivers with checkpoints; NULL: none */
	int signature_fd;         /* open on it */
	const uint64_t *calls;    /* that each rank had made in all when the signature was made; NULL: not known */
	bool show_output;         /* the job's output goes to stderr */
	const struct progress *progress;
	void (*say)(void *arg, const char *text); /* a line on how things go; may be NULL */
	void *say_arg;
};

void mission_say(const struct mission *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Moments in a restored job's life; what lies between them is a cost or the job's own (runner_int.h). */
enum station_moment {
	MOMENT_BEGAN,    /* the driver was called */
	MOMENT_NEST,     /* the nest is there */
	MOMENT_FILES,    /* and so are the job's files in it */
	MOMENT_MOVING,   /* its ranks go on */
	MOMENT_MEASURED, /* the last of them has measured */
	MOMENT_SEEN,     /* the watch has seen that */
	MOMENT_GONE,     /* the job has been ended */
	MOMENT_MOMENTS
};

struct station {
	const struct mission *mission;
	struct nest *nest;        /* NULL: nothing runs */
	struct nest_child child;  /* the launcher */
	struct board board;
	char folder[PATH_MAX];    /* what the driver made outside of the nest, to be removed; "": nothing */
	int folder_fd;            /* open on it */
	char log[PATH_MAX];       /* the job's output as the runner sees it; "": shown */
	double times[MOMENT_MOMENTS]; /* s, of clock_seconds(); 0: not come to */
};

void station_note(struct station *s, enum station_moment moment);

enum station_goal {
	STATION_STOPPED,   /* every rank is at the cut, or is blocked in an MPI call and gets no further */
	STATION_MEASURED,  /* every rank has measured the part of the plan (PLAN_EVERY_PART: all of them) */
	STATION_ENDED      /* the job has ended, and well */
};

/* Wait for the goal; `number`: the cut, or the part. ERR_USAGE where the program is not the table's (process
 * count, calls), ERR_IO where the job failed or got stuck: the sentence names ranks, where they are, and the job's last
 * words. */
enum err_code station_watch(struct station *s, enum station_goal goal, uint32_t number, struct err *e);

/* ---- sweep ---- */

/* What killed makers of signatures left half-made. */

/* Remove the half-made signatures of this name that are the caller's and whose maker is dead (nobody holds their lock).
 * Nothing else goes, whatever its name: see files_remove(). Returns how many that were. */
unsigned sweep_signatures(const char *path);

/* ---- trust ---- */

/* Whether a signature can be trusted like the caller. It is executed with the caller's rights, so only the caller and
 * root may own it or be able to write to it.
 *
 * Looked at are the folder and all in it, on a descriptor of it. What passes stays so: nobody else could change it
 * later. For a folder that only its owner can enter, the copies of the job's files (cut-N/files) are left out: they
 * keep the owners and rights that they had.
 */

#define TRUST_TEXT 320

/* folder is open on the folder that the user calls `path`. *why, safe text: "command of cg.sig belongs to the user eve"
 * for the first thing that is not the caller's own or root's; "": there is none. *chmod_helps: that thing is the caller's
 * own, so the caller can take the right to write from others. */
enum err_code trust_look(int folder, const char *path, char why[TRUST_TEXT], bool *chmod_helps, struct err *e);

#endif

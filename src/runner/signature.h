/* A signature: a folder with all that is needed to measure the phases somewhere.
 *
 *     signature.yaml   what it is of, which mechanism made it, and what must fit where it is run
 *     table.yaml       the phase table
 *     command          the launch command's words, each ended by a NUL
 *     cut-0/ ...       the checkpoints, in the driver's own form; none where the mechanism has none (replay)
 *
 *     signature_begin(&s, "cg.sig", "cg.yaml", argv, &e);    in cg.sig.partial-...
 *     signature_made_by(&s, driver, &e);
 *     ... checkpoints into signature_cut_folder() ...
 *     signature_finish(&s, &e);                              it takes its name
 *     signature_release(&s);                             without finish: nothing is left
 *
 * It holds the memory of the program's processes: folder and files are their maker's alone from the start (0700, 0600).
 * It says what is to be executed: who may have written it is looked up when it is opened. All goes through a descriptor
 * of the folder, since in a folder where others may write its name can become that of another one.
 */
#ifndef PAS2P_SIGNATURE_H
#define PAS2P_SIGNATURE_H

#include <limits.h>
#include <stdbool.h>

#include "core/base/mem.h"
#include "core/documents/table.h"
#include "driver.h"
#include "runner.h"

#define SIGNATURE_VERSION 1
#define SIGNATURE_PARTIAL ".partial-" /* and six characters, behind the name of one that is being made (runner.h) */

/* A file that the job's processes have mapped: program and libraries. */
struct signature_file { const char *path; uint64_t size; };

struct signature {
	struct arena arena;
	char folder[PATH_MAX];      /* absolute; while it is being made, the partial one */
	char target[PATH_MAX];      /* its name to be; "": it was opened */
	int held;                   /* open on the folder; while it is being made, also its maker's lock. 0: not open */
	/* Opened: what in it is neither the caller's nor root's, or can be written by others ("" : nothing); safe text. */
	char foreign[TRUST_TEXT];
	bool chmod_helps;           /* what foreign names is the caller's own, and only too open */
	struct table table;
	const char *mechanism, *mechanism_version;
	const char **argv;          /* the launch command, ends with NULL */
	const char *directory;      /* where it was started */
	const char *kernel, *mpi, *cpu, *cpu_flags;
	struct signature_file *files;
	uint32_t file_count;
	uint64_t *calls;            /* that each rank made in all, while it was made; NULL: not known */
	uint32_t call_count;        /* of ranks, as read */
};

enum err_code signature_begin(struct signature *s, const char *path, const char *table_path, const char *const *argv,
			       struct err *e);

/* Note the mechanism and this machine. */
enum err_code signature_made_by(struct signature *s, const struct driver_ops *d, struct err *e);

/* Note MPI and mapped files of a running job (once; with checkpoints only). */
enum err_code signature_note_job(struct signature *s, const struct station *station, struct err *e);

/* Note how many calls the ranks of a job have made that has come to its end; say if that is not what the trace has. */
enum err_code signature_note_calls(struct signature *s, const struct station *station, struct err *e);
enum err_code signature_finish(struct signature *s, struct err *e);

enum err_code signature_open(struct signature *s, const char *path, struct err *e);
/* ERR_USAGE: what is at that path is a file of the signature. Others may lie in its folder, such as results. */
enum err_code signature_refuse(const struct signature *s, const char *output, struct err *e);
void signature_release(struct signature *s);

/* Whether this machine is fit to restore it: ERR_USAGE with the first thing that is not. Things that differ and may not
 * matter go to m->say. */
enum err_code signature_fits(const struct signature *s, const struct driver_ops *d, const struct mission *m,
			     struct err *e);

/* Make the folder of a checkpoint. */
enum err_code signature_make_cut(const struct signature *s, uint32_t cut, char folder[PATH_MAX], struct err *e);
enum err_code signature_cut_folder(const struct signature *s, uint32_t cut, char folder[PATH_MAX], struct err *e);

#endif

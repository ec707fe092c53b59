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
 */
#ifndef PAS2P_SIGNATURE_H
#define PAS2P_SIGNATURE_H

#include <limits.h>
#include <stdbool.h>

#include "core/mem.h"
#include "core/table.h"
#include "driver.h"

#define SIGNATURE_VERSION 1

/* A file that the job's processes have mapped: program and libraries. */
struct signature_file { const char *path; uint64_t size; };

struct signature {
	struct arena arena;
	char folder[PATH_MAX];      /* absolute; while it is being made, the partial one */
	char target[PATH_MAX];      /* its name to be; "": it was opened */
	int lock;                   /* on the partial folder while its maker lives; 0: none */
	struct table table;
	const char *mechanism, *mechanism_version;
	const char **argv;          /* the launch command, ends with NULL */
	const char *directory;      /* where it was started */
	const char *kernel, *mpi, *cpu, *cpu_flags;
	struct signature_file *files;
	uint32_t file_count;
};

/* A maker that was killed leaves its partial folder. Remove those of this name whose maker is dead (nobody holds their
 * lock), and put how many that were into *removed. */
enum err_code signature_sweep(const char *path, unsigned *removed, struct err *e);

enum err_code signature_begin(struct signature *s, const char *path, const char *table_path, const char *const *argv,
			       struct err *e);

/* Note the mechanism and this machine. */
enum err_code signature_made_by(struct signature *s, const struct driver_ops *d, struct err *e);

/* Note MPI and mapped files of a running job (once; with checkpoints only). */
enum err_code signature_note_job(struct signature *s, const struct station *station, struct err *e);
enum err_code signature_finish(struct signature *s, struct err *e);

enum err_code signature_open(struct signature *s, const char *path, struct err *e);
void signature_release(struct signature *s);

/* Whether this machine is fit to restore it: ERR_USAGE with the first thing that is not. Things that differ and may not
 * matter go to m->say. */
enum err_code signature_fits(const struct signature *s, const struct driver_ops *d, const struct mission *m,
			     struct err *e);

enum err_code signature_cut_folder(const struct signature *s, uint32_t cut, char folder[PATH_MAX], struct err *e);

#endif

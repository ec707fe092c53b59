/* What the view of models has open: a program's model with its machine, and measurements. Neither changes once it is
 * open, so that work behind the screen shares them by reference.
 */
#ifndef PAS2P_TUI_MODELS_FILES_H
#define PAS2P_TUI_MODELS_FILES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"
#include "core/models/machine.h"
#include "core/models/measurements.h"
#include "core/models/program_model.h"

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

enum err_code models_measured_open(struct models_measured **out, const char *path, const struct job *job,
				   struct err *e);
struct models_measured *models_measured_ref(struct models_measured *m);
void models_measured_unref(struct models_measured *m);

#endif

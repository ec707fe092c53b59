/* A model's times on another machine than the one they were measured on (docs/models.md 10, `--base`): compute times go
 * by the operations that both have, the rest by what a message of the mean size takes.
 */
#ifndef PAS2P_OTHER_MACHINE_H
#define PAS2P_OTHER_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"
#include "formula.h"
#include "machine.h"

struct other_machine {
	bool asked;
	bool lacks_ops;          /* the machines have no operation in common: compute times stay as they are */
	bool lacks_recv;         /* one has no recv: the rest stays as it is */
	struct interval *factors; /* S by group of the new machine's nodes */
	struct library libraries[2];  /* of base and new machine */
	struct formula_run runs[2];
	uint32_t recv[2];
};

/* Does nothing where there is no base. `values` are the parameters'. To be released in any case. */
enum err_code other_machine_init(struct other_machine *o, const struct machine *base, const struct machine *machine,
				 const char *const *parameters, uint32_t parameter_count, const struct interval *values,
				 const struct job *job, struct err *e);
void other_machine_release(struct other_machine *o);

/* c S + (t - c) M for t on the base, of which c is computing, on a node of the group; `bytes` NULL: there is no
 * split. */
enum err_code other_machine_time(struct other_machine *o, uint32_t group, struct interval t, struct interval compute,
				 const struct interval *bytes, struct interval *result, struct err *e);

#endif

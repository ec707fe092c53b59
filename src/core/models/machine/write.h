/* A machine as a file (docs/models.md 7): what was measured, for pas2p predict and for people. */
#ifndef PAS2P_CORE_MODELS_MACHINE_WRITE_H
#define PAS2P_CORE_MODELS_MACHINE_WRITE_H

#include "core/io/out.h"
#include "machine.h"

/* The functions of messages, a line each ("  send(bytes): ..."), from the rows of an answer: fits as pas2p fit makes
 * them, with the error to be expected. Pairs on one node are NAME_local where others were measured too. Of collectives,
 * those over several nodes if there are any. */
enum err_code machine_functions(struct out *functions, const struct pingpong_answer *a, const struct job *job, struct err *e);

/* `machines`, of which there is at least one, are those of the nodes in order of rank: the operations are those of the
 * fastest, and with `nodes` or where `shared` was measured it says what nodes there are; of two after each other whose
 * speeds differ by at most 5 % and that have as many cores it is one row. functions: as machine_functions() made them;
 * NULL or "": none. */
enum err_code machine_write(struct out *out, const struct machine_measured *machines, size_t count, bool nodes, const char *functions,
			    struct err *e);

#endif

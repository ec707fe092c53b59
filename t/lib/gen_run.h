/* A run of known content, written as MPE would: merged into one file, or as the local file of each process.
 *
 * It uses what recovery must put together: halves of the world split off (with reversed ranks), an intercommunicator
 * between them, clocks that are shifted against each other, messages and collectives on all of these, calls with
 * computation between them. All times are multiples of 1/1024 s, so that shifting them back is exact.
 *
 *     struct gen_run r = {.processes = 4, .rounds = 10};
 *     struct gen_bytes whole = gen_run_finalized(&r), part = gen_run_local(&r, 2);
 */
#ifndef PAS2P_GEN_RUN_H
#define PAS2P_GEN_RUN_H

#include <stdbool.h>

#include "gen_clog2.h"

struct gen_run {
	int32_t processes;    /* even, 4 to 64 */
	int rounds;
	uint8_t id;           /* of the run: in the GIDs */
	int minor;            /* 0: 44 */
	bool big_endian;      /* of local files; finalized ones are big-endian */
	bool unshifted;       /* clocks agree */
	bool crashed;         /* local files end as by a crash: no ENDLOG, whole blocks only */
	uint32_t block_size;  /* 0: 1024 */
	bool constants;       /* rank 0 defines the MPI's constants, as MPE does */
	/* What goes wrong, of process `at` in the middle of the run; for finalized files. */
	int32_t at;
	enum gen_fault {
		GEN_NO_FAULT, GEN_TIME_NAN, GEN_TIME_HUGE, GEN_TIME_BACK, GEN_LOSES_SEND, GEN_LOSES_RECEIVE, GEN_WRONG_RANK,
		GEN_WRONG_PARTNER, GEN_WRONG_SIZE, GEN_CYCLE, GEN_NO_END, GEN_WRONG_COLLECTIVE, GEN_UNKNOWN_COMM, GEN_SILENT
	} fault;
};

struct gen_bytes gen_run_finalized(const struct gen_run *r);
struct gen_bytes gen_run_local(const struct gen_run *r, int32_t rank);

#endif

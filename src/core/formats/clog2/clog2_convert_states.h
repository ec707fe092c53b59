/* The states of a run that is written as CLOG2: MPE's numbers for calls that it has, numbers of the user's for all
 * else, names that fit.
 *
 * What a CLOG2 file's states mean, their names say. So calls whose names do not begin as MPI calls' do get a name that
 * does, what a tracer writes has MPE's name for it, and a collective has a state of its operation's name, whatever it
 * was called.
 */
#ifndef PAS2P_CLOG2_CONVERT_STATES_H
#define PAS2P_CLOG2_CONVERT_STATES_H

#include "clog2_write.h"
#include "core/formats/format_write.h"

struct convert_state {
	char name[32], colour[24];
	int32_t start, final;  /* etypes */
	bool mpi, collective;  /* by its name */
	bool starts;           /* MPI_Start, MPI_Startall */
	bool sizes;            /* a collective's starts say bytes and root in their cargo */
	unsigned says;         /* and behind these, RECORD_BEGINS and others */
};

struct convert_states {
	struct convert_state *list; /* those of the record log, then those of operations that none of them has */
	uint32_t count;
	uint32_t *of_type;     /* per collective type of the trace: its state */
	uint64_t cut;          /* names that did not fit */
};

/* Release it also after an error. */
enum err_code convert_states_init(struct convert_states *s, const struct convert_run *run, struct err *e);
void convert_states_release(struct convert_states *s);

/* Their definitions. */
void convert_states_write(const struct convert_states *s, struct clog2_writer *writer, struct clog2_head head);

#endif

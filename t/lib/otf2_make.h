/* OTF2 archives for tests, written with libotf2: said plainly, or as awkwardly as other tools say the same.
 *
 * What a location records is a script, commands separated by ';', each a time in ticks and:
 *
 *     [ REGION | ]                     enter; leave the innermost one, or `] REGION` that one
 *     send P C TAG LEN | recv P C TAG LEN | isend P C TAG LEN REQ | irecv P C TAG LEN REQ
 *     isdone REQ | irreq REQ | test REQ | cancel REQ
 *     begin | end OP C ROOT SENT       a collective; OP "ALLREDUCE", ROOT - for none
 *     nbc REQ | done OP C ROOT SENT REQ
 *     flush STOP | off | on | metric VALUE | rma | other
 */
#ifndef PAS2P_OTF2_MAKE_H
#define PAS2P_OTF2_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#define OTF_MAKE_MEMBERS 16

enum otf_make_type { OTF_MAKE_THREAD, OTF_MAKE_ACCELERATOR, OTF_MAKE_METRICS };

struct otf_make_location {
	uint64_t id;
	uint32_t group;        /* of locations; numbered from 0 */
	enum otf_make_type type;
	const char *script;
	int64_t skew;          /* ticks that its clock is ahead, written as its clock offsets */
	double drift;          /* and how fast that grows, ticks a tick */
	bool lie;              /* it is said to have one record more than it has */
};

struct otf_make_comm {
	uint32_t ref;
	bool self;
	int count, other_count; /* other_count: of an intercommunicator's second group */
	uint32_t members[OTF_MAKE_MEMBERS], others[OTF_MAKE_MEMBERS]; /* ranks of the world */
};

struct otf_make {
	uint64_t ticks, offset; /* a second; of time 0 */
	const struct otf_make_location *locations;
	int location_count;
	uint64_t ranks[OTF_MAKE_MEMBERS]; /* location ids */
	int rank_count;        /* 0: no MPI at all */
	const struct otf_make_comm *comms;
	int comm_count;
	/* Awkwardly: */
	uint32_t region_base;  /* regions are numbered from there */
	bool map;              /* locations number regions and communicators as they like, and say so */
	bool groups_backwards; /* definitions in another order, and a group of OpenMP's before MPI's */
	bool metric_before_enter;
	bool attributes;       /* each record has one, as Score-P and others add them */
	bool one_group_number; /* the group of ranks and that of the world have the same one, as EZTrace writes them */
	bool user_paradigm;    /* regions are not said to be MPI's but by their names */
	bool no_clock;         /* properties have 0 ticks */
	bool no_local;         /* no location's own definitions */
	const char *metric;    /* name of the counter; NULL: "PAPI_TOT_INS" */
};

/* Was the program built with the library? */
bool otf_make_able(void);

/* Write FOLDER/traces.otf2 and the files beside it; the folder is made. *records: how many, NULL: nobody asks. Ends the
 * program if that cannot be. */
void otf_make(const struct otf_make *make, const char *folder, uint64_t *records);

/* docs/internals/otf2-example.md, "OTF2 example"'s archive. */
extern const struct otf_make otf_make_vector;

#endif

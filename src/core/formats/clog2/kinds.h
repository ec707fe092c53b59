/* What event types mean while a trace is read: states (calls) and solo events, by etype (clog2.h has the records).
 *
 * Known MPI states are there from the start; STATEDEF and EVENTDEF records add and rename. Definitions may stand at the
 * end of a file, so all are collected in a first pass. An etype without definition gets an unnamed state or solo event
 * on first use. Calls are identified by name, otherwise by number.
 */
#ifndef PAS2P_CORE_FORMATS_CLOG2_KINDS_H
#define PAS2P_CORE_FORMATS_CLOG2_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "clog2.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/trace/trace.h"

enum etype_role { ETYPE_NOTHING, ETYPE_START, ETYPE_FINAL, ETYPE_SOLO };

/* Where a number lies in a cargo: the field's place and type, from the format. */
struct cargo_place {
	char token;       /* 0: there is none */
	unsigned offset;
	double unit;      /* seconds per unit */
};

/* Numbers of what completes later: the start of a call that begins it, of the state around the message that completes
 * it, events. */
enum def_request { REQUEST_NONE, REQUEST_BEGINS, REQUEST_RECEIVES, REQUEST_POSTED, REQUEST_COMPLETED };

struct def {
	struct state_total total; /* name, format; its key is both etypes; the counts are the maker's */
	int32_t start, final;     /* etypes; solo events: final == start */
	enum time_kind kind;      /* of an MPI call */
	bool mpi;                 /* an MPI call: its time is no computation */
	bool tracer;              /* the tracer's buffer write: likewise */
	bool collective;
	bool starts;              /* MPI_Start, MPI_Startall: a collective right inside is a persistent one that starts */
	const char *op;           /* "Allreduce" */
	bool defined;             /* by a record, not just known */
	bool unnamed;             /* neither defined nor known: shown by number */
	bool distrust;            /* Ibsend, Irsend, Cancel: what they do is not logged in full */
	struct cargo_place size;  /* a collective's byte count, in its start's cargo; of PAS2P_size: that of the message which follows */
	struct cargo_place root;  /* its root, likewise: a rank on its communicator */
	struct cargo_place cpu_sample; /* of the process CPU clock */
	enum def_request requests;     /* what is said of what has a number (docs/internals/tracer.md) */
	struct cargo_place request, count; /* the number, and of how many it is the first */
	struct cargo_place gathering; /* the number of a call that all members of its communicator make together */
	struct cargo_place neighbour; /* a rank that the process receives from in neighbourhood collectives */
	struct cargo_place low, high; /* bounds of rank 0's time less the record's, measured by the tracer */
	struct cargo_place node, ranks, cpus, waited; /* what the tracer says of the process's node; all or none */
};

#define DEFS_DIRECT 8192

struct defs {
	struct def *list;
	uint32_t count;
	size_t cap;
	uint32_t direct[DEFS_DIRECT]; /* etype 0 .. DEFS_DIRECT-1 -> def << 2 | role; 0: not known */
	struct map *others;
	struct arena *arena;
	bool new_collective; /* a definition makes a collective of an etype that defs_maybe_collective() had denied */
	bool cpu_samples; /* some definition has a CPU sample */
	bool own_tracer;  /* that of pas2p: it logs Ibsend, Irsend and cancelled requests in full, as MPE does not */
	bool memory_failed;
	int32_t proc_null; /* the MPI's value of MPI_PROC_NULL; INT32_MIN: not known */
	double clock_error; /* as trace->clock_error */
	int32_t cost_low, cost_high; /* ps, of all definitions; 0: none says so */
	bool cost_impossible; /* one of them cannot be */
	unsigned clocks;   /* as trace->clocks */
};

enum err_code defs_init(struct defs *defs, struct arena *arena, struct err *e);
void defs_release(struct defs *defs);

void defs_add_state(struct defs *defs, const struct clog2_statedef *record);
void defs_add_event(struct defs *defs, const struct clog2_eventdef *record);
void defs_add_const(struct defs *defs, const struct clog2_constdef *record);

/* For a constant: does it say what a record costs, and can that not be? */
bool defs_impossible_cost(const struct clog2_constdef *record);
/* Is what they say together known? */
bool defs_know_cost(const struct defs *defs);

/* Make an unnamed state or solo event of an etype that is used but not defined. */
void defs_need(struct defs *defs, int32_t etype);

/* The def and role of an etype: *role ETYPE_NOTHING if it means nothing. */
uint32_t defs_find_slow(const struct defs *defs, int32_t etype, enum etype_role *role);
static inline uint32_t defs_find(const struct defs *defs, int32_t etype, enum etype_role *role)
{
	if (etype >= 0 && etype < DEFS_DIRECT && defs->direct[etype]) {
		*role = (enum etype_role)(defs->direct[etype] & 3);
		return defs->direct[etype] >> 2;
	}
	return defs_find_slow(defs, etype, role);
}

/* May a record of this etype start a collective? Known before any definition is. */
bool defs_maybe_collective(const struct defs *defs, int32_t etype);
/* The same for all etypes from 0 to DEFS_DIRECT - 1: for a hot path. */
void defs_maybe_table(const struct defs *defs, uint8_t table[DEFS_DIRECT]);

/* Is some user state a collective? */
bool defs_user_collectives(const struct defs *defs);

/* The number at a place of a cargo, big-endian as packed; *little: the same bytes read the other way round. */
double cargo_number(const struct cargo_place *at, const uint8_t cargo[32], double *little);
/* The same as a whole number of bytes, exactly; -1: it is none. */
int64_t cargo_whole(const struct cargo_place *at, const uint8_t cargo[32]);

#endif

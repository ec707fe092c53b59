/* Canonical types: types of events that mean the same in every run (docs/studies.md 1).
 *
 *     struct canonical a, b;
 *     canonical_init(&a, trace_a, &e); canonical_init(&b, trace_b, &e);
 *     canonical_joint(&a, &b, of_b);                           of_b: b.count numbers
 *     canonical_type(&a, ta->type[x]) == canonical_as(of_b, canonical_type(&b, tb->type[y]))    the same type?
 *
 * A message's type says by itself who its partner is. A collective's is on (members of its communicator, k): the k-th
 * communicator with these members in the order of the trace's numbers for them, counting only those on which
 * collectives happen. So the numbers that an MPI library or a tracer gives do not matter. As an event_type it is
 * EVENT_COLLECTIVE | i, where i is a number in `list`, of this run alone.
 *
 * As text in files: "+2", "-1", "CBcast 0,1,2,3 1": operation, members, k. Members are ranks from 0, partners count
 * from 1. For people: ">1", "<0", "Bcast 0,1,2,3 1".
 *
 * Readable from any thread once made. It keeps nothing of the trace.
 */
#ifndef PAS2P_CANONICAL_H
#define PAS2P_CANONICAL_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/base/index.h"
#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/trace/trace.h"

struct canonical_collective {
	const char *op;           /* "Allreduce", safe text */
	const uint32_t *members;  /* ascending */
	uint32_t member_count;
	uint32_t nth;             /* k, from 1 */
};

struct canonical {
	struct arena arena;
	struct canonical_collective *list; /* none twice */
	uint32_t count;
	uint32_t *of_coll;        /* of a trace's type (index into trace.colls): index into list; of one without events UINT32_MAX */
	/* While it grows. */
	size_t cap;
	struct index index;
};

/* Of a trace as it was loaded. ERR_MEMORY. Of one that the ranks of a team share (trace_far.h) all ranks call it, and
 * all get the same: it meets. */
enum err_code canonical_init(struct canonical *c, const struct trace *t, struct err *e);
void canonical_release(struct canonical *c); /* fine after a failed init, and twice */

/* For who reads types from elsewhere: a struct that is all zero, and types put in one by one; members ascending. *at:
 * its number. */
enum err_code canonical_add(struct canonical *c, const char *op, const uint32_t *members, uint32_t member_count, uint32_t nth,
			    uint32_t *at, struct err *e);

/* The canonical type of an event of the trace that c was made of. */
static inline event_type canonical_type(const struct canonical *c, event_type type)
{
	return EVENT_KIND(type) == EVENT_COLLECTIVE ? EVENT_COLLECTIVE | c->of_coll[EVENT_INDEX(type)] : type;
}

/* of_b[i]: what b's collective i is in a's list; what a does not have gets a number of its own from a->count on. */
void canonical_joint(const struct canonical *a, const struct canonical *b, uint32_t *of_b);

/* A canonical type of b as one of a, to be compared. */
static inline event_type canonical_as(const uint32_t *of_b, event_type canonical)
{
	return EVENT_KIND(canonical) == EVENT_COLLECTIVE ? EVENT_COLLECTIVE | of_b[EVENT_INDEX(canonical)] : canonical;
}

enum type_style {
	TYPES_IN_FILES, /* "+2", "-1", "+?", "CBcast 0,1,2,3 1" */
	TYPES_SHOWN     /* ">1", "<0", ">?", "Bcast 0,1,2,3 1" */
};
void canonical_print(const struct canonical *c, event_type canonical, enum type_style style, struct out *out);

#endif

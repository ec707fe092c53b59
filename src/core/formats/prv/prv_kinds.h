/* What a Paraver trace's numbers are called, told to the maker: calls, functions, states; counters; types of events
 * that mean nothing here.
 */
#ifndef PAS2P_PRV_KINDS_H
#define PAS2P_PRV_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/trace/mpi_functions.h"
#include "core/trace/trace_make.h"
#include "prv_names.h"
#include "prv_records.h"
#include "prv_scan.h"

#define PRV_DIRECT 512

struct prv_kind {
	bool collective;
	bool rooted;          /* a collective that has a root */
	uint32_t op;          /* the first kind with the same operation */
	const char *op_name;  /* "Allreduce" */
};

struct prv_kinds {
	struct prv_kind *list; /* by kind */
	uint32_t count;
	const struct prv_scan *scan;
	uint32_t first;        /* the kind of the scan's first name; the others follow in its order */
	uint32_t flush;        /* the tracer's own writing */
	uint32_t others[PRV_STATES]; /* per class of calls, and functions: what is beyond those that are told from each other */
	uint32_t direct[PRV_STATES][PRV_DIRECT]; /* kind + 1 */
	uint32_t counter;      /* the maker's number of the counter that is wanted; MAKE_NO_NUMBER: none */
	uint32_t *counter_of;  /* per name of the scan's types; MAKE_NO_NUMBER: it is no counter */
};

/* The counter whose readings are to be kept, as of prv_scan(). */
uint64_t prv_wanted_counter(const struct maker *maker, const struct prv_names *names);

/* Release them also after an error. */
enum err_code prv_kinds_init(struct prv_kinds *kinds, struct maker *maker, const struct prv_scan *scan, const struct prv_names *names,
			     uint64_t counter, struct err *e);
void prv_kinds_release(struct prv_kinds *kinds);

uint32_t prv_kind_find(const struct prv_kinds *kinds, enum prv_class class, uint64_t value);
static inline uint32_t prv_kind_of(const struct prv_kinds *kinds, enum prv_class class, uint64_t value)
{
	if (__builtin_expect(class < PRV_STATES && value < PRV_DIRECT && kinds->direct[class][value], 1))
		return kinds->direct[class][value] - 1;
	return prv_kind_find(kinds, class, value);
}

/* What is only counted, told by the share that has the first process. */
void prv_kinds_count(const struct prv_kinds *kinds, struct make_share *share);

#endif

/* What the lists of metrics share: the cells of an account, and which columns there are (docs/metrics.md, "JSON and
 * YAML"). Each list has the columns of list_metrics_account.def, most those of list_metrics_factors.def, and its own.
 *
 * Where a trace has no account (no MPI call is in it), all that an account would say is empty, never 0.
 */
#ifndef PAS2P_LIST_METRICS_H
#define PAS2P_LIST_METRICS_H

#include "columns.h"
#include "core/metrics/metrics_rows.h"

/* METRICS_SHARED: accounts and factors; METRICS_OWN: what a list has besides. METRICS_PATH: what csv writes in place of
 * a list. METRICS_PEERS: of processes, whom each has to do with, which the workbench shows. METRICS_GAIN: what takes a replay a row. */
enum { METRICS_OWN = 1, METRICS_SHARED = 2, METRICS_PATH = 4, METRICS_PEERS = 8, METRICS_GAIN = 16 };
#define METRICS_ALL (METRICS_OWN | METRICS_SHARED)

static inline double account_hidden(const struct account *a)
{
	return a->hidden;
}

static inline double account_not_analysed(const struct account *a)
{
	return a->not_analysed;
}

static inline double account_not_analysed_transfer(const struct account *a)
{
	return a->not_analysed_transfer;
}

/* a NULL: there is none. */
static inline struct cell metrics_spent(const struct account *a, enum account_kind k)
{
	return a ? cell_figure(a->by_kind[k]) : cell_empty();
}

static inline struct cell metrics_summed(const struct account *a, double (*sum)(const struct account *))
{
	return a ? cell_figure(sum(a)) : cell_empty();
}

#endif

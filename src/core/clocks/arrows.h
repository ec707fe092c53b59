/* Arrows that go back: each message and each end of a collective that is stamped before what it needs
 * (docs/explain/clocks-bounds.md, "Terms"), to be drawn.
 *
 *     clock_arrows_new(&a, report, progress, &e);  as many as clock_report_found() says
 *     clock_arrow_of(a, receive)                   NULL: it does not go back
 *     clock_arrows_free(a);
 *
 * A collective's arrow goes from the other member that began last to the one that ended before. Times are the trace's
 * own, s. By `to`, of which there is one each. Immutable once made; 32 bytes each.
 */
#ifndef PAS2P_CORE_CLOCKS_ARROWS_H
#define PAS2P_CORE_CLOCKS_ARROWS_H

#include "report.h"

struct clock_arrow {
	uint32_t from, to;  /* events: send and receive, or the two members' */
	double left, came;  /* came < left + latency */
	bool collective;
};

struct clock_arrows {
	struct clock_arrow *list;
	uint32_t count;
	double longest;     /* s: the largest left - came */
};

/* ERR_CANCELLED, ERR_MEMORY. */
enum err_code clock_arrows_new(struct clock_arrows **out, const struct clock_report *r, const struct progress *progress, struct err *e);
void clock_arrows_free(struct clock_arrows *a); /* NULL is fine */

/* Of those that come to a process, the number of the first one at that time or later (as far as its clock runs
 * forward). O(log arrows). */
uint32_t clock_arrows_from(const struct clock_arrows *a, const struct trace *t, uint32_t process, double time);

const struct clock_arrow *clock_arrow_of(const struct clock_arrows *a, uint32_t to);
/* Of the messages from one process to another that which goes back most, the first of several; NULL: none does. */
const struct clock_arrow *clock_arrow_worst(const struct clock_arrows *a, const struct trace *t, uint32_t from, uint32_t to);

#endif

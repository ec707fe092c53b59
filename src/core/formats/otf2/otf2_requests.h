/* The requests of a location that are open: a set that forgets (docs/formats.md 2). Ids are any numbers; some tracers
 * use them again, and the last one to begin counts.
 */
#ifndef PAS2P_OTF2_REQUESTS_H
#define PAS2P_OTF2_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct otf_request {
	uint64_t id;
	uint64_t what;         /* the caller's, not 0 */
};

struct otf_requests {
	struct otf_request *slots; /* open addressing; what 0: free */
	size_t count, size;    /* size: a power of 2, or 0 */
};

void otf_requests_release(struct otf_requests *requests);

/* Put or replace; *before: what it was, 0: none. False: no memory. */
bool otf_requests_put(struct otf_requests *requests, uint64_t id, uint64_t what, uint64_t *before);
/* Take out; 0: it is not there. */
uint64_t otf_requests_take(struct otf_requests *requests, uint64_t id);
/* All that are left, in no order: begin with *at 0. 0: no more. */
uint64_t otf_requests_each(const struct otf_requests *requests, size_t *at);
void otf_requests_clear(struct otf_requests *requests);

#endif

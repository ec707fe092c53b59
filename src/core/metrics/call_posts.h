/* What a process has begun and not completed yet, by the numbers that its trace gives it (docs/tracer.md, "What
 * completes when"): nonblocking receives and collectives. Numbers come from a file: any may come twice, or never. Of
 * what has the same number the last one stands. Memory: 32 bytes for each that is open, whatever their numbers are. */
#ifndef PAS2P_CALL_POSTS_H
#define PAS2P_CALL_POSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct list_build;

struct call_post {
	uint32_t request;        /* from 1 */
	uint32_t count;          /* so many, with this number and those that follow */
	uint32_t call, event;    /* the call of the list that began it; the collective that it is, NO_EVENT: receives */
	struct list_build *list;
	uint32_t left;           /* call_posts' own: so many of them are open */
};

struct call_posts {
	struct call_post *slots; /* single ones, by number; request 0: free */
	uint32_t room, used;     /* room: 0 or a power of two */
	struct call_post *ranges; /* several at once; the last ones are looked at first */
	uint32_t range_count;
	size_t range_cap;
};

/* False: no memory. */
bool call_posts_add(struct call_posts *p, struct call_post post);
/* The one that has this number is not open any more. False: none has. */
bool call_posts_take(struct call_posts *p, uint32_t request, struct call_post *out);
void call_posts_release(struct call_posts *p);

#endif

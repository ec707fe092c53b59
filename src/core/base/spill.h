/* Memory that spills: large blocks lie in files of a scratch folder, so that a trace may be larger than memory
 * (docs/internals/scale.md 4).
 *
 * From spill_begin() on, whatever mem.h hands out of SPILL_LEAST bytes and more is a mapping of a file that has no name
 * any more: it is gone with the process, however that ends. The whole block is reserved on the disk when it is made, so
 * that a full one is an allocation that fails. A thread of its own looks every millisecond at what of the process is
 * resident, and over the limit lets go of all pages of such blocks: the system writes those that have changed to their
 * files, and they come back when they are touched. Results do not depend on it.
 *
 * It is a state of the process, like mem_fail_after(): set up once, before anything is allocated that is to spill, by
 * who reads the options. All functions may be called from any thread.
 */
#ifndef PAS2P_SPILL_H
#define PAS2P_SPILL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define SPILL_LEAST ((size_t)256 << 10)

/* The process's memory is to stay at about `limit` bytes; files go to the folder, which is not followed by name again.
 * ERR_USAGE: no file can be made there. Once it is on, another call changes nothing. */
enum err_code spill_begin(uint64_t limit, const char *folder, struct err *e);
void spill_end(void); /* blocks that there are stay until they are freed */

/* For mem.c. New blocks are cleared. NULL: no room. spill_resize() is of a block that spill_has(); its old contents
 * stay where NULL comes back. */
void *spill_alloc(size_t bytes);
bool spill_has(const void *p);
void *spill_resize(void *p, size_t bytes);
void spill_free(void *p);

/* Why an allocation failed, where the scratch folder is the reason: a clause, "the scratch folder /tmp: No space left
 * on device". NULL: it is not. In memory of the caller. */
const char *spill_failure(char buf[ERR_TEXT]);

extern atomic_bool spill_is_on;

static inline bool spill_on(void)
{
	return atomic_load_explicit(&spill_is_on, memory_order_relaxed);
}

#endif

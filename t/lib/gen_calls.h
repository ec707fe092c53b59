/* Runs written call by call: what metrics are made of, as CLOG2 bytes.
 *
 *     struct gen_calls *g = gen_calls_new(2, NULL);
 *     gen_begin(g, 0, 4.0, "MPI_Send");         process 0 (thread 0) begins; any name: known MPI functions, otherwise a state
 *     gen_message(g, 0, 4.0, true, 1, 8, 0);    a send to 1 of 8 bytes, tag 0 (false: a receive from 1)
 *     gen_end(g, 0, 5.0, "MPI_Send");
 *     gen_mark(g, 0, 20.0);                     a record that means nothing
 *     struct gen_bytes b = gen_calls_bytes(g);  frees g
 *
 * Records of a process come in the order in which they are told; all are on the world. The thread is that of
 * gen_thread(), 0 at first.
 */
#ifndef PAS2P_GEN_CALLS_H
#define PAS2P_GEN_CALLS_H

#include <stdbool.h>

#include "gen_clog2.h"

struct gen_calls;
struct gen_calls *gen_calls_new(int32_t processes, const struct clog2_write_options *o); /* o NULL: as MPE writes */
void gen_thread(struct gen_calls *g, int32_t thread);
void gen_begin(struct gen_calls *g, int32_t process, double time, const char *name);
void gen_end(struct gen_calls *g, int32_t process, double time, const char *name);
void gen_call(struct gen_calls *g, int32_t process, double start, double end, const char *name);
void gen_rooted(struct gen_calls *g, int32_t process, double start, double end, const char *name, int32_t root); /* root in its cargo */
void gen_sized(struct gen_calls *g, int32_t process, double start, double end, const char *name, uint8_t bytes); /* bytes in its cargo */
void gen_message(struct gen_calls *g, int32_t process, double time, bool send, int32_t partner, int32_t bytes, int32_t tag);
void gen_mark(struct gen_calls *g, int32_t process, double time);
void gen_cpu(struct gen_calls *g, int32_t process, double time, double seconds); /* a CPU sample */
struct gen_bytes gen_calls_bytes(struct gen_calls *g);

/* The vectors of docs/reference/metrics.md. `late`: process 1's clock is so many seconds ahead. */
struct gen_bytes gen_tiny(const struct clog2_write_options *o, double late);
struct gen_bytes gen_twisted(const struct clog2_write_options *o, double late);

#endif

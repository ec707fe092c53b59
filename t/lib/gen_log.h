/* Call logs made by hand, and random ones: what a program did, call by call, without a trace file.
 *
 *     struct gen_log *g = gen_log_new(2);
 *     gen_log_list(g, 0, 0, 0, 20);                          process 0, thread 0: records from 0 to 20 s
 *     uint32_t c = gen_log_call(g, "MPI_Send", 4, 5);        a call of the list begun last
 *     gen_event send = gen_log_send(g, c, 1, 8);        in it: 8 bytes to process 1
 *     struct call_log *log = gen_log_made(g);           frees g; numbered by process, thread and then order
 *     gen_log_free(log);                               and its trace
 *
 * Calls of a list are given in order of time. Messages of which nothing is said are related FIFO; gen_log_relate() is
 * gen_relate().
 */
#ifndef PAS2P_GEN_LOG_H
#define PAS2P_GEN_LOG_H

#include "core/metrics/calls/log.h"
#include "gen.h"

struct gen_log;
struct gen_log *gen_log_new(uint32_t processes);
void gen_log_list(struct gen_log *g, uint32_t process, int32_t thread, double start, double stop);
void gen_log_state(struct gen_log *g, const char *name); /* calls from here on are made in it; NULL: in none */
uint32_t gen_log_call(struct gen_log *g, const char *name, double start, double end);
gen_event gen_log_send(struct gen_log *g, uint32_t call, uint32_t to, uint64_t size);
gen_event gen_log_receive(struct gen_log *g, uint32_t call, uint32_t from, uint64_t size);
gen_event gen_log_collective(struct gen_log *g, uint32_t call, const char *op);
void gen_log_relate(struct gen_log *g, gen_event a, gen_event b);
struct call_log *gen_log_made(struct gen_log *g);
void gen_log_free(struct call_log *log);

/* A random program's run, whose clocks agree: nobody is served before the other has come. With `even` times are whole
 * numbers, so that many things happen at once. */
struct call_log *gen_log_run(uint64_t seed, bool even);
/* Anything: relations at random, so that calls wait for each other in circles and clocks disagree. */
struct call_log *gen_log_wild(uint64_t seed);

#endif

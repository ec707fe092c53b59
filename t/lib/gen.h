/* Traces made from nothing: a builder, the examples of the method, and random ones.
 *
 *     struct gen *g = gen_new(2);
 *     gen_send(g, 0, 1, 8);                 process 0 sends 8 bytes to process 1
 *     gen_receive(g, 1, 0, 8);
 *     struct trace *t = gen_trace(g);       related FIFO; frees g
 *     trace_free(t);
 *
 * Each process has a clock that gen_spend() advances; an event takes its process's time, and what is spent
 * before the next one is its compute time. Random traces depend on nothing but their seed.
 */
#ifndef PAS2P_GEN_H
#define PAS2P_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/settings/settings.h"
#include "core/trace/trace.h"

struct gen;
struct gen *gen_new(uint32_t processes);
struct trace *gen_trace(struct gen *g);
/* For a trace that has no large sizes: all that are known become so many times as large. */
void gen_enlarge(struct trace *t, uint64_t factor);

/* Append an event; returned is a handle for gen_relate() and gen_with(). */
typedef uint32_t gen_event;
gen_event gen_send(struct gen *g, uint32_t from, uint32_t to, uint64_t size);
gen_event gen_receive(struct gen *g, uint32_t at, uint32_t from, uint64_t size);
gen_event gen_collective(struct gen *g, uint32_t process, const char *op, uint32_t comm, uint64_t size);
void gen_with(struct gen *g, gen_event e, uint32_t comm, int32_t tag);
/* Relate these two, or with GEN_NONE leave a without relation; messages of which nothing is said are
 * related FIFO per communicator, source, destination and tag. Collectives: b joins the ring of a. */
#define GEN_NONE UINT32_MAX
void gen_relate(struct gen *g, gen_event a, gen_event b);

void gen_spend(struct gen *g, uint32_t process, double seconds); /* compute time after its last event */
void gen_clock(struct gen *g, uint32_t process, double time);    /* set its clock; no compute time */
double gen_now(const struct gen *g, uint32_t process);

/* Rows as the method writes them, "2 -2 1 -1": +K sends to, -K receives from process K, from 1; 8 bytes. */
void gen_row(struct gen *g, uint32_t process, const char *row);

/* The examples of the method (thesis figures 3.14, 3.10-3.12, 3.20-3.25), and wavefronts over a grid of
 * width x height processes: receive from west and north, send to east and south, and every second sweep
 * the other way. A fan: each worker sends two messages to one master, which takes them in random order. */
struct trace *gen_cg(uint32_t iterations);
struct trace *gen_smg(uint32_t iterations);
struct trace *gen_windows(void);
struct trace *gen_fan(uint32_t workers, uint32_t rounds, uint64_t seed);
/* Irregular: few processes, hundreds of messages whose sizes vary, some by little; so hundreds of phases of one
 * length. */
struct trace *gen_irregular(uint64_t seed);
struct trace *gen_wavefront(uint32_t width, uint32_t height, uint32_t sweeps, double step);

/* A small random trace. GEN_CAUSAL has nothing that cannot happen: no cycle, no lost partner, no mismatch,
 * and times that move forward. GEN_LOOP is causal and repeats itself, with noise. GEN_WILD has everything. */
enum gen_kind { GEN_CAUSAL, GEN_LOOP, GEN_WILD, GEN_KINDS };
struct trace *gen_random(uint64_t seed, enum gen_kind kind);
void gen_settings(uint64_t seed, struct settings *s);

/* The generator behind it: the next number below n, from *state (any seed). */
uint32_t gen_below(uint64_t *state, uint32_t n);

#endif

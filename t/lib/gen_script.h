/* CLOG2 bytes of runs made of calls: written by hand, record by record, or at random.
 *
 *     struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
 *     script_enter(g, 0, 4, "MPI_Send");             process 0, at 4 s
 *     script_sent(g, 0, 4, 1, 0, 8);                 to rank 1 of the world, tag 0, 8 bytes
 *     script_leave(g, 0, 5, "MPI_Send");
 *     struct gen_bytes b = gen_script_bytes(g);    frees g; free(b.bytes)
 *
 * Records go into the file in the order in which they are told. Functions that MPE does not know, and user states, get
 * a definition at the file's end.
 */
#ifndef PAS2P_GEN_SCRIPT_H
#define PAS2P_GEN_SCRIPT_H

#include "gen_clog2.h"

struct gen_script;

struct gen_script_options {
	int32_t threads;          /* 0: 1 */
	bool little_endian;
	uint32_t block_size;      /* 0: 4096 */
	const char *const *hosts; /* per process; NULL: all on one */
	const double *shift;      /* per process: added to all its times; NULL: 0 */
};

struct gen_script *gen_script_new(int32_t processes, const struct gen_script_options *o);
struct gen_bytes gen_script_bytes(struct gen_script *g);

/* Of what comes next: the thread (0), and the communicator (0, the world). */
void script_thread(struct gen_script *g, int32_t thread);
void script_on(struct gen_script *g, int32_t comm);
/* A communicator of these processes, ranked in this order; before anything else is told. */
int32_t script_communicator(struct gen_script *g, const int32_t *members, int32_t count);

void script_enter(struct gen_script *g, int32_t process, double time, const char *state);
void script_leave(struct gen_script *g, int32_t process, double time, const char *state);
void script_during(struct gen_script *g, int32_t process, double from, double to, const char *state); /* both */
/* As the tracer of pas2p writes them: with who is the root, and the number of what it begins or, as MPE_Irecv_waited,
 * completes; -1, 0: none. */
void script_enter_told(struct gen_script *g, int32_t process, double time, const char *state, int32_t root, int32_t request);
/* Likewise with the number of a call that all members of the communicator make together; and from which rank of it the process
 * receives in neighbourhood collectives. */
void script_enter_gathering(struct gen_script *g, int32_t process, double time, const char *state, int32_t number);
void script_neighbour(struct gen_script *g, int32_t process, double time, int32_t rank);
/* "PAS2P_posted", "PAS2P_completed" */
void script_solo_told(struct gen_script *g, int32_t process, double time, const char *event, int32_t request, int32_t count);
void script_solo(struct gen_script *g, int32_t process, double time);     /* a record of no meaning */
/* Its clock shows so much more than its times from here on (CLOG2_TIMESHIFT). */
void script_shifted(struct gen_script *g, int32_t process, double time, double shift);
/* The tracer measured: process 0's clock less this one's lies between these. */
void script_clock(struct gen_script *g, int32_t process, double time, double low, double high);
/* partner: a process, of the communicator */
void script_sent(struct gen_script *g, int32_t process, double time, int32_t partner, int32_t tag, int32_t size);
void script_received(struct gen_script *g, int32_t process, double time, int32_t partner, int32_t tag, int32_t size);

/* A random run: point to point in all forms, collectives on the world and on a half of it, user states that overlap and
 * recurse. GEN_SCRIPT_TIDY has clocks that agree and whatever its trace says could have happened so. GEN_SCRIPT_MESSY
 * has clocks that are shifted and step back, states without ends and ends without starts, lost messages, messages
 * outside of calls, calls within calls, cycles. The NUMBERED ones are the same with roots, and with numbers of what
 * completes where: nearly all of it in a tidy one, anything in a messy one. The same seed gives the same run, whatever
 * the options. */
enum gen_script_kind { GEN_SCRIPT_TIDY, GEN_SCRIPT_MESSY, GEN_SCRIPT_NUMBERED, GEN_SCRIPT_NUMBERED_MESSY };
struct gen_bytes gen_script_random(uint64_t seed, enum gen_script_kind kind, const struct gen_script_options *o);

/* The two examples of the metrics' definition. */
struct gen_bytes gen_script_tiny(const struct gen_script_options *o);
struct gen_bytes gen_script_twisted(const struct gen_script_options *o);

#endif

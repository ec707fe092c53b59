/* The program that `pas2p pingpong` and `pas2p machine` start in every process of a job (docs/internals/model-rules.md,
 * "Measuring messages"; docs/explain/models-language.md, "Machine files"). It measures, and rank 0 prints the answer
 * (core/models/machine/machine.h).
 *
 *     pas2p-pingpong messages OP,OP,... LOW HIGH SECONDS     sizes from LOW to HIGH bytes, in about so many seconds
 *     pas2p-pingpong machine SHARED                          operations on one rank per node; SHARED 1: on all its cores at once, too
 */
#include <ctype.h>
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/models/machine/machine.h"
#include "core/models/machine/pingpong_plan.h"
#include "pingpong_ops.h"
#include "probe.h"

#define TAG_ROWS 3
#define ROOM_MOST ((uint64_t)256 << 20) /* bytes of a rank's buffer */
#define LOOKS 10000                     /* at the clock, for its resolution */
#define MARK "pas2p-pingpong "

/* ---- who measures with whom: nodes, and the groups of ranks that the launch offers (docs/internals/model-rules.md,
 * "Measuring messages") ---- */

struct who {
	int rank, size;
	int *node;       /* per rank: the lowest rank on its node */
	int nodes;
};

/* Some ranks that measure together. */
struct group {
	const char *where; /* "intra": on one node; "inter": not */
	int first, second; /* a pair; second -1: ranks 0 ... count-1 */
	int count;
};

/* Collective over the world. */
static void who_find(struct who *w)
{
	MPI_Comm node;
	int lowest;

	MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &w->size);
	w->node = must(malloc((size_t)w->size * sizeof *w->node));
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, w->rank, MPI_INFO_NULL, &node);
	MPI_Allreduce(&w->rank, &lowest, 1, MPI_INT, MPI_MIN, node);
	MPI_Comm_free(&node);
	MPI_Allgather(&lowest, 1, MPI_INT, w->node, 1, MPI_INT, MPI_COMM_WORLD);
	w->nodes = 0;
	for (int i = 0; i < w->size; i++)
		w->nodes += w->node[i] == i;
}

static void who_release(struct who *w)
{
	free(w->node);
}

static bool find_intra(const struct who *w, struct group *g)
{
	for (int i = 0; i < w->size; i++)
		for (int k = i + 1; k < w->size; k++)
			if (w->node[k] == w->node[i]) {
				*g = (struct group){"intra", i, k, 2};
				return true;
			}
	return false;
}

static bool find_inter(const struct who *w, struct group *g)
{
	for (int k = 1; k < w->size; k++)
		if (w->node[k] == k) {
			*g = (struct group){"inter", 0, k, 2};
			return true;
		}
	return false;
}

/* Pair number i: the first two ranks on one node, the first of two nodes. False: there are no more. */
static bool who_pair(const struct who *w, int i, struct group *g)
{
	bool intra = find_intra(w, g);

	if (i == 0 && intra)
		return true;
	return i == (intra ? 1 : 0) && find_inter(w, g);
}

/* Of all, number i: 2, 4, 8 ... and all. */
static bool who_all(const struct who *w, int i, struct group *g)
{
	int count = 2;

	for (; i > 0 && count < w->size; i--)
		count *= 2;
	if (i > 0 || w->size < 2)
		return false;
	*g = (struct group){"intra", 0, -1, count < w->size ? count : w->size};
	for (int k = 1; k < g->count; k++)
		if (w->node[k] != w->node[0])
			g->where = "inter";
	return true;
}

static bool who_is_in(const struct who *w, const struct group *g)
{
	return g->second < 0 ? w->rank < g->count : w->rank == g->first || w->rank == g->second;
}

/* ---- the measurement ---- */

struct pingpong_work {
	struct who who;
	bool op[PINGPONG_OPS];
	uint64_t low, high;
	double seconds, begun, resolution;
	double parts, parts_done; /* of the time, in sizes */
	uint64_t lines;           /* printed */
};

/* One operation between some ranks. */
struct round {
	const struct timed_op *op;
	struct group group;
	struct bout bout;
	uint64_t sizes[PINGPONG_SIZES];
	uint32_t size_count;
	bool cut;                 /* sizes that would need more memory than is good are left out */
};

static void work_print_line(struct pingpong_work *j, const char *line)
{
	puts(line);
	j->lines++;
}

/* ---- a round: rank 0 of the group says what, all of them do it ---- */

/* What is to be done, at all of them. */
static void hand_round(struct bout *b, uint64_t bytes, uint32_t batch, uint32_t count)
{
	uint64_t order[3] = {bytes, batch, count};

	MPI_Bcast(order, 3, MPI_UINT64_T, 0, b->comm);
	b->bytes = (int)order[0];
	b->batch = (int)order[1];
	b->count = (int)order[2];
}

static void repeat(void *arg, uint64_t bytes, uint32_t batch, uint32_t count, double *seconds)
{
	struct round *r = arg;
	size_t fit = bytes ? r->bout.room / bytes : batch; /* messages under way have places of their own */

	hand_round(&r->bout, bytes, batch < fit ? batch : (uint32_t)fit, count);
	r->op->run(&r->bout, seconds);
}

static void round_obey(struct round *r)
{
	double unused[REPETITIONS_MOST];

	for (;;) {
		hand_round(&r->bout, 0, 0, 0);
		if (!r->bout.count)
			return;
		r->op->run(&r->bout, unused);
	}
}

static double bench_now(void *arg)
{
	(void)arg;
	return clock_seconds();
}

static double parts_of(const struct round *r)
{
	return r->size_count > 1 ? r->size_count + PINGPONG_REFINED : 1;
}

static void round_lead(const struct pingpong_work *j, struct round *r, struct pingpong_series *s)
{
	const struct pingpong_bench bench = {repeat, bench_now, r};
	double left = j->begun + j->seconds - clock_seconds();
	const struct pingpong_plan plan = {.refine = r->size_count > 1, .resolution = j->resolution,
					   .seconds = left * parts_of(r) / (j->parts - j->parts_done)};

	pingpong_run(s, r->sizes, r->size_count, &plan, &bench);
	hand_round(&r->bout, 0, 0, 0);
}

static void print_series(struct pingpong_work *j, const struct round *r, const struct pingpong_series *s)
{
	char line[160];

	if (r->cut) {
		snprintf(line, sizeof line, MARK "cut %s %d %llu", r->op->name, r->group.count, (unsigned long long)r->sizes[r->size_count - 1]);
		work_print_line(j, line);
	}
	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t k = 0; k < s->point[i].count; k++) {
			snprintf(line, sizeof line, MARK "x %s %s %llu %d %.9g", r->op->name, r->group.where,
				 (unsigned long long)s->point[i].bytes, r->group.count, s->point[i].seconds[k]);
			work_print_line(j, line);
		}
	fflush(stdout);
}

static void run_round(struct pingpong_work *j, struct round *r)
{
	bool in = who_is_in(&j->who, &r->group);
	struct pingpong_series *s = must(calloc(1, sizeof *s));

	meet(MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, j->who.rank, &r->bout.comm);
	if (in) {
		MPI_Comm_rank(r->bout.comm, &r->bout.rank);
		MPI_Comm_size(r->bout.comm, &r->bout.size);
		r->bout.room = pingpong_room(r->op, r->group.count, r->sizes[r->size_count - 1]);
		r->bout.out = must(malloc(r->bout.room));
		r->bout.in = must(malloc(r->bout.room));
		memset(r->bout.out, 0, r->bout.room);
		memset(r->bout.in, 0, r->bout.room);
		if (r->bout.rank == 0)
			round_lead(j, r, s);
		else
			round_obey(r);
		free(r->bout.out);
		free(r->bout.in);
		MPI_Comm_free(&r->bout.comm);
	}
	if (j->who.rank == r->group.first && j->who.rank)
		MPI_Send(s, sizeof *s, MPI_BYTE, 0, TAG_ROWS, MPI_COMM_WORLD);
	if (j->who.rank == 0) {
		if (r->group.first)
			receive_asleep(s, sizeof *s, r->group.first, TAG_ROWS, MPI_COMM_WORLD);
		print_series(j, r, s);
	}
	free(s);
}

/* ---- all rounds, the same at each rank ---- */

static void plan_round(const struct pingpong_work *j, struct round *r)
{
	uint64_t all = r->op->who == PINGPONG_ALL ? (uint64_t)r->group.count : 1;

	r->size_count = r->op->who == PINGPONG_SYNC ? 1 : pingpong_sizes(j->low, j->high, r->sizes);
	if (r->op->who == PINGPONG_SYNC)
		r->sizes[0] = 0;
	r->cut = false;
	while (r->size_count > 1 && r->sizes[r->size_count - 1] * all > ROOM_MOST) {
		r->size_count--;
		r->cut = true;
	}
}

static void each_round(struct pingpong_work *j, void (*visit)(struct pingpong_work *j, struct round *r))
{
	struct round *r = must(malloc(sizeof *r));

	for (int op = 0; op < PINGPONG_OPS; op++)
		for (int i = 0; j->op[op]; i++) {
			*r = (struct round){.op = &pingpong_ops[op]};
			if (!(r->op->who == PINGPONG_PAIR ? who_pair : who_all)(&j->who, i, &r->group))
				break;
			plan_round(j, r);
			visit(j, r);
		}
	free(r);
}

static void count_round(struct pingpong_work *j, struct round *r)
{
	j->parts += parts_of(r);
}

static void do_round(struct pingpong_work *j, struct round *r)
{
	run_round(j, r);
	j->parts_done += parts_of(r);
}

static double find_resolution(void)
{
	double least = 1, last = clock_seconds();

	for (int i = 0; i < LOOKS; i++) {
		double next = clock_seconds();

		if (next > last && next - last < least)
			least = next - last;
		last = next;
	}
	return least;
}

static void measure_messages(struct pingpong_work *j)
{
	char line[64];

	if (j->who.rank == 0) {
		snprintf(line, sizeof line, MARK "clock %.3g", j->resolution);
		work_print_line(j, line);
	}
	each_round(j, count_round);
	j->begun = clock_seconds();
	each_round(j, do_round);
}

/* ---- operations ---- */

static void print_node(struct pingpong_work *j, const struct machine_measured *m, int rank)
{
	char line[256], shared[32] = "-";

	if (!isnan(m->shared))
		snprintf(shared, sizeof shared, "%.9g", m->shared);
	snprintf(line, sizeof line, MARK "node %d %u %s %.9g %d %s", rank, m->cores, shared, m->buffer, m->disturbed, m->host);
	work_print_line(j, line);
	for (int i = 0; i < MACHINE_FIGURES; i++) {
		snprintf(line, sizeof line, MARK "op %s %.9g %.9g", machine_figure_name((enum machine_figure)i), m->figure[i].low, m->figure[i].high);
		work_print_line(j, line);
	}
}

/* A launcher may have bound the rank to a core, but a node is all of its cores. */
static void unbind(void)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof all);
	sched_setaffinity(0, sizeof all, &all);
}

static void measure_machine(struct pingpong_work *j, bool shared)
{
	struct machine_measured m = {0};
	bool speaks = j->who.node[j->who.rank] == j->who.rank;

	if (speaks) {
		struct err e;

		unbind();
		if (machine_measure(&m, shared, NULL, &e)) {
			fprintf(stderr, "pas2p: %s\n", e.text);
			MPI_Abort(MPI_COMM_WORLD, 1);
		}
		if (j->who.rank)
			MPI_Send(&m, sizeof m, MPI_BYTE, 0, TAG_ROWS, MPI_COMM_WORLD);
	}
	for (int i = 0; j->who.rank == 0 && i < j->who.size; i++) {
		if (j->who.node[i] != i)
			continue;
		if (i)
			receive_asleep(&m, sizeof m, i, TAG_ROWS, MPI_COMM_WORLD);
		print_node(j, &m, i);
	}
}

/* ---- the command line ---- */

static bool choose_ops(struct pingpong_work *j, char *list)
{
	for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		int op = 0;

		while (op < PINGPONG_OPS && strcmp(pingpong_ops[op].name, name) != 0)
			op++;
		if (op == PINGPONG_OPS)
			return false;
		j->op[op] = true;
	}
	return true;
}

static bool read_arguments(struct pingpong_work *j, int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "machine"))
		return true;
	if (argc != 6 || strcmp(argv[1], "messages") != 0 || !choose_ops(j, argv[2]))
		return false;
	j->low = strtoull(argv[3], NULL, 10);
	j->high = strtoull(argv[4], NULL, 10);
	j->seconds = atof(argv[5]);
	return j->low <= j->high && j->high <= PINGPONG_LIMIT && j->seconds > 0;
}

/* "Open_MPI_v4.1.4": the first of what the MPI says of itself. */
static void find_library(char *to, size_t size)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;

	MPI_Get_library_version(text, &length);
	text[strcspn(text, ",\n")] = '\0';
	snprintf(to, size, "%.100s", text[0] ? text : "unknown");
	for (; *to; to++)
		if (isspace((unsigned char)*to))
			*to = '_';
}

int main(int argc, char **argv)
{
	struct pingpong_work j = {0};
	char line[320];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &j.who.rank);
	if (!read_arguments(&j, argc, argv)) {
		if (j.who.rank == 0)
			fprintf(stderr, "pas2p: %s is for pas2p pingpong and pas2p machine only\n", argv[0]);
		MPI_Finalize();
		return 2;
	}
	clock_choose("monotonic");
	j.resolution = find_resolution();
	who_find(&j.who);
	if (j.who.rank == 0) {
		char host[128], library[128];

		machine_host(host, sizeof host);
		find_library(library, sizeof library);
		snprintf(line, sizeof line, MARK "run 1 %d %d %s %s", j.who.size, j.who.nodes, host, library);
		work_print_line(&j, line);
	}
	if (!strcmp(argv[1], "machine"))
		measure_machine(&j, !strcmp(argv[2], "1"));
	else
		measure_messages(&j);
	if (j.who.rank == 0) {
		printf(MARK "end %llu\n", (unsigned long long)j.lines);
		fflush(stdout);
	}
	meet(MPI_COMM_WORLD);
	who_release(&j.who);
	MPI_Finalize();
	return 0;
}

/* The program that `pas2p clocks --measure` starts in every process of a job (docs/internals/clock-rules.md, "Rules of
 * measuring clocks"). It measures, and rank
 * 0 prints the answer (core/clocks/measured/measured.h); pas2p draws the conclusions.
 *
 *     pas2p-probe CLOCK SCHEDULE SECONDS EXCHANGES RATE_ERROR     RATE_ERROR 0: SECONDS are what they are
 */
#include "probe.h"

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define SAMPLES 20
#define WARM 10          /* exchanges that are not counted */
#define STAR_MOST 16     /* units */
#define VERIFY (-1)
#define TAG_EXCHANGE 2
#define TAG_RESULT 3
#define SHORTEST 1.0     /* s, of what --rate-error asks for */
#define LONGEST 600.0

/* ---- units: which processes share a clock (docs/internals/clock-rules.md, "Rules of measuring clocks") ---- */

#define IDENTITY 64
#define CHECKS 100
#define TAG_CHECK 1

/* What tells one clock from another: the boot, and the time namespace. */
static void find_identity(char id[IDENTITY])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	struct stat s;

	memset(id, 0, IDENTITY);
	if (f) {
		if (fread(id, 1, 36, f) != 36)
			id[0] = 0;
		fclose(f);
	}
	if (stat("/proc/self/ns/time", &s) == 0)
		snprintf(id + 40, IDENTITY - 40, "%llx", (unsigned long long)s.st_ino);
}

static void unit_answer_member(int member)
{
	for (int i = 0; i < CHECKS; i++) {
		double t;

		MPI_Recv(&t, 1, MPI_DOUBLE, member, TAG_CHECK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		t = clock_stamp();
		MPI_Send(&t, 1, MPI_DOUBLE, member, TAG_CHECK, MPI_COMM_WORLD);
	}
}

/* Virtual machines and containers may look alike and have clocks of their own: does what exchanges say allow that they
 * do not differ? */
static int agrees(int head)
{
	double low = -INFINITY, high = INFINITY;

	for (int i = 0; i < CHECKS; i++) {
		double before = clock_stamp(), there;

		MPI_Send(&before, 1, MPI_DOUBLE, head, TAG_CHECK, MPI_COMM_WORLD);
		MPI_Recv(&there, 1, MPI_DOUBLE, head, TAG_CHECK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		high = fmin(high, there - before);
		low = fmax(low, there - clock_stamp());
	}
	return low <= 0 && high >= 0;
}

/* For each process of the world the lowest rank whose clock it shares, itself perhaps. Collective. `leader` has room
 * for all. */
static void units_find(int *leader, int rank, int size)
{
	char *all = malloc((size_t)size * IDENTITY), mine[IDENTITY];
	int head = 0, own;

	find_identity(mine);
	if (!all)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Allgather(mine, IDENTITY, MPI_CHAR, all, IDENTITY, MPI_CHAR, MPI_COMM_WORLD);
	while (memcmp(all + (size_t)head * IDENTITY, mine, IDENTITY) != 0)
		head++;
	own = head;
	if (head == rank) {
		for (int i = rank + 1; i < size; i++)
			if (memcmp(all + (size_t)i * IDENTITY, mine, IDENTITY) == 0)
				unit_answer_member(i);
	} else if (!agrees(head)) {
		own = rank;
	}
	MPI_Allgather(&own, 1, MPI_INT, leader, 1, MPI_INT, MPI_COMM_WORLD);
	free(all);
}

/* ---- the exchanges ---- */

struct probe_link {
	int parent, child, round;
};

struct exchange {
	double link, sample, t1, t2, t3, t4; /* ns */
};
#define EXCHANGE_DOUBLES 6

struct unit_answer {
	int rank, ranks, constant, synchronised;
	int64_t zero;
	double interruption, frequency, frequency_error, ntp_error, ntp_maximum, ntp_frequency;
	char source[64], host[256];
	int looks;
	struct clock_look look[CLOCK_LOOKS];
};

struct clock_probe {
	const char *clock;
	double seconds, rate_error;
	int exchanges;
	int rank, size;
	MPI_Comm units;          /* of those that speak for a unit; MPI_COMM_NULL: we sleep */
	int unit, unit_count;
	int star;
	struct probe_link *link;
	int link_count, own_links; /* own: without those that only verify */
	int rounds;
	struct exchange *kept;
	size_t kept_count, kept_cap;
};

/* ---- who with whom ---- */

static void add_link(struct clock_probe *p, int parent, int child, int round)
{
	p->link[p->link_count++] = (struct probe_link){parent, child, round};
	if (p->rounds <= round)
		p->rounds = round + 1;
}

static int is_linked(const struct clock_probe *p, int parent, int child)
{
	for (int k = 0; k < p->own_links; k++)
		if (p->link[k].parent == parent && p->link[k].child == child)
			return 1;
	return 0;
}

/* Link i is that of unit i + 1. */
static void make_links(struct clock_probe *p)
{
	int n = p->unit_count, round = 0;

	p->link = must(calloc((size_t)(2 * n + 1), sizeof *p->link));
	for (int i = 1; p->star && i < n; i++)
		add_link(p, 0, i, i - 1);
	for (int width = 1; !p->star && width < n; width *= 2, round++)
		for (int i = 0; i < width && i + width < n; i++)
			add_link(p, i, i + width, round);
	p->own_links = p->link_count;
	for (int i = 0; !p->star && i < n / 2; i++)
		if (!is_linked(p, i, i + n / 2))
			add_link(p, i, i + n / 2, round);
}

/* ---- exchanges ---- */

static void probe_keep_exchange(struct clock_probe *p, const struct exchange *x)
{
	if (p->kept_count == p->kept_cap) {
		p->kept_cap = p->kept_cap ? 2 * p->kept_cap : 4096;
		p->kept = must(realloc(p->kept, p->kept_cap * sizeof *p->kept));
	}
	p->kept[p->kept_count++] = *x;
}

static void probe_ask_sample(struct clock_probe *p, int k, int sample)
{
	double there[2];

	for (int i = -WARM; i < p->exchanges; i++) {
		struct exchange x = {.link = k, .sample = sample};

		x.t1 = clock_stamp();
		MPI_Send(&x.t1, 1, MPI_DOUBLE, p->link[k].parent, TAG_EXCHANGE, p->units);
		MPI_Recv(there, 2, MPI_DOUBLE, p->link[k].parent, TAG_EXCHANGE, p->units, MPI_STATUS_IGNORE);
		x.t4 = clock_stamp();
		x.t2 = there[0];
		x.t3 = there[1];
		if (i >= 0)
			probe_keep_exchange(p, &x);
	}
}

static void probe_answer_samples(struct clock_probe *p, int k)
{
	double here[2];

	for (int i = -WARM; i < p->exchanges; i++) {
		double t;

		MPI_Recv(&t, 1, MPI_DOUBLE, p->link[k].child, TAG_EXCHANGE, p->units, MPI_STATUS_IGNORE);
		here[0] = clock_stamp();
		here[1] = clock_stamp();
		MPI_Send(here, 2, MPI_DOUBLE, p->link[k].child, TAG_EXCHANGE, p->units);
	}
}

/* All links once, round after round; the last round first when it verifies, with the links that are for that. */
static void sample(struct clock_probe *p, int number)
{
	int links = number == VERIFY ? p->link_count : p->own_links;

	for (int i = 0; i < p->rounds; i++) {
		int round = number == VERIFY ? p->rounds - 1 - i : i;

		meet(p->units);
		for (int k = 0; k < links; k++) {
			if (p->link[k].round != round)
				continue;
			if (p->link[k].child == p->unit)
				probe_ask_sample(p, k, number);
			else if (p->link[k].parent == p->unit)
				probe_answer_samples(p, k);
		}
	}
}

/* How long it takes until the rate is as sure as asked for: the first sample's width is that of the widest link, as
 * often as bounds add up. */
static double seconds_for(struct clock_probe *p)
{
	double widest = 0, smallest = INFINITY, s;

	for (size_t i = 0; i < p->kept_count; i++) {
		const struct exchange *x = &p->kept[i];

		smallest = fmin(smallest, x->t4 - x->t1 - (x->t3 - x->t2));
	}
	if (!isfinite(smallest))
		smallest = 0;
	MPI_Allreduce(&smallest, &widest, 1, MPI_DOUBLE, MPI_MAX, p->units);
	s = 2 * widest * 1e-9 * (p->star ? 1 : p->rounds) / p->rate_error;
	return s < SHORTEST ? SHORTEST : s > LONGEST ? LONGEST : s;
}

static void run_samples(struct clock_probe *p)
{
	double begin = clock_seconds();

	for (int s = 0; s < SAMPLES; s++) {
		if (p->unit == 0)
			clock_sleep(begin + p->seconds * s / (SAMPLES - 1) - clock_seconds());
		meet(p->units);
		sample(p, s);
		if (s == 0 && p->rate_error > 0)
			p->seconds = seconds_for(p);
	}
	if (p->unit == 0)
		clock_sleep(p->seconds / 2);
	meet(p->units);
	sample(p, VERIFY);
}

/* ---- what the unit knows of its clock ---- */

static void read_line(const char *path, char *to, size_t size)
{
	FILE *f = fopen(path, "r");

	snprintf(to, size, "-");
	if (!f)
		return;
	if (fgets(to, (int)size, f))
		to[strcspn(to, " \t\r\n")] = 0;
	fclose(f);
	if (!to[0])
		snprintf(to, size, "-");
}

static int has_constant_tsc(void)
{
	char line[8192];
	FILE *f = fopen("/proc/cpuinfo", "r");
	int found = 0;

	while (f && !found && fgets(line, sizeof line, f))
		found = !strncmp(line, "flags", 5) && strstr(line, " constant_tsc") && strstr(line, " nonstop_tsc");
	if (f)
		fclose(f);
	return found;
}

static void look_local(const struct clock_probe *p, const int *leader, struct unit_answer *a)
{
	struct timex t = {0};
	int state = adjtimex(&t);

	clock_frequency_begin();
	a->rank = p->rank;
	for (int i = 0; i < p->size; i++)
		a->ranks += leader[i] == p->rank;
	a->constant = has_constant_tsc();
	a->synchronised = state >= 0 && state != TIME_ERROR && !(t.status & STA_UNSYNC);
	a->ntp_error = state >= 0 ? (double)t.esterror * 1e-6 : (double)NAN;
	a->ntp_maximum = state >= 0 ? (double)t.maxerror * 1e-6 : (double)NAN;
	a->ntp_frequency = state >= 0 ? (double)t.freq / 65536 * 1e-6 : (double)NAN;
	read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", a->source, sizeof a->source);
	if (gethostname(a->host, sizeof a->host - 1) != 0 || !a->host[0])
		snprintf(a->host, sizeof a->host, "-");
	a->looks = clock_look(a->look, fmin(2, p->seconds));
	a->interruption = clock_interruption(fmin(1, p->seconds));
}

/* ---- the answer ---- */

static uint64_t lines;

static void number_print(double v)
{
	if (isfinite(v))
		printf(" %.9g", v);
	else
		printf(" -");
}

static void print_unit(const struct unit_answer *a)
{
	printf("pas2p-probe unit %d %d %lld", a->rank, a->ranks, (long long)a->zero);
	number_print(a->interruption);
	number_print(a->frequency);
	number_print(a->frequency_error);
	printf(" %d %d", a->constant, a->synchronised);
	number_print(a->ntp_error);
	number_print(a->ntp_maximum);
	number_print(a->ntp_frequency);
	printf(" %s %s\n", a->source, a->host);
	lines++;
	for (int i = 0; i < a->looks; i++, lines++) {
		printf("pas2p-probe clock %s", a->look[i].name);
		number_print(a->look[i].resolution);
		number_print(a->look[i].cost);
		number_print(a->look[i].cost_cold);
		printf("\n");
	}
}

static void print_exchanges(const struct exchange *x, size_t n)
{
	for (size_t i = 0; i < n; i++, lines++) {
		printf("pas2p-probe x %d ", (int)x[i].link);
		if ((int)x[i].sample == VERIFY)
			printf("verify");
		else
			printf("%d", (int)x[i].sample);
		printf(" %.3f %.3f %.3f %.3f\n", x[i].t1, x[i].t2, x[i].t3, x[i].t4);
	}
}

static void send_all(const struct clock_probe *p, const struct unit_answer *mine)
{
	unsigned long long n = p->kept_count;

	MPI_Send(mine, sizeof *mine, MPI_BYTE, 0, TAG_RESULT, p->units);
	MPI_Send(&n, 1, MPI_UNSIGNED_LONG_LONG, 0, TAG_RESULT, p->units);
	for (size_t at = 0; at < p->kept_count; at += 65536) {
		size_t part = p->kept_count - at < 65536 ? p->kept_count - at : 65536;

		MPI_Send(p->kept + at, (int)part * EXCHANGE_DOUBLES, MPI_DOUBLE, 0, TAG_RESULT, p->units);
	}
}

static void receive_exchanges(const struct clock_probe *p, int unit)
{
	struct exchange *room = must(malloc(65536 * sizeof *room));
	unsigned long long n;

	MPI_Recv(&n, 1, MPI_UNSIGNED_LONG_LONG, unit, TAG_RESULT, p->units, MPI_STATUS_IGNORE);
	for (size_t at = 0; at < n; at += 65536) {
		size_t part = n - at < 65536 ? (size_t)n - at : 65536;

		MPI_Recv(room, (int)part * EXCHANGE_DOUBLES, MPI_DOUBLE, unit, TAG_RESULT, p->units, MPI_STATUS_IGNORE);
		print_exchanges(room, part);
	}
	free(room);
}

static void probe_print_answers(struct clock_probe *p, const struct unit_answer *mine, double utc)
{
	struct unit_answer a;

	if (p->unit) {
		send_all(p, mine);
		return;
	}
	printf("pas2p-probe run 1 %s %s", p->clock, p->star ? "star" : "tree");
	number_print(p->seconds);
	printf(" %.6f %d %d\n", utc, SAMPLES, p->exchanges);
	lines++;
	print_unit(mine);
	/* Units first, then links, then exchanges: of each unit one message after the other. */
	for (int u = 1; u < p->unit_count; u++) {
		MPI_Recv(&a, sizeof a, MPI_BYTE, u, TAG_RESULT, p->units, MPI_STATUS_IGNORE);
		print_unit(&a);
	}
	for (int k = 0; k < p->link_count; k++, lines++)
		printf("pas2p-probe link %d %d\n", p->link[k].parent, p->link[k].child);
	for (int u = 1; u < p->unit_count; u++)
		receive_exchanges(p, u);
	printf("pas2p-probe end %llu\n", (unsigned long long)lines);
	fflush(stdout);
}

/* ---- all of it ---- */

static void probe_measure_unit(struct clock_probe *p, const int *leader)
{
	struct unit_answer mine = {0};
	struct timespec utc;
	int64_t reference;

	look_local(p, leader, &mine);
	meet(p->units);
	MPI_Barrier(p->units); /* zeros close to each other */
	mine.zero = reference = clock_set_zero();
	MPI_Bcast(&reference, sizeof reference, MPI_BYTE, 0, p->units);
	clock_skew_from(reference, mine.zero);
	clock_gettime(CLOCK_REALTIME, &utc);
	run_samples(p);
	mine.frequency = clock_frequency(&mine.frequency_error);
	probe_print_answers(p, &mine, (double)utc.tv_sec + 1e-9 * (double)utc.tv_nsec);
}

int main(int argc, char **argv)
{
	struct clock_probe p = {0};
	int *leader;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &p.size);
	if (argc != 6 || !clock_choose(argv[1])) {
		if (p.rank == 0)
			fprintf(stderr, argc == 6 ? "pas2p: this machine has no clock %s\n" : "pas2p: %s is "
				"for pas2p clocks only\n",
				argc == 6 ? argv[1] : argv[0]);
		MPI_Finalize();
		return 2;
	}
	p.clock = argv[1];
	p.seconds = atof(argv[3]);
	p.exchanges = atoi(argv[4]);
	p.rate_error = atof(argv[5]);
	clock_skew(p.rank);
	leader = must(malloc((size_t)p.size * sizeof *leader));
	units_find(leader, p.rank, p.size);
	MPI_Comm_split(MPI_COMM_WORLD, leader[p.rank] == p.rank ? 0 : MPI_UNDEFINED, p.rank, &p.units);
	if (p.units != MPI_COMM_NULL) {
		MPI_Comm_rank(p.units, &p.unit);
		MPI_Comm_size(p.units, &p.unit_count);
		p.star = !strcmp(argv[2], "star") || (strcmp(argv[2], "tree") != 0 && p.unit_count <= STAR_MOST);
		make_links(&p);
		probe_measure_unit(&p, leader);
		MPI_Comm_free(&p.units);
	}
	free(p.kept);
	free(p.link);
	free(leader);
	meet(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}

#include "sync.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call.h"
#include "core/base/clock.h"

#define ROUNDS 24
#define STAR 16
#define TAG_CLOCK 1
#define TAG_SAMPLE 4

/* A measurement: at that time of this unit's clock, rank 0's less it. */
struct sample {
	double at, low, high;
};

struct resync_plan sync_plan;

static struct sample *samples;
static size_t sample_count, sample_cap;
static double first_offset;         /* the estimate of the first, as it was measured */
static bool settled;                /* what each says of the others was taken into account */
static int32_t *represents;         /* per rank: who measures for it */
static int32_t *units;              /* those, by rank */
static int32_t unit_count, unit;    /* unit: this process's */

/* This process's clock at local time t is base + t (1 + rate); for tests one that is wrong on purpose. */
static double base, root_base, rate;
static int32_t skewed_ranks = 1, star = STAR;

static double greater(double a, double b)
{
	return a > b ? a : b; /* nothing here is linked with libm */
}

static double sync_raw_time(double t)
{
	return base + t * (1 + rate);
}

static double raw_now(void)
{
	return sync_raw_time(clock_now());
}

/* For tests: SECONDS,RATE[,RANKS[,STAR]]: so many ranks are a unit, whose clock is off by its number times the first
 * two; rank 0 is the parent of at most STAR units. */
static int32_t set_clock(void)
{
	const char *s = getenv("PAS2P_CLOCK_SKEW");
	double zero = (double)clock_wall.zero.tv_sec + 1e-9 * (double)clock_wall.zero.tv_nsec, origin = zero, offset = 0;
	int32_t skewed = 0;

	real.Bcast(&origin, 1, real.real64, 0, preload.comm);
	if (s && sscanf(s, "%lf,%lf,%d,%d", &offset, &rate, &skewed_ranks, &star) >= 2 && skewed_ranks > 0) {
		skewed = preload.rank / skewed_ranks;
		offset *= skewed;
		rate *= skewed;
	}
	base = zero + offset + rate * (zero - origin);
	root_base = origin;
	return skewed;
}

/* What tells one clock from another: the boot, and the time namespace. */
static uint64_t identity(int32_t skewed)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	struct { char boot[40]; uint64_t ns; int64_t skewed; } id;
	uint64_t h = 14695981039346656037u;
	struct stat s;

	memset(&id, 0, sizeof id);
	if (f) {
		if (fread(id.boot, 1, 36, f) == 0)
			id.boot[0] = 0;
		fclose(f);
	}
	if (stat("/proc/self/ns/time", &s) == 0)
		id.ns = (uint64_t)s.st_ino;
	id.skewed = skewed;
	for (size_t i = 0; i < sizeof id; i++)
		h = (h ^ ((const uint8_t *)&id)[i]) * 1099511628211u;
	return h;
}

/* ---- exchanges ---- */

static void sync_answer_rank(int32_t rank)
{
	for (int i = 0; i < ROUNDS; i++) {
		double t[2];

		real.Recv(t, 1, real.real64, rank, TAG_CLOCK, preload.comm, MPI_STATUS_IGNORE);
		t[0] = raw_now();
		t[1] = raw_now();
		real.Send(t, 2, real.real64, rank, TAG_CLOCK, preload.comm);
	}
}

static struct sample sync_ask_rank(int32_t rank)
{
	struct { double sent, there[2], back; } x[ROUNDS];
	struct sample s = {.low = -INFINITY, .high = INFINITY};

	for (int i = 0; i < ROUNDS; i++) {
		x[i].sent = raw_now();
		real.Send(&x[i].sent, 1, real.real64, rank, TAG_CLOCK, preload.comm);
		real.Recv(x[i].there, 2, real.real64, rank, TAG_CLOCK, preload.comm, MPI_STATUS_IGNORE);
		x[i].back = raw_now();
	}
	s.at = x[ROUNDS - 1].back;
	for (int i = 0; i < ROUNDS; i++) {
		s.low = greater(s.low, x[i].there[1] - x[i].back - SYNC_DRIFT * (s.at - x[i].back));
		s.high = -greater(-s.high, -(x[i].there[0] - x[i].sent + SYNC_DRIFT * (s.at - x[i].sent)));
	}
	return s;
}

/* What is known at s->at, at another time. */
static struct sample sample_at(const struct sample *s, double at)
{
	double give = SYNC_DRIFT * greater(at - s->at, s->at - at);

	return (struct sample){at, s->low - give, s->high + give};
}

/* A parent that is measured itself: at whichever of its times this was. */
static void add_parent(struct sample *s, const struct sample *parent)
{
	struct sample p = sample_at(parent, s->at + (s->low + s->high) / 2);
	double give = SYNC_DRIFT * (s->high - s->low) / 2;

	s->low += p.low - give;
	s->high += p.high + give;
}

/* Representatives, among each other. */
static struct sample sync_exchange(void)
{
	struct sample s = {.at = raw_now()}, parent;

	if (unit_count <= star) {
		for (int32_t u = 1; unit == 0 && u < unit_count; u++)
			sync_answer_rank(units[u]);
		return unit ? sync_ask_rank(units[0]) : s;
	}
	for (int32_t k = 1; k < unit_count && k > 0; k *= 2) {
		if (unit < k && unit + k < unit_count) {
			sync_answer_rank(units[unit + k]);
			real.Send(&s, 3, real.real64, units[unit + k], TAG_SAMPLE, preload.comm);
		} else if (unit >= k && unit < 2 * (int64_t)k) {
			s = sync_ask_rank(units[unit - k]);
			real.Recv(&parent, 3, real.real64, units[unit - k], TAG_SAMPLE, preload.comm, MPI_STATUS_IGNORE);
			if (unit != k)
				add_parent(&s, &parent);
		}
	}
	return s;
}

static double offset_of(const struct sample *s)
{
	return (s->low + s->high) / 2;
}

static void sample_keep(const struct sample *s)
{
	if (!sample_count)
		first_offset = offset_of(s);
	if (sample_count == sample_cap) {
		size_t cap = sample_cap ? 2 * sample_cap : 16;
		struct sample *grown = realloc(samples, cap * sizeof *grown);

		if (!grown)
			return; /* this one is missing */
		samples = grown;
		sample_cap = cap;
	}
	samples[sample_count++] = *s;
}

static struct sample sync_measure(void)
{
	struct sample s = {.at = 0};

	if (represents[preload.rank] == preload.rank) {
		s = sync_exchange();
		for (int32_t r = preload.rank + 1; unit && r < preload.size; r++)
			if (represents[r] == preload.rank)
				real.Send(&s, 3, real.real64, r, TAG_SAMPLE, preload.comm);
	} else if (unit) {
		real.Recv(&s, 3, real.real64, represents[preload.rank], TAG_SAMPLE, preload.comm, MPI_STATUS_IGNORE);
	}
	if (unit)
		sample_keep(&s);
	return s;
}

/* ---- units ---- */

static void find_units(const uint64_t *identities)
{
	uint64_t mine = identities[preload.rank];
	int32_t first = 0;

	while (identities[first] != mine)
		first++;
	if (first == preload.rank) {
		for (int32_t r = first + 1; r < preload.size; r++)
			if (identities[r] == mine)
				sync_answer_rank(r);
	} else {
		struct sample s = sync_ask_rank(first);

		if (s.low > 0 || s.high < 0)
			first = preload.rank;
	}
	real.Allgather(&first, 1, real.int32, represents, 1, real.int32, preload.comm);
	for (int32_t r = 0; r < preload.size; r++) {
		if (r == first)
			unit = unit_count;
		if (represents[r] == r)
			units[unit_count++] = r;
	}
}

static void check_source(void)
{
#if defined __x86_64__ || defined __i386__
	const char *told = getenv("PAS2P_CLOCK_SOURCE");
	FILE *f = told ? NULL : fopen(CLOCK_SOURCE_FILE, "r");
	char name[64] = "", host[256] = "";

	if (told)
		snprintf(name, sizeof name, "%s", told);
	if (f) {
		if (fscanf(f, "%63s", name) != 1)
			*name = 0;
		fclose(f);
	}
	if (!*name || clock_source_is_fast(name))
		return;
	gethostname(host, sizeof host - 1);
	fprintf(stderr, "pas2p: %s: the kernel's clock source %s needs a system call for each time stamp; tracing "
		"costs several times as much as with tsc\n", host, name);
#endif
}

bool sync_start(double interval)
{
	uint64_t *identities = malloc((size_t)preload.size * sizeof *identities);
	uint64_t mine = identity(set_clock());
	int32_t fine, all;

	represents = malloc((size_t)preload.size * sizeof *represents);
	units = malloc((size_t)preload.size * sizeof *units);
	fine = identities && represents && units;
	real.Allreduce(&fine, &all, 1, real.int32, real.min, preload.comm);
	if (all) {
		real.Allgather(&mine, sizeof mine, real.byte, identities, sizeof mine, real.byte, preload.comm);
		find_units(identities);
		if (represents[preload.rank] == preload.rank)
			check_source();
		real.Bcast(&interval, 1, real.real64, 0, preload.comm); /* before: whoever has measured goes on at once */
		if (sync_apart())
			sync_measure();
		resync_plan_init(&sync_plan, sync_apart() ? interval : 0, clock_now());
	}
	free(identities);
	return all != 0;
}

bool sync_apart(void)
{
	return unit_count > 1;
}

/* ---- records ---- */

/* As cargo has them. Bounds are told of times as they are shifted. */
static void bounds_at(const struct sample *s, double at, uint64_t bounds[2])
{
	struct sample now = sample_at(s, sync_raw_time(at));
	double shown = at + sync_shift() - (sync_raw_time(at) - root_base);

	bounds[0] = big_u64(f64_bits(now.low - shown));
	bounds[1] = big_u64(f64_bits(now.high - shown));
}

/* s: NULL if nothing was measured. */
static void log_state(double began, const struct sample *s)
{
	uint8_t *p, *cargo;
	uint64_t bounds[2];
	double t, at;

	preload_lock();
	p = buffer_room(2 * LEN_BARE + LEN_CARGO);
	began = buffer_order(began);
	t = buffer_order(clock_now());
	t = t < began ? began : t;
	p = put_bare(p, began, 0, preload.rank, self.id, ETYPE_SYNC);
	if (s && unit) {
		/* When it was measured, not when that is told, which may be much later where the machine was taken away
		 * meanwhile. */
		at = (s->at - base) / (1 + rate);
		at = at < began ? began : at > t ? t : at;
		bounds_at(s, at, bounds);
		cargo = p + LEN_CARGO - 32;
		p = put_cargo(p, at, 0, preload.rank, self.id, ETYPE_CLOCK, 0);
		memcpy(cargo, bounds, sizeof bounds);
	}
	p = put_bare(p, t, 0, preload.rank, self.id, ETYPE_SYNC + 1);
	buffer_commit((size_t)(p - (buffer.block + buffer.used)), t);
	preload_unlock();
}

void sync_log_first(void)
{
	if (sync_apart())
		log_state(clock_now(), sample_count ? &samples[0] : NULL);
}

/* What one sample says of the other's time. False: they contradict each other. */
static bool narrow(struct sample *s, const struct sample *by)
{
	struct sample b = sample_at(by, s->at);

	s->low = greater(s->low, b.low);
	s->high = -greater(-s->high, -b.high);
	return s->low <= s->high;
}

/* A burst that was slow says little, and its centre lies anywhere within its bounds: what the others leave of them at
 * most is what counts, and the line through those centres neither leaves any bounds nor goes back, since it is no
 * steeper than clocks part. Where they contradict each other a clock was stepped: then each stands for itself. */
static void settle_samples(void)
{
	struct sample *own = sample_count ? malloc(sample_count * sizeof *own) : NULL;
	bool agree = own != NULL;

	for (size_t i = 0; agree && i < sample_count; i++) {
		own[i] = samples[i];
		agree = i == 0 || narrow(&own[i], &own[i - 1]);
	}
	for (size_t i = sample_count; agree && i-- > 1;)
		agree = narrow(&own[i - 1], &own[i]);
	if (agree)
		memcpy(samples, own, sample_count * sizeof *own);
	settled = agree;
	free(own);
}

void sync_finish(void)
{
	double began = clock_now();
	struct sample s;

	if (sync_apart()) {
		s = sync_measure();
		log_state(began, &s);
		settle_samples();
		if (preload.rank == 0 && sync_plan.next && !sync_plan.count && began - sync_plan.began >= sync_plan.interval)
			fprintf(stderr, "pas2p: note: clocks were measured at the start and the end only: the program "
				"has no blocking collective on MPI_COMM_WORLD\n");
	}
	sync_plan.next = 0;
}

void sync_planned(void)
{
	struct clock_moment began = moment_now();
	struct { int64_t next, due; } told = {0, 0};
	struct sample s;

	if (preload.rank == 0) {
		told.due = resync_plan_take(&sync_plan, began.t);
		told.next = (int64_t)sync_plan.next;
	}
	real.Bcast(&told, 2, real.int64, 0, preload.comm);
	sync_plan.next = (uint64_t)told.next;
	if (told.due)
		s = sync_measure();
	if (preload.rank == 0)
		resync_plan_spent(&sync_plan, told.due, clock_now() - began.t, clock_now());
	if (preload.recording)
		log_state(began.t, told.due ? &s : NULL);
	/* What it took is no computing. */
	self.polled += moment_now().cpu - began.cpu;
}

/* ---- times ---- */

double sync_shift(void)
{
	return first_offset + base - root_base;
}

/* The one before that time of this clock that has another behind it, if there are two. */
static const struct sample *sample_before(double here)
{
	static size_t at; /* times are asked for as they rise */

	while (at && samples[at].at > here)
		at--;
	while (at + 2 < sample_count && samples[at + 1].at <= here)
		at++;
	return &samples[at];
}

double sync_corrected(double t)
{
	double here = sync_raw_time(t), span, drift;
	const struct sample *a;

	if (!sample_count)
		return here - root_base;
	a = sample_before(here);
	span = sample_count > 1 ? a[1].at - a->at : 0;
	drift = span > 0 ? (offset_of(a + 1) - offset_of(a)) / span : 0;
	return here + offset_of(a) + drift * (here - a->at) - root_base;
}

void sync_bounds(double t, double shown, double bounds[2])
{
	const struct sample *a = settled && sample_count ? sample_before(sync_raw_time(t)) : NULL;
	struct sample s;

	if (!a) {
		bounds[0] += t + sync_shift() - shown;
		bounds[1] += t + sync_shift() - shown;
		return;
	}
	s = sample_at(a, sync_raw_time(t));
	if (sample_count > 1)
		narrow(&s, a + 1);
	bounds[0] = s.low + sync_raw_time(t) - root_base - shown;
	bounds[1] = s.high + sync_raw_time(t) - root_base - shown;
}

double sync_error(void)
{
	double worst = 0;

	for (size_t i = 0; i < sample_count; i++)
		worst = greater(worst, (samples[i].high - samples[i].low) / 2);
	return worst;
}

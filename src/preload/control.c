/* The runner's hooks: see control.h for who calls them and control_file.h for what is shared. */
#include "control.h"

#include <dirent.h>
#include <fcntl.h>
#include "real.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "control_file.h"

#define THREADS_REMEMBERED 256

/* What to do next, so that a call that is none of the runner's business costs one comparison. What is not atomic is set
 * before anything is measured, under the stop lock. */
static struct {
	struct control_head *head;
	const struct control_cut *cuts;
	const struct control_part *parts;
	const uint32_t *counts;      /* this rank's, of all boundaries */
	struct control_slot *slot;
	_Atomic uint64_t *stamps;    /* ns, CLOCK_MONOTONIC, of all boundaries; 0: not yet */
	uint32_t rank;
	_Atomic uint64_t attention;  /* the smallest number whose control_before() has something to do */
	_Atomic uint64_t stop_after; /* the number whose control_after() stops; 0: none */
	_Atomic uint32_t cut;        /* the next cut to stop at */
	_Atomic bool unplaced;       /* its processors are to be set once `measure` is said */
	_Atomic bool stamping;       /* no more stops: what attention is for are boundaries */
	_Atomic uint32_t next;       /* the boundary to be stamped next; only control_before() moves it */
	uint32_t end;                /* after the last one that is to be */
} c;

bool control_collectives = true;

static pthread_mutex_t stop_lock = PTHREAD_MUTEX_INITIALIZER;

static struct { pid_t tid; cpu_set_t cpus; } remembered[THREADS_REMEMBERED];
static unsigned remembered_count;

static uint64_t control_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool control_active(void)
{
	const char *dir = getenv(CONTROL_ENVIRONMENT);

	return dir && dir[0];
}

static const struct control_cut *cut_at(uint32_t i)
{
	return &c.cuts[(uint64_t)i * c.head->ranks + c.rank];
}

static bool measuring(void)
{
	return c.head->mode == CONTROL_REPLAY || atomic_load(&c.head->measure);
}

static bool stopping(void)
{
	return c.head->mode == CONTROL_SIGN && c.cut < c.head->cuts && !atomic_load(&c.head->measure);
}

/* The first time that a page is touched takes longer than a stamp may. */
static void touch_stamps(uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		atomic_store_explicit(&c.stamps[i], 0, memory_order_relaxed);
		(void)*(const volatile uint32_t *)&c.counts[i];
	}
}

/* Which boundaries are to be stamped. Under the stop lock, once. */
static void begin_stamping(void)
{
	uint32_t word = atomic_load(&c.head->measure);
	struct control_part all = {0, c.head->boundaries};
	const struct control_part *part = word ? &c.parts[word - 1] : &all;

	if (word > c.head->parts)
		return;
	touch_stamps(part->from, part->to);
	c.end = part->to;
	atomic_store(&c.next, part->from);
	atomic_store(&c.slot->measured, part->from);
	atomic_store(&c.stop_after, 0);
	atomic_store(&c.attention, part->from < part->to ? c.counts[part->from] + (uint64_t)1 : UINT64_MAX);
	atomic_store(&c.stamping, true);
}

/* Where the next stop or stamp is. */
static void look_ahead(void)
{
	pthread_mutex_lock(&stop_lock);
	if (!atomic_load(&c.stamping)) {
		bool stop = stopping();

		atomic_store(&c.stop_after, stop && !cut_at(c.cut)->before ? cut_at(c.cut)->sends : 0);
		atomic_store(&c.attention, stop ? cut_at(c.cut)->sends + 1 : UINT64_MAX);
		if (measuring())
			begin_stamping();
	}
	pthread_mutex_unlock(&stop_lock);
}

static void remember_processors(void)
{
	DIR *d = opendir("/proc/self/task");
	struct dirent *entry;

	remembered_count = 0;
	while (d && (entry = readdir(d)) && remembered_count < THREADS_REMEMBERED) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid > 0 && sched_getaffinity(tid, sizeof(cpu_set_t), &remembered[remembered_count].cpus) == 0)
			remembered[remembered_count++].tid = tid;
	}
	if (d)
		closedir(d);
}

/* Checkpointing does not carry a thread's processors over; without this, times are those of other placements. */
static void set_processors(void)
{
	cpu_set_t given;

	CPU_ZERO(&given);
	for (unsigned i = 0; i < CONTROL_CPUS && i < CPU_SETSIZE; i++)
		if (c.head->cpus[i / 64] >> (i % 64) & 1)
			CPU_SET(i, &given);
	for (unsigned i = 0; i < remembered_count; i++) {
		const cpu_set_t *set = c.head->cpus_given ? &given : &remembered[i].cpus;

		if (sched_setaffinity(remembered[i].tid, sizeof *set, set) != 0)
			c.slot->affinity_failed++;
	}
}

static void place_again(void)
{
	if (atomic_exchange(&c.unplaced, false))
		set_processors();
}

/* Wait at cut number i until the runner says continue or measure. The probe lets messages under way arrive,
 * so that a partner who needs them before its own stop gets there. */
static void stop_at(uint32_t i)
{
	const struct timespec pause = {0, 1000000};

	pthread_mutex_lock(&stop_lock);
	if (c.cut == i && stopping()) {
		remember_processors();
		atomic_store(&c.slot->cut, i);
		if (atomic_load(&c.head->released) <= i)
			atomic_store(&c.slot->state, CONTROL_STOPPED);
		while (atomic_load(&c.head->released) <= i && !atomic_load(&c.head->measure)) {
			int flag;

			real.Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, real.world, &flag, MPI_STATUS_IGNORE);
			nanosleep(&pause, NULL);
		}
		if (atomic_load(&c.head->measure))
			place_again();
		else
			c.cut = i + 1;
		atomic_store(&c.slot->state, CONTROL_RUNNING);
	}
	pthread_mutex_unlock(&stop_lock);
}

/* Before call n: an `after` cut is met here by a thread that comes while another is inside the call before it. */
static void stop_before(uint64_t n)
{
	while (stopping() && cut_at(c.cut)->sends < n)
		stop_at(c.cut);
}

static void stop_after(uint64_t n)
{
	while (stopping() && !cut_at(c.cut)->before && cut_at(c.cut)->sends <= n)
		stop_at(c.cut);
}

/* All boundaries that lie right before call n, of which there is one at least. This runs within the times that are
 * measured: a clock reading and a store. */
static inline void stamp(uint64_t n)
{
	uint32_t i = atomic_load_explicit(&c.next, memory_order_relaxed);
	uint64_t t = control_now();

	do
		atomic_store_explicit(&c.stamps[i], t, memory_order_relaxed);
	while (++i < c.end && c.counts[i] < n);
	atomic_store_explicit(&c.next, i, memory_order_relaxed);
	atomic_store_explicit(&c.slot->measured, i, memory_order_release);
	atomic_store_explicit(&c.attention, i < c.end ? c.counts[i] + (uint64_t)1 : UINT64_MAX, memory_order_relaxed);
}

/* Whether all that the head speaks of lies within the file, and means something. */
static bool control_is_whole(const struct control_head *h, uint64_t size)
{
	const uint64_t ranks = h->ranks, boundaries = h->boundaries;
	const uint64_t cuts = (uint64_t)h->cuts * sizeof(struct control_cut);
	const struct control_part *parts;

	if (h->magic != CONTROL_MAGIC || h->version != CONTROL_VERSION || h->file_size != size || !ranks)
		return false;
	if (h->plan_offset < sizeof *h || h->plan_offset % sizeof(uint64_t) || h->slot_offset > size ||
	    h->plan_offset > h->slot_offset || h->slot_offset % sizeof(uint64_t) || h->slot_size % sizeof(uint64_t))
		return false;
	if ((h->slot_offset - h->plan_offset) / ranks < cuts + boundaries * sizeof(uint32_t) ||
	    h->slot_offset - h->plan_offset - ranks * (cuts + boundaries * sizeof(uint32_t)) < h->parts * sizeof *parts)
		return false;
	if ((size - h->slot_offset) / ranks < h->slot_size ||
	    h->slot_size < sizeof(struct control_slot) + boundaries * sizeof(uint64_t))
		return false;
	parts = (const struct control_part *)((const char *)h + h->plan_offset + ranks * cuts);
	for (uint32_t i = 0; i < h->parts; i++)
		if (parts[i].from > parts[i].to || parts[i].to > boundaries)
			return false;
	return true;
}

static struct control_head *map_file(const char *dir)
{
	char path[4096];
	struct stat st;
	struct control_head *head;
	int fd;

	if (snprintf(path, sizeof path, "%s/%s", dir, CONTROL_FILE) >= (int)sizeof path)
		return NULL;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) != 0 || st.st_size < (off_t)sizeof *head) {
		close(fd);
		return NULL;
	}
	head = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (head == MAP_FAILED)
		return NULL;
	if (!control_is_whole(head, (uint64_t)st.st_size)) {
		munmap(head, (size_t)st.st_size);
		return NULL;
	}
	return head;
}

static void introduce(int rank, int size)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0;
	ssize_t n = readlink("/proc/self/exe", c.slot->program, sizeof c.slot->program - 1);

	c.slot->program[n > 0 ? n : 0] = '\0';
	gethostname(c.slot->host, sizeof c.slot->host - 1);
	real.Get_library_version(version, &length);
	version[strcspn(version, "\n")] = '\0';
	for (char *tab = version; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	snprintf(c.slot->library, sizeof c.slot->library, "%.127s", version);
	c.slot->rank = rank;
	c.slot->size = size;
	c.slot->pid = getpid();
}

void control_init(int rank, int size)
{
	struct control_head *head = map_file(getenv(CONTROL_ENVIRONMENT));
	char *base = (char *)head;
	bool fits;

	if (!head) {
		fprintf(stderr, "pas2p: rank %d cannot use the control file in %s: it is damaged or from another "
			"version; nothing is measured\n", rank, getenv(CONTROL_ENVIRONMENT));
		return;
	}
	if ((uint32_t)rank >= head->ranks)
		return; /* rank 0 says how many there are */
	control_collectives = head->collectives;
	c.rank = (uint32_t)rank;
	c.cuts = (const struct control_cut *)(base + head->plan_offset);
	c.parts = (const struct control_part *)(c.cuts + (uint64_t)head->cuts * head->ranks);
	c.counts = (const uint32_t *)(c.parts + head->parts) + (uint64_t)rank * head->boundaries;
	c.slot = (struct control_slot *)(base + head->slot_offset + (uint64_t)rank * head->slot_size);
	c.stamps = (_Atomic uint64_t *)(c.slot + 1);
	fits = (uint32_t)size == head->ranks;
	introduce(rank, size);
	if (fits)
		c.head = head; /* without it every hook returns at once */
	atomic_store(&c.slot->begun, control_now());
	atomic_store(&c.slot->state, CONTROL_RUNNING);
	if (fits) {
		remember_processors();
		atomic_store(&c.unplaced, c.head->mode == CONTROL_SIGN);
		stop_after(0);
		look_ahead();
	}
}

void control_before(uint64_t n)
{
	if (!c.head)
		return;
	atomic_store_explicit(&c.slot->count, n, memory_order_relaxed);
	if (n < atomic_load_explicit(&c.attention, memory_order_relaxed))
		return;
	if (!atomic_load_explicit(&c.stamping, memory_order_acquire)) {
		stop_before(n);
		look_ahead();
		if (n < atomic_load(&c.attention) || !atomic_load(&c.stamping))
			return;
	}
	stamp(n);
}

void control_after(uint64_t n)
{
	uint64_t stop = atomic_load_explicit(&c.stop_after, memory_order_relaxed);

	if (!stop || n < stop)
		return;
	stop_after(n);
	look_ahead();
}

void control_blocked(bool inside)
{
	if (!c.head)
		return;
	if (inside) {
		atomic_fetch_add_explicit(&c.slot->calls, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&c.slot->inside, 1, memory_order_relaxed);
		return;
	}
	atomic_fetch_sub_explicit(&c.slot->inside, 1, memory_order_relaxed);
	/* A rank that was inside this call when the checkpoint was taken has not come through stop_at(). */
	if (atomic_load_explicit(&c.unplaced, memory_order_relaxed) && atomic_load(&c.head->measure))
		place_again();
}

/* Likewise if it was polling. */
void control_polled(void)
{
	if (!c.head)
		return;
	atomic_fetch_add_explicit(&c.slot->polls, 1, memory_order_relaxed);
	if (atomic_load_explicit(&c.unplaced, memory_order_relaxed) && atomic_load(&c.head->measure))
		place_again();
}

/* Boundaries behind the rank's last call are where MPI_Finalize begins: a rank's work ends there in a trace, too. */
static void stamp_rest(uint64_t t)
{
	uint32_t i = atomic_load(&c.next);
	uint64_t calls = atomic_load(&c.slot->count);

	for (; i < c.end && c.counts[i] <= calls; i++)
		atomic_store(&c.stamps[i], t);
	atomic_store(&c.next, i);
	atomic_store(&c.slot->measured, i);
}

void control_finalize(void)
{
	uint64_t t = control_now();

	if (!c.head)
		return;
	if (atomic_load(&c.stamping))
		stamp_rest(t);
	atomic_store(&c.slot->ended, t);
	atomic_store(&c.slot->state, CONTROL_FINALIZED);
}

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

/* What to do next, so that a call that is none of the runner's business costs one comparison. */
static struct {
	struct control_head *head;
	const struct control_cut *cuts;
	const struct control_span *spans;
	struct control_slot *slot;
	struct control_time *times;
	uint32_t rank;
	_Atomic uint64_t attention;  /* the smallest number whose control_before() has something to do */
	_Atomic uint64_t stop_after; /* the number whose control_after() stops; 0: none */
	_Atomic uint32_t cut;        /* the next cut to stop at */
	_Atomic bool unplaced;       /* its processors are to be set once `measure` is said */
	_Atomic bool open;           /* some span is being measured */
	_Atomic uint32_t first;      /* every span before it is done with */
	_Atomic bool emptied;        /* spans without a call here are done with */
	_Atomic uint64_t last_return;
} c;

bool control_collectives = true;

static pthread_mutex_t stop_lock = PTHREAD_MUTEX_INITIALIZER;

static struct { pid_t tid; cpu_set_t cpus; } remembered[THREADS_REMEMBERED];
static unsigned remembered_count;

static uint64_t now(void)
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

static const struct control_span *span_at(uint32_t i)
{
	return &c.spans[(uint64_t)i * c.head->ranks + c.rank];
}

static bool wanted(uint32_t i)
{
	return c.head->mode == CONTROL_REPLAY || atomic_load(&c.head->measure) == span_at(i)->phase + 1;
}

static bool measuring(void)
{
	return c.head->mode == CONTROL_REPLAY || atomic_load(&c.head->measure);
}

static bool stopping(void)
{
	return c.head->mode == CONTROL_SIGN && c.cut < c.head->cuts && !atomic_load(&c.head->measure);
}

static void end_span(uint32_t i, uint64_t t)
{
	atomic_store(&c.times[i].end, t);
	atomic_fetch_add(&c.slot->measured, 1);
}

/* Spans without a call of this rank need no waiting for: they take no time here. */
static void end_empty(void)
{
	uint64_t t = now();

	if (!measuring() || atomic_exchange(&c.emptied, true))
		return;
	for (uint32_t i = 0; i < c.head->spans; i++) {
		if (!wanted(i) || span_at(i)->entry != span_at(i)->exit)
			continue;
		atomic_store(&c.times[i].start, t);
		end_span(i, t);
	}
}

/* Spans before the first that is still to end are passed over, and so are those behind the first whose entry lies ahead:
 * a phase may have thousands, and this runs within the times that are measured. */
static bool done(uint32_t i)
{
	return !wanted(i) || atomic_load(&c.times[i].end);
}

static void pass_over(void)
{
	uint32_t first = atomic_load(&c.first);

	while (first < c.head->spans && done(first))
		first++;
	atomic_store(&c.first, first);
}

/* Where the next stop and the next mark are. n: the last number begun. */
static void look_ahead(uint64_t n)
{
	uint64_t next = UINT64_MAX, after = 0;

	if (stopping()) {
		next = cut_at(c.cut)->sends + 1;
		if (!cut_at(c.cut)->before)
			after = cut_at(c.cut)->sends;
	}
	if (measuring()) {
		end_empty();
		pass_over();
		for (uint32_t i = atomic_load(&c.first); i < c.head->spans; i++) {
			const struct control_span *s = span_at(i);

			if (done(i))
				continue;
			if (s->entry + 1 > n && s->entry + 1 < next)
				next = s->entry + 1;
			if (s->exit + 1 > n && s->exit + 1 < next)
				next = s->exit + 1;
			if (s->entry >= n)
				break;
		}
	}
	atomic_store(&c.stop_after, after);
	atomic_store(&c.attention, next);
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

static void mark(uint64_t n)
{
	uint64_t t = now();
	bool open = false;

	for (uint32_t i = atomic_load(&c.first); measuring() && i < c.head->spans && span_at(i)->entry < n; i++) {
		const struct control_span *s = span_at(i);
		struct control_time *at = &c.times[i];

		if (done(i))
			continue;
		if (!atomic_load(&at->start) && s->entry < n)
			atomic_store(&at->start, t);
		if (atomic_load(&at->start) && !atomic_load(&at->end) && s->exit < n)
			end_span(i, t);
		open = open || (atomic_load(&at->start) && !atomic_load(&at->end));
	}
	atomic_store(&c.open, open);
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
	if (head->magic != CONTROL_MAGIC || head->version != CONTROL_VERSION ||
	    head->file_size != (uint64_t)st.st_size) {
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
		fprintf(stderr, "pas2p: rank %d cannot use the control file in %s; its phases are not measured\n", rank,
			getenv(CONTROL_ENVIRONMENT));
		return;
	}
	if ((uint32_t)rank >= head->ranks)
		return; /* rank 0 says how many there are */
	control_collectives = head->collectives;
	c.rank = (uint32_t)rank;
	c.cuts = (const struct control_cut *)(base + head->plan_offset);
	c.spans = (const struct control_span *)(c.cuts + (uint64_t)head->cuts * head->ranks);
	c.slot = (struct control_slot *)(base + head->slot_offset + (uint64_t)rank * head->slot_size);
	c.times = (struct control_time *)(c.slot + 1);
	fits = (uint32_t)size == head->ranks;
	introduce(rank, size);
	if (fits)
		c.head = head; /* without it every hook returns at once */
	atomic_store(&c.slot->begun, now());
	atomic_store(&c.slot->state, CONTROL_RUNNING);
	if (fits) {
		remember_processors();
		atomic_store(&c.unplaced, c.head->mode == CONTROL_SIGN);
		stop_after(0);
		look_ahead(0);
	}
}

void control_before(uint64_t n)
{
	if (!c.head)
		return;
	atomic_store_explicit(&c.slot->count, n, memory_order_relaxed);
	if (n < atomic_load_explicit(&c.attention, memory_order_relaxed))
		return;
	stop_before(n);
	mark(n);
	look_ahead(n);
}

void control_after(uint64_t n)
{
	uint64_t stop = atomic_load_explicit(&c.stop_after, memory_order_relaxed);

	if (!stop || n < stop)
		return;
	stop_after(n);
	look_ahead(atomic_load(&c.slot->count));
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
	if (atomic_load_explicit(&c.open, memory_order_relaxed))
		atomic_store_explicit(&c.last_return, now(), memory_order_relaxed);
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

/* What is still open ends with the rank's last call, as its last event ends it in a trace. */
void control_finalize(void)
{
	uint64_t t = now(), last = atomic_load(&c.last_return);

	if (!c.head)
		return;
	for (uint32_t i = 0; i < c.head->spans; i++) {
		struct control_time *at = &c.times[i];
		uint64_t start = atomic_load(&at->start);

		if (wanted(i) && start && !atomic_load(&at->end) && span_at(i)->exit <= atomic_load(&c.slot->count))
			end_span(i, last > start ? last : start);
	}
	atomic_store(&c.slot->ended, t);
	atomic_store(&c.slot->state, CONTROL_FINALIZED);
}

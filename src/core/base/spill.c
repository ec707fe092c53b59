#include "spill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

#define PAGE ((size_t)4096)
#define EVERY 1000000 /* ns between two looks at what is resident: in that time one or two MB are touched */

struct block {
	void *at;
	size_t bytes; /* whole pages */
};

atomic_bool spill_is_on;

static struct {
	pthread_mutex_t lock;    /* of all that follows, but where said */
	uint64_t limit;
	int folder, statm;       /* descriptors */
	char name[256];          /* the folder's, for people */
	struct block *blocks;
	size_t count, cap;
	int failed;              /* errno of the last block that had no room; 0: all had */
	pthread_t warden;        /* runs while spill_is_on; without the lock */
} spill = {.lock = PTHREAD_MUTEX_INITIALIZER, .folder = -1, .statm = -1};

static size_t whole_pages(size_t bytes)
{
	return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* A file without a name in the folder, or -1. */
static int new_file(void)
{
	int file = openat(spill.folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	for (unsigned i = 0; file < 0 && i < 100 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EEXIST); i++) {
		char name[64];
		struct timespec now;

		/* A file system without such files: one of a name that nobody has, taken away at once. */
		clock_gettime(CLOCK_MONOTONIC, &now);
		snprintf(name, sizeof name, ".pas2p-%ld-%ld-%u", (long)getpid(), now.tv_nsec, i);
		file = openat(spill.folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (file >= 0)
			unlinkat(spill.folder, name, 0);
	}
	return file;
}

/* Bytes of the process that are in memory; 0: not known. */
static uint64_t resident(void)
{
	char text[128];
	ssize_t n = spill.statm < 0 ? -1 : pread(spill.statm, text, sizeof text - 1, 0);
	unsigned long long pages;

	text[n > 0 ? n : 0] = '\0';
	return sscanf(text, "%*u %llu", &pages) == 1 ? pages * PAGE : 0;
}

/* MAP_SHARED: nothing is lost, it is read again from the file, or from the system's cache of it. */
static void let_go(void)
{
	pthread_mutex_lock(&spill.lock);
	for (size_t i = 0; i < spill.count; i++)
		madvise(spill.blocks[i].at, spill.blocks[i].bytes, MADV_DONTNEED);
	pthread_mutex_unlock(&spill.lock);
}

/* A little below the limit, since work goes on meanwhile. */
static void *watch(void *unused)
{
	const struct timespec pause = {0, EVERY};

	while (spill_on()) {
		if (resident() > spill.limit - spill.limit / 8)
			let_go();
		nanosleep(&pause, NULL);
	}
	return unused;
}

enum err_code spill_begin(uint64_t limit, const char *folder, struct err *e)
{
	int file;

	if (spill_on())
		return ERR_OK;
	text_safe(spill.name, sizeof spill.name, folder, SIZE_MAX, TEXT_UTF8);
	spill.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	file = spill.folder < 0 ? -1 : new_file();
	if (file < 0) {
		enum err_code code = err_set(e, ERR_USAGE, "cannot use the scratch folder %s: "
					     "%s", spill.name, strerror(errno));

		spill_end();
		return code;
	}
	close(file);
	spill.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	spill.limit = limit;
	atomic_store(&spill_is_on, true);
	if (pthread_create(&spill.warden, NULL, watch, NULL)) {
		atomic_store(&spill_is_on, false);
		spill_end();
		return err_memory(e, "the thread that watches memory");
	}
	return ERR_OK;
}

void spill_end(void)
{
	if (atomic_exchange(&spill_is_on, false))
		pthread_join(spill.warden, NULL);
	pthread_mutex_lock(&spill.lock);
	if (spill.folder >= 0)
		close(spill.folder);
	if (spill.statm >= 0)
		close(spill.statm);
	spill.folder = spill.statm = -1;
	spill.failed = 0;
	pthread_mutex_unlock(&spill.lock);
}

/* With the lock. */
static struct block *spill_find_block(const void *p)
{
	for (size_t i = spill.count; i-- > 0;)
		if (spill.blocks[i].at == p)
			return &spill.blocks[i];
	return NULL;
}

static struct block *spill_add_block(void)
{
	if (spill.count == spill.cap) {
		size_t cap = spill.cap ? spill.cap * 2 : 64;
		struct block *more = realloc(spill.blocks, cap * sizeof *more);

		if (!more)
			return NULL;
		spill.blocks = more;
		spill.cap = cap;
	}
	return &spill.blocks[spill.count];
}

/* The file itself is closed: the mapping keeps it, and descriptors are few. */
static void *map_file(size_t bytes, int *error)
{
	int file = spill.folder < 0 ? -1 : new_file();
	void *at = NULL;

	do
		*error = file < 0 ? errno : posix_fallocate(file, 0, (off_t)bytes);
	while (*error == EINTR);
	if (!*error) {
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		*error = at == MAP_FAILED ? errno : 0;
	}
	if (file >= 0)
		close(file);
	return *error ? NULL : at;
}

void *spill_alloc(size_t bytes)
{
	struct block *row;
	void *at = NULL;
	int error = ENOMEM;

	pthread_mutex_lock(&spill.lock);
	row = spill_add_block();
	if (row)
		at = map_file(whole_pages(bytes), &error);
	if (at) {
		*row = (struct block){at, whole_pages(bytes)};
		spill.count++;
	} else {
		spill.failed = error;
	}
	pthread_mutex_unlock(&spill.lock);
	return at;
}

bool spill_has(const void *p)
{
	bool has;

	/* Blocks begin with a page, which hardly any other does. */
	if ((uintptr_t)p % PAGE)
		return false;
	pthread_mutex_lock(&spill.lock);
	has = spill_find_block(p) != NULL;
	pthread_mutex_unlock(&spill.lock);
	return has;
}

void *spill_resize(void *p, size_t bytes)
{
	size_t old;
	void *moved;

	pthread_mutex_lock(&spill.lock);
	old = spill_find_block(p)->bytes;
	pthread_mutex_unlock(&spill.lock);
	if (bytes <= old && bytes > old / 2)
		return p;
	moved = spill_alloc(bytes ? bytes : 1);
	if (!moved)
		return NULL;
	memcpy(moved, p, old < bytes ? old : bytes);
	spill_free(p);
	return moved;
}

void spill_free(void *p)
{
	struct block b = {.at = NULL}, *row;

	pthread_mutex_lock(&spill.lock);
	row = spill_find_block(p);
	if (row) {
		b = *row;
		*row = spill.blocks[--spill.count];
	}
	if (!spill.count) {
		free(spill.blocks);
		spill.blocks = NULL;
		spill.cap = 0;
	}
	pthread_mutex_unlock(&spill.lock);
	if (b.at)
		munmap(b.at, b.bytes);
}

const char *spill_failure(char buf[ERR_TEXT])
{
	int number;

	pthread_mutex_lock(&spill.lock);
	number = spill.failed;
	pthread_mutex_unlock(&spill.lock);
	if (!number)
		return NULL;
	snprintf(buf, ERR_TEXT, "the scratch folder %.200s: %s", spill.name, strerror(number));
	return buf;
}

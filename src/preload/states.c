#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "functions.h"
#include "preload.h"

#define LOCAL_FIRST 0x10000        /* event types of the local stream */
#define LOCAL_ROOM 0x08000000u
#define MOST 10000                /* states: what a program with names of its own making may take of memory */
#define MERGED_FIRST (ETYPE_USER + 2 * CALL_COUNT)
#define MERGED_SOLO ETYPE_COMPUTE
#define MERGED_MORE 10000

struct user_state *user_states;
int32_t user_state_count;

static size_t state_cap;
static int32_t *slots;             /* by name: number + 1, 0: free; open addressing, at most half full */
static size_t slot_count;

static uint64_t state_hash_name(const char *bytes, size_t n)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)bytes[i]) * 1099511628211u;
	return h ^ h >> 31;
}

static bool reserved(const char *name)
{
	static const char *const prefixes[] = {"MPI_", "PMPI_", "MPE_", "CLOG_", "PAS2P_"};

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return !*name;
}

static void set_name(char to[STATE_NAME], const char *name, size_t n)
{
	size_t kept = n < STATE_NAME ? n : STATE_NAME - 6;

	memset(to, 0, STATE_NAME);
	for (size_t i = 0; i < kept; i++)
		to[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?' : name[i];
	if (kept < n)
		snprintf(to + kept, STATE_NAME - kept, "~%04x", (unsigned)(state_hash_name(name, n) & 0xffff));
}

static int32_t *slot_of(const char name[STATE_NAME])
{
	size_t i = state_hash_name(name, STATE_NAME) & (slot_count - 1);

	while (slots[i] && memcmp(user_states[slots[i] - 1].name, name, STATE_NAME) != 0)
		i = (i + 1) & (slot_count - 1);
	return &slots[i];
}

static bool states_grow(void)
{
	size_t cap = state_cap ? 2 * state_cap : 64;
	struct user_state *list = realloc(user_states, cap * sizeof *list);
	int32_t *more = calloc(2 * cap, sizeof *more);

	if (list)
		user_states = list;
	if (!list || !more) {
		free(more);
		return false;
	}
	free(slots);
	slots = more;
	slot_count = 2 * cap;
	state_cap = cap;
	for (int32_t i = 0; i < user_state_count; i++)
		*slot_of(user_states[i].name) = i + 1;
	return true;
}

/* From the name, unless another one has it already. */
static int32_t local_etype(const char name[STATE_NAME])
{
	uint32_t at = (uint32_t)state_hash_name(name, STATE_NAME) & (LOCAL_ROOM - 1);

	for (int32_t i = 0; i < user_state_count; i++) {
		if (user_states[i].etype == LOCAL_FIRST + 2 * (int32_t)at) {
			at = (at + 1) & (LOCAL_ROOM - 1);
			i = -1;
		}
	}
	return LOCAL_FIRST + 2 * (int32_t)at;
}

static int32_t find_or_add(const char name[STATE_NAME])
{
	struct user_state s = {.etype = 0};
	int32_t *slot;

	if ((size_t)user_state_count == state_cap && (user_state_count >= MOST || !states_grow()))
		return STATE_NONE;
	slot = slot_of(name);
	if (!*slot) {
		memcpy(s.name, name, STATE_NAME);
		s.etype = local_etype(name);
		user_states[user_state_count] = s;
		*slot = ++user_state_count;
	}
	return *slot - 1;
}

int32_t state_named(const char *name, size_t n)
{
	char kept[STATE_NAME];
	int32_t state;

	set_name(kept, name, n);
	if (reserved(kept))
		return STATE_NONE;
	preload_lock();
	state = find_or_add(kept);
	preload_unlock();
	return state;
}

int32_t state_merged_start(int32_t number)
{
	int32_t below = (MERGED_SOLO - MERGED_FIRST) / 2;

	return number < below ? MERGED_FIRST + 2 * number : MERGED_MORE + 2 * (number - below);
}

/* Under the lock. */
static void put_state(int32_t state, double t, bool end)
{
	struct user_state *s = &user_states[state];
	uint8_t *p;

	if (!s->defined)
		log_definition(t, STATE_USER + CALL_COUNT + state, s->etype, COLOUR_STATE, s->name, "");
	s->defined = true;
	p = buffer_room(LEN_BARE);
	t = buffer_order(t);
	p = put_bare(p, t, 0, preload.rank, self.id, s->etype + end);
	put_i32(p - 4, state + 1);
	buffer_commit(LEN_BARE, t);
}

void state_enter(int32_t state, double t)
{
	preload_lock();
	put_state(state, t, false);
	preload_unlock();
}

void state_leave(int32_t state, double t)
{
	preload_lock();
	put_state(state, t, true);
	preload_unlock();
}

/* What the program passes may be anything: copied by the kernel, it cannot fault. 0: it is no text. */
static size_t copy_text(char *to, size_t room, const char *from)
{
	struct iovec here = {to, 1}, there = {(void *)(uintptr_t)from, 1};

	for (size_t n = 0; from && n < room; n++) {
		here.iov_base = to + n;
		there.iov_base = (void *)(uintptr_t)(from + n);
		if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != 1)
			return 0;
		if (!to[n])
			return n;
	}
	return 0;
}

static int32_t region_named(const char *name)
{
	char text[256];
	size_t n = copy_text(text, sizeof text, name);

	return n ? state_named(text, n) : STATE_NONE;
}

void region_begin(const char *name)
{
	int32_t state = region_named(name);

	if (state == STATE_NONE || !preload.recording)
		return;
	functions_settle();
	preload_lock();
	user_states[state].open++;
	put_state(state, clock_now(), false);
	preload_unlock();
}

void region_end(const char *name)
{
	int32_t state = region_named(name);

	if (state == STATE_NONE)
		return;
	functions_settle();
	preload_lock();
	if (user_states[state].open) {
		user_states[state].open--;
		put_state(state, clock_now(), true);
	}
	preload_unlock();
}

void regions_finish(void)
{
	for (int32_t i = user_state_count; i-- > 0;)
		for (; user_states[i].open; user_states[i].open--)
			put_state(i, clock_now(), true);
}

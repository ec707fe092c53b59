#include "functions.h"

#include <stdlib.h>

#include "symbols.h"

#define EXPORT __attribute__((visibility("default")))
#define DEEPEST 4096u
#define NOT_NAMED (-2)

struct traced_function {
	const void *address;
	int32_t state;       /* NOT_NAMED before it is first logged; STATE_NONE: it makes no state */
	uint32_t calls;      /* that were too short */
	uint32_t open;       /* frames */
	bool logged;
	bool dropped;        /* only while no frame is its own, so that entries and exits go together */
};

struct function_frame {
	uint32_t function;
	bool logged;
	bool silent;         /* entered while records were off */
	double entered;
};

static struct {
	volatile bool on;
	volatile bool called; /* the program is compiled for it */
	volatile bool busy;  /* a signal's handler came in between: it is not looked at */
	double shortest;
	struct traced_function *list;
	uint32_t count, cap;
	uint32_t *slots;     /* by address: number + 1 */
	uint32_t slot_count; /* a power of two, at least twice `cap` */
	struct function_frame frames[DEEPEST];
	uint32_t depth;
	uint32_t settled;    /* frames from the bottom that are logged or silent */
	uint64_t beyond;     /* calls open above the deepest */
	struct functions_dropped dropped;
	bool spilled;
	struct buffer_spill spill;
} functions;

static uint32_t *slot_of(const void *address)
{
	uint32_t i = (uint32_t)((uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u >> 32) & (functions.slot_count - 1);

	while (functions.slots[i] && functions.list[functions.slots[i] - 1].address != address)
		i = (i + 1) & (functions.slot_count - 1);
	return &functions.slots[i];
}

static bool functions_grow(void)
{
	uint32_t cap = functions.cap ? 2 * functions.cap : 512;
	struct traced_function *list = realloc(functions.list, cap * sizeof *list);
	uint32_t *slots = calloc(2 * (size_t)cap, sizeof *slots);

	if (list)
		functions.list = list;
	if (!list || !slots) {
		free(slots);
		return false;
	}
	free(functions.slots);
	functions.slots = slots;
	functions.slot_count = 2 * cap;
	functions.cap = cap;
	for (uint32_t i = 0; i < functions.count; i++)
		*slot_of(functions.list[i].address) = i + 1;
	return true;
}

static struct traced_function *functions_find(const void *address)
{
	uint32_t number = functions.slot_count ? *slot_of(address) : 0;

	return number ? &functions.list[number - 1] : NULL;
}

static struct traced_function *find_or_add(const void *address)
{
	struct traced_function *known = functions_find(address);

	if (known || (functions.count == functions.cap && !functions_grow()))
		return known;
	functions.list[functions.count] = (struct traced_function){.address = address, .state = NOT_NAMED};
	*slot_of(address) = functions.count + 1;
	return &functions.list[functions.count++];
}

/* What takes long here is no computing of the program's. */
static double work_begins(void)
{
	return cpu_at(&self.cpu, clock_now());
}

static void work_ends(double began)
{
	self.polled += cpu_at(&self.cpu, clock_now()) - began;
}

static int32_t state_of(struct traced_function *f)
{
	if (f->state == NOT_NAMED) {
		double began = work_begins();
		char name[SYMBOL_MOST];

		f->state = state_named(name, symbol_name(f->address, name));
		work_ends(began);
	}
	return f->state;
}

/* Times rise in the stream: a spill is logged behind the frames, whose times have passed. */
static void log_spill(void)
{
	if (!functions.spilled)
		return;
	functions.spilled = false;
	preload_lock();
	buffer_log_spill(&functions.spill);
	preload_unlock();
}

static void log_frame(int32_t state, double t, bool end)
{
	if (state == STATE_NONE)
		return;
	if (__builtin_expect(buffer_tight(), 0)) {
		double began = work_begins();

		preload_lock();
		functions.spilled = buffer_next_block_at(t, &functions.spill) || functions.spilled;
		preload_unlock();
		work_ends(began);
	}
	if (end)
		state_leave(state, t);
	else
		state_enter(state, t);
}

void functions_log_waiting(void)
{
	bool before = functions.busy;

	functions.busy = true;
	for (; functions.settled < functions.depth; functions.settled++) {
		struct function_frame *frame = &functions.frames[functions.settled];
		struct traced_function *f = &functions.list[frame->function];

		if (frame->silent)
			continue;
		log_frame(state_of(f), frame->entered, false);
		frame->logged = f->logged = true;
	}
	log_spill();
	self.waiting = false;
	functions.busy = before;
}

/* The topmost frame goes. ended: it did so now; otherwise it is gone without having been told, by longjmp(). */
static void frame_pop(double t, bool ended)
{
	struct function_frame *frame = &functions.frames[functions.depth - 1];
	struct traced_function *f = &functions.list[frame->function];

	if (ended && !frame->logged && !frame->silent && preload.recording && t - frame->entered >= functions.shortest)
		functions_log_waiting();
	if (frame->logged) {
		log_frame(f->state, t, true);
		log_spill();
	} else if (ended && !frame->silent) {
		functions.dropped.calls++;
		if (!f->logged && ++f->calls >= FUNCTION_TRIAL && f->open == 1) {
			f->dropped = true;
			functions.dropped.functions++;
		}
	}
	f->open--;
	functions.depth--;
	if (functions.settled > functions.depth)
		functions.settled = functions.depth;
	self.waiting = functions.settled < functions.depth;
}

static void entered(const void *address)
{
	struct traced_function *f = find_or_add(address);

	if (!f || f->dropped)
		return;
	if (functions.depth == DEEPEST || functions.beyond) {
		functions.beyond++;
		return;
	}
	functions.frames[functions.depth++] = (struct function_frame){.function = (uint32_t)(f - functions.list),
			.silent = !preload.recording, .entered = clock_now()};
	f->open++;
	self.waiting = true;
}

static void function_left(const void *address)
{
	const struct traced_function *f = functions_find(address);
	uint32_t at = functions.depth, number;
	double t;

	if (!f || f->dropped)
		return;
	if (functions.beyond) {
		functions.beyond--;
		return;
	}
	number = (uint32_t)(f - functions.list);
	while (at && functions.frames[at - 1].function != number)
		at--;
	if (!at)
		return; /* it was entered before MPI_Init */
	t = clock_now();
	while (functions.depth > at)
		frame_pop(t, false);
	frame_pop(t, true);
}

/* Not those that the MPI library calls back, nor other threads', nor those of a signal's handler that came in
 * between. */
static bool looks(void)
{
	return functions.on && !self.depth && self.known && self.id == 0 && !functions.busy;
}

EXPORT void __cyg_profile_func_enter(void *function, void *site);
EXPORT void __cyg_profile_func_exit(void *function, void *site);

EXPORT void __cyg_profile_func_enter(void *function, void *site)
{
	(void)site;
	functions.called = true;
	if (!looks())
		return;
	functions.busy = true;
	entered(function);
	functions.busy = false;
}

EXPORT void __cyg_profile_func_exit(void *function, void *site)
{
	(void)site;
	if (!looks())
		return;
	functions.busy = true;
	function_left(function);
	functions.busy = false;
}

/* A child has the parent's records and its local file. */
static void in_child(void)
{
	functions.on = false;
}

void functions_start(double shortest)
{
	static bool told;

	if (!told)
		pthread_atfork(NULL, NULL, in_child);
	told = true;
	functions.shortest = shortest;
	functions.on = true;
}

bool functions_called(void)
{
	return functions.called;
}

struct functions_dropped functions_finish(void)
{
	functions.on = false;
	while (functions.depth)
		frame_pop(clock_now(), false);
	symbols_release();
	return functions.dropped;
}

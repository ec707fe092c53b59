/* Random series-parallel models against a simulation of them that hands out resources first come, first served: without
 * resources the free time is the simulated one, and both bounds are below what happens
 * (docs/explain/models-language.md, "Evaluation"). A bound that is none makes a prediction that no machine can meet, or
 * hides one that it can.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/out.h"
#include "core/models/machine/machine.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/predict.h"
#include "tap.h"

#define MODELS 3000
#define RESOURCES 3
#define NODES 400
#define THREADS 4000

/* ---- random trees ---- */

enum kind { WORK, SEQUENCE, PARALLEL, HOLD };

struct tree {
	enum kind kind;
	double time;
	int resource, count;     /* how often a sequence runs, how many copies a parallel has */
	int child[4], children;
};

static struct tree trees[NODES];
static int tree_count;
static uint64_t state;

static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

/* Resources are taken in ascending order, so that nobody waits for each other. */
static int grow(int depth, int lowest)
{
	int me = tree_count++;
	struct tree *t = &trees[me];
	unsigned what = depth == 0 || tree_count > NODES - 40 ? 0 : draw(8);

	*t = (struct tree){.kind = WORK, .time = 1 + draw(9), .count = 1};
	if (what >= 2 && what < 5) {
		t->kind = SEQUENCE;
		t->count = draw(3) ? 1 : (int)draw(3);
	} else if (what >= 5 && what < 7) {
		t->kind = PARALLEL;
		t->count = draw(3) ? 1 : 1 + (int)draw(3);
	} else if (what == 7 && lowest < RESOURCES) {
		t->kind = HOLD;
		t->resource = lowest + (int)draw((unsigned)(RESOURCES - lowest));
		lowest = t->resource + 1;
	}
	if (t->kind == WORK)
		return me;
	t->children = t->kind == HOLD ? 1 : t->kind == PARALLEL && t->count > 1 ? 1 : 1 + (int)draw(4);
	for (int i = 0, n = t->children; i < n; i++) {
		int child = grow(depth - 1, lowest);

		trees[me].child[i] = child;
	}
	return me;
}

static void write_tree(struct out *o, int at)
{
	const struct tree *t = &trees[at];

	if (t->kind == WORK) {
		out_printf(o, "{compute: %.0f}", t->time);
		return;
	}
	if (t->kind == HOLD)
		out_printf(o, "{use: r%d, do: [", t->resource);
	else if (t->kind == SEQUENCE)
		out_printf(o, "{loop: %d, do: [", t->count);
	else if (t->count > 1)
		out_printf(o, "{par: %d, do: [", t->count);
	else
		out_printf(o, "{par: [");
	for (int i = 0; i < t->children; i++) {
		bool branch = t->kind == PARALLEL && t->count == 1;

		out_str(o, i ? ", " : "");
		out_str(o, branch ? "[" : "");
		write_tree(o, t->child[i]);
		out_str(o, branch ? "]" : "");
	}
	out_str(o, "]}");
}

/* ---- the simulation ---- */

struct frame {
	int tree, child, left; /* next child, and how often it runs once more */
};

struct thread {
	struct frame frame[64];
	int frames, parent, waits_for; /* threads that it waits for */
	double time;                   /* when it goes on */
	bool runs, works;              /* is in the queue; has a processor */
};

static struct thread threads[THREADS];
static int thread_count;

struct resource {
	int left, queue[THREADS], first, last;
};

static struct resource resources[RESOURCES + 1]; /* the last: processors */
static bool unlimited;

static void enter(struct thread *t, int tree)
{
	t->frame[t->frames++] = (struct frame){tree, 0, trees[tree].count};
}

/* true: it has it now, otherwise it stands in the queue. */
static bool take(int who, int which)
{
	struct resource *r = &resources[which];

	if (unlimited || r->left > 0) {
		r->left--;
		return true;
	}
	r->queue[r->last++ % THREADS] = who;
	return false;
}

static void start(int tree, int parent, double now)
{
	struct thread *t = &threads[thread_count++];

	t->frames = 0;
	t->parent = parent;
	t->waits_for = 0;
	t->time = now;
	t->runs = true;
	t->works = false;
	enter(t, tree);
}

static void give(int which, double now)
{
	struct resource *r = &resources[which];

	r->left++;
	if (r->first < r->last && !unlimited) {
		struct thread *t = &threads[r->queue[r->first++ % THREADS]];

		r->left--;
		t->time = now;
		t->runs = true;
		t->frame[t->frames - 1].child = 1; /* it has it */
	}
}

/* Goes on with a thread at its time until it waits. */
static void go(int who)
{
	struct thread *t = &threads[who];
	double now = t->time;

	t->runs = false;
	while (t->frames) {
		struct frame *f = &t->frame[t->frames - 1];
		const struct tree *tree = &trees[f->tree];

		switch (tree->kind) {
		case WORK:
			if (f->child == 0 && !take(who, RESOURCES))
				return;
			if (f->child <= 1) { /* it has a processor: it works */
				f->child = 2;
				t->time = now + tree->time;
				t->runs = true;
				return;
			}
			t->frames--;
			give(RESOURCES, now);
			break;
		case HOLD:
			if (f->child == 0 && !take(who, tree->resource))
				return;
			if (f->child <= 1) {
				f->child = 2;
				enter(t, tree->child[0]);
				break;
			}
			t->frames--;
			give(tree->resource, now);
			break;
		case SEQUENCE:
			if (f->left > 0 && f->child == tree->children) {
				f->child = 0;
				f->left--;
			}
			if (f->left > 0)
				enter(t, tree->child[f->child++]);
			else
				t->frames--;
			break;
		case PARALLEL:
			if (f->child == 0) {
				f->child = 1;
				t->waits_for = tree->count > 1 ? tree->count : tree->children;
				for (int i = 0, n = t->waits_for; i < n; i++)
					start(tree->child[tree->count > 1 ? 0 : i], who, now);
				return;
			}
			t->frames--;
			break;
		}
	}
	if (t->parent >= 0 && !--threads[t->parent].waits_for) {
		threads[t->parent].time = now;
		threads[t->parent].runs = true;
	}
}

static double simulate(int root, int processes, const int *counts, bool free)
{
	double now = 0;

	unlimited = free;
	thread_count = 0;
	for (int i = 0; i <= RESOURCES; i++) {
		resources[i].left = counts[i];
		resources[i].first = resources[i].last = 0;
	}
	for (int i = 0; i < processes; i++)
		start(root, -1, 0);
	for (;;) {
		int next = -1;

		for (int i = 0; i < thread_count; i++)
			if (threads[i].runs && (next < 0 || threads[i].time < threads[next].time))
				next = i;
		if (next < 0)
			return now;
		now = threads[next].time;
		go(next);
	}
}

static bool small_enough(int root)
{
	/* how many threads there will be: all copies of all pars in all loops */
	double n[NODES];

	for (int i = tree_count; i--;) {
		const struct tree *t = &trees[i];

		n[i] = 0;
		for (int c = 0; c < t->children; c++)
			n[i] += n[t->child[c]] + (t->kind == PARALLEL);
		n[i] *= t->count;
	}
	return n[root] < THREADS / 4;
}

int main(void)
{
	int waited = 0, free_wrong = 0, above = 0, crossed = 0, refused = 0, exact = 0, done = 0;

	for (uint64_t seed = 1; done < MODELS; seed++) {
		int counts[RESOURCES + 1], processes, root;
		struct interval values[4];
		struct program_model m;
		struct machine mach;
		struct outcome nested = {0}, whole = {0};
		struct out text;
		char machine[160];
		struct err e = {0};
		double free, simulated;

		state = seed * 7919;
		tree_count = 0;
		root = grow(5, 0);
		if (!small_enough(root))
			continue;
		done++;
		processes = 1 + (int)draw(3);
		for (int i = 0; i <= RESOURCES; i++)
			counts[i] = 1 + (int)draw(3);
		out_init(&text);
		out_printf(&text, "pas2p_model: 1\nparameters: {p: %d}\nresources: {r0: %d, r1: %d, r2: %d}\nprogram: [", processes, counts[0], counts[1],
			   counts[2]);
		write_tree(&text, root);
		out_str(&text, "]\n");
		snprintf(machine, sizeof machine, "pas2p_machine: 1\nnodes: [{count: 1, cores: %d}]\n", counts[RESOURCES]);
		machine_init(&mach);
		if (model_parse(&m, "m", text.text, text.len, &e) || machine_parse(&mach, "machine", machine, strlen(machine), &e)) {
			refused++;
			diag("%s", e.text);
		} else {
			struct evaluate_input in = {.model = &m, .machine = &mach, .values = values};

			values[0] = interval_point(processes);
			refused += evaluate(&nested, &in, &e) != ERR_OK;
			in.contention = CONTENTION_WHOLE;
			refused += evaluate(&whole, &in, &e) != ERR_OK;
			free = simulate(root, 1, counts, true);
			simulated = simulate(root, processes, counts, false);
			free_wrong += fabs(nested.free.hi - free) > 1e-9 || nested.free.lo != nested.free.hi;
			crossed += whole.time.hi > nested.time.hi + 1e-9;
			above += nested.time.hi > simulated + 1e-9;
			waited += simulated > free + 1e-9;
			exact += simulated > free + 1e-9 && fabs(simulated - nested.time.hi) < 1e-9;
			if (nested.time.hi > simulated + 1e-9 && above < 3)
				diag("nested %g above %g: %s", nested.time.hi, simulated, text.text);
		}
		outcome_release(&nested);
		outcome_release(&whole);
		machine_release(&mach);
		program_model_release(&m);
		out_release(&text);
	}
	is_int(refused, 0, "all of %d models are evaluated", MODELS);
	is_int(free_wrong, 0, "the free time is what happens where nobody waits");
	is_int(crossed, 0, "the bound of the whole is never above the nested one");
	is_int(above, 0, "and that is never above what happens");
	ok(waited > MODELS / 10, "%d of them wait for resources", waited);
	ok(exact > waited / 4, "in %d of those the nested bound is exact", exact);
	return done_testing();
}

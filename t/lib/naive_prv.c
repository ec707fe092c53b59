#include "naive_prv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST 6000

/* One event record of some thread; line and place say where it stands in the file. */
struct ev {
	int task, thread;
	int64_t time, type, value;
	int line, place;
};

struct msg {
	int task[2], thread[2];
	int64_t time[2], logical, size;
	int tag, line;
};

/* A stretch that is no computation: an outermost call, or a write of the tracer outside of any. */
struct stretch {
	int64_t begin, end, type, value;
	bool call;
	int first, last; /* its first and last record in the thread's order */
};

struct all {
	struct ev ev[LIST];
	int evs;
	struct msg msg[LIST];
	int msgs;
	int tasks;
	int64_t comm_id[50];
	int comm_size[50], comms;
	int64_t world;
	int64_t end[64]; /* of each task: its last record of any kind but the tracer's flushes */
};

static int split(char *line, int64_t *f, int most)
{
	int n = 0;

	for (char *p = line; n < most; p++) {
		f[n++] = strtoll(p, &p, 10);
		if (*p != ':')
			break;
	}
	return n;
}

static void read_header(struct all *a, const char *line)
{
	const char *p = strstr(line, "):") + 2;

	p = strchr(p, ':') + 1;                 /* nodes */
	p += strcspn(p, "(:");
	if (*p == '(')
		p = strchr(p, ')') + 1;
	p = strchr(p + 1, '(') + 1;             /* applications:tasks( */
	for (a->tasks = 1; *p != ')'; p++)
		a->tasks += *p == ',';
}

static void ends_at(struct all *a, int64_t task, int64_t time)
{
	if (time > a->end[task - 1])
		a->end[task - 1] = time;
}

static void read_line(struct all *a, char *line, int number)
{
	int64_t f[400];
	int n;

	if (line[0] == '1' && line[1] == ':') {
		split(line + 2, f, 400);
		ends_at(a, f[2], f[5]);
	} else if (line[0] == '2' && line[1] == ':') {
		n = split(line + 2, f, 400);
		for (int i = 5; i + 1 < n; i += 2) {
			if (f[i] != 40000003)
				ends_at(a, f[2], f[4]);
			a->ev[a->evs++] = (struct ev){(int)f[2] - 1, (int)f[3] - 1, f[4], f[i], f[i + 1], number, i};
		}
	} else if (line[0] == '3' && line[1] == ':') {
		split(line + 2, f, 400);
		ends_at(a, f[2], f[4]);
		ends_at(a, f[8], f[11]);
		a->msg[a->msgs++] = (struct msg){{(int)f[2] - 1, (int)f[8] - 1}, {(int)f[3] - 1, (int)f[9] - 1}, {f[4], f[11]}, f[10], f[12],
						 (int)f[13], number};
	} else if (line[0] == 'c') {
		n = split(line + 2, f, 400);
		a->comm_id[a->comms] = f[1];
		a->comm_size[a->comms++] = n - 3;
		if (n - 3 == a->tasks && (a->world < 0 || f[1] < a->world))
			a->world = f[1];
	}
}

static void read_all(struct all *a, const char *text)
{
	int number = 0;

	a->world = -1;
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = strndup(text, n);

		if (!line)
			abort();
		line[strcspn(line, "\r")] = '\0';
		if (!number++)
			read_header(a, line);
		else
			read_line(a, line, number);
		free(line);
		text += n + (text[n] == '\n');
	}
}

/* ---- one thread ---- */

struct thread {
	struct ev list[LIST];  /* in order: by time, then as in the file */
	int n;
	struct stretch stretch[LIST];
	int stretches;
	struct naive_prv_event out[NAIVE_PRV_EVENTS];
	int in[NAIVE_PRV_EVENTS]; /* the stretch of an event, -1: none */
	int outs;
};

static void gather(const struct all *a, struct thread *t, int task, int thread)
{
	t->n = 0;
	for (int i = 0; i < a->evs; i++) {
		int at = t->n;

		if (a->ev[i].task != task || a->ev[i].thread != thread)
			continue;
		while (at > 0 && t->list[at - 1].time > a->ev[i].time) {
			t->list[at] = t->list[at - 1];
			at--;
		}
		t->list[at] = a->ev[i];
		t->n++;
	}
}

static bool is_call(int64_t type)
{
	return type >= 50000001 && type <= 50000005;
}

static void find_stretches(struct thread *t)
{
	int depth = 0;

	t->stretches = 0;
	for (int i = 0; i < t->n; i++) {
		const struct ev *e = &t->list[i];
		bool call = is_call(e->type);

		if (!call && e->type != 40000003)
			continue;
		if (e->value && !depth++)
			t->stretch[t->stretches++] = (struct stretch){e->time, INT64_MAX, e->type, e->value, call, i, t->n};
		if (!e->value && depth && !--depth) {
			t->stretch[t->stretches - 1].end = e->time;
			t->stretch[t->stretches - 1].last = i;
		}
	}
}

static const char *op_of(int64_t value)
{
	return value == 7 ? "Bcast" : value == 8 ? "Barrier" : value == 10 ? "Allreduce" : value == 80 ? "Reduce_scatter" : NULL;
}

/* Of the records of that instant, those behind the call's begin and before another's; before it where no other begins
 * there earlier. */
static bool attribute(const struct thread *t, int begin, int64_t type, int64_t *value)
{
	int64_t time = t->list[begin].time;
	bool found = false, first = true;

	for (int i = 0; i < begin; i++)
		if (t->list[i].time == time && is_call(t->list[i].type) && t->list[i].value)
			first = false;
	for (int i = 0; i < t->n; i++) {
		const struct ev *e = &t->list[i];

		if (e->time != time || (i < begin && !first))
			continue;
		if (i > begin && is_call(e->type) && e->value)
			break;
		if (e->type == type) {
			*value = e->value;
			found = true;
		}
	}
	return found;
}

static void add_collectives(const struct all *a, struct thread *t, int task, int thread)
{
	for (int i = 0; i < t->stretches; i++) {
		const struct stretch *s = &t->stretch[i];
		struct naive_prv_event e = {.kind = 'c', .task = task, .thread = thread, .time = s->begin, .comm = a->world};
		int64_t comm;
		int size = 0;

		if (s->type != 50000002 || !op_of(s->value))
			continue;
		attribute(t, s->first, 50100001, &e.size);
		if (attribute(t, s->first, 50100004, &comm))
			for (int c = 0; c < a->comms; c++)
				if (a->comm_id[c] == comm)
					e.comm = comm;
		for (int c = 0; c < a->comms; c++)
			if (a->comm_id[c] == e.comm)
				size = a->comm_size[c];
		if (size < 2)
			continue;
		snprintf(e.op, sizeof e.op, "%s", op_of(s->value));
		t->in[t->outs] = i;
		t->out[t->outs++] = e;
	}
}

/* The call that an end of a message lies in; -1: none. */
static int call_of(const struct thread *t, int64_t time, bool receive)
{
	int found = -1;

	if (receive) {
		for (int i = 0; i < t->stretches && found < 0; i++)
			if (t->stretch[i].call && t->stretch[i].end >= time)
				found = i;
		for (int i = 0; i < t->stretches && found < 0; i++)
			if (t->stretch[i].call && t->stretch[i].begin < time)
				found = i;
	} else {
		for (int i = 0; i < t->stretches; i++)
			if (t->stretch[i].call && t->stretch[i].begin <= time)
				found = i;
	}
	if (found >= 0 && t->stretch[found].begin <= time && time <= t->stretch[found].end)
		return found;
	return -1;
}

/* Does x come before y? Both are of one thread. */
static bool is_before(const struct all *a, const struct thread *t, int x, int y)
{
	const struct naive_prv_event *e = &t->out[x], *f = &t->out[y];

	if (t->in[x] != t->in[y]) {
		if (t->in[x] >= 0 && t->in[y] >= 0)
			return t->in[x] < t->in[y];
		return e->time < f->time; /* what is in no call is at no border of one */
	}
	if (t->in[x] >= 0 && (e->kind == 'c') != (f->kind == 'c'))
		return e->kind == 'c';
	if (e->time != f->time)
		return e->time < f->time;
	if (e->kind != f->kind)
		return e->kind == 's';
	if (e->kind == 'r' && a->msg[e->message].logical != a->msg[f->message].logical)
		return a->msg[e->message].logical < a->msg[f->message].logical;
	return a->msg[e->message].line < a->msg[f->message].line;
}

static void sort_events(const struct all *a, struct thread *t)
{
	for (int i = 1; i < t->outs; i++)
		for (int k = i; k > 0 && is_before(a, t, k, k - 1); k--) {
			struct naive_prv_event e = t->out[k];
			int in = t->in[k];

			t->out[k] = t->out[k - 1];
			t->in[k] = t->in[k - 1];
			t->out[k - 1] = e;
			t->in[k - 1] = in;
		}
}

static void add_messages(const struct all *a, struct thread *t, int task, int thread)
{
	for (int m = 0; m < a->msgs; m++)
		for (int end = 0; end < 2; end++) {
			const struct msg *x = &a->msg[m];

			if (x->task[end] != task || x->thread[end] != thread)
				continue;
			t->in[t->outs] = call_of(t, x->time[end], end);
			t->out[t->outs++] = (struct naive_prv_event){.kind = end ? 'r' : 's', .task = task, .thread = thread,
				.time = x->time[end], .partner = x->task[!end], .size = x->size, .tag = x->tag, .comm = a->world,
				.message = m};
		}
}

/* From the end of the event's call to the begin of the next one with an event, or to the end of the process's work, less what is
 * no computation in between. */
static void compute(struct thread *t, int64_t end_of_work)
{
	for (int i = 0; i < t->outs; i++) {
		int64_t from = t->in[i] < 0 ? t->out[i].time : t->stretch[t->in[i]].end, to = end_of_work;

		if (i + 1 < t->outs)
			to = t->in[i + 1] < 0 ? t->out[i + 1].time : t->stretch[t->in[i + 1]].begin;
		if (i + 1 < t->outs && t->in[i] >= 0 && t->in[i] == t->in[i + 1])
			continue;
		if (i + 1 == t->outs && to <= from) {
			t->out[i].compute = NAIVE_PRV_UNKNOWN;
			continue;
		}
		t->out[i].compute = to - from;
		for (int s = 0; s < t->stretches; s++) {
			int64_t begin = t->stretch[s].begin, end = t->stretch[s].end;

			begin = begin < from ? from : begin;
			end = end > to ? to : end;
			if (begin < end)
				t->out[i].compute -= end - begin;
		}
	}
}

int naive_prv(const char *text, struct naive_prv_event *events, int *tasks)
{
	struct all *a = calloc(1, sizeof *a);
	struct thread *t = calloc(4, sizeof *t);
	int n = 0;

	if (!a || !t)
		abort();
	read_all(a, text);
	*tasks = a->tasks;
	for (int task = 0; task < a->tasks; task++) {
		int at[4] = {0};

		for (int k = 0; k < 4; k++) {
			t[k].outs = 0;
			gather(a, &t[k], task, k);
			find_stretches(&t[k]);
			add_collectives(a, &t[k], task, k);
			add_messages(a, &t[k], task, k);
			sort_events(a, &t[k]);
			for (int i = 0; i < t[k].outs; i++)
				t[k].out[i].compute = 0;
			compute(&t[k], a->end[task]);
		}
		for (;;) {
			int best = -1;

			for (int k = 0; k < 4; k++)
				if (at[k] < t[k].outs && (best < 0 || t[k].out[at[k]].time < t[best].out[at[best]].time))
					best = k;
			if (best < 0)
				break;
			events[n++] = t[best].out[at[best]++];
		}
	}
	free(a);
	free(t);
	return n;
}

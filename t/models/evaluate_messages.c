/* Random programs of processes that send, receive and meet, against a plain simulation with every loop unrolled: the
 * same ends for both ends of all times, the same deadlocks, the same messages left over
 * (docs/explain/models-language.md, "Evaluation"). The evaluator pairs messages while processes run ahead, and does
 * steady loops at once; neither may be seen in a result.
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

#define PROGRAMS CASES(3000)
#define RANKS 6
#define OPS 40      /* of a rank's body */
#define PARTS 3     /* loops after each other */

enum op_kind { WORK, SEND, ISEND, RECV, BARRIER, ALLREDUCE, ALLTOALL };

struct op {
	enum op_kind kind;
	int peer, tag, n; /* n: bytes, or seconds */
};

struct part {
	int times;        /* 0: not in a loop */
	bool indexed;     /* work grows with the index */
	bool apart;       /* each rank has a loop of its own */
	struct op op[RANKS][OPS];
	int ops[RANKS];
};

static struct part parts[PARTS];
static int part_count, ranks;
static uint64_t state;

static int draw(int n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (int)((unsigned)(state >> 33) % (unsigned)n);
}

static void add(struct part *p, int rank, struct op op)
{
	if (p->ops[rank] < OPS)
		p->op[rank][p->ops[rank]++] = op;
}

/* Most programs go well; of some one operation is taken away. */
static void grow(void)
{
	ranks = 1 + draw(RANKS);
	part_count = 1 + draw(PARTS);
	memset(parts, 0, sizeof parts);
	for (int i = 0; i < part_count; i++) {
		struct part *p = &parts[i];
		struct { int at; struct op op; } late[OPS];
		int n_late = 0, events = 1 + draw(10);

		p->times = draw(4) ? 1 + draw(60) : 0;
		p->indexed = p->times && draw(4) == 0;
		p->apart = p->times && draw(2);
		for (int k = 0; k < events; k++) {
			int from = draw(ranks), to = draw(ranks), what = draw(10);

			if (what < 3) {
				add(p, from, (struct op){WORK, 0, 0, draw(30)});
			} else if (what < 9) {
				struct op get = {RECV, from, draw(2), 0};

				add(p, from, (struct op){what == 8 ? ISEND : SEND, to, get.tag, draw(50)});
				if (draw(3) && n_late < OPS) {
					late[n_late].at = to;
					late[n_late++].op = get;
				} else {
					add(p, to, get);
				}
			} else {
				struct op all = {BARRIER + draw(3), 0, 0, draw(50)};

				for (int r = 0; r < ranks; r++)
					add(p, r, all);
			}
		}
		for (int k = 0; k < n_late; k++)
			add(p, late[k].at, late[k].op);
	}
	if (draw(5) == 0) {
		struct part *p = &parts[draw(part_count)];
		int r = draw(ranks);

		if (p->ops[r])
			p->ops[r]--;
	}
}

static void write_ops(struct out *o, const struct part *p, int rank)
{
	out_str(o, "[");
	for (int i = 0; i < p->ops[rank]; i++) {
		const struct op *op = &p->op[rank][i];

		out_str(o, i ? ", " : "");
		switch (op->kind) {
		case WORK:
			out_printf(o, p->indexed ? "{compute: \"[%d, %d] + i\"}" : "{compute: [%d, %d]}", op->n, op->n + 3);
			break;
		case SEND:
		case ISEND:
			out_printf(o, "{%s: {to: %d, bytes: \"[%d, %d]\", tag: %d}}", op->kind == SEND ? "send" : "isend", op->peer, op->n, op->n + 2,
				   op->tag);
			break;
		case RECV:
			out_printf(o, "{recv: {from: %d, tag: %d}}", op->peer, op->tag);
			break;
		case BARRIER:
			out_str(o, "{barrier: {}}");
			break;
		case ALLREDUCE:
			out_printf(o, "{allreduce: {bytes: %d + rank}}", op->n);
			break;
		case ALLTOALL:
			out_printf(o, "{alltoall: {bytes: %d}}", op->n);
			break;
		}
	}
	out_str(o, "]");
}

static void write_loop(struct out *o, const struct part *p)
{
	if (!p->times)
		return;
	if (p->indexed)
		out_printf(o, "loop: {i: [1, %d]}, do: ", p->times);
	else
		out_printf(o, "loop: %d, do: ", p->times);
}

static void write_program(struct out *o)
{
	out_printf(o, "pas2p_model: 1\nparameters: {p: %d}\nprogram:\n", ranks);
	for (int i = 0; i < part_count; i++) {
		const struct part *p = &parts[i];

		if (p->times && !p->apart) {
			out_str(o, "- {");
			write_loop(o, p);
			out_str(o, "[");
		}
		for (int r = 0; r < ranks; r++) {
			out_str(o, p->times && !p->apart ? (r ? ", " : "") : "- ");
			out_printf(o, "{if: rank == %d, do: ", r);
			if (p->apart) {
				out_str(o, "[{");
				write_loop(o, p);
			}
			write_ops(o, p, r);
			out_str(o, p->apart ? "}]}" : "}");
			out_str(o, p->times && !p->apart ? "" : "\n");
		}
		out_str(o, p->times && !p->apart ? "]}\n" : "");
	}
}

/* Ranks 0 and 1 are near each other, 2 and 3, 4 and 5. The _local functions are other than send and recv; isend and
 * copy have only one. */
static const char machine_text[] = "pas2p_machine: 1\n"
	"functions:\n"
	"  send(b): \"[5, 6] + 2*b\"\n  recv(b): \"[20, 30] + 3*b\"\n  copy(b): \"1 + b\"\n  send_local(b): 2 + b\n  recv_local(b): \"[4, 5] + b\"\n"
	"  alltoall(b, q): \"q*b + [0, 1]\"\n"
	"nodes: [{count: 3, cores: 2}]\n";

/* ---- the simulation ---- */

struct flight {
	int from, to, tag;
	double arrival, copy;
	bool taken;
};

static double end_time[RANKS];
static int left_over;

/* One end of all times; false: a deadlock. */
static bool simulate(bool high)
{
	static struct flight flights[200000];
	int flight_count = 0, part[RANKS] = {0}, times[RANKS] = {0}, at[RANKS] = {0}, first_flight = 0;
	double clock[RANKS] = {0};

	for (bool moved = true; moved;) {
		int meeting = 0;

		moved = false;
		for (int r = 0; r < ranks; r++) {
			while (part[r] < part_count) {
				const struct part *p = &parts[part[r]];
				const struct op *op = &p->op[r][at[r]];
				bool near = r / 2 == op->peer / 2, waits = true;

				if (at[r] == p->ops[r]) {
					at[r] = 0;
					if (++times[r] >= p->times) {
						times[r] = 0;
						part[r]++;
					}
					moved = true;
					continue;
				}
				if (op->kind == WORK) {
					clock[r] += op->n + (high ? 3 : 0) + (p->indexed ? times[r] + 1 : 0);
				} else if (op->kind == SEND || op->kind == ISEND) {
					double b = op->n + (high ? 2 : 0), send0 = near ? 2 : high ? 6 : 5;

					flights[flight_count++] = (struct flight){r, op->peer, op->tag,
						clock[r] + (near ? (high ? 5 : 4) + b : (high ? 30 : 20) + 3 * b), 1 + b, false};
					clock[r] += op->kind == ISEND ? send0 : send0 + (near ? b : 2 * b);
				} else if (op->kind == RECV) {
					for (int f = first_flight; f < flight_count && waits; f++) {
						struct flight *m = &flights[f];

						if (m->taken || m->from != op->peer || m->to != r || m->tag != op->tag)
							continue;
						m->taken = true;
						waits = false;
						clock[r] = fmax(clock[r] + m->copy, m->arrival);
					}
					while (first_flight < flight_count && flights[first_flight].taken)
						first_flight++;
					if (waits)
						break;
				} else {
					break;
				}
				at[r]++;
				moved = true;
			}
			meeting += part[r] < part_count && parts[part[r]].op[r][at[r]].kind >= BARRIER;
		}
		if (meeting == ranks && !moved) {
			double leave = 0, bytes = 0;
			enum op_kind kind = parts[part[0]].op[0][at[0]].kind;
			int rounds = 0;

			while (1 << rounds < ranks)
				rounds++;
			for (int r = 0; r < ranks; r++) {
				const struct op *op = &parts[part[r]].op[r][at[r]];
				double mine = op->n + (kind == ALLREDUCE ? r : 0);

				if (op->kind != kind)
					return false;
				/* the hull of all: the least for the lower end */
				bytes = r == 0 ? mine : high ? fmax(bytes, mine) : fmin(bytes, mine);
				leave = fmax(leave, clock[r]);
			}
			if (kind == BARRIER)
				leave += rounds * (high ? 30 : 20);
			else if (kind == ALLREDUCE)
				leave += rounds * ((high ? 30 : 20) + 3 * bytes);
			else
				leave += ranks * bytes + (high ? 1 : 0);
			for (int r = 0; r < ranks; r++) {
				clock[r] = leave;
				at[r]++;
			}
			moved = true;
		}
	}
	left_over = 0;
	for (int f = 0; f < flight_count; f++)
		left_over += !flights[f].taken;
	memcpy(end_time, clock, sizeof clock);
	for (int r = 0; r < ranks; r++)
		if (part[r] < part_count)
			return false;
	return true;
}

/* How many operations there are with all loops unrolled. */
static uint64_t executed(void)
{
	uint64_t n = 0;

	for (int i = 0; i < part_count; i++)
		for (int r = 0; r < ranks; r++)
			n += (uint64_t)(parts[i].times ? parts[i].times : 1) * (uint64_t)parts[i].ops[r];
	return n;
}

/* Half of what one process sends is under way before the other begins to receive: quadratic work would not end. Returns
 * the nodes run. */
#define MANY 400000
static long long many_under_way(const struct machine *machine, struct err *e)
{
	static const char program[] = "pas2p_model: 1\nparameters: {p: 2}\nprogram:\n"
		"- if: rank == 0\n  do: [{loop: {i: [1, 400000]}, do: [{send: {to: 1, bytes: i}}]}, {send: {to: 1, bytes: 0, tag: 1}}]\n"
		"  else: [{recv: {from: 0, tag: 1}}, {loop: {i: [1, 400000]}, do: [{recv: {from: 0}}, {compute: 0*i}]}]\n";
	struct interval p = interval_point(2);
	struct program_model m;
	struct outcome o = {.note_count = 0};
	struct evaluate_input in = {.model = &m, .machine = machine, .values = &p};
	long long nodes = -1;

	if (model_parse(&m, "many", program, sizeof program - 1, e))
		bail_out("%s", e->text);
	if (!evaluate(&o, &in, e))
		nodes = (long long)o.steps;
	else
		diag("%s", e->text);
	outcome_release(&o);
	program_model_release(&m);
	return nodes;
}

static bool tells_left_over(const struct outcome *o)
{
	for (uint32_t i = 0; i < o->note_count; i++)
		if (strstr(o->notes[i], "no recv"))
			return true;
	return false;
}

int main(void)
{
	int wrong = 0, wrong_end = 0, wrong_left = 0, deadlocks = 0, went_well = 0, with_loops = 0, at_once = 0;
	struct machine mach;
	struct err e = {0};

	if (machine_parse(&mach, "machine", machine_text, strlen(machine_text), &e))
		bail_out("%s", e.text);
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct program_model m;
		struct interval values[4];
		struct outcome o = {0};
		struct out text;
		bool well;

		state = seed * 104729;
		grow();
		out_init(&text);
		write_program(&text);
		if (model_parse(&m, "m", text.text, text.len, &e))
			bail_out("%s in %s", e.text, text.text);
		values[0] = interval_point(ranks);
		well = !evaluate(&o, &(struct evaluate_input){.model = &m, .machine = &mach, .values = values}, &e);
		if (simulate(false) != well) {
			if (!wrong++)
				diag("seed %llu: %s, %s\n%s", (unsigned long long)seed, well ? "no deadlock seen" : "deadlock seen", e.text, text.text);
		} else if (!well) {
			deadlocks++;
		} else {
			bool bad = false;

			went_well++;
			with_loops += parts[0].times > 1;
			at_once += o.steps < executed();
			wrong_left += (left_over > 0) != tells_left_over(&o);
			for (int r = 0; r < ranks; r++)
				bad |= fabs(o.processes[r].free.lo - end_time[r]) > 1e-9 * end_time[r];
			simulate(true);
			for (int r = 0; r < ranks; r++)
				bad |= fabs(o.processes[r].free.hi - end_time[r]) > 1e-9 * end_time[r] || o.processes[r].nested.hi != o.processes[r].free.hi;
			if (bad && !wrong_end++)
				diag("seed %llu\n%s", (unsigned long long)seed, text.text);
		}
		outcome_release(&o);
		program_model_release(&m);
		out_release(&text);
	}
	ok(many_under_way(&mach, &e) >= 3 * MANY, "what looks for steadiness does not look at all messages at each iteration");
	machine_release(&mach);
	is_int(wrong, 0, "of %d programs those deadlock that do", PROGRAMS);
	is_int(wrong_end, 0, "every process ends when it does");
	is_int(wrong_left, 0, "messages that are left over are told");
	ok(deadlocks > PROGRAMS / 50, "%d deadlocks", deadlocks);
	ok(went_well > PROGRAMS / 2, "%d went well, %d with loops", went_well, with_loops);
	ok(at_once > went_well / 4, "in %d of them steady loops were done at once", at_once);
	return done_testing();
}

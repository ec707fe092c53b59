#include "machine.h"

#include <string.h>

#include "core/base/mem.h"

void machine_init(struct machine *m)
{
	*m = (struct machine){0};
	arena_init(&m->arena);
}

void machine_release(struct machine *m)
{
	arena_release(&m->arena);
	*m = (struct machine){0};
}

static const struct machine_op *machine_op_find(const struct machine_op *ops, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(ops[i].name, name) == 0)
			return &ops[i];
	return NULL;
}

const struct machine_op *machine_op(const struct machine *m, uint32_t group, const char *name)
{
	const struct machine_op *own = machine_op_find(m->nodes[group].ops, m->nodes[group].op_count, name);

	return own ? own : machine_op_find(m->ops, m->op_count, name);
}

/* The geometric mean of new / old over the operations in both; each end by itself, then in order. */
static bool factor(const struct machine *base, const struct machine *machine, uint32_t group, struct interval *s)
{
	double lo = 0, hi = 0, swap;
	uint32_t n = 0;

	for (int own = 0; own < 2; own++) {
		const struct machine_nodes *g = &machine->nodes[group];
		const struct machine_op *ops = own ? g->ops : machine->ops;
		uint32_t count = own ? g->op_count : machine->op_count;

		for (uint32_t i = 0; i < count; i++) {
			const struct machine_op *now = machine_op(machine, group, ops[i].name), *old = machine_op(base, 0, ops[i].name);

			if (now != &ops[i] || !old || !(old->seconds.lo > 0) || !(now->seconds.lo > 0))
				continue; /* a group's own hides the machine's */
			lo += log(now->seconds.lo / old->seconds.lo);
			hi += log(now->seconds.hi / old->seconds.hi);
			n++;
		}
	}
	*s = interval_point(1);
	if (!n)
		return false;
	s->lo = exp(lo / n);
	s->hi = exp(hi / n);
	if (s->lo > s->hi) {
		swap = s->lo;
		s->lo = s->hi;
		s->hi = swap;
	}
	return true;
}

enum err_code other_machine_init(struct other_machine *o, const struct machine *base, const struct machine *machine,
				 const char *const *parameters, uint32_t parameter_count, const struct interval *values,
				 const struct progress *progress, struct err *e)
{
	const struct machine *both[2] = {base, machine};
	enum err_code code = ERR_OK;

	*o = (struct other_machine){.asked = base && machine};
	if (!o->asked)
		return ERR_OK;
	o->factors = mem_alloc(machine->group_count, sizeof *o->factors);
	if (!o->factors)
		return err_memory(e, "the machines' factors");
	for (uint32_t g = 0; g < machine->group_count; g++)
		o->lacks_ops |= !factor(base, machine, g, &o->factors[g]);
	for (int i = 0; !code && i < 2; i++) {
		const struct expression_functions *list[] = {&both[i]->functions};

		code = library_init(&o->libraries[i], parameters, parameter_count, list, 1, e);
		if (!code) {
			o->recv[i] = library_find(&o->libraries[i], "recv");
			o->lacks_recv |= o->recv[i] == LIBRARY_NONE;
		}
		if (!code && o->recv[i] != LIBRARY_NONE)
			code = library_use(&o->libraries[i], o->recv[i], e);
		if (!code) {
			formula_run_init(&o->runs[i], &o->libraries[i], progress, FORMULA_STEPS);
			o->runs[i].values = (struct formula_values){.parameters = values, .processes = 1};
		}
	}
	return code;
}

void other_machine_release(struct other_machine *o)
{
	for (int i = 0; o->asked && i < 2; i++) {
		formula_run_release(&o->runs[i]);
		library_release(&o->libraries[i]);
	}
	mem_free(o->factors);
	*o = (struct other_machine){0};
}

static enum err_code recv_time(struct other_machine *o, int which, struct interval bytes, struct interval *v, struct err *e)
{
	uint32_t n = library_function(&o->libraries[which], o->recv[which])->argument_count;

	return function_value(&o->runs[which], o->recv[which], &bytes, n, v, e);
}

enum err_code other_machine_time(struct other_machine *o, uint32_t group, struct interval t, struct interval compute,
				 const struct interval *bytes, struct interval *result, struct err *e)
{
	struct interval c = bytes ? interval_min(t, interval_max(compute, interval_point(0))) : t, s = o->factors[group];
	struct interval m = interval_point(1), old, now;
	enum err_code code;
	double lo, hi;

	if (bytes && !o->lacks_recv) {
		code = recv_time(o, 0, *bytes, &old, e);
		if (!code)
			code = recv_time(o, 1, *bytes, &now, e);
		if (code)
			return code;
		if (old.lo > 0 && now.lo >= 0)
			m = (struct interval){now.lo / old.lo, now.hi / old.hi};
	}
	lo = c.lo * s.lo + (t.lo - c.lo) * m.lo;
	hi = c.hi * s.hi + (t.hi - c.hi) * m.hi;
	*result = lo <= hi ? (struct interval){lo, hi} : (struct interval){hi, lo};
	return ERR_OK;
}

#include "graph_int.h"

#include <string.h>


static const char *const names[TRANSFER_KINDS] = {"send", "isend", "recv", "copy"};

static enum err_code transfer_use_function(struct program *p, const char *name, uint32_t *function, struct err *e)
{
	*function = library_find(&p->library, name);
	return *function == LIBRARY_NONE ? ERR_OK : library_use(&p->library, *function, e);
}

enum err_code transfers_init(struct transfers *t, struct program *p, struct err *e)
{
	bool messages = p->used[NODE_SEND] || p->used[NODE_ISEND] || p->used[NODE_RECV], collectives = false;
	enum err_code code = ERR_OK;

	memset(t, 0, sizeof *t);
	for (int k = 0; k < NODE_KINDS; k++) {
		t->collective[k] = LIBRARY_NONE;
		if (!p->used[k] || model_node_info(k)->family != MODEL_COLLECTIVE)
			continue;
		collectives = true;
		if (!code)
			code = transfer_use_function(p, model_node_info(k)->name, &t->collective[k], e);
	}
	for (int k = 0; k < TRANSFER_KINDS; k++) {
		char near[16] = "";

		t->of[k][0] = t->of[k][1] = LIBRARY_NONE;
		if (!code && (messages || (collectives && k == TRANSFER_RECV)))
			code = transfer_use_function(p, names[k], &t->of[k][0], e);
		strcat(strcpy(near, names[k]), "_local");
		if (!code && messages)
			code = transfer_use_function(p, near, &t->of[k][1], e);
		if (t->of[k][1] == LIBRARY_NONE)
			t->of[k][1] = t->of[k][0];
	}
	return code;
}

/* A function by bytes, and for collectives by the number of processes. One whose points did not vary in either has
 * fewer arguments. */
static enum err_code transfer_call_function(struct program_run *r, struct code *c, uint32_t number, struct interval bytes, bool collective, struct interval *v)
{
	const struct function *f = library_function(&r->program.library, number);
	struct interval arguments[2] = {bytes, interval_point(r->process_count)};
	enum err_code code;

	if (f->argument_count > (collective ? 2 : 1))
		return place_err(&c->node->place, ERR_FORMAT, r->e, "%s: function %s has %u arguments: expected %s",
				 model_node_info(c->node->kind)->name, f->name, f->argument_count,
				 collective ? "bytes and processes" : "bytes");
	if (collective && f->argument_count == 1 &&
	    (c->kind == NODE_BARRIER || strcmp(f->arguments[0], "p") == 0 || strcmp(f->arguments[0], "q") == 0))
		arguments[0] = arguments[1];
	code = function_value(&r->formulas, number, arguments, f->argument_count, v, r->e);
	return code ? code : run_clip(r, c, f->name, v);
}

static enum err_code stands_in(struct program_run *r, uint32_t what, const char *missing, const char *instead)
{
	if (r->transfers.stood_in[what])
		return ERR_OK;
	r->transfers.stood_in[what] = true;
	return run_note(r, NULL, "the function %s is missing: pas2p uses %s instead", missing, instead);
}

static enum err_code missing(struct program_run *r, struct code *c, const char *name)
{
	if (!r->in->machine)
		return place_err(&c->node->place, ERR_USAGE, r->e, "%s: the model has no function %s(bytes), and no machine is given\n"
				 "hint: give --machine FILE, such as sample-models/celeron-16.yaml", model_node_info(c->node->kind)->name, name);
	return place_err(&c->node->place, ERR_FORMAT, r->e, "%s: neither the model nor the machine has a function "
			 "%s(bytes)",
			 model_node_info(c->node->kind)->name, name);
}

static enum err_code one_time(struct program_run *r, struct code *c, enum transfer_kind k, struct interval bytes, bool near,
			      struct interval *v)
{
	static const char *const instead[TRANSFER_KINDS] = {NULL, "send(0)", NULL, "recv(bytes)"};
	enum transfer_kind other = k == TRANSFER_ISEND ? TRANSFER_SEND : TRANSFER_RECV;
	uint32_t f = r->transfers.of[k][near];
	enum err_code code;

	if (f != LIBRARY_NONE)
		return transfer_call_function(r, c, f, bytes, false, v);
	if (!instead[k])
		return missing(r, c, names[k]);
	f = r->transfers.of[other][near];
	if (f == LIBRARY_NONE)
		return missing(r, c, names[other]);
	code = stands_in(r, NODE_KINDS + k, names[k], instead[k]);
	return code ? code : transfer_call_function(r, c, f, k == TRANSFER_ISEND ? interval_point(0) : bytes, false, v);
}

enum err_code transfers_message(struct program_run *r, struct code *c, struct interval bytes, bool near, const struct transfer **out)
{
	struct transfer *t = &c->transfer[near];
	enum err_code code = ERR_OK;

	*out = t;
	if (t->known && t->bytes.lo == bytes.lo && t->bytes.hi == bytes.hi)
		return ERR_OK;
	t->known = false;
	t->bytes = bytes;
	code = one_time(r, c, c->kind == NODE_ISEND ? TRANSFER_ISEND : TRANSFER_SEND, bytes, near, &t->send);
	if (!code)
		code = one_time(r, c, TRANSFER_RECV, bytes, near, &t->recv);
	if (!code)
		code = one_time(r, c, TRANSFER_COPY, bytes, near, &t->copy);
	t->known = !code;
	return code;
}

enum err_code transfers_collective(struct program_run *r, struct code *c, struct interval bytes, struct interval *v)
{
	const char *name = model_node_info(c->kind)->name;
	uint32_t f = r->transfers.collective[c->kind];
	bool tree = c->kind == NODE_BARRIER || c->kind == NODE_BCAST || c->kind == NODE_REDUCE || c->kind == NODE_ALLREDUCE;
	double rounds = 0;
	char instead[48];
	enum err_code code;

	if (f != LIBRARY_NONE)
		return transfer_call_function(r, c, f, bytes, true, v);
	f = r->transfers.of[TRANSFER_RECV][0];
	if (f == LIBRARY_NONE)
		return missing(r, c, name);
	while (tree && ldexp(1, (int)rounds) < r->process_count)
		rounds++;
	if (!tree)
		rounds = r->process_count - 1;
	strcpy(instead, tree ? "ceil(log2 processes)" : "(processes - 1)");
	strcat(instead, c->kind == NODE_BARRIER ? " recv(0)" : " recv(bytes)");
	code = stands_in(r, c->kind, name, instead);
	if (!code)
		code = transfer_call_function(r, c, f, c->kind == NODE_BARRIER ? interval_point(0) : bytes, false, v);
	v->lo *= rounds;
	v->hi *= rounds;
	return code;
}

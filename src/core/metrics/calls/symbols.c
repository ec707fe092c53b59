#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/trace/make/trace_make.h"
#include "core/trace/mpi_functions.h"

static bool symbols_add(struct call_symbols *s, struct arena *names, struct call_symbol symbol)
{
	struct call_symbol *list = mem_grow(s->list, s->count, &s->cap, sizeof *list);

	if (!list)
		return false;
	s->list = list; /* the old one is gone, whatever comes */
	symbol.name = arena_strndup(names, symbol.name, strlen(symbol.name));
	if (!symbol.name)
		return false;
	list[s->count++] = symbol;
	return true;
}

static bool add_fixed(struct call_symbols *s, struct arena *names)
{
	s->count = 0;
	return symbols_add(s, names, (struct call_symbol){"(program)", NODE_PROGRAM, ACCOUNT_USEFUL, 0}) &&
	       symbols_add(s, names, (struct call_symbol){"(tracer)", NODE_MPI, ACCOUNT_TRACER, 0}) &&
	       symbols_add(s, names, (struct call_symbol){"(no call)", NODE_MPI, ACCOUNT_SEND, 0}) &&
	       symbols_add(s, names, (struct call_symbol){"(no call)", NODE_MPI, ACCOUNT_RECEIVE, 0}) &&
	       symbols_add(s, names, (struct call_symbol){"(no call)", NODE_MPI, ACCOUNT_COLLECTIVE, 0});
}

static enum account_kind account_of(const struct make_kind *kind, unsigned traits)
{
	if (traits & MPI_PCONTROL)
		return ACCOUNT_UNTRACED;
	switch (kind->time) {
	case TIME_SEND:
		return ACCOUNT_SEND;
	case TIME_RECEIVE:
		return ACCOUNT_RECEIVE;
	case TIME_WAIT:
		return ACCOUNT_WAIT;
	case TIME_COLLECTIVE:
		return ACCOUNT_COLLECTIVE;
	default:
		return ACCOUNT_OTHER_MPI;
	}
}

/* Kinds of one name are one symbol. */
struct named_kind {
	struct call_symbol symbol;
	uint32_t kind;
};

ORDER_BY(compare_named, struct named_kind, TEXT(symbol.name) UP(symbol.kind) UP(kind))

static bool add_sorted(struct call_symbols *s, struct arena *names, const struct named_kind *named, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct call_symbol *symbol = &named[i].symbol;

		if (symbol->time == ACCOUNT_TRACER) {
			s->of_kind[named[i].kind] = SYMBOL_TRACER;
			continue;
		}
		if (!i || strcmp(symbol->name, named[i - 1].symbol.name) || symbol->kind != named[i - 1].symbol.kind)
			if (!symbols_add(s, names, *symbol))
				return false;
		s->of_kind[named[i].kind] = s->count - 1;
	}
	return true;
}

bool call_symbols_make(struct call_symbols *s, struct arena *names, const struct make_kind *kinds, uint32_t count)
{
	struct named_kind *named = mem_alloc(count, sizeof *named);
	bool done;

	mem_free(s->of_kind);
	s->of_kind = mem_zero(count, sizeof *s->of_kind);
	for (uint32_t k = 0; named && k < count; k++) {
		const struct make_kind *kind = &kinds[k];
		unsigned traits = kind->total.mpi ? mpi_traits(kind->total.name) : 0;

		named[k] = (struct named_kind){{kind->total.name, kind->total.mpi || kind->tracer ? NODE_MPI : NODE_USER,
						kind->tracer ? ACCOUNT_TRACER : account_of(kind, traits), traits}, k};
	}
	if (named && count)
		SORT(named, count, compare_named);
	done = named && s->of_kind && add_fixed(s, names) && add_sorted(s, names, named, count);
	mem_free(named);
	return done;
}

void call_symbols_release(struct call_symbols *s)
{
	mem_free(s->list);
	mem_free(s->of_kind);
	*s = (struct call_symbols){0};
}

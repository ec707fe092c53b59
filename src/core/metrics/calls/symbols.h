/* Symbols: what has a name in a call log. States of one name are one routine, whatever their kind of state. Internal to
 * the call log. */
#ifndef PAS2P_CORE_METRICS_CALLS_SYMBOLS_H
#define PAS2P_CORE_METRICS_CALLS_SYMBOLS_H

#include <stddef.h>

#include "log.h"

struct make_kind;

struct call_symbol {
	const char *name;
	enum node_kind kind;
	enum account_kind time;
	unsigned traits;
};

/* The first ones. */
enum { SYMBOL_PROGRAM, SYMBOL_TRACER, SYMBOL_SEND, SYMBOL_RECEIVE, SYMBOL_COLLECTIVE, SYMBOLS_FIXED };

struct call_symbols {
	struct call_symbol *list;
	uint32_t count;
	size_t cap;
	uint32_t *of_kind;       /* per kind of state (core/trace/make/trace_make.h) */
};

/* Those of these kinds, again; names go into the arena. False: no memory. */
bool call_symbols_make(struct call_symbols *s, struct arena *names, const struct make_kind *kinds, uint32_t count);
void call_symbols_release(struct call_symbols *s);

#endif

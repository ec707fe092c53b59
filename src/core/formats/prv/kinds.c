#include "prv_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/search.h"
#include "core/base/text.h"
#include "core/trace/mpi_functions.h"

/* Paraver's states that stand for calls where nothing else does. */
static const struct {
	const char *name;
	enum time_kind time;
} state_names[] = {
	[3] = {"Waiting a message", TIME_RECEIVE}, {"Blocking Send", TIME_SEND}, {"Synchronization", TIME_COLLECTIVE},
	{"Test/Probe", TIME_WAIT},
	[8] = {"Wait/WaitAll", TIME_WAIT}, {"Blocked", TIME_WAIT}, {"Immediate Send", TIME_SEND}, {"Immediate Receive", TIME_RECEIVE},
	[13] = {"Group Communication", TIME_COLLECTIVE},
	[15] = {"Others", TIME_OTHER_MPI}, {"Send Receive", TIME_SEND},
};

struct kinds_defining {
	struct prv_kinds *kinds;
	struct maker *maker;
	const struct prv_names *names;
	size_t cap;
};

static const char *kind_keep_name(const struct kinds_defining *to, const char *raw, size_t n)
{
	char safe[160];

	text_safe(safe, sizeof safe, raw, n, TEXT_UTF8);
	return arena_strndup(&to->maker->trace->arena, safe, strlen(safe));
}

static const char *numbered(const struct kinds_defining *to, const char *what, uint64_t number)
{
	char text[80];
	int n = snprintf(text, sizeof text, "%s %llu", what, (unsigned long long)number);

	return kind_keep_name(to, text, (size_t)n);
}

static bool kind_define(struct kinds_defining *to, const struct make_kind *kind)
{
	struct prv_kinds *kinds = to->kinds;
	struct prv_kind *list = mem_grow(kinds->list, kinds->count, &to->cap, sizeof *list);

	if (!list || !kind->total.name)
		return false;
	kinds->list = list;
	list[kinds->count] = (struct prv_kind){.op = kinds->count, .op_name = ""};
	kinds->count++;
	return make_kind(to->maker, kind);
}

static const char *call_name(const struct kinds_defining *to, unsigned class, uint64_t value, bool *unnamed)
{
	size_t n;
	const char *named = prv_name_of_value(to->names, PRV_CALLS + class, value, &n);
	char text[40];

	*unnamed = false;
	if (named)
		return kind_keep_name(to, named, n);
	named = mpi_of_extrae(value); /* the same in all versions of Extrae */
	if (named) {
		snprintf(text, sizeof text, "MPI_%s", named);
		return kind_keep_name(to, text, strlen(text));
	}
	*unnamed = true;
	return numbered(to, "MPI call", value);
}

static int64_t key_of(enum prv_class class, uint64_t value)
{
	return (int64_t)((uint64_t)(class + 1) << 56 | (value & (((uint64_t)1 << 56) - 1)));
}

static bool define_call(struct kinds_defining *to, unsigned class, uint64_t value)
{
	struct make_kind kind = {.total = {.colour = "white", .format = "", .mpi = true, .key = key_of((enum prv_class)class, value)}};
	struct prv_kind *own;
	struct mpi_call call;

	kind.total.name = call_name(to, class, value, &kind.unnamed);
	if (!kind.total.name)
		return false;
	call = mpi_call(kind.total.name);
	kind.time = call.time;
	kind.starts = call.starts;
	if (!kind_define(to, &kind))
		return false;
	own = &to->kinds->list[to->kinds->count - 1];
	own->collective = class == PRV_COLLECTIVE_CLASS && call.collective;
	own->rooted = own->collective && (mpi_traits(kind.total.name) | mpi_completion_traits(call.op)) & (MPI_FROM_ROOT | MPI_TO_ROOT);
	own->op_name = call.op;
	return true;
}

static bool define_function(struct kinds_defining *to, uint64_t value)
{
	struct make_kind kind = {.total = {.colour = "white", .format = "", .key = key_of(PRV_FUNCTIONS, value)}};
	size_t n;
	const char *named = prv_name_of_value(to->names, PRV_FUNCTION, value, &n);

	kind.total.name = named ? kind_keep_name(to, named, n) : numbered(to, "function", value);
	return kind_define(to, &kind);
}

static bool define_state(struct kinds_defining *to, uint64_t state)
{
	struct make_kind kind = {.total = {.colour = "white", .format = "", .mpi = true, .key = key_of(PRV_STATES, state)},
				 .time = state_names[state].time};
	size_t n;
	const char *named = prv_name_of_state(to->names, state, &n);

	kind.total.name = named ? kind_keep_name(to, named, n) : state_names[state].name;
	return kind_define(to, &kind);
}

/* A counter's name goes up to a blank: what follows explains it. */
static bool define_counter(struct kinds_defining *to, const struct prv_seen *seen, uint32_t at, uint64_t wanted)
{
	char digits[NUMBER_TEXT], safe[160];
	size_t n, m = 0;
	const char *named = prv_name_of_type(to->names, seen->value, &n);
	uint32_t number;

	while (named && m < n && named[m] != ' ' && named[m] != '\t')
		m++;
	if (m)
		text_safe(safe, sizeof safe, named, m, TEXT_UTF8);
	number_whole(seen->value, digits);
	number = make_counter(to->maker, m ? safe : digits, "");
	if (number == MAKE_NO_NUMBER)
		return false;
	to->kinds->counter_of[at] = number;
	if (seen->value == wanted)
		to->kinds->counter = number;
	return true;
}

/* What means nothing here is listed with how often it occurs. */
static bool define_type(struct kinds_defining *to, const struct prv_seen *seen)
{
	struct make_kind kind = {.total = {.colour = "white", .format = "", .solo = true, .key = key_of(PRV_TYPES, seen->value)}};
	char text[160], safe[100]; /* so that the number is not what is cut */
	size_t n;
	const char *named = prv_name_of_type(to->names, seen->value, &n);

	if (seen->value == INT64_MAX)
		kind.total.name = "events of other types";
	else if (!named)
		kind.total.name = numbered(to, "event", seen->value);
	else {
		text_safe(safe, sizeof safe, named, n, TEXT_UTF8);
		n = (size_t)snprintf(text, sizeof text, "%s (%llu)", safe, (unsigned long long)seen->value);
		kind.total.name = kind_keep_name(to, text, n < sizeof text ? n : sizeof text - 1);
	}
	return kind_define(to, &kind);
}

static bool define_seen(struct kinds_defining *to, uint32_t at, uint64_t wanted)
{
	const struct prv_seen *seen = &to->kinds->scan->seen[at];

	if (seen->class < PRV_FUNCTIONS)
		return define_call(to, (unsigned)seen->class, seen->value);
	if (seen->class == PRV_FUNCTIONS)
		return define_function(to, seen->value);
	if (seen->class == PRV_STATES)
		return define_state(to, seen->value);
	if (seen->value - PRV_COUNTERS < PRV_COUNTER_TYPES && !define_counter(to, seen, at, wanted))
		return false;
	return define_type(to, seen);
}

static int compare_ops(const void *a, const void *b, void *arg)
{
	const struct prv_kind *list = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = strcmp(list[x].op_name, list[y].op_name);

	return order ? order : x < y ? -1 : x > y;
}

/* Several numbers may be named alike. */
static bool find_ops(struct prv_kinds *kinds)
{
	uint32_t *sorted = mem_alloc(kinds->count, sizeof *sorted), n = 0;

	if (!sorted)
		return false;
	for (uint32_t i = 0; i < kinds->count; i++)
		if (kinds->list[i].collective)
			sorted[n++] = i;
	if (n)
		qsort_r(sorted, n, sizeof *sorted, compare_ops, kinds->list);
	for (uint32_t i = 1; i < n; i++)
		if (!strcmp(kinds->list[sorted[i]].op_name, kinds->list[sorted[i - 1]].op_name))
			kinds->list[sorted[i]].op = kinds->list[sorted[i - 1]].op;
	mem_free(sorted);
	return true;
}

static bool define_others(struct kinds_defining *to)
{
	struct make_kind calls = {.total = {.name = "other MPI calls", .colour = "white", .format = "", .mpi = true,
					    .key = key_of(PRV_CLASSES, 0)}, .time = TIME_OTHER_MPI};
	struct make_kind functions = {.total = {.name = "other functions", .colour = "white", .format = "", .key = key_of(PRV_CLASSES, 1)}};
	struct make_kind flush = {.total = {.name = "flush of the tracer's buffer", .colour = "white", .format = "",
					    .key = key_of(PRV_CLASSES, 2)}, .time = TIME_TRACER, .tracer = true};
	struct prv_kinds *kinds = to->kinds;

	for (unsigned class = 0; class < PRV_FUNCTIONS; class++)
		kinds->others[class] = kinds->count;
	if (!kind_define(to, &calls))
		return false;
	kinds->others[PRV_FUNCTIONS] = kinds->count;
	if (!kind_define(to, &functions))
		return false;
	kinds->flush = kinds->count;
	return kind_define(to, &flush);
}

uint64_t prv_wanted_counter(const struct maker *maker, const struct prv_names *names)
{
	uint64_t type;

	if (!maker->counter_name || !*maker->counter_name)
		return 0;
	type = prv_type_of_name(names, maker->counter_name, PRV_COUNTERS, PRV_COUNTERS + PRV_COUNTER_TYPES);
	if (!type && number_parse_whole(maker->counter_name, strlen(maker->counter_name), &type) &&
	    type - PRV_COUNTERS >= PRV_COUNTER_TYPES)
		type = 0;
	return type;
}

enum err_code prv_kinds_init(struct prv_kinds *kinds, struct maker *maker, const struct prv_scan *scan, const struct prv_names *names,
			     uint64_t counter, struct err *e)
{
	struct kinds_defining to = {kinds, maker, names, 0};
	bool defined;

	*kinds = (struct prv_kinds){.scan = scan, .counter = MAKE_NO_NUMBER};
	kinds->counter_of = mem_alloc(scan->seen_count, sizeof *kinds->counter_of);
	defined = kinds->counter_of && define_others(&to);
	kinds->first = kinds->count;
	for (uint32_t i = 0; defined && i < scan->seen_count; i++) {
		kinds->counter_of[i] = MAKE_NO_NUMBER;
		defined = define_seen(&to, i, counter);
		if (defined && scan->seen[i].class < PRV_STATES && scan->seen[i].value < PRV_DIRECT)
			kinds->direct[scan->seen[i].class][scan->seen[i].value] = kinds->count;
	}
	return defined && find_ops(kinds) ? ERR_OK : err_memory(e, "the names of calls");
}

void prv_kinds_release(struct prv_kinds *kinds)
{
	mem_free(kinds->list);
	mem_free(kinds->counter_of);
}

uint32_t prv_kind_find(const struct prv_kinds *kinds, enum prv_class class, uint64_t value)
{
	const struct prv_scan *scan = kinds->scan;
	uint32_t low = SEARCH_PAST(i, scan->seen_first[class], scan->seen_first[class + 1], scan->seen[i].value < value);

	if (low < scan->seen_first[class + 1] && scan->seen[low].value == value)
		return kinds->first + low;
	return kinds->others[class < PRV_STATES ? class : PRV_FUNCTIONS];
}

void prv_kinds_count(const struct prv_kinds *kinds, struct make_share *share)
{
	const struct prv_scan *scan = kinds->scan;

	if (share->first || !share->maker->trace->process_count)
		return;
	for (uint32_t i = scan->seen_first[PRV_TYPES]; i < scan->seen_count; i++)
		if (kinds->counter_of[i] == MAKE_NO_NUMBER)
			share->processes[0].totals[kinds->first + i].count += scan->seen[i].count;
		else if (kinds->counter_of[i] != kinds->counter)
			share->counted[kinds->counter_of[i]] += scan->seen[i].count;
}

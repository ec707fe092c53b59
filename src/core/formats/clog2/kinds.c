#include "kinds.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "clog2_int.h"
#include "clog2.h"
#include "core/base/text.h"
#include "core/trace/mpi_functions.h"

#define KNOWN_STATES 300
#define USER_STATES 600
#define USER_SOLO 5000
#define STATE_TRACER 280

static const char *defs_keep_text(struct defs *defs, const char *raw, size_t n)
{
	char safe[160];
	char *copy;

	text_safe(safe, sizeof safe, raw, n, TEXT_UTF8);
	copy = arena_strndup(defs->arena, safe, strlen(safe));
	if (!copy)
		defs->memory_failed = true;
	return copy ? copy : "";
}

/* Seconds per unit of a number with that label: 0: it is no time. */
static double unit_of(const char *label, char token)
{
	size_t n = strlen(label);
	const char *end = n >= 2 ? label + n - 2 : "";

	if (!strcasecmp(end, "ns"))
		return 1e-9;
	if (!strcasecmp(end, "us"))
		return 1e-6;
	if (!strcasecmp(end, "ms"))
		return 1e-3;
	if (!strcasecmp(label, "s"))
		return 1;
	if (n && !strcasestr(label, "cpu") && !strcasestr(label, "time") && !strcasestr(label, "clock"))
		return 0;
	return token == 'l' ? 1e-9 : 1e-6; /* 32 bits of ns would last 2 s */
}

/* Of the numeric fields one labelled `label`; otherwise, where any time will do, a real one, otherwise a whole one
 * whose label may be that of a time. */
static struct cargo_place find_number(const char *format, const char *label, bool any)
{
	static const uint8_t zeros[32];
	struct cargo_field fields[CARGO_FIELDS];
	struct cargo_place place = {0};
	bool whole;
	size_t n = cargo_decode(format, zeros, fields, &whole);
	int best = 0;

	for (size_t i = 0; i < n; i++) {
		const struct cargo_field *field = &fields[i];
		bool number = field->type == CARGO_INT || field->type == CARGO_REAL;
		double unit = field->type == CARGO_REAL ? 1 : unit_of(field->label, field->token);
		bool named = strcasestr(field->label, label);
		int rank = !number ? 0 : named ? 3 : !any ? 0 : field->type == CARGO_REAL ? 2 : unit > 0;

		if (rank > best) {
			best = rank;
			place = (struct cargo_place){field->token, field->offset, unit};
		}
	}
	return place;
}

static void classify_requests(struct def *def)
{
	const char *name = def->total.name;

	def->requests = def->mpi                                                    ? REQUEST_BEGINS
			: !def->total.solo && !strcmp(name, "MPE_Irecv_waited")    ? REQUEST_RECEIVES
			: def->total.solo && !strcmp(name, "PAS2P_posted")         ? REQUEST_POSTED
			: def->total.solo && !strcmp(name, "PAS2P_completed")      ? REQUEST_COMPLETED
										   : REQUEST_NONE;
	def->request.token = def->count.token = 0;
	if (!def->requests)
		return;
	def->request = find_number(def->total.format, "request", false);
	def->count = find_number(def->total.format, "count", false);
	def->request.unit = def->count.unit = 1;
	if (!def->request.token)
		def->requests = REQUEST_NONE;
}

static void classify_gathering(struct def *def)
{
	def->gathering.token = def->neighbour.token = 0;
	if (def->mpi)
		def->gathering = find_number(def->total.format, "meeting", false);
	else if (def->total.solo && !strcmp(def->total.name, "PAS2P_neighbour"))
		def->neighbour = find_number(def->total.format, "rank", false);
	def->gathering.unit = def->neighbour.unit = 1;
}

static void classify_clock(struct def *def)
{
	def->low.token = def->high.token = 0;
	if (!def->total.solo || strcmp(def->total.name, "PAS2P_clock") != 0)
		return;
	def->low = find_number(def->total.format, "low", false);
	def->high = find_number(def->total.format, "high", false);
	def->low.unit = def->high.unit = 1;
}

static void classify_node(struct def *def)
{
	def->node.token = 0;
	if (!def->total.solo || strcmp(def->total.name, "PAS2P_processors") != 0)
		return;
	def->node = find_number(def->total.format, "node", false);
	def->ranks = find_number(def->total.format, "ranks", false);
	def->cpus = find_number(def->total.format, "cpus", false);
	def->waited = find_number(def->total.format, "waited", false);
	def->node.unit = def->ranks.unit = def->cpus.unit = def->waited.unit = 1;
	if (!def->ranks.token || !def->cpus.token || !def->waited.token)
		def->node.token = 0;
}

/* What a name says. */
static void classify(struct defs *defs, struct def *def)
{
	const char *name = def->total.name;

	def->mpi = !strncmp(name, "MPI_", 4) && !def->total.solo;
	def->tracer = !def->mpi && (!strcmp(name, "CLOG_Buffer_write2disk") || !strcmp(name, "PAS2P_sync_clocks"));
	def->collective = def->starts = def->distrust = false;
	def->size.token = def->root.token = def->cpu_sample.token = 0;
	def->kind = TIME_OTHER_MPI;
	def->op = "";
	if (def->mpi) {
		struct mpi_call call = mpi_call(name);

		def->op = call.op;
		def->collective = call.collective;
		def->starts = call.starts;
		def->distrust = call.untold;
		def->kind = call.time;
		if (def->collective) {
			def->size = find_number(def->total.format, "size", false);
			def->root = find_number(def->total.format, "root", false);
			def->size.unit = def->root.unit = 1;
		}
	} else if (def->tracer) {
		def->kind = TIME_TRACER;
	} else if (def->total.solo && !strcmp(name, "PAS2P_size")) {
		def->size = find_number(def->total.format, "size", false);
		def->size.unit = 1;
	} else if (def->defined && (strcasestr(name, "comput") || strcasestr(name, "cpu"))) {
		def->cpu_sample = find_number(def->total.format, "cpu", true);
		defs->cpu_samples = defs->cpu_samples || def->cpu_sample.token;
		defs->own_tracer = defs->own_tracer || strcmp(name, "PAS2P_compute") == 0;
	}
	def->total.mpi = def->mpi;
	classify_requests(def);
	classify_gathering(def);
	classify_clock(def);
	classify_node(def);
}

static uint32_t meaning_pack(uint32_t def, enum etype_role role)
{
	return def << 2 | (uint32_t)role;
}

/* The place where an etype's meaning is kept; NULL: no memory. */
static uint32_t *defs_etype_slot(struct defs *defs, int32_t etype)
{
	uint32_t *at;

	if (etype >= 0 && etype < DEFS_DIRECT)
		return &defs->direct[etype];
	at = map_at(defs->others, (uint32_t)etype, 0);
	if (!at)
		defs->memory_failed = true;
	return at;
}

static uint32_t add_def(struct defs *defs, const struct def *def)
{
	struct def *list = mem_grow(defs->list, defs->count, &defs->cap, sizeof *list);

	if (!list) {
		defs->memory_failed = true;
		return 0;
	}
	defs->list = list;
	list[defs->count] = *def;
	list[defs->count].total.key = (int64_t)((uint64_t)(uint32_t)def->start << 32 | (uint32_t)def->final);
	classify(defs, &list[defs->count]);
	return defs->count++;
}

static void set_meaning(struct defs *defs, int32_t etype, uint32_t def, enum etype_role role)
{
	uint32_t *at = defs_etype_slot(defs, etype);

	if (at)
		*at = meaning_pack(def, role);
}

static uint32_t meaning(const struct defs *defs, int32_t etype)
{
	return (uint32_t)etype < DEFS_DIRECT ? defs->direct[etype] : map_get(defs->others, (uint32_t)etype, 0);
}

static void make_state(struct defs *defs, const char *name, int32_t start, int32_t final, bool unnamed)
{
	struct def state = {.total = {.name = name, .colour = "white", .format = ""}, .start = start, .final = final,
			    .unnamed = unnamed};
	uint32_t def = add_def(defs, &state);

	if (!unnamed || !meaning(defs, start))
		set_meaning(defs, start, def, ETYPE_START);
	if (!unnamed || !meaning(defs, final))
		set_meaning(defs, final, def, ETYPE_FINAL);
}

enum err_code defs_init(struct defs *defs, struct arena *arena, struct err *e)
{
	struct def nothing = {.total = {.name = "", .colour = "", .format = ""}};

	*defs = (struct defs){.arena = arena, .proc_null = INT32_MIN};
	defs->others = map_new();
	if (!defs->others)
		return err_memory(e, "the definitions");
	add_def(defs, &nothing); /* 0: an etype that means nothing */
	for (int s = 0; s < KNOWN_STATES; s++)
		if (clog2_known_name(s))
			make_state(defs, clog2_known_name(s), 2 * s, 2 * s + 1, false);
	if (!defs->memory_failed)
		return ERR_OK;
	defs_release(defs);
	return err_memory(e, "the definitions");
}

void defs_release(struct defs *defs)
{
	mem_free(defs->list);
	map_free(defs->others);
	defs->list = NULL;
	defs->others = NULL;
}

/* A definition read from a file replaces a known one of the same etype; of several the first stands, for
 * processes that describe the same thing again agree. */
static bool defined_before(const struct defs *defs, int32_t etype)
{
	uint32_t packed = meaning(defs, etype);

	return packed && defs->list[packed >> 2].defined;
}

void defs_add_state(struct defs *defs, const struct clog2_statedef *record)
{
	struct def def = {.start = record->start, .final = record->final, .defined = true};
	uint32_t at;

	if (record->start == -1 || record->final == -1 || record->start == record->final ||
	    defined_before(defs, record->start) || defined_before(defs, record->final))
		return;
	def.total = (struct state_total){.name = defs_keep_text(defs, record->name, SIZE_MAX),
					 .colour = defs_keep_text(defs, record->color, SIZE_MAX),
					 .format = defs_keep_text(defs, record->format, SIZE_MAX)};
	/* A nameless definition of a known call does not take its name away. */
	if (!*def.total.name && record->start >= 0 && record->start < USER_STATES && !(record->start & 1) &&
	    clog2_known_name(record->start / 2))
		def.total.name = clog2_known_name(record->start / 2);
	at = add_def(defs, &def);
	if (defs->list[at].collective && !defs_maybe_collective(defs, record->start))
		defs->new_collective = true;
	set_meaning(defs, record->start, at, ETYPE_START);
	set_meaning(defs, record->final, at, ETYPE_FINAL);
}

void defs_add_event(struct defs *defs, const struct clog2_eventdef *record)
{
	struct def def = {.start = record->etype, .final = record->etype, .defined = true};

	if (record->etype == -1 || defined_before(defs, record->etype))
		return;
	def.total = (struct state_total){.name = defs_keep_text(defs, record->name, SIZE_MAX),
					 .colour = defs_keep_text(defs, record->color, SIZE_MAX),
					 .format = defs_keep_text(defs, record->format, SIZE_MAX), .solo = true};
	set_meaning(defs, record->etype, add_def(defs, &def), ETYPE_SOLO);
}

static bool is_cost(const struct clog2_constdef *record)
{
	return !strcmp(record->name, CLOG2_COST_LOW) || !strcmp(record->name, CLOG2_COST_HIGH);
}

bool defs_impossible_cost(const struct clog2_constdef *record)
{
	return is_cost(record) && (record->value <= 0 || record->value > CLOG2_COST_MOST);
}

bool defs_know_cost(const struct defs *defs)
{
	return !defs->cost_impossible && defs->cost_low && defs->cost_low <= defs->cost_high;
}

/* Local files have one of each process. */
static void add_cost(struct defs *defs, const struct clog2_constdef *record)
{
	if (defs_impossible_cost(record))
		defs->cost_impossible = true;
	else if (strcmp(record->name, CLOG2_COST_LOW))
		defs->cost_high = record->value > defs->cost_high ? record->value : defs->cost_high;
	else if (!defs->cost_low || record->value < defs->cost_low)
		defs->cost_low = record->value;
}

void defs_add_const(struct defs *defs, const struct clog2_constdef *record)
{
	if (strstr(record->name, "PROC_NULL"))
		defs->proc_null = record->value;
	if (!strcmp(record->name, CLOG2_CLOCK_ERROR) && record->value > 0)
		defs->clock_error = record->value * 1e-9;
	if (is_cost(record))
		add_cost(defs, record);
	if (!strcmp(record->name, CLOG2_CLOCKS))
		defs->clocks |= (unsigned)record->value & (TRACE_CLOCKS_LINEAR | TRACE_CLOCKS_CLC);
}

uint32_t defs_find_slow(const struct defs *defs, int32_t etype, enum etype_role *role)
{
	uint32_t packed = map_get(defs->others, (uint32_t)etype, 0);

	*role = (enum etype_role)(packed & 3);
	return packed >> 2;
}

void defs_need(struct defs *defs, int32_t etype)
{
	struct def solo = {.total = {.colour = "white", .format = "", .solo = true}, .start = etype, .final = etype};
	enum etype_role role;
	char name[32];
	int n;

	defs_find(defs, etype, &role);
	if (etype == -1 || role != ETYPE_NOTHING)
		return;
	/* User states come in pairs, all else is a solo event shown by number. */
	if (etype >= 0 && etype < USER_SOLO) {
		n = snprintf(name, sizeof name, "state %d", etype / 2);
		make_state(defs, defs_keep_text(defs, name, (size_t)n), etype & ~1, etype | 1, true);
		return;
	}
	solo.unnamed = etype != -10 && etype != -9;
	n = snprintf(name, sizeof name, "event %d", etype);
	solo.total.name = etype == -10 ? "MPE_Comm_init" :
			  etype == -9 ? "MPE_Comm_finalize" : defs_keep_text(defs, name, (size_t)n);
	set_meaning(defs, etype, add_def(defs, &solo), ETYPE_SOLO);
}

bool defs_maybe_collective(const struct defs *defs, int32_t etype)
{
	uint32_t packed = meaning(defs, etype);

	/* User states may turn out to be collectives of newer MPIs. */
	return packed ? (packed & 3) == ETYPE_START && defs->list[packed >> 2].collective :
			etype >= USER_STATES && etype < USER_SOLO;
}

void defs_maybe_table(const struct defs *defs, uint8_t table[DEFS_DIRECT])
{
	for (int32_t i = 0; i < DEFS_DIRECT; i++)
		table[i] = defs_maybe_collective(defs, i);
}

bool defs_user_collectives(const struct defs *defs)
{
	for (uint32_t i = 0; i < defs->count; i++)
		if (defs->list[i].collective && defs->list[i].start >= USER_STATES)
			return true;
	return false;
}

static uint64_t defs_take_number(const uint8_t *p, unsigned bytes, bool big)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v = v << 8 | p[big ? i : bytes - 1 - i];
	return v;
}

static double as_number(char token, uint64_t v)
{
	double d;
	float s;
	uint32_t narrow = (uint32_t)v;

	switch (token) {
	case 'E':
		memcpy(&d, &v, 8);
		return d;
	case 'e':
		memcpy(&s, &narrow, 4);
		return (double)s;
	case 'l':
		return (double)(int64_t)v;
	case 'd':
		return (double)(int32_t)narrow;
	default:
		return (double)(int16_t)v;
	}
}

double cargo_number(const struct cargo_place *at, const uint8_t cargo[32], double *little)
{
	unsigned bytes = at->token == 'E' || at->token == 'l' ? 8 : at->token == 'h' ? 2 : 4;

	if (at->offset + bytes > 32) {
		*little = 0;
		return 0;
	}
	*little = as_number(at->token, defs_take_number(cargo + at->offset, bytes, false)) * at->unit;
	return as_number(at->token, defs_take_number(cargo + at->offset, bytes, true)) * at->unit;
}

int64_t cargo_whole(const struct cargo_place *at, const uint8_t cargo[32])
{
	double little, number;

	if (at->token == 'l' && at->offset + 8 <= 32)
		return (int64_t)defs_take_number(cargo + at->offset, 8, true);
	number = cargo_number(at, cargo, &little);
	return number >= 0 && number < 0x1p63 ? (int64_t)number : -1;
}

#include "clog2_kinds.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cargo.h"
#include "clog2_write.h"
#include "core/base/text.h"

#define KNOWN_STATES 300
#define USER_STATES 600
#define USER_SOLO 5000
#define STATE_TRACER 280

/* Calls by what they wait for. Names without "MPI_" and, for collectives, without a leading I (nonblocking),
 * "Neighbor_" and a trailing "_c" (large counts). */
static const char *const sends[] = {"Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend",
				    "Sendrecv", "Sendrecv_replace", "Isendrecv", "Isendrecv_replace", "Start", "Startall", NULL};
static const char *const receives[] = {"Recv", "Irecv", "Probe", "Iprobe", "Mprobe", "Improbe", "Mrecv", "Imrecv", NULL};
static const char *const waits[] = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", NULL};
static const char *const collectives[] = {"Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather",
					  "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Reduce", "Allreduce",
					  "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan", NULL};
static const char *const distrusted[] = {"Ibsend", "Irsend", "Cancel", NULL};

static bool among(const char *const *list, const char *name, size_t n)
{
	for (; *list; list++)
		if (strlen(*list) == n && !memcmp(*list, name, n))
			return true;
	return false;
}

static bool is_collective(const char *op)
{
	size_t n = strlen(op);
	char base[40];

	if (n > 2 && !strcmp(op + n - 2, "_c"))
		n -= 2;
	if (among(collectives, op, n))
		return true;
	if (!strncmp(op, "Neighbor_", 9) || !strncmp(op, "Ineighbor_", 10)) {
		size_t skip = *op == 'I' ? 10 : 9;

		op += skip;
		n -= skip;
	} else if (*op == 'I' && n > 1) {
		op++;
		n--;
	} else {
		return false;
	}
	if (n == 0 || n >= sizeof base)
		return false;
	memcpy(base, op, n);
	base[0] = (char)toupper((unsigned char)base[0]);
	return among(collectives, base, n);
}

static const char *keep(struct defs *d, const char *raw, size_t n)
{
	char safe[160];
	char *copy;

	text_safe(safe, sizeof safe, raw, n, TEXT_UTF8);
	copy = arena_strndup(d->arena, safe, strlen(safe));
	if (!copy)
		d->memory_failed = true;
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

/* Of the numeric fields one labelled `label`; else, where any time will do, a real one, else a whole one whose label may
 * be that of a time. */
static struct cargo_place find_number(const char *format, const char *label, bool any)
{
	static const uint8_t zeros[32];
	struct cargo_field fields[CARGO_FIELDS];
	struct cargo_place place = {0};
	bool whole;
	size_t n = cargo_decode(format, zeros, fields, &whole);
	int best = 0;

	for (size_t i = 0; i < n; i++) {
		const struct cargo_field *x = &fields[i];
		bool number = x->type == CARGO_INT || x->type == CARGO_REAL;
		double unit = x->type == CARGO_REAL ? 1 : unit_of(x->label, x->token);
		int rank = !number ? 0 : strcasestr(x->label, label) ? 3 : !any ? 0 : x->type == CARGO_REAL ? 2 : unit > 0;

		if (rank > best) {
			best = rank;
			place = (struct cargo_place){x->token, x->offset, unit};
		}
	}
	return place;
}

/* What a name says. */
static void classify(struct defs *d, struct def *x)
{
	const char *name = x->total.name;

	x->mpi = !strncmp(name, "MPI_", 4) && !x->total.solo;
	x->tracer = !x->mpi && !strcmp(name, "CLOG_Buffer_write2disk");
	x->collective = x->starts = x->distrust = false;
	x->size.token = x->reading.token = 0;
	x->kind = TIME_OTHER_MPI;
	x->op = "";
	if (x->mpi) {
		const char *op = name + 4;
		size_t n = strlen(op);

		x->op = op;
		x->collective = is_collective(op);
		x->starts = !strcmp(op, "Start") || !strcmp(op, "Startall");
		x->distrust = among(distrusted, op, n);
		if (n > 2 && !strcmp(op + n - 2, "_c"))
			n -= 2;
		x->kind = x->collective		     ? TIME_COLLECTIVE
			  : among(sends, op, n)    ? TIME_SEND
			  : among(receives, op, n) ? TIME_RECEIVE
			  : among(waits, op, n)    ? TIME_WAIT
						   : TIME_OTHER_MPI;
		if (x->collective) {
			x->size = find_number(x->total.format, "size", false);
			x->size.unit = 1;
		}
	} else if (x->tracer) {
		x->kind = TIME_TRACER;
	} else if (x->defined && (strcasestr(name, "comput") || strcasestr(name, "cpu"))) {
		x->reading = find_number(x->total.format, "cpu", true);
		d->readings = d->readings || x->reading.token;
		d->own_tracer = d->own_tracer || strcmp(name, "PAS2P_compute") == 0;
	}
	x->total.mpi = x->mpi;
}

static uint32_t pack(uint32_t def, enum etype_role role)
{
	return def << 2 | (uint32_t)role;
}

/* The place where an etype's meaning is kept; NULL: no memory. */
static uint32_t *slot(struct defs *d, int32_t etype)
{
	uint32_t *at;

	if (etype >= 0 && etype < DEFS_DIRECT)
		return &d->direct[etype];
	at = map_at(d->others, (uint32_t)etype, 0);
	if (!at)
		d->memory_failed = true;
	return at;
}

static uint32_t add_def(struct defs *d, const struct def *x)
{
	struct def *list = mem_grow(d->list, d->count, &d->cap, sizeof *list);

	if (!list) {
		d->memory_failed = true;
		return 0;
	}
	d->list = list;
	list[d->count] = *x;
	list[d->count].total.key = (int64_t)((uint64_t)(uint32_t)x->start << 32 | (uint32_t)x->final);
	classify(d, &list[d->count]);
	return d->count++;
}

static void set_meaning(struct defs *d, int32_t etype, uint32_t def, enum etype_role role)
{
	uint32_t *at = slot(d, etype);

	if (at)
		*at = pack(def, role);
}

static uint32_t meaning(const struct defs *d, int32_t etype)
{
	return (uint32_t)etype < DEFS_DIRECT ? d->direct[etype] : map_get(d->others, (uint32_t)etype, 0);
}

static void make_state(struct defs *d, const char *name, int32_t start, int32_t final, bool unnamed)
{
	struct def x = {.total = {.name = name, .colour = "white", .format = ""}, .start = start, .final = final,
			.unnamed = unnamed};
	uint32_t def = add_def(d, &x);

	if (!unnamed || !meaning(d, start))
		set_meaning(d, start, def, ETYPE_START);
	if (!unnamed || !meaning(d, final))
		set_meaning(d, final, def, ETYPE_FINAL);
}

enum err_code defs_init(struct defs *d, struct arena *arena, struct err *e)
{
	struct def nothing = {.total = {.name = "", .colour = "", .format = ""}};

	*d = (struct defs){.arena = arena, .proc_null = INT32_MIN};
	d->others = map_new();
	if (!d->others)
		return err_memory(e, "the definitions");
	add_def(d, &nothing); /* 0: an etype that means nothing */
	for (int s = 0; s < KNOWN_STATES; s++)
		if (clog2_known_name(s))
			make_state(d, clog2_known_name(s), 2 * s, 2 * s + 1, false);
	if (!d->memory_failed)
		return ERR_OK;
	defs_release(d);
	return err_memory(e, "the definitions");
}

void defs_release(struct defs *d)
{
	mem_free(d->list);
	map_free(d->others);
	d->list = NULL;
	d->others = NULL;
}

/* A definition read from a file replaces a known one of the same etype; of several the first stands, for
 * processes that describe the same thing again agree. */
static bool defined_before(const struct defs *d, int32_t etype)
{
	uint32_t packed = meaning(d, etype);

	return packed && d->list[packed >> 2].defined;
}

void defs_add_state(struct defs *d, const struct clog2_statedef *x)
{
	struct def def = {.start = x->start, .final = x->final, .defined = true};
	uint32_t at;

	if (x->start == -1 || x->final == -1 || x->start == x->final || defined_before(d, x->start) ||
	    defined_before(d, x->final))
		return;
	def.total = (struct state_total){.name = keep(d, x->name, SIZE_MAX), .colour = keep(d, x->color, SIZE_MAX),
					 .format = keep(d, x->format, SIZE_MAX)};
	/* A nameless definition of a known call does not take its name away. */
	if (!*def.total.name && x->start >= 0 && x->start < USER_STATES && !(x->start & 1) && clog2_known_name(x->start / 2))
		def.total.name = clog2_known_name(x->start / 2);
	at = add_def(d, &def);
	if (d->list[at].collective && !defs_maybe_collective(d, x->start))
		d->new_collective = true;
	set_meaning(d, x->start, at, ETYPE_START);
	set_meaning(d, x->final, at, ETYPE_FINAL);
}

void defs_add_event(struct defs *d, const struct clog2_eventdef *x)
{
	struct def def = {.start = x->etype, .final = x->etype, .defined = true};

	if (x->etype == -1 || defined_before(d, x->etype))
		return;
	def.total = (struct state_total){.name = keep(d, x->name, SIZE_MAX), .colour = keep(d, x->color, SIZE_MAX),
					 .format = keep(d, x->format, SIZE_MAX), .solo = true};
	set_meaning(d, x->etype, add_def(d, &def), ETYPE_SOLO);
}

void defs_add_const(struct defs *d, const struct clog2_constdef *x)
{
	if (strstr(x->name, "PROC_NULL"))
		d->proc_null = x->value;
}

uint32_t defs_find_slow(const struct defs *d, int32_t etype, enum etype_role *role)
{
	uint32_t packed = map_get(d->others, (uint32_t)etype, 0);

	*role = (enum etype_role)(packed & 3);
	return packed >> 2;
}

void defs_need(struct defs *d, int32_t etype)
{
	struct def solo = {.total = {.colour = "white", .format = "", .solo = true}, .start = etype, .final = etype};
	enum etype_role role;
	char name[32];
	int n;

	defs_find(d, etype, &role);
	if (etype == -1 || role != ETYPE_NOTHING)
		return;
	/* User states come in pairs, all else is a solo event shown by number. */
	if (etype >= 0 && etype < USER_SOLO) {
		n = snprintf(name, sizeof name, "state %d", etype / 2);
		make_state(d, keep(d, name, (size_t)n), etype & ~1, etype | 1, true);
		return;
	}
	solo.unnamed = etype != -10 && etype != -9;
	n = snprintf(name, sizeof name, "event %d", etype);
	solo.total.name = etype == -10 ? "MPE_Comm_init" : etype == -9 ? "MPE_Comm_finalize" : keep(d, name, (size_t)n);
	set_meaning(d, etype, add_def(d, &solo), ETYPE_SOLO);
}

bool defs_maybe_collective(const struct defs *d, int32_t etype)
{
	uint32_t packed = meaning(d, etype);

	/* User states may turn out to be collectives of newer MPIs. */
	return packed ? (packed & 3) == ETYPE_START && d->list[packed >> 2].collective :
			etype >= USER_STATES && etype < USER_SOLO;
}

void defs_maybe_table(const struct defs *d, uint8_t table[DEFS_DIRECT])
{
	for (int32_t i = 0; i < DEFS_DIRECT; i++)
		table[i] = defs_maybe_collective(d, i);
}

bool defs_user_collectives(const struct defs *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		if (d->list[i].collective && d->list[i].start >= USER_STATES)
			return true;
	return false;
}

static uint64_t take(const uint8_t *p, unsigned bytes, bool big)
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
	*little = as_number(at->token, take(cargo + at->offset, bytes, false)) * at->unit;
	return as_number(at->token, take(cargo + at->offset, bytes, true)) * at->unit;
}

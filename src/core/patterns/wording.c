/* The names of patterns (docs/explain/patterns.md, "Names"). */
#include "patterns_int.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"

#define NAME_MOST 24          /* characters of a name */
#define MEANING_TEXT 320

static const struct {
	const char *word, *shown;
	bool named;
} kinds[PATTERN_KINDS] = {
#define PATTERN(id, word, shown, named) {word, shown, named},
#include "patterns.def"
#undef PATTERN
};

bool pattern_is_named(enum pattern_kind kind)
{
	return kinds[kind].named;
}

bool pattern_is_sweep(const struct pattern *p)
{
	return p->key.kind == PATTERN_SWEEP && p->key.directions & (p->key.directions - 1);
}

/* Names of collectives that are not their operation's, small. */
static const struct {
	const char *op, *word;
} words[] = {
	{"bcast", "broadcast"},
	{"alltoall", "all-to-all"},
	{"alltoallv", "all-to-all"},
	{"alltoallw", "all-to-all"},
	{"allgatherv", "allgather"},
	{"gatherv", "gather"},
	{"scatterv", "scatter"},
	{"reduce_scatter", "reduce-scatter"},
	{"reduce_scatter_block", "reduce-scatter"},
	{"neighbor_allgather", "neighbour allgather"},
	{"neighbor_allgatherv", "neighbour allgather"},
	{"neighbor_alltoall", "neighbour all-to-all"},
	{"neighbor_alltoallv", "neighbour all-to-all"},
	{"neighbor_alltoallw", "neighbour all-to-all"},
};

char *collective_word(const char *op, char *text, size_t size)
{
	size_t n = 0;

	if (op[0] == 'I' && islower((unsigned char)op[1]))
		op++;
	for (; op[n] && n + 1 < size; n++)
		text[n] = (char)tolower((unsigned char)op[n]);
	text[n] = '\0';
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].op, text) == 0)
			snprintf(text, size, "%s", words[i].word);
	return text;
}

char *pattern_size_text(double bytes, char *text)
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
	size_t unit = 0;

	while (bytes >= 1024 && unit + 1 < sizeof units / sizeof *units) {
		bytes /= 1024;
		unit++;
	}
	if (unit == 0 || bytes >= 999.5)
		snprintf(text, PATTERN_SIZE_TEXT, "%.0f %s", bytes, units[unit]);
	else
		snprintf(text, PATTERN_SIZE_TEXT, "%.3g %s", bytes, units[unit]);
	return text;
}

static int order_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* --- names --- */

struct words_out {
	char *text;
	size_t size, n;
};

static void words_add(struct words_out *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void words_add(struct words_out *w, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(w->text + w->n, w->size - w->n, format, args);
	va_end(args);
	if (n > 0)
		w->n += (size_t)n < w->size - w->n ? (size_t)n : w->size - w->n - 1;
}

static uint32_t key_dims(const struct pattern_key *key)
{
	uint32_t dims = 0;

	while (dims < GRID_DIMS && key->side[dims])
		dims++;
	return dims;
}

/* "4x3" of the pattern's own grid. */
static char *key_grid(const struct pattern_key *key, char *text)
{
	struct pattern_grid g = {.dims = key_dims(key)};

	memcpy(g.side, key->side, sizeof g.side);
	return grid_text(&g, text);
}

/* "x, y" */
static void axes_add(struct words_out *w, unsigned axes, const char *between)
{
	bool first = true;

	for (int i = 0; i < GRID_DIMS; i++)
		if (axes >> i & 1) {
			words_add(w, "%s%c", first ? "" : between, "xyz"[i]);
			first = false;
		}
}

uint32_t directions_list(uint32_t directions, char (*text)[8])
{
	uint32_t n = 0;

	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (directions >> d & 1)
			direction_text(d, text[n++]);
	qsort(text, n, sizeof *text, order_names);
	return n;
}

/* "+x +y" */
static void directions_add(struct words_out *w, uint32_t directions)
{
	char text[DIRECTIONS][8];
	uint32_t n = directions_list(directions, text);

	for (uint32_t i = 0; i < n; i++)
		words_add(w, "%s%s", i ? " " : "", text[i]);
}

/* The directions of a sweep are units; by dimension. */
static void sweep_directions_add(struct words_out *w, uint32_t directions)
{
	char text[8];
	bool first = true;

	for (int k = 0; k < 2 * GRID_DIMS; k++) {
		uint32_t unit = direction_unit(k / 2, k % 2);

		if (!(directions >> unit & 1))
			continue;
		words_add(w, "%s%s", first ? "" : " ", direction_text(unit, text));
		first = false;
	}
}

static void neighbours_name(const struct pattern_key *key, struct words_out *name, struct words_out *meaning)
{
	char grid[GRID_TEXT];
	unsigned axes = directions_axes(key->directions & directions_unit), all = (1u << key_dims(key)) - 1;
	const char *periodic = key->periodic ? "periodic " : "";

	key_grid(key, grid);
	if (!directions_are_symmetric(key->directions)) {
		words_add(name, "shift ");
		directions_add(name, key->directions);
		words_add(name, " of %s", grid);
		words_add(meaning, "each process sends to its ");
		directions_add(meaning, key->directions);
		words_add(meaning, " neighbour%s of the %s%s grid", key->directions & (key->directions - 1) ? "s" : "", periodic, grid);
	} else if (key->directions & ~directions_unit) {
		words_add(name, "halo %s +diag", grid);
		words_add(meaning, "exchange with the neighbours, diagonal ones too, of the %s%s grid", periodic, grid);
	} else {
		words_add(name, "halo ");
		if (axes != all) {
			axes_add(name, axes, ",");
			words_add(name, " of ");
		}
		words_add(name, "%s", grid);
		words_add(meaning, "exchange with the neighbours along ");
		axes_add(meaning, axes, ", ");
		words_add(meaning, " of the %s%s grid", periodic, grid);
	}
}

/* "x", or "-x+y" as the first shifts go. */
static void line_solve_axis(struct words_out *w, uint32_t direction)
{
	char text[8];

	if (directions_unit >> direction & 1)
		axes_add(w, direction_axes(direction), "");
	else
		words_add(w, "%s", direction_text(direction, text));
}

/* "12 processes", "1 process" */
static void count_add(struct words_out *w, uint32_t n, const char *one, const char *several)
{
	words_add(w, "%" PRIu32 " %s", n, n == 1 ? one : several);
}

/* The name and what it means. */
static void key_words(const struct patterns *x, const struct pattern_key *key, struct words_out *name, struct words_out *meaning)
{
	const uint32_t processes = x->trace->process_count;
	char grid[GRID_TEXT];

	key_grid(key, grid);
	switch ((enum pattern_kind)key->kind) {
	case PATTERN_CALL:
		words_add(name, "%s", x->ops[key->op]);
		if (key->members < processes || key->groups > 1) {
			words_add(name, ", groups of %" PRIu32, key->members);
			words_add(meaning, "MPI %s in ", x->ops[key->op]);
			count_add(meaning, key->groups, "group", "groups");
			words_add(meaning, " of %" PRIu32, key->members);
		} else {
			words_add(meaning, "MPI %s of all %" PRIu32, x->ops[key->op], key->members);
		}
		break;
	case PATTERN_SWEEP:
		words_add(name, "%s from %" PRIu32, key->directions & (key->directions - 1) ? "sweep" : "pipeline", key->root);
		words_add(meaning, "wavefront over the %s grid from rank %" PRIu32 " along ", grid, key->root);
		sweep_directions_add(meaning, key->directions);
		words_add(meaning, ": each process receives from upstream before it sends downstream");
		break;
	case PATTERN_NEIGHBOURS: neighbours_name(key, name, meaning); break;
	case PATTERN_LINE_SOLVE:
		words_add(name, "line solve ");
		line_solve_axis(name, (uint32_t)__builtin_ctz(key->directions));
		words_add(name, " of %s", grid);
		words_add(meaning, "%" PRIu32 " shifts one way and %" PRIu32 " back along ", key->number, key->number);
		line_solve_axis(meaning, (uint32_t)__builtin_ctz(key->directions));
		words_add(meaning, " of the periodic %s grid, as a multipartitioned line solver makes", grid);
		break;
	case PATTERN_PAIRS:
		words_add(name, "pair exchange ^%" PRIu32, key->number);
		words_add(meaning, "exchange in pairs of ranks that differ by bit %" PRIu32, key->number);
		break;
	case PATTERN_BUTTERFLY:
		words_add(name, "butterfly of %" PRIu32, key->members);
		words_add(meaning, "recursive doubling in groups of %" PRIu32 ", written with messages: an allreduce or a barrier", key->members);
		break;
	case PATTERN_HALVING:
		words_add(name, "recursive halving of %" PRIu32, key->members);
		words_add(meaning, "recursive halving in groups of %" PRIu32 ": reduce-scatter", key->members);
		break;
	case PATTERN_DOUBLING:
		words_add(name, "recursive doubling of %" PRIu32, key->members);
		words_add(meaning, "recursive doubling in groups of %" PRIu32 ": allgather", key->members);
		break;
	case PATTERN_RING_SHIFT:
		words_add(name, "ring shift by %" PRIu32, key->number);
		words_add(meaning, "each process sends to rank +%" PRIu32 ", round the ring", key->number);
		break;
	case PATTERN_RING:
		words_add(name, "ring of %" PRIu32, key->members);
		words_add(meaning, "%" PRIu32 " ring shifts by %" PRIu32 ": an allgather or an all-to-all round a ring", key->members - 1, key->number);
		break;
	case PATTERN_TRANSPOSE:
		words_add(name, "transpose %s", grid);
		words_add(meaning, "each process exchanges with its mirror image in the %s grid", grid);
		break;
	case PATTERN_ALL_PAIRS:
		words_add(name, "all pairs of %" PRIu32, key->members);
		words_add(meaning, "everyone with everyone");
		if (key->groups > 1)
			words_add(meaning, " in %" PRIu32 " groups of %" PRIu32, key->groups, key->members);
		words_add(meaning, ", written with messages");
		break;
	case PATTERN_GATHER:
		if (key->groups) {
			words_add(name, "gather, %" PRIu32 " groups", key->groups);
			words_add(meaning, "%" PRIu32 " groups of processes, each sends to its root", key->groups);
		} else {
			words_add(name, "gather to %" PRIu32, key->root);
			words_add(meaning, "%" PRIu32 " processes send to rank %" PRIu32, key->members, key->root);
		}
		break;
	case PATTERN_SCATTER:
		if (key->groups) {
			words_add(name, "scatter, %" PRIu32 " groups", key->groups);
			words_add(meaning, "%" PRIu32 " groups of processes, each receives from its root", key->groups);
		} else {
			words_add(name, "scatter from %" PRIu32, key->root);
			words_add(meaning, "rank %" PRIu32 " sends to %" PRIu32 " processes", key->root, key->members);
		}
		break;
	case PATTERN_WORKERS:
		words_add(name, "workers of %" PRIu32, key->root);
		words_add(meaning, "rank %" PRIu32 " exchanges messages with %" PRIu32 " workers, and they with nobody else", key->root, key->members);
		break;
	case PATTERN_TREE_BROADCAST:
	case PATTERN_TREE_REDUCE:
		words_add(name, "tree %s %" PRIu32, key->kind == PATTERN_TREE_BROADCAST ? "broadcast from" : "reduce to", key->root);
		words_add(meaning, "binomial tree over %" PRIu32 " processes, root %" PRIu32, key->members, key->root);
		break;
	case PATTERN_TOKEN:
		words_add(name, "token ring of %" PRIu32, key->members);
		words_add(meaning, "a message goes from rank to rank once round the ring of %" PRIu32, key->members);
		break;
	case PATTERN_ONE_WAY:
		words_add(name, "one-way pairs");
		if (key->members == 1)
			words_add(meaning, "1 process sends one message, to a process that sends none");
		else
			words_add(meaning, "%" PRIu32 " processes send one message each, to processes that send none", key->members);
		break;
	case PATTERN_SELF:
		words_add(name, "to itself");
		words_add(meaning, "messages of processes to themselves");
		break;
	case PATTERN_PERMUTATION:
		words_add(name, "permutation");
		words_add(meaning, "each of %" PRIu32 " processes sends to one and receives from one; no known pattern", key->members);
		break;
	case PATTERN_SOME_NEIGHBOURS:
		words_add(name, "some nbs of %s", grid);
		words_add(meaning, "some of the processes exchange with neighbours of the %s grid (%" PRIu32 " %% of its links)", grid, key->fill);
		break;
	case PATTERN_IRREGULAR:
	case PATTERN_KINDS:
		if (!key->most) {
			words_add(name, "overlapping collectives");
			words_add(meaning, "collectives of several kinds that overlap; no known pattern");
			break;
		}
		words_add(name, "irregular, %" PRIu32, key->least);
		words_add(meaning, "each process sends to %" PRIu32, key->least);
		if (key->most > key->least) {
			words_add(name, "-%" PRIu32, key->most);
			words_add(meaning, "-%" PRIu32, key->most);
		}
		words_add(name, " nb");
		words_add(meaning, " others; no known pattern");
		break;
	}
}

/* --- interning --- */

static uint64_t hash_key(const struct pattern_key *key)
{
	const uint32_t *word = (const uint32_t *)key;
	uint64_t h = 0;

	for (size_t i = 0; i < sizeof *key / sizeof *word; i++)
		h = hash_mix(h, word[i]);
	return h;
}

static uint64_t hash_pattern(const void *list, uint32_t i)
{
	return hash_key(&((const struct pattern *)list)[i].key);
}

static bool same_pattern(const void *list, uint32_t i, const void *key)
{
	return memcmp(&((const struct pattern *)list)[i].key, key, sizeof(struct pattern_key)) == 0;
}

uint32_t pattern_intern(struct patterns *x, struct pattern_table *table, const struct pattern_key *key)
{
	char name[NAME_MOST * 4], meaning[MEANING_TEXT];
	struct words_out short_words = {name, sizeof name, 0}, long_words = {meaning, sizeof meaning, 0};
	struct pattern *more;
	uint32_t *slot;

	slot = index_slot(&table->index, hash_key(key), x->list, x->count, same_pattern, hash_pattern, key);
	if (!slot)
		return UINT32_MAX;
	if (*slot)
		return *slot - 1;
	more = mem_grow(x->list, x->count, &table->cap, sizeof *more);
	if (!more)
		return UINT32_MAX;
	x->list = more;
	key_words(x, key, &short_words, &long_words);
	if (short_words.n > NAME_MOST)
		memcpy(name + NAME_MOST - 3, "...", 4);
	more += x->count;
	*more = (struct pattern){.key = *key};
	more->name = arena_strndup(&x->arena, name, strlen(name));
	more->meaning = arena_strndup(&x->arena, meaning, strlen(meaning));
	more->word = key->kind == PATTERN_CALL ? x->ops[key->op] : kinds[key->kind].word;
	more->shown = key->kind == PATTERN_CALL ? x->ops[key->op] : kinds[key->kind].shown;
	if (!more->name || !more->meaning)
		return UINT32_MAX;
	*slot = ++x->count;
	return x->count - 1;
}

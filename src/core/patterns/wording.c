/* The names of patterns (docs/explain/patterns.md, "Names"). */
#include "patterns_int.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/order.h"

#define NAME_MOST 24          /* characters of a name */

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
static void axes_add(struct out *w, unsigned axes, const char *between)
{
	bool first = true;

	for (int i = 0; i < GRID_DIMS; i++)
		if (axes >> i & 1) {
			out_printf(w, "%s%c", first ? "" : between, "xyz"[i]);
			first = false;
		}
}

uint32_t directions_list(uint32_t directions, char (*text)[8])
{
	uint32_t n = 0;

	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (directions >> d & 1)
			direction_text(d, text[n++]);
	SORT(text, n, order_names);
	return n;
}

/* "+x +y" */
static void directions_add(struct out *w, uint32_t directions)
{
	char text[DIRECTIONS][8];
	uint32_t n = directions_list(directions, text);

	for (uint32_t i = 0; i < n; i++)
		out_printf(w, "%s%s", i ? " " : "", text[i]);
}

/* The directions of a sweep are units; by dimension. */
static void sweep_directions_add(struct out *w, uint32_t directions)
{
	char text[8];
	bool first = true;

	for (int k = 0; k < 2 * GRID_DIMS; k++) {
		uint32_t unit = direction_unit(k / 2, k % 2);

		if (!(directions >> unit & 1))
			continue;
		out_printf(w, "%s%s", first ? "" : " ", direction_text(unit, text));
		first = false;
	}
}

static void neighbours_name(const struct pattern_key *key, struct out *name, struct out *meaning)
{
	char grid[GRID_TEXT];
	unsigned axes = directions_axes(key->directions & directions_unit), all = (1u << key_dims(key)) - 1;
	const char *periodic = key->periodic ? "periodic " : "";

	key_grid(key, grid);
	if (!directions_are_symmetric(key->directions)) {
		out_printf(name, "shift ");
		directions_add(name, key->directions);
		out_printf(name, " of %s", grid);
		out_printf(meaning, "each process sends to its ");
		directions_add(meaning, key->directions);
		out_printf(meaning, " neighbour%s of the %s%s grid", key->directions & (key->directions - 1) ? "s" : "", periodic, grid);
	} else if (key->directions & ~directions_unit) {
		out_printf(name, "halo %s +diag", grid);
		out_printf(meaning, "exchange with the neighbours, diagonal ones too, of the %s%s grid", periodic, grid);
	} else {
		out_printf(name, "halo ");
		if (axes != all) {
			axes_add(name, axes, ",");
			out_printf(name, " of ");
		}
		out_printf(name, "%s", grid);
		out_printf(meaning, "exchange with the neighbours along ");
		axes_add(meaning, axes, ", ");
		out_printf(meaning, " of the %s%s grid", periodic, grid);
	}
}

/* "x", or "-x+y" as the first shifts go. */
static void line_solve_axis(struct out *w, uint32_t direction)
{
	char text[8];

	if (directions_unit >> direction & 1)
		axes_add(w, direction_axes(direction), "");
	else
		out_printf(w, "%s", direction_text(direction, text));
}

/* "12 processes", "1 process" */
static void count_add(struct out *w, uint32_t n, const char *one, const char *several)
{
	out_printf(w, "%" PRIu32 " %s", n, n == 1 ? one : several);
}

/* The name and what it means. */
static void key_words(const struct patterns *x, const struct pattern_key *key, struct out *name, struct out *meaning)
{
	const uint32_t processes = x->trace->process_count;
	char grid[GRID_TEXT];

	key_grid(key, grid);
	switch ((enum pattern_kind)key->kind) {
	case PATTERN_CALL:
		out_printf(name, "%s", x->ops[key->op]);
		if (key->members < processes || key->groups > 1) {
			out_printf(name, ", groups of %" PRIu32, key->members);
			out_printf(meaning, "MPI %s in ", x->ops[key->op]);
			count_add(meaning, key->groups, "group", "groups");
			out_printf(meaning, " of %" PRIu32, key->members);
		} else {
			out_printf(meaning, "MPI %s of all %" PRIu32, x->ops[key->op], key->members);
		}
		break;
	case PATTERN_SWEEP:
		out_printf(name, "%s from %" PRIu32, key->directions & (key->directions - 1) ? "sweep" : "pipeline", key->root);
		out_printf(meaning, "wavefront over the %s grid from rank %" PRIu32 " along ", grid, key->root);
		sweep_directions_add(meaning, key->directions);
		out_printf(meaning, ": each process receives from upstream before it sends downstream");
		break;
	case PATTERN_NEIGHBOURS: neighbours_name(key, name, meaning); break;
	case PATTERN_LINE_SOLVE:
		out_printf(name, "line solve ");
		line_solve_axis(name, (uint32_t)__builtin_ctz(key->directions));
		out_printf(name, " of %s", grid);
		out_printf(meaning, "%" PRIu32 " shifts one way and %" PRIu32 " back along ", key->number, key->number);
		line_solve_axis(meaning, (uint32_t)__builtin_ctz(key->directions));
		out_printf(meaning, " of the periodic %s grid, as a multipartitioned line solver makes", grid);
		break;
	case PATTERN_PAIRS:
		out_printf(name, "pair exchange ^%" PRIu32, key->number);
		out_printf(meaning, "exchange in pairs of ranks that differ by bit %" PRIu32, key->number);
		break;
	case PATTERN_BUTTERFLY:
		out_printf(name, "butterfly of %" PRIu32, key->members);
		out_printf(meaning, "recursive doubling in groups of %" PRIu32 ", written with messages: an allreduce or a barrier", key->members);
		break;
	case PATTERN_HALVING:
		out_printf(name, "recursive halving of %" PRIu32, key->members);
		out_printf(meaning, "recursive halving in groups of %" PRIu32 ": reduce-scatter", key->members);
		break;
	case PATTERN_DOUBLING:
		out_printf(name, "recursive doubling of %" PRIu32, key->members);
		out_printf(meaning, "recursive doubling in groups of %" PRIu32 ": allgather", key->members);
		break;
	case PATTERN_RING_SHIFT:
		out_printf(name, "ring shift by %" PRIu32, key->number);
		out_printf(meaning, "each process sends to rank +%" PRIu32 ", round the ring", key->number);
		break;
	case PATTERN_RING:
		out_printf(name, "ring of %" PRIu32, key->members);
		out_printf(meaning, "%" PRIu32 " ring shifts by %" PRIu32 ": an allgather or an all-to-all round a ring", key->members - 1, key->number);
		break;
	case PATTERN_TRANSPOSE:
		out_printf(name, "transpose %s", grid);
		out_printf(meaning, "each process exchanges with its mirror image in the %s grid", grid);
		break;
	case PATTERN_ALL_PAIRS:
		out_printf(name, "all pairs of %" PRIu32, key->members);
		out_printf(meaning, "everyone with everyone");
		if (key->groups > 1)
			out_printf(meaning, " in %" PRIu32 " groups of %" PRIu32, key->groups, key->members);
		out_printf(meaning, ", written with messages");
		break;
	case PATTERN_GATHER:
		if (key->groups) {
			out_printf(name, "gather, %" PRIu32 " groups", key->groups);
			out_printf(meaning, "%" PRIu32 " groups of processes, each sends to its root", key->groups);
		} else {
			out_printf(name, "gather to %" PRIu32, key->root);
			out_printf(meaning, "%" PRIu32 " processes send to rank %" PRIu32, key->members, key->root);
		}
		break;
	case PATTERN_SCATTER:
		if (key->groups) {
			out_printf(name, "scatter, %" PRIu32 " groups", key->groups);
			out_printf(meaning, "%" PRIu32 " groups of processes, each receives from its root", key->groups);
		} else {
			out_printf(name, "scatter from %" PRIu32, key->root);
			out_printf(meaning, "rank %" PRIu32 " sends to %" PRIu32 " processes", key->root, key->members);
		}
		break;
	case PATTERN_WORKERS:
		out_printf(name, "workers of %" PRIu32, key->root);
		out_printf(meaning, "rank %" PRIu32 " exchanges messages with %" PRIu32 " workers, and they with nobody else", key->root, key->members);
		break;
	case PATTERN_TREE_BROADCAST:
	case PATTERN_TREE_REDUCE:
		out_printf(name, "tree %s %" PRIu32, key->kind == PATTERN_TREE_BROADCAST ? "broadcast from" : "reduce to", key->root);
		out_printf(meaning, "binomial tree over %" PRIu32 " processes, root %" PRIu32, key->members, key->root);
		break;
	case PATTERN_TOKEN:
		out_printf(name, "token ring of %" PRIu32, key->members);
		out_printf(meaning, "a message goes from rank to rank once round the ring of %" PRIu32, key->members);
		break;
	case PATTERN_ONE_WAY:
		out_printf(name, "one-way pairs");
		if (key->members == 1)
			out_printf(meaning, "1 process sends one message, to a process that sends none");
		else
			out_printf(meaning, "%" PRIu32 " processes send one message each, to processes that send none", key->members);
		break;
	case PATTERN_SELF:
		out_printf(name, "to itself");
		out_printf(meaning, "messages of processes to themselves");
		break;
	case PATTERN_PERMUTATION:
		out_printf(name, "permutation");
		out_printf(meaning, "each of %" PRIu32 " processes sends to one and receives from one; no known pattern", key->members);
		break;
	case PATTERN_SOME_NEIGHBOURS:
		out_printf(name, "some nbs of %s", grid);
		out_printf(meaning, "some of the processes exchange with neighbours of the %s grid (%" PRIu32 " %% of its links)", grid, key->fill);
		break;
	case PATTERN_IRREGULAR:
	case PATTERN_KINDS:
		if (!key->most) {
			out_printf(name, "overlapping collectives");
			out_printf(meaning, "collectives of several kinds that overlap; no known pattern");
			break;
		}
		out_printf(name, "irregular, %" PRIu32, key->least);
		out_printf(meaning, "each process sends to %" PRIu32, key->least);
		if (key->most > key->least) {
			out_printf(name, "-%" PRIu32, key->most);
			out_printf(meaning, "-%" PRIu32, key->most);
		}
		out_printf(name, " nb");
		out_printf(meaning, " others; no known pattern");
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
	struct out name, meaning;
	struct pattern *more;
	uint32_t *slot = index_slot(&table->index, hash_key(key), x->list, x->count, same_pattern, hash_pattern, key);

	if (!slot)
		return UINT32_MAX;
	if (*slot)
		return *slot - 1;
	more = mem_grow(x->list, x->count, &table->cap, sizeof *more);
	if (!more)
		return UINT32_MAX;
	x->list = more;
	more += x->count;
	*more = (struct pattern){.key = *key};
	out_init(&name);
	out_init(&meaning);
	key_words(x, key, &name, &meaning);
	if (!name.failed && !meaning.failed) {
		if (name.len > NAME_MOST)
			memcpy(name.text + NAME_MOST - 3, "...", 4);
		more->name = arena_strndup(&x->arena, name.text, strlen(name.text));
		more->meaning = arena_strndup(&x->arena, meaning.text, meaning.len);
	}
	out_release(&name);
	out_release(&meaning);
	more->word = key->kind == PATTERN_CALL ? x->ops[key->op] : kinds[key->kind].word;
	more->shown = key->kind == PATTERN_CALL ? x->ops[key->op] : kinds[key->kind].shown;
	if (!more->name || !more->meaning)
		return UINT32_MAX;
	*slot = ++x->count;
	return x->count - 1;
}

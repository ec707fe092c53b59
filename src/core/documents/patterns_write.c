/* Names of phases, the reading and the grid as parts of a document (docs/explain/patterns.md says what their keys are). */
#include "documents_int.h"

static void write_sides(struct tree_out *t, const char *key, const uint32_t *side)
{
	uint32_t dims = 0;

	while (dims < GRID_DIMS && side[dims])
		dims++;
	tree_put_list(t, key, true);
	while (dims-- > 0)
		tree_whole(t, side[dims]);
	tree_end(t);
}

static void write_directions(struct tree_out *t, const char *key, uint32_t directions)
{
	char text[DIRECTIONS][8];
	uint32_t n = directions_list(directions, text);

	tree_put_list(t, key, true);
	for (uint32_t i = 0; i < n; i++)
		tree_text(t, text[i]);
	tree_end(t);
}

/* As dims are: the slowest first. */
static void write_periodic(struct tree_out *t, uint32_t dims, unsigned periodic)
{
	tree_put_list(t, "periodic", true);
	while (dims-- > 0)
		tree_bool(t, periodic >> dims & 1);
	tree_end(t);
}

static void write_neighbours(struct tree_out *t, const struct patterns *x, const struct pattern *p)
{
	bool diagonal = false;

	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (p->key.directions >> d & 1) {
			int axes = 0;

			for (int i = 0; i < GRID_DIMS; i++)
				axes += d / (i == 0 ? 1 : i == 1 ? 3 : 9) % 3 != 1;
			diagonal = diagonal || axes > 1;
		}
	write_sides(t, "grid", p->key.side);
	write_periodic(t, x->grid.dims, p->key.periodic);
	tree_put_bool(t, "permuted", x->grid.place != NULL);
	write_directions(t, "offsets", p->key.directions);
	tree_put_bool(t, "diagonal", diagonal);
	tree_put_real(t, "fill", p->fill);
}

/* What a pattern has besides its kind. */
static void write_parameters(struct tree_out *t, const struct patterns *x, const struct pattern *p)
{
	const struct pattern_key *k = &p->key;

	switch ((enum pattern_kind)k->kind) {
	case PATTERN_CALL:
		tree_put_bool(t, "call", true);
		tree_put_whole(t, "n", k->members);
		if (k->groups > 1)
			tree_put_whole(t, "groups", k->groups);
		break;
	case PATTERN_SWEEP:
		tree_put_whole(t, "from", k->root);
		write_directions(t, "directions", k->directions);
		write_sides(t, "grid", k->side);
		tree_put_bool(t, "permuted", x->grid.place != NULL);
		if (p->blocks)
			tree_put_whole(t, "blocks", p->blocks);
		break;
	case PATTERN_NEIGHBOURS:
	case PATTERN_SOME_NEIGHBOURS: write_neighbours(t, x, p); break;
	case PATTERN_LINE_SOLVE:
		write_sides(t, "grid", k->side);
		write_directions(t, "offsets", k->directions);
		tree_put_whole(t, "shifts", k->number);
		break;
	case PATTERN_PAIRS: tree_put_whole(t, "mask", k->number); break;
	case PATTERN_BUTTERFLY:
	case PATTERN_HALVING:
	case PATTERN_DOUBLING:
	case PATTERN_ALL_PAIRS:
		tree_put_whole(t, "n", k->members);
		tree_put_whole(t, "groups", k->groups);
		break;
	case PATTERN_RING_SHIFT: tree_put_whole(t, "by", k->number); break;
	case PATTERN_RING:
		tree_put_whole(t, "n", k->members);
		tree_put_whole(t, "by", k->number);
		break;
	case PATTERN_TRANSPOSE: write_sides(t, "grid", k->side); break;
	case PATTERN_GATHER:
		tree_put_whole(t, "from", k->members);
		tree_put_whole(t, k->groups ? "groups" : "root", k->groups ? k->groups : k->root);
		break;
	case PATTERN_SCATTER:
		tree_put_whole(t, "to", k->members);
		tree_put_whole(t, k->groups ? "groups" : "root", k->groups ? k->groups : k->root);
		break;
	case PATTERN_WORKERS:
		tree_put_whole(t, "root", k->root);
		tree_put_whole(t, "workers", k->members);
		break;
	case PATTERN_TREE_BROADCAST:
	case PATTERN_TREE_REDUCE:
		tree_put_whole(t, "root", k->root);
		tree_put_whole(t, "n", k->members);
		break;
	case PATTERN_TOKEN:
	case PATTERN_ONE_WAY:
	case PATTERN_PERMUTATION: tree_put_whole(t, "n", k->members); break;
	case PATTERN_IRREGULAR:
		tree_put_whole(t, "least", k->least);
		tree_put_whole(t, "most", k->most);
		break;
	case PATTERN_SELF:
	case PATTERN_KINDS: break;
	}
}

const char *phase_text_read(struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *n = fields_find(f, at, key);

	return n && !yaml_is_null(n) ? fields_safe_text(f, at, key) : NULL;
}

void phase_name_write(struct tree_out *t, const struct phase_name *n, const struct patterns *x)
{
	tree_put_text(t, "name", n->name);
	tree_put_text(t, "long", n->meaning);
	tree_put_bool(t, "named", n->named);
	tree_put_text(t, "kinds", n->kinds);
	tree_put_real(t, "explained", n->explained);
	tree_put_real(t, "compute_share", n->compute);
	tree_put_list(t, "patterns", !n->part_count);
	for (uint32_t i = 0; i < n->part_count; i++) {
		const struct phase_part *part = &n->parts[i];

		tree_map(t, true);
		tree_put_text(t, "kind", part->pattern == PART_UNMATCHED ? "unmatched" : x->list[part->pattern].word);
		tree_put_real(t, "share", part->share);
		if (part->pattern != PART_UNMATCHED)
			write_parameters(t, x, &x->list[part->pattern]);
		tree_end(t);
	}
	tree_end(t);
}

void patterns_write(struct tree_out *t, const struct patterns *x, const struct phase_names *n)
{
	const struct pattern_grid *g = &x->grid;
	struct out text;

	out_init(&text);
	reading_text(x, UINT32_MAX, &text);
	t->failed = t->failed || text.failed;
	tree_put_text(t, "reading", text.failed || !text.text ? "" : text.text);
	out_release(&text);
	if (!g->dims) {
		tree_put_null(t, "grid");
	} else {
		unsigned periodic = 0;

		for (uint32_t i = 0; i < g->dims; i++)
			periodic |= g->periodic[i] ? 1u << i : 0;
		tree_put_map(t, "grid", true);
		tree_put_list(t, "dims", true);
		for (uint32_t i = g->dims; i-- > 0;)
			tree_whole(t, g->side[i]);
		tree_end(t);
		write_periodic(t, g->dims, periodic);
		tree_put_bool(t, "permuted", g->place != NULL);
		if (g->rank)
			tree_put_wholes(t, "ranks", g->rank, x->trace->process_count);
		tree_end(t);
	}
	tree_put_list(t, "pattern_times", !n->kind_count);
	for (uint32_t i = 0; i < n->kind_count; i++) {
		tree_map(t, true);
		tree_put_text(t, "kind", n->kinds[i].word);
		tree_put_real(t, "share", n->kinds[i].share);
		tree_end(t);
	}
	tree_end(t);
}

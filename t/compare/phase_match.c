/* Which phases of two runs correspond (docs/internals/compare-rules.md, "Corresponding phases"). Diff, study and
 * compare all stand on this matching, so it is held to more than its own word: to the vectors that were worked out for
 * it, to pairs of real runs (one of each is there as its phase table with content), to a second implementation that was
 * written from the page alone and tries every alignment, and to what must not matter: the names of ranks, sizes that
 * all double, ids.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/compare/match/match.h"
#include "gen.h"
#include "run_of.h"
#include "tap.h"

static struct err err;

static struct phase_match *match(const struct run_phases *a, const struct run_phases *b)
{
	struct phase_match *m;

	if (phase_match_new(&m, a, b, NULL, &err))
		bail_out("%s", err.text);
	return m;
}

static void ids_text(const struct phase_side *s, char *at)
{
	*at = '\0';
	for (uint32_t i = 0; i < s->count; i++)
		at += sprintf(at, "%s%u", i ? "," : "", s->ids[i]);
}

/* "1-1 2,3-2 4-": every group; with similarities "1-1=1". */
static char *groups_text(const struct phase_match *m, bool similarities)
{
	static char text[100000];
	char *at = text;

	*at = '\0';
	for (uint32_t i = 0; i < m->count; i++) {
		char a[10000], b[10000];

		ids_text(&m->groups[i].a, a);
		ids_text(&m->groups[i].b, b);
		at += sprintf(at, "%s%s-%s", i ? " " : "", a, b);
		if (similarities && !isnan(m->groups[i].similarity))
			at += sprintf(at, "=%.6g", m->groups[i].similarity);
	}
	return text;
}

static void roles_vectors(void)
{
	const struct phase_role half[] = {{ROLE_UP, "", 0.5}, {ROLE_DOWN, "", 0.5}};
	const struct phase_role third[] = {{ROLE_UP, "", 2. / 3}, {ROLE_DOWN, "", 1. / 3}};
	const struct phase_role all[] = {{ROLE_ALL, "5", 1}};
	struct content_row u = {1, 100, half, NULL, 2, 0}, v = {0.5, 100, third, NULL, 2, 0}, w = {1, 0, all, NULL, 1, 0};

	is_double(role_row_similarity(&u, 50, &v, 100), 5. / 6 * 0.8, 1e-12, "roles: shares, active and sizes that are equal");
	is_double(role_row_similarity(&v, 100, &u, 50), 5. / 6 * 0.8, 1e-12, "roles: the other way round");
	is_double(role_row_similarity(&w, 50, &w, 900), 1, 0, "roles: the same row of another run");
	is_double(role_row_similarity(&w, 50, &u, 50), 0, 0, "roles: nothing in common");
}

static void pair(const char *a, const char *b, const char *expected, double share_a, double share_b)
{
	struct run_phases *x = run_of_file(a, NULL), *y = run_of_file(b, NULL);
	struct phase_match *m = match(x, y);

	is_str(groups_text(m, expected && strchr(expected, '=')), expected, "%s : %s: groups", a, b);
	is_double(phase_match_share(m, false), share_a, 0.0005, "%s : %s: matched of the first", a, b);
	is_double(phase_match_share(m, true), share_b, 0.0005, "%s : %s: matched of the second", a, b);
	phase_match_free(m);
	run_phases_free(x);
	run_phases_free(y);
}

static void real_pairs(void)
{
	pair("t/study/tables/sp.S.4.yaml", "t/study/tables/bt.S.4.yaml",
	     "1-1=1 2-2=1 3-3=1 4-4=1 5-5=0.937415 6-6=0.998 7-7=0.937415 8-8=0.998 9-9=0.937415 10-10=0.999 11-11=0.998 12-12=0.999 13-13=1",
	     0.927, 0.954);
	pair("t/study/tables/bt.S.4.yaml", "sample-traces/lu.S.4.clog2",
	     "1- 2- 3- 4- 5- 6- 7- 8- 9- 10- 11- 12- 13- -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13 -14 -15 -16", 0, 0);
	pair("sample-traces/cg.S.4.clog2", "t/study/tables/cg.W.8.yaml", "1,2-1,5 3-3,4 4-6 5-2 6-7,8", 0.989, 0.996);
	pair("sample-traces/lu.S.4.clog2", "t/study/tables/lu.W.8.yaml",
	     "1-1 2-2 3,16-3 4-4,11 5-5 6-6,13,21 7-14 8-8,10 10-16 11-12 12-17 13-7,18 14-19 15-20 9- -9 -15", 0.950, 0.780);
}

/* From here on the second implementation. */

static double q(double x, double y)
{
	return x == y ? 1 : fmin(x, y) / fmax(x, y);
}

static const struct phase_cell *cell_at(const struct content_row *row, uint32_t process)
{
	for (uint32_t i = 0; i < row->cell_count; i++)
		if (row->cells[i].process == process)
			return &row->cells[i];
	return NULL;
}

static double share_of(const struct content_row *row, unsigned kind)
{
	for (uint32_t i = 0; i < row->role_count; i++)
		if (row->roles[i].kind == kind)
			return row->roles[i].share;
	return 0;
}

static double naive_row(const struct run_phases *a, const struct content_row *u, const struct run_phases *b, const struct content_row *v)
{
	double same = 0, either = 0, z = 0, o = 0;

	if (a->processes != b->processes) {
		for (unsigned kind = ROLE_UP; kind <= ROLE_SELF; kind++)
			o += fmin(share_of(u, kind), share_of(v, kind));
		return o * (0.6 + 0.4 * q(u->active, v->active)) *
		       sqrt(fmax(q(u->bytes, v->bytes), q(u->bytes / a->mean_message, v->bytes / b->mean_message)));
	}
	for (uint32_t p = 0; p < a->processes; p++) {
		const struct phase_cell *c = cell_at(u, p), *d = cell_at(v, p);

		either += c || d;
		if (c && d && c->type == d->type) {
			same++;
			z += q(c->size, d->size);
		}
	}
	return same > 0 ? same / either * (0.9 + 0.1 * z / same) : 0;
}

/* Every alignment is tried. */
static double naive_align(const struct run_phases *a, const struct run_phase *x, uint32_t i, const struct run_phases *b,
			  const struct run_phase *y, uint32_t k)
{
	double best;

	if (i == x->row_count || k == y->row_count)
		return 0;
	best = naive_row(a, &x->rows[i], b, &y->rows[k]) + naive_align(a, x, i + 1, b, y, k + 1);
	best = fmax(best, naive_align(a, x, i + 1, b, y, k));
	return fmax(best, naive_align(a, x, i, b, y, k + 1));
}

static double naive_similarity(const struct run_phases *a, const struct run_phase *x, const struct run_phases *b, const struct run_phase *y)
{
	return naive_align(a, x, 0, b, y, 0) / fmax(x->row_count, y->row_count);
}

#define MOST 8

struct naive {
	const struct run_phases *a, *b;
	double s[MOST][MOST];
	bool can[MOST][MOST];
	int of_a[MOST], of_b[MOST];       /* pair, -1: none */
	uint32_t pair_a[MOST], pair_b[MOST];
	int pairs;
};

static double naive_gain(const struct naive *n, uint32_t x, uint32_t y)
{
	return n->s[x][y] * n->s[x][y] * (sqrt(n->a->list[x].share * n->b->list[y].share) + 0.001);
}

/* The largest sum of gains from these places on, of those that are open. */
static double naive_best(const struct naive *n, const bool *open_a, const bool *open_b, uint32_t x, uint32_t y)
{
	double best;

	if (x == n->a->count || y == n->b->count)
		return 0;
	if (!open_a[x])
		return naive_best(n, open_a, open_b, x + 1, y);
	if (!open_b[y])
		return naive_best(n, open_a, open_b, x, y + 1);
	best = fmax(naive_best(n, open_a, open_b, x + 1, y), naive_best(n, open_a, open_b, x, y + 1));
	if (n->can[x][y])
		best = fmax(best, naive_gain(n, x, y) + naive_best(n, open_a, open_b, x + 1, y + 1));
	return best;
}

static void naive_pair(struct naive *n, uint32_t x, uint32_t y)
{
	n->of_a[x] = n->of_b[y] = n->pairs;
	n->pair_a[n->pairs] = x;
	n->pair_b[n->pairs++] = y;
}

static void naive_in_order(struct naive *n, const bool *open_a, const bool *open_b)
{
	uint32_t x = 0, y = 0;

	while (x < n->a->count && y < n->b->count) {
		double best;

		if (!open_a[x]) {
			x++;
			continue;
		}
		if (!open_b[y]) {
			y++;
			continue;
		}
		best = naive_best(n, open_a, open_b, x, y) - 1e-9;
		if (n->can[x][y] && naive_gain(n, x, y) + naive_best(n, open_a, open_b, x + 1, y + 1) >= best) {
			naive_pair(n, x, y);
			x++;
			y++;
		} else if (naive_best(n, open_a, open_b, x + 1, y) >= best) {
			x++;
		} else {
			y++;
		}
	}
}

static void naive_left(struct naive *n, const bool *open_a, const bool *open_b)
{
	int pairs;

	for (;;) { /* out of order: again and again the most similar */
		double most = 0;
		uint32_t at = 0, to = 0;

		for (uint32_t x = 0; x < n->a->count; x++)
			for (uint32_t y = 0; y < n->b->count; y++)
				if (open_a[x] && open_b[y] && n->of_a[x] < 0 && n->of_b[y] < 0 && n->can[x][y] &&
				    n->s[x][y] > most + 1e-9) {
					most = n->s[x][y];
					at = x;
					to = y;
				}
		if (most <= 0)
			break;
		naive_pair(n, at, to);
	}
	pairs = n->pairs;
	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < (side ? n->b : n->a)->count; i++) {
			int *of = side ? &n->of_b[i] : &n->of_a[i];
			double most = 0;

			if (*of >= 0 || !(side ? open_b : open_a)[i])
				continue;
			for (int p = 0; p < pairs; p++) {
				uint32_t x = side ? n->pair_a[p] : i, y = side ? i : n->pair_b[p];

				if (n->can[x][y] && n->s[x][y] > most + 1e-9) {
					most = n->s[x][y];
					*of = p;
				}
			}
		}
}

static void naive_match(struct naive *n, const struct run_phases *a, const struct run_phases *b)
{
	bool equal = a->processes == b->processes, open_a[MOST], open_b[MOST];

	*n = (struct naive){.a = a, .b = b};
	for (uint32_t x = 0; x < MOST; x++)
		n->of_a[x] = n->of_b[x] = -1;
	for (uint32_t x = 0; x < a->count; x++)
		for (uint32_t y = 0; y < b->count; y++) {
			n->s[x][y] = naive_similarity(a, &a->list[x], b, &b->list[y]);
			n->can[x][y] = n->s[x][y] >= (equal ? 0.5 : 0.4) - 1e-9;
		}
	for (int round = equal; round < 2; round++) {
		for (uint32_t x = 0; x < a->count; x++)
			open_a[x] = n->of_a[x] < 0 && (round || a->list[x].relevant);
		for (uint32_t y = 0; y < b->count; y++)
			open_b[y] = n->of_b[y] < 0 && (round || b->list[y].relevant);
		naive_in_order(n, open_a, open_b);
		naive_left(n, open_a, open_b);
	}
}

/* Whether the groups are the naive pairs with what joined them. */
static bool agree(const struct naive *n, const struct phase_match *m)
{
	uint32_t seen = 0;

	for (uint32_t i = 0; i < m->count; i++) {
		const struct phase_group *g = &m->groups[i];
		int pair = g->a.count ? n->of_a[g->a.ids[0] - 1] : n->of_b[g->b.ids[0] - 1];

		for (uint32_t k = 0; k < g->a.count; k++)
			if (n->of_a[g->a.ids[k] - 1] != pair)
				return false;
		for (uint32_t k = 0; k < g->b.count; k++)
			if (n->of_b[g->b.ids[k] - 1] != pair)
				return false;
		if ((pair >= 0) != (g->a.count && g->b.count))
			return false;
		if (pair >= 0 && fabs(g->similarity - n->s[n->pair_a[pair]][n->pair_b[pair]]) > 1e-9)
			return false;
		seen += g->a.count + g->b.count;
	}
	return seen == n->a->count + n->b->count && (int)m->both == n->pairs;
}

static void against_naive(void)
{
	uint64_t state = 1;
	uint32_t groups = 0, joined = 0, alone = 0, wrong = 0;

	for (int round = 0; round < 3000 && !wrong; round++) {
		struct run_phases *a = run_random(&state, 3, MOST - 1), *b = run_random(&state, round % 2 ? 3 : 4, MOST - 1);
		struct phase_match *m = match(a, b);
		static struct naive n;

		naive_match(&n, a, b);
		if (!agree(&n, m)) {
			wrong++;
			diag("round %d: %s", round, groups_text(m, true));
		}
		groups += m->both;
		alone += m->only_a + m->only_b;
		for (uint32_t i = 0; i < m->both; i++)
			joined += m->groups[i].a.count + m->groups[i].b.count > 2;
		phase_match_free(m);
		run_phases_free(a);
		run_phases_free(b);
	}
	ok(!wrong, "3000 pairs of random runs: the groups are those of every alignment tried");
	ok(groups > 1000 && joined > 200 && alone > 200, "among them are pairs (%u), joined ones (%u) and lonely ones (%u)", groups, joined,
	   alone);
}

/* The same run with its ranks renamed, all sizes times `factor`, and ids that have gaps. */
static struct run_phases *renamed(const struct run_phases *r, const uint32_t *rank, uint32_t factor, uint32_t id_step)
{
	struct run_phases *out = run_new(r->processes, r->aet, r->mean_message * factor);

	for (uint32_t i = 0; i < r->count; i++) {
		const struct run_phase *p = &r->list[i];

		run_phase_add(out, p->weight, p->time, p->compute);
		out->list[i].id = p->id * id_step;
		for (uint32_t k = 0; k < p->row_count; k++) {
			run_row_add(out);
			for (uint32_t to = 0; to < r->processes; to++)
				for (uint32_t c = 0; c < p->rows[k].cell_count; c++) {
					const struct phase_cell *cell = &p->rows[k].cells[c];

					if (rank[cell->process] == to)
						run_cell_add(out, to, EVENT_SEND | (rank[EVENT_INDEX(cell->type) - 1] + 1), cell->size * factor);
				}
		}
	}
	run_finish(out);
	return out;
}

static void what_must_not_matter(void)
{
	static const uint32_t as_they_are[] = {0, 1, 2, 3}, other[] = {2, 0, 3, 1};
	uint64_t state = 7;
	uint32_t wrong = 0;

	for (int round = 0; round < 300; round++) {
		struct run_phases *a = run_random(&state, 4, 20), *b = run_random(&state, 4, 20), *x, *y;
		struct phase_match *m = match(a, b), *n;
		char before[10000];

		snprintf(before, sizeof before, "%s", groups_text(m, true));
		x = renamed(a, other, 1, 1);
		y = renamed(b, other, 1, 1);
		n = match(x, y);
		wrong += strcmp(before, groups_text(n, true)) != 0;
		phase_match_free(n);
		run_phases_free(x);
		run_phases_free(y);
		x = renamed(a, as_they_are, 2, 1);
		y = renamed(b, as_they_are, 2, 1);
		n = match(x, y);
		wrong += strcmp(before, groups_text(n, true)) != 0;
		phase_match_free(n);
		run_phases_free(y);
		run_phases_free(x);
		x = renamed(a, as_they_are, 1, 3);
		n = match(x, b);
		for (uint32_t i = 0; i < n->count && n->count == m->count; i++)
			for (uint32_t k = 0; k < n->groups[i].a.count; k++)
				wrong += n->groups[i].a.ids[k] != 3 * m->groups[i].a.ids[k];
		wrong += n->count != m->count;
		phase_match_free(n);
		run_phases_free(x);
		phase_match_free(m);
		run_phases_free(a);
		run_phases_free(b);
	}
	is_u64(wrong, 0, "renamed ranks, doubled sizes and other ids change no group of 300 pairs of runs");
}

static void with_itself(const char *path)
{
	struct run_phases *r = run_of_file(path, NULL);
	struct phase_match *m = match(r, r);
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < m->count; i++)
		wrong += m->groups[i].a.count != 1 || m->groups[i].b.count != 1 || m->groups[i].a.ids[0] != m->groups[i].b.ids[0] ||
			 m->groups[i].similarity < 1;
	ok(!wrong && m->count == r->count, "%s with itself: one to one, S = 1", path);
	phase_match_free(m);
	run_phases_free(r);
}

/* More phases than take part: the light ones are a sum, of equal ones those with the larger ids. */
static void the_heaviest(void)
{
	struct run_phases *r = run_new(2, 2000, 1);
	struct phase_match *m;

	for (uint32_t i = 0; i < 1003; i++) {
		run_phase_add(r, i == 500 ? 1 : 2, i == 1002 ? 1.5 : 1, 0.5);
		run_row_add(r);
		run_cell_add(r, 0, EVENT_SEND | 2, i);
	}
	run_finish(r);
	m = match(r, r);
	is_u64(m->count, PHASE_MATCH_MOST, "1003 phases: a thousand take part");
	is_u64(m->others_a.count, 3, "the others are three");
	is_u64(m->others_a.ids[0], 501, "the lightest");
	is_u64(m->others_a.ids[1], 1001, "and of equal ones those that come later");
	is_u64(m->others_a.ids[2], 1002, "both of them");
	is_double(m->others_b.total, 5, 0, "what they add up to");
	is_u64(m->others_b.weight, 5, "how often they occur");
	phase_match_free(m);
	run_phases_free(r);
}

static void kinds(void)
{
	is_int(kinds_alike("neighbours", "neighbours", true), KINDS_SAME, "halo and halo are of one kind");
	is_int(kinds_alike("neighbours", "sweep", true), KINDS_OTHER, "halo and sweep are not");
	is_int(kinds_alike("neighbours", "some neighbours", false), KINDS_OTHER, "nor is a kind whose word ends like that");
	is_int(kinds_alike("allreduce + neighbours", "neighbours + sweep", false), KINDS_SAME, "one in common is enough");
	is_int(kinds_alike("neighbours", NULL, true), KINDS_UNKNOWN, "of a phase without a name nothing is known");
	is_int(kinds_alike("pairs", "butterfly", false), KINDS_UNKNOWN, "a butterfly over two processes is a pair exchange");
	is_int(kinds_alike("pairs", "butterfly", true), KINDS_OTHER, "but not with equal numbers of processes");
}

static bool stop(void *arg)
{
	(void)arg;
	return true;
}

static void stops_when_asked(void)
{
	const struct progress progress = {.stopped = stop};
	struct run_phases *r = run_of_file("sample-traces/cg.S.4.clog2", NULL);
	struct phase_match *m;

	is_int(phase_match_new(&m, r, r, &progress, &err), ERR_CANCELLED, "it stops when asked");
	ok(!m, "and gives nothing then");
	run_phases_free(r);
}

int main(void)
{
	static const char *const traces[] = {"cg.S.4", "lu.S.4", "comms.6", "coll.6.m246", "anysrc.5", "one_rank.1", "nonblock.4", "thesis-smg.4"};

	roles_vectors();
	real_pairs();
	against_naive();
	what_must_not_matter();
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
		char path[100];

		snprintf(path, sizeof path, "sample-traces/%s.clog2", traces[i]);
		with_itself(path);
	}
	the_heaviest();
	stops_when_asked();
	kinds();
	return done_testing();
}

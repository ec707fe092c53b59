/* A phase table with content stands for its trace: what is matched and studied from the table must be what is matched
 * from the trace, to the last bit, or results would depend on which of the two a person has at hand. So the run's
 * phases that a table gives back are held against those of the analysis, for every sample trace and for techniques
 * whose occurrences share ticks; a table without content stays what it was; and content that cannot be is refused with
 * its place.
 */
#include <stdio.h>
#include <string.h>

#include "core/method/analysis/phase_content.h"
#include "core/documents/table.h"
#include "core/formats/api/load.h"
#include "gen.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static bool same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_rows(const struct run_phases *a, const struct content_row *x, const struct run_phases *b, const struct content_row *y,
		      const uint32_t *of_b)
{
	bool same = same_bits(x->active, y->active) && same_bits(x->bytes, y->bytes) && x->role_count == y->role_count &&
		    x->cell_count == y->cell_count && a->processes == b->processes;

	for (uint32_t i = 0; same && i < x->role_count; i++)
		same = x->roles[i].kind == y->roles[i].kind && !strcmp(x->roles[i].op, y->roles[i].op) &&
		       same_bits(x->roles[i].share, y->roles[i].share);
	for (uint32_t i = 0; same && i < x->cell_count; i++)
		same = x->cells[i].process == y->cells[i].process && x->cells[i].size == y->cells[i].size &&
		       x->cells[i].type == canonical_as(of_b, y->cells[i].type);
	return same;
}

static bool same_run(const struct run_phases *a, const struct run_phases *b)
{
	uint32_t of_b[1000];
	bool same = b && a->count == b->count && b->types.count <= 1000 && same_bits(a->aet, b->aet) &&
		    same_bits(a->outside, b->outside) && same_bits(a->mean_message, b->mean_message);

	if (same)
		canonical_joint(&a->types, &b->types, of_b);
	for (uint32_t i = 0; same && i < a->count; i++) {
		const struct run_phase *x = &a->list[i], *y = &b->list[i];

		same = x->id == y->id && x->weight == y->weight && same_bits(x->time, y->time) && same_bits(x->compute, y->compute) &&
		       same_bits(x->share, y->share) && x->relevant == y->relevant && x->row_count == y->row_count &&
		       x->label_count == y->label_count &&
		       (!x->label_count || !memcmp(x->labels, y->labels, x->label_count * sizeof *x->labels));
		for (uint32_t k = 0; same && k < x->row_count; k++)
			same = same_rows(a, &x->rows[k], b, &y->rows[k], of_b);
	}
	return same;
}

/* As text with content, read back and written again. */
static void stands_for(const char *path, enum similarity similarity, enum order order)
{
	struct trace_options options = {0};
	struct settings s;
	struct trace *t;
	struct analysis *a;
	struct run_phases *r;
	struct table table, again;
	char *plain, *text, *twice;
	size_t n, m, k;

	settings_init(&s);
	s.similarity = similarity;
	s.order = order;
	must(trace_load(&t, &path, 1, &options, NULL, &err));
	must(trace_hash(t, NULL, &err));
	must(analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	must(phase_content_new(&r, a, NULL, &err));
	must(table_from_analysis(&table, a, NULL, NULL, &err));
	must(table_write(&table, &plain, &n, &err));
	ok(!strstr(plain, "content") && !strstr(plain, "mean_message"), "%s: without content nothing of it is written", path);
	must(table_add_content(&table, a, NULL, &err));
	must(table_write(&table, &text, &m, &err));
	must(table_read(&again, path, text, m, &err));
	ok(same_run(r, again.content), "%s: the run that the table gives back is the trace's", path);
	must(table_write(&again, &twice, &k, &err));
	ok(m == k && !memcmp(text, twice, m) && m > n, "%s: read and written again, it is the same", path);
	table_release(&again);
	table_release(&table);
	mem_free(plain);
	mem_free(text);
	mem_free(twice);
	run_phases_free(r);
	analysis_unref(a);
	trace_free(t);
}

/* Two processes: each sends to the other, what takes 0.5 s after one send and 0.25 s after one receive, and then all
 * meet. The receive before the second process's first send is in no phase. */
static struct trace *exchange(void)
{
	struct gen *g = gen_new(2);

	for (int i = 0; i < 3; i++) {
		gen_send(g, 0, 1, 100);
		gen_spend(g, 0, 0.5);
		gen_receive(g, 1, 0, 100);
		gen_spend(g, 1, 0.25);
		gen_send(g, 1, 0, 300);
		gen_receive(g, 0, 1, 300);
		gen_relate(g, gen_collective(g, 0, "Bcast", 1, 8), gen_collective(g, 1, "Bcast", 1, 16));
	}
	return gen_trace(g);
}

static void is_row(const struct content_row *row, double active, double bytes, uint32_t cells, enum role_kind kind)
{
	is_double(row->active, active, 0, "by hand: active");
	is_double(row->bytes, bytes, 0, "by hand: bytes");
	is_u64(row->cell_count, cells, "by hand: cells");
	is_u64(row->role_count, 1, "by hand: one role");
	is_int(row->roles[0].kind, kind, "by hand: which");
	is_double(row->roles[0].share, 1, 0, "by hand: its share");
}

static void by_hand(void)
{
	struct settings s;
	struct analysis *a;
	struct run_phases *r;
	struct trace *t = exchange();
	const struct run_phase *p;
	struct out type;

	settings_init(&s);
	must(analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	must(phase_content_new(&r, a, NULL, &err));
	is_double(r->mean_message, 200, 0, "by hand: the mean message is that of all sends");
	is_u64(r->count, 1, "by hand: one phase");
	p = &r->list[0];
	is_u64(p->weight, 3, "by hand: three times");
	is_double(p->compute, 1. / 3, 1e-15, "by hand: compute time, without what is before the first send");
	is_double(r->outside, r->aet - 3 * p->time, 1e-15, "by hand: outside");
	is_u64(p->row_count, 3, "by hand: rows");
	is_row(&p->rows[0], 0.5, 100, 1, ROLE_UP);
	is_row(&p->rows[1], 0.5, 300, 1, ROLE_DOWN);
	is_row(&p->rows[2], 1, 12, 2, ROLE_ALL);
	is_str(p->rows[2].roles[0].op, "Bcast", "by hand: the operation");
	is_u64(p->rows[1].cells[0].process, 1, "by hand: who sends");
	out_init(&type);
	canonical_print(&r->types, p->rows[1].cells[0].type, TYPES_IN_FILES, &type);
	out_str(&type, ", ");
	canonical_print(&r->types, p->rows[2].cells[1].type, TYPES_IN_FILES, &type);
	is_str(type.text, "+1, CBcast 0,1 1", "by hand: types; no communicator before this one has collectives");
	out_release(&type);
	run_phases_free(r);
	analysis_unref(a);
	trace_free(t);
}

/* The k-th communicator with the same members is the k-th in order of number, whatever the numbers are. */
static void numbers_do_not_matter(void)
{
	struct trace *t[2];
	struct canonical c[2];
	uint32_t of_b[4];

	for (uint32_t i = 0; i < 2; i++) {
		struct gen *g = gen_new(1);

		gen_collective(g, 0, "Barrier", i ? 5 : 1, 0);
		gen_collective(g, 0, "Barrier", i ? 2 : 0, 0);
		gen_collective(g, 0, "Bcast", i ? 5 : 1, 0);
		t[i] = gen_trace(g);
		must(canonical_init(&c[i], t[i], &err));
	}
	is_u64(c[0].count, 3, "communicators: types");
	canonical_joint(&c[0], &c[1], of_b);
	for (uint32_t e = 0; e < 3; e++)
		is_u64(canonical_as(of_b, canonical_type(&c[1], t[1]->type[e])), canonical_type(&c[0], t[0]->type[e]),
		       "communicators: event %u has the same type", e);
	ok(canonical_type(&c[0], t[0]->type[0]) != canonical_type(&c[0], t[0]->type[1]), "communicators: two with the same members differ");
	for (uint32_t i = 0; i < 2; i++) {
		canonical_release(&c[i]);
		trace_free(t[i]);
	}
}

/* The text with the first `what` replaced. */
static char *with(const char *text, const char *what, const char *by)
{
	const char *at = strstr(text, what);
	char *changed = mem_alloc(strlen(text) + strlen(by) + 1, 1);

	if (!at || !changed)
		bail_out("no '%s' to be replaced", what);
	memcpy(changed, text, (size_t)(at - text));
	strcpy(changed + (at - text), by);
	strcat(changed, at + strlen(what));
	return changed;
}

static void refused(void)
{
	static const struct { const char *what, *by, *says; } cases[] = {
		{"[0, \"+2\", 100]", "[2, \"+2\", 100]", "phases[0].content[0].cells[0]"},
		{"[0, \"+2\", 100]", "[0, \"+3\", 100]", "phases[0].content[0].cells[0]"},
		{"[0, \"+2\", 100]", "[0, \"-2\", 100]", "phases[0].content[0].cells[0]"},
		{"[0, \"+2\", 100]", "[0, \"+2\", -1]", "phases[0].content[0].cells[0]"},
		{"[0, \"+2\", 100]", "[0, \"+2\"]", "phases[0].content[0].cells[0]"},
		{"[0, \"+2\", 100]", "[0, \"+2\", 100], [0, \"+2\", 100]", "phases[0].content[0].cells[1]"},
		{"CBcast 0,1 1\", 8]", "CBcast 1,0 1\", 8]", "phases[0].content[2].cells[0]"},
		{"CBcast 0,1 1\", 8]", "CBcast 0,2 1\", 8]", "phases[0].content[2].cells[0]"},
		{"CBcast 0,1 1\", 8]", "CBcast 0, 1\", 8]", "phases[0].content[2].cells[0]"},
		{"CBcast 0,1 1\", 8]", "CBcast 0,1 0\", 8]", "phases[0].content[2].cells[0]"},
		{"CBcast 0,1 1\", 8]", "C 0,1 1\", 8]", "phases[0].content[2].cells[0]"},
		{"CBcast 0,1 1\", 8]", "C\", 8]", "phases[0].content[2].cells[0]"},
		{"CBcast all", "CBcast some", "phases[0].content[2].roles has 'CBcast some'"},
		{"CBcast all\": 1", "CBcast all\": 1.5", "a number from 0 to 1"},
		{"active: 0.5", "active: 1.5", "phases[0].content[0].active"},
		{"bytes: 100", "bytes: -1", "phases[0].content[0].bytes"},
		{"  compute: 0.3", "  comptue: 0.3", "phases[0].compute"},
		{"mean_message: 200", "mean_message: 0", "trace.mean_message"},
	};
	struct settings s;
	struct analysis *a;
	struct table table, again;
	struct trace *t = exchange();
	char *text;
	size_t n;

	t->files = mem_zero(1, sizeof *t->files);
	t->file_count = 1;
	t->files[0].path = "exchange.clog2";
	strcpy(t->files[0].format, "CLOG-02.44");
	memset(t->files[0].sha256, 'a', 64);
	settings_init(&s);
	must(analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	must(table_from_analysis(&table, a, NULL, NULL, &err));
	must(table_add_content(&table, a, NULL, &err));
	must(table_write(&table, &text, &n, &err));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *changed = with(text, cases[i].what, cases[i].by);

		is_int(table_read(&again, "x", changed, strlen(changed), &err), ERR_FORMAT, "'%s' is refused", cases[i].by);
		if (!ok(strstr(err.text, cases[i].says), "'%s': the sentence says where", cases[i].by))
			diag("%s", err.text);
		table_release(&again);
		mem_free(changed);
	}
	mem_free(text);
	table_release(&table);
	analysis_unref(a);
	trace_free(t);
}

int main(void)
{
	static const char *const traces[] = {"cg.S.4", "lu.S.4", "comms.6", "coll.6.m246", "anysrc.5", "one_rank.1", "nonblock.4", "is.S.4"};

	by_hand();
	numbers_do_not_matter();
	refused();
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
		char path[100];

		snprintf(path, sizeof path, "sample-traces/%s.clog2", traces[i]);
		stands_for(path, SIMILARITY_PHASE, ORDER_PAS2P);
		if (i) /* of CG the blocks are many */
			stands_for(path, SIMILARITY_BBP, i & 1 ? ORDER_LAMPORT : ORDER_PAS2P);
	}
	return done_testing();
}

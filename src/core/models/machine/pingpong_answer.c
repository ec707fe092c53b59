#include "machine.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/marked_lines.h"

#define MARK "pas2p-pingpong "
#define VERSION 1

struct pingpong_reading {
	struct pingpong_answer *a;
	uint64_t lines;
	bool begun, ended, memory;
	uint32_t figures;     /* of the last machine */
};

enum pingpong_who { WHO_PAIR, WHO_SYNC, WHO_ALL };

static const struct {
	const char *name;
	enum pingpong_who who;
} ops[PINGPONG_OP_COUNT] = {
#define PINGPONG_OP(name, who) {#name, WHO_##who},
#include "core/models/fit/pingpong_ops.def"
};

const char *pingpong_op_name(enum pingpong_op op)
{
	return ops[op].name;
}

bool pingpong_op_is_pair(enum pingpong_op op)
{
	return ops[op].who == WHO_PAIR;
}

enum pingpong_op pingpong_op_find(const char *name, size_t n)
{
	int op = 0;

	while (op < PINGPONG_OP_COUNT && (strlen(ops[op].name) != n || memcmp(ops[op].name, name, n) != 0))
		op++;
	return (enum pingpong_op)op;
}

static bool is_op(const char *word, enum pingpong_op *op)
{
	*op = pingpong_op_find(word, strlen(word));
	return *op < PINGPONG_OP_COUNT;
}

/* A time: finite, not negative. */
static bool is_time(const char *word, double *to)
{
	return marked_real(word, to) && *to >= 0 && isfinite(*to);
}

/* Room for one more; NULL: there is none. */
static void *pingpong_make_room(struct pingpong_reading *r, void *array, size_t n, size_t *cap, size_t size)
{
	void *grown = mem_grow(array, n, cap, size);

	r->memory = grown != NULL;
	return grown;
}

static bool take_run(struct pingpong_reading *r, const struct marked_line *l)
{
	uint32_t version;

	if (r->begun || l->count != 6 || !marked_small(l->word[1], &version) || version != VERSION)
		return false;
	r->begun = true;
	text_safe(r->a->host, sizeof r->a->host, l->word[4], SIZE_MAX, TEXT_ASCII);
	text_safe(r->a->library, sizeof r->a->library, l->word[5], SIZE_MAX, TEXT_ASCII);
	for (char *c = r->a->library; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	return marked_small(l->word[2], &r->a->ranks) && marked_small(l->word[3], &r->a->nodes);
}

static bool take_cut(struct pingpong_reading *r, const struct marked_line *l)
{
	struct pingpong_cut *c = pingpong_make_room(r, r->a->cut, r->a->cuts, &r->a->cut_cap, sizeof *c);

	if (!c)
		return false;
	r->a->cut = c;
	c += r->a->cuts++;
	return l->count == 4 && is_op(l->word[1], &c->op) && marked_small(l->word[2], &c->p) &&
	       marked_whole(l->word[3], UINT64_MAX, &c->bytes);
}

static bool take_row(struct pingpong_reading *r, const struct marked_line *l)
{
	struct pingpong_row *x = pingpong_make_room(r, r->a->row, r->a->rows, &r->a->row_cap, sizeof *x);

	if (!x)
		return false;
	r->a->row = x;
	x += r->a->rows++;
	if (l->count != 6 || !is_op(l->word[1], &x->op))
		return false;
	x->inter = !strcmp(l->word[2], "inter");
	return (x->inter || !strcmp(l->word[2], "intra")) && marked_whole(l->word[3], UINT64_MAX, &x->bytes) &&
	       marked_small(l->word[4], &x->p) && is_time(l->word[5], &x->seconds);
}

static bool take_node(struct pingpong_reading *r, const struct marked_line *l)
{
	struct machine_measured *m;

	if (r->a->machines && r->figures != MACHINE_FIGURES)
		return false;
	m = pingpong_make_room(r, r->a->machine, r->a->machines, &r->a->machine_cap, sizeof *m);
	if (!m)
		return false;
	r->a->machine = m;
	m += r->a->machines++;
	*m = (struct machine_measured){0};
	r->figures = 0;
	if (l->count != 7 || !marked_small(l->word[2], &m->cores) || !marked_real(l->word[3], &m->shared) || !is_time(l->word[4], &m->buffer))
		return false;
	m->disturbed = !strcmp(l->word[5], "1");
	text_safe(m->host, sizeof m->host, l->word[6], SIZE_MAX, TEXT_ASCII);
	return m->cores > 0 && !(m->shared < 0) && !(m->shared > 1);
}

static bool take_figure(struct pingpong_reading *r, const struct marked_line *l)
{
	struct machine_range *f;

	if (!r->a->machines || r->figures == MACHINE_FIGURES || l->count != 4 ||
	    strcmp(l->word[1], machine_figure_name((enum machine_figure)r->figures)) != 0)
		return false;
	f = &r->a->machine[r->a->machines - 1].figure[r->figures++];
	return is_time(l->word[2], &f->low) && is_time(l->word[3], &f->high) && f->low <= f->high;
}

/* What a line is of. False: it is not as it should be, or there is no memory. */
static bool pingpong_take_line(struct pingpong_reading *r, const struct marked_line *l)
{
	uint64_t lines;

	if (!l->count || r->ended)
		return false;
	if (!strcmp(l->word[0], "end")) {
		r->ended = l->count == 2 && marked_whole(l->word[1], UINT64_MAX, &lines) && lines == r->lines;
		return r->ended;
	}
	r->lines++;
	if (!strcmp(l->word[0], "run"))
		return take_run(r, l);
	if (!r->begun)
		return false;
	if (!strcmp(l->word[0], "x"))
		return take_row(r, l);
	if (!strcmp(l->word[0], "op"))
		return take_figure(r, l);
	if (!strcmp(l->word[0], "node"))
		return take_node(r, l);
	if (!strcmp(l->word[0], "cut"))
		return take_cut(r, l);
	return !strcmp(l->word[0], "clock") && l->count == 2 && is_time(l->word[1], &r->a->resolution);
}

enum err_code pingpong_answer_read(struct pingpong_answer *a, char *text, size_t size, struct err *e)
{
	struct pingpong_reading r = {.a = a, .memory = true};
	struct marked_lines lines = {text, text + size, MARK};
	struct marked_line l;
	bool good = true;

	*a = (struct pingpong_answer){.resolution = NAN};
	while (good && marked_next(&lines, &l))
		good = pingpong_take_line(&r, &l);
	if (good && r.ended && r.begun && (!a->machines || r.figures == MACHINE_FIGURES))
		return ERR_OK;
	pingpong_answer_release(a);
	if (!r.memory)
		return err_memory(e, "the measurements");
	if (!r.lines)
		return err_set(e, ERR_FORMAT, "the processes measured nothing: is the launcher for another MPI?");
	return err_set(e, ERR_FORMAT, "the measurements arrived incompletely: %sline %" PRIu64 " of the answer%s",
		       good ? "the answer ends after " : "", r.lines, good ? "" : " is malformed");
}

void pingpong_answer_release(struct pingpong_answer *a)
{
	mem_free(a->row);
	mem_free(a->cut);
	mem_free(a->machine);
	*a = (struct pingpong_answer){.resolution = NAN};
}

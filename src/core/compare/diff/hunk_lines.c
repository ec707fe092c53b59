#include "hunk_lines.h"

#define A_MEETING 16384 /* lines; a row has two a process at most */

static void told_line_fill(struct told_line *to, const struct diff_align *x, const struct hunk_line *line)
{
	memset(to, 0, sizeof *to); /* what goes to others has no bytes that nobody wrote */
	to->there = true;
	to->mark = line->mark;
	to->process = line->process;
	for (int side = DIFF_A; side <= DIFF_B; side++)
		to->cell[side] = run_diff_cell(x->d, (enum diff_side)side, line->event[side]);
}

enum err_code hunk_lines_init(struct hunk_lines *l, const struct diff_align *x, struct err *e)
{
	uint32_t ranks;
	enum err_code code;

	*l = (struct hunk_lines){.align = x, .team = run_diff_team(x->d)};
	ranks = team_size(l->team);
	if (ranks == 1)
		return ERR_OK;
	l->rank = ranks;
	l->from = mem_zero(ranks, sizeof *l->from);
	l->take = mem_zero(ranks, sizeof *l->take);
	code = team_agree(l->team, l->from && l->take ? ERR_OK : err_memory(e, "the hunks"), e);
	if (code) {
		mem_free(l->from);
		mem_free(l->take);
	}
	return code;
}

/* ---- between ranks ---- */

/* The row that is to be told next; false: there is none. */
static bool has_row(struct hunk_lines *l)
{
	if (l->ahead_row < l->ahead.end)
		return true;
	if (!hunk_next(&l->ahead, l->align))
		return false;
	l->ahead_row = l->ahead.first;
	return true;
}

/* A row's own lines, behind how many there are. */
static void put_row(struct team_pack *pack, const struct diff_align *x, uint32_t row)
{
	const struct hunk h = {.first = row, .end = row + 1};
	uint32_t count = 0;
	size_t at = pack->n;

	team_put(pack, &count, sizeof count);
	for (struct hunk_line line = {0}; hunk_line_next(&line, &h, x); count++) {
		struct told_line told;

		told_line_fill(&told, x, &line);
		team_put(pack, &told, sizeof told);
	}
	if (!pack->failed)
		memcpy(pack->bytes + at, &count, sizeof count);
}

/* For as many rows as fit. */
static enum err_code hunk_rows_exchange(struct hunk_lines *l, struct err *e)
{
	uint32_t ranks = l->team->size, processes = l->align->d->process_count, most = A_MEETING / 2 / (processes ? processes : 1) + 1;
	struct team_pack pack = {0};
	enum err_code code;

	for (l->rows = 0; l->rows < most && has_row(l); l->rows++)
		put_row(&pack, l->align, l->ahead_row++);
	team_bytes_free(l->from, ranks);
	code = pack.failed ? err_memory(e, "the hunks") : ERR_OK;
	code = code ? team_agree(l->team, code, e) : team_gather(l->team, pack.bytes, pack.n, l->from, e);
	mem_free(pack.bytes);
	l->agreed = code != ERR_OK;
	for (uint32_t r = 0; r < ranks; r++)
		l->take[r] = (struct team_take){l->from[r].bytes, l->from[r].n};
	l->rank = ranks;
	l->lines = 0;
	return code;
}

/* To the next rank that has lines of the row, or the next row; false: of the hunk there is no more. */
static enum err_code hunk_lines_advance(struct hunk_lines *l, bool *there, struct err *e)
{
	enum err_code code = ERR_OK;

	while (!code && !l->lines && (l->rows_of_hunk || l->rank < l->team->size)) {
		if (l->rank < l->team->size) {
			team_take(&l->take[l->rank++], &l->lines, sizeof l->lines);
		} else {
			if (!l->rows)
				code = hunk_rows_exchange(l, e);
			l->rows--;
			l->rows_of_hunk--;
			l->rank = 0;
		}
	}
	*there = !code && l->lines;
	return code;
}

/* ---- */

void hunk_lines_of(struct hunk_lines *l, const struct hunk *h)
{
	l->hunk = h;
	l->line = (struct hunk_line){0};
	l->rows_of_hunk = h->end - h->first;
}

enum err_code hunk_lines_next(struct hunk_lines *l, struct told_line *line, struct err *e)
{
	enum err_code code;
	bool there;

	line->there = false;
	if (team_size(l->team) == 1) {
		if (hunk_line_next(&l->line, l->hunk, l->align))
			told_line_fill(line, l->align, &l->line);
		return ERR_OK;
	}
	code = hunk_lines_advance(l, &there, e);
	if (code || !there)
		return code;
	l->lines--;
	team_take(&l->take[l->rank - 1], line, sizeof *line);
	return ERR_OK;
}

enum err_code hunk_lines_end(struct hunk_lines *l, enum err_code code, struct err *e)
{
	while (team_rank(l->team) && !code && has_row(l))
		code = hunk_rows_exchange(l, e);
	if (!l->agreed)
		code = team_agree(l->team, code, e);
	if (l->from)
		team_bytes_free(l->from, team_size(l->team));
	mem_free(l->from);
	mem_free(l->take);
	return code;
}

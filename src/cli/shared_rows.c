#include "shared_rows.h"

#include "listing.h"

struct rows_sharing {
	const struct rows *rows;
	const struct shared_slices *slices;
	uint64_t next;  /* the slice to meet for */
	bool agreed;    /* the error that ends it is all ranks' */
};

/* The table goes through its rows twice (rows.h). */
static unsigned passes(enum format format)
{
	return format == FORMAT_TABLE ? 2 : 1;
}

static enum err_code shared_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct rows_sharing *s = arg;

	if (i == 0)
		s->next = 0;
	while (s->next == 0 || i >= s->slices->end(s->slices->arg, s->next - 1)) {
		enum err_code code = s->slices->meet(s->slices->arg, s->next++, e);

		s->agreed = code != ERR_OK;
		if (code)
			return code;
	}
	return s->rows->row(s->rows->arg, i, cells, keep, e);
}

enum err_code shared_rows_write(struct batch *b, const struct team *team, const struct rows *rows,
				const struct shared_slices *slices, struct err *e)
{
	struct rows_sharing s = {.rows = rows, .slices = slices};
	struct rows shared = *rows;
	enum err_code code = ERR_OK;

	if (team_size(team) == 1)
		return listing_write(b, rows, e);
	for (unsigned pass = 0; team_rank(team) && pass < passes(b->options->format); pass++)
		for (uint64_t slice = 0; !code && slice < slices->count; slice++)
			code = slices->meet(slices->arg, slice, e);
	if (team_rank(team))
		return code ? code : team_agree(team, ERR_OK, e);
	shared.row = shared_row;
	shared.arg = &s;
	code = listing_write(b, &shared, e);
	return s.agreed ? code : team_agree(team, code, e);
}

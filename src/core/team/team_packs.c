#include "team_pack.h"

enum err_code team_packs_init(struct team_packs *p, const struct team *team, enum err_code code, struct err *e)
{
	uint32_t ranks = team_size(team);

	*p = (struct team_packs){.team = team, .to = mem_zero(ranks, sizeof *p->to), .from = mem_zero(ranks, sizeof *p->from)};
	if (p->to && p->from)
		return code;
	mem_free(p->to);
	mem_free(p->from);
	p->to = NULL;
	p->from = NULL;
	return code ? code : err_memory(e, "data from other ranks");
}

static void empty(struct team_packs *p)
{
	for (uint32_t r = 0; r < team_size(p->team); r++) {
		mem_free(p->to[r].bytes);
		p->to[r] = (struct team_pack){0};
	}
}

enum err_code team_packs_exchange(struct team_packs *p, enum err_code code, const char *what, struct err *e)
{
	uint32_t ranks = team_size(p->team);
	struct team_bytes *to = mem_zero(ranks, sizeof *to);

	for (uint32_t r = 0; p->to && r < ranks; r++) {
		if (!code && (!to || p->to[r].failed))
			code = err_memory(e, what);
		if (to)
			to[r] = (struct team_bytes){p->to[r].bytes, p->to[r].n};
	}
	if (p->from)
		team_bytes_free(p->from, ranks);
	code = code ? team_agree(p->team, code, e) : team_exchange(p->team, to, p->from, e);
	mem_free(to);
	if (p->to)
		empty(p);
	return code;
}

void team_packs_release(struct team_packs *p)
{
	if (p->to)
		empty(p);
	if (p->from)
		team_bytes_free(p->from, team_size(p->team));
	mem_free(p->to);
	mem_free(p->from);
	*p = (struct team_packs){0};
}

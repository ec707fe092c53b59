#include "team.h"

#include <string.h>

#include "core/base/mem.h"

struct mail_words {
	uint32_t *list;
	size_t n, cap;
};

struct team_mail {
	const struct team *team;
	size_t state;          /* bytes */
	size_t front;          /* numbers at the front of all that a rank sends: how many all ranks are told by it, and its state */
	struct mail_words *to;      /* per rank */
	struct team_bytes *out, *in; /* per rank */
	uint32_t in_rank;      /* taken from next: of this rank, */
	size_t in_at;          /* from this number on */
	uint64_t sent;         /* since the last collective step */
	bool failed;
};

struct team_mail *team_mail_new(const struct team *team, size_t state)
{
	struct team_mail *m = mem_zero(1, sizeof *m);
	uint32_t ranks = team_size(team);

	if (!m)
		return NULL;
	m->team = team;
	m->state = state;
	m->front = (sizeof m->sent + state + sizeof(uint32_t) - 1) / sizeof(uint32_t);
	m->in_rank = ranks;
	m->to = mem_zero(ranks, sizeof *m->to);
	m->out = mem_zero(ranks, sizeof *m->out);
	m->in = mem_zero(ranks, sizeof *m->in);
	if (m->to && m->out && m->in)
		return m;
	team_mail_free(m);
	return NULL;
}

void team_mail_free(struct team_mail *m)
{
	uint32_t ranks;

	if (!m)
		return;
	ranks = team_size(m->team);
	for (uint32_t r = 0; m->to && r < ranks; r++)
		mem_free(m->to[r].list);
	if (m->in)
		team_bytes_free(m->in, ranks);
	mem_free(m->to);
	mem_free(m->out);
	mem_free(m->in);
	mem_free(m);
}

/* Room for n numbers more; NULL: none. */
static uint32_t *mail_room_for(struct team_mail *m, struct mail_words *w, size_t n)
{
	if (w->n + n > w->cap) {
		size_t cap = (w->n + n) * 2;
		uint32_t *more = mem_resize(w->list, cap, sizeof *more);

		if (!more) {
			m->failed = true;
			return NULL;
		}
		w->list = more;
		w->cap = cap;
	}
	w->n += n;
	return w->list + w->n - n;
}

void team_mail_put(struct team_mail *m, uint32_t rank, const uint32_t *list, size_t n)
{
	struct mail_words *w = &m->to[rank];
	uint32_t *at;

	if (!w->n && !mail_room_for(m, w, m->front))
		return;
	at = mail_room_for(m, w, n);
	if (!at)
		return;
	memcpy(at, list, n * sizeof *list);
	m->sent += n;
}

bool team_mail_failed(const struct team_mail *m)
{
	return m->failed;
}

bool team_mail_quiet(const struct team_mail *m)
{
	return !m->sent;
}

enum err_code team_mail_exchange(struct team_mail *m, const void *state, bool *still, struct err *e)
{
	enum err_code code = ERR_OK;
	uint64_t sent = 0;

	for (uint32_t r = 0; r < team_size(m->team); r++) {
		struct mail_words *w = &m->to[r];

		if (!w->n && !mail_room_for(m, w, m->front))
			break;
		memcpy(w->list, &m->sent, sizeof m->sent);
		memcpy(w->list + sizeof m->sent / sizeof *w->list, state, m->state);
		m->out[r] = (struct team_bytes){w->list, w->n * sizeof *w->list};
	}
	if (m->failed)
		return team_agree(m->team, err_memory(e, "data from other ranks"), e);
	team_bytes_free(m->in, team_size(m->team));
	code = team_exchange(m->team, m->out, m->in, e);
	if (code)
		return code;
	for (uint32_t r = 0; r < team_size(m->team); r++) {
		uint64_t its;

		memcpy(&its, m->in[r].bytes, sizeof its);
		sent += its;
		m->to[r].n = 0;
	}
	m->sent = 0;
	m->in_rank = 0;
	m->in_at = m->front;
	*still = !sent;
	return ERR_OK;
}

const void *team_mail_state(const struct team_mail *m, uint32_t rank)
{
	return (const uint8_t *)m->in[rank].bytes + sizeof m->sent;
}

const uint32_t *team_mail_rest(struct team_mail *m, uint32_t *rank, size_t *n)
{
	for (; m->in_rank < team_size(m->team); m->in_rank++, m->in_at = m->front) {
		size_t all = m->in[m->in_rank].n / sizeof(uint32_t);

		if (m->in_at < all) {
			*rank = m->in_rank;
			*n = all - m->in_at;
			return (const uint32_t *)m->in[m->in_rank].bytes + m->in_at;
		}
	}
	return NULL;
}

void team_mail_take(struct team_mail *m, size_t n)
{
	m->in_at += n;
}

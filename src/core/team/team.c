#include "team.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/base/text.h"
#include "team_pack.h"

#define PIECE 65536 /* numbers of other widths are reduced in pieces of this many */

static void team_count_exchange(const struct team *t)
{
	if (t->steps)
		++*t->steps;
}

static void team_count_sent(const struct team *t, uint64_t bytes)
{
	if (t->bytes_sent)
		*t->bytes_sent += bytes;
}

/* What came out of a collective step, as an error. */
static enum err_code outcome(const struct team *t, enum err_code held, enum err_code code, const char *text, uint32_t rank, struct err *e)
{
	if (held) {
		err_set(t->broken, held, "%s", text);
		return err_set(e, held, "%s", text);
	}
	if (!code)
		return ERR_OK;
	err_set(e, code, "%s", text);
	return code == ERR_CANCELLED || !rank ? code : err_prefix(e, "rank %u", rank);
}

/* Why there are no more collective steps. */
static enum err_code team_say_gone(const struct team *t, struct err *e)
{
	return err_set(e, t->broken->code, "%s", t->broken->text);
}

void team_stop(const struct team *t, int status)
{
	t->kind->stop(t->of, status);
}

enum err_code team_agree(const struct team *t, enum err_code code, struct err *e)
{
	char text[ERR_TEXT] = "";
	uint32_t rank = team_rank(t);
	enum err_code held;

	if (team_size(t) == 1)
		return code;
	if (team_broken(t))
		return team_say_gone(t, e);
	if (code && e)
		memcpy(text, e->text, sizeof text);
	team_count_exchange(t);
	held = t->kind->agree(t->of, &code, text, &rank);
	return outcome(t, held, code, text, rank, e);
}

void team_bytes_free(struct team_bytes *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		mem_free(list[i].bytes);
		list[i] = (struct team_bytes){NULL, 0};
	}
}

enum err_code team_exchange(const struct team *t, const struct team_bytes *to, struct team_bytes *from, struct err *e)
{
	enum err_code code = ERR_OK, held;
	char text[ERR_TEXT] = "";
	uint32_t rank = 0;

	memset(from, 0, team_size(t) * sizeof *from);
	if (team_size(t) == 1) {
		from[0] = (struct team_bytes){mem_alloc(to[0].n, 1), to[0].n};
		if (!from[0].bytes)
			return err_memory(e, "the data of a rank");
		if (to[0].n)
			memcpy(from[0].bytes, to[0].bytes, to[0].n);
		return ERR_OK;
	}
	if (team_broken(t))
		return team_say_gone(t, e);
	team_count_exchange(t);
	for (uint32_t r = 0; r < t->size; r++)
		team_count_sent(t, r == t->rank ? 0 : to[r].n);
	held = t->kind->exchange(t->of, to, from, &code, text, &rank);
	code = outcome(t, held, code, text, rank, e);
	if (code)
		team_bytes_free(from, t->size);
	return code;
}

enum err_code team_reduce(const struct team *t, uint64_t *list, size_t n, enum team_operation by, struct err *e)
{
	char text[ERR_TEXT] = "";
	enum err_code code;

	if (team_size(t) == 1)
		return ERR_OK;
	code = team_agree(t, ERR_OK, e);
	if (code)
		return code;
	team_count_exchange(t);
	team_count_sent(t, n * sizeof *list);
	return n ? outcome(t, t->kind->reduce(t->of, list, n, by, text), ERR_OK, text, 0, e) : ERR_OK;
}

enum err_code team_reduce_double(const struct team *t, double *list, size_t n, enum team_operation by, struct err *e)
{
	enum err_code code = ERR_OK;
	uint64_t *bits;

	if (team_size(t) == 1)
		return ERR_OK;
	bits = mem_alloc(n < PIECE ? n : PIECE, sizeof *bits);
	if (!bits)
		return team_agree(t, err_memory(e, "data from other ranks"), e);
	for (size_t at = 0; !code && at < n; at += PIECE) {
		size_t here = n - at < PIECE ? n - at : PIECE;

		for (size_t i = 0; i < here; i++)
			bits[i] = order_key(list[at + i]);
		code = team_reduce(t, bits, here, by, e);
		for (size_t i = 0; !code && i < here; i++)
			list[at + i] = order_key_number(bits[i]);
	}
	mem_free(bits);
	return code;
}

enum err_code team_reduce_u32(const struct team *t, uint32_t *list, size_t n, enum team_operation by, struct err *e)
{
	enum err_code code = ERR_OK;
	uint64_t *wide;

	if (team_size(t) == 1)
		return ERR_OK;
	wide = mem_alloc(n < PIECE ? n : PIECE, sizeof *wide);
	if (!wide)
		return team_agree(t, err_memory(e, "data from other ranks"), e);
	for (size_t at = 0; !code && at < n; at += PIECE) {
		size_t here = n - at < PIECE ? n - at : PIECE;

		for (size_t i = 0; i < here; i++)
			wide[i] = list[at + i];
		code = team_reduce(t, wide, here, by, e);
		for (size_t i = 0; !code && i < here; i++)
			list[at + i] = (uint32_t)wide[i];
	}
	mem_free(wide);
	return code;
}

enum err_code team_scan(const struct team *t, uint64_t n, uint64_t *before, uint64_t *total, struct err *e)
{
	uint32_t size = team_size(t);
	struct team_bytes *from = mem_zero(size, sizeof *from);
	enum err_code code;

	if (!from)
		return team_agree(t, err_memory(e, "data from other ranks"), e);
	code = team_gather_all(t, &n, sizeof n, from, e);
	*before = 0;
	if (total)
		*total = 0;
	for (uint32_t r = 0; !code && r < size; r++) {
		uint64_t its;

		memcpy(&its, from[r].bytes, sizeof its);
		*before += r < team_rank(t) ? its : 0;
		if (total)
			*total += its;
	}
	team_bytes_free(from, size);
	mem_free(from);
	return code;
}

/* The same bytes for some ranks: `only` 0 .. size-1, or all with the size. */
static enum err_code send_same(const struct team *t, const void *bytes, size_t n, uint32_t only, struct team_bytes *from, struct err *e)
{
	uint32_t size = team_size(t);
	struct team_bytes *to = mem_zero(size, sizeof *to);
	enum err_code code;
	union {
		const void *in;
		void *out;
	} same = {bytes}; /* an exchange only reads it */

	memset(from, 0, size * sizeof *from);
	if (!to)
		return team_agree(t, err_memory(e, "data from other ranks"), e);
	for (uint32_t r = 0; r < size; r++)
		if (only == size || r == only)
			to[r] = (struct team_bytes){same.out, n};
	code = team_exchange(t, to, from, e);
	mem_free(to);
	return code;
}

enum err_code team_gather(const struct team *t, const void *bytes, size_t n, struct team_bytes *from, struct err *e)
{
	return send_same(t, bytes, n, 0, from, e);
}

enum err_code team_collect(const struct team *t, enum err_code code, void *message, size_t n, struct team_bytes *from, bool (*take)(void *arg),
			   void *arg, const char *what, struct err *e)
{
	code = code ? team_agree(t, code, e) : team_gather(t, message, n, from, e);
	mem_free(message);
	if (code)
		return code;
	if (!team_rank(t) && !take(arg))
		code = err_memory(e, what);
	code = team_agree(t, code, e);
	team_bytes_free(from, team_size(t));
	return code;
}

enum err_code team_gather_all(const struct team *t, const void *bytes, size_t n, struct team_bytes *from, struct err *e)
{
	return send_same(t, bytes, n, team_size(t), from, e);
}

enum err_code team_broadcast_list(const struct team *t, void **list, size_t *count, size_t element, struct err *e)
{
	uint32_t size = team_size(t);
	struct team_bytes *from;
	enum err_code code;

	if (size == 1)
		return ERR_OK;
	from = mem_zero(size, sizeof *from);
	if (!from)
		return team_agree(t, err_memory(e, "data from other ranks"), e);
	code = send_same(t, *list, t->rank ? 0 : *count * element, size, from, e);
	if (!code && t->rank) {
		*list = from[0].bytes;
		*count = from[0].n / element;
		from[0].bytes = NULL;
	}
	team_bytes_free(from, size);
	mem_free(from);
	return code;
}

enum err_code team_broadcast(const struct team *t, void *bytes, size_t n, struct err *e)
{
	void *list = bytes;
	size_t count = n;
	enum err_code code = team_broadcast_list(t, &list, &count, 1, e);

	if (!code && list != bytes) {
		memcpy(bytes, list, n);
		mem_free(list);
	}
	return code;
}

#define SHOWN 120 /* bytes of a name or value in the sentence */

void team_fact(struct team_pack *facts, const char *name, const char *value)
{
	team_put(facts, name, strlen(name) + 1);
	team_put(facts, value ? "=" : "-", 1);
	team_put(facts, value ? value : "", value ? strlen(value) + 1 : 1);
}

struct fact {
	const char *name, *value; /* NULL: there is no further one; there is no value */
};

static const char *next_text(struct team_take *from)
{
	const char *text = (const char *)from->bytes, *end = from->n ? memchr(text, '\0', from->n) : NULL;

	if (!end)
		return NULL;
	from->bytes += end + 1 - text;
	from->n -= (size_t)(end + 1 - text);
	return text;
}

static struct fact next_fact(struct team_take *from)
{
	const char *name = next_text(from), *value = next_text(from);

	return (struct fact){value ? name : NULL, value && *value == '=' ? value + 1 : NULL};
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static const char *value_shown(const struct fact *fact, char text[SHOWN])
{
	if (!fact->name || !fact->value)
		return "not given";
	return *fact->value ? text_safe(text, SHOWN, fact->value, SIZE_MAX, TEXT_UTF8) : "empty";
}

static enum err_code facts_compare(struct team_take local, struct team_take first, const char *advice, struct err *e)
{
	char name[SHOWN], here[SHOWN], there[SHOWN];
	struct fact a = {0}, b = {0};

	do {
		a = next_fact(&local);
		b = next_fact(&first);
		if (!a.name && !b.name)
			return ERR_OK;
	} while (a.name && b.name && same_text(a.value, b.value));
	return err_set(e, ERR_USAGE, "%s is %s, but %s on rank 0: %s",
		       text_safe(name, sizeof name, a.name ? a.name : b.name, SIZE_MAX, TEXT_UTF8), value_shown(&a, here), value_shown(&b, there), advice);
}

enum err_code team_alike(const struct team *t, struct team_pack *facts, enum err_code code, const char *advice, struct err *e)
{
	void *first = facts->bytes;
	size_t n = facts->n;

	if (!code && facts->failed)
		code = err_memory(e, "the data that ranks compare");
	if (code || team_size(t) == 1)
		code = team_agree(t, code, e);
	else
		code = team_broadcast_list(t, &first, &n, 1, e);
	if (!code && team_size(t) > 1) {
		if (t->rank)
			code = facts_compare((struct team_take){facts->bytes, facts->n}, (struct team_take){first, n}, advice, e);
		code = team_agree(t, code, e);
	}
	if (first != facts->bytes)
		mem_free(first);
	mem_free(facts->bytes);
	*facts = (struct team_pack){0};
	return code;
}

#include "team_alike.h"

#include "core/base/text.h"

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

static enum err_code facts_compare(struct team_take own, struct team_take first, const char *advice, struct err *e)
{
	char name[SHOWN], here[SHOWN], there[SHOWN];
	struct fact a = {0}, b = {0};

	do {
		a = next_fact(&own);
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
		code = err_memory(e, "what ranks compare");
	if (code || team_size(t) == 1)
		code = team_agree(t, code, e);
	else
		code = team_tell_list(t, &first, &n, 1, e);
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

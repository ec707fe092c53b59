#include "not_analysed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/exact_sum.h"
#include "core/base/unit.h"

#define NO_FUNCTION UINT32_MAX

/* Functions by name: nodes are the same on all ranks, so these are too. */
struct functions {
	const char **name;
	uint32_t *of_node;       /* NO_FUNCTION: of none */
	uint32_t count;
};

static bool find_functions(struct functions *f, const struct call_log *log)
{
	f->name = mem_alloc(log->node_count, sizeof *f->name);
	f->of_node = mem_alloc(log->node_count, sizeof *f->of_node);
	for (uint32_t n = 0; f->name && f->of_node && n < log->node_count; n++) {
		uint32_t i = 0;

		f->of_node[n] = NO_FUNCTION;
		if (!(log->nodes[n].traits & (MPI_NOT_ANALYSED | MPI_COMPLETES)))
			continue;
		while (i < f->count && strcmp(f->name[i], log->nodes[n].name) != 0)
			i++;
		if (i == f->count)
			f->name[f->count++] = log->nodes[n].name;
		f->of_node[n] = i;
	}
	return f->name && f->of_node;
}

/* sums: two numbers a function, then how many calls there are. */
static bool functions_add_up(const struct functions *f, const struct waits *waits, const struct exact_unit *unit, uint64_t *sums)
{
	const struct call_log *log = waits->log;
	struct exact_sum *own = mem_zero(f->count, sizeof *own);

	for (uint32_t l = 0; own && l < log->list_count; l++)
		for (uint32_t c = log->lists[l].first; log->lists[l].account && c < log->lists[l].end; c++) {
			uint32_t function = f->of_node[log->calls[c].node];

			if (function == NO_FUNCTION || !call_is_not_analysed(log, c))
				continue;
			exact_add(unit, &own[function], not_analysed_in_call(log, c, waits->sync[c]));
			sums[2 * (size_t)f->count]++;
		}
	for (uint32_t i = 0; own && i < f->count; i++)
		exact_store(&own[i], sums + 2 * (size_t)i);
	mem_free(own);
	return own != NULL;
}

static void function_keep(struct not_analysed *n, const char *name, double seconds)
{
	uint32_t kept = n->functions < NOT_ANALYSED_NAMED ? n->functions : NOT_ANALYSED_NAMED, at = kept;

	n->functions++;
	while (at > 0 && (seconds > n->most[at - 1].seconds ||
			  (seconds >= n->most[at - 1].seconds && strcmp(name, n->most[at - 1].name) < 0)))
		at--;
	if (at == NOT_ANALYSED_NAMED)
		return;
	kept -= kept == NOT_ANALYSED_NAMED;
	memmove(&n->most[at + 1], &n->most[at], (kept - at) * sizeof *n->most);
	snprintf(n->most[at].name, sizeof n->most[at].name, "%s", name);
	n->most[at].seconds = seconds;
}

enum err_code not_analysed_find(struct not_analysed *n, const struct waits *waits, double most, struct err *e)
{
	const struct team *team = trace_team(waits->log->trace);
	const struct exact_unit unit = exact_unit(most, UINT32_MAX);
	struct functions f = {.count = 0};
	uint64_t *sums = NULL;
	bool room = find_functions(&f, waits->log);
	enum err_code code;

	*n = (struct not_analysed){0};
	if (room)
		sums = mem_zero(2 * (size_t)f.count + 1, sizeof *sums);
	room = sums && functions_add_up(&f, waits, &unit, sums);
	code = team_agree(team, room ? ERR_OK : err_memory(e, "the calls that are not analysed"), e);
	if (!code)
		code = team_reduce(team, sums + 2 * (size_t)f.count, 1, TEAM_SUM, e);
	if (!code && f.count)
		code = team_reduce(team, sums, 2 * (size_t)f.count, TEAM_SUM_128, e);
	for (uint32_t i = 0; !code && i < f.count; i++) {
		double seconds = exact_double(&unit, sums + 2 * (size_t)i);

		if (seconds > 0)
			function_keep(n, f.name[i], seconds);
	}
	if (!code)
		n->calls = sums[2 * (size_t)f.count];
	mem_free(sums);
	mem_free(f.name);
	mem_free(f.of_node);
	return code;
}

char *not_analysed_text(const struct not_analysed *n, double whole, char *text)
{
	char share[UNIT_TEXT];
	size_t at = 0;

	*text = 0;
	for (uint32_t i = 0; i < n->functions && i < NOT_ANALYSED_NAMED; i++)
		at += (size_t)snprintf(text + at, NOT_ANALYSED_TEXT - at, "%s%s %s", i ? ", " : "", n->most[i].name,
				       unit_percent(share, n->most[i].seconds / whole));
	if (n->functions > NOT_ANALYSED_NAMED)
		snprintf(text + at, NOT_ANALYSED_TEXT - at, " and %u more", (unsigned)(n->functions - NOT_ANALYSED_NAMED));
	return text;
}

/* Whatever happens to the bytes of a Paraver trace, reading it ends with a trace that holds together or with a
 * sentence: random traces with bytes changed, doubled, lines taken out, doubled or exchanged, and the end cut off.
 * Seeds are fixed, so a failure can be had again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "gen.h"
#include "gen_prv.h"
#include "tap.h"

#define ROUNDS CASES(3000)

static size_t line_at(const char *text, size_t n, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at < n ? at : 0;
}

static size_t line_end(const char *text, size_t n, size_t at)
{
	while (at < n && text[at] != '\n')
		at++;
	return at < n ? at + 1 : n;
}

/* One change; the text has room for twice its bytes. */
static size_t change(uint64_t *state, char *text, size_t n)
{
	static const char bytes[] = ":0123456789\n\r-#x(),\0";
	size_t at = gen_below(state, (uint32_t)n), begin = line_at(text, n, at), end = line_end(text, n, at);

	switch (gen_below(state, 6)) {
	case 0:
		text[at] = bytes[gen_below(state, sizeof bytes)];
		return n;
	case 1:
		memmove(text + at + 1, text + at, n - at);
		return n + 1;
	case 2:
		memmove(text + at, text + at + 1, n - at - 1);
		return n - 1;
	case 3:
		memmove(text + end + (end - begin), text + end, n - end);
		memmove(text + end, text + begin, end - begin);
		return n + (end - begin);
	case 4:
		memmove(text + begin, text + end, n - end);
		return n - (end - begin);
	default:
		return gen_below(state, 8) ? n : at;
	}
}

static bool holds_together(const struct trace *t)
{
	bool holds = t->send_count + t->receive_count + t->collective_count == t->event_count && t->end >= t->start;

	for (uint32_t i = 0; i < t->event_count; i++) {
		uint32_t m = t->match[i];

		holds = holds && isfinite(t->time[i]) && t->time[i] >= 0 && !isinf(t->compute[i]) && !(t->compute[i] < 0);
		holds = holds && trace_comm(t, i) < t->comm_count && (m == NO_EVENT || m < t->event_count);
		if (EVENT_KIND(t->type[i]) != EVENT_COLLECTIVE)
			holds = holds && (m == NO_EVENT ? !EVENT_INDEX(t->type[i]) : t->match[m] == i && trace_size(t, m) == trace_size(t, i));
	}
	return holds;
}

static bool survives(const char *bytes, size_t n, unsigned threads)
{
	struct trace_options o = {.threads = threads};
	struct source source;
	struct trace *t = NULL;
	struct err e = {0};
	enum err_code code;
	bool well;

	source_open_memory(&source, "t.prv", bytes, n, NULL);
	code = trace_load_sources(&t, &source, 1, &o, NULL, &e);
	well = code == ERR_OK || ((code == ERR_DAMAGED || code == ERR_FORMAT || code == ERR_LIMIT) && e.text[0]);
	well = well && (t ? holds_together(t) : code != ERR_OK);
	trace_free(t);
	source_release(&source);
	return well;
}

int main(void)
{
	int survived = 0, cut = 0;

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		uint64_t state = seed * 77;
		char *text = gen_prv(seed % 50 + 1, (unsigned)seed % 3), *bytes;
		size_t n = strlen(text);
		bool well;

		bytes = malloc(n * 40 + 1000);
		if (!bytes)
			abort();
		memcpy(bytes, text, n);
		for (uint32_t k = 1 + gen_below(&state, 5); k-- > 0 && n > 10;)
			n = change(&state, bytes, n);
		well = survives(bytes, n, 1 + seed % 2);
		if (!well)
			diag("seed %llu", (unsigned long long)seed);
		survived += well;
		free(bytes);
		free(text);
	}
	is_int(survived, ROUNDS, "%d changed traces are read or refused", ROUNDS);
	for (int k = 0; k < 200; k++) {
		char *text = gen_prv(7, 0);

		cut += survives(text, strlen(text) * (size_t)k / 200, 1);
		free(text);
	}
	is_int(cut, 200, "and so are those that end anywhere");
	return done_testing();
}

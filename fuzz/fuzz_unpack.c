/* Compressed files: whatever the bytes are, they read as the same bytes each time and come to an end that is told, or
 * are refused with a sentence; and what is inside is a trace, or refused. Input: the file.
 */
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/io/unpack.h"
#include "fuzz.h"

#define MOST ((uint64_t)4 << 20) /* bytes that are looked at */
#define TRACE ((uint64_t)64 << 10) /* so few are loaded */

static enum packing packing;

static void open_file(struct source *s, const uint8_t *bytes, size_t size)
{
	struct err e;

	must(!source_open_memory(s, "fuzz", bytes, size, &e) && !source_unpack(s, packing, &e), "a source can be opened");
}

/* To the end, by pieces; returns how many bytes there are. */
static uint64_t read_all(const struct source *s, size_t piece, uint8_t *all, enum err_code *code)
{
	uint64_t at = 0;
	size_t got = 1;
	struct err e;

	*code = ERR_OK;
	while (!*code && got && at < MOST) {
		*code = source_read(s, at, all + at, piece < MOST - at ? piece : (size_t)(MOST - at), &got, &e);
		at += got;
	}
	if (*code)
		must_be_sentence((int)*code, &e);
	return at;
}

static void load(const uint8_t *bytes, size_t size)
{
	struct trace_options options = {.threads = 2};
	struct trace *t;
	struct source s;
	struct err e;
	enum err_code code;

	open_file(&s, bytes, size);
	code = trace_load_sources(&t, &s, 1, &options, NULL, &e);
	if (code)
		must_be_sentence((int)code, &e);
	must(!code || code == ERR_DAMAGED || !t, "there is a trace or an error");
	trace_free(t);
	source_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint8_t *first = malloc(MOST), *second = malloc(MOST);
	enum err_code code, again;
	struct source s;
	uint64_t n, end;

	packing = packing_of(bytes, size);
	if (packing != PACKING_NONE && packing_built(packing) && first && second) {
		open_file(&s, bytes, size);
		n = read_all(&s, 65536, first, &code);
		must(code || n == MOST || source_size(&s) == n, "its size is what was read");
		must(code || n == MOST || source_end(&s, &end) != UNPACK_OPEN, "and how it ended is known");
		must(source_end(&s, &end) == UNPACK_OPEN || end <= size, "within the file");
		source_rest(&s);
		must(read_all(&s, 12345, second, &again) == n || code || again, "it is as long once more");
		must(code || again || !memcmp(first, second, n), "and the same");
		source_release(&s);
		if (!code && n < TRACE)
			load(bytes, size);
	}
	free(first);
	free(second);
	return 0;
}

#include "otf2_chunks.h"

#include <string.h>

#include "core/base/err.h"
#include "core/io/source.h"

#define HEADER 18
#define END 1 /* the last byte of a file */
#define LEAST_RECORD 2 /* its kind, and how many bytes follow */

static uint64_t number(const uint8_t *bytes, bool little)
{
	uint64_t n = 0;

	for (int i = 0; i < 8; i++)
		n = n << 8 | bytes[little ? 7 - i : i];
	return n;
}

/* *last: of the chunks before it, then of this one. */
static bool is_chunk(const uint8_t *head, size_t got, uint64_t *last)
{
	bool little = head[1] == 'B';
	uint64_t first, end;

	if (got < HEADER || head[0] != 3 || (!little && head[1] != '#'))
		return false;
	first = number(head + 2, little);
	end = number(head + 10, little);
	if (first != *last + 1 || end < *last)
		return !first && !end && !*last; /* nothing was ever written to the only one */
	*last = end;
	return true;
}

static bool ends(const struct source *source)
{
	uint8_t last = 0;
	size_t got;
	struct err e;

	return source->file_size && !source_read(source, source->file_size - 1, &last, 1, &got, &e) && last == END;
}

struct otf_chunks otf_chunks_of(const char *path, uint64_t chunk)
{
	struct otf_chunks chunks = {0};
	struct source source;
	struct err e;
	uint64_t last = 0;

	if (source_open_file(&source, path, &e)) {
		chunks.missing = true;
		return chunks;
	}
	chunks.bytes = source.file_size;
	chunks.empty = !source.file_size;
	for (uint64_t at = 0; chunk && at < source.file_size && !chunks.bad; at += chunk) {
		uint8_t head[HEADER] = {0};
		size_t got;

		if (source_read(&source, at, head, sizeof head, &got, &e) || !is_chunk(head, got, &last)) {
			chunks.bad = true;
			chunks.bad_at = at;
		}
	}
	chunks.cut = !ends(&source);
	chunks.records = chunk && last <= source.file_size / LEAST_RECORD ? last : source.file_size / LEAST_RECORD;
	source_release(&source);
	return chunks;
}

#include "otf2_int.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/io/source.h"

#define HEADER 18
#define MOST_FIELDS 256 /* bytes that the fields of a record take, except for those that repeat */
#define LEAST_RECORD 2 /* its kind, and how many bytes follow */

enum { BUFFER_ENDS = 1, FILE_ENDS = 2, CHUNK_BEGINS = 3, TIMESTAMP = 5, ATTRIBUTES = 6 };

static uint64_t chunk_read_number(const uint8_t *bytes, bool little)
{
	uint64_t n = 0;

	for (int i = 0; i < 8; i++)
		n = n << 8 | bytes[little ? 7 - i : i];
	return n;
}

/* *last: of the chunks before it, then of this one. */
static bool is_chunk(const uint8_t *head, size_t got, bool numbered, uint64_t *last)
{
	bool little = head[1] == 'B';
	uint64_t first, end;

	if (got < HEADER || head[0] != CHUNK_BEGINS || (!little && head[1] != '#'))
		return false;
	if (!numbered)
		return true;
	first = chunk_read_number(head + 2, little);
	end = chunk_read_number(head + 10, little);
	if (first != *last + 1 || end < *last)
		return !first && !end && !*last; /* nothing was ever written to the only one */
	*last = end;
	return true;
}

/* Of events, which are many, only those are looked into that could lead behind the chunk. */
static bool has_its_fields(const struct otf_layout *layout, const uint8_t *record, size_t length, size_t behind, bool events, bool little)
{
	return (events && !layout->lists && behind > MOST_FIELDS) || otf_layout_fits(layout, record, length, little);
}

/* The whole records of a chunk of n bytes. *broken: what follows them is none. */
static uint64_t count_records(const uint8_t *chunk, size_t n, enum otf_files files, bool *broken)
{
	bool little = chunk[1] == 'B', events = files == OTF_FILES_EVENTS;
	bool timed = false; /* a time is before it: one more would be a record of an unknown kind to the library */
	uint64_t records = 0;
	size_t at = HEADER;

	while (at < n && chunk[at] > FILE_ENDS) {
		const struct otf_layout *layout = otf_layout_of(files, chunk[at]);
		uint64_t length, skip = 2;

		if (events && chunk[at] == TIMESTAMP && !timed) {
			timed = true;
			at += 9;
			continue;
		}
		timed = false;
		length = at + 1 < n ? chunk[at + 1] : n;
		if (length == 255 && otf_layout_is_number(layout)) {
			length = 0; /* it is undefined */
		} else if (length == 255 && n - at >= 10) {
			length = chunk_read_number(chunk + at + 2, little);
			skip = 10;
		}
		if (n - at < skip || length > n - at - skip ||
		    !has_its_fields(layout, chunk + at + skip, (size_t)length, n - at, events, little)) {
			*broken = true;
			return records;
		}
		records += !(events && chunk[at] == ATTRIBUTES);
		at += skip + length;
	}
	*broken = at > n;
	return records;
}

static bool chunks_file_ends(const struct source *source)
{
	uint8_t last[2] = {0};
	size_t got;
	struct err e;

	return source->file_size > HEADER && !source_read(source, source->file_size - 2, last, 2, &got, &e) && last[0] == FILE_ENDS &&
	       last[1] == BUFFER_ENDS;
}

static void look_into(struct otf_chunks *chunks, const struct source *source, uint64_t chunk, enum otf_look look)
{
	uint64_t room = look == OTF_LOOK_HEADERS ? HEADER : chunk < source->file_size ? chunk : source->file_size, last = 0;
	uint8_t *bytes = mem_alloc(room < HEADER ? HEADER : room, 1);

	chunks->no_memory = !bytes;
	for (uint64_t at = 0; at < source->file_size && !chunks->broken && bytes; at += chunk) {
		struct err e;
		size_t got = 0;
		uint64_t before = last;

		chunks->broken = source_read(source, at, bytes, room, &got, &e) != ERR_OK ||
				 !is_chunk(bytes, got, look <= OTF_LOOK_EVENTS, &last);
		if (chunks->broken || look == OTF_LOOK_HEADERS)
			continue;
		chunks->records += count_records(bytes, got,
						 look == OTF_LOOK_EVENTS ? OTF_FILES_EVENTS : look == OTF_LOOK_LOCAL ? OTF_FILES_LOCAL : OTF_FILES_GLOBAL,
						 &chunks->broken);
		chunks->broken = chunks->broken || (look == OTF_LOOK_EVENTS && chunks->records - before != last - before);
	}
	chunks->cut = !chunks_file_ends(source);
	if (look == OTF_LOOK_HEADERS)
		chunks->records = last <= source->file_size / LEAST_RECORD ? last : source->file_size / LEAST_RECORD;
	mem_free(bytes);
}

struct otf_chunks otf_chunks_of(const char *path, uint64_t chunk, enum otf_look look)
{
	struct otf_chunks chunks = {0};
	struct source source;
	struct err e;
	enum err_code code = source_open_file(&source, path, &e);

	if (code) {
		chunks.missing = true;
		chunks.no_memory = code == ERR_MEMORY;
		return chunks;
	}
	chunks.bytes = source.file_size;
	if (chunk)
		look_into(&chunks, &source, chunk, look);
	source_release(&source);
	return chunks;
}

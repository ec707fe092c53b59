/* Opening: the preamble, and the parts of it that the blocks confirm or correct.
 *
 * Besides the 1024 bytes, three things are examined, each with a read of one or two blocks: the byte order (the first
 * record's type), the block size (the first block's end marker, and the record after it), and the log's end (the last
 * blocks: ENDLOG and its time).
 */
#include "clog2.h"

#include <string.h>

#include "clog2_int.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/formats/api/api.h"

#define NAME_SHOWN 160

struct clog2_opening {
	struct clog2_file *file;
	struct notes *notes;
	struct err *e;
	struct probe probe;
};

static const char *clog2_name_shown(const struct clog2_file *file, char buf[NAME_SHOWN])
{
	return text_safe(buf, NAME_SHOWN, file->source->name, SIZE_MAX, TEXT_UTF8);
}

#define odd_field(opening, ...) \
	notes_add((opening)->notes, NOTE_BAD_PREAMBLE, (struct note_place){(opening)->file->file_index, -1, -1, 0, -1}, __VA_ARGS__)

/* ---- preamble ---- */

static const char *value_shown(const char *s, char buf[40])
{
	return s ? text_safe(buf, 40, s, SIZE_MAX, TEXT_ASCII) : "nothing";
}

static int32_t get_count(struct clog2_opening *opening, const char *title, const char *value)
{
	uint64_t v = 0;
	char text[40];

	if (!value)
		return 0;
	if (preamble_number(value, INT32_MAX, &v) && v)
		return (int32_t)v;
	odd_field(opening, "%s is \"%s\": expected a positive number", title, value_shown(value, text));
	return 0;
}

static bool known_minor(int minor)
{
	return minor == 10 || minor == 20 || minor == 30 || (minor >= 40 && minor <= 44);
}

/* "CLOG-02.mm" and NUL. */
static bool get_version(struct clog2_file *file, const uint8_t *bytes, size_t n)
{
	if (n < 11 || memcmp(bytes, "CLOG-02.", 8) || bytes[8] < '0' || bytes[8] > '9' || bytes[9] < '0' ||
	    bytes[9] > '9' || bytes[10])
		return false;
	memcpy(file->version, bytes, 11);
	file->minor = (bytes[8] - '0') * 10 + bytes[9] - '0';
	file->header_size = file->minor >= 30 ? 24 : 16;
	return known_minor(file->minor);
}

bool clog2_recognise(const uint8_t *bytes, size_t n, const char *name)
{
	struct clog2_file file;

	(void)name;
	return get_version(&file, bytes, n);
}

uint32_t clog2_processes(const uint8_t *bytes, size_t n)
{
	struct preamble preamble;
	uint64_t v;

	if (n < CLOG2_PREAMBLE)
		return 0;
	preamble_split(&preamble, (const char *)bytes);
	return preamble_number(preamble.world_size, INT32_MAX, &v) ? (uint32_t)v : 0;
}

/* ---- byte order ---- */

/* Of the first record, a valid type in one byte order is an impossible one in the other (0 aside). */
static enum err_code get_byte_order(struct clog2_opening *opening, const struct preamble *preamble)
{
	struct clog2_file *file = opening->file;
	bool stated = preamble_bool(preamble->big_endian, &file->big_endian);
	char name[NAME_SHOWN], value[40];
	uint8_t head[24];
	uint32_t big, little;
	size_t got;
	enum err_code code = source_read(file->source, CLOG2_PREAMBLE, head, file->header_size, &got, opening->e);

	if (code)
		return code;
	if (got < file->header_size)
		return err_set(opening->e, ERR_DAMAGED,
			       "%s has a %s preamble but no records, because the run stopped before its log was merged", clog2_name_shown(file, name), file->version);
	big = (uint32_t)clog2_i32(true, head + (file->header_size == 24 ? 20 : 8));
	little = __builtin_bswap32(big);
	if (big && (big < CLOG2_TYPES) != (little < CLOG2_TYPES)) {
		bool is_big = big < CLOG2_TYPES;

		if (!stated || is_big != file->big_endian)
			odd_field(opening, "is_big_endian= is \"%s\", but the records are %s-endian",
				  value_shown(preamble->big_endian, value), is_big ? "big" : "little");
		file->big_endian = is_big;
	} else if (!stated) {
		return err_set(opening->e, ERR_DAMAGED,
			       "%s: is_big_endian= in the preamble is \"%s\", and the first record does not show the "
			       "byte order either", clog2_name_shown(file, name),
			       value_shown(preamble->big_endian, value));
	}
	return ERR_OK;
}

/* Offset of the table as the preamble's three numbers say it; 0: none. */
static uint64_t get_table(struct clog2_opening *opening, const struct preamble *preamble)
{
	uint64_t q, unit, r;

	if (opening->file->minor < 42 || !preamble->table[0])
		return 0; /* an offset of 0 says the same: not closed, or a crash while merging */
	if (!preamble_number(preamble->table[0], UINT32_MAX, &q) ||
	    !preamble_number(preamble->table[1], UINT32_MAX, &unit) ||
	    !preamble_number(preamble->table[2], INT64_MAX, &r) || q * unit > INT64_MAX - r) {
		odd_field(opening, "commtable_fptr= is not an offset; pas2p did not use the communicator table");
		return 0;
	}
	return q * unit + r;
}

/* ---- block size ---- */

static enum err_code get_block_size(struct clog2_opening *opening, const struct preamble *preamble)
{
	struct clog2_file *file = opening->file;
	char name[NAME_SHOWN], value[40];
	uint64_t stated = 0;
	enum err_code code;

	if (!preamble_number(preamble->block_size, UINT32_MAX, &stated))
		stated = 0;
	code = probe_block_size(&opening->probe, stated, &file->block_size);
	if (code)
		return code;
	if (!file->block_size)
		return err_set(opening->e, ERR_DAMAGED,
			       "%s: block_size= in the preamble is \"%s\": expected %u to %u, and the blocks do not "
			       "show their size", clog2_name_shown(file, name),
			       value_shown(preamble->block_size, value), PROBE_MIN_BLOCK, PROBE_MAX_BLOCK);
	if (file->block_size != stated)
		odd_field(opening, "block_size= is \"%s\", but the blocks have %u bytes",
			  value_shown(preamble->block_size, value), file->block_size);
	return ERR_OK;
}

/* ---- end of log, communicator table ---- */

/* The first of the candidates for the number of blocks whose last one ends the log, of a merged file or of any. */
static bool last_block(struct clog2_opening *opening, const uint64_t *candidates, uint64_t n, bool merged)
{
	for (uint64_t i = 0; i < n; i++)
		if (probe_ends_log(&opening->probe, candidates[i] - 1) &&
		    (!merged || opening->probe.block.end_time == PROBE_END_TIME)) {
			opening->file->block_count = candidates[i];
			return true;
		}
	return false;
}

/* is_finalzed= against the end of the log, which is at 1e8 in a merged file alone, and the records. */
static bool check_flag(struct clog2_opening *opening, bool ended, const uint64_t *candidates, uint64_t n)
{
	struct clog2_file *file = opening->file;
	bool stated = file->finalized;

	if (!stated && ended && opening->probe.block.end_time == PROBE_END_TIME) {
		file->finalized = probe_merged(&opening->probe, true);
	} else if (stated && !ended) {
		file->finalized = false;
		ended = last_block(opening, candidates, n, false) && !probe_merged(&opening->probe, true);
		file->finalized = !ended;
	}
	if (file->finalized != stated)
		odd_field(opening, "is_finalzed= is \"%s\", but the records are those of %s",
			  stated ? "TRUE " : "FALSE", file->finalized ? "a merged file" : "the local file of one rank");
	return ended;
}

/* Find the last block, and with it whether the file is finalized. */
static bool find_end(struct clog2_opening *opening, const struct preamble *preamble)
{
	struct clog2_file *file = opening->file;
	uint64_t size = source_size(file->source), end = size - file->source->hole;
	uint64_t rest = end > CLOG2_PREAMBLE ? end - CLOG2_PREAMBLE : 1;
	uint64_t whole = rest / file->block_size;
	bool stated = file->minor >= 43 && preamble_bool(preamble->finalized, &file->finalized), ended;
	uint64_t candidates[4], n = 0;
	char value[40];

	file->block_count = whole + (rest % file->block_size ? 1 : 0);
	if (file->commtable)
		candidates[n++] = (file->commtable - CLOG2_PREAMBLE) / file->block_size;
	for (uint64_t k = file->block_count; k > 0 && n < 4; k--)
		candidates[n++] = k;
	/* A table that is misplaced can look like the end of a local log. */
	ended = last_block(opening, candidates, n, true) ||
		(!(stated && file->finalized) && last_block(opening, candidates, n, false));
	if (stated)
		ended = check_flag(opening, ended, candidates, n);
	if (!stated) {
		if (file->minor >= 43)
			odd_field(opening, "is_finalzed= is \"%s\": expected \"TRUE \" or \"FALSE\"",
				  value_shown(preamble->finalized, value));
		/* Half a header before zeros looks like an end of log of its own time, as local files have it. */
		file->finalized = ended && opening->probe.block.end_time == PROBE_END_TIME;
		if (!file->finalized && probe_merged(&opening->probe, !ended && file->big_endian)) {
			file->finalized = true;
			ended = false;
		}
	}
	if (!ended && end < size)
		notes_add(opening->notes, NOTE_TRUNCATED,
			  (struct note_place){file->file_index, -1, -1, (int64_t)end, -1},
			  "the file is empty from byte %llu to its end at byte %llu: nothing was ever written there",
			  (unsigned long long)end, (unsigned long long)size);
	if (ended && file->block_count > whole && end == size)
		notes_add(opening->notes, NOTE_CUT_TAIL,
			  (struct note_place){file->file_index, -1, (int64_t)file->block_count - 1, (int64_t)size, -1},
			  "the last block is cut after the end-of-log record");
	else if (ended && file->minor < 42 && file->finalized &&
		 file->block_count < whole + (rest % file->block_size ? 1 : 0))
		odd_field(opening, "%llu bytes follow the last block",
			  (unsigned long long)(size - CLOG2_PREAMBLE - file->block_count * file->block_size));
	return ended;
}

/* A table that is whole also tells how many blocks there are, where no ENDLOG did. */
static void check_table(struct clog2_opening *opening, bool ended)
{
	struct clog2_file *file = opening->file;
	struct clog2_commentry *list;
	struct err why;
	uint32_t count;
	uint64_t blocks;

	if (!file->commtable)
		return;
	if (clog2_commtable(file, &list, &count, &why)) {
		odd_field(opening, "%s; pas2p did not use it", why.text);
		file->commtable = 0;
		return;
	}
	mem_free(list);
	blocks = (file->commtable - CLOG2_PREAMBLE) / file->block_size;
	if (ended && file->block_count != blocks) {
		odd_field(opening,
			  "commtable_fptr= points to the end of block %llu, but the log ends in block %llu; pas2p did "
			  	"not use it",
			  (unsigned long long)blocks - 1, (unsigned long long)file->block_count - 1);
		file->commtable = 0;
	} else if (count && !ended && file->block_count > blocks) {
		file->block_count = blocks;
	}
}

/* The table must start where a block ends, inside the file. */
static void check_table_place(struct clog2_opening *opening)
{
	struct clog2_file *file = opening->file;
	unsigned long long at = file->commtable, size = source_size(file->source);

	if (!at)
		return;
	if (at > CLOG2_PREAMBLE && (at - CLOG2_PREAMBLE) % file->block_size == 0 && at + 4 <= size)
		return;
	if (at > CLOG2_PREAMBLE && (at - CLOG2_PREAMBLE) % file->block_size == 0)
		notes_add(opening->notes, NOTE_CUT_TAIL,
			  (struct note_place){file->file_index, -1, -1, (int64_t)size, -1},
			  "the communicator table should be at byte %llu, but the file ends at byte %llu", at, size);
	else
		odd_field(opening, "commtable_fptr= points to byte %llu, which is not the end of a block; pas2p did "
			  "not use it",
			  at);
	file->commtable = 0;
}

static enum err_code open_preamble(struct clog2_opening *opening, const uint8_t bytes[CLOG2_PREAMBLE])
{
	struct clog2_file *file = opening->file;
	struct preamble preamble;
	char title[40], value[40];
	enum err_code code;

	preamble_split(&preamble, (const char *)bytes);
	if (preamble.cut)
		odd_field(opening, "the last string of the preamble has no end");
	code = get_byte_order(opening, &preamble);
	file->commtable = get_table(opening, &preamble);
	if (!code)
		code = get_block_size(opening, &preamble);
	if (code)
		return code;
	file->world_size = get_count(opening, "comm_world_size=", preamble.world_size);
	file->max_threads = get_count(opening, "max_thread_count=", preamble.threads);
	if (preamble.negative)
		odd_field(opening, "%s is \"%s\": expected a count", value_shown(preamble.negative, title),
			  value_shown(preamble.negative + strlen(preamble.negative) + 1, value));
	check_table_place(opening);
	file->ended = find_end(opening, &preamble);
	if (!file->commtable && file->ended && file->finalized && preamble.table[0] &&
	    !strcmp(preamble.table[0], "0") && preamble.table[2] && !strcmp(preamble.table[2], "0"))
		odd_field(opening,
			  "commtable_fptr= announces no communicator table, although the log is complete");
	check_table(opening, file->ended);
	return ERR_OK;
}

bool clog2_guess(struct clog2_file *file, const struct source *source)
{
	struct err unwanted;
	struct notes notes;
	struct clog2_opening opening = {.file = file, .notes = &notes, .e = &unwanted};
	uint8_t bytes[CLOG2_PREAMBLE] = {0};
	struct preamble preamble;
	uint64_t block_size;
	size_t got;

	*file = (struct clog2_file){.source = source};
	if (source_read(source, 0, bytes, sizeof bytes, &got, NULL) || got < sizeof bytes || !get_version(file, bytes, got))
		return false;
	preamble_split(&preamble, (const char *)bytes);
	if (!preamble_bool(preamble.big_endian, &file->big_endian) || !preamble_number(preamble.block_size, UINT32_MAX, &block_size) ||
	    block_size < PROBE_MIN_BLOCK || block_size > PROBE_MAX_BLOCK)
		return false;
	notes_init(&notes);
	file->commtable = get_table(&opening, &preamble);
	notes_release(&notes);
	file->block_size = (uint32_t)block_size;
	file->block_count = file->commtable > CLOG2_PREAMBLE ? (file->commtable - CLOG2_PREAMBLE) / block_size : UINT64_MAX;
	file->ended = true;
	if (file->minor < 43 || !preamble_bool(preamble.finalized, &file->finalized))
		file->finalized = file->minor < 42 || file->commtable;
	return file->block_count > 0;
}

enum err_code clog2_open(struct clog2_file *file, const struct source *source, struct notes *notes, struct err *e)
{
	struct err unwanted = {0};
	struct clog2_opening opening = {.file = file, .notes = notes, .e = e ? e : &unwanted};
	uint8_t bytes[CLOG2_PREAMBLE] = {0};
	char name[NAME_SHOWN];
	enum err_code code;
	uint64_t size;
	size_t got;

	*file = (struct clog2_file){.source = source};
	code = source_read(source, 0, bytes, sizeof bytes, &got, opening.e);
	if (code)
		return code;
	if (!get_version(file, bytes, got))
		return foreign_refuse(source, opening.e);
	code = source_find_size(source, &size, NULL, opening.e);
	if (code)
		return code;
	if (got < sizeof bytes)
		return err_set(e, ERR_DAMAGED, "%s is a %s trace that ends inside its preamble: expected 1024 bytes, "
			       "found %llu",
			       clog2_name_shown(file, name), file->version, (unsigned long long)got);
	opening.probe = (struct probe){.file = file, .e = opening.e};
	clog2_block_init(&opening.probe.block);
	code = open_preamble(&opening, bytes);
	clog2_block_release(&opening.probe.block);
	return code;
}

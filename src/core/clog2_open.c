/* Opening: the preamble, and what of it the blocks themselves confirm or correct.
 *
 * Three things are looked at besides the 1024 bytes, each with a read of one or two blocks: the byte order
 * (the first record's type), the block size (the first block's end marker, and the record behind it), and
 * the log's end (the last blocks: ENDLOG, and at what time).
 */
#include "clog2.h"

#include <string.h>

#include "clog2_foreign.h"
#include "mem.h"
#include "text.h"

#define MIN_BLOCK 48u
#define MAX_BLOCK (1u << 30)
#define END_TIME 1.0e8
#define NAME_SHOWN 160
/* A block is closed when the next record (at most 136 bytes) and ENDBLOCK no longer fit; local files keep
 * 32 bytes more. So its size is at most this much beyond its ENDBLOCK's start. */
#define FILL_SLACK (136 + 24 + 32)

/* What the preamble says, before any of it is believed. */
struct preamble {
	const char *big_endian, *finalized, *block_size, *world_size, *threads; /* NULL: not there */
	const char *table[3];
	bool cut; /* a string runs off its end */
};

/* How much of a file is searched for the first block's end where the stated size is false. */
#define SEARCHED (4u << 20)

struct opening {
	struct clog2_file *f;
	struct notes *notes;
	struct err *e;
	struct clog2_block block; /* for looking at single blocks */
};

static const char *shown(const struct clog2_file *f, char buf[NAME_SHOWN])
{
	return text_safe(buf, NAME_SHOWN, f->source->name, SIZE_MAX, TEXT_UTF8);
}

#define odd_field(o, ...) \
	notes_add((o)->notes, NOTE_BAD_PREAMBLE, (struct note_place){(o)->f->file_index, -1, -1, 0, -1}, __VA_ARGS__)

/* ---- preamble ---- */

/* The NUL-terminated string at *at, which moves behind it; NULL if it is not terminated in the preamble. */
static const char *next_string(const char bytes[CLOG2_PREAMBLE], size_t *at)
{
	size_t len = strnlen(bytes + *at, CLOG2_PREAMBLE - *at);
	const char *s = bytes + *at;

	if (*at + len >= CLOG2_PREAMBLE)
		return NULL;
	*at += len + 1;
	return s;
}

static void split_preamble(const char bytes[CLOG2_PREAMBLE], struct preamble *p)
{
	size_t at = 0;

	memset(p, 0, sizeof *p);
	next_string(bytes, &at);
	for (;;) {
		const char *title = next_string(bytes, &at), *value;

		/* Zeros behind the last pair; in the first 02.10 builds, junk. */
		if (!title || !*title || title[strlen(title) - 1] != '=')
			return;
		value = next_string(bytes, &at);
		if (!value) {
			p->cut = true;
			return;
		}
		if (!strcmp(title, "is_big_endian="))
			p->big_endian = value;
		else if (!strcmp(title, "is_finalzed=")) /* as MPE writes it */
			p->finalized = value;
		else if (!strcmp(title, "block_size="))
			p->block_size = value;
		else if (!strcmp(title, "comm_world_size=") || !strcmp(title, "max_comm_world_size="))
			p->world_size = value;
		else if (!strcmp(title, "max_thread_count="))
			p->threads = value;
		else if (!strcmp(title, "commtable_fptr=")) {
			p->table[0] = value;
			p->table[1] = next_string(bytes, &at);
			p->table[2] = p->table[1] ? next_string(bytes, &at) : NULL;
			p->cut = !p->table[2];
			if (p->cut)
				return;
		}
	}
}

/* Decimal digits only, up to max. */
static bool get_number(const char *s, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (!s || !*s)
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || v > (UINT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (uint64_t)(*s - '0');
	}
	*out = v;
	return v <= max;
}

static bool get_bool(const char *s, bool *out)
{
	if (!s || (strcmp(s, "TRUE ") && strcmp(s, "FALSE")))
		return false;
	*out = *s == 'T';
	return true;
}

static const char *value_shown(const char *s, char buf[40])
{
	return s ? text_safe(buf, 40, s, SIZE_MAX, TEXT_ASCII) : "nothing";
}

static int32_t get_count(struct opening *o, const char *title, const char *value)
{
	uint64_t v = 0;
	char text[40];

	if (!value)
		return 0;
	if (get_number(value, INT32_MAX, &v) && v)
		return (int32_t)v;
	odd_field(o, "%s says \"%s\", not a positive number", title, value_shown(value, text));
	return 0;
}

static bool known_minor(int minor)
{
	return minor == 10 || minor == 20 || minor == 30 || (minor >= 40 && minor <= 44);
}

/* "CLOG-02.mm" and NUL. */
static bool get_version(struct clog2_file *f, const uint8_t *bytes, size_t n)
{
	if (n < 11 || memcmp(bytes, "CLOG-02.", 8) || bytes[8] < '0' || bytes[8] > '9' || bytes[9] < '0' ||
	    bytes[9] > '9' || bytes[10])
		return false;
	memcpy(f->version, bytes, 11);
	f->minor = (bytes[8] - '0') * 10 + bytes[9] - '0';
	f->header_size = f->minor >= 30 ? 24 : 16;
	return known_minor(f->minor);
}

static enum err_code refuse(struct opening *o, const uint8_t *bytes, size_t n)
{
	char name[NAME_SHOWN], kind[200];

	return err_set(o->e, ERR_FORMAT, "%s is %s", shown(o->f, name),
		       foreign_kind(bytes, n, o->f->source->name, kind, sizeof kind));
}

/* ---- byte order ---- */

/* Of the first record, a valid type in one byte order is an impossible one in the other (0 aside). */
static enum err_code get_byte_order(struct opening *o, const struct preamble *p)
{
	struct clog2_file *f = o->f;
	bool stated = get_bool(p->big_endian, &f->big_endian);
	char name[NAME_SHOWN], value[40];
	uint8_t head[24];
	uint32_t big, little;
	size_t got;
	enum err_code code = source_read(f->source, CLOG2_PREAMBLE, head, f->header_size, &got, o->e);

	if (code)
		return code;
	if (got < f->header_size)
		return err_set(o->e, ERR_DAMAGED,
			       "%s is a %s preamble with no record behind it: the run that wrote it stopped before "
			       "its log was merged", shown(f, name), f->version);
	big = (uint32_t)clog2_i32(true, head + (f->header_size == 24 ? 20 : 8));
	little = __builtin_bswap32(big);
	if (big && (big < CLOG2_TYPES) != (little < CLOG2_TYPES)) {
		bool is_big = big < CLOG2_TYPES;

		if (!stated || is_big != f->big_endian)
			odd_field(o, "is_big_endian= says \"%s\" but the records are %s-endian; read as such",
				  value_shown(p->big_endian, value), is_big ? "big" : "little");
		f->big_endian = is_big;
	} else if (!stated) {
		return err_set(o->e, ERR_DAMAGED, "%s: the preamble's is_big_endian= is \"%s\" and the first record "
			       "does not tell the byte order either", shown(f, name), value_shown(p->big_endian, value));
	}
	return ERR_OK;
}

/* Offset of the table as the preamble's three numbers say it; 0: none. */
static uint64_t get_table(struct opening *o, const struct preamble *p)
{
	uint64_t q, unit, r;

	if (o->f->minor < 42 || !p->table[0])
		return 0; /* an offset of 0 says the same: not closed, or a crash while merging */
	if (!get_number(p->table[0], UINT32_MAX, &q) || !get_number(p->table[1], UINT32_MAX, &unit) ||
	    !get_number(p->table[2], INT64_MAX, &r) || q * unit > INT64_MAX - r) {
		odd_field(o, "commtable_fptr= is not an offset; the communicator table was not used");
		return 0;
	}
	return q * unit + r;
}

/* ---- block size ---- */

static bool usable_size(uint64_t size)
{
	return size >= MIN_BLOCK && size <= MAX_BLOCK;
}

/* Walk to the end of block k as if blocks had the given size; false: not readable, and o->e says why. */
static bool walk(struct opening *o, uint64_t k, uint32_t size, double *first)
{
	struct clog2_file f = *o->f;
	struct clog2_rec r;
	bool any = false;

	f.block_size = size;
	f.finalized = false; /* accept any ENDLOG; its time is looked at here */
	if (clog2_block_read(&f, k, &o->block, o->e))
		return false;
	while (clog2_block_next(&o->block, &r)) {
		if (!any && first)
			*first = r.time;
		any = true;
	}
	if (!any && first)
		*first = o->block.end_time;
	o->block.file = NULL;
	return true;
}

static bool same_bits(double a, double b)
{
	return !memcmp(&a, &b, sizeof a);
}

/* May a block start at this offset? The cheap half of the question: the header of its first record. */
static bool may_start(struct opening *o, uint64_t offset, double time, bool *same_time)
{
	struct clog2_file *f = o->f;
	uint8_t head[24];
	struct clog2_rec r = {.payload = head};
	uint32_t type;
	size_t got;

	if (source_read(f->source, offset, head, f->header_size, &got, NULL) || got < f->header_size)
		return false;
	type = (uint32_t)clog2_i32(f->big_endian, head + (f->header_size == 24 ? 20 : 8));
	*same_time = same_bits(clog2_get_timeshift(f, &r), time);
	return type < CLOG2_TYPES && (type > CLOG2_ENDBLOCK || *same_time);
}

/* Is this block 1? By ENDBLOCK's promise: in merged files it repeats the time of the record behind it. Else by
 * leading to an end of its own that zero-filled or misread bytes do not look like. */
static bool is_block_1(struct opening *o, uint32_t size, double end_time)
{
	bool same_time;
	double first;

	if (!may_start(o, CLOG2_PREAMBLE + (uint64_t)size, end_time, &same_time) || !walk(o, 1, size, &first))
		return false;
	if (same_time)
		return o->block.end != CLOG2_END_DAMAGED;
	if (o->block.end == CLOG2_END_LOG)
		return o->block.end_time >= first && o->block.end_time > 0;
	return o->block.end == CLOG2_END_BLOCK && o->block.at + FILL_SLACK >= size;
}

/* The size by the blocks themselves, 0 if they do not tell: block 0 ends somewhere, wherever the next starts. */
static uint32_t infer_block_size(struct opening *o)
{
	uint64_t rest = o->f->source->size - CLOG2_PREAMBLE, at, table = o->f->commtable;
	uint32_t searched = rest < SEARCHED ? (uint32_t)rest : SEARCHED;
	double end_time;

	if (!walk(o, 0, searched, NULL))
		return 0;
	at = o->block.at;
	end_time = o->block.end_time;
	if (o->block.end == CLOG2_END_LOG && end_time == END_TIME) {
		/* One block: it ends where the table starts, or with the file. */
		if (table > CLOG2_PREAMBLE + at && table < o->f->source->size)
			rest = table - CLOG2_PREAMBLE;
		return rest >= MIN_BLOCK && rest <= MAX_BLOCK ? (uint32_t)rest : 0;
	}
	if (o->block.end != CLOG2_END_BLOCK)
		return 0;
	for (uint64_t size = at < MIN_BLOCK ? MIN_BLOCK : at; size <= at + FILL_SLACK && size < rest; size++) {
		/* The first that fits: records of one time follow each other, and any of them would seem to. */
		if (is_block_1(o, (uint32_t)size, end_time))
			return (uint32_t)size;
	}
	return 0;
}

static enum err_code get_block_size(struct opening *o, const struct preamble *p)
{
	struct clog2_file *f = o->f;
	char name[NAME_SHOWN], value[40];
	uint64_t stated = 0;
	uint32_t inferred;

	get_number(p->block_size, UINT64_MAX, &stated);
	f->block_size = usable_size(stated) ? (uint32_t)stated : 0;
	if (f->block_size) {
		if (!walk(o, 0, f->block_size, NULL))
			return o->e->code;
		if (o->block.end == CLOG2_END_LOG || o->block.end == CLOG2_END_TRUNCATED)
			return ERR_OK; /* one block, whatever its size */
		if (o->block.end == CLOG2_END_BLOCK) {
			bool full = o->block.at + FILL_SLACK >= f->block_size;

			if (full && f->source->size - CLOG2_PREAMBLE <= f->block_size)
				return ERR_OK; /* and nothing behind it */
			if (is_block_1(o, f->block_size, o->block.end_time))
				return ERR_OK;
		}
	}
	inferred = infer_block_size(o);
	if (inferred && inferred != f->block_size) {
		odd_field(o, "block_size= says \"%s\" but the blocks are %u bytes long; read as such",
			  value_shown(p->block_size, value), inferred);
		f->block_size = inferred;
	}
	if (!f->block_size)
		return err_set(o->e, ERR_DAMAGED, "%s: the preamble's block_size= is \"%s\", not a number from %u to %u, "
			       "and the blocks do not tell their size", shown(f, name), value_shown(p->block_size, value),
			       MIN_BLOCK, MAX_BLOCK);
	return ERR_OK;
}

/* ---- end of log, communicator table ---- */

/* Does block k end the log? Zero-filled bytes look like an ENDLOG at time 0; they are none. */
static bool ends_log(struct opening *o, uint64_t k)
{
	return walk(o, k, o->f->block_size, NULL) && o->block.end == CLOG2_END_LOG && o->block.end_time != 0;
}

/* Up to 02.42 nothing says whether a file is merged. Without an ENDLOG to tell: in a local file all is of
 * one process, and messages name no communicator. */
static bool looks_merged(struct opening *o)
{
	struct clog2_file f = *o->f;
	struct clog2_rec r;
	struct clog2_msg m;
	struct clog2_comm c;
	unsigned worlds = 0;

	if (f.header_size != 24 || clog2_block_read(&f, 0, &o->block, NULL))
		return f.big_endian;
	while (clog2_block_next(&o->block, &r)) {
		if (r.type == CLOG2_MSGEVT) {
			clog2_get_msg(&f, &r, &m);
			return m.icomm != CLOG2_NULL_COMM;
		}
		if (r.type == CLOG2_COMMEVT) {
			clog2_get_comm(&f, &r, &c);
			if (c.etype == 0 && ++worlds > 1)
				return true;
		}
	}
	return f.big_endian;
}

/* Find the last block, and with it whether the file is finalized. */
static bool find_end(struct opening *o, const struct preamble *p)
{
	struct clog2_file *f = o->f;
	uint64_t rest = f->source->size - CLOG2_PREAMBLE;
	uint64_t whole = rest / f->block_size;
	bool stated = f->minor >= 43 && get_bool(p->finalized, &f->finalized), ended = false;
	uint64_t candidates[4], n = 0;
	char value[40];

	f->block_count = whole + (rest % f->block_size ? 1 : 0);
	if (f->commtable)
		candidates[n++] = (f->commtable - CLOG2_PREAMBLE) / f->block_size;
	for (uint64_t k = f->block_count; k > 0 && n < 4; k--)
		candidates[n++] = k;
	for (uint64_t i = 0; i < n && !ended; i++) {
		ended = ends_log(o, candidates[i] - 1);
		if (ended)
			f->block_count = candidates[i];
	}
	if (!stated) {
		if (f->minor >= 43)
			odd_field(o, "is_finalzed= is \"%s\", neither \"TRUE \" nor \"FALSE\"",
				  value_shown(p->finalized, value));
		f->finalized = ended ? o->block.end_time == END_TIME : looks_merged(o);
	}
	if (ended && f->block_count > whole)
		notes_add(o->notes, NOTE_TRUNCATED, (struct note_place){f->file_index, -1, (int64_t)f->block_count - 1,
			  (int64_t)f->source->size, -1},
			  "the last block is cut short, but behind the end-of-log record: no event is missing");
	else if (ended && f->minor < 42 && f->finalized && f->block_count < whole + (rest % f->block_size ? 1 : 0))
		odd_field(o, "%llu bytes follow the last block",
			  (unsigned long long)(rest - f->block_count * f->block_size));
	return ended;
}

/* A table that is whole also tells how many blocks there are, where no ENDLOG did. */
static void check_table(struct opening *o, bool ended)
{
	struct clog2_file *f = o->f;
	struct clog2_commentry *list;
	struct err why;
	uint32_t count;
	uint64_t blocks;

	if (!f->commtable)
		return;
	if (clog2_commtable(f, &list, &count, &why)) {
		odd_field(o, "%s; not used", why.text);
		f->commtable = 0;
		return;
	}
	mem_free(list);
	blocks = (f->commtable - CLOG2_PREAMBLE) / f->block_size;
	if (count && !ended && f->block_count > blocks)
		f->block_count = blocks;
}

/* The table must start where a block ends, inside the file. */
static void check_table_place(struct opening *o)
{
	struct clog2_file *f = o->f;
	unsigned long long at = f->commtable, size = f->source->size;

	if (!at)
		return;
	if (at > CLOG2_PREAMBLE && (at - CLOG2_PREAMBLE) % f->block_size == 0 && at + 4 <= size)
		return;
	if (at > CLOG2_PREAMBLE && (at - CLOG2_PREAMBLE) % f->block_size == 0)
		notes_add(o->notes, NOTE_TRUNCATED, (struct note_place){f->file_index, -1, -1, (int64_t)size, -1},
			  "the communicator table should be at byte %llu, the file ends at %llu", at, size);
	else
		odd_field(o, "commtable_fptr= points to byte %llu, which is not the end of a block; not used", at);
	f->commtable = 0;
}

static enum err_code open_preamble(struct opening *o, const uint8_t bytes[CLOG2_PREAMBLE])
{
	struct clog2_file *f = o->f;
	struct preamble p;
	enum err_code code;

	split_preamble((const char *)bytes, &p);
	if (p.cut)
		odd_field(o, "the preamble's last string has no end");
	code = get_byte_order(o, &p);
	f->commtable = get_table(o, &p);
	if (!code)
		code = get_block_size(o, &p);
	if (code)
		return code;
	f->world_size = get_count(o, "comm_world_size=", p.world_size);
	f->max_threads = get_count(o, "max_thread_count=", p.threads);
	check_table_place(o);
	check_table(o, find_end(o, &p));
	return ERR_OK;
}

enum err_code clog2_open(struct clog2_file *f, const struct source *source, struct notes *notes, struct err *e)
{
	struct err unwanted;
	struct opening o = {.f = f, .notes = notes, .e = e ? e : &unwanted};
	uint8_t bytes[CLOG2_PREAMBLE] = {0};
	char name[NAME_SHOWN];
	enum err_code code;
	size_t got;

	*f = (struct clog2_file){.source = source};
	code = source_read(source, 0, bytes, sizeof bytes, &got, o.e);
	if (code)
		return code;
	if (!get_version(f, bytes, got))
		return refuse(&o, bytes, got);
	if (got < sizeof bytes)
		return err_set(e, ERR_DAMAGED, "%s is a %s trace cut inside its preamble: it has %llu bytes, the preamble 1024",
			       shown(f, name), f->version, (unsigned long long)source->size);
	clog2_block_init(&o.block);
	code = open_preamble(&o, bytes);
	clog2_block_release(&o.block);
	return code;
}

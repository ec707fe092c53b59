#include "notes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/base/text.h"
#include "core/team/team_pack.h"

static const struct {
	const char *name;
	enum note_level level;
	const char *meaning;
} kinds[NOTE_KIND_COUNT] = {
#define NOTE(id, name, level, text) {name, level, text},
	NOTE_KINDS(NOTE)
#undef NOTE
};

void notes_init(struct notes *n)
{
	*n = (struct notes){0};
}

void notes_release(struct notes *n)
{
	for (size_t i = 0; i < n->n; i++)
		mem_free(n->list[i].text);
	mem_free(n->list);
	notes_init(n);
}

/* A copy of it. */
static void notes_keep_copy(struct notes *n, const struct note *note)
{
	struct note *list = mem_grow(n->list, n->n, &n->cap, sizeof *list);
	char *copy;

	if (list)
		n->list = list;
	copy = mem_strdup(note->text);
	if (!list || !copy) {
		mem_free(copy);
		n->lost = true;
		return;
	}
	list[n->n] = *note;
	list[n->n++].text = copy;
}

void notes_add(struct notes *n, enum note_kind kind, struct note_place place, const char *fmt, ...)
{
	char text[ERR_TEXT], safe[ERR_TEXT];
	va_list ap;

	if (n->count[kind]++ >= NOTES_KEPT)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	/* File names are in it, too. */
	notes_keep_copy(n, &(struct note){kind, place.file, place.process, place.block, place.offset, place.event, {0, 0},
			       text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8)});
}

void notes_forget(struct notes *n, enum note_kind kind)
{
	size_t kept = 0;

	for (size_t i = 0; i < n->n; i++) {
		if (n->list[i].kind == kind)
			mem_free(n->list[i].text);
		else
			n->list[kept++] = n->list[i];
	}
	n->n = kept;
	n->count[kind] = 0;
}

void notes_append(struct notes *to, const struct notes *from)
{
	uint64_t before[NOTE_KIND_COUNT];

	for (int k = 0; k < NOTE_KIND_COUNT; k++) {
		before[k] = to->count[k];
		to->count[k] += from->count[k];
	}
	for (size_t i = 0; i < from->n; i++) {
		if (before[from->list[i].kind]++ < NOTES_KEPT)
			notes_keep_copy(to, &from->list[i]);
	}
	to->lost = to->lost || from->lost;
}

void notes_order(struct notes *n, size_t from, uint64_t first, uint64_t second)
{
	for (; from < n->n; from++) {
		n->list[from].order[0] = first;
		n->list[from].order[1] = second;
	}
}

/* A note of some part, and its number among those of all. */
struct found {
	const struct note *note;
	size_t number;
};

static int compare_found(const struct found *x, const struct found *y)
{
	return x->number < y->number ? -1 : x->number > y->number;
}

static int compare_orders(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	for (int i = 0; i < 2; i++)
		if (x->note->order[i] != y->note->order[i])
			return x->note->order[i] < y->note->order[i] ? -1 : 1;
	return compare_found(x, y);
}

/* Notes without a place in a file come last. */
static int compare_places(const void *a, const void *b)
{
	const struct note *x = ((const struct found *)a)->note, *y = ((const struct found *)b)->note;
	uint64_t fx = (uint64_t)(int64_t)x->file, fy = (uint64_t)(int64_t)y->file;

	if (fx != fy)
		return fx < fy ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : compare_found(a, b);
}

static void notes_merge_all(struct notes *to, const struct notes *parts, size_t part_count, int (*compare)(const void *a, const void *b))
{
	struct notes all = {0};
	struct found *order;
	size_t n = 0;

	for (size_t i = 0; i < part_count; i++)
		n += parts[i].n;
	order = mem_alloc(n, sizeof *order);
	n = 0;
	for (size_t i = 0; i < part_count; i++) {
		for (int k = 0; k < NOTE_KIND_COUNT; k++)
			all.count[k] += parts[i].count[k];
		for (size_t k = 0; order && k < parts[i].n; k++, n++)
			order[n] = (struct found){&parts[i].list[k], n};
		all.lost = all.lost || parts[i].lost || !order;
	}
	SORT(order, n, compare);
	for (size_t i = 0, kept[NOTE_KIND_COUNT] = {0}; i < n; i++)
		if (to->count[order[i].note->kind] + kept[order[i].note->kind]++ < NOTES_KEPT)
			notes_keep_copy(to, order[i].note);
	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		to->count[k] += all.count[k];
	to->lost = to->lost || all.lost;
	mem_free(order);
}

void notes_merge(struct notes *to, const struct notes *parts, size_t part_count)
{
	notes_merge_all(to, parts, part_count, compare_places);
}

void notes_merge_ordered(struct notes *to, const struct notes *parts, size_t part_count)
{
	notes_merge_all(to, parts, part_count, compare_orders);
}

const char *note_name(enum note_kind kind)
{
	return kinds[kind].name;
}

const char *note_meaning(enum note_kind kind)
{
	return kinds[kind].meaning;
}

enum note_level note_level(enum note_kind kind)
{
	return kinds[kind].level;
}

const char *note_level_name(enum note_level level)
{
	return level == NOTE_DAMAGE ? "damage" : level == NOTE_WARNING ? "warning" : "remark";
}

const char *note_level_word(enum note_level level)
{
	return level == NOTE_DAMAGE ? "error" : level == NOTE_WARNING ? "warning" : "note";
}

uint64_t notes_total(const struct notes *n, enum note_level level)
{
	uint64_t total = 0;

	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		if (kinds[k].level == level)
			total += n->count[k];
	return total;
}

void notes_count(struct note_counts *to, const struct notes *n)
{
	uint64_t little = n->count[NOTE_RECEIVE_EARLY], much = n->count[NOTE_CLOCKS_APART];

	to->violations += little + much;
	to->remarks += notes_total(n, NOTE_REMARK) - little;
	to->warnings += notes_total(n, NOTE_WARNING) - much;
	to->damage += notes_total(n, NOTE_DAMAGE);
	to->apart += much;
}

static const char *plural_of(uint64_t n)
{
	return n == 1 ? "" : "s";
}

char *note_levels_text(const struct note_counts *c, char text[NOTE_COUNTS_TEXT])
{
	uint64_t warnings = c->warnings + c->apart, notes = c->remarks + c->violations - c->apart;

	snprintf(text, NOTE_COUNTS_TEXT, "%" PRIu64 " warning%s, %" PRIu64 " error%s, %" PRIu64 " note%s", warnings, plural_of(warnings),
		 c->damage, plural_of(c->damage), notes, plural_of(notes));
	return text;
}

char *note_counts_text(const struct note_counts *c, char text[NOTE_COUNTS_TEXT])
{
	int n = 0;

	*text = 0;
	if (c->warnings)
		n = snprintf(text, NOTE_COUNTS_TEXT, "%" PRIu64 " warning%s", c->warnings, plural_of(c->warnings));
	if (c->apart)
		snprintf(text + n, NOTE_COUNTS_TEXT - (size_t)n, "%s%" PRIu64 " clock violation%s", n ? " and " : "", c->violations,
			 plural_of(c->violations));
	return text;
}

const char *note_counted_as(enum note_kind kind)
{
	return kind == NOTE_RECEIVE_EARLY || kind == NOTE_CLOCKS_APART ? "clock violation" : note_level_word(note_level(kind));
}

char *note_title(enum note_kind kind, char text[NOTE_TITLE])
{
	snprintf(text, NOTE_TITLE, "%s: %s", note_level_word(note_level(kind)), note_name(kind));
	return text;
}

void notes_put(struct team_pack *pack, const struct notes *found)
{
	uint64_t n = found->n;

	team_put(pack, found->count, sizeof found->count);
	team_put(pack, &found->lost, sizeof found->lost);
	team_put(pack, &n, sizeof n);
	for (size_t i = 0; i < found->n; i++) {
		uint64_t length = strlen(found->list[i].text);

		team_put(pack, &found->list[i], sizeof found->list[i]);
		team_put(pack, &length, sizeof length);
		team_put(pack, found->list[i].text, length);
	}
}

static bool take_note(struct team_take *take, struct notes *part)
{
	struct note note, *list = mem_grow(part->list, part->n, &part->cap, sizeof *list);
	uint64_t length;

	if (!list)
		return false;
	part->list = list;
	if (!team_take(take, &note, sizeof note) || !team_take(take, &length, sizeof length))
		return false;
	note.text = mem_zero(length + 1, 1);
	if (!note.text || !team_take(take, note.text, length)) {
		mem_free(note.text);
		return false;
	}
	list[part->n++] = note;
	return true;
}

bool notes_take(struct team_take *take, struct notes *part)
{
	uint64_t n = 0;
	bool taken = team_take(take, part->count, sizeof part->count) && team_take(take, &part->lost, sizeof part->lost) &&
		     team_take(take, &n, sizeof n);

	while (taken && part->n < n)
		taken = take_note(take, part);
	return taken;
}

enum err_code notes_gather(const struct team *team, const struct notes *found, size_t lists, struct notes *parts, struct err *e)
{
	uint32_t ranks = team_size(team);
	struct team_bytes *from = mem_zero(ranks, sizeof *from);
	struct team_pack pack = {0};
	enum err_code code;

	for (size_t i = 0; i < lists * ranks; i++)
		notes_init(&parts[i]);
	for (size_t i = 0; i < lists; i++)
		notes_put(&pack, &found[i]);
	code = from && !pack.failed ? ERR_OK : err_memory(e, "the trace's notes");
	code = code ? team_agree(team, code, e) : team_gather_all(team, pack.bytes, pack.n, from, e);
	mem_free(pack.bytes);
	if (!code) {
		bool taken = true;

		for (uint32_t r = 0; taken && r < ranks; r++) {
			struct team_take take = {from[r].bytes, from[r].n};

			for (size_t i = 0; taken && i < lists; i++)
				taken = notes_take(&take, &parts[i * ranks + r]);
		}
		team_bytes_free(from, ranks);
		code = team_agree(team, taken ? ERR_OK : err_memory(e, "the trace's notes"), e);
	}
	mem_free(from);
	return code;
}

bool note_names_rank(const struct note *n)
{
	char own[32];
	int length = snprintf(own, sizeof own, "rank %lld", (long long)n->process);

	return n->process >= 0 && n->text && strncmp(n->text, own, (size_t)length) == 0 && strchr(" :,", n->text[length]) &&
	       strncmp(n->text + length, " of ", 4) != 0;
}

#include "notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/text.h"

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

static void keep(struct notes *n, enum note_kind kind, struct note_place place, const char *text)
{
	struct note *list = mem_grow(n->list, n->n, &n->cap, sizeof *list);
	char *copy;

	if (list)
		n->list = list;
	copy = mem_strdup(text);
	if (!list || !copy) {
		mem_free(copy);
		n->lost = true;
		return;
	}
	n->list[n->n++] = (struct note){kind, place.file, place.process, place.block, place.offset, place.event, copy};
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
	keep(n, kind, place, text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8)); /* file names are in it, too */
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
		const struct note *x = &from->list[i];

		if (before[x->kind]++ < NOTES_KEPT)
			keep(to, x->kind, (struct note_place){x->file, x->process, x->block, x->offset, x->event}, x->text);
	}
	to->lost = to->lost || from->lost;
}

/* Notes without a place in a file come last. */
static int compare_notes(const void *a, const void *b)
{
	const struct note *x = *(const struct note *const *)a, *y = *(const struct note *const *)b;
	uint64_t fx = (uint64_t)(int64_t)x->file, fy = (uint64_t)(int64_t)y->file;

	if (fx != fy)
		return fx < fy ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

void notes_merge(struct notes *to, const struct notes *parts, size_t part_count)
{
	struct notes all = {0};
	const struct note **order;
	size_t n = 0;

	for (size_t i = 0; i < part_count; i++)
		n += parts[i].n;
	order = mem_alloc(n, sizeof *order);
	n = 0;
	for (size_t i = 0; i < part_count; i++) {
		for (int k = 0; k < NOTE_KIND_COUNT; k++)
			all.count[k] += parts[i].count[k];
		for (size_t k = 0; order && k < parts[i].n; k++)
			order[n++] = &parts[i].list[k];
		all.lost = all.lost || parts[i].lost || !order;
	}
	if (n)
		qsort(order, n, sizeof *order, compare_notes);
	for (size_t i = 0, kept[NOTE_KIND_COUNT] = {0}; i < n; i++)
		if (to->count[order[i]->kind] + kept[order[i]->kind]++ < NOTES_KEPT)
			keep(to, order[i]->kind,
			     (struct note_place){order[i]->file, order[i]->process, order[i]->block, order[i]->offset, order[i]->event},
			     order[i]->text);
	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		to->count[k] += all.count[k];
	to->lost = to->lost || all.lost;
	mem_free(order);
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

uint64_t notes_total(const struct notes *n, enum note_level level)
{
	uint64_t total = 0;

	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		if (kinds[k].level == level)
			total += n->count[k];
	return total;
}

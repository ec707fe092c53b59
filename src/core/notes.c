#include "notes.h"

#include <stdarg.h>
#include <stdio.h>

#include "mem.h"

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
	char text[ERR_TEXT];
	va_list ap;

	if (n->count[kind]++ >= NOTES_KEPT)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	keep(n, kind, place, text);
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

uint64_t notes_total(const struct notes *n, enum note_level level)
{
	uint64_t total = 0;

	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		if (kinds[k].level == level)
			total += n->count[k];
	return total;
}

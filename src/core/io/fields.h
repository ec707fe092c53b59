/* Reading what is known out of a YAML document, field by field: each is asked for by its key, with its type and range.
 *
 *     fields_init(&f, &y, &arena, ERR_FORMAT, &e);
 *     fields_version(&f, "pas2p", "a phase table", 1, 2);
 *     root = fields_root(&f);
 *     trace = fields_enter(&f, &root, "trace");
 *     processes = fields_count(&f, &trace, "processes", 0, UINT32_MAX);
 *     return f.code;
 *
 * Errors stick: after the first one every step gives 0, "" or NULL and changes nothing, so that only the end need be
 * looked at. Its sentence says file, line and path, what was expected and what is there:
 * "cg.yaml: line 39: phases[0].checkpoint.sends[1] is 'x': expected a whole number from 0 to 4294967295".
 *
 * Keys that nobody asks for are passed over, as a later version may add some. Texts and lists are copies in the arena;
 * nodes are the document's. A number in quotes is a text.
 */
#ifndef PAS2P_FIELDS_H
#define PAS2P_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yaml_in.h"

#define FIELDS_PATH 96

struct fields {
	const struct yaml_in *y;
	struct arena *arena;   /* NULL: neither texts nor lists are read */
	enum err_code mistake; /* what a mistake in the document is: ERR_FORMAT, or ERR_USAGE where a person wrote it */
	struct err *e;
	enum err_code code;    /* the first error */
};

/* A mapping and its path in the document, "phases[3].tick.": keys are put behind it. */
struct fields_map {
	const struct yaml_node *map; /* NULL after an error */
	char path[FIELDS_PATH];
};

void fields_init(struct fields *f, const struct yaml_in *yaml, struct arena *arena, enum err_code mistake, struct err *e);
unsigned fields_version(struct fields *f, const char *key, const char *what, unsigned oldest, unsigned newest); /* as yaml_version() */

/* The document itself, which must be a mapping, and the mapping under a key. */
struct fields_map fields_root(struct fields *f);
struct fields_map fields_enter(struct fields *f, const struct fields_map *at, const char *key);
/* The mapping that is item `index` of the list under a key. */
struct fields_map fields_item(struct fields *f, const struct fields_map *at, const char *key, uint32_t index,
			      const struct yaml_node *item);

/* A field that may be missing: NULL then, and after an error. */
const struct yaml_node *fields_find(const struct fields *f, const struct fields_map *at, const char *key);
/* Whether a figure is null, because what it is taken from does not define it. */
bool fields_undefined(const struct fields *f, const struct fields_map *at, const char *key);

const char *fields_text(struct fields *f, const struct fields_map *at, const char *key);
const char *fields_word(struct fields *f, const struct fields_map *at, const char *key); /* not copied: the document's, as long as that is there */
const char *fields_safe_text(struct fields *f, const struct fields_map *at, const char *key); /* fit to be shown */
uint64_t fields_whole(struct fields *f, const struct fields_map *at, const char *key, uint64_t min, uint64_t max);
uint32_t fields_count(struct fields *f, const struct fields_map *at, const char *key, uint32_t min, uint32_t max);
/* max may be INFINITY, and min -INFINITY. */
double fields_real(struct fields *f, const struct fields_map *at, const char *key, double min, double max);
double fields_figure(struct fields *f, const struct fields_map *at, const char *key, double min); /* null: NAN */
int fields_choice(struct fields *f, const struct fields_map *at, const char *key, const char *choices); /* "a|b": index */
bool fields_bool(struct fields *f, const struct fields_map *at, const char *key);

const struct yaml_node *fields_list(struct fields *f, const struct fields_map *at, const char *key);
/* A list with `count` items, one per `each` ("process"). */
const struct yaml_node *fields_list_of(struct fields *f, const struct fields_map *at, const char *key, uint32_t count,
				       const char *each);
const char **fields_safe_texts(struct fields *f, const struct fields_map *at, const char *key); /* ends with NULL */
/* Item `index` of the list under a key: a whole number. */
uint32_t fields_item_count(struct fields *f, const struct fields_map *at, const char *key, uint32_t index,
			   const struct yaml_node *item, uint32_t min, uint32_t max);
/* Each at least that of `least` (NULL: 0). */
uint32_t *fields_counts(struct fields *f, const struct fields_map *at, const char *key, uint32_t count, const char *each,
			const uint32_t *least);
double *fields_reals(struct fields *f, const struct fields_map *at, const char *key, uint32_t count, const char *each);

/* For what only the caller can judge. Room in the arena, cleared; NULL after an error too. */
void *fields_room(struct fields *f, size_t n, size_t size);
const char *fields_keep_safe(struct fields *f, const char *text); /* a copy there that is fit to be shown */
void fields_memory(struct fields *f); /* there was none */
/* "... is 'x': expected ...", where a node of another kind says its kind; path and key may be a trace's or person's. */
void fields_wrong(struct fields *f, const struct yaml_node *n, const char *path, const char *key, const char *expected);
void fields_wrong_item(struct fields *f, const struct yaml_node *n, const struct fields_map *at, const char *key,
		       uint32_t index, const char *expected);
/* "... is a list: expected ...": the kind even of a single value. */
void fields_wrong_kind(struct fields *f, const struct yaml_node *n, const char *path, const char *expected);
/* Any sentence about a line. */
void fields_fail(struct fields *f, uint32_t line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif

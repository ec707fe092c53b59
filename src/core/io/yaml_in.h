/* A YAML document read into a tree that remembers its lines, for files that people write and machines check.
 *
 * One document of mappings, sequences and scalars. Refused, each with its line: what is not YAML, a key given
 * twice, a key that is no scalar, anchors and aliases (a few bytes of those can stand for a table of any
 * size), text with a NUL in it, and nesting deeper than YAML_DEPTH.
 */
#ifndef PAS2P_YAML_IN_H
#define PAS2P_YAML_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define YAML_DEPTH 80 /* what tree_out.h writes can be read */

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
	uint8_t kind;            /* enum yaml_kind */
	bool quoted;             /* a scalar in quotes or a block scalar: text whatever it looks like */
	uint32_t line, key_line; /* from 1 */
	uint32_t column, key_column; /* from 1, of the first character of a text; 0: it is not written as it reads (folded, escaped) */
	uint32_t count;          /* children */
	const char *key;         /* in a mapping, otherwise NULL */
	const char *text;        /* of a scalar, NUL-terminated, valid UTF-8 */
	struct yaml_node *first, *next;
};

struct yaml_in {
	struct arena arena;
	char *name;              /* for sentences: the file's name, safe */
	struct yaml_node *root;  /* NULL: an empty document */
};

/* ERR_FORMAT with "name: line 3: ..." if the text is none of it. */
enum err_code yaml_in_init(struct yaml_in *yaml, const char *name, const char *text, size_t size, struct err *e);
/* The same from a regular file of at most `most` bytes; ERR_IO if it cannot be read, ERR_LIMIT if it is longer. */
enum err_code yaml_in_file(struct yaml_in *yaml, const char *path, size_t most, struct err *e);
void yaml_in_release(struct yaml_in *yaml);

/* The value of a key of a mapping, NULL if there is none (or no mapping). */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);

/* Whether the document is `what` ("a phase table"), in a version that is read, as the key says; otherwise ERR_FORMAT.
 */
enum err_code yaml_version(const struct yaml_in *yaml, const char *key, const char *what, unsigned oldest, unsigned newest,
			   unsigned *version, struct err *e);

/* Whether a line at the beginning of a file (4 KiB) begins with "key:", to tell documents apart before they are read.
 * False also for what cannot be read, and is no regular file. */
bool yaml_file_has(const char *path, const char *key);

/* Whether a scalar stands for nothing: empty, ~ or null, not in quotes. */
bool yaml_is_null(const struct yaml_node *n);

const char *yaml_kind_name(const struct yaml_node *n); /* "a mapping", "a list", "a value" */

/* Whether some YAML reader, of version 1.1 or 1.2, would take plain text for a number, a truth value, null, a
 * date, or the like, or not read it as one plain scalar at all. Such text must be written in quotes. */
bool yaml_needs_quotes(const char *text);

#endif

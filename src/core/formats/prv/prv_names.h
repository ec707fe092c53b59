/* What the files beside a Paraver trace say: NAME.pcf names types of events, their values, and states; NAME.row names
 * nodes. They only name things: where they are not there, or cannot be read, numbers stand.
 */
#ifndef PAS2P_PRV_NAMES_H
#define PAS2P_PRV_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/formats/format.h"

struct prv_names;

/* Of the trace at a path, which may end in .gz, .xz or .zst; path NULL: none. Only ERR_MEMORY. */
enum err_code prv_names_load(struct prv_names **out, const char *path, struct err *e);
/* The same from bytes. */
enum err_code prv_names_parse(struct prv_names **out, const char *pcf, size_t pcf_size, const char *row, size_t row_size, struct err *e);
void prv_names_free(struct prv_names *names); /* NULL is fine */
/* The files that prv_names_load() looks for (format.h). */
void prv_parts(const char *path, format_part *part, void *arg);

/* Which files they are from, for ranks that each read their own. */
struct team_pack;
enum err_code prv_names_facts(const struct prv_names *names, struct team_pack *facts, struct err *e);

/* n bytes of text as it stands there, untrusted; NULL: it has no name. */
const char *prv_name_of_type(const struct prv_names *names, uint64_t type, size_t *n);
const char *prv_name_of_value(const struct prv_names *names, uint64_t type, uint64_t value, size_t *n);
const char *prv_name_of_state(const struct prv_names *names, uint64_t state, size_t *n);
const char *prv_name_of_node(const struct prv_names *names, uint32_t node, size_t *n); /* from 1 */

/* The type whose name is that word: that of a counter, up to a blank ("PAPI_TOT_INS [instructions]"). 0: none. */
uint64_t prv_type_of_name(const struct prv_names *names, const char *name, uint64_t first, uint64_t end);

#endif

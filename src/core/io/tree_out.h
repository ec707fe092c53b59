/* Writing a tree of mappings, lists and values, as YAML or as JSON: one walk over the data, two notations.
 *
 *     tree_out_init(&t, &out, json);
 *     tree_map(&t, false);
 *     tree_key(&t, "sends"); tree_list(&t, true); tree_whole(&t, 591); ... tree_end(&t);
 *     tree_end(&t);
 *     tree_out_finish(&t, &e);
 *
 * `flow` puts a mapping or list on one line. Errors stick and are told by finish, which must be called. Texts must
 * be valid UTF-8.
 */
#ifndef PAS2P_TREE_OUT_H
#define PAS2P_TREE_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "out.h"

#define TREE_DEPTH 80 /* a run's loops lie in each other at most 31 deep, with two levels each */

struct tree_out {
	struct out *out;
	struct yaml_emitter_s *yaml;  /* NULL: JSON */
	bool failed;
	unsigned depth;
	struct {
		bool map, flow, begun;
	} level[TREE_DEPTH];
	bool after_key;
};

void tree_out_init(struct tree_out *t, struct out *out, bool json); /* else YAML */
enum err_code tree_out_finish(struct tree_out *t, struct err *e);

void tree_map(struct tree_out *t, bool flow);
void tree_list(struct tree_out *t, bool flow);
void tree_end(struct tree_out *t);
void tree_key(struct tree_out *t, const char *key);
void tree_text(struct tree_out *t, const char *text);
void tree_whole(struct tree_out *t, uint64_t v);
void tree_real(struct tree_out *t, double v); /* NAN, which stands for "not defined": null */
void tree_bool(struct tree_out *t, bool v);

/* A key and its value, mapping or list, as most are written. */
void tree_put_null(struct tree_out *t, const char *key);
void tree_put_text(struct tree_out *t, const char *key, const char *text); /* NULL: null */
void tree_put_whole(struct tree_out *t, const char *key, uint64_t v);
void tree_put_real(struct tree_out *t, const char *key, double v);
void tree_put_bool(struct tree_out *t, const char *key, bool v);
void tree_put_map(struct tree_out *t, const char *key, bool flow);
void tree_put_list(struct tree_out *t, const char *key, bool flow);
void tree_put_wholes(struct tree_out *t, const char *key, const uint32_t *v, uint32_t n); /* a list on one line */
void tree_put_reals(struct tree_out *t, const char *key, const double *v, uint32_t n);

/* A text as a JSON string with its quotes; also a double-quoted YAML scalar. */
void json_string(struct out *out, const char *text);

#endif

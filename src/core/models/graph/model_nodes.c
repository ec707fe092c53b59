#include "graph_int.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/models/language/language.h"

/* What stands beside the key of a node. */
enum beside {
	BESIDE_DO = 1,
	BESIDE_ELSE = 2,
	BESIDE_SPLIT = 4
};

static enum err_code read_node(const struct model_document *d, const struct yaml_node *n, struct model_node **out);

static struct model_node *model_node_make(const struct model_document *d, const struct yaml_node *n, enum model_node_kind kind)
{
	struct model_node *node = arena_alloc(d->arena, sizeof *node);

	if (!node)
		return NULL;
	node->kind = kind;
	node->place = document_place(d, n);
	return node;
}

/* Items of a list, each one node, as a chain. */
static enum err_code read_items(const struct model_document *d, const struct yaml_node *list, struct model_node **first)
{
	*first = NULL;
	for (const struct yaml_node *n = list->first; n; n = n->next) {
		enum err_code code = read_node(d, n, first);

		if (code)
			return code;
		first = &(*first)->next;
	}
	return ERR_OK;
}

enum err_code nodes_read(const struct model_document *d, const struct yaml_node *list, struct model_node **first)
{
	return list->kind == YAML_LIST ? read_items(d, list, first) : read_node(d, list, first);
}

/* ---- what stands under the key of a node ---- */

static enum err_code read_optional(const struct model_document *d, const struct yaml_node *map, const char *key,
				   const struct expression **x)
{
	const struct yaml_node *n = yaml_get(map, key);

	return n ? document_expression(d, n, x) : ERR_OK;
}

static enum err_code read_required(const struct model_document *d, const struct yaml_node *map, const char *what,
				   const char *key, const struct expression **x)
{
	const struct yaml_node *n = yaml_get(map, key);

	return n ? document_expression(d, n, x) : document_fail(d, map, "%s needs '%s'", what, key);
}

static enum err_code read_value(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	return document_expression(d, n, &node->value);
}

static enum err_code read_split(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	static const char *const keys[] = {"compute", "bytes", NULL};
	enum err_code code = document_keys(d, n, "split", keys);

	if (!code)
		code = read_required(d, n, "split", "compute", &node->split_compute);
	return code ? code : read_optional(d, n, "bytes", &node->split_bytes);
}

static enum err_code read_ops(const struct model_document *d, const struct yaml_node *map, struct model_node *node)
{
	struct model_operation *op;
	char safe[64];

	if (map->kind != YAML_MAP)
		return document_expected(d, map, "counts of operations by name, such as {sum_double: n}");
	op = arena_alloc(d->arena, (map->count + 1) * sizeof *op);
	if (!op)
		return err_memory(d->e, "operations");
	node->operations = op;
	for (const struct yaml_node *n = map->first; n; n = n->next, op++) {
		enum err_code code;

		if (operation_family(n->key) == OPERATION_UNKNOWN)
			return document_fail_key(d, n, "unknown operation '%s': expected one of %s, %s",
						 text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8),
						 operation_names(OPERATION_PROCESSOR), operation_names(OPERATION_MEMORY));
		op->name = arena_strndup(d->arena, n->key, strlen(n->key));
		if (!op->name)
			return err_memory(d->e, "operations");
		code = document_expression(d, n, &op->count);
		if (code)
			return code;
		node->operation_count++;
	}
	return ERR_OK;
}

static enum err_code read_message(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	static const char *const send_keys[] = {"to", "bytes", "tag", NULL}, *const recv_keys[] = {"from", "tag", NULL};
	bool recv = node->kind == NODE_RECV;
	const char *what = model_node_info(node->kind)->name;
	enum err_code code = document_keys(d, n, what, recv ? recv_keys : send_keys);

	if (!code)
		code = read_required(d, n, what, recv ? "from" : "to", &node->peer);
	if (!code && !recv)
		code = read_required(d, n, what, "bytes", &node->bytes);
	return code ? code : read_optional(d, n, "tag", &node->tag);
}

static enum err_code read_collective(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	static const char *const keys[] = {"bytes", "root", NULL};
	const char *what = model_node_info(node->kind)->name;
	enum err_code code;

	if (node->kind == NODE_BARRIER && yaml_is_null(n))
		return ERR_OK;
	code = document_keys(d, n, what, keys);
	if (!code)
		code = node->kind == NODE_BARRIER ? read_optional(d, n, "bytes", &node->bytes) :
		       read_required(d, n, what, "bytes", &node->bytes);
	return code ? code : read_optional(d, n, "root", &node->root);
}

static enum err_code read_do(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	return nodes_read(d, n, &node->body);
}

/* {i: [first, last]} */
static enum err_code read_index(const struct model_document *d, const struct yaml_node *map, struct model_node *node)
{
	const struct yaml_node *ends = map->first;
	struct place at;
	enum err_code code;

	if (map->count != 1)
		return document_fail(d, map, "expected one index, as {i: [1, n]}, found %u", map->count);
	at = document_key_place(d, ends);
	code = document_name(d, &at, ends->key, "an index", &node->word);
	if (code)
		return code;
	if (ends->kind != YAML_LIST || ends->count != 2)
		return document_expected(d, ends, "the first and last value of the index, such as [1, n]");
	code = document_expression(d, ends->first, &node->first);
	return code ? code : document_expression(d, ends->first->next, &node->last);
}

static enum err_code read_loop(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	return n->kind == YAML_MAP ? read_index(d, n, node) : document_expression(d, n, &node->value);
}

static enum err_code read_branches(const struct model_document *d, const struct yaml_node *list,
				   struct model_node *node)
{
	struct model_node **next = &node->body;

	for (const struct yaml_node *n = list->first; n; n = n->next, next = &(*next)->next) {
		enum err_code code;

		*next = model_node_make(d, n, NODE_DO);
		if (!*next)
			return err_memory(d->e, "a program");
		code = nodes_read(d, n, &(*next)->body);
		if (code)
			return code;
	}
	return ERR_OK;
}

/* A list of anything but two numbers, which would be an interval. */
static bool has_branches(const struct yaml_node *n)
{
	return n->kind == YAML_LIST && !document_is_expression(n);
}

static enum err_code read_par(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	return has_branches(n) ? read_branches(d, n, node) : read_loop(d, n, node);
}

static enum err_code read_use(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	struct place at = document_place(d, n);

	if (n->kind != YAML_SCALAR)
		return document_expected(d, n, "the name of a resource");
	return document_name(d, &at, n->text, "a resource", &node->word);
}

static enum err_code read_call(const struct model_document *d, const struct yaml_node *n, struct model_node *node)
{
	const struct expression *x = NULL;
	enum err_code code = ERR_OK;
	uint32_t i = 0;

	if (n->kind == YAML_SCALAR && !yaml_is_null(n))
		code = document_expression(d, n, &x);
	if (code)
		return code;
	if (!x || x->kind != EXPRESSION_CALL || expression_is_reserved(x->name))
		return document_expected(d, n, "a block with its values, such as exchange(8*n)");
	node->word = x->name;
	node->place = x->at;
	node->argument_count = x->count;
	node->arguments = arena_alloc(d->arena, (x->count + 1) * sizeof *node->arguments);
	if (!node->arguments)
		return err_memory(d->e, "a program");
	for (const struct expression *part = x->first; part; part = part->next)
		node->arguments[i++] = part;
	return ERR_OK;
}

/* ---- a node ---- */

static const struct shape {
	enum err_code (*read)(const struct model_document *d, const struct yaml_node *n, struct model_node *node);
	unsigned beside; /* of enum beside: what may stand beside the key */
	bool needs_do;
} shapes[NODE_KINDS] = {
	[NODE_COMPUTE] = {read_value, BESIDE_SPLIT, false},
	[NODE_OPS] = {read_ops, 0, false},
	[NODE_SEND] = {read_message, 0, false},
	[NODE_ISEND] = {read_message, 0, false},
	[NODE_RECV] = {read_message, 0, false},
	[NODE_BARRIER] = {read_collective, 0, false},
	[NODE_BCAST] = {read_collective, 0, false},
	[NODE_REDUCE] = {read_collective, 0, false},
	[NODE_ALLREDUCE] = {read_collective, 0, false},
	[NODE_GATHER] = {read_collective, 0, false},
	[NODE_SCATTER] = {read_collective, 0, false},
	[NODE_ALLGATHER] = {read_collective, 0, false},
	[NODE_ALLTOALL] = {read_collective, 0, false},
	[NODE_DO] = {read_do, 0, false},
	[NODE_LOOP] = {read_loop, BESIDE_DO, true},
	[NODE_PAR] = {read_par, BESIDE_DO, true},
	[NODE_USE] = {read_use, BESIDE_DO, true},
	[NODE_IF] = {read_value, BESIDE_DO | BESIDE_ELSE, true},
	[NODE_CALL] = {read_call, 0, false},
};

static bool kind_of(const char *key, enum model_node_kind *kind)
{
	for (unsigned k = 0; k < NODE_KINDS; k++)
		if (!strcmp(model_node_info(k)->name, key)) {
			*kind = k;
			return true;
		}
	return false;
}

static enum err_code model_node_unknown(const struct model_document *d, const struct yaml_node *n)
{
	char list[256], safe[64];
	size_t len = 0;

	for (unsigned k = 0; k < NODE_KINDS && len < sizeof list; k++)
		len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", k ? ", " : "", model_node_info(k)->name);
	return document_fail_key(d, n, "unknown node '%s': expected one of %s",
				 text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8), list);
}

/* The one key that says what the node is; `do` is one only if there is no other. */
static enum err_code find_kind(const struct model_document *d, const struct yaml_node *map,
			       const struct yaml_node **key, enum model_node_kind *kind)
{
	const struct yaml_node *body = NULL, *beside = NULL;

	*key = NULL;
	for (const struct yaml_node *n = map->first; n; n = n->next) {
		enum model_node_kind k;

		if (!strcmp(n->key, "name"))
			continue;
		if (!strcmp(n->key, "do")) {
			body = n;
		} else if (!strcmp(n->key, "else") || !strcmp(n->key, "split")) {
			beside = n;
		} else if (!kind_of(n->key, &k)) {
			return model_node_unknown(d, n);
		} else if (*key) {
			return document_fail_key(d, n, "a list item holds one node, found '%s' and '%s': make each one "
						 "an item",
						 (*key)->key, n->key);
		} else {
			*key = n;
			*kind = k;
		}
	}
	if (*key)
		return ERR_OK;
	if (!body)
		return beside ? document_fail_key(d, beside, "'%s' needs a node", beside->key) :
		       document_fail(d, map, "expected a node, such as compute: 3ms, found none");
	*key = body;
	*kind = NODE_DO;
	return ERR_OK;
}

static enum err_code read_beside(const struct model_document *d, const struct yaml_node *map,
				 const struct yaml_node *key, struct model_node *node)
{
	static const struct {
		const char *key;
		unsigned beside;
	} keys[] = {{"do", BESIDE_DO}, {"else", BESIDE_ELSE}, {"split", BESIDE_SPLIT}};
	const struct shape *shape = &shapes[node->kind];
	bool branches = node->kind == NODE_PAR && has_branches(key);
	const struct yaml_node *n;
	enum err_code code = ERR_OK;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		n = yaml_get(map, keys[i].key);
		if (n && n != key && (!(shape->beside & keys[i].beside) || branches))
			return document_fail_key(d, n, "'%s' is not allowed in '%s'%s", keys[i].key, key->key,
						 branches ? " with a list of branches" : "");
	}
	n = yaml_get(map, "do");
	if (shape->needs_do && !branches) {
		if (!n)
			return document_fail_key(d, key, "'%s' needs 'do'", key->key);
		code = nodes_read(d, n, &node->body);
	}
	n = yaml_get(map, "else");
	if (!code && n)
		code = nodes_read(d, n, &node->otherwise);
	n = yaml_get(map, "split");
	if (!code && n)
		code = read_split(d, n, node);
	n = yaml_get(map, "name");
	if (!code && n)
		code = document_text(d, n, &node->name);
	return code;
}

static enum err_code read_node(const struct model_document *d, const struct yaml_node *n, struct model_node **out)
{
	enum model_node_kind kind = NODE_DO;
	const struct yaml_node *key;
	enum err_code code;

	*out = NULL;
	if (n->kind == YAML_LIST) {
		*out = model_node_make(d, n, NODE_DO);
		return *out ? read_items(d, n, &(*out)->body) : err_memory(d->e, "a program");
	}
	if (n->kind != YAML_MAP)
		return document_expected(d, n, "a node, such as compute: 3ms");
	code = find_kind(d, n, &key, &kind);
	if (code)
		return code;
	*out = model_node_make(d, n, kind);
	if (!*out)
		return err_memory(d->e, "a program");
	code = shapes[kind].read(d, key, *out);
	return code ? code : read_beside(d, n, key, *out);
}

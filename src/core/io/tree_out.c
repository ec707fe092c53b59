#include "tree_out.h"

#include <math.h>
#include <string.h>
#include <yaml.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "yaml_in.h"

/* libyaml's bytes go into the out. */
static int tree_take_bytes(void *arg, unsigned char *bytes, size_t n)
{
	struct out *out = arg;

	out_add(out, (const char *)bytes, n);
	return !out->failed;
}

/* Hand an event to the emitter, which owns it from then on. `made`: whether it could be initialized. */
static void tree_emit_event(struct tree_out *t, yaml_event_t *event, int made)
{
	if (!made)
		t->failed = true;
	else if (t->failed)
		yaml_event_delete(event);
	else if (!yaml_emitter_emit(t->yaml, event))
		t->failed = true;
}

void tree_out_init(struct tree_out *t, struct out *out, bool json)
{
	yaml_event_t event;

	*t = (struct tree_out){.out = out};
	if (json)
		return;
	t->yaml = mem_zero(1, sizeof *t->yaml);
	if (!t->yaml || !yaml_emitter_initialize(t->yaml)) {
		mem_free(t->yaml);
		t->yaml = NULL;
		t->failed = true;
		return;
	}
	yaml_emitter_set_output(t->yaml, tree_take_bytes, out);
	yaml_emitter_set_encoding(t->yaml, YAML_UTF8_ENCODING);
	yaml_emitter_set_unicode(t->yaml, 1);
	yaml_emitter_set_width(t->yaml, -1); /* lists of many processes stay on their line */
	tree_emit_event(t, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
	tree_emit_event(t, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
}

enum err_code tree_out_finish(struct tree_out *t, struct err *e)
{
	yaml_event_t event;

	if (t->yaml) {
		tree_emit_event(t, &event, yaml_document_end_event_initialize(&event, 1));
		tree_emit_event(t, &event, yaml_stream_end_event_initialize(&event));
		yaml_emitter_delete(t->yaml);
		mem_free(t->yaml);
		t->yaml = NULL;
	} else {
		out_str(t->out, "\n");
	}
	return t->failed || t->out->failed ? err_memory(e, "the output") : ERR_OK;
}

static bool flowing(const struct tree_out *t)
{
	return t->depth && t->level[t->depth - 1].flow;
}

static void new_line(struct tree_out *t)
{
	out_str(t->out, "\n");
	for (unsigned i = 0; i < t->depth; i++)
		out_str(t->out, "  ");
}

/* What stands before a JSON key or list item: comma and blank or line. */
static void json_item(struct tree_out *t)
{
	if (t->after_key) {
		t->after_key = false;
		return;
	}
	if (!t->depth)
		return;
	if (t->level[t->depth - 1].begun)
		out_str(t->out, flowing(t) ? ", " : ",");
	if (!flowing(t))
		new_line(t);
	t->level[t->depth - 1].begun = true;
}

static void scalar(struct tree_out *t, const char *text, bool quoted)
{
	yaml_scalar_style_t style = quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE;
	const unsigned char *value = (const unsigned char *)text;
	int n = (int)strlen(text);
	yaml_event_t event;

	if (t->failed)
		return;
	if (t->yaml) {
		tree_emit_event(t, &event, yaml_scalar_event_initialize(&event, NULL, NULL, value, n, 1, 1, style));
		return;
	}
	json_item(t);
	if (quoted)
		json_string(t->out, text);
	else
		out_str(t->out, text);
}

static void open_level(struct tree_out *t, bool map, bool flow)
{
	yaml_event_t event;

	if (t->failed || t->depth == TREE_DEPTH) {
		t->failed = true;
		return;
	}
	if (t->yaml && map) {
		yaml_mapping_style_t style = flow ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE;

		tree_emit_event(t, &event, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, style));
	} else if (t->yaml) {
		yaml_sequence_style_t style = flow ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE;

		tree_emit_event(t, &event, yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, style));
	} else {
		json_item(t);
		out_str(t->out, map ? "{" : "[");
	}
	t->level[t->depth].map = map;
	t->level[t->depth].flow = flow || flowing(t);
	t->level[t->depth].begun = false;
	t->depth++;
}

void tree_map(struct tree_out *t, bool flow)
{
	open_level(t, true, flow);
}

void tree_list(struct tree_out *t, bool flow)
{
	open_level(t, false, flow);
}

void tree_end(struct tree_out *t)
{
	yaml_event_t event;
	bool map, broken;

	if (t->failed)
		return;
	t->depth--;
	map = t->level[t->depth].map;
	broken = t->level[t->depth].begun && !t->level[t->depth].flow;
	if (t->yaml) {
		tree_emit_event(t, &event,
		     map ? yaml_mapping_end_event_initialize(&event) : yaml_sequence_end_event_initialize(&event));
		return;
	}
	if (broken)
		new_line(t);
	out_str(t->out, map ? "}" : "]");
}

void tree_key(struct tree_out *t, const char *key)
{
	if (t->failed)
		return;
	if (t->yaml) {
		scalar(t, key, yaml_needs_quotes(key));
		return;
	}
	json_item(t);
	json_string(t->out, key);
	out_str(t->out, ": ");
	t->after_key = true;
}

void tree_text(struct tree_out *t, const char *text)
{
	scalar(t, text, !t->yaml || yaml_needs_quotes(text));
}

void tree_whole(struct tree_out *t, uint64_t v)
{
	char buf[NUMBER_TEXT];

	number_whole(v, buf);
	scalar(t, buf, false);
}

void tree_real(struct tree_out *t, double v)
{
	char buf[NUMBER_TEXT];

	if (isnan(v))
		strcpy(buf, "null");
	else
		number_format(v, buf);
	scalar(t, buf, false);
}

void tree_bool(struct tree_out *t, bool v)
{
	scalar(t, v ? "true" : "false", false);
}

void json_string(struct out *out, const char *text)
{
	size_t from = 0, i;

	out_str(out, "\"");
	for (i = 0; text[i]; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
			continue;
		out_add(out, text + from, i - from);
		from = i + 1;
		if (c == '"' || c == '\\')
			out_printf(out, "\\%c", c);
		else
			out_printf(out, "\\u%04x", c);
	}
	out_add(out, text + from, i - from);
	out_str(out, "\"");
}

void tree_put_null(struct tree_out *t, const char *key)
{
	tree_put_real(t, key, (double)NAN);
}

void tree_put_text(struct tree_out *t, const char *key, const char *text)
{
	if (!text) {
		tree_put_null(t, key);
		return;
	}
	tree_key(t, key);
	tree_text(t, text);
}

void tree_put_whole(struct tree_out *t, const char *key, uint64_t v)
{
	tree_key(t, key);
	tree_whole(t, v);
}

void tree_put_real(struct tree_out *t, const char *key, double v)
{
	tree_key(t, key);
	tree_real(t, v);
}

void tree_put_bool(struct tree_out *t, const char *key, bool v)
{
	tree_key(t, key);
	tree_bool(t, v);
}

void tree_put_map(struct tree_out *t, const char *key, bool flow)
{
	tree_key(t, key);
	tree_map(t, flow);
}

void tree_put_list(struct tree_out *t, const char *key, bool flow)
{
	tree_key(t, key);
	tree_list(t, flow);
}

void tree_put_wholes(struct tree_out *t, const char *key, const uint32_t *v, uint32_t n)
{
	tree_put_list(t, key, true);
	for (uint32_t i = 0; i < n; i++)
		tree_whole(t, v[i]);
	tree_end(t);
}

void tree_put_reals(struct tree_out *t, const char *key, const double *v, uint32_t n)
{
	tree_put_list(t, key, true);
	for (uint32_t i = 0; i < n; i++)
		tree_real(t, v[i]);
	tree_end(t);
}

#include "widgets.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/screen/keys.h"

#define TYPED_LEAST 12 /* columns for what is typed, whatever there is to say about it */

void prompt_init(struct prompt *p)
{
	memset(p, 0, sizeof *p);
	p->completion = -1;
}

void prompt_release(struct prompt *p)
{
	for (int k = 0; k < PROMPT_KINDS; k++)
		for (int i = 0; i < p->history[k].n; i++)
			mem_free(p->history[k].lines[i]);
	prompt_init(p);
}

static void set_text(struct prompt *p, const char *text)
{
	snprintf(p->text, sizeof p->text, "%s", text);
	p->len = p->at = strlen(p->text);
}

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *label, const char *text)
{
	p->kind = kind;
	snprintf(p->label, sizeof p->label, "%s", label);
	p->error[0] = 0;
	p->recalled = p->history[kind].n;
	p->completion = -1;
	p->fresh = kind == PROMPT_VALUE && *text;
	set_text(p, text);
}

bool prompt_is_question(const struct prompt *p)
{
	return p->kind == PROMPT_OVERWRITE || p->kind == PROMPT_SETTINGS;
}

void prompt_close(struct prompt *p)
{
	p->kind = PROMPT_NONE;
}

void prompt_remember(struct prompt *p, enum prompt_kind kind, const char *line)
{
	char **lines = p->history[kind].lines, *copy;
	int *n = &p->history[kind].n;

	if (!*line || strlen(line) >= PROMPT_TEXT || (*n && !strcmp(lines[*n - 1], line)))
		return;
	copy = mem_strdup(line);
	if (!copy)
		return;
	if (*n == PROMPT_HISTORY) {
		mem_free(lines[0]);
		memmove(lines, lines + 1, (PROMPT_HISTORY - 1) * sizeof *lines);
		(*n)--;
	}
	lines[(*n)++] = copy;
}

static void recall(struct prompt *p, int step)
{
	int n = p->history[p->kind].n, to = p->recalled + step;

	if (to < 0 || to > n)
		return;
	p->recalled = to;
	set_text(p, to == n ? "" : p->history[p->kind].lines[to]);
}

static void erase(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->at = from;
}

static size_t before(const struct prompt *p, size_t at)
{
	while (at > 0 && ((unsigned char)p->text[--at] & 0xC0) == 0x80)
		;
	return at;
}

static size_t after(const struct prompt *p, size_t at)
{
	uint32_t c;

	return at + text_decode(p->text + at, p->len - at, &c);
}

static size_t word_before(const struct prompt *p)
{
	size_t at = p->at;

	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static void insert(struct prompt *p, uint32_t key)
{
	char bytes[4];
	size_t n;

	if (key < 32 || key >= KEYCODE_FIRST || !text_is_safe(key))
		return;
	if (p->fresh)
		set_text(p, "");
	n = text_encode(key, bytes);
	if (p->len + n >= sizeof p->text)
		return;
	memmove(p->text + p->at + n, p->text + p->at, p->len - p->at + 1);
	memcpy(p->text + p->at, bytes, n);
	p->len += n;
	p->at += n;
}

static void complete(struct prompt *p)
{
	char out[PROMPT_TEXT];

	if (!p->complete || p->kind != PROMPT_COMMAND)
		return;
	if (p->completion < 0)
		memcpy(p->typed, p->text, sizeof p->typed);
	p->completion++;
	if (!p->complete(p->ctx, p->typed, p->completion, out, sizeof out)) {
		p->completion = 0; /* round again */
		if (!p->complete(p->ctx, p->typed, 0, out, sizeof out)) {
			p->completion = -1;
			return;
		}
	}
	set_text(p, out);
}

enum prompt_state prompt_key(struct prompt *p, uint32_t key)
{
	p->error[0] = 0;
	if (key != KEYCODE_TAB)
		p->completion = -1;
	switch (key) {
	case KEYCODE_ENTER:
		prompt_remember(p, p->kind, p->text);
		return PROMPT_ACCEPTED;
	case KEYCODE_ESC: return PROMPT_CANCELLED;
	case KEYCODE_TAB: complete(p); break;
	case KEYCODE_UP: recall(p, -1); break;
	case KEYCODE_DOWN: recall(p, 1); break;
	case KEYCODE_LEFT: p->at = before(p, p->at); break;
	case KEYCODE_RIGHT: p->at = after(p, p->at); break;
	case KEYCODE_HOME:
	case 'a' - 96: p->at = 0; break;
	case KEYCODE_END:
	case 'e' - 96: p->at = p->len; break;
	case 'u' - 96: erase(p, 0, p->at); break;
	case 'k' - 96: erase(p, p->at, p->len); break;
	case 'w' - 96: erase(p, word_before(p), p->at); break;
	case KEYCODE_DELETE: erase(p, p->at, after(p, p->at)); break;
	case KEYCODE_BACKSPACE:
		if (!p->len)
			return PROMPT_CANCELLED;
		erase(p, before(p, p->at), p->at);
		break;
	default: insert(p, key);
	}
	p->fresh = false;
	return PROMPT_TYPING;
}

/* Without what it explains in brackets, where a mistake has no room beside that. */
static void shown_label(const struct prompt *p, int room, char label[PROMPT_LABEL])
{
	const char *bracket = strstr(p->label, " (");

	snprintf(label, PROMPT_LABEL, "%s", p->label);
	if (p->error[0] && bracket && text_width(p->label) + TYPED_LEAST + text_width(p->error) + 2 > room)
		snprintf(label, PROMPT_LABEL, "%.*s: ", (int)(bracket - p->label), p->label);
}

void prompt_draw(const struct prompt *p, struct pane pane)
{
	char left[PROMPT_TEXT], label[PROMPT_LABEL];
	int x, room, skip;
	size_t from = 0;

	pane_fill(pane, ' ', ROLE_DEFAULT, 0);
	shown_label(p, pane.w, label);
	x = pane_text(pane, 0, 0, ROLE_KEY, 0, label);
	room = pane.w - x - 1;
	if (room < 1)
		return;
	if (p->error[0]) {
		int wide = text_width(p->error), most = room - TYPED_LEAST > 0 ? room - TYPED_LEAST : 0;

		wide = wide < most ? wide : most;
		pane_text_in(pane, pane.w - 1 - wide, 0, wide, ROLE_ERROR, 0, p->error);
		room -= wide + 2;
	}
	/* Scroll so that the cursor is seen. */
	snprintf(left, sizeof left, "%.*s", (int)p->at, p->text);
	for (skip = text_width(left) - room; skip > 0 && from < p->at; from = after(p, from)) {
		snprintf(left, sizeof left, "%.*s", (int)(p->at - from), p->text + from);
		if (text_width(left) <= room)
			break;
	}
	snprintf(left, sizeof left, "%.*s", (int)(p->at - from), p->text + from);
	pane_text(pane_part(pane, x, 0, room + 1, 1), 0, 0, ROLE_PROMPT, 0, p->text + from);
	if (p->fresh)
		pane_stress(pane, x, 0, text_width(left), ATTR_REVERSE);
	pane_stress(pane, x + text_width(left), 0, 1, ATTR_CURSOR);
}

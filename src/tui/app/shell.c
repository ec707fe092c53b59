#include "app_int.h"

#include <stdio.h>

void shell_init(struct shell *s, bool ascii, bool mouse)
{
	keymap_init(&s->keymap);
	prompt_init(&s->prompt);
	canvas_init(&s->canvas, ascii);
	s->panel.selected = SETTING_volume;
	s->mouse = mouse;
}

void shell_release(struct shell *s)
{
	prompt_release(&s->prompt);
	strip_release(&s->strip);
	sensitivity_strip_release(&s->sensitivity);
	canvas_release(&s->canvas);
}

void shell_forget(struct shell *s)
{
	enum measure measure = s->sensitivity.measure;

	strip_release(&s->strip);
	sensitivity_strip_release(&s->sensitivity);
	s->sensitivity = (struct sensitivity_strip){.measure = measure};
	s->panel = (struct panel){.selected = s->panel.selected};
	s->path[0] = 0;
	s->pending = ACTION_NONE;
}

void shell_resize(struct shell *s, int w, int h)
{
	canvas_resize(&s->canvas, w, h);
	if (!s->panel_asked)
		s->panel_wanted = w >= 100;
}

void shell_toggle_panel(struct shell *s)
{
	bool beside = s->canvas.w >= SHELL_BESIDE_W;

	s->panel_wanted = beside ? !s->panel_wanted : !s->panel.focus;
	s->panel_asked = true;
	s->panel.focus = s->panel_wanted && (s->panel.focus || !beside);
}

void shell_leave(struct shell *s, int status, const char *words)
{
	s->quit = true;
	s->status = status;
	snprintf(s->last_words, sizeof s->last_words, "%s", words);
}

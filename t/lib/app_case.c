#include "app_case.h"

#include <stdio.h>
#include <unistd.h>

#include "tui/app/app_int.h"

const char *screen(struct app *a)
{
	static char text[262144];
	struct out o;

	app_draw(a);
	out_init(&o);
	canvas_dump_text(&a->shell.canvas, &o);
	snprintf(text, sizeof text, "%s", o.text ? o.text : "");
	out_release(&o);
	return text;
}

void type(struct app *a, const char *keys)
{
	for (; *keys; keys++) {
		app_key(a, (uint32_t)*keys);
		app_draw(a);
	}
}

void type_and_settle(struct app *a, const char *keys)
{
	for (; *keys; keys++) {
		app_key(a, (uint32_t)*keys);
		app_settle(a);
	}
}

static enum err_code until_stopped(struct task *t, const struct progress *progress, struct err *e)
{
	(void)t;
	while (!progress_stopped(progress))
		usleep(1000);
	return err_set(e, ERR_CANCELLED, "stopped");
}

static void free_nothing(struct task *t)
{
	(void)t;
}

void background_park(struct background *b, int slot)
{
	static struct task endless = {until_stopped, free_nothing};
	struct task *made;
	struct err e;

	while (background_state(b, slot).busy)
		usleep(1000);
	made = background_take(b, slot, &e);
	if (made)
		made->free(made);
	background_ask(b, slot, &endless);
}

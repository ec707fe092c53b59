/* While the loops of new phases are being looked for, as at each step of a knob, nothing on the screen moves: grid and
 * timeline keep the row of iterations, empty, and the list of phases stays below the old structure, dimmed.
 */
#include <string.h>

#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/model/iterations.h"

/* The row of the screen that begins so, and the letter of the role in its column x; -1: there is none. */
static int row_of(struct app *a, const char *begin)
{
	const char *line;
	struct out o;
	int row = 0;

	out_init(&o);
	canvas_dump_text(&a->shell.canvas, &o);
	for (line = o.text; line && strncmp(line, begin, strlen(begin)); row++)
		line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
	out_release(&o);
	return line ? row : -1;
}

static enum role role_at(const struct app *a, int x, int y)
{
	return (enum role)a->shell.canvas.cells[y * a->shell.canvas.w + x].role;
}

/* One frame with the new phases, and before theirs are folded. */
static void turn(struct app *a, double events)
{
	struct settings s = a->work.model.settings;

	s.events = events;
	app_settings(a, &s, -1);
	session_wait_idle(a->work.session);
	app_news(a);
	app_draw(a);
}

static void stays(struct app *a, enum view_id view, double events, const char *row, const char *below)
{
	const char *name = view_info(view)->name;
	int at, then;

	app_show(a, view);
	app_settle(a);
	at = row_of(a, row);
	then = row_of(a, below);
	ok(at > 0 && then > at && !iteration_pending(&a->work.model), "%s: '%s' stands over '%s'", name, row, below);
	turn(a, events);
	ok(iteration_pending(&a->work.model) && !iteration_count(&a->work.model), "%s: a knob is turned, iterations are not known", name);
	ok(row_of(a, row) == at && row_of(a, below) == then, "%s: nothing has moved", name);
	if (view == VIEW_PHASES)
		is_u64(role_at(a, 15, at), ROLE_DIM, "the old structure is dimmed");
	app_settle(a);
	ok(!iteration_pending(&a->work.model) && iteration_count(&a->work.model), "%s: until they are", name);
	ok(row_of(a, row) == at, "%s: and the row is where it was", name);
}

int main(void)
{
	static const char *const files[] = {"sample-traces/lu.S.4.clog2"};
	struct tui_options o = {.paths = files, .count = 1, .view = "grid"};
	static struct app a;
	struct err e;

	settings_init(&o.settings);
	if (app_init(&a, &o, &e))
		bail_out("%s", e.text);
	app_resize(&a, 80, 24);
	app_settle(&a);
	stays(&a, VIEW_GRID, 0.4, " loop", " r0 ");
	stays(&a, VIEW_TIMELINE, 0.8, " loop", " r0 ");
	stays(&a, VIEW_PHASES, 0.4, " structure", " phase  mark");
	app_release(&a);
	return done_testing();
}

/* The processes: what each did, its peers, and the ranks that made others wait; Enter shows one in the grid. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "processes_int.h"
#include "tui/panes/panes.h"

#define ROWS_LEAST 3 /* of the list, before there is a foot */

static struct processes_view *self(struct view *v)
{
	return (struct processes_view *)v;
}

/* --- columns --- */

/* Drawn by this view alone. */
enum { OWN_NAME = 1000 };

static const struct column_look columns[] = {
	{"process", "rank", .width = 8, .id = OWN_NAME}, {.id = METRICS_PROCESS_USEFUL, .title = "computation", .width = 11},
	{.id = METRICS_PROCESS_SYNC, .title = "waiting", .width = 10}, {.id = METRICS_PROCESS_COMMUNICATION, .width = 13, .priority = 5},
	{.id = METRICS_PROCESS_BUSY, .title = "comp. %", .width = 8, .priority = 3}, {.id = METRICS_PROCESS_BYTES_SENT, .width = 11, .priority = 2},
	{.id = METRICS_PROCESS_SENDS, .width = 9, .priority = 6}, {.id = METRICS_PROCESS_RECEIVES, .width = 9, .priority = 7},
	{.id = METRICS_PROCESS_PARTNERS, .width = 8, .priority = 9}, {.id = METRICS_PROCESS_HEAVIEST_PARTNER, .width = 9, .priority = 4},
	{.id = METRICS_PROCESS_WAITED_MOST_FOR, .width = 10, .priority = 1}, {.id = METRICS_PROCESS_CAUSED, .width = 10},
	{.id = METRICS_PROCESS_IDEAL_END, .width = 10, .priority = 8}, {.id = METRICS_PROCESS_EVENTS, .width = 9, .priority = 10},
	{.id = METRICS_PROCESS_RECORDS, .width = 10, .priority = 12}, {.id = METRICS_PROCESS_HOST, .width = 16, .priority = 11},
};
#define COLUMNS ((int)(sizeof columns / sizeof *columns))

static bool is_process(int id)
{
	return id == METRICS_PROCESS_HEAVIEST_PARTNER || id == METRICS_PROCESS_WAITED_MOST_FOR;
}

double processes_figure(const struct processes_view *s, uint32_t row, int column)
{
	int id = columns[column].id;
	struct cell x;

	if (id == OWN_NAME || is_process(id) || !s->run->log->trace->processes[s->run->processes.row[row].process].records)
		return NAN;
	x = metrics_processes_columns.column[id].value(&s->rows, row);
	return x.kind == CELL_REAL ? x.real : x.kind == CELL_WHOLE ? (double)x.whole : (double)NAN;
}

void processes_value_text(const struct processes_view *s, int column, double v, char buf[UNIT_TEXT])
{
	int id = columns[column].id;
	const struct column *c = &metrics_processes_columns.column[id];

	(void)s;
	if (isnan(v))
		snprintf(buf, UNIT_TEXT, "-");
	else if (c->kind == COLUMN_SECONDS)
		unit_time(buf, v);
	else if (c->kind == COLUMN_SHARE)
		unit_figure_percent(buf, v);
	else if (id == METRICS_PROCESS_BYTES_SENT)
		unit_bytes(buf, (uint64_t)(v + 0.5));
	else
		unit_count(buf, (uint64_t)(v + 0.5));
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct processes_view *s = ctx;
	int id = columns[column].id, out = processes_stands_out(s, row, column);
	char text[UNIT_TEXT];
	struct cell x;

	if (id == OWN_NAME) {
		unit_rank_short(f->text, s->run->processes.row[row].process);
		return;
	}
	if (id == METRICS_PROCESS_HOST) {
		drawn_field(&s->drawn, &s->rows, row, column, f);
		return;
	}
	if (is_process(id)) {
		x = metrics_processes_columns.column[id].value(&s->rows, row);
		snprintf(f->text, sizeof f->text, "%s", x.kind == CELL_WHOLE ? unit_rank_short(text, (uint32_t)x.whole) : "-");
		return;
	}
	processes_value_text(s, column, processes_figure(s, row, column), text);
	snprintf(f->text, sizeof f->text, "%s%s", out > 0 ? "↑" : out < 0 ? "↓" : "", text);
	if (out)
		f->role = ROLE_WARN;
}

static double key(const void *ctx, uint32_t row, int column)
{
	const struct processes_view *s = ctx;

	int id = columns[column].id;
	double v;

	if (id == OWN_NAME)
		return s->run->processes.row[row].process;
	if (id == METRICS_PROCESS_HOST || is_process(id))
		return drawn_key(&s->drawn, &s->rows, row, column);
	v = processes_figure(s, row, column);
	return isnan(v) ? -1 : v; /* none is below 0 */
}

static void open_processes(struct view *v)
{
	drawn_list_init(&self(v)->drawn, &metrics_processes_columns, columns, COLUMNS, field, key);
}

static void close_processes(struct view *v)
{
	struct processes_view *s = self(v);

	derived_release(&s->whom);
	made_unref(s->run);
	mem_free(s->caused);
}

/* --- what has come --- */

struct peers {
	struct made made;
	struct spent *run; /* a reference */
	struct process_peers *peers;
};

static bool peers_can(const void *from)
{
	return ((const struct processes_view *)from)->run != NULL;
}

static void peers_begin(void *made, const void *from)
{
	((struct peers *)made)->run = made_ref(((const struct processes_view *)from)->run);
}

static bool peers_is_of(const void *made, const void *from)
{
	return ((const struct peers *)made)->run == ((const struct processes_view *)from)->run;
}

static enum err_code peers_make(void *made, const struct progress *progress, struct err *e)
{
	struct peers *x = made;

	return process_peers_new(&x->peers, x->run->log->trace, x->run->metrics->waits, progress, e);
}

static void peers_release(void *made)
{
	struct peers *x = made;

	process_peers_free(x->peers);
	made_unref(x->run);
}

static const struct derived_kind peers_kind = {
	"the peers of each rank", sizeof(struct peers), peers_can, peers_begin, peers_is_of, peers_make, peers_release,
};

static bool take_peers(struct processes_view *s)
{
	const struct process_peers *was = s->peers;
	const struct peers *x;

	derived_update(&s->whom, &peers_kind, s->view.model->background, s);
	x = derived_current(&s->whom, s);
	s->peers = x ? x->peers : NULL;
	return s->peers != was;
}

/* What others waited because of each process; which phase it was in does not matter. */
static void take_caused(struct processes_view *s)
{
	const struct spent_phases *phases = spent_phases(s->view.model);
	const struct causes *causes = phases && phases->run == s->run ? phases->causes : NULL;

	mem_free(s->caused);
	s->caused = causes ? mem_zero(s->run->metrics->processes, sizeof *s->caused) : NULL;
	for (uint32_t i = 0; s->caused && i < causes->count; i++)
		s->caused[causes->list[i].process] += causes->list[i].useful + causes->list[i].in_calls;
}

static void processes_take_run(struct processes_view *s)
{
	const struct model *m = s->view.model;
	struct spent *run = spent_run(m);
	struct list *l = &s->view.list;
	bool more = run && s->serial != spending_serial(m);
	uint32_t keep = list_row(l);

	if (s->run && !run) {
		derived_forget(&s->whom);
		made_unref(s->run);
		s->run = NULL;
	}
	if (more) {
		s->serial = spending_serial(m);
		if (s->run != run) {
			made_unref(s->run);
			s->run = made_ref(run);
		}
		take_caused(s);
	}
	if (take_peers(s) && s->run)
		more = true;
	if (!more)
		return;
	s->rows = (struct metrics_processes_list){.metrics = s->run->metrics, .rows = &s->run->processes, .critical = s->run->critical,
						  .peers = s->peers, .caused = s->caused};
	processes_figures_make(s);
	list_refresh(l, &s->drawn.source, s, s->run->processes.count, keep < s->run->processes.count ? keep : UINT32_MAX);
}

static void show_processes(struct view *v)
{
	struct processes_view *s = self(v);

	if (s->run) /* where one is in the grid is where one looks first */
		list_select(&v->list, v->model->cursor.process);
}

static void update_processes(struct view *v, int w, int h)
{
	struct processes_view *s = self(v);
	struct model *m = v->model;
	bool first = !s->serial;
	int foot, rows;
	(void)w;

	if (!m->trace || !m->background)
		return;
	spending_update(m);
	processes_take_run(s);
	if (!s->run)
		return;
	if (first)
		show_processes(v);
	rows = (int)s->run->processes.count + 1 < h ? (int)s->run->processes.count + 1 : h;
	foot = processes_foot_lines(s) + 1;
	s->foot_h = h - rows < 2 ? 2 : h - rows;
	if (s->foot_h > foot)
		s->foot_h = foot;
	if (h - s->foot_h < ROWS_LEAST + 1)
		s->foot_h = 0;
	s->list_h = h - s->foot_h < rows || !s->foot_h ? h - s->foot_h : rows;
	list_fit(&v->list, s->list_h - 1);
}

static struct pane list_pane_processes(const struct view *v, struct pane p)
{
	const struct processes_view *s = (const struct processes_view *)v;

	return pane_part(p, 0, 0, p.w, s->list_h);
}

static void draw_processes(const struct view *v, struct pane p)
{
	static const struct waiting making = {
		PROGRESS_READ, "Reading calls, finding waits, simulating an ideal network…", "measures the run",
	};
	const struct processes_view *s = (const struct processes_view *)v;

	if (!s->run) {
		waiting_draw(&making, v->model, &v->model->spending.run, spending_failure(v->model), p);
		return;
	}
	list_draw(&v->list, &s->drawn.source, s, list_pane_processes(v, p));
	if (s->foot_h)
		processes_foot_draw(s, pane_part(p, 0, s->list_h, p.w, s->foot_h));
}

/* --- keys --- */

static unsigned act_waiting(struct model *m, enum action a)
{
	if (a == ACTION_BACK && spending_busy(m)) {
		spending_cancel(m);
		return REACT_DONE;
	}
	if (a == ACTION_BACK || a == ACTION_PROCESSES)
		return REACT_CLOSE;
	if (a != ACTION_ENTER || !spending_failure(m)[0])
		return REACT_IGNORED;
	spending_again(m);
	return REACT_DONE;
}

static unsigned act_processes(struct view *v, enum action a)
{
	struct processes_view *s = self(v);
	struct model *m = v->model;
	uint32_t row;

	if (!s->run)
		return act_waiting(m, a);
	if (list_act(&v->list, a))
		return REACT_DONE;
	switch (a) {
	case ACTION_BACK:
	case ACTION_PROCESSES:
		return REACT_CLOSE;
	case ACTION_ENTER:
	case ACTION_GOTO:
		row = list_row(&v->list);
		if (row == UINT32_MAX || !model_ticks(m))
			return REACT_DONE;
		model_goto(m, s->run->processes.row[row].process, m->cursor.tick);
		return REACT_JUMPED | react_show(VIEW_GRID);
	default:
		return REACT_IGNORED;
	}
}

/* "rank 2 waited most for rank 1, 1.2 s of 4.4 s · most bytes with rank 3, 12 MiB in 340 messages ·
 * others waited 3.1 s for it" */
static void status_processes(const struct view *v, char *text, size_t size, int room)
{
	const struct processes_view *s = (const struct processes_view *)v;
	uint32_t row = s->run ? list_row(&v->list) : UINT32_MAX, process;
	const struct process_peer *peer;
	char a[UNIT_TEXT], b[UNIT_TEXT];
	size_t len;

	text[0] = 0;
	if (row == UINT32_MAX)
		return;
	process = s->run->processes.row[row].process;
	snprintf(text, size, "%s", unit_rank((char[UNIT_TEXT]){""}, process));
	if (s->whom.failure[0]) {
		snprintf(text, size, "%s", s->whom.failure);
		return;
	}
	if (!s->peers)
		return;
	peer = &s->peers->of[process];
	if (peer->waited_for != NO_PROCESS)
		snprintf(text + strlen(text), size - strlen(text), " waited most for %s, %s of %s", unit_rank((char[UNIT_TEXT]){""}, peer->waited_for),
			 unit_time(a, peer->waited), unit_time(b, account_sync(&s->run->processes.row[row].account)));
	len = strlen(text);
	if (peer->heaviest != NO_PROCESS)
		snprintf(text + len, size - len, " · most bytes with %s, %s in %s message%s", unit_rank((char[UNIT_TEXT]){""}, peer->heaviest),
			 unit_bytes(a, peer->bytes), unit_count(b, peer->messages), peer->messages == 1 ? "" : "s");
	len = strlen(text);
	if (s->caused && s->caused[process] > 0)
		snprintf(text + len, size - len, " · delay cost %s", unit_time(a, s->caused[process]));
	text_drop_facts(text, room);
}

/* --- rows --- */

static const struct row_source *rows_processes(const struct view *v)
{
	const struct processes_view *s = (const struct processes_view *)v;

	return s->run ? &s->drawn.source : NULL;
}

static bool table_processes(struct view *v, bool all, struct view_table *t)
{
	struct processes_view *s = self(v);
	const struct list *l = &v->list;

	if (!s->run)
		return false;
	s->written = (struct shown_table){.list = &s->rows};
	shown_pick(&s->written, &metrics_processes_columns, METRICS_ALL | METRICS_PEERS, false);
	table_of_list(t, &s->written, NULL, l, all);
	return true;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "logical view"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_EXPORT_ROWS, ACTION_NONE, "rows to a file"},
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_processes = {
	.size = sizeof(struct processes_view),
	.hints = hints,
	.open = open_processes,
	.close = close_processes,
	.show = show_processes,
	.update = update_processes,
	.draw = draw_processes,
	.act = act_processes,
	.status = status_processes,
	.rows = rows_processes,
	.table = table_processes,
	.list_pane = list_pane_processes,
};

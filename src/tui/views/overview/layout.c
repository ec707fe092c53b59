/* The layout of the page: lines first; the remaining room is used for the bar of the time breakdown, the iterations,
 * more of the structure, and then for blocks of rows. If there is no room for the lines, the page scrolls. */
#include "core/base/mem.h"
#include "overview_int.h"

#define PAIR_W 104       /* from here on two short lines stand beside each other */
#define PAIR_LEAST 66    /* if there are few rows */
#define BLOCK_LEAST 4    /* rows: a title and some more */
#define PLOT_LEAST 6
#define PLOT_MOST 14
#define THREE_W 120      /* columns for three blocks beside each other, and for two */
#define TWO_W 76
#define GAP 2

struct stand {
	struct overview_view *s;
	int y;
	bool airy;           /* a blank row between groups of lines */
	bool pairs;          /* two short lines beside each other */
};

static void overview_add_item(struct overview_view *s, struct overview_item item)
{
	s->items[s->item_count++] = item;
}

static void overview_place_line(struct stand *at, enum overview_line line, int rows)
{
	struct overview_view *s = at->s;

	overview_add_item(s, (struct overview_item){.line = line, .block = -1, .x = 0, .y = at->y, .w = s->w, .h = rows});
	at->y += rows;
}

/* Two lines, beside each other if there is room. */
static void overview_place_pair(struct stand *at, enum overview_line left, enum overview_line right)
{
	struct overview_view *s = at->s;

	if (!at->pairs) {
		overview_place_line(at, left, 1);
		overview_place_line(at, right, 1);
		return;
	}
	overview_place_line(at, left, 1);
	s->items[s->item_count - 1].w = s->w / 2 + 2;
	overview_add_item(s, (struct overview_item){.line = right, .block = -1, .x = s->w / 2 + 2, .y = at->y - 1, .w = s->w - s->w / 2 - 2, .h = 1});
}

static void group(struct stand *at)
{
	at->y += at->airy;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* How the rows that the lines leave are shared out. */
struct shares {
	int bar, spark, structure, blocks, next;
	bool airy, pairs;
};

static int across_of(const struct overview_view *s)
{
	return s->w >= THREE_W ? 3 : s->w >= TWO_W ? 2 : 1;
}

/* That all blocks could fill. */
static int blocks_rows(const struct overview_view *s)
{
	int across = across_of(s), sum = 0, most = 0;

	for (int k = 0; k < BLOCKS; k++) {
		uint32_t n = overview_block_rows(s, (enum overview_block_kind)k);
		int rows = n ? 2 + (int)(n < 1000 ? n : 1000) * (k == BLOCK_PROCESSES && n <= 8 ? 3 : 1) : 0;

		sum += rows;
		most = rows > most ? rows : most;
	}
	return across == 3 ? most : sum;
}

static struct shares share_out(struct overview_view *s, int h)
{
	bool pairs = s->w >= PAIR_W || (h < PAGE_LINES && s->w >= PAIR_LEAST);
	int left = h - PAGE_LINES + pairs + !overview_has_patterns(s), want = overview_loops_rows(s, overview_room(s), h), blocks = 0;
	struct shares x = {.structure = 1, .next = 1, .pairs = pairs};

	x.bar = left > 0 && s->facts.has_account && s->run;
	left -= x.bar;
	x.spark = left > 0 && s->known && s->facts.iterations > 1;
	left -= x.spark;
	if (left > 0 && want > 1) {
		int more = least(want - 1, left < 16 ? left : left / 3);

		x.structure += more;
		left -= more;
	}
	if (left > 0 && overview_steps_width(s) > overview_room(s)) {
		x.next++;
		left--;
	}
	if (left >= 10) {
		x.airy = true;
		left -= 3;
	}
	for (int k = 0; k < BLOCKS; k++)
		blocks += overview_block_rows(s, (enum overview_block_kind)k) > 0;
	if (x.spark && left >= PLOT_LEAST + (blocks ? BLOCK_LEAST + 2 : 0)) {
		int rows = blocks ? least(left * 2 / 5, PLOT_MOST) : left, spare = left - blocks_rows(s) - 2;

		/* High screens: what no block has a use for. */
		rows = rows < PLOT_LEAST ? PLOT_LEAST : rows;
		rows = rows < spare ? least(spare, 2 * PLOT_MOST) : rows;
		x.spark += rows - 1;
		left -= rows - 1;
	}
	if (blocks && left >= BLOCK_LEAST)
		x.blocks = left - x.airy;
	return x;
}

/* --- blocks --- */

static void block(struct overview_view *s, enum overview_block_kind kind, int x, int y, int w, int h)
{
	static const enum overview_line lines[BLOCKS] = {PAGE_PHASE, PAGE_ROUTINE, PAGE_PROCESS};
	struct overview_block *b = &s->blocks[kind];
	uint32_t rows = overview_block_rows(s, kind), room = h > 1 ? (uint32_t)h - 1 : 0, n;

	*b = (struct overview_block){x, y, w, h, 1};
	/* Few processes have high bars. */
	if (kind == BLOCK_PROCESSES && rows)
		b->pitch = room / rows >= 3 ? 3 : room / rows >= 2 ? 2 : 1;
	n = rows < room ? rows : room;
	for (uint32_t i = 0; i < n; i++) {
		struct overview_item item = {.line = lines[kind], .block = kind, .x = x, .y = y + 1 + (int)i * b->pitch, .w = w, .h = 1};

		if (kind == BLOCK_PHASES) {
			item.index = s->phase_order[i];
		} else if (kind == BLOCK_ROUTINES) {
			item.index = s->state_order[i];
		} else {
			item.index = matrix_first(i, n, s->run->metrics->processes);
			item.end = matrix_first(i + 1, n, s->run->metrics->processes);
			item.h = b->pitch > 1 ? b->pitch - 1 : 1;
		}
		overview_add_item(s, item);
	}
}

static void place_blocks(struct overview_view *s, int y, int h)
{
	int across = across_of(s), there[BLOCKS], n = 0;

	for (int k = 0; k < BLOCKS; k++)
		if (overview_block_rows(s, (enum overview_block_kind)k))
			there[n++] = k;
	across = least(across, n);
	if (!across || h < BLOCK_LEAST)
		return;
	for (int from = 0; from < n && h >= BLOCK_LEAST; from += across) {
		int most = 0, below = 0, rows, last = from + across >= n, here = least(across, n - from);
		int w = (s->w - 1 - (here - 1) * GAP) / here;

		for (int i = from; i < n; i++) {
			int want = 1 + (int)least((int)overview_block_rows(s, (enum overview_block_kind)there[i]), 1000);

			if (i < from + across)
				most = want > most ? want : most;
			else
				below = want > below ? want : below;
		}
		/* Those of the last row have all that is left; before them up to half is kept for what follows. */
		below = least(below < BLOCK_LEAST ? BLOCK_LEAST : below, h / 2);
		rows = last ? h : least(most, h - below - 1 >= BLOCK_LEAST && below >= BLOCK_LEAST ? h - below - 1 : h);
		for (int i = from; i < n && i < from + across; i++)
			block(s, (enum overview_block_kind)there[i], (i - from) * (w + GAP), y, w, rows);
		y += rows + 1;
		h -= rows + 1;
	}
}

/* --- the page --- */

static void keep_seen(struct overview_view *s)
{
	const struct overview_item *i = overview_here(s);
	int first, end;

	if (!i)
		return;
	first = i->y;
	end = i->y + least(i->h, s->h);
	if (s->top > first)
		s->top = first;
	if (s->top + s->h < end)
		s->top = end - s->h;
	if (s->top + s->h > s->page_h)
		s->top = s->page_h - s->h;
	if (s->top < 0)
		s->top = 0;
}

void overview_lay_out(struct overview_view *s, int w, int h)
{
	struct overview_item was = {.line = PAGE_TIME, .block = -1}, *items;
	struct stand at = {.s = s};
	struct shares x;

	if (overview_here(s))
		was = *overview_here(s);
	s->w = w;
	s->h = h;
	items = mem_resize(s->items, (size_t)PAGE_LINES + 3 * (size_t)(h > 0 ? h : 0), sizeof *items);
	s->item_count = 0;
	for (int k = 0; k < BLOCKS; k++)
		s->blocks[k] = (struct overview_block){.h = 0};
	if (!items)
		return;
	s->items = items;
	x = share_out(s, h);
	at.airy = x.airy;
	at.pairs = x.pairs;
	s->words_y = at.y;
	s->words_h = x.structure;
	overview_place_line(&at, PAGE_STRUCTURE, x.structure);
	if (overview_has_patterns(s))
		overview_place_line(&at, PAGE_PATTERNS, 1);
	group(&at);
	s->bar_y = x.bar ? at.y : -1;
	s->times_y = at.y + x.bar;
	overview_place_line(&at, PAGE_TIME, 1 + x.bar);
	overview_place_line(&at, PAGE_EFFICIENCY, 1);
	overview_place_line(&at, PAGE_PHASES, 1);
	s->spark_y = at.y + 1;
	s->spark_h = x.spark;
	overview_place_line(&at, PAGE_ITERATION, 1 + x.spark);
	group(&at);
	overview_place_line(&at, PAGE_LOST, 1);
	overview_place_pair(&at, PAGE_SLOWEST, PAGE_HEAVIEST);
	overview_place_line(&at, PAGE_SIGNATURE, 1);
	overview_place_line(&at, PAGE_WARNINGS, 1);
	overview_place_line(&at, PAGE_NEXT, x.next);
	if (x.blocks)
		place_blocks(s, at.y + 1, h - at.y - 1);
	s->page_h = x.blocks ? h : at.y;
	overview_bars_make(s, overview_room(s));
	s->at = 0;
	for (uint32_t i = 0; i < s->item_count; i++)
		if (s->items[i].line == was.line && s->items[i].index == was.index)
			s->at = i;
	keep_seen(s);
}

bool overview_has_patterns(const struct overview_view *s)
{
	return s->view.model->trace && patterns_possible(s->view.model->trace);
}

const struct overview_item *overview_here(const struct overview_view *s)
{
	return s->at < s->item_count ? &s->items[s->at] : NULL;
}

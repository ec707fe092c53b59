#include "history.h"

#include <string.h>

void history_jump(struct history *h, struct trace_place from)
{
	if (h->place_at == HISTORY_PLACES) {
		memmove(h->places, h->places + 1, (HISTORY_PLACES - 1) * sizeof *h->places);
		h->place_at--;
	}
	h->places[h->place_at++] = from;
	h->place_n = h->place_at;
}

static void places_swap(struct trace_place *a, struct trace_place *b)
{
	struct trace_place was = *a;

	*a = *b;
	*b = was;
}

bool history_back(struct history *h, struct trace_place *cursor)
{
	if (!h->place_at)
		return false;
	places_swap(&h->places[--h->place_at], cursor);
	return true;
}

bool history_forward(struct history *h, struct trace_place *cursor)
{
	if (h->place_at == h->place_n)
		return false;
	places_swap(&h->places[h->place_at++], cursor);
	return true;
}

void history_record_filter(struct history *h, enum view_id id, const char *pattern)
{
	struct look look = h->undo.list[h->undo.at].look;

	if (strlen(pattern) >= sizeof look.filter || (look.filter_view == (int)id && !strcmp(look.filter, pattern)))
		return;
	look.filter_view = (int)id;
	memcpy(look.filter, pattern, strlen(pattern) + 1);
	undo_record_look(&h->undo, &look, -1);
}

void history_pin(struct history *h, const struct settings *s, const struct summary *figures)
{
	h->pinned = true;
	h->pin_side = 0;
	h->pin[0] = h->pin[1] = *s;
	h->pin_summary[0] = h->pin_summary[1] = *figures;
}

bool history_flip(struct history *h, const struct settings *s, const struct summary *figures)
{
	int here = h->pin_side || !settings_equal(s, &h->pin[0]);

	h->pin[here] = *s;
	h->pin_summary[here] = *figures;
	if (settings_equal(&h->pin[0], &h->pin[1]))
		return false;
	h->pin_side = !here;
	return true;
}

#include "undo.h"

#include <string.h>

void undo_init(struct undo *u, const struct settings *s)
{
	u->n = 1;
	u->at = 0;
	u->gesture = -1;
	u->list[0] = *s;
}

bool undo_record(struct undo *u, const struct settings *s, int gesture)
{
	if (gesture >= 0 && gesture == u->gesture && u->at > 0) {
		u->list[u->at] = *s;
		u->n = u->at + 1;
		return false;
	}
	if (u->at + 1 == UNDO_DEPTH) {
		memmove(u->list, u->list + 1, (UNDO_DEPTH - 1) * sizeof *u->list);
		u->at--;
	}
	u->list[++u->at] = *s;
	u->n = u->at + 1;
	u->gesture = gesture;
	return true;
}

void undo_end_gesture(struct undo *u)
{
	u->gesture = -1;
}

bool undo_back(struct undo *u, struct settings *s)
{
	u->gesture = -1;
	if (u->at == 0)
		return false;
	*s = u->list[--u->at];
	return true;
}

bool undo_forward(struct undo *u, struct settings *s)
{
	u->gesture = -1;
	if (u->at + 1 >= u->n)
		return false;
	*s = u->list[++u->at];
	return true;
}

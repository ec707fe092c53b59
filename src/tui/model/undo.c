#include "undo.h"

#include <string.h>

void undo_init(struct undo *u, const struct settings *s, const struct look *look)
{
	u->n = 1;
	u->at = 0;
	u->gesture = -1;
	u->list[0] = (struct undo_step){*s, *look};
}

static bool record(struct undo *u, const struct undo_step *step, int gesture)
{
	if (gesture >= 0 && gesture == u->gesture && u->at > 0) {
		u->list[u->at] = *step;
		u->n = u->at + 1;
		return false;
	}
	if (u->at + 1 == UNDO_DEPTH) {
		memmove(u->list, u->list + 1, (UNDO_DEPTH - 1) * sizeof *u->list);
		u->at--;
	}
	u->list[++u->at] = *step;
	u->n = u->at + 1;
	u->gesture = gesture;
	return true;
}

bool undo_record(struct undo *u, const struct settings *s, int gesture)
{
	return record(u, &(struct undo_step){*s, u->list[u->at].look}, gesture);
}

bool undo_record_look(struct undo *u, const struct look *look, int gesture)
{
	return record(u, &(struct undo_step){u->list[u->at].settings, *look}, gesture);
}

void undo_end_gesture(struct undo *u)
{
	u->gesture = -1;
}

const struct undo_step *undo_back(struct undo *u)
{
	u->gesture = -1;
	return u->at == 0 ? NULL : &u->list[--u->at];
}

const struct undo_step *undo_forward(struct undo *u)
{
	u->gesture = -1;
	return u->at + 1 >= u->n ? NULL : &u->list[++u->at];
}

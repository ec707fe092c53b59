#include "undo.h"

#include <math.h>
#include <string.h>

bool look_differs(const struct view_look *a, const struct view_look *b)
{
	for (int i = 0; i < LOOK_NUMBERS; i++)
		if (fabs(b->shape[i] - a->shape[i]) > 1e-9 * fabs(a->shape[i]))
			return true;
	return false;
}

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

bool undo_record_view(struct undo *u, enum view_id id, const struct view_look *before, const struct view_look *now, int gesture)
{
	struct look look;

	if (!before->known || !now->known || !look_differs(before, now))
		return false;
	if (gesture < 0 || u->gesture != gesture)
		u->list[u->at].look.views[id] = *before;
	look = u->list[u->at].look;
	look.views[id] = *now;
	return undo_record_look(u, &look, gesture);
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

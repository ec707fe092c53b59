/* Marks: places of the logical trace under a letter. One on an event stays on it while the order changes. */
#ifndef PAS2P_TUI_MARKS_H
#define PAS2P_TUI_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#define MARKS 52 /* a-z, A-Z */

struct model;
struct trace_place;

struct mark {
	bool set;
	uint32_t process, tick;
	uint32_t number;  /* of the event there among its process's, from 1; 0: there was none */
	int collectives;  /* the setting under which it is that number */
};

int mark_index(uint32_t letter);    /* -1: no letter for a mark */
uint32_t mark_letter(int index);
void mark_here(struct model *m, struct mark *mark);
struct trace_place mark_place(const struct model *m, const struct mark *mark);

#endif

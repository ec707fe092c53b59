/* The threshold panel: the settings as knobs, and what they give now and gave before the last change. */
#ifndef PAS2P_TUI_PANEL_H
#define PAS2P_TUI_PANEL_H

#include "tui/screen/canvas.h"
#include "tui/model/model.h"

#define PANEL_WIDTH 40
#define PANEL_KNOBS 4

/* The figures of an analysis that the panel compares. */
struct summary {
	bool valid;
	uint32_t phases, relevant;
	double coverage, set, pet, pete, aet;
	const char *share_of; /* what coverage is of, if that is not simply the run; else "" */
	/* What a signature would measure; told later than the rest. */
	bool measuring;
	uint32_t measured; /* occurrences; 0: none */
	double off;        /* error of the prediction from their times, a share of the AET */
	/* With windows: what they cost, and what they would say of the traced run. */
	bool windows;
	uint32_t checkpoints;
	double pet_scaled, half, spread, cost; /* cost: but for restoring */
	const char *gap;   /* why there is no interval; NULL: there is one */
};

struct panel {
	enum setting_id selected;
	bool focus;            /* it has the keys */
	struct summary now, before;
	const char *other;     /* what `before` is of: "A", "B"; NULL: the settings before the last change */
};

struct summary panel_summary(const struct analysis *a);

/* The settings in the order of the panel: the four knobs, then the choices, then the rest. */
enum setting_id panel_setting(int place); /* wraps round */
int panel_place(enum setting_id id);

/* Turn a setting: steps > 0 up; a choice goes to the next one. */
void panel_turn(struct settings *s, enum setting_id id, int steps, bool coarse);

/* Returns the rows that it took. */
int panel_draw(const struct panel *panel, const struct model *m, struct pane p);
/* The same in one line, where there is no room for a panel. */
void panel_draw_line(const struct panel *panel, const struct model *m, struct pane p);

#endif

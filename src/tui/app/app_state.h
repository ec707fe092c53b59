/* What is remembered of each trace between visits: app_state.c says what and where. */
#ifndef PAS2P_TUI_APP_STATE_H
#define PAS2P_TUI_APP_STATE_H

struct app;

/* Taken up before the first wish, and written at the end. */
void app_state_load(struct app *a);
void app_state_save(struct app *a);

#endif

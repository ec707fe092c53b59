/* Making the open study behind the screen: its runs are loaded, their phases matched, models fitted; again whenever the
 * settings change.
 *
 *     study_work(m);        on the drawing thread, whenever there may be news: takes what is done, asks for what is lacking
 *     study_stop(m);        Esc: what was made before stays
 *     study_work_end(s);    the background is stopped: what was being made is to be made again
 */
#ifndef PAS2P_TUI_STUDY_WORK_H
#define PAS2P_TUI_STUDY_WORK_H

#include <stdbool.h>

struct model;
struct open_study;

/* Returns a sentence when making it has just failed; NULL: nothing is to be said. */
const char *study_work(struct model *m);
bool study_stop(struct model *m); /* false: there is nothing to stop */
void study_work_end(struct open_study *s);

#endif

/* What is open as files for other programs: the same documents as pas2p fit and pas2p predict write. */
#ifndef PAS2P_TUI_MODELS_WRITE_H
#define PAS2P_TUI_MODELS_WRITE_H

#include "core/io/out.h"
#include "models.h"

/* All fits, as functions that models include. */
enum err_code models_write_fits(const struct models *m, struct out *out, struct err *e);
/* What the program takes where the sliders are. */
enum err_code models_write_prediction(const struct models *m, struct out *out, struct err *e);

#endif

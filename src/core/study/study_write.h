/* A study as a document (docs/studies.md 6), JSON or YAML: runs, families with their members and models,
 * predictions. */
#ifndef PAS2P_STUDY_WRITE_H
#define PAS2P_STUDY_WRITE_H

#include "core/io/out.h"
#include "study_predict.h"

/* m: with STUDY_SHOWS. Families whose share is below `least` everywhere are left out, but for one mapping `others` that
 * says how many they are and what they share. */
enum err_code study_write(const struct study_models *m, const struct study_prediction *predictions, uint32_t count, double least, bool json,
			  struct out *out, struct err *e);

#endif

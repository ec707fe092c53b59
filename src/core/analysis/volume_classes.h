/* Volumes that make the same phases of a trace: those between which no two of its sizes lie. A program of few sizes, as most are, then takes
 * one search for many volumes. */
#ifndef PAS2P_VOLUME_CLASSES_H
#define PAS2P_VOLUME_CLASSES_H

#include "core/base/err.h"
#include "core/trace/trace.h"

/* class[i] of volumes[i], ascending: equal numbers, from 0, for those that agree on each pair of sizes. */
enum err_code volume_classes(uint32_t *class, const struct trace *t, const double *volumes, uint32_t count, struct err *e);

#endif

/* The answer of the probe that measures a job's clocks, as text among whatever else the job printed.
 *
 * Lines that have the words "pas2p-probe" are the answer's, wherever in the line they begin; other lines are none of
 * it:
 *
 *     pas2p-probe run VERSION CLOCK SCHEDULE SECONDS UTC SAMPLES EXCHANGES
 *     pas2p-probe unit RANK RANKS ZERO INTERRUPTION FREQUENCY ERROR CONSTANT SYNCHRONISED ERROR MAXIMUM FREQUENCY SOURCE HOST
 *     pas2p-probe clock NAME RESOLUTION COST COLD      of the unit before
 *     pas2p-probe link PARENT CHILD
 *     pas2p-probe x LINK SAMPLE T1 T2 T3 T4            ns since each unit's zero; SAMPLE "verify": after the pause
 *     pas2p-probe end LINES                            lines before this one
 *
 * Seconds but for ZERO, ns; "-": not known. VERSION 1.
 */
#ifndef PAS2P_CLOCK_ANSWER_H
#define PAS2P_CLOCK_ANSWER_H

#include "clock_measured.h"

/* `text` is cut into words. ERR_FORMAT: there is no answer, or not all of it, or it is none that this version knows. *m
 * is released then. */
enum err_code clock_answer_read(struct clock_measured *m, char *text, size_t size, struct err *e);

#endif

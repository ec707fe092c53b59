/* What libotf2 says of what it does not like. By itself it writes that to stderr; here it is kept, for a sentence or a note.
 *
 * What is told about is the library's callback, one for the process: set before any other call of the library, as often as one likes. What
 * it was told last is kept per thread, for the library says what a call of it met on the thread that made the call.
 */
#ifndef PAS2P_OTF2_ERROR_H
#define PAS2P_OTF2_ERROR_H

/* From now on the library writes nothing to stderr; and nothing has been said on this thread. */
void otf2_errors_take(void);

/* The first that it said on this thread since, safe text without a full stop: "Invalid data: ..."; "": nothing. */
const char *otf2_errors_said(void);

#endif

/* What the fuzz targets share.
 *
 * Each fuzz_NAME.c defines LLVMFuzzerTestOneInput() and aborts, through must(), where a promise is broken. Linked with
 * libFuzzer it is fuzzed (`make fuzz`), linked with core/metrics/replay/replay.c it reads files once (t/house/fuzz_corpus.t).
 */
#ifndef PAS2P_FUZZ_H
#define PAS2P_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Abort with the place and the sentence unless it holds. */
#define must(cond, what) fuzz_must((cond) ? 1 : 0, __FILE__, __LINE__, what)
void fuzz_must(int holds, const char *file, int line, const char *what);

/* An error has a code that is no success and a sentence that fits on a line of a terminal as it is. */
struct err;
void must_be_sentence(int code, const struct err *e);

#endif

/* What a file is that was given where another kind is expected, for the sentence that refuses it. */
#ifndef PAS2P_GIVEN_H
#define PAS2P_GIVEN_H

/* "a trace", "a phase table", ...; NULL: none of what pas2p knows, or it cannot be read. Only its beginning is looked at. */
const char *given_kind(const char *path);

#endif

/* Numbers that a trace did not record, in an archive that pas2p writes (docs/formats.md 5.2).
 *
 * OTF2's records have a place for a collective's sizes and its root, but none for that they are not known: 0 is
 * written, as others expect, and the record has an attribute of this name, which they leave alone. Its value says which
 * of its numbers are none.
 */
#ifndef PAS2P_OTF2_UNKNOWN_H
#define PAS2P_OTF2_UNKNOWN_H

#define OTF_UNKNOWN_NAME "pas2p::unknown"
#define OTF_UNKNOWN_WHAT "not recorded: 1 bytes sent, 2 bytes received, 4 root; added up"

enum { OTF_UNKNOWN_SENT = 1, OTF_UNKNOWN_RECEIVED = 2, OTF_UNKNOWN_ROOT = 4 };

#endif

/* Telling the maker a location's records, in order: what track.h lets through. */
#ifndef PAS2P_CORE_FORMATS_OTF2_TELL_H
#define PAS2P_CORE_FORMATS_OTF2_TELL_H

#include "core/trace/make/inline.h"
#include "load.h"
#include "track.h"

struct otf_teller {
	struct otf_loader *loader;
	struct make_share *share;
	uint32_t process;
	int32_t thread;
	uint64_t offset;       /* ticks, of time 0 */
	double ticks;          /* a second */
	uint32_t last_op, last_comm, last_type; /* of collectives */
	struct make_record last;
	bool any;              /* there is a last record */
	bool flushing;         /* the tracer's writing is open, and ends at flush_end */
	double flush_end;
};

void otf_teller_init(struct otf_teller *teller, struct otf_loader *loader, struct make_share *share, const struct otf_thread *thread);
/* hole: of a record that has one. */
void otf_tell(struct otf_teller *teller, const struct track_record *record, const struct track_hole *hole);
void otf_tell_end(struct otf_teller *teller);

#endif

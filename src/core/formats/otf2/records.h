/* The records of a location as libotf2 calls them out: what each is to a track (docs/formats.md 2's table). */
#ifndef PAS2P_CORE_FORMATS_OTF2_RECORDS_H
#define PAS2P_CORE_FORMATS_OTF2_RECORDS_H

#include "tell.h"

/* What a counter showed last. */
struct otf_shown {
	uint32_t counter;
	double value;
};

/* A location that is being read. */
struct otf_reading {
	struct otf_loader *loader;
	struct make_share *share;
	const struct otf_thread *thread;
	struct track track;
	struct otf_teller teller;
	uint64_t read;         /* records */
	uint64_t last_time;    /* of the last one, ticks */
	uint32_t comm_ref;     /* that comm is of */
	bool comm_known;
	struct otf_comm_view comm;
	bool one_sided;
	bool off;              /* measurement is, since off_since */
	uint64_t off_since, off_ticks;
	struct otf_shown *shown;
	uint32_t shown_count;
	size_t shown_cap;
};

/* merged: the process has other threads, so that all is held. */
void otf_reading_init(struct otf_reading *reading, struct otf_loader *loader, struct make_share *share,
		       const struct otf_thread *thread, bool merged);
void otf_reading_release(struct otf_reading *reading);

/* For an event reader whose user data is the reading. NULL: no memory. OTF2_EvtReaderCallbacks_Delete(). */
OTF2_EvtReaderCallbacks *otf_records_callbacks(void);

#endif

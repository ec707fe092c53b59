/* One thread's records, in order (prv_arrange.h does all threads). */
#ifndef PAS2P_PRV_THREAD_H
#define PAS2P_PRV_THREAD_H

#include "prv_arrange.h"

/* A record that is no message. */
struct prv_said {
	int64_t time;
	uint64_t what;         /* enum prv_raw in the lowest byte, its value above */
};

/* One end of a message. */
struct prv_end {
	int64_t time, logical; /* logical: of a receive */
	uint64_t place;        /* 2 c + 1 in call c, 2 c in the gap before it */
	uint64_t size;
	uint32_t relation, partner, tag;
	bool receive;
};

/* An outermost call. */
struct prv_call {
	int64_t begin, end;    /* end INT64_MAX: it never ends */
};

/* A call, or a function, that is open. */
struct prv_open {
	uint32_t class, kind;
};

/* Room that a worker uses for one thread after the other. */
struct prv_room {
	const struct prv_arranged *all;
	struct prv_said *said, *spare;
	size_t said_count, said_cap, spare_cap;
	struct prv_end *ends;
	size_t end_count, end_cap;
	struct prv_call *calls;
	size_t call_count, call_cap;
	struct prv_open *open, *functions;
	size_t depth, open_cap, function_depth, function_cap;
	struct map *colls;     /* (operation's kind, communicator) that occur */
	uint64_t unknown_comms, unknown_comm;
};

void prv_room_release(struct prv_room *room);

/* False: no memory. *most: how many events it has. */
bool prv_thread_arrange(struct prv_room *room, struct prv_thread *thread, uint64_t *most);

#endif

/* Whose is a record? By its communicator and rank, while the records of a file go by in a second pass. */
#ifndef PAS2P_CLOG2_WHOSE_H
#define PAS2P_CLOG2_WHOSE_H

#include "clog2_load.h"

struct whose {
	const struct loader *loader;
	const struct clog2_file *file;
	int32_t icomm;           /* of the last record; its communicator, and the processes of its ranks */
	uint32_t comm;
	const uint32_t *dense;   /* NULL where there are none such */
	uint32_t dense_count;
};

/* Communicators seldom change from record to record: what is asked of the last one is kept. */
static inline void whose_look(struct whose *w, int32_t icomm)
{
	const struct comms *comms = &w->loader->comms;
	const struct comm_entry *c;

	w->icomm = icomm;
	w->comm = comms_find(comms, (uint32_t)w->file->file_index, w->file->finalized ? icomm : comms_local_side(comms, w->file, icomm));
	c = w->comm == NO_COMM ? NULL : &comms->list[w->comm];
	w->dense = c ? c->dense : NULL;
	w->dense_count = c && c->dense ? (uint32_t)c->highest + 1 : 0;
}

/* The records of a file begin. */
static inline void whose_begin(struct whose *w, const struct clog2_file *file)
{
	w->file = file;
	whose_look(w, 0);
}

/* Definitions, of communicators too, are no records of a process. */
CLOG2_INLINE bool whose_any(uint32_t type)
{
	return type >= CLOG2_BAREEVT && type != CLOG2_COMMEVT;
}

/* NO_PROCESS: there is none of that rank. */
CLOG2_INLINE uint32_t whose_process(struct whose *w, int32_t icomm, int32_t rank)
{
	if (__builtin_expect(icomm != w->icomm, 0))
		whose_look(w, icomm);
	if (__builtin_expect((uint32_t)rank < w->dense_count, 1))
		return w->dense[rank];
	return comms_process(&w->loader->comms, w->comm, rank);
}

#endif

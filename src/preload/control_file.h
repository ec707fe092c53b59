/* The control file: how the checkpoint runner and the preloaded library of every rank meet.
 *
 * PAS2P_CONTROL names a directory that holds one file, "control", mapped by every rank and read and written with
 * pread and pwrite by the runner (which may see it through another mount namespace, or on a shared file system):
 *
 *     page 0            struct control_head: shape, and the words that the runner changes while the job runs
 *     plan_offset       struct control_cut [cuts][ranks], then struct control_part [parts], then uint32_t [ranks][boundaries]
 *     slot_offset       one slot per rank, slot_size bytes each: struct control_slot, then uint64_t [boundaries]: its stamps
 *
 * Each rank writes its own slot only, in whole pages; the runner writes page 0 only. The file never changes
 * its size: a restored process finds it as it was, with room for all that it will note.
 *
 * A cut is where each rank stops for a checkpoint: before its counted call number sends+1, or after number
 * sends has returned (docs/explain/method.md, "Checkpoints"). A boundary is where an occurrence of a phase begins or
 * ends (docs/explain/method.md, "Entry, exit and duration"): it has on each rank a number of calls, and is stamped when
 * the rank is about to make the next one, or calls MPI_Finalize. On every rank the numbers rise with the boundaries;
 * where some are equal, they are stamped at once. What two neighbours have between them is one boundary. A part is what
 * is measured from one checkpoint: boundaries from the first to the last of a window, or of the occurrences that a
 * phase is measured by.
 */
#ifndef PAS2P_CONTROL_FILE_H
#define PAS2P_CONTROL_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define CONTROL_ENVIRONMENT "PAS2P_CONTROL"
#define CONTROL_FILE "control"
#define CONTROL_MAGIC 0x70326c7274633270u
#define CONTROL_VERSION 3u
#define CONTROL_PAGE 4096u
#define CONTROL_CPUS 1024u

enum control_mode {
	CONTROL_PLAIN,   /* note only when MPI_Init ended and MPI_Finalize began */
	CONTROL_REPLAY,  /* stamp every boundary as it comes */
	CONTROL_SIGN     /* stop at every cut; after a restore, stamp the boundaries of the part that `measure` names */
};

struct control_head {
	uint64_t magic;
	uint32_t version, ranks, cuts, parts, boundaries, unused;
	uint64_t plan_offset, slot_offset, slot_size, file_size;
	uint32_t mode;
	uint32_t collectives;       /* 1: collectives are counted calls too */
	/* The runner's words. */
	_Atomic uint32_t released;  /* cuts that may be passed: a rank stops at cut i while released <= i */
	_Atomic uint32_t measure;   /* part + 1: stop no more, measure this one; 0: not yet */
	uint32_t cpus_given;        /* after a restore, run on these processors instead of the remembered ones */
	uint64_t cpus[CONTROL_CPUS / 64];
};

struct control_cut { uint64_t sends; uint32_t before, unused; };
struct control_part { uint32_t from, to; }; /* boundaries [from, to) */

enum control_state {
	CONTROL_NOWHERE,    /* MPI_Init has not returned */
	CONTROL_RUNNING,
	CONTROL_STOPPED,    /* at cut number `cut` */
	CONTROL_FINALIZED   /* MPI_Finalize was called */
};

struct control_slot {
	_Atomic uint32_t state;
	_Atomic uint32_t cut;
	int32_t rank, size;          /* as MPI says */
	int32_t pid;
	_Atomic int32_t inside;      /* threads in an MPI call that can wait */
	_Atomic uint64_t calls;      /* such calls begun */
	_Atomic uint64_t count;      /* number of the last counted call begun */
	_Atomic uint64_t polls;      /* that found nothing */
	_Atomic uint32_t measured;   /* the boundary to be stamped next: those of the part before it have been */
	uint32_t affinity_failed;    /* threads whose processors could not be set after a restore */
	_Atomic uint64_t begun;      /* ns, CLOCK_MONOTONIC: MPI_Init returned */
	_Atomic uint64_t ended;      /* as above: MPI_Finalize was called */
	char program[256];           /* what runs: the executable's path */
	char host[64];
	char library[128];           /* the MPI library's version, first line */
};

#endif

/* The board: the control file (src/preload/control_file.h) from the runner's side.
 *
 *     board_make(&b, folder, plan, CONTROL_REPLAY, &e);     folder: as the runner sees it
 *     board_look(&b, rank, &view, &e); ...                  polled while the job runs
 *     board_release_cut(&b, 1, &e);                         ranks stopped at cut 0 go on
 *     board_close(&b);                                      the file stays
 *
 * All goes through pread and pwrite, so that it also works across mount namespaces and shared file systems.
 */
#ifndef PAS2P_BOARD_H
#define PAS2P_BOARD_H

#include "core/base/err.h"
#include "nest.h"
#include "plan.h"
#include "preload/control_file.h"

struct board {
	int fd;                   /* -1: closed */
	struct control_head head; /* shape; the words in it are not kept up to date */
};

/* What a rank says of itself. Times in seconds, of the rank's own monotonic clock; 0: not yet. */
struct board_view {
	enum control_state state;
	uint32_t cut, measured, affinity_failed;
	int32_t size, inside, pid; /* pid: as the rank itself sees it */
	uint64_t calls, count, polls;
	double begun, ended;
	char program[256], host[64], library[128]; /* safe text */
};

enum err_code board_make(struct board *b, const char *folder, const struct job_plan *p, enum control_mode mode,
			 struct err *e);
/* one made before */
enum err_code board_open(struct board *b, const char *folder, const struct job_plan *p, struct err *e);
void board_close(struct board *b);

/* The numbers alone, without the texts (""): for those who look often. */
enum err_code board_look(const struct board *b, uint32_t rank, struct board_view *v, struct err *e);
enum err_code board_read(const struct board *b, uint32_t rank, struct board_view *v, struct err *e);

/* The rank's stamps of boundaries [from, to), in ns; 0: it has none. */
enum err_code board_stamps(const struct board *b, uint32_t rank, uint32_t from, uint32_t to, uint64_t *stamps, struct err *e);

enum err_code board_release_cut(const struct board *b, uint32_t released, struct err *e);
enum err_code board_measure(const struct board *b, uint32_t part, const struct nest_cpus *cpus, struct err *e);

#endif

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"

static uint64_t whole_pages(uint64_t n)
{
	return (n + CONTROL_PAGE - 1) / CONTROL_PAGE * CONTROL_PAGE;
}

static void shape(struct control_head *h, const struct launch_plan *p, enum control_mode mode)
{
	uint64_t plan_size = (uint64_t)p->ranks * (p->cut_count * sizeof(struct control_cut) +
						   p->boundary_count * sizeof *p->counts) +
			     p->part_count * sizeof(struct control_part);

	*h = (struct control_head){
		.magic = CONTROL_MAGIC, .version = CONTROL_VERSION, .ranks = p->ranks, .cuts = p->cut_count,
		.parts = p->part_count, .boundaries = p->boundary_count, .mode = mode, .collectives = p->collectives,
		.plan_offset = CONTROL_PAGE,
	};
	h->slot_offset = CONTROL_PAGE + whole_pages(plan_size);
	h->slot_size = whole_pages(sizeof(struct control_slot) + p->boundary_count * sizeof(uint64_t));
	h->file_size = h->slot_offset + p->ranks * h->slot_size;
}

static enum err_code board_failed(struct err *e, const char *doing)
{
	return err_set(e, ERR_IO, "cannot %s the control file of the job: %s", doing, strerror(errno));
}

static enum err_code board_put_bytes(const struct board *b, uint64_t offset, const void *bytes, size_t n, struct err *e)
{
	errno = ENOSPC;
	return pwrite(b->fd, bytes, n, (off_t)offset) == (ssize_t)n ? ERR_OK : board_failed(e, "write");
}

static enum err_code put_plan(const struct board *b, const struct launch_plan *p, struct err *e)
{
	uint64_t at = b->head.plan_offset;
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < p->cut_count; i++)
		for (uint32_t r = 0; r < p->ranks && !code; r++, at += sizeof(struct control_cut)) {
			struct control_cut cut = {p->cuts[i]->points.checkpoint[r], p->cuts[i]->points.before[r] ? 1 : 0, 0};

			code = board_put_bytes(b, at, &cut, sizeof cut, e);
		}
	for (uint32_t i = 0; i < p->part_count && !code; i++, at += sizeof(struct control_part)) {
		struct control_part part = {p->parts[i].from, p->parts[i].to};

		code = board_put_bytes(b, at, &part, sizeof part, e);
	}
	for (uint32_t r = 0; r < p->ranks && !code; r++, at += p->boundary_count * sizeof *p->counts)
		code = board_put_bytes(b, at, p->counts + (size_t)r * p->boundary_count, p->boundary_count * sizeof *p->counts, e);
	return code;
}

static enum err_code open_file(struct board *b, const char *folder, int flags, struct err *e)
{
	char path[PATH_MAX];

	b->fd = -1;
	if (snprintf(path, sizeof path, "%s/%s", folder, CONTROL_FILE) >= (int)sizeof path)
		return err_set(e, ERR_USAGE, "the name of the control directory is too long");
	b->fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
	return b->fd < 0 ? board_failed(e, "open") : ERR_OK;
}

enum err_code board_make(struct board *b, const char *folder, const struct launch_plan *p, enum control_mode mode,
			 struct err *e)
{
	enum err_code code = open_file(b, folder, O_CREAT | O_EXCL, e);

	shape(&b->head, p, mode);
	if (!code && ftruncate(b->fd, (off_t)b->head.file_size) != 0)
		code = board_failed(e, "make");
	if (!code)
		code = put_plan(b, p, e);
	if (!code)
		code = board_put_bytes(b, 0, &b->head, sizeof b->head, e);
	if (code)
		board_close(b);
	return code;
}

enum err_code board_open(struct board *b, const char *folder, const struct launch_plan *p, struct err *e)
{
	enum err_code code = open_file(b, folder, 0, e);
	struct control_head expected;

	if (code)
		return code;
	if (pread(b->fd, &b->head, sizeof b->head, 0) != (ssize_t)sizeof b->head)
		code = board_failed(e, "read");
	shape(&expected, p, CONTROL_SIGN);
	if (!code && b->head.magic == CONTROL_MAGIC && b->head.version != CONTROL_VERSION)
		code = err_set(e, ERR_USAGE, "the checkpoint is from another version of pas2p: its control file has "
			       "version %u, expected %u\nhint: make the signature again, or give --mechanism rerun",
			       b->head.version, CONTROL_VERSION);
	if (!code && memcmp(&b->head, &expected, offsetof(struct control_head, released)) != 0)
		code = err_set(e, ERR_DAMAGED, "the checkpoint's control file does not match the signature's "
			       "table\nhint: make the signature again");
	if (code)
		board_close(b);
	return code;
}

void board_close(struct board *b)
{
	if (b->fd >= 0)
		close(b->fd);
	b->fd = -1;
}

static uint64_t slot_at(const struct board *b, uint32_t rank)
{
	return b->head.slot_offset + rank * b->head.slot_size;
}

/* The first n bytes of a rank's slot, and the numbers in it. */
static enum err_code slot_look(const struct board *b, uint32_t rank, struct control_slot *s, size_t n, struct board_view *v,
			  struct err *e)
{
	if (pread(b->fd, s, n, (off_t)slot_at(b, rank)) != (ssize_t)n)
		return board_failed(e, "read");
	*v = (struct board_view){
		.state = s->state <= CONTROL_FINALIZED ? (enum control_state)s->state : CONTROL_NOWHERE,
		.cut = s->cut, .measured = s->measured, .affinity_failed = s->affinity_failed, .size = s->size,
		.inside = s->inside, .pid = s->pid, .calls = s->calls, .count = s->count, .polls = s->polls,
		.begun = (double)s->begun * 1e-9, .ended = (double)s->ended * 1e-9,
	};
	return ERR_OK;
}

enum err_code board_look(const struct board *b, uint32_t rank, struct board_view *v, struct err *e)
{
	struct control_slot s;

	return slot_look(b, rank, &s, offsetof(struct control_slot, program), v, e);
}

enum err_code board_read(const struct board *b, uint32_t rank, struct board_view *v, struct err *e)
{
	struct control_slot s;

	if (slot_look(b, rank, &s, sizeof s, v, e))
		return e->code;
	s.program[sizeof s.program - 1] = '\0';
	text_safe(v->program, sizeof v->program, s.program, SIZE_MAX, TEXT_UTF8);
	s.host[sizeof s.host - 1] = '\0';
	text_safe(v->host, sizeof v->host, s.host, SIZE_MAX, TEXT_UTF8);
	s.library[sizeof s.library - 1] = '\0';
	text_safe(v->library, sizeof v->library, s.library, SIZE_MAX, TEXT_UTF8);
	return ERR_OK;
}

enum err_code board_stamps(const struct board *b, uint32_t rank, uint32_t from, uint32_t to, uint64_t *stamps, struct err *e)
{
	uint64_t at = slot_at(b, rank) + sizeof(struct control_slot) + from * sizeof *stamps;
	size_t size = (to - from) * sizeof *stamps;

	errno = ENODATA;
	return pread(b->fd, stamps, size, (off_t)at) == (ssize_t)size ? ERR_OK : board_failed(e, "read");
}

enum err_code board_release_cut(const struct board *b, uint32_t released, struct err *e)
{
	return board_put_bytes(b, offsetof(struct control_head, released), &released, sizeof released, e);
}

enum err_code board_measure(const struct board *b, uint32_t part, const struct nest_cpus *cpus, struct err *e)
{
	uint32_t given = cpus->given, word = part + 1;
	enum err_code code = board_put_bytes(b, offsetof(struct control_head, cpus), cpus->bits, sizeof cpus->bits, e);

	if (!code)
		code = board_put_bytes(b, offsetof(struct control_head, cpus_given), &given, sizeof given, e);
	return code ? code : board_put_bytes(b, offsetof(struct control_head, measure), &word, sizeof word, e);
}

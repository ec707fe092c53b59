/* The identifier of a trace stands near the end of its anchor. The library draws it at random, and has no call to set
 * it; one that follows from the trace makes of the same run the same bytes. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/io/source.h"
#include "otf2_int.h"

static enum err_code identify(const struct otf2_writing *w, uint64_t *id, struct err *e)
{
	const struct trace *t = w->run->trace;
	uint64_t h = hash_mix(hash_mix(t->process_count, w->partnerless), w->state_count);

	for (uint32_t i = 0; i < w->threads.count; i++)
		h = hash_mix(h, w->counts[i]);
	for (uint32_t i = 0; i < t->event_count; i++) {
		union {
			double time;
			uint64_t bits;
		} at = {t->time[i]};

		if (!(i & 0xffff) && job_stopped(w->run->job))
			return err_set(e, ERR_CANCELLED, "stopped while writing");

		h = hash_mix(hash_mix(hash_mix(h, at.bits), t->type[i]), trace_size(t, i));
	}
	*id = h;
	return ERR_OK;
}

static enum err_code write_at(const char *path, uint64_t offset, const uint8_t *bytes, size_t n, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	bool written = fd >= 0 && pwrite(fd, bytes, n, (off_t)offset) == (ssize_t)n;

	if (fd >= 0)
		written = close(fd) == 0 && written;
	return written ? ERR_OK : err_set(e, ERR_IO, "the archive's anchor cannot be written");
}

/* The archive has been closed. An anchor that is not laid out as known here keeps the library's. */
enum err_code otf2_write_id(const struct otf2_writing *w, struct err *e)
{
	char path[PATH_MAX];
	uint8_t *anchor, bytes[8];
	struct source source;
	size_t got = 0, at;
	uint64_t id = 0;
	enum err_code code;

	snprintf(path, sizeof path, "%s/traces.otf2", convert_output_folder(w->run->output));
	code = source_open_file(&source, path, e);
	if (code)
		return code;
	anchor = mem_alloc(source.file_size, 1);
	code = anchor ? source_read(&source, 0, anchor, source.file_size, &got, e) : err_memory(e, "the anchor");
	at = code ? 0 : otf_anchor_id_at(anchor, got);
	if (at)
		code = identify(w, &id, e);
	if (at && !code) {
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)(id >> 8 * i);
		code = write_at(path, at, bytes, sizeof bytes, e);
	}
	mem_free(anchor);
	source_release(&source);
	return code;
}

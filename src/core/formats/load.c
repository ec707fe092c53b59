#include "core/formats/api/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/unpack.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"
#include "core/trace/remote.h"
#include "core/trace/make/trace_make.h"
#include "core/formats/api/api.h"
#include "core/formats/api/format.h"
#include "core/formats/api/open.h"

/* The format of the first file that any format knows; NULL: of none, and *refused is the file to say so of. */
static enum err_code find_format(const struct format **found, uint32_t *refused, const struct source *sources, uint32_t count,
				 struct err *e)
{
	*found = NULL;
	*refused = count - 1;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t bytes[FORMAT_HEAD];
		size_t got;
		enum err_code code = source_read(&sources[i], 0, bytes, sizeof bytes, &got, e);

		if (code)
			return code;
		for (const struct format *const *format = formats; *format; format++)
			if ((*format)->recognise(bytes, got, sources[i].name)) {
				*found = *format;
				return ERR_OK;
			}
		/* An empty file may be one of a set. */
		if (got && *refused == count - 1)
			*refused = i;
	}
	return ERR_OK;
}

enum err_code trace_known(bool *known, const struct source *sources, uint32_t count, struct err *e)
{
	const struct format *format = NULL;
	uint32_t refused;
	enum err_code code = find_format(&format, &refused, sources, count, e);

	*known = !code && format;
	return code;
}

/* What is wrong with how a file is compressed is known when it has been read. */
static void note_packing(struct notes *notes, int32_t file, const struct source *source)
{
	const char *packing = packing_name(source_packing(source));
	struct note_place place = {file, -1, -1, -1, -1};
	uint64_t at;
	enum unpack_end end = source_end(source, &at);

	if (end == UNPACK_TAIL)
		notes_add(notes, NOTE_CUT_TAIL, place, "the %s data end at byte %llu of %llu; pas2p ignores the rest", packing,
			  (unsigned long long)at, (unsigned long long)source->file_size);
	else if (end == UNPACK_CUT)
		notes_add(notes, NOTE_TRUNCATED, place, "the %s data are cut off at byte %llu, the end of the file; pas2p uses the data before it",
			  packing, (unsigned long long)at);
	else if (end == UNPACK_BAD)
		notes_add(notes, NOTE_TRUNCATED, place, "the %s data are damaged at or before byte %llu of %llu; pas2p uses the data before it",
			  packing, (unsigned long long)at, (unsigned long long)source->file_size);
}

/* Before all that follows from it. */
static void note_packings(struct maker *maker)
{
	struct trace *t = maker->trace;
	struct notes all;

	notes_init(&all);
	for (uint32_t i = 0; i < t->file_count; i++)
		note_packing(&all, (int32_t)i, maker->sources[i]);
	if (!notes_total(&all, NOTE_DAMAGE)) {
		notes_release(&all);
		return;
	}
	notes_append(&all, &t->notes);
	notes_release(&t->notes);
	t->notes = all;
}

static enum err_code sources_load(struct maker *maker, const struct source *sources, uint32_t count, struct err *e)
{
	const struct format *format;
	uint32_t refused;
	enum err_code code;

	if (!count)
		return err_set(e, ERR_USAGE, "no trace given");
	code = find_format(&format, &refused, sources, count, e);
	if (code)
		return code;
	if (!format)
		return foreign_refuse(&sources[refused], e);
	code = format->load(maker, sources, count, e);
	if (!code)
		note_packings(maker);
	return code;
}

/* The first place where a trace is damaged, as a sentence; otherwise the first file that is missing. */
static enum err_code say_damage(const struct trace *t, struct err *e)
{
	const struct note *what = NULL;
	char name[150], block[32] = "", byte[32] = "";

	for (size_t i = 0; i < t->notes.n && !(what && note_level(what->kind) == NOTE_DAMAGE); i++) {
		const struct note *note = &t->notes.list[i];

		if (note_level(note->kind) == NOTE_DAMAGE || (!what && note->kind == NOTE_MISSING_FILE))
			what = note;
	}
	if (!what)
		return err_set(e, ERR_DAMAGED, "the trace is damaged: these are partial results");
	if (what->block >= 0)
		snprintf(block, sizeof block, "block %" PRId64 ", ", what->block);
	if (what->offset >= 0)
		snprintf(byte, sizeof byte, "byte %" PRId64 ": ", what->offset);
	return err_set(e, ERR_DAMAGED, "%s is damaged: %s%s%.250s; these are partial results",
		       what->file < 0 ? "the trace" : text_safe(name, sizeof name, t->files[what->file].path, SIZE_MAX, TEXT_UTF8),
		       *byte ? block : "", byte, what->text);
}

static const struct team *team_of(const struct trace_options *o)
{
	return o && team_size(o->team) > 1 ? o->team : NULL;
}

/* Copies on several nodes, or a name that is another file there: what is read together would be of no trace at all. */
static enum err_code files_same(const struct team *team, const struct source *sources, uint32_t count, struct err *e)
{
	struct team_pack facts = {0};
	enum err_code code = ERR_OK;
	char text[SOURCE_SAMPLE];

	snprintf(text, sizeof text, "%" PRIu32, count);
	team_fact(&facts, "the number of files", text);
	for (uint32_t i = 0; !code && i < count; i++) {
		code = source_sample(&sources[i], text, e);
		team_fact(&facts, sources[i].name, text);
	}
	return team_alike(team, &facts, code, "all ranks of a parallel analysis must read the same files (are there older copies, or is one still being written?)", e);
}

enum err_code trace_load_sources(struct trace **out, const struct source *sources, uint32_t count,
				 const struct trace_options *o, const struct progress *progress, struct err *e)
{
	struct maker maker;
	enum err_code code = maker_init(&maker, o ? o->threads : 0, o ? o->watch : NULL, progress, e);

	*out = NULL;
	maker.times = o ? o->times : NULL;
	maker.counter_name = o ? o->counter : NULL;
	maker.team = team_of(o);
	maker.beside = maker.team ? o->beside : NULL;
	if (!code && maker.team)
		code = maker_agreed(&maker, files_same(maker.team, sources, count, e));
	if (!code)
		code = sources_load(&maker, sources, count, e);
	if (!code)
		code = maker_finish(&maker, e);
	if (code && maker.team && !maker.agreed)
		code = team_agree(maker.team, code, e);
	if (!code)
		*out = maker_take(&maker);
	maker_release(&maker);
	if (code)
		return code;
	if ((*out)->partial)
		return err_set(e, ERR_CANCELLED, "stopped while reading; the %" PRIu64 " events read so far are kept", trace_all_events(*out));
	return (*out)->damaged ? say_damage(*out, e) : ERR_OK;
}

enum err_code trace_load_watched(struct trace **out, const struct source *sources, uint32_t count, const struct trace_options *o,
				 const struct progress *progress, struct err *e)
{
	struct maker maker;
	enum err_code code = maker_init(&maker, o->threads, o->watch, progress, e);

	*out = NULL;
	maker.watch_alone = true;
	maker.times = o->times;
	if (!code)
		code = sources_load(&maker, sources, count, e);
	if (!code && maker.stopped)
		code = err_set(e, ERR_CANCELLED, "stopped while reading the calls");
	if (!code)
		*out = maker_take(&maker);
	maker_release(&maker);
	return code;
}

enum err_code trace_load(struct trace **out, const char *const *paths, uint32_t count, const struct trace_options *o,
			 const struct progress *progress, struct err *e)
{
	struct source *sources;
	enum err_code code = trace_files_open(&sources, paths, count, e);

	*out = NULL;
	if (code)
		return team_agree(team_of(o), code, e);
	code = trace_load_sources(out, sources, count, o, progress, e);
	source_release_files(sources, count);
	return code;
}

enum err_code trace_open_files(struct source **sources, const struct trace *t, struct err *e)
{
	const char **paths = mem_alloc(t->file_count, sizeof *paths);
	enum err_code code;

	*sources = NULL;
	for (uint32_t i = 0; paths && i < t->file_count; i++)
		paths[i] = t->files[i].path;
	code = paths ? trace_files_open(sources, paths, t->file_count, e) : err_memory(e, "the trace's files");
	mem_free(paths);
	return code;
}

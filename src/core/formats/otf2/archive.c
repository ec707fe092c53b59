#include "otf2_int.h"

#include <inttypes.h>
#include <limits.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/text.h"
#include "core/io/source.h"

#define CHUNK_LEAST (256u << 10)
#define CHUNK_MOST (16u << 20)
#define ANCHOR_MOST (1u << 20)
#define ENDING ".otf2"
#define WITH_ZLIB_INSIDE 2 /* OTF2_COMPRESSION_ZLIB, a name that newer versions of the library warn of */

OTF2_Reader *otf_archive_reader(const struct otf_archive *archive)
{
	OTF2_Reader *reader;

	otf_said_begin();
	reader = OTF2_Reader_Open(archive->anchor);
	if (reader && OTF2_Reader_SetSerialCollectiveCallbacks(reader) != OTF2_SUCCESS) {
		OTF2_Reader_Close(reader);
		return NULL;
	}
	return reader;
}

static enum err_code archive_refuse(const struct otf_archive *archive, struct err *e, const char *why)
{
	char name[200];

	return err_set(e, ERR_FORMAT, "cannot read %s: %s", text_safe(name, sizeof name, archive->anchor, SIZE_MAX, TEXT_UTF8), why);
}

/* The library cannot open it: why, by what the anchor says of the files and by what the library said. */
static enum err_code refuse_anchor(const struct otf_archive *archive, struct err *e)
{
	char why[300];

	if (archive->substrate == OTF2_SUBSTRATE_SION)
		return archive_refuse(archive, e, "its files are in a SION container, but the installed libotf2 has no "
				      "SIONlib; trace the run without it");
	if (archive->compression == WITH_ZLIB_INSIDE)
		return archive_refuse(archive, e, "its files are compressed with zlib, which the installed libotf2 "
			      "cannot read; trace the run without compression");
	snprintf(why, sizeof why, "its anchor is damaged (libotf2: %s)", otf_said());
	return archive_refuse(archive, e, why);
}

/* What the anchor says of the other files. */
static enum err_code look_at_anchor(struct otf_archive *archive, OTF2_Reader *reader, struct err *e)
{
	OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
	uint64_t events = 0, definitions = 0;
	uint8_t bugfix;

	if (OTF2_Reader_GetVersion(reader, &archive->major, &archive->minor, &bugfix) != OTF2_SUCCESS ||
	    OTF2_Reader_GetChunkSize(reader, &events, &definitions) != OTF2_SUCCESS ||
	    OTF2_Reader_GetCompression(reader, &compression) != OTF2_SUCCESS)
		return refuse_anchor(archive, e);
	if (events < CHUNK_LEAST || events > CHUNK_MOST || definitions < CHUNK_LEAST || definitions > CHUNK_MOST)
		return archive_refuse(archive, e, "its anchor is damaged: expected a chunk size from 256 KiB to 16 MiB");
	archive->event_chunk = compression == OTF2_COMPRESSION_NONE ? events : 0;
	archive->definition_chunk = definitions;
	return ERR_OK;
}

/* Before the library looks for them, which would wait for a pipe to be written. */
static enum err_code find_definitions(struct otf_archive *archive, struct err *e)
{
	struct stat file;
	char why[400], name[200];

	if (stat(otf_archive_global(archive), &file) == 0 && S_ISREG(file.st_mode))
		return ERR_OK;
	snprintf(why, sizeof why, "its definitions are missing: %s",
		 text_safe(name, sizeof name, otf_archive_global(archive), SIZE_MAX, TEXT_UTF8));
	return archive_refuse(archive, e, why);
}

static enum err_code read_definitions(struct otf_archive *archive, OTF2_Reader *reader, struct err *e)
{
	struct otf_defs *defs = &archive->defs;
	OTF2_GlobalDefReaderCallbacks *callbacks = otf_defs_callbacks();
	OTF2_GlobalDefReader *global = callbacks ? OTF2_Reader_GetGlobalDefReader(reader) : NULL;
	uint64_t expected = 0, read = 0;
	struct otf_chunks chunks = otf_chunks_of(otf_archive_global(archive), archive->definition_chunk, OTF_LOOK_GLOBAL);
	bool whole;

	if (!callbacks)
		return err_memory(e, "the definitions");
	OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &expected);
	whole = global && OTF2_Reader_RegisterGlobalDefCallbacks(reader, global, callbacks, defs) == OTF2_SUCCESS &&
		(!chunks.records || OTF2_Reader_ReadGlobalDefinitions(reader, global, chunks.records, &read) == OTF2_SUCCESS);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (global)
		OTF2_Reader_CloseGlobalDefReader(reader, global);
	if (defs->no_memory || chunks.no_memory)
		return err_memory(e, "the definitions");
	if (!whole || read < expected || chunks.broken || chunks.cut) {
		archive->cut = true;
		snprintf(archive->said, sizeof archive->said, "pas2p read %" PRIu64 " of %" PRIu64 " "
			 "definitions%s%.100s", read, expected,
			 otf_said_any() ? ": " : "", otf_said_any() ? otf_said() : "");
	}
	return ERR_OK;
}

static enum err_code check_definitions(struct otf_archive *archive, struct err *e)
{
	struct otf_defs *defs = &archive->defs;
	char why[400], name[200];

	if (!defs->location_count) {
		snprintf(why, sizeof why, "its definitions in %s have no location%s%s",
			 text_safe(name, sizeof name, otf_archive_global(archive), SIZE_MAX, TEXT_UTF8), archive->cut ? "; " : "",
			 archive->said);
		return archive_refuse(archive, e, why);
	}
	if (defs->clock && !defs->ticks)
		return archive_refuse(archive, e, "its clock has 0 ticks per second");
	if (!defs->clock)
		return archive_refuse(archive, e, "its definitions do not give the speed of its clock");
	return ERR_OK;
}

/* Where in an anchor the number of its properties stands, for which the library takes memory whatever it is: behind the
 * sizes of chunks, two bytes, two counts, and three texts. Two texts a property follow, and the identifier. */
#define LAYOUT_AT 7
#define LAYOUT 3
#define SIZES_AT 12
#define SUBSTRATE_AT 28
#define COMPRESSION_AT 29
#define TEXTS_AT 46
#define ID 8

static uint64_t archive_read_number(const uint8_t *bytes, int n, bool big)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum = sum << 8 | bytes[big ? i : n - 1 - i];
	return sum;
}

static size_t behind_texts(const uint8_t *head, size_t n, size_t at, uint64_t texts)
{
	for (; texts && at < n; texts--)
		at += strnlen((const char *)head + at, n - at) + 1;
	return at;
}

/* For a layout that is not the one known here nothing is said. */
static bool is_plausible(const uint8_t *head, size_t n)
{
	bool big = n > 1 && head[1] == '#';
	size_t at = behind_texts(head, n, TEXTS_AT, 3);
	uint64_t events = n > TEXTS_AT ? archive_read_number(head + SIZES_AT, 8, big) : 0;

	if (events < CHUNK_LEAST || events > CHUNK_MOST)
		return n > LAYOUT_AT && head[LAYOUT_AT] != LAYOUT;
	return at + 4 <= n && archive_read_number(head + at, 4, big) <= (n - at) / 2;
}

size_t otf_anchor_id_at(const uint8_t *head, size_t n)
{
	size_t at = behind_texts(head, n, TEXTS_AT, 3);

	if (n <= LAYOUT_AT || head[LAYOUT_AT] != LAYOUT || !is_plausible(head, n))
		return 0;
	at = behind_texts(head, n, at + 4, 2 * archive_read_number(head + at, 4, head[1] == '#'));
	return at + ID <= n ? at : 0;
}

static enum err_code check_anchor(struct otf_archive *archive, const struct source *source, struct err *e)
{
	uint8_t *head;
	size_t got = 0;
	enum err_code code;

	if (source->file_size > ANCHOR_MOST)
		return archive_refuse(archive, e, "the file is larger than any anchor (1 MiB)");
	head = mem_alloc(source->file_size, 1);
	if (!head)
		return err_memory(e, "the anchor");
	code = source_read(source, 0, head, source->file_size, &got, e);
	if (!code && !is_plausible(head, got))
		code = archive_refuse(archive, e, "its anchor is cut or damaged");
	if (!code && got > TEXTS_AT && head[LAYOUT_AT] == LAYOUT) {
		archive->substrate = head[SUBSTRATE_AT];
		archive->compression = head[COMPRESSION_AT];
	}
	mem_free(head);
	return code;
}

/* The paths of the other files are made of this name. */
static bool name_files(struct otf_archive *archive, const char *anchor)
{
	size_t n = strlen(anchor), ending = strlen(ENDING);

	if (n > ending && !strcmp(anchor + n - ending, ENDING))
		n -= ending;
	mem_free(archive->stem);
	mem_free(archive->path);
	archive->path_size = n + 40;
	archive->path = mem_alloc(archive->path_size, 1);
	archive->stem = mem_zero(n + 1, 1);
	if (!archive->path || !archive->stem)
		return false;
	memcpy(archive->stem, anchor, n);
	return true;
}

/* The other files lie beside the anchor, or, where that is a link, beside what it leads to. */
static enum err_code open_paths(struct otf_archive *archive, const struct source *source, struct err *e)
{
	struct stat file;
	char real[PATH_MAX];

	archive->anchor = source->name;
	if (!name_files(archive, source->name))
		return err_memory(e, "the trace's files");
	if (stat(otf_archive_global(archive), &file) == 0 || lstat(source->name, &file) != 0 || !S_ISLNK(file.st_mode) ||
	    !realpath(source->name, real))
		return ERR_OK;
	archive->real = mem_zero(strlen(real) + 1, 1);
	if (!archive->real || !name_files(archive, real))
		return err_memory(e, "the trace's files");
	archive->anchor = memcpy(archive->real, real, strlen(real));
	return ERR_OK;
}

enum err_code otf_archive_open(struct otf_archive *archive, const struct source *source, struct err *e)
{
	OTF2_Reader *reader;
	enum err_code code;

	*archive = (struct otf_archive){.anchor = source->name};
	code = otf_defs_init(&archive->defs, e);
	if (!code)
		code = open_paths(archive, source, e);
	if (!code)
		code = check_anchor(archive, source, e);
	if (!code)
		code = find_definitions(archive, e);
	if (code)
		return code;
	reader = otf_archive_reader(archive);
	if (!reader)
		return refuse_anchor(archive, e);
	code = look_at_anchor(archive, reader, e);
	if (!code)
		code = read_definitions(archive, reader, e);
	OTF2_Reader_Close(reader);
	return code ? code : check_definitions(archive, e);
}

void otf_archive_release(struct otf_archive *archive)
{
	otf_defs_release(&archive->defs);
	mem_free(archive->stem);
	mem_free(archive->path);
	mem_free(archive->real);
}

const char *otf_archive_global(struct otf_archive *archive)
{
	snprintf(archive->path, archive->path_size, "%s.def", archive->stem);
	return archive->path;
}

const char *otf_archive_path(const struct otf_archive *archive, char *path, size_t size, uint64_t location, const char *ending)
{
	snprintf(path, size, "%s/%" PRIu64 ".%s", archive->stem, location, ending);
	return path;
}

const char *otf_archive_file(struct otf_archive *archive, uint64_t location, const char *ending)
{
	return otf_archive_path(archive, archive->path, archive->path_size, location, ending);
}

#define SAID 160

static _Thread_local char said[SAID];

__attribute__((format(printf, 6, 0)))
static OTF2_ErrorCode said_hear(void *arg, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format,
			   va_list values)
{
	char text[2 * SAID] = "";
	int n;

	(void)arg;
	(void)file;
	(void)line;
	(void)function;
	if (*said)
		return code;
	n = snprintf(text, sizeof text, "%s", OTF2_Error_GetDescription(code));
	if (format && *format && n > 0 && (size_t)n < sizeof text - 2) {
		n += snprintf(text + n, sizeof text - (size_t)n, ": ");
		vsnprintf(text + n, sizeof text - (size_t)n, format, values);
	}
	text_safe(said, sizeof said, text, SIZE_MAX, TEXT_UTF8);
	return code;
}

void otf_said_begin(void)
{
	*said = '\0';
	OTF2_Error_RegisterCallback(said_hear, NULL);
}

const char *otf_said(void)
{
	return *said ? said : "no details are known";
}

bool otf_said_any(void)
{
	return *said != '\0';
}

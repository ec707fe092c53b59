#include "api.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "anchor.h"
#include "core/base/text.h"
#include "core/io/unpack.h"
#include "format.h"

/* Whether that it is no trace in a format that is read is said already, or follows: ", not a CLOG2 trace". */
enum rest { SAID, NOT_READ };

struct magic {
	size_t offset, len;
	const char *bytes, *what;
	enum rest rest;
};

#ifdef WITH_OTF2
#define ANCHOR "the anchor file of an OTF2 trace, of a version that pas2p does not read"
#else
#define ANCHOR "the anchor file of an OTF2 trace, but this pas2p was built without OTF2\nhint: install Debian's libopen-trace-format2-dev and " \
	"build pas2p again"
#endif
#define GIVE_OTF2 "\nhint: trace the run with Score-P and give the OTF2 trace"
#define EPILOG "an EPILOG trace (KOJAK, Scalasca 1), which pas2p does not read" GIVE_OTF2
#define OTF1 "an OTF 1 trace (VampirTrace), which pas2p does not read" GIVE_OTF2
#define EXTRAE_PART "an intermediate file of Extrae\nhint: mpi2prv -f TRACE.mpits -o run.prv, then give run.prv"
#define TAU_PART "a part of a TAU trace, which pas2p does not read\nhint: trace the run with TAU_TRACE_FORMAT=otf2 and give the OTF2 trace"
#define OTF2_PART "a part of an OTF2 trace\nhint: give its anchor file, which ends in .otf2"

/* A profile of Score-P is a tar archive, which would be told before its name is looked at. */
#define CUBE "a Score-P profile, which has no events\nhint: trace the run with SCOREP_ENABLE_TRACING=true and give the OTF2 trace"

/* Longer and surer ones first. */
static const struct magic magics[] = {
	{0, 6, "\xFD" "7zXZ\0", "compressed with xz\nhint: decompress it first: xz -dk FILE", SAID},
	{0, 4, "\x28\xB5\x2F\xFD", "compressed with zstd\nhint: decompress it first: zstd -d FILE", SAID},
	{0, 4, "\x04\x22\x4D\x18", "compressed with lz4\nhint: decompress it first: lz4 -d FILE", SAID},
	{0, 2, "\x1F\x8B", "compressed with gzip\nhint: decompress it first: gunzip -k FILE", SAID},
	{0, 2, "\x1F\x9D", "compressed with compress\nhint: decompress it first: uncompress FILE", SAID},
	{0, 3, "BZh", "compressed with bzip2\nhint: decompress it first: bunzip2 -k FILE", SAID},
	{0, 4, "PK\3\4", "a zip archive\nhint: unpack it first: unzip FILE", SAID},
	{0, 6, "7z\xBC\xAF\x27\x1C", "a 7-zip archive\nhint: unpack it first: 7z x FILE", SAID},
	{257, 5, "ustar", "a tar archive\nhint: unpack it first: tar -xf FILE", SAID},
	{0, 4, "\x7F" "ELF", "an ELF program or library, not a trace\nhint: pas2p trace -o FILE.clog2 -- mpirun -np 2 PROGRAM", SAID},
	{0, 8, "#Paraver", "a Paraver trace (.prv)", NOT_READ},
	{2, 4, "OTF2", ANCHOR, SAID},
	{0, 6, "EPILOG", EPILOG, SAID},
	{0, 8, "\x89HDF\r\n\x1A\n", "an HDF5 file", NOT_READ},
	{0, 15, "SQLite format 3", "an SQLite database", NOT_READ},
	{0, 5, "%PDF-", "a PDF document", NOT_READ},
	{0, 4, "\x89PNG", "a PNG image", NOT_READ},
	{0, 2, "#!", "a script, not a trace", SAID},
	{0, 24, "version https://git-lfs.", "a Git LFS pointer, not the trace itself\nhint: git lfs pull", SAID},
	{0, 5, "<?xml", "an XML document", NOT_READ},
};

/* Formats without a fixed magic at a fixed place. */
static const struct {
	const char *suffix, *what;
	enum rest rest;
} suffixes[] = {
	{".slog2", "an SLOG2 file (MPE's viewer format), which pas2p does not read\nhint: give the .clog2 file that it was made from", SAID},
	{".otf2", "not the anchor file of an OTF2 trace, although its name ends in .otf2", SAID},
	{".evt", OTF2_PART, SAID},
	{".def", OTF2_PART, SAID},
	{".thumb", OTF2_PART, SAID},
	{".snap", OTF2_PART, SAID},
	{"scorep.cfg", "a file of Score-P's settings\nhint: give the OTF2 anchor file next to it, which ends in .otf2", SAID},
	{".otf", OTF1, SAID},
	{".events", OTF1, SAID},
	{".events.z", OTF1, SAID},
	{".alog", "an ALOG trace, which pas2p does not read\nhint: trace the run with MPE2 and give the .clog2 file", SAID},
	{".elg", EPILOG, SAID},
	{".esd", EPILOG, SAID},
	{".prv", "a Paraver trace (.prv)", NOT_READ},
	{".pcf", "a Paraver configuration file\nhint: give the .prv file next to it", SAID},
	{".row", "a Paraver row file\nhint: give the .prv file next to it", SAID},
	{".mpits", EXTRAE_PART, SAID},
	{".mpit", EXTRAE_PART, SAID},
	{".trc", TAU_PART, SAID},
	{".edf", TAU_PART, SAID},
	{".clog", "a CLOG version 1 trace or not a trace: pas2p reads CLOG-02.10 to 02.44", SAID},
};

static bool contains(const uint8_t *bytes, size_t n, const char *word)
{
	return memmem(bytes, n, word, strlen(word)) != NULL;
}

/* However it is compressed. */
static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = packing_stem(name, strlen(name)), m = strlen(suffix);

	return n >= m && !strcasecmp(name + n - m, suffix);
}

static bool bytes_all_are(const uint8_t *bytes, size_t n, uint8_t value)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != value)
			return false;
	return true;
}

/* Text: no control characters but blanks, and valid UTF-8 up to a character that the cut may have split. */
static bool is_text(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t c = 0;
		size_t step = text_decode((const char *)bytes + i, n - i, &c);

		if (!step || (c < 0x20 && !isspace((int)c)) || c == 0x7F)
			return false;
		if (c == 0xFFFD && step == 1 && n - i >= 4)
			return false;
		i += step;
	}
	return true;
}

/* A line of a time-independent trace of SimGrid: a rank, and what it does. */
static bool is_time_independent(const uint8_t *bytes, size_t n)
{
	static const char *const words[] = {"init", "finalize", "compute", "send", "isend", "Isend", "recv",
					    "irecv", "Irecv", "comm_size", "barrier"};
	size_t at = n && bytes[0] == 'p', digits;

	for (digits = at; at < n && isdigit(bytes[at]); at++)
		;
	if (at == digits || at == n || bytes[at++] != ' ')
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t length = strlen(words[i]);

		if (n - at >= length && !memcmp(bytes + at, words[i], length) && (n - at == length || isspace(bytes[at + length])))
			return true;
	}
	return false;
}

/* "CLOG-" something: another version of the family. */
static const char *other_clog(const uint8_t *bytes, size_t n, char *buf, size_t size)
{
	char version[11];

	text_safe(version, sizeof version, (const char *)bytes, strnlen((const char *)bytes, n < 10 ? n : 10), TEXT_ASCII);
	if (!strcmp(version, "CLOG-02.00"))
		snprintf(buf, size, "a CLOG-02.00 trace, whose layout was never published: pas2p reads CLOG-02.10 to 02.44");
	else if (!strncmp(version, "CLOG-01", 7))
		snprintf(buf, size, "a CLOG version 1 trace (%s): pas2p reads CLOG-02.10 to 02.44", version);
	else
		snprintf(buf, size, "a CLOG trace of version \"%s\": pas2p reads CLOG-02.10 to 02.44", version);
	return buf;
}

/* The formats that are read by name, or how their files begin: CLOG2, "CLOG-02." */
static void list_formats(char *buf, size_t size, bool names)
{
	const char *quote = names ? "" : "\"";
	size_t used = 0;

	*buf = '\0';
	for (const struct format *const *format = formats; *format && used < size; format++) {
		const char *between = format == formats ? "" : format[1] ? ", " : " or ";

		used += (size_t)snprintf(buf + used, size - used, "%s%s%s%s", between, quote,
					 names ? (*format)->name : (*format)->begins, quote);
	}
}

static const char *foreign_say(char *buf, size_t size, const char *what, enum rest rest)
{
	char names[80];

	list_formats(names, sizeof names, true);
	if (rest == NOT_READ)
		snprintf(buf, size, "%s, not a %s trace", what, names);
	else
		snprintf(buf, size, "%s", what);
	return buf;
}

static const char *foreign_say_unknown(const uint8_t *bytes, size_t n, char *buf, size_t size)
{
	char names[80], begins[80];

	list_formats(names, sizeof names, true);
	list_formats(begins, sizeof begins, false);
	snprintf(buf, size, "not a %s trace: its first bytes are %02x %02x %02x %02x, expected %s", names, bytes[0],
		 n > 1 ? bytes[1] : 0u, n > 2 ? bytes[2] : 0u, n > 3 ? bytes[3] : 0u, begins);
	return buf;
}

const char *foreign_kind(const uint8_t *bytes, size_t n, const char *name, char *buf, size_t size)
{
	if (n >= 5 && !memcmp(bytes, "CLOG-", 5))
		return other_clog(bytes, n, buf, size);
	if (has_suffix(name, ".cubex"))
		return foreign_say(buf, size, CUBE, SAID);
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
		const struct magic *m = &magics[i];

		if (n >= m->offset + m->len && !memcmp(bytes + m->offset, m->bytes, m->len))
			return foreign_say(buf, size, m->what, m->rest);
	}
	if (contains(bytes, n < 16 ? n : 16, "SLOG"))
		return foreign_say(buf, size, suffixes[0].what, suffixes[0].rest);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (has_suffix(name, suffixes[i].suffix))
			return foreign_say(buf, size, suffixes[i].what, suffixes[i].rest);
	if (contains(bytes, n < 64 ? n : 64, "OTF2"))
		return foreign_say(buf, size, "a file of an OTF2 trace", NOT_READ);
	if (bytes_all_are(bytes, n, 0))
		return foreign_say(buf, size, "filled with zeros at its start: the trace was never written", SAID);
	if (is_time_independent(bytes, n))
		return foreign_say(buf, size, "a time-independent trace (TIT), which has no times\nhint: give the trace that it was made from", SAID);
	if ((bytes[0] == '{' || bytes[0] == '[') && contains(bytes, n, "\"traceEvents\""))
		return foreign_say(buf, size, "a trace for Perfetto or Chrome (JSON), which pas2p does not read\nhint: give the trace that it was made from", SAID);
	if (is_text(bytes, n))
		return foreign_say(buf, size, "a text file", NOT_READ);
	return foreign_say_unknown(bytes, n, buf, size);
}

/* Nothing is inside a compressed file, or nothing that can be got at. */
static enum err_code refuse_empty(const struct source *source, const char *name, struct err *e)
{
	uint64_t at;
	enum unpack_end end = source_end(source, &at);
	const char *packing = packing_name(source_packing(source));

	if (end == UNPACK_CUT || end == UNPACK_BAD)
		return err_set(e, ERR_FORMAT, "%s is compressed with %s, and %s before the first byte of data (at byte %llu)", name, packing,
			       end == UNPACK_CUT ? "ends" : "is damaged", (unsigned long long)at);
	return err_set(e, ERR_FORMAT, "%s is compressed with %s, and is empty inside (0 bytes)", name, packing);
}

enum err_code foreign_refuse(const struct source *source, struct err *e)
{
	uint8_t bytes[FORMAT_HEAD] = {0};
	char name[160], kind[200], anchor[1024], shown[160];
	bool packed = source_packing(source) != PACKING_NONE;
	size_t got;
	enum err_code code = source_read(source, 0, bytes, sizeof bytes, &got, e);

	text_safe(name, sizeof name, source->name, SIZE_MAX, TEXT_UTF8);
	if (code)
		return code;
	if (packed && !got)
		return refuse_empty(source, name, e);
	if (anchor_of_part(source->name, anchor, sizeof anchor))
		return err_set(e, ERR_FORMAT, "%s is a part of an OTF2 trace\nhint: give its anchor file, %s", name,
			       text_safe(shown, sizeof shown, anchor, SIZE_MAX, TEXT_UTF8));
	return err_set(e, ERR_FORMAT, "%s%s is %s", name, packed ? ", decompressed," : "",
		       foreign_kind(bytes, got, source->name, kind, sizeof kind));
}

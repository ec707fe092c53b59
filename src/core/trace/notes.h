/* Notes: what is odd or broken in a trace, with place and meaning.
 *
 * Loading and analysing never stop at an oddity: they note it and go on. A note has a kind (what it
 * means), a level (warning: the results stand but look here; damage: part of the file was not
 * readable), and its place as far as it is known. Of each kind the first NOTES_KEPT are kept with
 * place; all are counted.
 */
#ifndef PAS2P_NOTES_H
#define PAS2P_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/team/team.h"

#define NOTES_KEPT 8

enum note_level { NOTE_REMARK, NOTE_WARNING, NOTE_DAMAGE };

/* NOTE(id, "name", level, "what it means for the results") */
#define NOTE_KINDS(NOTE) \
	NOTE(TRUNCATED, "truncated", NOTE_DAMAGE, "the file ends before the run does; events after this place are missing") \
	NOTE(CUT_TAIL, "cut-tail", NOTE_DAMAGE, "the file is cut after its end-of-log record; no events are missing") \
	NOTE(BAD_RECORD, "bad-record", NOTE_DAMAGE, "a record is invalid; the rest of its block or line was not read") \
	NOTE(BAD_BLOCK, "bad-block", NOTE_DAMAGE, "a block lacks its end marker or does not continue the previous block; records may be missing") \
	NOTE(BAD_PREAMBLE, "bad-preamble", NOTE_WARNING, "a header field is invalid and was ignored") \
	NOTE(BAD_COMM, "bad-communicator", NOTE_DAMAGE, "communicator records contradict each other; the ranks of the communicator may be wrong") \
	NOTE(DOUBTFUL_COMM, "doubtful-communicator", NOTE_WARNING, "a communicator record contradicts itself or other records; the majority was used") \
	NOTE(BAD_TABLE, "bad-table", NOTE_WARNING, "the communicator table contradicts the communicator records; it was ignored") \
	NOTE(BAD_DEFINITION, "bad-definition", NOTE_WARNING, "a definition has an impossible field; it was ignored") \
	NOTE(BAD_THREAD, "bad-thread", NOTE_WARNING, "a record's thread number is out of range; the record counts for the main thread of its rank") \
	NOTE(UNKNOWN_PROCESS, "unknown-process", NOTE_DAMAGE, "a record's communicator and rank belong to no known process; the record was ignored") \
	NOTE(BAD_PARTNER, "unknown-partner", NOTE_WARNING, "a message's peer is no known process; the message stays unmatched") \
	NOTE(BAD_MESSAGE, "bad-message", NOTE_WARNING, "a message record has an impossible field; only its valid fields were used") \
	NOTE(UNKNOWN_SIZE, "unknown-size", NOTE_WARNING, "a message's size is negative, undefined or impossibly large; it counts as unknown") \
	NOTE(BAD_TIME, "bad-time", NOTE_WARNING, "a time is no number or out of range; the time of the previous record was used, or the record ignored") \
	NOTE(TIME_BACKWARD, "time-backward", NOTE_WARNING, "the clock of a rank steps back; durations across the step are unreliable") \
	NOTE(MISSING_PROCESS, "missing-process", NOTE_WARNING, "a rank has no records; its part of the run is missing") \
	NOTE(MISSING_FILE, "missing-file", NOTE_WARNING, "a rank's local file was not given; its part of the run is missing") \
	NOTE(UNREADABLE_FILE, "unreadable-file", NOTE_DAMAGE, "a local file is empty or unreadable and was ignored; its part of the run is missing") \
	NOTE(UNPAIRED_STATE, "unpaired-state", NOTE_WARNING, "a call has a start without an end, or an end without a start; compute times near it are approximate") \
	NOTE(LOST_SEND, "lost-send", NOTE_WARNING, "a send is unmatched: its receive is not in the trace") \
	NOTE(LOST_RECEIVE, "lost-receive", NOTE_WARNING, "a receive is unmatched: its send is not in the trace; its logical time is a guess") \
	NOTE(REPAIRED_KEY, "repaired-channel", NOTE_WARNING, "sends and receives between two ranks differ in number or size; they were matched by size") \
	NOTE(RECEIVE_EARLY, "clock-violation", NOTE_REMARK, "a message is received before it was sent: the clocks disagree slightly; logical times are not affected; pas2p clocks estimates the offsets") \
	NOTE(CLOCKS_APART, "clocks-apart", NOTE_WARNING, "a message is received long before it was sent: the clocks disagree by more than 1 % of the run; the run time is unreliable; pas2p clocks estimates the offsets") \
	NOTE(COLLECTIVE_MISMATCH, "collective-mismatch", NOTE_WARNING, "members of a communicator disagree on a collective, or some lack it; the members that agree were matched") \
	NOTE(BROKEN_RELATION, "broken-relation", NOTE_WARNING, "events wait for each other in a cycle; this dependence was dropped to break the cycle") \
	NOTE(BAD_CARGO, "bad-cargo", NOTE_WARNING, "a compute reading does not match its format; compute times are derived from another source") \
	NOTE(BAD_COUNTER, "bad-counter", NOTE_WARNING, "the counter for compute times falls or never rises on a rank; this rank's compute times are derived from its MPI calls") \
	NOTE(DISTRUST, "untracked-call", NOTE_WARNING, "the rank makes calls that the tracer does not record completely (Ibsend, Irsend, Cancel); matches near them may be wrong") \
	NOTE(UNDEFINED_EVENT, "undefined-event", NOTE_REMARK, "events have no definition; they are shown by number") \
	NOTE(UNFINALIZED, "unfinalized", NOTE_WARNING, "the local file is unfinished: its clock is aligned only as far as its own records allow") \
	NOTE(FILE_CHANGED, "file-changed", NOTE_DAMAGE, "the file was changed or replaced while it was read; the results may be inconsistent") \
	NOTE(CLOCKS_CORRECTED, "clocks-corrected", NOTE_REMARK, "times were corrected, so that no message is received before it was sent") \
	NOTE(JOINED_WORLDS, "several-worlds", NOTE_REMARK, "the trace joins several MPI_COMM_WORLDs; their processes are numbered consecutively") \
	NOTE(DROPPED_CALLS, "dropped-calls", NOTE_REMARK, "the tracer left out short calls of functions; their time counts for the caller") \
	NOTE(LEFT_OUT, "left-out", NOTE_REMARK, "parts of the trace belong to no analysed process and were not read") \
	NOTE(MEASUREMENT_OFF, "measurement-off", NOTE_REMARK, "tracing was off for a while; this time counts as computation") \
	NOTE(ONE_SIDED, "one-sided", NOTE_REMARK, "one-sided communication is not analysed; only its calls are counted") \
	NOTE(NOT_ANALYSED, "not-analysed", NOTE_REMARK, "waiting in calls of this function, or in their completion, is not analysed, so the reported waiting is a lower bound; pas2p metrics shows their share")

enum note_kind {
#define NOTE(id, name, level, text) NOTE_##id,
	NOTE_KINDS(NOTE)
#undef NOTE
	NOTE_KIND_COUNT
};

struct note {
	enum note_kind kind;
	int32_t file;    /* index into the trace's files, -1: none */
	int32_t process; /* from 0, -1: none */
	int64_t block;   /* from 0, -1: none */
	int64_t offset;  /* byte in the file, -1: none */
	int64_t event;   /* number of the event within the process, from 0; -1: none */
	uint64_t order[2]; /* of notes that are found apart: where each stands among them (notes_merge_ordered()) */
	char *text;      /* particulars, safe to print; owned by the notes */
};

struct notes {
	struct note *list; /* in the order found */
	size_t n, cap;
	uint64_t count[NOTE_KIND_COUNT]; /* all that were found, kept or not */
	bool lost;                       /* memory ran out: some were counted but not kept */
};

/* Where a note points; NOTE_NOWHERE has every member -1. */
struct note_place {
	int32_t file, process;
	int64_t block, offset, event;
};
#define NOTE_NOWHERE ((struct note_place){-1, -1, -1, -1, -1})

void notes_init(struct notes *n);
void notes_release(struct notes *n);
void notes_add(struct notes *n, enum note_kind kind, struct note_place place, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void notes_forget(struct notes *n, enum note_kind kind); /* as if none of the kind had been found */
/* What several threads found of the same records: in the order of file, place and process, whoever found it. */
void notes_merge(struct notes *to, const struct notes *parts, size_t part_count);
/* The same in the order that they have been given, and then as found by the parts, one after the other. */
void notes_merge_ordered(struct notes *to, const struct notes *parts, size_t part_count);
/* Give those that were added since there were `from` of them their order. */
void notes_order(struct notes *n, size_t from, uint64_t first, uint64_t second);
/* For who would spend much time on a note: true, and it is counted, if its text would not be kept. */
static inline bool notes_only_count(struct notes *n, enum note_kind kind)
{
	n->count[kind] += n->count[kind] >= NOTES_KEPT;
	return n->count[kind] > NOTES_KEPT;
}

void notes_append(struct notes *to, const struct notes *from); /* keeps the rule of NOTES_KEPT */

const char *note_name(enum note_kind kind);
const char *note_meaning(enum note_kind kind);
/* Does its text begin with its process, so that its place need not say it? Not if that is a rank of a communicator. */
bool note_names_rank(const struct note *n);
enum note_level note_level(enum note_kind kind);
const char *note_level_name(enum note_level level); /* in files: "remark", "warning", "damage" */
const char *note_level_word(enum note_level level); /* for people: "note", "warning", "error" */
uint64_t notes_total(const struct notes *n, enum note_level level);

/* What is counted for people: each note is one of these, and a clock violation is one whatever its level. */
struct note_counts {
	uint64_t violations, warnings, damage, remarks;
	uint64_t apart; /* violations that are by so much that they are a warning */
};
void notes_count(struct note_counts *to, const struct notes *n); /* adds */

/* "2 warnings and 1 clock violation": what deserves a look, without damage; "": nothing does. Returns text. */
#define NOTE_COUNTS_TEXT 96
char *note_counts_text(const struct note_counts *c, char text[NOTE_COUNTS_TEXT]);

/* "6 warnings, 0 errors, 1 note". Returns text. */
char *note_levels_text(const struct note_counts *c, char text[NOTE_COUNTS_TEXT]);

/* What a kind is counted as: "clock violation", "error", "warning", "note". */
const char *note_counted_as(enum note_kind kind);
/* Its level and its name: "note: left-out". */
#define NOTE_TITLE 64
char *note_title(enum note_kind kind, char text[NOTE_TITLE]);

/* ---- team ---- */

/* The notes of all ranks of a team: each finds those of its local processes, and all come to keep the same. */

struct team_pack;
struct team_take;

/* Of what is told with other things (team_pack.h). notes_take() adds to a list that is empty; false: no memory, or they
 * are not there. */
void notes_put(struct team_pack *pack, const struct notes *found);
bool notes_take(struct team_take *take, struct notes *part);

/* A collective step. found: a rank's own, as many lists on each; parts[i * team_size() + r] becomes rank r's list i, in
 * their order for notes_merge(), to be released by the caller, also after an error. */
enum err_code notes_gather(const struct team *team, const struct notes *found, size_t lists, struct notes *parts, struct err *e);

#endif

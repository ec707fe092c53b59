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
	NOTE(CUT_TAIL, "cut-tail", NOTE_DAMAGE, "the file is cut short after its end-of-log record; no event is missing because of that") \
	NOTE(BAD_RECORD, "bad-record", NOTE_DAMAGE, "a record is not valid; the rest of its block, or of its line, could not be read") \
	NOTE(BAD_BLOCK, "bad-block", NOTE_DAMAGE, "a block lacks its end marker or does not continue the one before it; records may be lost") \
	NOTE(BAD_PREAMBLE, "bad-preamble", NOTE_WARNING, "a header field is not valid and was not used") \
	NOTE(BAD_COMM, "bad-communicator", NOTE_DAMAGE, "communicator records contradict each other; the communicator's ranks may be wrong") \
	NOTE(DOUBTFUL_COMM, "doubtful-communicator", NOTE_WARNING, "a communicator record contradicts itself or other records; what most of them say was used") \
	NOTE(BAD_TABLE, "bad-table", NOTE_WARNING, "the communicator table contradicts the communicator records; it was not used") \
	NOTE(BAD_DEFINITION, "bad-definition", NOTE_WARNING, "a definition has an impossible field; it was left out") \
	NOTE(BAD_THREAD, "bad-thread", NOTE_WARNING, "a record's thread number is out of range; the record counts for the process's first thread") \
	NOTE(UNKNOWN_PROCESS, "unknown-process", NOTE_DAMAGE, "a record's communicator and rank belong to no known process; the record was left out") \
	NOTE(BAD_PARTNER, "unknown-partner", NOTE_WARNING, "a message's partner cannot be resolved to a process; the message stays without a partner") \
	NOTE(BAD_MESSAGE, "bad-message", NOTE_WARNING, "a message record has an impossible field; it is kept only as far as it makes sense") \
	NOTE(UNKNOWN_SIZE, "unknown-size", NOTE_WARNING, "a message's size is negative, undefined or more than can be; it counts as unknown") \
	NOTE(BAD_TIME, "bad-time", NOTE_WARNING, "a time is not a number or out of range; the time of the record before it was used, or the record left out") \
	NOTE(TIME_BACKWARD, "time-backward", NOTE_WARNING, "the clock of a process steps back; durations across the step are not reliable") \
	NOTE(MISSING_PROCESS, "missing-process", NOTE_WARNING, "a process has no records; its part of the run is not in the trace") \
	NOTE(MISSING_FILE, "missing-file", NOTE_WARNING, "a process's local file is not among those given; its part of the run is missing") \
	NOTE(UNREADABLE_FILE, "unreadable-file", NOTE_DAMAGE, "a local file is empty or unreadable and was left out; its part of the run is missing") \
	NOTE(UNPAIRED_STATE, "unpaired-state", NOTE_WARNING, "a call has a start but no end, or an end but no start; compute times near it are approximate") \
	NOTE(LOST_SEND, "lost-send", NOTE_WARNING, "a send whose receive is not in the trace") \
	NOTE(LOST_RECEIVE, "lost-receive", NOTE_WARNING, "a receive whose send is not in the trace; its logical time is a guess") \
	NOTE(REPAIRED_KEY, "repaired-channel", NOTE_WARNING, "sends and receives of one channel differ in count or size; they were paired by equal size") \
	NOTE(RECEIVE_EARLY, "clock-violation", NOTE_REMARK, "a message arrives before it was sent: the clocks disagree a little; logical times do not depend on it; pas2p clocks says how far") \
	NOTE(CLOCKS_APART, "clocks-apart", NOTE_WARNING, "a clock violation by much: a message arrives long before it was sent; the clocks disagree by more than 1 % of the run; the run time is not reliable") \
	NOTE(COLLECTIVE_MISMATCH, "collective-mismatch", NOTE_WARNING, "the members of a communicator disagree on a collective, or some do not have it; those that agree were related") \
	NOTE(BROKEN_RELATION, "broken-relation", NOTE_WARNING, "events wait for each other in a cycle; this relation was left out to break it") \
	NOTE(BAD_CARGO, "bad-cargo", NOTE_WARNING, "a compute reading's bytes do not match its format; compute times come from another source") \
	NOTE(BAD_COUNTER, "bad-counter", NOTE_WARNING, "the counter that compute times come from falls, or never rises, in a process; this process's come from states") \
	NOTE(DISTRUST, "untracked-call", NOTE_WARNING, "the process makes calls that the tracer does not log in full (Ibsend, Irsend, Cancel); relations near them may be shifted") \
	NOTE(UNDEFINED_EVENT, "undefined-event", NOTE_REMARK, "events without a definition; they are shown by number") \
	NOTE(UNFINALIZED, "unfinalized", NOTE_WARNING, "an unfinished local file: its clock is aligned only as far as its own records allow") \
	NOTE(FILE_CHANGED, "file-changed", NOTE_DAMAGE, "the file was changed or replaced while it was read; what was read may be inconsistent") \
	NOTE(CLOCKS_CORRECTED, "clocks-corrected", NOTE_REMARK, "times are not as they were recorded: they were corrected so that nothing arrives before it was sent") \
	NOTE(JOINED_WORLDS, "several-worlds", NOTE_REMARK, "the trace joins several MPI_COMM_WORLDs; their processes are numbered as one sequence") \
	NOTE(DROPPED_CALLS, "dropped-calls", NOTE_REMARK, "the tracer left out short calls of functions; their time counts to who called them") \
	NOTE(LEFT_OUT, "left-out", NOTE_REMARK, "parts of the trace are of no process that is analysed and were not read") \
	NOTE(MEASUREMENT_OFF, "measurement-off", NOTE_REMARK, "measurement was switched off for a while; that time counts as computation") \
	NOTE(ONE_SIDED, "one-sided", NOTE_REMARK, "one-sided communication is not analysed; only its calls are seen") \
	NOTE(NOT_ANALYSED, "not-analysed", NOTE_REMARK, "calls of this function, or those in which it completes, may wait for others in a way that is not analysed: the waiting that is found is what there is at least; pas2p metrics says what share of the time they take")

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
enum note_level note_level(enum note_kind kind);
const char *note_level_name(enum note_level level); /* "remark", "warning", "damage" */
uint64_t notes_total(const struct notes *n, enum note_level level);

/* What is counted for people: each note is one of these, and a clock violation is one whatever its level. */
struct note_counts {
	uint64_t violations, warnings, damage, remarks;
	bool apart; /* some of the violations are by so much that they are a warning */
};
void notes_count(struct note_counts *to, const struct notes *n); /* adds */

/* "2 warnings and 1 clock violation": what deserves a look, without damage; "": nothing does. Returns text. */
#define NOTE_COUNTS_TEXT 96
char *note_counts_text(const struct note_counts *c, char text[NOTE_COUNTS_TEXT]);

/* What a kind is counted as: "clock violation", "damage", "warning", "remark". */
const char *note_counted_as(enum note_kind kind);
/* With its name: "remark: left-out", "clock violation: clocks-apart"; "clock-violation", which says it itself. */
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

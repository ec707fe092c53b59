/* A Paraver trace says who is the root of a collective on the root's own record alone; the other members learn it from
 * there, by the place of theirs among those of its operation and communicator. Without it they would wait for all
 * members, where they wait for one. What members do not agree on is noted, and their root is not known.
 */
#include <stdio.h>
#include <string.h>

#include "same_run.h"
#include "tap.h"

#define HEAD "#Paraver (x):1000_ns:0:1:3(1:1,2:1,1:1)\nc:1:1:3:1:2:3\nc:1:2:2:3:2\n"
#define END "1:1:1:1:1:0:1000:1\n1:1:1:2:1:0:1000:1\n1:1:1:3:1:0:1000:1\n"
/* A call of a thread of a task, of 9 ns; time: in 10 ns. */
#define AT(task, thread, time, what) "2:1:1:" #task ":" #thread ":" #time "0:50000002:" what "\n2:1:1:" #task ":" #thread ":" #time "9:50000002:0\n"
#define BCAST(comm) "7:50100001:8:50100004:" #comm
#define REDUCE(comm) "9:50100001:8:50100004:" #comm
#define IBCAST(comm) "157:50100001:8:50100004:" #comm
#define BARRIER(comm) "8:50100001:0:50100004:" #comm
#define ROOT ":50100003:1"

/* "Bcast 1, Bcast ?": a process after the other. */
static void say_roots(const struct same_run *run, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (uint32_t p = 0; p < run->trace->process_count; p++) {
		struct record_cursor cursor;
		struct record record;
		struct err e;

		used += (size_t)snprintf(buf + used, size - used, "%s", p ? " / " : "");
		if (record_cursor_init(&cursor, run->log, p, &e))
			bail_out("%s", e.text);
		while (record_cursor_next(&cursor, &record)) {
			char name[40], root[12] = "?";

			if (record.kind != RECORD_EVENT)
				continue;
			if (record.root != NO_PROCESS)
				snprintf(root, sizeof root, "%u", record.root);
			used += (size_t)snprintf(buf + used, size - used, "%s%s %s", buf[used ? used - 1 : 0] && buf[used - 1] != ' ' ? ", " : "",
						 trace_type_name(run->trace, run->trace->type[record.event], name, sizeof name) + 1, root);
		}
		record_cursor_release(&cursor);
	}
}

static const struct {
	const char *lines, *want, *note, *what;
} table[] = {
	{AT(1, 1, 10, BCAST(1) ROOT) AT(2, 1, 11, BCAST(1)) AT(3, 1, 12, BCAST(1)), "Bcast 0 / Bcast 0 / Bcast 0", NULL, "one"},
	{AT(1, 1, 10, BCAST(1) ROOT) AT(1, 1, 20, BCAST(1)) AT(2, 1, 11, BCAST(1)) AT(2, 1, 20, BCAST(1) ROOT) AT(3, 1, 12, BCAST(1)) AT(3, 1, 30, BCAST(1)),
	 "Bcast 0, Bcast 1 / Bcast 0, Bcast 1 / Bcast 0, Bcast 1", NULL, "two of a communicator"},
	{AT(1, 1, 10, BCAST(1)) AT(2, 1, 11, BCAST(1)) AT(3, 1, 12, BCAST(1) ROOT) AT(2, 1, 20, BCAST(2) ROOT) AT(3, 1, 20, BCAST(2))
	 AT(1, 1, 30, REDUCE(1) ROOT) AT(2, 1, 31, REDUCE(1)) AT(3, 1, 32, REDUCE(1)) AT(1, 1, 40, IBCAST(1)) AT(2, 1, 41, IBCAST(1) ROOT)
	 AT(3, 1, 42, IBCAST(1)),
	 "Bcast 2, Reduce 0, Ibcast 1 / Bcast 2, Bcast 1, Reduce 0, Ibcast 1 / Bcast 2, Bcast 1, Reduce 0, Ibcast 1", NULL,
	 "of several communicators and operations"},
	{AT(1, 1, 10, BCAST(1)) AT(1, 1, 20, BCAST(1) ROOT) AT(2, 2, 11, BCAST(1) ROOT) AT(2, 1, 20, BCAST(1)) AT(3, 1, 12, BCAST(1)) AT(3, 1, 30, BCAST(1)),
	 "Bcast 1, Bcast 0 / Bcast 1, Bcast 0 / Bcast 1, Bcast 0", NULL, "by several threads of a process, in order of time"},
	{AT(1, 1, 10, BCAST(1)) AT(2, 1, 11, BCAST(1)) AT(3, 1, 12, BCAST(1)) AT(1, 1, 20, BARRIER(1)) AT(2, 1, 20, BARRIER(1)) AT(3, 1, 20, BARRIER(1)),
	 "Bcast ?, Barrier ? / Bcast ?, Barrier ? / Bcast ?, Barrier ?", NULL, "a trace without roots"},
	{AT(1, 1, 10, BCAST(1) ROOT) AT(1, 1, 20, BCAST(1)) AT(2, 1, 11, BCAST(1)) AT(2, 1, 20, BCAST(1)) AT(3, 1, 12, BCAST(1)) AT(3, 1, 30, BCAST(1)),
	 "Bcast 0, Bcast ? / Bcast 0, Bcast ? / Bcast 0, Bcast ?", "1 of 2 MPI_Bcast on a communicator of 3 processes have no root: no rank is marked as the root",
	 "one that lacks its root"},
	{AT(1, 1, 10, BCAST(1) ROOT) AT(1, 1, 20, BCAST(1)) AT(2, 1, 11, BCAST(1)) AT(2, 1, 20, BCAST(1) ROOT) AT(3, 1, 12, BCAST(1)) AT(3, 1, 30, BCAST(1) ROOT),
	 "Bcast 0, Bcast ? / Bcast 0, Bcast ? / Bcast 0, Bcast ?",
	 "1 of 2 MPI_Bcast on a communicator of 3 processes have several roots: in call 2, ranks 1 and 2 are both the root", "one of two roots"},
};

int main(void)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct same_run run;
		char text[4000], said[1000];

		snprintf(text, sizeof text, HEAD "%s" END, table[i].lines);
		same_run_load_bytes(&run, text, strlen(text));
		say_roots(&run, said, sizeof said);
		is_str(said, table[i].want, "%s: roots", table[i].what);
		is_int((int)run.trace->notes.count[NOTE_COLLECTIVE_MISMATCH], table[i].note != NULL, "%s: notes", table[i].what);
		if (run.trace->notes.count[NOTE_COLLECTIVE_MISMATCH])
			is_str(run.trace->notes.list[0].text, table[i].note ? table[i].note : "", "%s: said", table[i].what);
		same_run_release(&run);
	}
	return done_testing();
}

#include "runner.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define WAIT_MS 1        /* between two looks: at least this, */
#define WAIT_MS_MOST 10  /* at most this, */
#define WAIT_SHARE 50    /* and meanwhile this part of the time watched so far */
#define SETTLE_S 0.5     /* blocked for so long while others have stopped: it will not move before they do */
#define POLLS_S 3.0      /* so long no call but polls, */
#define POLLS_MANY 1000  /* and so many of them: it waits */
#define REPORT_S 5.0
#define RANKS_NAMED 4
#define WORDS_SHOWN 240

void mission_say(const struct mission *m, const char *fmt, ...)
{
	char text[ERR_TEXT];
	va_list ap;

	if (!m->say)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	m->say(m->say_arg, text);
}

void station_note(struct station *s, enum station_moment moment)
{
	s->times[moment] = clock_seconds();
}

/* Lines joined by a blank, without rulers and indentation. */
static void squeeze(char *text)
{
	char *to = text;

	for (char *p = text; *p;) {
		size_t dashes = strspn(p, "-=*"), blanks = strspn(p, " \t\r\n");

		if (dashes > 9) {
			p += dashes;
		} else if (blanks) {
			p += blanks;
			if (to > text && to[-1] != ' ')
				*to++ = ' ';
		} else {
			*to++ = *p++;
		}
	}
	while (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* The last line or two of the job's output, safe, in one line; "" if there are none. */
static void station_last_words(const struct station *s, char *text, size_t size)
{
	char bytes[1024];
	int fd = s->log[0] ? open(s->log, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	off_t end = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	off_t from = end > (off_t)sizeof bytes - 1 ? end - (off_t)sizeof bytes + 1 : 0;
	ssize_t n = fd < 0 ? 0 : pread(fd, bytes, sizeof bytes - 1, from);
	char *start = bytes;

	if (fd >= 0)
		close(fd);
	bytes[n > 0 ? n : 0] = '\0';
	if (from > 0 && strchr(bytes, '\n'))
		start = strchr(bytes, '\n') + 1;
	squeeze(start);
	n = (ssize_t)strlen(start);
	if (n > WORDS_SHOWN)
		start += n - WORDS_SHOWN;
	text_safe(text, size, start, SIZE_MAX, TEXT_UTF8);
}

/* What the watch remembers of a rank from one look to the next. */
struct rank_seen {
	struct board_view v;
	double since;   /* when count, calls or state last changed */
	uint64_t polls; /* made till then */
	uint32_t needed; /* boundaries that it must have come to */
};

struct station_look {
	struct station *s;
	struct rank_seen *ranks;
	uint32_t n;
	enum station_goal goal;
	uint32_t number;
	double began, changed, reported;
};

static bool at_cut(const struct station_look *l, const struct rank_seen *r)
{
	return r->v.state == CONTROL_STOPPED && r->v.cut == l->number;
}

static void rank_where_text(const struct station_look *l, uint32_t rank, char *text, size_t size)
{
	const struct board_view *v = &l->ranks[rank].v;
	const struct launch_plan *p = l->s->mission->plan;
	unsigned long long at = (unsigned long long)v->count;
	char wanted[64] = "";

	if (l->goal == STATION_STOPPED && l->number < p->cut_count)
		snprintf(wanted, sizeof wanted, ", wanted %s %u", p->cuts[l->number]->points.before[rank] ? "before" : "after",
			 p->cuts[l->number]->points.checkpoint[rank] + (p->cuts[l->number]->points.before[rank] ? 1u : 0u));
	else if (l->goal == STATION_MEASURED)
		snprintf(wanted, sizeof wanted, ", measured up to boundary %u of %u", v->measured, l->ranks[rank].needed);
	switch (v->state) {
	case CONTROL_NOWHERE:
		snprintf(text, size, "rank %u has not returned from MPI_Init", rank);
		return;
	case CONTROL_STOPPED:
		snprintf(text, size, "rank %u has stopped at call %llu", rank, at);
		return;
	case CONTROL_FINALIZED:
		snprintf(text, size, "rank %u is in MPI_Finalize after %llu calls%s", rank, at, wanted);
		return;
	case CONTROL_RUNNING:
		snprintf(text, size, "rank %u is %s call %llu%s", rank,
			 v->inside > 0 ? "inside MPI at" : v->polls - l->ranks[rank].polls >= POLLS_MANY ? "polling after" :
			 "computing after", at, wanted);
		return;
	}
}

static bool is_there(const struct station_look *l, const struct rank_seen *r)
{
	return l->goal == STATION_STOPPED ? at_cut(l, r) : l->goal == STATION_MEASURED && r->v.measured >= r->needed;
}

/* Up to RANKS_NAMED ranks that are not where they should be. */
static void laggards(const struct station_look *l, char *text, size_t size)
{
	size_t used = 0;
	unsigned named = 0, more = 0;

	text[0] = '\0';
	for (uint32_t r = 0; r < l->n; r++) {
		const struct rank_seen *x = &l->ranks[r];
		char one[128];

		if (is_there(l, x))
			continue;
		if (named == RANKS_NAMED || used >= size - 1) {
			more++;
			continue;
		}
		rank_where_text(l, r, one, sizeof one);
		used += (size_t)snprintf(text + used, size - used, "%s%s", named++ ? "; " : "", one);
	}
	if (more && used < size - 1)
		snprintf(text + used, size - used, "; and %u more", more);
}

static enum err_code take_views(struct station_look *l, double now, struct err *e)
{
	for (uint32_t r = 0; r < l->n; r++) {
		struct board_view v;

		if (board_look(&l->s->board, r, &v, e))
			return e->code;
		if (v.count != l->ranks[r].v.count || v.calls != l->ranks[r].v.calls ||
		    v.state != l->ranks[r].v.state ||
		    v.measured != l->ranks[r].v.measured) {
			l->ranks[r].since = l->changed = now;
			l->ranks[r].polls = v.polls;
		}
		l->ranks[r].v = v;
	}
	if (l->n && l->ranks[0].v.size && (uint32_t)l->ranks[0].v.size != l->n)
		return err_set(e, ERR_USAGE, "the table is for %u process%s, but the command starts %d: trace the "
			       "program with %d, or start it with %u", l->n, l->n == 1 ? "" : "es", l->ranks[0].v.size, l->ranks[0].v.size,
			       l->n);
	return ERR_OK;
}

/* The first part of those that are measured whose boundaries the rank has not all come to. */
static const struct plan_part *part_missed(const struct station_look *l, uint32_t rank)
{
	const struct launch_plan *p = l->s->mission->plan;
	const struct plan_part *first = NULL;

	if (l->goal == STATION_STOPPED)
		return p->cuts[l->number];
	if (l->number != PLAN_EVERY_PART)
		return &p->parts[l->number];
	for (uint32_t i = 0; i < p->part_count; i++)
		if (p->parts[i].to > l->ranks[rank].v.measured && plan_needed(p, i, rank) > l->ranks[rank].v.measured &&
		    (!first || p->parts[i].from < first->from))
			first = &p->parts[i];
	return first;
}

static enum err_code another_program(const struct station_look *l, uint32_t rank, struct err *e)
{
	const struct launch_plan *p = l->s->mission->plan;
	const uint32_t *counts = p->counts + (size_t)rank * p->boundary_count;
	const struct plan_part *part = p->windows ? part_missed(l, rank) : NULL;
	unsigned long long calls = l->ranks[rank].v.count;
	char name[PLAN_NAME];

	if (part) {
		bool begun = counts[part->from] <= calls;

		return err_set(e, ERR_USAGE, "rank %u ended after %llu sends and collectives, but %s of the table %s "
			       "after its number %u: " PLAN_OTHER_RUN, rank, calls, plan_name(p, part, name), begun ? "ends" : "begins",
			       counts[begun ? part->to - 1 : part->from]);
	}
	return err_set(e, ERR_USAGE, "rank %u ended after %llu sends and collectives, but the table's phases need %u: "
		       "the table is from another program or input", rank, calls,
		       counts[p->boundary_count - 1]);
}

/* It waits for another rank: inside MPI, or it does nothing but poll. One that polls may also be computing between the
 * polls: for that it gets longer, and if it is stopped short all the same, nothing is lost but time. */
static bool waits(const struct rank_seen *x, double now)
{
	if (x->v.state != CONTROL_RUNNING)
		return false;
	return (x->v.inside > 0 && now - x->since >= SETTLE_S) ||
	       (now - x->since >= POLLS_S && x->v.polls - x->polls >= POLLS_MANY);
}

/* Everyone has stopped, or waits for someone who has: nothing will move, and the checkpoint can be taken. */
static bool settled(const struct station_look *l, double now)
{
	uint32_t stopped = 0, blocked = 0;

	for (uint32_t r = 0; r < l->n; r++) {
		const struct rank_seen *x = &l->ranks[r];

		if (at_cut(l, x))
			stopped++;
		else if (waits(x, now))
			blocked++;
	}
	if (stopped + blocked < l->n || !stopped)
		return false;
	if (blocked) {
		char text[256];

		laggards(l, text, sizeof text);
		mission_say(l->s->mission, "the checkpoint is taken with %u of %u ranks blocked before their stop: %s",
			    blocked, l->n, text);
	}
	return true;
}

static bool reached(const struct station_look *l, double now)
{
	switch (l->goal) {
	case STATION_STOPPED:
		return settled(l, now);
	case STATION_MEASURED:
		for (uint32_t r = 0; r < l->n; r++)
			if (!is_there(l, &l->ranks[r]))
				return false;
		return true;
	case STATION_ENDED:
		return !l->s->child.running;
	}
	return false;
}

/* A rank that is in MPI_Finalize will neither stop nor measure any more. */
static enum err_code missed(const struct station_look *l, struct err *e)
{
	if (l->goal == STATION_ENDED)
		return ERR_OK;
	for (uint32_t r = 0; r < l->n; r++)
		if (l->ranks[r].v.state == CONTROL_FINALIZED && !is_there(l, &l->ranks[r]))
			return another_program(l, r, e);
	return ERR_OK;
}

static enum err_code ended(const struct station_look *l, struct err *e)
{
	int status = l->s->child.status;
	char words[WORDS_SHOWN * 3 + 1], how[64], refusal[REFUSAL_TEXT];
	const char *why = "before it reached all phases";
	bool began = false;

	for (uint32_t r = 0; r < l->n; r++)
		began = began || l->ranks[r].v.state != CONTROL_NOWHERE;
	if (l->goal == STATION_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == 0 && began)
		return ERR_OK;
	if (!began && refusal_in_file(l->s->log, refusal))
		return err_set(e, ERR_IO, "the job did not start: %s", refusal);
	station_last_words(l->s, words, sizeof words);
	if (WIFSIGNALED(status))
		snprintf(how, sizeof how, "was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(how, sizeof how, "ended with exit status %d", WEXITSTATUS(status));
	if (!began)
		why = "before any rank returned from MPI_Init (is the program linked dynamically with this MPI?)";
	else if (l->goal == STATION_ENDED)
		why = "instead of ending normally";
	return err_set(e, ERR_IO, "the job %s %s%s%s%s", how, why, words[0] ? "; its last output: '" : "", words,
		       words[0] ? "'" : "");
}

static enum err_code stuck(const struct station_look *l, struct err *e)
{
	char text[320];
	const char *advice = "if the program computes that long between MPI calls, give a longer --timeout";
	bool nowhere = true;

	laggards(l, text, sizeof text);
	for (uint32_t r = 0; r < l->n; r++)
		nowhere = nowhere && l->ranks[r].v.state == CONTROL_NOWHERE;
	if (nowhere)
		advice = "check whether the program uses this MPI; on several nodes, give --control a folder that all nodes share";
	return err_set(e, ERR_IO, "no rank made progress for %.0f s: %s\nhint: %s", l->s->mission->timeout, text, advice);
}

static void report(struct station_look *l, double now)
{
	uint64_t least = UINT64_MAX, most = 0;

	if (now - l->reported < REPORT_S || !l->n)
		return;
	l->reported = now;
	for (uint32_t r = 0; r < l->n; r++) {
		uint64_t at = l->ranks[r].v.count;

		least = at < least ? at : least;
		most = at > most ? at : most;
	}
	mission_say(l->s->mission, "%.0f s: the ranks have made %llu to %llu sends and collectives", now - l->began,
		    (unsigned long long)least,
		    (unsigned long long)most);
}

/* What is over soon is seen soon, and looking costs the ranks that are measured little: their processors are the
 * runner's too. */
static int until_next_look(const struct station_look *l, double now)
{
	double ms = (now - l->began) * 1e3 / WAIT_SHARE;

	return ms < WAIT_MS ? WAIT_MS : ms > WAIT_MS_MOST ? WAIT_MS_MOST : (int)ms;
}

static enum err_code watch(struct station_look *l, struct err *e)
{
	int wait_ms = 0;

	const struct mission *m = l->s->mission;

	for (;;) {
		double now;
		enum err_code code;

		if (progress_stopped(m->progress))
			return err_set(e, ERR_CANCELLED, "interrupted");
		code = nest_wait(l->s->nest, wait_ms, e);
		now = clock_seconds();
		wait_ms = until_next_look(l, now);
		if (!code)
			code = take_views(l, now, e);
		if (code)
			return code;
		if (l->goal != STATION_ENDED && reached(l, now))
			return ERR_OK;
		code = missed(l, e);
		if (code)
			return code;
		if (!l->s->child.running)
			return ended(l, e);
		if (now - l->changed > m->timeout)
			return stuck(l, e);
		report(l, now);
	}
}

enum err_code station_watch(struct station *s, enum station_goal goal, uint32_t number, struct err *e)
{
	struct station_look l = {.s = s, .n = s->mission->plan->ranks, .goal = goal, .number = number};
	enum err_code code;

	l.ranks = mem_zero(l.n, sizeof *l.ranks);
	if (!l.ranks)
		return err_memory(e, "watching the ranks");
	for (uint32_t r = 0; goal == STATION_MEASURED && r < l.n; r++)
		l.ranks[r].needed = plan_needed(s->mission->plan, number, r);
	l.began = l.changed = l.reported = clock_seconds();
	code = watch(&l, e);
	mem_free(l.ranks);
	return code;
}

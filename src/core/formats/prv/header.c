#include "prv_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/search.h"
#include "core/base/text.h"
#include "core/trace/trace.h"

#define TITLE "#Paraver ("
#define PROCESSES_MOST (1u << 30) /* an event's type has room for so many */

struct header_reader {
	const char *p, *end;
	struct prv_header *h;
	size_t task_cap, app_cap;
	struct err *e;
};

static enum err_code header_fail(struct header_reader *r, const char *expected)
{
	char shown[60];

	if (r->p == r->end)
		return err_set(r->e, ERR_FORMAT, "its header ends where %s should be", expected);
	return err_set(r->e, ERR_FORMAT, "its header has \"%s\" where %s should be",
		       text_safe(shown, sizeof shown, r->p, (size_t)(r->end - r->p) < 20 ? (size_t)(r->end - r->p) : 20, TEXT_UTF8), expected);
}

static bool header_take_char(struct header_reader *r, char c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static enum err_code take_number(struct header_reader *r, uint64_t *v, const char *expected)
{
	const char *begin = r->p;
	size_t n = 0;

	while (begin + n < r->end && (unsigned)(begin[n] - '0') < 10)
		n++;
	if (!n || !number_parse_whole(begin, n, v) || *v > INT64_MAX)
		return header_fail(r, expected);
	r->p += n;
	return ERR_OK;
}

static enum err_code take_time(struct header_reader *r)
{
	static const struct {
		const char *name;
		double units;
	} units[] = {{"_ns", 1e9}, {"_us", 1e6}, {"_ms", 1e3}};
	struct prv_header *h = r->h;
	enum err_code code = take_number(r, &h->final_time, "the run's length");

	if (code)
		return code;
	h->units = 1e6;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (r->end - r->p > 3 && !memcmp(r->p, units[i].name, 3)) {
			h->units = units[i].units;
			r->p += 3;
			break;
		}
	if (!header_take_char(r, ':'))
		return header_fail(r, "_ns, _us, _ms, or ':' and the nodes");
	h->latest = h->final_time < INT64_MAX / 2 - (uint64_t)h->units ? h->final_time * 2 + (uint64_t)h->units : INT64_MAX;
	return ERR_OK;
}

/* NODES[(CPUS,...)]: */
static enum err_code skip_nodes(struct header_reader *r)
{
	uint64_t v;
	enum err_code code = take_number(r, &v, "the number of nodes");

	if (!code && header_take_char(r, '('))
		do
			code = take_number(r, &v, "a node's number of processors");
		while (!code && header_take_char(r, ','));
	if (code)
		return code;
	header_take_char(r, ')');
	return header_take_char(r, ':') ? ERR_OK : header_fail(r, "':' and the number of applications");
}

static enum err_code add_task(struct header_reader *r, uint64_t threads, uint64_t node)
{
	struct prv_header *h = r->h;
	struct prv_task *tasks = mem_grow(h->tasks, h->task_count, &r->task_cap, sizeof *tasks);

	if (!tasks)
		return err_memory(r->e, "the processes");
	h->tasks = tasks;
	if (h->task_count == PROCESSES_MOST)
		return err_set(r->e, ERR_LIMIT, "its header lists more than %u tasks", PROCESSES_MOST);
	tasks[h->task_count++] = (struct prv_task){threads, node < UINT32_MAX ? (uint32_t)node : 0};
	return ERR_OK;
}

static enum err_code begin_app(struct header_reader *r)
{
	struct prv_header *h = r->h;
	uint32_t *first = mem_grow(h->first, (size_t)h->app_count, &r->app_cap, sizeof *first);

	if (!first)
		return err_memory(r->e, "the applications");
	h->first = first;
	first[h->app_count] = h->task_count;
	return ERR_OK;
}

/* TASKS(THREADS:NODE,...); the number before it is read. */
static enum err_code take_tasks(struct header_reader *r)
{
	enum err_code code = begin_app(r);

	if (code)
		return code;
	do {
		uint64_t threads, node;

		code = take_number(r, &threads, "a task's number of threads");
		if (!code && !header_take_char(r, ':'))
			code = header_fail(r, "':' and a task's node");
		if (!code)
			code = take_number(r, &node, "a task's node");
		if (!code)
			code = add_task(r, threads, node);
	} while (!code && header_take_char(r, ','));
	if (code)
		return code;
	if (!header_take_char(r, ')'))
		return header_fail(r, "',' or ')' of a list of tasks");
	r->h->app_count++;
	return ERR_OK;
}

/* Applications are separated by ':'; some tools write ',', and what follows is known by its '('. */
static enum err_code take_apps(struct header_reader *r)
{
	enum err_code code;
	uint64_t v;

	do {
		code = take_number(r, &v, "a number of tasks");
		if (!code && header_take_char(r, '('))
			code = take_tasks(r);
		else if (!code && !r->h->app_count)
			code = header_fail(r, "'(' and a list of tasks");
	} while (!code && (header_take_char(r, ',') || header_take_char(r, ':')));
	if (!code && r->p < r->end)
		code = header_fail(r, "nothing");
	return code ? code : begin_app(r);
}

enum err_code prv_header_parse(struct prv_header *h, const char *text, size_t n, struct err *e)
{
	struct header_reader r = {text, text + n, h, 0, 0, e};
	const char *date = n > strlen(TITLE) ? memchr(text, ')', n) : NULL;
	enum err_code code = ERR_OK;
	uint64_t v;

	*h = (struct prv_header){0};
	if (n < strlen(TITLE) || memcmp(text, TITLE, strlen(TITLE)) != 0)
		return header_fail(&r, TITLE);
	r.p = date ? date + 1 : r.end;
	if (!date || !header_take_char(&r, ':'))
		code = header_fail(&r, "\"):\" after the date");
	if (!code)
		code = take_time(&r);
	if (!code)
		code = skip_nodes(&r);
	if (!code)
		code = take_number(&r, &v, "the number of applications");
	if (!code && !header_take_char(&r, ':'))
		code = header_fail(&r, "':' and the first application");
	if (!code)
		code = take_apps(&r);
	if (code)
		prv_header_release(h);
	return code;
}

void prv_header_release(struct prv_header *h)
{
	mem_free(h->tasks);
	mem_free(h->first);
	h->tasks = NULL;
	h->first = NULL;
}

uint32_t prv_process(const struct prv_header *h, uint64_t app, uint64_t task)
{
	if (app - 1 >= h->app_count || task - 1 >= h->first[app] - h->first[app - 1])
		return NO_PROCESS;
	return h->first[app - 1] + (uint32_t)(task - 1);
}

uint32_t prv_app_of(const struct prv_header *h, uint32_t process)
{
	return SEARCH_LAST(i, 0, h->app_count, h->first[i] <= process);
}

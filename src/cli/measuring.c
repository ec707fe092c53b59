#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/models/machine/pingpong_plan.h"

#define SECONDS_USUAL 30.0
#define NODE_SECONDS 6.0     /* for operations and memory */
#define PATIENCE 600.0       /* s that a job may take besides what it measures */
#define OPS_TEXT 256

struct measuring_asked {
	char ops[OPS_TEXT];  /* names with commas between */
	uint64_t low, high;  /* bytes */
};

static enum err_code read_ops(struct measuring_asked *q, const char *list, struct err *e)
{
	struct out names;
	bool chosen[PINGPONG_OP_COUNT] = {false};
	char safe[80];

	for (const char *name = list; name && *name;) {
		size_t n = strcspn(name, ",");
		enum pingpong_op op = pingpong_op_find(name, n);

		if (op == PINGPONG_OP_COUNT) {
			out_init(&names);
			for (int i = 0; i < PINGPONG_OP_COUNT; i++)
				out_printf(&names, "%s%s", !i ? "" : i + 1 < PINGPONG_OP_COUNT ? ", " : " or ",
					   pingpong_op_name((enum pingpong_op)i));
			text_safe(safe, sizeof safe, name, n, TEXT_UTF8);
			err_set(e, ERR_USAGE, "--ops is '%s': expected %s", safe, names.failed ? "other "
				"words" : names.text);
			out_release(&names);
			return ERR_USAGE;
		}
		chosen[op] = true;
		name += n + (name[n] == ',');
	}
	q->ops[0] = '\0';
	for (int i = 0; i < PINGPONG_OP_COUNT; i++)
		if (chosen[i] || !list) {
			if (q->ops[0])
				strcat(q->ops, ",");
			strcat(q->ops, pingpong_op_name((enum pingpong_op)i));
		}
	return ERR_OK;
}

/* "4096", "64KiB", "4MiB": n bytes of text. */
static bool read_bytes(const char *text, size_t n, uint64_t *bytes)
{
	uint64_t unit = 1;

	if (n > 3 && !memcmp(text + n - 3, "KiB", 3))
		unit = 1 << 10;
	else if (n > 3 && !memcmp(text + n - 3, "MiB", 3))
		unit = 1 << 20;
	if (!number_parse_whole(text, unit > 1 ? n - 3 : n, bytes) || *bytes > PINGPONG_LIMIT / unit)
		return false;
	*bytes *= unit;
	return true;
}

static enum err_code read_sizes(struct measuring_asked *q, const char *text, struct err *e)
{
	const char *dots = text ? strstr(text, "..") : NULL;
	char safe[80];

	q->low = 0;
	q->high = PINGPONG_LARGEST;
	if (!text || (dots && read_bytes(text, (size_t)(dots - text), &q->low) && read_bytes(dots + 2, strlen(dots + 2), &q->high) &&
		      q->low <= q->high))
		return ERR_OK;
	text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_USAGE, "--sizes is '%s': expected the smallest and the largest size, up to 1024MiB, such "
		       "as 0..4MiB or 8..65536", safe);
}

static enum err_code measuring_read_options(struct measuring_asked *q, const struct options *o, struct err *e)
{
	return read_ops(q, o->ops, e) ? e->code : read_sizes(q, o->sizes, e);
}

enum err_code measuring_check(const struct options *o, struct err *e)
{
	struct measuring_asked q;

	return measuring_read_options(&q, o, e);
}

static enum err_code measuring_ask(struct launch_answer *a, const char *const *own, const char *task, double usual, struct pingpong_answer *answer,
			 struct err *e)
{
	const struct launch_question q = {"pingpong", task, own, "pas2p-pingpong ", usual, 10 * usual + PATIENCE};
	char *text = NULL;
	size_t size;
	enum err_code code = launch_answer_ask(a, &q, &text, &size, e);

	if (!code) {
		code = pingpong_answer_read(answer, text, size, e);
		a->failed = code == ERR_FORMAT;
	}
	mem_free(text);
	return code;
}

enum err_code measuring_messages(struct launch_answer *a, struct pingpong_answer *answer, struct err *e)
{
	const struct options *o = a->options;
	double usual = o->pingpong_seconds > 0 ? o->pingpong_seconds : SECONDS_USUAL;
	char low[NUMBER_TEXT], high[NUMBER_TEXT], seconds[NUMBER_TEXT];
	struct measuring_asked q;
	const char *own[] = {"messages", q.ops, low, high, seconds, NULL};

	if (measuring_read_options(&q, o, e))
		return e->code;
	number_whole(q.low, low);
	number_whole(q.high, high);
	number_format(usual, seconds);
	return measuring_ask(a, own, "messages", usual, answer, e);
}

enum err_code measuring_nodes(struct launch_answer *a, struct pingpong_answer *answer, struct err *e)
{
	const char *own[] = {"machine", a->options->shared ? "1" : "0", NULL};

	return measuring_ask(a, own, "machines", NODE_SECONDS, answer, e);
}

void measuring_comment(struct out *out, const struct launch_answer *a, const struct pingpong_answer *answer)
{
	char date[CLOCK_UTC_TEXT], safe[256];

	if (answer) {
		out_printf(out, "# host: %s, %u process%s on %u node%s\n# MPI: %s\n# launched by:", answer->host, answer->ranks,
			   answer->ranks == 1 ? "" : "es", answer->nodes, answer->nodes == 1 ? "" : "s",
			   answer->library);
		for (const char *const *word = a->options->words; *word; word++)
			out_printf(out, " %s", text_safe(safe, sizeof safe, *word, SIZE_MAX, TEXT_UTF8));
		out_str(out, "\n");
	}
	out_printf(out, "# date: %s\n", clock_utc(date));
	if (answer && !isnan(answer->resolution)) {
		out_str(out, "# clock resolution: ");
		out_double(out, answer->resolution);
		out_str(out, " s\n");
	}
}

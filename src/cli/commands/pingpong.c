/* pas2p pingpong: how long messages take between the processes of a job. */
#include <inttypes.h>

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/interrupt.h"
#include "cli/cli.h"
#include "cli/progress_meter.h"

#define DRAIN ((size_t)64 << 10) /* bytes gathered before they are written */

static enum err_code write_rows(struct sink *s, const struct launch_answer *a, const struct pingpong_answer *answer, struct err *e)
{
	struct out *out = &s->out;

	out_str(out, "# pas2p pingpong\n");
	measuring_comment(out, a, answer);
	for (size_t i = 0; i < answer->cuts; i++)
		out_printf(out, "# not enough memory: %s with p = %u above %" PRIu64 " bytes\n",
			   pingpong_op_name(answer->cut[i].op), answer->cut[i].p, answer->cut[i].bytes);
	out_str(out, "op,where,bytes,p,seconds\n");
	for (size_t i = 0; i < answer->rows; i++) {
		const struct pingpong_row *r = &answer->row[i];

		out_printf(out, "%s,%s,%" PRIu64 ",%u,", pingpong_op_name(r->op), r->inter ? "inter" : "intra", r->bytes, r->p);
		out_double(out, r->seconds);
		out_str(out, "\n");
		if (out->len > DRAIN && sink_drain(s, e))
			return e->code;
	}
	return sink_drain(s, e);
}

static enum err_code pingpong_measure_all(struct launch_answer *a, struct pingpong_answer *answer, struct err *e)
{
	enum err_code code = measuring_messages(a, answer, e);

	if (!code && !answer->rows)
		code = err_set(e, ERR_USAGE, "pingpong: the launcher started one process: expected at least 2\nhint: "
			       "mpirun -np 2");
	return code;
}

enum exit_code cmd_pingpong(const struct options *o)
{
	struct progress_meter meter;
	struct launch_answer a;
	struct pingpong_answer answer = {0};
	struct sink sink = {0};
	struct err e = {0};
	enum err_code code;

	if (o->file_count)
		return misused(o, "pingpong: expected no file\nhint: put the launcher after --: pas2p pingpong -- "
			       "mpirun -np 2");
	if (!o->words || !o->words[0])
		return misused(o, "pingpong: no launch command given\nhint: pas2p pingpong -- mpirun -np 2");
	if (measuring_check(o, &e))
		return misused(o, e.text);
	interrupt_catch();
	progress_meter_init(&meter, !o->quiet);
	launch_answer_init(&a, o, &meter.progress);
	code = sink_open(&sink, o->output, &e);
	if (!code)
		code = pingpong_measure_all(&a, &answer, &e);
	launch_answer_close(&a, code);
	progress_meter_clear(&meter);
	if (!code)
		code = write_rows(&sink, &a, &answer, &e);
	if (!code)
		code = sink_finish(&sink, &e);
	sink_release(&sink);
	pingpong_answer_release(&answer);
	return launch_answer_end(&a, &sink, EXIT_OK, code, &e);
}

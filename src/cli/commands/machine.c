/* pas2p machine: what operations, memory and messages take, as a file that pas2p predict reads. */
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/interrupt.h"
#include "cli/cli.h"
#include "cli/progress_meter.h"
#include "core/models/machine/machine.h"

struct measured {
	struct machine_measured here;        /* without --nodes */
	struct pingpong_answer nodes, messages;
	const struct pingpong_answer *told;  /* of the job; NULL: there was none */
	struct out functions;
};

static enum err_code machine_measure_all(struct measured *m, struct launch_answer *a, struct err *e)
{
	const struct options *o = a->options;
	enum err_code code = o->machine_nodes ? measuring_nodes(a, &m->nodes, e) : machine_measure(&m->here, o->shared, a->progress, e);

	if (code || !o->words)
		return code;
	code = measuring_messages(a, &m->messages, e);
	if (!code)
		code = machine_functions(&m->functions, &m->messages, a->progress, e);
	m->told = &m->messages;
	return code;
}

/* What the reader of the figures should know. */
static void machine_print_warning(const struct measured *m, const struct options *o)
{
	const struct machine_measured *machine = o->machine_nodes ? m->nodes.machine : &m->here;
	size_t count = o->machine_nodes ? m->nodes.machines : 1;

	for (size_t i = 0; i < count; i++)
		if (machine[i].disturbed)
			complain("note: another process ran on %s during the measurement, so its intervals are "
				 "wider", machine[i].host);
	if (o->words && !m->messages.rows)
		complain("note: messages were not measured: expected at least 2 processes, found 1");
}

static enum err_code write_machine(struct sink *s, const struct launch_answer *a, const struct measured *m, struct err *e)
{
	const struct options *o = a->options;
	enum err_code code;

	out_str(&s->out, "# pas2p machine\n");
	measuring_comment(&s->out, a, m->told);
	code = machine_write(&s->out, o->machine_nodes ? m->nodes.machine : &m->here, o->machine_nodes ? m->nodes.machines : 1,
			     o->machine_nodes, m->functions.text, e);
	return code ? code : sink_drain(s, e);
}

static const char *misplaced(const struct options *o)
{
	return o->file_count ? "machine: expected no file\nhint: put the launcher after --: pas2p machine -- mpirun "
		"-np 2"
	     : o->words && !o->words[0] ? "machine: no launch command given\nhint: pas2p machine -- mpirun -np 2"
	     : o->words ? NULL : o->machine_nodes ? "--nodes needs a launch command\nhint: pas2p machine --nodes -- "
	     	"mpirun -np 2"
	     : o->pingpong_seconds > 0 ? "--seconds needs a launch command\nhint: pas2p machine -- mpirun -np 2"
	     : o->sizes ? "--sizes needs a launch command\nhint: pas2p machine -- mpirun -np 2"
	     : o->ops ? "--ops needs a launch command\nhint: pas2p machine -- mpirun -np 2"
	     : o->mpi ? "--mpi needs a launch command\nhint: pas2p machine -- mpirun -np 2" : NULL;
}

enum exit_code cmd_machine(const struct options *o)
{
	const char *wrong = misplaced(o);
	struct progress_meter meter;
	struct launch_answer a;
	struct measured m = {0};
	struct sink sink = {0};
	struct err e = {0};
	enum err_code code;

	if (wrong || measuring_check(o, &e))
		return misused(o, wrong ? wrong : e.text);
	interrupt_catch();
	progress_meter_init(&meter, !o->quiet);
	launch_answer_init(&a, o, &meter.progress);
	out_init(&m.functions);
	code = sink_open(&sink, o->output, &e);
	if (!code)
		code = machine_measure_all(&m, &a, &e);
	launch_answer_close(&a, code);
	progress_meter_clear(&meter);
	if (!code && !o->quiet)
		machine_print_warning(&m, o);
	if (!code)
		code = write_machine(&sink, &a, &m, &e);
	if (!code)
		code = sink_finish(&sink, &e);
	sink_release(&sink);
	out_release(&m.functions);
	pingpong_answer_release(&m.nodes);
	pingpong_answer_release(&m.messages);
	return launch_answer_end(&a, &sink, EXIT_OK, code, &e);
}

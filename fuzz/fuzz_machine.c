/* Machines: any text is read or refused with a sentence; a small program that sends, computes and meets is evaluated on
 * what was read, or refused with a sentence.
 */
#include <string.h>

#include "fuzz.h"
#include "core/models/graph/evaluate.h"
#include "core/models/machine/machine.h"
#include "core/models/graph/model_read.h"

#define MOST_LOOKS 64 /* of the evaluation at its job: then it is stopped */

static const char program[] =
	"pas2p_model: 1\nprogram:\n- ops: {sum_double: 1000, read: 8}\n- compute: 1ms*share(rank)\n"
	"- {if: rank == 0, do: [{send: {to: 1, bytes: 70000}}, {isend: {to: 2, bytes: 8}}], else: [{recv: {from: 0}}, {compute: speed(1)}]}\n"
	"- allreduce: {bytes: 8}\nfunctions: {speed(x): 1us*x}\n";

static bool stop_soon(void *arg)
{
	unsigned *looks = arg;

	return ++*looks > MOST_LOOKS;
}

static void evaluate_on(const struct machine *machine)
{
	struct interval three = {3, 3};
	unsigned looks = 0;
	struct progress progress = {.stopped = stop_soon, .arg = &looks};
	struct program_model m;
	struct evaluate_input in = {.model = &m, .machine = machine, .values = &three, .progress = &progress};
	struct outcome out;
	struct err e = {0};
	enum err_code code;

	must(!model_parse(&m, "program.yaml", program, strlen(program), &e), "the program is read");
	code = evaluate(&out, &in, &e);
	if (code)
		must_be_sentence((int)code, &e);
	else
		must(interval_is_finite(out.time) && out.time.lo <= out.time.hi, "a time is an interval");
	outcome_release(&out);
	program_model_release(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct machine m;
	struct err e = {0};
	enum err_code code = machine_parse(&m, "fuzz.yaml", (const char *)bytes, size, &e);

	if (code) {
		must_be_sentence((int)code, &e);
		return 0;
	}
	evaluate_on(&m);
	machine_release(&m);
	return 0;
}

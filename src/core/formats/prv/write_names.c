/* What calls and user states are in the trace: values of events; and the file that names them. */
#include <string.h>

#include "core/base/mem.h"
#include "core/trace/mpi_functions.h"
#include "prv_int.h"

#define FIRST_OWN 10001 /* of calls that Extrae has no number for: out of reach of its own */

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static uint32_t sort_of(const char *name)
{
	struct mpi_call call = mpi_call(name);

	if (call.collective)
		return PRV_COLLECTIVE;
	if (call.time == TIME_SEND || call.time == TIME_RECEIVE || call.time == TIME_WAIT)
		return PRV_POINT_TO_POINT;
	if (begins(call.op, "File_"))
		return PRV_FILE;
	if (begins(call.op, "Put") || begins(call.op, "Get") || begins(call.op, "Accumulate") || begins(call.op, "Win_"))
		return PRV_ONE_SIDED;
	return PRV_OTHER;
}

/* A collective type's call is a state of the log, or else one of its own. */
static struct prv_value value_of_coll(const struct prv_write_names *names, const char *op, uint32_t *own)
{
	struct prv_value value = {PRV_COLLECTIVE, mpi_extrae_number(op)};

	for (uint32_t i = 0; !value.value && i < names->state_count; i++)
		if (names->states[i].mpi && !strcmp(mpi_call(names->states[i].name).op, op))
			value.value = names->of_state[i].value;
	if (!value.value)
		value.value = (*own)++;
	return value;
}

enum err_code prv_write_names_init(struct prv_write_names *names, const struct trace *t, const struct record_log *log, struct err *e)
{
	uint32_t own = FIRST_OWN, user = 1;

	*names = (struct prv_write_names){0};
	names->states = record_log_states(log, &names->state_count);
	names->of_state = mem_alloc(names->state_count, sizeof *names->of_state);
	names->of_coll = mem_alloc(t->coll_count, sizeof *names->of_coll);
	if (!names->of_state || !names->of_coll)
		return err_memory(e, "the names of calls");
	for (uint32_t i = 0; i < names->state_count; i++) {
		const struct record_state *state = &names->states[i];
		struct prv_value value = {PRV_USER, 0};

		if (state->tracer) {
			value = (struct prv_value){PRV_FLUSH, 1};
		} else if (state->mpi) {
			value.type = sort_of(state->name);
			value.value = mpi_extrae_number(mpi_call(state->name).op);
			if (!value.value)
				value.value = own++;
		} else {
			value.value = user++;
		}
		names->of_state[i] = value;
	}
	for (uint32_t i = 0; i < t->coll_count; i++)
		names->of_coll[i] = value_of_coll(names, t->colls[i].op, &own);
	return ERR_OK;
}

void prv_write_names_release(struct prv_write_names *names)
{
	mem_free(names->of_state);
	mem_free(names->of_coll);
}

/* ---- the companion ---- */

/* Whether a collective type has a number that neither Extrae nor a state has: the names of such follow those of
 * states. */
static bool is_own(const struct prv_write_names *names, const struct trace *t, uint32_t coll)
{
	uint32_t value = names->of_coll[coll].value;

	if (mpi_extrae_number(t->colls[coll].op))
		return false;
	for (uint32_t i = 0; i < names->state_count; i++)
		if (names->states[i].mpi && names->of_state[i].value == value)
			return false;
	return true;
}

/* A collective's call that is no event, on a communicator of one process, is written as another call, and a call that
 * starts a persistent collective as that collective. So both sorts name all of them. */
static void write_calls(const struct prv_write_names *names, const struct trace *t, struct convert_file *file, uint32_t type, const char *label)
{
	bool titled = false;

	for (uint32_t i = 0; i < names->state_count; i++) {
		const struct record_state *state = &names->states[i];
		uint32_t sort = names->of_state[i].type;

		if (!state->mpi || state->tracer || (sort != type && !(type == PRV_OTHER && sort == PRV_COLLECTIVE)))
			continue;
		if (!titled)
			convert_file_printf(file, "EVENT_TYPE\n9    %u    %s\nVALUES\n", type, label);
		titled = true;
		convert_file_printf(file, "%u   %s\n", names->of_state[i].value, state->name);
	}
	for (uint32_t i = 0; type == PRV_COLLECTIVE && i < t->coll_count; i++)
		if (is_own(names, t, i)) {
			if (!titled)
				convert_file_printf(file, "EVENT_TYPE\n9    %u    %s\nVALUES\n", type, label);
			titled = true;
			convert_file_printf(file, "%u   MPI_%s\n", names->of_coll[i].value, t->colls[i].op);
		}
	if (titled)
		convert_file_printf(file, "0   Outside MPI\n\n\n");
}

static void write_user(const struct prv_write_names *names, struct convert_file *file)
{
	bool titled = false;

	for (uint32_t i = 0; i < names->state_count; i++) {
		if (names->of_state[i].type != PRV_USER)
			continue;
		if (!titled)
			convert_file_printf(file, "EVENT_TYPE\n9    %u    User function\nVALUES\n0   End\n", PRV_USER);
		titled = true;
		convert_file_printf(file, "%u   %s\n", names->of_state[i].value, names->states[i].name);
	}
	if (titled)
		convert_file_printf(file, "\n\n");
}

void prv_write_names_write(const struct prv_write_names *names, const struct trace *t, struct convert_file *file)
{
	convert_file_printf(file, "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n\n"
			    "STATES\n0    Idle\n1    Running\n2    Not created\n15    In a call\n\n\n"
			    "STATES_COLOR\n0    {117,195,255}\n1    {0,0,255}\n2    {255,255,255}\n15    {255,146,24}\n\n\n");
	write_calls(names, t, file, PRV_POINT_TO_POINT, "MPI Point-to-point");
	write_calls(names, t, file, PRV_COLLECTIVE, "MPI Collective Comm");
	write_calls(names, t, file, PRV_OTHER, "MPI Other");
	write_calls(names, t, file, PRV_ONE_SIDED, "MPI One-sided");
	write_calls(names, t, file, PRV_FILE, "MPI I/O");
	convert_file_printf(file, "EVENT_TYPE\n9    %u    Send Size in MPI Global OP\n9    %u    Recv Size in MPI Global OP\n"
			    "9    %u    Root in MPI Global OP\n9    %u    Communicator in MPI Global OP\n\n\n",
			    PRV_BYTES_SENT, PRV_BYTES_RECEIVED, PRV_ROOT, PRV_COMMUNICATOR);
	convert_file_printf(file, "EVENT_TYPE\n9    %u    Flushing Traces\nVALUES\n0   End\n1   Begin\n\n\n"
			    "EVENT_TYPE\n9    %u    CPU time of the process [ns]\n\n\n", PRV_FLUSH, PRV_CPU_CLOCK);
	write_user(names, file);
}

/* pas2p convert --to otf2: the archive from its first file to its anchor (docs/reference/formats.md, "OTF2 output"). */
#include "otf2_int.h"

#include <string.h>

#include "core/base/mem.h"

/* Bytes of a location that are in memory; of definitions. No record is longer than a chunk, a group of all ranks is
 * one. */
#define EVENT_CHUNK ((uint64_t)1 << 20)
#define LEAST_CHUNK ((uint64_t)1 << 18)
#define MOST_CHUNK ((uint64_t)16 << 20)
#define MEMBER 10 /* bytes of a group's member, at most */

enum err_code otf2_write_failed(const char *what, struct err *e)
{
	return err_set(e, ERR_IO, "cannot write the archive's %s: %s", what, otf_said());
}

static bool is_mpi_function(const char *name, const char *begins)
{
	return !strncmp(name, "MPI_", 4) && !strncmp(name + 4, begins, strlen(begins));
}

static struct otf2_state look_at_state(const struct record_state *state)
{
	struct otf2_state of = {.region = OTF2_UNDEFINED_REGION, .role = OTF2_REGION_ROLE_FUNCTION};
	struct otf2_operation operation;

	if (!state->mpi)
		return of;
	of.waits = state->time == TIME_WAIT;
	of.starts = is_mpi_function(state->name, "Start");
	of.requests = of.starts || is_mpi_function(state->name, "I");
	of.posts = is_mpi_function(state->name, "Irecv") || is_mpi_function(state->name, "Imrecv") ||
		   is_mpi_function(state->name, "Isendrecv");
	if (state->time == TIME_COLLECTIVE && is_mpi_function(state->name, "") && otf2_operation_of(&operation, state->name + 4))
		of.role = operation.role;
	else if (state->time == TIME_SEND || state->time == TIME_RECEIVE || state->time == TIME_WAIT)
		of.role = OTF2_REGION_ROLE_POINT2POINT;
	return of;
}

static enum err_code writing_init(struct otf2_writing *w, struct convert_run *run, struct err *e)
{
	const struct trace *t = run->trace;
	enum err_code code;

	*w = (struct otf2_writing){.run = run};
	code = nested_threads_list(&w->threads, run->log, t, run->progress, e);
	if (code)
		return code;
	w->states = record_log_states(run->log, &w->state_count);
	w->counts = mem_zero(w->threads.count, sizeof *w->counts);
	w->of_state = mem_alloc(w->state_count, sizeof *w->of_state);
	w->regions = mem_alloc(w->state_count, sizeof *w->regions);
	w->operations = mem_zero(t->coll_count, sizeof *w->operations);
	if (!w->counts || !w->of_state || !w->regions || !w->operations)
		return err_memory(e, "the archive");
	for (uint32_t i = 0; i < w->state_count; i++)
		w->of_state[i] = look_at_state(&w->states[i]);
	for (uint32_t i = 0; i < t->coll_count; i++)
		if (!otf2_operation_of(&w->operations[i], t->colls[i].op))
			return err_set(e, ERR_FORMAT, "OTF2 has no collective operation %s", t->colls[i].op);
	return otf2_write_comms_init(&w->comms, t, e);
}

static void writing_release(struct otf2_writing *w)
{
	nested_threads_release(&w->threads);
	otf2_write_comms_release(&w->comms);
	mem_free(w->counts);
	mem_free(w->of_state);
	mem_free(w->regions);
	mem_free(w->operations);
}

static uint64_t definition_chunk(const struct trace *t)
{
	uint64_t most = t->process_count;

	for (uint32_t c = 0; c < t->comm_count; c++)
		most = t->comms[c].size > most ? t->comms[c].size : most;
	most = most * MEMBER + 4096;
	most = (most + LEAST_CHUNK - 1) / LEAST_CHUNK * LEAST_CHUNK;
	return most > MOST_CHUNK ? MOST_CHUNK : most;
}

static OTF2_FlushType archive_flush(void *arg, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool last)
{
	(void)arg;
	(void)type;
	(void)location;
	(void)caller;
	(void)last;
	return OTF2_FLUSH;
}

/* The library keeps the address until the archive is closed. */
static OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = archive_flush};

static bool open_archive(struct otf2_writing *w)
{
	w->archive = OTF2_Archive_Open(convert_output_folder(w->run->output), "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK,
				       definition_chunk(w->run->trace), OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	return w->archive && OTF2_Archive_SetFlushCallbacks(w->archive, &callbacks, NULL) == OTF2_SUCCESS &&
	       OTF2_Archive_SetSerialCollectiveCallbacks(w->archive) == OTF2_SUCCESS &&
	       OTF2_Archive_SetCreator(w->archive, "pas2p") == OTF2_SUCCESS;
}

static enum err_code write_all_events(struct otf2_writing *w, struct err *e)
{
	enum err_code code = ERR_OK;

	if (OTF2_Archive_OpenEvtFiles(w->archive) != OTF2_SUCCESS)
		return otf2_write_failed("events", e);
	for (uint32_t i = 0; !code && i < w->threads.count; i++)
		code = otf2_write_events(w, i, e);
	if (!code && OTF2_Archive_CloseEvtFiles(w->archive) != OTF2_SUCCESS)
		code = otf2_write_failed("events", e);
	return code;
}

/* Nothing is defined for a location alone, but its file is where readers look for it. */
static enum err_code write_local_definitions(struct otf2_writing *w, struct err *e)
{
	if (OTF2_Archive_OpenDefFiles(w->archive) != OTF2_SUCCESS)
		return otf2_write_failed("definitions", e);
	for (uint32_t i = 0; i < w->threads.count; i++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(w->archive, otf2_location(&w->threads.list[i]));

		if (!writer || OTF2_Archive_CloseDefWriter(w->archive, writer) != OTF2_SUCCESS)
			return otf2_write_failed("definitions", e);
		if (progress_stopped(w->run->progress))
			return err_set(e, ERR_CANCELLED, "stopped while writing the archive");
	}
	return OTF2_Archive_CloseDefFiles(w->archive) == OTF2_SUCCESS ? ERR_OK : otf2_write_failed("definitions", e);
}

/* What of the states the archive has no place for. */
static void count_colours(const struct otf2_writing *w)
{
	uint64_t colours = 0;

	for (uint32_t i = 0; i < w->region_count; i++)
		colours += state_has_colour(w->states[w->regions[i]].colour);
	convert_lost(w->run, "colours of functions", colours);
}

static enum err_code fill_archive(struct otf2_writing *w, struct err *e)
{
	enum err_code code = open_archive(w) ? ERR_OK : otf2_write_failed("anchor", e);

	if (!code)
		code = write_all_events(w, e);
	if (!code)
		code = write_local_definitions(w, e);
	if (!code)
		code = otf2_write_definitions(w, e);
	if (!code && OTF2_Archive_SetBoolProperty(w->archive, "OTF2::MPI_COMMUNICATION_COMPLETE", !w->partnerless, true) != OTF2_SUCCESS)
		code = otf2_write_failed("anchor", e);
	return code;
}

static enum err_code write_archive(struct convert_run *run, struct err *e)
{
	struct otf2_writing w;
	enum err_code code = writing_init(&w, run, e);

	otf_said_begin();
	if (!code)
		code = fill_archive(&w, e);
	if (w.archive && (OTF2_Archive_Close(w.archive) != OTF2_SUCCESS || otf_said_any()) && !code)
		code = otf2_write_failed("anchor", e);
	if (!code)
		code = otf2_write_id(&w, e);
	if (!code)
		count_colours(&w);
	writing_release(&w);
	return code;
}

const struct format_writer otf2_writer = {
	.to = "otf2",
	.what = "OTF2, an archive in a folder",
	.sign = "traces.otf2",
	.makes = "traces.otf2 traces.def traces",
	.library = "libotf2",
	.write = write_archive,
};

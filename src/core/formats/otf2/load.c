#include "load.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/formats/api/anchor.h"
#include "core/formats/api/format.h"
#include "core/io/source.h"
#include "otf2_int.h"

#define MAGIC_AT 2
#define MAGIC "OTF2"

static bool recognise(const uint8_t *bytes, size_t n, const char *name)
{
	(void)name;
	return n >= MAGIC_AT + 5 && !memcmp(bytes + MAGIC_AT, MAGIC, sizeof MAGIC);
}

static uint32_t unknown_of(const struct otf_defs *defs)
{
	for (uint32_t i = 0; i < defs->attribute_count; i++)
		if (!strcmp(otf_defs_string(defs, defs->attributes[i].name), OTF_UNKNOWN_NAME))
			return defs->attributes[i].ref;
	return OTF2_UNDEFINED_ATTRIBUTE;
}

static enum err_code open_archive(struct otf_loader *loader, const struct source *source, struct err *e)
{
	struct otf_archive *archive = &loader->archive;
	struct trace_file *file;
	char name[200];
	enum err_code code = make_files(loader->maker, 1, e);

	if (code)
		return code;
	file = make_file(loader->maker, source);
	if (!file)
		return err_memory(e, "the trace's files");
	code = otf_archive_open(archive, source, e);
	if (code)
		return code;
	loader->unknown = unknown_of(&archive->defs);
	snprintf(file->format, sizeof file->format, "OTF2 %u.%u", archive->major, archive->minor);
	file->finalized = true;
	file->digest = otf_digest;
	if (archive->cut)
		notes_add(&loader->maker->trace->notes, NOTE_TRUNCATED, NOTE_NOWHERE, "%s is cut or damaged: %s",
			  text_safe(name, sizeof name, otf_archive_global(archive), SIZE_MAX, TEXT_UTF8), archive->said);
	return ERR_OK;
}

static enum err_code define_processes(struct otf_loader *loader, struct err *e)
{
	struct maker *maker = loader->maker;
	const struct otf_defs *defs = &loader->archive.defs;
	const uint32_t *others = loader->world.other_locations;
	enum err_code code = otf_world_init(&loader->world, defs, &maker->trace->notes, e);

	if (!code)
		code = make_processes(maker, loader->world.process_count, e);
	for (uint32_t p = 0; !code && p < loader->world.process_count; p++) {
		const char *host = otf_world_host(&loader->world, defs, p);

		if (!make_host(maker, p, host, strlen(host)))
			code = err_memory(e, "the names of the nodes");
	}
	if (!code && others[0] + others[1] + others[2])
		notes_add(&maker->trace->notes, NOTE_LEFT_OUT, NOTE_NOWHERE,
			  "locations that pas2p did not read: %" PRIu32 " of accelerators, %" PRIu32 " of metrics, "
			  "%" PRIu32 " of no rank", others[0],
			  others[1], others[2]);
	return code;
}

/* What is known only when all is read. */
static void otf2_sum_up(struct otf_loader *loader)
{
	struct trace *t = loader->maker->trace;

	for (uint32_t p = 0; p < t->process_count; p++)
		t->record_count += t->processes[p].records;
	t->files[0].records = t->record_count;
	if (atomic_load(&loader->one_sided))
		notes_add(&t->notes, NOTE_ONE_SIDED, NOTE_NOWHERE, "one-sided communication is not analysed");
	if (atomic_load(&loader->maps) && t->notes.count[NOTE_UNFINALIZED])
		notes_add(&t->notes, NOTE_BAD_RECORD, NOTE_NOWHERE,
			  "without their definitions, locations may show the wrong functions and communicators, "
			  "because references have other meanings there");
	if (loader->damaged)
		loader->maker->damaged = true;
}

static enum err_code load_archive(struct otf_loader *loader, const struct source *source, struct err *e)
{
	enum err_code code = open_archive(loader, source, e);

	if (!code)
		code = define_processes(loader, e);
	if (!code)
		code = otf_comms_init(&loader->comms, &loader->world, &loader->archive.defs, loader->maker, e);
	if (!code)
		code = otf_kinds_init(&loader->kinds, &loader->archive.defs, loader->maker, e);
	if (!code)
		code = otf_define_counters(loader, e);
	if (!code)
		code = otf_look_at_files(loader, e);
	if (!code)
		code = otf_read_events(loader, e);
	if (!code && !loader->maker->watch_alone)
		code = otf_settle(loader, e);
	if (!code)
		otf2_sum_up(loader);
	return code;
}

static enum err_code otf2_load_archive(struct maker *maker, const struct source *sources, uint32_t count, struct err *e)
{
	struct otf_loader loader = {.maker = maker, .colls.lock = PTHREAD_MUTEX_INITIALIZER};
	char name[200];
	enum err_code code;

	text_safe(name, sizeof name, sources[0].name, SIZE_MAX, TEXT_UTF8);
	if (count > 1)
		return err_set(e, ERR_USAGE, "%s: an OTF2 archive is a complete trace: open it alone", name);
	if (sources[0].fd < 0 || sources[0].unpack)
		return err_set(e, ERR_FORMAT, "%s: pas2p reads an OTF2 archive from its files, %s", name,
			       sources[0].unpack ? "so its anchor must not be compressed; decompress it first" : "not "
			       	"from memory");
	loader.colls.at = map_new();
	code = loader.colls.at ? load_archive(&loader, sources, e) : err_memory(e, "the collectives");
	map_free(loader.colls.at);
	mem_free(loader.colls.list);
	mem_free(loader.counters);
	otf_kinds_release(&loader.kinds);
	otf_comms_release(&loader.comms);
	otf_world_release(&loader.world);
	otf_archive_release(&loader.archive);
	return code;
}

const struct format otf2_format = {.name = "OTF2", .begins = "??OTF2", .ending = ".otf2", .library = "libotf2", .recognise = recognise,
				  .load = otf2_load_archive, .parts = anchor_parts};

/* The counters of an archive: members of metrics. */

#define CPU_TIME "pas2p::cpu_time"

static bool is_relative(OTF2_MetricMode mode)
{
	return mode == OTF2_METRIC_RELATIVE_POINT || mode == OTF2_METRIC_RELATIVE_LAST || mode == OTF2_METRIC_RELATIVE_NEXT;
}

enum err_code otf_define_counters(struct otf_loader *loader, struct err *e)
{
	const struct otf_defs *defs = &loader->archive.defs;

	loader->counters = mem_zero(defs->metric_member_count, sizeof *loader->counters);
	if (!loader->counters)
		return err_memory(e, "the counters");
	for (uint32_t i = 0; i < defs->metric_member_count; i++) {
		const struct otf_member *member = &defs->metric_members[i];
		const char *name = otf_defs_string(defs, member->name), *unit = otf_defs_string(defs, member->unit);
		struct otf_counter *counter = &loader->counters[i];
		double base = member->base == OTF2_BASE_BINARY ? 2 : 10;

		counter->relative = is_relative(member->mode);
		counter->counter = MAKE_NO_NUMBER;
		counter->scale = 1;
		if (!strcmp(name, CPU_TIME)) {
			counter->scale = 1e-9;
			loader->maker->cpu_samples = true;
			continue;
		}
		if (member->exponent && member->exponent > -400 && member->exponent < 400)
			counter->scale = pow(base, (double)member->exponent);
		counter->counter = make_counter(loader->maker, name, unit);
		if (counter->counter == MAKE_NO_NUMBER)
			return err_memory(e, "the counters");
	}
	return ERR_OK;
}

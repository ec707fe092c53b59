/* pas2p sign: run a program, take a checkpoint before each relevant phase, and leave a signature folder. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/given.h"
#include "cli/complain.h"
#include "core/base/text.h"
#include "core/base/unit.h"
#include "core/documents/table.h"
#include "cli/cli.h"
#include "cli/plural.h"
#include "core/io/files.h"
#include "runner/measure.h"
#include "runner/signature.h"
#include "runner/runner.h"

static void sweep(const struct options *o)
{
	char safe[256];
	unsigned n = sweep_signatures(o->output);

	if (n && !o->quiet)
		complain("removed %u unfinished signature%s of %s from a killed run", n, plural(n),
			 text_safe(safe, sizeof safe, o->output, SIZE_MAX, TEXT_UTF8));
}

static enum err_code signature_make(struct launching *l, struct signature *s, struct err *e)
{
	const struct options *o = l->options;
	const char *parts;
	uint64_t bytes = 0;
	char safe[256], size[UNIT_TEXT];

	sweep(o);
	if (signature_begin(s, o->output, o->files[0], o->words, e) || launching_plan(l, &s->table, o->words, e))
		return e->code;
	if (launching_driver(l, e) || signature_made_by(s, l->driver, e))
		return e->code;
	l->mission.signature = s->folder;
	l->mission.signature_fd = s->held;
	if (l->driver->dump && measure_sign(l->driver, &l->mission, s, o->stop, e))
		return e->code;
	if (signature_finish(s, e))
		return e->code;
	text_safe(safe, sizeof safe, o->output, SIZE_MAX, TEXT_UTF8);
	parts = l->plan.windows ? "window" : "phase";
	if (!l->driver->dump)
		printf("%s: %u %s%s, measured by a rerun\n", safe, l->plan.part_count, parts,
		       plural(l->plan.part_count));
	else if (files_size(s->folder, &bytes, e))
		return e->code;
	else
		printf("%s: %u %s%s, %u checkpoint%s, %s\n", safe, l->plan.part_count, parts,
		       plural(l->plan.part_count), l->plan.cut_count, plural(l->plan.cut_count), unit_bytes(size, bytes));
	return ERR_OK;
}

enum exit_code cmd_sign(const struct options *o)
{
	struct launching l;
	struct signature s = {0};
	struct err e = {0};
	const char *kind;
	enum err_code code;

	if (o->file_count != 1)
		return misused(o, o->file_count ? "sign: expected one table, found several" : "sign: no table given");
	kind = given_kind(o->files[0]);
	if (kind && !table_is_file(o->files[0])) {
		complain_kind("sign", o->files[0], kind, "a phase table");
		if (strcmp(kind, "a trace") == 0)
			hint_command(o, "phases --budget 5% --format yaml -o table.yaml", o->files, 1);
		return EXIT_USAGE;
	}
	if (!o->output)
		return misused(o, "sign: no folder given for the signature\nhint: -o SIGNATURE");
	if (!o->words || !o->words[0])
		return misused(o, "sign: no launch command given\nhint: pas2p sign TABLE -o SIGNATURE -- mpirun -np 2 "
			       "./program");
	code = launching_begin(&l, o, &e);
	if (!code)
		code = signature_make(&l, &s, &e);
	signature_release(&s);
	return launching_end(&l, code, &e);
}

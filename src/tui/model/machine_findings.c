#include "machine_findings.h"

#include "model.h"

struct findings {
	struct made made;
	const char *program;
	struct doctor_found found;
};

static void findings_begin(void *made, const void *from)
{
	((struct findings *)made)->program = ((const struct model *)from)->program;
}

static enum err_code findings_make(void *made, const struct job *job, struct err *e)
{
	struct findings *f = made;

	return f->program ? doctor_run(f->program, &f->found, job, e) : err_set(e, ERR_USAGE, "pas2p doctor cannot be run from here");
}

static void findings_release(void *made)
{
	doctor_found_release(&((struct findings *)made)->found);
}

static const struct derived_kind findings_kind = {"what works here", sizeof(struct findings), NULL, findings_begin, NULL, findings_make, findings_release};

void machine_findings_update(struct model *m)
{
	derived_update(&m->doctor, &findings_kind, m->background, m);
}

const struct doctor_found *machine_findings(const struct model *m)
{
	static const struct doctor_found nothing = {.count = 0};
	const struct findings *f = m->doctor.now;

	return f ? &f->found : &nothing;
}

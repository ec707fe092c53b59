#include "model.h"

#include <stddef.h>

uint32_t model_event(const struct model *m)
{
	if (!model_ticks(m))
		return NO_EVENT;
	return logical_event_at(m->analysis->logical, m->cursor.tick, m->cursor.process);
}

void model_goto(struct model *m, uint32_t process, uint32_t tick)
{
	uint32_t processes = model_processes(m), ticks = model_ticks(m);

	m->cursor.process = processes && process >= processes ? processes - 1 : process;
	m->cursor.tick = ticks && tick >= ticks ? ticks - 1 : tick;
}

void model_set_analysis(struct model *m, struct analysis *a)
{
	struct analysis *old = (struct analysis *)(uintptr_t)m->analysis;
	uint32_t event = model_event(m);

	m->analysis = a;
	m->serial++;
	if (old && event != NO_EVENT && old->logical != a->logical && old->logical->trace == a->logical->trace)
		m->cursor.tick = a->logical->tick[event];
	model_goto(m, m->cursor.process, m->cursor.tick);
	analysis_unref(old);
}

char phase_letter(uint32_t id)
{
	static const char letters[] = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return id && id < sizeof letters ? letters[id - 1] : '#';
}

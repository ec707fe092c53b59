#include "notes_team.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/team/team_pack.h"

void notes_put(struct team_pack *pack, const struct notes *found)
{
	uint64_t n = found->n;

	team_put(pack, found->count, sizeof found->count);
	team_put(pack, &found->lost, sizeof found->lost);
	team_put(pack, &n, sizeof n);
	for (size_t i = 0; i < found->n; i++) {
		uint64_t length = strlen(found->list[i].text);

		team_put(pack, &found->list[i], sizeof found->list[i]);
		team_put(pack, &length, sizeof length);
		team_put(pack, found->list[i].text, length);
	}
}

static bool take_note(struct team_take *take, struct notes *part)
{
	struct note note, *list = mem_grow(part->list, part->n, &part->cap, sizeof *list);
	uint64_t length;

	if (!list)
		return false;
	part->list = list;
	if (!team_take(take, &note, sizeof note) || !team_take(take, &length, sizeof length))
		return false;
	note.text = mem_zero(length + 1, 1);
	if (!note.text || !team_take(take, note.text, length)) {
		mem_free(note.text);
		return false;
	}
	list[part->n++] = note;
	return true;
}

bool notes_take(struct team_take *take, struct notes *part)
{
	uint64_t n = 0;
	bool taken = team_take(take, part->count, sizeof part->count) && team_take(take, &part->lost, sizeof part->lost) &&
		     team_take(take, &n, sizeof n);

	while (taken && part->n < n)
		taken = take_note(take, part);
	return taken;
}

enum err_code notes_gather(const struct team *team, const struct notes *found, size_t lists, struct notes *parts, struct err *e)
{
	uint32_t ranks = team_size(team);
	struct team_bytes *from = mem_zero(ranks, sizeof *from);
	struct team_pack pack = {0};
	enum err_code code;

	for (size_t i = 0; i < lists * ranks; i++)
		notes_init(&parts[i]);
	for (size_t i = 0; i < lists; i++)
		notes_put(&pack, &found[i]);
	code = from && !pack.failed ? ERR_OK : err_memory(e, "the trace's notes");
	code = code ? team_agree(team, code, e) : team_gather_all(team, pack.bytes, pack.n, from, e);
	mem_free(pack.bytes);
	if (!code) {
		bool taken = true;

		for (uint32_t r = 0; taken && r < ranks; r++) {
			struct team_take take = {from[r].bytes, from[r].n};

			for (size_t i = 0; taken && i < lists; i++)
				taken = notes_take(&take, &parts[i * ranks + r]);
		}
		team_bytes_free(from, ranks);
		code = team_agree(team, taken ? ERR_OK : err_memory(e, "the trace's notes"), e);
	}
	mem_free(from);
	return code;
}

/* Archives with bytes changed, cut and doubled, some thousands of them, the same ones each time: whatever comes of it
 * is a trace that holds together or a sentence, in a moment and in little memory. The library was not written for files
 * that lie. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "otf2_case.h"
#include "tap.h"

#define ROUNDS CASES(2500)
#define FILES 10
#define BYTES 8192

static const char *const names[FILES] = {"traces.otf2",   "traces.def",	 "traces/10.evt", "traces/11.evt", "traces/12.evt",
					 "traces/13.evt", "traces/10.def", "traces/11.def", "traces/12.def", "traces/13.def"};

struct file {
	unsigned char bytes[BYTES];
	size_t size;
};

static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % below;
}

static void read_all(const struct otf_case *c, struct file files[FILES])
{
	for (int i = 0; i < FILES; i++) {
		FILE *in = fopen(otf_case_file(c, names[i]), "rb");

		if (!in)
			bail_out("%s is missing", names[i]);
		files[i].size = fread(files[i].bytes, 1, BYTES, in);
		fclose(in);
	}
}

static void write_file(const struct otf_case *c, int i, const struct file *file)
{
	FILE *out = fopen(otf_case_file(c, names[i]), "wb");

	if (!out || fwrite(file->bytes, 1, file->size, out) != file->size || fclose(out))
		bail_out("cannot write %s", names[i]);
}

static void mutate(struct file *file)
{
	static const unsigned char telling[] = {0, 1, 2, 3, 4, 5, 0x7F, 0x80, 0xFE, 0xFF};
	uint32_t at = draw((uint32_t)file->size), n;

	switch (draw(8)) {
	case 0:
		file->size = at;
		break;
	case 1:
		n = (uint32_t)file->size - at;
		if (file->size + n <= BYTES) {
			memmove(file->bytes + at + n, file->bytes + at, n);
			file->size += n;
		}
		break;
	case 2:
		for (n = draw(9); n && at < file->size; n--)
			file->bytes[at++] = 0xFF;
		break;
	case 3:
		file->bytes[at] ^= (unsigned char)(1u << draw(8));
		break;
	case 4:
		memmove(file->bytes + at, file->bytes + at + 1, file->size - at - 1);
		file->size--;
		break;
	default:
		for (n = 1 + draw(3); n; n--)
			file->bytes[draw((uint32_t)file->size)] = draw(2) ? telling[draw(sizeof telling)] : (unsigned char)draw(256);
	}
}

static bool holds(const struct trace *t)
{
	for (uint32_t i = 0; i < t->event_count; i++) {
		uint32_t kind = EVENT_KIND(t->type[i]), index = EVENT_INDEX(t->type[i]);

		if (!isfinite(t->time[i]) || t->compute[i] < 0 || isinf(t->compute[i]) || trace_comm(t, i) >= t->comm_count || kind == EVENT_NONE ||
		    (t->match[i] != NO_EVENT && t->match[i] >= t->event_count) ||
		    (kind == EVENT_COLLECTIVE ? index >= t->coll_count : index > t->process_count))
			return false;
	}
	return t->send_count + t->receive_count + t->collective_count == t->event_count;
}

int main(void)
{
	static struct file whole[FILES], changed;
	struct otf_make make = otf_make_vector;
	unsigned outcomes[8] = {0}, broken = 0;
	struct otf_case c;

	if (!otf_make_able()) {
		printf("1..0 # SKIP built without OTF2\n");
		return 0;
	}
	make.map = make.metric_before_enter = true;
	otf_case_make(&c, &make);
	read_all(&c, whole);
	for (int round = 0; round < ROUNDS; round++) {
		int i = draw(3) ? 1 + (int)draw(FILES - 1) : (int)draw(2);
		struct trace *t;
		struct err e = {0};
		enum err_code code;

		changed = whole[i];
		for (uint32_t n = 1 + draw(3); n; n--)
			if (changed.size > 1)
				mutate(&changed);
		write_file(&c, i, &changed);
		alarm(60);
		code = otf_case_load(&c, &t, 2, &e);
		outcomes[code < 8 ? code : 7]++;
		if ((t && !holds(t)) || (code && !*e.text)) {
			diag("round %d: %s: %s", round, names[i], e.text);
			broken++;
		}
		trace_free(t);
		write_file(&c, i, &whole[i]);
	}
	is_int(broken, 0, "what is read holds together, what is not has a sentence");
	ok(outcomes[ERR_DAMAGED] > ROUNDS / 10 && outcomes[ERR_FORMAT] > ROUNDS / 50 && outcomes[ERR_OK] > 10, "%u read, %u with damage, %u refused",
	   outcomes[ERR_OK], outcomes[ERR_DAMAGED], outcomes[ERR_FORMAT]);
	diag("io %u, limit %u, memory %u", outcomes[ERR_IO], outcomes[ERR_LIMIT], outcomes[ERR_MEMORY]);
	otf_case_remove(&c);
	return done_testing();
}

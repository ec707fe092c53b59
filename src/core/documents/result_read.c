/* Reading a result back. What is missing or odd is named with its place; keys that are not known are passed over. */
#include "result.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/settings/settings_tree.h"
#include "core/base/text.h"
#include "core/io/yaml_in.h"

#define RESULT_BYTES ((size_t)256 << 20)

/* Errors stick: after the first one every step returns nothing. */
struct reading {
	struct result *r;
	const struct yaml_in *y;
	struct err *e;
	bool failed;
};

static void wrong(struct reading *g, const struct yaml_node *map, const char *key, const char *expected)
{
	const struct yaml_node *n = yaml_get(map, key);

	if (!g->failed)
		err_set(g->e, ERR_FORMAT, "%s: line %u: %s is %s: expected %s", g->y->name, n ? n->line : map ?
			map->line : 1, key,
			n ? "not right" : "missing", expected);
	g->failed = true;
}

static const struct yaml_node *get(struct reading *g, const struct yaml_node *map, const char *key, enum yaml_kind kind,
				   const char *expected)
{
	const struct yaml_node *n = g->failed ? NULL : yaml_get(map, key);

	if (n && n->kind == kind)
		return n;
	wrong(g, map, key, expected);
	return NULL;
}

/* Room for n things of a size; NULL after an error too. */
static void *room(struct reading *g, size_t n, size_t size)
{
	void *p = g->failed ? NULL : arena_alloc(&g->r->arena, n * size);

	if (!p && !g->failed) {
		err_memory(g->e, "a result");
		g->failed = true;
	}
	return p;
}

static const char *keep(struct reading *g, const char *text)
{
	size_t size = strlen(text) * 3 + 1;
	char *safe = room(g, size, 1);

	return safe ? text_safe(safe, size, text, SIZE_MAX, TEXT_UTF8) : "";
}

static const char *get_text(struct reading *g, const struct yaml_node *map, const char *key)
{
	const struct yaml_node *n = get(g, map, key, YAML_SCALAR, "a text");

	return n ? keep(g, n->text) : "";
}

static void copy_text(struct reading *g, const struct yaml_node *map, const char *key, char *to, size_t size)
{
	text_safe(to, size, get_text(g, map, key), SIZE_MAX, TEXT_UTF8); /* cut at a character */
}

static uint64_t get_whole(struct reading *g, const struct yaml_node *map, const char *key, uint64_t most)
{
	const struct yaml_node *n = get(g, map, key, YAML_SCALAR, "a whole number");
	uint64_t v = 0;

	if (n && (!number_parse_whole(n->text, strlen(n->text), &v) || v > most)) {
		wrong(g, map, key, "a whole number in its range");
		return 0;
	}
	return v;
}

static double get_real(struct reading *g, const struct yaml_node *map, const char *key)
{
	const struct yaml_node *n = get(g, map, key, YAML_SCALAR, "a number");
	double v = 0;

	if (n && (!number_parse(n->text, strlen(n->text), &v) || v < 0 || !isfinite(v))) {
		wrong(g, map, key, "a number, 0 or more");
		return 0;
	}
	return v;
}

static const struct yaml_node *get_list(struct reading *g, const struct yaml_node *map, const char *key, uint32_t count)
{
	const struct yaml_node *n = get(g, map, key, YAML_LIST, "a list");

	if (n && n->count == count)
		return n->first;
	if (n)
		wrong(g, map, key, "a list of another length");
	return NULL;
}

static double *get_reals(struct reading *g, const struct yaml_node *map, const char *key, uint32_t count)
{
	const struct yaml_node *n = get_list(g, map, key, count);
	double *v = room(g, count, sizeof *v);

	for (uint32_t i = 0; v && n; i++, n = n->next)
		if (n->kind != YAML_SCALAR || !number_parse(n->text, strlen(n->text), &v[i]) || !isfinite(v[i]))
			wrong(g, map, key, "a list of numbers");
	return v;
}

static uint32_t *get_wholes(struct reading *g, const struct yaml_node *map, const char *key, uint32_t count)
{
	const struct yaml_node *n = get_list(g, map, key, count);
	uint32_t *v = room(g, count, sizeof *v);
	uint64_t one;

	for (uint32_t i = 0; v && n; i++, n = n->next) {
		if (n->kind != YAML_SCALAR || !number_parse_whole(n->text, strlen(n->text), &one) || one > UINT32_MAX)
			wrong(g, map, key, "a list of whole numbers");
		else
			v[i] = (uint32_t)one;
	}
	return v;
}

static void get_phase(struct reading *g, const struct yaml_node *n, struct result_phase *p)
{
	if (n->kind != YAML_MAP) {
		wrong(g, g->y->root, "phases", "a list of mappings");
		return;
	}
	p->id = (uint32_t)get_whole(g, n, "id", UINT32_MAX);
	p->weight = (uint32_t)get_whole(g, n, "weight", UINT32_MAX);
	p->ticks = (uint32_t)get_whole(g, n, "ticks", UINT32_MAX);
	p->samples = yaml_get(n, "samples") ? (uint32_t)get_whole(g, n, "samples", UINT32_MAX) : 1;
	p->traced = get_real(g, n, "traced");
	p->time = get_real(g, n, "time");
	p->deviation = get_real(g, n, "deviation");
	p->min = get_real(g, n, "min");
	p->max = get_real(g, n, "max");
	p->sends = get_wholes(g, n, "sends", g->r->processes);
	p->runs = get_reals(g, n, "runs", g->r->runs);
	p->ranks = get_reals(g, n, "ranks", g->r->processes);
}

static void get_host(struct reading *g)
{
	const struct yaml_node *n = get(g, g->y->root, "host", YAML_MAP, "a mapping");
	struct host *h = &g->r->host;

	copy_text(g, n, "name", h->name, sizeof h->name);
	copy_text(g, n, "kernel", h->kernel, sizeof h->kernel);
	copy_text(g, n, "cpu", h->cpu, sizeof h->cpu);
	h->cpus = (uint32_t)get_whole(g, n, "cpus", UINT32_MAX);
	copy_text(g, n, "allowed", h->allowed, sizeof h->allowed);
	h->memory = get_whole(g, n, "memory", UINT64_MAX);
	copy_text(g, n, "mpi", h->mpi, sizeof h->mpi);
	h->nodes = (uint32_t)get_whole(g, n, "nodes", UINT32_MAX);
}

static void get_command(struct reading *g)
{
	const struct yaml_node *list = get(g, g->y->root, "command", YAML_LIST, "a list");
	const struct yaml_node *n = list ? list->first : NULL;

	g->r->command = list ? room(g, list->count + 1, sizeof *g->r->command) : NULL;
	for (uint32_t i = 0; g->r->command && n; i++, n = n->next)
		g->r->command[i] = keep(g, n->kind == YAML_SCALAR ? n->text : "?");
	if (g->r->command)
		g->r->command[list->count] = NULL;
}

static void get_prediction(struct reading *g)
{
	const struct yaml_node *n = get(g, g->y->root, "prediction", YAML_MAP, "a mapping");
	struct result *r = g->r;

	r->coverage = get_real(g, n, "coverage");
	r->set = get_real(g, n, "set");
	r->pet = get_real(g, n, "pet");
	r->pet_scaled = get_real(g, n, "pet_scaled");
	r->measured = n && yaml_get(n, "measured") ? get_real(g, n, "measured") : r->set;
	r->elapsed = get_real(g, n, "elapsed");
	r->aet_from = "";
	if (g->failed || !yaml_get(n, "aet"))
		return;
	result_set_aet(r, get_real(g, n, "aet"), get_text(g, n, "aet_from"));
}

static void get_settings(struct reading *g)
{
	const struct yaml_node *root = g->y->root, *analysis = yaml_get(root, "analysis");
	struct settings *s = &g->r->settings;
	const char *how = get_text(g, root, "phase_time");

	settings_init(s);
	g->r->has_settings = analysis && settings_read_tree(analysis, s);
	if (analysis && !g->r->has_settings)
		wrong(g, root, "analysis", "settings as a phase table has them");
	s->phase_time = strcmp(how, "slowest") == 0 ? PHASE_TIME_SLOWEST : PHASE_TIME_MEAN;
}

static void get_all(struct reading *g)
{
	const struct yaml_node *root = g->y->root, *trace, *phases;
	struct result *r = g->r;

	r->application = get_text(g, root, "application");
	r->label = get_text(g, root, "label");
	r->mechanism = get_text(g, get(g, root, "mechanism", YAML_MAP, "a mapping"), "name");
	r->mechanism_version = get_text(g, yaml_get(root, "mechanism"), "version");
	get_command(g);
	trace = get(g, root, "trace", YAML_MAP, "a mapping");
	r->sha256 = get_text(g, trace, "sha256");
	r->processes = (uint32_t)get_whole(g, trace, "processes", UINT32_MAX);
	r->traced_aet = get_real(g, trace, "aet");
	get_host(g);
	r->started = get_text(g, root, "started");
	r->runs = (uint32_t)get_whole(g, root, "runs", UINT32_MAX);
	get_settings(g);
	get_prediction(g);
	phases = get(g, root, "phases", YAML_LIST, "a list");
	r->phases = phases ? room(g, phases->count, sizeof *r->phases) : NULL;
	for (const struct yaml_node *n = phases ? phases->first : NULL; n && !g->failed; n = n->next)
		get_phase(g, n, &r->phases[r->phase_count++]);
}

static enum err_code read_tree(struct result *r, struct yaml_in *y, const char *path, struct err *e)
{
	struct reading g;

	*r = (struct result){0};
	g = (struct reading){r, y, e, false};
	arena_init(&r->arena);
	if (yaml_version(y, "pas2p_result", "a result", RESULT_VERSION, e)) {
		g.failed = true;
	} else {
		get_all(&g);
		r->path = keep(&g, path);
	}
	yaml_in_release(y);
	if (!g.failed)
		return ERR_OK;
	result_release(r);
	return e->code;
}

enum err_code result_read(struct result *r, const char *name, const char *text, size_t size, struct err *e)
{
	struct yaml_in y;

	return yaml_in_init(&y, name, text, size, e) ? e->code : read_tree(r, &y, name, e);
}

enum err_code result_read_file(struct result *r, const char *path, struct err *e)
{
	struct yaml_in y;

	return yaml_in_file(&y, path, RESULT_BYTES, e) ? e->code : read_tree(r, &y, path, e);
}

bool result_is_file(const char *path)
{
	static const char first[] = "pas2p_result:";
	char head[sizeof first - 1] = "";
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		  pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head && !memcmp(head, first, sizeof head);

	if (fd >= 0)
		close(fd);
	return is;
}

#include "symbols.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_LIBELF
#include <gelf.h>
#endif

struct symbol {
	uint64_t value;
	const char *name;
};

/* A program or shared object that functions are from. */
struct object {
	const struct link_map *map;
	struct symbol *symbols;  /* by value */
	size_t count;
	char *names;
	struct object *next;
};

static struct object *objects;
static bool missed;

bool symbols_missed(void)
{
	return missed;
}

static int by_value(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->value != y->value ? x->value < y->value ? -1 : 1 : strcmp(x->name, y->name);
}

#ifdef HAVE_LIBELF
/* libelf's own functions. */
static struct {
	void *library;
	__typeof__(elf_version) *version;
	__typeof__(elf_begin) *begin;
	__typeof__(elf_end) *end;
	__typeof__(elf_nextscn) *nextscn;
	__typeof__(elf_getdata) *getdata;
	__typeof__(elf_strptr) *strptr;
	__typeof__(gelf_getshdr) *getshdr;
	__typeof__(gelf_getsym) *getsym;
} elf;

/* POSIX lets a function's address travel in a void *, ISO C does not: copy its bytes. */
static bool fill(void *slot, const char *name)
{
	void *p = dlsym(elf.library, name);

	memcpy(slot, &p, sizeof p);
	return p != NULL;
}

static bool elf_there(void)
{
	if (elf.library)
		return elf.version != NULL;
	elf.library = dlopen("libelf.so.1", RTLD_NOW | RTLD_LOCAL);
	if (elf.library && fill(&elf.begin, "elf_begin") && fill(&elf.end, "elf_end") && fill(&elf.nextscn, "elf_nextscn") &&
	    fill(&elf.getdata, "elf_getdata") && fill(&elf.strptr, "elf_strptr") && fill(&elf.getshdr, "gelf_getshdr") &&
	    fill(&elf.getsym, "gelf_getsym") && fill(&elf.version, "elf_version") && elf.version(EV_CURRENT) == EV_NONE)
		elf.version = NULL;
	return elf.version != NULL;
}

/* Names go end to end into the object's memory; they are pointed to when that no longer moves. */
static void read_table(struct object *o, Elf *e, Elf_Scn *section, const GElf_Shdr *head)
{
	Elf_Data *data = elf.getdata(section, NULL);
	size_t most = data && head->sh_entsize ? data->d_size / head->sh_entsize : 0, room = 0, used = 0;
	GElf_Sym s;

	if (most > INT32_MAX)
		return;
	for (int turn = 0; turn < 2; turn++) {
		o->count = 0;
		for (size_t i = 0; i < most; i++) {
			const char *name = elf.getsym(data, (int)i, &s) && GELF_ST_TYPE(s.st_info) == STT_FUNC && s.st_value ?
				elf.strptr(e, head->sh_link, s.st_name) : NULL;
			size_t n = name ? strlen(name) + 1 : 0;

			if (n < 2)
				continue;
			if (turn) {
				memcpy(o->names + used, name, n);
				o->symbols[o->count] = (struct symbol){s.st_value, o->names + used};
				used += n;
			}
			room += n;
			o->count++;
		}
		if (!turn) {
			o->names = malloc(room + 1);
			o->symbols = malloc((o->count + 1) * sizeof *o->symbols);
			if (!o->names || !o->symbols)
				break;
		}
	}
	if (!o->names || !o->symbols)
		o->count = 0;
	else
		qsort(o->symbols, o->count, sizeof *o->symbols, by_value);
}

static void read_object(struct object *o, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *e = fd >= 0 ? elf.begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while (e && !o->symbols && (section = elf.nextscn(e, section)))
		if (elf.getshdr(section, &head) && head.sh_type == SHT_SYMTAB)
			read_table(o, e, section, &head);
	if (e)
		elf.end(e);
	if (fd >= 0)
		close(fd);
}
#else
static bool elf_there(void)
{
	return false;
}

static void read_object(struct object *o, const char *path)
{
	(void)o;
	(void)path;
}
#endif

static const struct object *object_of(const struct link_map *map)
{
	struct object *o = objects;

	while (o && o->map != map)
		o = o->next;
	if (o)
		return o;
	o = calloc(1, sizeof *o);
	if (!o)
		return NULL;
	*o = (struct object){.map = map, .next = objects};
	objects = o;
	read_object(o, map->l_name && *map->l_name ? map->l_name : "/proc/self/exe");
	return o;
}

static const char *static_name(const struct link_map *map, uint64_t value)
{
	const struct symbol wanted = {value, ""};
	const struct object *o;
	size_t low = 0, high;

	if (!elf_there()) {
		missed = true;
		return NULL;
	}
	o = object_of(map);
	high = o ? o->count : 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_value(&o->symbols[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return o && low < o->count && o->symbols[low].value == value ? o->symbols[low].name : NULL;
}

/* "Grid::relax(int)" is shown without what it takes. */
static size_t readable(const char *symbol, char name[SYMBOL_MOST])
{
	char *(*demangle)(const char *, char *, size_t *, int *) = NULL;
	void *p = strncmp(symbol, "_Z", 2) == 0 ? dlsym(RTLD_DEFAULT, "__cxa_demangle") : NULL;
	char *plain = NULL;
	int n;

	memcpy(&demangle, &p, sizeof p);
	if (p)
		plain = demangle(symbol, NULL, NULL, &n);
	if (plain) {
		char *takes = strchr(plain, '(');

		if (takes && takes != plain && strncmp(plain, "operator", 8) != 0)
			*takes = '\0';
	}
	n = snprintf(name, SYMBOL_MOST, "%s", plain ? plain : symbol);
	free(plain);
	return n < SYMBOL_MOST ? (size_t)n : SYMBOL_MOST - 1;
}

size_t symbol_name(const void *address, char name[SYMBOL_MOST])
{
	const char *symbol = NULL, *file = "", *slash;
	struct link_map *map = NULL;
	uint64_t value = (uint64_t)(uintptr_t)address;
	Dl_info info;
	int n;

	if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) && map) {
		value -= map->l_addr;
		file = info.dli_fname ? info.dli_fname : "";
		symbol = info.dli_sname && info.dli_saddr == address ? info.dli_sname : static_name(map, value);
	}
	if (symbol)
		return readable(symbol, name);
	slash = strrchr(file, '/');
	n = snprintf(name, SYMBOL_MOST, "0x%llx in %.200s", (unsigned long long)value, slash ? slash + 1 : file);
	return (size_t)n;
}

void symbols_release(void)
{
	while (objects) {
		struct object *o = objects;

		objects = o->next;
		free(o->symbols);
		free(o->names);
		free(o);
	}
}

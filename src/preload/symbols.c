#include "symbols.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static char stripped[256]; /* as symbols_stripped() has it */

static int by_value(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->value != y->value ? x->value < y->value ? -1 : 1 : strcmp(x->name, y->name);
}

/* What a file's bytes say of where things are in it need not be so: of what lies within the file only. */
struct elf_file {
	int fd;
	uint64_t size;
	ElfW(Ehdr) head;
};

static bool read_at(const struct elf_file *f, uint64_t at, void *to, uint64_t n)
{
	uint64_t got = 0;

	if (at > f->size || n > f->size - at)
		return false;
	while (got < n) {
		ssize_t k = pread(f->fd, (char *)to + got, n - got, (off_t)(at + got));

		if (k <= 0)
			return false;
		got += (uint64_t)k;
	}
	return true;
}

static bool read_section(const struct elf_file *f, uint64_t i, ElfW(Shdr) *section)
{
	return i <= f->size / sizeof *section && f->head.e_shoff <= f->size &&
	       read_at(f, f->head.e_shoff + i * sizeof *section, section, sizeof *section);
}

/* Of the machine's kind, as what is loaded into this process is. */
static bool open_elf(struct elf_file *f, const char *path)
{
	static const uint16_t one = 1;
	unsigned char own_order = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
	struct stat st;

	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0)
		return false;
	if (fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode)) {
		f->size = (uint64_t)st.st_size;
		if (read_at(f, 0, &f->head, sizeof f->head) && memcmp(f->head.e_ident, ELFMAG, SELFMAG) == 0 &&
		    f->head.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) && f->head.e_ident[EI_DATA] == own_order &&
		    f->head.e_shentsize == sizeof(ElfW(Shdr)))
			return true;
	}
	close(f->fd);
	return false;
}

/* The whole of it, with a NUL behind; NULL: it does not lie in the file. */
static char *read_whole(const struct elf_file *f, const ElfW(Shdr) *section)
{
	char *bytes = section->sh_size < f->size ? malloc(section->sh_size + 1) : NULL;

	if (bytes && !read_at(f, section->sh_offset, bytes, section->sh_size)) {
		free(bytes);
		return NULL;
	}
	if (bytes)
		bytes[section->sh_size] = '\0';
	return bytes;
}

static void take_symbols(struct object *o, const char *table, size_t bytes, size_t names)
{
	size_t most = bytes / sizeof(ElfW(Sym));

	o->symbols = malloc((most + 1) * sizeof *o->symbols);
	for (size_t i = 0; o->symbols && i < most; i++) {
		ElfW(Sym) s;

		memcpy(&s, table + i * sizeof s, sizeof s);
		if ((s.st_info & 15) == STT_FUNC && s.st_value && s.st_name < names && o->names[s.st_name])
			o->symbols[o->count++] = (struct symbol){s.st_value, o->names + s.st_name};
	}
	if (o->count)
		qsort(o->symbols, o->count, sizeof *o->symbols, by_value);
}

static void read_object(struct object *o, const char *path)
{
	struct elf_file f;
	ElfW(Shdr) section, names;
	uint64_t count;
	char *table = NULL;

	if (!open_elf(&f, path))
		return;
	/* If there are too many for the head, the first one knows. */
	count = f.head.e_shnum ? f.head.e_shnum : read_section(&f, 0, &section) ? section.sh_size : 0;
	for (uint64_t i = 0; !table && i < count && read_section(&f, i, &section); i++) {
		if (section.sh_type != SHT_SYMTAB || section.sh_entsize != sizeof(ElfW(Sym)) || !read_section(&f, section.sh_link, &names))
			continue;
		table = read_whole(&f, &section);
		o->names = table ? read_whole(&f, &names) : NULL;
		if (o->names)
			take_symbols(o, table, section.sh_size, names.sh_size);
	}
	free(table);
	close(f.fd);
}

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
	const struct object *o = object_of(map);
	size_t low = 0, high = o ? o->count : 0;

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
	const struct object *o;
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
	file = slash ? slash + 1 : file;
	o = map ? object_of(map) : NULL;
	if (o && !o->count)
		snprintf(stripped, sizeof stripped, "%s", file);
	n = snprintf(name, SYMBOL_MOST, "0x%llx in %.200s", (unsigned long long)value, file);
	return (size_t)n;
}

const char *symbols_stripped(void)
{
	return *stripped ? stripped : NULL;
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

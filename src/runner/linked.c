#include "runner_int.h"
#include "core/io/beside.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/io/source.h"

#define NAMES ((size_t)1 << 20) /* of the libraries: the longest string table that is looked at */

static const struct { const char *begins; enum mpi_kind mpi; } libraries[] = {
	{"libmpi.so", MPI_OPENMPI}, {"libmpi_mpifh.so", MPI_OPENMPI}, {"libmpi_cxx.so", MPI_OPENMPI},
	{"libmpich", MPI_MPICH}, {"libmpi.so.12", MPI_MPICH}, /* the name that MPICH's kin agreed upon */
};

struct image {
	struct source source;
	Elf64_Ehdr head;
};

static bool read_at(const struct source *s, uint64_t offset, void *to, size_t size)
{
	struct err e = {0};
	size_t got;

	return !source_read(s, offset, to, size, &got, &e) && got == size;
}

/* Program header i of the given kind, the first from *i on. */
static bool next_segment(const struct image *m, uint32_t type, unsigned *i, Elf64_Phdr *p)
{
	for (; *i < m->head.e_phnum; ++*i)
		if (!read_at(&m->source, m->head.e_phoff + (uint64_t)*i * sizeof *p, p, sizeof *p))
			return false;
		else if (p->p_type == type)
			return true;
	return false;
}

/* Where in the file the address is loaded from. */
static bool in_file(const struct image *m, uint64_t address, uint64_t *offset)
{
	Elf64_Phdr p;

	for (unsigned i = 0; next_segment(m, PT_LOAD, &i, &p); i++)
		if (address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz) {
			*offset = p.p_offset + (address - p.p_vaddr);
			return true;
		}
	return false;
}

static bool is_mpi(const char *name, enum mpi_kind *mpi)
{
	bool found = false;

	/* the last that fits is the closest */
	for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
		if (strncmp(name, libraries[i].begins, strlen(libraries[i].begins)) == 0) {
			*mpi = libraries[i].mpi;
			found = true;
		}
	return found;
}

static bool look_at_needed(const struct image *m, const Elf64_Phdr *dynamic, const char *names, size_t size,
			   enum mpi_kind *mpi)
{
	Elf64_Dyn d;

	for (uint64_t at = 0; at + sizeof d <= dynamic->p_filesz; at += sizeof d) {
		if (!read_at(&m->source, dynamic->p_offset + at, &d, sizeof d) || d.d_tag == DT_NULL)
			return false;
		if (d.d_tag == DT_NEEDED && d.d_un.d_val < size && is_mpi(names + d.d_un.d_val, mpi))
			return true;
	}
	return false;
}

static bool look_at_dynamic(const struct image *m, enum mpi_kind *mpi)
{
	unsigned i = 0;
	uint64_t at = 0, address = 0, size = 0;
	Elf64_Phdr dynamic;
	Elf64_Dyn d;
	char *names;
	bool found = false;

	if (!next_segment(m, PT_DYNAMIC, &i, &dynamic))
		return false;
	for (; at + sizeof d <= dynamic.p_filesz; at += sizeof d) {
		if (!read_at(&m->source, dynamic.p_offset + at, &d, sizeof d) || d.d_tag == DT_NULL)
			break;
		if (d.d_tag == DT_STRTAB)
			address = d.d_un.d_ptr;
		else if (d.d_tag == DT_STRSZ)
			size = d.d_un.d_val;
	}
	if (!size || size > NAMES || size > source_size(&m->source) || !in_file(m, address, &at))
		return false;
	names = mem_zero((size_t)size + 1, 1);
	if (names && read_at(&m->source, at, names, (size_t)size))
		found = look_at_needed(m, &dynamic, names, (size_t)size, mpi);
	mem_free(names);
	return found;
}

static bool file_find_mpi(const char *path, enum mpi_kind *mpi)
{
	static const uint16_t one = 1;
	struct image m;
	struct err e = {0};
	bool found = false;

	if (access(path, X_OK) != 0 || source_open_file(&m.source, path, &e))
		return false;
	if (read_at(&m.source, 0, &m.head, sizeof m.head) && memcmp(m.head.e_ident, ELFMAG, SELFMAG) == 0 &&
	    m.head.e_ident[EI_CLASS] == ELFCLASS64 &&
	    m.head.e_ident[EI_DATA] == (*(const uint8_t *)&one ? ELFDATA2LSB : ELFDATA2MSB) &&
	    m.head.e_phentsize == sizeof(Elf64_Phdr))
		found = look_at_dynamic(&m, mpi);
	source_release(&m.source);
	return found;
}

static bool look_in_path(const char *name, enum mpi_kind *mpi)
{
	char path[PATH_MAX];

	return path_find(name, path) && file_find_mpi(path, mpi);
}

bool linked_mpi(const char *const *argv, const char *directory, enum mpi_kind *mpi)
{
	char path[PATH_MAX];

	if (!argv[0])
		return false;
	for (const char *const *word = argv + 1; *word; word++) {
		const char *name = *word;

		if (!*name)
			continue;
		if (!strchr(name, '/')) {
			if (look_in_path(name, mpi))
				return true;
			continue;
		}
		if (directory && *name != '/') {
			if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
				continue;
			name = path;
		}
		if (file_find_mpi(name, mpi))
			return true;
	}
	return false;
}

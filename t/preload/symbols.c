/* Names of static functions, by the symbol table of a file whose bytes may be anything: a copy of this program, broken
 * in its head, its section headers and its tables, and cut off. */
#include "preload/symbols.c"

#include "tap.h"

#define TURNS 4000

static uint64_t state = 1;

static uint64_t random_below(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

static __attribute__((noinline)) void a_static_function(void)
{
	__asm__ volatile("");
}

static void copy(int to, uint64_t size)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char buf[65536];
	ssize_t n = 1;

	for (uint64_t at = 0; from >= 0 && at < size && n > 0; at += (uint64_t)n) {
		n = pread(from, buf, size - at < sizeof buf ? size - at : sizeof buf, (off_t)at);
		if (n <= 0 || pwrite(to, buf, (size_t)n, (off_t)at) != n)
			bail_out("this program cannot be copied");
	}
	if (from < 0 || ftruncate(to, (off_t)size))
		bail_out("this program cannot be copied");
	close(from);
}

static unsigned odd;

static size_t count_of(const char *path)
{
	struct object o = {.map = NULL};
	size_t count;

	read_object(&o, path);
	for (size_t i = 0; i < o.count; i++)
		if (!strlen(o.symbols[i].name) || (i && o.symbols[i - 1].value > o.symbols[i].value))
			odd++;
	count = o.count;
	free(o.symbols);
	free(o.names);
	return count;
}

/* Where a change is most likely to matter. */
static uint64_t place(const struct elf_file *f, const ElfW(Shdr) *table, uint64_t turn)
{
	switch (turn % 4) {
	case 0: return random_below(sizeof f->head);
	case 1: return f->head.e_shoff + random_below((uint64_t)f->head.e_shnum * sizeof *table);
	case 2: return table->sh_offset + random_below(table->sh_size);
	default: return random_below(f->size);
	}
}

int main(void)
{
	char name[SYMBOL_MOST], path[] = "/tmp/pas2p-symbols.XXXXXX";
	int fd = mkstemp(path);
	struct elf_file f;
	ElfW(Shdr) table = {0};
	unsigned fewer = 0;
	size_t whole;

	a_static_function();
	symbol_name((const void *)(uintptr_t)a_static_function, name);
	is_str(name, "a_static_function", "a static function's name is known");
	symbol_name((const char *)(uintptr_t)count_of + 1, name);
	ok(strncmp(name, "0x", 2) == 0, "an address within it has none: %s", name);
	symbols_release();

	if (fd < 0 || !open_elf(&f, "/proc/self/exe"))
		bail_out("this program cannot be read");
	for (uint64_t i = 0; i < f.head.e_shnum && table.sh_type != SHT_SYMTAB; i++)
		if (!read_section(&f, i, &table))
			bail_out("this program's sections cannot be read");
	copy(fd, f.size);
	whole = count_of(path);
	ok(whole > 5, "a copy has %zu functions", whole);
	for (uint64_t turn = 0; turn < TURNS; turn++) {
		uint64_t at = place(&f, &table, turn), n = 1 + random_below(8), got;
		char before[8], now[8];

		n = at + n > f.size ? 1 : n;
		got = (uint64_t)pread(fd, before, n, (off_t)at);
		for (uint64_t i = 0; i < n; i++)
			now[i] = (char)(random_below(3) ? random_below(256) : 255);
		if (got != n || pwrite(fd, now, n, (off_t)at) != (ssize_t)n)
			bail_out("the copy cannot be changed");
		fewer += count_of(path) < whole;
		if (pwrite(fd, before, n, (off_t)at) != (ssize_t)n)
			bail_out("the copy cannot be changed");
	}
	ok(fewer > TURNS / 20, "broken, it has fewer: %u of %u times", fewer, TURNS);
	is_int((long)count_of(path), (long)whole, "whole again, it has them all");
	for (uint64_t turn = 0; turn < 300; turn++) {
		uint64_t size = turn < 100 ? turn : f.size - 1 - random_below(turn < 200 ? 4096 : f.size);

		if (ftruncate(fd, (off_t)size))
			bail_out("the copy cannot be cut");
		count_of(path);
		copy(fd, f.size);
	}
	is_int(odd, 0, "each has a name, and they are in order");
	is_int((long)count_of("/dev/null"), 0, "what is no file has none");
	is_int((long)count_of("/"), 0, "nor has a folder");
	unlink(path);
	close(fd);
	close(f.fd);
	return done_testing();
}

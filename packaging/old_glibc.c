/* Lets a program that is linked here start with the C libraries of older systems, down to 2.17 (make portable, x86-64).
 *
 * The linker binds a function to its newest version in the library that it sees, and the older systems do not have that. packaging/portable.sh has
 * it send every use of the functions below here instead (--wrap), also those in libraries that are linked in, and from here it goes to the
 * version that all of them have, or to the kernel. Nothing else changes: the newer versions do the same.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* NAME's version of old, under the name old_NAME. */
#define OLD(name, version) __asm__(".symver old_" #name "," #name "@GLIBC_" version);

#define MATH(name, parameters, arguments) \
	OLD(name, "2.2.5") \
	double old_##name parameters; \
	double __wrap_##name parameters; \
	double __wrap_##name parameters \
	{ \
		return old_##name arguments; \
	}

/* These set errno by themselves since 2.29. */
MATH(exp, (double x), (x))
MATH(exp2, (double x), (x))
MATH(log, (double x), (x))
MATH(log2, (double x), (x))
MATH(pow, (double x, double y), (x, y))

#define FUNCTION(name, version, parameters, arguments) \
	OLD(name, version) \
	int old_##name parameters; \
	int __wrap_##name parameters; \
	int __wrap_##name parameters \
	{ \
		return old_##name arguments; \
	}

/* These lay in libpthread and, below, in libdl until 2.32 and 2.34. */
FUNCTION(pthread_create, "2.2.5", (pthread_t *t, const pthread_attr_t *a, void *(*run)(void *), void *of), (t, a, run, of))
FUNCTION(pthread_join, "2.2.5", (pthread_t t, void **result), (t, result))
FUNCTION(pthread_sigmask, "2.2.5", (int how, const sigset_t *set, sigset_t *old), (how, set, old))
FUNCTION(pthread_condattr_setclock, "2.3.3", (pthread_condattr_t *a, clockid_t clock), (a, clock))
FUNCTION(dladdr1, "2.3.3", (const void *address, Dl_info *info, void **extra, int flags), (address, info, extra, flags))

OLD(dlopen, "2.2.5")
void *old_dlopen(const char *file, int mode);
void *__wrap_dlopen(const char *file, int mode);
void *__wrap_dlopen(const char *file, int mode)
{
	return old_dlopen(file, mode);
}

OLD(dlsym, "2.2.5")
void *old_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name);
/* RTLD_NEXT means what comes after the caller's object, and this is linked into that. */
void *__wrap_dlsym(void *handle, const char *name)
{
	return old_dlsym(handle, name);
}

OLD(dlerror, "2.2.5")
char *old_dlerror(void);
char *__wrap_dlerror(void);
char *__wrap_dlerror(void)
{
	return old_dlerror();
}

/* Until 2.33 these were in the header, around functions that are told the layout. */
#define LAYOUT 1
int __xstat(int layout, const char *path, struct stat *st);
int __lxstat(int layout, const char *path, struct stat *st);
int __fxstat(int layout, int fd, struct stat *st);
int __fxstatat(int layout, int fd, const char *path, struct stat *st, int flags);
int __wrap_stat(const char *path, struct stat *st);
int __wrap_lstat(const char *path, struct stat *st);
int __wrap_fstat(int fd, struct stat *st);
int __wrap_fstatat(int fd, const char *path, struct stat *st, int flags);

int __wrap_stat(const char *path, struct stat *st)
{
	return __xstat(LAYOUT, path, st);
}

int __wrap_lstat(const char *path, struct stat *st)
{
	return __lxstat(LAYOUT, path, st);
}

int __wrap_fstat(int fd, struct stat *st)
{
	return __fxstat(LAYOUT, fd, st);
}

int __wrap_fstatat(int fd, const char *path, struct stat *st, int flags)
{
	return __fxstatat(LAYOUT, fd, path, st, flags);
}

/* The kernel's own; one that is too old says so (ENOSYS). */
ssize_t __wrap_getrandom(void *bytes, size_t size, unsigned flags);
int __wrap_memfd_create(const char *name, unsigned flags);
int __wrap_renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags);
int __wrap_close_range(unsigned first, unsigned last, int flags);

ssize_t __wrap_getrandom(void *bytes, size_t size, unsigned flags)
{
	return syscall(SYS_getrandom, bytes, size, flags);
}

int __wrap_memfd_create(const char *name, unsigned flags)
{
	return (int)syscall(SYS_memfd_create, name, flags);
}

int __wrap_renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
	return (int)syscall(SYS_renameat2, from_fd, from, to_fd, to, flags);
}

int __wrap_close_range(unsigned first, unsigned last, int flags)
{
	return (int)syscall(SYS_close_range, first, last, flags);
}

/* Where the C library registers threads for restartable sequences, since 2.35: 0 bytes where it does not. */
ptrdiff_t __wrap___rseq_offset;
unsigned __wrap___rseq_size;

static void __attribute__((constructor(101))) find_rseq(void)
{
	const ptrdiff_t *offset = old_dlsym(RTLD_DEFAULT, "__rseq_offset");
	const unsigned *size = old_dlsym(RTLD_DEFAULT, "__rseq_size");

	if (!offset || !size)
		return;
	__wrap___rseq_offset = *offset;
	__wrap___rseq_size = *size;
}

/* Until 2.34 every program brought the function along that runs its constructors. The linker knows them; there are none to run in a library. */
typedef int main_function(int, char **, char **);
typedef void constructor(int, char **, char **);
extern constructor *__init_array_start[] __attribute__((weak, visibility("hidden")));
extern constructor *__init_array_end[] __attribute__((weak, visibility("hidden")));
extern constructor *__preinit_array_start[] __attribute__((weak, visibility("hidden")));
extern constructor *__preinit_array_end[] __attribute__((weak, visibility("hidden")));

static void init(int argc, char **argv, char **environment)
{
	for (constructor **c = __preinit_array_start; c < __preinit_array_end; c++)
		(*c)(argc, argv, environment);
	for (constructor **c = __init_array_start; c < __init_array_end; c++)
		(*c)(argc, argv, environment);
}

OLD(__libc_start_main, "2.2.5")
int old___libc_start_main(main_function *, int, char **, constructor *, void (*)(void), void (*)(void), void *);
int __wrap___libc_start_main(main_function *, int, char **, constructor *, void (*)(void), void (*)(void), void *);
int __wrap___libc_start_main(main_function *run, int argc, char **argv, constructor *given, void (*finish)(void), void (*unload)(void),
			     void *stack)
{
	return old___libc_start_main(run, argc, argv, given ? given : init, finish, unload, stack);
}

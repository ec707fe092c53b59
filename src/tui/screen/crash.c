#include "screen_int.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Crashes. */
static const int crashing[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
#define CRASHING ((int)(sizeof crashing / sizeof *crashing))

/* What the handler may touch. */
static struct termios saved_modes;
static volatile sig_atomic_t modes_saved;
static char restore_bytes[512];
static size_t restore_len;
static int saved_stderr = -1, kept_stderr = -1; /* -1: stderr is not a terminal and was left alone */

bool crash_save_modes(void)
{
	modes_saved = tcgetattr(STDIN_FILENO, &saved_modes) == 0;
	return modes_saved;
}

void crash_forget_modes(void)
{
	modes_saved = 0;
}

/* Only async-signal-safe calls in here. */
static void on_crash(int sig)
{
	char buf[512];
	ssize_t n;

	if (modes_saved) {
		tcsetattr(STDIN_FILENO, TCSANOW, &saved_modes);
		n = write(STDOUT_FILENO, restore_bytes, restore_len);
		(void)n;
	}
	if (kept_stderr >= 0 && lseek(kept_stderr, 0, SEEK_SET) == 0)
		while ((n = read(kept_stderr, buf, sizeof buf)) > 0)
			if (write(saved_stderr, buf, (size_t)n) < 0)
				break;
	signal(sig, SIG_DFL);
	raise(sig);
}

void crash_watch(bool on)
{
	struct sigaction sa = {.sa_handler = on ? on_crash : SIG_DFL};

	if (SANITIZED)
		return;
	sigemptyset(&sa.sa_mask);
	sa.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
	for (int i = 0; i < CRASHING; i++)
		sigaction(crashing[i], &sa, NULL);
}

void crash_clear(void)
{
	restore_len = 0;
}

void crash_add(const char *bytes, size_t n)
{
	if (restore_len + n > sizeof restore_bytes || memmem(restore_bytes, restore_len, bytes, n))
		return;
	memcpy(restore_bytes + restore_len, bytes, n);
	restore_len += n;
}

void crash_keep_stderr(void)
{
	int kept, saved;

	if (SANITIZED || !isatty(STDERR_FILENO))
		return;
	kept = memfd_create("stderr", MFD_CLOEXEC);
	saved = dup(STDERR_FILENO);
	if (kept >= 0 && saved >= 0 && dup2(kept, STDERR_FILENO) >= 0) {
		saved_stderr = saved;
		kept_stderr = kept;
		return;
	}
	if (kept >= 0)
		close(kept);
	if (saved >= 0)
		close(saved);
}

void crash_release_stderr(void)
{
	int kept = kept_stderr, saved = saved_stderr;
	char buf[4096];
	ssize_t n;

	if (saved < 0)
		return;
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	saved_stderr = kept_stderr = -1;
	lseek(kept, 0, SEEK_SET);
	while ((n = read(kept, buf, sizeof buf)) > 0)
		if (write(STDERR_FILENO, buf, (size_t)n) < 0)
			break;
	close(kept);
	close(saved);
}

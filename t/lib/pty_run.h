/* The program in a pseudo-terminal: libvterm's screen on one side, a small job-control shell with the program as its
 * job on the other.
 *
 *     pty_start(&r, &setting);             80x24; the program is $PAS2P
 *     ok(pty_wait_for(&r, "6 phases"), "...");
 *     pty_type(&r, "3");                   bytes, as a terminal sends them
 *     status = pty_next_status(&r);        it has stopped or ended
 *     pty_finish(&r);
 *
 * Nothing sleeps: what is waited for comes, or after some seconds the test fails and shows the screen. Only for tests
 * that are linked with libvterm, and only where it is installed.
 */
#ifndef PAS2P_PTY_RUN_H
#define PAS2P_PTY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

#define TRACE "sample-traces/cg.S.4.clog2"
#define PATIENCE 30 /* seconds, for a machine that does much else */

struct pty_run {
	int master;
	pid_t shell;        /* the session's leader; its child is the program */
	int status_pipe;    /* what the shell tells: 's' stopped, then the wait status at the end */
	int order_pipe;     /* what it is told: 'c' continue */
	VTerm *vt;
	VTermScreen *screen;
	int w, h;
	bool alternate, cursor; /* as the terminal has been told */
	struct termios before;
	char raw[1 << 20];  /* all bytes that the program wrote */
	size_t raw_len;
};

struct pty_setting {
	const char *term, *no_color, *locale;
	const char *args[4];
};

void pty_start(struct pty_run *r, const struct pty_setting *s);
bool pty_drain(struct pty_run *r, int ms);
void pty_row_text(struct pty_run *r, int row, char *buf, size_t size);
bool pty_holds(struct pty_run *r, const char *text);
bool pty_wait_for(struct pty_run *r, const char *text);
bool pty_wait_gone(struct pty_run *r, const char *text);
void pty_type(struct pty_run *r, const char *keys);
void pty_resize(struct pty_run *r, int w, int h);
int pty_next_status(struct pty_run *r);
int pty_status_within(struct pty_run *r, int ms);
pid_t pty_job_of(struct pty_run *r);
void pty_finish(struct pty_run *r);
void pty_is_restored(struct pty_run *r, const char *after);

#endif

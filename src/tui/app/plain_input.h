/* Standard input line by line, and Ctrl-C, which interrupts the wait for a line as it does the wait for work.
 *
 *     plain_input_init(&in);
 *     plain_input_wait(fd, milliseconds);    until the descriptor is readable: true: Ctrl-C was typed
 *     plain_input_line(&in, &line);          the next line, without its end; valid until the next call
 *     plain_input_release(&in);              Ctrl-C ends the program again
 *
 * One at a time: signals are the process's.
 */
#ifndef PAS2P_TUI_PLAIN_INPUT_H
#define PAS2P_TUI_PLAIN_INPUT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct plain_input {
	struct sigaction before;
	char *text;          /* owned: what has been read */
	size_t room, len, at; /* of it, lines up to `at` were given */
	bool ended;
};

enum plain_line { PLAIN_LINE, PLAIN_INTERRUPTED, PLAIN_END };

void plain_input_init(struct plain_input *in);
void plain_input_release(struct plain_input *in);
bool plain_input_wait(int fd, int milliseconds);
enum plain_line plain_input_line(struct plain_input *in, char **line);

#endif

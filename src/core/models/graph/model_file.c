#include "model_file.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 16384

/* What the file begins with, as a text; empty: it is none. */
static void read_head(const char *path, char head[HEAD + 1])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = 0;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = pread(fd, head, HEAD, 0);
	if (fd >= 0)
		close(fd);
	head[n > 0 ? n : 0] = 0;
	for (ssize_t i = 0; i < n; i++)
		if ((unsigned char)head[i] < ' ' && !memchr("\t\r\n", head[i], 3))
			head[0] = 0;
}

/* The first line that says something: no comment, no YAML's beginning of a document. */
static const char *first_line(const char *text)
{
	for (;;) {
		size_t blank = strspn(text, " \t\r\n");

		if (text[blank] != '#' && strncmp(text + blank, "---", 3) != 0)
			return text + blank;
		text += strcspn(text + blank, "\n") + blank;
	}
}

static bool begins(const char *line, const char *key)
{
	return strncmp(line, key, strlen(key)) == 0;
}

/* Two names or more, with commas between them. */
static bool names_columns(const char *line)
{
	bool name = false;
	int cells = 1;

	for (; *line && *line != '\n' && *line != '\r'; line++) {
		if (*line == ',') {
			if (!name)
				return false;
			name = false;
			cells++;
		} else if (isalpha((unsigned char)*line)) {
			name = true;
		} else if (!isalnum((unsigned char)*line) && !strchr("_ \t\"./()[]%-", *line)) {
			return false;
		}
	}
	return name && cells > 1;
}

enum model_file model_file_kind(const char *path)
{
	char head[HEAD + 1];
	const char *line;

	read_head(path, head);
	if (begins(head, "#Paraver"))
		return MODEL_FILE_NONE; /* a trace, whose first line looks like a comment */
	/* Behind the mark that some programs begin UTF-8 with. */
	line = first_line(begins(head, "\xef\xbb\xbf") ? head + 3 : head);
	if (begins(line, "pas2p_model:") || begins(line, "pas2p_functions:"))
		return MODEL_FILE_MODEL;
	if (begins(line, "pas2p_machine:"))
		return MODEL_FILE_MACHINE;
	return names_columns(line) ? MODEL_FILE_MEASUREMENTS : MODEL_FILE_NONE;
}

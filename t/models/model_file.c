/* Which file of models a file is: the workbench takes any operand, so that a trace must never be taken for a table, nor
 * reading one hang. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/models/graph/model_read.h"
#include "tap.h"

static char path[] = "/tmp/pas2p-model-file-XXXXXX";

static void is_of(const char *bytes, size_t n, enum model_file kind, const char *what)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
		bail_out("cannot write");
	is_int(model_file_kind(path), kind, "%s", what);
}

static void is_text(const char *text, enum model_file kind, const char *what)
{
	is_of(text, strlen(text), kind, what);
}

int main(void)
{
	static char comments[40000];
	int fd = mkstemp(path);

	if (fd < 0)
		bail_out("no file");
	close(fd);
	is_text("pas2p_model: 1\n", MODEL_FILE_MODEL, "a model");
	is_text("# a comment\r\n\n---\npas2p_functions: 1\nfunctions: {}\n", MODEL_FILE_MODEL, "functions behind comments");
	is_text("\n\npas2p_machine: 1\n", MODEL_FILE_MACHINE, "a machine");
	is_text("# measured\nop,where,bytes,p,seconds\nsend,intra,8,2,1e-6\n", MODEL_FILE_MEASUREMENTS, "measurements");
	is_text("\"n\",seconds", MODEL_FILE_MEASUREMENTS, "... with a name in quotes, and no line's end");
	is_text("\xef\xbb\xbfpas2p_model: 1\n", MODEL_FILE_MODEL, "a model behind the mark of UTF-8");
	is_text("\xef\xbb\xbfn,seconds\n", MODEL_FILE_MEASUREMENTS, "measurements behind it");
	is_text("n\n1\n", MODEL_FILE_NONE, "one column is no table");
	is_text("n,\n", MODEL_FILE_NONE, "a column without a name");
	is_text("1,2\n3,4\n", MODEL_FILE_NONE, "nor are numbers alone");
	is_text("pas2p_result: 1\n", MODEL_FILE_NONE, "a result is none of them");
	is_text("pas2p_phases: 1\na: b, c\n", MODEL_FILE_NONE, "nor is a phase table");
	is_text("#Paraver (01/01/2026 at 10:00):1_ns:4:1:1(4:1),0\na,b\n", MODEL_FILE_NONE, "nor a trace that looks like a comment");
	is_text("", MODEL_FILE_NONE, "an empty file");
	is_text("# only\n#comments", MODEL_FILE_NONE, "comments alone");
	is_of("a,b\0c\n", 6, MODEL_FILE_NONE, "a NUL is no text");
	memset(comments, '#', sizeof comments);
	is_of(comments, sizeof comments, MODEL_FILE_NONE, "a comment without end");
	is_int(model_file_kind("sample-traces/cg.S.4.clog2"), MODEL_FILE_NONE, "a trace");
	is_int(model_file_kind("/tmp"), MODEL_FILE_NONE, "a folder");
	is_int(model_file_kind("/nowhere/at/all"), MODEL_FILE_NONE, "what is not there");
	unlink(path);
	if (mkfifo(path, 0600))
		bail_out("no pipe");
	is_int(model_file_kind(path), MODEL_FILE_NONE, "a pipe is not waited for");
	unlink(path);
	return done_testing();
}

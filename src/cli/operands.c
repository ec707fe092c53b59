#include "cli.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/formats/trace_folder.h"
#include "core/documents/result.h"
#include "core/models/graph/model_file.h"
#include "core/study/file.h"

enum err_code operands_init(struct operands *f, const struct options *o, bool models, struct err *e)
{
	uint32_t colons = 0;
	char safe[256], other[256];

	*f = (struct operands){.traces = mem_alloc(o->file_count, sizeof *f->traces),
			       .results = mem_alloc(o->file_count, sizeof *f->results),
			       .models = mem_alloc(o->file_count, sizeof *f->models)};
	if (!f->traces || !f->results || !f->models)
		return err_memory(e, "the files");
	if (models && o->file_count <= 1 && (!o->file_count || trace_folder_is(o->files[0]))) {
		f->folder = o->file_count ? o->files[0] : ".";
		return ERR_OK;
	}
	for (uint32_t i = 0; i < o->file_count; i++) {
		if (strcmp(o->files[i], ":") == 0) {
			colons++;
			f->second = f->trace_count;
		} else if (result_is_file(o->files[i])) {
			f->results[f->result_count++] = o->files[i];
		} else if (models && study_is_file(o->files[i])) {
			if (f->study)
				return err_set(e, ERR_USAGE, "%s and %s are studies: one can be open at a time",
					       text_safe(safe, sizeof safe, f->study, SIZE_MAX, TEXT_UTF8),
					       text_safe(other, sizeof other, o->files[i], SIZE_MAX, TEXT_UTF8));
			f->study = o->files[i];
		} else if (models && model_file_kind(o->files[i]) != MODEL_FILE_NONE) {
			f->models[f->model_count++] = o->files[i];
		} else {
			f->traces[f->trace_count++] = o->files[i];
		}
	}
	if (colons && (colons > 1 || !f->second || f->second == f->trace_count))
		return err_set(e, ERR_USAGE, "a lone colon stands between the files of two runs, once");
	if (f->trace_count || ((f->model_count || f->study) && !f->result_count))
		return ERR_OK;
	return err_set(e, ERR_USAGE, "%s is a result of pas2p run: give it together with its trace",
		       text_safe(safe, sizeof safe, f->results[0], SIZE_MAX, TEXT_UTF8));
}

void operands_release(struct operands *f)
{
	mem_free(f->traces);
	mem_free(f->results);
	mem_free(f->models);
	*f = (struct operands){0};
}

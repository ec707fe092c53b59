/* Studies: any text is read or refused with a sentence; what was read has runs with files, and parameters in order of
 * name, none twice, which hold for every place too. */
#include <string.h>

#include "core/study/file.h"
#include "fuzz.h"

static void check_parameters(const struct study_parameters *p)
{
	must(p->count <= STUDY_PARAMETERS, "parameters have a limit");
	for (uint32_t i = 0; i < p->count; i++) {
		must(*p->list[i].name && *p->list[i].text, "a parameter has a name and a value");
		must(!i || strcmp(p->list[i - 1].name, p->list[i].name) < 0, "parameters are in order of name");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct study_file f;
	struct err e = {0};
	enum err_code code;

	study_file_init(&f);
	code = study_file_parse(&f, "fuzz.yaml", "", (const char *)bytes, size, &e);
	if (code)
		must_be_sentence((int)code, &e);
	else
		must(f.run_count > 0, "a study has runs");
	for (size_t i = 0; !code && i < f.run_count; i++) {
		must(f.runs[i].file_count > 0 && *f.runs[i].files[0], "a run has a file");
		check_parameters(&f.runs[i].parameters);
	}
	for (size_t i = 0; !code && i < f.place_count; i++)
		check_parameters(&f.places[i]);
	study_file_release(&f);
	return 0;
}

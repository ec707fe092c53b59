/* Results of a run: any text is read or refused with a sentence; what is read and written reads back to the same
 * bytes. */
#include <string.h>

#include "fuzz.h"
#include "core/documents/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct out once, twice, json;
	struct result r, again;
	struct err e = {0};
	enum err_code code = result_read(&r, "fuzz.yaml", (const char *)bytes, size, &e);

	if (code) {
		must_be_sentence((int)code, &e);
		return 0;
	}
	out_init(&once);
	out_init(&twice);
	out_init(&json);
	must(result_write_yaml(&r, &once, &e) == ERR_OK, "a result that was read can be written");
	must(result_read(&again, "fuzz.yaml", once.text, once.len, &e) == ERR_OK, "what was written can be read");
	must(result_write_yaml(&again, &twice, &e) == ERR_OK, "and written again");
	must(once.len == twice.len && !memcmp(once.text, twice.text, once.len), "with the same bytes");
	must(result_write_json(&r, &json, &e) == ERR_OK, "JSON can be written");
	out_release(&once);
	out_release(&twice);
	out_release(&json);
	result_release(&r);
	result_release(&again);
	return 0;
}

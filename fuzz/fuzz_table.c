/* Phase tables: any text is read or refused with a sentence; what is read and written reads back to the same bytes. */
#include <string.h>

#include "fuzz.h"
#include "core/documents/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *once, *twice, *json;
	size_t once_size, twice_size, json_size;
	struct table t, again;
	struct err e = {0};
	enum err_code code = table_read(&t, "fuzz.yaml", (const char *)bytes, size, &e);

	if (code) {
		must_be_sentence((int)code, &e);
		return 0;
	}
	must(table_write(&t, &once, &once_size, &e) == ERR_OK, "a table that was read can be written");
	must(strlen(once) == once_size, "its size is without the NUL");
	must(table_read(&again, "again.yaml", once, once_size, &e) == ERR_OK, "what was written can be read");
	must(table_write(&again, &twice, &twice_size, &e) == ERR_OK, "and written again");
	must(once_size == twice_size && !memcmp(once, twice, once_size), "with the same bytes");
	must(table_write_json(&t, &json, &json_size, &e) == ERR_OK, "JSON can be written");
	mem_free(once);
	mem_free(twice);
	mem_free(json);
	table_release(&t);
	table_release(&again);
	return 0;
}

#include "otf2_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/base/sha256.h"
#include "core/io/source.h"

static enum err_code add_file(struct sha256 *all, const char *path, const struct progress *progress, struct err *e)
{
	char hex[65];
	struct source source;
	struct err missing;
	enum err_code code = ERR_OK;

	memset(hex, '0', 64);
	if (!source_open_file(&source, path, &missing)) {
		code = source_sha256(&source, hex, progress, e);
		source_release(&source);
	}
	sha256_add(all, hex, 64);
	return code;
}

enum err_code otf_digest(const char *anchor, char hex[65], const struct progress *progress, struct err *e)
{
	struct source source;
	struct otf_archive archive;
	struct sha256 all;
	uint8_t digest[32];
	uint64_t *ids = NULL;
	uint32_t n = 0;
	enum err_code code = source_open_file(&source, anchor, e);

	if (code)
		return code;
	code = otf_archive_open(&archive, &source, e);
	if (!code) {
		n = archive.defs.location_count;
		ids = mem_alloc(n, sizeof *ids);
		code = ids ? ERR_OK : err_memory(e, "the locations");
	}
	for (uint32_t i = 0; !code && i < n; i++)
		ids[i] = archive.defs.locations[i].id;
	if (!code && n)
		SORT(ids, n, order_u64);
	sha256_start(&all);
	if (!code)
		code = add_file(&all, anchor, progress, e);
	if (!code)
		code = add_file(&all, otf_archive_global(&archive), progress, e);
	for (uint32_t i = 0; !code && i < n; i++) {
		code = add_file(&all, otf_archive_file(&archive, ids[i], "def"), progress, e);
		if (!code)
			code = add_file(&all, otf_archive_file(&archive, ids[i], "evt"), progress, e);
	}
	sha256_finish(&all, digest);
	sha256_hex(digest, hex);
	mem_free(ids);
	otf_archive_release(&archive);
	source_release(&source);
	return code;
}

#include "xml_text.h"

#include "core/base/text.h"

#define REPLACEMENT 0xFFFDu

void xml_char(struct out *o, uint32_t c)
{
	char bytes[4];

	switch (c) {
	case '<': out_str(o, "&lt;"); break;
	case '>': out_str(o, "&gt;"); break;
	case '&': out_str(o, "&amp;"); break;
	case '"': out_str(o, "&quot;"); break;
	default: out_add(o, bytes, text_encode(text_is_safe(c) ? c : REPLACEMENT, bytes));
	}
}

void xml_text(struct out *o, const char *text)
{
	size_t n;
	uint32_t c;

	for (; (n = text_decode(text, SIZE_MAX, &c)) > 0; text += n)
		xml_char(o, c);
}

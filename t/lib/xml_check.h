/* Whether a text is well-formed XML made of nothing but what is expected: the little of XML that pages and pictures
 * use.
 *
 *     char wrong[XML_WRONG];
 *     ok(!xml_check(text, "svg path text", "d x y class", wrong), "...");   the first thing that is wrong
 *
 * One root element; elements and attributes of the lists alone, attributes in double quotes, no attribute twice,
 * references &amp; &lt; &gt; &quot;, all characters safe (text.h) but line ends. A <!DOCTYPE html> in front is fine.
 */
#ifndef PAS2P_XML_CHECK_H
#define PAS2P_XML_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#define XML_WRONG 200

bool xml_check(const char *text, const char *elements, const char *attributes, char wrong[XML_WRONG]); /* false: wrong says what */

/* How often a text has another. */
uint32_t text_count(const char *text, const char *what);

#endif

/* Text in XML and HTML, as content or in an attribute between double quotes: nothing of it is markup, whatever it is.
 *
 * Markup characters become references; what text_is_safe() (text.h) does not let pass, U+FFFD.
 */
#ifndef PAS2P_XML_TEXT_H
#define PAS2P_XML_TEXT_H

#include "out.h"

void xml_char(struct out *o, uint32_t c);
void xml_text(struct out *o, const char *text); /* UTF-8; what is none is U+FFFD */

#endif

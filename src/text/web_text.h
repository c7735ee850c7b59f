#ifndef XPROF_TEXT_WEB_TEXT_H
#define XPROF_TEXT_WEB_TEXT_H

/*
 * Names in files that a browser opens. A name is made harmless to people first
 * (what is drawn cannot hide or reorder its neighbours), then escaped for the
 * place where it stands.
 */

#include "base/strbuf.h"

/*
 * Appends `text` with everything as '?' that is invalid UTF-8, a control character, a character that XML 1.0 cannot
 * hold (U+FFFE, U+FFFF), or one that reorders text (Unicode 15, Bidi_Control: U+061C, U+200E, U+200F, U+202A to
 * U+202E, U+2066 to U+2069) or breaks lines (U+2028, U+2029).
 */
void web_text_clean(struct strbuf *buf, const char *text);

/* Clean text as character data or an attribute's value of XML and HTML. */
void web_text_add_xml(struct strbuf *buf, const char *clean);

/*
 * Clean text as a JSON string with its quotes, safe inside <script>: no '<', '>' or '&' is left in it (HTML standard,
 * "Restrictions for contents of script elements").
 */
void web_text_add_json(struct strbuf *buf, const char *clean);
/* The same of any bytes, cleaned first (web_text_clean()). */
void web_text_add_clean_json(struct strbuf *out, const char *text);

#endif

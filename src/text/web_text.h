#ifndef XPROF_TEXT_WEB_TEXT_H
#define XPROF_TEXT_WEB_TEXT_H

/*
 * Names in files that a browser opens. A name is cleaned first, so that it cannot hide or reorder the text
 * around it, then escaped for the place where it is written.
 */

#include "base/strbuf.h"

/*
 * Appends `text`, with '?' for invalid UTF-8, control characters, characters that XML 1.0 cannot hold (U+FFFE,
 * U+FFFF), and those that reorder text (Unicode 15, Bidi_Control: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066
 * to U+2069) or break lines (U+2028, U+2029).
 */
void web_text_clean(struct strbuf *buf, const char *text);

/* Appends clean text as character data or an attribute value of XML and HTML. */
void web_text_add_xml(struct strbuf *buf, const char *clean);

/*
 * Appends clean text as a JSON string with its quotes, safe inside <script>: it contains no '<', '>' or '&' (HTML
 * standard, "Restrictions for contents of script elements").
 */
void web_text_add_json(struct strbuf *buf, const char *clean);
/* Cleans any bytes (web_text_clean()), then appends them as a JSON string. */
void web_text_add_clean_json(struct strbuf *out, const char *text);

#endif

/* Cleaning and escaping are separate steps: text is cleaned once, then escaped for each place it is written to. */
#include "text/web_text.h"

#include <string.h>

#include "base/utf8.h"
#include "text/safe_text.h"

/* U+FFFE and U+FFFF are ef bf be and ef bf bf. */
static bool is_no_xml(const unsigned char *b, size_t length)
{
	return length == 3 && b[0] == 0xef && b[1] == 0xbf && b[2] >= 0xbe;
}

void web_text_clean(struct strbuf *buf, const char *text)
{
	size_t from = buf->size, to = from, at, length;

	safe_text_add(buf, text);
	for (at = from; at < buf->size; at += length) {
		length = utf8_sequence_length(buf->bytes + at);
		if (is_no_xml((const unsigned char *)buf->bytes + at, length)) {
			buf->bytes[to++] = '?';
		} else {
			memmove(buf->bytes + to, buf->bytes + at, length);
			to += length;
		}
	}
	strbuf_cut(buf, to);
}

void web_text_add_xml(struct strbuf *buf, const char *clean)
{
	for (; *clean; clean++) {
		switch (*clean) {
		case '&': strbuf_adds(buf, "&amp;"); break;
		case '<': strbuf_adds(buf, "&lt;"); break;
		case '>': /* character data must not contain "]]>" */ strbuf_adds(buf, "&gt;"); break;
		case '"': strbuf_adds(buf, "&quot;"); break;
		case '\'': strbuf_adds(buf, "&#39;"); break;
		default: strbuf_addc(buf, *clean);
		}
	}
}

void web_text_add_json(struct strbuf *buf, const char *clean)
{
	strbuf_addc(buf, '"');
	for (; *clean; clean++) {
		if (strchr("<>&\"\\\n", *clean))
			strbuf_addf(buf, "\\u%04x", (unsigned)*clean);
		else
			strbuf_addc(buf, *clean);
	}
	strbuf_addc(buf, '"');
}

void web_text_add_clean_json(struct strbuf *out, const char *text)
{
	struct strbuf clean = STRBUF_INIT;

	web_text_clean(&clean, text);
	web_text_add_json(out, clean.size ? clean.bytes : "");
	strbuf_fini(&clean);
}

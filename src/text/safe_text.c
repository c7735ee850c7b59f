/*
 * Plain ASCII is copied in runs, other text character by character. Long function names are shortened in two steps:
 * template arguments are folded level by level until the name fits, then its middle is cut out.
 */
#include "text/safe_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

void safe_text_add(struct strbuf *buf, const char *text)
{
	const char *end = text + strlen(text);

	for (;;) {
		size_t length = utf8_plain_length(text, end);

		strbuf_add(buf, text, length);
		text += length;
		if (text == end)
			break;
		length = utf8_sequence_length(text);
		if (!length || utf8_is_harmful(text, length))
			strbuf_addc(buf, '?');
		else
			strbuf_add(buf, text, length);
		text += length ? length : 1;
	}
}

void safe_text_clean(struct strbuf *buf, size_t from)
{
	strbuf_cut(buf, from + utf8_make_harmless(buf->bytes + from));
}

size_t safe_text_columns(const char *text)
{
	const char *end = text + strlen(text);
	size_t columns = 0;

	for (;;) {
		size_t length = utf8_plain_length(text, end);

		columns += length;
		text += length;
		if (text == end)
			return columns;
		length = utf8_sequence_length(text);
		text += length ? length : 1;
		columns++;
	}
}

static bool is_name_byte(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (unsigned char)c >= 0x80;
}

/*
 * A '<' opens template arguments if a name precedes it and it is not part of operator<, operator<< or operator<=>, as in
 * "(anonymous class)::foo<int>" and "vec<a<b> >".
 */
static bool opens_arguments(const char *name, size_t at)
{
	static const char operator_word[] = "operator";
	const size_t length = sizeof(operator_word) - 1;

	if (at == 0 || !is_name_byte(name[at - 1]))
		return false;
	return at < length || memcmp(name + at - length, operator_word, length) != 0;
}

static size_t deepest_arguments(const char *name)
{
	size_t depth = 0, deepest = 0, i;

	for (i = 0; name[i]; i++) {
		if (name[i] == '<' && opens_arguments(name, i))
			depth++;
		else if (name[i] == '>' && depth && name[i - 1] != '-')
			depth--;
		if (depth > deepest)
			deepest = depth;
	}
	return depth ? 0 : deepest; /* unbalanced: do not shorten it */
}

/* Copies `name`, with arguments at nesting `level` and below replaced by "...". */
static void fold_arguments(struct strbuf *folded, const char *name, size_t level)
{
	size_t depth = 0, i;

	strbuf_reset(folded);
	for (i = 0; name[i]; i++) {
		if (name[i] == '>' && depth && name[i - 1] != '-')
			depth--;
		if (depth < level)
			strbuf_addc(folded, name[i]);
		if (name[i] == '<' && opens_arguments(name, i) && ++depth == level)
			strbuf_adds(folded, "...");
	}
}

static size_t bytes_of_columns(const char *text, size_t columns)
{
	const char *at = text;

	while (*at && columns--)
		at += utf8_sequence_length(at) ? utf8_sequence_length(at) : 1;
	return (size_t)(at - text);
}

void safe_text_add_cut(struct strbuf *buf, const char *text, size_t columns)
{
	struct strbuf safe = STRBUF_INIT;

	safe_text_add(&safe, text);
	if (safe_text_columns(safe.bytes) <= columns) {
		strbuf_add(buf, safe.bytes, safe.size);
	} else {
		strbuf_add(buf, safe.bytes, bytes_of_columns(safe.bytes, columns > 3 ? columns - 3 : 0));
		strbuf_add(buf, "...", columns < 3 ? columns : 3);
	}
	strbuf_fini(&safe);
}

/* One third of the room is for the beginning, two thirds for the end. */
static void add_without_middle(struct strbuf *buf, const char *safe, size_t columns)
{
	size_t all = safe_text_columns(safe);
	size_t head = columns > 3 ? (columns - 3) / 3 : 0;
	size_t tail = columns > 3 ? columns - 3 - head : 0;

	if (all <= columns) {
		strbuf_adds(buf, safe);
		return;
	}
	strbuf_add(buf, safe, bytes_of_columns(safe, head));
	strbuf_add(buf, "...", columns < 3 ? columns : 3);
	strbuf_adds(buf, safe + bytes_of_columns(safe, all - tail));
}

void safe_text_add_function(struct strbuf *buf, const char *name, size_t columns)
{
	struct strbuf folded = STRBUF_INIT, safe = STRBUF_INIT;
	size_t level;

	if (columns == SIZE_MAX || safe_text_columns(name) <= columns) {
		safe_text_add(buf, name);
		return;
	}
	strbuf_adds(&folded, name);
	for (level = deepest_arguments(name); level && safe_text_columns(folded.bytes) > columns; level--)
		fold_arguments(&folded, name, level);
	safe_text_add(&safe, folded.bytes);
	add_without_middle(buf, safe.bytes, columns);
	strbuf_fini(&folded);
	strbuf_fini(&safe);
}

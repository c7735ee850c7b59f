/*
 * text_next_paragraph() splits a text, text_add_wrapped() fills lines; all output of help texts is made of these two. Width
 * counts bytes, so the texts should be ASCII.
 */
#include "cli/text.h"

#include <ctype.h>
#include <string.h>

bool text_next_paragraph(const char **text, struct text_paragraph *paragraph)
{
	const char *start = *text, *end;

	while (start && *start == '\n')
		start++;
	if (!start || !*start)
		return false;
	end = strstr(start, "\n\n");
	if (!end)
		end = start + strlen(start);
	*paragraph = (struct text_paragraph){
		.bytes = start,
		.length = (size_t)(end - start),
		.verbatim = start[0] == ' ' && start[1] == ' ',
	};
	*text = end;
	return true;
}

void text_add_spaces(struct strbuf *out, unsigned count)
{
	while (count--)
		strbuf_addc(out, ' ');
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n';
}

void text_add_wrapped(struct strbuf *out, const char *bytes, size_t length, unsigned indent, unsigned used,
		      unsigned columns)
{
	const char *at = bytes, *end = bytes + length;
	unsigned column = used;
	bool line_is_empty = true;

	if (column < indent) {
		text_add_spaces(out, indent - column);
		column = indent;
	}
	while (at < end) {
		const char *word = at;

		while (at < end && !is_space(*at))
			at++;
		if (at > word) {
			unsigned width = (unsigned)(at - word);

			if (!line_is_empty && column + 1 + width > columns) {
				strbuf_addc(out, '\n');
				text_add_spaces(out, indent);
				column = indent;
			} else if (!line_is_empty) {
				strbuf_addc(out, ' ');
				column++;
			}
			strbuf_add(out, word, width);
			column += width;
			line_is_empty = false;
		}
		while (at < end && is_space(*at))
			at++;
	}
	strbuf_addc(out, '\n');
}

static void add_verbatim(struct strbuf *out, const struct text_paragraph *paragraph, unsigned indent)
{
	const char *at = paragraph->bytes, *end = at + paragraph->length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline ? newline : end;

		text_add_spaces(out, indent);
		strbuf_add(out, at, (size_t)(line_end - at));
		strbuf_addc(out, '\n');
		at = newline ? newline + 1 : end;
	}
}

void text_add_sentence(struct strbuf *out, const char *help)
{
	size_t length = strlen(help);

	if (!length)
		return;
	strbuf_addc(out, (char)toupper((unsigned char)help[0]));
	strbuf_add(out, help + 1, length - 1);
	if (!strchr(".?!", help[length - 1]))
		strbuf_addc(out, '.');
}

void text_add_paragraphs(struct strbuf *out, const char *text, unsigned indent, unsigned columns)
{
	struct text_paragraph paragraph;
	bool first = true;

	while (text_next_paragraph(&text, &paragraph)) {
		if (!first)
			strbuf_addc(out, '\n');
		first = false;
		if (paragraph.verbatim)
			add_verbatim(out, &paragraph, indent);
		else
			text_add_wrapped(out, paragraph.bytes, paragraph.length, indent, 0, columns);
	}
}

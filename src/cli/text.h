#ifndef XPROF_CLI_TEXT_H
#define XPROF_CLI_TEXT_H

/*
 * The prose of the tables: paragraphs separated by a blank line ("\n\n"). A
 * paragraph that begins with two spaces is shown as it stands, line by line.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct text_paragraph {
	const char *bytes; /* not NUL-terminated */
	size_t length;
	bool verbatim; /* begins with two spaces */
};

/* The paragraph at *text, which moves on to the next one; false at the end. NULL is an empty text. */
bool text_next_paragraph(const char **text, struct text_paragraph *paragraph);

/*
 * Adds words of a text, each line indented by `indent` and ended by a newline. The
 * first line has `used` columns already (its indent included); where that is
 * `indent` or more, the words start right there.
 */
void text_add_wrapped(struct strbuf *out, const char *bytes, size_t length, unsigned indent, unsigned used,
		      unsigned columns);

/* A whole text: paragraphs wrapped, with a blank line between them. */
void text_add_paragraphs(struct strbuf *out, const char *text, unsigned indent, unsigned columns);

/* A one-line help as a sentence: a capital in front, a full stop behind. Words such as "-g" or "kernel.x" stay. */
void text_add_sentence(struct strbuf *out, const char *help);

void text_add_spaces(struct strbuf *out, unsigned count);

#endif

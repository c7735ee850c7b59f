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

/* Reads the paragraph at *text and advances *text. Returns false at the end. NULL is an empty text. */
bool text_next_paragraph(const char **text, struct text_paragraph *paragraph);

/*
 * Adds the words of a text in lines of at most `columns`, each indented by `indent` and ended by a newline.
 * The first line has `used` columns already, including its indent; if `used` is `indent` or more, the words
 * follow there.
 */
void text_add_wrapped(struct strbuf *out, const char *bytes, size_t length, unsigned indent, unsigned used,
		      unsigned columns);

/* Adds a whole text: wrapped paragraphs with a blank line between them. */
void text_add_paragraphs(struct strbuf *out, const char *text, unsigned indent, unsigned columns);

/*
 * Adds a one-line help as a sentence, with a capital letter and a full stop. Words such as "-g" or "kernel.x" are
 * not capitalised.
 */
void text_add_sentence(struct strbuf *out, const char *help);

void text_add_spaces(struct strbuf *out, unsigned count);

#endif

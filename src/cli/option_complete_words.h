#ifndef XPROF_CLI_OPTION_COMPLETE_WORDS_H
#define XPROF_CLI_OPTION_COMPLETE_WORDS_H

/* Shared by the completion scripts of all shells: the words of a table entry, quoted. */

#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/option.h"

enum { COMPLETE_NAME_SIZE = 80 };

/* The long names of an entry without dashes: none, one, or two for a negatable one. */
struct complete_names {
	char texts[2][COMPLETE_NAME_SIZE];
	unsigned count;
};

struct complete_names complete_names_of(const struct option *option);

/* Can a shell complete its argument? */
bool complete_has_arguments(const struct option *option);

enum complete_quote {
	COMPLETE_QUOTE_POSIX, /* '...' with ' as '\'' */
	COMPLETE_QUOTE_FISH,  /* '...' with \ and ' behind a backslash */
};

void complete_add_quoted(struct strbuf *out, const char *text, enum complete_quote quote);

/* All choices as one quoted word, separated by spaces. */
void complete_add_quoted_choices(struct strbuf *out, const struct option *option, enum complete_quote quote);

#endif

/* Quoting follows two rules only: bash and zsh share the POSIX one, fish has its own. */
#include "cli/option_complete_words.h"

#include <stdio.h>
#include <string.h>

struct complete_names complete_names_of(const struct option *option)
{
	struct complete_names names = { .count = 0 };

	if (!option->name)
		return names;
	snprintf(names.texts[names.count++], COMPLETE_NAME_SIZE, "%s", option->name);
	if (option->kind != OPTION_KIND_NEGATABLE)
		return names;
	if (!strncmp(option->name, "no-", 3))
		snprintf(names.texts[names.count++], COMPLETE_NAME_SIZE, "%s", option->name + 3);
	else
		snprintf(names.texts[names.count++], COMPLETE_NAME_SIZE, "no-%s", option->name);
	return names;
}

bool complete_has_arguments(const struct option *option)
{
	return option_takes_argument(option) &&
	       (option->choices || option->completes != OPTION_COMPLETES_NOTHING);
}

void complete_add_quoted(struct strbuf *out, const char *text, enum complete_quote quote)
{
	strbuf_addc(out, '\'');
	for (; *text; text++) {
		if (quote == COMPLETE_QUOTE_POSIX && *text == '\'') {
			strbuf_adds(out, "'\\''");
			continue;
		}
		if (quote == COMPLETE_QUOTE_FISH && (*text == '\'' || *text == '\\'))
			strbuf_addc(out, '\\');
		strbuf_addc(out, *text);
	}
	strbuf_addc(out, '\'');
}

void complete_add_quoted_choices(struct strbuf *out, const struct option *option, enum complete_quote quote)
{
	struct strbuf words = STRBUF_INIT;

	for (size_t i = 0; option->choices && option->choices[i]; i++)
		strbuf_addf(&words, "%s%s", i ? " " : "", option->choices[i]);
	complete_add_quoted(out, words.size ? words.bytes : "", quote);
	strbuf_fini(&words);
}

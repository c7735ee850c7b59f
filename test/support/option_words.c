#include "support/option_words.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"

enum { MAX_WORDS = 16 };

enum option_result option_words_parse(const struct cli_command *command, void *options, const char *words)
{
	static char copy[256];
	char *argv[MAX_WORDS + 1], *state = NULL, *word;
	int argc = 0, operands;
	struct error err;

	assert_in_range(snprintf(copy, sizeof(copy), "%s", words), 0, sizeof(copy) - 1);
	for (word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
		assert_in_range(argc, 0, MAX_WORDS - 1);
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	return option_parse(command, options, argc, argv, &operands, &err);
}

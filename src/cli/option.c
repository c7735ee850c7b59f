/*
 * Parsing goes word by word: option_parse() calls parse_word(), which sends a word to parse_long() or parse_letters(); both
 * find the table entry and end in set_member(), the one switch over all kinds. Operands move to the front of argv as they are
 * met. The iterators that help, manual pages and completion use are here, too.
 */
#include "cli/option.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/suggest.h"

/* A name that differs from an option's only by this prefix, added or removed, undoes the option. */
static const char NEGATION[] = "no-";
enum { NEGATION_LENGTH = sizeof(NEGATION) - 1 };

enum { MAX_NAME = 64 }; /* of a long name with its negation; the test that walks all tables checks it */

static const struct option help_group = OPTION_GROUP("Help");
static const struct option help_entry = {
	.kind = OPTION_KIND_HELP,
	.letter = 'h',
	.name = "help",
	.help = "list the options; --help explains them at length",
};

/* The meaning of one word of the command line. */
struct match {
	const struct option *option;
	bool negated;
};

struct parser {
	const struct cli_command *command;
	void *options;
	int argc;
	char **argv;
	int next;                /* index of the next word */
	int operand_count;       /* operands moved to the front so far */
	enum option_result stop; /* OPTION_PARSED unless help was asked for */
	struct error *err;
};

int cli_usage_error(struct error *err, const char *format, ...)
{
	char message[sizeof(err->message)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	error_set(err, "%s", message);
	return CLI_USAGE;
}

static bool has_groups(const struct cli_command *command)
{
	for (const struct option *option = command->options; option && option->kind != OPTION_KIND_END;
	     option++)
		if (option->kind == OPTION_KIND_GROUP)
			return true;
	return false;
}

static bool is_hidden(const struct option *option)
{
	return option->hidden || option->seldom;
}

const struct option *option_next(const struct cli_command *command, const struct option *previous)
{
	const struct option *option;

	if (previous == &help_entry)
		return NULL;
	if (previous == &help_group)
		return &help_entry;

	option = previous ? previous + 1 : command->options;
	while (option && option->kind != OPTION_KIND_END && is_hidden(option))
		option++;
	if (option && option->kind != OPTION_KIND_END)
		return option;
	return has_groups(command) ? &help_group : &help_entry;
}

static const struct option *next_where(const struct cli_command *command, const struct option *previous,
				       bool (*is_wanted)(const struct option *option))
{
	const struct option *option = previous ? previous + 1 : command->options;

	while (option && option->kind != OPTION_KIND_END && !is_wanted(option))
		option++;
	return option && option->kind != OPTION_KIND_END ? option : NULL;
}

static bool is_seldom(const struct option *option)
{
	return option->seldom;
}

static bool is_accepted(const struct option *option)
{
	return option->kind == OPTION_KIND_ACCEPTED && option->help;
}

const struct option *option_next_seldom(const struct cli_command *command, const struct option *previous)
{
	return next_where(command, previous, is_seldom);
}

const struct option *option_next_accepted(const struct cli_command *command, const struct option *previous)
{
	return next_where(command, previous, is_accepted);
}

bool option_takes_argument(const struct option *option)
{
	switch (option->kind) {
	case OPTION_KIND_END:
	case OPTION_KIND_GROUP:
	case OPTION_KIND_FLAG:
	case OPTION_KIND_NEGATABLE:
	case OPTION_KIND_COUNT:
	case OPTION_KIND_BARE_CALLBACK:
	case OPTION_KIND_REFUSED:
	case OPTION_KIND_HELP: return false;
	case OPTION_KIND_ACCEPTED: return option->placeholder != NULL;
	default: return true;
	}
}

/* As option_next(), but with hidden options, since those work, too. */
static const struct option *next_that_works(const struct cli_command *command, const struct option *previous)
{
	const struct option *option;

	if (previous == &help_entry)
		return NULL;
	option = previous ? previous + 1 : command->options;
	while (option && option->kind == OPTION_KIND_GROUP)
		option++;
	return option && option->kind != OPTION_KIND_END ? option : &help_entry;
}

/* The other name of a negatable option: "no-children" of "children", and the reverse. */
static const char *negated_name(const struct option *option, char buffer[MAX_NAME])
{
	if (!strncmp(option->name, NEGATION, NEGATION_LENGTH))
		return option->name + NEGATION_LENGTH;
	snprintf(buffer, MAX_NAME, "%s%s", NEGATION, option->name);
	return buffer;
}

/* "--freq", or "-g" of an option without a long name. */
static const char *display_name(const struct match *match, char buffer[MAX_NAME + 2])
{
	char negated[MAX_NAME];

	if (!match->option->name)
		snprintf(buffer, MAX_NAME + 2, "-%c", match->option->letter);
	else if (match->negated)
		snprintf(buffer, MAX_NAME + 2, "--%s", negated_name(match->option, negated));
	else
		snprintf(buffer, MAX_NAME + 2, "--%s", match->option->name);
	return buffer;
}

/* Looking up a long name: an exact one wins, else a unique beginning. */
struct search {
	const char *typed;
	size_t length;
	struct match exact;
	struct match begins[2]; /* the first two different options with this beginning */
	int begin_count;
	struct match hidden_begins[2]; /* the same for hidden options: perf's names may be abbreviated, too */
	int hidden_begin_count;
};

static void search_offer(struct search *search, const struct option *option, bool negated, const char *name)
{
	struct match match = { option, negated };

	if (strncmp(name, search->typed, search->length) != 0)
		return;
	if (!name[search->length])
		search->exact = match;
	else if (is_hidden(option) && search->hidden_begin_count < 2)
		search->hidden_begins[search->hidden_begin_count++] = match;
	else if (!is_hidden(option) && search->begin_count < 2)
		search->begins[search->begin_count++] = match;
}

/* As in perf, --no-NAME undoes any flag, although only the help of OPTION_NEGATABLE says so. */
static bool can_be_undone(const struct option *option)
{
	return option->kind == OPTION_KIND_FLAG || option->kind == OPTION_KIND_COUNT ||
	       option->kind == OPTION_KIND_ACCEPTED || option->kind == OPTION_KIND_REFUSED;
}

static void search_offer_undoing(struct search *search, const struct option *option)
{
	char negated[MAX_NAME];
	const char *name = negated_name(option, negated);

	if (!search->exact.option && strlen(name) == search->length &&
	    strncmp(name, search->typed, search->length) == 0)
		search->exact = (struct match){ option, true };
}

static void unknown_name(const struct parser *parser, const char *typed, size_t length)
{
	char word[SUGGEST_WORD_SIZE];
	struct suggestion suggestion;

	snprintf(word, sizeof(word), "%.*s", (int)(length < sizeof(word) ? length : sizeof(word)), typed);
	suggestion_init(&suggestion, word);
	for (const struct option *option = NULL; (option = next_that_works(parser->command, option));) {
		char negated[MAX_NAME];

		if (!option->name || is_hidden(option))
			continue;
		suggestion_offer(&suggestion, option->name);
		if (option->kind == OPTION_KIND_NEGATABLE)
			suggestion_offer(&suggestion, negated_name(option, negated));
	}
	if (suggestion.nearest[0])
		error_set(parser->err, "unknown option '--%s', did you mean '--%s'?", word,
			  suggestion.nearest);
	else
		error_set(parser->err, "unknown option '--%s'", word);
}

/* .option is NULL, and err filled in, if no option or more than one matches. */
static struct match find_long(const struct parser *parser, const char *typed, size_t length)
{
	struct search search = { .typed = typed, .length = length };
	char one[MAX_NAME + 2], other[MAX_NAME + 2];

	for (const struct option *option = NULL; (option = next_that_works(parser->command, option));) {
		char negated[MAX_NAME];

		if (!option->name)
			continue;
		search_offer(&search, option, false, option->name);
		if (option->kind == OPTION_KIND_NEGATABLE)
			search_offer(&search, option, true, negated_name(option, negated));
	}
	for (const struct option *option = NULL; (option = next_that_works(parser->command, option));)
		if (option->name && can_be_undone(option))
			search_offer_undoing(&search, option);
	if (search.exact.option)
		return search.exact;
	if (search.begin_count == 0) {
		search.begin_count = search.hidden_begin_count;
		memcpy(search.begins, search.hidden_begins, sizeof(search.begins));
	}
	if (search.begin_count == 1)
		return search.begins[0];
	if (search.begin_count == 0)
		unknown_name(parser, typed, length);
	else
		error_set(parser->err, "option '--%.*s' is ambiguous: '%s' or '%s'", (int)length, typed,
			  display_name(&search.begins[0], one), display_name(&search.begins[1], other));
	return (struct match){ .option = NULL };
}

static const struct option *find_letter(const struct parser *parser, char letter)
{
	for (const struct option *option = NULL; (option = next_that_works(parser->command, option));)
		if (option->letter == letter)
			return option;
	return NULL;
}

static int check_range(const struct option *option, const char *text, uint64_t value, struct error *err)
{
	if (value >= option->minimum && (!option->maximum || value <= option->maximum))
		return 0;
	if (option->kind == OPTION_KIND_DURATION || option->kind == OPTION_KIND_SIZE)
		return error_set(err, "'%s' is too %s", text, value < option->minimum ? "small" : "large");
	if (!option->maximum)
		return error_set(err, "'%s' is too small: at least %llu is needed", text,
				 (unsigned long long)option->minimum);
	return error_set(err, "'%s' is out of range: use %llu to %llu", text,
			 (unsigned long long)option->minimum, (unsigned long long)option->maximum);
}

static int set_number(const struct option *option, void *member, const char *text, struct error *err)
{
	uint64_t value;
	int failed;

	if (option->kind == OPTION_KIND_SIZE)
		failed = option_parse_size(text, &value, err);
	else if (option->kind == OPTION_KIND_DURATION)
		failed = option_parse_duration(text, &value, err);
	else
		failed = option_parse_u64(text, &value, err);
	if (failed || check_range(option, text, value, err))
		return -1;

	if (option->kind == OPTION_KIND_UNSIGNED)
		return option_parse_unsigned(text, member, err);
	memcpy(member, &value, sizeof(value));
	return 0;
}

static int set_choice(const struct option *option, void *member, const char *text, struct error *err)
{
	size_t length = strlen(text);
	int found = -1, found_count = 0;
	char known[256] = "";

	for (int i = 0; option->choices[i]; i++) {
		size_t used = strlen(known);

		snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "", option->choices[i]);
		if (!strcmp(option->choices[i], text)) {
			found = i;
			found_count = 1;
			break;
		}
		if (length && !strncmp(option->choices[i], text, length)) {
			found = i;
			found_count++;
		}
	}
	if (found_count != 1)
		return error_set(err, "'%s' is not one of %s", text, known);
	*(int *)member = found;
	return 0;
}

static void add_string(struct option_strings *strings, const char *text)
{
	*ARRAY_ADD(strings->items, strings->count, strings->capacity) = text;
}

static int set_member(struct parser *parser, const struct match *match, const char *argument,
		      struct error *err)
{
	const struct option *option = match->option;
	void *member = (char *)parser->options + option->member;

	if (!argument && !match->negated && option_takes_argument(option) && option->implied)
		argument = option->implied;

	switch (option->kind) {
	case OPTION_KIND_FLAG:
	case OPTION_KIND_NEGATABLE: *(bool *)member = !match->negated; return 0;
	case OPTION_KIND_COUNT:
		*(unsigned int *)member = match->negated ? 0 : *(unsigned int *)member + 1;
		return 0;
	case OPTION_KIND_STRING: *(const char **)member = argument; return 0;
	case OPTION_KIND_STRINGS: add_string(member, argument); return 0;
	case OPTION_KIND_UNSIGNED:
	case OPTION_KIND_U64:
	case OPTION_KIND_SIZE:
	case OPTION_KIND_DURATION: return set_number(option, member, argument, err);
	case OPTION_KIND_DOUBLE: return option_parse_double(argument, member, err);
	case OPTION_KIND_CHOICE: return set_choice(option, member, argument, err);
	case OPTION_KIND_CALLBACK:
	case OPTION_KIND_BARE_CALLBACK: return option->set(member, argument, err);
	case OPTION_KIND_REFUSED: return match->negated ? 0 : error_set(err, "%s", option->help);
	default: return 0;
	}
}

static int apply(struct parser *parser, const struct match *match, const char *argument)
{
	char name[MAX_NAME + 2];

	if (set_member(parser, match, argument, parser->err))
		return error_wrap(parser->err, "%s", display_name(match, name));
	return 0;
}

/* The next word as argument, for an option that must have one. NULL, and an error, if there is no further word. */
static const char *argument_from_next_word(struct parser *parser, const struct match *match)
{
	char name[MAX_NAME + 2];
	const char *placeholder = match->option->placeholder;

	if (parser->next < parser->argc)
		return parser->argv[parser->next++];
	error_set(parser->err, "option '%s' needs an argument%s%s", display_name(match, name),
		  placeholder ? ": " : "", placeholder ? placeholder : "");
	return NULL;
}

static int parse_long(struct parser *parser, const char *word)
{
	const char *equals = strchr(word, '=');
	const char *argument = equals ? equals + 1 : NULL;
	char name[MAX_NAME + 2];
	struct match match = find_long(parser, word, equals ? (size_t)(equals - word) : strlen(word));

	if (!match.option)
		return -1;
	if (match.option->kind == OPTION_KIND_HELP && !argument) {
		parser->stop = OPTION_LONG_HELP;
		return 0;
	}
	if (match.option->kind == OPTION_KIND_REFUSED && !match.negated)
		return apply(parser, &match, NULL);
	if (!option_takes_argument(match.option) || match.negated) {
		if (argument)
			return error_set(parser->err, "option '%s' takes no argument, but has '%s'",
					 display_name(&match, name), argument);
	} else if (!argument && !match.option->argument_optional) {
		argument = argument_from_next_word(parser, &match);
		if (!argument)
			return -1;
	}
	return apply(parser, &match, argument);
}

/* -freq is a typing error for --freq. */
static int unknown_letter(const struct parser *parser, const char *word, char letter)
{
	for (const struct option *option = NULL; (option = next_that_works(parser->command, option));)
		if (option->name && !is_hidden(option) && !strcmp(option->name, word))
			return error_set(parser->err, "unknown option '-%s', did you mean '--%s'?", word,
					 word);
	return error_set(parser->err, "unknown option '-%c'", letter);
}

/* Parses a word of bundled letters. The first letter with an argument takes the rest of the word. */
static int parse_letters(struct parser *parser, const char *word)
{
	for (const char *at = word; *at && !parser->stop; at++) {
		struct match match = { find_letter(parser, *at), false };
		const char *argument = NULL;

		if (!match.option)
			return unknown_letter(parser, word, *at);
		if (match.option->kind == OPTION_KIND_HELP) {
			parser->stop = OPTION_HELP;
			return 0;
		}
		if (option_takes_argument(match.option)) {
			if (at[1])
				argument = at + 1;
			else if (!match.option->argument_optional)
				argument = argument_from_next_word(parser, &match);
			if (!argument && !match.option->argument_optional)
				return -1;
		}
		if (apply(parser, &match, argument))
			return -1;
		if (argument)
			return 0;
	}
	return 0;
}

/* Parses one word of argv. Returns 1 while options may follow, 0 if the rest are operands, -1 on an error. */
static int parse_word(struct parser *parser)
{
	char *word = parser->argv[parser->next++];

	if (!strcmp(word, "--"))
		return 0;
	if (word[0] == '-' && word[1] == '-')
		return parse_long(parser, word + 2) ? -1 : 1;
	if (word[0] == '-' && word[1]) /* "-" alone is an operand: standard input */
		return parse_letters(parser, word + 1) ? -1 : 1;

	parser->argv[parser->operand_count++] = word;
	return parser->command->operands == CLI_OPERANDS_WORKLOAD ? 0 : 1;
}

static int check_operands(const struct parser *parser)
{
	const struct cli_command *command = parser->command;
	unsigned max = command->operands == CLI_OPERANDS_NONE ? 0 : command->max_operands;
	bool limited = max || command->operands == CLI_OPERANDS_NONE;

	if (!limited || (unsigned)parser->operand_count <= max)
		return 0;
	return error_set(parser->err, "unexpected argument '%s'", parser->argv[max]);
}

enum option_result option_parse(const struct cli_command *command, void *options, int argc, char **argv,
				int *operand_count, struct error *err)
{
	struct parser parser = {
		.command = command, .options = options, .argc = argc, .argv = argv, .err = err
	};
	int more = 1;

	while (more == 1 && parser.next < argc) {
		more = parse_word(&parser);
		if (more < 0)
			return OPTION_WRONG;
		if (parser.stop)
			return parser.stop;
	}
	while (parser.next < argc)
		argv[parser.operand_count++] = argv[parser.next++];
	argv[parser.operand_count] = NULL;
	*operand_count = parser.operand_count;
	return check_operands(&parser) ? OPTION_WRONG : OPTION_PARSED;
}

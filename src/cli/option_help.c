/*
 * The brief form sets the help of an option beside its synopsis, the long form sets whole sentences below it; style->at_length
 * chooses. The order of the sections is in option_help_command().
 */
#include "cli/option_help.h"

#include <string.h>

#include "cli/terminal.h"
#include "cli/text.h"

enum {
	DEFAULT_COLUMNS = 80, /* in a pipe or a file */
	MOST_COLUMNS = 100,   /* longer lines are hard to read */
	MARGIN = 2,
	HELP_COLUMN = 28,   /* where the help of an option starts */
	DETAILS_INDENT = 6, /* at length, prose is set below its option */
};

struct help_style help_style_for(int fd, struct color color, bool at_length)
{
	unsigned columns = terminal_columns(fd, DEFAULT_COLUMNS);

	return (struct help_style){
		.columns = columns < MOST_COLUMNS ? columns : MOST_COLUMNS,
		.color = color,
		.at_length = at_length,
	};
}

static void add_heading(struct strbuf *out, const char *heading, const struct help_style *style)
{
	strbuf_addf(out, "\n%s%s%s\n", color_on(style->color, COLOR_HEADING), heading,
		    color_off(style->color));
}

/* Adds "HZ", or "auto|always|never" if the option has no placeholder. */
static void add_argument(struct strbuf *out, const struct option *option)
{
	if (option->placeholder) {
		strbuf_adds(out, option->placeholder);
		return;
	}
	for (size_t i = 0; option->choices && option->choices[i]; i++)
		strbuf_addf(out, "%s%s", i ? "|" : "", option->choices[i]);
}

/* Adds "--freq", or "--[no-]children". */
static void add_long_name(struct strbuf *out, const struct option *option)
{
	bool negative = !strncmp(option->name, "no-", 3);

	if (option->kind != OPTION_KIND_NEGATABLE)
		strbuf_addf(out, "--%s", option->name);
	else
		strbuf_addf(out, "--[no-]%s", negative ? option->name + 3 : option->name);
}

void option_help_synopsis(struct strbuf *out, const struct option *option)
{
	if (option->letter)
		strbuf_addf(out, "-%c", option->letter);
	if (option->letter && option->name)
		strbuf_adds(out, ", ");
	if (option->name)
		add_long_name(out, option);
	if (!option_takes_argument(option))
		return;
	strbuf_adds(out, !option->argument_optional ? " " : option->name ? "[=" : "[");
	add_argument(out, option);
	if (option->argument_optional)
		strbuf_addc(out, ']');
}

/* Adds the synopsis, and the help beside it, or below it if it does not fit. */
static void add_option_briefly(struct strbuf *out, const struct option *option, const char *synopsis,
			       const struct help_style *style)
{
	unsigned indent = option->letter ? MARGIN : MARGIN + 4; /* puts long names into one column */
	unsigned used = indent + (unsigned)strlen(synopsis);

	text_add_spaces(out, indent);
	strbuf_addf(out, "%s%s%s", color_on(style->color, COLOR_HEADING), synopsis, color_off(style->color));
	if (used + 2 > HELP_COLUMN) {
		strbuf_addc(out, '\n');
		used = 0;
	}
	text_add_wrapped(out, option->help, strlen(option->help), HELP_COLUMN, used, style->columns);
}

/* Adds the synopsis, and below it the help and the details in whole sentences. */
static void add_option_at_length(struct strbuf *out, const struct option *option, const char *synopsis,
				 const struct help_style *style)
{
	struct strbuf sentence = STRBUF_INIT;

	text_add_sentence(&sentence, option->help);
	text_add_spaces(out, MARGIN);
	strbuf_addf(out, "%s%s%s\n", color_on(style->color, COLOR_HEADING), synopsis,
		    color_off(style->color));
	text_add_wrapped(out, sentence.bytes, sentence.size, DETAILS_INDENT, 0, style->columns);
	if (option->details) {
		strbuf_addc(out, '\n');
		text_add_paragraphs(out, option->details, DETAILS_INDENT, style->columns);
	}
	strbuf_fini(&sentence);
}

static void add_option(struct strbuf *out, const struct option *option, const struct help_style *style)
{
	struct strbuf synopsis = STRBUF_INIT;

	option_help_synopsis(&synopsis, option);
	if (style->at_length)
		add_option_at_length(out, option, synopsis.bytes, style);
	else
		add_option_briefly(out, option, synopsis.bytes, style);
	strbuf_fini(&synopsis);
}

static void add_options(struct strbuf *out, const struct cli_command *command, const struct help_style *style)
{
	const struct option *option = option_next(command, NULL);

	if (option->kind != OPTION_KIND_GROUP)
		add_heading(out, "Options", style);
	for (const struct option *previous = NULL; option;
	     previous = option, option = option_next(command, option)) {
		if (option->kind == OPTION_KIND_GROUP) {
			add_heading(out, option->help, style);
			continue;
		}
		if (style->at_length && previous && previous->kind != OPTION_KIND_GROUP)
			strbuf_addc(out, '\n');
		add_option(out, option, style);
	}
}

typedef const struct option *next_option(const struct cli_command *command, const struct option *previous);

/* Lists options in the brief form, even in the long help. */
static void add_section(struct strbuf *out, const struct cli_command *command, const char *heading,
			next_option *next, const struct help_style *style)
{
	struct strbuf synopsis = STRBUF_INIT;

	if (!next(command, NULL))
		return;
	add_heading(out, heading, style);
	for (const struct option *option = NULL; (option = next(command, option));) {
		strbuf_reset(&synopsis);
		option_help_synopsis(&synopsis, option);
		add_option_briefly(out, option, synopsis.bytes, style);
	}
	strbuf_fini(&synopsis);
}

static void add_usage(struct strbuf *out, const struct cli_program *program,
		      const struct cli_command *command, const struct help_style *style)
{
	unsigned indent = (unsigned)(strlen("Usage: ") + strlen(program->name) + strlen(command->name) + 2);

	for (size_t i = 0; command->usage[i]; i++) {
		strbuf_addf(out, "%s%s%s%s %s ", color_on(style->color, COLOR_HEADING),
			    i ? "       " : "Usage: ", color_off(style->color), program->name, command->name);
		text_add_wrapped(out, command->usage[i], strlen(command->usage[i]), indent, indent,
				 style->columns);
	}
}

static void add_examples(struct strbuf *out, const struct cli_example *examples,
			 const struct help_style *style)
{
	if (!examples || !examples->command)
		return;
	add_heading(out, "Examples", style);
	for (; examples->command; examples++) {
		text_add_spaces(out, MARGIN);
		strbuf_addf(out, "%s\n", examples->command);
		text_add_wrapped(out, examples->explanation, strlen(examples->explanation), DETAILS_INDENT, 0,
				 style->columns);
	}
}

static void add_description(struct strbuf *out, const char *const *paragraphs, const struct help_style *style)
{
	for (; paragraphs && *paragraphs; paragraphs++) {
		strbuf_addc(out, '\n');
		text_add_paragraphs(out, *paragraphs, 0, style->columns);
	}
}

/* Adds a term, then its meaning from `column` on. */
static void add_term(struct strbuf *out, const char *term, const char *meaning, unsigned column,
		     const struct help_style *style)
{
	text_add_spaces(out, MARGIN);
	strbuf_adds(out, term);
	text_add_wrapped(out, meaning, strlen(meaning), column, MARGIN + (unsigned)strlen(term),
			 style->columns);
}

static void add_exit_statuses(struct strbuf *out, const struct cli_exit_status *statuses,
			      const struct help_style *style)
{
	unsigned column = 0;

	for (const struct cli_exit_status *status = statuses; status->status; status++)
		if (strlen(status->status) > column)
			column = (unsigned)strlen(status->status);
	add_heading(out, "Exit status", style);
	for (; statuses->status; statuses++)
		add_term(out, statuses->status, statuses->meaning, MARGIN + column + 2, style);
}

void option_help_command(struct strbuf *out, const struct cli_program *program,
			 const struct cli_command *command, const struct help_style *style)
{
	strbuf_addf(out, "%s%s %s%s - %s\n\n", color_on(style->color, COLOR_HEADING), program->name,
		    command->name, color_off(style->color), command->summary);
	add_usage(out, program, command, style);
	if (style->at_length)
		add_description(out, command->description, style);
	add_options(out, command, style);
	if (style->at_length) {
		add_section(out, command, OPTION_SELDOM_HEADING, option_next_seldom, style);
		add_section(out, command, OPTION_ACCEPTED_HEADING, option_next_accepted, style);
	}
	add_examples(out, command->examples, style);
	if (style->at_length)
		add_exit_statuses(out, cli_command_exit_statuses(command), style);
	else
		strbuf_addf(out, "\n'%s help %s' explains all of this at length.\n", program->name,
			    command->name);
}

void option_help_program(struct strbuf *out, const struct cli_program *program,
			 const struct help_style *style)
{
	unsigned longest = 0;

	strbuf_addf(out, "%s%s%s %s - %s\n\n", color_on(style->color, COLOR_HEADING), program->name,
		    color_off(style->color), program->version, program->summary);
	strbuf_addf(out, "Usage: %s COMMAND [OPTIONS]\n", program->name);
	if (style->at_length)
		add_description(out, program->description, style);
	add_examples(out, program->examples, style);
	add_heading(out, "Commands", style);
	for (size_t i = 0; program->commands[i]; i++)
		if (strlen(program->commands[i]->name) > longest)
			longest = (unsigned)strlen(program->commands[i]->name);
	for (size_t i = 0; program->commands[i]; i++)
		add_term(out, program->commands[i]->name, program->commands[i]->summary, MARGIN + longest + 3,
			 style);
	strbuf_addf(out, "\n'%s COMMAND -h' lists the options of a command, '%s help COMMAND' explains it.\n",
		    program->name, program->name);
}

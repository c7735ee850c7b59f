/*
 * struct page fills lines of the roff source word by word; add_macro() ends the current line first. add_marked_word() chooses
 * fonts, and add_escaped() is the only place that knows roff's special characters. option_man_command() and
 * option_man_program(), at the end, fix the order of the sections.
 */

#include <ctype.h>
#include <string.h>

#include "cli/option_help.h"
#include "cli/text.h"

enum {
	SOURCE_COLUMNS = 76, /* of the page's source: lint programs want less than 80 */
	LONG_WORD = 60,      /* a longer list without spaces may be broken after its commas */
};

/* A page that is being written: lines are filled word by word. */
struct page {
	struct strbuf *out;
	unsigned column;
	const char *placeholder; /* its words are set in italics; may be NULL */
};

static struct page page_over(struct strbuf *out)
{
	return (struct page){ .out = out };
}

static void end_line(struct page *page)
{
	if (page->column)
		strbuf_addc(page->out, '\n');
	page->column = 0;
}

/* Adds a macro on a line of its own. The caller escapes its arguments. */
static void add_macro(struct page *page, const char *macro)
{
	end_line(page);
	strbuf_addf(page->out, "%s\n", macro);
}

/*
 * Escapes characters that roff would interpret or replace by typographic ones. With `is_code` a hyphen becomes a minus sign,
 * which can be copied to a shell.
 */
static void add_escaped(struct strbuf *out, const char *bytes, size_t length, bool is_code)
{
	for (size_t i = 0; i < length; i++) {
		switch (bytes[i]) {
		case '\\': strbuf_adds(out, "\\e"); break;
		case '-': strbuf_adds(out, is_code ? "\\-" : "-"); break;
		case '\'': strbuf_adds(out, "\\(aq"); break;
		case '`': strbuf_adds(out, "\\(ga"); break;
		case '^': strbuf_adds(out, "\\(ha"); break;
		case '~': strbuf_adds(out, "\\(ti"); break;
		default: strbuf_addc(out, bytes[i]);
		}
	}
}

static void add_breakable(struct strbuf *out, const char *bytes, size_t length, bool is_code)
{
	const bool is_long = length > LONG_WORD;
	const char *comma;

	while (is_long && (comma = memchr(bytes, ',', length))) {
		const size_t piece = (size_t)(comma - bytes) + 1;

		add_escaped(out, bytes, piece, is_code);
		strbuf_adds(out, "\\:");
		bytes += piece;
		length -= piece;
	}
	add_escaped(out, bytes, length, is_code);
}

/* Whether this piece of prose is a word of the placeholder, such as HZ of "HZ|max". */
static bool is_placeholder_word(const char *placeholder, const char *bytes, size_t length)
{
	const char *at = placeholder;

	while (at && *at) {
		const char *start = at;

		while (isupper((unsigned char)*at))
			at++;
		if (at > start && (size_t)(at - start) == length && !memcmp(start, bytes, length))
			return true;
		if (at == start)
			at++;
	}
	return false;
}

/*
 * Adds one word of prose with the punctuation around it. An option (-g, --freq=HZ) is set in bold, a word of the placeholder in
 * italics.
 */
static void add_marked_word(struct strbuf *out, const char *placeholder, const char *bytes, size_t length)
{
	size_t start = 0, end = length;
	const char *font = NULL;
	bool is_option, is_code;

	while (start < end && strchr("('\"[", bytes[start]))
		start++;
	while (end > start && strchr(".,;:)'\"]?!", bytes[end - 1]))
		end--;
	is_option = end - start >= 2 && bytes[start] == '-' &&
		    (isalpha((unsigned char)bytes[start + 1]) || bytes[start + 1] == '-');
	is_code = is_option || memchr(bytes + start, '/', end - start) ||
		  memchr(bytes + start, '=', end - start);
	if (is_option)
		font = "\\fB";
	else if (is_placeholder_word(placeholder, bytes + start, end - start))
		font = "\\fI";

	add_escaped(out, bytes, start, is_code);
	strbuf_adds(out, font ? font : "");
	add_breakable(out, bytes + start, end - start, is_code);
	strbuf_adds(out, font ? "\\fR" : "");
	add_escaped(out, bytes + end, length - end, is_code);
}

static void add_word(struct page *page, const char *bytes, size_t length)
{
	struct strbuf word = STRBUF_INIT;

	add_marked_word(&word, page->placeholder, bytes, length);
	if (page->column && page->column + 1 + word.size > SOURCE_COLUMNS)
		end_line(page);
	if (page->column) {
		strbuf_addc(page->out, ' ');
		page->column++;
	} else if (word.bytes[0] == '.' || word.bytes[0] == '\'') {
		strbuf_adds(page->out, "\\&"); /* not a macro */
	}
	strbuf_add(page->out, word.bytes, word.size);
	page->column += (unsigned)word.size;
	strbuf_fini(&word);
}

/* Adds filled prose. Each sentence begins a line, because roff then sets the space after it. */
static void add_prose(struct page *page, const char *bytes, size_t length)
{
	const char *at = bytes, *end = bytes + length;

	while (at < end) {
		const char *word = at;

		while (at < end && !isspace((unsigned char)*at))
			at++;
		if (at > word) {
			add_word(page, word, (size_t)(at - word));
			if (strchr(".?!", at[-1]) && at[-1])
				end_line(page);
		}
		while (at < end && isspace((unsigned char)*at))
			at++;
	}
	end_line(page);
}

/* Adds text as it is, without filling and marking. */
static void add_verbatim(struct page *page, const struct text_paragraph *paragraph)
{
	const char *at = paragraph->bytes, *end = at + paragraph->length;

	add_macro(page, ".nf");
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline ? newline : end;

		strbuf_adds(page->out, *at == '.' || *at == '\'' ? "\\&" : "");
		add_escaped(page->out, at, (size_t)(line_end - at), true);
		strbuf_addc(page->out, '\n');
		at = newline ? newline + 1 : end;
	}
	add_macro(page, ".fi");
}

/* Adds all paragraphs of a text: after the macro `before_first` (may be NULL) the first, after `between` each other one. */
static void add_text(struct page *page, const char *text, const char *before_first, const char *between)
{
	struct text_paragraph paragraph;
	const char *macro = before_first;

	while (text_next_paragraph(&text, &paragraph)) {
		if (macro)
			add_macro(page, macro);
		macro = between;
		if (paragraph.verbatim)
			add_verbatim(page, &paragraph);
		else
			add_prose(page, paragraph.bytes, paragraph.length);
	}
}

static void add_title(struct page *page, const struct cli_program *program, const struct cli_command *command)
{
	struct strbuf *out = page->out;

	strbuf_addf(out, ".\\\" Generated by '%s help --man'.\n", program->name);
	strbuf_adds(out, ".TH ");
	for (const char *c = program->name; *c; c++)
		strbuf_addc(out, (char)toupper((unsigned char)*c));
	if (command)
		strbuf_adds(out, "\\-");
	for (const char *c = command ? command->name : ""; *c; c++)
		strbuf_addc(out, (char)toupper((unsigned char)*c));
	strbuf_addf(out, " 1 %s \"%s %s\" \"%s manual\"\n", program->release_date, program->name,
		    program->version, program->name);
	strbuf_adds(out, ".nh\n.ad l\n"); /* words that are copied to a shell must not be hyphenated */
	strbuf_addf(out, ".SH NAME\n%s%s%s \\- ", program->name, command ? "\\-" : "",
		    command ? command->name : "");
	strbuf_addf(out, "%s\n", command ? command->summary : program->summary);
}

/* Adds "[-o FILE]": options in bold, capitals in italics, brackets upright. */
static void add_usage_word(struct strbuf *out, const char *bytes, size_t length)
{
	const char *at = bytes, *end = bytes + length;

	while (at < end) {
		const char *start = at;
		const char *font = NULL;

		if (*at == '-' || islower((unsigned char)*at)) {
			while (at < end && (*at == '-' || isalnum((unsigned char)*at)))
				at++;
			font = "\\fB";
		} else if (isupper((unsigned char)*at)) {
			while (at < end && (isupper((unsigned char)*at) || *at == '_'))
				at++;
			font = "\\fI";
		} else {
			at++;
		}
		strbuf_adds(out, font ? font : "");
		add_escaped(out, start, (size_t)(at - start), true);
		strbuf_adds(out, font ? "\\fR" : "");
	}
}

/* One source line for each word: the formatter fills them. */
static void add_usage(struct strbuf *out, const char *usage)
{
	while (*usage) {
		size_t length = strcspn(usage, " ");

		add_usage_word(out, usage, length);
		strbuf_addc(out, '\n');
		usage += length;
		usage += strspn(usage, " ");
	}
}

static void add_synopsis(struct page *page, const struct cli_program *program,
			 const struct cli_command *command)
{
	add_macro(page, ".SH SYNOPSIS");
	for (size_t i = 0; command->usage[i]; i++) {
		if (i)
			add_macro(page, ".br");
		strbuf_addf(page->out, ".B %s %s\n", program->name, command->name);
		add_usage(page->out, command->usage[i]);
	}
}

static void add_description(struct page *page, const char *const *paragraphs)
{
	add_macro(page, ".SH DESCRIPTION");
	for (const char *const *paragraph = paragraphs; paragraph && *paragraph; paragraph++)
		add_text(page, *paragraph, paragraph == paragraphs ? NULL : ".PP", ".PP");
}

static void add_argument(struct strbuf *out, const struct option *option, const char *separator)
{
	strbuf_addf(out, "%s%s", option->argument_optional ? "[" : "", separator);
	if (option->placeholder) {
		strbuf_adds(out, "\\fI");
		add_escaped(out, option->placeholder, strlen(option->placeholder), true);
		strbuf_adds(out, "\\fR");
	}
	for (size_t i = 0; !option->placeholder && option->choices && option->choices[i]; i++)
		strbuf_addf(out, "%s\\fB%s\\fR", i ? "|" : "", option->choices[i]);
	strbuf_adds(out, option->argument_optional ? "]" : "");
}

static void add_long_name(struct strbuf *out, const struct option *option)
{
	const char *name = option->name;

	strbuf_adds(out, "\\fB\\-\\-");
	if (option->kind == OPTION_KIND_NEGATABLE) {
		strbuf_adds(out, "\\fR[\\fBno\\-\\fR]\\fB");
		name += strncmp(name, "no-", 3) ? 0 : 3;
	}
	add_escaped(out, name, strlen(name), true);
	strbuf_adds(out, "\\fR");
}

/* Adds the line that an option's paragraph hangs from. */
static void add_tag(struct strbuf *out, const struct option *option)
{
	bool takes_argument = option_takes_argument(option);

	if (option->letter)
		strbuf_addf(out, "\\fB\\-%c\\fR", option->letter);
	if (option->letter && option->name)
		strbuf_adds(out, ", ");
	if (option->name)
		add_long_name(out, option);
	if (takes_argument)
		add_argument(out, option, option->name ? "=" : option->argument_optional ? "" : " ");
	strbuf_addc(out, '\n');
}

static void add_sentence(struct page *page, const char *help)
{
	struct strbuf sentence = STRBUF_INIT;

	text_add_sentence(&sentence, help);
	add_prose(page, sentence.bytes, sentence.size);
	strbuf_fini(&sentence);
}

/* Adds the values that the tag does not show. */
static void add_choices(struct page *page, const struct option *option)
{
	struct strbuf values = STRBUF_INIT;

	if (!option->placeholder || option->kind != OPTION_KIND_CHOICE)
		return;
	strbuf_addf(&values, "%s is one of", option->placeholder);
	for (size_t i = 0; option->choices[i]; i++)
		strbuf_addf(&values, "%s %s", i ? "," : "", option->choices[i]);
	strbuf_addc(&values, '.');
	add_prose(page, values.bytes, values.size);
	strbuf_fini(&values);
}

static void add_option(struct page *page, const struct option *option)
{
	add_macro(page, ".TP");
	add_tag(page->out, option);
	page->placeholder = option->placeholder;
	add_sentence(page, option->help);
	add_choices(page, option);
	add_text(page, option->details, ".IP", ".IP");
	page->placeholder = NULL;
}

static void add_options(struct page *page, const struct cli_command *command)
{
	add_macro(page, ".SH OPTIONS");
	for (const struct option *option = NULL; (option = option_next(command, option));) {
		if (option->kind == OPTION_KIND_GROUP)
			strbuf_addf(page->out, ".SS %s\n", option->help);
		else
			add_option(page, option);
	}
}

typedef const struct option *next_option(const struct cli_command *command, const struct option *previous);

/* Adds a paragraph for each option, with its help. */
static void add_section(struct page *page, const struct cli_command *command, const char *heading,
			next_option *next)
{
	struct strbuf synopsis = STRBUF_INIT;

	if (!next(command, NULL))
		return;
	strbuf_addf(page->out, ".SS %s\n", heading);
	for (const struct option *option = NULL; (option = next(command, option));) {
		if (synopsis.size)
			strbuf_adds(page->out, ".PP\n");
		strbuf_reset(&synopsis);
		option_help_synopsis(&synopsis, option);
		strbuf_adds(page->out, "\\fB");
		add_escaped(page->out, synopsis.bytes, synopsis.size, true);
		strbuf_adds(page->out, "\\fR\n");
		add_sentence(page, option->help);
	}
	strbuf_fini(&synopsis);
}

static void add_term(struct page *page, const char *term, const char *meaning)
{
	add_macro(page, ".TP");
	strbuf_adds(page->out, "\\fB");
	add_escaped(page->out, term, strlen(term), true);
	strbuf_adds(page->out, "\\fR\n");
	add_sentence(page, meaning);
}

static void add_exit_statuses(struct page *page, const struct cli_exit_status *statuses)
{
	add_macro(page, ".SH EXIT STATUS");
	for (; statuses && statuses->status; statuses++)
		add_term(page, statuses->status, statuses->meaning);
}

static void add_terms(struct page *page, const char *heading, const struct cli_term *terms)
{
	if (!terms || !terms->term)
		return;
	add_macro(page, heading);
	for (; terms->term; terms++)
		add_term(page, terms->term, terms->meaning);
}

static void add_examples(struct page *page, const struct cli_example *examples)
{
	if (!examples || !examples->command)
		return;
	add_macro(page, ".SH EXAMPLES");
	for (; examples->command; examples++) {
		add_term(page, examples->command, examples->explanation);
	}
}

static void add_page_names(struct page *page, const struct cli_program *program,
			   const struct cli_command *but)
{
	struct strbuf *out = page->out;
	const char *separator = "";

	if (but) {
		strbuf_addf(out, ".BR %s (1)", program->name);
		separator = ",\n";
	}
	for (size_t i = 0; program->commands[i]; i++) {
		if (program->commands[i] == but)
			continue;
		strbuf_addf(out, "%s.BR %s\\-%s (1)", separator, program->name, program->commands[i]->name);
		separator = ",\n";
	}
}

/* "perf-record(1)" -> .BR perf\-record (1) */
static void add_other_page(struct strbuf *out, const char *page_name)
{
	const char *section = strchr(page_name, '(');
	size_t length = section ? (size_t)(section - page_name) : strlen(page_name);

	strbuf_adds(out, ",\n.BR ");
	add_escaped(out, page_name, length, true);
	strbuf_addf(out, " %s", section ? section : "");
}

static void add_see_also(struct page *page, const struct cli_program *program,
			 const struct cli_command *command)
{
	add_macro(page, ".SH SEE ALSO");
	add_page_names(page, program, command);
	for (const char *const *other = command ? command->see_also : NULL; other && *other; other++)
		add_other_page(page->out, *other);
	strbuf_addc(page->out, '\n');
}

void option_man_command(struct strbuf *out, const struct cli_program *program,
			const struct cli_command *command)
{
	struct page page = page_over(out);

	add_title(&page, program, command);
	add_synopsis(&page, program, command);
	add_description(&page, command->description);
	add_options(&page, command);
	add_section(&page, command, OPTION_SELDOM_HEADING, option_next_seldom);
	add_section(&page, command, OPTION_ACCEPTED_HEADING, option_next_accepted);
	add_exit_statuses(&page, cli_command_exit_statuses(command));
	add_examples(&page, command->examples);
	add_see_also(&page, program, command);
}

void option_man_program(struct strbuf *out, const struct cli_program *program)
{
	struct page page = page_over(out);

	add_title(&page, program, NULL);
	strbuf_addf(out, ".SH SYNOPSIS\n.B %s\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n", program->name);
	add_description(&page, program->description);
	add_macro(&page, ".SH COMMANDS");
	for (size_t i = 0; program->commands[i]; i++)
		add_term(&page, program->commands[i]->name, program->commands[i]->summary);
	add_exit_statuses(&page, program->exit_statuses);
	add_terms(&page, ".SH ENVIRONMENT", program->environment);
	add_terms(&page, ".SH FILES", program->files);
	add_examples(&page, program->examples);
	add_see_also(&page, program, NULL);
}

#include "support/greet_command.h"

#include <string.h>

static int set_call_graph(void *parsed, const char *argument, struct error *err)
{
	struct greet_options *options = parsed;

	if (argument && !strcmp(argument, "bad"))
		return error_set(err, "'bad' is no way to unwind");
	options->called_back = true;
	options->call_graph = argument;
	return 0;
}

static const char *const sort_keys[] = { "comm", "dso", "symbol", NULL };
static const char *const percentages[] = { "relative", "absolute", NULL };
static const char *const events[] = { "cycles", "instructions", NULL };

static const struct option greet_table[] = {
	OPTION_GROUP("Who is greeted"),
	{ OPTION_STRING(struct greet_options, name), .letter = 'n', .name = "name", .placeholder = "NAME",
	  .completes = OPTION_COMPLETES_USER, .help = "greet NAME instead of the user",
	  .details = "It isn't checked.\n\n  verbatim   -x\n  .dots" },
	{ OPTION_STRINGS(struct greet_options, events), .letter = 'e', .name = "event",
	  .placeholder = "EVENT", .choices = events, .completes = OPTION_COMPLETES_EVENT,
	  .help = "greet at EVENT" },
	{ OPTION_BARE_CALLBACK(set_call_graph), .letter = 'g', .help = "same as --call-graph auto" },
	{ OPTION_CALLBACK(set_call_graph), .name = "call-graph", .placeholder = "MODE[,BYTES]",
	  .help = "how the caller is found" },
	{ OPTION_CALLBACK(set_call_graph), .letter = 's', .name = "sort", .placeholder = "KEY[,KEY...]",
	  .choices = sort_keys, .comma_list = true, .help = "order of greetings" },
	{ OPTION_STRING(struct greet_options, style), .letter = 'P', .name = "percentage",
	  .choices = percentages, .argument_optional = true, .implied = "relative",
	  .help = "relative to [what]: all of it" },

	OPTION_GROUP("How"),
	{ OPTION_UNSIGNED(struct greet_options, times), .letter = 'F', .name = "freq", .placeholder = "N",
	  .minimum = 1, .maximum = 100, .help = "greet N times" },
	{ OPTION_U64(struct greet_options, number), .name = "number", .placeholder = "N",
	  .help = "a number" },
	{ OPTION_SIZE(struct greet_options, size_bytes), .name = "size", .placeholder = "SIZE",
	  .help = "a size" },
	{ OPTION_DURATION(struct greet_options, duration_ns), .name = "duration", .placeholder = "TIME",
	  .minimum = 1000000, .help = "a duration" },
	{ OPTION_DOUBLE(struct greet_options, percent), .name = "percent-limit", .placeholder = "PERCENT",
	  .help = "a number with a point" },
	{ OPTION_FLAG(struct greet_options, shout), .letter = 'a', .name = "all-capitals",
	  .help = "in capitals" },
	{ OPTION_NEGATABLE(struct greet_options, children), .name = "children", .help = "children too" },
	{ OPTION_NEGATABLE(struct greet_options, no_inherit), .letter = 'i', .name = "no-inherit",
	  .help = "but not theirs" },
	{ OPTION_COUNT(struct greet_options, verbosity), .letter = 'v', .name = "verbose", .help = "say more",
	  .details = "Of one,two and good_morning_to_you,good_afternoon_to_you,good_evening_to_you." },
	{ OPTION_FLAG(struct greet_options, bowing), .name = "bow", .seldom = true, .help = "bow too" },
	{ OPTION_ACCEPTED, .letter = 'B', .name = "no-badges", .help = "names come by themselves" },
	{ OPTION_ACCEPTED, .name = "threads", .placeholder = "N", .help = "one is enough" },
	{ OPTION_ACCEPTED, .name = "through-door", .placeholder = "N", .argument_optional = true,
	  .help = "one is enough" },
	{ OPTION_REFUSED("greetings are not recorded: use --name"), .letter = 'G', .name = "gramophone" },
	{ OPTION_FLAG(struct greet_options, secret), .name = "secret", .hidden = true, .help = "nothing" },
	OPTION_COLOR(struct greet_options, color),
	OPTION_END,
};

struct greet_run greet_last;

static int run_greet(void *parsed, int operand_count, char **operands, struct error *err)
{
	greet_last.options = *(struct greet_options *)parsed;
	greet_last.operand_count = operand_count;
	memcpy(greet_last.operands, operands, (size_t)(operand_count + 1) * sizeof(*operands));
	if (greet_last.result < 0)
		error_set(err, "nobody is there");
	return greet_last.result;
}

const struct cli_command cmd_greet = {
	.name = "greet",
	.summary = "greet somebody",
	.usage = (const char *const[]){ "[-a] [-n NAME] [--] PROGRAM", NULL },
	.description = (const char *const[]){ "Greets. Don't be shy.", "Twice: see --freq.", NULL },
	.options = greet_table,
	.options_size = sizeof(struct greet_options),
	.defaults = &(const struct greet_options){ .times = 7, .children = true },
	.operands = CLI_OPERANDS_WORKLOAD,
	.examples =
		(const struct cli_example[]){ { "xprof greet -n world", "The classic." }, { NULL, NULL } },
	.exit_statuses = (const struct cli_exit_status[]){ { "0", "all is well" },
							   { "128+N", "signal N" },
							   { NULL, NULL } },
	.see_also = (const char *const[]){ "perf-record(1)", NULL },
	.run = run_greet,
};

static const struct option show_table[] = {
	{ OPTION_STRING(struct greet_options, name), .letter = 'i', .name = "input", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE, .help = "show FILE" },
	{ OPTION_FLAG(struct greet_options, shout), .letter = 'a', .name = "all", .help = "show all" },
	OPTION_END,
};

const struct cli_command cmd_show = {
	.name = "show",
	.summary = "show files",
	.usage = (const char *const[]){ "[FILE]", NULL },
	.options = show_table,
	.options_size = sizeof(struct greet_options),
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 2,
	.run = run_greet,
};

const struct cli_program greeter = {
	.name = "xprof",
	.version = "1.2",
	.release_date = "2026-01-02",
	.summary = "a greeter",
	.description = (const char *const[]){ "It greets.", NULL },
	.commands = (const struct cli_command *const[]){ &cmd_greet, &cmd_show, NULL },
	.elsewhere = (const struct cli_term[]){ { "shout", "use 'xprof greet -a'" }, { NULL, NULL } },
	.exit_statuses = (const struct cli_exit_status[]){ { "0", "success" }, { NULL, NULL } },
	.environment = (const struct cli_term[]){ { "PAGER", "the pager" }, { NULL, NULL } },
};

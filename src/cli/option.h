#ifndef XPROF_CLI_OPTION_H
#define XPROF_CLI_OPTION_H

/*
 * A command declares itself once: its options in a table of `struct option`, the
 * rest in a `struct cli_command`. Parsing, -h, the man page and the completion of
 * every shell are walks of that declaration, so they cannot disagree.
 *
 * An entry names the member of the command's own options struct that it sets.
 * The macro that says which kind of value it takes also checks the member's type:
 *
 *	struct greet_options {
 *		bool shout;
 *		bool children;
 *		unsigned times;
 *		const char *name;
 *		enum color_mode color;
 *		struct peers peers;
 *	};
 *
 *	static const struct option greet_table[] = {
 *		OPTION_GROUP("Who is greeted"),
 *		{ OPTION_STRING(struct greet_options, name), .letter = 'n', .name = "name",
 *		  .placeholder = "NAME", .help = "greet NAME instead of the user",
 *		  .details = "A longer paragraph for the man page and --help." },
 *		{ OPTION_CALLBACK(add_peer), .letter = 'p', .name = "peer", .placeholder = "PID[,PID...]",
 *		  .completes = OPTION_COMPLETES_PID, .help = "also greet these processes" },
 *
 *		OPTION_GROUP("How"),
 *		{ OPTION_UNSIGNED(struct greet_options, times), .letter = 't', .name = "times",
 *		  .placeholder = "N", .minimum = 1, .maximum = 100, .help = "greet N times (default: 1)" },
 *		{ OPTION_FLAG(struct greet_options, shout), .letter = 's', .name = "shout",
 *		  .help = "in capitals" },
 *		{ OPTION_NEGATABLE(struct greet_options, children), .name = "children",
 *		  .help = "greet the children too (default)" },
 *		OPTION_COLOR(struct greet_options, color),
 *		OPTION_END,
 *	};
 *
 *	static int run_greet(void *parsed, int operand_count, char **operands, struct error *err)
 *	{
 *		const struct greet_options *options = parsed;
 *
 *		if (options->times > 1 && options->shout)
 *			return cli_usage_error(err, "--shout can be used once only, not with --times");
 *		...
 *		return 0;
 *	}
 *
 *	const struct cli_command cmd_greet = {
 *		.name = "greet",
 *		.summary = "greet somebody",
 *		.usage = (const char *const[]){ "[-s] [-n NAME]", NULL },
 *		.description = (const char *const[]){ "First paragraph.", "Second.", NULL },
 *		.options = greet_table,
 *		.options_size = sizeof(struct greet_options),
 *		.defaults = &(const struct greet_options){ .times = 1, .children = true },
 *		.examples = (const struct cli_example[]){
 *			{ "xprof greet -n world", "The classic." }, { NULL, NULL } },
 *		.run = run_greet,
 *	};
 *
 * Users may write, as in perf and git: -F99, -F 99, --freq=99, --freq 99; bundled letters (-ag); any unique
 * beginning of a long name (--fre); --no- in front of a flag's name; `--` ends the options. An option whose
 * argument is optional takes it only in the same word (-gcaller, --percentage=relative). When an option is
 * given twice the last one wins, except where its kind collects. -h and --help belong to every command and
 * are not in its table.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum option_kind {
	OPTION_KIND_END,
	OPTION_KIND_GROUP,
	OPTION_KIND_FLAG,
	OPTION_KIND_NEGATABLE,
	OPTION_KIND_COUNT,
	OPTION_KIND_STRING,
	OPTION_KIND_STRINGS,
	OPTION_KIND_UNSIGNED,
	OPTION_KIND_U64,
	OPTION_KIND_SIZE,
	OPTION_KIND_DOUBLE,
	OPTION_KIND_DURATION,
	OPTION_KIND_CHOICE,
	OPTION_KIND_CALLBACK,
	OPTION_KIND_BARE_CALLBACK,
	OPTION_KIND_ACCEPTED,
	OPTION_KIND_REFUSED,
	OPTION_KIND_HELP, /* -h, --help: the parser's own */
};

/* Completions of an argument that a shell offers beside the entry's `choices`. */
enum option_completion {
	OPTION_COMPLETES_NOTHING,
	OPTION_COMPLETES_FILE,
	OPTION_COMPLETES_PID,
	OPTION_COMPLETES_EVENT,   /* hardware, software and tracepoint names */
	OPTION_COMPLETES_COMMAND, /* a program of $PATH */
	OPTION_COMPLETES_USER,
	OPTION_COMPLETES_CPU,
};

/*
 * Stores the option's value. `options` is the command's options struct, or the member of it that the table
 * entry names. `argument` is NULL for a bare callback, and if an optional argument was left out; otherwise it
 * points into argv. Returns 0, or -1 with a message without the option's name, which the parser puts in
 * front.
 */
typedef int option_set(void *options, const char *argument, struct error *err);

/* Collected arguments of an option that may be repeated, as they were typed (not split). */
struct option_strings {
	const char **items; /* the texts are pieces of argv; free() the array */
	size_t count;
	size_t capacity;
};

struct option {
	enum option_kind kind;
	char letter;                /* 0: no short form */
	const char *name;           /* long name without dashes; NULL: short form only */
	const char *placeholder;    /* of the argument, in capitals; may be NULL when `choices` says it all */
	const char *help;           /* one line without a final full stop; of a group: its heading; of an
				       accepted option: why it changes nothing; of a refused one: why, and
				       what to use instead */
	const char *details;        /* more, in whole sentences, for the man page and --help, laid out
				       as cli/text.h says; NULL: none */
	size_t member;              /* offset in the options struct; set by the macros below */
	option_set *set;            /* of callbacks */
	uint64_t minimum, maximum;  /* of unsigned, u64, size and duration values; maximum 0: no limit */
	const char *const *choices; /* NULL-terminated; for OPTION_CHOICE the only values, in the
				       order of the enum; for others merely what shells offer */
	const char *implied;        /* stands for an optional argument that was left out; NULL with
				       a callback: it is called with NULL */
	enum option_completion completes;
	bool argument_optional; /* the argument must be in the same word: -gARG, --name=ARG */
	bool comma_list;        /* shells complete each item of a list */
	bool hidden;            /* works, but is not shown; an abbreviation that also fits a visible name
				   means the visible one */
	bool seldom;            /* as hidden, but shown in the long help, under OPTION_SELDOM_HEADING */
};

/* The member's offset, if it has one of the types that the kind can set; else an error at compile time. */
#define OPTION_MEMBER(type, name_, wanted) _Generic(((type *)0)->name_, wanted : offsetof(type, name_))
#define OPTION_ENUM_MEMBER(type, name_) \
	_Generic(((type *)0)->name_, int : offsetof(type, name_), unsigned int : offsetof(type, name_))

/* clang-format off */
#define OPTION_END { .kind = OPTION_KIND_END }
#define OPTION_GROUP(heading) { .kind = OPTION_KIND_GROUP, .help = (heading) }
/* clang-format on */

/* bool: --name sets it to true. */
#define OPTION_FLAG(type, name_) .kind = OPTION_KIND_FLAG, .member = OPTION_MEMBER(type, name_, bool)
/* bool: --name makes it true, --no-name false. An entry called "no-name" is undone by --name. */
#define OPTION_NEGATABLE(type, name_) \
	.kind = OPTION_KIND_NEGATABLE, .member = OPTION_MEMBER(type, name_, bool)
/* unsigned: each use adds one (-vv). */
#define OPTION_COUNT(type, name_) \
	.kind = OPTION_KIND_COUNT, .member = OPTION_MEMBER(type, name_, unsigned int)
/* const char *: a piece of argv. */
#define OPTION_STRING(type, name_) \
	.kind = OPTION_KIND_STRING, .member = OPTION_MEMBER(type, name_, const char *)
/* struct option_strings: every use adds one. */
#define OPTION_STRINGS(type, name_) \
	.kind = OPTION_KIND_STRINGS, .member = OPTION_MEMBER(type, name_, struct option_strings)
/* Decimal, or hexadecimal with 0x. */
#define OPTION_UNSIGNED(type, name_) \
	.kind = OPTION_KIND_UNSIGNED, .member = OPTION_MEMBER(type, name_, unsigned int)
#define OPTION_U64(type, name_) .kind = OPTION_KIND_U64, .member = OPTION_MEMBER(type, name_, uint64_t)
/* uint64_t, bytes: 4096, 512K, 2M, 1G (powers of 1024; a B may follow). */
#define OPTION_SIZE(type, name_) .kind = OPTION_KIND_SIZE, .member = OPTION_MEMBER(type, name_, uint64_t)
/* double, finite and not negative; a final % is allowed. */
#define OPTION_DOUBLE(type, name_) .kind = OPTION_KIND_DOUBLE, .member = OPTION_MEMBER(type, name_, double)
/* uint64_t, nanoseconds: 5 or 2.5 (seconds), 500ms, 100us, 5s, 2m, 1h. */
#define OPTION_DURATION(type, name_) \
	.kind = OPTION_KIND_DURATION, .member = OPTION_MEMBER(type, name_, uint64_t)
/* An enum (or int): the argument's number in `choices`. Unique beginnings are accepted. */
#define OPTION_CHOICE(type, name_) .kind = OPTION_KIND_CHOICE, .member = OPTION_ENUM_MEMBER(type, name_)
/* Takes an argument (unless .argument_optional) and gives it to a function. */
#define OPTION_CALLBACK(function) .kind = OPTION_KIND_CALLBACK, .set = (function)
/* Calls a function with NULL; the option takes no argument (perf record's -g). */
#define OPTION_BARE_CALLBACK(function) .kind = OPTION_KIND_BARE_CALLBACK, .set = (function)
/*
 * Options of perf that users type from habit. Neither kind is in the short help or in completions. An accepted
 * option sets nothing; it takes an argument if it has a placeholder, and is in the long help if it has a .help,
 * which says why it changes nothing. A refused option is wrong usage, with or without an argument; the sentence
 * says why and what to use instead. --no-NAME is accepted for both.
 */
#define OPTION_ACCEPTED .kind = OPTION_KIND_ACCEPTED, .hidden = true
#define OPTION_REFUSED(sentence) .kind = OPTION_KIND_REFUSED, .hidden = true, .help = (sentence)
/* The option -i, --input of every command that reads a recording. */
#define OPTION_RECORDING(type, name_)                                                                                          \
	{                                                                                                                      \
		OPTION_STRING(type, name_),                                                                                    \
			.letter = 'i', .name = "input", .placeholder = "FILE",                                                 \
			.completes = OPTION_COMPLETES_FILE,                                                                    \
			.help = "the recording; - is standard input (default: standard input if it is a pipe, else perf.data)" \
	}
#define OPTION_SELDOM_HEADING "Seldom used"
#define OPTION_ACCEPTED_HEADING "Options of perf that change nothing here"

/* Operands that may follow the options. */
enum cli_operands {
	CLI_OPERANDS_NONE,     /* anything else is wrong usage */
	CLI_OPERANDS_WORKLOAD, /* a program and its arguments: the first word that is not an option ends the
				  options */
	CLI_OPERANDS_FILES,    /* options and operands may be mixed */
	CLI_OPERANDS_TOPICS,   /* names of commands, for help */
};

struct cli_example {
	const char *command;
	const char *explanation;
};

struct cli_exit_status {
	const char *status; /* "0", "128+N" */
	const char *meaning;
};

/* Results of run() that are not exit statuses; err is set in both cases. */
enum {
	CLI_FAILED = -1, /* exit status 1 */
	CLI_USAGE = -2,  /* exit status 2, and the message points to -h */
};

/* Plus a signal's number: the command did its work, and the program now ends by that signal, as its sender expects. */
enum { CLI_ENDS_BY_SIGNAL = 256 };

struct cli_command {
	const char *name;
	const char *summary;      /* one line, no capital, no full stop */
	const char *const *usage; /* texts that follow "xprof NAME ", one for each form; NULL-terminated */
	const char *const *description; /* paragraphs of the man page and --help; NULL-terminated */
	const struct option *options;   /* up to OPTION_END */
	size_t options_size;            /* of the options struct */
	const void *defaults;           /* options_size bytes; NULL: all zero */
	enum cli_operands operands;
	unsigned max_operands;                       /* of FILES and TOPICS; 0: any number */
	const struct cli_example *examples;          /* up to a NULL command; may be NULL */
	const struct cli_exit_status *exit_statuses; /* up to a NULL status; NULL: 0, 1 and 2 as everywhere */
	const char *const *see_also; /* such as "perf-record(1)"; xprof's other commands are added;
					NULL-terminated; may be NULL */

	/*
	 * Runs the command. `options` holds the defaults, overwritten by the command line. run() may change
	 * the struct, which is freed afterwards, and has to free what its members point to. `operands` is
	 * followed by a NULL, ready for execvp(). Returns an exit status from 0 to 255, CLI_ENDS_BY_SIGNAL
	 * and a signal's number, or CLI_FAILED or CLI_USAGE with err filled. The error is printed by main.c,
	 * never here.
	 */
	int (*run)(void *options, int operand_count, char **operands, struct error *err);
};

/* Fills err; returns CLI_USAGE, so that `return cli_usage_error(err, ...)` reads well. */
int cli_usage_error(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum option_result {
	OPTION_WRONG = -1, /* err says what is wrong, and suggests a similar name if there is one */
	OPTION_PARSED = 0,
	OPTION_HELP = 1,      /* -h was given: print the short help and stop */
	OPTION_LONG_HELP = 2, /* --help */
};

/*
 * Parses argv[0..argc), which does not include the command's name, into
 * `options` (which holds the defaults already). Operands are moved to the front
 * of argv in their order, and argv[*operand_count] is NULL afterwards: argv must
 * have room for argc + 1 entries, as main()'s has.
 */
enum option_result option_parse(const struct cli_command *command, void *options, int argc, char **argv,
				int *operand_count, struct error *err);

/*
 * Iterates over the entries that help, manual pages and completion show: returns the entry after `previous`
 * (NULL: the first), -h after the last one, then NULL. Includes group headings, skips hidden options.
 */
const struct option *option_next(const struct cli_command *command, const struct option *previous);

/* As option_next(), for the entries that are seldom, and for accepted ones with a .help. NULL at the end. */
const struct option *option_next_seldom(const struct cli_command *command, const struct option *previous);
const struct option *option_next_accepted(const struct cli_command *command, const struct option *previous);

/* Does it take an argument, required or optional? */
bool option_takes_argument(const struct option *option);

/* The parsers of the value kinds, for callbacks that need them. 0, or -1 with a message that quotes the text. */
int option_parse_u64(const char *text, uint64_t *value, struct error *err);
int option_parse_unsigned(const char *text, unsigned int *value, struct error *err);
int option_parse_size(const char *text, uint64_t *size_bytes, struct error *err);
int option_parse_duration(const char *text, uint64_t *duration_ns, struct error *err);
int option_parse_double(const char *text, double *value, struct error *err);

#endif

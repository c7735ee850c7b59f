/*
 * Measures how often the unwinder is right. Follows programs, one per line, instruction by instruction (follow.h), and writes a
 * table of the results to standard output.
 *
 * usage: truth [--steps=N] [--seed=N] [--differences=N] [--no-sweep] [LIST]
 *
 * A line of LIST (default: standard input): NAME FROM STEPS[+] PROGRAM [ARGUMENT...]
 *   FROM   start, entry or thread: where following begins; go: as entry, for Go programs;
 *          emulator: PROGRAM is qemu-aarch64 with its options; its last argument is a program for aarch64, which is followed from
 *          its entry point on
 *   STEPS  the most instructions; with a +, calls are skipped at random, and the program is run again with other seeds until
 *          the number is reached
 * A NAME that begins with ~ is a program that has code without unwind information. If the library that decodes its instructions
 * is missing, frames missing there are shown, but do not count against the limits.
 * --steps replaces a STEPS of 0. Exit status: 1 if a limit is broken, 2 if a program cannot be run.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth/follow.h"
#include "truth/follow_emulated.h"

enum {
	WRONG_ONE_IN = 2000, /* at most one wrong frame in so many */
	MISSING_ONE_IN = 200,
	MAX_ARGUMENTS = 64,
	MAX_RUNS = 40, /* per program */
};

struct settings {
	struct follow_options follow;
	uint64_t default_steps;
	struct module_cache *cache;
	struct unwinder *unwinder;
};

struct program {
	const char *name;
	enum follow_from from;
	uint64_t steps;
	bool skip;
	char *arguments[MAX_ARGUMENTS];
};

static bool within(uint64_t count, uint64_t of, uint64_t one_in)
{
	return count * one_in <= of;
}

static void print_header(void)
{
	printf("%-28s %9s %7s %9s %6s %6s %7s | %9s %6s | %s\n", "program", "steps", "stacks", "frames",
	       "wrong", "marked", "missing", "cut: frm", "wrong", "ends");
}

static void print_verdict(const char *name, uint64_t steps, const struct verdict *whole,
			  const struct verdict *sweep)
{
	printf("%-28s %9" PRIu64 " %7" PRIu64 " %9" PRIu64 " %6" PRIu64 " %6" PRIu64 " %7" PRIu64
	       " | %9" PRIu64 " %6" PRIu64 " |",
	       name, steps, whole->stacks, whole->frames, whole->wrong, whole->marked, whole->missing,
	       sweep->frames, sweep->wrong);
	for (size_t i = 0; i < VERDICT_ENDS; i++)
		if (whole->ends[i])
			printf(" %s %" PRIu64, unwind_end_name((enum unwind_end)i), whole->ends[i]);
	printf("\n");
	fflush(stdout);
}

static void add_result(struct follow_result *to, const struct follow_result *from)
{
	verdict_sum(&to->whole, &from->whole);
	verdict_sum(&to->sweep, &from->sweep);
	for (size_t i = 0; i < PLACES; i++)
		verdict_sum(&to->places[i], &from->places[i]);
	to->steps += from->steps;
	to->in_transfer += from->in_transfer;
	to->rewritten += from->rewritten;
}

static bool reads_instructions(void)
{
	struct code_instruction instruction;

	return code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction);
}

static int follow_program(const struct settings *settings, const struct program *program,
			  struct follow_result *total)
{
	struct follow_options options = settings->follow;
	struct follow_result result = { .steps = 0 };
	struct error err;

	options.from = program->from;
	options.skip = program->skip;
	for (size_t run = 0; run < (program->skip ? MAX_RUNS : 1) && result.steps < program->steps; run++) {
		options.max_steps = program->steps - result.steps;
		if ((options.from == FOLLOW_IN_EMULATOR ? follow_emulated : follow)(
			    program->arguments, &options, settings->cache, settings->unwinder, &result,
			    &err) != 0) {
			printf("%-28s %s\n", program->name, err.message);
			return -1;
		}
		options.seed++;
	}
	print_verdict(program->name, result.steps, &result.whole, &result.sweep);
	if (program->name[0] == '~' && !reads_instructions())
		result.whole.missing = result.whole.true_frames = 0;
	add_result(total, &result);
	return 0;
}

static bool parse_from(const char *word, enum follow_from *from)
{
	static const char *const words[] = { "start", "entry", "thread", "go", "emulator" };

	for (size_t i = 0; word && i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(word, words[i]) == 0) {
			*from = (enum follow_from)i;
			return true;
		}
	}
	return false;
}

/* Parses a line. Returns 1, 0 for an empty line or a comment, -1 if it is invalid. */
static int parse_program(char *line, uint64_t default_steps, struct program *program)
{
	char *rest = NULL, *steps, *end;
	size_t count = 0;

	program->name = strtok_r(line, " \t\n", &rest);
	if (!program->name || program->name[0] == '#')
		return 0;
	if (!parse_from(strtok_r(NULL, " \t\n", &rest), &program->from))
		return -1;
	steps = strtok_r(NULL, " \t\n", &rest);
	if (!steps)
		return -1;
	program->steps = strtoull(steps, &end, 10);
	program->skip = *end == '+';
	if (program->steps == 0)
		program->steps = default_steps;
	while (count < MAX_ARGUMENTS - 1 && (program->arguments[count] = strtok_r(NULL, " \t\n", &rest)))
		count++;
	program->arguments[count] = NULL;
	return count > 0 ? 1 : -1;
}

static double percent(uint64_t count, uint64_t of)
{
	return of ? 100.0 * (double)count / (double)of : 0;
}

static bool print_total(const struct follow_result *total)
{
	const struct verdict *whole = &total->whole, *sweep = &total->sweep;
	bool good = within(whole->wrong, whole->frames, WRONG_ONE_IN) &&
		    within(whole->missing, whole->true_frames, MISSING_ONE_IN) &&
		    within(sweep->wrong, sweep->frames, WRONG_ONE_IN);

	print_verdict("all", total->steps, whole, sweep);
	for (size_t i = 0; i < PLACES; i++)
		print_verdict(place_name((enum place)i), 0, &total->places[i], &(struct verdict){ 0 });
	printf("wrong %.4f%% (limit %.4f%%), missing %.4f%% (limit %.4f%%), wrong of cut stacks %.4f%%\n",
	       percent(whole->wrong, whole->frames), 100.0 / WRONG_ONE_IN,
	       percent(whole->missing, whole->true_frames), 100.0 / MISSING_ONE_IN,
	       percent(sweep->wrong, sweep->frames));
	printf("left out: %" PRIu64 " instructions between stacks, %" PRIu64
	       " with rewritten return addresses\n",
	       total->in_transfer, total->rewritten);
	return good;
}

static int follow_list(FILE *list, const struct settings *settings)
{
	struct follow_result total = { .steps = 0 };
	char line[4096];
	int status = 0;

	print_header();
	while (fgets(line, sizeof(line), list)) {
		struct program program;
		int parsed = parse_program(line, settings->default_steps, &program);

		if (parsed < 0)
			printf("not understood: %s\n", line);
		if (parsed < 0 || (parsed > 0 && follow_program(settings, &program, &total) != 0))
			status = 2;
	}
	return print_total(&total) || status ? status : 1;
}

static bool parse_option(const char *argument, struct settings *settings)
{
	unsigned long long value;

	if (strcmp(argument, "--no-sweep") == 0)
		settings->follow.sweep = false;
	else if (sscanf(argument, "--steps=%llu", &value) == 1)
		settings->default_steps = value;
	else if (sscanf(argument, "--seed=%llu", &value) == 1)
		settings->follow.seed = value;
	else if (sscanf(argument, "--differences=%llu", &value) == 1)
		settings->follow.max_differences = (size_t)value;
	else
		return false;
	return true;
}

int main(int argc, char *argv[])
{
	struct settings settings = {
		.follow = { .seed = 1, .sweep = true, .differences = stdout, .max_differences = 3 },
		.default_steps = 100000,
	};
	FILE *list = stdin;
	int i = 1, status;

	while (i < argc && argv[i][0] == '-') {
		if (!parse_option(argv[i++], &settings)) {
			fprintf(stderr, "truth: unknown option %s\n", argv[i - 1]);
			return 2;
		}
	}
	if (i < argc && !(list = fopen(argv[i], "re"))) {
		fprintf(stderr, "truth: cannot open %s: %s\n", argv[i], strerror(errno));
		return 2;
	}
	/*
	 * Otherwise Go would interrupt its threads by signals and push a return address without a call, collect garbage at any
	 * time, and move the followed goroutine to another thread.
	 */
	setenv("GODEBUG", "asyncpreemptoff=1", 1);
	setenv("GOGC", "off", 1);
	setenv("GOMAXPROCS", "1", 1);
	settings.cache = module_cache_create();
	settings.unwinder = unwinder_create();
	status = follow_list(list, &settings);
	unwinder_destroy(settings.unwinder);
	module_cache_destroy(settings.cache);
	if (list != stdin)
		fclose(list);
	return status;
}

#ifndef XPROF_TEST_SUPPORT_GREET_COMMAND_H
#define XPROF_TEST_SUPPORT_GREET_COMMAND_H

/* A program with two commands whose tables have an option of every kind. */

#include "cli/color.h"
#include "cli/program.h"

struct greet_options {
	bool shout;
	bool children;
	bool no_inherit;
	bool secret, bowing;
	bool called_back;
	unsigned verbosity;
	unsigned times;
	uint64_t number;
	uint64_t size_bytes;
	uint64_t duration_ns;
	double percent;
	const char *name;
	const char *style; /* of --percentage */
	const char *call_graph;
	enum color_mode color;
	struct option_strings events;
};

/* Takes a workload. Its run() stores its arguments in greet_last and returns `result` of that. */
extern const struct cli_command cmd_greet;
extern const struct cli_command cmd_show; /* takes files */
extern const struct cli_program greeter;

struct greet_run {
	struct greet_options options;
	int operand_count;
	const char *operands[8];
	int result; /* what run() returns */
};

extern struct greet_run greet_last;

#endif

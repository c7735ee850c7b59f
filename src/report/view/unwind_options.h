#ifndef XPROF_REPORT_VIEW_UNWIND_OPTIONS_H
#define XPROF_REPORT_VIEW_UNWIND_OPTIONS_H

/* How stacks are found, as the user says it: the same options for every command that shows stacks. */

#include "cli/option.h"
#include "report/load/dump_unwinder.h"

struct unwind_options {
	unsigned int max_stack; /* callers; 0: as perf */
	enum unwind_choice unwind;
	enum unwind_engine unwinder;
	bool join_stacks, guess; /* see struct dump_unwinder_options */
};

#define UNWIND_OPTION_DEFAULTS      \
	{                           \
		.join_stacks = true \
	}

/* The words of the enums, in their order, up to a NULL. */
extern const char *const unwind_choice_names[];
extern const char *const unwind_engine_names[];

/* clang-format off */

/* Rows of an option table that set `member`, a struct unwind_options of `type`: all but --unwind. */
#define UNWIND_OPTIONS(type, member)                                                                         \
	{ OPTION_UNSIGNED(type, member.max_stack), .name = "max-stack", .placeholder = "N",                  \
	  .minimum = 1, .maximum = 65536,                                                                    \
	  .help = "at most N callers of a stack (default: all)",        \
	  .details = "A call chain is cut at the leaf, as perf does, an unwound stack at its outermost "     \
		     "callers." },                                                                           \
	{ OPTION_CHOICE(type, member.unwinder), .name = "unwinder", .choices = unwind_engine_names,          \
	  .help = "what unwinds stack dumps (default: xprof)",                                               \
	  .details = "libunwind is a second opinion on the same registers, bytes and files, for when a "     \
		     "stack looks wrong. It is many times slower and stops earlier." },                      \
	{ OPTION_NEGATABLE(type, member.join_stacks), .name = "join-stacks",                                 \
	  .help = "stacks deeper than their dump go on by another stack of their thread (default)",          \
	  .details = "Where the outermost three frames of such a stack have the same code at the same "      \
		     "place of the stack as a complete one of the thread that came before, its callers are " \
		     "taken over, if the thread's last four complete stacks had them and none went on "      \
		     "differently there. They are most likely the same calls, but that is no proof: such "   \
		     "stacks are counted apart, see --stacks of xprof report." },                            \
	{ OPTION_FLAG(type, member.guess), .name = "guess",                                                  \
	  .help = "where a stack dump cannot be unwound any farther, guess callers",                         \
	  .details = "The next word of the stack that is the address behind a call is taken for the return " \
		     "address. It may be left over from an earlier call, so the callers that are found "     \
		     "like this, and all above them, are marked [guessed]." }

#define UNWIND_OPTION_CHOICE(type, member)                                                                   \
	{ OPTION_CHOICE(type, member.unwind), .name = "unwind", .choices = unwind_choice_names,              \
	  .help = "how stacks of samples with a stack dump are found (default: auto)",                       \
	  .details = "\"dwarf\" unwinds the dump with the call frame information of the programs and "       \
		     "libraries; \"fp\" takes the call chain that the kernel recorded, and follows frame "   \
		     "pointers through the dump where it recorded none; \"auto\" unwinds the dump, except "  \
		     "where the recorded chain gets farther. Samples without a dump have what the kernel "   \
		     "recorded in any case." }

/* clang-format on */

#endif

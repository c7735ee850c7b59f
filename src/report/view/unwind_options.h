#ifndef XPROF_REPORT_VIEW_UNWIND_OPTIONS_H
#define XPROF_REPORT_VIEW_UNWIND_OPTIONS_H

/* Options that say how stacks are found, for all commands that show stacks. */

#include "cli/option.h"
#include "report/load/unwind_choice.h"

#define UNWIND_OPTION_DEFAULTS      \
	{                           \
		.join_stacks = true \
	}

/* The values of the options, in the order of the enums; NULL-terminated. */
extern const char *const unwind_choice_names[];
extern const char *const unwind_engine_names[];

/* clang-format off */

/* Rows of an option table that set `member`, a struct unwind_options of `type`: all but --unwind. */
#define UNWIND_OPTIONS(type, member)                                                                         \
	{ OPTION_UNSIGNED(type, member.max_stack), .name = "max-stack", .placeholder = "N",                  \
	  .minimum = 1, .maximum = 65536,                                                                    \
	  .help = "at most N callers of a stack (default: all)",        \
	  .details = "A recorded call chain keeps its outermost callers, as in perf; an unwound stack keeps " \
	  	"its innermost ones." },                                                                           \
	{ OPTION_CHOICE(type, member.unwinder), .name = "unwinder", .choices = unwind_engine_names,          \
	  .help = "unwind stack dumps with this unwinder (default: xprof)",                                               \
	  .details = "Use libunwind as a second opinion on the same registers, bytes and files if a stack " \
	  	"looks wrong. It is many times slower and stops earlier." },                      \
	{ OPTION_NEGATABLE(type, member.join_stacks), .name = "join-stacks",                                 \
	  .help = "continue stacks deeper than their dump with another stack of the same thread (default)",          \
	  .details = "xprof compares the three outermost frames of a cut stack with earlier complete stacks " \
	  	"of the thread. If the same code is at the same place of the stack, it takes over the " \
	  	"callers, provided that the thread's last four complete stacks had them and none of them " \
	  	"continued with other callers. They are most likely the same calls, but that is no proof: " \
	  	"such stacks are counted separately, see 'xprof report --stacks'." },                            \
	{ OPTION_FLAG(type, member.stitch_lbr), .name = "stitch-lbr",                                        \
	  .help = "with --call-graph lbr: add outer calls from the thread's previous sample",                 \
	  .details = "The CPU keeps 8 to 32 calls. If the outermost recorded call is the same as in the " \
	  	"previous sample (same register, same addresses), xprof appends the outer calls of that " \
	  	"sample. They may be wrong, if the calls returned in between." },              \
	{ OPTION_FLAG(type, member.guess), .name = "guess",                                                  \
	  .help = "guess callers where a stack dump cannot be unwound any farther",                         \
	  .details = "xprof takes as return address the next word of the stack that is the address after a " \
	  	"call instruction. The word may be left over from an earlier call, so this caller and all " \
	  	"above it are marked [guessed]." }

#define UNWIND_OPTION_CHOICE(type, member)                                                                   \
	{ OPTION_CHOICE(type, member.unwind), .name = "unwind", .choices = unwind_choice_names,              \
	  .help = "how to find the stacks of samples with a stack dump (default: auto)",                       \
	  .details = "dwarf: unwind the dump with the call frame information of the programs and libraries. " \
	  	"fp: take the call chain that the kernel recorded; if there is none, follow frame pointers " \
	  	"through the dump. auto: unwind the dump, unless the recorded chain gets farther. Samples " \
	  	"without a dump always have the chain that the kernel recorded." }

#define UNWIND_OPTION_WAKERS(type, member)                                                                   \
	{ OPTION_FLAG(type, member.wakers), .name = "wakers",                                                \
	  .help = "for time off the CPU: put the stack of the thread that woke the sleeper on top of the " \
	  	"sleeper's", \
	  .details = "For recordings of 'xprof record --off-cpu'. After the sleeper's stack come a frame " \
	  	"\"--\", the waker's functions from the innermost to the outermost, and the waker's name, " \
	  	"so the call that waited is next to the call that ended the wait. If no thread ended it, " \
	  	"there is only [timer], [interrupt], [softirq], [IPI] or [idle]. Samples of other events " \
	  	"are left out unless --wall adds them." }

/* clang-format on */

#endif

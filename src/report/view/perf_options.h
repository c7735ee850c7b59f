#ifndef XPROF_REPORT_VIEW_PERF_OPTIONS_H
#define XPROF_REPORT_VIEW_PERF_OPTIONS_H

/*
 * Options of perf report, script and diff that more than one command knows without doing what they say: harmless ones are
 * accepted, the others refused with what to use instead.
 */

#include "base/error.h"
#include "cli/option.h"

/* clang-format off */

/* Options that tell perf something xprof does by itself or does not need. */
#define PERF_OPTION_FORCE                                                                                    \
	{ OPTION_ACCEPTED, .letter = 'f', .name = "force" } /* files of other users are read anyway */
#define PERF_OPTION_MODULES                                                                                  \
	{ OPTION_ACCEPTED, .letter = 'm', .name = "modules" } /* modules have names in any case */
#define PERF_OPTION_VERBOSE { OPTION_ACCEPTED, .letter = 'v', .name = "verbose" }
#define PERF_OPTIONS_OF_NAMES                                                                                \
	{ OPTION_ACCEPTED, .name = "demangle-kernel" }, /* --demangle is of all names */                     \
	{ OPTION_ACCEPTED, .name = "addr2line", .placeholder = "PATH" }, /* lines are read without it */     \
	{ OPTION_ACCEPTED, .name = "addr2line-style", .placeholder = "STYLE" },                              \
	{ OPTION_REFUSED("--unwinder=libunwind chooses what unwinds stack dumps"),       \
	  .name = "unwind-style" }

#define PERF_BRANCHES_REFUSED                                                                                \
	OPTION_REFUSED("xprof does not add up branch records in this way; 'perf report' reads the same "     \
		       "file, and 'xprof report -b' has a row for each pair of places")
#define PERF_OPTION_STITCH_LBR                                                                               \
	{ OPTION_REFUSED("script prints the calls of each sample alone; 'xprof report --stitch-lbr' takes " \
			 "over those of the samples before"),                                               \
	  .name = "stitch-lbr" }

#define PERF_TRACES_REFUSED                                                                                  \
	OPTION_REFUSED("xprof does not decode hardware traces (Intel PT, CoreSight, SPE); "                  \
		       "perf does, from the same file")
/* Says how traces are decoded, and nothing of a recording that has none: see perf_options_check_traces(). */
#define PERF_OPTION_ITRACE(type, member)                                                                     \
	{ OPTION_STRING(type, member), .name = "itrace", .placeholder = "OPTS", .hidden = true },            \
	{ OPTION_ACCEPTED, .name = "no-itrace" }

#define PERF_SWITCHES_REFUSED                                                                                \
	OPTION_REFUSED("an event does not start or end what is counted; --time START,STOP does, with the "   \
		       "times that 'xprof script' prints of the event")
#define PERF_OPTIONS_SWITCH                                                                                  \
	{ PERF_SWITCHES_REFUSED, .name = "switch-on" },                                                      \
	{ PERF_SWITCHES_REFUSED, .name = "switch-off" },                                                     \
	{ PERF_SWITCHES_REFUSED, .name = "show-on-off-events" }

/* clang-format on */

/* -1 when the recording at `path` has hardware traces that --itrace, which may be NULL, asks to be decoded. */
int perf_options_check_traces(const char *itrace, bool has_hardware_traces, const char *path,
			      struct error *err);

#endif

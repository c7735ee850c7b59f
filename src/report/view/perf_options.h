#ifndef XPROF_REPORT_VIEW_PERF_OPTIONS_H
#define XPROF_REPORT_VIEW_PERF_OPTIONS_H

/*
 * Options of perf report, script and diff that several commands know but do not implement: harmless ones are
 * accepted, the others are refused with a replacement.
 */

#include "base/error.h"
#include "cli/option.h"

/* clang-format off */

/* Options for things that xprof always does, or does not need. */
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
	{ OPTION_REFUSED("script prints only each sample's own calls; 'xprof report --stitch-lbr' adds " \
			 "those of the previous sample"),                                               \
	  .name = "stitch-lbr" }

#define PERF_TRACES_REFUSED                                                                                  \
	OPTION_REFUSED("xprof does not decode hardware traces (Intel PT, CoreSight, SPE); "                  \
		       "perf does, from the same file")
/*
 * Controls the decoding of traces, so it has no effect on recordings without traces: see
 * perf_options_check_traces().
 */
#define PERF_OPTION_ITRACE(type, member)                                                                     \
	{ OPTION_STRING(type, member), .name = "itrace", .placeholder = "OPTS", .hidden = true },            \
	{ OPTION_ACCEPTED, .name = "no-itrace" }

#define PERF_SWITCHES_REFUSED                                                                                \
	OPTION_REFUSED("xprof does not start or stop counting at an event; use --time START,STOP with the " \
		       "times of the event from 'xprof script'")
#define PERF_OPTIONS_SWITCH                                                                                  \
	{ PERF_SWITCHES_REFUSED, .name = "switch-on" },                                                      \
	{ PERF_SWITCHES_REFUSED, .name = "switch-off" },                                                     \
	{ PERF_SWITCHES_REFUSED, .name = "show-on-off-events" }

/* clang-format on */

/* The notice for recordings with hardware traces: they are left out. */
extern const char perf_options_traces_are_left_out[];

/*
 * Returns -1 with err if --itrace (may be NULL) asks to decode traces and the recording at `path` has them;
 * else 0.
 */
int perf_options_check_traces(const char *itrace, bool has_hardware_traces, const char *path,
			      struct error *err);

#endif

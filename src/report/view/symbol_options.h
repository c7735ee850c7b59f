#ifndef XPROF_REPORT_VIEW_SYMBOL_OPTIONS_H
#define XPROF_REPORT_VIEW_SYMBOL_OPTIONS_H

/* Options that say where names come from, for all commands that show names. */

#include "cli/option.h"
#include "report/remedy/debug_downloads.h"
#include "report/view/list_option.h"
#include "symbol/symbolizer.h"

struct symbol_options {
	const char *vmlinux;
	const char *kallsyms;
	const char *symfs;
	char *symfs_without_layout; /* malloc()ed; NULL: no layout was named */
	const char *buildid_dir;
	struct text_list debug_dirs; /* instead of /usr/lib/debug */
	bool demangle;
	bool cache;
	bool inlines;
	enum debuginfod_mode debuginfod;
	uint64_t debuginfod_limit; /* limit of all files together, in bytes */
};

#define SYMBOL_OPTION_DEFAULTS                                                                          \
	{                                                                                               \
		.demangle = true, .cache = true, .inlines = true, .debuginfod_limit = (uint64_t)1 << 30 \
	}

/* clang-format off */

/* The rows of an option table that set `member`, a struct symbol_options of `type`. */
#define SYMBOL_OPTIONS(type, member)                                                                         \
	{ OPTION_STRING(type, member.vmlinux), .letter = 'k', .name = "vmlinux", .placeholder = "FILE",      \
	  .completes = OPTION_COMPLETES_FILE, .help = "read the kernel's symbols from this vmlinux" },          \
	{ OPTION_STRING(type, member.kallsyms), .name = "kallsyms", .placeholder = "FILE",                   \
	  .completes = OPTION_COMPLETES_FILE,                                                                \
	  .help = "read the kernel's symbols from this copy of /proc/kallsyms" },                               \
	{ OPTION_STRING(type, member.symfs), .name = "symfs", .placeholder = "DIRECTORY",                    \
	  .completes = OPTION_COMPLETES_FILE, .help = "look for recorded files below this directory" },         \
	{ OPTION_TEXT_LIST(type, member.debug_dirs), .name = "debug-dir",                                    \
	  .placeholder = "DIRECTORY[,DIRECTORY...]", .completes = OPTION_COMPLETES_FILE,                     \
	  .help = "look for separate debug files in these directories instead of /usr/lib/debug" },               \
	{ OPTION_STRING(type, member.buildid_dir), .name = "buildid-dir", .placeholder = "DIRECTORY",        \
	  .completes = OPTION_COMPLETES_FILE,                                                                \
	  .help = "perf's cache of programs and libraries (default: ~/.debug)",                     \
	  .details = "xprof looks there, by build-id, for files that were deleted or replaced. An archive " \
	  	"made by perf archive can be unpacked into any directory and that directory named here." },          \
	{ OPTION_NEGATABLE(type, member.demangle), .name = "demangle",                                       \
	  .help = "show C++, Rust, D and Swift names as in the source (default)" },                                  \
	{ OPTION_NEGATABLE(type, member.cache), .name = "cache",                                             \
	  .help = "keep lookups in large debug files and the kernel's symbols in ~/.cache/xprof for later " \
	  	"reports (default)" },                                                                             \
	{ OPTION_CHOICE(type, member.debuginfod), .name = "debuginfod", .placeholder = "ask|on|off",         \
	  .choices = debuginfod_mode_names,                                                                  \
	  .help = "download debug files that are missing (default: ask)",                                    \
	  .details = "If functions of a program or library have no names, xprof downloads its debug file by " \
	  	"build-id, and the file itself if it is gone, from the servers in the environment variable " \
	  	"DEBUGINFOD_URLS; the files with most samples come first. Without DEBUGINFOD_URLS nothing is " \
	  	"downloaded. ask: xprof asks first if standard input, output and error are a terminal; in " \
	  	"scripts and pipes it neither asks nor downloads. on: xprof downloads without asking, also " \
	  	"if only source lines or inlined functions are missing. off: xprof does not even look into " \
	  	"debuginfod's cache. Downloaded files stay in that cache ($DEBUGINFOD_CACHE_PATH, " \
	  	"~/.cache/debuginfod_client), where ask and on find them again without a server. " \
	  	"DEBUGINFOD_TIMEOUT, DEBUGINFOD_MAXTIME and DEBUGINFOD_MAXSIZE are respected. Ctrl-C stops " \
	  	"the downloads; the report continues with the files there are. Needs libdebuginfod at run " \
	  	"time (packages libdebuginfod1, elfutils-debuginfod-client)." },                                       \
	{ OPTION_SIZE(type, member.debuginfod_limit), .name = "debuginfod-limit", .placeholder = "SIZE",     \
	  .minimum = 1, .help = "download at most SIZE bytes (default: 1G)" }

#define SYMBOL_OPTION_INLINE(type, member)                                                                   \
	{ OPTION_NEGATABLE(type, member.inlines), .name = "inline",                                          \
	  .help = "show inlined functions as frames of their own if there is debug information (default)", \
	  .details = "Such a frame is marked (inlined). Its samples count as self of the compiled function " \
	  	"around it, as in perf. Names and source lines come from the debug information (DWARF) of " \
	  	"programs and libraries, or from their separate debug files." }

/* clang-format on */

/*
 * Checks that the paths in the options exist and are files or directories as needed. Removes the layout of
 * perf's "--symfs DIRECTORY,hierarchy". Returns 0, or -1 with err about the first wrong path.
 */
int symbol_options_check(struct symbol_options *options, struct error *err);

/* Texts and lists are borrowed from `options` and `downloads` (NULL: none). */
struct symbolizer_options symbol_options_symbolizer(const struct symbol_options *options,
						    const struct debug_downloads *downloads);

/* Creates the downloads that the options permit; `detail` is enum naming_detail. The caller destroys it. */
struct debug_downloads *symbol_options_downloads(const struct symbol_options *options, unsigned int detail,
						 bool quiet);

void symbol_options_fini(struct symbol_options *options);

#endif

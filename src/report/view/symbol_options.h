#ifndef XPROF_REPORT_VIEW_SYMBOL_OPTIONS_H
#define XPROF_REPORT_VIEW_SYMBOL_OPTIONS_H

/* Where names come from: the same options for every command that shows some. */

#include "cli/option.h"
#include "report/remedy/debug_downloads.h"
#include "report/view/list_option.h"
#include "symbol/symbolizer.h"

struct symbol_options {
	const char *vmlinux;
	const char *kallsyms;
	const char *symfs;
	char *symfs_without_layout; /* its own; NULL: none was named */
	const char *buildid_dir;
	struct text_list debug_dirs; /* instead of /usr/lib/debug */
	bool demangle;
	bool cache;
	bool inlines;
	enum debuginfod_mode debuginfod;
	uint64_t debuginfod_limit; /* bytes, of all files together */
};

#define SYMBOL_OPTION_DEFAULTS                                                                          \
	{                                                                                               \
		.demangle = true, .cache = true, .inlines = true, .debuginfod_limit = (uint64_t)1 << 30 \
	}

/* clang-format off */

/* The rows of an option table that set `member`, a struct symbol_options of `type`. */
#define SYMBOL_OPTIONS(type, member)                                                                         \
	{ OPTION_STRING(type, member.vmlinux), .letter = 'k', .name = "vmlinux", .placeholder = "FILE",      \
	  .completes = OPTION_COMPLETES_FILE, .help = "the kernel's symbols are in this vmlinux" },          \
	{ OPTION_STRING(type, member.kallsyms), .name = "kallsyms", .placeholder = "FILE",                   \
	  .completes = OPTION_COMPLETES_FILE,                                                                \
	  .help = "the kernel's symbols are in this copy of /proc/kallsyms" },                               \
	{ OPTION_STRING(type, member.symfs), .name = "symfs", .placeholder = "DIRECTORY",                    \
	  .completes = OPTION_COMPLETES_FILE, .help = "files are looked for below this directory" },         \
	{ OPTION_TEXT_LIST(type, member.debug_dirs), .name = "debug-dir",                                    \
	  .placeholder = "DIRECTORY[,DIRECTORY...]", .completes = OPTION_COMPLETES_FILE,                     \
	  .help = "separate debug files are in these directories instead of /usr/lib/debug" },               \
	{ OPTION_STRING(type, member.buildid_dir), .name = "buildid-dir", .placeholder = "DIRECTORY",        \
	  .completes = OPTION_COMPLETES_FILE,                                                                \
	  .help = "perf's cache of programs and libraries is there (default: ~/.debug)",                     \
	  .details = "Files that are gone or were replaced are looked for there by their build-id. What "    \
		     "perf archive packs can be unpacked into any directory that is named here." },          \
	{ OPTION_NEGATABLE(type, member.demangle), .name = "demangle",                                       \
	  .help = "C++, Rust, D and Swift names as they were written (default)" },                                  \
	{ OPTION_NEGATABLE(type, member.cache), .name = "cache",                                             \
	  .help = "keep what was found in large debug information, and the kernel's symbols, for the next "    \
		  "time, in ~/.cache/xprof (default)" },                                                                             \
	{ OPTION_CHOICE(type, member.debuginfod), .name = "debuginfod", .placeholder = "ask|on|off",         \
	  .choices = debuginfod_mode_names,                                                                  \
	  .help = "download debug files that are missing (default: ask)",                                    \
	  .details = "Of programs and libraries whose functions have no names debug files are downloaded "   \
		     "by their build-id, and the file itself where it is gone, from the servers that the "   \
		     "environment variable DEBUGINFOD_URLS names; without it nothing is. "                   \
		     "The hottest come first. ask: a question on the terminal decides, where standard "      \
		     "input, output and error are one; scripts and pipes are never asked, and nothing is "   \
		     "downloaded. on: without a question, and also where only source lines or inlined "      \
		     "functions are missing. What was downloaded stays in debuginfod's cache "               \
		     "($DEBUGINFOD_CACHE_PATH, ~/.cache/debuginfod_client), where ask and on find it "       \
		     "again without a server. off: not even the cache is looked at. DEBUGINFOD_TIMEOUT, "    \
		     "DEBUGINFOD_MAXTIME and DEBUGINFOD_MAXSIZE are respected. Ctrl-C ends the downloads; "  \
		     "the report goes on with what is there. Needs libdebuginfod at run time (packages "     \
		     "libdebuginfod1, elfutils-debuginfod-client)." },                                       \
	{ OPTION_SIZE(type, member.debuginfod_limit), .name = "debuginfod-limit", .placeholder = "SIZE",     \
	  .minimum = 1, .help = "download at most that much (default: 1G)" }

#define SYMBOL_OPTION_INLINE(type, member)                                                                   \
	{ OPTION_NEGATABLE(type, member.inlines), .name = "inline",                                          \
	  .help = "functions that were inlined are frames of their own, where there is debug information "   \
		  "(default)",                                                                               \
	  .details = "Such a frame is marked (inlined). What is sampled in it is self of the function "      \
		     "around it, the one that has a symbol, as in perf. Names and source lines come from "   \
		     "the debug information (DWARF) of programs and libraries, or from their separate "      \
		     "debug files." }

/* clang-format on */

/*
 * Are the paths that were named there, and are they what they should be? -1 with what is wrong with the first that is not.
 * Of perf's "--symfs DIRECTORY,hierarchy" the layout is taken away.
 */
int symbol_options_check(struct symbol_options *options, struct error *err);

/* Texts and lists are those of `options` and of `downloads` (NULL: none). */
struct symbolizer_options symbol_options_symbolizer(const struct symbol_options *options,
						    const struct debug_downloads *downloads);

/* What the options say of downloads; `detail` is of enum naming_detail. The caller destroys it. */
struct debug_downloads *symbol_options_downloads(const struct symbol_options *options, unsigned int detail,
						 bool quiet);

void symbol_options_fini(struct symbol_options *options);

#endif

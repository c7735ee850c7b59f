#ifndef XPROF_REPORT_SYMBOL_OPTIONS_H
#define XPROF_REPORT_SYMBOL_OPTIONS_H

/* Where names come from: the same options for every command that shows some. */

#include "cli/option.h"
#include "report/list_option.h"
#include "symbol/symbolizer.h"

struct symbol_options {
	const char *vmlinux;
	const char *kallsyms;
	const char *symfs;
	struct text_list debug_dirs; /* instead of /usr/lib/debug */
	bool demangle;
	bool cache;
	bool inlines;
};

#define SYMBOL_OPTION_DEFAULTS                                   \
	{                                                        \
		.demangle = true, .cache = true, .inlines = true \
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
	{ OPTION_NEGATABLE(type, member.demangle), .name = "demangle",                                       \
	  .help = "C++, Rust and D names as they were written (default)" },                                  \
	{ OPTION_NEGATABLE(type, member.cache), .name = "cache",                                             \
	  .help = "keep what was found in large debug information for the next time, in ~/.cache/xprof "     \
		  "(default)" }

#define SYMBOL_OPTION_INLINE(type, member)                                                                   \
	{ OPTION_NEGATABLE(type, member.inlines), .name = "inline",                                          \
	  .help = "functions that were inlined are frames of their own, where there is debug information "   \
		  "(default)",                                                                               \
	  .details = "Such a frame is marked (inlined). What is sampled in it is self of the function "      \
		     "around it, the one that has a symbol, as in perf. Names and source lines come from "   \
		     "the debug information (DWARF) of programs and libraries, or from their separate "      \
		     "debug files." }

/* clang-format on */

/* Texts and lists are those of `options`. */
struct symbolizer_options symbol_options_symbolizer(const struct symbol_options *options);

void symbol_options_fini(struct symbol_options *options);

#endif

#ifndef XPROF_REPORT_EXPORT_EXPORT_FORMATS_H
#define XPROF_REPORT_EXPORT_EXPORT_FORMATS_H

/* The table of formats. */

#include "report/export/export_format.h"

/* Names of all formats, NULL-terminated, for completion. */
extern const char *const export_format_names[];

/* Formats for compilers. */
#define EXPORT_CODE_TEXT                                                                                           \
	"autofdo: for create_llvm_prof --profiler=text. llvm-sample: for clang -fprofile-sample-use. "             \
	"llvm-profgen: for llvm-profgen --perfscript, and llvm-profgen-raw for its --unsymbolized-profile; both "  \
	"need branches. bolt: for llvm-bolt -data, from branches or, if there are none, from samples. "            \
	"bolt-preagg: for perf2bolt -pa, from branches or, if there are none, from samples (for -pa -ba of newer " \
	"versions)."

/* For the manual page: a line for each format. */
#define EXPORT_FORMATS_TEXT                                                                                         \
	"pprof: profile.proto, gzipped, with samples and their CPU time, mappings with build-ids, inlined "         \
	"functions, source lines and labels (comm, pid, tid, cpu, cgroup). otlp: the same as OpenTelemetry's "      \
	"profiles signal, which is alpha. speedscope: all samples, and each thread over time. firefox: a gzipped "  \
	"profile for the Firefox Profiler, with threads and their CPU time. chrome: trace events for Perfetto and " \
	"chrome://tracing. callgrind: lines and calls, for KCachegrind and callgrind_annotate. perf-script: the "   \
	"text of perf script, with names. collapsed: one line per stack, with its weight, as flame graph tools "    \
	"read them. csv: one row per sample, with its time, thread, CPU, period and stack, for spreadsheets and "   \
	"data frames. " EXPORT_CODE_TEXT

/* The format called `name` or, if NULL, the one of the output's suffix. Returns NULL with err, which lists the formats. */
const struct export_format *export_formats_choose(const char *name, const char *output, struct error *err);

#endif

#ifndef XPROF_REPORT_LOAD_RECORDED_NAMES_H
#define XPROF_REPORT_LOAD_RECORDED_NAMES_H

/* A symbolizer that knows what a recording says of its machine, and the names that it brings with it. */

#include "format/perf_file.h"
#include "symbol/symbolizer.h"

/* The file's features have to be known, and it stays open as long as the symbolizer. `options` are the user's. */
struct symbolizer *recorded_names_symbolizer(struct perf_file *file,
					     const struct symbolizer_options *options);

/*
 * Where the files of a recording are looked for by the user's options, whose texts are borrowed. Whether it is of another
 * machine is known when the file's features are.
 */
struct debug_file_search recorded_names_search(const struct perf_file *file,
					       const struct symbolizer_options *options);

#endif

#ifndef XPROF_REPORT_LOAD_RECORDED_NAMES_H
#define XPROF_REPORT_LOAD_RECORDED_NAMES_H

/* A symbolizer that uses a recording's facts about its machine, and the names stored in the recording. */

#include "format/perf_file.h"
#include "symbol/symbolizer.h"

/*
 * Call it when the file's features are known; the file must stay open as long as the symbolizer. `options`
 * are the user's.
 */
struct symbolizer *recorded_names_symbolizer(struct perf_file *file,
					     const struct symbolizer_options *options);

/*
 * Says where to look for the files of a recording, by the user's options, whose texts are borrowed. Call it
 * when the file's features are known: they tell whether it was recorded on another machine.
 */
struct debug_file_search recorded_names_search(const struct perf_file *file,
					       const struct symbolizer_options *options);

#endif

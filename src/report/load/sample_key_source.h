#ifndef XPROF_REPORT_LOAD_SAMPLE_KEY_SOURCE_H
#define XPROF_REPORT_LOAD_SAMPLE_KEY_SOURCE_H

/*
 * Makes the texts of samples for the keys that a report asks for (profile/sample_keys.h), in perf's words.
 * Texts of tracepoints come from another process, texts of data addresses from files. Both are filled in
 * after the last sample, once for each distinct set of keys.
 */

#include "elf/debug_file.h"
#include "format/perf_file.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "profile/sample_keys.h"
#include "symbol/symbolizer.h"

struct sample_key_source;

/*
 * Everything is borrowed. `most_branches`: how many branches of a sample get marks (SAMPLE_KEY_BRANCH_MARKS).
 */
struct sample_key_source *sample_key_source_create(struct sample_keys *keys, const struct perf_file *file,
						   struct process_table *processes, size_t most_branches);
void sample_key_source_destroy(struct sample_key_source *source);

/* Returns the set of keys of a sample of event `file_event`, whose thread was called `comm` at `time_ns`. */
uint32_t sample_key_source_take(struct sample_key_source *source, const struct sample *sample,
				size_t file_event, const char *comm, uint64_t time_ns);

/* Call it after the last sample: fills in the missing texts and finishes the keys. */
void sample_key_source_finish(struct sample_key_source *source, const struct debug_file_search *search,
			      struct symbolizer *symbolizer);

#endif

#ifndef XPROF_REPORT_LOAD_SAMPLE_KEY_SOURCE_H
#define XPROF_REPORT_LOAD_SAMPLE_KEY_SOURCE_H

/*
 * The text of a sample for each key that a report asks for (profile/sample_keys.h), in perf's words. The
 * texts of tracepoints come from another process, and those of data addresses from files, so that both are
 * filled in after the last sample, once for each distinct set.
 */

#include "elf/debug_file.h"
#include "format/perf_file.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "profile/sample_keys.h"
#include "symbol/symbolizer.h"

struct sample_key_source;

/* Everything is borrowed. `most_branches` of a sample have marks (SAMPLE_KEY_BRANCH_MARKS). */
struct sample_key_source *sample_key_source_create(struct sample_keys *keys, const struct perf_file *file,
						   struct process_table *processes, size_t most_branches);
void sample_key_source_destroy(struct sample_key_source *source);

/* The set of a sample of the file's event `file_event`, of a thread that was called `comm` at `time_ns`. */
uint32_t sample_key_source_take(struct sample_key_source *source, const struct sample *sample,
				size_t file_event, const char *comm, uint64_t time_ns);

/* To be called after the last sample: fills in the missing texts and finishes the keys. */
void sample_key_source_finish(struct sample_key_source *source, const struct debug_file_search *search,
			      struct symbolizer *symbolizer);

#endif

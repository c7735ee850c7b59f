#ifndef XPROF_REPORT_LOAD_BRANCH_KEYS_H
#define XPROF_REPORT_LOAD_BRANCH_KEYS_H

/*
 * The texts of a branch for the keys of branches (profile/sample_keys.h), in perf's words: symbols,
 * addresses, files and source lines of both ends, and the flags that the CPU recorded. Ends get their texts
 * after the last sample.
 */

#include "format/perf_attr.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "profile/sample_keys.h"
#include "symbol/symbolizer.h"

/*
 * The first byte of a placeholder for a text that is found after the last sample. No real text begins with
 * it.
 */
#define SAMPLE_KEY_NOTE '\001'

/* Appends the text of a key, or a placeholder, for a sample that branch_sample_make() made. */
void branch_keys_add_text(struct strbuf *out, enum sample_key key, struct process_table *processes,
			  const struct sample *sample, uint64_t time_ns);

/*
 * SAMPLE_KEY_BRANCH_MARKS: appends marks of the latest `most` branches of a sample, which are frames of its
 * stack.
 */
void branch_keys_add_marks(struct strbuf *out, const struct sample *sample, const struct perf_attr *attr,
			   size_t most);

/* Replaces the placeholders by the texts of ends. Call it after the last sample. */
void branch_keys_name(struct sample_keys *keys, struct process_table *processes,
		      struct symbolizer *symbolizer);

#endif

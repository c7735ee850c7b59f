#ifndef XPROF_REPORT_LOAD_BRANCH_SAMPLES_H
#define XPROF_REPORT_LOAD_BRANCH_SAMPLES_H

/*
 * Turns a branch of a sample's branch stack into a sample of its own: at the target of the branch, without
 * callers, counting 1, and with that one branch as its branch stack. So code that adds up samples can add up
 * branches.
 */

#include <stddef.h>

#include "process/process_table.h"
#include "report/load/sample_stream.h"

/* Where one end of a branch is. */
struct branch_place {
	const struct dso *dso; /* NULL: nothing is mapped there */
	uint64_t address;      /* in the DSO's map space; the run-time address if there is no DSO */
	bool is_kernel;
};

/* Looks for the address in the mappings of the process, then in the kernel. */
struct branch_place branch_place_find(struct process_table *processes, uint32_t pid, uint64_t time_ns,
				      uint64_t address);

/* Makes a sample of branch `number` of `of`, whose bytes are borrowed. */
void branch_sample_make(struct stream_sample *branch, const struct stream_sample *of, size_t number,
			struct process_table *processes);

#endif

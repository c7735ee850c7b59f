#ifndef XPROF_REPORT_CODE_CODE_COUNTS_H
#define XPROF_REPORT_CODE_CODE_COUNTS_H

/*
 * How often code ran, as samples tell: addresses that were sampled, branches that were taken, and the code that was run
 * through between two branches in a row. Of all DSOs; addresses are in the DSO's map space.
 *
 * A branch stack lists the latest branch first: from where branch i + 1 led to, code ran up to where branch i came from.
 */

#include <stddef.h>
#include <stdint.h>

#include "format/sample.h"
#include "process/process_table.h"

enum { CODE_NOWHERE = UINT32_MAX }; /* the number of no DSO */

struct code_place {
	uint32_t dso;     /* number, or CODE_NOWHERE */
	uint64_t address; /* of CODE_NOWHERE at run time */
};

/* One address, one branch, or the first and the last instruction of what ran. */
struct code_count {
	struct code_place from, to; /* of an address: twice the same */
	uint64_t count;
	uint64_t mispredicted; /* of a branch, and so are the next two */
	uint64_t followed;     /* where it is known what ran after it: not the latest branch of a sample */
	uint8_t type;          /* PERF_BR_* of the last one */
	uint64_t cycles;       /* since the branch before, where the CPU counted them */
	uint64_t counted;      /* that many times */
};

/* Open addressing over the items; in the order in which they first came. */
struct code_table {
	struct code_count *items;
	size_t count, capacity;
	uint32_t *slots; /* item + 1; 0: free */
	size_t slot_count;
};

struct code_counts {
	struct code_table addresses, branches, ranges;
	uint64_t cycles;                  /* of all branches */
	uint64_t samples, branch_samples; /* those with branches */
	uint64_t broken; /* pairs of branches that no code can lie between: entries were lost, or code has changed */
};

void code_counts_init(struct code_counts *counts);
void code_counts_fini(struct code_counts *counts);

/* Adds one sample. Mappings are those at `time_ns`. */
void code_counts_add(struct code_counts *counts, const struct sample *sample, uint64_t time_ns,
		     struct process_table *processes);

/* The items by from and to, lowest first; they may not be added to afterwards. */
void code_table_sort(struct code_table *table);

#endif

#ifndef XPROF_REPORT_CODE_CODE_COUNTS_H
#define XPROF_REPORT_CODE_CODE_COUNTS_H

/*
 * Counts from samples how often code ran: sampled addresses, taken branches, and the stretches of code between two consecutive
 * branches. For all DSOs; addresses are in the DSO's map space.
 *
 * A branch stack lists the latest branch first: code ran from the target of branch i + 1 up to the source of branch i.
 */

#include <stddef.h>
#include <stdint.h>

#include "format/sample.h"
#include "process/process_table.h"

enum { CODE_NOWHERE = UINT32_MAX }; /* stands for the number of a DSO: nothing is mapped there */

struct code_place {
	uint32_t dso;     /* number, or CODE_NOWHERE */
	uint64_t address; /* map space of the DSO; for CODE_NOWHERE the run-time address */
};

/* One address, one branch, or one stretch of code, by its first and last instruction. */
struct code_count {
	struct code_place from, to; /* for an address, both are the same */
	uint64_t count;
	uint64_t mispredicted; /* this and the next two are for branches */
	/* times the branch was not the latest of its sample, so that it is known what ran after it */
	uint64_t followed;
	uint8_t type;     /* PERF_BR_* of its last occurrence */
	uint64_t cycles;  /* sum of the cycles since the previous branch, if the CPU counted them */
	uint64_t counted; /* number of occurrences with counted cycles */
};

/* A hash table with open addressing over the items, which are in order of first occurrence. */
struct code_table {
	struct code_count *items;
	size_t count, capacity;
	uint32_t *slots; /* item + 1; 0: free */
	size_t slot_count;
};

struct code_counts {
	struct code_table addresses, branches, ranges;
	uint64_t cycles;                  /* sum over all branches */
	uint64_t samples, branch_samples; /* all samples; samples with branches */
	/* consecutive branches without possible code in between: entries were lost, or code has changed */
	uint64_t broken;
};

void code_counts_fini(struct code_counts *counts);

/* Adds one sample, with the mappings at `time_ns`. */
void code_counts_add(struct code_counts *counts, const struct sample *sample, uint64_t time_ns,
		     struct process_table *processes);

/* Sorts the items by `from` and `to`, ascending. Nothing can be added afterwards. */
void code_table_sort(struct code_table *table);

#endif

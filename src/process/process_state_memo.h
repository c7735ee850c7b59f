#ifndef XPROF_PROCESS_PROCESS_STATE_MEMO_H
#define XPROF_PROCESS_PROCESS_STATE_MEMO_H

/*
 * Caches the states of the processes that were looked up last, each with the times for which it is valid: between two changes
 * of the mappings of a process there are thousands of its samples. Belongs to one thread and one table.
 */

#include "process/process_table.h"

enum { PROCESS_STATE_MEMO_ENTRIES = 64 };

/* All zeros: empty. */
struct process_state_memo {
	struct remembered_state {
		uint64_t generation;
		struct time_span span;
		uint32_t pid;
		struct process_state state;
	} entries[PROCESS_STATE_MEMO_ENTRIES];
};

/* As process_table_state(). */
struct process_state process_state_memo_find(struct process_state_memo *memo,
					     const struct process_table *table, uint32_t pid,
					     uint64_t time_ns);

#endif

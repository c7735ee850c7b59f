/* One entry for each value of the lowest bits of a pid: the pid that was asked for last. */
#include "process/process_state_memo.h"

struct process_state process_state_memo_find(struct process_state_memo *memo,
					     const struct process_table *table, uint32_t pid,
					     uint64_t time_ns)
{
	struct remembered_state *entry = &memo->entries[pid % PROCESS_STATE_MEMO_ENTRIES];
	const uint64_t generation = process_table_generation(table);

	if (entry->pid == pid && entry->generation == generation && time_ns >= entry->span.from_ns &&
	    time_ns < entry->span.until_ns)
		return entry->state;
	entry->generation = generation;
	entry->pid = pid;
	entry->span = (struct time_span){ .until_ns = UINT64_MAX };
	entry->state = process_table_state_during(table, pid, time_ns, &entry->span);
	return entry->state;
}

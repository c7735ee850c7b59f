#ifndef XPROF_TEST_SUPPORT_STATE_RECORD_H
#define XPROF_TEST_SUPPORT_STATE_RECORD_H

/*
 * State records as the kernel writes them (linux/perf_event.h), in this machine's byte order and without a sample_id
 * trailer. The event's bytes are valid as long as the record.
 */

#include "base/strbuf.h"
#include "format/event.h"
#include "process/process_table.h"

struct state_record {
	struct strbuf payload;
	struct event event;
};

struct mmap_of { /* fields that tests vary; others are 0 */
	uint32_t pid;
	uint64_t start, length, file_offset;
	const char *path;
	uint64_t inode;
	const char *build_id; /* hexadecimal; NULL: the record has the inode */
	uint32_t prot;        /* 0 means PROT_READ | PROT_EXEC */
	bool kernel;
};

void state_record_fini(struct state_record *record);

const struct event *state_mmap2(struct state_record *record, const struct mmap_of *mmap);
/* Applies such a record at time 0. */
void state_map(struct process_table *processes, const struct mmap_of *mmap);
/*
 * Applies the executable mappings of this process at time 0, as those of process `pid`. Returns the end of the main
 * thread's stack.
 */
uint64_t state_map_own(struct process_table *processes, uint32_t pid);
const struct event *state_comm(struct state_record *record, uint32_t pid, uint32_t tid, const char *comm,
			       bool exec);
const struct event *state_fork(struct state_record *record, uint32_t pid, uint32_t tid, uint32_t parent_pid,
			       uint32_t parent_tid);
const struct event *state_exit(struct state_record *record, uint32_t pid, uint32_t tid);
const struct event *state_ksymbol(struct state_record *record, uint64_t address, uint32_t length,
				  const char *name, bool unregister);

#endif

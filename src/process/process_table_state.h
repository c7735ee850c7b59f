#ifndef XPROF_PROCESS_PROCESS_TABLE_STATE_H
#define XPROF_PROCESS_PROCESS_TABLE_STATE_H

/* Shared by the files of process_table; no other file includes it. */

#include "process/address_map.h"
#include "process/lifetimes.h"
#include "process/process_table.h"
#include "process/thread_table.h"

enum {
	/* Forks without an exec between that are followed upwards: more than any program nests. */
	MAX_FORKS = 256,
	MEMO_SLOTS = 1 << 13,        /* a power of two; 512 KiB, about a recording's hot addresses */
	KERNEL_PROCESS = UINT32_MAX, /* stands for the kernel where a process's number does otherwise */
};

struct process { /* one lifetime of a pid */
	struct address_map map;
	struct address_map code; /* what is known of its anonymous memory: see process_table_jit_code() */
	uint64_t last_fork_ns;   /* the latest that a child was made */
	bool is_unsettled;       /* one of unsettled[] */
};

/* An answer that holds until its process changes. Only for questions later than the last change. */
struct memo {
	uint64_t address;
	uint32_t process; /* number, or KERNEL_PROCESS */
	uint32_t version;
	uint32_t changes;
	bool used;
	bool found;
	struct mapping mapping;
};

struct process_table {
	struct dso_table *dsos;
	struct thread_table *threads;
	struct lifetimes lifetimes; /* of pids */
	struct process *processes;  /* by number of lifetime */
	size_t process_count, process_capacity;
	struct address_map kernel;
	struct mapping kernel_proper; /* dso NULL: not recorded yet */
	bool has_jit_code;
	uint64_t generation;          /* counts what was applied */
	uint32_t inheritance_version; /* counts late changes that children may have inherited */
	struct memo *memos;
	bool is_shared;
	uint32_t *unsettled; /* while it is shared: processes one of whose maps is not settled */
	size_t unsettled_count, unsettled_capacity;
};

static inline struct process *process_at(const struct process_table *table, uint32_t number)
{
	return &table->processes[number];
}

#endif

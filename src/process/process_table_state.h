#ifndef XPROF_PROCESS_PROCESS_TABLE_STATE_H
#define XPROF_PROCESS_PROCESS_TABLE_STATE_H

/* Shared by the files of process_table; no other file includes it. */

#include "process/address_map.h"
#include "process/lifetimes.h"
#include "process/process_table.h"
#include "process/thread_table.h"

enum {
	/* Number of nested forks without exec that a lookup follows: more than any program has. */
	MAX_FORKS = 256,
	MEMO_SLOTS = 1 << 13, /* a power of two; 512 KiB, about a recording's hot addresses */
};

struct process { /* one lifetime of a pid */
	struct address_map map;
	struct address_map code; /* facts about its anonymous memory: see process_table_jit_code() */
	uint64_t last_fork_ns;   /* time of its last fork */
	bool is_unsettled;       /* one of unsettled[] */
};

/* A cached answer, valid until its process changes. Only for lookups later than the last change. */
struct memo {
	uint64_t address;
	uint32_t process; /* number */
	uint32_t version;
	uint32_t changes;
	bool used;
	bool found;
	struct mapping mapping;
};

/* The last answer for a kernel address: that of all addresses and times in these ranges until the kernel's map changes. */
struct kernel_memo {
	uint64_t start, end; /* both 0: none yet */
	struct time_span span;
	size_t changes;
	uint32_t version;
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
	struct mapping kernel_proper; /* the kernel without modules; dso NULL: not recorded yet */
	bool has_jit_code;
	uint64_t generation;          /* counts applied records */
	uint32_t inheritance_version; /* counts late changes that children may have inherited */
	struct memo *memos;
	struct kernel_memo kernel_memo;
	bool is_shared;
	uint32_t *unsettled; /* if shared: processes with a map that is not settled */
	size_t unsettled_count, unsettled_capacity;
};

static inline struct process *process_at(const struct process_table *table, uint32_t number)
{
	return &table->processes[number];
}

#endif

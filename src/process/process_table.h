#ifndef XPROF_PROCESS_PROCESS_TABLE_H
#define XPROF_PROCESS_PROCESS_TABLE_H

/*
 * The mappings and thread names of all processes over time: answers "what was at address A in process P at
 * time T" and "what was thread X called at time T".
 *
 * Time-indexed: records are applied in file order and may arrive somewhat out
 * of time order (rings are drained CPU by CPU); a question about time T counts
 * every record with time <= T that has been applied. fork is a link to the
 * parent at a time, not a copy. A later mapping hides what it overlaps from its
 * time on, exec hides everything that was there before, exit nothing (samples
 * of a dying task still resolve). Pids and tids are reused: the table keeps
 * incarnations apart by time.
 *
 * Times are the file's nanoseconds. Files without sample times use time 0 for
 * every record before the first sample and a running number otherwise; the
 * caller chooses.
 *
 *     process_table_apply(table, &event, time_ns, &err);      (for each MMAP, COMM, FORK, EXIT ...)
 *     if (process_table_find(table, pid, time_ns, ADDRESS_USER, ip, &mapping) == 1)
 *             dso_address = mapping_to_dso_address(&mapping, ip);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/hash_table.h"
#include "format/event.h"
#include "process/dso.h"

struct process_table;

struct mapping {
	uint64_t start, end;  /* runtime addresses, end exclusive */
	uint64_t file_offset; /* of start */
	struct dso *dso;
	uint32_t prot; /* PROT_* */
};

struct process_table *process_table_create(void);
void process_table_destroy(struct process_table *table);

/*
 * Applies a state record (MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL; others are ignored). `time_ns` is that of its sample_id
 * trailer (0 for synthesized ones). -1 when the record is damaged.
 */
int process_table_apply(struct process_table *table, const struct event *event, uint64_t time_ns,
			struct error *err);

/* One HEADER_BUILD_ID entry: gives DSOs of that path without a build-id of their own, now or later, this one. */
void process_table_build_id(struct process_table *table, const char *path, const struct build_id *build_id);

/*
 * Code that process `pid` says it has put into its anonymous memory: from code->time_ns on it is found there,
 * even if records change the protection of that memory, until other code or a file takes its place. Children
 * inherit it with the memory.
 */
struct jit_range {
	uint64_t address, size;
	uint64_t file_offset; /* of its instructions in the jitdump file */
	uint64_t time_ns;
};
struct dso *process_table_jitdump(struct process_table *table, const char *path, uint32_t pid);
void process_table_jit_code(struct process_table *table, uint32_t pid, struct dso *jitdump,
			    const struct jit_range *code);

/*
 * Shares the table with other threads. From now on process_table_find_range() and process_table_state()
 * change nothing, so any thread may call them while the owner calls any lookup. The owner must apply records,
 * and sort them with process_table_settle() now and then, while no other thread uses the table.
 */
void process_table_share(struct process_table *table);
void process_table_settle(struct process_table *table);

enum address_space { ADDRESS_USER, ADDRESS_KERNEL };

/*
 * The mapping that contains `address`; 1 found, 0 nothing is mapped there.
 * Kernel addresses need no pid. The result is a copy; its dso lives as long as the table.
 */
int process_table_find(struct process_table *table, uint32_t pid, uint64_t time_ns, enum address_space space,
		       uint64_t address, struct mapping *mapping);

/*
 * The same, and [mapping->start, mapping->end) holds for the time asked for: what was mapped over a part of the mapping
 * later is not in it, so that other addresses of it need not be asked for. mapping_to_dso_address() does for it, too.
 */
int process_table_find_range(const struct process_table *table, uint32_t pid, uint64_t time_ns,
			     uint64_t address, struct mapping *mapping);

/*
 * The same for an address that user code was left at for the kernel. While exec replaces a program, samples still
 * have the old one's: when the new one has nothing mapped there, it is what was there before the exec.
 */
int process_table_find_left(struct process_table *table, uint32_t pid, uint64_t time_ns, uint64_t address,
			    struct mapping *mapping);

/*
 * The kernel proper as it was recorded last; 1, or 0: never. Its mapping ends where .text does (_etext). The code that
 * boots the kernel lies farther on, and stacks of CPU 0's idle task begin there: an address of the kernel that is in no
 * mapping belongs here if the kernel's symbols have it.
 */
int process_table_kernel(const struct process_table *table, struct mapping *mapping);

/*
 * The state of a process and the kernel at a time, as a value: while states are equal (all four numbers),
 * process_table_find() gives equal answers, so cached results stay valid. Cheap.
 */
struct process_state {
	uint32_t process, process_changes, kernel_changes, version;
};
struct process_state process_table_state(const struct process_table *table, uint32_t pid, uint64_t time_ns);

static inline bool process_state_equal(const struct process_state *a, const struct process_state *b)
{
	return a->process == b->process && a->process_changes == b->process_changes &&
	       a->kernel_changes == b->kernel_changes && a->version == b->version;
}

/* Equal states have equal numbers: the `space` of an unwinder, to which 0 means none. */
static inline uint64_t process_state_space(const struct process_state *state)
{
	const uint64_t hash = hash_combine(state->process, state->process_changes);

	return hash_combine(hash, (uint64_t)state->version << 32 | state->kernel_changes) | 1;
}

/* May code lie there? simpleperf does not say how files are mapped: then it may. */
static inline bool mapping_may_have_code(const struct mapping *mapping)
{
	return !mapping->prot || mapping->prot & PROT_EXEC;
}

/*
 * The address as the profile keeps it: the file offset for what has one (files, vdso, jitdump, DSO_UNKNOWN), the
 * runtime address for the kernel, its modules and anonymous memory, whose symbols are listed by that.
 */
uint64_t mapping_to_dso_address(const struct mapping *mapping, uint64_t address);

/*
 * The command name of thread (pid, tid) at a time: its own COMM, else that of the thread it was forked from, else its
 * first one if that came later, else ":TID" as perf prints it. Tid 0, which no record names, is "swapper". Lives as
 * long as the table.
 */
const char *process_table_comm(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time_ns);

/* The same, but ":TID" until a record has given it a name: as perf script, which does not look ahead. */
const char *process_table_comm_then(struct process_table *table, uint32_t pid, uint32_t tid,
				    uint64_t time_ns);

/*
 * Equal numbers at two times: the tid is the same thread's, and in between it has not begun another program. A thread
 * that has got another name has another number, too.
 */
uint64_t process_table_life(struct process_table *table, uint32_t tid, uint64_t time_ns);

size_t process_table_dso_count(const struct process_table *table);
struct dso *process_table_dso(const struct process_table *table, uint32_t number);

#endif

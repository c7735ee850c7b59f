#ifndef XPROF_PROCESS_PROCESS_TABLE_H
#define XPROF_PROCESS_PROCESS_TABLE_H

/*
 * The mappings and thread names of all processes over time: answers "what was at address A in process P at
 * time T" and "what was thread X called at time T".
 *
 * Records are applied in file order, which may differ somewhat from time order (rings are drained CPU by
 * CPU). A lookup for time T considers every applied record with time <= T. A fork is a link to the parent at
 * a time, not a copy. A mapping hides older ones that it overlaps, from its time on; exec hides all older
 * mappings; exit hides nothing, so that samples of a dying task still resolve. Pids and tids are reused: the
 * table tells processes with one pid apart by time.
 *
 * Times are the file's nanoseconds. For a file without times, pass the number of the record instead.
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
#include "process/time_span.h"

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
 * trailer (0 for synthesized ones). Returns -1 with err set if the record is damaged.
 */
int process_table_apply(struct process_table *table, const struct event *event, uint64_t time_ns,
			struct error *err);

/*
 * Applies one HEADER_BUILD_ID entry: DSOs with that path that have no build-id of their own, now or later, get
 * this one.
 */
void process_table_build_id(struct process_table *table, const char *path, const struct build_id *build_id);

/*
 * Adds run-time code that a jitdump file describes, at anonymous memory of process `pid`. Lookups from
 * code->time_ns on find it there, even if records change the protection of that memory, until other code or a
 * file is mapped there. Children inherit it.
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
 * Shares the table with other threads. From now on process_table_find_range() and process_table_state() do
 * not modify it, so any thread may call them while the owner calls any lookup. The owner may apply records,
 * and must call process_table_settle() now and then to sort them, only while no other thread uses the table.
 */
void process_table_share(struct process_table *table);
void process_table_settle(struct process_table *table);

/*
 * Forgets the mappings of ended processes, and the names of all threads, to save memory; the table must not be shared.
 * `is_over` returns true for a process that will not be looked up any more. It is told whether the pid belongs to another
 * process now (!is_newest), and when the process last changed (last_ns). No time before from_ns will be looked up any more.
 * DSOs stay. Returns the number of changes that are left.
 */
struct process_end {
	uint32_t pid;
	bool is_newest;
	uint64_t last_ns;
};
size_t process_table_forget(struct process_table *table, uint64_t from_ns,
			    bool (*is_over)(const struct process_end *process, void *context), void *context);

enum address_space { ADDRESS_USER, ADDRESS_KERNEL };

/*
 * Finds the mapping that contains `address`. Returns 1 if found, 0 if nothing is mapped there. `pid` does not
 * matter for kernel addresses. *mapping is a copy; its dso lives as long as the table.
 */
int process_table_find(struct process_table *table, uint32_t pid, uint64_t time_ns, enum address_space space,
		       uint64_t address, struct mapping *mapping);

/*
 * The same for user space, but narrows [mapping->start, mapping->end) to addresses that all have this mapping at that
 * time, so that the caller need not look them up one by one. mapping_to_dso_address() works with the result, too.
 */
int process_table_find_range(const struct process_table *table, uint32_t pid, uint64_t time_ns,
			     uint64_t address, struct mapping *mapping);

/*
 * The same for the user-space address at which a thread entered the kernel. While exec replaces a program,
 * samples still have addresses of the old one: if nothing is mapped there after the exec, finds the mapping from
 * before it.
 */
int process_table_find_left(struct process_table *table, uint32_t pid, uint64_t time_ns, uint64_t address,
			    struct mapping *mapping);

/*
 * The last recorded mapping of the kernel itself, without modules. Returns 1, or 0 if there is none. The mapping ends
 * with .text (_etext), but the boot code, where stacks of CPU 0's idle task begin, lies behind it: a kernel address
 * outside all mappings belongs to the kernel if a kernel symbol covers it.
 */
int process_table_kernel(const struct process_table *table, struct mapping *mapping);

/*
 * A value that identifies what was mapped in a process and in the kernel at a time: if two states are equal,
 * process_table_find() gives equal answers, so cached results stay valid. Cheap.
 */
struct process_state {
	uint32_t process, process_changes, kernel_changes, version;
};
struct process_state process_table_state(const struct process_table *table, uint32_t pid, uint64_t time_ns);

/*
 * The same. Also narrows the span, which contains time_ns, to times at which the state is the same until a record is
 * applied: until process_table_generation() changes.
 */
struct process_state process_table_state_during(const struct process_table *table, uint32_t pid,
						uint64_t time_ns, struct time_span *span);
uint64_t process_table_generation(const struct process_table *table);

static inline bool process_state_equal(const struct process_state *a, const struct process_state *b)
{
	return a->process == b->process && a->process_changes == b->process_changes &&
	       a->kernel_changes == b->kernel_changes && a->version == b->version;
}

/* A hash of a state, never 0: the `space` of struct unwind_input. */
static inline uint64_t process_state_space(const struct process_state *state)
{
	const uint64_t hash = hash_combine(state->process, state->process_changes);

	return hash_combine(hash, (uint64_t)state->version << 32 | state->kernel_changes) | 1;
}

/* May the mapping contain code? Yes if its protection is unknown, as in recordings of simpleperf. */
static inline bool mapping_may_have_code(const struct mapping *mapping)
{
	return !mapping->prot || mapping->prot & PROT_EXEC;
}

/*
 * Converts a runtime address to the form that profiles use: a file offset for files, vdso, jitdump and
 * DSO_UNKNOWN; the runtime address for the kernel, its modules and anonymous memory, whose symbols are listed by
 * runtime address.
 */
uint64_t mapping_to_dso_address(const struct mapping *mapping, uint64_t address);

/*
 * The command name of thread (pid, tid) at a time: from its last COMM record up to then, else the name of the thread
 * that forked it, else its first later COMM, else ":TID" as perf prints it. Tid 0, which has no record, is "swapper".
 * Lives as long as the table.
 */
const char *process_table_comm(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time_ns);

/* The same, but ":TID" before the first name is known: as perf script, which does not look ahead. */
const char *process_table_comm_then(struct process_table *table, uint32_t pid, uint32_t tid,
				    uint64_t time_ns);

/*
 * A number for the thread that has `tid` at a time and the program that it runs. Two times with equal numbers: same
 * thread, same program. The number changes with each COMM record of the thread.
 */
uint64_t process_table_life(struct process_table *table, uint32_t tid, uint64_t time_ns);

size_t process_table_dso_count(const struct process_table *table);
struct dso *process_table_dso(const struct process_table *table, uint32_t number);

#endif

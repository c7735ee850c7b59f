/*
 * Applying a record changes an address_map of a process, or of the kernel, and a thread_table. A lookup finds the lifetime
 * of the pid and then searches its map and those of its ancestors, in find_inherited(). A cache of recent answers avoids
 * most searches; it is valid while past_of() gives the same counts. Only the owner sorts a shared table.
 */
#include "process/process_table.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "process/address_map.h"
#include "process/dso_table.h"
#include "process/process_table_state.h"

struct process_table *process_table_create(void)
{
	struct process_table *table = xcalloc(1, sizeof(*table));

	table->dsos = dso_table_create();
	table->threads = thread_table_create();
	address_map_init(&table->kernel);
	return table;
}

void process_table_destroy(struct process_table *table)
{
	size_t i;

	if (!table)
		return;
	for (i = 0; i < table->process_count; i++) {
		address_map_fini(&table->processes[i].map);
		address_map_fini(&table->processes[i].code);
	}
	free(table->processes);
	free(table->unsettled);
	free(table->memos);
	address_map_fini(&table->kernel);
	lifetimes_fini(&table->lifetimes);
	thread_table_destroy(table->threads);
	dso_table_destroy(table->dsos);
	free(table);
}

/* Adds a process for each new lifetime of a pid. */
static void add_processes(struct process_table *table)
{
	if (table->process_count < table->lifetimes.count)
		table->processes = array_grow(table->processes, &table->process_capacity,
					      table->lifetimes.count, sizeof(*table->processes));
	for (; table->process_count < table->lifetimes.count; table->process_count++) {
		struct process *process = &table->processes[table->process_count];

		*process = (struct process){ 0 };
		address_map_init(&process->map);
		address_map_init(&process->code);
	}
}

/* --- lookups by several threads ----------------------------------------------- */

static bool is_settled(const struct process *process)
{
	return address_map_is_settled(&process->map) && address_map_is_settled(&process->code);
}

/* Called when the maps of a process have changed. */
static void note_change(struct process_table *table, uint32_t number)
{
	struct process *process = process_at(table, number);

	if (!table->is_shared || process->is_unsettled || is_settled(process))
		return;
	process->is_unsettled = true;
	*ARRAY_ADD(table->unsettled, table->unsettled_count, table->unsettled_capacity) = number;
}

void process_table_share(struct process_table *table)
{
	table->is_shared = true;
	for (uint32_t number = 0; number < table->process_count; number++)
		note_change(table, number);
	process_table_settle(table);
}

void process_table_settle(struct process_table *table)
{
	address_map_settle(&table->kernel);
	while (table->unsettled_count) {
		struct process *process = process_at(table, table->unsettled[--table->unsettled_count]);

		address_map_settle(&process->map);
		address_map_settle(&process->code);
		process->is_unsettled = false;
	}
}

/* Sorts pending changes for the next lookups. A shared table is sorted by its owner only. */
static void settle(const struct process_table *table, struct address_map *map)
{
	if (!table->is_shared)
		address_map_settle(map);
}

/* --- applying records -------------------------------------------------------- */

static uint32_t process_or_new(struct process_table *table, uint32_t pid, uint64_t time_ns)
{
	const uint32_t number = lifetimes_at_or_new(&table->lifetimes, pid, time_ns);

	add_processes(table);
	return number;
}

static void process_change(struct process_table *table, uint32_t pid, const struct address_change *change)
{
	const uint32_t number = process_or_new(table, pid, change->time_ns);
	struct process *process = process_at(table, number);

	address_map_add(&process->map, change);
	note_change(table, number);
	if (change->time_ns <= process->last_fork_ns)
		table->inheritance_version++;
}

struct dso *process_table_jitdump(struct process_table *table, const char *path, uint32_t pid)
{
	return dso_table_jitdump(table->dsos, path, pid);
}

static uint64_t end_of(uint64_t start, uint64_t length)
{
	uint64_t end;

	return __builtin_add_overflow(start, length, &end) ? UINT64_MAX : end;
}

static void code_change(struct process_table *table, uint32_t pid, const struct address_change *change)
{
	const uint32_t number = process_or_new(table, pid, change->time_ns);
	struct process *process = process_at(table, number);

	address_map_add(&process->code, change);
	note_change(table, number);
	if (change->time_ns <= process->last_fork_ns)
		table->inheritance_version++;
}

void process_table_jit_code(struct process_table *table, uint32_t pid, struct dso *jitdump,
			    const struct jit_range *code)
{
	table->generation++;
	table->has_jit_code = true;
	code_change(table, pid,
		    &(struct address_change){ .start = code->address,
					      .end = end_of(code->address, code->size),
					      .time_ns = code->time_ns,
					      .file_offset = code->file_offset,
					      .dso = jitdump,
					      .prot = PROT_READ | PROT_EXEC });
}

static int answer(const struct address_change *change, struct mapping *mapping)
{
	if (!change || !change->dso)
		return 0;
	*mapping = (struct mapping){ .start = change->start,
				     .end = change->end,
				     .file_offset = change->file_offset,
				     .dso = change->dso,
				     .prot = change->prot };
	return 1;
}

/*
 * machine__process_kernel_mmap_event(), tools/perf/util/machine.c: "[kernel.kallsyms]_text" covers the kernel proper;
 * without access to kallsyms its start and length are 0, and it stands for whatever no module covers.
 */
static void apply_kernel_mmap(struct process_table *table, const struct mmap_record *record, uint64_t time_ns)
{
	struct address_change change = { .start = record->start,
					 .end = end_of(record->start, record->length),
					 .time_ns = time_ns,
					 .file_offset = record->file_offset,
					 .dso = dso_table_kernel(table->dsos, record),
					 .prot = record->prot };

	if (!change.dso)
		return;
	if (change.dso->kind == DSO_KERNEL && !record->start && !record->length)
		change.end = UINT64_MAX;
	if (change.dso->kind == DSO_KERNEL)
		(void)answer(&change, &table->kernel_proper);
	address_map_add(&table->kernel, &change);
}

static int apply_mmap(struct process_table *table, const struct event *event, uint64_t time_ns,
		      struct error *err)
{
	struct address_change change;
	struct mmap_record record;

	if (event_decode_mmap(event, &record, err) < 0)
		return -1;
	switch (event->misc & RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL: apply_kernel_mmap(table, &record, time_ns); return 0;
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER: return 0; /* another machine's addresses */
	default: break;
	}
	change = (struct address_change){ .start = record.start,
					  .end = end_of(record.start, record.length),
					  .time_ns = time_ns,
					  .file_offset = record.file_offset,
					  .dso = dso_table_user(table->dsos, &record),
					  .prot = record.prot };
	if (change.dso->kind == DSO_VDSO)
		change.file_offset = 0; /* the kernel reports an offset that belongs to no file */
	process_change(table, record.pid, &change);
	return 0;
}

/* A new program begins without mappings and without code. */
static void forget_mappings(struct process_table *table, uint32_t pid, uint64_t time_ns)
{
	const struct address_change nothing = { .end = UINT64_MAX, .time_ns = time_ns };

	process_change(table, pid, &nothing);
	if (table->has_jit_code)
		code_change(table, pid, &nothing);
}

static int apply_comm(struct process_table *table, const struct event *event, uint64_t time_ns,
		      struct error *err)
{
	struct comm_record record;

	if (event_decode_comm(event, &record, err) < 0)
		return -1;
	thread_table_comm(table->threads, record.tid, time_ns, record.comm);
	if (record.exec)
		forget_mappings(table, record.pid, time_ns);
	return 0;
}

/* A new process, not only a new thread: from time_ns on it owns a copy of what its parent had mapped. */
static void fork_process(struct process_table *table, const struct task_record *record, uint64_t time_ns)
{
	uint32_t parent = process_or_new(table, record->parent_pid, time_ns);
	uint32_t previous = lifetimes_at(&table->lifetimes, record->pid, time_ns);
	uint64_t first_ns =
		previous == LIFETIME_NONE ? UINT64_MAX : process_at(table, previous)->map.first_ns;
	uint32_t number, split_from;

	number = lifetimes_fork(&table->lifetimes, record->pid, parent, time_ns, first_ns, &split_from);
	add_processes(table);
	if (process_at(table, parent)->last_fork_ns < time_ns)
		table->processes[parent].last_fork_ns = time_ns;
	if (number == previous)
		table->inheritance_version++; /* it has just got a parent */
	if (split_from != LIFETIME_NONE) {
		address_map_split(&table->processes[split_from].map, &table->processes[number].map, time_ns);
		address_map_split(&table->processes[split_from].code, &table->processes[number].code,
				  time_ns);
		note_change(table, split_from);
		note_change(table, number);
		table->inheritance_version++;
	}
}

/*
 * Synthesized records list the mappings of a process that is already running, so it must not inherit any: perf marks their FORK
 * with PERF_RECORD_MISC_FORK_EXEC, the bit that means exec on COMM.
 */
static bool is_synthesized_fork(const struct event *event)
{
	return event->misc & RECORD_MISC_COMM_EXEC;
}

static int apply_fork(struct process_table *table, const struct event *event, uint64_t time_ns,
		      struct error *err)
{
	struct task_record record;

	if (event_decode_task(event, &record, err) < 0)
		return -1;
	if (record.tid != record.parent_tid)
		thread_table_fork(table->threads, record.tid, record.parent_tid, time_ns);
	if (record.pid != record.parent_pid && !is_synthesized_fork(event))
		fork_process(table, &record, time_ns);
	return 0;
}

/* Code that the kernel made at run time: BPF programs, trampolines, kprobe slots. */
static int apply_ksymbol(struct process_table *table, const struct event *event, uint64_t time_ns,
			 struct error *err)
{
	const struct address_change *around;
	struct address_change change = { .time_ns = time_ns };
	struct ksymbol_record record;

	if (event_decode_ksymbol(event, &record, err) < 0)
		return -1;
	change.start = record.address;
	change.end = end_of(record.address, record.length);
	if (!(record.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER)) {
		/* perf gives it a DSO of its own only if it lies outside all others. */
		settle(table, &table->kernel);
		around = address_map_find(&table->kernel, record.address, time_ns);
		change.dso = dso_table_ksymbol(table->dsos, record.name,
					       around && around->dso && around->dso->kind != DSO_KSYMBOL ?
						       around->dso->name :
						       record.name);
	}
	address_map_add(&table->kernel, &change);
	return 0;
}

int process_table_apply(struct process_table *table, const struct event *event, uint64_t time_ns,
			struct error *err)
{
	table->generation++;
	switch (event->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return apply_mmap(table, event, time_ns, err);
	case PERF_RECORD_COMM: return apply_comm(table, event, time_ns, err);
	case PERF_RECORD_FORK: return apply_fork(table, event, time_ns, err);
	case PERF_RECORD_KSYMBOL: return apply_ksymbol(table, event, time_ns, err);
	default: return 0; /* EXIT too: what a dying task still does resolves as before */
	}
}

void process_table_build_id(struct process_table *table, const char *path, const struct build_id *build_id)
{
	dso_table_build_id(table->dsos, path, build_id);
}

/* --- lookups ----------------------------------------------------------------- */

static const struct address_change *find_in(const struct process_table *table, struct address_map *map,
					    uint64_t address, uint64_t time_ns, struct address_change *range)
{
	const struct address_change *change;

	settle(table, map);
	change = address_map_find(map, address, time_ns);
	if (range)
		address_map_narrow(map, address, time_ns, &range->start, &range->end);
	return change;
}

/*
 * Searches the process's own mappings, then those of the process that it was forked from, as they were at the fork, and so on.
 * Where only anonymous memory is mapped, searches the known run-time code there. Narrows `range`, unless NULL, to where the
 * answer is the same.
 */
static const struct address_change *find_inherited(const struct process_table *table, uint32_t number,
						   uint64_t time_ns, uint64_t address,
						   struct address_change *range)
{
	const struct address_change *mapped = NULL, *code;
	size_t forks;

	for (forks = 0; forks < MAX_FORKS && number != LIFETIME_NONE; forks++) {
		const struct lifetime *lifetime = &table->lifetimes.items[number];
		struct process *process = process_at(table, number);

		if (!mapped)
			mapped = find_in(table, &process->map, address, time_ns, range);
		if (mapped && (!table->has_jit_code || !mapped->dso || mapped->dso->kind != DSO_ANON))
			return mapped;
		code = process->code.count ? find_in(table, &process->code, address, time_ns, range) : NULL;
		if (code)
			return code->dso ? code : mapped;
		if (lifetime->start_ns < time_ns)
			time_ns = lifetime->start_ns;
		number = lifetime->parent;
	}
	return mapped;
}

/* Everything that an answer depends on: as long as it is unchanged, the answer holds for all times from last_ns on. */
struct past {
	uint64_t last_ns;
	uint32_t changes, version;
};

static struct past past_of(const struct process_table *table, uint32_t number)
{
	const struct process *process = process_at(table, number);

	return (struct past){
		.last_ns = process->map.last_ns > process->code.last_ns ? process->map.last_ns :
									  process->code.last_ns,
		.changes = (uint32_t)(process->map.count + process->code.count),
		.version = table->inheritance_version + process->map.version + process->code.version,
	};
}

/* The recorder, which must start quickly, looks up only ranges and never gets here. */
static struct memo *memo_slot(struct process_table *table, uint32_t process, uint64_t address)
{
	if (!table->memos)
		table->memos = xcalloc_written(MEMO_SLOTS, sizeof(*table->memos));
	return &table->memos[hash_combine(process, address) & (MEMO_SLOTS - 1)];
}

static bool memo_holds(const struct memo *memo, uint32_t process, const struct past *past, uint64_t address)
{
	return memo->used && memo->address == address && memo->process == process &&
	       memo->changes == past->changes && memo->version == past->version;
}

/*
 * A recording has too many kernel addresses for memos, but nearly all of them are in the same mapping as the one before. So the
 * last answer is kept for all addresses and times that have it.
 */
static int find_in_kernel(struct process_table *table, uint64_t time_ns, uint64_t address,
			  struct mapping *mapping)
{
	struct kernel_memo *memo = &table->kernel_memo;
	struct address_change range = { .start = 0, .end = UINT64_MAX };

	if (address < memo->start || address >= memo->end || time_ns < memo->span.from_ns ||
	    time_ns >= memo->span.until_ns || memo->changes != table->kernel.count ||
	    memo->version != table->kernel.version) {
		*memo = (struct kernel_memo){ .span = { .until_ns = UINT64_MAX } };
		memo->found =
			answer(find_in(table, &table->kernel, address, time_ns, &range), &memo->mapping);
		memo->start = range.start;
		memo->end = range.end;
		memo->changes = table->kernel.count;
		memo->version = table->kernel.version;
		address_map_narrow_span(&table->kernel, time_ns, &memo->span);
	}
	*mapping = memo->mapping;
	return memo->found;
}

int process_table_find(struct process_table *table, uint32_t pid, uint64_t time_ns, enum address_space space,
		       uint64_t address, struct mapping *mapping)
{
	const struct address_change *change;
	uint32_t process;
	struct past past;
	struct memo *memo;

	if (space == ADDRESS_KERNEL)
		return find_in_kernel(table, time_ns, address, mapping);
	process = lifetimes_at(&table->lifetimes, pid, time_ns);
	if (process == LIFETIME_NONE)
		return 0;
	past = past_of(table, process);
	memo = memo_slot(table, process, address);
	if (time_ns >= past.last_ns && memo_holds(memo, process, &past, address)) {
		*mapping = memo->mapping;
		return memo->found;
	}
	change = find_inherited(table, process, time_ns, address, NULL);
	if (time_ns < past.last_ns)
		return answer(change, mapping);
	*memo = (struct memo){ .address = address,
			       .process = process,
			       .version = past.version,
			       .changes = past.changes,
			       .used = true };
	memo->found = answer(change, &memo->mapping);
	*mapping = memo->mapping;
	return memo->found;
}

int process_table_find_range(const struct process_table *table, uint32_t pid, uint64_t time_ns,
			     uint64_t address, struct mapping *mapping)
{
	struct address_change range = { .start = 0, .end = UINT64_MAX };
	uint32_t process = lifetimes_at(&table->lifetimes, pid, time_ns);

	if (process == LIFETIME_NONE ||
	    !answer(find_inherited(table, process, time_ns, address, &range), mapping))
		return 0;
	mapping->file_offset += range.start - mapping->start;
	mapping->start = range.start;
	mapping->end = range.end;
	return 1;
}

int process_table_find_left(struct process_table *table, uint32_t pid, uint64_t time_ns, uint64_t address,
			    struct mapping *mapping)
{
	const struct address_change *change;
	uint32_t process;

	if (process_table_find(table, pid, time_ns, ADDRESS_USER, address, mapping))
		return 1;
	process = lifetimes_at(&table->lifetimes, pid, time_ns);
	if (process == LIFETIME_NONE)
		return 0;
	change = find_inherited(table, process, time_ns, address, NULL);
	if (!change || change->dso || !change->time_ns)
		return 0;
	return answer(find_inherited(table, process, change->time_ns - 1, address, NULL), mapping);
}

int process_table_kernel(const struct process_table *table, struct mapping *mapping)
{
	*mapping = table->kernel_proper;
	return mapping->dso ? 1 : 0;
}

struct process_state process_table_state(const struct process_table *table, uint32_t pid, uint64_t time_ns)
{
	uint32_t process = lifetimes_at(&table->lifetimes, pid, time_ns);
	struct process_state state = {
		.process = process,
		.kernel_changes = (uint32_t)address_map_count_at(&table->kernel, time_ns),
		.version = table->inheritance_version + table->kernel.version,
	};

	if (process != LIFETIME_NONE) {
		const struct process *owner = process_at(table, process);

		state.process_changes = (uint32_t)(address_map_count_at(&owner->map, time_ns) +
						   address_map_count_at(&owner->code, time_ns));
		state.version += owner->map.version + owner->code.version;
	}
	return state;
}

struct process_state process_table_state_during(const struct process_table *table, uint32_t pid,
						uint64_t time_ns, struct time_span *span)
{
	const struct process_state state = process_table_state(table, pid, time_ns);

	lifetimes_narrow_span(&table->lifetimes, pid, time_ns, span);
	address_map_narrow_span(&table->kernel, time_ns, span);
	if (state.process != LIFETIME_NONE) {
		address_map_narrow_span(&process_at(table, state.process)->map, time_ns, span);
		address_map_narrow_span(&process_at(table, state.process)->code, time_ns, span);
	}
	return state;
}

uint64_t process_table_generation(const struct process_table *table)
{
	return table->generation;
}

uint64_t mapping_to_dso_address(const struct mapping *mapping, uint64_t address)
{
	switch (mapping->dso->kind) {
	case DSO_FILE:
	case DSO_VDSO:
	case DSO_JITDUMP:
	case DSO_UNKNOWN: return address - mapping->start + mapping->file_offset;
	default: return address;
	}
}

const char *process_table_comm(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	(void)pid; /* tids are unique in the system */
	return thread_table_find_comm_or_first(table->threads, tid, time_ns);
}

const char *process_table_comm_then(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	(void)pid;
	return thread_table_find_comm(table->threads, tid, time_ns);
}

uint64_t process_table_life(struct process_table *table, uint32_t tid, uint64_t time_ns)
{
	return thread_table_life(table->threads, tid, time_ns);
}

size_t process_table_dso_count(const struct process_table *table)
{
	return dso_table_count(table->dsos);
}

struct dso *process_table_dso(const struct process_table *table, uint32_t number)
{
	return dso_table_at(table->dsos, number);
}

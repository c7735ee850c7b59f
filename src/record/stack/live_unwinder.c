/*
 * The first half keeps a process table up to date from state records, and begins anew from /proc when it has grown too
 * large. The second half makes an unwind_input of a sample and walks it; live_unwinder_vouches() then checks the
 * run-time code that the stack led through.
 */
#include "record/stack/live_unwinder.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash_table.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "record/event/call_graph.h"
#include "record/event/event_attr.h"
#include "record/process/synthesize.h"
#include "record/process/target.h"
#include "record/stack/live_code.h"
#include "record/stack/live_modules.h"
#include "unwind/process/sample_registers.h"
#include "unwind/process/unwind_place.h"
#include "unwind/stack_splice.h"

enum {
	/* Enough for the code mappings of some 2,000 processes, living and dead. With more, the dead ones are dropped. */
	MAX_CHANGES = 16 * 1024,
	/* Modules open at once: each is a mapping in xprof, and has some 100 KB of tables. Most are of programs that are no more. */
	FEW_MODULES = 256,
	MAX_MODULES = 768, /* where programs that run need more than FEW_MODULES */
	MAX_DSOS = 16 * 1024,
	/* After this time the rings contain no samples of an ended process. */
	ENDED_AGE_NS = 2000 * 1000 * 1000,
};

/* If there are more than FEW_MODULES again so soon, programs that run need them. */
#define FEW_MODULES_NS (UINT64_C(600) * 1000 * 1000 * 1000)

struct live_unwinder {
	uint64_t registers; /* attr.sample_regs_user */
	size_t trailer_bytes;
	struct perf_attr trailer_attr;
	const struct unwind_arch *arch; /* of 64-bit tasks */
	struct process_table *processes;
	struct dso_modules *modules;
	struct live_code *code; /* NULL if instructions of this machine are not followed */
	uint64_t *code_places;  /* addresses in it that a stack led through */
	size_t code_place_capacity;
	uint64_t aged_ns;
	struct unwinder *unwinder;
	size_t changes;     /* applied to the process table */
	uint64_t latest_ns; /* of all records */
	size_t module_limit;
	uint64_t refilled_ns; /* latest_ns when modules were forgotten last */
};

static void begin(struct live_unwinder *unwinder)
{
	unwinder->processes = process_table_create();
	unwinder->modules = live_modules_create();
	unwinder->code = live_code_create(unwinder->arch);
	unwinder->unwinder = unwinder_create();
	unwinder->changes = 0;
}

static void forget(struct live_unwinder *unwinder)
{
	unwinder_destroy(unwinder->unwinder);
	dso_modules_destroy(unwinder->modules);
	live_code_destroy(unwinder->code);
	process_table_destroy(unwinder->processes);
}

struct live_unwinder *live_unwinder_create(uint64_t registers, const struct perf_event_attr *trailer_attr)
{
	const struct unwind_arch *arch = unwind_arch_find(call_graph_elf_machine());
	struct live_unwinder *unwinder;

	if (!arch)
		return NULL;
	unwinder = xcalloc(1, sizeof(*unwinder));
	unwinder->registers = registers;
	unwinder->trailer_bytes = event_attr_sample_id_size(trailer_attr);
	unwinder->trailer_attr = (struct perf_attr){ .sample_type = trailer_attr->sample_type,
						     .flags = (uint64_t)1 << PERF_ATTR_SAMPLE_ID_ALL };
	unwinder->arch = arch;
	unwinder->module_limit = FEW_MODULES;
	begin(unwinder);
	return unwinder;
}

void live_unwinder_destroy(struct live_unwinder *unwinder)
{
	if (!unwinder)
		return;
	forget(unwinder);
	free(unwinder->code_places);
	free(unwinder);
}

/* --- mappings ------------------------------------------------------------------ */

/*
 * Data mappings are skipped: stacks do not lead there. If data replaces unmapped code, the table still has the code, which
 * matters only to addresses that are no longer return addresses.
 */
static bool is_code(const struct event *event)
{
	return (event->misc & RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER &&
	       !(event->misc & RECORD_MISC_MMAP_DATA);
}

/* Threads share the mappings of their process, so only new processes count. */
static bool is_new_process(const struct event *event)
{
	struct task_record task;

	return event_decode_task(event, &task, NULL) == 0 && task.pid != task.parent_pid;
}

static bool matters(const struct event *event)
{
	switch (event->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return is_code(event);
	case PERF_RECORD_COMM: return event->misc & PERF_RECORD_MISC_COMM_EXEC;
	case PERF_RECORD_FORK: return is_new_process(event);
	default: return false;
	}
}

/* Memory of a process was mapped: perhaps for run-time code, or in place of such code. */
static void note_mapping(struct live_unwinder *unwinder, const struct event *event, uint64_t time_ns)
{
	struct mmap_record record;
	struct logged_mapping logged;
	struct mapping mapping;

	if (event_decode_mmap(event, &record, NULL) < 0)
		return;
	logged = (struct logged_mapping){ .start = record.start,
					  .end = record.start + record.length,
					  .time_ns = time_ns,
					  .prot = record.prot };
	live_code_note_mapping(unwinder->code, record.pid, &logged,
			       is_code(event) &&
				       process_table_find_range(unwinder->processes, record.pid, time_ns,
								record.start, &mapping) &&
				       mapping.dso->kind == DSO_ANON);
}

/* A new program keeps nothing of the old one's memory. */
static void note_exec(struct live_unwinder *unwinder, const struct event *event, uint64_t time_ns)
{
	const struct logged_mapping everything = { .end = UINT64_MAX, .time_ns = time_ns };
	struct comm_record record;

	if (event_decode_comm(event, &record, NULL) == 0)
		live_code_note_mapping(unwinder->code, record.pid, &everything, false);
}

static void note_for_code(struct live_unwinder *unwinder, const struct event *event, uint64_t time_ns)
{
	if (event->type == PERF_RECORD_COMM && event->misc & PERF_RECORD_MISC_COMM_EXEC)
		note_exec(unwinder, event, time_ns);
	else if ((event->type == PERF_RECORD_MMAP || event->type == PERF_RECORD_MMAP2) &&
		 (event->misc & RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
		note_mapping(unwinder, event, time_ns);
}

static void apply(struct live_unwinder *unwinder, const uint8_t *record, size_t size)
{
	struct perf_event_header header;
	struct event event;
	struct sample_id id;

	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE)
		return;
	event = (struct event){ .type = header.type,
				.misc = header.misc,
				.size = (uint32_t)size,
				.payload = record + sizeof(header),
				.payload_size = size - sizeof(header) };
	if (event_sample_id(&event, &unwinder->trailer_attr, &id, NULL) < 0)
		return;
	if (id.time_ns > unwinder->latest_ns)
		unwinder->latest_ns = id.time_ns;
	if (matters(&event) && process_table_apply(unwinder->processes, &event, id.time_ns, NULL) == 0)
		unwinder->changes++;
	if (unwinder->code)
		note_for_code(unwinder, &event, id.time_ns);
}

void live_unwinder_apply_all(struct live_unwinder *unwinder, const uint8_t *records, size_t size)
{
	struct perf_event_header header;

	for (; size >= sizeof(header); records += header.size, size -= header.size) {
		memcpy(&header, records, sizeof(header));
		if (header.size < sizeof(header) || header.size > size)
			return;
		apply(unwinder, records, header.size);
	}
}

bool live_unwinder_is_full(const struct live_unwinder *unwinder)
{
	return unwinder->changes > MAX_CHANGES ||
	       dso_modules_count(unwinder->modules) > unwinder->module_limit ||
	       process_table_dso_count(unwinder->processes) > MAX_DSOS;
}

/* --- ended processes ------------------------------------------------------------- */

struct living {
	uint32_t *pids; /* sorted */
	size_t count, capacity;
	uint64_t from_ns; /* processes that changed later are kept */
};

static void add_living(pid_t pid, void *context)
{
	struct living *living = context;

	*ARRAY_ADD(living->pids, living->count, living->capacity) = (uint32_t)pid;
}

static int compare_pids(const void *a, const void *b)
{
	const uint32_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static bool has_ended(const struct process_end *process, void *context)
{
	const struct living *living = context;

	return process->last_ns < living->from_ns &&
	       !(process->is_newest &&
		 bsearch(&process->pid, living->pids, living->count, sizeof(*living->pids), compare_pids));
}

void live_unwinder_forget_ended(struct live_unwinder *unwinder)
{
	struct living living = { .from_ns = unwinder->latest_ns > ENDED_AGE_NS ?
						    unwinder->latest_ns - ENDED_AGE_NS :
						    0 };
	size_t left;

	if (unwinder->changes <= MAX_CHANGES)
		return;
	if (target_each_process("/proc", add_living, &living, NULL) == 0) {
		qsort(living.pids, living.count, sizeof(*living.pids), compare_pids);
		left = process_table_forget(unwinder->processes, living.from_ns, has_ended, &living);
		/* Otherwise live processes have most of the changes: the count stays, so that the table is refilled. */
		if (left < MAX_CHANGES / 2)
			unwinder->changes = left;
	}
	free(living.pids);
}

struct refill {
	struct live_unwinder *unwinder;
	struct synthesis synthesis;
};

static void refill_process(pid_t pid, void *context)
{
	struct refill *refill = context;
	struct strbuf *out = refill->synthesis.out;

	synthesize_process(&refill->synthesis, pid);
	live_unwinder_apply_all(refill->unwinder, (const uint8_t *)out->bytes, out->size);
	strbuf_reset(out);
}

static void choose_module_limit(struct live_unwinder *unwinder)
{
	if (dso_modules_count(unwinder->modules) > unwinder->module_limit && unwinder->refilled_ns &&
	    unwinder->latest_ns - unwinder->refilled_ns < FEW_MODULES_NS)
		unwinder->module_limit = MAX_MODULES;
	unwinder->refilled_ns = unwinder->latest_ns;
}

void live_unwinder_refill(struct live_unwinder *unwinder, struct build_id_table *files)
{
	struct strbuf records = STRBUF_INIT;
	struct refill refill = {
		.unwinder = unwinder,
		.synthesis = { .proc = "/proc",
			       .sys = "/sys",
			       .forks = true,
			       .trailer_bytes = unwinder->trailer_bytes,
			       .out = &records,
			       .files = files },
	};

	choose_module_limit(unwinder);
	forget(unwinder);
	begin(unwinder);
	/* If /proc cannot be read, stacks are unproved until their processes map something. */
	(void)target_each_process(refill.synthesis.proc, refill_process, &refill, NULL);
	strbuf_fini(&records);
	unwinder->changes = 0; /* mappings of live processes alone must not cause another refill */
}

/* --- one stack -------------------------------------------------------------------- */

/* Finds a piece of run-time code, if it can be read. */
static void find_live_code(const struct unwind_place *place, const struct mapping *mapping, uint64_t address,
			   struct unwind_mapping *found)
{
	const struct live_unwinder *unwinder = place->context;
	const struct live_range range = { found->start, found->end };
	struct live_piece piece;

	if (mapping->dso->kind != DSO_ANON || !found->executable ||
	    !live_code_find(unwinder->code, place->pid, address, &range, &piece))
		return;
	if (found->start < piece.range.start)
		found->start = piece.range.start;
	if (found->end > piece.range.end)
		found->end = piece.range.end;
	found->bias = piece.base;
	found->module = piece.module;
}

/* Changes of run-time code count as changes of mappings. */
static uint64_t space_of(const struct live_unwinder *unwinder, const struct process_state *state)
{
	const uint64_t space = process_state_space(state);

	return unwinder->code ? hash_combine(space, live_code_generation(unwinder->code)) | 1 : space;
}

static void set_registers(const struct live_unwinder *unwinder, const struct sample_parts *parts,
			  struct unwind_input *input)
{
	const struct sample sample = { .user_regs_abi = parts->abi,
				       .user_regs_mask = unwinder->registers,
				       .user_regs = parts->registers };

	(void)sample_registers_get(&sample, unwinder->arch, input);
}

bool live_unwinder_can(const struct live_unwinder *unwinder, const struct sample_parts *parts)
{
	return parts->abi == PERF_SAMPLE_REGS_ABI_32 ? unwind_arch_32bit(unwinder->arch) != NULL :
						       parts->abi != PERF_SAMPLE_REGS_ABI_NONE;
}

uint64_t live_unwinder_sp(const struct live_unwinder *unwinder, const struct sample_parts *parts)
{
	struct unwind_input input = { .arch = NULL };

	set_registers(unwinder, parts, &input);
	return input.arch ? input.registers.value[input.arch->sp] : 0;
}

static void prepare(struct live_unwinder *unwinder, const struct sample_parts *parts, size_t dump_bytes,
		    struct unwind_place *place, struct unwind_input *input)
{
	const struct process_state state =
		process_table_state(unwinder->processes, parts->pid, parts->time_ns);

	*input = (struct unwind_input){ .find_mapping = unwind_place_find,
					.context = place,
					.space = space_of(unwinder, &state) };
	set_registers(unwinder, parts, input);
	/* Run-time code of 32-bit programs is not read. */
	*place = (struct unwind_place){
		.processes = unwinder->processes,
		.modules = unwinder->modules,
		.find_code = unwinder->code && input->arch == unwinder->arch ? find_live_code : NULL,
		.context = unwinder,
		.pid = parts->pid,
		.time_ns = parts->time_ns,
	};
	if (parts->copy && dump_bytes == LIVE_UNWINDER_ALL_BYTES)
		input->stack = *parts->copy;
	else
		input->stack = (struct stack_memory){ .bytes = parts->dump,
						      .size = dump_bytes < parts->filled ? dump_bytes :
											   parts->filled,
						      .address = input->registers.value[input->arch->sp] };
	input->stack.is_32bit = input->arch->word_bytes == 4;
}

void live_unwinder_walk(struct live_unwinder *unwinder, const struct sample_parts *parts, size_t dump_bytes,
			struct unwind_stack *stack)
{
	struct unwind_input input;
	struct unwind_place place;

	prepare(unwinder, parts, dump_bytes, &place, &input);
	unwinder_walk(unwinder->unwinder, &input, stack);
}

bool live_unwinder_splice(struct live_unwinder *unwinder, const struct sample_parts *parts,
			  const uint64_t *chain, size_t chain_count, struct unwind_stack *stack)
{
	struct unwind_input input;
	struct unwind_place place;

	prepare(unwinder, parts, LIVE_UNWINDER_ALL_BYTES, &place, &input);
	return stack_splice(unwinder->unwinder, &input, chain, chain_count, stack) > 0;
}

bool live_unwinder_is_root(struct live_unwinder *unwinder, const struct sample_parts *parts,
			   const struct unwind_frame *frame)
{
	struct unwind_input input;
	struct unwind_place place;

	prepare(unwinder, parts, 0, &place, &input);
	return unwinder_row(unwinder->unwinder, &input, frame) == UNWIND_ROW_ROOT;
}

/* Whether the frame's code was read from memory, because it has no file. */
static bool is_read_code(struct live_unwinder *unwinder, const struct sample_parts *parts,
			 const struct unwind_frame *frame)
{
	const uint64_t address = frame->address - frame->is_return_address;
	struct mapping mapping;

	return process_table_find_range(unwinder->processes, parts->pid, parts->time_ns, address, &mapping) &&
	       mapping.dso->kind == DSO_ANON;
}

bool live_unwinder_is_by_read_code(struct live_unwinder *unwinder, const struct sample_parts *parts,
				   const struct unwind_stack *stack, size_t frame)
{
	return frame > 0 &&
	       (stack->frames[frame].how == UNWIND_HOW_CODE ||
		stack->frames[frame].how == UNWIND_HOW_ASSUMED) &&
	       is_read_code(unwinder, parts, &stack->frames[frame - 1]);
}

bool live_unwinder_read_code(struct live_unwinder *unwinder, const struct sample_parts *parts,
			     const struct unwind_stack *stack)
{
	for (size_t i = 1; i < stack->count; i++)
		if (live_unwinder_is_by_read_code(unwinder, parts, stack, i))
			return true;
	return false;
}

static void add_code_place(struct live_unwinder *unwinder, size_t *count, const struct unwind_frame *frame)
{
	unwinder->code_places = array_grow(unwinder->code_places, &unwinder->code_place_capacity, *count + 1,
					   sizeof(*unwinder->code_places));
	unwinder->code_places[(*count)++] = frame->address - frame->is_return_address;
}

/*
 * Lists the addresses in run-time code whose callers were found, `*found` of them, then the address where the search ended, if
 * that is in run-time code, too. Returns the number of all.
 */
static size_t find_code_places(struct live_unwinder *unwinder, const struct sample_parts *parts,
			       const struct unwind_stack *stack, size_t *found)
{
	const struct unwind_frame *last = &stack->frames[stack->count - 1];
	size_t count = 0;

	for (size_t i = 1; i < stack->count; i++)
		if (live_unwinder_is_by_read_code(unwinder, parts, stack, i))
			add_code_place(unwinder, &count, &stack->frames[i - 1]);
	*found = count;
	if (stack->end != UNWIND_END_ROOT && is_read_code(unwinder, parts, last))
		add_code_place(unwinder, &count, last);
	return count;
}

static bool is_same_way(const struct unwind_stack *a, const struct unwind_stack *b)
{
	if (a->end != b->end || a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->frames[i].address != b->frames[i].address || a->frames[i].sp != b->frames[i].sp)
			return false;
	return true;
}

static void note_all(const struct record_notes *notes)
{
	if (notes->note)
		notes->note(notes->context);
}

/* Whether `stack` is a beginning of `other`: code was then added, not replaced. */
static bool is_cut(const struct unwind_stack *stack, const struct unwind_stack *other)
{
	if (stack->count >= other->count)
		return false;
	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].address != other->frames[i].address ||
		    stack->frames[i].sp != other->frames[i].sp)
			return false;
	return true;
}

/* Walks the stack once more, because code that it leads through has changed. */
static void walk_again(struct live_unwinder *unwinder, const struct sample_parts *parts, size_t place_count,
		       struct unwind_stack *stack, struct unwind_stack *before)
{
	struct unwind_frame *frames = before->frames;

	memcpy(frames, stack->frames, stack->count * sizeof(*frames));
	*before = *stack;
	before->frames = frames;
	live_unwinder_walk(unwinder, parts, LIVE_UNWINDER_ALL_BYTES, stack);
	if (!is_same_way(stack, before) && !is_cut(before, stack))
		live_code_note_replaced(unwinder->code, parts->pid, unwinder->code_places, place_count);
}

bool live_unwinder_vouches(struct live_unwinder *unwinder, const struct sample_parts *parts,
			   struct unwind_stack *stack, struct unwind_stack *before,
			   const struct record_notes *note_records)
{
	enum { MAX_WALKS = 4 }; /* changed code may lead to further changed code */
	enum live_state state = LIVE_CHANGED;
	size_t count, found = 0;

	for (int i = 0; unwinder->code && state == LIVE_CHANGED && i < MAX_WALKS; i++) {
		count = find_code_places(unwinder, parts, stack, &found);
		if (count == 0)
			return true;
		state = live_code_recheck(unwinder->code, parts->pid, parts->time_ns, unwinder->code_places,
					  count);
		if (found || state == LIVE_CHANGED)
			note_all(note_records);
		if (state == LIVE_CHANGED)
			walk_again(unwinder, parts, count, stack, before);
	}
	if (state == LIVE_CHANGED)
		return found == 0;
	for (size_t i = 0; i < found; i++)
		if (!live_code_was_same(unwinder->code, parts->pid, unwinder->code_places[i], parts->time_ns,
					state))
			return false;
	return true;
}

bool live_unwinder_reads_new_code(const struct live_unwinder *unwinder)
{
	return unwinder->code && live_code_is_new(unwinder->code);
}

bool live_unwinder_expects_new_code(const struct live_unwinder *unwinder)
{
	return unwinder->code && live_code_was_new_lately(unwinder->code);
}

void live_unwinder_age(struct live_unwinder *unwinder)
{
	enum {
		MAX_AGE_NS = 100 * 1000 * 1000
	}; /* comparing a page takes 3.5 us, and a process has some dozen */
	struct timespec now;
	uint64_t now_ns;

	if (!unwinder->code)
		return;
	if (live_code_is_large(unwinder->code)) {
		unwinder_destroy(unwinder->unwinder); /* it remembers rules of these modules */
		live_code_shrink(unwinder->code);
		unwinder->unwinder = unwinder_create();
	}
	if (live_code_is_full(unwinder->code)) {
		unwinder_destroy(unwinder->unwinder);
		live_code_destroy(unwinder->code);
		unwinder->code = live_code_create(unwinder->arch);
		unwinder->unwinder = unwinder_create();
	}
	live_code_begin_round(unwinder->code);
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	if (now_ns - unwinder->aged_ns < MAX_AGE_NS)
		return;
	unwinder->aged_ns = now_ns;
	live_code_age(unwinder->code);
}

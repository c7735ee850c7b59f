/*
 * take() tells the types of records apart. A WAKE is unwound at once, while the waker's mappings are those of its time, and kept
 * for the WAIT that follows. A WAIT is held until the COPY with its number arrives; then emit() makes one sample for the time
 * asleep and one for the time on the run queue, each with its own weight as period.
 */
#include "record/wait/wait_sampler.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "record/bpf/off_cpu_record.h"
#include "record/event/call_graph.h"
#include "record/wait/user_registers.h"
#include "record/wait/waker_chain.h"

enum {
	MAX_WAKER_FRAMES = 512, /* user frames of a waker's stack that are written, at most */
	/* The upper half of an id that no perf event has: the kernel counts its ids from 1. */
	EVENT_ID_HIGH = 0x0ffc,
};

struct held_wait {
	struct off_cpu_wait_record record;
	struct waker_chain wakers;
};

/* A thread whose waits are sampled. */
struct waiter {
	uint32_t tid;
	struct waking *waking; /* of the last WAKE, until its WAIT arrives; NULL: none */
	struct held_wait *held;
	size_t held_count, held_capacity;
};

struct wait_sampler {
	struct wait_sampler_plan plan;
	struct perf_event_attr attr;
	struct written_event event;
	uint64_t id;
	struct evidence *evidence;
	uint64_t round_end; /* position in the ring */
	struct waiter *waiters;
	size_t waiter_count, waiter_capacity;
	struct hash_table by_tid;
	struct waker_chains *chains;
	struct strbuf record, raw;
	struct wait_sampler_counts counts;
};

/* --- the event --------------------------------------------------------------------------------------------------------- */

static struct perf_event_attr attr_of(const struct perf_event_attr *sampler)
{
	struct perf_event_attr attr = {
		.size = sampler->size,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
		.read_format = sampler->read_format,
		.sample_id_all = 1,
		.inherit = sampler->inherit,
		.use_clockid = sampler->use_clockid,
		.clockid = sampler->clockid,
	};

	if (call_graph_user_regs()) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = call_graph_user_regs();
		attr.sample_stack_user = STACK_DUMP_DEFAULT_BYTES;
	}
	return attr;
}

struct wait_sampler *wait_sampler_create(const struct wait_sampler_plan *plan)
{
	struct wait_sampler *sampler = xcalloc(1, sizeof(*sampler));

	sampler->plan = *plan;
	sampler->attr = attr_of(plan->sampler);
	sampler->id = (uint64_t)EVENT_ID_HIGH << 48 | 1;
	sampler->event = (struct written_event){
		.attr = &sampler->attr, .name = OFF_CPU_EVENT_NAME, .ids = &sampler->id, .id_count = 1
	};
	sampler->chains = waker_chains_create();
	strbuf_init(&sampler->record);
	strbuf_init(&sampler->raw);
	return sampler;
}

void wait_sampler_destroy(struct wait_sampler *sampler)
{
	if (!sampler)
		return;
	for (size_t i = 0; i < sampler->waiter_count; i++) {
		struct waiter *waiter = &sampler->waiters[i];

		for (size_t j = 0; j < waiter->held_count; j++)
			waker_chain_fini(&waiter->held[j].wakers);
		free(waiter->held);
		waking_release(waiter->waking);
	}
	free(sampler->waiters);
	waker_chains_destroy(sampler->chains);
	hash_table_fini(&sampler->by_tid);
	strbuf_fini(&sampler->record);
	strbuf_fini(&sampler->raw);
	free(sampler);
}

const struct written_event *wait_sampler_event(const struct wait_sampler *sampler)
{
	return &sampler->event;
}

void wait_sampler_use(struct wait_sampler *sampler, struct evidence *evidence)
{
	sampler->evidence = evidence;
}

static bool is_tid(const void *items, uint32_t number, const void *key)
{
	return ((const struct waiter *)items)[number].tid == *(const uint32_t *)key;
}

static struct waiter *waiter_of(struct wait_sampler *sampler, uint32_t tid)
{
	const uint64_t hash = hash_u64(tid);
	uint32_t number = hash_table_find(&sampler->by_tid, hash, is_tid, sampler->waiters, &tid);

	if (number == HASH_TABLE_NONE) {
		number = (uint32_t)sampler->waiter_count;
		*ARRAY_ADD(sampler->waiters, sampler->waiter_count, sampler->waiter_capacity) =
			(struct waiter){ .tid = tid };
		hash_table_insert(&sampler->by_tid, hash, number);
	}
	return &sampler->waiters[number];
}

/* --- a PERF_RECORD_SAMPLE ------------------------------------------------------------------------------------------- */

/* The content of a sample. */
struct sample_source {
	uint32_t pid, tid, cpu;
	uint64_t time, period;
	const uint64_t *kernel;
	size_t kernel_count;
	const struct strbuf *raw;
	const struct off_cpu_stack_record *stack; /* with registers; NULL if there is no user stack */
};

static void add_registers(struct strbuf *record, const struct sample_source *source,
			  const struct perf_event_attr *attr)
{
	if (!(attr->sample_type & PERF_SAMPLE_REGS_USER))
		return;
	if (source->stack)
		user_registers_add(record, source->stack->registers, attr->sample_regs_user);
	else
		strbuf_add_u64(record, PERF_SAMPLE_REGS_ABI_NONE, false);
	strbuf_add_u64(record, 0, false); /* no dump: the copy replaces it */
}

/* Builds the sample in sampler->record, in the order of perf_output_sample(), kernel/events/core.c. */
static void build(struct wait_sampler *sampler, const struct sample_source *source)
{
	struct strbuf *record = &sampler->record;
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	const bool has_kernel = source->kernel_count && !sampler->plan.no_kernel_chains;

	header.misc = source->kernel_count ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	strbuf_reset(record);
	strbuf_add(record, &header, sizeof(header));
	strbuf_add_u64(record, sampler->id, false);
	strbuf_add_u64(record, source->kernel_count ? source->kernel[0] : 0, false);
	strbuf_add_u32(record, source->pid, false);
	strbuf_add_u32(record, source->tid, false);
	strbuf_add_u64(record, source->time, false);
	strbuf_add_u64(record, source->cpu, false);
	strbuf_add_u64(record, source->period, false);
	strbuf_add_u64(record, has_kernel ? source->kernel_count + 1 : 0, false);
	if (has_kernel) {
		strbuf_add_u64(record, (uint64_t)PERF_CONTEXT_KERNEL, false);
		strbuf_add(record, source->kernel, 8 * source->kernel_count);
	}
	strbuf_add_u32(record, (uint32_t)source->raw->size, false);
	strbuf_add(record, source->raw->bytes, source->raw->size);
	add_registers(record, source, &sampler->attr);
	header.size = (uint16_t)record->size;
	memcpy(record->bytes, &header, sizeof(header));
}

static struct stack_copy copy_of(const struct off_cpu_stack_record *stack)
{
	const uint8_t *bytes = (const uint8_t *)(&stack->copy + 1);

	return (struct stack_copy){ .stack = stack->copy.stack,
				    .outer = stack->copy.outer,
				    .stack_bytes = bytes,
				    .outer_bytes = bytes + ((stack->copy.stack.size + 7) & ~UINT64_C(7)) };
}

static void append_sample(struct wait_sampler *sampler, const struct sample_source *source,
			  struct strbuf *out)
{
	struct wait_sampler_counts *counts = &sampler->counts;

	build(sampler, source);
	counts->samples++;
	if (!counts->first_ns || source->time < counts->first_ns)
		counts->first_ns = source->time;
	if (source->time > counts->last_ns)
		counts->last_ns = source->time;
	if (source->stack && sampler->evidence) {
		const struct stack_copy copy = copy_of(source->stack);

		evidence_append_copied(sampler->evidence, out, (const uint8_t *)sampler->record.bytes,
				       sampler->record.size, &copy);
	} else {
		strbuf_add(out, sampler->record.bytes, sampler->record.size);
	}
}

/* --- a wait ----------------------------------------------------------------------------------------------------------- */

static enum off_cpu_state state_of(const struct off_cpu_wait_record *record)
{
	switch (record->left) {
	case OFF_CPU_LEFT_PREEMPTED: return OFF_CPU_PREEMPTED;
	case OFF_CPU_LEFT_SLEEPING: return OFF_CPU_SLEEPING;
	case OFF_CPU_LEFT_DISK: return OFF_CPU_DISK;
	case OFF_CPU_LEFT_STOPPED: return OFF_CPU_STOPPED;
	case OFF_CPU_LEFT_NEW: return OFF_CPU_RUNQUEUE;
	default: return OFF_CPU_UNKNOWN;
	}
}

static struct off_cpu_wait describe(const struct wait_sampler *sampler, const struct held_wait *held)
{
	const struct off_cpu_wait_record *record = &held->record;
	struct off_cpu_wait wait = { .state = state_of(record),
				     .flags = record->unfinished ? OFF_CPU_UNFINISHED : 0,
				     .syscall = record->syscall,
				     .begin_ns = record->times.begin_ns,
				     .blocked_ns = record->times.blocked_ns,
				     .waiting_ns = record->times.waiting_ns };

	wait.kind = OFF_CPU_KIND_NONE;
	if (wait.state != OFF_CPU_PREEMPTED && record->left != OFF_CPU_LEFT_NEW) {
		wait.kind = kernel_functions_kind(sampler->plan.functions, record->kernel,
						  record->kernel_count, record->syscall);
		if (wait.kind != OFF_CPU_KIND_PAGE_FAULT && record->in_iowait)
			wait.kind = OFF_CPU_KIND_DISK;
		if (wait.kind == OFF_CPU_KIND_UNKNOWN && !record->is_kernel_thread)
			wait.kind = OFF_CPU_KIND_OTHER;
	}
	wait.wakers[0].kind = OFF_CPU_WAKER_NONE;
	waker_chain_describe(&held->wakers, &wait);
	return wait;
}

/* `stack` is NULL if the user stack did not arrive. */
static void emit(struct wait_sampler *sampler, const struct held_wait *held,
		 const struct off_cpu_stack_record *stack, struct strbuf *out)
{
	const struct off_cpu_wait_record *record = &held->record;
	struct off_cpu_wait wait = describe(sampler, held);
	struct sample_source source = {
		.pid = record->header.pid,
		.tid = record->header.tid,
		.cpu = record->cpu,
		.time = stack ? stack->header.time : record->header.time,
		.period = record->times.blocked_weight,
		.kernel = record->kernel,
		.kernel_count = record->kernel_count,
		.raw = &sampler->raw,
		.stack = stack && stack->has_user && !sampler->plan.no_user_chains ? stack : NULL,
	};

	sampler->counts.without_stack += !record->is_kernel_thread && !(stack && stack->has_user);
	if (source.period) {
		strbuf_reset(&sampler->raw);
		off_cpu_wait_encode(&wait, &sampler->raw);
		append_sample(sampler, &source, out);
	}
	source.period = record->times.waiting_weight;
	if (source.period) {
		if (wait.state != OFF_CPU_PREEMPTED)
			wait.state = OFF_CPU_RUNQUEUE;
		strbuf_reset(&sampler->raw);
		off_cpu_wait_encode(&wait, &sampler->raw);
		append_sample(sampler, &source, out);
	}
}

/* --- records ----------------------------------------------------------------------------------------------------------- */

/* Appends the user part of a waker's chain after `count` entries. Returns the new number of entries. */
static size_t add_waker_user_frames(struct wait_sampler *sampler, const struct off_cpu_stack_record *stack,
				    uint64_t *chain, size_t count, bool *is_cut)
{
	const struct strbuf no_raw = { .size = 0 };
	const struct sample_source source = { .pid = stack->stack_pid,
					      .tid = stack->stack_tid,
					      .time = stack->header.time,
					      .raw = &no_raw,
					      .stack = stack };
	const struct stack_copy copy = copy_of(stack);
	bool is_whole;
	size_t added;

	build(sampler, &source);
	added = evidence_walk(sampler->evidence, (const uint8_t *)sampler->record.bytes, sampler->record.size,
			      &copy, chain + count + 1, MAX_WAKER_FRAMES, &is_whole);
	*is_cut = !is_whole;
	if (!added)
		return count;
	chain[count] = (uint64_t)PERF_CONTEXT_USER;
	return count + 1 + added;
}

static void take_wake(struct wait_sampler *sampler, const struct off_cpu_stack_record *stack)
{
	struct waiter *waiter = waiter_of(sampler, stack->header.tid);
	const struct kernel_functions *functions = sampler->plan.functions;
	const uint64_t *kernel = stack->kernel;
	size_t kernel_count = stack->kernel_count, count = 0, waking;
	uint64_t words[OFF_CPU_KERNEL_FRAMES + MAX_WAKER_FRAMES + 2];
	struct off_cpu_waking waker = { .woken_ns = stack->header.time };

	if (kernel_count > OFF_CPU_KERNEL_FRAMES)
		kernel_count = OFF_CPU_KERNEL_FRAMES;
	waker.kind = kernel_functions_waker(functions, kernel, kernel_count);
	if (waker.kind == OFF_CPU_WAKER_THREAD && !stack->stack_tid)
		waker.kind = OFF_CPU_WAKER_IDLE;
	/* The frames of the interrupted thread have nothing to do with the wakeup. */
	if (waker.kind != OFF_CPU_WAKER_THREAD)
		kernel_count = kernel_functions_interrupt_frames(functions, kernel, kernel_count);
	waking = kernel_functions_waking_frames(functions, kernel, kernel_count);
	if (kernel_count > waking) {
		words[count++] = (uint64_t)PERF_CONTEXT_KERNEL;
		memcpy(words + count, kernel + waking, (kernel_count - waking) * sizeof(*kernel));
		count += kernel_count - waking;
	}
	if (waker.kind == OFF_CPU_WAKER_THREAD && stack->has_user && sampler->evidence)
		count = add_waker_user_frames(sampler, stack, words, count, &waker.is_cut);
	waking_release(waiter->waking);
	waiter->waking = waking_create(&waker, words, count);
}

/* The waking that ended the wait; NULL if nothing woke the thread. The caller gets a reference. */
static struct waking *waking_of(struct waiter *waiter, const struct off_cpu_wait_record *record)
{
	struct waking *waking = waiter->waking;

	if (!record->times.wake_ns)
		return NULL;
	if (record->waker.captured && waking && waking->waker.woken_ns == record->times.wake_ns) {
		waiter->waking = NULL;
	} else {
		const struct off_cpu_waking without_stack = {
			.kind = record->left == OFF_CPU_LEFT_NEW ? OFF_CPU_WAKER_THREAD :
								   OFF_CPU_WAKER_UNKNOWN,
			.woken_ns = record->times.wake_ns,
		};

		waking = waking_create(&without_stack, NULL, 0);
	}
	if (waking->waker.kind == OFF_CPU_WAKER_THREAD) {
		waking->waker.pid = record->waker.pid;
		waking->waker.tid = record->waker.tid;
		memcpy(waking->waker.comm, record->waker.comm, sizeof(waking->waker.comm));
	}
	return waking;
}

static void take_wait(struct wait_sampler *sampler, const struct off_cpu_wait_record *record,
		      struct strbuf *out)
{
	struct waiter *waiter = waiter_of(sampler, record->header.tid);
	struct held_wait held = { .record = *record };
	struct waking *waking = waking_of(waiter, record);

	if (held.record.kernel_count > OFF_CPU_KERNEL_FRAMES)
		held.record.kernel_count = OFF_CPU_KERNEL_FRAMES;
	if (waking) {
		held.wakers = waker_chains_extend(sampler->chains, waking, record->waker.woken_ns,
						  record->times.begin_ns);
		waker_chains_note(sampler->chains, record->header.tid, &held.wakers);
	}
	if (!record->header.number) {
		emit(sampler, &held, NULL, out);
		waker_chain_fini(&held.wakers);
		return;
	}
	*ARRAY_ADD(waiter->held, waiter->held_count, waiter->held_capacity) = held;
}

/* Emits the waits that are held for this copy. Those held for an earlier copy, which did not arrive, get no stack. */
static void take_copy(struct wait_sampler *sampler, const struct off_cpu_stack_record *stack,
		      struct strbuf *out)
{
	struct waiter *waiter = waiter_of(sampler, stack->header.tid);

	for (size_t i = 0; i < waiter->held_count; i++) {
		struct held_wait *held = &waiter->held[i];

		emit(sampler, held, held->record.header.number == stack->header.number ? stack : NULL, out);
		waker_chain_fini(&held->wakers);
	}
	waiter->held_count = 0;
}

/* xprof's own BPF programs write the ring; sizes are checked all the same. */
static void take(struct wait_sampler *sampler, const uint8_t *bytes, size_t size, struct strbuf *out)
{
	const void *record = bytes; /* aligned to 8 */
	struct off_cpu_header header;

	if (size < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	if (header.type == OFF_CPU_RECORD_WAIT && size >= sizeof(struct off_cpu_wait_record))
		take_wait(sampler, record, out);
	else if (header.type == OFF_CPU_RECORD_WAKE && size >= sizeof(struct off_cpu_stack_record))
		take_wake(sampler, record);
	else if (header.type == OFF_CPU_RECORD_COPY && size >= sizeof(struct off_cpu_stack_record))
		take_copy(sampler, record, out);
}

void wait_sampler_begin_round(struct wait_sampler *sampler)
{
	sampler->round_end = copy_ring_end(sampler->plan.ring);
}

void wait_sampler_append(struct wait_sampler *sampler, struct strbuf *out)
{
	struct copy_ring *ring = sampler->plan.ring;
	uint64_t position = copy_ring_begin(ring);

	while (position < sampler->round_end) {
		const struct copy_ring_record record = copy_ring_read(ring, position);

		if (record.state == COPY_RING_BUSY)
			break;
		if (record.state == COPY_RING_READY)
			take(sampler, record.bytes, record.size, out);
		position = record.next;
	}
	copy_ring_release(ring, position);
}

void wait_sampler_append_rest(struct wait_sampler *sampler, struct strbuf *out)
{
	for (size_t i = 0; i < sampler->waiter_count; i++) {
		struct waiter *waiter = &sampler->waiters[i];

		for (size_t j = 0; j < waiter->held_count; j++) {
			emit(sampler, &waiter->held[j], NULL, out);
			waker_chain_fini(&waiter->held[j].wakers);
		}
		waiter->held_count = 0;
	}
}

/* Adds the sample_id trailer of the event's records (TID, TIME, CPU, IDENTIFIER) with only the id. */
static void add_trailer(const struct wait_sampler *sampler, struct strbuf *out)
{
	strbuf_add_zeros(out, 8 + 8 + 8);
	strbuf_add_u64(out, sampler->id, false);
}

void wait_sampler_note_lost(struct wait_sampler *sampler, uint64_t lost)
{
	sampler->counts.lost = lost;
}

void wait_sampler_add_lost(struct wait_sampler *sampler, struct strbuf *out)
{
	enum { TRAILER_BYTES = 4 * 8 };
	const uint64_t lost = sampler->counts.lost;
	struct perf_event_header header = { .type = PERF_RECORD_LOST_SAMPLES,
					    .size = sizeof(header) + 8 + TRAILER_BYTES };

	if (!lost)
		return;
	strbuf_add(out, &header, sizeof(header));
	strbuf_add_u64(out, lost, false);
	add_trailer(sampler, out);
	header.type = PERF_RECORD_LOST;
	header.size += 8;
	strbuf_add(out, &header, sizeof(header));
	strbuf_add_u64(out, sampler->id, false);
	strbuf_add_u64(out, lost, false);
	add_trailer(sampler, out);
}

struct wait_sampler_counts wait_sampler_counts(const struct wait_sampler *sampler)
{
	return sampler->counts;
}

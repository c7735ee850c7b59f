/*
 * Times every context switch of the recorded threads, and takes a stack each time their time off the CPU passes a period.
 *
 *	sched_switch  the previous thread leaves the CPU: note when and how
 *	sched_waking  runs in the waker: note how long the thread slept and who wakes it. If the wait is sampled, take the
 *	              waker's stack
 *	sched_switch  the next thread comes back: note how long it waited for the CPU. If the wait is sampled, take its kernel
 *	              stack, and schedule a task work that copies its user stack when it returns to user space (kernels
 *	              without task work: sys_exit copies it, or see off_cpu_kept.bpf.h)
 *
 * A wait of at least a period is sampled with its own duration. Shorter waits are summed up, and the wait in which the sum
 * passes a threshold is sampled with a whole period. Each period of the sum has one threshold, at a random place in it. So each
 * moment off the CPU is equally likely to be sampled, whatever the rhythm of the program, and sums are right up to a period.
 *
 * A waker on another CPU may see a thread that is about to leave the CPU before its switch is seen here. So a waking is noted for
 * any thread at any time, and only when the thread is switched in is it decided to which wait the waking belongs.
 *
 * Most switches and wakings only note a time. The functions for that are inlined, those for a sampled wait are not: on kernels
 * with return protection (SRSO, retbleed) every call is expensive.
 */

#include "record/bpf/off_cpu_cgroups.bpf.h"
#include "record/bpf/off_cpu_kept.bpf.h"
#include "record/bpf/off_cpu_stacks.bpf.h"
#include "record/bpf/off_cpu_threads.bpf.h"

static __always_inline void leave_cpu(struct task_struct *task, struct wait_state *state, bool is_preempted,
				      __u32 left_as, __u64 now)
{
	if (is_preempted || !left_as)
		state->left = OFF_CPU_LEFT_PREEMPTED;
	else if (left_as & TASK_UNINTERRUPTIBLE_BIT)
		state->left = OFF_CPU_LEFT_DISK;
	else if (left_as & TASK_STOPPED_BITS)
		state->left = OFF_CPU_LEFT_STOPPED;
	else
		state->left = OFF_CPU_LEFT_SLEEPING;
	state->is_returning = !is_preempted && !left_as;
	if (!is_in_wanted_cgroup(task))
		now = 0;
	state->out_ns = !is_preempted && left_as & (TASK_DEAD_BITS | TASK_NOLOAD_BIT) ? 0 : now;
}

static void send_wait(struct task_struct *task, const struct wait_state *state,
		      const struct off_cpu_times *times, const struct off_cpu_header *header, bool unfinished)
{
	struct off_cpu_wait_record *record = bpf_ringbuf_reserve(&copies, sizeof(*record), 0);

	if (!record) {
		count_off_cpu(OFF_CPU_NO_ROOM);
		return;
	}
	record->header = *header;
	record->times = *times;
	record->waker = state->waker;
	record->waker.captured &= times->wake_ns != 0;
	record->syscall = syscall_of(task);
	record->left = state->left;
	record->in_iowait = BPF_CORE_READ_BITFIELD_PROBED(WAIT_OF(task), in_iowait);
	record->unfinished = unfinished;
	record->is_kernel_thread = !!(task->flags & PF_KTHREAD_BIT);
	record->cpu = bpf_get_smp_processor_id();
	record->kernel_count = copy_kernel_stack(task, record->kernel);
	bpf_ringbuf_submit(record, wake_flags(sizeof(*record)));
}

/* The times of the wait that began at out_ns and ends now. */
static __always_inline struct off_cpu_times times_of(const struct wait_state *state,
						     const struct off_cpu_span *counted, __u64 now)
{
	const __u64 out = state->out_ns;
	struct off_cpu_times times = { .begin_ns = out };
	__u64 woken = out;

	if (state->left != OFF_CPU_LEFT_PREEMPTED) {
		/* If woken before it left, the waker was faster than the switch. */
		if (state->wake_ns > out)
			woken = state->wake_ns;
		times.wake_ns = state->wake_ns;
		times.blocked_weight = state->blocked_weight;
	}
	times.blocked_ns = time_within(counted, out, woken);
	times.waiting_ns = time_within(counted, woken, now);
	return times;
}

static __attribute__((noinline)) void sample_wait(struct task_struct *task, struct wait_state *state,
						  const struct off_cpu_times *times, __u64 now)
{
	const struct off_cpu_header header = { .type = OFF_CPU_RECORD_WAIT,
					       .time = now,
					       .pid = WAIT_OF(task)->tgid,
					       .tid = WAIT_OF(task)->pid,
					       .number = schedule_copy(task, state) };

	send_wait(task, state, times, &header, false);
	if (state->kept)
		send_kept(task, state, now);
}

static __always_inline void come_back(struct task_struct *task, struct wait_state *state, __u64 now)
{
	const struct off_cpu_span *counted = counted_span();
	struct off_cpu_times times;

	if (!state->out_ns)
		return;
	if (counted)
		times = times_of(state, counted, now);
	state->out_ns = 0;
	state->blocked_weight = 0;
	if (!counted || !is_wanted_cpu(bpf_get_smp_processor_id()))
		return;
	times.waiting_weight = weigh(&state->waiting, times.waiting_ns);
	if (times.waiting_weight || times.blocked_weight)
		sample_wait(task, state, &times, now);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *before, struct task_struct *after,
	     unsigned int before_state)
{
	struct wait_state *leaving = state_of(before);
	struct wait_state *coming = bpf_task_storage_get(&threads, after, 0, 0);
	__u64 now;

	(void)ctx;
	if (!leaving && !coming)
		return 0;
	now = bpf_ktime_get_ns();
	if (leaving) {
		leave_cpu(before, leaving, preempt, before_state, now);
		if (off_cpu.at_exit)
			keep_stack(before, leaving, now);
	}
	if (coming) {
		come_back(after, coming, now);
		if (off_cpu.at_exit)
			forget_kept(coming);
	}
	return 0;
}

/*
 * Sends the stack of whatever runs on this CPU. Returns whether it was sent. The kernel part shows the reader whether it is an
 * interrupt's.
 */
static __attribute__((noinline)) bool send_waker(void *context, struct task_struct *woken, __u64 now)
{
	const struct off_cpu_header header = { .type = OFF_CPU_RECORD_WAKE,
					       .pid = WAIT_OF(woken)->tgid,
					       .tid = WAIT_OF(woken)->pid,
					       .time = now };
	const __u32 zero = 0;
	struct kernel_frames *kernel = bpf_map_lookup_elem(&waker_frames, &zero);
	struct copying *copying = begin_copying(&copies);
	__u32 has_user;
	long bytes;

	if (!copying || !kernel)
		return false;
	bytes = bpf_get_stack(context, kernel->frames, sizeof(kernel->frames), 0);
	kernel->count = bytes > 0 ? (__u64)bytes / sizeof(__u64) : 0;
	has_user = prepare(copying, now) != 0;
	if (has_user) {
		copying->record.outer.size = 0;
		if (copying->record.stack.size > OFF_CPU_WAKER_STACK_BYTES)
			copying->record.stack.size = OFF_CPU_WAKER_STACK_BYTES;
	}
	return send_stack(copying, &header, has_user, kernel);
}

static void note_waker(struct wait_state *state, bool captured)
{
	const __u64 id = bpf_get_current_pid_tgid();
	const struct wait_state *waker = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), 0, 0);

	state->waker.captured = captured;
	state->waker.woken_ns = waker ? waker->wake_ns : 0;
	state->waker.pid = id >> 32;
	state->waker.tid = (__u32)id;
	bpf_get_current_comm(state->waker.comm, sizeof(state->waker.comm));
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *woken)
{
	struct wait_state *state = state_of(woken);
	const struct off_cpu_span *counted = counted_span();
	__u64 now, weight = 0;

	if (!state)
		return 0;
	now = bpf_ktime_get_ns();
	if (counted && state->out_ns && state->left != OFF_CPU_LEFT_PREEMPTED)
		weight = weigh(&state->blocked, time_within(counted, state->out_ns, now));
	/* The waker is written only for sampled waits. */
	state->waker.captured = 0;
	if (weight)
		note_waker(state, send_waker(ctx, woken, now));
	state->blocked_weight = weight;
	state->wake_ns = now;
	return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *woken)
{
	struct wait_state *state = state_of(woken);

	(void)ctx;
	if (!state)
		return 0;
	state->left = OFF_CPU_LEFT_NEW;
	state->wake_ns = bpf_ktime_get_ns();
	state->out_ns = is_in_wanted_cgroup(woken) ? state->wake_ns : 0;
	note_waker(state, false);
	return 0;
}

/* Records threads and processes that a recorded thread starts. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	const struct wait_state *state;

	(void)ctx;
	if (off_cpu.any_thread || off_cpu.no_inherit)
		return 0;
	state = state_of(parent);
	if (state && state->is_target)
		begin_state(child);
	return 0;
}

/* The command starts here; until now xprof itself ran in its process. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task)
{
	const __u32 zero = 0;
	struct off_cpu_span *counted = bpf_map_lookup_elem(&span, &zero);

	(void)ctx;
	if (off_cpu.from_exec && counted && !counted->begin_ns && is_wanted(task))
		counted->begin_ns = bpf_ktime_get_ns();
	return 0;
}

/* A thread that ends in a system call does not return to user space. Its stack still exists, so copy it now. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct wait_state *state = bpf_task_storage_get(&threads, task, 0, 0);

	(void)ctx;
	if (state && state->pending)
		send_pending_copy(state);
	return 0;
}

/* Attached only if the kernel has no task work, because it costs time in every system call of the machine. */
SEC("tp_btf/sys_exit")
int BPF_PROG(on_sys_exit, struct pt_regs *registers, long result)
{
	struct wait_state *state = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), 0, 0);

	(void)ctx;
	(void)registers;
	(void)result;
	if (state && state->pending)
		send_pending_copy(state);
	return 0;
}

/* --- waits that began before the recording, and waits that outlast it ------------------------------------------------- */

struct bpf_iter__task {
	__u64 meta;
	struct task_struct *task;
};

/* Finds the stack of another thread, which is not running. */
static bool place_stack_of(struct task_struct *task, struct stack_copy_record *record)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	struct stack_bounds mapping = { 0 };
	unsigned long sp = 0;
	__u64 block = 0;

	if (task->flags & PF_KTHREAD_BIT)
		return false;
	bpf_probe_read_kernel(&sp, sizeof(sp), (const void *)&PT_REGS_SP(registers));
	if (sp < STACK_COPY_PAGE || bpf_find_vma(task, sp, keep_bounds, &mapping, 0))
		return false;
	if (bpf_core_field_exists(task->thread.fsbase))
		block = task->thread.fsbase;
	if (block > sp && block < mapping.end)
		mapping.end = block;
	record->time = bpf_ktime_get_ns();
	record->pid = WAIT_OF(task)->tgid;
	record->tid = WAIT_OF(task)->pid;
	record->stack.address = sp - STACK_COPY_RED_ZONE;
	record->stack.size = bytes_to(mapping.end, record->stack.address, STACK_COPY_MAX_UNSURE);
	return true;
}

/* Copies the stack of another thread into a record. The scratch memory is free: the other programs are detached by now. */
struct reading {
	struct bpf_dynptr to;
	struct copying *copying;
	struct task_struct *task;
};

/* For bpf_loop(): copies a page, or part of one. Returns 1, which ends the loop, after the last or if one cannot be read. */
static long read_page(__u32 number, struct reading *reading)
{
	struct copying *copying = reading->copying;
	const __u64 from = copying->to, left = copying->end - from;
	__u64 bytes = STACK_COPY_PAGE - from % STACK_COPY_PAGE;

	(void)number;
	if (bytes > left)
		bytes = left;
	if (!bytes || bytes > STACK_COPY_PAGE ||
	    bpf_copy_from_user_task(copying->page, bytes, (const void *)from, reading->task, 0))
		return 1;
	bpf_dynptr_write(&reading->to, copying->offset, copying->page, bytes, 0);
	copying->to += bytes;
	copying->offset += bytes;
	return 0;
}

/* Sends the thread's user stack, for the waits with this number. */
static void send_copy_of(struct task_struct *task, __u32 number)
{
	struct stack_copy_record record = { 0 };
	struct off_cpu_stack_record *head;
	struct reading reading = { .task = task, .copying = begin_copying(&copies) };
	const bool has_user = place_stack_of(task, &record);
	const __u32 bytes = COPY_OFFSET + sizeof(record) + (__u32)record.stack.size;

	if (!number || !reading.copying)
		return;
	if (bpf_ringbuf_reserve_dynptr(&copies, bytes, 0, &reading.to)) {
		bpf_ringbuf_discard_dynptr(&reading.to, 0); /* required after a failure, too */
		return;
	}
	reading.copying->base = 0;
	head = bpf_dynptr_data(&reading.to, 0, sizeof(*head));
	if (head) {
		head->header = (struct off_cpu_header){ .type = OFF_CPU_RECORD_COPY,
							.number = number,
							.pid = WAIT_OF(task)->tgid,
							.tid = WAIT_OF(task)->pid,
							.time = bpf_ktime_get_ns() };
		head->stack_pid = head->header.pid;
		head->stack_tid = head->header.tid;
		head->kernel_count = 0;
		head->has_user = has_user;
		bpf_probe_read_kernel(head->registers, PT_REGS_BYTES, (const void *)bpf_task_pt_regs(task));
	}
	begin_part(reading.copying, &record.stack, COPY_OFFSET + sizeof(record));
	if (has_user)
		bpf_loop(STACK_COPY_MAX_UNSURE / STACK_COPY_PAGE + 1, read_page, &reading, 0);
	record.stack.size = reading.copying->to - record.stack.address;
	if (head && !record.stack.size)
		head->has_user = 0;
	bpf_dynptr_write(&reading.to, COPY_OFFSET, &record, sizeof(record), 0);
	bpf_ringbuf_submit_dynptr(&reading.to, 0);
}

static void send_unfinished(struct task_struct *task, struct wait_state *state,
			    const struct off_cpu_span *counted)
{
	const __u64 now = counted->end_ns;
	struct off_cpu_header header = { .type = OFF_CPU_RECORD_WAIT, .time = now };
	struct off_cpu_times times = times_of(state, counted, now);

	/* It was not woken, so it slept all the time. */
	if (state->left != OFF_CPU_LEFT_PREEMPTED && state->wake_ns <= state->out_ns) {
		times.blocked_ns = times.waiting_ns;
		times.waiting_ns = times.wake_ns = 0;
		times.blocked_weight = weigh(&state->blocked, times.blocked_ns);
	}
	times.waiting_weight = weigh(&state->waiting, times.waiting_ns);
	if (!times.blocked_weight && !times.waiting_weight)
		return;
	header.pid = WAIT_OF(task)->tgid;
	header.tid = WAIT_OF(task)->pid;
	if (!(task->flags & PF_KTHREAD_BIT)) {
		state->number += !state->pending;
		state->pending = 1;
		header.number = state->number;
	}
	send_wait(task, state, &times, &header, true);
}

/* Notes a thread that has been waiting since before the recording. */
static void note_waiting(struct task_struct *task, __u64 now)
{
	struct wait_state *state;

	if (WAIT_OF(task)->on_cpu)
		return;
	state = state_of(task);
	if (!state || state->out_ns)
		return;
	leave_cpu(task, state, false, WAIT_OF(task)->__state, now);
}

/* Runs for each thread when waits begin to count, and again when they no longer do. */
SEC("iter.s/task")
int on_each_thread(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	const __u32 zero = 0;
	const struct off_cpu_span *counted = bpf_map_lookup_elem(&span, &zero);
	struct wait_state *state;

	if (!task || !counted)
		return 0;
	if (!counted->end_ns) {
		note_waiting(task, bpf_ktime_get_ns());
		return 0;
	}
	state = bpf_task_storage_get(&threads, task, 0, 0);
	if (!state || WAIT_OF(task)->on_cpu)
		return 0;
	if (state->out_ns)
		send_unfinished(task, state, counted);
	if (state->pending)
		send_copy_of(task, state->number);
	return 0;
}

#ifndef XPROF_RECORD_BPF_OFF_CPU_KEPT_BPF_H
#define XPROF_RECORD_BPF_OFF_CPU_KEPT_BPF_H

/*
 * For off_cpu.bpf.c on kernels without task work: user stacks of threads that wait outside of system calls (in a page fault, or
 * preempted on their way to user space). No end of a system call follows at which the stack could be copied, and when the
 * thread switches in, its memory cannot be read. So its stack is copied whenever such a thread leaves the CPU, and is sent if
 * the wait turns out to be sampled.
 */

#include "record/bpf/off_cpu_stacks.bpf.h"

static void keep_stack(struct task_struct *task, struct wait_state *state, __u64 now)
{
	const __u32 tid = WAIT_OF(task)->pid;
	struct copying *copying = begin_copying(&copies);
	struct kept_stack *stack = NULL;
	__u32 number = 0;
	__u64 size;

	if (!copying || !state->out_ns || !counted_span() ||
	    task->flags & (PF_KTHREAD_BIT | PF_EXITING_BIT) || !waits_outside(task, state) ||
	    !prepare(copying, now))
		return;
	for (__u32 i = 0; i < SLOT_TRIES; i++) {
		number = (tid + i) & (OFF_CPU_KEPT - 1);
		stack = bpf_map_lookup_elem(&kept, &number);
		if (stack && __sync_val_compare_and_swap(&stack->owner, 0, tid) == 0)
			break;
		stack = NULL;
	}
	if (!stack)
		return;
	size = copying->record.stack.size;
	if (size > OFF_CPU_KEPT_BYTES)
		size = OFF_CPU_KEPT_BYTES;
	copying->record.stack.size = size;
	copying->record.outer.size = 0;
	stack->record = copying->record;
	if (bpf_probe_read_user(stack->bytes, size, (const void *)stack->record.stack.address))
		stack->owner = 0;
	else
		state->kept = number + 1;
}

/* Sends the record COPY that belongs to the wait sent just before. */
static void send_kept(struct task_struct *task, struct wait_state *state, __u64 now)
{
	const __u32 number = state->kept - 1;
	const struct kept_stack *stack = bpf_map_lookup_elem(&kept, &number);
	struct off_cpu_stack_record *head;
	struct bpf_dynptr room;
	__u64 size;
	__u32 bytes;

	if (!stack)
		return;
	size = stack->record.stack.size;
	if (size > OFF_CPU_KEPT_BYTES)
		return;
	bytes = sizeof(*head) + (__u32)size;
	if (bpf_ringbuf_reserve_dynptr(&copies, bytes, 0, &room)) {
		bpf_ringbuf_discard_dynptr(&room, 0); /* required after a failure, too */
		count_off_cpu(OFF_CPU_NO_ROOM_STACK);
		return;
	}
	head = bpf_dynptr_data(&room, 0, sizeof(*head));
	if (head) {
		head->header = (struct off_cpu_header){ .type = OFF_CPU_RECORD_COPY,
							.number = state->number,
							.pid = WAIT_OF(task)->tgid,
							.tid = WAIT_OF(task)->pid,
							.time = now };
		head->stack_pid = head->header.pid;
		head->stack_tid = head->header.tid;
		head->has_user = true;
		head->kernel_count = 0;
		head->copy = stack->record;
		bpf_probe_read_kernel(head->registers, PT_REGS_BYTES, (const void *)bpf_task_pt_regs(task));
	}
	bpf_dynptr_write(&room, sizeof(*head), (void *)stack->bytes, size, 0);
	bpf_ringbuf_submit_dynptr(&room, wake_flags(bytes));
}

static void forget_kept(struct wait_state *state)
{
	const __u32 number = state->kept - 1;
	struct kept_stack *stack;

	if (!state->kept)
		return;
	stack = bpf_map_lookup_elem(&kept, &number);
	if (stack)
		stack->owner = 0;
	state->kept = 0;
}

#endif

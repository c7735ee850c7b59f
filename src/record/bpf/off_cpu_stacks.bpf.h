#ifndef XPROF_RECORD_BPF_OFF_CPU_STACKS_BPF_H
#define XPROF_RECORD_BPF_OFF_CPU_STACKS_BPF_H

/* For off_cpu.bpf.c: sends stacks of the current thread, at once or by task work when it returns to user space. */

#include "record/bpf/off_cpu_threads.bpf.h"
#include "record/bpf/stack_copy_fill.bpf.h"

static __u32 copy_kernel_stack(struct task_struct *task, __u64 *frames)
{
	const long bytes = bpf_get_task_stack(task, frames, OFF_CPU_KERNEL_FRAMES * sizeof(__u64), 0);

	return bytes > 0 ? (__u32)bytes / sizeof(__u64) : 0;
}

enum { COPY_OFFSET = offsetof(struct off_cpu_stack_record, copy) };

/*
 * Sends the stack of the current thread: the user part as prepare() has chosen it, unless `has_user` is 0, and the kernel part,
 * unless `kernel` is NULL.
 */
static bool send_stack(struct copying *copying, const struct off_cpu_header *header, __u32 has_user,
		       struct kernel_frames *kernel)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct filling filling = { .copying = copying };
	struct off_cpu_stack_record *head;
	__u32 bytes = sizeof(*head);

	if (has_user)
		bytes = COPY_OFFSET + outer_offset(&copying->record) + (__u32)copying->record.outer.size;
	if (bpf_ringbuf_reserve_dynptr(&copies, bytes, 0, &filling.to)) {
		bpf_ringbuf_discard_dynptr(&filling.to, 0); /* required after a failure, too */
		count_off_cpu(OFF_CPU_NO_ROOM_STACK);
		return false;
	}
	head = bpf_dynptr_data(&filling.to, 0, sizeof(*head));
	if (head) {
		head->header = *header;
		head->stack_pid = WAIT_OF(task)->tgid;
		head->stack_tid = WAIT_OF(task)->pid;
		head->has_user = has_user;
		head->kernel_count = kernel ? kernel->count : 0;
		if (has_user)
			bpf_probe_read_kernel(head->registers, PT_REGS_BYTES,
					      (const void *)bpf_task_pt_regs(task));
	}
	if (kernel)
		bpf_dynptr_write(&filling.to, offsetof(struct off_cpu_stack_record, kernel), kernel->frames,
				 sizeof(kernel->frames), 0);
	if (has_user) {
		copying->base = COPY_OFFSET;
		fill(&filling);
	}
	bpf_ringbuf_submit_dynptr(&filling.to, wake_flags(bytes));
	return true;
}

/* --- the user stack of a thread that returns to user space ------------------------------------------------------------ */

static void send_copy(struct slot *slot, __u32 tid, __u32 pid)
{
	const struct off_cpu_header header = { .type = OFF_CPU_RECORD_COPY,
					       .number = slot->number,
					       .pid = pid,
					       .tid = tid,
					       .time = bpf_ktime_get_ns() };

	send_stack(&slot->copying, &header, prepare(&slot->copying, header.time) != 0, NULL);
}

/* The task work: runs in the thread before it returns to user space. */
static int on_return_to_user(struct bpf_map *map, void *key, void *value)
{
	const __u64 id = bpf_get_current_pid_tgid();
	struct task_struct *task = bpf_get_current_task_btf();
	struct slot *slot = value;
	struct wait_state *state;

	(void)map;
	(void)key;
	if (slot->owner != (__u32)id)
		return 0;
	state = bpf_task_storage_get(&threads, task, 0, 0);
	if (state && state->pending) {
		state->pending = 0;
		send_copy(slot, (__u32)id, id >> 32);
	}
	slot->owner = 0;
	return 0;
}

enum { SLOT_TRIES = 4 };

static struct slot *claim_slot(__u32 tid)
{
	for (__u32 i = 0; i < SLOT_TRIES; i++) {
		const __u32 key = (tid + i) & (OFF_CPU_SLOTS - 1);
		struct slot *slot = bpf_map_lookup_elem(&slots, &key);

		if (slot && __sync_val_compare_and_swap(&slot->owner, 0, tid) == 0)
			return slot;
	}
	count_off_cpu(OFF_CPU_NO_SLOT);
	return NULL;
}

/* Schedules the copy for the thread's return to user space. Without task work, on_sys_exit() will find the slot. */
static bool ask_for_copy(struct task_struct *task, struct slot *slot)
{
	if (off_cpu.at_exit ||
	    !bpf_task_work_schedule_resume_impl(task, &slot->work, &slots, on_return_to_user, NULL))
		return true;
	count_off_cpu(OFF_CPU_NOT_SCHEDULED);
	slot->owner = 0;
	return false;
}

/* Number of the system call that a thread is in; -1 if it is in none. */
static __s32 syscall_of(struct task_struct *task)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	__u64 number = -1;

	if (task->flags & PF_KTHREAD_BIT)
		return -1;
#ifdef __TARGET_ARCH_x86
	bpf_probe_read_kernel(&number, sizeof(number), (const void *)&registers->orig_rax);
#endif
	return (__s32)number;
}

/* Whether the thread waits outside of a system call, or after the end of one. */
static bool waits_outside(struct task_struct *task, const struct wait_state *state)
{
	return state->is_returning || syscall_of(task) < 0;
}

/* Schedules the copy of a thread's user stack. Returns its number, or 0 if no copy will come. */
static __u32 schedule_copy(struct task_struct *task, struct wait_state *state)
{
	struct slot *slot;

	if (state->kept)
		return ++state->number;
	if (state->pending)
		return state->number;
	if (task->flags & (PF_KTHREAD_BIT | PF_EXITING_BIT) ||
	    (off_cpu.at_exit && waits_outside(task, state)))
		return 0;
	slot = claim_slot(WAIT_OF(task)->pid);
	if (!slot)
		return 0;
	slot->number = state->number + 1;
	if (!ask_for_copy(task, slot))
		return 0;
	state->pending = 1;
	return ++state->number;
}

/* Sends the pending copy of a thread that ends or, without task work, leaves a system call. */
static void send_pending_copy(struct wait_state *state)
{
	const __u64 id = bpf_get_current_pid_tgid();

	for (__u32 i = 0; i < SLOT_TRIES; i++) {
		const __u32 key = ((__u32)id + i) & (OFF_CPU_SLOTS - 1);
		struct slot *slot = bpf_map_lookup_elem(&slots, &key);

		if (slot && slot->owner == (__u32)id) {
			state->pending = 0;
			send_copy(slot, (__u32)id, id >> 32);
			slot->owner = 0;
			break;
		}
	}
}

#endif

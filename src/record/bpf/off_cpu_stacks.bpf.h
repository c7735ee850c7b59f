#ifndef XPROF_RECORD_BPF_OFF_CPU_STACKS_BPF_H
#define XPROF_RECORD_BPF_OFF_CPU_STACKS_BPF_H

/* For off_cpu.bpf.c: sends stacks of the current thread, at once or by task work when it returns to user space. */

#include "record/bpf/off_cpu_threads.bpf.h"

static __u32 copy_kernel_stack(struct task_struct *task, __u64 *frames)
{
	const long bytes = bpf_get_task_stack(task, frames, OFF_CPU_KERNEL_FRAMES * sizeof(__u64), 0);

	return bytes > 0 ? (__u32)bytes / sizeof(__u64) : 0;
}

/* A record with a stack while it is being filled. */
struct sending {
	struct bpf_dynptr room;
	struct copying *copying;
	/* the part that is being copied: address and size in the thread's memory, offset in the record */
	__u64 address, size, offset;
	__u32 in_outer;
};

enum { COPY_OFFSET = offsetof(struct off_cpu_stack_record, copy) };

/* For bpf_loop(): copies one page, or the rest of one. */
static long copy_one_page(__u32 number, struct sending *sending)
{
	const __u64 first = STACK_COPY_PAGE - sending->address % STACK_COPY_PAGE;
	const __u64 skipped = number ? first + (number - 1) * (__u64)STACK_COPY_PAGE : 0;
	__u64 bytes = number ? STACK_COPY_PAGE : first;
	struct copying *copying = sending->copying;

	if (skipped >= sending->size)
		return 1;
	if (bytes > sending->size - skipped)
		bytes = sending->size - skipped;
	if (bpf_probe_read_user_dynptr(&sending->room, sending->offset + skipped, bytes,
				       (const void *)(sending->address + skipped)))
		note_hole(sending->in_outer ? &copying->record.outer : &copying->record.stack,
			  sending->address + skipped);
	return 0;
}

/* Copies the range at once or, if one of its pages is not present, page by page. */
static void copy_range(struct sending *sending)
{
	if (sending->size && bpf_probe_read_user_dynptr(&sending->room, sending->offset, sending->size,
							(const void *)sending->address))
		bpf_loop(STACK_COPY_MAX / STACK_COPY_PAGE + 2, copy_one_page, sending, 0);
}

static void copy_parts(struct sending *sending)
{
	struct copying *copying = sending->copying;

	sending->address = copying->record.stack.address;
	sending->size = copying->record.stack.size;
	sending->offset = COPY_OFFSET + sizeof(copying->record);
	sending->in_outer = false;
	copy_range(sending);
	sending->address = copying->record.outer.address;
	sending->size = copying->record.outer.size;
	sending->offset = COPY_OFFSET + outer_offset(&copying->record);
	sending->in_outer = true;
	copy_range(sending);
	bpf_dynptr_write(&sending->room, COPY_OFFSET, &copying->record, sizeof(copying->record), 0);
}

/*
 * Sends the stack of the current thread: the user part as prepare() has chosen it, unless `has_user` is 0, and the kernel part,
 * unless `kernel` is NULL.
 */
static bool send_stack(struct copying *copying, const struct off_cpu_header *header, __u32 has_user,
		       struct kernel_frames *kernel)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct sending sending = { .copying = copying };
	struct off_cpu_stack_record *head;
	__u32 bytes = sizeof(*head);

	if (has_user)
		bytes = COPY_OFFSET + outer_offset(&copying->record) + (__u32)copying->record.outer.size;
	if (bpf_ringbuf_reserve_dynptr(&copies, bytes, 0, &sending.room)) {
		bpf_ringbuf_discard_dynptr(&sending.room, 0); /* required after a failure, too */
		count_off_cpu(OFF_CPU_NO_ROOM_STACK);
		return false;
	}
	head = bpf_dynptr_data(&sending.room, 0, sizeof(*head));
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
		bpf_dynptr_write(&sending.room, offsetof(struct off_cpu_stack_record, kernel), kernel->frames,
				 sizeof(kernel->frames), 0);
	if (has_user)
		copy_parts(&sending);
	bpf_ringbuf_submit_dynptr(&sending.room, wake_flags(bytes));
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

/* Schedules the copy of a thread's user stack. Returns its number, or 0 if no copy will come. */
static __u32 schedule_copy(struct task_struct *task, struct wait_state *state)
{
	struct slot *slot;

	if (state->pending)
		return state->number;
	if (task->flags & (PF_KTHREAD_BIT | PF_EXITING_BIT))
		return 0;
	slot = claim_slot(WAIT_OF(task)->pid);
	if (!slot)
		return 0;
	slot->number = state->number + 1;
	if (bpf_task_work_schedule_resume_impl(task, &slot->work, &slots, on_return_to_user, NULL)) {
		count_off_cpu(OFF_CPU_NOT_SCHEDULED);
		slot->owner = 0;
		return 0;
	}
	state->pending = 1;
	return ++state->number;
}

#endif

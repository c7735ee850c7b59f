#ifndef XPROF_RECORD_BPF_OFF_CPU_THREADS_BPF_H
#define XPROF_RECORD_BPF_OFF_CPU_THREADS_BPF_H

/* For off_cpu.bpf.c: the state of each recorded thread, and how much time off the CPU a sampled wait stands for. */

#include "record/bpf/stack_copy.bpf.h"

#include "record/bpf/off_cpu_record.h"

struct bpf_task_work {
	__u64 __opaque;
} __attribute__((aligned(8)));

/* Complete, as in the kernel, because libbpf compares the types of functions. */
struct bpf_map {
	unsigned int key_size;
} OF_KERNEL;

/* Since Linux 6.18. Weak: on older kernels the loaded programs must not reach a call of it (off_cpu.at_exit). */
extern int bpf_task_work_schedule_resume_impl(struct task_struct *task, struct bpf_task_work *work, void *map,
					      int (*callback)(struct bpf_map *, void *, void *),
					      void *aux) __ksym __weak;

/* Members of struct task_struct that stack_copy.bpf.h does not need. */
struct task_struct___wait {
	int pid, tgid;
	char comm[OFF_CPU_COMM_BYTES];
	unsigned int in_iowait : 1;
	unsigned int __state;
	int on_cpu;
} OF_KERNEL;

#define WAIT_OF(task) ((struct task_struct___wait *)(task))

enum {
	/* include/linux/sched.h */
	TASK_INTERRUPTIBLE_BIT = 0x1,
	TASK_UNINTERRUPTIBLE_BIT = 0x2,
	TASK_STOPPED_BITS = 0x4 | 0x8,
	TASK_DEAD_BITS = 0x10 | 0x20 | 0x80,
	TASK_NOLOAD_BIT = 0x400, /* a kernel thread without work */
	PF_EXITING_BIT = 0x4,
#ifdef __TARGET_ARCH_arm64
	PT_REGS_BYTES = 34 * 8, /* struct user_pt_regs */
#else
	PT_REGS_BYTES = sizeof(struct pt_regs),
#endif
};

/* --- maps ------------------------------------------------------------------------------------------------------------ */

const volatile struct off_cpu_settings off_cpu;
__u64 off_cpu_counts[OFF_CPU_COUNTS];

/* The sum of the waits of one kind since the last sample. */
struct owed_time {
	__u64 sum, threshold;
	__u64 place; /* position of the threshold in its period */
};

/* The state of a thread. */
struct wait_state {
	__u64 out_ns; /* when it left the CPU; 0: it runs, or is not known yet */
	__u64 wake_ns;
	__u64 blocked_weight; /* weight of the sleep that ended at wake_ns */
	struct owed_time blocked, waiting;
	struct off_cpu_waker_id waker;
	__u32 number;  /* number of the last scheduled copy */
	__u32 pending; /* the copy has not been made yet */
	__u32 kept;    /* with off_cpu.at_exit: number of its kept_stack, from 1; 0: none */
	__u8 left;
	__u8 is_target;
	__u8 is_returning; /* it left the CPU on its way to user space, after the end of any system call */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct wait_state);
} threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* sized by the loader */
	__type(key, __u32);     /* tid */
	__type(value, __u8);
} targets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct off_cpu_span);
} span SEC(".maps");

/* A thread whose stack will be copied. */
struct slot {
	__u32 owner; /* tid; 0: free */
	__u32 number;
	struct copying copying;
	struct bpf_task_work work;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, OFF_CPU_SLOTS);
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

/* The user stack of a thread that waits outside of system calls, copied before the wait in case the wait is sampled. */
struct kept_stack {
	__u32 owner; /* tid; 0: free */
	struct stack_copy_record record;
	__u8 bytes[OFF_CPU_KEPT_BYTES];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* sized by the loader */
	__type(key, __u32);
	__type(value, struct kept_stack);
} kept SEC(".maps");

/* The kernel stack of a waker; one for each CPU, because a waking is not interrupted by another. */
struct kernel_frames {
	__u64 count;
	__u64 frames[OFF_CPU_KERNEL_FRAMES];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kernel_frames);
} waker_frames SEC(".maps");

static void count_off_cpu(__u32 what)
{
	__sync_fetch_and_add(&off_cpu_counts[what], 1);
}

/* --- which threads are recorded ---------------------------------------------------------------------------------------- */

static bool is_wanted(struct task_struct *task)
{
	const __u32 tid = WAIT_OF(task)->pid;

	if (!tid || (__u32)WAIT_OF(task)->tgid == off_cpu.own_pid)
		return false;
	return off_cpu.any_thread || bpf_map_lookup_elem(&targets, &tid);
}

/* Draws the next threshold: a random moment in the next period of the sum. */
static void draw_threshold(struct owed_time *owed)
{
	const __u64 place = (__u64)bpf_get_prandom_u32() * off_cpu.period_ns >> 32;

	owed->threshold = off_cpu.period_ns - owed->place + place;
	owed->place = place;
}

static void begin_owed(struct owed_time *owed)
{
	owed->place = off_cpu.period_ns;
	draw_threshold(owed);
}

static __attribute__((noinline)) struct wait_state *begin_state(struct task_struct *task)
{
	struct wait_state *state = bpf_task_storage_get(&threads, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!state)
		return state;
	state->is_target = true;
	begin_owed(&state->blocked);
	begin_owed(&state->waiting);
	return state;
}

/* NULL if the thread is not recorded. */
static __always_inline struct wait_state *state_of(struct task_struct *task)
{
	struct wait_state *state = bpf_task_storage_get(&threads, task, 0, 0);

	if (state || !is_wanted(task))
		return state;
	return begin_state(task);
}

static bool is_wanted_cpu(__u32 cpu)
{
	return !off_cpu.some_cpus || (off_cpu.cpus[cpu >> 6 & 15] >> (cpu & 63) & 1);
}

/* --- which waits are sampled -------------------------------------------------------------------------------------------- */

/* NULL while waits do not count yet. */
static __always_inline const struct off_cpu_span *counted_span(void)
{
	const __u32 zero = 0;
	const struct off_cpu_span *counted = bpf_map_lookup_elem(&span, &zero);

	return counted && counted->begin_ns ? counted : NULL;
}

/* The part of [from, to) that counts, in nanoseconds. */
static __always_inline __u64 time_within(const struct off_cpu_span *counted, __u64 from, __u64 to)
{
	if (from < counted->begin_ns)
		from = counted->begin_ns;
	if (counted->end_ns && to > counted->end_ns)
		to = counted->end_ns;
	return to > from ? to - from : 0;
}

/* Adds a wait. Returns the time off the CPU that its sample stands for; 0: the wait is not sampled. */
static __u64 weigh(struct owed_time *owed, __u64 duration)
{
	__u64 weight = 0;

	if (duration >= off_cpu.period_ns)
		return duration;
	owed->sum += duration;
	/* Two thresholds can be closer together than a period, three cannot. */
	for (int i = 0; i < 2 && owed->sum >= owed->threshold; i++) {
		owed->sum -= owed->threshold;
		draw_threshold(owed);
		weight += off_cpu.period_ns;
	}
	return weight;
}

#endif

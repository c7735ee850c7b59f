#ifndef XPROF_RECORD_BPF_OFF_CPU_RECORD_H
#define XPROF_RECORD_BPF_OFF_CPU_RECORD_H

/*
 * The records that the BPF programs of off_cpu.bpf.c send. All begin with the same header.
 *
 *	WAKE   a thread was woken after a wait that is sampled: the waker's kernel and user stack
 *	WAIT   the thread runs again: how long it waited, for what, and the kernel stack in which it slept
 *	COPY   the thread returns to user space: its user stack, for all waits with this number
 *
 * A thread that waits several times in one system call gives several WAITs and one COPY. The records of a thread are in this
 * order. Shared by the programs (compiled for BPF) and their reader, so only fixed-size types.
 */

#include <linux/types.h>

/* A word of an array that the reader passes on, as the 64-bit type that is usual on each side. */
#ifdef __bpf__
#define OFF_CPU_WORD __u64
#else
#include <stdint.h>
#define OFF_CPU_WORD uint64_t
#endif

#include "record/bpf/stack_copy_record.h"

enum {
	OFF_CPU_KERNEL_FRAMES = 64,
	OFF_CPU_REGISTERS = 34,            /* the number in struct user_pt_regs of arm64; x86-64 has 21 */
	OFF_CPU_WAKER_STACK_BYTES = 16384, /* copied of a waker's user stack */
	OFF_CPU_COMM_BYTES = 16,           /* TASK_COMM_LEN */
	OFF_CPU_SLOTS = 512,               /* number of threads whose stacks can be pending at a time */
	OFF_CPU_CGROUPS = 16,              /* maximum number of recorded cgroups */
	OFF_CPU_KEPT = 256, /* number of threads outside of system calls whose stacks can be kept at a time */
	OFF_CPU_KEPT_BYTES = 16384, /* kept of each stack */
};

enum off_cpu_record_type { OFF_CPU_RECORD_WAKE = 1, OFF_CPU_RECORD_WAIT, OFF_CPU_RECORD_COPY };

struct off_cpu_header {
	__u32 type;     /* enum off_cpu_record_type */
	__u32 number;   /* links a thread's WAITs to their COPY; 0: no user stack will come */
	__u32 pid, tid; /* of the thread that waited */
	__u64 time;     /* CLOCK_MONOTONIC */
};

/* How the thread left the CPU. */
enum off_cpu_left {
	OFF_CPU_LEFT_PREEMPTED,
	OFF_CPU_LEFT_SLEEPING, /* TASK_INTERRUPTIBLE */
	OFF_CPU_LEFT_DISK,     /* TASK_UNINTERRUPTIBLE */
	OFF_CPU_LEFT_STOPPED,
	OFF_CPU_LEFT_NEW, /* it has not run before */
};

/* The thread that was running on the CPU from which another was woken. */
struct off_cpu_waker_id {
	__u32 pid, tid;
	char comm[OFF_CPU_COMM_BYTES];
	/* a WAKE record was sent; its kernel stack tells whether this thread or an interrupt was the waker */
	__u32 captured;
	__u64 woken_ns; /* when this thread itself was last woken; 0: not known. Of sampled waits only */
};

/* The times of a wait, on CLOCK_MONOTONIC. */
struct off_cpu_times {
	__u64 begin_ns;
	__u64 blocked_ns, waiting_ns; /* time asleep; then time until it had a CPU */
	/* time off the CPU that the sample stands for; 0: not sampled */
	__u64 blocked_weight, waiting_weight;
	__u64 wake_ns; /* when it was woken; also the time of the WAKE record if waker.captured; 0: not woken */
};

struct off_cpu_wait_record {
	struct off_cpu_header header; /* header.time: when the thread ran again */
	struct off_cpu_times times;
	struct off_cpu_waker_id waker;
	__s32 syscall; /* system call number; -1: none */
	__u8 left;     /* enum off_cpu_left */
	__u8 in_iowait, unfinished, is_kernel_thread;
	__u32 cpu;
	__u32 kernel_count; /* number of frames in `kernel` */
	OFF_CPU_WORD kernel[OFF_CPU_KERNEL_FRAMES];
};

/* A WAKE (the stack of the waker) or a COPY (the stack of the thread that waited). */
struct off_cpu_stack_record {
	struct off_cpu_header header;
	__u32 stack_pid, stack_tid; /* the thread that the stack belongs to */
	__u32 has_user;
	__u32 kernel_count;                        /* number of frames in `kernel`; WAKE only */
	OFF_CPU_WORD registers[OFF_CPU_REGISTERS]; /* struct pt_regs */
	OFF_CPU_WORD kernel[OFF_CPU_KERNEL_FRAMES];
	struct stack_copy_record copy; /* followed by the bytes of the stack */
};

/* Settings of the programs: constant data that the loader fills in. */
struct off_cpu_settings {
	__u64 period_ns;
	__u32 any_thread; /* record all threads; otherwise those in the map `targets` */
	__u32 own_pid;    /* xprof's own process, which is not recorded */
	__u32 no_inherit; /* do not record threads and processes that recorded ones start */
	__u32 at_exit; /* no task work: copy user stacks at the end of system calls, or keep them before the wait */
	__u32 from_exec; /* waits count from the first exec of a target on */
	__u32 some_cpus; /* record only waits that end on `cpus` */
	__u64 cpus[16];  /* a bit for each of the first 1,024 CPUs */
	/* record only waits that begin in these cgroups (of version 2) or below them; 0: in any */
	__u64 cgroup_count;
	__u64 cgroups[OFF_CPU_CGROUPS]; /* ids of the cgroups */
};

/* The time during which waits count, on CLOCK_MONOTONIC; in a map, because it changes. 0: not known yet. */
struct off_cpu_span {
	__u64 begin_ns, end_ns;
};

enum off_cpu_count {
	OFF_CPU_NO_ROOM,       /* a wait was lost, because the ring was full */
	OFF_CPU_NO_ROOM_STACK, /* a stack was lost, for the same reason */
	OFF_CPU_NO_SLOT,       /* a stack was lost, because too many were pending */
	OFF_CPU_NOT_SCHEDULED, /* a stack was lost, because the kernel refused the task work */
	OFF_CPU_COUNTS,
};

#endif

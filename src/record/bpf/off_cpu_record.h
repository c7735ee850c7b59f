#ifndef XPROF_RECORD_BPF_OFF_CPU_RECORD_H
#define XPROF_RECORD_BPF_OFF_CPU_RECORD_H

/*
 * The records that the BPF programs of off_cpu.bpf.c send. All begin with the same header.
 *
 *	WAKE   a thread was woken after a wait that is sampled: the waker's kernel and user stack
 *	WAIT   it runs again: how long it waited, for what, with the kernel stack that it slept in
 *	COPY   it returns to user space: its user stack, for all waits that have this number
 *
 * A thread that waits several times in one system call gives several WAITs and one COPY. Records of a thread are in this order.
 * Shared by the programs (compiled for BPF) and their reader, so only fixed-size types.
 */

#include <linux/types.h>

/* Of arrays that the reader hands on: the same word, of the type that is usual on either side. */
#ifdef __bpf__
#define OFF_CPU_WORD __u64
#else
#include <stdint.h>
#define OFF_CPU_WORD uint64_t
#endif

#include "record/bpf/stack_copy_record.h"

enum {
	OFF_CPU_KERNEL_FRAMES = 64,
	OFF_CPU_REGISTERS = 34,            /* as many as struct user_pt_regs of arm64 has; x86-64 has 21 */
	OFF_CPU_WAKER_STACK_BYTES = 16384, /* of a waker's user stack */
	OFF_CPU_COMM_BYTES = 16,           /* TASK_COMM_LEN */
	OFF_CPU_SLOTS = 512,               /* threads whose stacks are being fetched at one time */
	OFF_CPU_CGROUPS = 16,              /* that a recording is of */
};

enum off_cpu_record_type { OFF_CPU_RECORD_WAKE = 1, OFF_CPU_RECORD_WAIT, OFF_CPU_RECORD_COPY };

struct off_cpu_header {
	__u32 type;     /* enum off_cpu_record_type */
	__u32 number;   /* of a WAIT and its COPY, for one thread; 0: the user stack does not come */
	__u32 pid, tid; /* of the thread that waited */
	__u64 time;     /* CLOCK_MONOTONIC */
};

/* How it left the CPU. */
enum off_cpu_left {
	OFF_CPU_LEFT_PREEMPTED,
	OFF_CPU_LEFT_SLEEPING, /* TASK_INTERRUPTIBLE */
	OFF_CPU_LEFT_DISK,     /* TASK_UNINTERRUPTIBLE */
	OFF_CPU_LEFT_STOPPED,
	OFF_CPU_LEFT_NEW, /* it had not run before */
};

/* The thread that ran on the CPU where the other was woken. */
struct off_cpu_waker_id {
	__u32 pid, tid;
	char comm[OFF_CPU_COMM_BYTES];
	__u32 captured; /* a WAKE record was sent: its kernel stack says whether this thread or an interrupt woke */
};

/* Of a wait; times are CLOCK_MONOTONIC. */
struct off_cpu_times {
	__u64 begin_ns;
	__u64 blocked_ns, waiting_ns; /* asleep; then for a CPU */
	__u64 blocked_weight,
		waiting_weight; /* time off the CPU that the wait stands for; 0: is not sampled */
	__u64 wake_ns; /* when it was woken, and the time of its WAKE record if waker.captured; 0: it was not */
};

struct off_cpu_wait_record {
	struct off_cpu_header header; /* time: when it ran again */
	struct off_cpu_times times;
	struct off_cpu_waker_id waker;
	__s32 syscall; /* -1: it was not in a system call */
	__u8 left;     /* enum off_cpu_left */
	__u8 in_iowait, unfinished, is_kernel_thread;
	__u32 cpu;
	__u32 kernel_count; /* frames */
	OFF_CPU_WORD kernel[OFF_CPU_KERNEL_FRAMES];
};

/* A WAKE (of the waker) or a COPY (of the thread that waited). */
struct off_cpu_stack_record {
	struct off_cpu_header header;
	__u32 stack_pid, stack_tid; /* whose stack it is */
	__u32 has_user;
	__u32 kernel_count;                        /* frames; of a WAKE */
	OFF_CPU_WORD registers[OFF_CPU_REGISTERS]; /* struct pt_regs */
	OFF_CPU_WORD kernel[OFF_CPU_KERNEL_FRAMES];
	struct stack_copy_record copy; /* and its bytes behind */
};

/* Settings from the loader: constant data of the programs. */
struct off_cpu_settings {
	__u64 period_ns;
	__u32 any_thread;   /* else those in the map of targets */
	__u32 own_pid;      /* is left out */
	__u32 no_inherit;   /* threads and processes that begin are not followed */
	__u32 from_exec;    /* waits count from the moment on at which a target executes a program */
	__u32 some_cpus;    /* only waits that end on these */
	__u64 cpus[16];     /* a bit each, of the first 1,024 */
	__u64 cgroup_count; /* only waits that begin in these of version 2, or below them; 0: in any */
	__u64 cgroups[OFF_CPU_CGROUPS]; /* ids */
};

/* In a map, as it changes: waits count from one moment to the other, CLOCK_MONOTONIC. 0: not yet. */
struct off_cpu_span {
	__u64 begin_ns, end_ns;
};

enum off_cpu_count {
	OFF_CPU_NO_ROOM,       /* the ring was full: a wait, */
	OFF_CPU_NO_ROOM_STACK, /* or a stack, is lost */
	OFF_CPU_NO_SLOT,       /* too many stacks were being fetched at one time */
	OFF_CPU_NOT_SCHEDULED, /* the kernel did not take the task work */
	OFF_CPU_COUNTS,
};

#endif

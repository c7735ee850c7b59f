#ifndef XPROF_FORMAT_OFF_CPU_WAIT_H
#define XPROF_FORMAT_OFF_CPU_WAIT_H

/*
 * The raw data (PERF_SAMPLE_RAW) of a sample of the event `offcpu-time`: how a thread that did not run waited, and who woke it.
 * The event is PERF_COUNT_SW_BPF_OUTPUT, as in perf; the sample's period is the time off the CPU, in nanoseconds, for which
 * the sample stands; its stack is that of the thread that waited, its time is when that was taken: back in user space.
 *
 *	running ──▶ begin_ns ────── blocked_ns ──────▶ woken ── waiting_ns ──▶ running
 *	                            asleep             by the waker   for a CPU
 *
 * One wait gives up to two samples: one for the time asleep, one, with the state `runqueue`, for the time until the thread had
 * a CPU again. Both have the same durations here.
 *
 * Layout, in the byte order of the recording:
 *
 *	u16 version, u16 fixed_bytes, u8 state, u8 kind, u8 waker_kind, u8 flags, s32 syscall, u32 waker_pid, u32 waker_tid,
 *	char waker_comm[16], u64 begin_ns, u64 blocked_ns, u64 waiting_ns, u32 waker_chain_count,
 *	    (further fields of later versions, up to fixed_bytes)
 *	u64 waker_chain[waker_chain_count], padding
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

/* The name of the event in the file, perf's own. */
#define OFF_CPU_EVENT_NAME "offcpu-time"

/* Numbers of the file: new ones are added at the end. */
enum off_cpu_state {
	OFF_CPU_UNKNOWN,
	OFF_CPU_SLEEPING,  /* interruptible: futexes, pipes, timers, poll */
	OFF_CPU_DISK,      /* uninterruptible; mostly disks and file systems */
	OFF_CPU_PREEMPTED, /* was ready to run on, but another thread had the CPU */
	OFF_CPU_RUNQUEUE,  /* had been woken, or was new, but another thread had the CPU */
	OFF_CPU_STOPPED,   /* by a signal or a debugger */
	OFF_CPU_STATES,
};

enum off_cpu_kind {
	OFF_CPU_KIND_UNKNOWN,
	OFF_CPU_KIND_NONE, /* it did not wait for anything but a CPU */
	OFF_CPU_KIND_FUTEX,
	OFF_CPU_KIND_PIPE,
	OFF_CPU_KIND_SOCKET,
	OFF_CPU_KIND_POLL, /* and select(2) */
	OFF_CPU_KIND_EPOLL,
	OFF_CPU_KIND_TIMER,      /* nanosleep(2) */
	OFF_CPU_KIND_DISK,       /* reads, writes and flushes of files */
	OFF_CPU_KIND_PAGE_FAULT, /* memory that was not there */
	OFF_CPU_KIND_CHILD,      /* wait(2) */
	OFF_CPU_KIND_SIGNAL,     /* sigsuspend(2), sigwait(3), pause(2) */
	OFF_CPU_KIND_LOCK,       /* of the kernel's own */
	OFF_CPU_KIND_OTHER,      /* another system call */
	OFF_CPU_KINDS,
};

enum off_cpu_waker {
	OFF_CPU_WAKER_UNKNOWN,
	OFF_CPU_WAKER_NONE,    /* nothing had to wake it: preempted, or it waits still */
	OFF_CPU_WAKER_THREAD,  /* waker_tid did, while it ran */
	OFF_CPU_WAKER_HARDIRQ, /* an interrupt; the thread that it interrupted has nothing to do with it */
	OFF_CPU_WAKER_SOFTIRQ, /* what follows an interrupt, as of the network */
	OFF_CPU_WAKER_TIMER,   /* a timer of either: a time was over */
	OFF_CPU_WAKER_IPI,     /* an interrupt by another CPU */
	OFF_CPU_WAKER_IDLE,    /* the idle task itself */
	OFF_CPU_WAKERS,
};

enum off_cpu_flag {
	OFF_CPU_UNFINISHED = 1, /* the thread still waited when the recording ended, or died waiting */
	OFF_CPU_WAKER_CUT = 2,  /* the waker's stack goes on beyond its last frame */
};

enum { OFF_CPU_COMM_SIZE = 16 /* TASK_COMM_LEN, with its terminator */ };

struct off_cpu_wait {
	enum off_cpu_state state;
	enum off_cpu_kind kind;
	enum off_cpu_waker waker_kind;
	uint32_t flags;                /* enum off_cpu_flag */
	int32_t syscall;               /* its number on the recorded machine; -1: none */
	uint32_t waker_pid, waker_tid; /* 0 unless the waker is a thread */
	char waker_comm[OFF_CPU_COMM_SIZE];
	uint64_t begin_ns;               /* of the recording's clock */
	uint64_t blocked_ns, waiting_ns; /* of the whole wait: asleep, and then for a CPU */
	/*
	 * The waker's stack as it was when it woke the thread, leaf first, with markers as in every call chain (callchain.h):
	 * words of eight bytes, unaligned, in the recording's byte order; borrowed. See off_cpu_wait_chain_word().
	 */
	const uint8_t *waker_chain;
	size_t waker_chain_count;
	bool swap; /* the recording's byte order is not this machine's; set when decoded */
};

/* Appends the bytes of a sample's raw data, without the size that stands in front: 4 more than a multiple of 8. */
void off_cpu_wait_encode(const struct off_cpu_wait *wait, struct strbuf *raw);

/*
 * Reads them. The chain is borrowed from `raw`. -1 with err where they are too short or of a version that cannot be read;
 * numbers of states, kinds and wakers that are not known become the unknown ones.
 */
int off_cpu_wait_decode(struct off_cpu_wait *wait, const void *raw, size_t size, bool swap,
			struct error *err);

uint64_t off_cpu_wait_chain_word(const struct off_cpu_wait *wait, size_t number);

/* Short words for tables: "sleeping", "futex", "timer". Static. */
const char *off_cpu_state_name(enum off_cpu_state state);
const char *off_cpu_kind_name(enum off_cpu_kind kind);
const char *off_cpu_waker_name(enum off_cpu_waker waker);

#endif

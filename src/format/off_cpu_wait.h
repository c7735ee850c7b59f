#ifndef XPROF_FORMAT_OFF_CPU_WAIT_H
#define XPROF_FORMAT_OFF_CPU_WAIT_H

/*
 * The raw data (PERF_SAMPLE_RAW) of a sample of the event `offcpu-time`: how a thread that did not run waited, and who woke it.
 * The event is PERF_COUNT_SW_BPF_OUTPUT, as in perf. The sample's period is the time off the CPU in nanoseconds. Its stack is
 * that of the waiting thread, taken when the thread was back in user space; its time is that moment.
 *
 *	running ──▶ begin_ns ────── blocked_ns ──────▶ woken ── waiting_ns ──▶ running
 *	                            asleep             by the waker   for a CPU
 *
 * One wait gives up to two samples: one for the time asleep and one, with the state `runqueue`, for the time until the thread
 * had a CPU again. The durations below are equal in both.
 *
 * Layout, in the byte order of the recording:
 *
 *	u16 version, u16 fixed_bytes, u8 state, u8 kind, u8 waker_kind, u8 flags, s32 syscall, u32 waker_pid, u32 waker_tid,
 *	char waker_comm[16], u64 begin_ns, u64 blocked_ns, u64 waiting_ns, u32 waker_chain_count,
 *	    u32 further_count (only if fixed_bytes has room for it; else 0),
 *	    (further fields of later versions, up to fixed_bytes)
 *	u64 waker_chain[waker_chain_count],
 *	further_count times: u8 waker_kind, u8 flags, u16 0, u32 pid, u32 tid, char comm[16], u64 woken_ns, u32 chain_count,
 *	    u64 chain[chain_count],
 *	padding
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

/* The name of the event in the file, perf's own. */
#define OFF_CPU_EVENT_NAME "offcpu-time"

/* Stored in files: add new ones only at the end. */
enum off_cpu_state {
	OFF_CPU_UNKNOWN,
	OFF_CPU_SLEEPING,  /* interruptible: futexes, pipes, timers, poll */
	OFF_CPU_DISK,      /* uninterruptible; mostly disks and file systems */
	OFF_CPU_PREEMPTED, /* was running, but another thread took the CPU */
	OFF_CPU_RUNQUEUE,  /* had been woken, or was new, and waited for a CPU */
	OFF_CPU_STOPPED,   /* by a signal or a debugger */
	OFF_CPU_STATES,
};

enum off_cpu_kind {
	OFF_CPU_KIND_UNKNOWN,
	OFF_CPU_KIND_NONE, /* waited only for a CPU */
	OFF_CPU_KIND_FUTEX,
	OFF_CPU_KIND_PIPE,
	OFF_CPU_KIND_SOCKET,
	OFF_CPU_KIND_POLL, /* and select(2) */
	OFF_CPU_KIND_EPOLL,
	OFF_CPU_KIND_TIMER,      /* nanosleep(2) */
	OFF_CPU_KIND_DISK,       /* reads, writes and flushes of files */
	OFF_CPU_KIND_PAGE_FAULT, /* memory that was not present */
	OFF_CPU_KIND_CHILD,      /* wait(2) */
	OFF_CPU_KIND_SIGNAL,     /* sigsuspend(2), sigwait(3), pause(2) */
	OFF_CPU_KIND_LOCK,       /* a lock of the kernel */
	OFF_CPU_KIND_OTHER,      /* another system call */
	OFF_CPU_KINDS,
};

enum off_cpu_waker {
	OFF_CPU_WAKER_UNKNOWN,
	OFF_CPU_WAKER_NONE,    /* no wakeup: it was preempted, or is still waiting */
	OFF_CPU_WAKER_THREAD,  /* thread waker_tid, while it ran */
	OFF_CPU_WAKER_HARDIRQ, /* an interrupt; the interrupted thread is not the cause */
	OFF_CPU_WAKER_SOFTIRQ, /* a softirq after an interrupt, such as the network's */
	OFF_CPU_WAKER_TIMER,   /* a timer that expired */
	OFF_CPU_WAKER_IPI,     /* an interrupt by another CPU */
	OFF_CPU_WAKER_IDLE,    /* the idle task itself */
	OFF_CPU_WAKERS,
};

enum off_cpu_flag {
	OFF_CPU_UNFINISHED = 1, /* the thread was still waiting when the recording ended, or died waiting */
};

enum {
	OFF_CPU_COMM_SIZE = 16, /* TASK_COMM_LEN, with its terminator */
	OFF_CPU_CHAIN_WAKERS = 8,
};

/* A waking: by which thread or interrupt, and its stack. */
struct off_cpu_waking {
	enum off_cpu_waker kind;
	bool is_cut;       /* the stack has more frames than were stored */
	uint32_t pid, tid; /* of the waker; 0 unless it is a thread */
	char comm[OFF_CPU_COMM_SIZE];
	uint64_t woken_ns; /* on the recording's clock; 0 for the first waker: begin_ns + blocked_ns */
	/*
	 * The stack of the waker when it woke the thread, leaf first, with the usual markers (callchain.h): unaligned words
	 * of 8 bytes in the recording's byte order, borrowed. Use off_cpu_wait_chain_word() to read them.
	 */
	const uint8_t *chain;
	size_t chain_count;
};

struct off_cpu_wait {
	enum off_cpu_state state;
	enum off_cpu_kind kind;
	uint32_t flags;                  /* enum off_cpu_flag */
	int32_t syscall;                 /* its number on the recorded machine; -1: none */
	uint64_t begin_ns;               /* on the recording's clock */
	uint64_t blocked_ns, waiting_ns; /* durations of the whole wait: asleep, then for a CPU */
	/*
	 * The first woke this thread. Each of the others woke the one before it, and did so after this wait had begun: that is
	 * for whom the waker waited in turn while this thread waited for it. The list ends with a waker that did not wait in
	 * this time, whose wait was shorter than the recording's period and not sampled, or which is not a thread.
	 */
	struct off_cpu_waking wakers[OFF_CPU_CHAIN_WAKERS];
	size_t further_count; /* number of wakers after the first */
	bool swap; /* the chains are in the opposite byte order to this machine's; set by off_cpu_wait_decode() */
};

/* Appends the raw data of a sample without the u32 size in front of it. Its length is a multiple of 8, plus 4. */
void off_cpu_wait_encode(const struct off_cpu_wait *wait, struct strbuf *raw);

/*
 * Decodes raw data. The chains point into `raw`. Returns -1 with err set if the data is too short or of an incompatible
 * version. Unknown states, kinds and wakers become OFF_CPU_UNKNOWN, OFF_CPU_KIND_UNKNOWN and OFF_CPU_WAKER_UNKNOWN.
 */
int off_cpu_wait_decode(struct off_cpu_wait *wait, const void *raw, size_t size, bool swap,
			struct error *err);

/* Word `number` of the chain of one of the wait's wakers. */
uint64_t off_cpu_wait_chain_word(const struct off_cpu_wait *wait, const struct off_cpu_waking *waker,
				 size_t number);

/* Short words for tables: "sleeping", "futex", "timer". Static. */
const char *off_cpu_state_name(enum off_cpu_state state);
const char *off_cpu_kind_name(enum off_cpu_kind kind);
const char *off_cpu_waker_name(enum off_cpu_waker waker);

#endif

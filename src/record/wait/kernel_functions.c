/*
 * The table of names comes first: each has a role. kernel_functions_create() finds their ranges in kallsyms; a function ends
 * where the next begins. The compiler gives parts of functions names with a suffix (do_wait.isra.0), which counts as the function.
 * Where a kernel has inlined a function, its callers in the table stand in for it; where nothing is known, the system call does.
 */
#include "record/wait/kernel_functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum role {
	ROLE_NONE,
	/* Roles in stacks of sleepers: the values of enum off_cpu_kind. */
	ROLE_LAST_KIND = OFF_CPU_KINDS,
	/* Roles in stacks of wakers. */
	ROLE_WAKING,
	ROLE_TIMER,
	ROLE_IPI,
	ROLE_SOFTIRQ,
	ROLE_HARDIRQ,
	ROLE_IDLE,
};

static const struct named_role {
	const char *name; /* with '*' at the end: all names that begin so */
	int role;
} roles[] = {
	{ "__futex_wait", OFF_CPU_KIND_FUTEX },
	{ "futex_wait", OFF_CPU_KIND_FUTEX },
	{ "futex_do_wait", OFF_CPU_KIND_FUTEX },
	{ "futex_lock_pi", OFF_CPU_KIND_FUTEX },
	{ "futex_wait_multiple", OFF_CPU_KIND_FUTEX },
	{ "futex_wait_queue", OFF_CPU_KIND_FUTEX },
	{ "futex_wait_requeue_pi", OFF_CPU_KIND_FUTEX },
	{ "anon_pipe_read", OFF_CPU_KIND_PIPE },
	{ "anon_pipe_write", OFF_CPU_KIND_PIPE },
	{ "fifo_pipe_read", OFF_CPU_KIND_PIPE },
	{ "fifo_pipe_write", OFF_CPU_KIND_PIPE },
	{ "pipe_read", OFF_CPU_KIND_PIPE },
	{ "pipe_wait_readable", OFF_CPU_KIND_PIPE },
	{ "pipe_wait_writable", OFF_CPU_KIND_PIPE },
	{ "pipe_write", OFF_CPU_KIND_PIPE },
	{ "inet_accept", OFF_CPU_KIND_SOCKET },
	{ "inet_csk_accept", OFF_CPU_KIND_SOCKET },
	{ "inet_stream_connect", OFF_CPU_KIND_SOCKET },
	{ "sk_stream_wait_memory", OFF_CPU_KIND_SOCKET },
	{ "sk_wait_data", OFF_CPU_KIND_SOCKET },
	{ "sock_alloc_send_pskb", OFF_CPU_KIND_SOCKET },
	{ "sock_recvmsg", OFF_CPU_KIND_SOCKET },
	{ "sock_sendmsg", OFF_CPU_KIND_SOCKET },
	{ "tcp_recvmsg", OFF_CPU_KIND_SOCKET },
	{ "unix_accept", OFF_CPU_KIND_SOCKET },
	{ "unix_dgram_recvmsg", OFF_CPU_KIND_SOCKET },
	{ "unix_stream_read_generic", OFF_CPU_KIND_SOCKET },
	{ "unix_stream_recvmsg", OFF_CPU_KIND_SOCKET },
	{ "__skb_wait_for_more_packets", OFF_CPU_KIND_SOCKET },
	{ "core_sys_select", OFF_CPU_KIND_POLL },
	{ "do_poll", OFF_CPU_KIND_POLL },
	{ "do_select", OFF_CPU_KIND_POLL },
	{ "do_sys_poll", OFF_CPU_KIND_POLL },
	{ "poll_schedule_timeout", OFF_CPU_KIND_POLL },
	{ "do_epoll_pwait", OFF_CPU_KIND_EPOLL },
	{ "do_epoll_wait", OFF_CPU_KIND_EPOLL },
	{ "ep_poll", OFF_CPU_KIND_EPOLL },
	{ "__x64_sys_epoll_wait", OFF_CPU_KIND_EPOLL },
	{ "common_nsleep", OFF_CPU_KIND_TIMER },
	{ "do_nanosleep", OFF_CPU_KIND_TIMER },
	{ "hrtimer_nanosleep", OFF_CPU_KIND_TIMER },
	{ "bit_wait_io", OFF_CPU_KIND_DISK },
	{ "blkdev_issue_flush", OFF_CPU_KIND_DISK },
	{ "do_fsync", OFF_CPU_KIND_DISK },
	{ "ext4_buffered_write_iter", OFF_CPU_KIND_DISK },
	{ "ext4_sync_file", OFF_CPU_KIND_DISK },
	{ "folio_wait_bit_common", OFF_CPU_KIND_DISK },
	{ "io_schedule", OFF_CPU_KIND_DISK },
	{ "io_schedule_timeout", OFF_CPU_KIND_DISK },
	{ "jbd2_log_wait_commit", OFF_CPU_KIND_DISK },
	{ "submit_bio_wait", OFF_CPU_KIND_DISK },
	{ "vfs_fsync_range", OFF_CPU_KIND_DISK },
	{ "wait_on_buffer", OFF_CPU_KIND_DISK },
	{ "asm_exc_page_fault", OFF_CPU_KIND_PAGE_FAULT },
	{ "do_user_addr_fault", OFF_CPU_KIND_PAGE_FAULT },
	{ "exc_page_fault", OFF_CPU_KIND_PAGE_FAULT },
	{ "handle_mm_fault", OFF_CPU_KIND_PAGE_FAULT },
	{ "do_wait", OFF_CPU_KIND_CHILD },
	{ "kernel_wait4", OFF_CPU_KIND_CHILD },
	{ "kernel_waitid", OFF_CPU_KIND_CHILD },
	{ "do_sigtimedwait", OFF_CPU_KIND_SIGNAL },
	{ "sigsuspend", OFF_CPU_KIND_SIGNAL },
	{ "__x64_sys_pause", OFF_CPU_KIND_SIGNAL },
	{ "__mutex_lock", OFF_CPU_KIND_LOCK },
	{ "__percpu_down_read", OFF_CPU_KIND_LOCK },
	{ "mutex_lock", OFF_CPU_KIND_LOCK },
	{ "percpu_down_write", OFF_CPU_KIND_LOCK },
	{ "rwsem_down_read_slowpath", OFF_CPU_KIND_LOCK },
	{ "rwsem_down_write_slowpath", OFF_CPU_KIND_LOCK },
	{ "try_to_wake_up", ROLE_WAKING },
	{ "wake_up_new_task", ROLE_WAKING },
	{ "__hrtimer_run_queues", ROLE_TIMER },
	{ "__run_timers", ROLE_TIMER },
	{ "call_timer_fn", ROLE_TIMER },
	{ "hrtimer_interrupt", ROLE_TIMER },
	{ "hrtimer_run_queues", ROLE_TIMER },
	{ "hrtimer_run_softirq", ROLE_TIMER },
	{ "hrtimer_wakeup", ROLE_TIMER },
	{ "process_timeout", ROLE_TIMER },
	{ "run_timer_softirq", ROLE_TIMER },
	{ "__flush_smp_call_function_queue", ROLE_IPI },
	{ "flush_smp_call_function_queue", ROLE_IPI },
	{ "ipi_handler", ROLE_IPI },
	{ "sysvec_call_function", ROLE_IPI },
	{ "sysvec_call_function_single", ROLE_IPI },
	{ "sysvec_irq_work", ROLE_IPI },
	{ "sysvec_reschedule_ipi", ROLE_IPI },
	{ "__do_softirq", ROLE_SOFTIRQ },
	{ "__softirqentry_text_start", ROLE_SOFTIRQ },
	{ "handle_softirqs", ROLE_SOFTIRQ },
	{ "asm_common_interrupt", ROLE_HARDIRQ },
	{ "asm_sysvec_*", ROLE_HARDIRQ },
	{ "common_interrupt", ROLE_HARDIRQ },
	{ "el0_interrupt", ROLE_HARDIRQ },
	{ "el1_interrupt", ROLE_HARDIRQ },
	{ "exc_nmi", ROLE_HARDIRQ },
	{ "handle_irq_event", ROLE_HARDIRQ },
	{ "cpu_startup_entry", ROLE_IDLE },
	{ "do_idle", ROLE_IDLE },
};
enum { ROLES = sizeof(roles) / sizeof(*roles) };

/* System calls of x86-64, for kernels whose functions are hidden or have other names. */
static const struct named_call {
	int32_t number;
	enum off_cpu_kind kind;
} calls[] = {
	{ 7, OFF_CPU_KIND_POLL },     /* poll */
	{ 23, OFF_CPU_KIND_POLL },    /* select */
	{ 34, OFF_CPU_KIND_SIGNAL },  /* pause */
	{ 35, OFF_CPU_KIND_TIMER },   /* nanosleep */
	{ 42, OFF_CPU_KIND_SOCKET },  /* connect */
	{ 43, OFF_CPU_KIND_SOCKET },  /* accept */
	{ 44, OFF_CPU_KIND_SOCKET },  /* sendto */
	{ 45, OFF_CPU_KIND_SOCKET },  /* recvfrom */
	{ 46, OFF_CPU_KIND_SOCKET },  /* sendmsg */
	{ 47, OFF_CPU_KIND_SOCKET },  /* recvmsg */
	{ 61, OFF_CPU_KIND_CHILD },   /* wait4 */
	{ 74, OFF_CPU_KIND_DISK },    /* fsync */
	{ 75, OFF_CPU_KIND_DISK },    /* fdatasync */
	{ 128, OFF_CPU_KIND_SIGNAL }, /* rt_sigtimedwait */
	{ 130, OFF_CPU_KIND_SIGNAL }, /* rt_sigsuspend */
	{ 202, OFF_CPU_KIND_FUTEX },  /* futex */
	{ 230, OFF_CPU_KIND_TIMER },  /* clock_nanosleep */
	{ 232, OFF_CPU_KIND_EPOLL },  /* epoll_wait */
	{ 247, OFF_CPU_KIND_CHILD },  /* waitid */
	{ 270, OFF_CPU_KIND_POLL },   /* pselect6 */
	{ 271, OFF_CPU_KIND_POLL },   /* ppoll */
	{ 281, OFF_CPU_KIND_EPOLL },  /* epoll_pwait */
	{ 441, OFF_CPU_KIND_EPOLL },  /* epoll_pwait2 */
	{ 449, OFF_CPU_KIND_FUTEX },  /* futex_waitv */
};

struct function {
	uint64_t start, end;
	int role;
};

struct kernel_functions {
	struct function *items; /* ascending by start */
	size_t count, capacity;
};

/* --- the table of ranges --------------------------------------------------------------------------------------------- */

static bool is_named(const char *name, size_t length, const char *pattern)
{
	const size_t known = strlen(pattern);

	if (pattern[known - 1] == '*')
		return length >= known && strncmp(name, pattern, known - 1) == 0;
	return length == known && memcmp(name, pattern, length) == 0;
}

/* `name` ends with a blank, a tab or the end of the line. */
static int role_of(const char *name)
{
	const size_t length = strcspn(name, " \t\n.");

	for (size_t i = 0; i < ROLES; i++)
		if (roles[i].name[0] == name[0] && is_named(name, length, roles[i].name))
			return roles[i].role;
	return ROLE_NONE;
}

static void add_function(struct kernel_functions *functions, uint64_t start, int role)
{
	*ARRAY_ADD(functions->items, functions->count, functions->capacity) =
		(struct function){ .start = start, .end = UINT64_MAX, .role = role };
}

/* "ffffffff8135e5a0 t do_wait\t[module]"; several names may have the same address. */
static void add_line(struct kernel_functions *functions, const char *line)
{
	struct function *last = functions->count ? &functions->items[functions->count - 1] : NULL;
	char *behind;
	const uint64_t start = strtoull(line, &behind, 16);
	int role;

	if (!start || behind[0] != ' ' || !behind[1] || behind[2] != ' ')
		return;
	if (last && last->end == UINT64_MAX && start > last->start)
		last->end = start;
	role = role_of(behind + 3);
	if (role)
		add_function(functions, start, role);
}

static int compare_starts(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

struct kernel_functions *kernel_functions_create(const char *kallsyms)
{
	struct kernel_functions *functions = xcalloc(1, sizeof(*functions));

	while (*kallsyms) {
		add_line(functions, kallsyms);
		kallsyms += strcspn(kallsyms, "\n");
		kallsyms += *kallsyms == '\n';
	}
	if (functions->count)
		qsort(functions->items, functions->count, sizeof(*functions->items), compare_starts);
	return functions;
}

void kernel_functions_destroy(struct kernel_functions *functions)
{
	if (!functions)
		return;
	free(functions->items);
	free(functions);
}

/*
 * The role of the function at an address. A return address may be past the last byte of a function that calls one that never
 * returns.
 */
static int role_at(const struct kernel_functions *functions, uint64_t address)
{
	size_t from = 0, to = functions->count;

	while (from < to) {
		const size_t middle = from + (to - from) / 2;
		const struct function *function = &functions->items[middle];

		if (address <= function->start)
			to = middle;
		else if (address > function->end)
			from = middle + 1;
		else
			return function->role;
	}
	return ROLE_NONE;
}

/* --- roles in stacks ---------------------------------------------------------------------------------------------- */

static enum off_cpu_kind kind_of_call(int32_t syscall)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].number == syscall)
			return calls[i].kind;
	return syscall >= 0 ? OFF_CPU_KIND_OTHER : OFF_CPU_KIND_UNKNOWN;
}

enum off_cpu_kind kernel_functions_kind(const struct kernel_functions *functions, const uint64_t *frames,
					size_t count, int32_t syscall)
{
	int innermost = ROLE_NONE;

	for (size_t i = 0; i < count; i++) {
		const int role = role_at(functions, frames[i]);

		/* A wait for the disk during a page fault counts as the fault. */
		if (role == OFF_CPU_KIND_PAGE_FAULT)
			return OFF_CPU_KIND_PAGE_FAULT;
		if (!innermost && role && role < ROLE_LAST_KIND)
			innermost = role;
	}
	return innermost ? (enum off_cpu_kind)innermost : kind_of_call(syscall);
}

enum off_cpu_waker kernel_functions_waker(const struct kernel_functions *functions, const uint64_t *frames,
					  size_t count)
{
	/* Of several roles in a stack, the most specific wins. */
	static const struct {
		int role;
		enum off_cpu_waker waker;
	} order[] = {
		{ ROLE_TIMER, OFF_CPU_WAKER_TIMER },     { ROLE_IPI, OFF_CPU_WAKER_IPI },
		{ ROLE_SOFTIRQ, OFF_CPU_WAKER_SOFTIRQ }, { ROLE_HARDIRQ, OFF_CPU_WAKER_HARDIRQ },
		{ ROLE_IDLE, OFF_CPU_WAKER_IDLE },
	};
	bool met[ROLE_IDLE + 1] = { false };

	for (size_t i = 0; i < count; i++)
		met[role_at(functions, frames[i])] = true;
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (met[order[i].role])
			return order[i].waker;
	return OFF_CPU_WAKER_THREAD;
}

size_t kernel_functions_waking_frames(const struct kernel_functions *functions, const uint64_t *frames,
				      size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (role_at(functions, frames[i]) == ROLE_WAKING)
			return i + 1;
	return 0;
}

size_t kernel_functions_interrupt_frames(const struct kernel_functions *functions, const uint64_t *frames,
					 size_t count)
{
	size_t kept = 0;

	while (kept < count && role_at(functions, frames[kept]) != ROLE_HARDIRQ)
		kept++;
	while (kept < count && role_at(functions, frames[kept]) == ROLE_HARDIRQ)
		kept++;
	return kept;
}

#ifndef XPROF_RECORD_BPF_STACK_COPY_BPF_H
#define XPROF_RECORD_BPF_STACK_COPY_BPF_H

/*
 * Copies the user stack of the interrupted thread at the moment of a sample: from below the stack pointer to the end of the
 * stack. A page that is not present becomes a hole, and copying continues behind it. (The kernel's own dump,
 * PERF_SAMPLE_STACK_USER, ends at the first such page and at 64 KiB.) Runs as a perf_event program on each sampling event, in
 * interrupt context, before the kernel writes the sample as usual.
 *
 * This file has the common parts of two programs: stack_copy_whole.bpf.c for kernels with dynptrs (5.19 and later), and
 * stack_copy_classes.bpf.c for older ones, which require a constant record size.
 *
 * The verifier verifies functions that are not static once, for any arguments, but follows a static function anew from each
 * state that leads to it, which took 22 ms of CPU time.
 */

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "record/bpf/stack_copy_record.h"

char LICENSE[] SEC("license") = "Dual MIT/GPL";

/* --- the needed members of the kernel's structures; libbpf corrects their offsets for the running kernel ---------- */

#define OF_KERNEL __attribute__((preserve_access_index))

/* The thread's control block, which glibc and musl place at the end of the thread's stack. */
struct desc_struct {
	/* and more members: a segment descriptor, Intel SDM volume 3, figure 3-8 */
	unsigned short limit0, base0;
} OF_KERNEL;

struct thread_struct {
	unsigned long fsbase;            /* x86 */
	struct desc_struct tls_array[3]; /* of 32-bit programs, which have no fsbase: set_thread_area(2) */
	struct {
		unsigned long tp_value; /* arm64: TPIDR_EL0, as set by clone(2) */
	} uw;
} OF_KERNEL;

struct xol_area {
	/* the mapping [uprobes]; begins with the trampoline to which return probes redirect returns */
	unsigned long vaddr;
} OF_KERNEL;

struct uprobes_state {
	struct xol_area *xol_area;
} OF_KERNEL;

struct mm_struct {
	unsigned long start_stack;
	struct uprobes_state uprobes_state;
} OF_KERNEL;

struct return_instance {
	struct return_instance *next;
	unsigned long stack; /* x86: address of the return address */
	unsigned long orig_ret_vaddr;
} OF_KERNEL;

struct uprobe_task {
	struct return_instance *return_instances; /* the innermost first */
} OF_KERNEL;

struct task_struct {
	unsigned int flags;
	struct mm_struct *mm;
	unsigned long sas_ss_sp; /* sigaltstack(2) */
	unsigned long sas_ss_size;
	struct thread_struct thread;
	struct uprobe_task *utask;
} OF_KERNEL;

/*
 * Only the beginning, without relocation, because these two members are at the same place in every kernel. keep_bounds() reads
 * them, and find_bounds() checks them; only the size of the copy depends on them.
 */
struct vm_area_struct {
	unsigned long vm_start, vm_end;
};

struct perf_sample_data {
	__u64 time;
	__u64 dyn_size; /* since 6.3; since then the kernel also prepares a sample before its program runs */
} OF_KERNEL;

struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
} OF_KERNEL;

enum { PF_KTHREAD_BIT = 0x00200000 };

/* --- maps --------------------------------------------------------------------------------------------------------- */

struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 * 1024); /* a page of any kernel; the loader sets the size */
} copies SEC(".maps");

/* Replaces `copies` once the recorder has found it too small. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct ring);
} larger SEC(".maps");

/* The stack on which a thread was last seen. Cached, because looking it up costs more than copying a small stack. */
struct stack_bounds {
	__u64 mm; /* the thread's memory, which exec replaces */
	__u64 start, end;
	__u64 is_own; /* the thread's own stack, which ends at `end`; false: a part of a larger mapping */
};

struct { /* the loader sets the size */
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2048);
	__type(key, __u32); /* tid */
	__type(value, struct stack_bounds);
} bounds SEC(".maps");

/*
 * The copy for one sample while it is made. It is in a map, because wherever two paths through a program meet, the verifier
 * compares what it knows of the program's stack, but not of maps. One for each CPU, because no other perf_event program runs
 * there meanwhile.
 */
struct copying {
	struct stack_copy_record record;
	struct stack_bounds bounds;
	__u64 is_pressed; /* half of the ring is full */
	/* Results of next_piece(). */
	__u64 at, to; /* range of the thread's memory to copy next */
	__u64 offset; /* of `at` in the record of the ring */
	__u64 base;   /* offset of the stack_copy_record in that record; the caller of fill() sets it */
	/* State of next_piece(). */
	__u64 end;   /* end of the current part */
	__u64 bytes; /* size of the current piece */
	__u64 most;  /* limit for the size of the next piece */
	__u64 in_outer;
	/* Results and state of next_replaced(). */
	__u64 caller;
	/* place of the return address in the record; size 0: not in the record */
	__u32 caller_offset, caller_size;
	__u64 trampoline;
	struct return_instance *next;
	__u8 page[STACK_COPY_PAGE]; /* scratch for a part of a page */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct copying);
} scratch SEC(".maps");

const volatile struct stack_copy_settings settings;

__u64 counts[STACK_COPY_COUNTS];

static void count(__u32 what)
{
	__sync_fetch_and_add(&counts[what], 1);
}

/*
 * The ring to write into. Callers look it up anew to wake the reader, instead of keeping the result: the verifier follows code
 * in which the result is live twice, once for each of the two rings.
 */
static void *ring_to_fill(void)
{
	const __u32 zero = 0;
	void *ring = bpf_map_lookup_elem(&larger, &zero);

	return ring ? ring : &copies;
}

static struct copying *begin_copying(void *ring)
{
	const __u32 zero = 0;
	struct copying *copying = bpf_map_lookup_elem(&scratch, &zero);

	if (copying)
		copying->is_pressed = bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA) >=
				      bpf_ringbuf_query(ring, BPF_RB_RING_SIZE) / 2;
	return copying;
}

/* --- finding the stack ---------------------------------------------------------------------------------------------- */

static long keep_bounds(struct task_struct *task, struct vm_area_struct *vma, struct stack_bounds *found)
{
	(void)task;
	found->start = vma->vm_start;
	found->end = vma->vm_end;
	return 0;
}

/*
 * The address of the thread's control block, at which the stack of a thread ends; 0 if unknown. The control block of the main
 * thread is not in the mapping of its stack.
 */
__noinline __u64 thread_block(void)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	__u64 block = 0, descriptor = 0;

	/* arm64: the C libraries' own structures are below it, some 2 KiB that are copied with the stack. */
	if (bpf_core_field_exists(task->thread.uw.tp_value))
		return task->thread.uw.tp_value;
	if (!bpf_core_field_exists(task->thread.fsbase) || !bpf_core_field_exists(task->thread.tls_array))
		return 0;
	block = task->thread.fsbase;
	if (!block && !bpf_core_read(&descriptor, sizeof(descriptor), &task->thread.tls_array))
		block = (descriptor >> 16 & 0xffffff) | (descriptor >> 56) << 24;
	return block;
}

/*
 * If the main thread's stack or a control block begins this close above the stack pointer, no other mapping lies between them
 * (the kernel keeps 1 MiB below the main stack free, stack_guard_gap), so the stack ends there.
 */
enum { NEAR_BYTES = 512 * 1024 };

/*
 * The first frame of a program is at the start of the main thread's stack. Its arguments and environment lie above, often more
 * bytes than all frames. A few words of these are copied for rules that read above the first frame.
 */
enum { ABOVE_START_BYTES = 64 };

__noinline int end_near(struct copying *copying, __u64 sp, __u64 end)
{
	if (!copying || sp >= end || end - sp > NEAR_BYTES)
		return false;
	copying->bounds = (struct stack_bounds){ .start = sp, .end = end, .is_own = true };
	return true;
}

/* Finds the stack that contains `sp` and sets copying->bounds. Returns false, and sets an end of 0, if it is unknown. */
__noinline int find_bounds(struct copying *copying, __u64 sp)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct mm_struct *mm = BPF_CORE_READ(task, mm);
	const __u64 main_start = BPF_CORE_READ(mm, start_stack), block = thread_block();
	const struct stack_bounds *known;
	struct stack_bounds mapping = { .mm = (__u64)mm };
	__u32 tid;

	if (!copying)
		return false;
	/* An exiting task has given up its memory, but the kernel may take long to free it: there is nothing to copy. */
	if (end_near(copying, sp, mm ? main_start + ABOVE_START_BYTES : sp + sizeof(__u64)))
		return true;
	tid = copying->record.tid;
	known = bpf_map_lookup_elem(&bounds, &tid);
	if (known && (known->mm != (__u64)mm || sp >= known->end))
		known = NULL;
	if (known && sp >= known->start) {
		copying->bounds = *known;
		return true;
	}
	/* At most once per sample: the kernel releases the lock of the look-up only after the interrupt. */
	if (bpf_find_vma(task, sp, keep_bounds, &mapping, 0) || sp < mapping.start || sp >= mapping.end) {
		/* The memory map is locked, by mmap(2) for example. The main thread's stack may have grown, but its end stays. */
		if (known && main_start >= known->start && main_start < known->end &&
		    known->end - sp <= settings.max_bytes) {
			copying->bounds = *known;
			return true;
		}
		if (end_near(copying, sp, block))
			return true;
		copying->bounds.end = 0;
		return false;
	}
	mapping.is_own = main_start >= mapping.start && main_start < mapping.end;
	if (block > sp && block < mapping.end) {
		mapping.end = block;
		mapping.is_own = true;
	}
	bpf_map_update_elem(&bounds, &tid, &mapping, BPF_ANY);
	copying->bounds = mapping;
	return true;
}

static __u32 bytes_to(__u64 end, __u64 start, __u32 at_most)
{
	return end > start && end - start < at_most ? (__u32)(end - start) : at_most;
}

/* --- goroutines ----------------------------------------------------------------------------------------------------- */

struct go_stack {
	__u64 start, end;
};

/* Go code keeps g in this register (src/cmd/compile/abi-internal.md). */
#ifdef __TARGET_ARCH_arm64
#define GO_G(registers) (((const struct user_pt_regs *)(registers))->regs[28])
#else
#define GO_G(registers) ((registers)->r14)
#endif

enum {
	/* offset in a g of the address of its m, whose first word is the address of its g0 */
	GO_M = 6 * sizeof(__u64),
};

/* Is the address in Go's heap (src/runtime/malloc.go)? If not, the register does not hold a g. */
static bool is_in_go_heap(__u64 address)
{
	const __u64 heap = bpf_core_field_exists(((struct task_struct *)0)->thread.uw.tp_value) ?
				   0x4000000000ull :
				   0xc000000000ull;

	return address - heap < 1ull << 36 && address % sizeof(__u64) == 0;
}

static bool has_stack(struct go_stack *stack, __u64 g)
{
	return !bpf_probe_read_user(stack, sizeof(*stack), (const void *)g) && stack->start < stack->end;
}

/*
 * Finds a goroutine's stack, a piece of Go's heap. Its bounds are the first words of its g (struct g, src/runtime/runtime2.go),
 * which is in a register. Memory of the thread cannot be trusted, so the stack pointer must be between these bounds. Go's
 * runtime works on a stack of the thread (that of m.g0), called from the goroutine's stack; then the goroutine's stack is
 * copied, too.
 */
__noinline int use_goroutine(struct copying *copying, __u64 sp, __u64 g)
{
	struct go_stack stack, own;
	__u64 m = 0, g0 = 0;

	if (!copying || !is_in_go_heap(g) || !has_stack(&stack, g))
		return false;
	if (sp - stack.start >= stack.end - stack.start) {
		if (bpf_probe_read_user(&m, sizeof(m), (const void *)(g + GO_M)) ||
		    bpf_probe_read_user(&g0, sizeof(g0), (const void *)m) || !has_stack(&own, g0) ||
		    sp - own.start >= own.end - own.start)
			return false;
		copying->record.outer.size =
			bytes_to(stack.end, stack.start, STACK_COPY_MAX_OUTER) & ~(__u64)7;
		copying->record.outer.address = stack.end - copying->record.outer.size;
		stack = own;
	}
	/* A stack that the system or the C library made for the thread extends beyond the part that Go knows. */
	if (is_in_go_heap(stack.end))
		copying->bounds =
			(struct stack_bounds){ .start = stack.start, .end = stack.end, .is_own = true };
	return true;
}

/* --- alternate stacks of signal handlers -------------------------------------------------------------------------- */

/* Search for the signal frame at the end of an alternate stack, which has the interrupted registers. */
struct interrupted {
	__u64 alternate, size; /* as in struct task_struct */
	__u64 at;              /* candidate address of the frame; the result if `found` */
	__u64 found;
};

/* Offsets in struct ucontext of x86-64 (uapi/asm/sigcontext.h and asm-generic/ucontext.h). */
enum {
	UCONTEXT_STACK = 16, /* stack_t: address, flags, size */
	UCONTEXT_R14 = 40 + 6 * 8,
	UCONTEXT_RSP = 40 + 15 * 8,
	UCONTEXT_BYTES = 304,
	/*
	 * The kernel puts the FPU registers at a multiple of 64 before the end of the stack, and before these struct
	 * rt_sigframe so that its ucontext is at a multiple of 64, too (arch/x86/kernel/signal_64.c).
	 */
	UCONTEXT_ALIGNMENT = 64,
	MAX_SIGNAL_FRAME = 16 << 10, /* AMX's tiles are 8 KiB */
};

/*
 * For bpf_loop(): checks one address. A signal frame contains the bounds of the alternate stack. Returns 1, which ends the
 * loop, when the frame is found.
 */
static long try_frame(__u32 number, struct interrupted *interrupted)
{
	__u64 stack[3];

	(void)number;
	interrupted->at -= UCONTEXT_ALIGNMENT;
	if (bpf_probe_read_user(stack, sizeof(stack), (const void *)(interrupted->at + UCONTEXT_STACK)))
		return 0;
	interrupted->found = stack[0] == interrupted->alternate && stack[2] == interrupted->size;
	return interrupted->found;
}

/*
 * Copies the interrupted stack from the interrupted stack pointer on, which is exactly what the frames below the handler need.
 * Returns false if the signal frame is not found: another machine, or a 32-bit program.
 */
static bool place_interrupted(struct task_struct *task, struct copying *copying)
{
	struct interrupted interrupted = { .alternate = task->sas_ss_sp, .size = task->sas_ss_size };
	struct stack_copy_record *record = &copying->record;
	__u64 sp = 0, r14 = 0;

	if (!bpf_core_field_exists(task->thread.fsbase))
		return false;
	interrupted.at = (interrupted.alternate + interrupted.size - UCONTEXT_BYTES) &
			 ~(__u64)(UCONTEXT_ALIGNMENT - 1);
	bpf_loop(MAX_SIGNAL_FRAME / UCONTEXT_ALIGNMENT, try_frame, &interrupted, 0);
	if (!interrupted.found ||
	    bpf_probe_read_user(&sp, sizeof(sp), (const void *)(interrupted.at + UCONTEXT_RSP)) ||
	    bpf_probe_read_user(&r14, sizeof(r14), (const void *)(interrupted.at + UCONTEXT_R14)) ||
	    sp < STACK_COPY_PAGE || !find_bounds(copying, sp))
		return false;
	use_goroutine(copying, sp, r14);
	record->outer.address = sp - STACK_COPY_RED_ZONE;
	record->outer.size = bytes_to(copying->bounds.end, record->outer.address, STACK_COPY_MAX_OUTER);
	return true;
}

/* The fallback: copies the outermost part of the thread's own stack, up to its end. */
static void place_outer(struct task_struct *task, struct copying *copying)
{
	struct stack_copy_record *record = &copying->record;
	/* The main thread's control block is not at the end of its stack. */
	const __u64 inside = record->pid == record->tid ? BPF_CORE_READ(task, mm, start_stack) :
							  thread_block() - sizeof(__u64);

	if (!find_bounds(copying, inside))
		return;
	record->outer.size = bytes_to(copying->bounds.end, copying->bounds.start, STACK_COPY_MAX_OUTER);
	record->outer.address = copying->bounds.end - record->outer.size;
}

/* A fiber's stack may be in gigabytes of memory that is not a stack, so only the usual depth is copied. */
static __u32 most_bytes(const struct copying *copying)
{
	if (copying->bounds.is_own && !copying->is_pressed)
		return settings.max_bytes;
	return settings.max_bytes < STACK_COPY_MAX_UNSURE ? settings.max_bytes : STACK_COPY_MAX_UNSURE;
}

/*
 * Decides what to copy for a sample taken at `time`, and fills in copying->record. Returns false for threads without user
 * memory.
 */
__noinline int prepare(struct copying *copying, __u64 time)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const __u64 id = bpf_get_current_pid_tgid(), alternate = task->sas_ss_sp;
	struct pt_regs *registers;
	unsigned long sp = 0, g = 0;

	if (!copying || !(__u32)id || task->flags & PF_KTHREAD_BIT)
		return false;
	registers = (struct pt_regs *)bpf_task_pt_regs(task);
	bpf_probe_read_kernel(&sp, sizeof(sp), (const void *)&PT_REGS_SP(registers));
	if (sp < STACK_COPY_PAGE)
		return false;
	copying->record = (struct stack_copy_record){ .time = time, .pid = id >> 32, .tid = (__u32)id };
	/* Is the stack pointer on the alternate stack of a signal handler (sigaltstack(2))? */
	if (sp - alternate < task->sas_ss_size) {
		if (!place_interrupted(task, copying))
			place_outer(task, copying);
		copying->bounds.end = alternate + task->sas_ss_size;
		copying->bounds.is_own = false;
	} else if (!find_bounds(copying, sp)) {
		copying->bounds.is_own = false;
		count(STACK_COPY_NO_END);
	} else {
		bpf_probe_read_kernel(&g, sizeof(g), (const void *)&GO_G(registers));
		use_goroutine(copying, sp, g);
	}
	copying->record.stack.address = sp - STACK_COPY_RED_ZONE;
	copying->record.stack.size =
		bytes_to(copying->bounds.end, copying->record.stack.address, most_bytes(copying));
	return true;
}

/* --- copying ---------------------------------------------------------------------------------------------------------- */

/*
 * When to wake the reader. Waking it early leaves more room for copies that come meanwhile; waking it seldom keeps more of the
 * ring in its caches. On its first pass through the ring the reader is woken earlier, because it does not know yet how fast
 * copies come, and has files to open.
 */
enum { WAKE_MAX_BYTES = 4 << 20, WAKE_EIGHTHS = 3 };

/*
 * Flags for submitting a record of `bytes`. The reader is woken once each time the ring has that many bytes more, not by every
 * further record: some records may wait for their samples, and those of stacks with unknown end are large.
 */
static __u64 wake_flags(__u32 bytes)
{
	void *ring = ring_to_fill();
	const __u64 held = bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA);
	const __u64 before = held > bytes ? held - bytes : 0;
	const __u64 eighth = bpf_ringbuf_query(ring, BPF_RB_RING_SIZE) / 8;
	const __u64 part =
		bpf_ringbuf_query(ring, BPF_RB_PROD_POS) < 8 * eighth ? eighth : WAKE_EIGHTHS * eighth;
	const __u64 wake_at = part < WAKE_MAX_BYTES ? part : WAKE_MAX_BYTES;

	return held / wake_at != before / wake_at ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static void note_hole(struct stack_copy_part *part, __u64 address)
{
	const __u64 page = address / STACK_COPY_PAGE - part->address / STACK_COPY_PAGE;

	part->holes[page >> 6 & (STACK_COPY_HOLE_WORDS - 1)] |= 1ull << (page & 63);
}

/* The offset in a record at which the bytes of the outer stack begin. */
static __u32 outer_offset(const struct stack_copy_record *record)
{
	return (__u32)(sizeof(*record) + ((record->stack.size + 7) & ~7ull));
}

/* --- return addresses replaced by uretprobes ------------------------------------------------------------------------ */

enum {
	MAX_URETPROBES = 64, /* MAX_URETPROBE_DEPTH, kernel/events/uprobes.c */
	MAX_PUT_BACK = 16,   /* for copy_classes(), each loop of which the verifier follows four times */
};

/*
 * While a function with a return probe runs, its stack has the address of a trampoline, and the kernel keeps the return address
 * in a list. Prepares to walk that list. Returns false if it is empty.
 */
__noinline int find_replaced(struct copying *copying)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!copying || !bpf_core_field_exists(task->utask) ||
	    !bpf_core_field_exists(task->mm->uprobes_state))
		return false;
	copying->next = BPF_CORE_READ(task, utask, return_instances);
	if (!copying->next)
		return false;
	copying->trampoline = BPF_CORE_READ(task, mm, uprobes_state.xol_area, vaddr);
	return copying->trampoline != 0;
}

/* The offset in the record of a word of the thread's memory; 0: not in the record. */
static __u32 place_in_record(const struct stack_copy_record *record, __u64 slot, __u32 size)
{
	if (slot >= record->stack.address && slot - record->stack.address + size <= record->stack.size)
		return (__u32)(sizeof(*record) + slot - record->stack.address);
	if (slot >= record->outer.address && slot - record->outer.address + size <= record->outer.size)
		return (__u32)(outer_offset(record) + slot - record->outer.address);
	return 0;
}

/*
 * Finds the next replaced return address and its place in the record. Returns false behind the last. If a function was left by
 * longjmp(), its entry stays in the list for a while, and something else may be at its place on the stack; then caller_size is
 * 0.
 */
__noinline int next_replaced(struct copying *copying)
{
	const struct return_instance *instance;
	__u64 slot, word = 0;
	__u32 size;

	if (!copying || !copying->next)
		return false;
	instance = copying->next;
	copying->next = BPF_CORE_READ(instance, next);
	copying->caller = BPF_CORE_READ(instance, orig_ret_vaddr);
	slot = BPF_CORE_READ(instance, stack);
	size = slot >> 32 ? 8 : 4; /* stacks of 64-bit programs are above 4 GiB */
	copying->caller_offset = place_in_record(&copying->record, slot, size);
	if (!copying->caller_offset || bpf_probe_read_user(&word, size, (const void *)slot) ||
	    word != copying->trampoline)
		size = 0;
	copying->caller_size = size;
	return true;
}

#endif

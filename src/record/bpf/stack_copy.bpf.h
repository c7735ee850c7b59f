#ifndef XPROF_RECORD_BPF_STACK_COPY_BPF_H
#define XPROF_RECORD_BPF_STACK_COPY_BPF_H

/*
 * Copies the user stack of the interrupted thread at the moment of a sample: from below the stack pointer to the
 * stack's end, page by page; a page that is not in memory is noted as a hole, and the copy goes on behind it. (The
 * kernel's own dump, PERF_SAMPLE_STACK_USER, ends at the first such page and at 64 KiB.) Runs as a perf_event program
 * on each sampling event, in interrupt context, before the kernel writes the sample, which stays.
 *
 * Here is what two programs have in common: stack_copy_whole.bpf.c for kernels that have dynptrs (5.19 on), and
 * stack_copy_classes.bpf.c for older ones, where a record's size has to be a constant.
 *
 * Functions that are not static are verified once, for any arguments. The verifier follows a static function anew from
 * each of the states that lead to it: which took 22 ms of CPU time.
 */

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "record/bpf/stack_copy_record.h"

char LICENSE[] SEC("license") = "Dual MIT/GPL";

/* --- of the kernel's structures, what is looked at; loading moves the offsets to where they are ------------------ */

#define OF_KERNEL __attribute__((preserve_access_index))

/* The thread's control block, which glibc and musl put at the end of its stack. */
struct desc_struct {
	unsigned short limit0, base0; /* and more: a segment descriptor, Intel SDM volume 3, figure 3-8 */
} OF_KERNEL;

struct thread_struct {
	unsigned long fsbase;            /* x86 */
	struct desc_struct tls_array[3]; /* of 32-bit programs, which have no fsbase: set_thread_area(2) */
	struct {
		unsigned long tp_value; /* arm64: TPIDR_EL0, as clone(2) has set it */
	} uw;
} OF_KERNEL;

struct xol_area {
	unsigned long
		vaddr; /* [uprobes], which begins with the trampoline that return probes put in place of callers */
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
	unsigned long stack; /* x86: where the return address lies */
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
 * Only its beginning, where these two have been in every kernel: no name that has to be looked up. keep_bounds()
 * checks them, and nothing depends on them but how much is copied.
 */
struct vm_area_struct {
	unsigned long vm_start, vm_end;
};

struct perf_sample_data {
	__u64 time;
	__u64 dyn_size; /* since 6.3, as is that a sample is prepared before its program runs */
} OF_KERNEL;

struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
} OF_KERNEL;

enum { PF_KTHREAD_BIT = 0x00200000 };

/* --- maps --------------------------------------------------------------------------------------------------------- */

struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 * 1024); /* any kernel's page; sized by the loader */
} copies SEC(".maps");

/* In place of `copies`, once the recorder has found that too small. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct ring);
} larger SEC(".maps");

/* Where the stack lies that a thread was last seen on: looking it up costs more than copying a small stack. */
struct stack_bounds {
	__u64 mm; /* an exec gives a thread another memory */
	__u64 start, end;
	__u64 is_own; /* the thread's, which ends there; else what it runs on is part of something larger */
};

struct { /* sized by the loader */
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2048);
	__type(key, __u32); /* tid */
	__type(value, struct stack_bounds);
} bounds SEC(".maps");

/*
 * One sample's copy in the making. In a map, as the verifier compares what it knows of a program's own stack wherever two ways
 * through it meet, but knows nothing of maps; of each CPU, on which no other perf_event program runs meanwhile.
 */
struct copying {
	struct stack_copy_record record;
	struct stack_bounds bounds;
	__u64 is_pressed; /* half of the ring is full */
	/* The result of next_piece(). */
	__u64 at, to; /* of the thread's memory, to be copied next */
	__u64 offset; /* of `at` in the record */
	/* Likewise, for itself. */
	__u64 end;   /* of the part */
	__u64 bytes; /* that it has */
	__u64 most;  /* that the next may have */
	__u64 in_outer;
	/* The result of next_replaced(), and its own state. */
	__u64 caller;
	__u32 caller_offset, caller_size; /* in the record; size 0: it is not there */
	__u64 trampoline;
	struct return_instance *next;
	__u8 page[STACK_COPY_PAGE]; /* part of one, on its way */
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
 * Looked up twice, for the record's room and to wake the reader: the verifier follows all that is done while a ring is known twice, as
 * there are two.
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

/* --- where the stack is --------------------------------------------------------------------------------------------- */

static long keep_bounds(struct task_struct *task, struct vm_area_struct *vma, struct stack_bounds *found)
{
	(void)task;
	found->start = vma->vm_start;
	found->end = vma->vm_end;
	return 0;
}

/* Stacks of threads end at their control block. One that lies elsewhere (the main thread's) is not in the mapping. */
__noinline __u64 thread_block(void)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	__u64 block = 0, descriptor = 0;

	/* The C libraries' own structures lie below it, some 2 KiB that are copied with the stack. */
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
 * No other mapping comes so close below the main thread's stack (the kernel keeps 1 MiB free, stack_guard_gap), nor to a thread's control
 * block from below: a stack that reaches up to there ends there.
 */
enum { NEAR_BYTES = 512 * 1024 };

/*
 * A program begins at the start of the main thread's stack, above which its arguments and environment lie, often more bytes than
 * all frames have: some words more than nothing, for rules that read there.
 */
enum { ABOVE_START_BYTES = 64 };

__noinline int end_near(struct copying *copying, __u64 sp, __u64 end)
{
	if (!copying || sp >= end || end - sp > NEAR_BYTES)
		return false;
	copying->bounds = (struct stack_bounds){ .start = sp, .end = end, .is_own = true };
	return true;
}

/* Of the stack that `sp` lies in: copying->bounds. False, with an end of 0, where that cannot be found out. */
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
	/* A task that ends has given up its memory, which may take the kernel long to free: there is nothing to copy. */
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
	/* Once a sample: the kernel lets go of what the look-up has locked only after the interrupt. */
	if (bpf_find_vma(task, sp, keep_bounds, &mapping, 0) || sp < mapping.start || sp >= mapping.end) {
		/* The memory map is locked, as in mmap(2). The main thread's stack may have grown; its end stays. */
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

/* In Go's code the g is in this register (src/cmd/compile/abi-internal.md). */
#ifdef __TARGET_ARCH_arm64
#define GO_G(registers) (((const struct user_pt_regs *)(registers))->regs[28])
#else
#define GO_G(registers) ((registers)->r14)
#endif

enum {
	GO_M = 6 *
	       sizeof(__u64), /* of a g: the address of its m, the first word of which is that of its g0 */
};

/* Where Go's heap begins, src/runtime/malloc.go: other values in the register of g need not be looked at. */
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
 * A goroutine's stack is a piece of Go's heap. Its bounds are the first words of its g (struct g, src/runtime/runtime2.go),
 * which is in a register. Of another thread's memory nothing is taken on trust: the stack pointer has to lie between
 * them. The runtime's own work is done on a stack of the thread (that of m.g0), and goes on on the goroutine's stack: then
 * that is copied as well.
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
	/* The stack of a thread that the system or the C library made goes on beyond what is Go's. */
	if (is_in_go_heap(stack.end))
		copying->bounds =
			(struct stack_bounds){ .start = stack.start, .end = stack.end, .is_own = true };
	return true;
}

/* --- alternate stacks of signal handlers -------------------------------------------------------------------------- */

/* The signal frame at the end of an alternate stack: what was interrupted. */
struct interrupted {
	__u64 alternate, size; /* as in struct task_struct */
	__u64 at;              /* where the frame may be; the result */
	__u64 found;
};

/* uapi/asm/sigcontext.h and asm-generic/ucontext.h: struct ucontext, of x86-64. */
enum {
	UCONTEXT_STACK = 16, /* stack_t: address, flags, size */
	UCONTEXT_R14 = 40 + 6 * 8,
	UCONTEXT_RSP = 40 + 15 * 8,
	UCONTEXT_BYTES = 304,
	/*
	 * The kernel puts the registers of the FPU in front of the stack's end, at a multiple of 64, and in front of these
	 * struct rt_sigframe, of which the ucontext is then at such a multiple, too (arch/x86/kernel/signal_64.c).
	 */
	UCONTEXT_ALIGNMENT = 64,
	MAX_SIGNAL_FRAME = 16 << 10, /* AMX's tiles are 8 KiB */
};

/* For bpf_loop(): is it there? The frame says on which stack it is. Ends, with 1, when it was found. */
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
 * From where on its own stack the thread was interrupted: exactly what the frames below the handler need. False where the
 * signal frame is not found: another machine's, or a 32-bit program's.
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

/* Else the outermost part of that stack is copied, up to where it ends. */
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

/* A fiber's stack may lie in gigabytes of memory that is no stack: of those the usual depth is copied. */
static __u32 most_bytes(const struct copying *copying)
{
	if (copying->bounds.is_own && !copying->is_pressed)
		return settings.max_bytes;
	return settings.max_bytes < STACK_COPY_MAX_UNSURE ? settings.max_bytes : STACK_COPY_MAX_UNSURE;
}

/* Decides what to copy for a sample that was taken at that time: copying->record. False for threads without user memory. */
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
	/* Is it sigaltstack(2)'s stack, on which a signal handler runs? */
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
 * A reader that is woken early has the rest of the ring for the copies that come meanwhile; one that is woken seldom finds less gone
 * from its caches each time. On the first way through the ring it does not know yet how fast copies come, and has files to open.
 */
enum { WAKE_MAX_BYTES = 4 << 20, WAKE_EIGHTHS = 3 };

/*
 * For a record of that size. The reader is woken once for so many bytes, not by every record beyond them: some may
 * wait for their samples, and those of unknown end are large.
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

/* Where the bytes of the outer stack begin in a record. */
static __u32 outer_offset(const struct stack_copy_record *record)
{
	return (__u32)(sizeof(*record) + ((record->stack.size + 7) & ~7ull));
}

/* --- return addresses that uretprobes have replaced ----------------------------------------------------------------- */

enum {
	MAX_URETPROBES = 64, /* MAX_URETPROBE_DEPTH, kernel/events/uprobes.c */
	MAX_PUT_BACK = 16,   /* by copy_classes(), whose every loop the kernel follows four times over */
};

/* While functions with return probes run, their callers stand in a list of the kernel's and a trampoline on the stack. */
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

/* Where a word of the thread's memory lies in a record; 0: not there. */
static __u32 place_in_record(const struct stack_copy_record *record, __u64 slot, __u32 size)
{
	if (slot >= record->stack.address && slot - record->stack.address + size <= record->stack.size)
		return (__u32)(sizeof(*record) + slot - record->stack.address);
	if (slot >= record->outer.address && slot - record->outer.address + size <= record->outer.size)
		return (__u32)(outer_offset(record) + slot - record->outer.address);
	return 0;
}

/*
 * The next replaced return address and where it lies in the record. False behind the last. An instance of a function that was
 * left by longjmp() stays in the list for a while, and something else may lie there by now.
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
	size = slot >> 32 ? 8 : 4; /* stacks of 64-bit programs lie higher */
	copying->caller_offset = place_in_record(&copying->record, slot, size);
	if (!copying->caller_offset || bpf_probe_read_user(&word, size, (const void *)slot) ||
	    word != copying->trampoline)
		size = 0;
	copying->caller_size = size;
	return true;
}

#endif

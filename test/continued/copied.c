/*
 * Tests the copies of stacks that the BPF program makes (record/bpf/stack_copier.h), by the thread's memory before it runs on:
 * the sampling events raise SIGTRAP (perf_event_attr.sigtrap), which the kernel delivers before it returns to user space. This
 * program traces the command with ptrace, so the thread stands still at its sample.
 *
 *	copied [-F HZ] [-s SECONDS] [-k] COMMAND...
 *
 * Compares each copy byte by byte with the thread's memory, and the stack that the recorder writes from it frame by frame
 * with the stack unwound from the thread's memory. Covers all processes and threads that the command starts; kills them after
 * SECONDS. With -k copies are paired with samples by the clock, as on Linux before 6.3.
 *
 * Prints a line of numbers, see print_result(). Exit status 77 if this cannot be done here.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "continued/sampling.h"
#include "continued/user_frames.h"
#include "record/bpf/stack_copier.h"
#include "record/recorder.h"
#include "record/ring_buffer.h"
#include "record/stack/evidence.h"
#include "record/stack/live_unwinder.h"
#include "record/stack/sample_parts.h"

enum {
	MAX_CPUS = 64,
	MAX_THREADS = 4096,    /* alive at the same time */
	SIDEBAND_PAGES = 1024, /* of each CPU's ring */
	SAMPLE_PAGES = 64,     /* of each thread's ring */
	COPY_RING_BYTES = 64 << 20,
	TRUTH_MAX_BYTES = 8 << 20, /* of a stack: the usual limit */
	SKIPPED = 77,
	TRAP_BY_PERF = 6,            /* TRAP_PERF, asm-generic/siginfo.h */
	SIGINFO_PERF_FLAGS_AT = 36,  /* si_perf_flags, which some C libraries do not name */
	SIGINFO_PERF_FLAG_ASYNC = 1, /* SIGTRAP was blocked, so the thread has run on */
};

struct judged {
	uint64_t samples;
	uint64_t user;  /* samples of user code */
	uint64_t moved; /* the thread had moved on when it stopped */
	uint64_t uncopied;
	uint64_t bytes;      /* bytes compared */
	uint64_t holes;      /* pages */
	uint64_t full_holes; /* holes that were not zeros in the thread's memory */
	uint64_t differing_user,
		differing_system; /* copies with a wrong byte, of samples of user code and of the kernel */
	uint64_t whole;           /* stacks that reach the start of their thread */
	uint64_t cut;             /* do not, but the thread's memory does */
	uint64_t unjudged;        /* the thread's memory does not either */
	struct judged_frames frames;
};

/* A sample that was read before its thread stopped, and what the recorder writes for it. */
struct pending_sample {
	struct strbuf record, written, copied_bytes;
	struct stack_copy copy; /* bytes in `copied_bytes` */
	bool was_copied, has_bytes;
};

struct judged_thread {
	pid_t tid; /* 0: unused */
	int fd;    /* -1: no event */
	struct ring_buffer ring;
	struct pending_sample pending; /* the last sample */
	bool is_pending;
};

struct judge {
	struct perf_event_attr attr;
	struct written_event sampler;
	struct ring_buffer sidebands[MAX_CPUS];
	size_t cpu_count;
	struct stack_copier *copier;
	struct build_id_table *files;
	struct evidence *evidence;
	struct live_unwinder *unwinder;
	struct judged_thread threads[MAX_THREADS];
	uint8_t *truth;                 /* memory for the next two */
	struct stack_memory own, outer; /* stacks of a stopped thread */
	struct judged judged;
	uint8_t bounce[RING_RECORD_MAX_BYTES];
};

/* --- events -------------------------------------------------------------------------- */

static int open_event(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Opens events for the mappings of all threads, from exec on. */
static int open_sidebands(struct judge *judge, pid_t pid, struct error *err)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct perf_event_attr attr = judge->attr;

	attr.config = PERF_COUNT_SW_DUMMY;
	attr.freq = attr.sigtrap = attr.remove_on_exec = 0;
	attr.sample_freq = 0;
	attr.disabled = attr.enable_on_exec = attr.inherit = 1;
	attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
	for (long cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++) {
		const int fd = open_event(&attr, pid, (int)cpu);

		if (fd < 0)
			return error_set_errno(err, errno, "the dummy event cannot be opened");
		if (ring_buffer_map(&judge->sidebands[judge->cpu_count++], fd, SIDEBAND_PAGES, err) < 0)
			return -1;
	}
	return 0;
}

static struct judged_thread *find_thread(struct judge *judge, pid_t tid)
{
	for (size_t i = 0; i < MAX_THREADS; i++)
		if (judge->threads[i].tid == tid)
			return &judge->threads[i];
	return NULL;
}

static void close_event(struct judged_thread *thread)
{
	if (thread->fd < 0)
		return;
	ring_buffer_unmap(&thread->ring);
	close(thread->fd);
	thread->fd = -1;
}

static void forget_thread(struct judged_thread *thread)
{
	close_event(thread);
	thread->is_pending = false;
	thread->tid = 0;
}

/* Opens the event of a thread that has begun, or that lost its event by exec. */
static int sample_thread(struct judge *judge, pid_t tid, struct error *err)
{
	struct judged_thread *thread = find_thread(judge, tid);

	if (!thread) {
		thread = find_thread(judge, 0);
		if (!thread)
			return error_set(err, "more than %d threads", MAX_THREADS);
		thread->tid = tid;
		thread->fd = -1;
	}
	close_event(thread);
	thread->is_pending = false;
	thread->fd = open_event(&judge->attr, tid, -1);
	if (thread->fd < 0)
		return error_set_errno(err, errno, "the event cannot be opened");
	if (ring_buffer_map(&thread->ring, thread->fd, SAMPLE_PAGES, err) < 0)
		return -1;
	return stack_copier_attach(judge->copier, thread->fd, err);
}

/* --- samples as the recorder writes them ------------------------------------------------- */

static void copy_out(struct pending_sample *pending, const struct stack_copy *copy)
{
	strbuf_reset(&pending->copied_bytes);
	strbuf_add(&pending->copied_bytes, copy->stack_bytes, copy->stack.size);
	pending->copy = *copy;
	pending->copy.stack_bytes = (const uint8_t *)pending->copied_bytes.bytes;
}

struct reader {
	struct judge *judge;
	struct judged_thread *thread;
};

static void keep_sample(const uint8_t *record, size_t size, void *context)
{
	const struct reader *reader = context;
	struct judge *judge = reader->judge;
	struct pending_sample *pending = &reader->thread->pending;
	struct stack_copies *copies = stack_copier_copies(judge->copier);
	const uint64_t uncopied = evidence_counts(judge->evidence)->uncopied;
	struct perf_event_header header;
	struct sample_parts parts;
	struct stack_copy copy;

	memcpy(&header, record, sizeof(header));
	if (header.type != PERF_RECORD_SAMPLE)
		return;
	strbuf_reset(&pending->record);
	strbuf_add(&pending->record, record, size);
	strbuf_reset(&pending->written);
	evidence_append(judge->evidence, &pending->written, record, size);
	pending->was_copied = evidence_counts(judge->evidence)->uncopied == uncopied;
	pending->has_bytes = false;
	reader->thread->is_pending = sample_parts_find(&parts, record, size, &judge->attr);
	if (reader->thread->is_pending) {
		const struct stack_copy_key key = { .tid = parts.tid,
						    .time = parts.time_ns,
						    .sp = live_unwinder_sp(judge->unwinder, &parts) };

		/* With pairing by clock only the first look-up, the recorder's, finds it. */
		pending->has_bytes = stack_copies_find(copies, &key, &copy);
		if (pending->has_bytes)
			copy_out(pending, &copy);
	}
}

static void note(const uint8_t *record, size_t size, void *context)
{
	struct judge *judge = context;

	evidence_note(judge->evidence, record, size);
	live_unwinder_apply_all(judge->unwinder, record, size);
}

static void walk(struct judge *judge, struct ring_buffer *ring, struct ring_spans spans,
		 void (*visit)(const uint8_t *, size_t, void *), void *context)
{
	struct ring_walk walk = { .spans = spans };
	const uint8_t *run;
	size_t run_size;

	while (ring_walk_next(&walk, judge->bounce, &run, &run_size, visit, context) > 0)
		;
	ring_buffer_release(ring, spans.head);
}

/* As a round of the recorder: fixes how much to read of the samples' rings before reading copies and state records. */
static void do_round(struct judge *judge)
{
	static struct ring_spans spans[MAX_THREADS];

	evidence_begin_round(judge->evidence, judge->files);
	for (size_t i = 0; i < MAX_THREADS; i++)
		if (judge->threads[i].tid && judge->threads[i].fd >= 0)
			spans[i] = ring_buffer_peek(&judge->threads[i].ring);
	evidence_begin_samples(judge->evidence, clock_now_ns());
	for (size_t i = 0; i < judge->cpu_count; i++)
		walk(judge, &judge->sidebands[i], ring_buffer_peek(&judge->sidebands[i]), note, judge);
	for (size_t i = 0; i < MAX_THREADS; i++)
		if (judge->threads[i].tid && judge->threads[i].fd >= 0) {
			struct reader reader = { judge, &judge->threads[i] };

			walk(judge, &judge->threads[i].ring, spans[i], keep_sample, &reader);
		}
	evidence_end_samples(judge->evidence);
}

/* --- the truth ------------------------------------------------------------------------------ */

struct memory_range {
	unsigned long long start, end;
};

/* Finds the mapping of the address, or "[stack]" if `main_stack`. */
static bool find_mapping(pid_t tid, uint64_t address, bool main_stack, struct memory_range *found)
{
	char path[64], line[512];
	bool is_found = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)tid);
	maps = fopen(path, "r");
	while (maps && !is_found && fgets(line, sizeof(line), maps))
		is_found = sscanf(line, "%llx-%llx", &found->start, &found->end) == 2 &&
			   (main_stack ? strstr(line, "[stack]") != NULL :
					 address >= found->start && address < found->end);
	if (maps)
		fclose(maps);
	return is_found;
}

/* Reads the thread's memory in the range, at most TRUTH_MAX_BYTES. */
static struct stack_memory read_memory(pid_t tid, struct memory_range range, uint8_t *to)
{
	const size_t all = range.end - range.start, size = all < TRUTH_MAX_BYTES ? all : TRUTH_MAX_BYTES;
	char path[64];
	size_t done = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && done < size) {
		const ssize_t got = pread(fd, to + done, size - done, (off_t)(range.start + done));

		if (got <= 0)
			break;
		done += (size_t)got;
	}
	if (fd >= 0)
		close(fd);
	return (struct stack_memory){ .bytes = to, .size = done, .address = range.start };
}

/* Reads the stack, from the red zone to the end of its mapping; and the main thread's stack, which a handler may have left. */
static void read_truth(struct judge *judge, pid_t tid, uint64_t sp)
{
	struct memory_range range;

	judge->own = judge->outer = (struct stack_memory){ .bytes = judge->truth };
	if (!find_mapping(tid, sp, false, &range))
		return;
	range.start = sp - STACK_COPY_RED_ZONE;
	judge->own = read_memory(tid, range, judge->truth);
	if (find_mapping(tid, 0, true, &range) && (sp < range.start || sp >= range.end)) {
		judge->outer = read_memory(tid, range, judge->truth + TRUTH_MAX_BYTES);
		judge->own.outer = &judge->outer;
	}
}

/*
 * Does the copy differ from the thread's memory in the `stack_size` bytes that the stack takes? (Above these, other threads may
 * have written since: next to goroutines' stacks lie other things.) Holes are pages that the thread does not have; they read as
 * zeros.
 */
static bool differs(struct judge *judge, const struct stack_copy *copy, size_t stack_size)
{
	const struct stack_memory memory = { .bytes = copy->stack_bytes,
					     .size = copy->stack.size,
					     .address = copy->stack.address,
					     .holes = (const uint64_t *)copy->stack.holes };
	const size_t known = stack_size < judge->own.size ? stack_size : judge->own.size;
	const size_t size = copy->stack.size < known ? copy->stack.size : known;
	bool different = false;

	for (size_t at = 0, next; at < size; at = next) {
		const uint64_t address = memory.address + at;
		const bool hole = stack_memory_is_hole(&memory, address);

		next = at + STACK_MEMORY_PAGE_BYTES - address % STACK_MEMORY_PAGE_BYTES;
		if (next > size)
			next = size;
		judge->judged.holes += hole;
		if (memcmp(judge->truth + at, memory.bytes + at, next - at) != 0) {
			different |= !hole;
			judge->judged.full_holes += hole;
		}
		if (!hole)
			judge->judged.bytes += next - at;
	}
	return different;
}

/* --- comparing ------------------------------------------------------------------------------ */

static void user_frames_of_stack(struct user_frames *user, const struct unwind_stack *stack)
{
	user->count = stack->count;
	user->marked_from = stack->count;
	user->is_whole = stack->end == UNWIND_END_ROOT;
	for (size_t i = 0; i < stack->count; i++) {
		const struct unwind_frame *frame = &stack->frames[i];

		user->frames[i] = frame->address;
		if (i < user->marked_from &&
		    (frame->how == UNWIND_HOW_UNPROVED_FP || frame->how == UNWIND_HOW_GUESSED))
			user->marked_from = i;
	}
}

/* Unwinds. Returns how many bytes the followed part of the stack takes, from the first known one on. */
static size_t unwind(struct judge *judge, const struct sample_parts *parts, struct user_frames *user)
{
	static struct unwind_frame frames[USER_FRAMES_MAX];
	struct unwind_stack stack = { .frames = frames, .capacity = USER_FRAMES_MAX };

	live_unwinder_walk(judge->unwinder, parts, LIVE_UNWINDER_ALL_BYTES, &stack);
	user_frames_of_stack(user, &stack);
	return stack.stack_bytes_used;
}

/* Finds the stack that a reader gets from the record that the recorder would have written. */
static void find_written(struct judge *judge, const struct strbuf *written, struct user_frames *user)
{
	struct sample_parts parts;

	user_frames_of_chain(user, written, &judge->attr);
	if (user->is_whole)
		return;
	if (sample_parts_find(&parts, (const uint8_t *)written->bytes, written->size, &judge->attr))
		unwind(judge, &parts, user);
}

/* Compares the stack with the truth. Returns how many bytes of the thread's memory are its stack. */
static size_t judge_stack(struct judge *judge, const struct pending_sample *pending,
			  const struct sample_parts *sample)
{
	static struct user_frames found, truth;
	struct judged *judged = &judge->judged;
	struct sample_parts parts = *sample;
	size_t used;

	parts.copy = &judge->own;
	used = unwind(judge, &parts, &truth);
	find_written(judge, &pending->written, &found);
	judged->whole += found.is_whole;
	judged->cut += !found.is_whole && truth.is_whole;
	if (truth.is_whole)
		judge_frames(&judged->frames, &found, &truth);
	else
		judged->unjudged++;
	return used;
}

/* Is the thread where it was sampled? Compares all registers in user code, those that system calls preserve in the kernel. */
static bool is_at_sample(const struct sample_parts *parts, const struct user_regs_struct *now, bool is_user)
{
	/* as call_graph_user_regs() of x86-64: ax bx cx dx si di bp sp ip flags cs ss r8 to r15 */
	const unsigned long long values[] = { now->rax, now->rbx, now->rcx, now->rdx, now->rsi,
					      now->rdi, now->rbp, now->rsp, now->rip, now->eflags,
					      now->cs,  now->ss,  now->r8,  now->r9,  now->r10,
					      now->r11, now->r12, now->r13, now->r14, now->r15 };
	const uint32_t preserved = 1u << 1 | 1u << 6 | 1u << 7 | 1u << 8 | 0xfu << 16;
	const uint32_t all = 0xff1ffu; /* without flags and segments */

	if (parts->registers_size != sizeof(values))
		return false;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (((is_user ? all : preserved) >> i & 1) &&
		    memcmp(parts->registers + 8 * i, &values[i], 8) != 0)
			return false;
	return true;
}

static void judge_sample(struct judge *judge, struct judged_thread *thread)
{
	const struct pending_sample *pending = &thread->pending;
	struct judged *judged = &judge->judged;
	struct perf_event_header header;
	struct user_regs_struct registers;
	struct sample_parts parts;
	size_t used;
	bool is_user;

	memcpy(&header, pending->record.bytes, sizeof(header));
	is_user = (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
	if (!sample_parts_find(&parts, (const uint8_t *)pending->record.bytes, pending->record.size,
			       &judge->attr) ||
	    parts.abi != PERF_SAMPLE_REGS_ABI_64)
		return;
	judged->samples++;
	judged->user += is_user;
	if (ptrace(PTRACE_GETREGS, thread->tid, NULL, &registers) < 0 ||
	    !is_at_sample(&parts, &registers, is_user)) {
		judged->moved++;
		return;
	}
	if (!pending->was_copied) {
		judged->uncopied++;
		return;
	}
	read_truth(judge, thread->tid, registers.rsp);
	used = judge_stack(judge, pending, &parts);
	if (pending->has_bytes && differs(judge, &pending->copy, used))
		(*(is_user ? &judged->differing_user : &judged->differing_system))++;
}

/* --- the command ------------------------------------------------------------------------------ */

static pid_t run_traced(char **command)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (setpgid(0, 0) == 0 && ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 && raise(SIGSTOP) == 0)
			execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL,
		   PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
			   PTRACE_O_EXITKILL) < 0)
		return -1;
	return pid;
}

static bool is_synchronous(const siginfo_t *signal)
{
	uint32_t flags;

	memcpy(&flags, (const char *)signal + SIGINFO_PERF_FLAGS_AT, sizeof(flags));
	return !(flags & SIGINFO_PERF_FLAG_ASYNC);
}

/* Handles a stop of the thread. Returns the signal to deliver when it continues; -1 on errors. */
static int look_at_stop(struct judge *judge, pid_t tid, int status, struct error *err)
{
	struct judged_thread *thread = find_thread(judge, tid);
	const int number = WSTOPSIG(status), event = status >> 16;
	siginfo_t signal;

	if (event == PTRACE_EVENT_EXEC || !thread) {
		if (sample_thread(judge, tid, err) < 0)
			return -1;
		return 0;
	}
	if (event)
		return 0;
	if (number != SIGTRAP || ptrace(PTRACE_GETSIGINFO, tid, NULL, &signal) < 0 ||
	    signal.si_code != TRAP_BY_PERF)
		return number;
	do_round(judge);
	if (thread->is_pending && is_synchronous(&signal))
		judge_sample(judge, thread);
	thread->is_pending = false;
	return 0;
}

static int follow(struct judge *judge, struct error *err)
{
	for (;;) {
		int status, signal;
		const pid_t tid = waitpid(-1, &status, __WALL);

		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0)
			return 0; /* all have ended */
		if (!WIFSTOPPED(status)) {
			struct judged_thread *thread = find_thread(judge, tid);

			if (thread)
				forget_thread(thread);
			continue;
		}
		signal = look_at_stop(judge, tid, status, err);
		if (signal < 0)
			return -1;
		ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)signal);
	}
}

static int prepare(struct judge *judge, uint64_t frequency, bool by_clock, pid_t pid, struct error *err)
{
	const struct stack_copier_plan plan = sampling_plan(COPY_RING_BYTES, by_clock);

	judge->attr = sampling_attr(frequency, 8, by_clock);
	judge->attr.sigtrap = 1;
	judge->attr.remove_on_exec = 1;
	judge->copier = stack_copier_open(&plan, err);
	if (!judge->copier || open_sidebands(judge, pid, err) < 0)
		return -1;
	judge->sampler = (struct written_event){ .attr = &judge->attr };
	judge->files = build_id_table_create();
	judge->evidence = evidence_create(&judge->sampler, 1, EVIDENCE_LEAST);
	judge->unwinder = live_unwinder_create(judge->attr.sample_regs_user, &judge->attr);
	evidence_set_copies(judge->evidence, stack_copier_copies(judge->copier));
	judge->truth = xmalloc(2 * (size_t)TRUTH_MAX_BYTES);
	return 0;
}

static void print_result(const struct judged *judged)
{
	const struct {
		const char *name;
		uint64_t value;
	} numbers[] = { { "samples", judged->samples },
			{ "user", judged->user },
			{ "moved", judged->moved },
			{ "uncopied", judged->uncopied },
			{ "bytes", judged->bytes },
			{ "differing_user", judged->differing_user },
			{ "differing_system", judged->differing_system },
			{ "holes", judged->holes },
			{ "full_holes", judged->full_holes },
			{ "whole", judged->whole },
			{ "cut", judged->cut },
			{ "unjudged", judged->unjudged },
			{ "wrong_stacks", judged->frames.wrong_stacks },
			{ "unmarked", judged->frames.unmarked },
			{ "wrong_unmarked", judged->frames.wrong_unmarked },
			{ "marked", judged->frames.marked },
			{ "wrong_marked", judged->frames.wrong_marked } };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		printf("%s%s %llu", i ? " " : "", numbers[i].name, (unsigned long long)numbers[i].value);
	printf("\n");
}

static pid_t command_pid;

/* Kills the command but not this program, which must live until it has waited for all: traced processes die with their tracer. */
static void end_command(int signal)
{
	(void)signal;
	kill(-command_pid, SIGKILL);
}

int main(int count, char **arguments)
{
	static struct judge judge;
	uint64_t frequency = 997;
	struct error err;
	unsigned int seconds = 0;
	bool by_clock = false;
	int option;

	while ((option = getopt(count, arguments, "+F:s:k")) != -1) {
		if (option == 'F')
			frequency = strtoull(optarg, NULL, 10);
		else if (option == 's')
			seconds = (unsigned int)strtoul(optarg, NULL, 10);
		else if (option == 'k')
			by_clock = true;
		else
			return 2;
	}
	if (optind == count)
		return 2;
	command_pid = run_traced(arguments + optind);
	if (command_pid < 0 || prepare(&judge, frequency, by_clock, command_pid, &err) < 0) {
		fprintf(stderr, "copied: %s\n", command_pid < 0 ? strerror(errno) : err.message);
		return SKIPPED;
	}
	signal(SIGALRM, end_command);
	alarm(seconds);
	ptrace(PTRACE_CONT, command_pid, NULL, NULL);
	if (follow(&judge, &err) < 0) {
		fprintf(stderr, "copied: %s\n", err.message);
		return SKIPPED;
	}
	print_result(&judge.judged);
	return 0;
}

/*
 * Tests the stacks that the recorder continues by reading the process's memory (record/stack/stack_reads.h). Runs a command,
 * samples it with stack dumps of the kernel and, at the same samples, with copies of the whole stack by the BPF program,
 * and compares the two stacks of each sample frame by frame.
 *
 *	continued [-F HZ] [-d DUMP_BYTES] [-k] COMMAND...
 *
 * With -k copies are paired with samples by the clock, as on Linux before 6.3.
 *
 * Prints a line of numbers, see print_result(). Exit status 77 if BPF programs cannot be loaded.
 */

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
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

enum {
	MAX_CPUS = 64,
	RING_PAGES = 4096, /* 16 MiB */
	COPY_RING_BYTES = 64 << 20,
	ROUND_MS = 10, /* as recorder.c */
	SKIPPED = 77,
};

struct judged {
	uint64_t samples;
	uint64_t cut;       /* the copy is whole and deeper than the dump */
	uint64_t continued; /* of those that are cut */
	uint64_t unjudged;  /* continued, but the copy does not reach the start of the thread */
	struct judged_frames frames;
};

struct judge {
	struct perf_event_attr attr;
	struct written_event sampler;
	int fds[MAX_CPUS];
	struct ring_buffer rings[MAX_CPUS];
	struct ring_spans spans[MAX_CPUS];
	size_t ring_count;
	struct stack_copier *copier;
	struct build_id_table *files;
	struct evidence *continuing, *copied;
	struct strbuf out[2];
	struct judged judged;
	uint8_t bounce[RING_RECORD_MAX_BYTES];
};

/* --- comparing ------------------------------------------------------------------------ */

static void judge_sample(struct judge *judge, const uint8_t *record, size_t size)
{
	static struct user_frames found, truth;
	struct judged *judged = &judge->judged;

	for (size_t i = 0; i < 2; i++) {
		strbuf_reset(&judge->out[i]);
		evidence_append(i ? judge->copied : judge->continuing, &judge->out[i], record, size);
	}
	user_frames_of_chain(&found, &judge->out[0], &judge->attr);
	user_frames_of_chain(&truth, &judge->out[1], &judge->attr);
	judged->samples++;
	judged->cut += truth.is_whole && (!found.is_whole || found.marked_from < found.count);
	if (!found.is_whole)
		return;
	judged->continued += found.marked_from < found.count;
	if (truth.is_whole)
		judge_frames(&judged->frames, &found, &truth);
	else
		judged->unjudged += found.marked_from < found.count;
}

/* --- rounds ----------------------------------------------------------------------------- */

static void note(const uint8_t *record, size_t size, void *context)
{
	struct judge *judge = context;

	evidence_note(judge->continuing, record, size);
	evidence_note(judge->copied, record, size);
}

static void look_at(const uint8_t *record, size_t size, void *context)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE)
		judge_sample(context, record, size);
}

static void walk(struct judge *judge, void (*visit)(const uint8_t *, size_t, void *))
{
	for (size_t i = 0; i < judge->ring_count; i++) {
		struct ring_walk walk = { .spans = judge->spans[i] };
		const uint8_t *run;
		size_t run_size;

		while (ring_walk_next(&walk, judge->bounce, &run, &run_size, visit, judge) > 0)
			;
	}
}

static void do_round(struct judge *judge)
{
	evidence_begin_round(judge->continuing, judge->files);
	evidence_begin_round(judge->copied, judge->files);
	for (size_t i = 0; i < judge->ring_count; i++)
		judge->spans[i] = ring_buffer_peek(&judge->rings[i]);
	evidence_begin_samples(judge->copied, clock_now_ns());
	walk(judge, note);
	walk(judge, look_at);
	evidence_end_samples(judge->copied);
	for (size_t i = 0; i < judge->ring_count; i++)
		ring_buffer_release(&judge->rings[i], judge->spans[i].head);
}

/* --- opening ------------------------------------------------------------------------------ */

static pid_t run_held(char **command, int *go)
{
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends) < 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		close(ends[1]);
		if (read(ends[0], &c, 1) == 1)
			execvp(command[0], command);
		_exit(127);
	}
	close(ends[0]);
	*go = ends[1];
	return pid;
}

static int open_events(struct judge *judge, pid_t pid, struct error *err)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (long cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++) {
		const int fd = (int)syscall(SYS_perf_event_open, &judge->attr, pid, (int)cpu, -1,
					    PERF_FLAG_FD_CLOEXEC);

		if (fd < 0)
			return error_set_errno(err, errno, "the event cannot be opened");
		judge->fds[judge->ring_count] = fd;
		if (ring_buffer_map(&judge->rings[judge->ring_count], fd, RING_PAGES, err) < 0 ||
		    stack_copier_attach(judge->copier, fd, err) < 0)
			return -1;
		judge->ring_count++;
	}
	return 0;
}

static int prepare(struct judge *judge, uint64_t frequency, uint32_t dump_bytes, bool by_clock, pid_t pid,
		   struct error *err)
{
	const struct stack_copier_plan plan = sampling_plan(COPY_RING_BYTES, by_clock);

	judge->attr = sampling_attr(frequency, dump_bytes, by_clock);
	judge->attr.disabled = 1;
	judge->attr.enable_on_exec = 1;
	judge->attr.inherit = 1;
	judge->attr.mmap = 1;
	judge->attr.mmap2 = 1;
	judge->attr.comm = 1;
	judge->attr.comm_exec = 1;
	judge->attr.task = 1;
	judge->copier = stack_copier_open(&plan, err);
	if (!judge->copier || open_events(judge, pid, err) < 0)
		return -1;
	judge->sampler = (struct written_event){ .attr = &judge->attr };
	judge->files = build_id_table_create();
	judge->continuing = evidence_create(&judge->sampler, 1, EVIDENCE_NONE);
	judge->copied = evidence_create(&judge->sampler, 1, EVIDENCE_LEAST);
	evidence_continue_stacks(judge->continuing);
	evidence_set_copies(judge->copied, stack_copier_copies(judge->copier));
	for (size_t i = 0; i < 2; i++)
		strbuf_init(&judge->out[i]);
	return 0;
}

static void print_result(const struct judge *judge)
{
	const struct judged *judged = &judge->judged;
	const struct evidence_counts *counts = evidence_counts(judge->continuing);
	const uint64_t uncopied = evidence_counts(judge->copied)->uncopied;

	printf("samples %llu cut %llu continued %llu wrong_stacks %llu marked %llu wrong_marked %llu unmarked %llu "
	       "wrong_unmarked %llu unjudged %llu unconfirmed %llu unreadable %llu uncopied %llu\n",
	       (unsigned long long)judged->samples, (unsigned long long)judged->cut,
	       (unsigned long long)judged->continued, (unsigned long long)judged->frames.wrong_stacks,
	       (unsigned long long)judged->frames.marked, (unsigned long long)judged->frames.wrong_marked,
	       (unsigned long long)judged->frames.unmarked, (unsigned long long)judged->frames.wrong_unmarked,
	       (unsigned long long)judged->unjudged, (unsigned long long)counts->unconfirmed,
	       (unsigned long long)counts->unreadable, (unsigned long long)uncopied);
}

static void run(struct judge *judge, pid_t pid)
{
	const struct timespec pause = { .tv_nsec = ROUND_MS * 1000000 };
	bool over = false;

	while (!over) {
		over = waitpid(pid, NULL, WNOHANG) == pid;
		do_round(judge);
		nanosleep(&pause, NULL);
	}
}

int main(int count, char **arguments)
{
	static struct judge judge;
	uint64_t frequency = 997;
	uint32_t dump_bytes = STACK_DUMP_DEFAULT_BYTES;
	struct error err;
	pid_t pid;
	bool by_clock = false;
	int option, go = -1;

	while ((option = getopt(count, arguments, "+F:d:k")) != -1) {
		if (option == 'F')
			frequency = strtoull(optarg, NULL, 10);
		else if (option == 'd')
			dump_bytes = (uint32_t)strtoul(optarg, NULL, 10) & ~7u;
		else if (option == 'k')
			by_clock = true;
		else
			return 2;
	}
	if (optind == count)
		return 2;
	pid = run_held(arguments + optind, &go);
	if (pid < 0 || prepare(&judge, frequency, dump_bytes, by_clock, pid, &err) < 0) {
		fprintf(stderr, "continued: %s\n", pid < 0 ? strerror(errno) : err.message);
		return SKIPPED;
	}
	if (write(go, "", 1) != 1)
		return 1;
	run(&judge, pid);
	print_result(&judge);
	return 0;
}

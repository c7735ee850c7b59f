/*
 * count() hands a sample to a batch and fills in its thread, CPU, cgroup and keys; sample_added() is called when the sample is
 * in the profile. A table of 256 threads saves most look-ups, and knows each thread's last sample, for the gaps.
 */
#include "report/load/sample_intake.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "report/load/cgroup_names.h"
#include "report/load/sample_batches.h"
#include "report/waits/sample_wait.h"
#include "report/waits/waker_stack.h"

enum { THREAD_MEMO_SLOTS = 256 }; /* a power of two; more threads than run at a time */

struct thread_memo {
	const char *comm; /* NULL: free. Mostly, equal names of one thread are the same pointer */
	uint32_t pid, tid;
	uint32_t thread;
	size_t file_event; /* of its last sample */
	uint64_t last_ns;  /* time of its last sample; 0: none */
};

struct sample_intake {
	struct sample_intake_options options;
	struct sample_batches *batches;
	struct cgroup_names *cgroups;
	struct sample_intake_counts counts;
	struct thread_memo threads[THREAD_MEMO_SLOTS];
};

static void count_sample(struct sample_intake_counts *counts, const struct sample *sample, uint8_t end)
{
	counts->samples++;
	if (sample->user_stack_size && (end == STACK_END_NO_CHAIN || end == STACK_END_UNKNOWN))
		counts->dumps_not_unwound++;
	if (!(sample->present & PERF_SAMPLE_TIME))
		return;
	if (sample->time_ns < counts->first_time_ns)
		counts->first_time_ns = sample->time_ns;
	if (sample->time_ns > counts->last_time_ns)
		counts->last_time_ns = sample->time_ns;
}

static bool read_wait(const struct sample_intake *intake, const struct pending_sample *pending,
		      struct off_cpu_wait *wait)
{
	return sample_wait_read(wait, perf_file_event(intake->options.file, pending->file_event)->name,
				&pending->sample);
}

static void add_wait_time(struct sample_intake *intake, const struct pending_sample *pending, uint32_t number)
{
	struct off_cpu_wait wait;

	if (read_wait(intake, pending, &wait))
		wait_times_add(intake->options.wait_times, number, wait_class_duration_ns(&wait),
			       pending->weight);
}

static void sample_added(void *context, const struct pending_sample *pending)
{
	const uint32_t number = pending->number;
	struct sample_intake *intake = context;
	const struct sample *sample = &pending->sample;

	if (intake->options.timeline && sample->present & PERF_SAMPLE_TIME)
		timeline_add(intake->options.timeline, sample->time_ns, number, pending->weight);
	if (intake->options.log)
		sample_log_add(intake->options.log,
			       sample->present & PERF_SAMPLE_TIME ? sample->time_ns : SAMPLE_LOG_NO_TIME,
			       number, pending->stack, pending->weight);
	if (intake->options.wait_times)
		add_wait_time(intake, pending, number);
	count_sample(&intake->counts, sample, pending->sum.end);
}

/* for --wakers */
static uint32_t add_waker(void *context, const struct pending_sample *pending, uint32_t stack)
{
	const struct sample_intake *intake = context;
	struct off_cpu_wait wait;

	return read_wait(intake, pending, &wait) ?
		       waker_stack_add(intake->options.processes, intake->options.profile, stack, &wait,
				       pending->time_ns) :
		       stack;
}

struct sample_intake *sample_intake_create(const struct sample_intake_options *options)
{
	struct sample_intake *intake = xcalloc(1, sizeof(*intake));

	intake->options = *options;
	intake->counts.first_time_ns = UINT64_MAX;
	intake->cgroups = cgroup_names_create();
	intake->batches = sample_batches_create(&(struct sample_batches_options){
		.file = options->file,
		.processes = options->processes,
		.profile = options->profile,
		.resolver = options->resolver,
		.unwinder = options->unwinder,
		.lock = options->lock,
		.threads = options->threads,
		.stacks_apart = options->stacks_apart,
		.sums = options->sums,
		.stacked = options->stacks->wakers ? add_waker : NULL,
		.added = sample_added,
		.context = intake,
	});
	return intake;
}

void sample_intake_destroy(struct sample_intake *intake)
{
	if (!intake)
		return;
	sample_batches_destroy(intake->batches);
	cgroup_names_destroy(intake->cgroups);
	free(intake);
}

static struct thread_memo *memo_of(struct sample_intake *intake, const struct sample *sample)
{
	return &intake->threads[hash_combine(sample->pid, sample->tid) & (THREAD_MEMO_SLOTS - 1)];
}

static uint32_t thread_number(struct sample_intake *intake, const struct sample *sample, uint64_t time_ns)
{
	struct raw_profile *profile = intake->options.profile;
	const char *comm = process_table_comm(intake->options.processes, sample->pid, sample->tid, time_ns);
	struct thread_memo *memo = memo_of(intake, sample);

	if (memo->comm != comm || memo->pid != sample->pid || memo->tid != sample->tid)
		*memo = (struct thread_memo){
			.comm = comm,
			.pid = sample->pid,
			.tid = sample->tid,
			.thread = raw_profile_thread(profile, sample->pid, sample->tid,
						     raw_profile_string(profile, comm)),
		};
	return memo->thread;
}

/* How long a thread runs between two samples, 0 if unknown. `weight`: the sample's. */
static uint64_t expected_gap_ns(const struct perf_attr *attr, uint64_t weight)
{
	if (perf_attr_has(attr, PERF_ATTR_FREQ))
		return attr->sample_period_or_freq ? 1000000000 / attr->sample_period_or_freq : 0;
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK) ?
		       weight :
		       0;
}

/* Call after thread_number(), which makes the memo this thread's. */
static void note_gap(struct sample_intake *intake, const struct sample *sample, size_t file_event,
		     uint64_t time_ns, uint64_t weight)
{
	const uint64_t expected_ns =
		expected_gap_ns(&perf_file_event(intake->options.file, file_event)->attr, weight);
	struct thread_memo *memo = memo_of(intake, sample);

	if (expected_ns && memo->file_event == file_event && memo->last_ns && time_ns > memo->last_ns) {
		intake->counts.near_gaps += time_ns - memo->last_ns <= 4 * expected_ns;
		intake->counts.prompt_gaps += time_ns - memo->last_ns <= expected_ns + expected_ns / 4;
	}
	memo->file_event = file_event;
	memo->last_ns = time_ns;
}

static uint32_t cgroup_of(struct sample_intake *intake, const struct sample *sample)
{
	return sample->present & PERF_SAMPLE_CGROUP ?
		       cgroup_names_find(intake->cgroups, sample->cgroup, intake->options.profile) :
		       0;
}

/* Call after thread_number(), as note_gap(). */
static uint32_t keys_of(struct sample_intake *intake, const struct sample *sample, size_t file_event,
			uint64_t time_ns)
{
	return intake->options.keys ? sample_key_source_take(intake->options.keys, sample, file_event,
							     memo_of(intake, sample)->comm, time_ns) :
				      0;
}

/* The sample's period, or the weight it was sampled with if that is reported. */
static uint64_t weight_of(const struct sample_intake *intake, const struct stream_sample *sample)
{
	if (!intake->options.by_latency || sample->is_counter)
		return sample->period;
	return sample->sample.weight ? sample->sample.weight : 1;
}

static void count(struct sample_intake *intake, const struct stream_sample *streamed)
{
	const struct sample *sample = &streamed->sample;
	const uint64_t time_ns = streamed->time_ns, weight = weight_of(intake, streamed);
	struct pending_sample *pending =
		sample_batches_add(intake->batches, sample, streamed->event, time_ns);
	const uint32_t thread = thread_number(intake, sample, time_ns);

	pending->is_counted = true;
	pending->weight = weight;
	pending->sum = (struct profile_sample){ .event = (uint32_t)streamed->event,
						.thread = thread,
						.cpu = sample->present & PERF_SAMPLE_CPU ? sample->cpu :
											   PROFILE_NONE,
						.cgroup = cgroup_of(intake, sample),
						.keys = keys_of(intake, sample, streamed->event, time_ns),
						.count = 1,
						.weight = weight };
	note_gap(intake, sample, streamed->event, time_ns, weight);
}

/* Takes a sample that is not counted, since its stack may continue others of its thread. */
static void learn(struct sample_intake *intake, const struct stream_sample *streamed)
{
	if (intake->options.stacks->join_stacks && streamed->sample.user_stack_size)
		sample_batches_add(intake->batches, &streamed->sample, streamed->event, streamed->time_ns)
			->is_counted = false;
}

void sample_intake_add(struct sample_intake *intake, const struct stream_sample *sample)
{
	if (sample->is_kept)
		count(intake, sample);
	else
		learn(intake, sample);
	if (sample->is_lent)
		sample_intake_finish(intake);
}

void sample_intake_pause(struct sample_intake *intake)
{
	sample_batches_pause(intake->batches);
}

void sample_intake_finish(struct sample_intake *intake)
{
	sample_batches_finish(intake->batches);
}

int sample_intake_learn_cgroup(struct sample_intake *intake, const struct event *event)
{
	return cgroup_names_learn(intake->cgroups, event, intake->options.profile, NULL);
}

const struct sample_intake_counts *sample_intake_counts(const struct sample_intake *intake)
{
	return &intake->counts;
}

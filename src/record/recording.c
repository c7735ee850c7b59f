/*
 * recording_open() and recording_run() are the order of the steps; the functions above them are the steps. If sampling
 * fails, recording_run() finishes the file all the same.
 */
#include "record/recording.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/file_place.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/write/output_file.h"
#include "record/machine/host_features.h"
#include "record/machine/machine_features.h"
#include "record/own_priority.h"
#include "record/process/build_id_table.h"
#include "record/process/synthesize.h"
#include "record/ring_size.h"
#include "record/stop_signals.h"
#include "record/tracing_data.h"
#include "record/workload.h"

enum {
	SYNTHESIS_PIECE_BYTES = 256 * 1024, /* handed to the writer at once */
	OPEN_ATTEMPTS = 5,                  /* of a target that goes on making threads */
	READER_PATIENCE_MS = 2000, /* with a reader that does not read, once a signal asked to stop */
	NS_PER_MS = 1000 * 1000,
	/* A process gives up its events before its parent hears of its end, which may take as long on a busy machine. */
	UNSEEN_LEAST_NS = 100 * NS_PER_MS,
};

struct recording {
	struct recording_plan plan;
	struct target target;
	bool target_is_workload;
	struct workload workload;
	bool has_workload;
	bool workload_is_left; /* running, because a signal asked not to wait for it */
	struct stop_signals signals;
	struct event_set *events;
	struct perf_writer *writer;
	struct build_id_table *files;
	struct stack_copier *copier; /* NULL: the kernel dumps stacks */
	struct ring_demand copies_demand;
	struct evidence *evidence; /* NULL: samples are written as they come */
	struct map_snapshots *maps;
	struct comm_filter *comms; /* NULL: all */
	struct drain_plan threads;
	struct recorder *recorder;
	struct recording_summary summary;
	struct strbuf offline; /* of the summary */
	bool deadline_passed;
};

/* --- opening ---------------------------------------------------------------- */

static int prepare_workload(struct recording *recording, struct error *err)
{
	if (!recording->plan.workload)
		return 0;
	if (workload_check(recording->plan.workload[0], err) < 0)
		return -1;
	recording->has_workload = true;
	if (workload_prepare(&recording->workload, recording->plan.workload,
			     output_file_leads_to(recording->plan.output, STDOUT_FILENO), err) < 0)
		return -1;
	if (recording->target.thread_count > 0)
		return 0;
	recording->target_is_workload = true;
	target_add_thread(&recording->target, recording->workload.pid, recording->workload.pid);
	recording->plan.options.enable_on_exec = recording->plan.delay_ns == 0;
	return 0;
}

/* Opens the events of the target. A thread that begins meanwhile is missed, so that is done again until none does. */
static int open_events(struct recording *recording, struct strbuf *notices, struct error *err)
{
	const struct recording_plan *plan = &recording->plan;
	size_t noticed = notices->size;

	for (int attempt = 1;; attempt++) {
		struct target now;
		struct error gone;
		bool has_grown;

		recording->events =
			event_set_open(plan->events, &recording->target, &plan->options, notices, err);
		if (!recording->events)
			return -1;
		if (recording->target_is_workload || recording->target.any_thread ||
		    target_resolve(&now, &plan->target, &target_roots_system, &gone) < 0)
			return 0;
		has_grown = target_has_grown(&recording->target, &now);
		if (!has_grown || attempt == OPEN_ATTEMPTS) {
			target_fini(&now);
			if (has_grown)
				strbuf_adds(notices,
					    "threads go on beginning: those that began while the events "
					    "were opened may be missing\n");
			return 0;
		}
		event_set_close(recording->events);
		strbuf_cut(notices, noticed);
		target_fini(&recording->target);
		recording->target = now;
	}
}

/* Called while the output waits for a reader: a signal to stop ends the recording once the rest has been written. */
static bool stops_waiting(unsigned int waited_ms, void *context)
{
	const struct recording *recording = context;
	const bool pending = stop_signals_are_pending(&recording->signals);

	if (!recording->recorder || recording->signals.asked)
		return pending || (recording->signals.asked && waited_ms >= READER_PATIENCE_MS);
	return pending && waited_ms >= READER_PATIENCE_MS;
}

static int open_output(struct recording *recording, struct error *err)
{
	const struct output_wait wait = { .is_over = stops_waiting, .context = recording };

	recording->writer = perf_writer_over(output_file_create_waiting(recording->plan.output, &wait, err));
	return recording->writer ? 0 : -1;
}

/*
 * A FIFO is opened before the events, as it may take long until a program reads it and the rings would be
 * full by then. A file comes after them: an older one stays where it is if the events cannot be had.
 */
static int open_output_and_events(struct recording *recording, struct strbuf *notices, struct error *err)
{
	const bool early = file_place_at(recording->plan.output) == FILE_PLACE_SPECIAL;

	if (early && open_output(recording, err) < 0)
		return -1;
	if (open_events(recording, notices, err) < 0)
		return -1;
	return early ? 0 : open_output(recording, err);
}

static int set_tracing_data(struct recording *recording, struct error *err)
{
	struct strbuf bytes;
	int made;

	strbuf_init(&bytes);
	made = tracing_data_make(&bytes, recording->plan.events, &event_sources_system, err);
	if (made > 0)
		perf_writer_set_feature(recording->writer, HEADER_TRACING_DATA, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
	return made < 0 ? -1 : 0;
}

/*
 * Samples with stacks are large and much like each other, so a file of them is compressed. A program that reads a pipe
 * takes the records at once and gains nothing from smaller ones.
 */
static unsigned int compression_level(const struct recording *recording)
{
	const struct recording_plan *plan = &recording->plan;

	if (plan->compression_given)
		return plan->compression_level;
	if (perf_writer_is_pipe(recording->writer) || !compressor_available())
		return 0;
	for (size_t i = 0; i < event_set_sampler_count(recording->events); i++)
		if (event_set_samplers(recording->events)[i].attr->sample_type & PERF_SAMPLE_CALLCHAIN)
			return COMPRESS_LEVEL_DEFAULT;
	return 0;
}

static int begin_file(struct recording *recording, struct error *err)
{
	const struct perf_writer_options options = { .compression_level = compression_level(recording) };

	if (perf_writer_configure(recording->writer, &options, err) < 0)
		return -1;
	host_features_set(recording->writer, recording->plan.version);
	if (perf_writer_is_pipe(recording->writer))
		machine_features_set(recording->writer, "/sys");
	if (recording->plan.options.sampling.clock.given)
		sample_clock_set_features(&recording->plan.options.sampling.clock, recording->writer);
	if (set_tracing_data(recording, err) < 0)
		return -1;
	return perf_writer_begin(recording->writer, event_set_samplers(recording->events),
				 event_set_sampler_count(recording->events), err);
}

/* --- what is there already ---------------------------------------------------- */

struct synthesis_visit {
	struct recording *recording;
	struct synthesis synthesis;
	struct error *err;
	bool failed;
};

static void write_out(struct synthesis_visit *visit, size_t at_least)
{
	struct strbuf *out = visit->synthesis.out;

	if (out->size < at_least || out->size == 0)
		return;
	if (!visit->failed &&
	    perf_writer_append(visit->recording->writer, out->bytes, out->size, visit->err) < 0)
		visit->failed = true;
	if (visit->recording->evidence)
		evidence_note(visit->recording->evidence, (const uint8_t *)out->bytes, out->size);
	map_snapshots_note(visit->recording->maps, (const uint8_t *)out->bytes, out->size);
	if (visit->recording->comms)
		comm_filter_note(visit->recording->comms, (const uint8_t *)out->bytes, out->size);
	strbuf_reset(out);
}

static void synthesize_one(pid_t pid, void *context)
{
	struct synthesis_visit *visit = context;

	if (visit->failed)
		return;
	synthesize_process(&visit->synthesis, pid);
	write_out(visit, SYNTHESIS_PIECE_BYTES);
}

static int synthesize_target(struct synthesis_visit *visit)
{
	const struct target *target = &visit->recording->target;

	if (target->any_thread)
		return target_each_process(visit->synthesis.proc, synthesize_one, visit, visit->err);
	if (visit->recording->target_is_workload) { /* exec will throw away what else its process has now */
		const pid_t pid = visit->recording->workload.pid;

		synthesize_namespaces(&visit->synthesis, pid, pid);
		return 0;
	}
	for (size_t i = 0; i < target->thread_count; i++) {
		/* Threads of one process are listed together. */
		if (i == 0 || target->threads[i].pid != target->threads[i - 1].pid)
			synthesize_one(target->threads[i].pid, visit);
	}
	return 0;
}

static int synthesize(struct recording *recording, struct error *err)
{
	const struct perf_event_attr *sideband = event_set_sideband_attr(recording->events);
	struct strbuf out;
	struct synthesis_visit visit = {
		.recording = recording,
		.synthesis = { .proc = "/proc",
			       .sys = "/sys",
			       .data_mappings = sideband->mmap_data,
			       .forks = recording->target.any_thread,
			       .namespaces = sideband->namespaces,
			       .trailer_bytes = event_attr_sample_id_size(sideband),
			       .out = &out,
			       .files = recording->files },
		.err = err,
	};
	uint64_t started_ns = recorder_now_ns();
	int result;

	strbuf_init(&out);
	if (event_set_samples_kernel(recording->events)) {
		recording->summary.kernel_hidden = !synthesize_kernel(&visit.synthesis);
		if (sideband->ksymbol)
			synthesize_bpf_programs(&visit.synthesis);
	}
	if (sideband->cgroup)
		synthesize_cgroups(&visit.synthesis);
	result = synthesize_target(&visit);
	write_out(&visit, 0);
	strbuf_fini(&out);
	recording->summary.processes = visit.synthesis.process_count;
	recording->summary.mappings = visit.synthesis.mapping_count;
	recording->summary.synthesis_ns = recorder_now_ns() - started_ns;
	return result < 0 || visit.failed ? -1 : 0;
}

/* --call-graph auto, or the term call-graph=auto of an event. */
static bool unwinds_on_the_spot(const struct recording_plan *plan)
{
	bool is_auto = plan->options.sampling.call_graph.mode == CALL_GRAPH_AUTO;

	for (size_t i = 0; i < plan->events->count; i++)
		is_auto |= plan->events->items[i].call_graph_given &&
			   plan->events->items[i].call_graph.mode == CALL_GRAPH_AUTO;
	return is_auto;
}

/* For the ring of copies, which is made before the events that fill it are opened. */
static struct ring_demand demand_of_copies(const struct recording_plan *plan)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct ring_demand demand = { .waits = !own_priority_may_be_raised(),
				      .cpu_count = cpus > 0 ? (size_t)cpus : 1 };

	for (size_t i = 0; i < plan->events->count; i++) {
		const struct perf_event_attr attr = event_attr_sampler(
			&plan->events->items[i], &plan->options.sampling, true, plan->events->count > 1);

		ring_demand_add(&demand, &attr, 0);
	}
	return demand;
}

/*
 * Copies of whole stacks, where call stacks are wanted and BPF programs may be used; nothing is lost without, as the
 * kernel's dumps are the next best.
 */
static void open_copier(struct recording *recording)
{
	const struct call_graph *call_graph = &recording->plan.options.sampling.call_graph;
	struct sample_clock *clock = &recording->plan.options.sampling.clock;
	struct stack_copier_plan plan = { .max_bytes = STACK_COPY_MAX,
					  .may_use_clock = !clock->given || clock->id == CLOCK_MONOTONIC };
	struct error reason;

	if (call_graph->mode != CALL_GRAPH_AUTO || recording->plan.options.sampling.kernel_callchains)
		return;
	if (call_graph->size_given || recording->plan.no_bpf) {
		(void)error_set(&recording->summary.no_copies, "%s asks for it",
				recording->plan.no_bpf ? "--no-bpf" : "--call-graph auto,BYTES");
		return;
	}
	recording->copies_demand = demand_of_copies(&recording->plan);
	plan.ring_bytes = ring_size_copies_bytes(&recording->copies_demand, 0);
	recording->copier = stack_copier_open(&plan, &reason);
	recording->plan.options.copier = recording->copier;
	recording->plan.options.sampling.stacks_are_chains =
		recording->copier && recording->plan.evidence != EVIDENCE_ALL;
	recording->summary.copies_by_clock = recording->copier && stack_copier_uses_clock(recording->copier);
	if (recording->summary.copies_by_clock)
		*clock = (struct sample_clock){ .given = true, .id = CLOCK_MONOTONIC };
	recording->summary.copier = recording->copier ? stack_copier_program(recording->copier) : NULL;
	if (!recording->copier)
		recording->summary.no_copies = reason;
}

/* NULL: samples are written as they come. */
static struct evidence *make_evidence(void *context)
{
	const struct recording *recording = context;
	const struct recording_plan *plan = &recording->plan;
	struct evidence *evidence =
		evidence_create(event_set_samplers(recording->events),
				event_set_sampler_count(recording->events),
				unwinds_on_the_spot(plan) ? plan->evidence : EVIDENCE_ALL);

	if (evidence && recording->copier)
		evidence_set_copies(evidence, stack_copier_copies(recording->copier));
	else if (evidence && !plan->no_continue)
		evidence_continue_stacks(evidence);
	return evidence;
}

struct recording *recording_open(const struct recording_plan *plan, struct strbuf *notices, struct error *err)
{
	struct recording *recording = xcalloc(1, sizeof(*recording));

	recording->plan = *plan;
	strbuf_init(&recording->offline);
	recording->signals.fd = -1;
	recording->files = build_id_table_create();
	recording->maps = map_snapshots_create();
	open_copier(recording);
	if (target_resolve(&recording->target, &plan->target, &target_roots_system, err) < 0 ||
	    prepare_workload(recording, err) < 0 || stop_signals_take(&recording->signals, err) < 0 ||
	    open_output_and_events(recording, notices, err) < 0)
		goto failed;
	recording->summary.events = event_set_open_count(recording->events);
	recording->summary.rings = recording->target.cpu_count;
	recording->summary.ring_bytes = event_set_ring_bytes(recording->events);
	recording->evidence = make_evidence(recording);
	drain_plan_make(&recording->threads, plan->threads, recording->target.cpus,
			event_set_ring_count(recording->events), "/sys");
	if (plan->comms)
		recording->comms =
			comm_filter_create(plan->comms, event_set_samplers(recording->events)[0].attr);
	if (begin_file(recording, err) < 0 || synthesize(recording, err) < 0)
		goto failed;
	return recording;
failed:
	recording_close(recording);
	return NULL;
}

/* --- running -------------------------------------------------------------------- */

/* Takes the signals that have come: true when one asks to stop, or the workload has ended. */
static bool is_over(struct recording *recording)
{
	return stop_signals_read(&recording->signals) ||
	       (recording->has_workload && workload_has_ended(&recording->workload));
}

/* Until the deadline, or what else ends the recording: *over. */
static int run_until(struct recording *recording, uint64_t deadline_ns, bool *over, struct error *err)
{
	bool until_target_ends = !recording->target_is_workload;

	for (;;) {
		enum recorder_end end;

		if (recorder_run(recording->recorder, recording->signals.fd, deadline_ns, until_target_ends,
				 &end, err) < 0)
			return -1;
		*over = end == RECORDER_TARGET_ENDED || (end == RECORDER_WATCHED_READY && is_over(recording));
		if (*over || end == RECORDER_DEADLINE)
			return 0;
	}
}

/* A workload waits in its own process already. */
static int come_first(struct recording *recording, struct error *err)
{
	const unsigned int realtime = recording->plan.realtime_priority;

	if (realtime && own_priority_set_realtime((int)realtime, err) < 0)
		return -1;
	recording->summary.comes_first = realtime || own_priority_raise();
	return 0;
}

/* The events of a workload end with it, unless it runs a program with more rights than xprof has. */
static uint64_t unseen_ns(const struct recording *recording)
{
	const uint64_t ended_ns = recorder_counts(recording->recorder)->target_ended_ns;
	const uint64_t now_ns = recorder_now_ns();

	if (!recording->target_is_workload || !ended_ns || now_ns - ended_ns < UNSEEN_LEAST_NS)
		return 0;
	return now_ns - ended_ns;
}

static int sample(struct recording *recording, struct error *err)
{
	const struct recording_plan *plan = &recording->plan;
	uint64_t started_ns = recorder_now_ns();
	bool over = stop_signals_read(&recording->signals);
	int result = over ? 0 : come_first(recording, err);

	if (over)
		return 0;
	/* The samplers of a workload start by themselves when it calls exec. */
	if (result == 0 && plan->delay_ns == 0 && !plan->options.enable_on_exec)
		result = event_set_enable(recording->events, err);
	if (result == 0 && recording->has_workload)
		result = workload_start(&recording->workload, plan->workload[0], err);
	if (result == 0 && plan->delay_ns) {
		result = run_until(recording, started_ns + plan->delay_ns, &over, err);
		started_ns = recorder_now_ns();
		if (result == 0 && !over)
			result = event_set_enable(recording->events, err);
	}
	if (result == 0 && !over) {
		result = run_until(recording, plan->duration_ns ? started_ns + plan->duration_ns : 0, &over,
				   err);
		recording->deadline_passed = !over;
	}
	recording->summary.elapsed_ns = recorder_now_ns() - started_ns;
	recording->summary.unseen_ns = unseen_ns(recording);
	return result;
}

/* HEADER_SAMPLE_TIME: u64 first, u64 last */
static void set_sample_time(struct recording *recording)
{
	const struct recorder_counts *counts = recorder_counts(recording->recorder);
	const uint64_t times[2] = { counts->first_sample_ns, counts->last_sample_ns };

	if (counts->samples)
		perf_writer_set_feature(recording->writer, HEADER_SAMPLE_TIME, times, sizeof(times));
}

static int finish_file(struct recording *recording, struct error *err)
{
	event_set_say_offline(recording->events, recorder_now_ns(), &recording->offline);
	recording->summary.offline = recording->offline.size ? recording->offline.bytes : NULL;
	event_set_disable(recording->events);
	if (recorder_drain(recording->recorder, err) < 0)
		return -1;
	set_sample_time(recording);
	if (!perf_writer_is_pipe(recording->writer))
		machine_features_set(recording->writer, "/sys");
	build_id_table_write(recording->files, recording->writer);
	return perf_writer_finish(recording->writer, err);
}

int recording_run(struct recording *recording, struct progress *progress, struct error *err)
{
	int result;

	recording->recorder = recorder_create(recording->events, recording->writer, recording->files,
					      recording->evidence, progress);
	if (recording->copier)
		recorder_watch_copies(recording->recorder, recording->copier, &recording->copies_demand);
	recorder_keep_maps(recording->recorder, recording->maps);
	if (recording->comms)
		recorder_filter_comms(recording->recorder, recording->comms);
	recorder_plan_threads(recording->recorder, &recording->threads, make_evidence, recording);
	result = sample(recording, err);
	/* A workload that could not be run is no reason to leave a file unfinished. */
	if (finish_file(recording, result < 0 ? NULL : err) < 0)
		result = -1;
	/* Signals up to now asked for this end; later ones ask not to wait for the workload. */
	(void)stop_signals_read(&recording->signals);
	recording->summary.counts = *recorder_counts(recording->recorder);
	recording->summary.cut_maps = map_snapshots_cut_count(recording->maps);
	if (recording->copier)
		recording->summary.copies = stack_copier_counts(recording->copier);
	if (recording->evidence)
		recording->summary.evidence = recorder_evidence_counts(recording->recorder);
	recording->summary.threads = recorder_threads(recording->recorder);
	recording->summary.data_bytes = perf_writer_data_bytes(recording->writer);
	recording->summary.compression = perf_writer_compression(recording->writer);
	return result;
}

enum workload_end recording_end_workload(struct recording *recording, int timeout_ms)
{
	const uint64_t until_ns = recorder_now_ns() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;
	struct pollfd entry = { .fd = recording->signals.fd, .events = POLLIN };

	if (!recording->has_workload)
		return WORKLOAD_ENDED;
	workload_terminate(&recording->workload);
	while (!workload_has_ended(&recording->workload)) {
		uint64_t now_ns = recorder_now_ns();

		if (timeout_ms >= 0 && now_ns >= until_ns)
			return WORKLOAD_STAYS;
		(void)poll(&entry, 1, timeout_ms < 0 ? -1 : (int)((until_ns - now_ns) / NS_PER_MS) + 1);
		if (stop_signals_read(&recording->signals)) {
			recording->workload_is_left = !workload_has_ended(&recording->workload);
			return recording->workload_is_left ? WORKLOAD_IS_LEFT : WORKLOAD_ENDED;
		}
	}
	return WORKLOAD_ENDED;
}

pid_t recording_workload_pid(const struct recording *recording)
{
	return recording->workload.pid;
}

int recording_workload_status(const struct recording *recording)
{
	if (!recording->has_workload || recording->deadline_passed)
		return 0;
	return workload_exit_status(&recording->workload);
}

int recording_stop_signal(const struct recording *recording)
{
	return recording->signals.asked;
}

struct recording_summary recording_summary(const struct recording *recording)
{
	return recording->summary;
}

void recording_close(struct recording *recording)
{
	if (!recording)
		return;
	recorder_destroy(recording->recorder);
	drain_plan_fini(&recording->threads);
	map_snapshots_destroy(recording->maps);
	comm_filter_destroy(recording->comms);
	evidence_destroy(recording->evidence);
	event_set_close(recording->events);
	stack_copier_close(recording->copier);
	perf_writer_close(recording->writer);
	build_id_table_destroy(recording->files);
	stop_signals_release(&recording->signals);
	if (recording->has_workload && !recording->workload_is_left)
		workload_stop(&recording->workload);
	target_fini(&recording->target);
	strbuf_fini(&recording->offline);
	free(recording);
}

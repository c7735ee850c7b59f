/*
 * recording_open() and recording_run() are the order of the steps; the functions above them are the steps. If sampling
 * fails, recording_run() finishes the file all the same.
 */
#include "record/recording_state.h"

#include <linux/perf_event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_place.h"
#include "base/live_process.h"
#include "base/xalloc.h"
#include "format/write/output_file.h"
#include "record/event/event_attr.h"
#include "record/own_priority.h"
#include "record/ring_size.h"
#include "record/wait/wait_recording.h"

enum {
	OPEN_ATTEMPTS = 5, /* if the target keeps starting threads */
	NS_PER_MS = 1000 * 1000,
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
	recording->plan.options.enable_on_exec = sampling_plan_starts_at_once(&recording->plan.sampling);
	return 0;
}

/* Opens the events of the target. A thread that starts meanwhile is missed, so this repeats until no new one appears. */
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
					    "new threads keep starting: those that started while xprof "
					    "opened the events may be missing\n");
			return 0;
		}
		event_set_close(recording->events);
		strbuf_cut(notices, noticed);
		target_fini(&recording->target);
		recording->target = now;
	}
}

/*
 * Opens a FIFO before the events: it may take long until a program reads it, and the rings would be full by then. Opens a file
 * after them: if the events fail, an older file stays where it is.
 */
static int open_output_and_events(struct recording *recording, struct strbuf *notices, struct error *err)
{
	const bool early = file_place_at(recording->plan.output) == FILE_PLACE_SPECIAL;

	if (early && recording_open_output(recording, err) < 0)
		return -1;
	if (open_events(recording, notices, err) < 0)
		return -1;
	return early ? 0 : recording_open_output(recording, err);
}

/* With --call-graph auto, or the term call-graph=auto of an event. */
static bool unwinds_on_the_spot(const struct recording_plan *plan)
{
	bool is_auto = plan->options.sampling.call_graph.mode == CALL_GRAPH_AUTO;

	for (size_t i = 0; i < plan->events->count; i++)
		is_auto |= plan->events->items[i].call_graph_given &&
			   plan->events->items[i].call_graph.mode == CALL_GRAPH_AUTO;
	return is_auto;
}

/* For the ring of copies, which is created before the events that fill it are opened. */
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
 * Copies whole stacks with a BPF program, if call stacks are wanted and BPF is permitted. A failure is no error: the kernel's
 * dumps are the fallback.
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
	if (call_graph->size_given || recording->plan.no_bpf || recording->plan.options.overwrite) {
		(void)error_set(&recording->summary.no_copies, "%s was given",
				recording->plan.options.overwrite ? "--overwrite" :
				recording->plan.no_bpf            ? "--no-bpf" :
								    "--call-graph auto,BYTES");
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

/* BPF programs time waits with CLOCK_MONOTONIC, and samples of two events must name their event. */
static int prepare_waits(struct recording *recording, struct error *err)
{
	struct sampling_options *sampling = &recording->plan.options.sampling;

	if (!recording->plan.off_cpu_period_ns)
		return 0;
	if (sampling->clock.given && sampling->clock.id != CLOCK_MONOTONIC)
		return error_set(err,
				 "--off-cpu needs the clock monotonic: leave out -k, or use '-k monotonic'");
	sampling->clock = (struct sample_clock){ .given = true, .id = CLOCK_MONOTONIC };
	sampling->extras.identifier = true;
	return 0;
}

/* Samples every context switch instead. That shows the durations and states of waits but not the wakers, and costs more. */
static int fall_back_to_switches(struct recording *recording, bool of_cgroups, struct strbuf *notices,
				 const struct error *reason, struct error *err)
{
	struct recording_plan *plan = &recording->plan;

	if (of_cgroups)
		return error_set(err, "--off-cpu of cgroups (-G): %s", reason->message);
	if (!plan->switch_events)
		return error_set(err, "--off-cpu: %s", reason->message);
	strbuf_addf(notices, "--off-cpu: %s: sampling every switch instead (sched:sched_switch)\n",
		    reason->message);
	plan->events = plan->switch_events;
	plan->options.sampling.context_switches = true;
	return 0;
}

static bool samples_nothing(const struct event_specs *specs)
{
	for (size_t i = 0; i < specs->count; i++)
		if (specs->items[i].type != PERF_TYPE_SOFTWARE ||
		    specs->items[i].config != PERF_COUNT_SW_DUMMY)
			return false;
	return true;
}

static int open_waits(struct recording *recording, struct strbuf *notices, struct error *err)
{
	struct recording_plan *plan = &recording->plan;
	const struct sampling_options *sampling = &plan->options.sampling;
	const struct perf_event_attr sampler =
		event_attr_sampler(&plan->events->items[0], sampling, recording->target.any_thread, true);
	struct wait_cgroups cgroups;
	const struct wait_recording_plan waits = {
		.period_ns = plan->off_cpu_period_ns,
		.cgroups = &cgroups,
		.target = &recording->target,
		.sampler = &sampler,
		.only_its_cpus = plan->target.cpus != NULL,
		.no_inherit = sampling->no_inherit,
		.from_exec = plan->options.enable_on_exec,
		.no_kernel_chains = sampling->user_callchains,
		.no_user_chains = sampling->kernel_callchains,
	};
	struct error reason;

	if (!plan->off_cpu_period_ns)
		return 0;
	if (wait_cgroups_find(&cgroups, plan->events, target_roots_system.proc, err) < 0)
		return -1;
	if (plan->no_bpf)
		(void)error_set(&reason, "--no-bpf was given");
	else
		recording->waits = wait_recording_open(&waits, &reason);
	if (!recording->waits)
		return fall_back_to_switches(recording, cgroups.count > 0, notices, &reason, err);
	if (wait_recording_copies_at_exit(recording->waits))
		strbuf_adds(notices,
			    "--off-cpu: this kernel has no task work for BPF programs (Linux 6.18): user "
			    "stacks are copied at the end of system calls, or whenever a thread leaves "
			    "the CPU outside of one, which costs more\n");
	/* A command's end is seen from its process, the end of other threads only from their events. */
	plan->options.only_sideband = recording->target_is_workload && samples_nothing(plan->events);
	return 0;
}

/* The samplers, then the event of waits. */
static void choose_file_events(struct recording *recording)
{
	const size_t samplers = event_set_sampler_count(recording->events);

	recording->file_events = xcalloc(samplers + 1, sizeof(*recording->file_events));
	memcpy(recording->file_events, event_set_samplers(recording->events),
	       samplers * sizeof(*recording->file_events));
	recording->file_event_count = samplers;
	if (recording->waits)
		recording->file_events[recording->file_event_count++] =
			*wait_sampler_event(wait_recording_sampler(recording->waits));
}

/* Returns NULL if samples are written as the kernel delivers them. */
static struct evidence *make_evidence(void *context)
{
	const struct recording *recording = context;
	const struct recording_plan *plan = &recording->plan;
	struct evidence *evidence = evidence_create(
		recording->file_events, recording->file_event_count,
		unwinds_on_the_spot(plan) || recording->waits ? plan->evidence : EVIDENCE_ALL);

	if (evidence && recording->copier)
		evidence_set_copies(evidence, stack_copier_copies(recording->copier));
	else if (evidence && !plan->no_continue && !plan->options.overwrite)
		evidence_continue_stacks(evidence);
	return evidence;
}

struct recording *recording_open(const struct recording_plan *plan, struct strbuf *notices, struct error *err)
{
	struct recording *recording = xcalloc(1, sizeof(*recording));

	recording->plan = *plan;
	strbuf_init(&recording->offline);
	recording->watch_fd = -1;
	flight_log_init(&recording->flight);
	recording->signals = (struct stop_signals){ .fd = -1, .takes_switch = plan->switches.given };
	recording->files = build_id_table_create();
	recording->maps = map_snapshots_create();
	open_copier(recording);
	if (prepare_waits(recording, err) < 0)
		goto failed;
	if (target_resolve(&recording->target, &plan->target, &target_roots_system, err) < 0 ||
	    prepare_workload(recording, err) < 0 || stop_signals_take(&recording->signals, err) < 0 ||
	    recording_open_control(recording, err) < 0 || open_waits(recording, notices, err) < 0 ||
	    open_output_and_events(recording, notices, err) < 0)
		goto failed;
	recording->summary.events = event_set_open_count(recording->events);
	recording->summary.rings = target_sampled_count(&recording->target);
	recording->summary.ring_bytes = event_set_ring_bytes(recording->events);
	choose_file_events(recording);
	recording->evidence = make_evidence(recording);
	if (recording->waits)
		wait_sampler_use(wait_recording_sampler(recording->waits), recording->evidence);
	drain_plan_make(&recording->threads, plan->threads, recording->target.cpus,
			event_set_ring_count(recording->events), "/sys");
	if (plan->comms)
		recording->comms =
			comm_filter_create(plan->comms, event_set_samplers(recording->events)[0].attr);
	if (recording_begin_file(recording, err) < 0 || recording_synthesize_first(recording, err) < 0)
		goto failed;
	return recording;
failed:
	recording_close(recording);
	return NULL;
}

/* --- running -------------------------------------------------------------------- */

/* Reads pending signals. Returns true if one asks to stop, or the workload has ended. */
static bool is_over(struct recording *recording)
{
	return stop_signals_read(&recording->signals) ||
	       (recording->has_workload && workload_has_ended(&recording->workload));
}

/* The workload's process exists already and keeps its own priority. */
static int come_first(struct recording *recording, struct error *err)
{
	const unsigned int realtime = recording->plan.realtime_priority;

	if (realtime && own_priority_set_realtime((int)realtime, err) < 0)
		return -1;
	recording->summary.comes_first = realtime || own_priority_raise();
	return 0;
}

/*
 * The events of a workload end when it does, or when it runs a program with more rights than xprof has, which goes on
 * without them. One that is ending gives up its events before its parent hears of its end.
 */
static void note_events_ended(struct recording *recording)
{
	if (!live_process_is_ending((uint32_t)recording->workload.pid))
		recording->unseen_since_ns = clock_now_ns();
}

/* True if the file has reached its size or time, or a signal asked for the next. */
static bool switch_is_due(struct recording *recording, enum recorder_end end)
{
	const struct switch_condition *when = &recording->plan.switches;
	const bool asked = recording->signals.switch_asked;
	/* Without samples a file has only its beginning, which alone may exceed the size. */
	const bool has_samples =
		recorder_counts(recording->recorder)->taken.samples > recording->samples_before;

	recording->signals.switch_asked = false;
	return when->given && (asked || (end == RECORDER_SIZE_REACHED && has_samples) ||
			       (when->every_ns && clock_now_ns() >= recording->switched_ns + when->every_ns));
}

/* Runs until something ends the recording. */
static int run(struct recording *recording, struct error *err)
{
	const struct recording_plan *plan = &recording->plan;
	const uint64_t max_bytes = plan->max_bytes, switch_bytes = recording->plan.switches.size_bytes;
	bool until_target_ends = true;
	bool over = false;

	if (!plan->options.overwrite)
		recorder_limit_size(recording->recorder,
				    max_bytes && (!switch_bytes || max_bytes < switch_bytes) ? max_bytes :
											       switch_bytes);
	while (!over) {
		enum recorder_end end;

		if (recorder_run(recording->recorder, recording_watch_fd(recording),
				 recording_next_deadline_ns(recording), until_target_ends, &end, err) < 0)
			return -1;
		if (end == RECORDER_TARGET_ENDED && recording->target_is_workload) {
			note_events_ended(recording);
			until_target_ends = false;
			continue;
		}
		over = end == RECORDER_TARGET_ENDED || (end == RECORDER_WATCHED_READY && is_over(recording));
		recording->summary.size_reached =
			max_bytes && perf_writer_data_bytes(recording->writer) >= max_bytes;
		over |= recording->summary.size_reached;
		if (!over && end == RECORDER_WATCHED_READY && recording_obey(recording, &over, err) < 0)
			return -1;
		if (!over && recording_follow_schedule(recording, &over, err) < 0)
			return -1;
		if (!over && plan->options.overwrite && end == RECORDER_SIZE_REACHED &&
		    recording_describe_flight(recording, err) < 0)
			return -1;
		if (!over && switch_is_due(recording, end) && recording_switch_file(recording, err) < 0)
			return -1;
	}
	return 0;
}

static int sample(struct recording *recording, struct error *err)
{
	const struct recording_plan *plan = &recording->plan;
	const uint64_t began_ns = clock_now_ns();
	bool over = stop_signals_read(&recording->signals);
	int result = over ? 0 : come_first(recording, err);

	if (over)
		return 0;
	sampling_schedule_begin(&recording->schedule, &plan->sampling, began_ns);
	if (sampling_plan_starts_at_once(&plan->sampling))
		recording->first_started_ns = began_ns;
	if (result == 0 && recording->waits && recording->first_started_ns && !plan->options.enable_on_exec)
		result = wait_recording_begin(recording->waits, clock_now_ns(), err);
	/* The kernel starts a workload's samplers at its exec. */
	if (result == 0 && recording->first_started_ns && !plan->options.enable_on_exec)
		result = event_set_enable(recording->events, err);
	if (result == 0 && recording->has_workload)
		result = workload_start(&recording->workload, plan->workload[0], err);
	if (result == 0)
		result = run(recording, err);
	recording->summary.elapsed_ns =
		clock_now_ns() - (recording->first_started_ns ? recording->first_started_ns : began_ns);
	if (recording->unseen_since_ns)
		recording->summary.unseen_ns = clock_now_ns() - recording->unseen_since_ns;
	return result;
}

int recording_run(struct recording *recording, struct progress *progress, struct error *err)
{
	int result;

	recording->recorder = recorder_create(recording->events, recording->writer, recording->files,
					      recording->evidence, progress);
	if (recording->copier)
		recorder_watch_copies(recording->recorder, recording->copier, &recording->copies_demand);
	if (recording->waits)
		recorder_sample_waits(recording->recorder, wait_recording_sampler(recording->waits),
				      wait_recording_fd(recording->waits));
	recorder_keep_maps(recording->recorder, recording->maps);
	if (recording->plan.options.sampling.stacks_are_chains && !recording->waits)
		recorder_leave_out_unsampled_maps(recording->recorder);
	if (recording->comms)
		recorder_filter_comms(recording->recorder, recording->comms);
	recorder_plan_threads(recording->recorder, &recording->threads, make_evidence, recording);
	recording_prepare_files(recording);
	result = sample(recording, err);
	/* Finish the file even if the workload could not be started. */
	if (recording_finish_file(recording, result < 0 ? NULL : err) < 0)
		result = -1;
	/* Earlier signals asked for this end; a later one means: do not wait for the workload. */
	(void)stop_signals_read(&recording->signals);
	recording->summary.counts = *recorder_counts(recording->recorder);
	recording->summary.cut_maps = map_snapshots_cut_count(recording->maps);
	if (recording->copier)
		recording->summary.copies = stack_copier_counts(recording->copier);
	recording->summary.waits_timed = recording->waits != NULL;
	if (recording->waits)
		recording->summary.waits = wait_sampler_counts(wait_recording_sampler(recording->waits));
	if (recording->evidence)
		recording->summary.evidence = recorder_evidence_counts(recording->recorder);
	recording->summary.threads = recorder_threads(recording->recorder);
	return result;
}

enum workload_end recording_end_workload(struct recording *recording, int timeout_ms)
{
	const uint64_t until_ns = clock_now_ns() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;
	struct pollfd entry = { .fd = recording->signals.fd, .events = POLLIN };

	if (!recording->has_workload)
		return WORKLOAD_ENDED;
	workload_terminate(&recording->workload);
	while (!workload_has_ended(&recording->workload)) {
		uint64_t now_ns = clock_now_ns();

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
	wait_recording_close(recording->waits);
	free(recording->file_events);
	event_set_close(recording->events);
	stack_copier_close(recording->copier);
	perf_writer_close(recording->writer);
	build_id_table_destroy(recording->files);
	output_names_destroy(recording->names);
	process_set_destroy(recording->followed);
	recording_close_control(recording);
	stop_signals_release(&recording->signals);
	if (recording->has_workload && !recording->workload_is_left)
		workload_stop(&recording->workload);
	target_fini(&recording->target);
	strbuf_fini(&recording->offline);
	flight_log_fini(&recording->flight);
	free(recording);
}

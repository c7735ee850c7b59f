#include "record/recording.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "record/build_id_table.h"
#include "record/host_features.h"
#include "record/machine_features.h"
#include "record/own_priority.h"
#include "record/synthesize.h"
#include "record/tracing_data.h"
#include "record/workload.h"

enum {
	SYNTHESIS_PIECE_BYTES = 256 * 1024, /* handed to the writer at once */
	OPEN_ATTEMPTS = 5,                  /* of a target that goes on making threads */
};

struct recording {
	struct recording_plan plan;
	struct target target;
	bool target_is_workload;
	struct workload workload;
	bool has_workload;
	sigset_t old_mask;
	struct sigaction old_pipe;
	int signal_fd;
	struct event_set *events;
	struct perf_writer *writer;
	struct build_id_table *files;
	struct evidence *evidence; /* NULL: samples are written as they come */
	struct map_snapshots *maps;
	struct recorder *recorder;
	struct recording_summary summary;
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
	if (workload_prepare(&recording->workload, recording->plan.workload, err) < 0)
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

/*
 * From here on the signals that end a recording come through a descriptor. A
 * reader of our pipe that leaves, or a workload that vanishes, is an error of
 * write(), not a signal.
 */
static int take_signals(struct recording *recording, struct error *err)
{
	struct sigaction hangup;
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	sigset_t watched;

	sigemptyset(&watched);
	sigaddset(&watched, SIGINT);
	sigaddset(&watched, SIGTERM);
	sigaddset(&watched, SIGCHLD);
	if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup */
		sigaddset(&watched, SIGHUP);
	sigaction(SIGPIPE, &ignored, &recording->old_pipe);
	sigprocmask(SIG_BLOCK, &watched, &recording->old_mask);
	recording->signal_fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
	return recording->signal_fd < 0 ? error_set_errno(err, errno, "cannot watch for signals") : 0;
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

static int begin_file(struct recording *recording, struct error *err)
{
	const struct perf_writer_options options = { .compression_level = recording->plan.compression_level };

	recording->writer = perf_writer_create(recording->plan.output, err);
	if (!recording->writer || perf_writer_configure(recording->writer, &options, err) < 0)
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

struct recording *recording_open(const struct recording_plan *plan, struct strbuf *notices, struct error *err)
{
	struct recording *recording = xcalloc(1, sizeof(*recording));

	recording->plan = *plan;
	recording->signal_fd = -1;
	recording->files = build_id_table_create();
	recording->maps = map_snapshots_create();
	if (target_resolve(&recording->target, &plan->target, &target_roots_system, err) < 0 ||
	    prepare_workload(recording, err) < 0 || take_signals(recording, err) < 0 ||
	    open_events(recording, notices, err) < 0)
		goto failed;
	recording->summary.events = event_set_open_count(recording->events);
	recording->summary.rings = event_set_ring_count(recording->events);
	recording->summary.ring_bytes = event_set_ring_bytes(recording->events);
	recording->evidence = evidence_create(event_set_samplers(recording->events),
					      event_set_sampler_count(recording->events),
					      unwinds_on_the_spot(plan) ? plan->evidence : EVIDENCE_ALL);
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
	struct signalfd_siginfo signal;
	bool asked = false;

	while (read(recording->signal_fd, &signal, sizeof(signal)) == sizeof(signal))
		asked |= signal.ssi_signo != SIGCHLD;
	return asked || (recording->has_workload && workload_has_ended(&recording->workload));
}

/* Until the deadline, or what else ends the recording: *over. */
static int run_until(struct recording *recording, uint64_t deadline_ns, bool *over, struct error *err)
{
	bool until_target_ends = !recording->target_is_workload;

	for (;;) {
		enum recorder_end end;

		if (recorder_run(recording->recorder, recording->signal_fd, deadline_ns, until_target_ends,
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

static int sample(struct recording *recording, struct error *err)
{
	const struct recording_plan *plan = &recording->plan;
	uint64_t started_ns = recorder_now_ns();
	bool over = false;
	int result = come_first(recording, err);

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
	recorder_keep_maps(recording->recorder, recording->maps);
	result = sample(recording, err);
	/* A workload that could not be run is no reason to leave a file unfinished. */
	if (finish_file(recording, result < 0 ? NULL : err) < 0)
		result = -1;
	recording->summary.counts = *recorder_counts(recording->recorder);
	recording->summary.cut_maps = map_snapshots_cut_count(recording->maps);
	if (recording->evidence)
		recording->summary.evidence = *evidence_counts(recording->evidence);
	recording->summary.data_bytes = perf_writer_data_bytes(recording->writer);
	recording->summary.compression = perf_writer_compression(recording->writer);
	return result;
}

int recording_workload_status(struct recording *recording)
{
	if (!recording->has_workload)
		return 0;
	/* The file is finished: a second Ctrl-C may end the wait for a workload that does not. */
	sigprocmask(SIG_SETMASK, &recording->old_mask, NULL);
	workload_stop(&recording->workload);
	return recording->deadline_passed ? 0 : workload_exit_status(&recording->workload);
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
	map_snapshots_destroy(recording->maps);
	evidence_destroy(recording->evidence);
	event_set_close(recording->events);
	perf_writer_close(recording->writer);
	build_id_table_destroy(recording->files);
	if (recording->signal_fd >= 0) {
		close(recording->signal_fd);
		sigaction(SIGPIPE, &recording->old_pipe, NULL);
		sigprocmask(SIG_SETMASK, &recording->old_mask, NULL);
	}
	if (recording->has_workload)
		workload_stop(&recording->workload);
	target_fini(&recording->target);
	free(recording);
}

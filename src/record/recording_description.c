/*
 * Describes the state at the beginning of a file: the kernel, the recorded processes, their threads and
 * mappings, as records that the kernel would have written. For the first file they are written process by
 * process; for later files and for the flight log they are collected in memory.
 */
#include "base/clock.h"
#include "record/event/event_attr.h"
#include "record/process/synthesize.h"
#include "record/recording_state.h"

enum { SYNTHESIS_PIECE_BYTES = 256 * 1024 }; /* handed to the writer in one piece */

struct synthesis_visit {
	struct recording *recording;
	struct synthesis synthesis;
	bool is_first; /* the first file's records are written and noted at once */
	struct error *err;
	bool failed;
};

/* For the first file only: a later file's records stay in memory, and earlier records have already been noted. */
static void write_out(struct synthesis_visit *visit, size_t at_least)
{
	struct strbuf *out = visit->synthesis.out;

	if (!visit->is_first || out->size < at_least || out->size == 0)
		return;
	if (visit->recording->plan.options.overwrite)
		strbuf_add(&visit->recording->flight.current, out->bytes, out->size);
	else if (!visit->failed &&
		 perf_writer_append(visit->recording->writer, out->bytes, out->size, visit->err) < 0)
		visit->failed = true;
	if (visit->recording->evidence)
		evidence_note(visit->recording->evidence, (const uint8_t *)out->bytes, out->size);
	map_snapshots_note(visit->recording->maps, (const uint8_t *)out->bytes, out->size);
	if (visit->recording->comms)
		comm_filter_note(visit->recording->comms, (const uint8_t *)out->bytes, out->size);
	strbuf_reset(out);
}

static void synthesize_one(int pid, void *context)
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
	if (!visit->is_first) {
		process_set_each(visit->recording->followed, synthesize_one, visit);
		return 0;
	}
	if (visit->recording->target_is_workload) { /* its mappings do not survive exec */
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

static int synthesize(struct recording *recording, struct strbuf *out, bool is_first, struct error *err)
{
	const struct perf_event_attr *sideband = event_set_sideband_attr(recording->events);
	struct synthesis_visit visit = {
		.recording = recording,
		.is_first = is_first,
		.synthesis = { .proc = "/proc",
			       .sys = "/sys",
			       .data_mappings = sideband->mmap_data,
			       .forks = recording->target.any_thread,
			       .namespaces = sideband->namespaces,
			       .trailer_bytes = event_attr_sample_id_size(sideband),
			       .out = out,
			       .files = recording->files },
		.err = err,
	};
	uint64_t started_ns = clock_now_ns();
	int result;

	if (event_set_samples_kernel(recording->events) || recording->waits) {
		recording->summary.kernel_hidden = !synthesize_kernel(&visit.synthesis);
		if (sideband->ksymbol)
			synthesize_bpf_programs(&visit.synthesis);
	}
	if (sideband->cgroup)
		synthesize_cgroups(&visit.synthesis);
	result = synthesize_target(&visit);
	write_out(&visit, 0);
	recording->summary.processes = visit.synthesis.process_count;
	recording->summary.mappings = visit.synthesis.mapping_count;
	recording->summary.synthesis_ns = clock_now_ns() - started_ns;
	return result < 0 || visit.failed ? -1 : 0;
}

int recording_synthesize(struct recording *recording, struct strbuf *records, struct error *err)
{
	return synthesize(recording, records, false, err);
}

int recording_synthesize_first(struct recording *recording, struct error *err)
{
	struct strbuf records = STRBUF_INIT;
	int result;

	result = synthesize(recording, &records, true, err);
	recording->flight.described_bytes = recording->flight.current.size;
	strbuf_fini(&records);
	return result;
}

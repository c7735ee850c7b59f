/*
 * The files of a recording: their beginning, their end, and the switch from one to the next.
 * recording_switch_file() loses no sample, and each file can be read alone:
 *
 *	1. all processes are described from /proc, into memory;
 *	2. a last round of all rings goes into the old file; its state records go into memory, too, since they may be later
 *	   than 1.;
 *	3. the old file is finished and gets its name;
 *	4. the new file gets its name when the records from memory are in it.
 *
 * A sample that is later than the last round belongs to a process that either was there at 1., or began in
 * the last round, or will be described in a later one.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/clock.h"
#include "format/perf_abi.h"
#include "format/write/output_file.h"
#include "record/machine/host_features.h"
#include "record/machine/machine_features.h"
#include "record/recording_state.h"
#include "record/tracing_data.h"

enum {
	READER_PATIENCE_MS = 2000, /* for a reader that does not read, after a signal to stop */
};

/* --- beginning ------------------------------------------------------------------------------------------- */

/* Called while the output waits for a reader. A signal to stop ends the recording once the rest has been written. */
static bool stops_waiting(unsigned int waited_ms, void *context)
{
	const struct recording *recording = context;
	const bool pending = stop_signals_are_pending(&recording->signals);

	if (!recording->recorder || recording->signals.asked)
		return pending || (recording->signals.asked && waited_ms >= READER_PATIENCE_MS);
	return pending && waited_ms >= READER_PATIENCE_MS;
}

int recording_open_output(struct recording *recording, struct error *err)
{
	const struct output_wait wait = { .is_over = stops_waiting, .context = recording };

	recording->writer = perf_writer_over(output_file_create_waiting(recording->plan.output, &wait, err));
	return recording->writer ? 0 : -1;
}

static int set_tracing_data(struct recording *recording, struct error *err)
{
	struct strbuf bytes = STRBUF_INIT;
	int made;

	made = tracing_data_make(&bytes, recording->plan.events, &event_sources_system, err);
	if (made > 0)
		perf_writer_set_feature(recording->writer, HEADER_TRACING_DATA, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
	return made < 0 ? -1 : 0;
}

/*
 * Samples with stacks are large and similar, so files with stacks are compressed. A program that reads from a pipe takes records
 * at once and gains nothing from smaller ones.
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

int recording_begin_file(struct recording *recording, struct error *err)
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
	return perf_writer_begin(recording->writer, recording->file_events, recording->file_event_count, err);
}

/* --- switching files --------------------------------------------------------------------------------------- */

/* Whether later samples may need the record. */
static bool describes_processes(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
	case PERF_RECORD_TEXT_POKE: return true;
	default: return false;
	}
}

static void hear_state(const uint8_t *record, size_t size, void *context)
{
	struct recording *recording = context;
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	if (recording->followed)
		process_set_note(recording->followed, record, size);
	if (recording->beginning && describes_processes(header.type))
		strbuf_add(recording->beginning, record, size);
}

void recording_prepare_files(struct recording *recording)
{
	const struct recording_plan *plan = &recording->plan;
	const struct target *target = &recording->target;

	if (plan->time_in_name && !perf_writer_is_pipe(recording->writer))
		recording->names = output_names_create(plan->output, plan->max_files);
	recording->switched_ns = clock_now_ns();
	if (plan->options.overwrite)
		recording_prepare_flight(recording);
	else if (!plan->switches.given)
		return;
	if (!target->any_thread) {
		recording->followed = process_set_create("/proc");
		for (size_t i = 0; i < target->thread_count; i++)
			process_set_add(recording->followed, (uint32_t)target->threads[i].pid);
	}
	recorder_tell_state(recording->recorder, hear_state, recording);
}

/* HEADER_SAMPLE_TIME: u64 first, u64 last */
static void set_sample_time(struct recording *recording)
{
	const struct recorder_counts *counts = recorder_counts(recording->recorder);
	const uint64_t times[2] = { counts->taken.first_sample_ns, counts->taken.last_sample_ns };

	if (counts->taken.last_sample_ns)
		perf_writer_set_feature(recording->writer, HEADER_SAMPLE_TIME, times, sizeof(times));
}

/* Writes the part of the file after the data. */
static int write_end(struct recording *recording, struct error *err)
{
	set_sample_time(recording);
	if (!perf_writer_is_pipe(recording->writer))
		machine_features_set(recording->writer, "/sys");
	build_id_table_write(recording->files, recording->writer);
	return perf_writer_finish(recording->writer, err);
}

/* Gives the complete file its final name. */
static int keep_file(struct recording *recording, struct error *err)
{
	const struct recording_plan *plan = &recording->plan;
	const uint64_t samples = recorder_counts(recording->recorder)->taken.samples;
	struct recorded_file file = { .samples = samples - recording->samples_before,
				      .data_bytes = perf_writer_data_bytes(recording->writer) };
	struct timeval now;

	recording->summary.files++;
	if (!recording->names)
		return 0;
	gettimeofday(&now, NULL);
	file.name = output_names_keep(recording->names, &now, err);
	recording->summary.last_file = file.name;
	if (file.name && plan->file_kept)
		plan->file_kept(&file, plan->file_kept_context);
	return file.name ? 0 : -1;
}

static void count_file(struct recording *recording)
{
	const struct compression_totals compression = perf_writer_compression(recording->writer);

	recording->samples_before = recorder_counts(recording->recorder)->taken.samples;
	recording->bytes_before += perf_writer_data_bytes(recording->writer);
	recording->compression_before.original_bytes += compression.original_bytes;
	recording->compression_before.packed_bytes += compression.packed_bytes;
}

/* The new file gets its name once it can be read. */
static int begin_next(struct recording *recording, struct perf_writer **writer, struct error *err)
{
	perf_writer_close(recording->writer);
	recording->writer = NULL;
	recording->writer = perf_writer_create_temporary(recording->plan.output, err);
	*writer = recording->writer;
	if (!recording->writer || recording_begin_file(recording, err) < 0 ||
	    perf_writer_append(recording->writer, recording->beginning->bytes, recording->beginning->size,
			       err) < 0 ||
	    perf_writer_flush(recording->writer, err) < 0)
		return -1;
	return perf_writer_publish(recording->writer, err);
}

/* Steps 1 to 3 of this file's first comment. A flight recorder's log already has the descriptions of step 1. */
static int end_file(struct recording *recording, struct error *err)
{
	if (recording->plan.options.overwrite) {
		if (recording_write_flight(recording, err) < 0 ||
		    recorder_drain(recording->recorder, false, err) < 0 || write_end(recording, err) < 0)
			return -1;
		return keep_file(recording, err);
	}
	build_id_table_begin_file(recording->files);
	if (recording_synthesize(recording, recording->beginning, err) < 0 ||
	    recorder_drain(recording->recorder, false, err) < 0 || write_end(recording, err) < 0)
		return -1;
	build_id_table_forget_older(recording->files, 0);
	return keep_file(recording, err);
}

int recording_switch_file(struct recording *recording, struct error *err)
{
	struct perf_writer *writer = NULL;
	struct strbuf beginning = STRBUF_INIT;
	int result;

	recording->beginning = &beginning;
	result = end_file(recording, err);
	recording->beginning = NULL;
	if (result == 0) {
		count_file(recording);
		recording->beginning = &beginning;
		result = begin_next(recording, &writer, err);
		recording->beginning = NULL;
	}
	strbuf_fini(&beginning);
	if (result < 0) {
		recording->files_failed = true;
		return error_wrap(
			err,
			err && err->errno_value == ENOSPC ?
				"the recording ends here; complete files can be read; free some space, or keep "
				"fewer (--switch-max-files)" :
				"the recording ends here; complete files can be read");
	}
	recorder_set_output(recording->recorder, writer);
	recording->switched_ns = clock_now_ns();
	return 0;
}

/* --- the end ---------------------------------------------------------------------------------------------- */

int recording_finish_file(struct recording *recording, struct error *err)
{
	const struct compression_totals *before = &recording->compression_before;
	struct recording_summary *summary = &recording->summary;

	event_set_say_offline(recording->events, clock_now_ns(), &recording->offline);
	summary->offline = recording->offline.size ? recording->offline.bytes : NULL;
	event_set_disable(recording->events);
	if (recording->waits)
		wait_recording_end(recording->waits, clock_now_ns());
	if (recording->files_failed ||
	    (recording->plan.options.overwrite && recording_write_flight(recording, err) < 0))
		return -1;
	if (recorder_drain(recording->recorder, true, err) < 0 || write_end(recording, err) < 0)
		return -1;
	summary->data_bytes = recording->bytes_before + perf_writer_data_bytes(recording->writer);
	summary->compression = perf_writer_compression(recording->writer);
	summary->compression.original_bytes += before->original_bytes;
	summary->compression.packed_bytes += before->packed_bytes;
	return keep_file(recording, err);
}

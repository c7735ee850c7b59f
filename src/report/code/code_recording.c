/* Samples come in order of time, when all mappings before them are known: see report/load/sample_stream.h. */
#include "report/code/code_recording.h"

#include <linux/perf_event.h>

#include "format/perf_abi.h"
#include "report/load/file_facts.h"
#include "report/load/recorded_names.h"
#include "report/load/sample_times.h"
#include "report/view/event_choice.h"

struct reading {
	struct code_recording *recording;
	const struct code_request *request;
	struct time_ranges times;
	bool timeless; /* no event samples the time: records apply as they are read */
};

static bool passes(const struct reading *reading, const struct stream_sample *streamed)
{
	const struct sample_choice *choice = reading->request->choice;
	const struct sample *sample = &streamed->sample;

	if (!choice)
		return true;
	if (choice->event && !(streamed->desc && event_choice_is_named(streamed->desc->name, choice->event)))
		return false;
	if (reading->times.count && !time_ranges_contain(&reading->times, sample->time_ns))
		return false;
	if ((choice->pids.count && !number_list_has(&choice->pids, sample->pid)) ||
	    (choice->tids.count && !number_list_has(&choice->tids, sample->tid)) ||
	    (choice->cpus.count && !number_list_has(&choice->cpus, sample->cpu)))
		return false;
	return !choice->comms.items ||
	       text_list_has(&choice->comms, process_table_comm(reading->recording->machine.processes,
								sample->pid, sample->tid, streamed->time_ns));
}

static enum stream_way see_record(void *context, const struct event *event, uint64_t number,
				  struct error *err)
{
	const struct reading *reading = context;

	(void)number, (void)err;
	if (event->type == PERF_RECORD_HEADER_BUILD_ID)
		file_facts_learn_build_ids(reading->recording->recording.file,
					   reading->recording->machine.processes);
	return reading->timeless ? STREAM_NOW : STREAM_HOLD;
}

/* Skips damaged records. */
static int record_happened(void *context, const struct event *event, uint64_t time_ns, struct error *err)
{
	const struct reading *reading = context;

	(void)err;
	(void)recorded_machine_apply(&reading->recording->machine, event, time_ns);
	return 0;
}

static bool is_timeless(const struct perf_file *file)
{
	const size_t count = perf_file_event_count(file);

	for (size_t i = 0; i < count; i++)
		if (perf_file_event(file, i)->attr.sample_type & PERF_SAMPLE_TIME)
			return false;
	return count != 0;
}

static int read_samples(struct reading *reading, struct error *err)
{
	struct code_recording *recording = reading->recording;
	struct sample_stream *stream =
		sample_stream_create(&(struct sample_stream_options){ .file = recording->recording.file,
								      .order = STREAM_BY_TIME,
								      .read = see_record,
								      .happened = record_happened,
								      .context = reading });
	const struct stream_sample *sample;
	int more;

	while ((more = sample_stream_next(stream, &sample, err)) == 1) {
		if (!passes(reading, sample))
			continue;
		code_counts_add(&recording->counts, &sample->sample, sample->time_ns,
				recording->machine.processes);
		if (reading->request->visit)
			reading->request->visit(reading->request->context, sample,
						recording->machine.processes);
	}
	sample_stream_destroy(stream);
	return more;
}

int code_recording_read(struct code_recording *recording, const struct code_request *request,
			struct error *err)
{
	struct reading reading = { .recording = recording, .request = request };
	struct symbolizer_options symbols = request->symbols;

	*recording = (struct code_recording){ .symbols = request->symbols };
	if (recording_file_open(&recording->recording, request->path, err))
		return -1;
	symbols.archive = recording->recording.archive;
	if (sample_times_ranges(recording->recording.file, request->choice ? request->choice->time : NULL,
				&reading.times, err)) {
		recording_file_close(&recording->recording);
		return -1;
	}
	reading.timeless = is_timeless(recording->recording.file);
	recorded_machine_init(&recording->machine, recording->recording.file,
			      recorded_names_search(recording->recording.file, &symbols));
	if (read_samples(&reading, err)) {
		code_recording_close(recording);
		return -1;
	}
	file_facts_learn_build_ids(recording->recording.file, recording->machine.processes);
	recording->machine.search = recorded_names_search(recording->recording.file, &symbols);
	recording->symbolizer = recorded_names_symbolizer(recording->recording.file, &symbols);
	code_table_sort(&recording->counts.addresses);
	code_table_sort(&recording->counts.branches);
	code_table_sort(&recording->counts.ranges);
	return 0;
}

void code_recording_close(struct code_recording *recording)
{
	code_counts_fini(&recording->counts);
	symbolizer_destroy(recording->symbolizer);
	recorded_machine_fini(&recording->machine);
	recording_file_close(&recording->recording);
}

/*
 * The stream calls see_record() for each record when it is read and record_happened() for the kernel's other records in order
 * of time, and gives samples to write_sample(). Names and formats are prepared before the first line, not earlier: a pipe has
 * them only then. Text is flushed every 64 KiB.
 */
#include "report/script/script_run.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "report/load/file_facts.h"
#include "report/load/recorded_machine.h"
#include "report/load/recorded_modules.h"
#include "report/load/recorded_names.h"
#include "report/load/sample_stream.h"
#include "report/script/script_events.h"
#include "report/script/script_sample.h"
#include "report/script/script_stat.h"
#include "report/script/script_writer.h"

enum { FLUSH_BYTES = 1 << 16 };

struct script {
	struct perf_file *file;
	const struct script_request *request;
	struct script_losses *losses;
	struct recorded_machine machine;
	struct symbolizer *symbolizer; /* NULL until the first sample: records that it needs come before */
	struct sample_stream *stream;
	struct script_stat *stat;
	struct script_writer writer;
	struct script_events events;
	bool reader_gone;
};

static void hide_control_characters(struct strbuf *text)
{
	for (size_t i = 0; i < text->size; i++) {
		const unsigned char c = (unsigned char)text->bytes[i];

		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
			text->bytes[i] = '?';
	}
}

static void flush(struct script *script)
{
	struct strbuf *out = &script->writer.out;

	script_fill_holes(&script->writer);
	if (script->request->to_terminal)
		hide_control_characters(out);
	if (!script->reader_gone && fwrite(out->bytes, 1, out->size, script->request->out) != out->size)
		script->reader_gone = true;
	strbuf_reset(out);
}

/* --- prepared at the first sample ------------------------------------------------- */

static const char *resolve_kernel_function(uint64_t *address, void *context)
{
	struct script *script = context;
	struct script_place place;

	script_places_find(script->writer.places, &place, 0, UINT64_MAX, PERF_RECORD_MISC_KERNEL, *address);
	if (!place.has_symbol)
		return NULL;
	*address -= place.address - place.symbol.start;
	return place.symbol.name;
}

static void open_tracepoints(struct script *script)
{
	struct script_writer *writer = &script->writer;
	struct byte_reader bytes = perf_file_feature_bytes(script->file, HEADER_TRACING_DATA);
	struct error err;

	writer->no_tracepoints = xstrdup("the recording has no tracing data");
	if (byte_reader_left(&bytes) == 0)
		return;
	writer->tracepoints = tracepoint_formats_create(bytes, resolve_kernel_function, script, &err);
	if (writer->tracepoints)
		return;
	free((char *)writer->no_tracepoints);
	writer->no_tracepoints = xstrdup(err.message);
}

static int widest_name(struct script *script)
{
	size_t widest = 0;

	for (size_t i = 0; i < perf_file_event_count(script->file); i++) {
		size_t width = strlen(script_event_name(&script->writer, i));

		if (width > widest)
			widest = width;
	}
	return (int)widest;
}

static void prepare(struct script *script)
{
	struct symbolizer_options symbols = script->request->symbols;

	if (script->symbolizer)
		return;
	script->symbolizer = recorded_names_symbolizer(script->file, &symbols);
	script->writer.places = script_places_create(
		&(struct script_sources){ .processes = script->machine.processes,
					  .symbolizer = script->symbolizer,
					  .features = perf_file_features(script->file),
					  .is_this_machine = file_facts_is_this_machine(script->file) });
	script->writer.code = recorded_code_create(&script->machine.search);
	recorded_code_set_needs(script->writer.code, script->request->symbols.needs);
	script->machine.unwinder =
		recorded_machine_unwinder(&script->machine, &script->writer.style.stacks, NULL, NULL);
	script->writer.unwinder = script->machine.unwinder;
	open_tracepoints(script);
	script->writer.style.name_width = widest_name(script);
	counted_events_find(&script->writer.counted, script->file);
}

/* --- other records than samples ------------------------------------------------------- */

static bool is_shown(const struct script_request *request, uint32_t type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: return request->show_task_events;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return request->show_mmap_events;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: return request->show_switch_events;
	case PERF_RECORD_LOST: return request->show_lost_events;
	case PERF_RECORD_NAMESPACES: return request->show_namespace_events;
	case PERF_RECORD_CGROUP: return request->show_cgroup_events;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT: return request->show_bpf_events;
	case PERF_RECORD_TEXT_POKE: return request->show_text_poke_events;
	default: return false;
	}
}

static void flush_when_full(struct script *script)
{
	if (script->writer.out.size >= FLUSH_BYTES)
		flush(script);
}

static void show_record(struct script *script, const struct event *event, uint64_t time_ns)
{
	prepare(script);
	if (script_record_write(&script->writer, event, time_ns, script->request->filter) != 0)
		script->losses->damaged_records++;
}

static void show_round(struct script *script)
{
	if (script->request->show_round_events)
		strbuf_adds(&script->writer.out, "PERF_RECORD_FINISHED_ROUND\n");
}

/* Called in order of time, between samples. */
static int record_happened(void *context, const struct event *event, uint64_t time_ns, struct error *err)
{
	struct script *script = context;

	(void)err;
	if (event->type == PERF_RECORD_FINISHED_ROUND) {
		show_round(script);
	} else if (recorded_machine_apply(&script->machine, event, time_ns) != 0) {
		script->losses->damaged_records++;
	} else if (is_shown(script->request, event->type)) {
		show_record(script, event, time_ns);
	}
	flush_when_full(script);
	return script->reader_gone ? -1 : 0;
}

/* As perf: the ends of rounds belong to the order of the file, so everything is then shown in that order. */
static bool is_in_file_order(const struct script *script)
{
	return script->events.timeless || script->request->show_round_events;
}

/* Takes a record of 'perf stat record', whose files have no samples. */
static void take_stat(struct script *script, const struct event *event)
{
	if (script_stat_take(script->stat, script->file, event, &script->writer.out) != 0)
		script->losses->damaged_records++;
	flush_when_full(script);
}

static enum stream_way see_record(void *context, const struct event *event, uint64_t number,
				  struct error *err)
{
	struct script *script = context;

	(void)number;
	if (script->reader_gone || script_events_learn(&script->events, &script->writer.style, err) != 0)
		return STREAM_FAILED;
	if (event->type == PERF_RECORD_HEADER_BUILD_ID)
		file_facts_learn_build_ids(script->file, script->machine.processes);
	else if (event->type >= PERF_RECORD_USER_TYPE_START && event->type != PERF_RECORD_FINISHED_ROUND)
		take_stat(script, event);
	return is_in_file_order(script) ? STREAM_NOW : STREAM_HOLD;
}

/* --- samples -------------------------------------------------------------------------- */

static void write_sample(struct script *script, const struct stream_sample *streamed)
{
	const struct sample *s = &streamed->sample;
	const struct script_filter *filter = script->request->filter;
	struct script_writer *writer = &script->writer;
	const char *event_name;
	struct script_sample sample = { .sample = s,
					.event = streamed->event,
					.desc = streamed->desc,
					.period = streamed->period,
					.state_time_ns = streamed->time_ns };

	prepare(script);
	sample.comm = process_table_comm_then(writer->processes, s->pid, s->tid, sample.state_time_ns);
	event_name = script_event_name(writer, sample.event);
	if (!script_filter_has_event(filter, event_name) || !script_filter_has_wait(filter, event_name, s) ||
	    !script_filter_passes(filter, s, sample.comm))
		return;
	script_places_find(writer->places, &sample.leaf, s->pid, sample.state_time_ns,
			   s->misc & RECORD_MISC_CPUMODE_MASK, s->ip);
	if (!script_filter_has_place(filter, &sample.leaf, s->ip))
		return;
	script->losses->samples++;
	script_line_write(writer, &sample);
	flush_when_full(script);
}

static int write_samples(struct script *script, struct error *err)
{
	const struct stream_sample *sample;
	int more = script_events_learn(&script->events, &script->writer.style, err);

	if (more != 0)
		return -1;
	while (!script->reader_gone && (more = sample_stream_next(script->stream, &sample, err)) == 1)
		write_sample(script, sample);
	return script->reader_gone ? 0 : more;
}

static void add_stream_losses(struct script_losses *losses, struct stream_losses stream)
{
	losses->unknown_event_samples += stream.unknown_event_samples;
	losses->damaged_records += stream.damaged_samples + stream.damaged_rests;
	losses->late_records = stream.late_records;
}

int script_run(struct perf_file *file, const struct script_request *request, struct script_losses *losses,
	       struct error *err)
{
	struct script script = { .file = file,
				 .request = request,
				 .losses = losses,
				 .events = { .file = file,
					     .with_callchains = request->style.callchains,
					     .by_cpu = request->filter->choice.cpus.count > 0 } };
	struct json_writer json;
	int result;

	*losses = (struct script_losses){ 0 };
	recorded_machine_init(&script.machine, file, recorded_names_search(file, &request->symbols));
	script.stream = sample_stream_create(&(struct sample_stream_options){ .file = file,
									      .order = STREAM_BY_TIME,
									      .counters = true,
									      .read = see_record,
									      .happened = record_happened,
									      .context = &script });
	script.stat = script_stat_create();
	script_writer_init(&script.writer, &request->style, file, script.machine.processes);
	if (request->style.json) {
		script.writer.json = &json;
		script_json_begin(&script.writer);
	}
	result = write_samples(&script, err);
	add_stream_losses(losses, sample_stream_losses(script.stream));
	if (script.writer.json)
		script_json_end(&script.writer);
	flush(&script);
	tracepoint_formats_destroy(script.writer.tracepoints);
	free((char *)script.writer.no_tracepoints);
	if (request->symbols.needs)
		recorded_modules_tell_needs(script.machine.modules, script.machine.processes,
					    request->symbols.needs);
	script_places_destroy(script.writer.places);
	recorded_code_destroy(script.writer.code);
	script_writer_fini(&script.writer);
	symbolizer_destroy(script.symbolizer);
	script_stat_destroy(script.stat);
	sample_stream_destroy(script.stream);
	recorded_machine_fini(&script.machine);
	return result < 0 ? -1 : 0;
}

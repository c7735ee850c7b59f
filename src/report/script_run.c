#include "report/script_run.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/round_order.h"
#include "report/counter_table.h"
#include "report/deferred_chains.h"
#include "report/file_facts.h"
#include "report/recorded_names.h"
#include "report/script_record.h"
#include "report/script_stat.h"

enum { FLUSH_BYTES = 1 << 16 };

struct script {
	struct perf_file *file;
	const struct script_request *request;
	struct script_losses *losses;
	struct process_table *processes;
	struct symbolizer *symbolizer; /* NULL until the first sample: what it needs comes first */
	struct round_order *order;
	struct counter_table *counters;
	struct deferred_chains *deferred;
	struct script_stat *stat;
	struct debug_file_search search;
	struct jit_dumps *dumps;
	struct dso_modules *modules;
	struct script_writer writer;
	size_t event_count;     /* that were checked */
	uint64_t checked_types; /* bit n: enum script_type n had its first event */
	bool any_callchain;
	bool timeless; /* records have no times, or the file's writer could not give all of them one */
	uint64_t record_number;
	uint64_t delivered_ns; /* the latest time that was delivered */
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

/* --- events of the file --------------------------------------------------------- */

static bool is_dummy(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
}

static int check_clock(const struct script *script, const struct perf_attr *attr, struct error *err)
{
	if (!script_has(&script->writer.style.fields, attr, SCRIPT_TOD) ||
	    perf_file_mode(script->file) == PERF_FILE_PIPE || perf_file_features(script->file)->clock_id >= 0)
		return 0;
	return error_set(err,
			 "'tod': the recording does not say what time of day it was: record with -k CLOCK "
			 "(-k monotonic)");
}

static uint64_t branch_filter(const struct script *script)
{
	uint64_t filter = 0;

	for (size_t i = 0; i < perf_file_event_count(script->file); i++)
		filter |= perf_file_event(script->file, i)->attr.branch_sample_type;
	return filter;
}

/* perf asks the first event of each type whether it has the fields; those of a pipe one by one as they come. */
static int check_event(struct script *script, const struct event_desc *desc, struct error *err)
{
	const bool in_pipe = perf_file_mode(script->file) == PERF_FILE_PIPE;
	const uint64_t *features = perf_file_features(script->file)->present;
	const uint64_t type_bit = (uint64_t)1 << script_type_of(&desc->attr);
	struct script_fields *fields = &script->writer.style.fields;

	if (is_dummy(&desc->attr) || features[0] >> HEADER_STAT & 1)
		return 0;
	if (in_pipe || !(script->checked_types & type_bit)) {
		if (script_fields_check(fields, &desc->attr, desc->name, features[0] >> HEADER_AUXTRACE & 1,
					err) != 0)
			return -1;
	}
	if (check_clock(script, &desc->attr, err) != 0)
		return -1;
	if (!(features[0] >> HEADER_AUXTRACE & 1) &&
	    script_fields_check_branches(fields, &desc->attr, branch_filter(script), err) != 0)
		return -1;
	script->checked_types |= type_bit;
	if (script->request->style.callchains)
		script_fields_add_callchain(fields, &desc->attr, in_pipe);
	return 0;
}

/* Kernels before 2.6.38 gave times to samples only; perf then takes records as they come. So does it where nothing has a time. */
static bool is_timeless(const struct script *script)
{
	const size_t count = perf_file_event_count(script->file);
	bool any_time = false;

	if (script->request->show_round_events)
		return true; /* as perf: rounds are about the order of the file */
	for (size_t i = 0; i < count; i++)
		if (perf_file_event(script->file, i)->attr.sample_type & PERF_SAMPLE_TIME)
			any_time = true;
	if (perf_file_mode(script->file) == PERF_FILE_PIPE || count == 0)
		return !any_time;
	return !any_time || !perf_attr_has(&perf_file_event(script->file, 0)->attr, PERF_ATTR_SAMPLE_ID_ALL);
}

static int check_cpus(const struct script *script, struct error *err)
{
	const size_t count = perf_file_event_count(script->file);

	if (perf_file_mode(script->file) == PERF_FILE_PIPE)
		return 0; /* more events may come */
	for (size_t i = 0; i < count; i++)
		if (perf_file_event(script->file, i)->attr.sample_type & PERF_SAMPLE_CPU)
			return 0;
	return error_set(err, "%s: its samples do not say on which CPU they were taken: leave out -C",
			 perf_file_path(script->file));
}

static int learn_events(struct script *script, struct error *err)
{
	const size_t count = perf_file_event_count(script->file);

	if (count == script->event_count)
		return 0;
	if (script->request->filter->choice.cpus.count && check_cpus(script, err) != 0)
		return -1;
	for (; script->event_count < count; script->event_count++) {
		const struct event_desc *desc = perf_file_event(script->file, script->event_count);

		if (check_event(script, desc, err) != 0)
			return -1;
		if (desc->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			script->any_callchain = true;
	}
	script->timeless = is_timeless(script);
	script->writer.style.callchains = script->request->style.callchains && script->any_callchain;
	return 0;
}

/* --- what is made at the first sample --------------------------------------------- */

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
		&(struct script_sources){ .processes = script->processes,
					  .symbolizer = script->symbolizer,
					  .features = perf_file_features(script->file),
					  .is_this_machine = file_facts_is_this_machine(script->file) });
	script->writer.code = recorded_code_create(&script->search);
	recorded_code_set_needs(script->writer.code, script->request->symbols.needs);
	script->modules = dso_modules_create(&script->search, script->dumps);
	script->writer.unwinder = dump_unwinder_create(
		script->processes, script->modules, perf_file_features(script->file),
		&(struct dump_unwinder_options){ .join = script->writer.style.join_stacks,
						 .guess = script->writer.style.guess },
		NULL);
	open_tracepoints(script);
	script->writer.style.name_width = widest_name(script);
}

/* --- one sample -------------------------------------------------------------------- */

static bool in_list(const struct number_list *list, uint32_t number)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i] == number)
			return true;
	return false;
}

static bool in_texts(const struct text_list *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i], text) == 0)
			return true;
	return false;
}

/* Everything but the symbol, which takes work to find out. */
static bool passes(const struct script_filter *filter, const struct script_sample *sample)
{
	const struct sample *s = sample->sample;

	if (filter->times.count && !time_ranges_contain(&filter->times, s->time_ns))
		return false;
	if (filter->choice.cpus.count && !in_list(&filter->choice.cpus, s->cpu))
		return false;
	if ((filter->choice.pids.count && !in_list(&filter->choice.pids, s->pid)) ||
	    (filter->choice.tids.count && !in_list(&filter->choice.tids, s->tid)))
		return false;
	return !filter->choice.comms.items || in_texts(&filter->choice.comms, sample->comm);
}

static void write_sample(struct script *script, struct script_sample *sample)
{
	const struct sample *s = sample->sample;
	const struct script_filter *filter = script->request->filter;

	sample->comm = process_table_comm_then(script->processes, s->pid, s->tid, sample->state_time_ns);
	if (!passes(filter, sample))
		return;
	script_places_find(script->writer.places, &sample->leaf, s->pid, sample->state_time_ns,
			   s->misc & RECORD_MISC_CPUMODE_MASK, s->ip);
	if (filter->choice.symbols.items &&
	    !(sample->leaf.has_symbol && in_texts(&filter->choice.symbols, sample->leaf.symbol.name)))
		return;
	script_sample_write(&script->writer, sample);
}

/* PERF_SAMPLE_READ: each counter is a sample of its own event, whose period is what it has advanced by. */
static void write_read_values(struct script *script, struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;

	for (size_t i = 0; i < sample->sample->read_count; i++) {
		const struct read_value value = sample_read_value(sample->sample, attr, i);

		sample->event = perf_file_event_by_id(script->file, value.id);
		sample->desc = perf_file_event(script->file, sample->event);
		if (!sample->desc) {
			script->losses->unknown_event_samples++;
			continue;
		}
		sample->period = counter_table_advance(script->counters, value.id, value.value);
		if (sample->period)
			write_sample(script, sample);
	}
}

/* 0, or -1: it cannot be told what is in it, which is counted. */
static int decode_sample(struct script *script, const struct event *event, struct script_sample *sample,
			 struct sample *decoded)
{
	sample->event = perf_file_event_of(script->file, event);
	sample->desc = perf_file_event(script->file, sample->event);
	if (!sample->desc) {
		script->losses->unknown_event_samples++;
		return -1;
	}
	if (sample_decode(decoded, event, &sample->desc->attr, NULL) != 0) {
		script->losses->damaged_records++;
		return -1;
	}
	sample->sample = decoded;
	sample->period = decoded->period;
	return 0;
}

static void write_decoded(struct script *script, struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;

	if (attr->sample_type & PERF_SAMPLE_READ && attr->read_format & PERF_FORMAT_ID)
		write_read_values(script, sample);
	else
		write_sample(script, sample);
}

static void deliver_sample(struct script *script, const struct event *event, uint64_t state_time_ns)
{
	struct script_sample sample = { .state_time_ns = state_time_ns };
	struct sample decoded;

	if (decode_sample(script, event, &sample, &decoded) == 0 &&
	    !deferred_chains_add(script->deferred, event, &decoded, state_time_ns))
		write_decoded(script, &sample);
}

/* One whose chain's rest has come, or never will (NULL). */
static void deliver_deferred(struct script *script, const struct deferred_sample *waited,
			     const struct deferred_record *record)
{
	struct script_sample sample = { .state_time_ns = waited->time_ns };
	struct sample decoded;

	if (decode_sample(script, &waited->event, &sample, &decoded) != 0)
		return;
	if (record && record->cookie == waited->cookie)
		deferred_chains_join(script->deferred, &decoded, record);
	write_decoded(script, &sample);
}

static void deliver_rest_of_chains(struct script *script, const struct event *event)
{
	const struct event_desc *desc =
		perf_file_event(script->file, perf_file_event_of(script->file, event));
	struct deferred_record record;
	struct deferred_sample waited;
	struct sample_id id;

	if (!desc || deferred_chains_decode(event, &record, NULL) != 0 ||
	    event_sample_id(event, &desc->attr, &id, NULL) != 0) {
		script->losses->damaged_records++;
		return;
	}
	while (deferred_chains_take_thread(script->deferred, id.tid, &waited) == 1)
		deliver_deferred(script, &waited, &record);
}

static void deliver_what_waits(struct script *script)
{
	struct deferred_sample waited;

	while (!script->reader_gone && deferred_chains_take_any(script->deferred, &waited) == 1)
		deliver_deferred(script, &waited, NULL);
}

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

static void deliver_shown(struct script *script, const struct event *event, uint64_t time_ns)
{
	prepare(script);
	if (script_record_write(&script->writer, event, time_ns, script->request->filter) != 0)
		script->losses->damaged_records++;
}

/* When a record that changes the state of processes counts from: one without a time from when it came. */
static uint64_t change_time(const struct script *script, uint64_t time_ns)
{
	return time_ns == UINT64_MAX ? script->delivered_ns : time_ns;
}

/*
 * One after the other, as perf has it: of records with equal times the earlier one does not know what the later one
 * says. `time_ns` UINT64_MAX: without a time, which is now.
 */
static void deliver_change(struct script *script, const struct event *event, uint64_t time_ns)
{
	const uint64_t from_ns = change_time(script, time_ns);

	if (process_table_apply(script->processes, event, from_ns, NULL) != 0) {
		script->losses->damaged_records++;
		return;
	}
	jit_dumps_apply(script->dumps, script->processes, event, from_ns,
			file_facts_clock_is_monotonic(script->file));
	if (is_shown(script->request, event->type))
		deliver_shown(script, event, time_ns);
}

static void deliver(struct script *script, const struct event *event, uint64_t time_ns)
{
	if (event->type == PERF_RECORD_SAMPLE) {
		prepare(script);
		deliver_sample(script, event, time_ns);
	} else if (event->type == RECORD_CALLCHAIN_DEFERRED) {
		deliver_rest_of_chains(script, event);
	} else {
		deliver_change(script, event, time_ns);
	}
	if (script->writer.out.size >= FLUSH_BYTES)
		flush(script);
}

static void deliver_ready(struct script *script)
{
	struct event event;
	uint64_t time_ns;

	while (!script->reader_gone && round_order_next(script->order, &event, &time_ns) == 1) {
		script->delivered_ns = time_ns;
		deliver(script, &event, time_ns);
	}
}

/* --- records ----------------------------------------------------------------------- */

/* 0: without a time. */
static uint64_t time_of(const struct script *script, const struct event *event)
{
	const size_t number = perf_file_event_of(script->file, event);
	const struct event_desc *desc = perf_file_event(script->file, number == SIZE_MAX ? 0 : number);
	struct sample_id id;

	if (!desc)
		return 0;
	if (event->type == PERF_RECORD_SAMPLE)
		return sample_peek_time_ns(event, &desc->attr);
	return event_sample_id(event, &desc->attr, &id, NULL) == 0 ? id.time_ns : 0;
}

static void take_kernel_record(struct script *script, const struct event *event)
{
	const uint64_t time_ns = time_of(script, event);

	if (script->timeless)
		deliver(script, event, script->record_number);
	else if (time_ns == 0)
		deliver(script, event, UINT64_MAX);
	else
		round_order_add(script->order, event, time_ns);
}

static void finish_round(struct script *script)
{
	round_order_finish_round(script->order);
	if (script->request->show_round_events)
		strbuf_adds(&script->writer.out, "PERF_RECORD_FINISHED_ROUND\n");
}

/* Of perf stat record, which has nothing else. */
static void take_stat(struct script *script, const struct event *event)
{
	if (script_stat_take(script->stat, script->file, event, &script->writer.out) != 0)
		script->losses->damaged_records++;
	if (script->writer.out.size >= FLUSH_BYTES)
		flush(script);
}

static int take_records(struct script *script, struct error *err)
{
	struct event event;
	int result = 0;

	if (learn_events(script, err) != 0)
		return -1;
	while (!script->reader_gone && (result = perf_file_next(script->file, &event, err)) == 1) {
		script->record_number++;
		if (learn_events(script, err) != 0)
			return -1;
		if (event.type < PERF_RECORD_USER_TYPE_START)
			take_kernel_record(script, &event);
		else if (event.type == PERF_RECORD_FINISHED_ROUND)
			finish_round(script);
		else if (event.type == PERF_RECORD_HEADER_BUILD_ID)
			file_facts_learn_build_ids(script->file, script->processes);
		else
			take_stat(script, &event);
		deliver_ready(script);
	}
	round_order_finish(script->order);
	deliver_ready(script);
	deliver_what_waits(script);
	return script->reader_gone ? 0 : result;
}

int script_run(struct perf_file *file, const struct script_request *request, struct script_losses *losses,
	       struct error *err)
{
	struct script script = { .file = file, .request = request, .losses = losses };
	int result;

	*losses = (struct script_losses){ 0 };
	script.processes = process_table_create();
	script.search = symbolizer_options_search(&request->symbols);
	script.dumps = jit_dumps_create(&script.search);
	script.order = round_order_create(perf_file_is_stable(file), ROUND_ORDER_LIMIT_BYTES);
	script.counters = counter_table_create();
	script.deferred = deferred_chains_create();
	script.stat = script_stat_create();
	script_writer_init(&script.writer, &request->style, file, script.processes);
	file_facts_learn_build_ids(file, script.processes);
	result = take_records(&script, err);
	losses->late_records = round_order_late_count(script.order);
	flush(&script);
	tracepoint_formats_destroy(script.writer.tracepoints);
	free((char *)script.writer.no_tracepoints);
	if (request->symbols.needs && script.modules)
		dso_modules_tell_needs(script.modules, script.processes, request->symbols.needs);
	script_places_destroy(script.writer.places);
	dump_unwinder_destroy(script.writer.unwinder);
	recorded_code_destroy(script.writer.code);
	dso_modules_destroy(script.modules);
	jit_dumps_destroy(script.dumps);
	script_writer_fini(&script.writer);
	symbolizer_destroy(script.symbolizer);
	script_stat_destroy(script.stat);
	deferred_chains_destroy(script.deferred);
	counter_table_destroy(script.counters);
	round_order_destroy(script.order);
	process_table_destroy(script.processes);
	return result < 0 ? -1 : 0;
}

#include "report/script/script_decoder.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "report/load/counter_table.h"
#include "report/load/deferred_chains.h"
#include "report/script/script_sample.h"

struct script_decoder {
	struct script_writer *writer;
	const struct script_filter *filter;
	struct script_losses *losses;
	struct counter_table *counters;
	struct deferred_chains *deferred;
};

struct script_decoder *script_decoder_create(struct script_writer *writer, const struct script_filter *filter,
					     struct script_losses *losses)
{
	struct script_decoder *decoder = xmalloc(sizeof(*decoder));

	*decoder = (struct script_decoder){ .writer = writer,
					    .filter = filter,
					    .losses = losses,
					    .counters = counter_table_create(),
					    .deferred = deferred_chains_create() };
	return decoder;
}

void script_decoder_destroy(struct script_decoder *decoder)
{
	deferred_chains_destroy(decoder->deferred);
	counter_table_destroy(decoder->counters);
	free(decoder);
}

static void write_sample(struct script_decoder *decoder, struct script_sample *sample)
{
	const struct sample *s = sample->sample;
	struct script_writer *writer = decoder->writer;

	sample->comm = process_table_comm_then(writer->processes, s->pid, s->tid, sample->state_time_ns);
	if (!script_filter_has_event(decoder->filter, script_event_name(writer, sample->event)) ||
	    !script_filter_passes(decoder->filter, s, sample->comm))
		return;
	script_places_find(writer->places, &sample->leaf, s->pid, sample->state_time_ns,
			   s->misc & RECORD_MISC_CPUMODE_MASK, s->ip);
	if (!script_filter_has_place(decoder->filter, &sample->leaf, s->ip))
		return;
	decoder->losses->samples++;
	script_sample_write(writer, sample);
}

/* PERF_SAMPLE_READ: each counter is a sample of its own event, whose period is what it has advanced by. */
static void write_read_values(struct script_decoder *decoder, struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;

	for (size_t i = 0; i < sample->sample->read_count; i++) {
		const struct read_value value = sample_read_value(sample->sample, attr, i);

		sample->event = perf_file_event_by_id(decoder->writer->file, value.id);
		sample->desc = perf_file_event(decoder->writer->file, sample->event);
		if (!sample->desc) {
			decoder->losses->unknown_event_samples++;
			continue;
		}
		sample->period = counter_table_advance(decoder->counters, value.id, value.value);
		if (sample->period)
			write_sample(decoder, sample);
	}
}

/* 0, or -1: it cannot be told what is in it, which is counted. */
static int decode_sample(struct script_decoder *decoder, const struct event *event,
			 struct script_sample *sample, struct sample *decoded)
{
	sample->event = perf_file_event_of(decoder->writer->file, event);
	sample->desc = perf_file_event(decoder->writer->file, sample->event);
	if (!sample->desc) {
		decoder->losses->unknown_event_samples++;
		return -1;
	}
	if (sample_decode(decoded, event, &sample->desc->attr, NULL) != 0) {
		decoder->losses->damaged_records++;
		return -1;
	}
	sample->sample = decoded;
	sample->period = decoded->period;
	return 0;
}

static void write_decoded(struct script_decoder *decoder, struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;

	if (attr->sample_type & PERF_SAMPLE_READ && attr->read_format & PERF_FORMAT_ID)
		write_read_values(decoder, sample);
	else
		write_sample(decoder, sample);
}

void script_decoder_take(struct script_decoder *decoder, const struct event *event, uint64_t state_time_ns)
{
	struct script_sample sample = { .state_time_ns = state_time_ns };
	struct sample decoded;

	if (decode_sample(decoder, event, &sample, &decoded) == 0 &&
	    !deferred_chains_add(decoder->deferred, event, &decoded, state_time_ns))
		write_decoded(decoder, &sample);
}

/* One whose chain's rest has come, or never will (NULL). */
static void write_deferred(struct script_decoder *decoder, const struct deferred_sample *waited,
			   const struct deferred_record *record)
{
	struct script_sample sample = { .state_time_ns = waited->time_ns };
	struct sample decoded;

	if (decode_sample(decoder, &waited->event, &sample, &decoded) != 0)
		return;
	if (record && record->cookie == waited->cookie)
		deferred_chains_join(decoder->deferred, &decoded, record);
	write_decoded(decoder, &sample);
}

void script_decoder_take_rest(struct script_decoder *decoder, const struct event *event)
{
	const struct event_desc *desc =
		perf_file_event(decoder->writer->file, perf_file_event_of(decoder->writer->file, event));
	struct deferred_record record;
	struct deferred_sample waited;
	struct sample_id id;

	if (!desc || deferred_chains_decode(event, &record, NULL) != 0 ||
	    event_sample_id(event, &desc->attr, &id, NULL) != 0) {
		decoder->losses->damaged_records++;
		return;
	}
	while (deferred_chains_take_thread(decoder->deferred, id.tid, &waited) == 1)
		write_deferred(decoder, &waited, &record);
}

void script_decoder_finish(struct script_decoder *decoder)
{
	struct deferred_sample waited;

	while (deferred_chains_take_any(decoder->deferred, &waited) == 1)
		write_deferred(decoder, &waited, NULL);
}

/*
 * Turns records into samples, for all commands: report, flame graphs and diff put them into a profile, script
 * prints them, convert writes them again.
 *
 * sample_stream_next() tries these sources in turn until one has a sample: the next counter of the present
 * sample, samples whose chain is complete now, records that were held back and may go, and at last the next
 * record of the file.
 */
#include "report/load/sample_stream.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/round_order.h"
#include "report/load/counter_table.h"
#include "report/load/deferred_chains.h"
#include "report/load/sample_queue.h"

struct sample_stream {
	struct sample_stream_options options;
	struct perf_file *file;
	struct round_order *order;  /* sorts records by time */
	struct sample_queue *queue; /* STREAM_WHEN_KNOWN: samples that wait only for their round */
	struct deferred_chains *deferred;
	struct counter_table *counters;
	uint64_t record_number; /* of the last record read, from 1 */
	uint64_t ordered_ns;    /* time of the last record that left `order` */
	struct stream_sample current;
	size_t counter,
		counter_count; /* of the current sample: number of the next one, and how many there are */
	struct deferred_record rest; /* rest of the chains of `rest_tid`, while is_joining */
	uint32_t rest_tid;
	bool is_joining;
	struct event round; /* while has_round: the FINISHED_ROUND whose records are being released */
	bool has_round;
	bool is_releasing; /* records that are held back may be ready */
	bool has_ended;    /* the file has ended; everything held back may go */
	bool is_over;      /* no more samples */
	int result;        /* result of reading the file, 0 or -1 */
	struct stream_losses losses;
};

struct sample_stream *sample_stream_create(const struct sample_stream_options *options)
{
	struct sample_stream *stream = xcalloc(1, sizeof(*stream));

	stream->options = *options;
	stream->file = options->file;
	stream->order = round_order_create(perf_file_is_stable(options->file), ROUND_ORDER_LIMIT_BYTES);
	if (options->order == STREAM_WHEN_KNOWN)
		stream->queue = sample_queue_create(perf_file_is_stable(options->file));
	stream->deferred = deferred_chains_create();
	stream->counters = counter_table_create();
	return stream;
}

void sample_stream_destroy(struct sample_stream *stream)
{
	if (!stream)
		return;
	counter_table_destroy(stream->counters);
	deferred_chains_destroy(stream->deferred);
	sample_queue_destroy(stream->queue);
	round_order_destroy(stream->order);
	free(stream);
}

/* Steps return 1 if the current sample is ready, 0 to take another step, -1 on failure. */

/* --- decoding a sample ------------------------------------------------------------ */

/* Returns a sample that cannot be decoded if the caller wants such, else counts it. */
static int give_unreadable(struct sample_stream *stream, uint64_t *count)
{
	if (stream->options.unreadable)
		return 1;
	(*count)++;
	return 0;
}

/*
 * PERF_SAMPLE_READ: each counter that was read is a sample of its own event. Its period is the counter's advance since it
 * was last read; without one, there is no sample (deliver_sample_value(), tools/perf/util/session.c).
 */
static int next_counter(struct sample_stream *stream)
{
	struct stream_sample *current = &stream->current;
	const struct perf_attr *attr =
		&perf_file_event(stream->file, perf_file_event_of(stream->file, &current->record))->attr;
	const struct read_value value = sample_read_value(&current->sample, attr, stream->counter++);

	current->event = perf_file_event_by_id(stream->file, value.id);
	current->desc = perf_file_event(stream->file, current->event);
	if (!current->desc) {
		stream->losses.unknown_event_samples++;
		return 0;
	}
	current->period = counter_table_advance(stream->counters, value.id, value.value);
	return current->period != 0;
}

/* Returns the decoded sample, whose chain is complete. */
static int give(struct sample_stream *stream)
{
	const struct sample_stream_options *options = &stream->options;
	struct stream_sample *current = &stream->current;
	const struct perf_attr *attr = &current->desc->attr;

	current->is_kept = !options->keep || options->keep(options->context, current);
	if (!options->counters || !current->is_kept || !(attr->sample_type & PERF_SAMPLE_READ) ||
	    !(attr->read_format & PERF_FORMAT_ID))
		return 1;
	current->is_counter = true;
	stream->counter = 0;
	stream->counter_count = current->sample.read_count;
	return 0;
}

/* Decodes it as the current sample. 1, or 0 if it cannot be read. */
static int decode(struct sample_stream *stream, const struct event *event, size_t number, uint64_t time_ns)
{
	struct stream_sample *current = &stream->current;

	current->record = *event;
	current->event = number;
	current->desc = perf_file_event(stream->file, number);
	current->time_ns = time_ns;
	current->is_readable =
		current->desc && sample_decode(&current->sample, event, &current->desc->attr, NULL) == 0;
	current->is_kept = true;
	current->is_counter = current->is_joined = current->is_lent = false;
	current->period = current->is_readable ? current->sample.period : 0;
	return current->is_readable;
}

static int take_sample(struct sample_stream *stream, const struct event *event, uint64_t time_ns)
{
	struct stream_sample *current = &stream->current;

	if (!decode(stream, event, perf_file_event_of(stream->file, event), time_ns))
		return give_unreadable(stream, current->desc ? &stream->losses.damaged_samples :
							       &stream->losses.unknown_event_samples);
	current->is_lent = true;
	return deferred_chains_add(stream->deferred, event, &current->sample, time_ns) ? 0 : give(stream);
}

static int take_queued(struct sample_stream *stream, const struct queued_sample *queued)
{
	if (!decode(stream, &queued->event, queued->file_event, queued->time_ns))
		return give_unreadable(stream, &stream->losses.damaged_samples);
	return give(stream);
}

/* --- chains that are completed later ------------------------------------------------ */

/* Takes a sample that waited for the rest of its chain. `rest` is NULL if that will never come. */
static int take_awaited(struct sample_stream *stream, const struct deferred_sample *awaited,
			const struct deferred_record *rest)
{
	struct stream_sample *current = &stream->current;

	if (!decode(stream, &awaited->event, perf_file_event_of(stream->file, &awaited->event),
		    awaited->time_ns))
		return give_unreadable(stream, &stream->losses.damaged_samples);
	current->is_lent = true;
	current->is_joined = rest && rest->cookie == awaited->cookie;
	if (current->is_joined)
		deferred_chains_join(stream->deferred, &current->sample, rest);
	return give(stream);
}

static int next_joined(struct sample_stream *stream)
{
	struct deferred_sample awaited;

	stream->is_joining = deferred_chains_take_thread(stream->deferred, stream->rest_tid, &awaited) == 1;
	return stream->is_joining ? take_awaited(stream, &awaited, &stream->rest) : 0;
}

/* After the last record: takes samples that still wait, without the rest. */
static int next_left(struct sample_stream *stream)
{
	struct deferred_sample awaited;

	stream->is_over = deferred_chains_take_any(stream->deferred, &awaited) != 1;
	return stream->is_over ? 0 : take_awaited(stream, &awaited, NULL);
}

static int pass_on(const struct sample_stream *stream, const struct event *event, uint64_t time_ns,
		   struct error *err)
{
	const struct sample_stream_options *options = &stream->options;

	return options->happened ? options->happened(options->context, event, time_ns, err) : 0;
}

static int take_rest(struct sample_stream *stream, const struct event *event, uint64_t time_ns,
		     struct error *err)
{
	const struct event_desc *desc =
		perf_file_event(stream->file, perf_file_event_of(stream->file, event));
	struct sample_id id;

	if (!desc || deferred_chains_decode(event, &stream->rest, NULL) != 0 ||
	    event_sample_id(event, &desc->attr, &id, NULL) != 0) {
		stream->losses.damaged_rests++;
		return stream->options.unreadable ? pass_on(stream, event, time_ns, err) : 0;
	}
	stream->rest_tid = id.tid;
	stream->is_joining = true;
	return 0;
}

/* --- held-back records ---------------------------------------------------------------- */

/* Takes a record whose turn has come. */
static int take_record(struct sample_stream *stream, const struct event *event, uint64_t time_ns,
		       struct error *err)
{
	if (event->type == PERF_RECORD_SAMPLE)
		return take_sample(stream, event, time_ns);
	if (event->type == RECORD_CALLCHAIN_DEFERRED)
		return take_rest(stream, event, time_ns, err);
	return pass_on(stream, event, time_ns, err);
}

/* Takes a record without a time at once: a sample knows all state so far, others apply from the present time on. */
static int hold_by_time(struct sample_stream *stream, const struct event *event, struct error *err)
{
	const uint64_t time_ns = perf_file_time_of(stream->file, event);

	if (time_ns == 0)
		return take_record(stream, event,
				   event->type == PERF_RECORD_SAMPLE ? UINT64_MAX : stream->ordered_ns, err);
	round_order_add(stream->order, event, time_ns);
	stream->is_releasing = true;
	return 0;
}

static int hold_until_known(struct sample_stream *stream, const struct event *event, struct error *err)
{
	const size_t number = perf_file_event_of(stream->file, event);
	const struct event_desc *desc = perf_file_event(stream->file, number);
	uint64_t time_ns;

	if (!desc || !(desc->attr.sample_type & PERF_SAMPLE_TIME))
		return take_record(stream, event, UINT64_MAX, err);
	time_ns = event->type == PERF_RECORD_SAMPLE ? sample_peek_time_ns(event, &desc->attr) :
						      perf_file_time_of(stream->file, event);
	if (event->type != PERF_RECORD_SAMPLE || perf_attr_has(&desc->attr, PERF_ATTR_DEFER_CALLCHAIN))
		round_order_add(stream->order, event, time_ns);
	else if (!sample_queue_add(stream->queue, &(struct queued_sample){ *event, time_ns, number }))
		return 0;
	stream->is_releasing = true;
	return 0;
}

static int hold(struct sample_stream *stream, const struct event *event, struct error *err)
{
	if (!stream->queue)
		return hold_by_time(stream, event, err);
	if (event->type == PERF_RECORD_SAMPLE || event->type == RECORD_CALLCHAIN_DEFERRED)
		return hold_until_known(stream, event, err);
	return 0;
}

static int finish_round(struct sample_stream *stream, const struct event *event)
{
	round_order_finish_round(stream->order);
	if (stream->queue)
		sample_queue_finish_round(stream->queue);
	stream->round = *event;
	stream->has_round = stream->is_releasing = true;
	return 0;
}

static int end(struct sample_stream *stream, int result)
{
	stream->has_ended = stream->is_releasing = true;
	stream->result = result;
	round_order_finish(stream->order);
	if (stream->queue)
		sample_queue_finish(stream->queue);
	return 0;
}

/* Reads the next record of the file. */
static int read_on(struct sample_stream *stream, struct error *err)
{
	const struct sample_stream_options *options = &stream->options;
	enum stream_way way = STREAM_HOLD;
	struct event event;
	const int more = perf_file_next(stream->file, &event, err);

	if (more != 1)
		return end(stream, more);
	stream->record_number++;
	if (options->read)
		way = options->read(options->context, &event, stream->record_number, err);
	if (way == STREAM_FAILED || way == STREAM_DONE)
		return way == STREAM_FAILED ? -1 : 0;
	if (event.type == PERF_RECORD_FINISHED_ROUND)
		return finish_round(stream, &event);
	if (event.type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	return way == STREAM_NOW ? take_record(stream, &event, stream->record_number, err) :
				   hold(stream, &event, err);
}

/* --- steps ----------------------------------------------------------------------------- */

/* Takes the next held-back record that is ready. After the last one, passes on the round that released them. */
static int release(struct sample_stream *stream, struct error *err)
{
	const struct queued_sample *queued = stream->queue ? sample_queue_next(stream->queue) : NULL;
	const bool has_round = stream->has_round;
	struct event event;

	if (queued)
		return take_queued(stream, queued);
	if (round_order_next(stream->order, &event, &stream->ordered_ns) == 1)
		return take_record(stream, &event, stream->ordered_ns, err);
	stream->is_releasing = stream->has_round = false;
	return has_round ? pass_on(stream, &stream->round, stream->ordered_ns, err) : 0;
}

static int step(struct sample_stream *stream, struct error *err)
{
	if (stream->counter < stream->counter_count)
		return next_counter(stream);
	if (stream->is_joining)
		return next_joined(stream);
	if (stream->is_releasing)
		return release(stream, err);
	return stream->has_ended ? next_left(stream) : read_on(stream, err);
}

int sample_stream_next(struct sample_stream *stream, const struct stream_sample **sample, struct error *err)
{
	int found = 0;

	while (found == 0 && !stream->is_over)
		found = step(stream, err);
	*sample = found == 1 ? &stream->current : NULL;
	return found == 0 ? stream->result : found;
}

struct stream_losses sample_stream_losses(const struct sample_stream *stream)
{
	struct stream_losses losses = stream->losses;

	losses.late_records = round_order_late_count(stream->order);
	return losses;
}

uint64_t sample_stream_past_ns(const struct sample_stream *stream)
{
	return sample_queue_taken_ns(stream->queue);
}

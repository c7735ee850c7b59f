/*
 * The flight recorder (--overwrite): samples stay in the kernel's rings, the older ones are overwritten, and
 * a file is filled when it ends. Until then the recorder only notes processes and mappings, in a log of
 * bounded size.
 */
#include "record/recording_state.h"

enum {
	LOG_LEAST_BYTES = 4 << 20,
	LOG_MOST_BYTES = 32 << 20, /* of each of its two parts */
};

/*
 * The part of the log before the current one may be dropped if samples of its time are gone. Where many programs start and few
 * samples are taken, the rings reach back for longer: then the current part goes on.
 */
static bool log_must_grow(const struct recording *recording)
{
	return recording->flight.current.size < LOG_MOST_BYTES &&
	       !event_set_marked_samples_are_gone(recording->events);
}

int recording_describe_flight(struct recording *recording, struct error *err)
{
	struct strbuf description = STRBUF_INIT;
	int result;

	if (log_must_grow(recording)) {
		recorder_limit_size(recording->recorder,
				    recording->flight.current.size + recording->flight_log_bytes);
		return 0;
	}
	build_id_table_begin_file(recording->files);
	result = recording_synthesize(recording, &description, err);
	if (result == 0) {
		flight_log_describe(&recording->flight, &description);
		event_set_mark_samples(recording->events);
		build_id_table_forget_older(recording->files, 1);
		recorder_limit_size(recording->recorder,
				    recording->flight.described_bytes + recording->flight_log_bytes);
	}
	strbuf_fini(&description);
	return result;
}

/* A log as large as the rings of samples mostly reaches back as far, since samples fill their rings faster. */
void recording_prepare_flight(struct recording *recording)
{
	const size_t rings_bytes = target_sampled_count(&recording->target) *
				   event_set_ring_bytes(recording->events) * BACKWARD_RING_FACTOR;

	recording->flight_log_bytes = rings_bytes > LOG_LEAST_BYTES ? rings_bytes : LOG_LEAST_BYTES;
	recorder_keep_records(recording->recorder, &recording->flight.current);
	recorder_limit_size(recording->recorder,
			    recording->flight.current.size + recording->flight_log_bytes);
}

int recording_write_flight(struct recording *recording, struct error *err)
{
	struct flight_log_pieces log;
	struct strbuf samples = STRBUF_INIT;
	int result = 0;

	event_set_collect_overwritten(recording->events, &samples);
	/* The other rings now contain all state records that these samples need. */
	if (recorder_drain_kept(recording->recorder, err) < 0)
		result = -1;
	log = flight_log_pieces(&recording->flight);
	for (int i = 0; i < 2 && result == 0; i++)
		if (log.sizes[i])
			result = perf_writer_append(recording->writer, log.pieces[i], log.sizes[i], err);
	if (result == 0)
		result = recorder_add(recording->recorder, (const uint8_t *)samples.bytes, samples.size, err);
	strbuf_fini(&samples);
	return result;
}

/*
 * recorder_run() is the loop: poll, drain a round, flush, follow CPUs. A round reads from each ring what was
 * in it when the round began (ring_drain.h), then adds the samples of waits and, after some rounds, a
 * FINISHED_ROUND.
 */
#include "record/recorder.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "elf/own_vdso.h"
#include "format/event.h"
#include "format/perf_abi.h"
#include "record/cpu_watch.h"
#include "record/flush_schedule.h"
#include "record/loss_record.h"
#include "record/ring_drain.h"
#include "record/sample_filter.h"
#include "record/unsampled_maps.h"

enum {
	PACK_AT_ONCE_BYTES = 64 * 1024, /* fewer may wait to be flushed */
	/* A FINISHED_ROUND also ends a compressed block. Readers hold back at most this much to sort it. */
	UNFINISHED_MAX_BYTES = 1024 * 1024,
	DRAW_INTERVAL_MS = 100,
	/* While stacks are continued from the memory of processes: the sooner the recorder reads, the less they have changed. */
	READING_INTERVAL_MS = 10,
	/*
	 * After this time rounds are rarer, because each finds the caches cold. In a short recording frequent rounds reach
	 * programs that end soon while they still live.
	 */
	LONG_RECORDING_MS = 5000,
	NS_PER_MS = 1000 * 1000,
	/* Of perf maps, in one step: the rings wait some 3 ms meanwhile. */
	MAPS_AT_ONCE_BYTES = 1024 * 1024,
};

/* Descriptors whose pollfds come after those of the rings. */
enum watched_descriptor { WATCHED_CALLER, WATCHED_COPIES, WATCHED_WAITS, WATCHED_CPUS, WATCHED_COUNT };

struct recorder {
	struct event_set *events;
	struct perf_writer *writer;
	struct build_id_table *files;
	struct progress *progress;
	struct pollfd *entries;      /* of the rings, then the watched descriptors */
	struct stack_copier *copier; /* NULL if no stacks are copied */
	struct ring_demand demand;   /* for copies */
	struct wait_sampler *waits;  /* NULL if time off the CPU is not sampled */
	int waits_fd;
	struct strbuf waited;             /* samples of waits that are not yet in the file */
	struct map_snapshots *maps;       /* NULL if perf maps are not kept */
	struct sample_filter *only;       /* NULL if all samples are written */
	struct unsampled_maps *unsampled; /* NULL if all mappings are written */
	struct cpu_watch *cpus;           /* reports CPUs that come and go */
	struct lane_surroundings surroundings;
	struct ring_drain *drain;
	void (*hear_state)(const uint8_t *record, size_t size, void *context); /* may be NULL */
	void *hearer;
	struct strbuf *kept;  /* NULL if records go into the file */
	uint64_t limit_bytes; /* of the file's data; 0: no limit */
	uint64_t *told_lost;  /* lost samples of each sampler that the files so far report */
	pthread_mutex_t lock; /* protects what follows, which all lanes change */
	struct recorder_counts counts;
	uint64_t unfinished_bytes; /* read from rings since the last FINISHED_ROUND */
	uint64_t started_ns;
	struct flush_schedule flushes;
};

static void look_at_other(const uint8_t *record, size_t size, void *context);
static void note_sampled(uint32_t pid, void *context);

struct recorder *recorder_create(struct event_set *events, struct perf_writer *writer,
				 struct build_id_table *files, struct evidence *evidence,
				 struct progress *progress)
{
	struct recorder *recorder = xcalloc(1, sizeof(*recorder));

	recorder->events = events;
	recorder->writer = writer;
	recorder->files = files;
	recorder->progress = progress;
	recorder->entries = xcalloc(event_set_ring_count(events) + WATCHED_COUNT, sizeof(*recorder->entries));
	recorder->surroundings = (struct lane_surroundings){
		.events = events,
		.rings = event_set_ring(events, 0),
		.ring_count = event_set_ring_count(events),
		.time_offset = event_attr_sample_time_offset(event_set_samplers(events)[0].attr),
		.look_at_other = look_at_other,
		.sampled = note_sampled,
		.context = recorder,
	};
	strbuf_init(&recorder->waited);
	pthread_mutex_init(&recorder->lock, NULL);
	recorder->drain = ring_drain_create(&recorder->surroundings, evidence);
	recorder->told_lost = xcalloc(event_set_sampler_count(events), sizeof(*recorder->told_lost));
	recorder->started_ns = clock_now_ns();
	recorder->flushes = (struct flush_schedule){ recorder->started_ns, recorder->started_ns };
	recorder->cpus = cpu_watch_open("/sys");
	event_set_begin_to_follow(events, recorder->started_ns);
	return recorder;
}

void recorder_watch_copies(struct recorder *recorder, struct stack_copier *copier,
			   const struct ring_demand *demand)
{
	recorder->copier = copier;
	recorder->demand = *demand;
}

void recorder_sample_waits(struct recorder *recorder, struct wait_sampler *waits, int fd)
{
	recorder->waits = waits;
	recorder->waits_fd = fd;
}

void recorder_keep_maps(struct recorder *recorder, struct map_snapshots *maps)
{
	recorder->maps = maps;
}

static size_t leave_out_unsampled_maps(uint8_t *records, size_t size, void *context)
{
	const struct recorder *recorder = context;

	return unsampled_maps_remove(recorder->unsampled, records, size);
}

void recorder_leave_out_unsampled_maps(struct recorder *recorder)
{
	const struct lane_surroundings *surroundings = &recorder->surroundings;

	recorder->unsampled = unsampled_maps_create(surroundings->rings, surroundings->ring_count,
						    surroundings->time_offset);
	perf_writer_filter_by(recorder->writer, leave_out_unsampled_maps, recorder);
}

void recorder_filter_comms(struct recorder *recorder, struct comm_filter *comms)
{
	recorder->only = sample_filter_create(comms, event_set_ring_count(recorder->events),
					      recorder->surroundings.time_offset);
	recorder->surroundings.only = recorder->only;
}

void recorder_tell_state(struct recorder *recorder,
			 void (*hear)(const uint8_t *record, size_t size, void *context), void *context)
{
	recorder->hear_state = hear;
	recorder->hearer = context;
}

void recorder_limit_size(struct recorder *recorder, uint64_t size_bytes)
{
	recorder->limit_bytes = size_bytes;
}

void recorder_keep_records(struct recorder *recorder, struct strbuf *kept)
{
	recorder->kept = kept;
}

void recorder_set_output(struct recorder *recorder, struct perf_writer *writer)
{
	recorder->writer = writer;
	if (recorder->unsampled)
		perf_writer_filter_by(writer, leave_out_unsampled_maps, recorder);
	recorder->counts.taken.first_sample_ns = recorder->counts.taken.last_sample_ns = 0;
}

void recorder_destroy(struct recorder *recorder)
{
	if (!recorder)
		return;
	cpu_watch_close(recorder->cpus);
	sample_filter_destroy(recorder->only);
	unsampled_maps_destroy(recorder->unsampled);
	free(recorder->entries);
	ring_drain_destroy(recorder->drain);
	free(recorder->told_lost);
	strbuf_fini(&recorder->waited);
	pthread_mutex_destroy(&recorder->lock);
	free(recorder);
}

static struct event event_of(const uint8_t *record, const struct perf_event_header *header)
{
	return (struct event){
		.type = header->type,
		.misc = header->misc,
		.size = header->size,
		.payload = record + sizeof(*header),
		.payload_size = header->size - sizeof(*header),
	};
}

static void note_mapping(struct recorder *recorder, const struct event *event)
{
	struct mmap_record mapping;

	if ((event->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER &&
	    !(event->misc & RECORD_MISC_MMAP_DATA) && event_decode_mmap(event, &mapping, NULL) == 0)
		build_id_table_note(recorder->files, own_vdso_name(mapping.path, mapping.start),
				    (pid_t)mapping.pid, mapping.build_id, mapping.build_id_size);
}

static void count_lost(struct recorder *recorder, const struct event *event)
{
	struct lost_record lost;

	if (event_decode_lost(event, &lost, NULL) == 0)
		recorder->counts.lost_records += lost.lost;
}

static void look_at_state(struct recorder *recorder, const uint8_t *record,
			  const struct perf_event_header *header)
{
	struct event event = event_of(record, header);

	if (recorder->maps)
		map_snapshots_note(recorder->maps, record, header->size);
	switch (header->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: note_mapping(recorder, &event); break;
	case PERF_RECORD_LOST: count_lost(recorder, &event); break;
	case PERF_RECORD_THROTTLE: recorder->counts.throttled++; break;
	default: break;
	}
	if (recorder->hear_state)
		recorder->hear_state(record, header->size, recorder->hearer);
}

/* Called by all lanes. These records are rare, so one lock suffices. */
static void look_at_other(const uint8_t *record, size_t size, void *context)
{
	struct recorder *recorder = context;
	struct perf_event_header header;

	(void)size;
	memcpy(&header, record, sizeof(header));
	pthread_mutex_lock(&recorder->lock);
	look_at_state(recorder, record, &header);
	pthread_mutex_unlock(&recorder->lock);
}

static void note_sampled(uint32_t pid, void *context)
{
	struct recorder *recorder = context;

	if (!recorder->maps)
		return;
	pthread_mutex_lock(&recorder->lock);
	map_snapshots_sampled(recorder->maps, pid);
	pthread_mutex_unlock(&recorder->lock);
}

static int write_run(void *context, const uint8_t *records, size_t size, struct error *err)
{
	const struct recorder *recorder = context;

	if (!recorder->kept)
		return perf_writer_append(recorder->writer, records, size, err);
	strbuf_add(recorder->kept, records, size);
	return 0;
}

static int append_waits(struct recorder *recorder, struct error *err)
{
	struct strbuf *samples = &recorder->waited;
	int result;

	if (!recorder->waits)
		return 0;
	wait_sampler_append(recorder->waits, samples);
	if (!samples->size)
		return 0;
	recorder->unfinished_bytes += samples->size;
	result = perf_writer_append(recorder->writer, samples->bytes, samples->size, err);
	strbuf_reset(samples);
	return result;
}

/* Tells readers that no later record is older than those read before the previous FINISHED_ROUND. */
static int finish_rounds(struct recorder *recorder, struct error *err)
{
	const struct perf_event_header finished_round = { .type = PERF_RECORD_FINISHED_ROUND,
							  .size = sizeof(finished_round) };

	if (recorder->unfinished_bytes == 0)
		return 0;
	recorder->unfinished_bytes = 0;
	recorder->counts.rounds++;
	return perf_writer_append(recorder->writer, &finished_round, sizeof(finished_round), err);
}

void recorder_plan_threads(struct recorder *recorder, const struct drain_plan *plan,
			   struct evidence *(*make_evidence)(void *context), void *context)
{
	ring_drain_plan_threads(recorder->drain, plan, make_evidence, context);
}

size_t recorder_threads(const struct recorder *recorder)
{
	return ring_drain_threads(recorder->drain);
}

struct evidence_counts recorder_evidence_counts(const struct recorder *recorder)
{
	return ring_drain_evidence_counts(recorder->drain);
}

static int drain_round(struct recorder *recorder, struct error *err)
{
	const struct lane_sink sink = { write_run, recorder };

	if (recorder->waits)
		wait_sampler_begin_round(recorder->waits);
	ring_drain_begin(recorder->drain, recorder->files, recorder->counts.lost_records);
	if (recorder->only)
		sample_filter_note_rings(recorder->only, event_set_ring(recorder->events, 0));
	if (ring_drain_read(recorder->drain, &sink, &recorder->counts.taken, err) < 0)
		return -1;
	recorder->unfinished_bytes += ring_drain_bytes(recorder->drain);
	if (append_waits(recorder, err) < 0)
		return -1;
	ring_drain_end(recorder->drain);
	if (recorder->unsampled)
		unsampled_maps_end_round(recorder->unsampled);
	if (recorder->only)
		sample_filter_end_round(recorder->only);
	if (recorder->kept) {
		recorder->unfinished_bytes = 0;
		return 0;
	}
	return recorder->unfinished_bytes < UNFINISHED_MAX_BYTES ? 0 : finish_rounds(recorder, err);
}

int recorder_drain_kept(struct recorder *recorder, struct error *err)
{
	return drain_round(recorder, err);
}

int recorder_add(struct recorder *recorder, const uint8_t *records, size_t size, struct error *err)
{
	const struct lane_sink sink = { write_run, recorder };
	struct strbuf *kept = recorder->kept;
	int result;

	recorder->kept = NULL;
	result = ring_drain_add(recorder->drain, records, size, &sink, &recorder->counts.taken, err);
	recorder->unfinished_bytes += size;
	if (result == 0)
		result = finish_rounds(recorder, err);
	recorder->kept = kept;
	return result;
}

enum maps_part {
	MAPS_GROWTH,      /* a part */
	MAPS_END_OF_FILE, /* all; the next file repeats them from the beginning */
	MAPS_END,
};

static bool take_maps(struct map_snapshots *maps, enum maps_part part, struct strbuf *records)
{
	switch (part) {
	case MAPS_END_OF_FILE: return map_snapshots_end_file(maps, records, MAPS_AT_ONCE_BYTES);
	case MAPS_END: return map_snapshots_finish(maps, records, MAPS_AT_ONCE_BYTES);
	default: return map_snapshots_take(maps, records, MAPS_AT_ONCE_BYTES) && false;
	}
}

static int append_maps(struct recorder *recorder, enum maps_part part, struct error *err)
{
	struct strbuf records = STRBUF_INIT;
	int result = 0;
	bool more;

	if (!recorder->maps)
		return 0;
	do {
		more = take_maps(recorder->maps, part, &records);
		if (records.size)
			result = perf_writer_append(recorder->writer, records.bytes, records.size, err);
		strbuf_reset(&records);
	} while (more && result == 0);
	strbuf_fini(&records);
	return result;
}

static int flush_if_due(struct recorder *recorder, uint64_t now_ns, struct error *err)
{
	const bool may_wait = perf_writer_compresses(recorder->writer) &&
			      perf_writer_buffered_bytes(recorder->writer) < PACK_AT_ONCE_BYTES;

	if (!flush_schedule_look(&recorder->flushes, now_ns))
		return 0;
	if (recorder->kept)
		return 0;
	if (append_maps(recorder, MAPS_GROWTH, err) < 0)
		return -1;
	if (!flush_schedule_flush(&recorder->flushes, may_wait, now_ns))
		return 0;
	if (finish_rounds(recorder, err) < 0)
		return -1;
	return perf_writer_flush(recorder->writer, err);
}

static void draw_status(struct recorder *recorder, uint64_t now_ns)
{
	char elapsed[PROGRESS_TEXT_SIZE], samples[PROGRESS_TEXT_SIZE], lost[PROGRESS_TEXT_SIZE],
		size[PROGRESS_TEXT_SIZE];

	if (!recorder->progress || !progress_due(recorder->progress))
		return;
	progress_draw(recorder->progress, "recording %s  %s samples  %s records lost  %s",
		      progress_format_elapsed(elapsed, now_ns - recorder->started_ns),
		      progress_format_count(samples, recorder->counts.taken.samples),
		      progress_format_count(lost, recorder->counts.lost_records),
		      progress_format_size(size, perf_writer_data_bytes(recorder->writer)));
}

static uint64_t left_ms(uint64_t until_ns, uint64_t now_ns)
{
	return until_ns > now_ns ? (until_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS : 0;
}

/* Time until the next round that is due even if no ring fills up. */
static uint64_t round_timeout_ms(const struct recorder *recorder, uint64_t now_ns)
{
	const enum evidence_urgency urgency = ring_drain_urgency(recorder->drain);
	const bool is_long = now_ns - recorder->started_ns > (uint64_t)LONG_RECORDING_MS * NS_PER_MS;

	if (urgency == EVIDENCE_AT_ONCE)
		return READING_INTERVAL_MS;
	if (urgency == EVIDENCE_SOON || !is_long || recorder->kept || recorder->waits ||
	    !perf_writer_compresses(recorder->writer))
		return FLUSH_LOOK_NS / NS_PER_MS;
	return left_ms(flush_schedule_next_ns(&recorder->flushes), now_ns);
}

/* Time until the next action that is due whatever the rings contain. */
static int poll_timeout_ms(const struct recorder *recorder, uint64_t now_ns, uint64_t deadline_ns)
{
	bool drawing = recorder->progress && recorder->progress->fd >= 0;
	uint64_t timeout_ms = round_timeout_ms(recorder, now_ns);

	if (drawing && timeout_ms > DRAW_INTERVAL_MS)
		timeout_ms = DRAW_INTERVAL_MS;
	if (deadline_ns && left_ms(deadline_ns, now_ns) < timeout_ms)
		timeout_ms = left_ms(deadline_ns, now_ns);
	return (int)timeout_ms;
}

/* Samples a CPU again that came back. Called when the kernel announces a change, and at each flush interval. */
static void follow_cpus(struct recorder *recorder)
{
	if (cpu_watch_look(recorder->cpus) &&
	    event_set_follow_cpus(recorder->events, cpu_watch_online(recorder->cpus), clock_now_ns()))
		event_set_poll_entries(recorder->events, recorder->entries);
}

/*
 * A ring with room for a second of copies costs more than anything else in a short recording, so the recorder begins with a
 * smaller one. It grows here, before the first stacks are unwound, which may take long.
 */
static void make_room_for_copies(struct recorder *recorder, uint64_t now_ns)
{
	const uint64_t copy_bytes = stack_copies_look(stack_copier_copies(recorder->copier), now_ns);

	stack_copier_note_wake(stack_copier_fd(recorder->copier));
	stack_copier_make_room(recorder->copier, ring_size_copies_bytes(&recorder->demand, copy_bytes),
			       now_ns);
}

static uint64_t limited_bytes(const struct recorder *recorder)
{
	return recorder->kept ? recorder->kept->size : perf_writer_data_bytes(recorder->writer);
}

int recorder_run(struct recorder *recorder, int watch_fd, uint64_t deadline_ns, bool until_target_ends,
		 enum recorder_end *end, struct error *err)
{
	size_t rings = event_set_ring_count(recorder->events);
	struct pollfd *watched = &recorder->entries[rings];

	event_set_poll_entries(recorder->events, recorder->entries);
	watched[WATCHED_CALLER] = (struct pollfd){ .fd = watch_fd, .events = POLLIN };
	watched[WATCHED_COPIES] =
		(struct pollfd){ .fd = recorder->copier ? stack_copier_fd(recorder->copier) : -1,
				 .events = POLLIN };
	watched[WATCHED_WAITS] =
		(struct pollfd){ .fd = recorder->waits ? recorder->waits_fd : -1, .events = POLLIN };
	watched[WATCHED_CPUS] = (struct pollfd){ .fd = cpu_watch_fd(recorder->cpus), .events = POLLIN };
	for (*end = RECORDER_RUNNING; *end == RECORDER_RUNNING;) {
		uint64_t now_ns = clock_now_ns();
		bool is_alive;

		if (poll(recorder->entries, rings + WATCHED_COUNT,
			 poll_timeout_ms(recorder, now_ns, deadline_ns)) < 0) {
			if (errno == EINTR)
				continue;
			return error_set_errno(err, errno, "cannot wait for the rings");
		}
		now_ns = clock_now_ns();
		if (watched[WATCHED_COPIES].revents)
			make_room_for_copies(recorder, now_ns);
		if (watched[WATCHED_WAITS].revents)
			stack_copier_note_wake(recorder->waits_fd);
		if (drain_round(recorder, err) < 0 || flush_if_due(recorder, now_ns, err) < 0)
			return -1;
		draw_status(recorder, now_ns);
		is_alive = event_set_after_poll(recorder->events, recorder->entries);
		if (watched[WATCHED_CALLER].revents)
			*end = RECORDER_WATCHED_READY;
		else if (!is_alive && until_target_ends)
			*end = RECORDER_TARGET_ENDED;
		else if (deadline_ns && now_ns >= deadline_ns)
			*end = RECORDER_DEADLINE;
		else if (recorder->limit_bytes && limited_bytes(recorder) >= recorder->limit_bytes)
			*end = RECORDER_SIZE_REACHED;
		if (watched[WATCHED_CPUS].revents || recorder->flushes.looked_ns == now_ns)
			follow_cpus(recorder);
	}
	return 0;
}

/* Includes samples that were lost after the last record that could have reported them. */
static int append_lost_samples(struct recorder *recorder, size_t number, struct error *err)
{
	const struct written_event *sampler = &event_set_samplers(recorder->events)[number];
	/* With several events, drops are not counted by event, so all go to the first. */
	const uint64_t dropped = number == 0 ? recorder->counts.taken.dropped : 0;
	uint64_t id, total = event_set_read_lost(recorder->events, number, &id) + dropped;
	const uint64_t lost = total > recorder->told_lost[number] ? total - recorder->told_lost[number] : 0;

	if (!lost)
		return 0;
	recorder->counts.lost_samples += lost;
	recorder->told_lost[number] = total;
	return loss_record_append_samples(recorder->writer, sampler->attr, id, lost, err);
}

/* Losses that the kernel would have reported with the next record in the ring, had there been one. */
static int append_unreported_losses(struct recorder *recorder, struct error *err)
{
	const struct recorder_counts *counts = &recorder->counts;
	const struct written_event *sampler = &event_set_samplers(recorder->events)[0];
	const uint64_t lost = counts->lost_samples + counts->lost_others;

	if (lost <= counts->lost_records)
		return 0;
	return loss_record_append(recorder->writer, sampler->attr, sampler->ids[0],
				  lost - counts->lost_records, err);
}

/* Waits whose stack has not arrived, and the number of lost waits. */
static int append_last_waits(struct recorder *recorder, struct error *err)
{
	struct strbuf *samples = &recorder->waited;
	struct wait_sampler_counts counts;
	struct lane_counts taken;
	int result;

	if (!recorder->waits)
		return 0;
	wait_sampler_append_rest(recorder->waits, samples);
	wait_sampler_add_lost(recorder->waits, samples);
	result = perf_writer_append(recorder->writer, samples->bytes, samples->size, err);
	strbuf_reset(samples);
	counts = wait_sampler_counts(recorder->waits);
	taken = (struct lane_counts){ .samples = counts.samples,
				      .first_sample_ns = counts.first_ns,
				      .last_sample_ns = counts.last_ns };
	lane_counts_add(&recorder->counts.taken, taken);
	recorder->counts.lost_samples += counts.lost;
	recorder->counts.lost_records += counts.lost;
	return result;
}

int recorder_drain(struct recorder *recorder, bool is_last, struct error *err)
{
	if (drain_round(recorder, err) < 0 || (is_last && append_last_waits(recorder, err) < 0) ||
	    finish_rounds(recorder, err) < 0 ||
	    append_maps(recorder, is_last ? MAPS_END : MAPS_END_OF_FILE, err) < 0)
		return -1;
	for (size_t i = 0; i < event_set_sampler_count(recorder->events); i++)
		if (append_lost_samples(recorder, i, err) < 0)
			return -1;
	recorder->counts.lost_others = event_set_read_lost_others(recorder->events);
	/* While samplers run, the kernel reports later losses in the next file. */
	return is_last ? append_unreported_losses(recorder, err) : 0;
}

const struct recorder_counts *recorder_counts(const struct recorder *recorder)
{
	return &recorder->counts;
}

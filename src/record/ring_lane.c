/*
 * ring_lane_drain() walks a ring run by run: look_at_record() looks at every record. With evidence it writes
 * the reduced records into `reduced`, which goes to the sink instead of the run. ring_lane_note() passes the
 * state records of all rings to the unwinder before the lane's first sample.
 */
#include "record/ring_lane.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

enum {
	/* Without unwinding the recorder is ten times as fast, and soon empties a ring that its CPU filled meanwhile. */
	CUTTING_FROM_ROUND = 4,
	DROPPING_FROM_ROUND = 8,
};

struct ring_lane {
	const struct lane_surroundings *surroundings;
	struct evidence *evidence; /* NULL if records are written as the kernel delivers them */
	enum lane_pressure pressure;
	uint64_t *noted; /* of each ring: the position (as its head) up to which state records were noted */
	struct strbuf reduced; /* a run after the evidence of its samples was reduced */
	struct strbuf renamed; /* a run after its ids were replaced by those that the file lists */
	struct lane_counts counts;
	uint8_t bounce[RING_RECORD_MAX_BYTES];      /* a record that wraps around its ring's end */
	uint8_t note_bounce[RING_RECORD_MAX_BYTES]; /* the same, for ring_lane_note() while `bounce` is in use */
};

static void note_for_evidence(void *context)
{
	ring_lane_note(context);
}

struct ring_lane *ring_lane_create(const struct lane_surroundings *surroundings, struct evidence *evidence)
{
	struct ring_lane *lane = xcalloc(1, sizeof(*lane));

	lane->surroundings = surroundings;
	lane->evidence = evidence;
	lane->noted = xcalloc(surroundings->ring_count, sizeof(*lane->noted));
	strbuf_init(&lane->reduced);
	strbuf_init(&lane->renamed);
	if (evidence)
		evidence_note_by(evidence, note_for_evidence, lane);
	return lane;
}

void ring_lane_destroy(struct ring_lane *lane)
{
	if (!lane)
		return;
	strbuf_fini(&lane->reduced);
	strbuf_fini(&lane->renamed);
	free(lane->noted);
	free(lane);
}

void lane_counts_add(struct lane_counts *counts, struct lane_counts added)
{
	counts->samples += added.samples;
	counts->dropped += added.dropped;
	counts->left_out += added.left_out;
	if (added.first_sample_ns &&
	    (counts->first_sample_ns == 0 || added.first_sample_ns < counts->first_sample_ns))
		counts->first_sample_ns = added.first_sample_ns;
	if (added.last_sample_ns > counts->last_sample_ns)
		counts->last_sample_ns = added.last_sample_ns;
}

struct lane_counts ring_lane_take_counts(struct ring_lane *lane)
{
	const struct lane_counts counts = lane->counts;

	lane->counts = (struct lane_counts){ 0 };
	return counts;
}

/* --- pressure ---------------------------------------------------------------------- */

/* Full rings without losses are no strain: small rings fill up between two rounds even if they are read in time. */
enum lane_pressure lane_strain_judge(struct lane_strain *strain, const struct lane_surroundings *surroundings,
				     uint64_t lost_records)
{
	bool pressed = false;

	for (size_t i = 0; !pressed && i < surroundings->ring_count; i++)
		pressed = surroundings->rings[i].control && ring_buffer_is_pressed(&surroundings->rings[i]);
	if (!pressed) {
		*strain = (struct lane_strain){ .lost_before = lost_records };
		return LANE_AT_EASE;
	}
	strain->pressed_rounds++;
	if (strain->pressed_rounds >= DROPPING_FROM_ROUND && lost_records != strain->lost_before)
		return LANE_DROPPING;
	return strain->pressed_rounds >= CUTTING_FROM_ROUND ? LANE_CUTTING : LANE_HURRIED;
}

void ring_lane_set_pressure(struct ring_lane *lane, enum lane_pressure pressure)
{
	lane->pressure = pressure;
	if (lane->evidence)
		evidence_set_cutting(lane->evidence, pressure >= LANE_CUTTING);
}

/* Unwinding takes longer than the kernel needs for a sample. While any ring is too full, samples are not unwound. */
static void hurry_if_pressed(struct ring_lane *lane)
{
	const struct lane_surroundings *surroundings = lane->surroundings;
	bool pressed = lane->pressure > LANE_HURRIED;

	for (size_t i = 0; !pressed && i < surroundings->ring_count; i++)
		pressed = surroundings->rings[i].control && ring_buffer_is_pressed(&surroundings->rings[i]);
	evidence_set_hurried(lane->evidence, pressed);
}

/* --- records ------------------------------------------------------------------------ */

static void count_sample(struct ring_lane *lane, const uint8_t *record, size_t size)
{
	const struct lane_surroundings *surroundings = lane->surroundings;
	struct lane_counts *counts = &lane->counts;
	uint64_t time_ns;
	uint32_t pid;

	counts->samples++;
	if (surroundings->time_offset + sizeof(time_ns) > size)
		return;
	memcpy(&pid, record + surroundings->time_offset - 8, sizeof(pid));
	if (surroundings->sampled)
		surroundings->sampled(pid, surroundings->context);
	memcpy(&time_ns, record + surroundings->time_offset, sizeof(time_ns));
	if (counts->first_sample_ns == 0 || time_ns < counts->first_sample_ns)
		counts->first_sample_ns = time_ns;
	if (time_ns > counts->last_sample_ns)
		counts->last_sample_ns = time_ns;
}

/* Whether records are copied one by one, because some change or are dropped. */
static bool rewrites(const struct ring_lane *lane)
{
	return lane->evidence || lane->surroundings->only || lane->pressure == LANE_DROPPING;
}

static void look_at_sample(struct ring_lane *lane, const uint8_t *record, size_t size)
{
	const struct sample_filter *only = lane->surroundings->only;

	if (only && !sample_filter_accepts(only, record, size)) {
		lane->counts.left_out++;
		return;
	}
	if (lane->pressure == LANE_DROPPING) {
		lane->counts.dropped++;
		return;
	}
	count_sample(lane, record, size);
	if (lane->evidence)
		evidence_append(lane->evidence, &lane->reduced, record, size);
	else if (rewrites(lane))
		strbuf_add(&lane->reduced, record, size);
}

static void look_at_record(const uint8_t *record, size_t size, void *context)
{
	struct ring_lane *lane = context;
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE) {
		look_at_sample(lane, record, size);
		return;
	}
	lane->surroundings->look_at_other(record, size, lane->surroundings->context);
	if (rewrites(lane))
		strbuf_add(&lane->reduced, record, size);
}

static int append_run(struct ring_lane *lane, const uint8_t *run, size_t size, const struct lane_sink *sink,
		      struct error *err)
{
	int result = 0;

	if (!rewrites(lane))
		return sink->take(sink->context, run, size, err);
	if (lane->reduced.size)
		result = sink->take(sink->context, (const uint8_t *)lane->reduced.bytes, lane->reduced.size,
				    err);
	strbuf_reset(&lane->reduced);
	return result;
}

static void skip_record(const uint8_t *record, size_t size, void *context)
{
	(void)record;
	(void)size;
	(void)context;
}

/*
 * Reads the next run of a ring whose events have ids that the file does not list. Replaces the ids in a copy, because the ring is
 * not ours to change.
 */
static int next_renamed_run(struct ring_lane *lane, struct ring_walk *walk, const uint8_t **run,
			    size_t *run_size)
{
	struct strbuf *copy = &lane->renamed;
	struct perf_event_header header;
	int more = ring_walk_next(walk, lane->bounce, run, run_size, skip_record, NULL);

	if (more <= 0)
		return more;
	strbuf_reset(copy);
	strbuf_add(copy, *run, *run_size);
	*run = (const uint8_t *)copy->bytes;
	event_set_rename_ids(lane->surroundings->events, (uint8_t *)copy->bytes, copy->size);
	for (size_t at = 0; at < copy->size; at += header.size) {
		memcpy(&header, *run + at, sizeof(header));
		look_at_record(*run + at, header.size, lane);
	}
	return 1;
}

int ring_lane_drain(struct ring_lane *lane, size_t number, const struct ring_spans *spans, bool release,
		    const struct lane_sink *sink, struct error *err)
{
	const struct lane_surroundings *surroundings = lane->surroundings;
	const bool renames = surroundings->events && event_set_has_late_ids(surroundings->events, number);
	const uint64_t tail = spans->head - spans->first_size - spans->second_size;
	struct ring_walk walk = { .spans = *spans };
	const uint8_t *run;
	size_t run_size;
	int more;

	if (spans->first_size == 0)
		return 0;
	for (;;) {
		if (lane->evidence)
			hurry_if_pressed(lane);
		more = renames ? next_renamed_run(lane, &walk, &run, &run_size) :
				 ring_walk_next(&walk, lane->bounce, &run, &run_size, look_at_record, lane);
		if (more <= 0)
			break;
		if (append_run(lane, run, run_size, sink, err) < 0)
			return -1;
		if (release)
			ring_buffer_release(&surroundings->rings[number], tail + walk.offset);
	}
	if (more < 0)
		return error_set(err,
				 "a ring of the kernel holds a record of impossible size: recording stopped");
	return 0;
}

int ring_lane_add(struct ring_lane *lane, const uint8_t *records, size_t size, const struct lane_sink *sink,
		  struct error *err)
{
	struct perf_event_header header;
	int result = 0;

	ring_lane_set_pressure(lane, LANE_AT_EASE);
	if (lane->evidence)
		evidence_set_hurried(lane->evidence, false);
	for (size_t at = 0; at < size && result == 0; at += header.size) {
		memcpy(&header, records + at, sizeof(header));
		look_at_record(records + at, header.size, lane);
		result = append_run(lane, records + at, header.size, sink, err);
	}
	return result;
}

/* --- state records, before samples ---------------------------------------------------- */

static void note_record(const uint8_t *record, size_t size, void *context)
{
	const struct ring_lane *lane = context;

	evidence_note(lane->evidence, record, size);
}

/* Notes the state records that arrived since the last round. */
static void note_ring(struct ring_lane *lane, const struct ring_buffer *ring, uint64_t *noted)
{
	struct ring_walk walk = { .spans = ring_buffer_peek(ring) };
	const uint64_t tail = walk.spans.head - walk.spans.first_size - walk.spans.second_size;
	const uint8_t *run;
	size_t run_size;

	if (*noted > tail)
		walk.offset = (size_t)(*noted - tail);
	while (ring_walk_next(&walk, lane->note_bounce, &run, &run_size, note_record, lane) > 0)
		;
	*noted = walk.spans.head;
}

void ring_lane_note(struct ring_lane *lane)
{
	const struct lane_surroundings *surroundings = lane->surroundings;

	for (size_t i = 0; lane->evidence && i < surroundings->ring_count; i++)
		if (surroundings->rings[i].control)
			note_ring(lane, &surroundings->rings[i], &lane->noted[i]);
}

#ifndef XPROF_RECORD_RING_LANE_H
#define XPROF_RECORD_RING_LANE_H

/*
 * A lane carries the records of some of the rings to a sink. It looks at each record on the way, and has the stacks of
 * samples reduced. One lane reads all rings, or several read some each, at the same time (drain_team.h).
 *
 *	ring ──▶ lane: counts, ids, evidence ──▶ sink
 *
 * When rings stay full round after round, a lane does less and less with samples, and everything with other records,
 * which say what is mapped, named and forked: first it no longer unwinds stacks, then it cuts them, and at last it
 * drops samples and counts them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/event_set.h"
#include "record/ring_buffer.h"
#include "record/sample_filter.h"
#include "record/stack/evidence.h"

/* The way a lane treats samples, by how full rings are. */
enum lane_pressure {
	LANE_AT_EASE,
	LANE_HURRIED,  /* stacks are written as they come, nothing is unwound */
	LANE_CUTTING,  /* stacks are cut */
	LANE_DROPPING, /* samples are dropped */
};

struct lane_counts {
	uint64_t samples, dropped; /* written; not written, for want of time */
	uint64_t left_out;         /* not written, because `only` does not accept them */
	uint64_t first_sample_ns, last_sample_ns;
};

void lane_counts_add(struct lane_counts *counts, struct lane_counts added);

/* Shared by the lanes of a recording; what they call must be ready for calls from several threads. */
struct lane_surroundings {
	struct event_set *events; /* may be NULL: no ids have to be renamed */
	struct ring_buffer *rings;
	size_t ring_count;
	size_t time_offset;               /* of the time in every sample */
	const struct sample_filter *only; /* NULL: all samples are written */
	/* Each record that is no sample. */
	void (*look_at_other)(const uint8_t *record, size_t size, void *context);
	/* Each sample's process. May be NULL. */
	void (*sampled)(uint32_t pid, void *context);
	void *context;
};

/* Takes whole records. They are valid during the call. */
struct lane_sink {
	int (*take)(void *context, const uint8_t *records, size_t size, struct error *err);
	void *context;
};

struct ring_lane;

/* Borrows the surroundings and the evidence, which may be NULL: samples are written as they come. */
struct ring_lane *ring_lane_create(const struct lane_surroundings *surroundings, struct evidence *evidence);
void ring_lane_destroy(struct ring_lane *lane);

/* Notes the state records that came into any of the rings since the last call. No ring may be released meanwhile. */
void ring_lane_note(struct ring_lane *lane);

/*
 * The spans of one ring, which a round has fixed. With `release` their room is given back piece by piece; else the caller
 * does it when no lane reads any more.
 */
int ring_lane_drain(struct ring_lane *lane, size_t number, const struct ring_spans *spans, bool release,
		    const struct lane_sink *sink, struct error *err);

/* Whole records out of memory, as if they came from a ring. */
int ring_lane_add(struct ring_lane *lane, const uint8_t *records, size_t size, const struct lane_sink *sink,
		  struct error *err);

void ring_lane_set_pressure(struct ring_lane *lane, enum lane_pressure pressure);

/* The counts since the last call. */
struct lane_counts ring_lane_take_counts(struct ring_lane *lane);

/*
 * How rings have been, round after round: the pressure under which the next round is. Rings are judged when a round
 * begins, before they are read.
 */
struct lane_strain {
	unsigned int pressed_rounds; /* without one in between in which no ring was pressed */
	uint64_t lost_before;        /* records, when these rounds began */
};

enum lane_pressure lane_strain_judge(struct lane_strain *strain, const struct lane_surroundings *surroundings,
				     uint64_t lost_records);

#endif

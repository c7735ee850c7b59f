#ifndef XPROF_RECORD_RING_LANE_H
#define XPROF_RECORD_RING_LANE_H

/*
 * A lane carries the records of some rings to a sink. It looks at each record on the way, and reduces samples
 * to the parts of their stacks that are needed (evidence.h). One lane reads all rings, or several lanes share
 * them (drain_team.h).
 *
 *	ring ──▶ lane: counts, ids, evidence ──▶ sink
 *
 * When rings stay full round after round, a lane saves work on samples: first it no longer unwinds stacks,
 * then it cuts them, and at last it drops samples and counts them. All other records (mappings, names, forks)
 * are always kept.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/event_set.h"
#include "record/ring_buffer.h"
#include "record/sample_filter.h"
#include "record/stack/evidence.h"

/* How a lane treats samples, by how full the rings are. */
enum lane_pressure {
	LANE_AT_EASE,
	LANE_HURRIED,  /* stacks are written as recorded, nothing is unwound */
	LANE_CUTTING,  /* stacks are cut */
	LANE_DROPPING, /* samples are dropped */
};

struct lane_counts {
	uint64_t samples, dropped; /* written; dropped under pressure */
	uint64_t left_out;         /* rejected by the filter `only` */
	uint64_t first_sample_ns, last_sample_ns;
};

void lane_counts_add(struct lane_counts *counts, struct lane_counts added);

/* Shared by the lanes of a recording. The functions must be thread-safe. */
struct lane_surroundings {
	struct event_set *events; /* to rename ids (id_aliases.h); NULL: none is renamed */
	struct ring_buffer *rings;
	size_t ring_count;
	size_t time_offset;               /* byte offset of the time in every sample */
	const struct sample_filter *only; /* NULL: all samples are written */
	/* Called for each record that is not a sample. */
	void (*look_at_other)(const uint8_t *record, size_t size, void *context);
	/* Called with the process of each sample. May be NULL. */
	void (*sampled)(uint32_t pid, void *context);
	void *context;
};

/* Takes whole records, which are valid during the call. Returns 0, or -1 with err. */
struct lane_sink {
	int (*take)(void *context, const uint8_t *records, size_t size, struct error *err);
	void *context;
};

struct ring_lane;

/* Borrows both. evidence NULL: samples are written as recorded. */
struct ring_lane *ring_lane_create(const struct lane_surroundings *surroundings, struct evidence *evidence);
void ring_lane_destroy(struct ring_lane *lane);

/*
 * Notes the state records that came into any ring since the last call. No ring may be released during the
 * call.
 */
void ring_lane_note(struct ring_lane *lane);

/*
 * Reads the spans of ring `number`, as the round has fixed them. With `release` they are given back to the
 * kernel piece by piece; otherwise the caller releases them when no lane reads any more. Returns 0, or -1
 * with err.
 */
int ring_lane_drain(struct ring_lane *lane, size_t number, const struct ring_spans *spans, bool release,
		    const struct lane_sink *sink, struct error *err);

/* Reads whole records from memory as if they came from a ring. Returns 0, or -1 with err. */
int ring_lane_add(struct ring_lane *lane, const uint8_t *records, size_t size, const struct lane_sink *sink,
		  struct error *err);

void ring_lane_set_pressure(struct ring_lane *lane, enum lane_pressure pressure);

/* Returns the counts since the last call. */
struct lane_counts ring_lane_take_counts(struct ring_lane *lane);

/*
 * Derives the pressure of a round from how full the rings have been. They are judged when the round begins,
 * before they are read.
 */
struct lane_strain {
	unsigned int pressed_rounds; /* consecutive rounds in which a ring was too full */
	uint64_t lost_before;        /* lost records before these rounds */
};

/* `lost_records` is the number of records that the kernel has reported as lost so far. */
enum lane_pressure lane_strain_judge(struct lane_strain *strain, const struct lane_surroundings *surroundings,
				     uint64_t lost_records);

#endif

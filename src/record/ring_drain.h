#ifndef XPROF_RECORD_RING_DRAIN_H
#define XPROF_RECORD_RING_DRAIN_H

/*
 * Reads all rings, round after round: on the caller's thread or, if that is too slow, by a team of lanes.
 *
 *	struct ring_drain *drain = ring_drain_create(&surroundings, evidence);
 *	ring_drain_plan_threads(drain, &plan, make_evidence, context);
 *	for (;;) {
 *		ring_drain_begin(drain, files, lost_records);
 *		ring_drain_read(drain, &sink, &counts, err);
 *		ring_drain_end(drain);
 *	}
 */

#include "record/drain_plan.h"
#include "record/process/build_id_table.h"
#include "record/ring_lane.h"

struct ring_drain;

/* Borrows the surroundings, which may still change before the first round, and the evidence, which may be NULL. */
struct ring_drain *ring_drain_create(const struct lane_surroundings *surroundings, struct evidence *evidence);
void ring_drain_destroy(struct ring_drain *drain);

/*
 * Lets the lanes of the plan read the rings, at once or when a ring is found too full. `make_evidence` is
 * called for each further lane; NULL without evidence. The plan is borrowed.
 */
void ring_drain_plan_threads(struct ring_drain *drain, const struct drain_plan *plan,
			     struct evidence *(*make_evidence)(void *context), void *context);

/* The number of lanes: 1 until a team has begun. */
size_t ring_drain_threads(const struct ring_drain *drain);
struct evidence_counts ring_drain_evidence_counts(const struct ring_drain *drain);
/* The greatest urgency of all lanes. */
enum evidence_urgency ring_drain_urgency(const struct ring_drain *drain);

/*
 * Begins a round by fixing the part of each ring that it takes. The mapping that a sample needs was reported
 * before the sample was taken, perhaps in another ring. So all state records that the samples of the round
 * need are in the rings by now; they are noted before any sample is read. `lost_records` is the number of
 * records that the kernel has reported as lost so far. Mapped files are added to `files`.
 */
void ring_drain_begin(struct ring_drain *drain, struct build_id_table *files, uint64_t lost_records);
/*
 * Reads the round and adds to the counts. Returns 0, or -1 with err if the sink failed or a ring holds an
 * impossible record.
 */
int ring_drain_read(struct ring_drain *drain, const struct lane_sink *sink, struct lane_counts *counts,
		    struct error *err);
/* Ends the round. Call it when all its records are written. */
void ring_drain_end(struct ring_drain *drain);

/* The size of the round in bytes. */
uint64_t ring_drain_bytes(const struct ring_drain *drain);

/* Reads whole records that were kept from earlier rounds. */
int ring_drain_add(struct ring_drain *drain, const uint8_t *records, size_t size,
		   const struct lane_sink *sink, struct lane_counts *counts, struct error *err);

#endif

#ifndef XPROF_RECORD_DRAIN_TEAM_H
#define XPROF_RECORD_DRAIN_TEAM_H

/*
 * Several lanes that read the rings of a round at the same time, each on a thread near its rings. Meanwhile
 * the caller's thread passes what they have read to the sink, which compresses and writes it.
 *
 *	lane 0: rings of node 0 ──┐ chunks
 *	lane 1: rings of node 1 ──┼────────▶ the caller's sink
 *	lane 2: ...             ──┘
 *
 * Records of one ring keep their order; records of different rings are mixed, as in every round. Memory is
 * bounded: a lane waits while all chunks are full.
 */

#include "record/drain_plan.h"
#include "record/ring_lane.h"

struct drain_team;

/*
 * Borrows everything. `evidences` has an entry for each lane, or is NULL. Returns NULL if no thread can be
 * started.
 */
struct drain_team *drain_team_create(const struct lane_surroundings *surroundings,
				     const struct drain_plan *plan, struct evidence *const *evidences);
void drain_team_destroy(struct drain_team *team);

/*
 * Reads the spans of all rings and releases them. `round` has one entry for each ring. Returns 0, or -1 if
 * the sink failed (it is not called again in this round) or a ring holds an impossible record.
 */
int drain_team_round(struct drain_team *team, const struct ring_spans *round, enum lane_pressure pressure,
		     const struct lane_sink *sink, struct error *err);

/* Returns the counts of a lane since the last call. */
struct lane_counts drain_team_take_counts(struct drain_team *team, size_t lane);

#endif

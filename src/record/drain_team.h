#ifndef XPROF_RECORD_DRAIN_TEAM_H
#define XPROF_RECORD_DRAIN_TEAM_H

/*
 * Several lanes that read the rings of a round at the same time, each on a thread near its rings. The caller's thread
 * meanwhile gives to the sink what they have read, so that records are compressed and written beside it.
 *
 *	lane 0: rings of node 0 ──┐ chunks
 *	lane 1: rings of node 1 ──┼────────▶ the caller's sink
 *	lane 2: ...             ──┘
 *
 * Records of one ring keep their order. Those of different rings do not, as anywhere in a round. Memory is bounded: a
 * lane waits while all chunks are full.
 */

#include "record/drain_plan.h"
#include "record/ring_lane.h"

struct drain_team;

/* Borrows all; `evidences` has one for each lane, or is NULL. NULL when no thread can be started. */
struct drain_team *drain_team_create(const struct lane_surroundings *surroundings,
				     const struct drain_plan *plan, struct evidence *const *evidences);
void drain_team_destroy(struct drain_team *team);

/*
 * Reads the spans of all rings, and releases them. -1 when the sink fails, which then is given no more of the round, or a ring holds
 * what cannot be.
 */
int drain_team_round(struct drain_team *team, const struct ring_spans *round, enum lane_pressure pressure,
		     const struct lane_sink *sink, struct error *err);

struct lane_counts drain_team_take_counts(struct drain_team *team, size_t lane);

#endif

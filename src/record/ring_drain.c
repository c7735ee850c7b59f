/* Chooses between one lane and a team of them, and gives each lane its evidence. */

#include "record/ring_drain.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "record/drain_team.h"

struct ring_drain {
	const struct lane_surroundings *surroundings;
	struct ring_spans *round; /* the part of each ring that this round reads */
	struct lane_strain strain;
	enum lane_pressure pressure;
	struct evidence *evidence;     /* NULL if records are written as the kernel delivers them */
	struct ring_lane *lane;        /* reads all rings if there is no team */
	const struct drain_plan *plan; /* NULL if one thread is enough */
	struct evidence *(*make_evidence)(void *context);
	void *evidence_maker;
	struct drain_team *team;
	struct evidence **evidences; /* one per lane of the team; the first is `evidence` */
	size_t evidence_count;
};

struct ring_drain *ring_drain_create(const struct lane_surroundings *surroundings, struct evidence *evidence)
{
	struct ring_drain *drain = xcalloc(1, sizeof(*drain));

	drain->surroundings = surroundings;
	drain->evidence = evidence;
	drain->lane = ring_lane_create(surroundings, evidence);
	drain->round = xcalloc(surroundings->ring_count, sizeof(*drain->round));
	return drain;
}

void ring_drain_destroy(struct ring_drain *drain)
{
	if (!drain)
		return;
	drain_team_destroy(drain->team);
	ring_lane_destroy(drain->lane);
	for (size_t i = 1; drain->evidences && i < drain->evidence_count; i++)
		evidence_destroy(drain->evidences[i]);
	free(drain->evidences);
	free(drain->round);
	free(drain);
}

/* --- lanes -------------------------------------------------------------------------- */

void ring_drain_plan_threads(struct ring_drain *drain, const struct drain_plan *plan,
			     struct evidence *(*make_evidence)(void *context), void *context)
{
	drain->plan = plan;
	drain->make_evidence = make_evidence;
	drain->evidence_maker = context;
}

/* The evidence of the new lanes has seen no records yet: it reads the mappings from /proc. */
static void begin_team(struct ring_drain *drain)
{
	const struct drain_plan *plan = drain->plan;

	if (plan->lane_count < 2)
		return;
	if (drain->evidence)
		drain->evidence_count = plan->lane_count;
	drain->evidences = xcalloc(drain->evidence_count + 1, sizeof(*drain->evidences));
	for (size_t i = 0; i < drain->evidence_count; i++) {
		drain->evidences[i] = i == 0 ? drain->evidence : drain->make_evidence(drain->evidence_maker);
		if (i > 0)
			evidence_begin_late(drain->evidences[i]);
	}
	drain->team = drain_team_create(drain->surroundings, plan, drain->evidence ? drain->evidences : NULL);
	if (!drain->team)
		drain->plan = NULL; /* no thread could be started */
}

size_t ring_drain_threads(const struct ring_drain *drain)
{
	return drain->team && drain->plan ? drain->plan->lane_count : 1;
}

static struct evidence *evidence_of(const struct ring_drain *drain, size_t lane)
{
	return lane == 0 ? drain->evidence : lane < drain->evidence_count ? drain->evidences[lane] : NULL;
}

struct evidence_counts ring_drain_evidence_counts(const struct ring_drain *drain)
{
	struct evidence_counts counts = { 0 };

	for (size_t i = 0; i < ring_drain_threads(drain); i++)
		if (evidence_of(drain, i))
			evidence_counts_add(&counts, evidence_counts(evidence_of(drain, i)));
	return counts;
}

enum evidence_urgency ring_drain_urgency(const struct ring_drain *drain)
{
	enum evidence_urgency greatest = EVIDENCE_LATER;

	for (size_t i = 0; i < ring_drain_threads(drain); i++) {
		const struct evidence *evidence = evidence_of(drain, i);
		const enum evidence_urgency urgency = evidence ? evidence_urgency(evidence) : EVIDENCE_LATER;

		if (urgency > greatest)
			greatest = urgency;
	}
	return greatest;
}

/* --- rounds ------------------------------------------------------------------------- */

void ring_drain_begin(struct ring_drain *drain, struct build_id_table *files, uint64_t lost_records)
{
	const struct lane_surroundings *surroundings = drain->surroundings;

	drain->pressure = lane_strain_judge(&drain->strain, surroundings, lost_records);
	if (drain->plan && !drain->team && (drain->plan->at_once || drain->pressure > LANE_AT_EASE))
		begin_team(drain);
	for (size_t i = 0; i < ring_drain_threads(drain); i++)
		if (evidence_of(drain, i))
			evidence_begin_round(evidence_of(drain, i), files);
	for (size_t i = 0; i < surroundings->ring_count; i++) {
		const struct ring_buffer *ring = &surroundings->rings[i];

		drain->round[i] = ring->control ? ring_buffer_peek(ring) : (struct ring_spans){ .head = 0 };
	}
	if (drain->evidence)
		evidence_begin_samples(drain->evidence, clock_now_ns());
}

uint64_t ring_drain_bytes(const struct ring_drain *drain)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < drain->surroundings->ring_count; i++)
		bytes += drain->round[i].first_size + drain->round[i].second_size;
	return bytes;
}

static int read_by_team(struct ring_drain *drain, const struct lane_sink *sink, struct lane_counts *counts,
			struct error *err)
{
	const int result = drain_team_round(drain->team, drain->round, drain->pressure, sink, err);

	for (size_t i = 0; i < drain->plan->lane_count; i++)
		lane_counts_add(counts, drain_team_take_counts(drain->team, i));
	return result;
}

int ring_drain_read(struct ring_drain *drain, const struct lane_sink *sink, struct lane_counts *counts,
		    struct error *err)
{
	int result = 0;

	if (drain->team)
		return read_by_team(drain, sink, counts, err);
	ring_lane_set_pressure(drain->lane, drain->pressure);
	ring_lane_note(drain->lane);
	for (size_t i = 0; i < drain->surroundings->ring_count && result == 0; i++)
		result = ring_lane_drain(drain->lane, i, &drain->round[i], true, sink, err);
	lane_counts_add(counts, ring_lane_take_counts(drain->lane));
	return result;
}

void ring_drain_end(struct ring_drain *drain)
{
	if (drain->evidence)
		evidence_end_samples(drain->evidence);
}

int ring_drain_add(struct ring_drain *drain, const uint8_t *records, size_t size,
		   const struct lane_sink *sink, struct lane_counts *counts, struct error *err)
{
	int result;

	if (drain->evidence)
		evidence_begin_samples(drain->evidence, clock_now_ns());
	result = ring_lane_add(drain->lane, records, size, sink, err);
	lane_counts_add(counts, ring_lane_take_counts(drain->lane));
	ring_drain_end(drain);
	return result;
}

/* Finds the event that a record of the script is for, and writes it into its ring. */
#include <string.h>

#include "kernel/player.h"
#include "kernel/record_bytes.h"

/* Ignores the number of the PMU in it, which only tells the kind of core: cells of one event may differ in that. */
static uint64_t config_of(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE ? (uint32_t)attr->config :
										      attr->config;
}

static bool is_same_event(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->type == b->type && config_of(a) == config_of(b) && a->config1 == b->config1 &&
	       a->config2 == b->config2 && a->precise_ip == b->precise_ip;
}

static bool is_known_sampler(const struct player *player, const struct played_event *event)
{
	for (size_t i = 0; i < player->sampler_count; i++)
		if (is_same_event(&player->events.items[player->samplers[i]].attr, &event->attr))
			return true;
	return false;
}

static bool could_sample(struct player *player, struct played_event *event)
{
	struct played_event enabled = *event;

	enabled.is_enabled = true;
	return played_events_is_sampling(&player->events, &enabled);
}

/* The play begins when all events with a period and a ring are enabled. */
static void begin(struct player *player)
{
	player->sampler_count = 0;
	for (size_t i = 0; i < player->events.count; i++) {
		struct played_event *event = &player->events.items[i];

		if (!could_sample(player, event))
			continue;
		if (!event->is_enabled)
			return;
		if (!is_known_sampler(player, event) && player->sampler_count < SAMPLERS_MAX)
			player->samplers[player->sampler_count++] = (int)i;
	}
	player->is_playing = player->sampler_count > 0;
}

static bool is_on_cpu(const struct played_event *event, uint64_t cpu)
{
	return event->cpu < 0 || (uint64_t)event->cpu == cpu;
}

static bool has_sideband(const struct played_event *event, enum play_kind kind)
{
	switch (kind) {
	case PLAY_MMAP: return event->attr.mmap;
	case PLAY_COMM: return event->attr.comm;
	case PLAY_FORK:
	case PLAY_EXIT: return event->attr.task;
	default: return false;
	}
}

static bool is_of_sampler(const struct player *player, const struct played_event *event, uint64_t sampler)
{
	return sampler < player->sampler_count &&
	       is_same_event(&player->events.items[player->samplers[sampler]].attr, &event->attr);
}

/* NULL if there is none, or it is closed or disabled. */
static struct played_event *find_event(struct player *player, const struct play_record *record)
{
	const bool is_sideband = record->kind == PLAY_MMAP || record->kind == PLAY_COMM ||
				 record->kind == PLAY_FORK || record->kind == PLAY_EXIT;

	for (size_t i = 0; i < player->events.count; i++) {
		struct played_event *event = &player->events.items[i];

		if (event->is_closed || !event->is_enabled || !played_events_ring(&player->events, event) ||
		    !is_on_cpu(event, record->numbers[NUMBER_CPU]))
			continue;
		if (is_sideband ? has_sideband(event, record->kind) :
				  played_events_is_sampling(&player->events, event) &&
					  is_of_sampler(player, event, record->numbers[NUMBER_EVENT]))
			return event;
	}
	return NULL;
}

static size_t group_ids(const struct player *player, const struct played_event *event,
			uint64_t ids[static SAMPLERS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < player->events.count && count < SAMPLERS_MAX; i++)
		if (player->events.items[i].leader == event->leader && !player->events.items[i].is_closed)
			ids[count++] = player->events.items[i].id;
	return count;
}

/* If one event of a group asks for counters, the samples of all have them: intel_pmu_hw_config(). */
static bool group_counts_branches(const struct player *player, const struct played_event *event)
{
	for (size_t i = 0; i < player->events.count; i++)
		if (player->events.items[i].leader == event->leader && !player->events.items[i].is_closed &&
		    player->events.items[i].attr.branch_sample_type & MACHINE_COUNTERS)
			return true;
	return false;
}

/* Returns false if the ring has no room now. */
static bool play_record(struct player *player, const struct play_record *record)
{
	struct played_event *event = find_event(player, record);
	uint64_t ids[SAMPLERS_MAX];
	struct record_shape shape;
	struct played_ring *ring;

	if (!event) {
		player->dropped++;
		return true;
	}
	shape = (struct record_shape){ .attr = &event->attr,
				       .id = event->id,
				       .group_ids = ids,
				       .group_size = group_ids(player, event, ids),
				       .running_ns = record->numbers[NUMBER_TIME],
				       .branch_entries = player->machine->branch_entries,
				       .counts_branches = player->machine->branch_bits & MACHINE_COUNTERS &&
							  group_counts_branches(player, event) };
	strbuf_reset(&player->bytes);
	record_bytes_add(&player->bytes, record, &shape);
	ring = played_events_ring(&player->events, event);
	if (player->bytes.size > ring->size_bytes) {
		player->dropped++;
		return true;
	}
	if (!played_ring_write(ring, player->bytes.bytes, player->bytes.size))
		return false;
	if (record->kind == PLAY_SAMPLE)
		event->counted += record->numbers[NUMBER_PERIOD] ? record->numbers[NUMBER_PERIOD] : 1;
	return true;
}

void player_play(struct player *player)
{
	if (!player->is_playing)
		begin(player);
	while (player->is_playing && player->next_record < player->script.record_count &&
	       play_record(player, &player->script.records[player->next_record]))
		player->next_record++;
}

bool player_is_done(const struct player *player)
{
	return !player->is_playing || player->next_record == player->script.record_count;
}

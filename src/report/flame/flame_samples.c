/*
 * flame_samples_init() walks the profile's samples once: each that is in the graph becomes a row, and threads, CPUs, cgroups
 * and events get numbers in the order in which they are met. The JSON half sorts rows by node and writes differences to the row
 * or slot before, because small numbers take few characters.
 */
#include "report/flame/flame_samples.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/flame/flame_numbers.h"
#include "text/web_text.h"

/* A profile's numbers of one kind -> the page's, in the order of their first appearance. */
struct renumbering {
	uint32_t *numbers; /* by old one; PROFILE_NONE: none yet */
	size_t count;
};

static void renumbering_init(struct renumbering *renumbering, size_t old_count)
{
	*renumbering = (struct renumbering){ .numbers = xmalloc((old_count + 1) * sizeof(uint32_t)) };
	memset(renumbering->numbers, 0xff, (old_count + 1) * sizeof(uint32_t));
}

struct collecting {
	struct flame_samples *samples;
	struct flame_graph *graph;
	struct flame_groups groups;
	const struct profile *profile;
	const struct sample_keys *keys; /* may be NULL */
	struct renumbering threads, cgroups, events;
};

static uint32_t key_of(struct collecting *collecting, const struct profile_sample *sample,
		       enum flame_group group)
{
	return flame_graph_key(
		flame_groups_text(&collecting->groups, sample, group, collecting->graph->texts), FLAME_GROUP);
}

static uint32_t thread_of(struct collecting *collecting, const struct profile_sample *sample)
{
	uint32_t *number = &collecting->threads.numbers[sample->thread];
	const struct profile_thread *thread = profile_thread_at(collecting->profile, sample->thread);
	struct flame_samples *samples = collecting->samples;

	if (*number == PROFILE_NONE) {
		*number = (uint32_t)samples->thread_count++;
		samples->threads[*number] = (struct flame_thread){
			thread->pid,
			thread->tid,
			{ key_of(collecting, sample, FLAME_BY_COMM), key_of(collecting, sample, FLAME_BY_PID),
			  key_of(collecting, sample, FLAME_BY_TID) },
		};
	}
	return *number;
}

/* A list: CPUs are few, and damaged recordings may have any number. */
static uint32_t cpu_of(struct collecting *collecting, const struct profile_sample *sample)
{
	struct flame_samples *samples = collecting->samples;
	size_t i;

	for (i = samples->cpu_count; i-- > 0;)
		if (samples->cpus[i] == sample->cpu)
			return (uint32_t)i;
	samples->cpus = xrealloc(samples->cpus, (samples->cpu_count + 1) * sizeof(*samples->cpus));
	samples->cpu_keys =
		xrealloc(samples->cpu_keys, (samples->cpu_count + 1) * sizeof(*samples->cpu_keys));
	samples->cpus[samples->cpu_count] = sample->cpu;
	samples->cpu_keys[samples->cpu_count] = key_of(collecting, sample, FLAME_BY_CPU);
	return (uint32_t)samples->cpu_count++;
}

static uint32_t cgroup_of(struct collecting *collecting, const struct profile_sample *sample)
{
	uint32_t *number = &collecting->cgroups.numbers[sample->cgroup];
	struct flame_samples *samples = collecting->samples;

	if (*number == PROFILE_NONE) {
		*number = (uint32_t)samples->cgroup_count++;
		samples->cgroup_keys =
			xrealloc(samples->cgroup_keys, samples->cgroup_count * sizeof(*samples->cgroup_keys));
		samples->cgroup_keys[*number] = key_of(collecting, sample, FLAME_BY_CGROUP);
	}
	return *number;
}

static uint32_t event_of(struct collecting *collecting, const struct profile_sample *sample)
{
	uint32_t *number = &collecting->events.numbers[sample->event];
	struct flame_samples *samples = collecting->samples;

	if (*number == PROFILE_NONE) {
		*number = (uint32_t)samples->event_count++;
		samples->event_keys[*number] = key_of(collecting, sample, FLAME_BY_EVENT);
	}
	return *number;
}

/* If a wait has no state, as with perf's own --off-cpu, its key reads like that of a thread that ran: shown as "unknown". */
static uint32_t state_of(const struct collecting *collecting, const struct profile_sample *sample)
{
	const char *state;

	if (!collecting->keys || !sample->keys)
		return 0;
	state = sample_keys_text(collecting->keys, sample->keys, SAMPLE_KEY_STATE);
	return str_pool_add(collecting->samples->states, strcmp(state, "running") == 0 ? "unknown" : state);
}

/* `rows` gets the row of each of the profile's samples. */
static void add_rows(struct collecting *collecting, const uint32_t *leaves, uint32_t *rows)
{
	struct flame_samples *samples = collecting->samples;
	uint32_t count = profile_sample_count(collecting->profile), i;

	samples->rows = xmalloc(((size_t)count + 1) * sizeof(*samples->rows));
	for (i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(collecting->profile, i);

		rows[i] = PROFILE_NONE;
		if (leaves[i] == CALL_TREE_NONE)
			continue;
		rows[i] = (uint32_t)samples->row_count;
		samples->rows[samples->row_count++] = (struct flame_row){
			.node = leaves[i],
			.thread = thread_of(collecting, sample),
			.cpu = cpu_of(collecting, sample),
			.cgroup = cgroup_of(collecting, sample),
			.event = event_of(collecting, sample),
			.state = state_of(collecting, sample),
			.count = sample->count,
			.weight = sample->weight,
		};
	}
}

static void add_times(struct flame_samples *samples, const uint32_t *rows, const struct timeline *timeline)
{
	size_t count = timeline_count(timeline), i;

	samples->every = timeline_every(timeline);
	samples->slot_ns = timeline_slot_ns(timeline);
	samples->times = xmalloc((count + 1) * sizeof(*samples->times));
	for (i = 0; i < count; i++) {
		struct timeline_entry entry = *timeline_at(timeline, i);

		entry.sample = rows[entry.sample];
		if (entry.sample != PROFILE_NONE)
			samples->times[samples->time_count++] = entry;
	}
}

/* Of all samples: only if the graph has all of them. */
static void add_slot_counts(struct flame_samples *samples, const struct profile *profile,
			    const struct timeline *timeline)
{
	const uint32_t *counts = timeline_slot_counts(timeline, &samples->first_slot, &samples->slot_count);

	if (samples->every == 1 || samples->row_count != profile_sample_count(profile))
		return;
	samples->slot_counts = xmalloc(samples->slot_count * sizeof(*counts));
	memcpy(samples->slot_counts, counts, samples->slot_count * sizeof(*counts));
}

void flame_samples_init(struct flame_samples *samples, struct flame_graph *graph,
			const struct view_input *input, const uint32_t *leaves,
			const struct timeline *timeline)
{
	const struct profile *profile = input->profile;
	struct collecting collecting = {
		.samples = samples, .graph = graph, .profile = profile, .keys = input->keys
	};
	uint32_t *rows = xmalloc(((size_t)profile_sample_count(profile) + 1) * sizeof(*rows));

	*samples = (struct flame_samples){
		.threads = xmalloc(((size_t)profile_thread_count(profile) + 1) * sizeof(*samples->threads)),
		.event_keys =
			xmalloc(((size_t)profile_event_count(profile) + 1) * sizeof(*samples->event_keys)),
		.states = str_pool_create(),
	};
	flame_groups_init(&collecting.groups, input);
	renumbering_init(&collecting.threads, profile_thread_count(profile));
	renumbering_init(&collecting.cgroups, profile_string_count(profile));
	renumbering_init(&collecting.events, profile_event_count(profile));
	add_rows(&collecting, leaves, rows);
	add_times(samples, rows, timeline);
	add_slot_counts(samples, profile, timeline);
	free(rows);
	free(collecting.threads.numbers);
	free(collecting.cgroups.numbers);
	free(collecting.events.numbers);
	flame_groups_fini(&collecting.groups);
}

void flame_samples_fini(struct flame_samples *samples)
{
	free(samples->threads);
	free(samples->cpus);
	free(samples->cpu_keys);
	free(samples->cgroup_keys);
	free(samples->event_keys);
	str_pool_destroy(samples->states);
	free(samples->rows);
	free(samples->times);
	free(samples->slot_counts);
}

/* The pool's first text is the empty one. Where samples are left out, a lane would have holes. */
bool flame_samples_have_waits(const struct flame_samples *samples)
{
	return str_pool_count(samples->states) > 1 && samples->every == 1;
}

/* --- as JSON ------------------------------------------------------------------------------------------------- */

struct place {
	uint32_t place, row;
};

static int by_place(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* Rows in the order of their nodes on the page. The caller frees the array. */
static struct place *sorted_rows(const struct flame_samples *samples, const uint32_t *places)
{
	struct place *order = xmalloc((samples->row_count + 1) * sizeof(*order));
	size_t i;

	for (i = 0; i < samples->row_count; i++)
		order[i] = (struct place){ places[samples->rows[i].node], (uint32_t)i };
	qsort(order, samples->row_count, sizeof(*order), by_place);
	return order;
}

static void add_lists(struct strbuf *out, const struct flame_samples *samples,
		      const struct flame_graph *graph, const uint32_t *frames)
{
	size_t i;

	strbuf_adds(out, ",\n\"events\":[");
	for (i = 0; i < samples->event_count; i++) {
		strbuf_adds(out, i ? ",[" : "[");
		web_text_add_json(out, flame_graph_frame(graph, samples->event_keys[i]).name);
		strbuf_addf(out, ",%" PRIu32 "]", frames[samples->event_keys[i]]);
	}
	strbuf_adds(out, "],\n\"threads\":[");
	for (i = 0; i < samples->thread_count; i++) {
		const struct flame_thread *thread = &samples->threads[i];

		strbuf_addf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
			    i ? "," : "", thread->pid, thread->tid, frames[thread->keys[0]],
			    frames[thread->keys[1]], frames[thread->keys[2]]);
	}
	strbuf_adds(out, "],\n\"cpus\":[");
	for (i = 0; i < samples->cpu_count; i++)
		strbuf_addf(out, "%s[%" PRId64 ",%" PRIu32 "]", i ? "," : "",
			    samples->cpus[i] == PROFILE_NONE ? -1 : (int64_t)samples->cpus[i],
			    frames[samples->cpu_keys[i]]);
	strbuf_adds(out, "],\n\"cgroups\":[");
	for (i = 0; i < samples->cgroup_count; i++)
		strbuf_addf(out, "%s%" PRIu32, i ? "," : "", frames[samples->cgroup_keys[i]]);
	strbuf_addc(out, ']');
}

static void add_row_numbers(struct strbuf *out, const struct flame_samples *samples,
			    const struct place *order, uint64_t scale)
{
	uint32_t last = 0;
	size_t i;

	strbuf_addf(out, ",\n\"row_scale\":%" PRIu64 ",\"rows\":\"", scale);
	for (i = 0; i < samples->row_count; i++) {
		const struct flame_row *row = &samples->rows[order[i].row];

		flame_number_add(out, order[i].place - last);
		flame_number_add(out, row->thread);
		flame_number_add(out, row->cpu);
		flame_number_add(out, row->cgroup);
		flame_number_add(out, row->event);
		flame_number_add(out, row->count);
		flame_number_add(out, row->weight / scale);
		last = order[i].place;
	}
	strbuf_addc(out, '"');
}

static void add_states(struct strbuf *out, const struct flame_samples *samples, const struct place *order)
{
	if (!flame_samples_have_waits(samples))
		return;
	strbuf_adds(out, ",\n\"states\":[");
	for (uint32_t i = 1; i < str_pool_count(samples->states); i++) {
		strbuf_adds(out, i > 1 ? "," : "");
		web_text_add_json(out, str_pool_text(samples->states, i));
	}
	strbuf_adds(out, "],\"row_states\":\"");
	for (size_t i = 0; i < samples->row_count; i++)
		flame_number_add(out, samples->rows[order[i].row].state);
	strbuf_addc(out, '"');
}

static uint64_t scale_of(const struct flame_samples *samples)
{
	uint64_t factor = 0;
	size_t i;

	for (i = 0; i < samples->time_count && factor != 1; i++)
		factor = flame_common_factor(factor, samples->times[i].weight);
	for (i = 0; i < samples->row_count && factor != 1; i++)
		factor = flame_common_factor(factor, samples->rows[i].weight);
	return factor ? factor : 1;
}

/* The weight that entries leave out: that of the first entry, because nearly all are equal, or none is. */
static uint64_t usual_weight(const struct flame_samples *samples, uint64_t scale)
{
	return samples->time_count ? samples->times[0].weight / samples->times[0].count / scale : 1;
}

static void add_slot_numbers(struct strbuf *out, const struct flame_samples *samples)
{
	if (samples->every > 1)
		strbuf_addf(out, ",\n\"every\":%" PRIu32, samples->every);
	if (!samples->slot_counts)
		return;
	strbuf_adds(out, ",\"slot_counts\":\"");
	for (size_t i = 0; i < samples->slot_count; i++)
		flame_number_add(out, samples->slot_counts[i]);
	strbuf_addc(out, '"');
}

static uint64_t first_slot(const struct flame_samples *samples)
{
	if (samples->slot_counts)
		return samples->first_slot;
	return samples->time_count ? samples->times[0].slot : 0;
}

static void add_time_numbers(struct strbuf *out, const struct flame_samples *samples,
			     const struct place *order, uint64_t scale)
{
	uint32_t *ranks = xmalloc((samples->row_count + 1) * sizeof(*ranks));
	uint64_t usual = usual_weight(samples, scale), last = first_slot(samples);
	size_t i;

	for (i = 0; i < samples->row_count; i++)
		ranks[order[i].row] = (uint32_t)i;
	strbuf_adds(out, ",\n\"spans\":[");
	for (i = 0; i < samples->spans.count; i++)
		strbuf_addf(out, "%s[\"%" PRIu64 "\",\"%" PRIu64 "\"]", i ? "," : "",
			    samples->spans.items[i].from_ns, samples->spans.items[i].to_ns);
	strbuf_addf(out,
		    "],\n\"slot_ns\":%" PRIu64 ",\"first_slot\":%" PRIu64 ",\"slots\":%d,\"usual\":%" PRIu64
		    ",\"times\":\"",
		    samples->slot_ns, last, TIMELINE_COLUMN_SLOTS, usual);
	for (i = 0; i < samples->time_count; i++) {
		const struct timeline_entry *entry = &samples->times[i];
		bool unusual = entry->weight / scale != usual * entry->count;

		flame_number_add(out, entry->slot - last);
		flame_number_add(out, ranks[entry->sample]);
		flame_number_add(out, (uint64_t)entry->count * 2 + unusual);
		if (unusual)
			flame_number_add(out, entry->weight / scale);
		last = entry->slot;
	}
	strbuf_addc(out, '"');
	free(ranks);
}

void flame_samples_add_json(struct strbuf *out, const struct flame_samples *samples,
			    const struct flame_graph *graph, const uint32_t *places, const uint32_t *frames)
{
	struct place *order = sorted_rows(samples, places);
	uint64_t scale = scale_of(samples);

	add_lists(out, samples, graph, frames);
	add_row_numbers(out, samples, order, scale);
	add_states(out, samples, order);
	add_time_numbers(out, samples, order, scale);
	add_slot_numbers(out, samples);
	free(order);
}

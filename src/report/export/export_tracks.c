/*
 * The track of each merged sample is found once. The single samples, which are in order of time, are then divided between the
 * tracks by counting them.
 */
#include "report/export/export_tracks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "base/saturating.h"
#include "base/xalloc.h"
#include "report/export/export_samples.h"
#include "text/safe_text.h"

struct sorting {
	struct export_tracks *tracks;
	struct hash_table index;
	uint32_t *track_of; /* by the profile's samples; PROFILE_NONE: filtered out */
};

static bool is_same(const void *items, uint32_t item, const void *key)
{
	const struct export_track *track = (const struct export_track *)items + item, *wanted = key;

	return track->pid == wanted->pid && track->tid == wanted->tid && track->cpu == wanted->cpu;
}

static struct export_track track_of(const struct export_input *input, const struct profile_sample *sample)
{
	const struct profile_thread *thread = profile_thread_at(input->view.profile, sample->thread);
	struct export_track track = { .pid = PROFILE_NONE, .tid = PROFILE_NONE, .cpu = PROFILE_NONE };

	if (input->options->per == EXPORT_PER_CPU) {
		track.cpu = sample->cpu;
		return track;
	}
	track.pid = thread->pid;
	track.comm = thread->comm;
	if (input->options->per == EXPORT_PER_PROCESS)
		return track;
	track.tid = thread->tid;
	if (thread->tid == 0)
		track.cpu = sample->cpu;
	return track;
}

static uint32_t find_track(struct sorting *sorting, const struct profile_sample *sample)
{
	struct export_tracks *tracks = sorting->tracks;
	const struct export_track wanted = track_of(tracks->input, sample);
	const uint64_t hash = hash_combine(hash_combine(wanted.pid, wanted.tid), wanted.cpu);
	uint32_t number = hash_table_find(&sorting->index, hash, is_same, tracks->items, &wanted);

	if (number != HASH_TABLE_NONE)
		return number;
	number = (uint32_t)tracks->count;
	tracks->items =
		array_grow(tracks->items, &tracks->capacity, tracks->count + 1, sizeof(*tracks->items));
	tracks->items[tracks->count++] = wanted;
	hash_table_insert(&sorting->index, hash, number);
	return number;
}

static void find_tracks(struct sorting *sorting)
{
	const struct export_input *input = sorting->tracks->input;
	const struct profile *profile = input->view.profile;
	const uint32_t count = profile_sample_count(profile);
	bool *chosen = export_samples_chosen(input);

	sorting->track_of = xmalloc(((size_t)count + 1) * sizeof(*sorting->track_of));
	for (uint32_t i = 0; i < count; i++)
		sorting->track_of[i] =
			chosen[i] ? find_track(sorting, profile_sample_at(profile, i)) : PROFILE_NONE;
	free(chosen);
}

static void name_tracks(const struct export_tracks *tracks)
{
	const struct profile *profile = tracks->input->view.profile;

	for (size_t t = 0; t < tracks->count; t++)
		if (tracks->items[t].pid != PROFILE_NONE)
			tracks->items[t].comm =
				profile_thread_at(
					profile,
					profile_sample_at(profile, tracks->items[t].last_sample)->thread)
					->comm;
}

static void count_samples(struct sorting *sorting)
{
	struct export_tracks *tracks = sorting->tracks;
	const struct sample_log *log = tracks->input->log;
	uint64_t first_ns = UINT64_MAX;

	tracks->has_times = true;
	for (size_t i = 0; i < sample_log_count(log); i++) {
		const struct logged_sample *sample = sample_log_at(log, i);
		const uint32_t track = sorting->track_of[sample->sample];
		uint64_t begin_ns;

		if (i % SAMPLE_LOG_STRIDE == 0)
			sample_log_release(log);
		if (track == PROFILE_NONE)
			continue;
		tracks->items[track].count++;
		saturating_add(&tracks->items[track].weight, sample->weight);
		tracks->items[track].last_sample = sample->sample; /* threads change their names */
		if (sample->time_ns == SAMPLE_LOG_NO_TIME) {
			tracks->has_times = false;
			continue;
		}
		begin_ns = sample->time_ns > sample->weight ? sample->time_ns - sample->weight : 0;
		if (begin_ns < first_ns)
			first_ns = begin_ns;
	}
	tracks->first_ns = first_ns == UINT64_MAX ? 0 : first_ns;
	name_tracks(tracks);
}

static void place_samples(struct sorting *sorting)
{
	struct export_tracks *tracks = sorting->tracks;
	const struct sample_log *log = tracks->input->log;
	size_t next = 0;

	for (size_t t = 0; t < tracks->count; t++) {
		tracks->items[t].first = next;
		next += tracks->items[t].count;
		tracks->items[t].count = 0;
	}
	tracks->order = xmalloc((next + 1) * sizeof(*tracks->order));
	for (size_t i = 0; i < sample_log_count(log); i++) {
		const uint32_t track = sorting->track_of[sample_log_at(log, i)->sample];

		if (i % SAMPLE_LOG_STRIDE == 0)
			sample_log_release(log);
		if (track != PROFILE_NONE)
			tracks->order[tracks->items[track].first + tracks->items[track].count++] =
				(uint32_t)i;
	}
}

void export_tracks_init(struct export_tracks *tracks, const struct export_input *input)
{
	struct sorting sorting = { .tracks = tracks };

	*tracks = (struct export_tracks){ .input = input };
	hash_table_init(&sorting.index);
	find_tracks(&sorting);
	count_samples(&sorting);
	place_samples(&sorting);
	hash_table_fini(&sorting.index);
	free(sorting.track_of);
}

void export_tracks_fini(struct export_tracks *tracks)
{
	free(tracks->items);
	free(tracks->order);
}

void export_track_add_name(struct strbuf *out, const struct export_tracks *tracks, size_t track)
{
	const struct export_track *of = &tracks->items[track];

	if (of->pid != PROFILE_NONE) {
		safe_text_add(out, profile_text(tracks->input->view.profile, of->comm));
		strbuf_addf(out, " %" PRId32, (int32_t)of->pid);
		if (of->tid != PROFILE_NONE)
			strbuf_addf(out, "/%" PRId32, (int32_t)of->tid);
		if (of->cpu != PROFILE_NONE)
			strbuf_addf(out, " on CPU %" PRIu32, of->cpu);
	} else if (of->cpu == PROFILE_NONE) {
		strbuf_adds(out, "unknown CPU");
	} else {
		strbuf_addf(out, "CPU %" PRIu32, of->cpu);
	}
}

#ifndef XPROF_REPORT_EXPORT_EXPORT_TRACKS_H
#define XPROF_REPORT_EXPORT_EXPORT_TRACKS_H

/*
 * Single samples by track (a thread, process or CPU, as --per says), in order of time. The idle threads of all CPUs have the
 * tid 0, but each is a track of its own.
 *
 *     export_tracks_init(&tracks, input);
 *     for (size_t t = 0; t < tracks.count; t++)
 *             for (size_t i = 0; i < tracks.items[t].count; i++)
 *                     draw(export_tracks_sample(&tracks, t, i));
 */

#include "report/export/export_format.h"

struct export_track {
	uint32_t pid, tid, cpu; /* PROFILE_NONE if the track is not one of these */
	uint32_t comm;          /* string of the profile: the last name; 0 for a CPU */
	size_t first, count;    /* range of `order` */
	uint64_t weight;        /* sum of its samples */
	uint32_t last_sample;   /* number of the profile's sample; it has the name */
};

struct export_tracks {
	const struct export_input *input;
	struct export_track *items; /* in order of their first samples */
	size_t count, capacity;
	uint32_t *order; /* numbers of logged samples, track by track */
	/* time of the first sample minus its weight, if it ran all that time; 0: no sample has a time */
	uint64_t first_ns;
	bool has_times; /* all samples have times */
};

/* Uses the samples that pass the filters. */
void export_tracks_init(struct export_tracks *tracks, const struct export_input *input);
void export_tracks_fini(struct export_tracks *tracks);

static inline const struct logged_sample *export_tracks_sample(const struct export_tracks *tracks,
							       size_t track, size_t number)
{
	return sample_log_at(tracks->input->log, tracks->order[tracks->items[track].first + number]);
}

/* Appends "comm 123/124", "comm 123" or "CPU 3" as clean text. */
void export_track_add_name(struct strbuf *out, const struct export_tracks *tracks, size_t track);

#endif

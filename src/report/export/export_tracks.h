#ifndef XPROF_REPORT_EXPORT_EXPORT_TRACKS_H
#define XPROF_REPORT_EXPORT_EXPORT_TRACKS_H

/*
 * Single samples track by track, as --per says: of each thread, process or CPU, in order of time. The idle threads of all
 * CPUs have the same number, 0, and are a track each all the same.
 *
 *     export_tracks_init(&tracks, input);
 *     for (size_t t = 0; t < tracks.count; t++)
 *             for (size_t i = 0; i < tracks.items[t].count; i++)
 *                     draw(export_tracks_sample(&tracks, t, i));
 */

#include "report/export/export_format.h"

struct export_track {
	uint32_t pid, tid, cpu; /* PROFILE_NONE where the track is not of one */
	uint32_t comm;          /* string of the profile: the last name; 0 for a CPU */
	size_t first, count;    /* in `order` */
	uint64_t weight;        /* sum of its samples */
};

struct export_tracks {
	const struct export_input *input;
	struct export_track *items; /* in the order of their first samples */
	size_t count, capacity;
	uint32_t *order; /* numbers of logged samples, track by track */
	uint64_t first_ns; /* when the first sample began, if it was running for its weight; 0: no sample has a time */
	bool has_times; /* all samples have one */
};

/* Of the samples that the filters leave. */
void export_tracks_init(struct export_tracks *tracks, const struct export_input *input);
void export_tracks_fini(struct export_tracks *tracks);

static inline const struct logged_sample *export_tracks_sample(const struct export_tracks *tracks,
							       size_t track, size_t number)
{
	return sample_log_at(tracks->input->log, tracks->order[tracks->items[track].first + number]);
}

/* Appends "comm 123/124", "comm 123" or "CPU 3", clean. */
void export_track_add_name(struct strbuf *out, const struct export_tracks *tracks, size_t track);

#endif

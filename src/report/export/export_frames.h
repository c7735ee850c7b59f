#ifndef XPROF_REPORT_EXPORT_EXPORT_FRAMES_H
#define XPROF_REPORT_EXPORT_EXPORT_FRAMES_H

/*
 * Functions as formats without addresses have them: a name, and the file it is from; functions that are alike in both are
 * one. Numbers are given at the first use, dense and from 0.
 */

#include "base/str_pool.h"
#include "report/export/export_format.h"

struct export_frames {
	const struct export_input *input;
	uint32_t *number_of; /* by frame of the frame table; PROFILE_NONE: not used yet */
	uint32_t *nodes;     /* of the profile's stacks, by number: the first that was met */
	size_t count, capacity;
	struct str_pool *texts; /* name and file, by number + 1 */
};

void export_frames_init(struct export_frames *frames, const struct export_input *input);
void export_frames_fini(struct export_frames *frames);

/* Of the function at a node of the profile's stacks. */
uint32_t export_frames_number(struct export_frames *frames, uint32_t node);

/* As JSON strings, clean, with quotes: the name as folded stacks have it, and its source file, or else its program or library. */
void export_frames_add_name(struct strbuf *out, const struct export_frames *frames, uint32_t number);
void export_frames_add_file(struct strbuf *out, const struct export_frames *frames, uint32_t number);

#endif

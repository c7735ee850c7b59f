#ifndef XPROF_REPORT_EXPORT_EXPORT_FRAMES_H
#define XPROF_REPORT_EXPORT_EXPORT_FRAMES_H

/*
 * Functions for formats without addresses: a name and its file. Functions with equal name and file are one. Numbers are
 * assigned at the first use, densely from 0.
 */

#include "base/str_pool.h"
#include "report/export/export_format.h"

struct export_frames {
	const struct export_input *input;
	uint32_t *number_of; /* by frame of the frame table; PROFILE_NONE: not used yet */
	uint32_t *nodes;     /* by number: the first node of the profile's stacks with that function */
	size_t count;
	struct str_pool *texts; /* names with files */
	uint32_t *of_texts;     /* numbers by text - 1 */
	size_t text_count, text_capacity;
};

void export_frames_init(struct export_frames *frames, const struct export_input *input);
void export_frames_fini(struct export_frames *frames);

/* The number of the function at a node of the profile's stacks. */
uint32_t export_frames_number(struct export_frames *frames, uint32_t node);

/*
 * Append clean JSON strings with quotes: the name as in folded stacks; and the source file or, if unknown, the program or
 * library.
 */
void export_frames_add_name(struct strbuf *out, const struct export_frames *frames, uint32_t number);
void export_frames_add_file(struct strbuf *out, const struct export_frames *frames, uint32_t number);

#endif

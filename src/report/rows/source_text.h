#ifndef XPROF_REPORT_ROWS_SOURCE_TEXT_H
#define XPROF_REPORT_ROWS_SOURCE_TEXT_H

/*
 * The texts of the columns srcline and srcfile for each location, as strings of the profile. As in perf:
 * "file.c:12"; if the line is unknown, "function+28" (distance in bytes) or "library.so[1f40]"; an unknown
 * file is "".
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct source_texts {
	uint32_t *lines; /* by location */
	uint32_t *files;
};

/* `full_path`: the path in the debug information; otherwise the file's name alone. */
void source_texts_init(struct source_texts *texts, struct profile *profile, bool full_path);
void source_texts_fini(struct source_texts *texts);

#endif

#ifndef XPROF_REPORT_ROWS_SOURCE_TEXT_H
#define XPROF_REPORT_ROWS_SOURCE_TEXT_H

/*
 * The texts of the columns srcline and srcfile for each location, as strings of the profile. As in perf:
 * "file.c:12"; where no line is known "function+28", with the distance in bytes, or "library.so[1f40]"; no
 * file is "".
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct source_texts {
	uint32_t *lines; /* by location */
	uint32_t *files;
};

/* `full_path`: as the debug information has it, else the file's name alone. */
void source_texts_init(struct source_texts *texts, struct profile *profile, bool full_path);
void source_texts_fini(struct source_texts *texts);

#endif

#ifndef XPROF_REPORT_DUMP_DUMP_RUN_H
#define XPROF_REPORT_DUMP_DUMP_RUN_H

/*
 * The contents of one recording on standard output: what xprof dump prints, and -D of the commands that know it from perf.
 *
 *     request = (struct dump_request){ .input = "perf.data", .records = true, .offset_to = UINT64_MAX };
 *     dump_run(&request, &err);
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/color.h"

enum { DUMP_MAX_TYPES = 64 }; /* of records that one can ask for */

struct dump_request {
	const char *input; /* a path; "-" is standard input */
	bool header, records, summary;
	uint32_t types[DUMP_MAX_TYPES];
	unsigned int type_count;         /* 0: all types */
	uint64_t offset_from, offset_to; /* all: 0 and UINT64_MAX */
	uint64_t limit;                  /* of records; 0: none */
	bool raw, json, pager;
	enum color_mode color;
};

/* Returns 0, or -1 when the file cannot be read; what is damaged in it is part of what is printed. */
int dump_run(const struct dump_request *request, struct error *err);

#endif

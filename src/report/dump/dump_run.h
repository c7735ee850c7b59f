#ifndef XPROF_REPORT_DUMP_DUMP_RUN_H
#define XPROF_REPORT_DUMP_DUMP_RUN_H

/*
 * Prints the contents of a recording to standard output: xprof dump, and -D of other commands.
 *
 *     request = (struct dump_request){ .input = "perf.data", .records = true, .offset_to = UINT64_MAX };
 *     dump_run(&request, &err);
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/color.h"

enum { DUMP_MAX_TYPES = 64 }; /* record types in a request */

struct dump_request {
	const char *input; /* a path; "-" is standard input */
	bool header, records, summary;
	uint32_t types[DUMP_MAX_TYPES];
	unsigned int type_count;         /* 0: all types */
	uint64_t offset_from, offset_to; /* of records to print; 0 and UINT64_MAX: all */
	uint64_t limit;                  /* number of records; 0: no limit */
	bool raw, json, pager;
	enum color_mode color;
};

/* Returns 0, or -1 with err if the file cannot be read. Damaged records are shown in the output. */
int dump_run(const struct dump_request *request, struct error *err);

#endif

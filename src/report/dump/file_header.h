#ifndef XPROF_REPORT_DUMP_FILE_HEADER_H
#define XPROF_REPORT_DUMP_FILE_HEADER_H

/*
 * Prints the header of a recording line by line, as perf report --header-only: "# hostname : ...". Scripts
 * read these lines, so words and order are perf's.
 */

#include <time.h>

#include "base/strbuf.h"
#include "format/perf_file.h"
#include "format/perf_header.h"

/* `at_length` (-I): with the machine's topology, caches and memory. */
void file_header_add(struct strbuf *out, const struct perf_file *file, bool at_length);

/* The place of the records in the file, and the time when it was written. */
struct file_layout {
	time_t captured_s; /* since the Epoch */
	unsigned int version;
	struct file_section data;
};

/* Returns false for a pipe, and for a recording in an archive. */
bool file_header_read_layout(const struct perf_file *file, struct file_layout *layout);

#endif

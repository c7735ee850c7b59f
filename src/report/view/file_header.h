#ifndef XPROF_REPORT_VIEW_FILE_HEADER_H
#define XPROF_REPORT_VIEW_FILE_HEADER_H

/*
 * What a recording says of itself, line by line as perf report --header-only prints it: "# hostname : ...". Scripts read
 * these lines, so their words and order are perf's.
 */

#include "base/strbuf.h"
#include "format/perf_file.h"

/* `at_length` (-I): also the topology of the machine, its caches and memory. */
void file_header_add(struct strbuf *out, const struct perf_file *file, bool at_length);

#endif

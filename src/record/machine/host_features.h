#ifndef XPROF_RECORD_HOST_FEATURES_H
#define XPROF_RECORD_HOST_FEATURES_H

/*
 * The file's features about the machine and the command: HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC,
 * CPUID, TOTAL_MEM and CMDLINE (tools/perf/Documentation/perf.data-file-format.txt).
 */

#include "base/strbuf.h"
#include "format/write/perf_writer.h"

/* Sets them before perf_writer_begin(), so that they are written ahead. Unknown facts are left out. */
void host_features_set(struct perf_writer *writer, const char *version);

/* The value of the first "KEY : value" line of a file like /proc/cpuinfo; "" when there is none. */
void host_features_find_field(struct strbuf *value, const char *text, const char *key);

#endif

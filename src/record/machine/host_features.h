#ifndef XPROF_RECORD_HOST_FEATURES_H
#define XPROF_RECORD_HOST_FEATURES_H

/*
 * The file's features about the machine and the command: HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC,
 * CPUID, TOTAL_MEM and CMDLINE (tools/perf/Documentation/perf.data-file-format.txt).
 */

#include "base/strbuf.h"
#include "format/write/perf_writer.h"

/*
 * Sets the features. Call it before perf_writer_begin(). `version` is that of xprof. Unknown facts are left
 * out.
 */
void host_features_set(struct perf_writer *writer, const char *version);

/*
 * Finds the value of the first line "KEY : value" in the text of a file such as /proc/cpuinfo. `value` is
 * empty if there is none.
 */
void host_features_find_field(struct strbuf *value, const char *text, const char *key);

#endif

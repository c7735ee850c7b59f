#ifndef XPROF_REPORT_LOAD_RECORDED_HOST_H
#define XPROF_REPORT_LOAD_RECORDED_HOST_H

/* Was a recording made on the machine that reads it? Messages about changed or missing files depend on it. */

#include "format/perf_features.h"
#include "profile/profile_facts.h"

struct utsname;

/* Compares host name, machine and kernel, as far as they were recorded. */
enum recorded_host recorded_host_of(const struct perf_features *features);

/* The same, compared with `here`: for tests. */
enum recorded_host recorded_host_compare(const struct perf_features *features, const struct utsname *here);

#endif

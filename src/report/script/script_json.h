#ifndef XPROF_REPORT_SCRIPT_SCRIPT_JSON_H
#define XPROF_REPORT_SCRIPT_SCRIPT_JSON_H

/*
 * A recording as the JSON that perf data convert --to-json writes (linux-perf-json-version 1): its header,
 * and each sample with its thread, call chain and tracepoint fields. Unlike perf's, call chains include
 * frames unwound from stack dumps.
 */

#include "report/script/script_sample.h"

void script_json_begin(struct script_writer *writer);
void script_json_add_sample(struct script_writer *writer, const struct script_sample *sample);
void script_json_end(struct script_writer *writer);

#endif

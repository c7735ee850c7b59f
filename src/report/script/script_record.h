#ifndef XPROF_REPORT_SCRIPT_SCRIPT_RECORD_H
#define XPROF_REPORT_SCRIPT_SCRIPT_RECORD_H

/* Writes records other than samples, as perf script --show-task-events and similar options do. */

#include "format/event.h"
#include "report/script/script_filter.h"
#include "report/script/script_writer.h"

/*
 * COMM, FORK, EXIT, MMAP, MMAP2, SWITCH, SWITCH_CPU_WIDE, LOST, NAMESPACES, CGROUP, KSYMBOL, BPF_EVENT,
 * TEXT_POKE. writer->places must be set. Returns 0, or -1 if the record is damaged; nothing is written then.
 */
int script_record_write(struct script_writer *writer, const struct event *event, uint64_t state_time_ns,
			const struct script_filter *filter);

#endif

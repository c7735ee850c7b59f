#ifndef XPROF_REPORT_SCRIPT_SCRIPT_RECORD_H
#define XPROF_REPORT_SCRIPT_SCRIPT_RECORD_H

/* Records other than samples, as perf script prints them with --show-task-events and its like. */

#include "format/event.h"
#include "report/script/script_filter.h"
#include "report/script/script_writer.h"

/*
 * COMM, FORK, EXIT, MMAP, MMAP2, SWITCH, SWITCH_CPU_WIDE, LOST, NAMESPACES, CGROUP, KSYMBOL, BPF_EVENT, TEXT_POKE.
 * The writer's places must be there. -1 when the record is damaged; nothing is written then.
 */
int script_record_write(struct script_writer *writer, const struct event *event, uint64_t state_time_ns,
			const struct script_filter *filter);

#endif

/*
 * Collects the answers of this machine. To find out whether stacks can be copied, a BPF program is loaded and
 * closed again.
 */
#include "record/machine_probe.h"

#include <stdio.h>
#include <unistd.h>

#include "record/bpf/stack_copier.h"
#include "record/bpf/stack_copy_record.h"
#include "record/event/event_spec.h"
#include "record/machine/facilities.h"
#include "record/machine/facility_report.h"

static int try_stack_copies(struct error *err)
{
	const struct stack_copier_plan plan = { .ring_bytes = (size_t)sysconf(_SC_PAGESIZE),
						.max_bytes = STACK_COPY_MAX,
						.may_use_clock = true };
	struct stack_copier *copier = stack_copier_open(&plan, err);

	if (!copier)
		return -1;
	stack_copier_close(copier);
	return 0;
}

int machine_probe_run(void)
{
	const struct facility_sources sources = {
		.proc = "/proc",
		.calls = &perf_calls_system,
		.tracefs = event_sources_find_tracefs(&event_sources_system),
		.try_stack_copies = try_stack_copies,
	};
	struct facilities facilities;
	struct strbuf report;

	facilities_ask(&facilities, &sources);
	strbuf_init(&report);
	facility_report_add(&report, &facilities);
	fwrite(report.bytes, 1, report.size, stdout);
	strbuf_fini(&report);
	return facilities.own_errno ? 1 : 0;
}

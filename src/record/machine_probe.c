/*
 * Collects the answers of this machine. To find out whether stacks can be copied and waits can be timed, BPF programs are
 * loaded and closed again.
 */
#include "record/machine_probe.h"

#include <stdio.h>
#include <unistd.h>

#include "record/bpf/off_cpu_tracer.h"
#include "record/bpf/stack_copier.h"
#include "record/bpf/stack_copy_record.h"
#include "record/event/event_spec.h"
#include "record/machine/facilities.h"

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

static int try_waits(struct error *err)
{
	const struct off_cpu_tracer_plan plan = { .period_ns = 1000000,
						  .ring_bytes = (size_t)sysconf(_SC_PAGESIZE) };
	struct off_cpu_tracer *tracer = off_cpu_tracer_open(&plan, err);
	bool at_exit;

	if (!tracer)
		return -1;
	at_exit = off_cpu_tracer_copies_at_exit(tracer);
	off_cpu_tracer_close(tracer);
	return at_exit;
}

int machine_probe_run(void)
{
	const struct facility_sources sources = {
		.proc = "/proc",
		.calls = &perf_calls_system,
		.tracefs = event_sources_find_tracefs(&event_sources_system),
		.try_stack_copies = try_stack_copies,
		.try_waits = try_waits,
	};
	struct facilities facilities;
	struct strbuf report = STRBUF_INIT;

	facilities_ask(&facilities, &sources);
	facility_report_add(&report, &facilities);
	fwrite(report.bytes, 1, report.size, stdout);
	strbuf_fini(&report);
	return facilities.own_errno ? 1 : 0;
}

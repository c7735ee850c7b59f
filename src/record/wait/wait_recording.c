/* Opens the parts in the order of their dependencies; wait_sampler.c does the work of each round. */
#include "record/wait/wait_recording.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "record/machine/proc_file.h"

enum {
	RING_BYTES =
		8 * 1024 *
		1024 /* a second of a thousand sampled waits, with stacks of 4 KiB and their wakers' stacks */
};

struct wait_recording {
	struct off_cpu_tracer *tracer;
	struct kernel_functions *functions;
	struct wait_sampler *sampler;
};

static struct off_cpu_tracer *open_tracer(const struct wait_recording_plan *plan, struct error *err)
{
	const struct target *target = plan->target;
	uint32_t *tids = xcalloc(target->thread_count + 1, sizeof(*tids));
	struct off_cpu_tracer_plan tracer = { .period_ns = plan->period_ns,
					      .any_thread = target->any_thread,
					      .no_inherit = plan->no_inherit,
					      .from_exec = plan->from_exec,
					      .tids = tids,
					      .cpus = plan->only_its_cpus ? target->sampled_cpus : NULL,
					      .cpu_count = target->sampled_count,
					      .cgroups = plan->cgroups->ids,
					      .cgroup_count = plan->cgroups->count,
					      .ring_bytes = RING_BYTES };
	struct off_cpu_tracer *opened;

	for (size_t i = 0; !target->any_thread && i < target->thread_count; i++)
		tids[tracer.tid_count++] = (uint32_t)target->threads[i].tid;
	opened = off_cpu_tracer_open(&tracer, err);
	free(tids);
	return opened;
}

/* If kallsyms is not readable, the kinds of waits come from system calls. */
static struct kernel_functions *read_functions(void)
{
	struct kernel_functions *functions;
	struct error unreadable;
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, "");
	(void)proc_file_read(&text, "/proc/kallsyms", &unreadable);
	functions = kernel_functions_create(text.bytes);
	strbuf_fini(&text);
	return functions;
}

struct wait_recording *wait_recording_open(const struct wait_recording_plan *plan, struct error *err)
{
	struct wait_recording *waits = xcalloc(1, sizeof(*waits));
	struct wait_sampler_plan sampler = { .sampler = plan->sampler,
					     .no_kernel_chains = plan->no_kernel_chains,
					     .no_user_chains = plan->no_user_chains };

	waits->tracer = open_tracer(plan, err);
	if (!waits->tracer) {
		wait_recording_close(waits);
		return NULL;
	}
	waits->functions = read_functions();
	sampler.ring = off_cpu_tracer_ring(waits->tracer);
	sampler.functions = waits->functions;
	waits->sampler = wait_sampler_create(&sampler);
	return waits;
}

void wait_recording_close(struct wait_recording *waits)
{
	if (!waits)
		return;
	wait_sampler_destroy(waits->sampler);
	kernel_functions_destroy(waits->functions);
	off_cpu_tracer_close(waits->tracer);
	free(waits);
}

struct wait_sampler *wait_recording_sampler(struct wait_recording *waits)
{
	return waits->sampler;
}

int wait_recording_fd(const struct wait_recording *waits)
{
	return off_cpu_tracer_fd(waits->tracer);
}

bool wait_recording_copies_at_exit(const struct wait_recording *waits)
{
	return off_cpu_tracer_copies_at_exit(waits->tracer);
}

int wait_recording_begin(struct wait_recording *waits, uint64_t now_ns, struct error *err)
{
	return off_cpu_tracer_begin(waits->tracer, now_ns, err);
}

void wait_recording_end(struct wait_recording *waits, uint64_t now_ns)
{
	off_cpu_tracer_end(waits->tracer, now_ns);
	wait_sampler_note_lost(waits->sampler, off_cpu_tracer_counts(waits->tracer).lost_waits);
}

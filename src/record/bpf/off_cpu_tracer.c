/* Loads and attaches the BPF programs that time waits, see off_cpu_tracer.h. */

#include "record/bpf/off_cpu_tracer.h"

#ifdef HAVE_BPF

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/xalloc.h"

/* The programs, with the loader that bpftool generated: it needs libbpf's headers, but not the library. */
#include <off_cpu.skeleton.h>

enum {
	RECORD_MAX_BYTES = 16 + sizeof(struct off_cpu_stack_record) + STACK_COPY_MAX + STACK_COPY_PAGE +
			   STACK_COPY_MAX_OUTER,
	BOUNDS = 4096 /* threads whose stack bounds are remembered */
};

struct off_cpu_tracer {
	struct off_cpu *programs;
	struct copy_ring ring;
	int wake_fd; /* an epoll of the ring, edge-triggered */
	bool at_exit;
};

static int explain(int load_errno, struct error *err)
{
	switch (load_errno) {
	case EPERM:
	case EACCES:
		return error_set_errno(
			err, load_errno,
			"BPF programs that measure waits may not be loaded: run as root, or with CAP_BPF and "
			"CAP_PERFMON");
	case ENOMEM:
		return error_set_errno(err, load_errno,
				       "the BPF programs that measure waits cannot be loaded");
	default:
		return error_set_errno(
			err, load_errno,
			"this kernel cannot measure waits by BPF: that needs Linux 5.19, with the kernel's types in "
			"/sys/kernel/btf/vmlinux (CONFIG_DEBUG_INFO_BTF)");
	}
}

static void set_cpus(struct off_cpu_settings *settings, const struct off_cpu_tracer_plan *plan)
{
	const int known = (int)sizeof(settings->cpus) * 8;

	settings->some_cpus = plan->cpus != NULL;
	for (size_t i = 0; plan->cpus && i < plan->cpu_count; i++)
		if (plan->cpus[i] < known)
			settings->cpus[plan->cpus[i] / 64] |= UINT64_C(1) << plan->cpus[i] % 64;
}

static void set_cgroups(struct off_cpu_settings *settings, const struct off_cpu_tracer_plan *plan)
{
	for (size_t i = 0; i < plan->cgroup_count && i < OFF_CPU_CGROUPS; i++)
		settings->cgroups[settings->cgroup_count++] = plan->cgroups[i];
}

/* Returns 0, or an errno. */
static int try_to_load(struct off_cpu_tracer *tracer, const struct off_cpu_tracer_plan *plan)
{
	struct off_cpu *programs = off_cpu__open();
	int result;

	if (!programs)
		return ENOMEM;
	off_cpu__destroy(tracer->programs);
	tracer->programs = programs;
	programs->maps.copies.max_entries = (__u32)plan->ring_bytes;
	programs->maps.bounds.max_entries = BOUNDS;
	programs->maps.targets.max_entries = plan->tid_count ? (__u32)plan->tid_count : 1;
	programs->maps.kept.max_entries = tracer->at_exit ? OFF_CPU_KEPT : 1;
	programs->rodata->settings =
		(struct stack_copy_settings){ .max_bytes = STACK_COPY_MAX, .by_clock = true };
	programs->rodata->off_cpu = (struct off_cpu_settings){ .period_ns = plan->period_ns,
							       .any_thread = plan->any_thread,
							       .no_inherit = plan->no_inherit,
							       .from_exec = plan->from_exec,
							       .at_exit = tracer->at_exit,
							       .own_pid = (__u32)getpid() };
	set_cpus(&programs->rodata->off_cpu, plan);
	set_cgroups(&programs->rodata->off_cpu, plan);
	result = off_cpu__load(programs);
	return result < 0 ? -result : 0;
}

/* Tries with task work, then without. If both fail, something other than task work is missing. */
static int load(struct off_cpu_tracer *tracer, const struct off_cpu_tracer_plan *plan, struct error *err)
{
	int result = try_to_load(tracer, plan);

	if (result && result != EPERM && result != EACCES && result != ENOMEM) {
		tracer->at_exit = true;
		result = try_to_load(tracer, plan);
	}
	return result ? explain(result, err) : 0;
}

static int add_targets(struct off_cpu_tracer *tracer, const struct off_cpu_tracer_plan *plan,
		       struct error *err)
{
	const uint8_t value = 1;

	for (size_t i = 0; i < plan->tid_count; i++)
		if (skel_map_update_elem(tracer->programs->maps.targets.map_fd, &plan->tids[i], &value, 0) <
		    0)
			return error_set_errno(err, errno,
					       "cannot tell the BPF programs which threads to measure");
	return 0;
}

static int watch_ring(struct off_cpu_tracer *tracer, size_t ring_bytes, struct error *err)
{
	struct epoll_event woken = { .events = EPOLLIN | EPOLLET };
	const int map_fd = tracer->programs->maps.copies.map_fd;

	tracer->wake_fd = epoll_create1(EPOLL_CLOEXEC);
	if (tracer->wake_fd < 0 || epoll_ctl(tracer->wake_fd, EPOLL_CTL_ADD, map_fd, &woken) < 0)
		return error_set_errno(err, errno, "cannot wait for the ring of waits");
	return copy_ring_map(&tracer->ring, map_fd, ring_bytes, RECORD_MAX_BYTES, err);
}

static int attach(struct off_cpu_tracer *tracer, struct error *err)
{
	struct off_cpu *programs = tracer->programs;

	if (off_cpu__on_switch__attach(programs) < 0 || off_cpu__on_waking__attach(programs) < 0 ||
	    off_cpu__on_wakeup_new__attach(programs) < 0 || off_cpu__on_fork__attach(programs) < 0 ||
	    off_cpu__on_exec__attach(programs) < 0 || off_cpu__on_exit__attach(programs) < 0 ||
	    (tracer->at_exit && off_cpu__on_sys_exit__attach(programs) < 0))
		return error_set_errno(err, errno, "the BPF programs that measure waits cannot be attached");
	return 0;
}

struct off_cpu_tracer *off_cpu_tracer_open(const struct off_cpu_tracer_plan *plan, struct error *err)
{
	struct off_cpu_tracer *tracer = xcalloc(1, sizeof(*tracer));

	tracer->wake_fd = -1;
	if (load(tracer, plan, err) < 0 || add_targets(tracer, plan, err) < 0 ||
	    watch_ring(tracer, plan->ring_bytes, err) < 0 || attach(tracer, err) < 0) {
		off_cpu_tracer_close(tracer);
		return NULL;
	}
	return tracer;
}

void off_cpu_tracer_close(struct off_cpu_tracer *tracer)
{
	if (!tracer)
		return;
	copy_ring_unmap(&tracer->ring);
	if (tracer->wake_fd >= 0)
		close(tracer->wake_fd);
	off_cpu__destroy(tracer->programs);
	free(tracer);
}

static int set_span(const struct off_cpu_tracer *tracer, uint64_t begin_ns, uint64_t end_ns)
{
	const struct off_cpu_span span = { .begin_ns = begin_ns, .end_ns = end_ns };
	const uint32_t key = 0;

	return skel_map_update_elem(tracer->programs->maps.span.map_fd, &key, &span, 0);
}

static struct off_cpu_span span_of(const struct off_cpu_tracer *tracer)
{
	struct off_cpu_span span = { .begin_ns = 0 };
	const uint32_t key = 0;
	union bpf_attr attr = { .map_fd = (__u32)tracer->programs->maps.span.map_fd,
				.key = (uintptr_t)&key,
				.value = (uintptr_t)&span };

	(void)skel_sys_bpf(BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr));
	return span;
}

/* Reading from the iterator runs its program for each thread of the machine; it prints nothing. */
static void visit_threads(const struct off_cpu_tracer *tracer)
{
	union bpf_attr attr = { .iter_create = { 0 } };
	const int link_fd =
		skel_link_create(tracer->programs->progs.on_each_thread.prog_fd, 0, BPF_TRACE_ITER);
	char nothing[64];
	int iterator_fd;

	if (link_fd < 0)
		return;
	attr.iter_create.link_fd = (__u32)link_fd;
	iterator_fd = skel_sys_bpf(BPF_ITER_CREATE, &attr, sizeof(attr));
	if (iterator_fd >= 0) {
		while (read(iterator_fd, nothing, sizeof(nothing)) > 0)
			;
		close(iterator_fd);
	}
	close(link_fd);
}

int off_cpu_tracer_begin(struct off_cpu_tracer *tracer, uint64_t now_ns, struct error *err)
{
	if (set_span(tracer, now_ns, 0) < 0)
		return error_set_errno(err, errno, "the BPF programs that measure waits cannot be started");
	visit_threads(tracer);
	return 0;
}

void off_cpu_tracer_end(struct off_cpu_tracer *tracer, uint64_t now_ns)
{
	const uint64_t begin_ns = span_of(tracer).begin_ns;

	(void)set_span(tracer, begin_ns, now_ns);
	off_cpu__detach(tracer->programs);
	memset(&tracer->programs->links, 0, sizeof(tracer->programs->links));
	if (begin_ns)
		visit_threads(tracer);
}

int off_cpu_tracer_fd(const struct off_cpu_tracer *tracer)
{
	return tracer->wake_fd;
}

bool off_cpu_tracer_copies_at_exit(const struct off_cpu_tracer *tracer)
{
	return tracer->at_exit;
}

struct copy_ring *off_cpu_tracer_ring(struct off_cpu_tracer *tracer)
{
	return &tracer->ring;
}

struct off_cpu_tracer_counts off_cpu_tracer_counts(const struct off_cpu_tracer *tracer)
{
	struct off_cpu__bss bss = { 0 };
	const uint32_t key = 0; /* all variables of the programs are one map value */
	union bpf_attr attr = { .map_fd = (__u32)tracer->programs->maps.bss.map_fd,
				.key = (uintptr_t)&key,
				.value = (uintptr_t)&bss };

	if (skel_sys_bpf(BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr)) < 0)
		return (struct off_cpu_tracer_counts){ .lost_waits = 0 };
	return (struct off_cpu_tracer_counts){
		.lost_waits = bss.off_cpu_counts[OFF_CPU_NO_ROOM],
		.lost_stacks = bss.off_cpu_counts[OFF_CPU_NO_ROOM_STACK] +
			       bss.off_cpu_counts[OFF_CPU_NO_SLOT] +
			       bss.off_cpu_counts[OFF_CPU_NOT_SCHEDULED],
	};
}

#else /* built without the tools that BPF programs need */

struct off_cpu_tracer *off_cpu_tracer_open(const struct off_cpu_tracer_plan *plan, struct error *err)
{
	(void)plan;
	(void)error_set(err,
			"this xprof was built without BPF programs, see 'xprof version --build-options'");
	return NULL;
}

void off_cpu_tracer_close(struct off_cpu_tracer *tracer)
{
	(void)tracer;
}

int off_cpu_tracer_begin(struct off_cpu_tracer *tracer, uint64_t now_ns, struct error *err)
{
	(void)tracer;
	(void)now_ns;
	(void)err;
	return 0;
}

void off_cpu_tracer_end(struct off_cpu_tracer *tracer, uint64_t now_ns)
{
	(void)tracer;
	(void)now_ns;
}

int off_cpu_tracer_fd(const struct off_cpu_tracer *tracer)
{
	(void)tracer;
	return -1;
}

bool off_cpu_tracer_copies_at_exit(const struct off_cpu_tracer *tracer)
{
	(void)tracer;
	return false;
}

struct copy_ring *off_cpu_tracer_ring(struct off_cpu_tracer *tracer)
{
	(void)tracer;
	return NULL;
}

struct off_cpu_tracer_counts off_cpu_tracer_counts(const struct off_cpu_tracer *tracer)
{
	(void)tracer;
	return (struct off_cpu_tracer_counts){ .lost_waits = 0 };
}

#endif

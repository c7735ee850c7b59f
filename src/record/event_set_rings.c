/* The rings of an event set: chooses their size, maps them, and shortens samples that would not fit. */
#include <errno.h>
#include <inttypes.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "record/event_set_state.h"
#include "record/machine/proc_file.h"
#include "record/own_priority.h"

/* The sideband event that the ring is mapped from. Every other event of the CPU writes into it. */
static int ring_leader(const struct event_set *set, size_t cpu)
{
	const struct target *target = set->target;
	const int *fds = set->events[SIDEBAND].fds;

	for (size_t thread = 0; thread < target->thread_count; thread++)
		if (fds[thread * set->slot_count + cpu] >= 0)
			return fds[thread * set->slot_count + cpu];
	return -1;
}

void event_set_unmap_rings(struct event_set *set)
{
	for (size_t slot = 0; slot < set->slot_count; slot++)
		ring_buffer_unmap(&set->rings[slot]);
}

size_t event_set_ring_pages(const struct event_set *set, size_t slot, size_t pages)
{
	enum { UNSAMPLED_PAGES = 32 }; /* room for the records of some hundred starting processes */

	return pages > UNSAMPLED_PAGES && !target_samples_cpu(set->target, set->target->cpus[slot]) ?
		       UNSAMPLED_PAGES :
		       pages;
}

static int map_rings_of(struct event_set *set, size_t pages, struct error *err)
{
	for (size_t cpu = 0; cpu < set->target->cpu_count; cpu++) {
		int fd = ring_leader(set, cpu);

		set->slots[cpu].ring_fd = fd;
		if (fd < 0)
			continue;
		if (ring_buffer_map(&set->rings[cpu], fd, event_set_ring_pages(set, cpu, pages), err) < 0) {
			event_set_unmap_rings(set);
			return -1;
		}
	}
	return 0;
}

static unsigned int max_stack(void)
{
	long long frames;

	return proc_file_read_number("/proc/sys/kernel/perf_event_max_stack", &frames, NULL) < 0 ?
		       PERF_MAX_STACK_DEPTH :
		       (unsigned int)frames;
}

struct ring_demand event_set_ring_demand(const struct event_set *set)
{
	struct ring_demand demand = { .waits = !own_priority_may_be_raised(),
				      .cpu_count = target_sampled_count(set->target),
				      .page_bytes = (size_t)sysconf(_SC_PAGESIZE),
				      .memory_pages = (size_t)sysconf(_SC_PHYS_PAGES) };
	const unsigned int frames = max_stack();

	for (size_t i = 1; i < set->event_count; i++)
		ring_demand_add(&demand, &set->events[i].asked.attr, frames);
	return demand;
}

/* perf_mmap(), linux/kernel/events/core.c: each limit has an errno of its own. */
static int explain_no_ring(size_t page_kib, struct error *err)
{
	const int map_errno = err->errno_value;

	if (map_errno == EPERM)
		error_set(err,
			  "cannot map a ring of even %zu KiB per CPU: the memory that this user may lock is "
			  "used up, perhaps by another recorder; raise the limit ('sysctl "
			  "kernel.perf_event_mlock_kb=%zu', 'ulimit -l')",
			  page_kib, 129 * page_kib);
	else if (map_errno == ENOMEM)
		error_set(err,
			  "cannot map a ring of even %zu KiB per CPU: the machine, or the cgroup that xprof "
			  "runs in, has no memory left",
			  page_kib);
	else if (map_errno == EACCES)
		error_set(err, "cannot map a ring: a security module (SELinux) forbids reading perf events");
	err->errno_value = map_errno;
	return -1;
}

/* EPERM: the rings exceed perf_event_mlock_kb and RLIMIT_MEMLOCK, which all rings share, so all are halved together. */
int event_set_map_rings(struct event_set *set, const struct ring_demand *demand, struct error *err)
{
	size_t wanted = set->options->ring_pages ? set->options->ring_pages : ring_size_pages(demand);
	size_t pages = wanted;
	size_t page_kib = demand->page_bytes / 1024;

	while (map_rings_of(set, pages, err) < 0) {
		if ((err->errno_value != EPERM && err->errno_value != ENOMEM) || pages == 1)
			return explain_no_ring(page_kib, err);
		pages /= 2;
	}
	set->ring_bytes = pages * demand->page_bytes;
	if (pages < wanted)
		strbuf_addf(set->notices,
			    "rings of %zu KiB per CPU instead of %zu: locked memory is limited; "
			    "'sysctl kernel.perf_event_mlock_kb=%zu' or 'ulimit -l' allows more\n",
			    pages * page_kib, wanted * page_kib, (wanted + 1) * page_kib);
	return 0;
}

static void say_dumps_are_shorter(struct event_set *set, const struct ring_demand *demand,
				  uint32_t dump_bytes)
{
	strbuf_addf(set->notices, "stack dumps of %" PRIu32 " bytes instead of %" PRIu32, dump_bytes,
		    demand->dump_bytes);
	if (ring_size_dump_bytes(demand, set->ring_bytes, true) == dump_bytes)
		strbuf_addf(set->notices,
			    ": rings of %zu KiB have no room for larger ones; use larger rings (-m)\n",
			    set->ring_bytes / 1024);
	else
		strbuf_addf(set->notices,
			    ": samples of every hit may come too fast for more; '--call-graph %s,%" PRIu32
			    "' keeps the size\n",
			    set->options->sampling.call_graph.mode == CALL_GRAPH_DWARF ? "dwarf" : "auto",
			    demand->dump_bytes);
}

/* Shortens chains and dumps: the kernel would lose every sample larger than its ring. */
void event_set_fit_samplers(struct event_set *set, struct ring_demand demand)
{
	uint32_t dump_bytes;

	if (demand.fixed_bytes > ring_size_sample_bytes(set->ring_bytes) &&
	    max_stack() > PERF_MAX_STACK_DEPTH) {
		for (size_t i = 1; i < set->event_count; i++)
			event_attr_limit_stack(&set->events[i].asked.attr, PERF_MAX_STACK_DEPTH);
		demand = event_set_ring_demand(set);
		strbuf_addf(set->notices,
			    "call chains of %d frames at most: rings of %zu KiB have no room for more\n",
			    PERF_MAX_STACK_DEPTH, set->ring_bytes / 1024);
	}
	dump_bytes =
		ring_size_dump_bytes(&demand, set->ring_bytes, set->options->sampling.call_graph.size_given);
	for (size_t i = 1; i < set->event_count; i++)
		event_attr_limit_dump(&set->events[i].asked.attr, dump_bytes);
	if (dump_bytes < demand.dump_bytes)
		say_dumps_are_shorter(set, &demand, dump_bytes);
}

int event_set_redirect(const struct event_set *set, const struct opened_event *event, struct error *err)
{
	const struct target *target = set->target;

	for (size_t cpu = 0; cpu < target->cpu_count; cpu++) {
		const bool backward = set->options->overwrite && event != &set->events[SIDEBAND];
		int leader = backward ? set->slots[cpu].backward_fd : ring_leader(set, cpu);

		for (size_t thread = 0; thread < target->thread_count; thread++) {
			int fd = event->fds[thread * set->slot_count + cpu];

			if (fd >= 0 && fd != leader && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, leader) < 0)
				return error_set_errno(err, errno, "cannot direct %s into the ring of CPU %d",
						       event->asked.name, target->cpus[cpu]);
		}
	}
	return 0;
}

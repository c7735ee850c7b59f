/*
 * Samplers that overwrite their oldest samples (--overwrite). Their rings are written backwards and are
 * mapped read-only, so that the kernel never waits for a reader. The sideband event keeps its own ring,
 * because its records must not be lost. All samplers of a CPU write into the ring of the first.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "record/event_set_state.h"

/* The event that the CPU's ring belongs to: the first open one of the first sampler. */
static int first_fd(const struct event_set *set, size_t slot)
{
	const int *fds = set->events[SIDEBAND + 1].fds;

	for (size_t thread = 0; thread < set->target->thread_count; thread++)
		if (fds[thread * set->slot_count + slot] >= 0)
			return fds[thread * set->slot_count + slot];
	return -1;
}

static int map_all(struct event_set *set, size_t pages, struct error *err)
{
	for (size_t slot = 0; slot < set->target->cpu_count; slot++) {
		const int fd = first_fd(set, slot);

		set->slots[slot].backward_fd = fd;
		if (fd < 0)
			continue;
		if (ring_buffer_map_backward(&set->backward[slot], fd, pages, err) < 0) {
			event_set_unmap_backward(set);
			return -1;
		}
	}
	return 0;
}

int event_set_map_backward(struct event_set *set, struct error *err)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), given = set->options->ring_pages;
	const size_t wanted = given ? given : set->ring_bytes / page_bytes * BACKWARD_RING_FACTOR;
	size_t pages = wanted;

	while (map_all(set, pages, err) < 0) {
		if ((err->errno_value != EPERM && err->errno_value != ENOMEM) || pages == 1)
			return -1;
		pages /= 2;
	}
	if (pages < wanted && (given || pages * page_bytes < set->ring_bytes))
		strbuf_addf(set->notices,
			    "rings of %zu KiB per CPU instead of %zu for samples: locked memory is limited; "
			    "'sysctl kernel.perf_event_mlock_kb' or 'ulimit -l' allows more\n",
			    pages * page_bytes / 1024, wanted * page_bytes / 1024);
	return 0;
}

void event_set_unmap_backward(struct event_set *set)
{
	for (size_t slot = 0; slot < set->slot_count; slot++)
		ring_buffer_unmap(&set->backward[slot]);
}

int event_set_direct_backward(struct event_set *set, size_t slot, int fd, struct error *err)
{
	struct cpu_slot *cpu = &set->slots[slot];

	if (cpu->backward_fd < 0) {
		if (ring_buffer_map_backward(&set->backward[slot], fd,
					     set->ring_bytes / (size_t)sysconf(_SC_PAGESIZE), err) < 0)
			return -1;
		cpu->backward_fd = fd;
		return 0;
	}
	if (fd != cpu->backward_fd && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->backward_fd) < 0)
		return error_set_errno(err, errno, "cannot direct its events into its ring");
	return 0;
}

static void pause_output(const struct event_set *set, bool pauses)
{
	for (size_t slot = 0; slot < set->slot_count; slot++)
		if (set->backward[slot].control)
			ioctl(set->slots[slot].backward_fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pauses ? 1 : 0);
}

void event_set_collect_overwritten(struct event_set *set, struct strbuf *records)
{
	pause_output(set, true);
	for (size_t slot = 0; slot < set->slot_count; slot++) {
		const size_t before = records->size;

		if (!set->backward[slot].control)
			continue;
		ring_buffer_collect_backward(&set->backward[slot], records);
		if (event_set_has_late_ids(set, slot))
			event_set_rename_ids(set, (uint8_t *)records->bytes + before, records->size - before);
	}
	pause_output(set, false);
}

void event_set_mark_samples(struct event_set *set)
{
	for (size_t slot = 0; slot < set->slot_count; slot++)
		if (set->backward[slot].control)
			ring_buffer_mark_backward(&set->backward[slot]);
}

bool event_set_marked_samples_are_gone(const struct event_set *set)
{
	for (size_t slot = 0; slot < set->slot_count; slot++)
		if (set->backward[slot].control && !ring_buffer_is_past_mark(&set->backward[slot]))
			return false;
	return true;
}

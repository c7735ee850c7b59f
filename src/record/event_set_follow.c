/*
 * Follows CPUs that come and go while a recording runs. When a CPU goes offline, the kernel takes the events off it and does not
 * put them back later: they stay open, give no POLLHUP and no longer count. So their successors are opened when the CPU is back.
 * The ring stays, and with it the event that it was mapped from: new events are set to write into it. Recordings of threads need
 * this only for CPUs that were offline at the start: the kernel puts the events of a thread back by itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "record/event_set_state.h"

enum { NS_PER_S = 1000 * 1000 * 1000 };

/* { value, time_running, ... } of a CPU's sideband event: a dummy counter runs while its CPU is online. */
static bool read_running(const struct event_set *set, size_t slot, uint64_t *running_ns)
{
	const struct opened_event *sideband = &set->events[SIDEBAND];
	uint64_t counts[4]; /* followed by id and lost */

	if (read(sideband->fds[slot], counts, sizeof(counts)) < (ssize_t)(2 * sizeof(counts[0])))
		return false;
	*running_ns = counts[1];
	return true;
}

void event_set_begin_to_follow(struct event_set *set, uint64_t now_ns)
{
	for (size_t slot = 0; slot < set->slot_count; slot++) {
		uint64_t running_ns = 0;

		if (set->target->any_thread && !set->slots[slot].is_away)
			(void)read_running(set, slot, &running_ns);
		set->slots[slot].since_ns = now_ns - running_ns;
	}
}

/* The running time of an event that is still on its CPU grows between two reads. */
static bool counts_on(const struct event_set *set, size_t slot, uint64_t *running_ns)
{
	uint64_t before_ns;

	return !read_running(set, slot, &before_ns) || !read_running(set, slot, running_ns) ||
	       *running_ns != before_ns;
}

static void add_offline(struct cpu_slot *slot, uint64_t now_ns, uint64_t running_ns)
{
	const uint64_t open_ns = now_ns - slot->since_ns;

	slot->offline_ns += open_ns > running_ns ? open_ns - running_ns : 0;
	slot->since_ns = now_ns;
}

/* Closes the events of a CPU that count no more, except the one that its ring was mapped from. */
static void close_slot(struct event_set *set, size_t slot)
{
	for (size_t i = 0; i < set->event_count; i++) {
		struct opened_event *event = &set->events[i];

		for (size_t thread = 0; thread < set->target->thread_count; thread++) {
			int *fd = &event->fds[thread * set->slot_count + slot];
			struct event_counts counts;

			if (*fd < 0)
				continue;
			if (event_set_read_counts(set, i, *fd, &counts)) {
				event->lost += counts.lost;
				event->counted[slot] += counts.value;
			}
			if (*fd == set->slots[slot].ring_fd)
				set->slots[slot].ring_fd_is_spare = true;
			else if (*fd == set->slots[slot].backward_fd)
				set->slots[slot].backward_fd_is_spare = true;
			else
				close(*fd);
			*fd = -1;
			set->open_count--;
		}
	}
	set->slots[slot].is_away = true;
}

static int direct_to_ring(struct event_set *set, size_t slot, int fd, struct error *err)
{
	struct cpu_slot *cpu = &set->slots[slot];

	if (cpu->ring_fd < 0) {
		const size_t pages = set->ring_bytes / (size_t)sysconf(_SC_PAGESIZE);

		if (ring_buffer_map(&set->rings[slot], fd, event_set_ring_pages(set, slot, pages), err) < 0)
			return -1;
		cpu->ring_fd = fd;
		return 0;
	}
	if (fd != cpu->ring_fd && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->ring_fd) < 0)
		return error_set_errno(err, errno, "cannot direct its events into its ring");
	return 0;
}

/* Index of a CPU's first id in the id list of an event that is on every sampled CPU. */
static size_t id_place(const struct event_set *set, size_t number, size_t slot)
{
	size_t place = 0;

	for (size_t before = 0; before < slot; before++)
		place += number == SIDEBAND || target_samples_cpu(set->target, set->target->cpus[before]);
	return place;
}

static int open_late_cell(struct event_set *set, size_t number, size_t thread, size_t slot, struct error *err)
{
	struct opened_event *event = &set->events[number];
	const bool listed = set->target->any_thread && set->slots[slot].has_ids && !event->cpus;
	struct id_alias alias = { .listed_id = event->ids[listed ? id_place(set, number, slot) : 0],
				  .counted = event->counted[slot],
				  .attr = &event->asked.attr };
	int fd;

	if (!listed && event->asked.attr.sample_type & PERF_SAMPLE_READ)
		return error_set(err, "the CPU was offline at the start, so counts in its samples (modifier "
				      "S) have no id in the file");
	if (event_set_open_cell(set, event, thread, slot, &alias.id, err) < 0)
		return -1;
	fd = event->fds[thread * set->slot_count + slot];
	if (fd < 0)
		return 0;
	id_aliases_add(&set->aliases, &alias);
	if ((number != SIDEBAND && set->options->overwrite ? event_set_direct_backward(set, slot, fd, err) :
							     direct_to_ring(set, slot, fd, err)) < 0)
		return -1;
	if (number != SIDEBAND && (set->is_enabled || (set->options->enable_on_exec && !set->is_disabled)) &&
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
		return error_set_errno(err, errno, "cannot start %s", event->asked.name);
	return 0;
}

static int open_slot(struct event_set *set, size_t slot, struct error *err)
{
	for (size_t i = 0; i < set->event_count; i++)
		for (size_t thread = 0; thread < set->target->thread_count; thread++)
			if (open_late_cell(set, i, thread, slot, err) < 0)
				return -1;
	return 0;
}

static void return_to(struct event_set *set, size_t slot)
{
	struct cpu_slot *cpu = &set->slots[slot];
	struct error err = { 0 };

	set->watched[slot] = 0;
	if (open_slot(set, slot, &err) == 0) {
		cpu->is_away = false;
		cpu->is_renamed = true;
		cpu->returns++;
		cpu->is_refused = false;
		return;
	}
	close_slot(set, slot);
	cpu->is_refused = err.errno_value != ENODEV; /* ENODEV: the CPU is offline again */
	if (cpu->is_refused)
		set->refusal = err;
}

bool event_set_follow_cpus(struct event_set *set, const struct target *online, uint64_t now_ns)
{
	bool changed = false;

	for (size_t slot = 0; slot < set->slot_count; slot++) {
		struct cpu_slot *cpu = &set->slots[slot];
		uint64_t running_ns = 0;

		if (!target_has_cpu(online, set->target->cpus[slot]) || cpu->is_refused)
			continue;
		if (!cpu->is_away && (!set->target->any_thread || counts_on(set, slot, &running_ns)))
			continue;
		add_offline(cpu, now_ns, running_ns);
		if (!cpu->is_away)
			close_slot(set, slot);
		return_to(set, slot);
		changed = true;
	}
	return changed;
}

static void say_offline(const struct event_set *set, size_t slot, uint64_t now_ns, struct strbuf *text)
{
	struct cpu_slot cpu = set->slots[slot];
	uint64_t running_ns = 0;
	bool to_the_end = cpu.is_away;

	if (!cpu.is_away && set->target->any_thread)
		to_the_end = !counts_on(set, slot, &running_ns);
	if (to_the_end)
		add_offline(&cpu, now_ns, running_ns);
	strbuf_addf(text, "%sCPU %d was offline for %.2f s", text->size ? ", " : "", set->target->cpus[slot],
		    (double)cpu.offline_ns / NS_PER_S);
	if (cpu.returns > 1)
		strbuf_addf(text, " in %u times", cpu.returns + to_the_end);
	else if (to_the_end)
		strbuf_adds(text, " up to the end");
}

void event_set_say_offline(const struct event_set *set, uint64_t now_ns, struct strbuf *text)
{
	for (size_t slot = 0; slot < set->slot_count; slot++) {
		const struct cpu_slot *cpu = &set->slots[slot];
		uint64_t running_ns;

		if (!target_samples_cpu(set->target, set->target->cpus[slot]))
			continue;
		/* Leave out a CPU that was never online. */
		if (cpu->returns || cpu->is_refused ||
		    (!cpu->is_away && set->target->any_thread && !counts_on(set, slot, &running_ns)))
			say_offline(set, slot, now_ns, text);
	}
	if (text->size && !set->target->any_thread)
		strbuf_adds(text,
			    "; threads and processes that the recorded threads had started while it was "
			    "offline are not sampled on it");
	if (text->size && set->refusal.message[0])
		strbuf_addf(text, "; not every CPU that came back is sampled: %s", set->refusal.message);
}
